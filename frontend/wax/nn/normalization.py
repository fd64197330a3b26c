"""Normalization over axes: softmax and its logarithm, layer norm, root mean square norm, unit length.

Each subtracts or scales by a statistic of the same axes, without a reshape: the statistic is joined to the
array on the axes it kept. Half floats are computed in float32 and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape, same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.nn._operands import affine, floating, kept_dims, placed_some, wide
from wax.numpy._basis import ArrayLike, Axes, check_axes, lift, placed, scalars
from wax.numpy._reduction import count_along, maximized, restored, summed
from wax.numpy.arithmetic import divide
from wax.transform.custom import stop_gradient

__all__ = ["layer_norm", "log_softmax", "logsumexp", "normalize", "rms_norm", "softmax", "standardize"]


def _finite(x: Any) -> Any:
    return scalars.select(scalars.isfinite(x), x, 0)


def _shifted_exp(x: Any, shift: Any) -> Any:
    return scalars.exp(scalars.subtract(wide(x), wide(shift)))


def _shifted_exp_safe(x: Any, shift: Any) -> Any:
    return scalars.exp(scalars.subtract(wide(x), _finite(wide(shift))))


def _quotient(part: Any, total: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(part / total, dtype)


@api
def softmax(x: ArrayLike, /, *, axis: Axes = -1) -> Array:
    """`exp(x) / sum(exp(x))` over axes, without overflow. Raises `AxisError`, `PromotionError`.

    >>> wax.nn.softmax(wnp.asarray([0.0, 0.0]))
    Array([0.5, 0.5], dtype=float32)
    """
    value = floating("softmax", x)
    axes = check_axes("softmax", axis, value.ndim)
    every, kept = range(value.ndim), kept_dims(value, axes)
    weights = placed(_shifted_exp, [(value, every), (stop_gradient(maximized(value, axes)), kept)])
    return placed(_quotient, [(weights, every), (summed(weights, axes), kept)], dtype=value.dtype)


def _less_logarithm(x: Any, shift: Any, total: Any) -> Any:
    return scalars.cast(wide(x) - wide(shift) - scalars.log(total), x.dtype)


@api
def log_softmax(x: ArrayLike, /, *, axis: Axes = -1) -> Array:
    """The logarithm of `softmax`, with its digits kept. Raises `AxisError`, `PromotionError`.

    >>> wax.nn.log_softmax(wnp.asarray([0.0, 0.0]))
    Array([-0.6931472, -0.6931472], dtype=float32)
    """
    value = floating("log_softmax", x)
    axes = check_axes("log_softmax", axis, value.ndim)
    every, kept = range(value.ndim), kept_dims(value, axes)
    largest = stop_gradient(maximized(value, axes))
    total = summed(placed(_shifted_exp, [(value, every), (largest, kept)]), axes)
    return placed(_less_logarithm, [(value, every), (largest, kept), (total, kept)])


def _with_logarithm(shift: Any, total: Any) -> Any:
    return scalars.cast(_finite(wide(shift)) + scalars.log(total), shift.dtype)


@api
def logsumexp(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """`log(sum(exp(x)))` over axes, without overflow. Raises `AxisError`, `PromotionError`.

    >>> wax.nn.logsumexp(wnp.asarray([1000.0, 1000.0]))
    Array(1000.6932, dtype=float32)
    """
    value = floating("logsumexp", x)
    axes = check_axes("logsumexp", axis, value.ndim)
    kept = kept_dims(value, axes)
    largest = stop_gradient(maximized(value, axes))
    # Where all elements are -inf, or one is inf, the shift must not be infinite: inf - inf is no number.
    total = summed(placed(_shifted_exp_safe, [(value, range(value.ndim)), (largest, kept)]), axes)
    every = range(len(kept))
    return restored(placed(_with_logarithm, [(largest, every), (total, every)]), axes, keepdims)


# Layer norm and root mean square norm.


def _parameter(name: str, what: str, parameter: ArrayLike, x: Any, axes: Sequence[int]) -> tuple[Any, list[int]]:
    """A scale or offset and the dims of `x` that it has: those of `axes`, in order."""
    value = lift(parameter)
    shape = tuple(x.shape[axis] for axis in axes)
    if value.ndim != len(shape) or not all(map(same, value.shape, shape)):
        raise ShapeError(
            f"{name} of shape {format_shape(x.shape)} over axes {tuple(axes)}: the {what} has shape "
            f"{format_shape(value.shape)} and must have {format_shape(shape)}"
        )
    return value, list(axes)


def _square(x: Any) -> Any:
    return scalars.square(wide(x))


def _squared_distance(x: Any, mean: Any) -> Any:
    return scalars.square(wide(x) - mean)


def _normalize(
    name: str, x: Any, axes: tuple[int, ...], scale: Any, mean: Any, weight: Any, bias: Any, eps: float
) -> Any:
    kept = kept_dims(x, axes)
    operands: list[tuple[Any, Sequence[int]] | None] = [
        (x, range(x.ndim)),
        (scale, kept),
        None if mean is None else (mean, kept),
        None if weight is None else _parameter(name, "weight", weight, x, axes),
        None if bias is None else _parameter(name, "bias", bias, x, axes),
    ]
    return placed_some(affine, operands, eps=float(eps))


@api
def layer_norm(
    x: ArrayLike,
    /,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    *,
    axis: Axes = -1,
    eps: float = 1e-5,
) -> Array:
    """`(x - mean) / sqrt(var + eps) * weight + bias`, mean and variance taken over `axis`.

    `weight` and `bias` have the dims of `axis`. Raises `AxisError`, `ShapeError`, `PromotionError`.

    >>> wax.nn.layer_norm(wnp.asarray([1.0, 3.0]), eps=0.0)
    Array([-1.,  1.], dtype=float32)
    """
    value = floating("layer_norm", x)
    axes = tuple(sorted(check_axes("layer_norm", axis, value.ndim)))
    count, kept = count_along(value, axes), kept_dims(value, axes)
    mean = divide(summed(value, axes), count)
    squares = placed(_squared_distance, [(value, range(value.ndim)), (mean, kept)])
    variance = divide(summed(squares, axes), count)
    return _normalize("layer_norm", value, axes, variance, mean, weight, bias, eps)


@api
def rms_norm(x: ArrayLike, /, weight: ArrayLike | None = None, *, axis: Axes = -1, eps: float = 1e-6) -> Array:
    """`x / sqrt(mean(x**2) + eps) * weight`, the mean taken over `axis`.

    `weight` has the dims of `axis`. Raises `AxisError`, `ShapeError`, `PromotionError`.

    >>> wax.nn.rms_norm(wnp.asarray([3.0, 3.0]), eps=0.0)
    Array([1., 1.], dtype=float32)
    """
    value = floating("rms_norm", x)
    axes = tuple(sorted(check_axes("rms_norm", axis, value.ndim)))
    squares = placed(_square, [(value, range(value.ndim))])
    mean = divide(summed(squares, axes), count_along(value, axes))
    return _normalize("rms_norm", value, axes, mean, None, weight, None, eps)


@api
def standardize(x: ArrayLike, /, *, axis: Axes = -1, eps: float = 1e-5) -> Array:
    """`(x - mean) / sqrt(var + eps)`, mean and variance taken over `axis`. Raises `AxisError`, `PromotionError`.

    >>> wax.nn.standardize(wnp.asarray([1.0, 3.0]), eps=0.0)
    Array([-1.,  1.], dtype=float32)
    """
    return layer_norm(x, axis=axis, eps=eps)


def _magnitude(x: Any) -> Any:
    return abs(wide(x))


def _powered(x: Any, *, p: float) -> Any:
    return scalars.power(abs(wide(x)), p)


def _over_norm(x: Any, total: Any, *, p: float, eps: float) -> Any:
    norm = scalars.sqrt(total) if p == 2 else total if p in (1, math.inf) else scalars.power(total, 1 / p)
    return scalars.cast(wide(x) / scalars.maximum(norm, eps), x.dtype)


@api
def normalize(x: ArrayLike, /, *, p: float = 2.0, axis: Axes = -1, eps: float = 1e-12) -> Array:
    """`x / max(norm, eps)`, with the norm `sum(abs(x)**p)**(1/p)` over `axis`; `p=wnp.inf` is the greatest magnitude.

    Raises `AxisError`, `PromotionError`, `InvalidArgumentError` for `p` that is not positive.

    >>> wax.nn.normalize(wnp.asarray([3.0, 4.0]))
    Array([0.6, 0.8], dtype=float32)
    """
    if not p > 0:
        raise InvalidArgumentError(f"normalize: p must be positive, it is {p}")
    value = floating("normalize", x)
    axes = check_axes("normalize", axis, value.ndim)
    every = range(value.ndim)
    if p == 2:
        total = summed(placed(_square, [(value, every)]), axes)
    elif p in (1, math.inf):
        magnitude = placed(_magnitude, [(value, every)])
        total = summed(magnitude, axes) if p == 1 else maximized(magnitude, axes)
    else:
        total = summed(placed(_powered, [(value, every)], p=float(p)), axes)
    return placed(_over_norm, [(value, every), (total, kept_dims(value, axes))], p=float(p), eps=float(eps))
