"""Reductions as the basis has them: an accumulator's dtype, its start, a fold and a combine over scalars.

Float16 and bfloat16 elements are accumulated in float32. Every reduction here may be split and reordered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wax import dtypes
from wax.dims import Size, product
from wax.dtypes import DType
from wax.numpy._basis import basis, carried, constant, expanded, scalars
from wax.scalars import trace_kernel

__all__ = [
    "accumulated",
    "count_along",
    "folded",
    "greatest",
    "least",
    "maxima_along",
    "maximized",
    "minima_along",
    "minimized",
    "restored",
    "summed",
    "sums_along",
]

_Fold = Callable[..., Any]


def folded(
    x: Any, axes: Sequence[int], fold: _Fold, combine: _Fold, start: Any, dtype: DType, operands: Sequence[Any] = ()
) -> Any:
    """`x` reduced over `axes` with one accumulator of `dtype` that starts from `start`, the identity of `combine`.

    `fold` takes an element of `x` (and of each of `operands`), then the accumulator.
    """
    values = [x, *operands]
    accumulator = (dtype, False)
    (result,) = basis.reduce(
        trace_kernel(fold, [*map(carried, values), accumulator], as_dtypes=(dtype,)),
        trace_kernel(combine, [accumulator, accumulator], as_dtypes=(dtype,)),
        values,
        [constant(start, dtype)],
        sorted(axes),
    )
    return result


def accumulated(
    x: Any, axis: int, fold: _Fold, combine: _Fold, start: Any, dtype: DType, *, exclusive: bool = False
) -> Any:
    """All prefixes along `axis` of what `folded` gives."""
    accumulator = (dtype, False)
    (result,) = basis.scan(
        trace_kernel(fold, [carried(x), accumulator], as_dtypes=(dtype,)),
        trace_kernel(combine, [accumulator, accumulator], as_dtypes=(dtype,)),
        [x],
        [constant(start, dtype)],
        axis,
        exclusive=exclusive,
    )
    return result


def _add(x: Any, total: Any) -> Any:
    return scalars.add(scalars.cast(x, total.dtype), total)


def _maximum(x: Any, best: Any) -> Any:
    return scalars.maximum(x, best)


def _minimum(x: Any, best: Any) -> Any:
    return scalars.minimum(x, best)


def summed(x: Any, axes: Sequence[int], dtype: DType | None = None) -> Any:
    """The sum over `axes`, in float32 for half elements: what a mean or a product goes on with."""
    dtype = dtypes.widened(x.dtype if dtype is None else dtype)
    return folded(x, axes, _add, _add, 0, dtype)


def sums_along(x: Any, axis: int, dtype: DType, *, exclusive: bool = False) -> Any:
    """The sums of all prefixes along `axis`."""
    return accumulated(x, axis, _add, _add, 0, dtype, exclusive=exclusive)


def maxima_along(x: Any, axis: int) -> Any:
    """The maxima of all prefixes along `axis`."""
    return accumulated(x, axis, _maximum, _maximum, least(x.dtype), x.dtype)


def minima_along(x: Any, axis: int) -> Any:
    """The minima of all prefixes along `axis`."""
    return accumulated(x, axis, _minimum, _minimum, greatest(x.dtype), x.dtype)


def least(dtype: DType) -> Any:
    """The least value of a dtype: where a maximum starts."""
    return _limit(dtype, -1)


def greatest(dtype: DType) -> Any:
    """The greatest value of a dtype: where a minimum starts."""
    return _limit(dtype, 1)


def _limit(dtype: DType, sign: int) -> Any:
    match dtypes.kind(dtype):
        case "bool":
            return sign > 0
        case "float":
            return sign * np.inf
        case _:
            return np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min


def maximized(x: Any, axes: Sequence[int]) -> Any:
    """The maximum over `axes`; NaN if there is one."""
    return folded(x, axes, _maximum, _maximum, least(x.dtype), x.dtype)


def minimized(x: Any, axes: Sequence[int]) -> Any:
    """The minimum over `axes`; NaN if there is one."""
    return folded(x, axes, _minimum, _minimum, greatest(x.dtype), x.dtype)


def count_along(x: Any, axes: Sequence[int]) -> Size:
    """How many elements of `x` each result of a reduction over `axes` is made of."""
    return product(tuple(x.shape[axis] for axis in axes))


def restored(result: Any, axes: Sequence[int], keepdims: bool) -> Any:
    """A reduction's result with the reduced dims put back, of size 1, where that is asked for."""
    return expanded(result, sorted(axes)) if keepdims else result
