"""Rounding to whole numbers, and the representation of floats: neighbours, signs.

Integers are whole already and come back as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from wax import dtypes
from wax.scalars.comparison import select
from wax.scalars.conversion import bitcast, inexact, promoted, with_weakness
from wax.scalars.scalar import Operand, Scalar, refuse

__all__ = ["ceil", "copysign", "floor", "nextafter", "round", "signbit", "trunc"]


def _rounding(name: str, op: str) -> Callable[[Operand], Scalar]:
    def apply(x: Operand) -> Scalar:
        (x,) = promoted(name, x)
        match x.kind:
            case "float":
                return x.kernel.op(op, (x,), x.dtype, x.weak)
            case "complex":
                return _by_parts(name, apply, x)
            case "bool":
                refuse(name, x.dtype, "it takes numbers")
            case _:
                return x

    apply.__name__ = apply.__qualname__ = name
    return apply


def _by_parts(name: str, function: Callable[[Operand], Scalar], x: Scalar) -> Scalar:
    if name != "round":
        refuse(name, x.dtype, "it takes real dtypes")
    part = dtypes.real_part(x.dtype)
    real, imaginary = (function(x.kernel.op(op, (x,), part)) for op in ("complex.re", "complex.im"))
    return x.kernel.op("complex.create", (real, imaginary), x.dtype, x.weak)


floor = _rounding("floor", "math.floor")
ceil = _rounding("ceil", "math.ceil")
trunc = _rounding("trunc", "math.trunc")
#: Halves go to the even neighbour.
round = _rounding("round", "math.roundeven")


def copysign(x: Operand, y: Operand) -> Scalar:
    """The magnitude of `x` with the sign of `y`."""
    x, y = inexact("copysign", x, y)
    if x.kind == "complex":
        refuse("copysign", x.dtype, "it takes real dtypes")
    return x.kernel.op("math.copysign", (x, y), x.dtype, x.weak)


def _as_bits(x: Scalar) -> Scalar:
    return bitcast(x, np.dtype(f"int{dtypes.bits(x.dtype)}"))


def signbit(x: Operand) -> Scalar:
    """Whether the sign bit is set, of -0 and NaN too."""
    (x,) = promoted("signbit", x)
    match x.kind:
        case "float":
            return _as_bits(x) < 0
        case "int":
            return x < 0
        case "uint":
            return x.kernel.constant(False, dtypes.bool_)
        case _:
            refuse("signbit", x.dtype, "it takes real numbers")


def nextafter(x: Operand, y: Operand) -> Scalar:
    """The next float after `x` towards `y`, by counting in its bits; `y` itself where they are equal."""
    x, y = inexact("nextafter", x, y)
    if x.kind == "complex":
        refuse("nextafter", x.dtype, "it takes real dtypes")
    weak, bits = x.weak, _as_bits(x)
    # Floats of one sign are in the order of their bits; from ±0 the first step is the least float, signed as y.
    stepped = select((y > x) == (x > 0), bits + 1, bits - 1)
    sign_of_y = _as_bits(y) & bits.kernel.constant(np.iinfo(bits.dtype).min, bits.dtype)
    moved = select(x == 0, sign_of_y | 1, stepped)
    after = bitcast(moved, x.dtype)
    undefined = x + y
    return with_weakness(select(x == y, y, select(undefined != undefined, undefined, after)), weak)
