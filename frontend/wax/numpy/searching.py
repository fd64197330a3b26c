"""Searching and testing: where, the index of extremes, any and all, counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wax import dtypes
from wax.array import Array, as_array
from wax.dims import Size, product, same_shape
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    Axes,
    basis,
    carried,
    cast,
    check_axes,
    check_axis,
    constant,
    integer,
    lift,
    lift_all,
    placed,
    refuse_dtype,
    scalars,
    shapes_text,
)
from wax.numpy._compaction import check_size, chosen, cut, filled_beyond, first_true, refuse_without_size
from wax.numpy._elementwise import elementwise
from wax.numpy._reduction import folded, greatest, least, restored, summed
from wax.numpy.manipulation import reshape, stack
from wax.scalars import trace_kernel

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "argwhere",
    "count_nonzero",
    "extract",
    "flatnonzero",
    "nonzero",
    "select",
    "where",
]


@elementwise()
def where(condition: ArrayLike, x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """`x1` where the boolean condition holds, else `x2`. Raises `PromotionError` for a condition of numbers.

    >>> wnp.where(wnp.asarray([True, False]), 1.0, 0.0)
    Array([1., 0.], dtype=float32)
    """
    return scalars.where(condition, x1, x2)


def _fills(name: str, fill_value: Any, ndim: int) -> tuple[int, ...]:
    listed = tuple(fill_value) if isinstance(fill_value, tuple | list) else (fill_value,) * ndim
    if len(listed) != ndim:
        raise InvalidArgumentError(f"{name}: {len(listed)} fill values for {ndim} dims")
    return tuple(integer(name, "a fill value", one) for one in listed)


def _digit(index: Any, below: Any, size: Any) -> Any:
    return scalars.remainder(scalars.floor_divide(index, below), size)


@api
def _nonzero(x: ArrayLike, size: Any, fill_value: Any) -> tuple[Any, ...]:
    """How many elements are not zero, and the indices of the first `size` of them along each dim."""
    value: Any = lift(x)
    fills = _fills("nonzero", fill_value, value.ndim)
    found, count = first_true(reshape(cast(value, dtypes.bool_), (-1,)), size)
    indices = []
    for axis, fill in enumerate(fills):
        sizes = [product(value.shape[axis + 1 :]), value.shape[axis]]
        below, here = [basis.dimension_value(one, dtypes.default_int) for one in sizes]
        digit = found if value.ndim == 1 else placed(_digit, [(found, (0,)), (below, ()), (here, ())])
        indices.append(filled_beyond(digit, count, fill))
    return count, *indices


def nonzero(x: ArrayLike, /, *, size: Size | None = None, fill_value: Any = 0) -> tuple[Array, ...]:
    """The indices of the elements that are not zero, a vector for each dim.

    With `size` these are the first so many, with `fill_value` (a number, or one for each dim) where there are fewer.
    Raises `DataDependentShapeError` in `jit` without it, `ShapeError` for rank 0.

    >>> wnp.nonzero(wnp.asarray([[0, 1], [2, 3]]))
    (Array([0, 1, 1], dtype=int32), Array([1, 0, 1], dtype=int32))
    """
    if not getattr(x, "ndim", 0):
        raise ShapeError("nonzero takes arrays with dims, not one of rank 0; make a vector of it with .reshape(1)")
    if size is not None:
        return _nonzero(x, check_size("nonzero", size), fill_value)[1:]
    refuse_without_size("nonzero")
    array = as_array(x)
    count, *indices = _nonzero(array, array.size, 0)
    return tuple(cut(indices, count))


def argwhere(x: ArrayLike, /, *, size: Size | None = None, fill_value: Any = 0) -> Array:
    """The indices of the elements that are not zero, a row for each; `size` and `fill_value` as for `nonzero`.

    Raises `DataDependentShapeError` in `jit` without `size`, `ShapeError` for rank 0.

    >>> wnp.argwhere(wnp.asarray([[0, 1], [2, 3]]))
    Array([[0, 1],
           [1, 0],
           [1, 1]], dtype=int32)
    """
    return stack(nonzero(x, size=size, fill_value=fill_value), axis=1)


def flatnonzero(x: ArrayLike, /, *, size: Size | None = None, fill_value: Any = 0) -> Array:
    """The places of the elements that are not zero, in row-major order; `size` and `fill_value` as for `nonzero`.

    Raises `DataDependentShapeError` in `jit` without `size`.

    >>> wnp.flatnonzero(wnp.asarray([[0, 1], [2, 3]]))
    Array([1, 2, 3], dtype=int32)
    """
    return nonzero(reshape(x, (-1,)), size=size, fill_value=fill_value)[0]


def extract(condition: ArrayLike, x: ArrayLike, /, *, size: Size | None = None, fill_value: Any = 0) -> Array:
    """The elements of an array where a condition of its shape holds, in row-major order.

    With `size` these are the first so many, with `fill_value` where there are fewer. Raises `ShapeError`,
    `DataDependentShapeError` in `jit` without `size`.

    >>> wnp.extract(wnp.asarray([True, False, True]), wnp.asarray([1, 2, 3]), size=4, fill_value=-1)
    Array([ 1,  3, -1, -1], dtype=int32)
    """
    if size is not None:
        return _extracted(condition, x, check_size("extract", size), fill_value)[1]
    refuse_without_size("extract")
    array = as_array(x)
    count, elements = _extracted(condition, array, array.size, 0)
    return cut([elements], count)[0]


@api
def _extracted(condition: ArrayLike, x: ArrayLike, size: Any, fill_value: Any) -> tuple[Any, Any]:
    value: Any = lift(x)
    flags: Any = lift(condition)
    if not same_shape(flags.shape, value.shape):
        raise ShapeError(f"extract of {shapes_text([flags, value])}: the shapes must be equal")
    found, count = first_true(reshape(cast(flags, dtypes.bool_), (-1,)), size)
    return count, filled_beyond(chosen(reshape(value, (-1,)), found), count, fill_value)


def _or(x: Any, found: Any) -> Any:
    return scalars.logical_or(x, found)


def _and(x: Any, so_far: Any) -> Any:
    return scalars.logical_and(x, so_far)


@api
def any(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """Whether some element is not zero; false of none. Raises `AxisError`.

    >>> wnp.any(wnp.asarray([[False, True], [False, False]]), axis=1)
    Array([ True, False], dtype=bool)
    """
    value = lift(x)
    axes = check_axes("any", axis, value.ndim)
    return restored(folded(value, axes, _or, _or, False, dtypes.bool_), axes, keepdims)


@api
def all(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """Whether no element is zero; true of none. Raises `AxisError`.

    >>> wnp.all(wnp.asarray([[True, True], [False, True]]), axis=1)
    Array([ True, False], dtype=bool)
    """
    value = lift(x)
    axes = check_axes("all", axis, value.ndim)
    return restored(folded(value, axes, _and, _and, True, dtypes.bool_), axes, keepdims)


def _as_count(x: Any) -> Any:
    return scalars.cast(scalars.cast(x, dtypes.bool_), dtypes.default_int)


@api
def count_nonzero(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """How many elements are not zero. Raises `AxisError`.

    >>> wnp.count_nonzero(wnp.asarray([[0, 2], [3, 4]]), axis=1)
    Array([1, 2], dtype=int32)
    """
    value = lift(x)
    axes = check_axes("count_nonzero", axis, value.ndim)
    ones = basis.map(trace_kernel(_as_count, [carried(value)]), value)
    return restored(summed(ones, axes), axes, keepdims)


def _is_before(x: Any, i: Any, best: Any, at: Any, greater: bool) -> Any:
    """Whether element `x` at `i` is to be preferred: NaN first, then by value, then the smaller index."""
    beyond = x > best if greater else x < best
    tied = x == best
    if x.kind == "float":
        x_is_nan, best_is_nan = x != x, best != best
        beyond = beyond | (x_is_nan & ~best_is_nan)
        tied = tied | (x_is_nan & best_is_nan)
    return beyond | (tied & (i < at))


def _take_better(x: Any, i: Any, best: Any, at: Any, *, greater: bool) -> Any:
    before = _is_before(x, i, best, at, greater)
    return scalars.select(before, x, best), scalars.select(before, i, at)


def _combine_better(best: Any, at: Any, x: Any, i: Any, *, greater: bool) -> Any:
    return _take_better(x, i, best, at, greater=greater)


def _arg_extreme(name: str, x: ArrayLike, axis: int | None, keepdims: bool, greater: bool) -> Any:
    value = lift(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype(name, value.dtype, "complex numbers have no order; take wnp.abs, wnp.real or wnp.imag first")
    if axis is None:
        index = _arg_extreme(name, reshape(value, (-1,)), 0, False, greater)
        return reshape(index, (1,) * value.ndim) if keepdims else index
    number = check_axis(name, axis, value.ndim)
    size = value.shape[number]
    if isinstance(size, int) and size == 0:
        raise ShapeError(f"{name} over no elements: the shape is {value.shape}, the axis is {number}")
    counted = dtypes.int64 if isinstance(size, int) and size > 2**31 - 1 else dtypes.default_int
    # Equal elements, the start among them, go to the smaller index: so (start, greatest index) is an identity.
    start = least(value.dtype) if greater else greatest(value.dtype)
    pair = [(value.dtype, False), (counted, False)]
    static = (("greater", greater),)
    as_dtypes = (value.dtype, counted)
    _, index = basis.reduce(
        trace_kernel(_take_better, pair * 2, static, name=name, as_dtypes=as_dtypes),
        trace_kernel(_combine_better, pair * 2, static, name=name, as_dtypes=as_dtypes),
        [value, basis.iota(number, value.shape, counted)],
        [constant(start, value.dtype), constant(greatest(counted), counted)],
        [number],
    )
    return restored(index, [number], keepdims)


@api
def argmax(x: ArrayLike, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The index of the greatest element, the first of equal ones; NaN counts as greatest.

    Raises `AxisError`, `ShapeError` for no elements.

    >>> wnp.argmax(wnp.asarray([[1, 5, 5], [7, 2, 3]]), axis=1)
    Array([1, 0], dtype=int32)
    """
    return _arg_extreme("argmax", x, axis, keepdims, True)


@api
def argmin(x: ArrayLike, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The index of the least element, the first of equal ones; NaN counts as least.

    Raises `AxisError`, `ShapeError` for no elements.

    >>> wnp.argmin(wnp.asarray([[1, 5, 0], [7, 2, 3]]), axis=1)
    Array([2, 1], dtype=int32)
    """
    return _arg_extreme("argmin", x, axis, keepdims, False)


@api
def select(conditions: Sequence[ArrayLike], choices: Sequence[ArrayLike], /, default: ArrayLike = 0) -> Array:
    """The element of the choice that belongs to the first condition that holds, else `default`; all broadcast.

    Raises `InvalidArgumentError` unless there is a choice for each condition, `ShapeError`, `PromotionError`.

    >>> x = wnp.arange(5)
    >>> wnp.select([x < 2, x > 3], [x, x * 10], -1)
    Array([ 0,  1, -1, -1, 40], dtype=int32)
    """
    if len(conditions) != len(choices) or not len(choices):
        raise InvalidArgumentError(f"select: {len(conditions)} conditions and {len(choices)} choices")
    *values, result = lift_all("select", *choices, default)
    for condition, choice in zip(reversed(conditions), reversed(values), strict=True):
        result = where(condition, choice, result)
    return result
