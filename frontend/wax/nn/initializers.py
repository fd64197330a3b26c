"""Initial values of parameters: functions that make a function of a key, a shape and a dtype, as `jax.nn` has them.

    make = wax.nn.initializers.he_normal()
    weight = make(wax.random.key(0), (256, 128))

How far values spread goes by a parameter's fans: how many inputs an output has, and the other way round. Of the shape,
`in_axis` and `out_axis` count features, `batch_axis` parameters that are side by side, and all other axes places of a
kernel, which multiply both fans. The defaults are for (…, in, out), as weights with `transposed=True` and
`channels_last=True` have it; for weights as PyTorch stores them, (out, in), say `in_axis=1, out_axis=0`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from wax import dtypes, random
from wax.array import Array
from wax.dtypes import DTypeLike
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import ArrayLike, Axes, check_axes, check_shape
from wax.numpy.creation import full
from wax.numpy.manipulation import moveaxis, reshape

__all__ = [
    "Initializer",
    "constant",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "lecun_normal",
    "lecun_uniform",
    "normal",
    "ones",
    "orthogonal",
    "truncated_normal",
    "uniform",
    "variance_scaling",
    "zeros",
]

#: What makes a parameter of a key, a shape, and a dtype, float32 unless given.
Initializer: TypeAlias = "Callable[..., Array]"


def zeros(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = dtypes.float32) -> Array:
    """Zeros; the key is not used.

    >>> wax.nn.initializers.zeros(wax.random.key(0), (2,))
    Array([0., 0.], dtype=float32)
    """
    return full(tuple(shape), 0, dtype=dtype)


def ones(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = dtypes.float32) -> Array:
    """Ones; the key is not used.

    >>> wax.nn.initializers.ones(wax.random.key(0), (2,))
    Array([1., 1.], dtype=float32)
    """
    return full(tuple(shape), 1, dtype=dtype)


def constant(value: float, dtype: DTypeLike = dtypes.float32) -> Initializer:
    """An initializer that gives one number.

    >>> wax.nn.initializers.constant(0.5)(wax.random.key(0), (2,))
    Array([0.5, 0.5], dtype=float32)
    """

    def make(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = dtype) -> Array:
        return full(tuple(shape), value, dtype=dtype)

    return make


def normal(stddev: float = 0.01, dtype: DTypeLike = dtypes.float32) -> Initializer:
    """An initializer of normal numbers of mean 0.

    >>> wax.nn.initializers.normal(0.02)(wax.random.key(0), (2, 3)).shape
    (2, 3)
    """

    def make(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = dtype) -> Array:
        return random.normal(key, tuple(shape), dtype) * stddev

    return make


def uniform(scale: float = 0.01, dtype: DTypeLike = dtypes.float32) -> Initializer:
    """An initializer of numbers spread evenly from 0 to `scale`.

    >>> bool(wnp.all(wax.nn.initializers.uniform()(wax.random.key(0), (9,)) < 0.01))
    True
    """

    def make(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = dtype) -> Array:
        return random.uniform(key, tuple(shape), dtype) * scale

    return make


def truncated_normal(
    stddev: float = 0.01, dtype: DTypeLike = dtypes.float32, lower: float = -2.0, upper: float = 2.0
) -> Initializer:
    """An initializer of `stddev` times standard normal numbers of which those from `lower` to `upper` are kept.

    The numbers vary less than `stddev` says; `variance_scaling` makes up for that.

    >>> wax.nn.initializers.truncated_normal()(wax.random.key(0), (2, 3)).shape
    (2, 3)
    """

    def make(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = dtype) -> Array:
        return random.truncated_normal(key, lower, upper, tuple(shape), dtype) * stddev

    return make


#: The standard deviation of standard normal numbers between -2 and 2.
_TRUNCATED_DEVIATION = 0.87962566103423978

_MODES = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS = ("truncated_normal", "normal", "uniform")


def _fans(shape: Sequence[int], in_axis: Axes, out_axis: Axes, batch_axis: Axes) -> tuple[float, float]:
    """How many inputs an output has, and how many outputs an input."""
    if len(shape) < 2:
        raise ShapeError(
            f"an initializer by fans takes a shape of at least two dims, one of the inputs and one of the outputs, "
            f"not {tuple(shape)}; see zeros, ones and normal"
        )

    def count(axes: Axes) -> int:
        return math.prod(shape[axis] for axis in check_axes("variance_scaling", axes, len(shape)))

    ins, outs = count(in_axis), count(out_axis)
    features = ins * outs * count(batch_axis)
    field = math.prod(shape) / features if features else 0
    return ins * field, outs * field


def variance_scaling(
    scale: float,
    mode: str,
    distribution: str,
    in_axis: Axes = -2,
    out_axis: Axes = -1,
    batch_axis: Axes = (),
    dtype: DTypeLike = dtypes.float32,
) -> Initializer:
    """An initializer of numbers of mean 0 and variance `scale / n`, n being a fan: "fan_in", "fan_out" or "fan_avg".

    The distribution is "normal", "uniform", or "truncated_normal", which keeps to two standard deviations. For dtypes
    of fewer bits numbers are drawn in their own dtype. Raises `InvalidArgumentError`, and `ShapeError` when it is
    called with fewer than two dims.

    >>> make = wax.nn.initializers.variance_scaling(2.0, "fan_in", "uniform")
    >>> bool(wnp.all(wnp.abs(make(wax.random.key(0), (6, 4))) <= 1))
    True
    """
    for what, given, taken in (("mode", mode, _MODES), ("distribution", distribution, _DISTRIBUTIONS)):
        if given not in taken:
            raise InvalidArgumentError(f"variance_scaling: {what} is {given!r}; it is one of {', '.join(taken)}")
    if scale < 0:
        raise InvalidArgumentError(f"variance_scaling: scale must not be negative, it is {scale}")

    def make(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = dtype) -> Array:
        sizes: Any = check_shape("variance_scaling", tuple(shape))
        fan_in, fan_out = _fans(sizes, in_axis, out_axis, batch_axis)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[mode]
        deviation = math.sqrt(scale / max(fan, 1.0))
        match distribution:
            case "normal":
                return random.normal(key, sizes, dtype) * deviation
            case "uniform":
                limit = math.sqrt(3.0) * deviation
                return random.uniform(key, sizes, dtype, -limit, limit)
            case _:
                return random.truncated_normal(key, -2.0, 2.0, sizes, dtype) * (deviation / _TRUNCATED_DEVIATION)

    return make


def _scaled(
    name: str, scale: float, mode: str, distribution: str, formula: str, source: str
) -> Callable[..., Initializer]:
    def factory(
        in_axis: Axes = -2, out_axis: Axes = -1, batch_axis: Axes = (), dtype: DTypeLike = dtypes.float32
    ) -> Initializer:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    factory.__name__ = factory.__qualname__ = name
    kind = {"uniform": "numbers spread evenly", "truncated_normal": "truncated normal numbers"}[distribution]
    factory.__doc__ = f"""An initializer of {kind} of variance `{formula}` ({source}).

    It is `variance_scaling({scale}, "{mode}", "{distribution}")`.

    >>> wax.nn.initializers.{name}()(wax.random.key(0), (3, 4)).shape
    (3, 4)
    """
    return factory


def orthogonal(scale: float = 1.0, column_axis: int = -1, dtype: DTypeLike = dtypes.float32) -> Initializer:
    """An initializer of orthonormal vectors times `scale` (A. Saxe and others, 2013).

    Along `column_axis` columns are counted; all other axes together are the rows. Whichever are fewer are orthonormal.

    >>> w = wax.nn.initializers.orthogonal()(wax.random.key(0), (4, 2))
    >>> bool(wnp.all(wnp.abs(w.T @ w - wnp.eye(2)) < 1e-6))
    True
    """

    def make(key: ArrayLike, shape: Sequence[int], dtype: DTypeLike = dtype) -> Array:
        sizes = check_shape("orthogonal", tuple(shape))
        if len(sizes) < 2:
            raise ShapeError(f"orthogonal makes arrays of two axes at least, not of shape {tuple(shape)}")
        (column,) = check_axes("orthogonal", column_axis, len(sizes))
        others = tuple(size for axis, size in enumerate(sizes) if axis != column)
        matrix = random.orthogonal(key, math.prod(others), dtype=dtype, m=sizes[column])  # type: ignore[arg-type]
        return moveaxis(reshape(matrix * scale, (*others, sizes[column])), -1, column)

    return make


_GLOROT = "2 / (fan_in + fan_out)", "X. Glorot and Y. Bengio, 2010"
_HE = "2 / fan_in", "K. He and others, 2015"
_LECUN = "1 / fan_in", "Y. LeCun and others, 1998"

glorot_uniform = _scaled("glorot_uniform", 1.0, "fan_avg", "uniform", *_GLOROT)
glorot_normal = _scaled("glorot_normal", 1.0, "fan_avg", "truncated_normal", *_GLOROT)
he_uniform = _scaled("he_uniform", 2.0, "fan_in", "uniform", *_HE)
he_normal = _scaled("he_normal", 2.0, "fan_in", "truncated_normal", *_HE)
lecun_uniform = _scaled("lecun_uniform", 1.0, "fan_in", "uniform", *_LECUN)
lecun_normal = _scaled("lecun_normal", 1.0, "fan_in", "truncated_normal", *_LECUN)
