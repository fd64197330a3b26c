"""`wax.reduce`: folding dims away.

Three ways; the first that fits is taken:

1.  each accumulator's fold is `acc ∘ e(elements)` with an operation that NumPy reduces by itself (the table
    in `reducers.py`): one ufunc reduction each;
2.  there is a `combine`: the elements are dealt to lanes, each lane folds its share in order, and
    neighbouring lanes are combined, halving their number until one is left. Neighbours stay in order, so a
    `combine` that is associative but not commutative is served too;
3.  else the elements are folded one after another, each step for all kept elements at once.

Sums are taken in the accumulator's own type: who wants a wide accumulator for narrow elements extends them
in the fold, and the frontend does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from wax_runtime.reference.elements import element
from wax_runtime.reference.kernels import function_of, functions_of
from wax_runtime.reference.plan import Scope, Step
from wax_runtime.reference.reducers import REDUCERS, Reducer, leading
from wax_runtime.reference.sizes import Frame, equal_sizes
from wax_runtime.reference.trees import arguments_of
from wax_runtime.snapshot import Apply, Argument, Kernel, Operation, as_ints

__all__ = ["Fold", "fold_of", "folded_elements", "operands_of", "reduce_", "shape_checks"]

#: `fold(inputs, accs, inits)` folds arrays of equal shapes into accumulators, scalars or arrays of the kept
#: shape. `inits` are the operation's own initial values: the same as `accs` unless a fold goes on in parts.
Fold: TypeAlias = Callable[[Sequence[Any], Sequence[Any], Sequence[Any]], "Sequence[Any]"]

# Lanes times kept elements are held near this many: a step then works in cache, and is worth its call.
_LANE_ELEMENTS = 1 << 16


def reduce_(operation: Operation, scope: Scope) -> Step:
    """A fold of the operands from the initial values, and nothing else."""
    inputs, inits = operands_of(operation)
    fold, results, checks = fold_of(operation), operation.results, shape_checks(operation, scope, "reduce_c2")

    def step(frame: Frame) -> None:
        for check in checks:
            check(frame)
        start = [frame[v] for v in inits]
        for result, value in zip(results, fold([frame[v] for v in inputs], start, start), strict=True):
            frame[result] = value

    return step


def operands_of(operation: Operation) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The inputs and the initial values."""
    count = operation.segments[0]
    return operation.operands[:count], operation.operands[count:]


def shape_checks(operation: Operation, scope: Scope, label: str) -> list[Callable[[Frame], None]]:
    """A check for each dim that several inputs, of equal shapes, have and some type leaves open."""
    inputs, _ = operands_of(operation)
    return [
        equal_sizes(operation, label, [(i, dim) for i in range(len(inputs))], "the same dim")
        for dim in range(len(scope.shape(inputs[0])))
        if len(inputs) > 1 and any(scope.shape(v)[dim] is None for v in inputs)
    ]


def fold_of(operation: Operation) -> Fold:
    """The operation's fold, over its dims, as a function of arrays."""
    axes = as_ints(operation.attributes["dims"])
    fold, combine = operation.kernels
    assert fold is not None
    count = operation.segments[0]
    each = [_reduced_by_itself(fold, count, index, free=combine is not None) for index in range(len(fold.results))]
    if None not in each:
        return _by_reducers([one for one in each if one is not None], axes)
    if combine is not None:
        return _in_lanes(fold, combine, axes)
    return _in_order(fold, axes)


# One ufunc reduction an accumulator.

_Elements: TypeAlias = Callable[[Sequence[Any]], Any]


def folded_elements(fold: Kernel, count: int, index: int) -> tuple[_Elements, Apply] | None:
    """For an accumulator's fold `acc ∘ e(elements)`: what computes `e`, and the operation with `∘`."""
    tree, own = fold.results[index], count + index
    if not isinstance(tree, Apply):
        return None
    others = [x for x in tree.operands if not (isinstance(x, Argument) and x.index == own)]
    if len(tree.operands) != 2 or len(others) != 1 or any(used >= count for used in arguments_of(others[0])):
        return None
    (summand,) = others
    if isinstance(summand, Argument):
        operand = summand.index
        return lambda inputs: inputs[operand], tree
    function = function_of(summand, count)
    if arguments_of(summand):
        return lambda inputs: function(*inputs), tree
    return lambda inputs: np.broadcast_to(function(*inputs), inputs[0].shape), tree


def _reduced_by_itself(fold: Kernel, count: int, index: int, *, free: bool) -> tuple[_Elements, Reducer] | None:
    """For a fold that NumPy reduces by itself: what computes the elements, and what folds them."""
    found = folded_elements(fold, count, index)
    if found is None or found[1].op not in REDUCERS:
        return None
    elements, tree = found
    reducer = REDUCERS[tree.op](element(tree.element), free)
    return None if reducer is None else (elements, reducer)


def _by_reducers(each: Sequence[tuple[_Elements, Reducer]], axes: tuple[int, ...]) -> Fold:
    def fold(inputs: Sequence[Any], accs: Sequence[Any], inits: Sequence[Any]) -> Sequence[Any]:
        return [reduce(elements(inputs), axes, acc) for (elements, reduce), acc in zip(each, accs, strict=True)]

    return fold


# Any kernels.


def _in_order(kernel: Kernel, axes: tuple[int, ...]) -> Fold:
    step = functions_of(kernel.results, len(kernel.arguments))

    def fold(inputs: Sequence[Any], accs: Sequence[Any], inits: Sequence[Any]) -> Sequence[Any]:
        rows = [leading(x, axes) for x in inputs]
        kept = rows[0].shape[1:]
        for elements in zip(*rows, strict=True):
            accs = step(*elements, *accs)
        return [np.broadcast_to(acc, kept) for acc in accs]

    return fold


def _in_lanes(kernel: Kernel, combine: Kernel, axes: tuple[int, ...]) -> Fold:
    step = functions_of(kernel.results, len(kernel.arguments))
    join = functions_of(combine.results, len(combine.arguments))

    def deal(rows: Sequence[Any], lanes: int, inits: Sequence[Any]) -> Sequence[Any]:
        """Equal runs of neighbouring rows, a lane each, folded from `inits`; then the lanes are combined."""
        count, *kept = rows[0].shape
        dealt = [x.reshape((lanes, count // lanes, *kept)) for x in rows]
        accs = inits
        for turn in range(count // lanes):
            accs = step(*[x[:, turn] for x in dealt], *accs)
        return _halve([np.broadcast_to(acc, (lanes, *kept)) for acc in accs], join)

    def fold(inputs: Sequence[Any], accs: Sequence[Any], inits: Sequence[Any]) -> Sequence[Any]:
        rows = [leading(x, axes) for x in inputs]
        count, *kept = rows[0].shape
        if count == 0:
            return [np.broadcast_to(acc, kept) for acc in accs]
        lanes = max(1, min(count, _LANE_ELEMENTS // max(1, rows[0][0].size)))
        even = count - count % lanes
        parts = deal([x[:even] for x in rows], lanes, inits)
        if even < count:
            parts = join(*parts, *deal([x[even:] for x in rows], count - even, inits))
        return parts if accs is inits else join(*accs, *parts)

    return fold


def _halve(parts: Sequence[Any], join: Callable[..., Sequence[Any]]) -> Sequence[Any]:
    """Combines lanes along the first dim, each with its neighbour, until one is left."""
    while (lanes := parts[0].shape[0]) > 1:
        paired = lanes - lanes % 2
        joined = join(*[x[0:paired:2] for x in parts], *[x[1:paired:2] for x in parts])
        joined = [np.broadcast_to(x, (paired // 2, *parts[0].shape[1:])) for x in joined]
        if paired < lanes:
            joined = [np.concatenate((x, last[paired:])) for x, last in zip(joined, parts, strict=True)]
        parts = joined
    return [x[0] for x in parts]
