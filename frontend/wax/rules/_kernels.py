"""Whether two kernels compute the same, by their trees of scalars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wax_runtime.snapshot import Apply, Argument, Attribute, Kernel, Literal, Scalar

__all__ = ["same_attributes", "same_kernel"]

#: Operations of two operands that may be exchanged, with all that they give of NaN and of zeros.
_COMMUTATIVE = frozenset(
    {f"arith.{name}" for name in ("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf")}
    | {f"arith.{name}" for name in ("addi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui")}
    | {"complex.add", "complex.mul"}
)


def same_kernel(left: Kernel | None, right: Kernel | None, order: Sequence[int]) -> bool:
    """Whether two kernels are one, the `i`-th argument of the left one being the `order[i]`-th of the right one."""
    if left is None or right is None:
        return left is right
    if len(left.arguments) != len(right.arguments) or len(left.results) != len(right.results):
        return False
    known: dict[tuple[int, int], bool] = {}
    return all(_same(a, b, order, known) for a, b in zip(left.results, right.results, strict=True))


def _same(left: Scalar, right: Scalar, order: Sequence[int], known: dict[tuple[int, int], bool]) -> bool:
    key = (id(left), id(right))
    if key not in known:
        known[key] = _compare(left, right, order, known)
    return known[key]


def _compare(left: Scalar, right: Scalar, order: Sequence[int], known: dict[tuple[int, int], bool]) -> bool:
    if left.element != right.element:
        return False
    match left, right:
        case Argument(), Argument():
            return order[left.index] == right.index
        case Literal(), Literal():
            return _same_value(left.value, right.value)
        case Apply(), Apply():
            if left.op != right.op or len(left.operands) != len(right.operands):
                return False
            if not same_attributes(left.attributes, right.attributes):
                return False
            if all(_same(a, b, order, known) for a, b in zip(left.operands, right.operands, strict=True)):
                return True
            if left.op not in _COMMUTATIVE:
                return False
            a, b = left.operands
            c, d = right.operands
            return _same(a, d, order, known) and _same(b, c, order, known)
    return False


def same_attributes(left: Mapping[str, Attribute], right: Mapping[str, Attribute]) -> bool:
    """Whether two operations have equal attributes; of numbers, equal bits."""
    return left.keys() == right.keys() and all(_same_value(value, right[name]) for name, value in left.items())


def _same_value(left: Attribute, right: Attribute) -> bool:
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return (
            isinstance(left, np.ndarray)
            and isinstance(right, np.ndarray)
            and (left.dtype, left.shape) == (right.dtype, right.shape)
            and left.tobytes() == right.tobytes()
        )
    if type(left) is not type(right):
        return False
    # Zeros of both signs are equal, and NaN is not equal to itself.
    return repr(left) == repr(right) if isinstance(left, float | complex) else left == right
