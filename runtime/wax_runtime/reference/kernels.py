"""Scalar kernels as functions of whole arrays.

A kernel is a tree of scalar operations whose shared subexpressions are shared objects. It becomes a short
list of steps over numbered slots, each subexpression once, and each slot emptied after its last use, so that
a long kernel holds few arrays at a time. A kernel that is one operation over its arguments becomes that
operation's NumPy function itself, and costs nothing on top of it; a longer one works on large arrays in
blocks (`blocked.py`).

Vectorising is NumPy's broadcasting: arguments come as arrays of one rank, whose dims are equal or 1. So a
subexpression of a small argument is computed on the small argument only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wax_runtime.errors import BackendError
from wax_runtime.reference import scalars_arith, scalars_complex, scalars_math, scalars_special
from wax_runtime.reference.blocked import blocked
from wax_runtime.reference.elements import element, scalar
from wax_runtime.reference.scalars import ScalarFunction, ScalarRule
from wax_runtime.reference.trees import in_order
from wax_runtime.snapshot import Apply, Argument, Literal, Scalar

__all__ = ["SCALARS", "function_of", "functions_of", "scalar_function"]

#: Every scalar operation that a kernel may hold, by its full name: this backend's declared capability.
SCALARS: dict[str, ScalarRule] = {
    **scalars_arith.RULES,
    **scalars_math.RULES,
    **scalars_complex.RULES,
    **scalars_special.RULES,
}


def scalar_function(apply: Apply) -> ScalarFunction:
    """The function of arrays that one scalar operation stands for. Raises `BackendError` for an unknown one."""
    rule = SCALARS.get(apply.op)
    if rule is None:
        raise BackendError(f"the reference backend has no scalar operation {apply.op}")
    return rule(apply)


def _is_plain_call(tree: Scalar, arguments: int) -> bool:
    """Whether a tree is one operation over all arguments in order."""
    return (
        isinstance(tree, Apply)
        and len(tree.operands) == arguments
        and all(isinstance(x, Argument) and x.index == i for i, x in enumerate(tree.operands))
    )


def function_of(tree: Scalar, arguments: int) -> ScalarFunction:
    """One tree as a function of `arguments` arrays."""
    if isinstance(tree, Argument):
        index = tree.index
        return lambda *arrays: arrays[index]
    if _is_plain_call(tree, arguments):
        assert isinstance(tree, Apply)
        function = scalar_function(tree)
        return function if isinstance(function, np.ufunc) else blocked(function, element(tree.element).dtype)
    several = functions_of((tree,), arguments)
    return blocked(lambda *arrays: several(*arrays)[0], element(tree.element).dtype)


@dataclass(frozen=True, slots=True)
class _Step:
    """One operation: slots in, slot out, and the slots nobody reads afterwards."""

    function: ScalarFunction
    inputs: tuple[int, ...]
    output: int
    dead: tuple[int, ...]


def functions_of(trees: Sequence[Scalar], arguments: int) -> Callable[..., tuple[Any, ...]]:
    """Several trees that share subexpressions, as one function of `arguments` arrays to a tuple."""
    blank, steps, outputs = _schedule(trees, arguments)
    plan = tuple((step.function, step.inputs, step.output, step.dead) for step in steps)

    def run(*arrays: Any) -> tuple[Any, ...]:
        slots = [*arrays, *blank]
        for function, inputs, output, dead in plan:
            slots[output] = function(*[slots[i] for i in inputs])
            for slot in dead:
                slots[slot] = None
        return tuple([slots[i] for i in outputs])

    return run


def _schedule(trees: Sequence[Scalar], arguments: int) -> tuple[list[Any], list[_Step], list[int]]:
    """The slots after the arguments, as they stand at first; the steps; where the results are at last."""
    slot_of: dict[int, int] = {}
    blank: list[Any] = []
    applications: list[Apply] = []
    for node in in_order(trees):
        if isinstance(node, Argument):
            slot_of[id(node)] = node.index
            continue
        slot_of[id(node)] = arguments + len(blank)
        if isinstance(node, Literal):
            blank.append(scalar(node.value, element(node.element)))
        else:
            blank.append(None)
            applications.append(node)
    outputs = [slot_of[id(tree)] for tree in trees]

    last_use: dict[int, int] = {}
    for position, node in enumerate(applications):
        last_use.update((slot_of[id(operand)], position) for operand in node.operands)
    steps = []
    for position, node in enumerate(applications):
        inputs = tuple(slot_of[id(operand)] for operand in node.operands)
        dead = {slot for slot in inputs if last_use[slot] == position and slot not in outputs}
        steps.append(_Step(scalar_function(node), inputs, slot_of[id(node)], tuple(sorted(dead))))
    return blank, steps, outputs
