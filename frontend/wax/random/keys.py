"""Keys: made of a seed, split into independent ones, and the bits that they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.errors import InvalidArgumentError, PromotionError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    Shape,
    basis,
    cast,
    check_shape,
    integer,
    kernel_of,
    lift,
    refuse_dtype,
    scalars,
)
from wax.numpy.manipulation import stack
from wax.random._stream import checked_key, drawn, elements, words

__all__ = ["bits", "fold_in", "key", "split"]


@api
def key(seed: ArrayLike, /) -> Array:
    """The key of a seed, an integer: its higher and its lower 32 bits, a `uint32` array of shape (2,).

    Negative integers count as their two's complement in 64 bits. Raises `InvalidArgumentError` for a Python integer
    of more bits, `PromotionError` and `ShapeError` for what is no integer.

    >>> wax.random.key(7)
    Array([0, 7], dtype=uint32)
    """
    if isinstance(seed, int):
        number = integer("wax.random.key", "seed", seed)
        if not -(1 << 63) <= number < 1 << 64:
            raise InvalidArgumentError(f"wax.random.key: the seed {number} does not fit into 64 bits")
        return lift(np.asarray([number >> 32 & 0xFFFFFFFF, number & 0xFFFFFFFF], np.uint32))
    value = lift(seed)
    if dtypes.kind(value.dtype) not in ("int", "uint"):
        raise PromotionError(f"wax.random.key takes an integer, and this is of {value.dtype}")
    if value.ndim:
        raise ShapeError(f"wax.random.key takes one seed, of shape (), and this has shape {value.shape}")
    return stack([basis.map(kernel_of(half, value), value) for half in (_high, _low)])


def _high(seed: Any) -> Any:
    return scalars.cast(scalars.cast(seed, dtypes.int64) >> 32, dtypes.uint32)


def _low(seed: Any) -> Any:
    return scalars.cast(seed, dtypes.uint32)


def _first(x: Any, y: Any, dtype: dtypes.DType) -> Any:
    return x


def _second(x: Any, y: Any, dtype: dtypes.DType) -> Any:
    return y


@api
def split(key: ArrayLike, num: Shape = 2) -> Array:
    """Independent keys made of one: `num` of them, or an array of them for a shape. Raises `ShapeError`.

    The result has one more dim, of size 2: the words of each key.

    >>> first, second = wax.random.split(wax.random.key(7))
    >>> wax.random.split(wax.random.key(7), (3, 5)).shape
    (3, 5, 2)
    """
    value, shape = checked_key("split", key), check_shape("split", num)
    return stack([elements(value, shape, word, dtypes.uint32) for word in (_first, _second)], axis=-1)


@api
def fold_in(key: ArrayLike, data: ArrayLike, /) -> Array:
    """The key that belongs to a key and a number, of which the lower 32 bits count.

    Raises `PromotionError` and `ShapeError` for what is no integer.

    >>> step = 12
    >>> dropout_key = wax.random.fold_in(wax.random.key(7), step)
    """
    value, number = checked_key("fold_in", key), lift(data)
    if dtypes.kind(number.dtype) not in ("int", "uint"):
        raise PromotionError(f"fold_in takes an integer, and this is of {number.dtype}")
    if number.ndim:
        raise ShapeError(f"fold_in takes one number, of shape (), and this has shape {number.shape}; see split")
    place = cast(number, dtypes.uint32)
    return stack([words(value, place, made=word, dtype=dtypes.uint32) for word in (_first, _second)])


@api
def bits(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.uint32) -> Array:
    """Random bits, as unsigned integers. Raises `ShapeError`, `PromotionError`.

    >>> wax.random.bits(wax.random.key(7), (2,), wax.numpy.uint8).shape
    (2,)
    """
    target = dtypes.canonical(dtype)
    if dtypes.kind(target) != "uint":
        refuse_dtype("wax.random.bits", target, "unsigned integer dtypes")
    return elements(checked_key("bits", key), check_shape("bits", shape), drawn, target)
