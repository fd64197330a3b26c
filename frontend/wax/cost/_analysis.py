"""The cost of a whole program: its operations, how often each is done, and the memory that is held meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from wax import _native
from wax._compile import inlined
from wax._table import short_place, table
from wax._tracing import TracedFunction
from wax.cost._memory import peak
from wax.cost._operations import FREE, Cost, cost_of
from wax.cost._sizes import Sizes, check_sizes
from wax_runtime.snapshot import Function, Location, Operation
from wax_runtime.symbols import evaluate

__all__ = ["CostAnalysis", "OperationCost", "analyze", "rows_of", "sizes_in"]


@dataclass(frozen=True, slots=True)
class OperationCost:
    """What one operation does in all of a call.

    `name` is the operation's, with `+` between those that are done as one; `location` is the user's line; `operands`
    and `results` are types with their sizes. It is done `count` times, as loops say; the other numbers are for all of
    them.
    """

    name: str
    location: Location | None
    operands: tuple[str, ...]
    results: tuple[str, ...]
    count: int
    flops: int
    transcendentals: int
    integer_operations: int
    bytes_accessed: int


@dataclass(frozen=True, slots=True)
class CostAnalysis:
    """What a call of a program does, counted from its operations. Made by `cost_analysis` of `Lowered` and `Compiled`.

    `flops` are additions, products, quotients, comparisons and their like on floats, complex ones as the real ones they
    are made of; `transcendentals` all other functions of floats; `integer_operations` the arithmetic of integers.
    `bytes_accessed` are those that operations read and write, each done alone, but for products that are summed at
    once and updates, which are done in place. `temporary_bytes` is the most that values which are neither argument nor
    result take at any time. `notes` say what was assumed of branches and loops. docs/inspect.md has each operation's
    formula.

    `str` gives a table; `as_dict` has the names that JAX has.
    """

    function: str
    flops: int
    transcendentals: int
    integer_operations: int
    bytes_accessed: int
    argument_bytes: int
    output_bytes: int
    temporary_bytes: int
    operations: tuple[OperationCost, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, float]:
        """The totals by the names of `jax.stages.Compiled.cost_analysis`."""
        return {
            "flops": float(self.flops),
            "transcendentals": float(self.transcendentals),
            "bytes accessed": float(self.bytes_accessed),
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterable[str]:
        head = ("line", "operation", "result", "times", "flops", "transcendentals", "integer ops", "bytes")
        rows = [
            (
                short_place(one.location),
                one.name.replace("wax.", ""),
                ", ".join(one.results),
                *(f"{n:,}" for n in (one.count, one.flops, one.transcendentals)),
                *(f"{n:,}" for n in (one.integer_operations, one.bytes_accessed)),
            )
            for one in self.operations
        ]
        totals = (self.flops, self.transcendentals, self.integer_operations, self.bytes_accessed)
        yield from table(head, [*rows, ("", self.function, "", "", *(f"{n:,}" for n in totals))], numbers=5)
        yield (
            f"arguments {self.argument_bytes:,} bytes, results {self.output_bytes:,} bytes, "
            f"at most {self.temporary_bytes:,} bytes between"
        )
        yield from self.notes


def analyze(function: TracedFunction, sizes: Mapping[str, int] | None = None) -> CostAnalysis:
    """What a function does, of which open dims have these sizes, by name.

    Raises `InvalidArgumentError` for a dim without a size, for sizes that the dims do not have, and for a program of
    which sizes depend on elements.
    """
    module = inlined(function)
    snapshot = module.snapshot()
    entry = snapshot.functions[snapshot.entry]
    known = sizes_in(function, module, entry, sizes or {})
    counter = _Counter(entry, known)
    rows, notes = counter.block(entry.operations, 1)
    return CostAnalysis(
        function.name,
        sum(row.flops for row in rows),
        sum(row.transcendentals for row in rows),
        sum(row.integer_operations for row in rows),
        sum(row.bytes_accessed for row in rows),
        sum(known.value(v).bytes for v in entry.arguments),
        sum(known.value(v).bytes for v in entry.results),
        peak(entry, known, counter.absorbed),
        tuple(rows),
        tuple(dict.fromkeys(notes)),
    )


def sizes_in(function: TracedFunction, module: _native.Module, entry: Function, sizes: Mapping[str, int]) -> Sizes:
    """The sizes of the values of a module's entry, which a function was made to be, where open dims have these.

    Raises `InvalidArgumentError` for a dim without a size, and for sizes that the dims do not have.
    """
    symbols = check_sizes(function, sizes)
    shapes = [tuple(evaluate(size, symbols) for size in a.shape) for a in function.signature.arguments]
    return Sizes(function.name, entry, module.sizes(), shapes, symbols)


def rows_of(function: Function, sizes: Sizes, operations: Sequence[Operation]) -> list[OperationCost]:
    """What some operations of a function do, those of one block, once. Raises `InvalidArgumentError` for a value of
    which sizes depend on elements.
    """
    return _Counter(function, sizes).block(operations, 1)[0]


_Counted: TypeAlias = tuple[list[OperationCost], list[str]]


class _Counter:
    """Goes through a function's blocks."""

    def __init__(self, function: Function, sizes: Sizes) -> None:
        self._function, self._sizes = function, sizes
        self._readers = _readers(function)
        #: Operations that are done as a part of the only one that reads them.
        self.absorbed: set[int] = set()
        self._producers: dict[int, Operation] = {}

    def block(self, operations: Sequence[Operation], times: int) -> _Counted:
        """The costs of a block that is done so many times, and what was assumed."""
        for operation in operations:
            self._producers.update(dict.fromkeys(operation.results, operation))
        merged = {id(operation): self._products(operation, operations) for operation in operations}
        rows: list[OperationCost] = []
        notes: list[str] = []
        for operation in operations:
            if operation.regions:
                inner, said = self._regions(operation, times)
                rows += inner
                notes += said
            elif id(operation) not in self.absorbed and _does_something(operation):
                rows.append(self._row(operation, merged[id(operation)], times))
        return rows, notes

    def _products(self, operation: Operation, block: Sequence[Operation]) -> Operation | None:
        """What computes the elements of a sum or the like, if nobody else reads them: they are never set up."""
        if operation.name != "wax.reduce" or operation.segments[0] != 1:
            return None
        producer = self._producers.get(operation.operands[0])
        if (
            producer is None
            or producer.name not in ("wax.broadcast", "wax.map")
            or self._readers[producer.results[0]] != 1
            or not any(producer is other for other in block)
        ):
            return None
        self.absorbed.add(id(producer))
        return producer

    def _row(self, operation: Operation, producer: Operation | None, times: int) -> OperationCost:
        cost, operands = self._cost(operation), operation.operands
        name = operation.name
        if producer is not None:
            made = self._cost(producer)
            # What it makes is neither written nor read.
            read = made.bytes_read + cost.bytes_read - made.bytes_written
            cost = Cost(made.arithmetic + cost.arithmetic, read, cost.bytes_written)
            operands = (*producer.operands, *operands[1:])
            name = f"{producer.name} + {name}"
        return OperationCost(
            name,
            operation.location,
            tuple(self._type(v) for v in operands),
            tuple(self._type(v) for v in operation.results),
            times,
            cost.arithmetic.flops * times,
            cost.arithmetic.transcendentals * times,
            cost.arithmetic.integer_operations * times,
            (cost.bytes_read + cost.bytes_written) * times,
        )

    def _cost(self, operation: Operation) -> Cost:
        value = self._sizes.value
        return cost_of(operation, [value(v) for v in operation.operands], [value(v) for v in operation.results])

    def _type(self, value: int) -> str:
        known = self._sizes.value(value)
        return f"{known.type.element}[{', '.join(map(str, known.shape))}]"

    def _regions(self, operation: Operation, times: int) -> _Counted:
        if operation.name == "scf.for":
            turns = self._turns(operation)
            if turns is None:
                return self._once(operation, times, "one turn is counted of a loop whose turns depend on elements")
            return self.block(operation.regions[0].operations, times * turns)
        if operation.name == "scf.if":
            counted = [self.block(region.operations, times) for region in operation.regions]
            rows, notes = max(counted, key=lambda one: _weight(one[0]))
            return rows, [f"{_place(operation)}the dearer one of two branches is counted", *notes]
        if operation.name == "scf.while":
            return self._once(operation, times, "one turn is counted of a while loop")
        raise AssertionError(f"{operation.name} has regions, and nobody says how often they are done")

    def _once(self, operation: Operation, times: int, note: str) -> _Counted:
        rows: list[OperationCost] = []
        notes = [f"{_place(operation)}{note}"]
        for region in operation.regions:
            inner, said = self.block(region.operations, times)
            rows += inner
            notes += said
        return rows, notes

    def _turns(self, loop: Operation) -> int | None:
        low, high, step = (self._sizes.index(v) for v in loop.operands[:3])
        return None if low is None or high is None or not step else max(0, -((low - high) // step))


def _does_something(operation: Operation) -> bool:
    return operation.name.startswith("wax.") and operation.name not in FREE


def _weight(rows: Sequence[OperationCost]) -> tuple[int, int]:
    return sum(row.flops + row.transcendentals for row in rows), sum(row.bytes_accessed for row in rows)


def _place(operation: Operation) -> str:
    return "" if operation.location is None else f"{operation.location}: "


def _readers(function: Function) -> dict[int, int]:
    """By value, how often it is read."""
    count: dict[int, int] = {}

    def visit(operations: Iterable[Operation], results: Sequence[int]) -> None:
        for operation in operations:
            for value in operation.operands:
                count[value] = count.get(value, 0) + 1
            for region in operation.regions:
                visit(region.operations, region.results)
        for value in results:
            count[value] = count.get(value, 0) + 1

    visit(function.operations, function.results)
    return count
