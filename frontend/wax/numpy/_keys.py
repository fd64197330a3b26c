"""Keys: what stands between the brackets of `x[key]` and `x.at[key]`, read into what is to be done.

A key has integers, slices with any step, `...`, `None`, arrays of integers, and masks. Where the arrays' dims go
in the result is NumPy's rule: in their place if they stand together, else in front. Static indices are checked.
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
from wax.errors import DataDependentShapeError, WaxIndexError
from wax.numpy._basis import basis, lift
from wax.operators import ArrayOperators

__all__ = ["Reading", "is_mask", "read", "settled"]


@dataclass(frozen=True, slots=True)
class _Span:
    """What is taken of an axis: `count` elements from `start`, `step` apart."""

    start: Any
    count: Any
    step: int

    def forward(self) -> _Span:
        """The same elements, the first of them first."""
        return self if self.step > 0 else _Span(self.start + (self.count - 1) * self.step, self.count, -self.step)


@dataclass(frozen=True, slots=True)
class Reading:
    """A key in the order in which it is carried out.

    First a box is taken, of spans that step forward. Its dims become others: integers' dims go, `None`s add some.
    Of what is left the dims `turned` are reversed, and at the dims of `arrays` elements are picked; the arrays' own
    dims begin before dim `first` of the dims without arrays.
    """

    spans: list[_Span]
    source: list[list[int]]
    result: list[list[int]]
    shape: list[Size]
    turned: list[int]
    arrays: list[tuple[int, Any]]
    first: int

    def box(self, x: Any) -> Any:
        """The box, in one slice; `x` itself if that is all of it."""
        if all(span.step == 1 and same(span.count, size) for span, size in zip(self.spans, x.shape, strict=True)):
            return x
        columns = [[getattr(span, part) for span in self.spans] for part in ("start", "count", "step")]
        return basis.slice(x, *columns)

    def regrouped(self, box: Any) -> Any:
        """The box with its dims dropped and added."""
        return box if self.source == self.result else basis.reshape(box, self.source, self.result, self.shape)

    def grouped_back(self, x: Any, box: Any) -> Any:
        """What `regrouped` made `x` of, in the shape of the box."""
        return x if self.source == self.result else basis.reshape(x, self.result, self.source, box.shape)


@dataclass(frozen=True, slots=True)
class _Taken:
    """An index into a new dim of size 1: what a boolean of rank 0 is, taken once or never."""

    index: np.ndarray[Any, Any]


def read(x: Any, key: Any) -> Reading:
    """What a settled key does to `x`. Raises `WaxIndexError`."""
    listed = [_entry(x, entry) for entry in (key if isinstance(key, tuple) else (key,))]
    source: list[list[int]] = []
    result: list[list[int]] = []
    spans: list[_Span] = []
    shape: list[Size] = []
    turned: list[int] = []
    arrays: list[tuple[int, Any]] = []
    for entry in _with_ellipsis_filled(x, listed):
        if entry is ...:
            continue
        adds, drops = entry is None or isinstance(entry, _Taken), isinstance(entry, int)
        source.append([] if adds else [len(spans)])
        result.append([] if drops else [len(shape)])
        if not adds:
            span = _span_of(x, entry, len(spans))
            if span.step < 0:
                turned.append(len(shape))
            spans.append(span.forward())
        if drops:
            continue
        if isinstance(entry, _Taken):
            arrays.append((len(shape), lift(entry.index)))
        elif isinstance(entry, ArrayOperators):
            arrays.append((len(shape), entry))
        shape.append(1 if adds else spans[-1].count)
    return Reading(spans, source, result, shape, turned, arrays, _place(_with_ellipsis_filled(x, listed)))


def _with_ellipsis_filled(x: Any, listed: Sequence[Any]) -> list[Any]:
    """The entries with a slice for each dim that none is given for, behind the `...`, which stays."""
    taken = sum(not (entry is None or entry is ... or isinstance(entry, _Taken)) for entry in listed)
    if taken > x.ndim:
        raise WaxIndexError(f"{taken} indices for an array of shape {format_shape(x.shape)}, which has {x.ndim} dims")
    dots = [place for place, entry in enumerate(listed) if entry is ...]
    if len(dots) > 1:
        raise WaxIndexError("an index can have one `...`")
    at = dots[0] + 1 if dots else len(listed)
    return [*listed[:at], *[slice(None)] * (x.ndim - taken), *listed[at:]]


def _place(entries: Sequence[Any]) -> int:
    """Where among the other dims those of arrays go. An integer counts as an array; `...` sets apart even if empty."""
    straight = [entry is None or entry is ... or isinstance(entry, slice) for entry in entries]
    if False not in straight:
        return 0
    start = straight.index(False)
    together = False not in straight[start + straight[start:].count(False) :]
    return sum(entry is not ... for entry in entries[:start]) if together else 0


# Masks.


def is_mask(entry: Any) -> bool:
    """Whether an entry of a key is an array of booleans, traced or not."""
    return isinstance(entry, np.ndarray | ArrayOperators) and entry.dtype == np.bool_


def settled(x: Any, key: Any) -> Any:
    """The key with each mask that is known now as the indices of its elements, and slices whose bounds are numbers.

    Raises `DataDependentShapeError` for one that is traced, `WaxIndexError` for one of other sizes than `x`.
    """
    entries = key if isinstance(key, tuple) else (key,)
    listed = [np.asarray(entry) if isinstance(entry, list | bool | np.bool_) else entry for entry in entries]
    written: list[Any] = []
    for place, entry in enumerate(listed):
        if isinstance(entry, slice):
            written.append(slice(*(_settled(bound) for bound in (entry.start, entry.stop, entry.step))))
        elif not is_mask(entry):
            written.append(entries[place])
        elif not isinstance(entry, np.ndarray | Array):
            raise DataDependentShapeError(
                f"a boolean mask of shape {format_shape(entry.shape)} gives a shape that depends on the data; use "
                f"wnp.where(mask, x, other), which keeps the shape, or x[wnp.nonzero(mask, size=…, fill_value=…)]"
            )
        elif entry.ndim:
            _check_mask(x, entry, listed, place)
            written += [index.astype(np.int32 if entry.size < 2**31 else np.int64) for index in np.nonzero(entry)]
        else:
            written.append(bool(entry))
    return tuple(written) if len(written) != 1 else written[0]


def _check_mask(x: Any, mask: Any, listed: Sequence[Any], place: int) -> None:
    """Raises `WaxIndexError` where a mask's dims have neither the sizes of those that it stands for, nor none."""
    shape = np.shape(x)

    def taken(entries: Sequence[Any]) -> int:
        return sum(0 if e is None or e is ... else e.ndim if is_mask(e) else 1 for e in entries)

    after_dots = any(entry is ... for entry in listed[:place])
    first = len(shape) - taken(listed[place:]) if after_dots else taken(listed[:place])
    found = shape[max(first, 0) : max(first + mask.ndim, 0)]
    if len(found) == mask.ndim and not all(
        size == 0 or same(size, own) for size, own in zip(mask.shape, found, strict=True)
    ):
        raise WaxIndexError(
            f"a boolean mask of shape {format_shape(mask.shape)} for dims of shape {format_shape(found)}, in an array "
            f"of shape {format_shape(shape)}; the sizes of a mask are those of the dims that it stands for"
        )


def _settled(bound: Any) -> Any:
    return operator.index(bound) if isinstance(bound, Array | np.ndarray | np.integer) else bound


# Entries.


def _entry(x: Any, entry: Any) -> Any:
    if entry is None or entry is ... or isinstance(entry, slice):
        return entry
    if isinstance(entry, bool):
        return _Taken(np.zeros(int(entry), np.int32))
    if isinstance(entry, int | np.integer):
        return int(entry)
    if isinstance(entry, DimExpr):
        return basis.dimension_value(entry, dtypes.default_int)
    if isinstance(entry, list):
        entry = np.asarray(entry if entry else np.zeros(0, np.int32))
    if not isinstance(entry, ArrayOperators | np.ndarray):
        raise WaxIndexError(
            f"a {type(entry).__name__} is no index; an index is an integer, a slice, ..., None, an array of integers "
            f"or a mask"
        )
    index = lift(entry)
    if dtypes.kind(index.dtype) not in ("int", "uint"):
        raise WaxIndexError(f"an array of {index.dtype} is no index; convert it with .astype(wnp.int32)")
    return index


def _span_of(x: Any, entry: Any, axis: int) -> _Span:
    """What an entry takes of its axis; all of it, where it is an array."""
    if isinstance(entry, slice):
        return _sliced(x, entry, axis)
    if isinstance(entry, int):
        return _Span(_offset(x, entry, axis), 1, 1)
    return _Span(0, x.shape[axis], 1)


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
