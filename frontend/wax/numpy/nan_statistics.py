"""Statistics of the elements that are not NaN; of integers and booleans, which have none, they are the plain ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.numpy._basis import ArrayLike, Axes, basis, cast, check_axes, kernel_of, lift, placed, scalars
from wax.numpy._reduction import greatest, least, restored, summed
from wax.numpy.arithmetic import divide
from wax.numpy.exponential import sqrt
from wax.numpy.logic import equal
from wax.numpy.searching import all, argmax, argmin, where
from wax.numpy.statistical import cumulative_prod, cumulative_sum, max, mean, min, prod, std, sum, var

__all__ = [
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]


def _instead(x: Any, *, by: Any) -> Any:
    return scalars.select(scalars.isnan(x), by, x)


def _is_nan(x: Any) -> Any:
    return scalars.isnan(x)


def _is_number(x: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(scalars.logical_not(scalars.isnan(x)), dtype)


def _mapped(function: Callable[..., Any], x: Any, **static: Any) -> Any:
    return basis.map(kernel_of(function, x, **static), x)


def _has_nan(x: Any) -> bool:
    return dtypes.kind(x.dtype) in ("float", "complex")


def _without_nan(x: ArrayLike, by: Any) -> Any:
    value = lift(x)
    return _mapped(_instead, value, by=by) if _has_nan(value) else value


@api
def nansum(x: ArrayLike, /, *, axis: Axes = None, dtype: DTypeLike = None, keepdims: bool = False) -> Array:
    """The sum of the elements that are not NaN, 0 of none. Raises `AxisError`.

    >>> wnp.nansum(wnp.asarray([1.0, wnp.nan, 2.0]))
    Array(3., dtype=float32)
    """
    return sum(_without_nan(x, 0), axis=axis, dtype=dtype, keepdims=keepdims)


@api
def nanprod(x: ArrayLike, /, *, axis: Axes = None, dtype: DTypeLike = None, keepdims: bool = False) -> Array:
    """The product of the elements that are not NaN, 1 of none. Raises `AxisError`.

    >>> wnp.nanprod(wnp.asarray([3.0, wnp.nan, 2.0]))
    Array(6., dtype=float32)
    """
    return prod(_without_nan(x, 1), axis=axis, dtype=dtype, keepdims=keepdims)


@api
def nancumsum(x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike = None) -> Array:
    """`cumulative_sum` with NaNs taken as 0. Raises `AxisError`.

    >>> wnp.nancumsum(wnp.asarray([1.0, wnp.nan, 2.0]))
    Array([1., 1., 3.], dtype=float32)
    """
    return cumulative_sum(_without_nan(x, 0), axis=axis, dtype=dtype)


@api
def nancumprod(x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike = None) -> Array:
    """`cumulative_prod` with NaNs taken as 1. Raises `AxisError`.

    >>> wnp.nancumprod(wnp.asarray([3.0, wnp.nan, 2.0]))
    Array([3., 3., 6.], dtype=float32)
    """
    return cumulative_prod(_without_nan(x, 1), axis=axis, dtype=dtype)


def _extreme(plain: Callable[..., Any], x: ArrayLike, axis: Axes, keepdims: bool, start: Callable[[Any], Any]) -> Any:
    value = lift(x)
    if dtypes.kind(value.dtype) != "float":
        return plain(value, axis=axis, keepdims=keepdims)
    found = plain(_mapped(_instead, value, by=start(value.dtype)), axis=axis, keepdims=keepdims)
    none = all(_mapped(_is_nan, value), axis=axis, keepdims=keepdims)
    return where(none, float("nan"), found)


@api
def nanmax(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The greatest of the elements that are not NaN; NaN where all are. Raises `AxisError`, `ShapeError` of none.

    >>> wnp.nanmax(wnp.asarray([1.0, wnp.nan, 2.0]))
    Array(2., dtype=float32)
    """
    return _extreme(max, x, axis, keepdims, least)


@api
def nanmin(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The least of the elements that are not NaN; NaN where all are. Raises `AxisError`, `ShapeError` for no elements.

    >>> wnp.nanmin(wnp.asarray([1.0, wnp.nan, 2.0]))
    Array(1., dtype=float32)
    """
    return _extreme(min, x, axis, keepdims, greatest)


def _arg_extreme(plain: Callable[..., Any], x: ArrayLike, axis: int | None, keepdims: bool, start: Any) -> Any:
    value = lift(x)
    if dtypes.kind(value.dtype) != "float":
        return plain(value, axis=axis, keepdims=keepdims)
    # A number that equals the start may stand behind a NaN, which takes its value: so NaNs are told apart first.
    by_value = _mapped(_instead, value, by=start(value.dtype))
    best: Any = (max if plain is argmax else min)(by_value, axis=axis, keepdims=True)
    place = argmax(equal(value, best), axis=axis, keepdims=keepdims)
    return where(all(_mapped(_is_nan, value), axis=axis, keepdims=keepdims), -1, place)


@api
def nanargmax(x: ArrayLike, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The index of the greatest element that is not NaN, the first of equal ones; -1 where all are NaN.

    Raises `AxisError`, `ShapeError` for no elements.

    >>> wnp.nanargmax(wnp.asarray([1.0, wnp.nan, 2.0]))
    Array(2, dtype=int32)
    """
    return _arg_extreme(argmax, x, axis, keepdims, least)


@api
def nanargmin(x: ArrayLike, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """The index of the least element that is not NaN, the first of equal ones; -1 where all are NaN.

    Raises `AxisError`, `ShapeError` for no elements.

    >>> wnp.nanargmin(wnp.asarray([wnp.nan, 1.0, 2.0]))
    Array(1, dtype=int32)
    """
    return _arg_extreme(argmin, x, axis, keepdims, greatest)


@api
def nanmean(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The mean of the elements that are not NaN; NaN where all are. Raises `AxisError`.

    >>> wnp.nanmean(wnp.asarray([1.0, wnp.nan, 2.0]))
    Array(1.5, dtype=float32)
    """
    value = lift(x)
    if not _has_nan(value):
        return mean(value, axis=axis, keepdims=keepdims)
    axes = check_axes("nanmean", axis, value.ndim)
    return restored(cast(_averaged(value, axes)[0], value.dtype), axes, keepdims)


def _averaged(x: Any, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """The mean, still in float32 for half elements, and of how many it is."""
    wide = dtypes.widened(dtypes.real_part(x.dtype))
    count = summed(_mapped(_is_number, x, dtype=wide), axes)
    return divide(summed(_mapped(_instead, x, by=0), axes), count), count


def _squared_distance(x: Any, center: Any) -> Any:
    away = scalars.subtract(x, center)
    size = scalars.square(scalars.absolute(away))
    return scalars.select(scalars.isnan(x), 0, size)


def _deviation(x: Any, axes: tuple[int, ...], correction: float) -> Any:
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    center, count = _averaged(x, axes)
    squares = placed(_squared_distance, [(x, range(x.ndim)), (center, kept)])
    every = range(len(kept))
    return placed(_over, [(summed(squares, axes), every), (count, every)], correction=float(correction))


def _over(total: Any, count: Any, *, correction: float) -> Any:
    left = count - correction
    return scalars.select(left <= 0, float("nan"), total / left)


@api
def nanvar(x: ArrayLike, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """The variance of the elements that are not NaN; NaN unless there are more than `correction`. Raises `AxisError`.

    >>> wnp.nanvar(wnp.asarray([1.0, wnp.nan, 3.0]))
    Array(1., dtype=float32)
    """
    value = lift(x)
    if not _has_nan(value):
        return var(value, axis=axis, correction=correction, keepdims=keepdims)
    axes = check_axes("nanvar", axis, value.ndim)
    result = _deviation(value, axes, correction)
    return restored(cast(result, dtypes.real_part(value.dtype)), axes, keepdims)


@api
def nanstd(x: ArrayLike, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """The root of `nanvar`. Raises `AxisError`.

    >>> wnp.nanstd(wnp.asarray([1.0, wnp.nan, 3.0]))
    Array(1., dtype=float32)
    """
    value = lift(x)
    if not _has_nan(value):
        return std(value, axis=axis, correction=correction, keepdims=keepdims)
    axes = check_axes("nanstd", axis, value.ndim)
    result: Any = sqrt(_deviation(value, axes, correction))
    return restored(cast(result, dtypes.real_part(value.dtype)), axes, keepdims)
