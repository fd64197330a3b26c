"""Counting and adding by number: histograms, and sums over segments. What has no place is dropped."""

from __future__ import annotations

import builtins
from typing import Any

from wax import dtypes
from wax.array import Array, as_array
from wax.dims import Size, format_shape, same
from wax.dtypes import DType
from wax.eager import api
from wax.errors import InvalidArgumentError, PromotionError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    basis,
    cast,
    constant,
    filled,
    integer,
    lift,
    lift_all,
    placed,
    refuse_dtype,
    scalars,
    shapes_text,
)
from wax.numpy._compaction import check_size, refuse_without_size
from wax.numpy._pieces import piece
from wax.numpy._reduction import greatest, least, maximized, minimized, summed
from wax.numpy.arithmetic import divide, subtract
from wax.numpy.manipulation import broadcast_to, reshape
from wax.numpy.sorting import searchsorted
from wax.numpy.statistical import max
from wax.numpy.updating import updated

__all__ = [
    "bincount",
    "digitize",
    "histogram",
    "histogram_bin_edges",
    "segment_max",
    "segment_min",
    "segment_prod",
    "segment_sum",
]


def _number_of(name: str, ids: Any, size: Any, at_least: int) -> Size:
    """How many numbers there are: as given, or, outside `jit`, one more than the greatest."""
    if size is not None:
        return check_size(name, size)
    refuse_without_size(name)
    known = as_array(ids)
    return at_least if not known.size else builtins.max(int(max(known)) + 1, at_least)


def _in_range(number: Any, size: Any) -> Any:
    return scalars.select(number < 0, size, number)


def _placed_in(start: Any, ids: Any, values: Any, how: str) -> Any:
    """`values` folded into the rows of `start` that `ids` name; negative ones name none."""
    if dtypes.kind(ids.dtype) == "int":
        ids = cast(ids, dtypes.int32) if dtypes.bits(ids.dtype) < 32 else ids
        beyond = basis.dimension_value(start.shape[0], ids.dtype)
        ids = placed(_in_range, [(ids, range(ids.ndim)), (beyond, ())])
    return updated(start, ids, values, how)


def _check_ids(name: str, ids: Any) -> None:
    if dtypes.kind(ids.dtype) not in ("int", "uint"):
        raise PromotionError(f"{name}: the numbers must be integers, they are {ids.dtype}; use .astype(wnp.int32)")


def bincount(
    x: ArrayLike, /, weights: ArrayLike | None = None, minlength: int = 0, *, length: Size | None = None
) -> Array:
    """How often each number from 0 on occurs in a vector, or the sum of its weights; negative ones are dropped.

    The result goes to the greatest number, and has `minlength` elements at least; with `length` it has so many.
    Raises `DataDependentShapeError` in `jit` without it, `ShapeError`, `PromotionError`.

    >>> wnp.bincount(wnp.asarray([1, 3, 1]))
    Array([0, 2, 0, 1], dtype=int32)
    """
    least_length = integer("bincount", "minlength", minlength)
    if least_length < 0:
        raise InvalidArgumentError(f"bincount: minlength must not be negative, it is {least_length}")
    return _bincount(x, weights, _number_of("bincount", x, length, least_length))


@api
def _bincount(x: ArrayLike, weights: ArrayLike | None, length: Any) -> Array:
    value: Any = lift(x)
    _check_ids("bincount", value)
    given: Any = constant(1, dtypes.default_int) if weights is None else lift(weights)
    if value.ndim != 1 or (weights is not None and (given.ndim != 1 or not same(given.shape[0], value.shape[0]))):
        raise ShapeError(f"bincount of {shapes_text([value, given])}: a vector is counted, with a weight for each")
    dtype = dtypes.widened(given.dtype)
    counts = _placed_in(filled(constant(0, dtype), (), (length,)), value, cast(given, dtype), "add")
    return cast(counts, given.dtype)


# Segments.


def _segments(name: str, x: Any, ids: Any, count: Any, start: Any, how: str) -> Any:
    return _into_segments(x, ids, _number_of(name, ids, count, 0), name, start, how)


@api
def _into_segments(x: ArrayLike, ids: ArrayLike, count: Any, name: str, start: str, how: str) -> Array:
    value, numbers = lift(x), lift(ids)
    _check_ids(name, numbers)
    if dtypes.kind(value.dtype) == "bool":
        refuse_dtype(name, value.dtype, "convert with .astype(wnp.int32)")
    if dtypes.kind(value.dtype) == "complex" and start in ("least", "greatest"):
        refuse_dtype(name, value.dtype, "complex numbers have no order; take wnp.abs, wnp.real or wnp.imag first")
    if numbers.ndim > value.ndim or not all(map(same, numbers.shape, value.shape)):
        raise ShapeError(f"{name} of {shapes_text([value, numbers])}: a number for each row is needed")
    dtype = dtypes.widened(value.dtype) if how in ("add", "multiply") else value.dtype
    first = {"zero": lambda _: 0, "one": lambda _: 1, "least": least, "greatest": greatest}[start](dtype)
    rows = filled(constant(first, dtype), (), (count, *value.shape[numbers.ndim :]))
    return cast(_placed_in(rows, numbers, cast(value, dtype), how), value.dtype)


def segment_sum(x: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: Size | None = None) -> Array:
    """The sum of the rows of each segment, 0 of none; a row whose number names no segment is dropped.

    There are `num_segments`, or as many as the greatest number says. Raises `DataDependentShapeError` in `jit` without
    them, `ShapeError`, `PromotionError`.

    >>> wnp.segment_sum(wnp.asarray([1, 2, 3, 4]), wnp.asarray([0, 0, 2, 2]))
    Array([3, 0, 7], dtype=int32)
    """
    return _segments("segment_sum", x, segment_ids, num_segments, "zero", "add")


def segment_prod(x: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: Size | None = None) -> Array:
    """The product of the rows of each segment, 1 of none; otherwise as `segment_sum`.

    >>> wnp.segment_prod(wnp.asarray([1, 2, 3, 4]), wnp.asarray([0, 0, 2, 2]))
    Array([ 2,  1, 12], dtype=int32)
    """
    return _segments("segment_prod", x, segment_ids, num_segments, "one", "multiply")


def segment_max(x: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: Size | None = None) -> Array:
    """The greatest of each segment, the dtype's least number of none; otherwise as `segment_sum`.

    >>> wnp.segment_max(wnp.asarray([1.0, 2.0, 4.0]), wnp.asarray([0, 0, 2]))
    Array([  2., -inf,   4.], dtype=float32)
    """
    return _segments("segment_max", x, segment_ids, num_segments, "least", "max")


def segment_min(x: ArrayLike, segment_ids: ArrayLike, /, *, num_segments: Size | None = None) -> Array:
    """The least of each segment, the dtype's greatest number of none; otherwise as `segment_sum`.

    >>> wnp.segment_min(wnp.asarray([1.0, 2.0, 4.0]), wnp.asarray([0, 0, 2]))
    Array([ 1., inf,  4.], dtype=float32)
    """
    return _segments("segment_min", x, segment_ids, num_segments, "greatest", "min")


# Histograms.


def _edge(i: Any, low: Any, high: Any, *, bins: int) -> Any:
    empty = low == high
    start, end = scalars.select(empty, low - 0.5, low), scalars.select(empty, high + 0.5, high)
    return scalars.select(i == bins, end, start + scalars.cast(i, low.dtype) * ((end - start) / bins))


@api
def histogram_bin_edges(x: ArrayLike, /, bins: int | ArrayLike = 10, range: tuple[float, float] | None = None) -> Array:
    """The edges of bins: those given, or `bins` equally wide ones over a range, from the least to the greatest element.

    Raises `InvalidArgumentError`, `ShapeError`, `PromotionError`.

    >>> wnp.histogram_bin_edges(wnp.asarray([0.0, 4.0]), bins=4)
    Array([0., 1., 2., 3., 4.], dtype=float32)
    """
    value: Any = lift(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype("histogram", value.dtype, "complex numbers have no order")
    dtype = dtypes.inexact((value.dtype, False))[0]
    if not isinstance(bins, int):
        edges: Any = lift(bins)
        if edges.ndim != 1 or same(edges.shape[0], 0):
            raise ShapeError(
                f"histogram: bins are a number or a vector of edges, not of shape {format_shape(edges.shape)}"
            )
        return edges
    if bins < 1:
        raise InvalidArgumentError(f"histogram: there must be a bin, not {bins}")
    wide = dtypes.widened(dtype)
    low, high = _ends(cast(value, wide), range, wide)
    places = basis.iota(0, (bins + 1,), dtypes.default_int)
    return cast(placed(_edge, [(places, (0,)), (low, ()), (high, ())], bins=bins), dtype)


def _ends(x: Any, given: Any, dtype: DType) -> tuple[Any, Any]:
    if given is not None:
        if not given[0] <= given[1]:
            raise InvalidArgumentError(f"histogram: the range {given} does not go upwards")
        return constant(given[0], dtype), constant(given[1], dtype)
    if any(same(size, 0) for size in x.shape):
        return constant(0, dtype), constant(1, dtype)
    axes = list(builtins.range(x.ndim))
    return minimized(x, axes), maximized(x, axes)


@api
def histogram(
    x: ArrayLike,
    /,
    bins: int | ArrayLike = 10,
    range: tuple[float, float] | None = None,
    weights: ArrayLike | None = None,
    density: bool = False,
) -> tuple[Array, Array]:
    """How many elements, or what weights, fall between edges, and the edges; see `histogram_bin_edges`.

    A bin has its lower edge, the last one both; what is outside is dropped. With `density` the bins' areas add up to
    1. Raises `InvalidArgumentError`, `ShapeError`, `PromotionError`.

    >>> wnp.histogram(wnp.asarray([1.0, 2.0, 1.0]), bins=2)[0]
    Array([2, 1], dtype=int32)
    """
    value: Any = lift(x)
    edges: Any = histogram_bin_edges(value, bins, range)
    bin_count = edges.shape[0] - 1
    line: Any = reshape(value, (-1,))
    given: Any = (
        constant(1, dtypes.default_int) if weights is None else reshape(broadcast_to(lift(weights), value.shape), (-1,))
    )
    line, compared = lift_all("histogram", line, edges)
    after: Any = searchsorted(compared, line, side="right")
    last = piece(compared, 0, bin_count, 1)
    end = basis.reshape(last, [[0]], [[]], [])
    number = basis.dimension_value(bin_count, dtypes.default_int)
    places = placed(_bin, [(line, (0,)), (after, (0,)), (end, ()), (number, ())])
    dtype = dtypes.widened(given.dtype)
    counts = _placed_in(filled(constant(0, dtype), (), (bin_count,)), places, cast(given, dtype), "add")
    if not density:
        return cast(counts, given.dtype), edges
    widths = subtract(piece(edges, 0, 1, bin_count), piece(edges, 0, 0, bin_count))
    return divide(divide(counts, widths), summed(counts, (0,))), edges


def _bin(x: Any, after: Any, end: Any, bins: Any) -> Any:
    return scalars.select(x == end, bins - 1, after - 1)


@api
def digitize(x: ArrayLike, bins: ArrayLike, /, right: bool = False) -> Array:
    """In which bin each element falls, between edges that increase: 0 before the first.

    Bins have their lower edge, with `right` the upper one. Raises `ShapeError`.

    >>> wnp.digitize(wnp.asarray([0.5, 1.0, 9.0]), wnp.asarray([0.0, 1.0, 2.0]))
    Array([1, 2, 3], dtype=int32)
    """
    return searchsorted(bins, x, side="left" if right else "right")
