"""Dropout, by a key: the same key drops the same elements on every backend."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.eager import api
from wax.errors import InvalidArgumentError
from wax.nn._operands import floating, wide
from wax.numpy._basis import ArrayLike, Axes, check_axes, placed, scalars
from wax.random._stream import checked_key, elements, unit

__all__ = ["dropout"]


def _kept(x: Any, fraction: Any, *, rate: float) -> Any:
    value = wide(x)
    # Not a product, which would make NaN of an infinity that is dropped.
    return scalars.cast(scalars.where(fraction >= rate, value / (1.0 - rate), 0.0), x.dtype)


@api
def dropout(key: ArrayLike, x: ArrayLike, rate: float, /, *, shared_axes: Axes = ()) -> Array:
    """Each element 0 with the chance `rate`, else `x / (1 - rate)`; all zeros for a rate of 1.

    Along `shared_axes` elements are dropped together: with those of the spatial dims, channels are. In a trained net
    dropout is left out. (N. Srivastava and others, "Dropout", 2014.)

    Raises `InvalidArgumentError` for a rate that is no chance, `AxisError`, `PromotionError`.

    >>> y = wax.nn.dropout(wax.random.key(7), wnp.ones((4, 8)), 0.5)
    >>> bool(wnp.all((y == 0) | (y == 2)))
    True
    """
    if not dtypes.is_python_number(rate) or not 0 <= rate <= 1:
        raise InvalidArgumentError(f"dropout: rate must be a Python number from 0 to 1, it is {rate!r}")
    value = floating("dropout", x)
    shared = check_axes("dropout", shared_axes, value.ndim)
    if rate == 0:
        return value
    own = [dim for dim in range(value.ndim) if dim not in shared]
    fractions = elements(checked_key("dropout", key), tuple(value.shape[dim] for dim in own), unit, dtypes.float32)
    # Of a rate of 1 no fraction, which is below 1, is kept.
    return placed(_kept, [(value, range(value.ndim)), (fractions, own)], rate=float(rate))
