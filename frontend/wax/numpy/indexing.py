"""Indexing: `x[…]`, and taking elements at indices.

Static indices are checked; computed ones count from the back if negative, and are clamped to the array. A mask
has to be known: its result's shape depends on its elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dims import Size, format_shape, same
from wax.eager import api
from wax.errors import PromotionError, ShapeError, WaxIndexError
from wax.numpy._basis import ArrayLike, basis, check_axis, is_one, lift, placed, scalars, squeezed
from wax.numpy._elementwise import aligned, broadcast_shape
from wax.numpy._keys import read, settled
from wax.numpy._pieces import picked
from wax.numpy.manipulation import broadcast_to, reshape

__all__ = ["counted_from_front", "getitem", "loops", "take", "take_along_axis"]


def getitem(x: ArrayLike, key: Any, /) -> Array:
    """What `x[key]` is. Raises `WaxIndexError`, `DataDependentShapeError` for a traced mask.

    >>> wnp.getitem(wnp.arange(10), slice(8, 2, -2))
    Array([8, 6, 4], dtype=int32)
    """
    return _getitem(x, settled(x, key))


@api
def _getitem(x: ArrayLike, key: Any, /) -> Array:
    value: Any = lift(x)
    reading = read(value, key)
    value = reading.regrouped(reading.box(value))
    if reading.turned:
        value = basis.reverse(value, reading.turned)
    return _picked_jointly(value, reading.arrays, reading.first) if reading.arrays else value


_getitem.__name__ = "getitem"


def _picked_jointly(x: Any, arrays: Sequence[tuple[int, Any]], first: int) -> Any:
    """The elements at arrays of indices, which broadcast, each along its axis."""
    indexed = [axis for axis, _ in arrays]
    common = broadcast_shape("getitem", [index for _, index in arrays])
    shape, operand_dims = loops(x, indexed, common, first)
    if any(same(x.shape[axis], 0) for axis in indexed):
        if not any(same(size, 0) for size in common):
            raise WaxIndexError(f"indices into an array of shape {format_shape(x.shape)}, which has no elements there")
        return broadcast_to(basis.constant(np.zeros((), x.dtype)), tuple(shape))
    indices = [counted_from_front("getitem", index, x.shape[axis]) for axis, index in arrays]
    indices, places = aligned("getitem", indices)
    return basis.gather(x, indices, operand_dims, [[first + dim for dim in dims] for dims in places])


def loops(x: Any, indexed: Sequence[int], common: Sequence[Size], first: int) -> tuple[list[Size], list[int]]:
    """The shape of what arrays of the shape `common` pick, whose dims begin at `first`; the dim of each axis, or −1."""
    straight = [axis for axis in range(x.ndim) if axis not in indexed]
    shape = [x.shape[axis] for axis in straight]
    shape[first:first] = common
    dims = [-1] * x.ndim
    for number, axis in enumerate(straight):
        dims[axis] = number if number < first else number + len(common)
    return shape, dims


# Taking at indices.


def _from_back(index: Any, size: Any) -> Any:
    return scalars.select(index < 0, index + size, index)


def counted_from_front(name: str, indices: Any, size: Size) -> Any:
    """Indices as signed integers, negative ones counted from the back."""
    kind = dtypes.kind(indices.dtype)
    if kind not in ("int", "uint"):
        raise PromotionError(f"{name}: indices must be integers, they are {indices.dtype}; use .astype(wnp.int32)")
    if kind == "uint":
        return indices if dtypes.bits(indices.dtype) == 64 else indices.astype(dtypes.int64)
    if dtypes.bits(indices.dtype) < 32:
        indices = indices.astype(dtypes.int32)  # so that the size fits beside them
    length = basis.dimension_value(size, indices.dtype)
    return placed(_from_back, [(indices, range(indices.ndim)), (length, ())])


@api
def take(x: ArrayLike, indices: ArrayLike, /, *, axis: int | None = None) -> Array:
    """The elements at indices along an axis, whose place the dims of the indices take; flattened for no axis.

    Negative indices count from the back; those out of range are clamped. Raises `AxisError`, `PromotionError`,
    `ShapeError` for an axis without elements.

    >>> wnp.take(wnp.asarray([[1, 2], [3, 4], [5, 6]]), wnp.asarray([2, 0]), axis=0)
    Array([[5, 6],
           [1, 2]], dtype=int32)
    """
    value: Any = lift(x)
    if axis is None:
        value, axis = (value, 0) if value.ndim == 1 else (reshape(value, (-1,)), 0)
    number = check_axis("take", axis, value.ndim)
    index = lift(indices)
    if same(value.shape[number], 0) and not any(same(size, 0) for size in index.shape):
        raise ShapeError(f"take along axis {number} of shape {format_shape(value.shape)}, which has no elements there")
    index = counted_from_front("take", index, value.shape[number])
    if same(value.shape[number], 0):
        shape = (*value.shape[:number], *index.shape, *value.shape[number + 1 :])
        return broadcast_to(basis.constant(np.zeros((), value.dtype)), shape)
    return picked(value, index, number)


@api
def take_along_axis(x: ArrayLike, indices: ArrayLike, /, *, axis: int = -1) -> Array:
    """The elements at indices along an axis, separately for each place in the other dims, which broadcast.

    Negative indices count from the back; those out of range are clamped. Raises `AxisError`, `PromotionError`,
    `ShapeError` where the other dims do not fit.

    >>> wnp.take_along_axis(wnp.asarray([[3, 1], [2, 4]]), wnp.asarray([[1], [0]]), axis=1)
    Array([[1],
           [2]], dtype=int32)
    """
    value, index = lift(x), lift(indices)
    number = check_axis("take_along_axis", axis, value.ndim)
    if index.ndim != value.ndim:
        raise ShapeError(
            f"take_along_axis: indices of shape {format_shape(index.shape)} for an array of shape "
            f"{format_shape(value.shape)}; the ranks must be equal"
        )
    index = counted_from_front("take_along_axis", index, value.shape[number])
    operand_dims, squeezed_dims, kept = [], [], []
    for dim, (size, wanted) in enumerate(zip(value.shape, index.shape, strict=True)):
        if dim == number:
            operand_dims.append(-1)
            kept.append(dim)
        elif same(size, wanted):
            operand_dims.append(dim)
            kept.append(dim)
        elif is_one(size):
            squeezed_dims.append(dim)
            kept.append(dim)
        elif is_one(wanted):
            operand_dims.append(dim)
        else:
            raise ShapeError(
                f"take_along_axis: {size} against {wanted} along axis {dim}, of shapes {format_shape(value.shape)} "
                f"and {format_shape(index.shape)}; all but axis {number} must be equal, or 1"
            )
    index = squeezed(index, [dim for dim in range(index.ndim) if dim not in kept])
    return basis.gather(squeezed(value, squeezed_dims), [index], operand_dims, [kept])
