"""What a rule sees of the program around its operation: values and sizes by their numbers, and errors with their place.

A program is written for one set of argument shapes. So all sizes are known while it is written: an index value is
a Python int wherever it follows from shapes and constants, and an `i64` value where it is computed from data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias

from wax_backend_xla.scalars import literal_element
from wax_backend_xla.writer import Value, Writer
from wax_runtime.errors import BackendError, CheckError
from wax_runtime.snapshot import Attribute, Function, Operation, as_sizes

__all__ = ["Known", "Rule", "Scope", "Written", "require", "violation"]

Known: TypeAlias = int  # `bool` too
#: What stands for a value of the program.
Written: TypeAlias = "Value | Known"
Rule: TypeAlias = "Callable[[Operation, Scope], Sequence[Written]]"


@dataclass(slots=True)
class Scope:
    """A function that is being written."""

    function: Function
    writer: Writer
    values: dict[int, Written]
    call: Callable[[str, Sequence[Written], Writer], Sequence[Written]]
    run: Callable[[Sequence[Operation], Scope], None]
    producers: Mapping[int, Operation] = field(default_factory=dict)

    def element(self, value: int) -> str:
        """A value's element type."""
        return literal_element(self.function.types[value].element)

    def value(self, value: int) -> Value:
        """A value of the program, as one of StableHLO."""
        written = self.values[value]
        return written if isinstance(written, Value) else self.writer.splat(written, (), self.element(value))

    def operands(self, operation: Operation) -> list[Value]:
        """All operands of an operation."""
        return [self.value(value) for value in operation.operands]

    def shape(self, value: int) -> tuple[int, ...]:
        """A value's shape, without writing it."""
        written = self.values[value]
        return written.shape if isinstance(written, Value) else ()

    def known(self, operation: Operation, value: int) -> Known:
        """A size. Raises `BackendError` for one that is computed from data."""
        written = self.values[value]
        if isinstance(written, Value):
            raise BackendError(
                f"'{operation.name}' has a size that is computed from data, and XLA's sizes are static",
                location=_place(operation),
            )
        return written

    def mixed(self, static: Attribute, values: Sequence[int]) -> list[Written]:
        """Offsets, of which each `None` is the next of `values`."""
        following = iter(values)
        return [self.values[next(following)] if entry is None else entry for entry in as_sizes(static)]

    def sizes(self, operation: Operation, static: Attribute, values: Sequence[int]) -> list[int]:
        """Sizes, of which each `None` is the next of `values`."""
        following = iter(values)
        return [self.known(operation, next(following)) if entry is None else entry for entry in as_sizes(static)]


def violation(operation: Operation, label: str, what: str) -> CheckError:
    """The error for a constraint that does not hold, at the user's line."""
    return CheckError(f"'{operation.name}' op [{label}] {what}", location=_place(operation))


def require(holds: bool, operation: Operation, label: str, what: str) -> None:
    """Raises `CheckError` for what types left open and the sizes of this call refute."""
    if not holds:
        refuse(operation, label, what)


def refuse(operation: Operation, label: str, what: str) -> NoReturn:
    """Raises the error of `violation`."""
    raise violation(operation, label, what)


def _place(operation: Operation) -> tuple[str, int, int] | None:
    place = operation.location
    return None if place is None else (place.file, place.line, place.column)
