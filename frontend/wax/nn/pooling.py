"""Pooling: a reduction over the windows that slide along the spatial dims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dims import same
from wax.eager import api
from wax.errors import ShapeError
from wax.nn._spatial import Padding, PerDim, pads, per_dim
from wax.numpy._basis import ArrayLike, basis, cast, constant, filled, lift, placed, refuse_dtype, scalars, shapes_text
from wax.numpy._reduction import count_along, least, maximized, summed
from wax.numpy.indexing import take
from wax.numpy.manipulation import reshape

__all__ = ["adaptive_avg_pool", "adaptive_max_pool", "avg_pool", "max_pool"]


def _spatial(name: str, x: Any, window: PerDim, channels_last: bool) -> tuple[int, ...]:
    """The dims that windows slide along: as many as `window` has, else all but batch and channels."""
    count = len(window) if isinstance(window, tuple | list) else x.ndim - 2
    first = x.ndim - count - int(channels_last)
    if count < 1 or first < 0:
        raise ShapeError(
            f"{name} of {shapes_text([x])} with window {window!r}: there is no spatial dim; the dims are batch, "
            f"channels and the spatial ones, or any others before those that the window names"
        )
    return tuple(range(first, first + count))


def _windows(
    x: Any,
    dims: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: Sequence[tuple[int, int]],
    value: Any,
) -> tuple[Any, range]:
    """The windows of `x` with `value` around it, and the dims of their elements."""
    if any(low or high for low, high in padding):
        low, high = [0] * x.ndim, [0] * x.ndim
        for dim, (before, after) in zip(dims, padding, strict=True):
            low[dim], high[dim] = before, after
        x = basis.pad(x, constant(value, x.dtype), low, high, [0] * x.ndim)
    shown = basis.window(x, dims, sizes, strides, dilations)
    return shown, range(x.ndim, shown.ndim)


@api
def max_pool(
    x: ArrayLike,
    window: PerDim,
    /,
    *,
    strides: PerDim | None = None,
    padding: Padding = "VALID",
    dilations: PerDim = 1,
    channels_last: bool = False,
) -> Array:
    """The greatest element of each window; NaN if there is one. Padding never wins.

    `x` has shape (batch, channels, …), or (batch, …, channels) with `channels_last=True`. `window` is one size for
    all spatial dims, or one each: then any dims may stand before them. Strides are the window's sizes unless given;
    padding is as in `conv`, which also tells of the rest.

    Raises `ShapeError`, `InvalidArgumentError`, `PromotionError`.

    >>> wax.nn.max_pool(wnp.reshape(wnp.arange(16.0), (1, 1, 4, 4)), 2)
    Array([[[[ 5.,  7.],
             [13., 15.]]]], dtype=float32)
    """
    value = lift(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype("max_pool", value.dtype, "it takes real dtypes")
    dims = _spatial("max_pool", value, window, channels_last)
    sizes = per_dim("max_pool", "window", window, len(dims))
    steps = sizes if strides is None else per_dim("max_pool", "strides", strides, len(dims))
    spread = per_dim("max_pool", "dilations", dilations, len(dims))
    spans = [(size - 1) * step + 1 for size, step in zip(sizes, spread, strict=True)]
    around = pads("max_pool", padding, [value.shape[dim] for dim in dims], spans, steps)
    return maximized(*_windows(value, dims, sizes, steps, spread, around, least(value.dtype)))


def _divided(total: Any, count: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(total / count, dtype)


@api
def avg_pool(
    x: ArrayLike,
    window: PerDim,
    /,
    *,
    strides: PerDim | None = None,
    padding: Padding = "VALID",
    count_include_pad: bool = True,
    channels_last: bool = False,
) -> Array:
    """The mean of each window, in which padding counts as zeros, or not at all with `count_include_pad=False`.

    The arguments are those of `max_pool`. Half floats are summed in float32; means of integers are float32. A
    window of nothing but uncounted padding gives NaN.

    Raises `ShapeError`, `InvalidArgumentError`, `PromotionError`.

    >>> wax.nn.avg_pool(wnp.reshape(wnp.arange(16.0), (1, 1, 4, 4)), 2)
    Array([[[[ 2.5,  4.5],
             [10.5, 12.5]]]], dtype=float32)
    """
    value = lift(x)
    value = cast(value, dtypes.inexact((value.dtype, False))[0])
    dims = _spatial("avg_pool", value, window, channels_last)
    sizes = per_dim("avg_pool", "window", window, len(dims))
    steps = sizes if strides is None else per_dim("avg_pool", "strides", strides, len(dims))
    extents = [value.shape[dim] for dim in dims]
    around = pads("avg_pool", padding, extents, sizes, steps)
    ones = (1,) * len(dims)
    total = summed(*_windows(value, dims, sizes, steps, ones, around, 0))
    kept = range(total.ndim)
    if count_include_pad or not any(low or high for low, high in around):
        count = constant(np.prod(sizes), total.dtype)
        return placed(_divided, [(total, kept), (count, ())], dtype=value.dtype)
    present = filled(constant(1, total.dtype), (), extents)
    count = summed(*_windows(present, range(len(dims)), sizes, steps, ones, around, 0))
    return placed(_divided, [(total, kept), (count, dims)], dtype=value.dtype)


# Adaptive pooling: so many windows a dim as there are to be results.


def _evenly(name: str, x: Any, sizes: PerDim, channels_last: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The spatial dims, and how many results each is to have."""
    dims = _spatial(name, x, sizes, channels_last)
    wanted = per_dim(name, "sizes", sizes, len(dims))
    for dim, size in zip(dims, wanted, strict=True):
        extent = x.shape[dim]
        if size > 1 and not isinstance(extent, int):
            raise ShapeError(
                f"{name} of {shapes_text([x])}: dim {dim} is symbolic, and gives 1 result or a static number of its "
                f"elements; the windows for {size} results depend on its size"
            )
        if same(extent, 0):
            raise ShapeError(f"{name} of {shapes_text([x])}: dim {dim} has no elements to make {size} results of")
    return dims, wanted


def _uneven(x: Any, dim: int, size: int) -> tuple[Any, Any]:
    """Windows of a dim, in a dim beside it, and their lengths; shorter ones end with their last element again."""
    number = np.arange(size)
    start, stop = number * x.shape[dim] // size, -(-(number + 1) * x.shape[dim] // size)
    places = np.minimum(start[:, None] + np.arange((stop - start).max()), stop[:, None] - 1)
    return take(x, places.astype(np.int32), axis=dim), stop - start


def _inside(x: Any, inside: Any) -> Any:
    return scalars.select(inside, x, 0)


def _mean(total: Any, count: Any) -> Any:
    return total / count


def _split(x: Any, dims: Sequence[int], wanted: Sequence[int]) -> tuple[Any, list[int]]:
    """Each spatial dim that its results divide, as results and their elements; the dims of the latter."""
    shape: list[Any] = []
    inner: list[int] = []
    for dim, extent in enumerate(x.shape):
        size = wanted[dims.index(dim)] if dim in dims else None
        if size is None or not same(extent % size, 0):
            shape.append(extent)
        else:
            shape += [size, extent // size]
            inner.append(len(shape) - 1)
    return reshape(x, tuple(shape)), inner


@api
def adaptive_avg_pool(x: ArrayLike, sizes: PerDim, /, *, channels_last: bool = False) -> Array:
    """The means of `sizes` windows along each spatial dim, which cover it evenly; one window is all of the dim.

    Window i of n along a dim of m elements goes from `floor(i m / n)` to before `ceil((i + 1) m / n)`, as in PyTorch.
    `x` is as in `max_pool`; `sizes` is one number, or one for each spatial dim. Half floats are summed in float32;
    means of integers are float32. Raises `ShapeError`, `InvalidArgumentError`.

    >>> wax.nn.adaptive_avg_pool(wnp.reshape(wnp.arange(9.0), (1, 1, 9)), 2)
    Array([[[2., 6.]]], dtype=float32)
    """
    name = "adaptive_avg_pool"
    value = lift(x)
    value = cast(value, dtypes.inexact((value.dtype, False))[0])
    dims, wanted = _evenly(name, value, sizes, channels_last)
    parts, inner = _split(value, dims, wanted)
    count, total = count_along(parts, inner), summed(parts, inner)
    for dim, size in zip(dims, wanted, strict=True):
        if not same(value.shape[dim] % size, 0):
            windows, lengths = _uneven(total, dim, size)
            longest = windows.shape[dim + 1]
            inside = basis.constant(np.arange(longest) < lengths[:, None])
            chosen = placed(_inside, [(windows, range(windows.ndim)), (inside, [dim, dim + 1])])
            each = basis.constant(lengths.astype(total.dtype))
            total = placed(_mean, [(summed(chosen, [dim + 1]), range(total.ndim)), (each, [dim])])
    return placed(_divided, [(total, range(total.ndim)), (lift(count), ())], dtype=value.dtype)


@api
def adaptive_max_pool(x: ArrayLike, sizes: PerDim, /, *, channels_last: bool = False) -> Array:
    """The greatest elements of `sizes` windows along each spatial dim, those of `adaptive_avg_pool`.

    Raises `ShapeError`, `InvalidArgumentError`, `PromotionError`.

    >>> wax.nn.adaptive_max_pool(wnp.reshape(wnp.arange(9.0), (1, 1, 9)), 2)
    Array([[[4., 8.]]], dtype=float32)
    """
    name = "adaptive_max_pool"
    value = lift(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype(name, value.dtype, "it takes real dtypes")
    dims, wanted = _evenly(name, value, sizes, channels_last)
    parts, inner = _split(value, dims, wanted)
    result = maximized(parts, inner)
    for dim, size in zip(dims, wanted, strict=True):
        if not same(value.shape[dim] % size, 0):
            # Shorter windows see their last element again, which changes no maximum.
            result = maximized(_uneven(result, dim, size)[0], [dim + 1])
    return result
