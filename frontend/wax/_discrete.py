"""Whether what a program decides depends on how floats are rounded, which differs between backends.

Sums, products and functions of floats are rounded, and a compiler may do it elsewhere than NumPy does: it sums in
another order, and multiplies and adds at once. That stays small, until something discrete is made of it: an integer or
a boolean, as by a comparison, `argmax` or `astype`. Such a value may not be a result, nor an index, nor decide a branch
or a loop. Selections between floats (`where`, `relu`), and what rounds to a float, are allowed: they are as exact as
the function is smooth.

What is exact of exact floats is not counted as rounding: extremes, comparisons, signs, conversions, rounding to whole
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wax._compile import inlined
from wax._tracing import TracedFunction
from wax.errors import DiscreteResultError, Location
from wax_runtime.snapshot import Apply, Argument, Function, Kernel, Operation, Scalar

__all__ = ["check_discrete"]

#: Operations on floats that give the same everywhere.
_EXACT_ARITH = frozenset({"cmpf", "maximumf", "minimumf", "maxnumf", "minnumf", "negf", "extf", "truncf"})
_EXACT_MATH = frozenset(
    {"absf", "absi", "ceil", "copysign", "ctlz", "ctpop", "cttz", "floor", "ipowi", "isfinite", "isinf", "isnan"}
) | frozenset({"isnormal", "round", "roundeven", "trunc", "clampf"})
_EXACT_COMPLEX = frozenset({"create", "re", "im", "conj", "neg", "eq", "neq", "constant", "bitcast"})

#: Which operands of an operation are places, from which segment on.
_INDICES = {"wax.gather": 1, "wax.scatter": 2, "wax.slice": 1, "wax.insert": 2}


def check_discrete(function: TracedFunction) -> None:
    """Raises `DiscreteResultError`, with the user's line, where a discrete value depends on how floats are rounded."""
    snapshot = inlined(function).snapshot()
    flow = _Flow(function.name, snapshot.functions[snapshot.entry])
    flow.check()


class _Flow:
    """Which values depend on rounding. A discrete one is kept with the operation that made it discrete."""

    def __init__(self, name: str, function: Function) -> None:
        self._name, self._function = name, function
        self._rounded: dict[int, Operation | None] = {}

    def check(self) -> None:
        self._block(self._function.operations)
        for place, value in enumerate(self._function.results):
            if value in self._rounded and self._is_discrete(value):
                self._refuse(f"its result {place}, {self._function.types[value]},", self._rounded[value])

    def _is_discrete(self, value: int) -> bool:
        return self._function.types[value].element.startswith("i")  # i1, i32, index …

    def _refuse(self, what: str, by: Operation | None) -> None:
        assert by is not None, "a discrete value has an operation that made it so"
        place = by.location
        raise DiscreteResultError(
            f"{self._name!r} cannot be tiered: {what} depends by {by.name} on how floats are rounded, so that calls "
            f"before and after it is compiled could differ; write tiered='always' where that may be",
            location=place and Location(place.file, place.line, place.column),
        )

    def _block(self, operations: Iterable[Operation]) -> None:
        for operation in operations:
            if operation.regions:
                self._regions(operation)
            elif operation.name != "tensor.dim":
                self._operation(operation)

    def _operation(self, operation: Operation) -> None:
        self._check_places(operation)
        for value, rounded in zip(operation.results, self._results(operation), strict=True):
            if rounded:
                self._note(value, operation, operation.operands)

    def _results(self, operation: Operation) -> list[bool]:
        """By result, whether it depends on rounding."""
        if operation.name in ("wax.map", "wax.broadcast"):
            (kernel,) = operation.kernels
            assert kernel is not None
            inputs = operation.operands[: operation.segments[0]]
            return [self._is_rounded(one, inputs) for one in kernel.results]
        inexact = any(value in self._rounded for value in operation.operands)
        inexact = inexact or any(_rounds(kernel) for kernel in operation.kernels if kernel is not None)
        if operation.name in ("wax.convolve", "wax.fft"):
            inexact = inexact or not self._is_discrete(operation.results[0])
        return [inexact] * len(operation.results)

    def _is_rounded(self, scalar: Scalar, inputs: Sequence[int]) -> bool:
        """Whether a kernel's result depends on rounding, within it or in what it is given."""
        return any(
            _is_inexact(one) if isinstance(one, Apply) else inputs[one.index] in self._rounded
            for one in _parts([scalar])
            if isinstance(one, Apply | Argument)
        )

    def _note(self, value: int, operation: Operation, sources: Iterable[int]) -> None:
        made = next((by for by in (self._rounded.get(v) for v in sources) if by is not None), None)
        if made is None and self._is_discrete(value):
            made = operation
        self._rounded[value] = made

    def _check_places(self, operation: Operation) -> None:
        first = _INDICES.get(operation.name)
        if first is None:
            return
        for value in operation.operands[sum(operation.segments[:first]) :]:
            if value in self._rounded:
                self._refuse(f"where {operation.name} reads or writes", self._rounded[value])

    def _regions(self, operation: Operation) -> None:
        if operation.name == "scf.if":
            self._decides(operation.operands[0], "which branch is taken")
            for region in operation.regions:
                self._block(region.operations)
                self._pass(operation, region.results, operation.results)
        elif operation.name == "scf.for":
            for value in operation.operands[:3]:
                self._decides(value, "how often a loop is done")
            (region,) = operation.regions
            self._pass(operation, operation.operands[3:], region.arguments[1:])
            self._until_settled(operation, [(region.results, region.arguments[1:])])
            self._pass(operation, region.results, operation.results)
            self._pass(operation, operation.operands[3:], operation.results)
        else:
            before, after = operation.regions
            self._pass(operation, operation.operands, before.arguments)
            self._until_settled(operation, [(before.results[1:], after.arguments), (after.results, before.arguments)])
            self._decides(before.results[0], "how often a loop is done")
            self._pass(operation, before.results[1:], operation.results)

    def _until_settled(self, operation: Operation, passed: list[tuple[Sequence[int], Sequence[int]]]) -> None:
        """Goes through a loop's body until no more is found to depend on rounding."""
        known = -1
        while known != len(self._rounded):
            known = len(self._rounded)
            for region, (sources, targets) in zip(operation.regions, passed, strict=True):
                self._block(region.operations)
                self._pass(operation, sources, targets)

    def _decides(self, value: int, what: str) -> None:
        if value in self._rounded:
            self._refuse(what, self._rounded[value])

    def _pass(self, operation: Operation, sources: Sequence[int], targets: Sequence[int]) -> None:
        for source, target in zip(sources, targets, strict=True):
            if source in self._rounded:
                self._note(target, operation, [source])


def _parts(results: Iterable[Scalar]) -> Iterable[Scalar]:
    """All of some expressions, each once."""
    seen: set[int] = set()
    waiting = list(results)
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, Apply):
            waiting.extend(one.operands)


def _rounds(kernel: Kernel) -> bool:
    return any(isinstance(one, Apply) and _is_inexact(one) for one in _parts(kernel.results))


def _is_inexact(apply: Apply) -> bool:
    dialect, _, name = apply.op.partition(".")
    if dialect == "arith":
        return name.endswith("f") and name not in _EXACT_ARITH
    if dialect == "math":
        return name not in _EXACT_MATH
    return dialect != "complex" or name not in _EXACT_COMPLEX
