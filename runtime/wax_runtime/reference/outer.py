"""A pattern claimed as one: an outer computation that is folded at once, in blocks of bounded memory.

A `broadcast` none of whose operands has all dims of its result sets up more elements than it reads; when the
only reader is a `reduce`, no more than a block of them need exist at a time. The box of all elements is cut
in halves along its longest dim until a piece is small; pieces along a kept dim are set side by side, pieces
along a folded one are folded one after the other. Where the fold is ordered its order is kept: of the folded
dims only the first that is longer than 1 is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

import numpy as np

from wax_runtime.reference.kernels import function_of
from wax_runtime.reference.plan import Claim, Scope
from wax_runtime.reference.pointwise import aligner, result_sizes, size_checks
from wax_runtime.reference.reduce import Fold, fold_of, operands_of
from wax_runtime.reference.sizes import Frame, violation
from wax_runtime.reference.trees import arguments_of
from wax_runtime.snapshot import Operation, as_groups, as_ints

__all__ = ["BLOCK_ELEMENTS", "outer"]

#: No more elements than this are set up at a time.
BLOCK_ELEMENTS = 1 << 18

#: A stretch of each result dim.
_Box: TypeAlias = tuple[slice, ...]


def outer(operation: Operation, scope: Scope) -> Claim | None:
    """Claims a `wax.reduce`, and those of its operands that are outer computations for it alone."""
    if operation.name != "wax.reduce":
        return None
    inputs, inits = operands_of(operation)
    rank = len(scope.shape(inputs[0]))
    absorbed = [_expanding(operation, scope, v, rank) for v in inputs]
    producers = tuple(producer for producer in absorbed if producer is not None)
    if not producers:
        return None
    sources = [
        _Source.plain(value, rank) if producer is None else _Source.outer(producer, rank)
        for value, producer in zip(inputs, absorbed, strict=True)
    ]
    sizes = [_sizes_of(value, producer, scope) for value, producer in zip(inputs, absorbed, strict=True)]
    checks = [check for producer in producers for check in size_checks(producer, scope)]
    fold, axes, results = fold_of(operation), as_ints(operation.attributes["dims"]), operation.results
    blocks = _Blocks(fold, axes, rank)

    def step(frame: Frame) -> None:
        for check in checks:
            check(frame)
        shapes = {read(frame) for read in sizes}
        if len(shapes) > 1:
            raise violation(operation, "reduce_c2", f"the operands have different sizes: {sorted(shapes)}")
        (shape,) = shapes
        start = [frame[v] for v in inits]
        pieces = [source.open(frame) for source in sources]
        made = blocks.run(pieces, tuple(slice(0, size) for size in shape), start, start)
        for result, value in zip(results, made, strict=True):
            frame[result] = value

    read = tuple(v for source in sources for v in source.values)
    return Claim(step, (*read, *inits, *_size_values(producers)), producers)


def _expanding(operation: Operation, scope: Scope, value: int, rank: int) -> Operation | None:
    producer = scope.sole_producer(operation, value, "wax.broadcast")
    if producer is None or any(len(dims) == rank for dims in as_groups(producer.attributes["dims"])):
        return None
    return producer


def _size_values(producers: Sequence[Operation]) -> tuple[int, ...]:
    return tuple(v for producer in producers for v in producer.operands[producer.segments[0] :])


def _sizes_of(value: int, producer: Operation | None, scope: Scope) -> Callable[[Frame], tuple[int, ...]]:
    return (lambda frame: frame[value].shape) if producer is None else result_sizes(producer, scope)


@dataclass(frozen=True, slots=True)
class _Source:
    """An operand of the fold: the values it is made of, how they lie in the box, and the kernel over them."""

    values: tuple[int, ...]
    views: tuple[Callable[[Any], Any] | None, ...]
    dims: tuple[frozenset[int], ...]
    kernel: Callable[..., Any]
    rank: int

    @staticmethod
    def plain(value: int, rank: int) -> _Source:
        """An array that is there already."""
        return _Source((value,), (None,), (frozenset(range(rank)),), lambda x: x, rank)

    @staticmethod
    def outer(producer: Operation, rank: int) -> _Source:
        """An absorbed broadcast."""
        (kernel,) = producer.kernels
        assert kernel is not None
        (tree,) = kernel.results
        dims = as_groups(producer.attributes["dims"])
        function = function_of(tree, len(dims))
        if not arguments_of(tree):
            function = _first_argument_shaped(function)
        return _Source(
            producer.operands[: len(dims)],
            tuple(_full_view(operand_dims, rank) for operand_dims in dims),
            tuple(frozenset(operand_dims) for operand_dims in dims),
            function,
            rank,
        )

    def open(self, frame: Frame) -> Callable[[_Box], Any]:
        """A function from a box to the elements in it."""
        arrays = [
            x if view is None else view(x) for x, view in zip((frame[v] for v in self.values), self.views, strict=True)
        ]

        def piece(box: _Box) -> Any:
            parts = [
                array[tuple(box[dim] if dim in own else slice(None) for dim in range(self.rank))]
                for array, own in zip(arrays, self.dims, strict=True)
            ]
            return np.broadcast_to(self.kernel(*parts), tuple(side.stop - side.start for side in box))

        return piece


def _first_argument_shaped(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *arrays: np.broadcast_to(function(*arrays), arrays[0].shape)


def _full_view(dims: Sequence[int], rank: int) -> Callable[[Any], Any]:
    """An operand with all dims of the result, those it has not of size 1."""
    align = aligner(dims, rank)
    missing = (None,) * min(dims, default=rank)
    return lambda x: (x if align is None else align(x))[(*missing, ...)]


@dataclass(frozen=True, slots=True)
class _Blocks:
    """A fold over a box, in pieces."""

    fold: Fold
    axes: tuple[int, ...]
    rank: int

    def run(
        self, sources: Sequence[Callable[[_Box], Any]], box: _Box, accs: Sequence[Any], inits: Sequence[Any]
    ) -> Sequence[Any]:
        """The accumulators after the box; `accs` before it are scalars, or arrays of the box's kept shape."""
        sides = [side.stop - side.start for side in box]
        first_folded = next((axis for axis in self.axes if sides[axis] > 1), None)
        cuttable = [dim for dim in range(self.rank) if dim not in self.axes or dim == first_folded]
        longest = max(cuttable, key=lambda dim: sides[dim], default=None)
        if longest is None or prod(sides) <= BLOCK_ELEMENTS or sides[longest] < 2:
            return self.fold([piece(box) for piece in sources], accs, inits)
        start, middle, stop = box[longest].start, box[longest].start + sides[longest] // 2, box[longest].stop
        halves = [(*box[:longest], side, *box[longest + 1 :]) for side in (slice(start, middle), slice(middle, stop))]
        if longest in self.axes:
            accs = self.run(sources, halves[0], accs, inits)
            return self.run(sources, halves[1], accs, inits)
        axis = longest - sum(folded < longest for folded in self.axes)
        cut = middle - start
        parts = [
            self.run(sources, half, self._part(accs, inits, axis, side), inits)
            for half, side in zip(halves, (slice(0, cut), slice(cut, None)), strict=True)
        ]
        return [np.concatenate(pair, axis=axis) for pair in zip(*parts, strict=True)]

    @staticmethod
    def _part(accs: Sequence[Any], inits: Sequence[Any], axis: int, side: slice) -> Sequence[Any]:
        """Accumulators for a stretch of a kept dim; those that are still scalars serve every stretch."""
        if accs is inits:
            return accs
        return [acc[(slice(None),) * axis + (side,)] if acc.ndim else acc for acc in accs]
