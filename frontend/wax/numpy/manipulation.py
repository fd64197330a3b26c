"""Manipulation functions: they move elements and never compute with them. `repeating` and `joining` have more.

Shapes and sizes may be symbolic. Axes run from the front or, negative, from the back; a wrong one raises
`AxisError`, shapes that do not fit `ShapeError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import DimExpr, Size, format_shape, same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    Axes,
    Shape,
    basis,
    cast,
    check_axes,
    check_axis,
    check_shape,
    constant,
    expanded,
    filled,
    integer,
    is_one,
    lift,
    lift_all,
    squeezed,
)
from wax.numpy._elementwise import broadcast_shape
from wax.numpy._pieces import counter, picked, piece
from wax.numpy._reshaping import group, resolve

__all__ = [
    "broadcast_arrays",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "moveaxis",
    "pad",
    "permute_dims",
    "reshape",
    "roll",
    "split",
    "squeeze",
    "stack",
    "swapaxes",
    "unstack",
]


@api
def reshape(x: ArrayLike, /, shape: Shape, *, copy: bool | None = None) -> Array:
    """The elements, row by row, in another shape; one size may be -1 and is found. Raises `ShapeError`.

    >>> wnp.reshape(wnp.arange(6), (2, -1))
    Array([[0, 1, 2],
           [3, 4, 5]], dtype=int32)
    """
    value = lift(x)
    wanted = shape if isinstance(shape, tuple | list) else (shape,)
    sizes = [size if isinstance(size, DimExpr) else integer("reshape", "a size", size) for size in wanted]
    found = resolve("reshape", value.shape, sizes)
    if len(found) == value.ndim and all(map(same, found, value.shape)):
        return value
    return basis.reshape(value, *group(value.shape, found), found)


@api
def permute_dims(x: ArrayLike, /, axes: Sequence[int]) -> Array:
    """The dims in another order: dim `k` of the result is dim `axes[k]`. Raises `AxisError`, `ShapeError`.

    >>> wnp.permute_dims(wnp.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    value = lift(x)
    order = check_axes("permute_dims", tuple(axes), value.ndim)
    if len(order) != value.ndim:
        raise ShapeError(f"permute_dims of shape {format_shape(value.shape)}: {tuple(axes)} does not name every axis")
    return value if order == tuple(range(value.ndim)) else basis.permute(value, order)


@api
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Every matrix of a stack transposed: the last two dims exchanged. Raises `ShapeError` below rank 2.

    >>> wnp.matrix_transpose(wnp.zeros((5, 2, 3))).shape
    (5, 3, 2)
    """
    value = lift(x)
    if value.ndim < 2:
        raise ShapeError(f"matrix_transpose takes matrices; the shape is {format_shape(value.shape)}")
    return basis.permute(value, (*range(value.ndim - 2), value.ndim - 1, value.ndim - 2))


@api
def swapaxes(x: ArrayLike, axis1: int, axis2: int, /) -> Array:
    """Two dims exchanged. Raises `AxisError`.

    >>> wnp.swapaxes(wnp.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    value = lift(x)
    first, second = check_axis("swapaxes", axis1, value.ndim), check_axis("swapaxes", axis2, value.ndim)
    order = list(range(value.ndim))
    order[first], order[second] = second, first
    return permute_dims(value, order)


@api
def moveaxis(x: ArrayLike, source: int | Sequence[int], destination: int | Sequence[int], /) -> Array:
    """Some dims moved to other places, the rest in their order. Raises `AxisError`, `InvalidArgumentError`.

    >>> wnp.moveaxis(wnp.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    value = lift(x)
    sources = check_axes("moveaxis", source, value.ndim)
    destinations = check_axes("moveaxis", destination, value.ndim)
    if len(sources) != len(destinations):
        raise InvalidArgumentError(f"moveaxis: {len(sources)} axes to {len(destinations)} places")
    order = [axis for axis in range(value.ndim) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(place, axis)
    return permute_dims(value, order)


@api
def expand_dims(x: ArrayLike, /, axis: int | Sequence[int] = 0) -> Array:
    """A new dim of size 1 at this axis of the result, or several. Raises `AxisError`.

    >>> wnp.expand_dims(wnp.zeros((2, 3)), axis=1).shape
    (2, 1, 3)
    """
    value = lift(x)
    added = len(axis) if isinstance(axis, tuple | list) else 1
    return expanded(value, check_axes("expand_dims", axis, value.ndim + added))


@api
def squeeze(x: ArrayLike, /, axis: Axes = None) -> Array:
    """Dims of size 1 dropped: those named, or all. Raises `AxisError`, `ShapeError` for another size.

    >>> wnp.squeeze(wnp.zeros((1, 3, 1)), axis=0).shape
    (3, 1)
    """
    value = lift(x)
    if axis is None:
        return squeezed(value, [number for number, size in enumerate(value.shape) if is_one(size)])
    axes = check_axes("squeeze", axis, value.ndim)
    for number in axes:
        if not is_one(value.shape[number]):
            raise ShapeError(
                f"squeeze of shape {format_shape(value.shape)}: axis {number} has size {value.shape[number]}, not 1"
            )
    return squeezed(value, axes)


# Broadcasting.


@api
def broadcast_to(x: ArrayLike, /, shape: Shape) -> Array:
    """The array repeated to a shape, by NumPy's broadcasting rule. Raises `ShapeError`.

    >>> wnp.broadcast_to(wnp.asarray([1, 2]), (2, 2))
    Array([[1, 2],
           [1, 2]], dtype=int32)
    """
    value = lift(x)
    sizes = check_shape("broadcast_to", shape)
    offset = len(sizes) - value.ndim
    if offset < 0 or not all(is_one(size) or same(size, sizes[offset + axis]) for axis, size in enumerate(value.shape)):
        raise ShapeError(
            f"broadcast_to of shape {format_shape(value.shape)} to {format_shape(sizes)}: "
            "counted from the back, sizes must be equal, or 1"
        )
    stretched = [axis for axis, size in enumerate(value.shape) if is_one(size) and not is_one(sizes[offset + axis])]
    dims = [offset + axis for axis in range(value.ndim) if axis not in stretched]
    return filled(squeezed(value, stretched), dims, [size for dim, size in enumerate(sizes) if dim not in dims])


@api
def broadcast_arrays(*arrays: ArrayLike) -> list[Array]:
    """Arrays repeated to their common shape. Raises `ShapeError`.

    >>> [x.shape for x in wnp.broadcast_arrays(wnp.zeros((2, 1)), wnp.zeros(3))]
    [(2, 3), (2, 3)]
    """
    values = [lift(x) for x in arrays]
    if not values:
        return []
    shape = broadcast_shape("broadcast_arrays", values)
    return [broadcast_to(x, shape) for x in values]


# Joining and splitting.


@api
def concat(arrays: Sequence[ArrayLike], /, *, axis: int | None = 0) -> Array:
    """Arrays one after another along an axis; flattened first for `None`.

    Raises `ShapeError`, `PromotionError`, `AxisError`, `InvalidArgumentError` for no arrays.

    >>> wnp.concat([wnp.asarray([1, 2]), wnp.asarray([3])])
    Array([1, 2, 3], dtype=int32)
    """
    if not len(arrays):
        raise InvalidArgumentError("concat needs at least one array")
    values = lift_all("concat", *arrays)
    if axis is None:
        values, axis = [reshape(x, (-1,)) for x in values], 0
    first = values[0]
    number = check_axis("concat", axis, first.ndim)
    for x in values[1:]:
        fits = x.ndim == first.ndim and all(
            d == number or same(a, b) for d, (a, b) in enumerate(zip(x.shape, first.shape, strict=True))
        )
        if not fits:
            shapes = ", ".join(format_shape(x.shape) for x in values)
            raise ShapeError(f"concat along axis {number} of shapes {shapes}: all other sizes must be equal")
    return values[0] if len(values) == 1 else basis.concat(values, number)


@api
def stack(arrays: Sequence[ArrayLike], /, *, axis: int = 0) -> Array:
    """Arrays of one shape along a new axis. Raises `ShapeError`, `PromotionError`, `AxisError`.

    >>> wnp.stack([wnp.asarray([1, 2]), wnp.asarray([3, 4])], axis=1)
    Array([[1, 3],
           [2, 4]], dtype=int32)
    """
    if not len(arrays):
        raise InvalidArgumentError("stack needs at least one array")
    values = lift_all("stack", *arrays)
    for x in values[1:]:
        if x.ndim != values[0].ndim or not all(map(same, x.shape, values[0].shape)):
            shapes = ", ".join(format_shape(x.shape) for x in values)
            raise ShapeError(f"stack of shapes {shapes}: they must be equal")
    number = check_axis("stack", axis, values[0].ndim + 1)
    return concat([expanded(x, [number]) for x in values], axis=number)


@api
def split(x: ArrayLike, indices_or_sections: int | Sequence[int], /, *, axis: int = 0) -> tuple[Array, ...]:
    """Pieces along an axis: so many equal ones, or cut before these indices.

    Raises `ShapeError` where the size is no multiple, `AxisError`.

    >>> [part.shape for part in wnp.split(wnp.zeros((6, 2)), 3)]
    [(2, 2), (2, 2), (2, 2)]
    """
    value = lift(x)
    number = check_axis("split", axis, value.ndim)
    total = value.shape[number]
    if isinstance(indices_or_sections, tuple | list):
        cuts = [integer("split", "an index", index) for index in indices_or_sections]
        return tuple(piece(value, number, start, stop - start) for start, stop in _bounds(cuts, total, value.shape))
    sections = integer("split", "the number of sections", indices_or_sections)
    if sections < 1:
        raise InvalidArgumentError(f"split into {sections} sections")
    size, rest = divmod(total, sections)
    if not same(rest, 0):
        raise ShapeError(
            f"split of shape {format_shape(value.shape)}: {total} along axis {number} is no multiple of {sections}"
        )
    return tuple(piece(value, number, part * size, size) for part in range(sections))


def _bounds(cuts: list[int], total: Size, shape: tuple[Size, ...]) -> list[tuple[Any, Any]]:
    if not isinstance(total, int):
        if any(cut < 0 for cut in cuts):
            raise ShapeError(f"split of shape {format_shape(shape)} at {cuts}: count from the front in a symbolic dim")
        points = [0, *cuts, total]
    else:
        points = [0, *(min(cut if cut >= 0 else max(cut + total, 0), total) for cut in cuts), total]
    return [(start, stop if not (stop < start) else start) for start, stop in pairwise(points)]


@api
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The arrays along an axis, without it. Raises `AxisError`, `ShapeError` for a symbolic size.

    >>> wnp.unstack(wnp.asarray([[1, 2], [3, 4]]))
    (Array([1, 2], dtype=int32), Array([3, 4], dtype=int32))
    """
    value = lift(x)
    number = check_axis("unstack", axis, value.ndim)
    count = value.shape[number]
    if not isinstance(count, int):
        raise ShapeError(
            f"unstack of shape {format_shape(value.shape)}: axis {number} is symbolic; how many arrays is not known"
        )
    return tuple(squeezed(piece(value, number, index, 1), [number]) for index in range(count))


# Reordering.


@api
def flip(x: ArrayLike, /, *, axis: Axes = None) -> Array:
    """The elements in reverse order along axes, all if none is named. Raises `AxisError`.

    >>> wnp.flip(wnp.asarray([1, 2, 3]))
    Array([3, 2, 1], dtype=int32)
    """
    value: Any = lift(x)
    axes = check_axes("flip", axis, value.ndim)
    return basis.reverse(value, sorted(axes)) if axes else value


@api
def pad(
    x: ArrayLike,
    /,
    pad_width: int | Sequence[int] | Sequence[Sequence[int]],
    *,
    constant_values: ArrayLike = 0,
) -> Array:
    """`constant_values` around the elements, as many before and after along each axis as `pad_width` says.

    It is one number, a pair `(before, after)` for all axes, or a pair for each. Raises `InvalidArgumentError` for
    another form and for negative widths, `ShapeError` for a value that is not of rank 0.

    >>> wnp.pad(wnp.asarray([1, 2]), (1, 2), constant_values=7)
    Array([7, 1, 2, 7, 7], dtype=int32)
    """
    value: Any = lift(x)
    pairs = _widths(pad_width, value.ndim)
    around: Any = constant_values
    if dtypes.is_python_number(around):
        dtypes.check_fits("pad", around, value.dtype)
        around = constant(around, value.dtype)
    else:
        around = cast(lift(around), value.dtype)
    if around.ndim:
        raise ShapeError(
            f"pad: the value must be a number or a rank 0 array, not of shape {format_shape(around.shape)}"
        )
    if not any(before or after for before, after in pairs):
        return value
    return basis.pad(value, around, [low for low, _ in pairs], [high for _, high in pairs], [0] * value.ndim)


def _widths(given: Any, ndim: int) -> list[tuple[int, int]]:
    """A pair for each axis."""
    listed = list(given) if isinstance(given, tuple | list) else [given]
    if not any(isinstance(one, tuple | list) for one in listed):
        if len(listed) > 2:
            raise InvalidArgumentError(f"pad: a pair of widths, or a pair for each axis, is needed, not {given}")
        listed = [[*listed, *listed][:2]]
    if not all(isinstance(one, tuple | list) and len(one) == 2 for one in listed):
        raise InvalidArgumentError(f"pad: widths must be pairs of integers, not {given}")
    if len(listed) == 1:
        listed = listed * ndim
    if len(listed) != ndim:
        raise InvalidArgumentError(f"pad: {len(listed)} pairs of widths for {ndim} axes")
    pairs = [(integer("pad", "a width", low), integer("pad", "a width", high)) for low, high in listed]
    if any(low < 0 or high < 0 for low, high in pairs):
        raise InvalidArgumentError(f"pad: widths must not be negative, they are {given}")
    return pairs


@api
def roll(x: ArrayLike, /, shift: int | Sequence[int], *, axis: Axes = None) -> Array:
    """The elements moved along axes, those beyond the end to the start; flattened for no axis. Raises `AxisError`.

    >>> wnp.roll(wnp.asarray([1, 2, 3, 4]), 1)
    Array([4, 1, 2, 3], dtype=int32)
    """
    value: Any = lift(x)
    if axis is None:
        return reshape(roll(reshape(value, (-1,)), shift, axis=0), value.shape)
    listed = axis if isinstance(axis, tuple | list) else (axis,)
    shifts = shift if isinstance(shift, tuple | list) else (shift,) * len(listed)
    if len(shifts) != len(listed):
        raise InvalidArgumentError(f"roll: {len(shifts)} shifts for {len(listed)} axes")
    for one, by in zip(listed, shifts, strict=True):
        value = _rolled(value, integer("roll", "a shift", by), check_axis("roll", one, value.ndim))
    return value


def _rolled(x: Any, shift: int, axis: int) -> Any:
    size = x.shape[axis]
    if not isinstance(size, int):
        return picked(x, (counter(size) - shift) % size, axis)
    shift = shift % size if size else 0
    if not shift:
        return x
    return basis.concat([piece(x, axis, size - shift, shift), piece(x, axis, 0, size - shift)], axis)
