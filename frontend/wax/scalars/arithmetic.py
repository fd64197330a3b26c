"""Arithmetic on scalars: what `+ - * / // % **` and their neighbours mean for each kind of dtype.

Integers wrap; division and remainder are Python's (floored), total by the dialect's table (0 for a zero
divisor). Floats follow IEEE 754. There is no arithmetic on booleans.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wax import dtypes
from wax.dtypes import Kind
from wax.errors import PromotionError
from wax.scalars.comparison import select
from wax.scalars.conversion import in_wide, inexact, promoted, with_weakness
from wax.scalars.rounding import floor
from wax.scalars.scalar import Operand, Scalar, refuse

__all__ = [
    "absolute",
    "add",
    "divide",
    "floor_divide",
    "fma",
    "multiply",
    "negative",
    "positive",
    "power",
    "reciprocal",
    "remainder",
    "sign",
    "square",
    "subtract",
]

_NOT_BOOL = "convert with .astype(wnp.int32), or use the logical functions"
_REAL = "it takes real dtypes; take wnp.real, wnp.imag or wnp.abs first"


def _binary(name: str, by_kind: Mapping[Kind, str]) -> Callable[[Operand, Operand], Scalar]:
    def apply(x: Operand, y: Operand) -> Scalar:
        x, y = promoted(name, x, y)
        if x.kind not in by_kind:
            refuse(name, x.dtype, _NOT_BOOL if x.kind == "bool" else _REAL)
        return x.kernel.op(by_kind[x.kind], (x, y), x.dtype, x.weak)

    apply.__name__ = apply.__qualname__ = name
    return apply


add = _binary("add", {"int": "arith.addi", "uint": "arith.addi", "float": "arith.addf", "complex": "complex.add"})
subtract = _binary(
    "subtract", {"int": "arith.subi", "uint": "arith.subi", "float": "arith.subf", "complex": "complex.sub"}
)
multiply = _binary(
    "multiply", {"int": "arith.muli", "uint": "arith.muli", "float": "arith.mulf", "complex": "complex.mul"}
)


def divide(x: Operand, y: Operand) -> Scalar:
    """The true quotient; integers are divided in float32."""
    x, y = inexact("divide", x, y)
    return x.kernel.op("complex.div" if x.kind == "complex" else "arith.divf", (x, y), x.dtype, x.weak)


def floor_divide(x: Operand, y: Operand) -> Scalar:
    """The quotient rounded to minus infinity."""
    x, y = promoted("floor_divide", x, y)
    match x.kind:
        case "int":
            return x.kernel.op("arith.floordivsi", (x, y), x.dtype, x.weak)
        case "uint":
            return x.kernel.op("arith.divui", (x, y), x.dtype, x.weak)
        case "float":
            return with_weakness(_floor_divide_floats(x, y), x.weak)
        case _:
            refuse("floor_divide", x.dtype, _NOT_BOOL if x.kind == "bool" else _REAL)


@in_wide
def _floor_divide_floats(x: Scalar, y: Scalar) -> Scalar:
    # The floor of the rounded quotient x / y can be one too many (1.0 // 0.1 is 9). As CPython does: take the exact
    # remainder off first, then round the quotient, which is nearly whole, to the nearest.
    rest = x.kernel.op("arith.remf", (x, y), x.dtype)
    whole = (x - rest) / y
    whole = select((rest != 0) & ((rest < 0) != (y < 0)), whole - 1, whole)
    down = floor(whole)
    nearest = select(whole - down > 0.5, down + 1, down)
    quotient = x / y
    signed_zero = x.kernel.op("math.copysign", (lift_like(0.0, x), quotient), x.dtype)
    exact = select(whole == 0, signed_zero, nearest)
    # An infinite or undefined quotient is the answer itself; a finite x by an infinite y is 0 or -1 (rest is x).
    return select((y == 0) | (rest != rest), quotient, exact)


def lift_like(value: float, like: Scalar) -> Scalar:
    """A constant of the dtype of another scalar."""
    return like.kernel.constant(value, like.dtype, like.weak)


def remainder(x: Operand, y: Operand) -> Scalar:
    """What floor division leaves; it has the sign of the divisor."""
    x, y = promoted("remainder", x, y)
    match x.kind:
        case "int":
            return with_weakness(_floored(x, y, x.kernel.op("arith.remsi", (x, y), x.dtype)), x.weak)
        case "uint":
            return x.kernel.op("arith.remui", (x, y), x.dtype, x.weak)
        case "float":
            return with_weakness(_remainder_floats(x, y), x.weak)
        case _:
            refuse("remainder", x.dtype, _NOT_BOOL if x.kind == "bool" else _REAL)


@in_wide
def _remainder_floats(x: Scalar, y: Scalar) -> Scalar:
    rest = x.kernel.op("arith.remf", (x, y), x.dtype)
    signed_zero = x.kernel.op("math.copysign", (lift_like(0.0, x), y), x.dtype)
    return select(rest == 0, signed_zero, _floored(x, y, rest))


def _floored(x: Scalar, y: Scalar, rest: Scalar) -> Scalar:
    return select((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def fma(x: Operand, y: Operand, z: Operand) -> Scalar:
    """`x * y + z` with one rounding (floats)."""
    x, y, z = inexact("fma", x, y, z)
    return x.kernel.op("math.fma", (x, y, z), x.dtype, x.weak)


def negative(x: Operand) -> Scalar:
    """The other sign; unsigned integers wrap."""
    (x,) = promoted("negative", x)
    match x.kind:
        case "float":
            return x.kernel.op("arith.negf", (x,), x.dtype, x.weak)
        case "complex":
            return x.kernel.op("complex.neg", (x,), x.dtype, x.weak)
        case "bool":
            refuse("negative", x.dtype, "use wnp.logical_not or ~x")
        case _:
            return x.kernel.op("arith.subi", (lift_like(0, x), x), x.dtype, x.weak)


def positive(x: Operand) -> Scalar:
    """The scalar as it is."""
    (x,) = promoted("positive", x)
    return x


def absolute(x: Operand) -> Scalar:
    """The magnitude, real for complex scalars; the least integer of a signed dtype stays itself."""
    (x,) = promoted("abs", x)
    match x.kind:
        case "int":
            return x.kernel.op("math.absi", (x,), x.dtype, x.weak)
        case "float":
            return x.kernel.op("math.absf", (x,), x.dtype, x.weak)
        case "complex":
            return x.kernel.op("complex.abs", (x,), dtypes.real_part(x.dtype), x.weak)
        case _:
            return x


def sign(x: Operand) -> Scalar:
    """-1, 0 or 1, NaN for NaN; for complex scalars, the number on the unit circle."""
    (x,) = promoted("sign", x)
    match x.kind:
        case "complex":
            turned = x.kernel.op("complex.sign", (x,), x.dtype, x.weak)
            return with_weakness(select(x == 0, lift_like(0, x), turned), x.weak)  # a zero without a sign
        case "bool":
            refuse("sign", x.dtype, _NOT_BOOL)
        case "uint":
            return with_weakness(select(x == 0, x, 1), x.weak)
        case _:
            one, minus_one, zero = lift_like(1, x), lift_like(-1, x), lift_like(0, x)
            by_sign = select(x > 0, one, select(x < 0, minus_one, select(x == 0, zero, x)))
            return with_weakness(by_sign, x.weak)


def square(x: Operand) -> Scalar:
    """The scalar times itself."""
    return multiply(x, x)


def reciprocal(x: Operand) -> Scalar:
    """One divided by the scalar."""
    return divide(1, x)


def power(x: Operand, y: Operand) -> Scalar:
    """`x` to the power `y`.

    A Python integer as exponent multiplies; integer bases wrap. An integer base under a negative exponent
    gives the quotient of 1 rounded towards zero (0 for the base 0); as a Python number it is refused.
    """
    if type(y) is int and not isinstance(x, int | float | complex):
        return _static_power(x, y)
    x, y = promoted("pow", x, y)
    match x.kind:
        case "float":
            return with_weakness(_power_floats(x, y), x.weak)
        case "complex":
            return x.kernel.op("complex.pow", (x, y), x.dtype, x.weak)
        case "bool":
            refuse("pow", x.dtype, _NOT_BOOL)
        case _:
            return with_weakness(_power_integers(x, y), x.weak)


@in_wide
def _power_floats(x: Scalar, y: Scalar) -> Scalar:
    return x.kernel.op("math.powf", (x, y), x.dtype)


#: Above this exponent the roundings of repeated multiplication are worse than those of `powf`.
_MOST_MULTIPLICATIONS = 16


def _static_power(x: Operand, exponent: int) -> Scalar:
    (x,) = promoted("pow", x)
    if x.kind == "bool":
        refuse("pow", x.dtype, _NOT_BOOL)
    whole = x.kind in ("int", "uint")
    if whole and exponent < 0:
        raise PromotionError(
            f"pow: {dtypes.default(x.carried)} to the negative power {exponent}; convert the base to a floating dtype, "
            "for example wnp.float32"
        )
    if not whole and abs(exponent) > _MOST_MULTIPLICATIONS:
        y = lift_like(exponent, x)
        if x.kind == "complex":
            return x.kernel.op("complex.pow", (x, y), x.dtype, x.weak)
        return with_weakness(_power_floats(x, y), x.weak)
    weak = x.weak
    if x.kind == "float":
        return with_weakness(in_wide(lambda base: _multiplied(base, exponent))(x), weak)
    return with_weakness(_multiplied(x, exponent), weak)


def _multiplied(base: Scalar, exponent: int) -> Scalar:
    result: Scalar | None = None
    left = abs(exponent)
    while left:
        if left & 1:
            result = base if result is None else result * base
        left >>= 1
        if left:
            base = base * base
    if result is None:
        return lift_like(1, base)
    return result if exponent >= 0 else 1 / result


def _power_integers(x: Scalar, y: Scalar) -> Scalar:
    # x ** y modulo 2 ** bits, by squaring over the bits of y: all of them, since x ** (2 ** k) is 1 only for odd x.
    result, base, left = lift_like(1, x), x, y
    exponent_bits = dtypes.bits(x.dtype) - (x.kind == "int")
    for _ in range(exponent_bits):
        result = select((left & 1) != 0, result * base, result)
        base = base * base
        left = left >> 1
    if x.kind == "uint":
        return result
    one, minus_one, zero = lift_like(1, x), lift_like(-1, x), lift_like(0, x)
    alternating = select((y & 1) != 0, minus_one, one)
    by_negative = select(x == 1, one, select(x == -1, alternating, zero))
    return select(y < 0, by_negative, result)
