"""`wax.scatter` and `wax.insert`: an operand with some of its elements replaced, in a copy.

Of a scatter, the operand dims that indices reach are merged into rows, and each update has the number of its
row. Three ways to fold; the first that fits is taken:

1.  the fold does not look at the accumulators: only the last update of a row counts, and those are set at once;
2.  each accumulator's fold is `acc ∘ update` with an operation that NumPy applies at indices one by one, in
    order (`ufunc.at`);
3.  else by turns: the first updates of all rows are folded at once, then the second ones, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from wax_runtime.reference.elements import element
from wax_runtime.reference.kernels import functions_of
from wax_runtime.reference.plan import Scope, Step
from wax_runtime.reference.pointwise import aligner
from wax_runtime.reference.sizes import Frame, equal_sizes, mixed_sizes, violation
from wax_runtime.reference.trees import arguments_of
from wax_runtime.snapshot import Apply, Argument, Kernel, Operation, as_groups, as_ints, as_sizes

__all__ = ["insert", "scatter"]


def insert(operation: Operation, scope: Scope) -> Step:
    """A copy, with the box set."""
    update, source, *values = operation.operands
    (result,) = operation.results
    static_offsets = as_sizes(operation.attributes["static_offsets"])
    strides = as_ints(operation.attributes["strides"])
    offsets = mixed_sizes(static_offsets, values)
    moves = tuple(offset is None for offset in static_offsets)

    def step(frame: Frame) -> None:
        x, box = frame[source], frame[update]
        place = []
        for dim, (offset, size, stride) in enumerate(zip(offsets(frame), box.shape, strides, strict=True)):
            span = (size - 1) * stride + 1 if size else 0
            slack = x.shape[dim] - span
            start = max(0, min(offset, slack)) if moves[dim] else offset
            if start > slack:
                raise violation(
                    operation,
                    "insert_c4",
                    f"{size} elements of dim {dim}, from {start} on by {stride}, do not lie in its {x.shape[dim]}",
                )
            place.append(slice(start, start + span, stride))
        made = np.array(x)
        made[tuple(place)] = box
        frame[result] = made

    return step


#: `fold(rows, updates, accs)` folds updates, one along the first dim, into the rows of `accs`, in place.
_Fold: TypeAlias = Callable[[Any, Sequence[Any], Sequence[Any]], None]


def scatter(operation: Operation, scope: Scope) -> Step:
    """The operands' rows, copied, then folded into."""
    update_count, operand_count, _ = operation.segments
    updates = operation.operands[:update_count]
    operands = operation.operands[update_count : update_count + operand_count]
    indices = operation.operands[update_count + operand_count :]
    fold = _fold_of(operation)
    rows = _Rows(as_ints(operation.attributes["operand_dims"]), as_groups(operation.attributes["index_dims"]))
    checks = _checks(operation, scope, rows)
    results = operation.results

    def step(frame: Frame) -> None:
        for check in checks:
            check(frame)
        given = [frame[v] for v in operands]
        accs = [rows.merged(x) for x in given]
        elements = [rows.arranged(frame[v]) for v in updates]
        where = rows.numbers(given[0].shape, [frame[v] for v in indices], frame[updates[0]].shape)
        inside = np.flatnonzero(where >= 0)
        if inside.size and accs[0].size:
            if inside.size < where.size:
                where, elements = where[inside], [x[inside] for x in elements]
            fold(where, elements, accs)
        for result, acc, x in zip(results, accs, given, strict=True):
            frame[result] = rows.restored(acc, x.shape)

    return step


class _Rows:
    """How dims of operands and updates are dealt to rows, and to what runs along them."""

    def __init__(self, operand_dims: Sequence[int], index_dims: Sequence[Sequence[int]]) -> None:
        self.operand_dims, self.index_dims = operand_dims, index_dims
        self.common = sorted({dim for dims in index_dims for dim in dims})
        self.place = {dim: i for i, dim in enumerate(self.common)}
        axes = range(len(operand_dims))
        self.by_row = [axis for axis in axes if operand_dims[axis] < 0 or operand_dims[axis] in self.place]
        self.whole = [axis for axis in axes if axis not in self.by_row]
        self.order = [*self.common, *(operand_dims[axis] for axis in self.whole)]
        self.align = [aligner([self.place[dim] for dim in dims], len(self.common)) for dims in index_dims]

    def merged(self, x: Any) -> Any:
        """A copy of an operand, its rows along the first dim."""
        moved = x.transpose(self.by_row + self.whole)
        shape = (_product(moved.shape[: len(self.by_row)]), *moved.shape[len(self.by_row) :])
        return np.array(moved, order="C").reshape(shape)

    def restored(self, rows: Any, shape: Sequence[int]) -> Any:
        axes = self.by_row + self.whole
        return rows.reshape([shape[axis] for axis in axes]).transpose(np.argsort(axes))

    def arranged(self, update: Any) -> Any:
        """An update's parts for rows along the first dim."""
        moved = update.transpose(self.order)
        width = len(self.common)
        return moved.reshape((_product(moved.shape[:width]), *moved.shape[width:]))

    def numbers(self, shape: Sequence[int], indices: Sequence[Any], loops: Sequence[int]) -> Any:
        """The row of each part of the updates; −1 for those that lie outside."""
        following = iter(zip(self.align, indices, strict=True))
        number: Any = np.zeros((), np.int64)
        inside: Any = np.ones((), np.bool_)
        for axis in self.by_row:
            size, dim = shape[axis], self.operand_dims[axis]
            if dim < 0:
                view, index = next(following)
                index = index.astype(np.int64)
                place = index if view is None else view(index)
                inside = inside & (place >= 0) & (place < size)
            else:
                place = np.arange(size).reshape((-1,) + (1,) * (len(self.common) - self.place[dim] - 1))
            number = number * size + place
        number = np.where(inside, number, -1)
        return np.broadcast_to(number, [loops[dim] for dim in self.common]).reshape(-1)


def _product(sizes: Sequence[int]) -> int:
    count = 1
    for size in sizes:
        count *= size
    return count


def _fold_of(operation: Operation) -> _Fold:
    kernel = operation.kernels[0]
    assert kernel is not None
    count = operation.segments[0]
    if all(used < count for tree in kernel.results for used in arguments_of(tree)):
        return _set_last(kernel)
    each = [_applied_at(kernel, count, index) for index in range(len(kernel.results))]
    known = [one for one in each if one is not None]
    return _each_at(known) if len(known) == len(each) else _by_turns(kernel)


def _set_last(kernel: Kernel) -> _Fold:
    step = functions_of(kernel.results, len(kernel.arguments))

    def fold(rows: Any, updates: Sequence[Any], accs: Sequence[Any]) -> None:
        _, first_from_behind = np.unique(rows[::-1], return_index=True)
        last = rows.size - 1 - first_from_behind
        where = rows[last]
        for acc, value in zip(accs, step(*[x[last] for x in updates], *[x[where] for x in accs]), strict=True):
            acc[where] = value

    return fold


#: Operations that NumPy applies at indices exactly as their scalar rule says, and what they are on booleans.
_AT: dict[str, tuple[np.ufunc, np.ufunc]] = {
    "arith.addi": (np.add, np.bitwise_xor),
    "arith.muli": (np.multiply, np.bitwise_and),
    "arith.andi": (np.bitwise_and, np.bitwise_and),
    "arith.ori": (np.bitwise_or, np.bitwise_or),
    "arith.xori": (np.bitwise_xor, np.bitwise_xor),
    "arith.maxsi": (np.maximum, np.bitwise_and),
    "arith.minsi": (np.minimum, np.bitwise_or),
    "arith.addf": (np.add, np.add),
    "arith.mulf": (np.multiply, np.multiply),
    "complex.add": (np.add, np.add),
}


def _applied_at(kernel: Kernel, count: int, index: int) -> tuple[np.ufunc, int] | None:
    """For a fold `acc ∘ update`: the operation, and which update."""
    tree = kernel.results[index]
    if not isinstance(tree, Apply) or tree.op not in _AT:
        return None
    used = [x.index for x in tree.operands if isinstance(x, Argument)]
    if len(used) != 2 or sorted(used)[1] != count + index or min(used) >= count:
        return None
    return _AT[tree.op][element(tree.element).kind == "bool"], min(used)


def _each_at(each: Sequence[tuple[np.ufunc, int]]) -> _Fold:
    def fold(rows: Any, updates: Sequence[Any], accs: Sequence[Any]) -> None:
        for (ufunc, which), acc in zip(each, accs, strict=True):
            ufunc.at(acc, rows, updates[which])

    return fold


def _by_turns(kernel: Kernel) -> _Fold:
    step = functions_of(kernel.results, len(kernel.arguments))

    def fold(rows: Any, updates: Sequence[Any], accs: Sequence[Any]) -> None:
        by_row = np.argsort(rows, kind="stable")
        sorted_rows = rows[by_row]
        starts = np.flatnonzero(np.diff(sorted_rows, prepend=-1))
        lengths = np.diff(starts, append=rows.size)
        turn = np.arange(rows.size) - np.repeat(starts, lengths)
        by_turn = np.argsort(turn, kind="stable")
        ends = np.cumsum(np.bincount(turn))
        for start, end in zip((0, *ends[:-1]), ends, strict=True):
            now = by_row[by_turn[start:end]]
            where = rows[now]
            for acc, value in zip(accs, step(*[x[now] for x in updates], *[x[where] for x in accs]), strict=True):
                acc[where] = value

    return fold


def _checks(operation: Operation, scope: Scope, rows: _Rows) -> list[Callable[[Frame], None]]:
    """A check for each dim that several operands have and some type leaves open."""
    updates, operands, _ = operation.segments
    places: list[tuple[str, str, list[tuple[int, int]]]] = []
    loops = len(scope.shape(operation.operands[0]))
    for dim in range(loops):
        places.append(("scatter_c2", "the same dim", [(i, dim) for i in range(updates)]))
    for dim in range(len(rows.operand_dims)):
        places.append(("scatter_c2", "the same dim", [(updates + i, dim) for i in range(operands)]))
    for loop in range(loops):
        where = [(0, loop)]
        where += [(updates, axis) for axis, dim in enumerate(rows.operand_dims) if dim == loop]
        for i, dims in enumerate(rows.index_dims):
            where += [(updates + operands + i, axis) for axis, dim in enumerate(dims) if dim == loop]
        places.append(("scatter_c5", f"both update dim {loop},", where))
    return [
        equal_sizes(operation, label, where, why)
        for label, why, where in places
        if len(where) > 1 and any(scope.shape(operation.operands[o])[axis] is None for o, axis in where)
    ]
