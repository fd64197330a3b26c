"""The scalar operations of `math`, on whole arrays.

NumPy's own functions where it has them: they work in the array's type and are within a few ULP. `erf`,
`erfc` and `fma`, which it lacks, are in `error_function.py` and `fused.py`. Two operations are undefined
upstream for some inputs that the dialect's table does not list; here they are total in its spirit:
`ipowi` of 0 to a negative power is 0, as a division by 0 is, and `absi` of the minimum is the minimum.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from wax_runtime.reference.elements import element
from wax_runtime.reference.error_function import erf, erf_narrow, erfc
from wax_runtime.reference.fused import fused_multiply_add
from wax_runtime.reference.scalars import (
    ScalarFunction,
    ScalarRule,
    by_kind,
    by_result,
    every,
    operand_element,
    widened,
)
from wax_runtime.reference.scalars_arith import maximum, minimum
from wax_runtime.snapshot import Apply

__all__ = ["RULES", "integer_power"]


def _round_half_away(x: Any) -> Any:
    whole = np.trunc(x)
    # The subtraction is exact; `copysign` keeps the sign of a result of 0.
    return np.copysign(np.where(np.abs(x - whole) < x.dtype.type(0.5), np.abs(whole), np.abs(whole) + 1), x)


def _round(apply: Apply) -> ScalarFunction:
    dtype = element(apply.element).dtype
    return lambda x: np.where(np.isfinite(x), _round_half_away(x), x).astype(dtype, copy=False)


def _rsqrt(apply: Apply) -> ScalarFunction:
    # In float64 for all narrower types, so that only one rounding is seen.
    dtype = element(apply.element).dtype
    return lambda x: (1.0 / np.sqrt(x.astype(np.float64))).astype(dtype)


def _is_normal(apply: Apply) -> ScalarFunction:
    least = ml_dtypes.finfo(operand_element(apply).dtype).smallest_normal
    return lambda x: np.isfinite(x) & (np.abs(x) >= least)


def _clamp(value: Any, low: Any, high: Any) -> Any:
    return minimum(maximum(value, low), high)


def _power(base: Any, exponent: Any) -> Any:
    power, half = np.power(base, exponent), exponent == 0.5
    if not half.any():
        return power
    # For one exponent of 0.5 NumPy takes the square root, which differs from a power at −0 and −∞.
    return np.where(half & np.signbit(base) & ((base == 0) | np.isinf(base)), np.absolute(base), power)


def _power_of_integer(apply: Apply) -> ScalarFunction:
    """`fpowi`: the magnitude in float64, where every exponent that matters is exact; the sign by parity."""
    dtype = element(apply.element).dtype

    def power(base: Any, exponent: Any) -> Any:
        wide = base.astype(np.float64)
        magnitude = np.power(np.abs(wide), exponent.astype(np.float64))
        negative = np.signbit(wide) & ((exponent & 1) != 0)
        return np.where(negative, -magnitude, magnitude).astype(dtype)

    return power


def integer_power(base: Any, magnitude: Any) -> Any:
    """`base` to an unsigned integer power, by squaring."""
    base, magnitude = np.broadcast_arrays(base, magnitude)
    result = np.ones_like(base)
    while magnitude.any():
        result = np.where((magnitude & 1) != 0, result * base, result)
        base = base * base
        magnitude = magnitude >> magnitude.dtype.type(1)
    return result


def _int_power(apply: Apply) -> ScalarFunction:
    of = element(apply.element)
    one, minus_one, zero = (of.dtype.type(value) for value in (1, -1, 0))

    def power(base: Any, exponent: Any) -> Any:
        whole = integer_power(base, np.maximum(exponent, zero).view(of.unsigned))
        parity = np.where((exponent & 1) != 0, base, one)
        fraction = np.where((base == one) | (base == minus_one), parity, zero)
        return np.where(exponent < 0, fraction, whole)

    return power


def _count(function: ScalarFunction) -> ScalarRule:
    """A count of bits: the operand read as unsigned, the result of its own type."""

    def rule(apply: Apply) -> ScalarFunction:
        of = operand_element(apply)
        return lambda x: function(x.view(of.unsigned)).astype(of.dtype)

    return rule


def _leading_zeros(x: Any) -> Any:
    bits, shift = 8 * x.dtype.itemsize, 1
    while shift < bits:
        x = x | (x >> x.dtype.type(shift))
        shift *= 2
    return bits - np.bitwise_count(x)


def _trailing_zeros(x: Any) -> Any:
    # The lowest set bit, less one, is as many ones; of 0 it is all ones.
    one = x.dtype.type(1)
    return np.bitwise_count((x & (~x + one)) - one)


_IDENTITY = every(lambda x: x)
_NOT = every(np.logical_not)

#: What `math` means, by name of operation.
RULES: dict[str, ScalarRule] = {
    # Integers. In one bit, a number is its own magnitude and its own count of ones.
    "math.absi": by_kind(int=every(np.absolute), bool=_IDENTITY),
    "math.ctlz": by_kind(int=_count(_leading_zeros), bool=_NOT),
    "math.cttz": by_kind(int=_count(_trailing_zeros), bool=_NOT),
    "math.ctpop": by_kind(int=_count(np.bitwise_count), bool=_IDENTITY),
    "math.ipowi": by_kind(int=_int_power, bool=every(lambda a, b: a | ~b)),
    # Rounding and sign.
    "math.absf": every(np.absolute),
    "math.ceil": every(np.ceil),
    "math.floor": every(np.floor),
    "math.trunc": every(np.trunc),
    "math.roundeven": every(np.rint),
    "math.round": _round,
    "math.copysign": every(np.copysign),
    "math.clampf": every(_clamp),
    # Classification.
    "math.isfinite": every(np.isfinite),
    "math.isinf": every(np.isinf),
    "math.isnan": every(np.isnan),
    "math.isnormal": _is_normal,
    # Powers and roots.
    "math.sqrt": every(np.sqrt),
    "math.rsqrt": _rsqrt,
    "math.cbrt": every(np.cbrt),
    "math.powf": every(_power),
    "math.fpowi": _power_of_integer,
    "math.fma": fused_multiply_add,
    # Exponentials and logarithms.
    "math.exp": every(np.exp),
    "math.exp2": every(np.exp2),
    "math.expm1": every(np.expm1),
    "math.log": every(np.log),
    "math.log2": every(np.log2),
    "math.log10": every(np.log10),
    "math.log1p": every(np.log1p),
    # Circular and hyperbolic functions.
    "math.sin": every(np.sin),
    "math.cos": every(np.cos),
    "math.sincos": by_result(every(np.sin), every(np.cos)),
    "math.tan": every(np.tan),
    "math.asin": every(np.arcsin),
    "math.acos": every(np.arccos),
    "math.atan": every(np.arctan),
    "math.atan2": every(np.arctan2),
    "math.sinh": every(np.sinh),
    "math.cosh": every(np.cosh),
    "math.tanh": every(np.tanh),
    "math.asinh": every(np.arcsinh),
    "math.acosh": every(np.arccosh),
    "math.atanh": every(np.arctanh),
    # Error functions.
    "math.erf": widened(erf, narrow=erf_narrow),
    "math.erfc": widened(erfc),
}
