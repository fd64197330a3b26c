"""A user's function as it is differentiated: traced, and called together with its derivatives.

The function is traced on its own inside of the trace that asks for its derivative; what it captures becomes hidden
operands. The dialect makes the derivative function of it (`_native.differentiate`), which is then called. Outside
of any trace such a program runs at once, on the reference backend.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from wax import _native, _source, dtypes, eager, primitives, tree
from wax._trace import current, is_tracing
from wax._tracing import TracedFunction, traced_like
from wax.dims import Size, format_shape
from wax.errors import DifferentiationError, InvalidArgumentError, Location, TraceError
from wax.tracer import Tracer

__all__ = [
    "Primal",
    "Spec",
    "derivative_leaves",
    "is_inexact",
    "leaves_of",
    "located",
    "matching",
    "out_trees",
    "positions",
    "run",
    "trace_by_all",
    "trace_primal",
]

_FLOATS = ("float", "complex")


def is_inexact(dtype: np.dtype[Any]) -> bool:
    """Whether values of a dtype have derivatives."""
    return dtypes.kind(dtype) in _FLOATS


def run(body: Callable[[Sequence[Any]], Any], leaves: Sequence[Any]) -> Any:
    """What `body` returns for tracers of the leaves: part of the current trace, or at once."""

    def program(values: Sequence[Any]) -> Any:
        trace = current()
        return body([trace.lift(value) for value in values])

    return (
        program(leaves) if is_tracing() else eager.run(program, (list(leaves),), {}, dynamic_scalars=True, keep=False)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Primal:
    """A traced function, its operands in the current trace, and those that are differentiated by."""

    traced: TracedFunction
    operands: tuple[Tracer, ...]
    active: tuple[int, ...]

    @property
    def results(self) -> tuple[int, ...]:
        """The places of the results that have derivatives."""
        return tuple(i for i, (_, dtype) in enumerate(self.traced.results) if is_inexact(dtype))

    def call(self) -> tuple[Tracer, ...]:
        """The results."""
        return primitives.call(self.traced, self.operands)

    def reverse(self, results: Sequence[int]) -> TracedFunction:
        """`(operands…, cotangents of results…) -> (results…, cotangents of active operands…)`."""
        return self._derived(False, results, [self.operands[i] for i in self.active])

    def forward(self, results: Sequence[int]) -> TracedFunction:
        """`(operands…, tangents of active operands…) -> (results…, tangents of results…)`."""
        return self._derived(True, results, [Spec(*self.traced.results[i]) for i in results])

    def _derived(self, forward: bool, results: Sequence[int], likes: Sequence[Any]) -> TracedFunction:
        with located():
            function = _native.differentiate(self.traced.function, forward, self.active, results)
        return dataclasses.replace(
            self.traced,
            function=function,
            results=(*self.traced.results, *((x.shape, x.dtype) for x in likes)),
            # About as much again, and what is kept is read once more.
            work=self.traced.work * 3,
        )


@dataclass(frozen=True, slots=True)
class Spec:
    """A shape and a dtype, of which a tracer may not be kept."""

    shape: tuple[Size, ...]
    dtype: np.dtype[Any]


def trace_primal(
    function: Callable[..., Any], call: Callable[[Sequence[Any]], Any], tracers: Sequence[Tracer], active: Sequence[int]
) -> Primal:
    """Traces a user's function, which `call` calls with flat leaves, for tracers of the current trace."""
    trace = current()
    operands = [primitives.strengthen(x) if i in active else x for i, x in enumerate(tracers)]
    traced = traced_like(call, _source.name_of(function), operands, _source.definition(function))
    hidden = [trace.lift(captured) for captured in traced.captured]
    return Primal(traced, (*operands, *hidden), tuple(active))


def trace_by_all(function: Callable[..., Any], in_tree: tree.Structure, tracers: Sequence[Tracer]) -> Primal:
    """Traces a function of positional arguments, to be differentiated by all that have derivatives."""
    active = [i for i, x in enumerate(tracers) if is_inexact(x.dtype)]
    return trace_primal(function, lambda inner: function(*tree.unflatten(in_tree, inner)), tracers, active)


_PLACE = re.compile(r"^(.*):(\d+):(\d+): (.*)$", re.DOTALL)


@contextmanager
def located(kind: type[TraceError] = DifferentiationError) -> Iterator[None]:
    """Makes of what the dialect says an error of a kind, at the user's line."""
    try:
        yield
    except _native.DialectError as error:
        found = _PLACE.match(str(error))
        if found is None:
            raise kind(str(error)) from None
        file, line, column, message = found.groups()
        raise kind(message, location=Location(file, int(line), int(column))) from None


# Arguments.


def positions(name: str, what: str, numbers: int | Sequence[int], count: int) -> tuple[int, ...]:
    """Argument numbers, counted from the front. Raises `InvalidArgumentError`."""
    listed = (numbers,) if isinstance(numbers, int) else tuple(numbers)
    found = tuple(number + count if isinstance(number, int) and number < 0 else number for number in listed)
    if not all(isinstance(number, int) and 0 <= number < count for number in found) or len(set(found)) != len(found):
        raise InvalidArgumentError(f"{name}: {what} is {numbers!r}, and there are {count} positional arguments")
    return found


def leaves_of(name: str, what: str, given: Any, structure: tree.Structure) -> list[Any]:
    """The leaves of tangents or cotangents, where `None` may stand for one. Raises `DifferentiationError`."""
    try:
        return structure.flatten_up_to(given)
    except ValueError as error:
        raise DifferentiationError(
            f"{name}: the {what} have another structure than what they belong to: {error}"
        ) from None


def out_trees(name: str, structure: tree.Structure, has_aux: bool) -> tuple[tree.Structure, tree.Structure | None]:
    """The structures of what is differentiated, and of what is not. Raises `DifferentiationError`."""
    if not has_aux:
        return structure, None
    if structure.type is not tuple or structure.num_children != 2:
        raise DifferentiationError(f"{name}: with has_aux=True the function returns a pair, (value, auxiliary)")
    value, auxiliary = structure.children()
    return value, auxiliary


def matching(name: str, what: str, given: Any, structure: tree.Structure, likes: Sequence[Any]) -> list[Any]:
    """The leaves of tangents or cotangents, `None` for values that have none. Raises `DifferentiationError`.

    They have the structure, shapes and dtypes of what they belong to; `None` may stand for a leaf.
    """
    checked = []
    for leaf, like in zip(leaves_of(name, what, given, structure), likes, strict=True):
        if leaf is None or not is_inexact(like.dtype):
            checked.append(None)
            continue
        dtype, shape = _leaf_spec(leaf, like.dtype)
        if shape != tuple(like.shape) or dtype != like.dtype:
            raise DifferentiationError(
                f"{name}: one of the {what} is {dtype.name}{format_shape(shape)}, "
                f"and belongs to {like.dtype.name}{format_shape(like.shape)}; they have one shape and dtype"
            )
        checked.append(leaf)
    return checked


def _leaf_spec(leaf: Any, like: np.dtype[Any]) -> tuple[np.dtype[Any], tuple[Size, ...]]:
    if isinstance(leaf, bool | int | float | complex) and not isinstance(leaf, np.generic):
        return like, ()
    if isinstance(leaf, Tracer):
        return (like if leaf.weak else leaf.dtype), leaf.shape
    from wax.array import as_array

    array = as_array(leaf)
    return array.dtype, array.shape


def derivative_leaves(leaves: Sequence[Any], likes: Sequence[Any]) -> list[Any]:
    """Tangents or cotangents as tracers of the current trace, zeros for `None`; those without derivative left out."""
    from wax.numpy import zeros
    from wax.numpy._basis import cast

    trace = current()
    found = []
    for leaf, like in zip(leaves, likes, strict=True):
        if is_inexact(like.dtype):
            found.append(zeros(like.shape, dtype=like.dtype) if leaf is None else cast(trace.lift(leaf), like.dtype))
    return found
