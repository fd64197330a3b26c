"""Elementwise comparison, logic, tests of floats, and bits.

Comparisons with NaN are false, but for `not_equal`. Logical functions take any dtype: zero is false. Every function
broadcasts its operands, promotes them, and raises `ShapeError` or `PromotionError` where that cannot be.
"""

from __future__ import annotations

from wax.array import Array
from wax.numpy._basis import ArrayLike, scalars
from wax.numpy._elementwise import elementwise

__all__ = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "equal",
    "greater",
    "greater_equal",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
]


@elementwise()
def equal(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether two elements are equal.

    >>> wnp.equal(wnp.asarray([1, 2]), 2)
    Array([False,  True], dtype=bool)
    """
    return scalars.equal(x1, x2)


@elementwise()
def not_equal(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether two elements differ.

    >>> wnp.not_equal(wnp.asarray([1, 2]), 2)
    Array([ True, False], dtype=bool)
    """
    return scalars.not_equal(x1, x2)


@elementwise()
def less(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether the first is below the second.

    >>> wnp.less(wnp.asarray([1, 2]), 2)
    Array([ True, False], dtype=bool)
    """
    return scalars.less(x1, x2)


@elementwise()
def less_equal(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether the first is not above the second.

    >>> wnp.less_equal(wnp.asarray([1, 2]), 1)
    Array([ True, False], dtype=bool)
    """
    return scalars.less_equal(x1, x2)


@elementwise()
def greater(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether the first is above the second.

    >>> wnp.greater(wnp.asarray([1, 2]), 1)
    Array([False,  True], dtype=bool)
    """
    return scalars.greater(x1, x2)


@elementwise()
def greater_equal(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether the first is not below the second.

    >>> wnp.greater_equal(wnp.asarray([1, 2]), 2)
    Array([False,  True], dtype=bool)
    """
    return scalars.greater_equal(x1, x2)


@elementwise()
def logical_and(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether both are not zero.

    >>> wnp.logical_and(wnp.asarray([True, False]), True)
    Array([ True, False], dtype=bool)
    """
    return scalars.logical_and(x1, x2)


@elementwise()
def logical_or(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether one is not zero.

    >>> wnp.logical_or(wnp.asarray([True, False]), False)
    Array([ True, False], dtype=bool)
    """
    return scalars.logical_or(x1, x2)


@elementwise()
def logical_xor(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Whether exactly one is not zero.

    >>> wnp.logical_xor(wnp.asarray([True, False]), True)
    Array([False,  True], dtype=bool)
    """
    return scalars.logical_xor(x1, x2)


@elementwise()
def logical_not(x: ArrayLike, /) -> Array:
    """Whether it is zero.

    >>> wnp.logical_not(wnp.asarray([True, False]))
    Array([False,  True], dtype=bool)
    """
    return scalars.logical_not(x)


@elementwise()
def isnan(x: ArrayLike, /) -> Array:
    """Whether it is NaN; for complex arrays, a part of it.

    >>> wnp.isnan(wnp.asarray([1.0, wnp.nan]))
    Array([False,  True], dtype=bool)
    """
    return scalars.isnan(x)


@elementwise()
def isinf(x: ArrayLike, /) -> Array:
    """Whether it is infinite; for complex arrays, a part of it.

    >>> wnp.isinf(wnp.asarray([1.0, -wnp.inf]))
    Array([False,  True], dtype=bool)
    """
    return scalars.isinf(x)


@elementwise()
def isfinite(x: ArrayLike, /) -> Array:
    """Whether it is neither infinite nor NaN.

    >>> wnp.isfinite(wnp.asarray([1.0, wnp.inf]))
    Array([ True, False], dtype=bool)
    """
    return scalars.isfinite(x)


@elementwise()
def bitwise_and(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The bits set in both; integers and booleans.

    >>> wnp.bitwise_and(wnp.asarray([6, 3]), 2)
    Array([2, 2], dtype=int32)
    """
    return scalars.bitwise_and(x1, x2)


@elementwise()
def bitwise_or(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The bits set in one; integers and booleans.

    >>> wnp.bitwise_or(wnp.asarray([6, 3]), 8)
    Array([14, 11], dtype=int32)
    """
    return scalars.bitwise_or(x1, x2)


@elementwise()
def bitwise_xor(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The bits set in exactly one; integers and booleans.

    >>> wnp.bitwise_xor(wnp.asarray([6, 3]), 2)
    Array([4, 1], dtype=int32)
    """
    return scalars.bitwise_xor(x1, x2)


@elementwise()
def bitwise_invert(x: ArrayLike, /) -> Array:
    """The bits that are not set; integers and booleans.

    >>> wnp.bitwise_invert(wnp.asarray([0, 5]))
    Array([-1, -6], dtype=int32)
    """
    return scalars.bitwise_invert(x)


@elementwise()
def bitwise_left_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The bits moved up; 0 for a count beyond the width, or negative.

    >>> wnp.bitwise_left_shift(wnp.asarray([1, 3]), 2)
    Array([ 4, 12], dtype=int32)
    """
    return scalars.bitwise_left_shift(x1, x2)


@elementwise()
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The bits moved down, the sign kept; a count beyond the width, or negative, leaves the sign only.

    >>> wnp.bitwise_right_shift(wnp.asarray([8, -8]), 2)
    Array([ 2, -2], dtype=int32)
    """
    return scalars.bitwise_right_shift(x1, x2)
