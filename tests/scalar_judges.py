"""What each scalar operation of the dialect must give, element by element, in Python's own arithmetic.

Integers are Python ints, floats are rounded from exact fractions or from mpmath at 200 bits. Nothing here
uses NumPy to compute, except for what IEEE 754 says of NaN, infinities and zeros, which is asked of float64.
Made for the tests of every backend.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import mpmath
import numpy as np

DTYPES = {
    "i1": np.dtype(bool),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "complex<f32>": np.dtype(np.complex64),
    "complex<f64>": np.dtype(np.complex128),
}
INTS = ("i1", "i8", "i16", "i32", "i64")
FLOATS = ("f16", "bf16", "f32", "f64")
COMPLEXES = ("complex<f32>", "complex<f64>")

# Significand bits, with the hidden one, and the exponent of the least normal number.
_FORMATS = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126), "f64": (53, -1022)}
_GREATEST = {name: Fraction(float(ml_dtypes.finfo(DTYPES[name]).max)) for name in FLOATS}


def width(element: str) -> int:
    """An integer type's bits."""
    return int(element[1:])


def as_signed(value: int, bits: int) -> int:
    """The low bits, read as two's complement."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def as_unsigned(value: int, bits: int) -> int:
    """The low bits, read as a natural number."""
    return value & ((1 << bits) - 1)


# Floats.


def round_exact(value: Fraction, element: str) -> float:
    """The nearest value of a float type, ties to even."""
    if value == 0:
        return 0.0
    bits, least = _FORMATS[element]
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, least) - bits + 1)
    rounded = round(size / unit) * unit  # Python rounds fractions half to even
    if rounded > _GREATEST[element]:
        return math.inf if value > 0 else -math.inf
    return float(rounded) if value > 0 else -float(rounded)


def round_mp(value: Any, element: str) -> float:
    """The nearest value of a float type to an mpmath number."""
    if mpmath.isnan(value):
        return math.nan
    if mpmath.isinf(value):
        return math.inf if value > 0 else -math.inf
    sign, mantissa, exponent, bits = value._mpf_
    if exponent + bits > 2000:  # out of every type's range, and of what fractions can hold
        return -math.inf if sign else math.inf
    if exponent + bits < -2000:
        return -0.0 if sign else 0.0
    return round_exact((-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent), element)


def spacing(value: float, element: str) -> float:
    """One unit in the last place."""
    bits, least = _FORMATS[element]
    exponent = least if value == 0 else max(math.frexp(value)[1] - 1, least)
    return math.ldexp(1.0, exponent - bits + 1)


def _by_fractions(exact: Callable[..., Fraction | None], ieee: Callable[..., Any]) -> Callable[..., float]:
    """Exact arithmetic where operands are finite and the result is not 0, IEEE rules for the rest."""

    def judge(*operands: float, element: str) -> float:
        if all(math.isfinite(x) for x in operands):
            result = exact(*map(Fraction, operands))
            if result is not None and result != 0:
                return round_exact(result, element)
        with np.errstate(all="ignore"):
            return float(ieee(*map(np.float64, operands)))

    return judge


def _fma(a: Any, b: Any, c: Any) -> Any:
    # Asked only where an operand is special or the exact sum is 0. The product of finite ones may overflow.
    return c if np.isfinite(a) and np.isfinite(b) and not np.isfinite(c) else a * b + c


def _order(pick: Callable[..., float], zero_sign: float) -> Callable[..., float]:
    def judge(a: float, b: float, *, element: str) -> float:
        if math.isnan(a) or math.isnan(b):
            return math.nan
        if a == b == 0:
            signs = {math.copysign(1, a), math.copysign(1, b)}
            return math.copysign(0.0, zero_sign if zero_sign in signs else -zero_sign)
        return pick(a, b)

    return judge


def _number_of(pick: Callable[..., float]) -> Callable[..., float]:
    def judge(a: float, b: float, *, element: str) -> float:
        return b if math.isnan(a) else a if math.isnan(b) else pick(a, b)

    return judge


def _whole(rounding: Callable[[float], int]) -> Callable[..., float]:
    def judge(x: float, *, element: str) -> float:
        return x if not math.isfinite(x) or x == 0 else math.copysign(float(rounding(x)), x)

    return judge


def _half_away(x: float) -> int:
    return math.floor(abs(Fraction(x)) + Fraction(1, 2)) * (1 if x > 0 else -1)


def maximum(a: float, b: float) -> float:
    return _order(max, 1.0)(a, b, element="f64")


def minimum(a: float, b: float) -> float:
    return _order(min, -1.0)(a, b, element="f64")


#: Operations that have one right answer in each float type.
EXACT_FLOAT: dict[str, Callable[..., Any]] = {
    "arith.addf": _by_fractions(lambda a, b: a + b, lambda a, b: a + b),
    "arith.subf": _by_fractions(lambda a, b: a - b, lambda a, b: a - b),
    "arith.mulf": _by_fractions(lambda a, b: a * b, lambda a, b: a * b),
    "arith.divf": _by_fractions(lambda a, b: None if b == 0 else a / b, lambda a, b: a / b),
    "arith.remf": lambda a, b, element: (
        math.fmod(a, b) if math.isfinite(a) and b != 0 and not math.isnan(b) else math.nan
    ),
    "arith.negf": lambda x, element: -x,
    "arith.maximumf": _order(max, 1.0),
    "arith.minimumf": _order(min, -1.0),
    "arith.maxnumf": _number_of(max),
    "arith.minnumf": _number_of(min),
    "math.absf": lambda x, element: abs(x),
    "math.copysign": lambda a, b, element: math.copysign(a, b),
    "math.floor": _whole(math.floor),
    "math.ceil": _whole(math.ceil),
    "math.trunc": _whole(math.trunc),
    "math.roundeven": _whole(round),
    "math.round": _whole(_half_away),
    "math.clampf": lambda x, low, high, element: minimum(maximum(x, low), high),
    "math.fma": _by_fractions(lambda a, b, c: a * b + c, _fma),
    "math.isfinite": lambda x, element: math.isfinite(x),
    "math.isinf": lambda x, element: math.isinf(x),
    "math.isnan": lambda x, element: math.isnan(x),
    "math.isnormal": lambda x, element: math.isfinite(x) and abs(x) >= math.ldexp(1.0, _FORMATS[element][1]),
    "math.sqrt": lambda x, element: (
        round_mp(mpmath.sqrt(x), element) if x > 0 and math.isfinite(x) else math.nan if x < 0 else x
    ),
}

PREDICATES_F: dict[str, Callable[[float, float], bool]] = {
    "false": lambda a, b: False,
    "oeq": lambda a, b: a == b,
    "ogt": lambda a, b: a > b,
    "oge": lambda a, b: a >= b,
    "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b,
    "one": lambda a, b: a < b or a > b,
    "ord": lambda a, b: not (math.isnan(a) or math.isnan(b)),
    "ueq": lambda a, b: not (a < b or a > b),
    "ugt": lambda a, b: not a <= b,
    "uge": lambda a, b: not a < b,
    "ult": lambda a, b: not a >= b,
    "ule": lambda a, b: not a > b,
    "une": lambda a, b: a != b,
    "uno": lambda a, b: math.isnan(a) or math.isnan(b),
    "true": lambda a, b: True,
}


def _mp(function: Callable[..., Any], special: Callable[..., Any]) -> Callable[..., Any]:
    """mpmath for finite operands that are not 0, float64's function for NaN, infinities, zeros and poles."""

    def judge(*operands: float) -> Any:
        if all(math.isfinite(x) and x != 0 for x in operands):
            try:
                value = function(*map(mpmath.mpf, operands))
            except (ValueError, ZeroDivisionError, OverflowError):
                value = None
            if isinstance(value, mpmath.mpf) and mpmath.isfinite(value):
                return value
        with np.errstate(all="ignore"):
            return mpmath.mpf(float(special(*map(np.float64, operands))))

    return judge


def _erf_special(x: Any) -> Any:
    return x if np.isnan(x) or x == 0 else np.sign(x)


def _real_power(a: Any, b: Any) -> Any:
    if b == int(b):
        return mpmath.power(a, int(b)) if abs(b) < 1e6 else None
    return mpmath.power(a, b) if a > 0 else None


#: Functions with rounding of their own: the exact value as an mpmath number.
INEXACT_FLOAT: dict[str, Callable[..., Any]] = {
    "math.exp": _mp(mpmath.exp, np.exp),
    "math.exp2": _mp(lambda x: mpmath.power(2, x), np.exp2),
    "math.expm1": _mp(mpmath.expm1, np.expm1),
    "math.log": _mp(lambda x: mpmath.log(x) if x > 0 else None, np.log),
    "math.log2": _mp(lambda x: mpmath.log(x, 2) if x > 0 else None, np.log2),
    "math.log10": _mp(lambda x: mpmath.log10(x) if x > 0 else None, np.log10),
    "math.log1p": _mp(lambda x: mpmath.log1p(x) if x > -1 else None, np.log1p),
    "math.rsqrt": _mp(lambda x: 1 / mpmath.sqrt(x) if x > 0 else None, lambda x: 1 / np.sqrt(x)),
    "math.cbrt": _mp(lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), np.cbrt),
    "math.sin": _mp(mpmath.sin, np.sin),
    "math.cos": _mp(mpmath.cos, np.cos),
    "math.tan": _mp(mpmath.tan, np.tan),
    "math.asin": _mp(mpmath.asin, np.arcsin),
    "math.acos": _mp(mpmath.acos, np.arccos),
    "math.atan": _mp(mpmath.atan, np.arctan),
    "math.atan2": _mp(mpmath.atan2, np.arctan2),
    "math.sinh": _mp(mpmath.sinh, np.sinh),
    "math.cosh": _mp(mpmath.cosh, np.cosh),
    "math.tanh": _mp(mpmath.tanh, np.tanh),
    "math.asinh": _mp(mpmath.asinh, np.arcsinh),
    "math.acosh": _mp(mpmath.acosh, np.arccosh),
    "math.atanh": _mp(mpmath.atanh, np.arctanh),
    "math.erf": _mp(mpmath.erf, _erf_special),
    "math.erfc": _mp(mpmath.erfc, lambda x: 1 - _erf_special(x)),
    "math.powf": _mp(_real_power, lambda a, b: np.power(np.array([a]), np.array([b]))[0]),
}


# Integers: operands and results are signed, except that i1 is 0 and 1 outside and 0 and −1 where signed.


def _int(function: Callable[..., int], *, unsigned: bool = False) -> Callable[..., int]:
    def judge(*operands: int, bits: int) -> int:
        read = as_unsigned if unsigned else as_signed
        return as_signed(function(*(read(x, bits) for x in operands), bits), bits)

    return judge


def _to_zero(a: int, b: int) -> int:
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _up(a: int, b: int) -> int:
    return 0 if b == 0 else -((-a) // b)


def _power(a: int, b: int, bits: int) -> int:
    if b >= 0:
        return pow(a, b, 1 << bits)
    return a if abs(a) == 1 and b % 2 else 1 if abs(a) == 1 else 0


INT: dict[str, Callable[..., int]] = {
    "arith.addi": _int(lambda a, b, w: a + b),
    "arith.subi": _int(lambda a, b, w: a - b),
    "arith.muli": _int(lambda a, b, w: a * b),
    "arith.divsi": _int(lambda a, b, w: _to_zero(a, b)),
    "arith.divui": _int(lambda a, b, w: _to_zero(a, b), unsigned=True),
    "arith.floordivsi": _int(lambda a, b, w: 0 if b == 0 else a // b),
    "arith.ceildivsi": _int(lambda a, b, w: _up(a, b)),
    "arith.ceildivui": _int(lambda a, b, w: _up(a, b), unsigned=True),
    "arith.remsi": _int(lambda a, b, w: 0 if b == 0 else a - b * _to_zero(a, b)),
    "arith.remui": _int(lambda a, b, w: 0 if b == 0 else a % b, unsigned=True),
    "arith.andi": _int(lambda a, b, w: a & b),
    "arith.ori": _int(lambda a, b, w: a | b),
    "arith.xori": _int(lambda a, b, w: a ^ b),
    "arith.shli": _int(lambda a, b, w: a << b if b < w else 0, unsigned=True),
    "arith.shrui": _int(lambda a, b, w: a >> b if b < w else 0, unsigned=True),
    "arith.shrsi": lambda a, b, bits: as_signed(as_signed(a, bits) >> min(as_unsigned(b, bits), bits), bits),
    "arith.maxsi": _int(lambda a, b, w: max(a, b)),
    "arith.minsi": _int(lambda a, b, w: min(a, b)),
    "arith.maxui": _int(lambda a, b, w: max(a, b), unsigned=True),
    "arith.minui": _int(lambda a, b, w: min(a, b), unsigned=True),
    "math.absi": _int(lambda a, w: abs(a)),
    "math.ctlz": _int(lambda a, w: w - a.bit_length(), unsigned=True),
    "math.cttz": _int(lambda a, w: (a & -a).bit_length() - 1 if a else w, unsigned=True),
    "math.ctpop": _int(lambda a, w: a.bit_count(), unsigned=True),
    "math.ipowi": _int(_power),
}

#: Operations with two results: what each is.
INT_EXTENDED: dict[str, tuple[Callable[..., int], Callable[..., int]]] = {
    "arith.addui_extended": (
        INT["arith.addi"],
        lambda a, b, bits: (as_unsigned(a, bits) + as_unsigned(b, bits)) >> bits,
    ),
    "arith.mulsi_extended": (INT["arith.muli"], _int(lambda a, b, w: (a * b) >> w)),
    "arith.mului_extended": (INT["arith.muli"], _int(lambda a, b, w: (a * b) >> w, unsigned=True)),
}

PREDICATES_I: dict[str, Callable[..., bool]] = {
    "eq": lambda a, b, w: a == b,
    "ne": lambda a, b, w: a != b,
    "slt": lambda a, b, w: as_signed(a, w) < as_signed(b, w),
    "sle": lambda a, b, w: as_signed(a, w) <= as_signed(b, w),
    "sgt": lambda a, b, w: as_signed(a, w) > as_signed(b, w),
    "sge": lambda a, b, w: as_signed(a, w) >= as_signed(b, w),
    "ult": lambda a, b, w: as_unsigned(a, w) < as_unsigned(b, w),
    "ule": lambda a, b, w: as_unsigned(a, w) <= as_unsigned(b, w),
    "ugt": lambda a, b, w: as_unsigned(a, w) > as_unsigned(b, w),
    "uge": lambda a, b, w: as_unsigned(a, w) >= as_unsigned(b, w),
}


def float_to_int(value: float, bits: int, *, signed: bool) -> int:
    """Toward zero and saturating; NaN gives 0."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return as_signed(high if value > 0 else low, bits)
    return as_signed(max(low, min(high, math.trunc(value))), bits)


# Values to try.


def values(element: str, rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Special values of a type, and random ones of all magnitudes."""
    dtype = DTYPES[element]
    if element == "i1":
        return np.array([False, True])
    if element in INTS:
        info = np.iinfo(dtype)
        special = [0, 1, -1, 2, -2, 3, 7, -7, info.bits - 1, info.bits, info.max, info.min, info.max - 1, info.min + 1]
        wide = rng.integers(info.min, info.max, 24, dtype, endpoint=True)
        return np.concatenate([np.array(special, dtype), wide, wide >> rng.integers(0, info.bits, 24).astype(dtype)])
    if element in FLOATS:
        info = ml_dtypes.finfo(dtype)
        tiny = [float(info.smallest_normal), float(info.smallest_subnormal), float(info.max)]
        special = [0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 10.0, 100.0, 127.5, 128.0, 255.5, 32768.0, math.inf, *tiny]
        special += [2.0**31, 2.0**32, 2.0**63, 2.0**64]
        drawn = np.concatenate([rng.standard_normal(24), rng.standard_normal(24) * 2.0 ** rng.uniform(-14, 14, 24)])
        with np.errstate(over="ignore"):
            return np.concatenate([np.array([*special, *(-x for x in special), math.nan]), drawn]).astype(dtype)
    parts = np.array([0.0, -0.0, 1.0, -1.0, 0.5, 3.0, -2.5])
    real, imaginary = (x.ravel() for x in np.meshgrid(parts, parts))
    drawn = rng.standard_normal(32) + 1j * rng.standard_normal(32)
    special = np.empty(real.size, dtype)
    special.real, special.imag = real, imaginary
    return np.concatenate([special, drawn.astype(dtype)])
