"""Indexing: `x[…]`, and taking elements at indices.

`x[…]` knows integers, slices with any step, `...`, `None`, and one array of integers. Static indices are checked;
computed ones count from the back if negative, and are clamped to the array.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dims import DimExpr, Size, format_shape, known_at_most, same
from wax.eager import api
from wax.errors import PromotionError, ShapeError, WaxIndexError
from wax.numpy._basis import ArrayLike, basis, check_axis, is_one, lift, placed, scalars, squeezed
from wax.numpy._pieces import picked
from wax.numpy.manipulation import broadcast_to, reshape
from wax.operators import ArrayOperators

__all__ = [
    "box_of",
    "counted_from_front",
    "entries_of",
    "getitem",
    "span_of",
    "take",
    "take_along_axis",
    "without_integers",
]


@api
def getitem(x: ArrayLike, key: Any, /) -> Array:
    """What `x[key]` is. Raises `WaxIndexError`.

    >>> wnp.getitem(wnp.arange(10), slice(8, 2, -2))
    Array([8, 6, 4], dtype=int32)
    """
    value: Any = lift(x)
    entries = entries_of(value, key)
    along = [entry for entry in entries if entry is not None]
    spans = [span_of(value, entry, axis) for axis, entry in enumerate(along)]
    value = box_of(value, [span.forward() for span in spans])
    turned = [axis for axis, span in enumerate(spans) if span.step < 0]
    if turned:
        value = basis.reverse(value, turned)
    value, arrays = without_integers(value, entries)
    if len(arrays) > 1:
        raise WaxIndexError(
            "indexing with several arrays at once is not supported yet; use wnp.take along one axis after another, "
            "or wnp.take_along_axis"
        )
    for axis, index in arrays:
        value = take(value, index, axis=axis)
    return value


@dataclass(frozen=True, slots=True)
class _Span:
    """What is taken of an axis: `count` elements from `start`, `step` apart."""

    start: Any
    count: Any
    step: int

    def forward(self) -> _Span:
        """The same elements, the first of them first."""
        return self if self.step > 0 else _Span(self.start + (self.count - 1) * self.step, self.count, -self.step)


def span_of(x: Any, entry: Any, axis: int) -> _Span:
    """What an entry takes of its axis; all of it, where it is an array."""
    if isinstance(entry, slice):
        return _sliced(x, entry, axis)
    if isinstance(entry, int):
        return _Span(_offset(x, entry, axis), 1, 1)
    return _Span(0, x.shape[axis], 1)


def box_of(x: Any, spans: Sequence[_Span]) -> Any:
    """The box of spans that step forward, in one slice; `x` itself if that is all of it."""
    if all(span.step == 1 and same(span.count, size) for span, size in zip(spans, x.shape, strict=True)):
        return x
    columns = [[getattr(span, part) for span in spans] for part in ("start", "count", "step")]
    return basis.slice(x, *columns)


def without_integers(x: Any, entries: Sequence[Any]) -> tuple[Any, list[tuple[int, Any]]]:
    """Dims of integers dropped, those of `None` added; and the arrays among the entries with their axes."""
    source: list[list[int]] = []
    result: list[list[int]] = []
    shape: list[Size] = []
    arrays: list[tuple[int, Any]] = []
    axis = 0
    for entry in entries:
        source.append([] if entry is None else [axis])
        result.append([] if isinstance(entry, int) else [len(shape)])
        if not (entry is None or isinstance(entry, int | slice)):
            arrays.append((len(shape), entry))
        if not isinstance(entry, int):
            shape.append(1 if entry is None else x.shape[axis])
        axis += entry is not None
    return x if source == result else basis.reshape(x, source, result, shape), arrays


def entries_of(x: Any, key: Any) -> list[Any]:
    """The key as one entry a dim, `...` written out."""
    listed = list(key) if isinstance(key, tuple) else [key]
    listed = [_entry(x, entry) for entry in listed]
    taken = sum(entry is not None and entry is not ... for entry in listed)
    if taken > x.ndim:
        raise WaxIndexError(f"{taken} indices for an array of shape {format_shape(x.shape)}, which has {x.ndim} dims")
    dots = [place for place, entry in enumerate(listed) if entry is ...]
    if len(dots) > 1:
        raise WaxIndexError("an index can have one `...`")
    at = dots[0] if dots else len(listed)
    return [*listed[:at], *[slice(None)] * (x.ndim - taken), *listed[at + 1 :]]


def _entry(x: Any, entry: Any) -> Any:
    if entry is None or entry is ... or isinstance(entry, slice):
        return entry
    if isinstance(entry, bool | np.bool_):
        raise WaxIndexError("a bool is no index; use None for a new dim, wnp.where to choose by value")
    if isinstance(entry, int | np.integer):
        return int(entry)
    if isinstance(entry, DimExpr):
        return basis.dimension_value(entry, dtypes.default_int)
    if isinstance(entry, list):
        entry = np.asarray(entry if entry else np.zeros(0, np.int32))
    if not isinstance(entry, ArrayOperators | np.ndarray):
        raise WaxIndexError(
            f"a {type(entry).__name__} is no index; an index is an integer, a slice, ..., None or an array of integers"
        )
    index = lift(entry)
    if dtypes.kind(index.dtype) == "bool":
        raise WaxIndexError(
            f"a boolean mask of shape {format_shape(index.shape)} gives a shape that depends on the data; "
            f"use wnp.where(mask, x, other), which keeps the shape"
        )
    if dtypes.kind(index.dtype) not in ("int", "uint"):
        raise WaxIndexError(f"an array of {index.dtype} is no index; convert it with .astype(wnp.int32)")
    return index


def _offset(x: Any, index: int, axis: int) -> Size:
    size = x.shape[axis]
    # A negative index in a symbolic dim lies in it if the dim is at least as long as it reaches back.
    inside = known_at_most(-index, size) if index < 0 else known_at_most(index + 1, size)
    if not inside:
        hint = "" if isinstance(size, int) else "; declare the dim with min= if it is always large enough"
        raise WaxIndexError(
            f"index {index} along axis {axis} of size {size}, in an array of shape {format_shape(x.shape)}{hint}"
        )
    return size + index if index < 0 else index


def _sliced(x: Any, entry: slice, axis: int) -> _Span:
    size = x.shape[axis]
    step = 1 if entry.step is None else _bound(entry.step)
    if not isinstance(step, int) or step == 0:
        raise WaxIndexError(f"the step of a slice must be an integer other than 0, not {step}")
    start, count = _span(x, entry, axis, size, step)
    # One element, or none, is taken forward.
    return _Span(start, count, 1 if isinstance(count, int) and count < 2 else step)


def _bound(bound: Any) -> Any:
    if isinstance(bound, DimExpr) or bound is None:
        return bound
    try:
        return operator.index(bound)
    except TypeError as error:
        if isinstance(bound, ArrayOperators):
            raise
        raise WaxIndexError(f"a slice's bounds must be integers, sizes or None, not {bound!r}") from error


def _span(x: Any, entry: slice, axis: int, size: Size, step: int) -> tuple[Any, Any]:
    """The first index and the number of elements of a slice."""
    start, stop = _bound(entry.start), _bound(entry.stop)
    if isinstance(size, int) and not isinstance(start, DimExpr) and not isinstance(stop, DimExpr):
        found = range(*slice(start, stop, step).indices(size))
        return found.start if found else 0, len(found)
    first = _within(x, axis, start, 0 if step > 0 else size - 1, size if step > 0 else size - 1)
    last = _within(x, axis, stop, size if step > 0 else -1, size if step > 0 else size - 1)
    length = last - first if step > 0 else first - last
    if known_at_most(length, 0):
        return 0, 0
    if not known_at_most(0, length):
        raise WaxIndexError(
            f"how long {_written(entry)} is along axis {axis} of shape {format_shape(x.shape)} depends on the call; "
            "declare the dims with min= so that the slice lies inside"
        )
    stride = abs(step)
    return first, (length + stride - 1) // stride if stride != 1 else length


def _within(x: Any, axis: int, bound: Any, default: Any, most: Any) -> Any:
    """A bound of a slice in a symbolic dim, which must be known to lie in it."""
    if bound is None:
        return default
    if isinstance(bound, int) and bound < 0:
        bound = bound + x.shape[axis]
    if known_at_most(most, bound):
        return most
    if not known_at_most(0, bound) or not known_at_most(bound, most):
        raise WaxIndexError(
            f"whether {bound} lies in axis {axis} of shape {format_shape(x.shape)} depends on the call; "
            f"declare the dim with min= so that it does"
        )
    return bound


def _written(entry: slice) -> str:
    parts = ["" if part is None else str(part) for part in (entry.start, entry.stop, entry.step)]
    return ":".join(parts if entry.step is not None else parts[:2])


# Taking at indices.


def _from_back(index: Any, size: Any) -> Any:
    return scalars.select(index < 0, index + size, index)


def counted_from_front(name: str, indices: Any, size: Size) -> Any:
    """Indices as signed integers, negative ones counted from the back."""
    kind = dtypes.kind(indices.dtype)
    if kind not in ("int", "uint"):
        raise PromotionError(f"{name}: indices must be integers, they are {indices.dtype}; use .astype(wnp.int32)")
    if kind == "uint":
        return indices if dtypes.bits(indices.dtype) == 64 else indices.astype(dtypes.int64)
    if dtypes.bits(indices.dtype) < 32:
        indices = indices.astype(dtypes.int32)  # so that the size fits beside them
    length = basis.dimension_value(size, indices.dtype)
    return placed(_from_back, [(indices, range(indices.ndim)), (length, ())])


@api
def take(x: ArrayLike, indices: ArrayLike, /, *, axis: int | None = None) -> Array:
    """The elements at indices along an axis, whose place the dims of the indices take; flattened for no axis.

    Negative indices count from the back; those out of range are clamped. Raises `AxisError`, `PromotionError`,
    `ShapeError` for an axis without elements.

    >>> wnp.take(wnp.asarray([[1, 2], [3, 4], [5, 6]]), wnp.asarray([2, 0]), axis=0)
    Array([[5, 6],
           [1, 2]], dtype=int32)
    """
    value: Any = lift(x)
    if axis is None:
        value, axis = (value, 0) if value.ndim == 1 else (reshape(value, (-1,)), 0)
    number = check_axis("take", axis, value.ndim)
    index = lift(indices)
    if same(value.shape[number], 0) and not any(same(size, 0) for size in index.shape):
        raise ShapeError(f"take along axis {number} of shape {format_shape(value.shape)}, which has no elements there")
    index = counted_from_front("take", index, value.shape[number])
    if same(value.shape[number], 0):
        shape = (*value.shape[:number], *index.shape, *value.shape[number + 1 :])
        return broadcast_to(basis.constant(np.zeros((), value.dtype)), shape)
    return picked(value, index, number)


@api
def take_along_axis(x: ArrayLike, indices: ArrayLike, /, *, axis: int = -1) -> Array:
    """The elements at indices along an axis, separately for each place in the other dims, which broadcast.

    Negative indices count from the back; those out of range are clamped. Raises `AxisError`, `PromotionError`,
    `ShapeError` where the other dims do not fit.

    >>> wnp.take_along_axis(wnp.asarray([[3, 1], [2, 4]]), wnp.asarray([[1], [0]]), axis=1)
    Array([[1],
           [2]], dtype=int32)
    """
    value, index = lift(x), lift(indices)
    number = check_axis("take_along_axis", axis, value.ndim)
    if index.ndim != value.ndim:
        raise ShapeError(
            f"take_along_axis: indices of shape {format_shape(index.shape)} for an array of shape "
            f"{format_shape(value.shape)}; the ranks must be equal"
        )
    index = counted_from_front("take_along_axis", index, value.shape[number])
    operand_dims, squeezed_dims, kept = [], [], []
    for dim, (size, wanted) in enumerate(zip(value.shape, index.shape, strict=True)):
        if dim == number:
            operand_dims.append(-1)
            kept.append(dim)
        elif same(size, wanted):
            operand_dims.append(dim)
            kept.append(dim)
        elif is_one(size):
            squeezed_dims.append(dim)
            kept.append(dim)
        elif is_one(wanted):
            operand_dims.append(dim)
        else:
            raise ShapeError(
                f"take_along_axis: {size} against {wanted} along axis {dim}, of shapes {format_shape(value.shape)} "
                f"and {format_shape(index.shape)}; all but axis {number} must be equal, or 1"
            )
    index = squeezed(index, [dim for dim in range(index.ndim) if dim not in kept])
    return basis.gather(squeezed(value, squeezed_dims), [index], operand_dims, [kept])
