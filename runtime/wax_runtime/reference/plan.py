"""How a function becomes one list of closures.

A `Rule` looks at one operation at plan time and answers with a `Step`: a closure that reads its operands
from a frame, the list of a call's values by number, and writes its results there. A `Pattern` looks at one
operation and those that feed it, and may claim them all with one step. All thinking happens in them, once;
running a function is going through its steps, and emptying each slot of the frame after its last use.

Values are immutable. So a step may answer with a view of its operand, a read-only one or not, and nobody
writes to an array that a step has put into a frame. An index value is a Python int; a tensor of rank 0 may
be a NumPy scalar, for that is what ufuncs return.

This module knows no operation: the tables are handed in (`rules.py` has this backend's).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from wax_runtime.errors import BackendError
from wax_runtime.reference.elements import Array, Element, element
from wax_runtime.reference.sizes import Frame
from wax_runtime.snapshot import Function, Module, Operation, Region

__all__ = ["Around", "Claim", "Pattern", "Rule", "Rules", "Scope", "Step", "bind", "build", "constant"]

Step: TypeAlias = Callable[[Frame], None]
Rule: TypeAlias = "Callable[[Operation, Scope], Step]"
Pattern: TypeAlias = "Callable[[Operation, Scope], Claim | None]"

#: What stands around a step that does some operations, the last of which gives the results.
Around: TypeAlias = "Callable[[Sequence[Operation], Step], Step]"

#: A function of a program: arrays in, arrays out.
Callee: TypeAlias = Callable[[Sequence[Any]], list[Any]]


@dataclass(frozen=True, slots=True)
class Claim:
    """A pattern's answer: what to do in place of an operation and of those `absorbed` by it."""

    step: Step
    inputs: tuple[int, ...]
    absorbed: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a backend of this kind can do: a rule for each operation, and patterns, the first that claims wins."""

    operations: Mapping[str, Rule]
    patterns: tuple[Pattern, ...] = ()


@dataclass(slots=True)
class Scope:
    """What a rule may ask about the function around its operation."""

    function: Function
    rules: Rules
    callee: Callable[[str], Callee]
    around: Around | None = None
    producers: Mapping[int, Operation] = field(init=False)
    uses: Mapping[int, int] = field(init=False)
    #: The block that each operation stands in, both by identity.
    homes: Mapping[int, int] = field(init=False)
    #: Values that are the same in every call; they stand in each frame from the start.
    constants: dict[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the function once, nested regions included."""
        producers: dict[int, Operation] = {}
        uses: dict[int, int] = {}
        homes = {id(operation): 0 for operation in self.function.operations}
        for operation in _walk(self.function.operations):
            homes.update((id(inner), id(region)) for region in operation.regions for inner in region.operations)
            producers.update((result, operation) for result in operation.results)
            for value in (*operation.operands, *(v for region in operation.regions for v in region.results)):
                uses[value] = uses.get(value, 0) + 1
        for value in self.function.results:
            uses[value] = uses.get(value, 0) + 1
        self.producers, self.uses, self.homes = producers, uses, homes

    def shape(self, value: int) -> tuple[int | None, ...]:
        """A value's static shape; `None` is a dynamic dim."""
        return self.function.types[value].shape

    def element(self, value: int) -> Element:
        """A value's element type."""
        return element(self.function.types[value].element)

    def sole_producer(self, user: Operation, value: int, name: str) -> Operation | None:
        """The operation of that name that makes `value`, if it stands in the user's block and has no other user."""
        producer = self.producers.get(value)
        if producer is None or producer.name != name or self.uses[value] != 1:
            return None
        return producer if self.homes[id(producer)] == self.homes[id(user)] else None

    def block(self, region: Region) -> Step:
        """A nested region, as a step on the same frame. It leaves its results in the frame."""
        defined = {*region.arguments, *(v for operation in region.operations for v in operation.results)}
        return _sequence(_schedule(region.operations, region.results, self, freeable=defined))


def bind(function: Callable[..., Any], inputs: Sequence[int], outputs: Sequence[int]) -> Step:
    """A step that calls a function of the operands' values; a tuple of results when there are several."""
    if len(outputs) != 1:
        return _bind_several(function, tuple(inputs), tuple(outputs))
    (output,) = outputs
    match tuple(inputs):
        case (a,):

            def unary(frame: Frame) -> None:
                frame[output] = function(frame[a])

            return unary
        case (a, b):

            def binary(frame: Frame) -> None:
                frame[output] = function(frame[a], frame[b])

            return binary
        case values:

            def general(frame: Frame) -> None:
                frame[output] = function(*[frame[v] for v in values])

            return general


def _bind_several(function: Callable[..., Any], inputs: tuple[int, ...], outputs: tuple[int, ...]) -> Step:
    def several(frame: Frame) -> None:
        for output, value in zip(outputs, function(*[frame[v] for v in inputs]), strict=True):
            frame[output] = value

    return several


def build(module: Module, rules: Rules, around: Around | None = None) -> Callable[[Sequence[Array]], list[Array]]:
    """A program's entry function, on arrays of the signed dtypes that `elements.py` says.

    `around` makes other steps of steps, such as ones that are measured. Raises `BackendError` for an operation without
    a rule. The result raises `CheckError`, and never lets a NumPy warning out. It may be called from several threads at
    once.
    """
    functions: dict[str, Callee] = {}

    def callee(name: str) -> Callee:
        if name not in functions:
            functions[name] = _build_function(module.functions[name], rules, callee, around)
        return functions[name]

    entry = callee(module.entry)
    ignore, asarray = np.errstate, np.asarray

    def run(arguments: Sequence[Array]) -> list[Array]:
        with ignore(all="ignore"):
            return [asarray(result) for result in entry(arguments)]

    return run


def _build_function(function: Function, rules: Rules, callee: Callable[[str], Callee], around: Around | None) -> Callee:
    scope = Scope(function, rules, callee, around)
    values = range(len(function.types))
    plan = _schedule(function.operations, function.results, scope, freeable=values)
    count, results = len(function.arguments), function.results
    template = [scope.constants.get(value) for value in values]

    def call(arguments: Sequence[Any]) -> list[Any]:
        frame = template.copy()
        frame[:count] = arguments
        for step, dead in plan:
            step(frame)
            for value in dead:
                frame[value] = None
        return [frame[value] for value in results]

    return call


#: Steps in order, each with the values that nobody reads after it.
_Plan: TypeAlias = list[tuple[Step, tuple[int, ...]]]


def _sequence(plan: _Plan) -> Step:
    def run(frame: Frame) -> None:
        for step, dead in plan:
            step(frame)
            for value in dead:
                frame[value] = None

    return run


def _schedule(
    operations: Sequence[Operation], results: Sequence[int], scope: Scope, freeable: Collection[int]
) -> _Plan:
    """Steps for a block. Values outside `freeable` belong to the blocks around, and are not emptied here."""
    absorbed: set[int] = set()
    backwards: list[tuple[Step, set[int]]] = []
    live = set(results)
    # From the end, so that what a pattern absorbs is known before it is reached, and last uses are met first.
    for operation in reversed(operations):
        # Operations are pure, but for checks, which have no results: one whose results nobody reads is left out.
        if id(operation) in absorbed or (operation.results and live.isdisjoint(operation.results)):
            continue
        claim = _claim(operation, scope)
        if claim is None:
            step, inputs, done = _apply_rule(operation, scope), _inputs(operation), (operation,)
        else:
            step, inputs, done = claim.step, claim.inputs, (*claim.absorbed, operation)
            absorbed.update(id(other) for other in claim.absorbed)
        if step is not _NOTHING:
            if scope.around is not None:
                step = scope.around(done, step)
            backwards.append((step, {v for v in (*inputs, *operation.results) if v not in live and v in freeable}))
        live.difference_update(operation.results)
        live.update(inputs)
    # What stands in the frame from the start is there for the next turn of a loop too.
    return [(step, tuple(sorted(dead - scope.constants.keys()))) for step, dead in reversed(backwards)]


def _nothing(frame: Frame) -> None:
    """The step of an operation whose results stand in the frame from the start."""


_NOTHING: Step = _nothing


def constant(operation: Operation, scope: Scope, value: Any) -> Step:
    """The step of an operation with one result that is the same in every call."""
    (result,) = operation.results
    scope.constants[result] = value
    return _NOTHING


def _claim(operation: Operation, scope: Scope) -> Claim | None:
    for pattern in scope.rules.patterns:
        claim = pattern(operation, scope)
        if claim is not None:
            return claim
    return None


def _apply_rule(operation: Operation, scope: Scope) -> Step:
    place = operation.location
    location = None if place is None else (place.file, place.line, place.column)
    rule = scope.rules.operations.get(operation.name)
    if rule is None:
        raise BackendError(f"the reference backend has no rule for the operation {operation.name}", location=location)
    try:
        return rule(operation, scope)
    except BackendError as error:
        raise BackendError(f"{operation.name}: {error.message}", location=location) from error


def _walk(operations: Iterable[Operation]) -> Iterable[Operation]:
    for operation in operations:
        yield operation
        for region in operation.regions:
            yield from _walk(region.operations)


def _inputs(operation: Operation) -> tuple[int, ...]:
    """What an operation reads: its operands, and what its regions capture."""
    if not operation.regions:
        return operation.operands
    inner = [other for region in operation.regions for other in _walk(region.operations)]
    regions = [*operation.regions, *(region for other in inner for region in other.regions)]
    defined = {v for region in regions for v in region.arguments} | {v for other in inner for v in other.results}
    read = {v for other in inner for v in other.operands} | {v for region in regions for v in region.results}
    return (*operation.operands, *sorted(read - defined))
