"""`x.at[…]`: new arrays with some elements of `x` replaced or folded into.

The key is what `x[…]` takes. A mask that is traced takes one value for all its elements, as their number is not known.
What goes to an index that lies outside is dropped. Of several values for one element, `set` keeps the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size, format_shape, same
from wax.eager import api
from wax.errors import PromotionError, ShapeError, WaxIndexError
from wax.numpy._basis import ArrayLike, basis, carried, cast, lift, placed, scalars, shapes_text
from wax.numpy._elementwise import aligned, broadcast_shape
from wax.numpy._keys import Reading, is_mask, read, settled
from wax.numpy.indexing import counted_from_front, getitem, loops
from wax.numpy.manipulation import broadcast_to
from wax.scalars import trace_kernel

__all__ = ["At", "Place", "updated"]


class At:
    """What `x.at` is: `x.at[key]` names a place."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getitem__(self, key: Any) -> Place:
        return Place(self._array, key)


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


def updated(x: ArrayLike, key: Any, value: ArrayLike, how: str, /) -> Array:
    """`x.at[key].how(value)`. Raises `WaxIndexError`, `ShapeError`, `PromotionError`, `DataDependentShapeError`."""
    if is_mask(key) and key.ndim and not getattr(value, "ndim", 0) and not isinstance(value, list | tuple):
        return _masked(x, key, value, how)
    return _updated(x, settled(x, key), value, how)


@api
def _masked(x: ArrayLike, mask: ArrayLike, value: ArrayLike, how: str, /) -> Array:
    """One value folded into the elements that a mask of the leading dims names."""
    target, chosen = lift(x), lift(mask)
    if chosen.ndim > target.ndim or not all(map(same, chosen.shape, target.shape)):
        raise WaxIndexError(
            f"a mask of shape {format_shape(chosen.shape)} for an array of shape {format_shape(target.shape)}; "
            "its sizes must be those of the leading dims"
        )
    given = _value_for(target, lift(value, strong=False), how)
    operands = [(given, ()), (target, range(target.ndim)), (chosen, range(chosen.ndim))]
    return placed(_where_chosen, operands, how=how)


def _where_chosen(value: Any, element: Any, chosen: Any, *, how: str) -> Any:
    function, _ = _HOW[how]
    return scalars.select(chosen, function(value, element), element)


@api
def _updated(x: ArrayLike, key: Any, value: ArrayLike, how: str, /) -> Array:
    target: Any = lift(x)
    reading = read(target, key)
    given = _value_for(target, lift(value, strong=False), how)
    box = reading.box(target)
    made = reading.grouped_back(_folded(reading.regrouped(box), reading, given, how), box)
    if box is target:
        return made
    return basis.insert(made, target, [span.start for span in reading.spans], [span.step for span in reading.spans])


def _folded(x: Any, reading: Reading, value: Any, how: str) -> Any:
    """`x` with the value folded in: where arrays say along their axes, everywhere along the others."""
    function, is_free = _HOW[how]
    first = reading.first
    indices = [counted_from_front("at", index, x.shape[axis]) for axis, index in reading.arrays]
    common = broadcast_shape("at", indices) if indices else ()
    shape, operand_dims = loops(x, [axis for axis, _ in reading.arrays], common, first)
    value = _stretched(value, shape)
    turned = sorted(operand_dims[axis] for axis in reading.turned)
    if turned:
        value = basis.reverse(value, turned)
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
