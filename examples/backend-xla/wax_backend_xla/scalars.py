"""Kernels: trees of scalar operations, written as StableHLO on whole arrays of one shape.

A `ScalarRule` looks at one operation and writes it on its operands. The tables stand in `scalars_arith.py`,
`scalars_math.py` and `scalars_complex.py`, one a dialect. Where wax says what an operation gives and StableHLO
leaves it open, the rule says it by a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wax_backend_xla.scalars_arith import RULES as ARITH
from wax_backend_xla.scalars_complex import RULES as COMPLEX
from wax_backend_xla.scalars_math import RULES as MATH
from wax_backend_xla.writer import Shape, Value, Writer
from wax_runtime.errors import BackendError
from wax_runtime.snapshot import Apply, Argument, Kernel, Literal, Scalar

__all__ = [
    "SCALARS",
    "ScalarRule",
    "apply_scalar",
    "arguments_of",
    "literal_element",
    "unknown_scalars",
    "write_kernel",
]

ScalarRule = Callable[..., Value]

SCALARS: dict[str, ScalarRule] = {**ARITH, **MATH, **COMPLEX}


def literal_element(element: str) -> str:
    """How StableHLO spells an element type; index values are `i64`."""
    return "i64" if element == "index" else element


def apply_scalar(apply: Apply, operands: Sequence[Value]) -> Value:
    """One operation. Raises `BackendError` for one without a rule."""
    rule = SCALARS.get(apply.op)
    if rule is None:
        raise BackendError(f"the xla backend has no rule for the scalar operation {apply.op}")
    return rule(apply, *operands)


def write_kernel(writer: Writer, kernel: Kernel, operands: Sequence[Value], shape: Shape) -> list[Value]:
    """What a kernel yields, elementwise, of operands that all have the given shape."""
    return write_trees(writer, kernel.results, operands, shape)


def write_trees(writer: Writer, trees: Sequence[Scalar], operands: Sequence[Value], shape: Shape) -> list[Value]:
    """Trees of scalars, each subexpression once."""
    written: dict[int, Value] = {}

    def write(tree: Scalar) -> Value:
        if isinstance(tree, Argument):
            return operands[tree.index]
        found = written.get(id(tree))
        if found is None:
            if isinstance(tree, Literal):
                found = writer.splat(tree.value, shape, literal_element(tree.element))
            else:
                found = apply_scalar(tree, [write(operand) for operand in tree.operands])
            written[id(tree)] = found
        return found

    return [write(tree) for tree in trees]


def arguments_of(tree: Scalar) -> set[int]:
    """The arguments that a tree reads."""
    if isinstance(tree, Argument):
        return {tree.index}
    if isinstance(tree, Literal):
        return set()
    return {index for operand in tree.operands for index in arguments_of(operand)}


def unknown_scalars(kernel: Kernel) -> set[str]:
    """The operations in a kernel that have no rule."""
    unknown: set[str] = set()
    seen: set[int] = set()
    waiting = list(kernel.results)
    while waiting:
        tree = waiting.pop()
        if isinstance(tree, Apply) and id(tree) not in seen:
            seen.add(id(tree))
            waiting += tree.operands
            if tree.op not in SCALARS:
                unknown.add(tree.op)
    return unknown
