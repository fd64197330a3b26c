"""The sizes of a program's values, where those of its open dims are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wax._tracing import TracedFunction
from wax.cost._operations import Value
from wax.dims import Size
from wax.errors import InvalidArgumentError, Location
from wax_runtime.snapshot import Function

__all__ = ["Sizes", "check_sizes"]

_OPERATORS = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}


def check_sizes(function: TracedFunction, sizes: Mapping[str, int]) -> dict[str, int]:
    """A size for each open dim of a function. Raises `InvalidArgumentError` where they are not what is declared."""
    dims = {dim.name: dim for dim in function.dims}
    if unknown := sizes.keys() - dims.keys():
        raise InvalidArgumentError(
            f"cost_analysis of {function.name!r}: sizes names {', '.join(sorted(unknown))}, and its open dims are "
            f"{', '.join(dims) or 'none'}"
        )
    if missing := dims.keys() - sizes.keys():
        example = ", ".join(f"{name!r}: 8" for name in sorted(missing))
        raise InvalidArgumentError(
            f"cost_analysis of {function.name!r}: its cost depends on {', '.join(sorted(missing))}; "
            f"give sizes={{{example}}}"
        )
    for name, size in sizes.items():
        dim = dims[name]
        if type(size) is not int or size < dim.min or (dim.max is not None and size > dim.max):
            most = "" if dim.max is None else f" and at most {dim.max}"
            raise InvalidArgumentError(
                f"cost_analysis of {function.name!r}: {name} is {size!r}, and must be an integer of at least "
                f"{dim.min}{most}"
            )
    return dict(sizes)


class Sizes:
    """The values of one function, by number."""

    def __init__(
        self,
        name: str,
        function: Function,
        expressions: Sequence[tuple[Any, ...]],
        arguments: Sequence[tuple[int, ...]],
        symbols: Mapping[str, int],
    ) -> None:
        self._symbols = symbols
        self._name, self._function, self._expressions, self._arguments = name, function, expressions, arguments
        self._values: dict[int, Value] = {}
        self._places = {value: operation.location for operation in function.operations for value in operation.results}

    def value(self, number: int) -> Value:
        """A value, with its sizes. Raises `InvalidArgumentError` for one whose sizes depend on elements."""
        found = self._values.get(number)
        if found is None:
            of = self._function.types[number]
            shape = tuple(self._evaluate(e) for e in self._expressions[number]) if of.shape else ()
            if None in shape:
                place = self._places.get(number)
                raise InvalidArgumentError(
                    f"cost_analysis of {self._name!r}: the sizes of {of} depend on elements, which only a call has",
                    location=place and Location(place.file, place.line, place.column),
                )
            found = self._values[number] = Value(shape, of)  # pyright: ignore[reportArgumentType]
        return found

    def index(self, number: int) -> int | None:
        """An index value; `None` where only the running program knows it."""
        (expression,) = self._expressions[number]
        return self._evaluate(expression)

    def size(self, size: Size) -> int:
        """A size in the words of the dims."""
        return size if isinstance(size, int) else int(size.evaluate(self._symbols))

    def _evaluate(self, expression: Any) -> int | None:
        match expression:
            case int():
                return expression
            case ("dim", int(value), int(axis)) if value < len(self._arguments):
                return self._arguments[value][axis]
            case (str(op), lhs, rhs) if op in _OPERATORS:
                left, right = self._evaluate(lhs), self._evaluate(rhs)
                return None if left is None or right is None else _OPERATORS[op](left, right)
            case _:
                return None
