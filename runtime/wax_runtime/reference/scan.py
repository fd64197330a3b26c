"""`wax.scan`: all prefixes of a fold along a dim.

Three ways; the first that fits is taken:

1.  each accumulator's fold is `acc ∘ e(elements)` with an operation that NumPy accumulates by itself (the table
    in `accumulators.py`): one ufunc each;
2.  there is a `combine`: each element is folded by itself, and what lies 1, 2, 4 … before is combined with it,
    all elements at once (Hillis and Steele, "Data parallel algorithms", CACM 29, 1986);
3.  else the elements are folded one after another, each step for all others at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from wax_runtime.reference.accumulators import ACCUMULATORS
from wax_runtime.reference.elements import element
from wax_runtime.reference.kernels import functions_of
from wax_runtime.reference.plan import Scope, Step
from wax_runtime.reference.reduce import folded_elements, operands_of, shape_checks
from wax_runtime.reference.sizes import Frame
from wax_runtime.snapshot import Kernel, Operation

__all__ = ["scan"]

#: `prefixes(rows, accs)` folds arrays along their first axis, and gives one array an accumulator.
_Prefixes: TypeAlias = Callable[[Sequence[Any], Sequence[Any]], "Sequence[Any]"]


def scan(operation: Operation, scope: Scope) -> Step:
    """The prefixes, of the operands turned round for a reverse scan, and one element less for an exclusive one."""
    axis = operation.attributes["dim"]
    assert isinstance(axis, int)
    exclusive, reverse = bool(operation.attributes.get("exclusive")), bool(operation.attributes.get("reverse"))
    inputs, inits = operands_of(operation)
    elements = [scope.element(v).dtype for v in operation.results]
    prefixes, checks = _prefixes_of(operation), shape_checks(operation, scope, "scan_c2")
    turn = slice(None, None, -1) if reverse else slice(None)

    def step(frame: Frame) -> None:
        for check in checks:
            check(frame)
        rows = [np.moveaxis(frame[v], axis, 0)[turn] for v in inputs]
        starts = [np.asarray(frame[v]) for v in inits]
        if exclusive and rows[0].shape[0]:
            made = [
                np.concatenate((np.broadcast_to(start, (1, *x.shape[1:])), x)).astype(dtype, copy=False)
                for start, x, dtype in zip(starts, prefixes([x[:-1] for x in rows], starts), elements, strict=True)
            ]
        else:
            made = prefixes(rows, starts)
        for result, x in zip(operation.results, made, strict=True):
            frame[result] = np.moveaxis(x[turn], 0, axis)

    return step


def _prefixes_of(operation: Operation) -> _Prefixes:
    fold, combine = operation.kernels
    assert fold is not None
    count = operation.segments[0]
    each = [folded_elements(fold, count, index) for index in range(len(fold.results))]
    if all(one is not None and one[1].op in ACCUMULATORS for one in each):
        known = [(one[0], ACCUMULATORS[one[1].op](element(one[1].element))) for one in each if one is not None]
        return lambda rows, accs: [
            accumulate(elements(rows), acc) for (elements, accumulate), acc in zip(known, accs, strict=True)
        ]
    return _one_by_one(fold) if combine is None else _by_doubling(fold, combine)


def _one_by_one(kernel: Kernel) -> _Prefixes:
    step = functions_of(kernel.results, len(kernel.arguments))
    dtypes = [element(tree.element).dtype for tree in kernel.results]

    def prefixes(rows: Sequence[Any], accs: Sequence[Any]) -> Sequence[Any]:
        made = [np.empty(rows[0].shape, dtype) for dtype in dtypes]
        for place, elements in enumerate(zip(*rows, strict=True)):
            accs = step(*elements, *accs)
            for result, acc in zip(made, accs, strict=True):
                result[place] = acc
        return made

    return prefixes


def _by_doubling(kernel: Kernel, combine: Kernel) -> _Prefixes:
    step = functions_of(kernel.results, len(kernel.arguments))
    join = functions_of(combine.results, len(combine.arguments))

    def prefixes(rows: Sequence[Any], accs: Sequence[Any]) -> Sequence[Any]:
        ones = [np.reshape(acc, (1,) * rows[0].ndim) for acc in accs]
        made = [np.array(np.broadcast_to(x, rows[0].shape)) for x in step(*rows, *ones)]
        distance, count = 1, rows[0].shape[0]
        while distance < count:
            joined = join(*[x[:-distance] for x in made], *[x[distance:] for x in made])
            for x, value in zip(made, joined, strict=True):
                x[distance:] = value
            distance *= 2
        return made

    return prefixes
