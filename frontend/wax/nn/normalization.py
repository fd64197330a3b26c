"""Normalization over axes: softmax and its logarithm, layer norm, root mean square norm.

Each subtracts or scales by a statistic of the same axes, without a reshape: the statistic is joined to the
array on the axes it kept. Half floats are computed in float32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape, same
from wax.eager import api
from wax.errors import ShapeError
from wax.numpy._basis import ArrayLike, Axes, cast, check_axes, lift, placed, refuse_dtype, scalars
from wax.numpy._reduction import count_along, maximized, restored, summed
from wax.numpy.arithmetic import divide
from wax.transform.custom import stop_gradient

__all__ = ["layer_norm", "log_softmax", "logsumexp", "rms_norm", "softmax"]


def _floating(name: str, x: ArrayLike) -> Any:
    value = lift(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype(name, value.dtype, "it takes real dtypes")
    return cast(value, dtypes.inexact((value.dtype, False))[0])


def _kept(x: Any, axes: Sequence[int]) -> list[int]:
    return [axis for axis in range(x.ndim) if axis not in axes]


def _finite(x: Any) -> Any:
    return scalars.select(scalars.isfinite(x), x, 0)


def _shifted_exp(x: Any, shift: Any) -> Any:
    return scalars.exp(scalars.subtract(_wide(x), _wide(shift)))


def _shifted_exp_safe(x: Any, shift: Any) -> Any:
    return scalars.exp(scalars.subtract(_wide(x), _finite(_wide(shift))))


def _wide(x: Any) -> Any:
    return scalars.cast(x, dtypes.widened(x.dtype))


def _quotient(part: Any, total: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(part / total, dtype)


@api
def softmax(x: ArrayLike, /, *, axis: Axes = -1) -> Array:
    """`exp(x) / sum(exp(x))` over axes, without overflow. Raises `AxisError`, `PromotionError`.

    >>> wax.nn.softmax(wnp.asarray([0.0, 0.0]))
    Array([0.5, 0.5], dtype=float32)
    """
    value = _floating("softmax", x)
    axes = check_axes("softmax", axis, value.ndim)
    every, kept = range(value.ndim), _kept(value, axes)
    weights = placed(_shifted_exp, [(value, every), (stop_gradient(maximized(value, axes)), kept)])
    return placed(_quotient, [(weights, every), (summed(weights, axes), kept)], dtype=value.dtype)


def _less_logarithm(x: Any, shift: Any, total: Any) -> Any:
    return scalars.cast(_wide(x) - _wide(shift) - scalars.log(total), x.dtype)


@api
def log_softmax(x: ArrayLike, /, *, axis: Axes = -1) -> Array:
    """The logarithm of `softmax`, with its digits kept. Raises `AxisError`, `PromotionError`.

    >>> wax.nn.log_softmax(wnp.asarray([0.0, 0.0]))
    Array([-0.6931472, -0.6931472], dtype=float32)
    """
    value = _floating("log_softmax", x)
    axes = check_axes("log_softmax", axis, value.ndim)
    every, kept = range(value.ndim), _kept(value, axes)
    largest = stop_gradient(maximized(value, axes))
    total = summed(placed(_shifted_exp, [(value, every), (largest, kept)]), axes)
    return placed(_less_logarithm, [(value, every), (largest, kept), (total, kept)])


def _with_logarithm(shift: Any, total: Any) -> Any:
    return scalars.cast(_finite(_wide(shift)) + scalars.log(total), shift.dtype)


@api
def logsumexp(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False) -> Array:
    """`log(sum(exp(x)))` over axes, without overflow. Raises `AxisError`, `PromotionError`.

    >>> wax.nn.logsumexp(wnp.asarray([1000.0, 1000.0]))
    Array(1000.6932, dtype=float32)
    """
    value = _floating("logsumexp", x)
    axes = check_axes("logsumexp", axis, value.ndim)
    kept = _kept(value, axes)
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
    return scalars.square(_wide(x))


def _squared_distance(x: Any, mean: Any) -> Any:
    return scalars.square(_wide(x) - mean)


def _normalized(x: Any, scale: Any, mean: Any, weight: Any, bias: Any, *, eps: float) -> Any:
    value = _wide(x)
    value = value if mean is None else value - mean
    value = value * scalars.rsqrt(scale + eps)
    value = value if weight is None else value * _wide(weight)
    value = value if bias is None else value + _wide(bias)
    return scalars.cast(value, x.dtype)


def _normalize(
    name: str, x: Any, axes: tuple[int, ...], scale: Any, mean: Any, weight: Any, bias: Any, eps: float
) -> Any:
    kept = _kept(x, axes)
    operands: list[tuple[Any, Sequence[int]] | None] = [
        (x, range(x.ndim)),
        (scale, kept),
        None if mean is None else (mean, kept),
        None if weight is None else _parameter(name, "weight", weight, x, axes),
        None if bias is None else _parameter(name, "bias", bias, x, axes),
    ]
    return _placed_some(_normalized, operands, eps=float(eps))


def _placed_some(function: Any, operands: Sequence[tuple[Any, Sequence[int]] | None], **static: Any) -> Any:
    """`placed`, with `None` for operands that are absent."""
    from wax.numpy._basis import basis, kernel_of

    values = [None if operand is None else operand[0] for operand in operands]
    given = [operand for operand in operands if operand is not None]
    kernel = kernel_of(function, *values, **static)
    return basis.broadcast(kernel, [x for x, _ in given], [tuple(dims) for _, dims in given])


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
    value = _floating("layer_norm", x)
    axes = tuple(sorted(check_axes("layer_norm", axis, value.ndim)))
    count, kept = count_along(value, axes), _kept(value, axes)
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
    value = _floating("rms_norm", x)
    axes = tuple(sorted(check_axes("rms_norm", axis, value.ndim)))
    squares = placed(_square, [(value, range(value.ndim))])
    mean = divide(summed(squares, axes), count_along(value, axes))
    return _normalize("rms_norm", value, axes, mean, None, weight, None, eps)
