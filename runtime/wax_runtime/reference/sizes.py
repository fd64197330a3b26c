"""Sizes that types leave open: reading them from a frame, and refusing those that do not fit.

The native layer has already proved or refuted all that types can say. What is left is checked here while a
program runs, and only that: an operation of static types has no check at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wax_runtime.errors import CheckError
from wax_runtime.snapshot import Operation

__all__ = ["Frame", "equal_sizes", "mixed_sizes", "violation"]

#: The values of one call of a function, by value number.
Frame = list[Any]


def violation(operation: Operation, label: str, what: str) -> CheckError:
    """The error for a constraint that does not hold, at the user's line."""
    place = operation.location
    location = None if place is None else (place.file, place.line, place.column)
    return CheckError(f"'{operation.name}' op [{label}] {what}", location=location)


def mixed_sizes(static: Sequence[int | None], values: Sequence[int]) -> Callable[[Frame], tuple[int, ...]]:
    """Reads sizes, or offsets, of which each `None` is the next of `values`."""
    constant = tuple(entry for entry in static if entry is not None)
    if len(constant) == len(static):
        return lambda frame: constant
    following = iter(values)
    entries = tuple((True, next(following)) if entry is None else (False, entry) for entry in static)
    return lambda frame: tuple([frame[entry] if is_value else entry for is_value, entry in entries])


def equal_sizes(
    operation: Operation, label: str, places: Sequence[tuple[int, int]], why: str
) -> Callable[[Frame], None]:
    """A check that dims of operands, `(operand number, dim)` each, have one size in a call."""
    (first, first_dim), *others = places
    values = operation.operands

    def check(frame: Frame) -> None:
        size = frame[values[first]].shape[first_dim]
        for operand, dim in others:
            other = frame[values[operand]].shape[dim]
            if other != size:
                raise violation(
                    operation,
                    label,
                    f"operand {operand} dim {dim} has size {other}, but operand {first} dim {first_dim}, {why}, "
                    f"has size {size}",
                )

    return check
