"""Sorting and searching in what is sorted. NaN counts as the greatest element, as in `argmax`.

Complex numbers are in lexicographic order, real parts first; those with a NaN come after all others, as in NumPy.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wax import dtypes
from wax.array import Array
from wax.dims import Size, format_shape, known_at_most
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    basis,
    carried,
    check_axis,
    constant,
    filled,
    integer,
    kernel_of,
    lift,
    lift_all,
    scalars,
)
from wax.numpy._pieces import piece
from wax.numpy.indexing import take
from wax.scalars import trace_kernel

__all__ = ["TopK", "argsort", "searchsorted", "sort", "sorted_with", "top_k"]


def _compare(a: Any, b: Any, *others: Any, descending: bool) -> Any:
    return scalars.goes_before(b, a) if descending else scalars.goes_before(a, b)


def _sorted(name: str, x: Any, others: list[Any], axis: int, descending: bool) -> tuple[Any, ...]:
    operands = [x, *others]
    specs = [carried(one) for one in operands for _ in range(2)]
    comparator = trace_kernel(_compare, specs, (("descending", descending),), name=name)
    return basis.sort(comparator, operands, axis)


def sorted_with(name: str, x: Any, *others: Any) -> tuple[Any, ...]:
    """A vector in order, and others moved as its elements are."""
    return _sorted(name, x, list(others), 0, False)


@api
def sort(x: ArrayLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The elements in order along an axis; equal ones keep theirs, `stable` or not. Raises `AxisError`.

    >>> wnp.sort(wnp.asarray([3, 1, 2]))
    Array([1, 2, 3], dtype=int32)
    """
    value = lift(x)
    return _sorted("sort", value, [], check_axis("sort", axis, value.ndim), descending)[0]


@api
def argsort(x: ArrayLike, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """The indices that put the elements in order along an axis; equal ones keep theirs, `stable` or not.

    Raises `AxisError`.

    >>> wnp.argsort(wnp.asarray([3, 1, 2]))
    Array([1, 2, 0], dtype=int32)
    """
    value = lift(x)
    number = check_axis("argsort", axis, value.ndim)
    indices = basis.iota(number, value.shape, _counted(value.shape[number]))
    return _sorted("argsort", value, [indices], number, descending)[1]


def _counted(size: Size) -> dtypes.DType:
    return dtypes.int64 if isinstance(size, int) and size > 2**31 - 1 else dtypes.default_int


class TopK(NamedTuple):
    """What `top_k` gives."""

    values: Array
    indices: Array


@api
def top_k(x: ArrayLike, k: int, /, *, axis: int = -1) -> TopK:
    """The `k` greatest elements along an axis and their indices, the greatest first, of equal ones the first.

    NaN counts as greatest. Raises `AxisError`, `ShapeError` for more than there are.

    >>> wnp.top_k(wnp.asarray([3, 1, 4, 1, 5]), 2)
    TopK(values=Array([5, 4], dtype=int32), indices=Array([4, 2], dtype=int32))
    """
    value: Any = lift(x)
    number = check_axis("top_k", axis, value.ndim)
    count = integer("top_k", "k", k)
    if not (count >= 0 and known_at_most(count, value.shape[number])):
        raise ShapeError(
            f"top_k: {count} elements of {value.shape[number]} along axis {number} of shape {format_shape(value.shape)}"
        )
    indices = basis.iota(number, value.shape, _counted(value.shape[number]))
    in_order = _sorted("top_k", value, [indices], number, True)
    return TopK(*(piece(one, number, 0, count) for one in in_order))


@api
def searchsorted(x1: ArrayLike, x2: ArrayLike, /, *, side: str = "left", sorter: ArrayLike | None = None) -> Array:
    """Where elements of `x2` would go in `x1`, which is sorted or is so when taken by `sorter`.

    Before what is equal to them for `side="left"`, after it for `"right"`. Raises `ShapeError` where `x1` is not
    1-dimensional, `InvalidArgumentError` for another side.

    >>> wnp.searchsorted(wnp.asarray([1, 3, 3, 5]), wnp.asarray([3, 0, 6]))
    Array([1, 0, 4], dtype=int32)
    """
    if side not in ("left", "right"):
        raise InvalidArgumentError(f"searchsorted: side must be 'left' or 'right', not {side!r}")
    line, values = lift_all("searchsorted", x1, x2)
    if line.ndim != 1:
        raise ShapeError(f"searchsorted takes x1 of one dim, and this one is of shape {line.shape}")
    if sorter is not None:
        line = take(line, sorter, axis=0)
    (count,) = line.shape
    dims, counted = range(values.ndim), _counted(count)
    place = filled(constant(0, counted), (), values.shape)
    if count == 0:
        return place
    total = basis.dimension_value(count, counted)
    # Each bit of the result, from the highest: whether that many more elements go before.
    bits = count.bit_length() if isinstance(count, int) else dtypes.bits(counted) - 1
    for bit in reversed(range(bits)):
        further = basis.map(kernel_of(_advance, place, by=1 << bit), place)
        found = basis.gather(line, [basis.map(kernel_of(_last, further), further)], [-1], [dims])
        step = kernel_of(_choose, found, values, place, further, total, side=side)
        place = basis.broadcast(step, [found, values, place, further, total], [dims, dims, dims, dims, ()])
    return place


def _advance(place: Any, *, by: int) -> Any:
    return place + by


def _last(place: Any) -> Any:
    return place - 1


def _choose(found: Any, value: Any, place: Any, further: Any, total: Any, *, side: str) -> Any:
    """The place further on, if all elements up to there go before the value."""
    goes = scalars.goes_before(found, value) if side == "left" else ~scalars.goes_before(value, found)
    # A place that has wrapped is negative.
    return scalars.select(goes & (further <= total) & (further > 0), further, place)
