"""Products of vectors and matrices that stand in `linalg` only, and diagonals of the last two dims."""

from __future__ import annotations

from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape, same
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy import diagonals
from wax.numpy._basis import ArrayLike, basis, check_axis, integer, lift, lift_all, placed, scalars, shapes_text
from wax.numpy._contraction import refuse_bool
from wax.numpy._pieces import picked
from wax.numpy.creation import eye
from wax.numpy.linalg.systems import inv
from wax.numpy.linear_algebra import matmul
from wax.numpy.manipulation import broadcast_arrays, broadcast_to, moveaxis

__all__ = ["cross", "diagonal", "matrix_power", "trace"]


def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """The elements at `(i, i + offset)` of every matrix of a stack. Raises `AxisError`, `ShapeError`.

    >>> wnp.linalg.diagonal(wnp.asarray([[1, 2], [3, 4]]), offset=1)
    Array([2], dtype=int32)
    """
    return diagonals.diagonal(x, offset, -2, -1)


def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike = None) -> Array:
    """The sum of a diagonal of every matrix of a stack; dtypes as for `sum`. Raises `AxisError`, `ShapeError`.

    >>> wnp.linalg.trace(wnp.asarray([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]))
    Array([ 5, 13], dtype=int32)
    """
    return diagonals.trace(x, offset, -2, -1, dtype)


def _cross(a1: Any, a2: Any, b1: Any, b2: Any) -> Any:
    return scalars.subtract(scalars.multiply(a1, b2), scalars.multiply(a2, b1))


@api
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """The cross product of vectors of three elements along an axis; the other dims broadcast.

    Raises `ShapeError`, `AxisError`, `PromotionError`.

    >>> wnp.linalg.cross(wnp.asarray([1, 0, 0]), wnp.asarray([0, 1, 0]))
    Array([0, 0, 1], dtype=int32)
    """
    a, b = lift_all("cross", x1, x2)
    refuse_bool("cross", a.dtype)
    if integer("cross", "axis", axis) >= 0 and a.ndim != b.ndim:
        raise InvalidArgumentError("cross: of arrays of different ranks the axis is counted from the back (negative)")
    axes = [check_axis("cross", axis, x.ndim) for x in (a, b)]
    for x, number in zip((a, b), axes, strict=True):
        if not same(x.shape[number], 3):
            raise ShapeError(f"cross of {shapes_text([a, b])}: both must have three elements along axis {axis}")
    a, b = broadcast_arrays(moveaxis(a, axes[0], -1), moveaxis(b, axes[1], -1))
    following, last = basis.constant(_FOLLOWING), a.ndim - 1
    every = range(a.ndim)
    a1, b1 = [picked(x, following, last) for x in (a, b)]
    a2, b2 = [picked(x, following, last) for x in (a1, b1)]
    return moveaxis(placed(_cross, [(x, every) for x in (a1, a2, b1, b2)]), -1, axis)


#: The component after each one, in a circle.
_FOLLOWING = np.asarray([1, 2, 0], np.int32)


@api
def matrix_power(x: ArrayLike, n: int, /) -> Array:
    """Every square matrix of a stack times itself, `n` factors; the identity for 0, powers of the inverse below it.

    Half floats are rounded each time. Raises `ShapeError`, and `InvalidArgumentError` for a negative `n` of integers.

    >>> wnp.linalg.matrix_power(wnp.asarray([[1, 1], [0, 1]]), 5)
    Array([[1, 5],
           [0, 1]], dtype=int32)
    """
    value: Any = lift(x)
    refuse_bool("matrix_power", value.dtype)
    if value.ndim < 2 or not same(value.shape[-1], value.shape[-2]):
        raise ShapeError(f"matrix_power takes square matrices; the shape is {format_shape(value.shape)}")
    left = integer("matrix_power", "n", n)
    if left < 0:
        if dtypes.kind(value.dtype) in ("int", "uint"):
            raise InvalidArgumentError(
                f"matrix_power: n={left} of {value.dtype} needs the inverse; convert with .astype(wnp.float32)"
            )
        value, left = inv(value), -left
    if left == 0:
        return broadcast_to(eye(value.shape[-1], dtype=value.dtype), value.shape)
    result: Any = None
    while left:
        if left & 1:
            result = value if result is None else matmul(result, value)
        left >>= 1
        if left:
            value = matmul(value, value)
    return result
