"""Bits of integers and booleans.

A shift by the width or more, or by a negative count, gives 0 (for a signed right shift: the sign throughout).
"""

from __future__ import annotations

from collections.abc import Callable

from wax.scalars.conversion import promoted
from wax.scalars.scalar import Operand, Scalar, refuse

__all__ = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
]

_INTEGERS = "it takes integers and booleans"


def _bits(name: str, op: str) -> Callable[[Operand, Operand], Scalar]:
    def apply(x: Operand, y: Operand) -> Scalar:
        x, y = promoted(name, x, y)
        if x.kind in ("float", "complex"):
            refuse(name, x.dtype, _INTEGERS)
        return x.kernel.op(op, (x, y), x.dtype, x.weak)

    apply.__name__ = apply.__qualname__ = name
    return apply


bitwise_and = _bits("bitwise_and", "arith.andi")
bitwise_or = _bits("bitwise_or", "arith.ori")
bitwise_xor = _bits("bitwise_xor", "arith.xori")


def bitwise_invert(x: Operand) -> Scalar:
    """The bits that are not set."""
    (x,) = promoted("bitwise_invert", x)
    if x.kind in ("float", "complex"):
        refuse("bitwise_invert", x.dtype, _INTEGERS)
    ones: int = {"bool": 1, "int": -1, "uint": 256**x.dtype.itemsize - 1}[x.kind]
    return x.kernel.op("arith.xori", (x, x.kernel.constant(ones, x.dtype)), x.dtype, x.weak)


def _shift(name: str, signed: str, unsigned: str) -> Callable[[Operand, Operand], Scalar]:
    def apply(x: Operand, y: Operand) -> Scalar:
        x, y = promoted(name, x, y)
        if x.kind not in ("int", "uint"):
            refuse(name, x.dtype, "it takes integers")
        return x.kernel.op(signed if x.kind == "int" else unsigned, (x, y), x.dtype, x.weak)

    apply.__name__ = apply.__qualname__ = name
    return apply


bitwise_left_shift = _shift("bitwise_left_shift", "arith.shli", "arith.shli")
bitwise_right_shift = _shift("bitwise_right_shift", "arith.shrsi", "arith.shrui")
