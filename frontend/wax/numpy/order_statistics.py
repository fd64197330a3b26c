"""Quantiles: what stands at a part of the way through the elements in order.

Elements are sorted along the axes once. Half floats are interpolated in float32 and rounded once.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape, product, same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    Axes,
    basis,
    cast,
    check_axes,
    kernel_of,
    lift,
    placed,
    refuse_dtype,
    scalars,
)
from wax.numpy._pieces import piece
from wax.numpy._reduction import restored, summed
from wax.numpy.manipulation import permute_dims, reshape
from wax.numpy.sorting import sort

__all__ = [
    "Method",
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
]

#: What is taken between two elements.
Method: TypeAlias = Literal["linear", "lower", "higher", "midpoint", "nearest"]
_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


@api
def quantile(
    x: ArrayLike, q: ArrayLike, /, *, axis: Axes = None, method: Method = "linear", keepdims: bool = False
) -> Array:
    """What stands at parts `q` of the way from the least element to the greatest; NaN if there is one.

    The dims of `q` come first. Between two elements `method` decides. Parts are held between 0 and 1. Raises
    `AxisError`, `PromotionError`, `ShapeError` for no elements, `InvalidArgumentError` for another method or a number
    beyond 0 … 1.

    >>> wnp.quantile(wnp.asarray([1.0, 4.0, 2.0]), 0.25)
    Array(1.5, dtype=float32)
    """
    return _quantile("quantile", x, q, axis, method, keepdims, scale=1, skips=False)


@api
def percentile(
    x: ArrayLike, q: ArrayLike, /, *, axis: Axes = None, method: Method = "linear", keepdims: bool = False
) -> Array:
    """`quantile` with parts counted in hundredths.

    Raises `AxisError`, `PromotionError`, `ShapeError`, `InvalidArgumentError`.

    >>> wnp.percentile(wnp.asarray([1.0, 4.0, 2.0]), wnp.asarray([0, 100]))
    Array([1., 4.], dtype=float32)
    """
    return _quantile("percentile", x, q, axis, method, keepdims, scale=100, skips=False)


@api
def median(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The middle one of the elements in order, or the mean of the middle two; NaN if there is one.

    Raises `AxisError`, `PromotionError`, `ShapeError` for no elements.

    >>> wnp.median(wnp.asarray([7, 1, 2, 9]))
    Array(4.5, dtype=float32)
    """
    return _quantile("median", x, 0.5, axis, "midpoint", keepdims, scale=1, skips=False)


@api
def nanquantile(
    x: ArrayLike, q: ArrayLike, /, *, axis: Axes = None, method: Method = "linear", keepdims: bool = False
) -> Array:
    """`quantile` of the elements that are not NaN; NaN where all are.

    Raises `AxisError`, `PromotionError`, `ShapeError`, `InvalidArgumentError`.

    >>> wnp.nanquantile(wnp.asarray([1.0, wnp.nan, 2.0]), 0.25)
    Array(1.25, dtype=float32)
    """
    return _quantile("nanquantile", x, q, axis, method, keepdims, scale=1, skips=True)


@api
def nanpercentile(
    x: ArrayLike, q: ArrayLike, /, *, axis: Axes = None, method: Method = "linear", keepdims: bool = False
) -> Array:
    """`percentile` of the elements that are not NaN; NaN where all are.

    Raises `AxisError`, `PromotionError`, `ShapeError`, `InvalidArgumentError`.

    >>> wnp.nanpercentile(wnp.asarray([1.0, wnp.nan, 2.0]), 25)
    Array(1.25, dtype=float32)
    """
    return _quantile("nanpercentile", x, q, axis, method, keepdims, scale=100, skips=True)


@api
def nanmedian(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """`median` of the elements that are not NaN; NaN where all are.

    Raises `AxisError`, `PromotionError`, `ShapeError`.

    >>> wnp.nanmedian(wnp.asarray([3.0, wnp.nan, 2.0]))
    Array(2.5, dtype=float32)
    """
    return _quantile("nanmedian", x, 0.5, axis, "midpoint", keepdims, scale=1, skips=True)


def _quantile(name: str, x: Any, q: Any, axis: Axes, method: str, keepdims: bool, *, scale: int, skips: bool) -> Any:
    if method not in _METHODS:
        raise InvalidArgumentError(f"{name}: method is one of {', '.join(_METHODS)}, not {method!r}")
    if dtypes.is_python_number(q) and not 0 <= q <= scale:
        raise InvalidArgumentError(f"{name}: q must lie in 0 … {scale}, it is {q}")
    value: Any = lift(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype(name, value.dtype, "complex numbers have no order; take wnp.abs, wnp.real or wnp.imag first")
    axes = check_axes(name, axis, value.ndim)
    part: Any = lift(q, strong=False)
    dtype = dtypes.inexact((value.dtype, False))[0]
    if not part.weak:
        dtype = dtypes.promote(name, [(dtype, False), dtypes.inexact((part.dtype, False))])[0]
    if dtypes.kind(dtype) == "complex":
        refuse_dtype(name, part.dtype, "q must be real")
    in_order: Any = sort(_with_line_last(name, value, axes), axis=-1)
    wide = dtypes.widened(dtype)
    found = _between(in_order, cast(part, wide), wide, method, scale, skips)
    put_back = [part.ndim + axis for axis in axes]
    return restored(cast(found, dtype), put_back, keepdims)


def _with_line_last(name: str, x: Any, axes: tuple[int, ...]) -> Any:
    """The axes as one dim, behind the others."""
    others = [axis for axis in range(x.ndim) if axis not in axes]
    count = product(tuple(x.shape[axis] for axis in axes))
    if same(count, 0):
        raise ShapeError(f"{name} of no elements: the shape is {format_shape(x.shape)}, the axes are {axes}")
    moved: Any = permute_dims(x, (*others, *sorted(axes)))
    return reshape(moved, (*moved.shape[: len(others)], count))


def _is_number(x: Any) -> Any:
    return scalars.cast(scalars.logical_not(scalars.isnan(x)), dtypes.default_int)


def _between(in_order: Any, part: Any, dtype: dtypes.DType, method: str, scale: int, skips: bool) -> Any:
    """What stands at parts of the way along the last dim; the parts' dims come first."""
    others, count = in_order.ndim - 1, in_order.shape[-1]
    line = range(part.ndim, part.ndim + others)
    if skips:
        numbers = (summed(basis.map(kernel_of(_is_number, in_order), in_order), (others,)), line)
    else:
        numbers = (basis.dimension_value(count, dtypes.default_int), ())
    steps = [(part, range(part.ndim)), numbers]
    nearest = method == "nearest"
    low, high = (placed(_place, steps, scale=scale, nearest=nearest, above=above) for above in (False, True))
    dims = [*line, -1]
    index_dims = [range(low.ndim)]
    elements = [basis.gather(in_order, [places], dims, index_dims) for places in (low, high)]
    every = range(part.ndim + others)
    operands = [(one, every) for one in elements] + steps
    if not skips:  # the greatest element is NaN if one is
        last = piece(in_order, others, count - 1, 1)
        operands.append((basis.reshape(last, *_without_last(others), last.shape[:-1]), line))
    return placed(_mixed, operands, dtype=dtype, method=method, scale=scale)


def _without_last(ndim: int) -> tuple[list[list[int]], list[list[int]]]:
    return [[axis] for axis in range(ndim + 1)], [*([axis] for axis in range(ndim)), []]


def _distance(part: Any, count: Any, scale: int) -> Any:
    """How many elements lie before the place, not whole."""
    whole = scalars.maximum(count, 1) - 1
    held = scalars.clip(part / scale, 0.0, 1.0) if scale != 1 else scalars.clip(part, 0.0, 1.0)
    return held * scalars.cast(whole, part.dtype)


def _place(part: Any, count: Any, *, scale: int, above: bool, nearest: bool) -> Any:
    distance = _distance(part, count, scale)
    rounded = scalars.round(distance) if nearest else scalars.ceil(distance) if above else scalars.floor(distance)
    return scalars.clip(scalars.cast(rounded, dtypes.default_int), 0, scalars.maximum(count, 1) - 1)


def _mixed(low: Any, high: Any, part: Any, count: Any, *last: Any, dtype: dtypes.DType, method: str, scale: int) -> Any:
    low, high = scalars.cast(low, dtype), scalars.cast(high, dtype)
    distance = _distance(part, count, scale)
    if method == "linear":
        ratio, step = distance - scalars.floor(distance), high - low
        line = scalars.select(ratio < 0.5, low + step * ratio, high - step * (1 - ratio))
        result = scalars.select(low == high, low, line)  # of equal infinities there is no difference
    elif method == "midpoint":
        result = scalars.select(low == high, low, low * 0.5 + high * 0.5)
    else:
        result = high if method == "higher" else low
    spoilt = scalars.isnan(part) | (count == 0)
    for one in last:
        spoilt = spoilt | scalars.isnan(one)
    return scalars.select(spoilt, float("nan"), result)
