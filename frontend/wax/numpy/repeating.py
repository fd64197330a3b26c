"""Elements and arrays several times over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dims import Size, format_shape, product, same
from wax.eager import api
from wax.errors import DataDependentShapeError, InvalidArgumentError, PromotionError, ShapeError
from wax.numpy._basis import ArrayLike, basis, check_axis, expanded, filled, integer, lift, placed, scalars
from wax.numpy._compaction import check_size
from wax.numpy._pieces import counter, picked
from wax.numpy._reduction import sums_along
from wax.numpy.indexing import take
from wax.numpy.manipulation import broadcast_to, reshape
from wax.numpy.sorting import searchsorted
from wax.tracer import Tracer

__all__ = ["repeat", "tile"]


def repeat(
    x: ArrayLike,
    repeats: int | ArrayLike,
    /,
    *,
    axis: int | None = None,
    total_repeat_length: Size | None = None,
) -> Array:
    """Each element so many times, one after another; flattened for no axis.

    `repeats` is one number, or a vector with one for each element. Where it is traced, `total_repeat_length` says how
    many elements there are then: too many are cut off, and for too few the last one goes on.

    Raises `AxisError`, `ShapeError`, `InvalidArgumentError`, `DataDependentShapeError` for a traced vector alone.

    >>> wnp.repeat(wnp.asarray([1, 2]), 2)
    Array([1, 1, 2, 2], dtype=int32)
    >>> wnp.repeat(wnp.asarray([1, 2]), wnp.asarray([3, 1]))
    Array([1, 1, 1, 2], dtype=int32)
    """
    if isinstance(repeats, Tracer) or total_repeat_length is not None:
        if total_repeat_length is None:
            raise DataDependentShapeError(
                "repeat: how many elements there are depends on repeats, which are not known while tracing; give their "
                "number with total_repeat_length="
            )
        return _repeat_traced(x, repeats, axis, check_size("repeat", total_repeat_length))
    if isinstance(repeats, Array | np.ndarray | list | tuple):
        return _repeat_each(x, np.asarray(repeats), axis)
    return _repeat_all(x, integer("repeat", "repeats", repeats), axis)


def _line(x: ArrayLike, axis: int | None) -> tuple[Any, int]:
    value: Any = lift(x)
    if axis is None:
        return (value if value.ndim == 1 else reshape(value, (-1,))), 0
    return value, check_axis("repeat", axis, value.ndim)


@api
def _repeat_all(x: ArrayLike, times: int, axis: int | None) -> Array:
    if times < 0:
        raise InvalidArgumentError(f"repeat: repeats must not be negative, it is {times}")
    value, number = _line(x, axis)
    dims = [dim if dim <= number else dim + 1 for dim in range(value.ndim)]
    spread = filled(value, dims, [times])
    return reshape(spread, (*value.shape[:number], value.shape[number] * times, *value.shape[number + 1 :]))


def _repeat_each(x: ArrayLike, repeats: np.ndarray[Any, Any], axis: int | None) -> Array:
    """The numbers are known: so are the indices of the elements."""
    if repeats.size and repeats.dtype.kind not in "iu":
        raise PromotionError(f"repeat: repeats must be integers, they are {repeats.dtype}")
    if repeats.ndim > 1 or repeats.min(initial=0) < 0:
        raise InvalidArgumentError("repeat: repeats are a number or a vector, and not negative")
    if repeats.size == 1:
        return _repeat_all(x, int(repeats.reshape(())), axis)
    shape = x.shape if hasattr(x, "shape") else np.shape(x)  # type: ignore[arg-type]  # a number or nested list
    size = product(tuple(shape)) if axis is None else shape[check_axis("repeat", axis, len(shape))]
    _check_count(repeats.shape[0], size)
    indices = np.repeat(np.arange(repeats.shape[0], dtype=dtypes.default_int), repeats)
    return take(x, indices, axis=axis)


def _check_count(given: Any, size: Any) -> None:
    if not same(given, size):
        raise ShapeError(f"repeat: {given} numbers for {size} elements")


@api
def _repeat_traced(x: ArrayLike, repeats: ArrayLike, axis: int | None, total: Any) -> Array:
    value, number = _line(x, axis)
    times: Any = lift(repeats)
    if dtypes.kind(times.dtype) not in ("int", "uint") or times.ndim > 1:
        raise PromotionError(
            f"repeat: repeats must be a vector of integers, not {times.dtype}{format_shape(times.shape)}"
        )
    (size,) = (value.shape[number],)
    if times.ndim and not same(times.shape[0], 1):
        _check_count(times.shape[0], size)
    else:
        times = broadcast_to(times, (size,))
    if same(size, 0):
        raise ShapeError("repeat: there is no element to fill total_repeat_length with")
    ends = sums_along(times, 0, dtypes.default_int)
    places: Any = searchsorted(ends, counter(total), side="right")
    last = basis.dimension_value(size - 1, dtypes.default_int)
    return picked(value, placed(_lesser, [(places, (0,)), (last, ())]), number)


def _lesser(place: Any, last: Any) -> Any:
    return scalars.minimum(place, last)


@api
def tile(x: ArrayLike, repetitions: int | Sequence[int], /) -> Array:
    """The whole array so many times along each axis, missing axes in front.

    >>> wnp.tile(wnp.asarray([1, 2]), 2)
    Array([1, 2, 1, 2], dtype=int32)
    """
    value: Any = lift(x)
    given = repetitions if isinstance(repetitions, tuple | list) else (repetitions,)
    times = [integer("tile", "a repetition", one) for one in given]
    if any(one < 0 for one in times):
        raise InvalidArgumentError(f"tile: repetitions must not be negative, they are {tuple(times)}")
    ndim = max(value.ndim, len(times))
    times = [1] * (ndim - len(times)) + times
    value = expanded(value, range(ndim - value.ndim))
    free = [one for one in times if one != 1]
    shape, dims, place = [], [], 0
    for size, one in zip(value.shape, times, strict=True):
        place += one != 1
        dims.append(place)
        place += 1
        shape.append(size * one)
    return reshape(filled(value, dims, free), tuple(shape))
