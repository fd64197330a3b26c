"""One side of a rule, its pattern or its replacement: a Python function, traced for certain shapes and dtypes into the
dialect and brought to the form in which programs are matched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wax import _native, _source, primitives, tree
from wax._canonical import canonical
from wax._tracing import TracedFunction, trace_function
from wax.abstract import Abstract
from wax.dims import Size
from wax.rules._graph import Graph

__all__ = ["Side", "sizes_of"]


class Side:
    """A traced pattern or replacement. Raises what the function raises, such as `ShapeError`."""

    def __init__(
        self,
        function: Callable[..., Any],
        names: Sequence[str],
        arguments: Sequence[Abstract],
        order: Sequence[int],
        transposed: dict[int, tuple[int, ...]] | None = None,
    ) -> None:
        """The function takes the arguments numbered `order`, those in `transposed` permuted."""

        def call(tracers: Sequence[Any]) -> Any:
            seen = [
                primitives.permute(x, transposed[i]) if transposed and i in transposed else x
                for i, x in enumerate(tracers)
            ]
            return function(*[seen[i] for i in order])

        structure = tree.flatten((tuple(range(len(arguments))), {}))[1]
        self.traced: TracedFunction = trace_function(
            call, _source.name_of(function), arguments, names, structure, location=_source.definition(function)
        )
        self._module: _native.Module | None = None
        self._graph: Graph | None = None

    @property
    def results(self) -> list[Abstract]:
        """What the function returns, leaf by leaf."""
        return [Abstract(shape, dtype) for shape, dtype in self.traced.results]

    @property
    def module(self) -> _native.Module:
        """The canonical module."""
        if self._module is None:
            self._module = canonical(self.traced.function)
        return self._module

    @property
    def graph(self) -> Graph:
        """The canonical module as data."""
        if self._graph is None:
            snapshot = self.module.snapshot()
            sizes = sizes_of(self.module, self.traced)
            self._graph = Graph(snapshot.functions[snapshot.entry], sizes)
        return self._graph


def sizes_of(module: _native.Module, traced: TracedFunction) -> list[tuple[Size | None, ...]]:
    """The sizes of each value of a function, by its number, in the words of its arguments' dims; of an index value,
    the value. `None` for what only the running program knows.
    """

    def size(expr: Any) -> Size | None:
        match expr:
            case int():
                return expr
            case ("dim", int(value), int(axis)) if value < len(traced.arguments):
                return traced.arguments[value].shape[axis]
            case (str(op), lhs, rhs) if op not in ("dim", "index"):
                left, right = size(lhs), size(rhs)
                if left is None or right is None:
                    return None
                return {
                    "+": lambda: left + right,
                    "*": lambda: left * right,
                    "floordiv": lambda: left // right,
                    "mod": lambda: left % right,
                }[op]()
            case _:
                return None

    return [tuple([size(expr) for expr in shape]) for shape in module.sizes()]
