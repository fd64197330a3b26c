"""Calls, branches and loops, and the scalar glue between operations: `func`, `scf`, `tensor`, `arith`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wax_backend_xla.scalars import apply_scalar
from wax_backend_xla.scope import Scope, Written, require
from wax_backend_xla.writer import Value
from wax_runtime.snapshot import Apply, Argument, Operation, Region

__all__ = [
    "call",
    "cast",
    "checkpoint",
    "constant",
    "dim",
    "extract",
    "for_",
    "from_elements",
    "if_",
    "scalar_operation",
    "while_",
]


def call(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A function of the program, written for these operands."""
    name = operation.attributes["callee"]
    assert isinstance(name, str)
    return scope.call(name.removeprefix("@"), [scope.values[v] for v in operation.operands], scope.writer)


def _block(region: Region, scope: Scope, arguments: Sequence[Written]) -> list[Value]:
    """A region's operations, written where the writer is, and what it yields."""
    scope.values.update(zip(region.arguments, arguments, strict=True))
    scope.run(region.operations, scope)
    return [scope.value(v) for v in region.results]


def checkpoint(operation: Operation, scope: Scope) -> Sequence[Written]:
    """What the body does. Where it computes again, XLA is kept from seeing that."""
    (region,) = operation.regions
    arguments = [scope.values[v] for v in operation.operands]
    if "recomputed" in operation.attributes and "mergeable" not in operation.attributes:
        values = [x for x in arguments if isinstance(x, Value)]
        kept = iter(scope.writer.several("optimization_barrier", values, [(x.shape, x.element) for x in values]))
        arguments = [next(kept) if isinstance(x, Value) else x for x in arguments]
    return _block(region, scope, arguments)


def if_(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A branch for each of the condition's values; of a known one only that branch."""
    branches = operation.regions
    condition = scope.values[operation.operands[0]]
    if not isinstance(condition, Value):
        index = 0 if condition else 1
        return _block(branches[index], scope, []) if index < len(branches) else []
    shapes: list[tuple[tuple[int, ...], str]] = []

    def body(region: Region) -> Callable[[list[Value]], Sequence[Value]]:
        def write(values: list[Value]) -> Sequence[Value]:
            made = _block(region, scope, [])
            shapes[:] = [(x.shape, x.element) for x in made]
            return made

        return write

    regions = [scope.writer.region([], body(region)) for region in branches]
    if len(regions) < 2:
        regions.append(scope.writer.region([], lambda values: []))
    return scope.writer.several("if", [condition], shapes, "", regions)


def for_(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A counted loop that carries values."""
    low, high, by, *starts = operation.operands
    (region,) = operation.regions
    limit, step = scope.values[high], scope.values[by]
    counter, *state = [scope.value(low), *(scope.value(v) for v in starts)]

    def test(values: list[Value]) -> Value:
        return values[0].compare("LT", limit)

    def body(values: list[Value]) -> Sequence[Value]:
        return [values[0] + step, *_block(region, scope, values)]

    _, *results = scope.writer.while_([counter, *state], test, body)
    return results


def while_(operation: Operation, scope: Scope) -> Sequence[Written]:
    """The first region yields a condition and what it passes on, the second what comes next.

    The condition is carried: so the first region is done once before the loop, and once a turn after the second.
    """
    before, after = operation.regions
    state = _block(before, scope, scope.operands(operation))

    def body(values: list[Value]) -> Sequence[Value]:
        return _block(before, scope, _block(after, scope, values[1:]))

    _, *results = scope.writer.while_(state, lambda values: values[0], body)
    return results


# Scalars and sizes.


def constant(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A scalar, or a tensor."""
    (result,) = operation.results
    element, value = scope.element(result), operation.attributes["value"]
    if isinstance(value, np.ndarray) and value.ndim:
        return [scope.writer.constant(value, element)]
    plain: Any = value.item() if isinstance(value, (np.ndarray, np.generic)) else value
    return [int(plain)] if element in _INTEGERS else [scope.writer.splat(plain, (), element)]


_INTEGERS = {"i1", "i8", "i16", "i32", "i64"}


def _to_zero(a: int, b: int) -> int:
    quotient = abs(a) // abs(b) if b else 0
    return quotient if (a < 0) == (b < 0) else -quotient


def _total(function: Callable[[int, int], int]) -> Callable[[int, int], int]:
    return lambda a, b: function(a, b) if b else 0


#: What follows from known integers is known. The sizes of a program stay far from where 64 bits wrap.
_FOLDED: dict[str, Callable[..., int]] = {
    "arith.addi": operator.add,
    "arith.subi": operator.sub,
    "arith.muli": operator.mul,
    "arith.divsi": _to_zero,
    "arith.divui": _to_zero,
    "arith.floordivsi": _total(operator.floordiv),
    "arith.ceildivsi": _total(lambda a, b: -(-a // b)),
    "arith.ceildivui": _total(lambda a, b: -(-a // b)),
    "arith.remsi": lambda a, b: a - b * _to_zero(a, b) if b else 0,
    "arith.remui": _total(operator.mod),
    "arith.maxsi": max,
    "arith.minsi": min,
    "arith.maxui": max,
    "arith.minui": min,
    "arith.index_cast": lambda x: x,
    "arith.index_castui": lambda x: x,
}

_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    **{f"{sign}{name}": getattr(operator, name) for name in ("lt", "le", "gt", "ge") for sign in "su"},
}

# Operations that read the sign bit as a digit are folded for natural numbers only.
_UNSIGNED = {"arith.divui", "arith.ceildivui", "arith.remui", "arith.maxui", "arith.minui", "arith.index_castui"}


def _folded(operation: Operation, values: Sequence[Any], result: str) -> int | None:
    """A result that is known: of `index` type, or a comparison or choice of such."""
    if not all(isinstance(x, int) for x in values):
        return None
    predicate = str(operation.attributes.get("predicate", ""))
    reads_bits = operation.name in _UNSIGNED or predicate.startswith("u")
    if reads_bits and min(values) < 0:
        return None
    if operation.name == "arith.cmpi":
        return _ORDERS[predicate](*values)
    if operation.name == "arith.select":
        return values[1] if values[0] else values[2]
    if result == "i64" and operation.name in _FOLDED:
        return _FOLDED[operation.name](*values)
    return None


def scalar_operation(operation: Operation, scope: Scope) -> Sequence[Written]:
    """Any scalar operation outside of kernels; of known integers it is done at once."""
    (result,) = operation.results
    folded = _folded(operation, [scope.values[v] for v in operation.operands], scope.element(result))
    if folded is not None:
        return [folded]
    types = scope.function.types
    arguments = tuple(Argument(i, types[v].element) for i, v in enumerate(operation.operands))
    apply = Apply(operation.name, arguments, types[result].element, operation.attributes)
    return [apply_scalar(apply, scope.operands(operation))]


def dim(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A size, which is known."""
    source, axis = operation.operands
    return [scope.shape(source)[scope.known(operation, axis)]]


def extract(operation: Operation, scope: Scope) -> Sequence[Written]:
    """One element. An index that is computed from data is clamped, as XLA has no checks."""
    source, *indices = operation.operands
    x, at = scope.value(source), [scope.values[v] for v in indices]
    for index, size in zip(at, x.shape, strict=True):
        inside = isinstance(index, Value) or 0 <= index < size
        require(inside and size > 0, operation, "in bounds", f"there is no element {index} in sizes {list(x.shape)}")
    return [x.at(at, [1] * len(at)).reshape(())]


def from_elements(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A static tensor of scalars."""
    (result,) = operation.results
    shape = [size for size in scope.function.types[result].shape if size is not None]
    parts = [x.reshape((1,)) for x in scope.operands(operation)]
    if not parts:
        return [scope.writer.constant(np.zeros(shape), scope.element(result))]
    return [scope.writer.concatenate(parts, 0).reshape(shape)]


def cast(operation: Operation, scope: Scope) -> Sequence[Written]:
    """The same array, once its sizes are what the type says."""
    (source,), (result,) = operation.operands, operation.results
    x, expected = scope.value(source), scope.function.types[result].shape
    fits = all(want in (None, size) for want, size in zip(expected, x.shape, strict=True))
    shown = ["?" if size is None else size for size in expected]
    require(fits, operation, "sizes", f"an array of sizes {list(x.shape)} is not one of sizes {shown}")
    return [x]
