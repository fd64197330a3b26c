"""Statistical functions: reductions of numbers, over one axis, several, or all.

Integers narrower than 32 bits are summed and multiplied in 32. Means, variances and deviations of integers are
float32. Half floats are accumulated in float32 and rounded once.
"""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size, same, same_shape
from wax.eager import api
from wax.errors import AxisError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    Axes,
    basis,
    cast,
    check_axes,
    check_axis,
    constant,
    lift,
    lift_all,
    placed,
    refuse_dtype,
    scalars,
    shapes_text,
)
from wax.numpy._reduction import (
    accumulated,
    count_along,
    folded,
    maxima_along,
    maximized,
    minima_along,
    minimized,
    restored,
    summed,
    sums_along,
)
from wax.numpy.arithmetic import divide, subtract
from wax.numpy.exponential import sqrt
from wax.numpy.manipulation import reshape

__all__ = [
    "average",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]


def _accumulated(dtype: dtypes.DType) -> dtypes.DType:
    """The dtype of a sum of elements of `dtype`."""
    match dtypes.kind(dtype):
        case "bool":
            return dtypes.default_int
        case "int" | "uint" as kind if dtypes.bits(dtype) < 32:
            return dtypes.int32 if kind == "int" else dtypes.uint32
        case _:
            return dtype


def _multiply(x: Any, product: Any) -> Any:
    return scalars.multiply(scalars.cast(x, product.dtype), product)


@api
def sum(x: ArrayLike, /, *, axis: Axes = None, dtype: dtypes.DTypeLike = None, keepdims: bool = False) -> Array:
    """The sum of elements, 0 of none. Raises `AxisError`.

    >>> wnp.sum(wnp.asarray([[1, 2], [3, 4]]), axis=0)
    Array([4, 6], dtype=int32)
    """
    value = lift(x)
    axes = check_axes("sum", axis, value.ndim)
    target = _accumulated(value.dtype) if dtype is None else dtypes.canonical(dtype)
    return restored(cast(summed(value, axes, target), target), axes, keepdims)


@api
def prod(x: ArrayLike, /, *, axis: Axes = None, dtype: dtypes.DTypeLike = None, keepdims: bool = False) -> Array:
    """The product of elements, 1 of none. Raises `AxisError`.

    >>> wnp.prod(wnp.asarray([[1, 2], [3, 4]]), axis=1)
    Array([ 2, 12], dtype=int32)
    """
    value = lift(x)
    axes = check_axes("prod", axis, value.ndim)
    target = _accumulated(value.dtype) if dtype is None else dtypes.canonical(dtype)
    return restored(cast(folded(value, axes, _multiply, _multiply, 1, dtypes.widened(target)), target), axes, keepdims)


def _line(name: str, x: ArrayLike, axis: int | None) -> tuple[Any, int]:
    """What a function along one axis works on; the axis may be left out where there is one only."""
    value = lift(x)
    if axis is None:
        if value.ndim != 1:
            raise AxisError(f"{name} of an array of {value.ndim} dims needs axis=")
        axis = 0
    return value, check_axis(name, axis, value.ndim)


def _cumulative(name: str, x: ArrayLike, axis: int | None, dtype: Any, initial: bool) -> Any:
    value, number = _line(name, x, axis)
    target = _accumulated(value.dtype) if dtype is None else dtypes.canonical(dtype)
    wide = dtypes.widened(target)
    if initial:  # one element more, which an exclusive scan leaves out
        none = [0] * value.ndim
        value = basis.pad(value, constant(0, value.dtype), none, [int(d == number) for d in range(value.ndim)], none)
    if name == "cumulative_sum":
        result = sums_along(value, number, wide, exclusive=initial)
    else:
        result = accumulated(value, number, _multiply, _multiply, 1, wide, exclusive=initial)
    return cast(result, target)


@api
def cumulative_sum(
    x: ArrayLike, /, *, axis: int | None = None, dtype: dtypes.DTypeLike = None, include_initial: bool = False
) -> Array:
    """The sum up to each element along an axis; with `include_initial`, those before each and of all.

    Raises `AxisError`.

    >>> wnp.cumulative_sum(wnp.asarray([1, 2, 3]), include_initial=True)
    Array([0, 1, 3, 6], dtype=int32)
    """
    return _cumulative("cumulative_sum", x, axis, dtype, include_initial)


@api
def cumulative_prod(
    x: ArrayLike, /, *, axis: int | None = None, dtype: dtypes.DTypeLike = None, include_initial: bool = False
) -> Array:
    """The product up to each element along an axis; with `include_initial`, those before each and of all.

    Raises `AxisError`.

    >>> wnp.cumulative_prod(wnp.asarray([1, 2, 3, 4]))
    Array([ 1,  2,  6, 24], dtype=int32)
    """
    return _cumulative("cumulative_prod", x, axis, dtype, include_initial)


def _flattened(x: ArrayLike, axis: int | None) -> Any:
    value = lift(x)
    return reshape(value, (-1,)) if axis is None and value.ndim != 1 else value


@api
def cumsum(x: ArrayLike, /, *, axis: int | None = None, dtype: dtypes.DTypeLike = None) -> Array:
    """`cumulative_sum` by NumPy's name, of all elements in row-major order for no axis. Raises `AxisError`.

    >>> wnp.cumsum(wnp.asarray([[1, 2], [3, 4]]))
    Array([ 1,  3,  6, 10], dtype=int32)
    """
    return _cumulative("cumulative_sum", _flattened(x, axis), axis, dtype, False)


@api
def cumprod(x: ArrayLike, /, *, axis: int | None = None, dtype: dtypes.DTypeLike = None) -> Array:
    """`cumulative_prod` by NumPy's name, of all elements in row-major order for no axis. Raises `AxisError`.

    >>> wnp.cumprod(wnp.asarray([[1, 2], [3, 4]]), axis=0)
    Array([[1, 2],
           [3, 8]], dtype=int32)
    """
    return _cumulative("cumulative_prod", _flattened(x, axis), axis, dtype, False)


@api
def cummax(x: ArrayLike, /, *, axis: int | None = None) -> Array:
    """The greatest element up to each along an axis; NaN from the first one on. Raises `AxisError`.

    >>> wnp.cummax(wnp.asarray([1, 3, 2]))
    Array([1, 3, 3], dtype=int32)
    """
    value, number = _line("cummax", _ordered("cummax", x), axis)
    return maxima_along(value, number)


@api
def cummin(x: ArrayLike, /, *, axis: int | None = None) -> Array:
    """The least element up to each along an axis; NaN from the first one on. Raises `AxisError`.

    >>> wnp.cummin(wnp.asarray([3, 1, 2]))
    Array([3, 1, 1], dtype=int32)
    """
    value, number = _line("cummin", _ordered("cummin", x), axis)
    return minima_along(value, number)


def _check_not_empty(name: str, x: Any, axes: tuple[int, ...]) -> None:
    if any(_is_zero(x.shape[axis]) for axis in axes):
        raise ShapeError(f"{name} over no elements: the shape is {x.shape}, the axes are {axes}; it has no identity")


def _is_zero(size: Size) -> bool:
    return isinstance(size, int) and size == 0


@api
def max(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The greatest element; NaN if there is one. Raises `AxisError`, `ShapeError` for no elements.

    >>> wnp.max(wnp.asarray([[1, 5], [7, 2]]), axis=1)
    Array([5, 7], dtype=int32)
    """
    value = _ordered("max", x)
    axes = check_axes("max", axis, value.ndim)
    _check_not_empty("max", value, axes)
    return restored(maximized(value, axes), axes, keepdims)


@api
def min(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The least element; NaN if there is one. Raises `AxisError`, `ShapeError` for no elements.

    >>> wnp.min(wnp.asarray([[1, 5], [7, 2]]), axis=1)
    Array([1, 2], dtype=int32)
    """
    value = _ordered("min", x)
    axes = check_axes("min", axis, value.ndim)
    _check_not_empty("min", value, axes)
    return restored(minimized(value, axes), axes, keepdims)


def _ordered(name: str, x: ArrayLike) -> Any:
    value = lift(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype(name, value.dtype, "complex numbers have no order; take wnp.abs, wnp.real or wnp.imag first")
    return value


def _inexact(x: ArrayLike) -> Any:
    value = lift(x)
    return cast(value, dtypes.inexact((value.dtype, False))[0])


def _averaged(x: Any, axes: tuple[int, ...]) -> Any:
    """The mean over `axes`, still in float32 for half elements."""
    return divide(summed(x, axes), count_along(x, axes))


@api
def mean(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The arithmetic mean, NaN of no elements. Raises `AxisError`.

    >>> wnp.mean(wnp.asarray([[1.0, 2.0], [3.0, 6.0]]), axis=1)
    Array([1.5, 4.5], dtype=float32)
    """
    value = _inexact(x)
    axes = check_axes("mean", axis, value.ndim)
    return restored(cast(_averaged(value, axes), value.dtype), axes, keepdims)


def _squared_distance(x: Any, center: Any) -> Any:
    away = scalars.subtract(x, center)
    return scalars.square(scalars.absolute(away)) if away.kind == "complex" else scalars.square(away)


def _deviation(x: Any, axes: tuple[int, ...], correction: float) -> Any:
    """The variance over `axes`, still in float32 for half elements. Two passes: no cancellation."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    squares = placed(_squared_distance, [(x, range(x.ndim)), (_averaged(x, axes), kept)])
    count = count_along(x, axes)
    if isinstance(count, int):
        return divide(summed(squares, axes), count - correction if count > correction else 0)
    return divide(summed(squares, axes), count if correction == 0 else subtract(count, correction))


@api
def var(x: ArrayLike, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """The variance: the mean of squared distances from the mean, over `n - correction`. Raises `AxisError`.

    >>> wnp.var(wnp.asarray([1.0, 2.0, 3.0, 4.0]))
    Array(1.25, dtype=float32)
    """
    value = _inexact(x)
    axes = check_axes("var", axis, value.ndim)
    result = _deviation(value, axes, correction)
    return restored(cast(result, dtypes.real_part(value.dtype)), axes, keepdims)


@api
def std(x: ArrayLike, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """The standard deviation, the square root of the variance. Raises `AxisError`.

    >>> wnp.std(wnp.asarray([1.0, 3.0]))
    Array(1., dtype=float32)
    """
    value = _inexact(x)
    axes = check_axes("std", axis, value.ndim)
    result: Any = sqrt(_deviation(value, axes, correction))
    return restored(cast(result, dtypes.real_part(value.dtype)), axes, keepdims)


@api
def average(x: ArrayLike, /, *, axis: Axes = None, weights: ArrayLike | None = None, keepdims: bool = False) -> Array:
    """The mean, where `weights` of the array's shape, or a vector along the only axis, say how much elements count.

    Raises `AxisError`, `ShapeError`, `PromotionError`.

    >>> wnp.average(wnp.asarray([1.0, 4.0]), weights=wnp.asarray([2.0, 1.0]))
    Array(2., dtype=float32)
    """
    if weights is None:
        return mean(x, axis=axis, keepdims=keepdims)
    value, factors = lift_all("average", _inexact(x), weights)
    axes = check_axes("average", axis, value.ndim)
    if same_shape(factors.shape, value.shape):
        dims = list(range(value.ndim))
    elif factors.ndim == len(axes) == 1 and same(factors.shape[0], value.shape[axes[0]]):
        dims = list(axes)
    else:
        raise ShapeError(f"average of {shapes_text([value, factors])}: the weights fit neither the array nor its axis")
    every = range(value.ndim)
    wide = dtypes.widened(value.dtype)
    weighted, spread = (placed(kernel, [(factors, dims), (value, every)], dtype=wide) for kernel in (_weighted, _first))
    total = divide(summed(weighted, axes), summed(spread, axes))
    return restored(cast(total, value.dtype), axes, keepdims)


def _weighted(weight: Any, x: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(weight, dtype) * scalars.cast(x, dtype)


def _first(weight: Any, x: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(weight, dtype)


@api
def ptp(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """The greatest element less the least. Raises `AxisError`, `ShapeError` for no elements.

    >>> wnp.ptp(wnp.asarray([3, 1, 8]))
    Array(7, dtype=int32)
    """
    return subtract(max(x, axis=axis, keepdims=keepdims), min(x, axis=axis, keepdims=keepdims))
