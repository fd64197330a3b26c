"""`x.at[…]`: new arrays with some elements of `x` replaced or folded into.

The key is what `x[…]` takes, without `None`; several arrays of integers broadcast, and static masks are allowed.
What is read at an index that lies outside is dropped. Of several values for one element, `set` keeps the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dims import Size, format_shape
from wax.eager import api
from wax.errors import PromotionError, ShapeError, WaxIndexError
from wax.numpy._basis import ArrayLike, basis, carried, cast, expanded, lift, placed, scalars, shapes_text
from wax.numpy._elementwise import aligned, broadcast_shape
from wax.numpy.indexing import box_of, counted_from_front, entries_of, getitem, span_of, without_integers
from wax.numpy.manipulation import broadcast_to
from wax.scalars import trace_kernel

__all__ = ["At", "Place", "updated"]


class At:
    """What `x.at` is: `x.at[key]` names a place."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getitem__(self, key: Any) -> Place:
        return Place(self._array, _without_masks(key))


class Place:
    """What `x.at[key]` is: each method gives a new array, and `x` stays as it is.

    Values broadcast to the shape of `x[key]`, and must not promote `x` to another dtype.

    >>> wnp.zeros(4).at[1:3].set(5)
    Array([0., 5., 5., 0.], dtype=float32)
    >>> wnp.zeros(3, dtype=wnp.int32).at[wnp.asarray([0, 2, 2, 7])].add(1)
    Array([1, 0, 2], dtype=int32)
    """

    __slots__ = ("_array", "_key")

    def __init__(self, array: Any, key: Any) -> None:
        self._array, self._key = array, key

    def set(self, value: ArrayLike, /) -> Array:
        """The elements replaced; the last of several values for one stays."""
        return updated(self._array, self._key, value, "set")

    def add(self, value: ArrayLike, /) -> Array:
        """The values added."""
        return updated(self._array, self._key, value, "add")

    def multiply(self, value: ArrayLike, /) -> Array:
        """The elements multiplied."""
        return updated(self._array, self._key, value, "multiply")

    def min(self, value: ArrayLike, /) -> Array:
        """The lesser of element and values; NaN if there is one."""
        return updated(self._array, self._key, value, "min")

    def max(self, value: ArrayLike, /) -> Array:
        """The greater of element and values; NaN if there is one."""
        return updated(self._array, self._key, value, "max")

    def get(self) -> Array:
        """What `x[key]` is."""
        return getitem(self._array, self._key)


def _set(value: Any, element: Any) -> Any:
    return value


def _add(value: Any, element: Any) -> Any:
    return scalars.add(value, element)


def _multiply(value: Any, element: Any) -> Any:
    return scalars.multiply(value, element)


def _minimum(value: Any, element: Any) -> Any:
    return scalars.minimum(value, element)


def _maximum(value: Any, element: Any) -> Any:
    return scalars.maximum(value, element)


#: How a value goes into an element, and whether values for one element may come in any order.
_HOW: dict[str, tuple[Callable[[Any, Any], Any], bool]] = {
    "set": (_set, False),
    "add": (_add, True),
    "multiply": (_multiply, True),
    "min": (_minimum, True),
    "max": (_maximum, True),
}


@api
def updated(x: ArrayLike, key: Any, value: ArrayLike, how: str, /) -> Array:
    """`x.at[key].how(value)`. Raises `WaxIndexError`, `ShapeError`, `PromotionError`."""
    target: Any = lift(x)
    entries = entries_of(target, key)
    if any(entry is None for entry in entries):
        raise WaxIndexError("x.at[…] takes no None; reshape the value instead")
    given = _value_for(target, lift(value, strong=False), how)
    spans = [span_of(target, entry, axis) for axis, entry in enumerate(entries)]
    turned = [axis for axis, span in enumerate(spans) if span.step < 0]
    forward = [span.forward() for span in spans]
    box = box_of(target, forward)
    integers = [axis for axis, entry in enumerate(entries) if isinstance(entry, int)]
    inner, arrays = without_integers(box, entries)
    turned = [axis - sum(other < axis for other in integers) for axis in turned]
    made = expanded(_folded(inner, arrays, turned, given, how), integers)
    if box is target:
        return made
    return basis.insert(made, target, [span.start for span in forward], [span.step for span in forward])


def _folded(x: Any, arrays: Sequence[tuple[int, Any]], turned: Sequence[int], value: Any, how: str) -> Any:
    """`x` with the value folded in: where arrays say along their axes, everywhere along the others."""
    function, is_free = _HOW[how]
    indices = [counted_from_front("at", index, x.shape[axis]) for axis, index in arrays]
    indexed = [axis for axis, _ in arrays]
    shape, operand_dims, first = _loops(x, indexed, broadcast_shape("at", indices) if indices else ())
    value = _stretched(value, shape)
    loops = sorted(operand_dims[axis] for axis in turned)
    if loops:
        value = basis.reverse(value, loops)
    if not indices:
        every = range(x.ndim)
        return value if how == "set" else placed(function, [(value, every), (x, every)])
    accumulator = carried(x)
    fold = trace_kernel(function, [carried(value), accumulator], as_dtypes=(x.dtype,))
    combine = trace_kernel(function, [accumulator, accumulator], as_dtypes=(x.dtype,)) if is_free else None
    indices, places = aligned("at", indices)
    dims = [[first + dim for dim in of_index] for of_index in places]
    (made,) = basis.scatter(fold, combine, [value], [x], indices, operand_dims, dims)
    return made


def _loops(x: Any, indexed: Sequence[int], common: Sequence[Size]) -> tuple[list[Size], list[int], int]:
    """The shape of `x[key]`; for each axis its dim there, or −1; and the first of the arrays' dims.

    The arrays' dims stand where the arrays do, or in front if these are apart.
    """
    straight = [axis for axis in range(x.ndim) if axis not in indexed]
    together = list(indexed) == list(range(indexed[0], indexed[0] + len(indexed))) if indexed else False
    first = indexed[0] if together else 0
    shape = [x.shape[axis] for axis in straight]
    shape[first:first] = common
    dims = [-1] * x.ndim
    for number, axis in enumerate(straight):
        dims[axis] = number if number < first else number + len(common)
    return shape, dims, first


def _stretched(value: Any, shape: Sequence[Size]) -> Any:
    try:
        return broadcast_to(value, tuple(shape))
    except ShapeError as error:
        raise ShapeError(
            f"x.at[…] of shape {format_shape(tuple(shape))} cannot hold a value of shape {format_shape(value.shape)}, "
            "which does not broadcast to it"
        ) from error


def _value_for(x: Any, value: Any, how: str) -> Any:
    dtype = dtypes.promote(f"at[…].{how}", [carried(x), carried(value)])[0]
    if dtype != x.dtype:
        raise PromotionError(
            f"x.at[…].{how} of {shapes_text([x, value])}: the value would promote the array to {dtype}; "
            f"convert one of them with .astype"
        )
    return cast(value, x.dtype)


def _without_masks(key: Any) -> Any:
    """The key with each mask, which must be known now, as the indices of its elements."""
    listed = key if isinstance(key, tuple) else (key,)
    if not any(_is_mask(entry) for entry in listed):
        return key
    written: list[Any] = []
    for entry in listed:
        written += np.nonzero(np.asarray(entry)) if _is_mask(entry) else (entry,)
    return tuple(written)


def _is_mask(entry: Any) -> bool:
    return isinstance(entry, np.ndarray | Array) and entry.dtype == np.bool_ and entry.ndim > 0
