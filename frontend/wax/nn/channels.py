"""Normalization of channels: batch norm, group norm, instance norm.

`x` has shape (batch, channels, …), or (batch, …, channels) with `channels_last=True`; weights, biases and running
statistics have shape (channels,). Statistics of half floats are float32, and what is normalized is rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape, same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.nn._operands import affine, floating, kept_dims, placed_some, wide
from wax.numpy._basis import ArrayLike, integer, lift, placed, scalars, shapes_text
from wax.numpy._reduction import count_along, summed
from wax.numpy.arithmetic import divide
from wax.numpy.manipulation import reshape

__all__ = ["BatchNorm", "batch_norm", "batch_norm_training", "group_norm", "instance_norm"]


def _channel_dim(name: str, x: Any, channels_last: bool, least: int = 2) -> int:
    if x.ndim < least:
        form = "(batch, …, channels)" if channels_last else "(batch, channels, …)"
        raise ShapeError(f"{name} of {shapes_text([x])}: the shape must be {form}, of at least {least} dims")
    return x.ndim - 1 if channels_last else 1


def _per_channel(name: str, what: str, given: ArrayLike | None, x: Any, channel: int) -> Any:
    """What there is one of for each channel, or `None`."""
    if given is None:
        return None
    value = floating(name, given)
    if value.ndim != 1 or not same(value.shape[0], x.shape[channel]):
        raise ShapeError(
            f"{name} of {shapes_text([x])}: the {what} has shape {format_shape(value.shape)} and must have shape "
            f"({x.shape[channel]},), one for each channel of dim {channel}; pass channels_last= for the other layout"
        )
    return value


def _squared_distance(x: Any, mean: Any) -> Any:
    return scalars.square(wide(x) - mean)


def _moments(x: Any, axes: Sequence[int]) -> tuple[Any, Any]:
    """Mean and variance over `axes`, in float32 for half floats: two passes, which lose no digits."""
    count = count_along(x, axes)
    mean = divide(summed(x, axes), count)
    squares = placed(_squared_distance, [(x, range(x.ndim)), (mean, kept_dims(x, axes))])
    return mean, divide(summed(squares, axes), count)


@api
def batch_norm(
    x: ArrayLike,
    mean: ArrayLike,
    variance: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    /,
    *,
    eps: float = 1e-5,
    channels_last: bool = False,
) -> Array:
    """`(x - mean) / sqrt(variance + eps) * weight + bias`, with one of each for a channel: batch norm of a trained net.

    (S. Ioffe and C. Szegedy, "Batch Normalization", 2015.) Raises `ShapeError`, `PromotionError`.

    >>> wax.nn.batch_norm(wnp.asarray([[1.0, 5.0]]), wnp.asarray([1.0, 1.0]), wnp.asarray([1.0, 4.0]), eps=0.0)
    Array([[0., 2.]], dtype=float32)
    """
    value = floating("batch_norm", x)
    channel = _channel_dim("batch_norm", value, channels_last)
    named = (("variance", variance), ("mean", mean), ("weight", weight), ("bias", bias))
    given = [_per_channel("batch_norm", what, one, value, channel) for what, one in named]
    operands = [(value, range(value.ndim)), *(None if one is None else (one, [channel]) for one in given)]
    return placed_some(affine, operands, eps=float(eps))


class BatchNorm(NamedTuple):
    """What `batch_norm_training` gives: the result, and the running statistics for the next step."""

    result: Array
    mean: Array
    variance: Array


def _moved(running: Any, found: Any, *, momentum: float, correction: float) -> Any:
    dtype = running.dtype
    there, here = wide(running), scalars.cast(found, dtypes.widened(dtype))
    return scalars.cast(there * (1.0 - momentum) + here * (momentum * correction), dtype)


def _moved_by_count(running: Any, found: Any, count: Any, *, momentum: float) -> Any:
    dtype = running.dtype
    there, here = wide(running), scalars.cast(found, dtypes.widened(dtype))
    samples = scalars.cast(count, here.dtype)
    return scalars.cast(there * (1.0 - momentum) + here * momentum * (samples / (samples - 1.0)), dtype)


@api
def batch_norm_training(
    x: ArrayLike,
    mean: ArrayLike,
    variance: ArrayLike,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    /,
    *,
    momentum: float = 0.1,
    eps: float = 1e-5,
    channels_last: bool = False,
) -> BatchNorm:
    """`batch_norm` by the statistics of `x` itself, and the running `mean` and `variance` moved towards these.

    The statistics are taken over all dims but the channels'. Running ones become `(1 - momentum) * running + momentum
    * found`, with the variance of n values found over n - 1, as in PyTorch. They keep their dtype.

    Raises `ShapeError`, also for less than two values a channel; `PromotionError`.

    >>> zeros, ones = wnp.zeros(1), wnp.ones(1)
    >>> y, mean, variance = wax.nn.batch_norm_training(wnp.asarray([[1.0], [3.0]]), zeros, ones, eps=0.0)
    >>> y, mean
    (Array([[-1.],
           [ 1.]], dtype=float32), Array([0.2], dtype=float32))
    """
    name = "batch_norm_training"
    value = floating(name, x)
    channel = _channel_dim(name, value, channels_last)
    named = (("mean", mean), ("variance", variance), ("weight", weight), ("bias", bias))
    running_mean, running_variance, *parameters = (_per_channel(name, what, one, value, channel) for what, one in named)
    axes = [dim for dim in range(value.ndim) if dim != channel]
    count = count_along(value, axes)
    if isinstance(count, int) and count < 2:
        raise ShapeError(
            f"{name} of {shapes_text([value])}: a channel has {count} values, of which there is no variance; "
            f"it takes two or more"
        )
    found_mean, found_variance = _moments(value, axes)
    operands = [
        (value, range(value.ndim)),
        *(None if one is None else (one, [channel]) for one in (found_variance, found_mean, *parameters)),
    ]
    result = placed_some(affine, operands, eps=float(eps))
    every = [0]
    moved_mean = placed(_moved, [(running_mean, every), (found_mean, every)], momentum=float(momentum), correction=1.0)
    if isinstance(count, int):
        moved_variance = placed(
            _moved,
            [(running_variance, every), (found_variance, every)],
            momentum=float(momentum),
            correction=count / (count - 1),
        )
    else:
        moved_variance = placed(
            _moved_by_count,
            [(running_variance, every), (found_variance, every), (lift(count), ())],
            momentum=float(momentum),
        )
    return BatchNorm(result, moved_mean, moved_variance)


@api
def group_norm(
    x: ArrayLike,
    groups: int,
    /,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    *,
    eps: float = 1e-5,
    channels_last: bool = False,
) -> Array:
    """`(x - mean) / sqrt(var + eps) * weight + bias`, mean and variance taken over each group of channels of a sample.

    (Y. Wu and K. He, "Group Normalization", 2018.) Raises `ShapeError`, `InvalidArgumentError`, `PromotionError`.

    >>> wax.nn.group_norm(wnp.asarray([[1.0, 3.0, 5.0, 9.0]]), 2, eps=0.0)
    Array([[-1.,  1., -1.,  1.]], dtype=float32)
    """
    return _group_norm("group_norm", x, integer("group_norm", "groups", groups), weight, bias, eps, channels_last)


@api
def instance_norm(
    x: ArrayLike,
    /,
    weight: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    *,
    eps: float = 1e-5,
    channels_last: bool = False,
) -> Array:
    """`(x - mean) / sqrt(var + eps) * weight + bias`, mean and variance taken over the spatial dims of each channel.

    (D. Ulyanov and others, "Instance Normalization", 2016.) Raises `ShapeError`, `PromotionError`.

    >>> wax.nn.instance_norm(wnp.asarray([[[1.0, 3.0], [5.0, 9.0]]]), eps=0.0)
    Array([[[-1.,  1.],
            [-1.,  1.]]], dtype=float32)
    """
    return _group_norm("instance_norm", x, None, weight, bias, eps, channels_last)


def _group_norm(
    name: str, x: ArrayLike, groups: int | None, weight: Any, bias: Any, eps: float, channels_last: bool
) -> Any:
    """Groups of channels, or each channel for `None`, normalized over the spatial dims of a sample."""
    value = floating(name, x)
    channel = _channel_dim(name, value, channels_last, least=3 if groups is None else 2)
    parameters = [_per_channel(name, what, one, value, channel) for what, one in (("weight", weight), ("bias", bias))]
    shape, count = value.shape, value.shape[channel]
    if groups is not None:
        if groups < 1:
            raise InvalidArgumentError(f"{name}: groups must be at least 1, it is {groups}")
        if not same(count % groups, 0):
            raise ShapeError(
                f"{name} of {shapes_text([value])}: its {count} channels, of dim {channel}, are not divided by "
                f"{groups} groups"
            )
        members = count // groups
        value = reshape(value, (*shape[:channel], groups, members, *shape[channel + 1 :]))
        parameters = [None if one is None else reshape(one, (groups, members)) for one in parameters]
    own = [channel] if groups is None else [channel, channel + 1]
    axes = [dim for dim in range(1, value.ndim) if dim != channel]
    mean, variance = _moments(value, axes)
    kept = [0, channel]
    operands = [
        (value, range(value.ndim)),
        (variance, kept),
        (mean, kept),
        *(None if one is None else (one, own) for one in parameters),
    ]
    result = placed_some(affine, operands, eps=float(eps))
    return result if groups is None else reshape(result, shape)
