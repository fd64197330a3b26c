"""Set functions: the different elements of an array, in order. NaNs differ from each other, zeros do not.

How many there are depends on the data. Inside `jit` a size must be given: where there are fewer elements the result is
filled with `fill_value`, or the least element if none is given; where there are more the greatest are left out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from wax import dtypes
from wax.array import Array, as_array
from wax.dims import Size, same
from wax.eager import api
from wax.numpy._basis import ArrayLike, constant, filled, lift, lift_all, placed, scalars
from wax.numpy._compaction import check_size, chosen, cut, filled_beyond, first_true, refuse_without_size
from wax.numpy._pieces import counter, picked, piece
from wax.numpy._reduction import sums_along
from wax.numpy.logic import equal, logical_not
from wax.numpy.manipulation import concat, reshape
from wax.numpy.sorting import searchsorted, sort, sorted_with
from wax.numpy.updating import updated

__all__ = [
    "UniqueAll",
    "UniqueCounts",
    "UniqueInverse",
    "isin",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAll(NamedTuple):
    """What `unique_all` gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """What `unique_counts` gives."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """What `unique_inverse` gives."""

    values: Array
    inverse_indices: Array


def unique_all(x: ArrayLike, /, *, size: Size | None = None, fill_value: Any = None) -> UniqueAll:
    """The different elements, the index of the first of each, which of them each element is, and how often each occurs.

    Raises `DataDependentShapeError` in `jit` without `size`.

    >>> wnp.unique_all(wnp.asarray([3, 1, 3])).inverse_indices
    Array([1, 0, 1], dtype=int32)
    """
    return UniqueAll(*_unique("unique_all", x, size, fill_value))


def unique_counts(x: ArrayLike, /, *, size: Size | None = None, fill_value: Any = None) -> UniqueCounts:
    """The different elements, and how often each occurs. Raises `DataDependentShapeError` in `jit` without `size`.

    >>> wnp.unique_counts(wnp.asarray([3, 1, 3])).counts
    Array([1, 2], dtype=int32)
    """
    values, _, _, counts = _unique("unique_counts", x, size, fill_value)
    return UniqueCounts(values, counts)


def unique_inverse(x: ArrayLike, /, *, size: Size | None = None, fill_value: Any = None) -> UniqueInverse:
    """The different elements, and which of them each element is.

    Raises `DataDependentShapeError` in `jit` without `size`.

    >>> wnp.unique_inverse(wnp.asarray([3, 1, 3])).inverse_indices
    Array([1, 0, 1], dtype=int32)
    """
    values, _, inverse, _ = _unique("unique_inverse", x, size, fill_value)
    return UniqueInverse(values, inverse)


def unique_values(x: ArrayLike, /, *, size: Size | None = None, fill_value: Any = None) -> Array:
    """The different elements. Raises `DataDependentShapeError` in `jit` without `size`.

    >>> wnp.unique_values(wnp.asarray([3, 1, 3]))
    Array([1, 3], dtype=int32)
    """
    return _unique("unique_values", x, size, fill_value)[0]


def _unique(name: str, x: Any, size: Any, fill_value: Any) -> tuple[Any, ...]:
    """Values, indices, inverse indices and counts; what is not used of them is not computed in compiled programs."""
    if size is not None:
        return _unique_of_size(x, check_size(name, size), fill_value)[1:]
    refuse_without_size(name)
    array = as_array(x)
    count, values, indices, inverse, counts = _unique_of_size(array, array.size, None)
    values, indices, counts = cut([values, indices, counts], count)
    return values, indices, inverse, counts


@api
def _unique_of_size(x: ArrayLike, size: Any, fill_value: Any) -> tuple[Any, ...]:
    value: Any = lift(x)
    line: Any = reshape(value, (-1,)) if value.ndim != 1 else value
    (length,) = line.shape
    in_order, places = sorted_with("unique", line, counter(length))
    starts = _run_starts(in_order)
    found, count = first_true(starts, size)
    values, indices = chosen(in_order, found), chosen(places, found)
    if fill_value is not None:
        values = filled_beyond(values, count, fill_value)
    # The element at `places[i]` belongs to the run that has begun at `i`; every place is met once.
    run = placed(_before, [(sums_along(starts, 0, dtypes.default_int), (0,))])
    inverse = updated(_zeros(length), places, run, "add")
    counts = updated(_zeros(size), run, 1, "add")
    return count, values, indices, reshape(inverse, value.shape), counts


def _zeros(size: Size) -> Any:
    return filled(constant(0, dtypes.default_int), (), (size,))


def _before(number: Any) -> Any:
    return number - 1


def _differs(x: Any, previous: Any) -> Any:
    return scalars.not_equal(x, previous)


def _run_starts(in_order: Any) -> Any:
    """Which elements of a sorted vector differ from the one before."""
    (length,) = in_order.shape
    if same(length, 0):
        return filled(constant(False, dtypes.bool_), (), (0,))
    first = filled(constant(True, dtypes.bool_), (), (1,))
    if same(length, 1):
        return first
    later, earlier = piece(in_order, 0, 1, length - 1), piece(in_order, 0, 0, length - 1)
    return concat([first, placed(_differs, [(later, (0,)), (earlier, (0,))])])


@api
def isin(x1: ArrayLike, x2: ArrayLike, /, *, invert: bool = False) -> Array:
    """Whether each element of the first array is one of the second; with `invert` whether it is not. NaN never is.

    Raises `PromotionError`.

    >>> wnp.isin(wnp.asarray([[1, 2], [3, 4]]), wnp.asarray([4, 1]))
    Array([[ True, False],
           [False,  True]], dtype=bool)
    """
    values, among = lift_all("isin", x1, x2)
    among: Any = sort(reshape(among, (-1,)))
    if same(among.shape[0], 0):
        found: Any = filled(constant(False, dtypes.bool_), (), values.shape)
    else:
        places: Any = searchsorted(among, values)  # behind the last element for what is beyond all: that is clamped
        found = equal(picked(among, places, 0), values)
    return logical_not(found) if invert else found
