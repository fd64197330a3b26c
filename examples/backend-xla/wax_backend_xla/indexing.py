"""`wax.gather` and `wax.scatter`: StableHLO's own, with an index for each operand dim that some index reaches.

An operand dim that is a dim of an index too (a batch dim) is read at a counter along it. StableHLO clamps the
indices of a gather and leaves out updates that lie outside, as wax does. XLA's CPU folds updates that meet one
after another, in row-major order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from wax_backend_xla.scalars import write_kernel
from wax_backend_xla.scope import Scope, Written, require
from wax_backend_xla.writer import Value, Writer, ints
from wax_runtime.snapshot import Kernel, Operation, as_groups, as_ints

__all__ = ["gather", "scatter"]


@dataclass(frozen=True, slots=True)
class _Places:
    """Which operand dims are read at an index, and which whole; the dims of all indices together."""

    common: list[int]
    by_index: list[int]
    whole: list[int]
    order: list[int]  #: the dims outside, those of indices first

    @staticmethod
    def of(operand_dims: Sequence[int], index_dims: Sequence[Sequence[int]]) -> _Places:
        common = sorted({dim for dims in index_dims for dim in dims})
        by_index = [axis for axis, dim in enumerate(operand_dims) if dim < 0 or dim in common]
        whole = [axis for axis in range(len(operand_dims)) if axis not in by_index]
        return _Places(common, by_index, whole, [*common, *(operand_dims[axis] for axis in whole)])


def _vectors(
    writer: Writer, operation: Operation, places: _Places, indices: Sequence[Value], sizes: dict[int, int]
) -> Value:
    """The indices side by side, along a last dim."""
    operand_dims, index_dims = (
        as_ints(operation.attributes["operand_dims"]),
        as_groups(operation.attributes["index_dims"]),
    )
    shape = tuple(sizes[dim] for dim in places.common)
    following = iter(zip(index_dims, indices, strict=True))
    columns = []
    for axis in places.by_index:
        dim = operand_dims[axis]
        if dim < 0:
            dims, index = next(following)
            column = index.convert("i64").broadcast(shape, [places.common.index(at) for at in dims])
        else:
            column = writer.iota(places.common.index(dim), shape, "i64")
        columns.append(column.reshape((*shape, 1)))
    return writer.concatenate(columns, len(shape))


def _sizes(operation: Operation, label: str, groups: Sequence[tuple[Sequence[int], Value]]) -> dict[int, int]:
    """The size of each dim outside, which all operands that have it agree on."""
    sizes: dict[int, int] = {}
    for dims, x in groups:
        for dim, size in zip(dims, x.shape, strict=True):
            if dim >= 0:
                agrees = sizes.setdefault(dim, size) == size
                require(
                    agrees, operation, label, f"operands that have the dim {dim} have sizes {sizes[dim]} and {size}"
                )
    return sizes


def gather(operation: Operation, scope: Scope) -> Sequence[Written]:
    """One gather, its dims brought in order."""
    x, *indices = scope.operands(operation)
    operand_dims, index_dims = (
        as_ints(operation.attributes["operand_dims"]),
        as_groups(operation.attributes["index_dims"]),
    )
    sizes = _sizes(operation, "gather_c3", [(operand_dims, x), *zip(index_dims, indices, strict=True)])
    shape = tuple(sizes[dim] for dim in range(len(sizes)))
    places = _Places.of(operand_dims, index_dims)
    if any(dim < 0 and size == 0 for dim, size in zip(operand_dims, x.shape, strict=True)):
        what = f"a dim of size 0 is read at an index, for a result of sizes {list(shape)}"
        require(0 in shape, operation, "gather_c4", what)
    if 0 in shape:
        return [scope.writer.splat(0, shape, x.element)]
    back = [places.order.index(dim) for dim in range(len(shape))]
    if not places.by_index:
        return [x.transpose(places.whole).transpose(back)]
    width = len(places.common)
    numbers = (
        f"offset_dims = {list(range(width, len(shape)))}, collapsed_slice_dims = {places.by_index}, "
        f"start_index_map = {places.by_index}, index_vector_dim = {width}"
    )
    box = [1 if axis in places.by_index else size for axis, size in enumerate(x.shape)]
    made = scope.writer.op(
        "gather",
        [x, _vectors(scope.writer, operation, places, indices, sizes)],
        tuple(sizes[dim] for dim in places.order),
        x.element,
        f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = {ints(box)}, indices_are_sorted = false",
    )
    return [made.transpose(back)]


def scatter(operation: Operation, scope: Scope) -> Sequence[Written]:
    """StableHLO's scatter, of one operand and updates of its type; else a loop over the updates."""
    values = scope.operands(operation)
    update_count, operand_count, _ = operation.segments
    updates, operands = values[:update_count], values[update_count : update_count + operand_count]
    indices = values[update_count + operand_count :]
    fold = operation.kernels[0]
    assert fold is not None
    operand_dims = as_ints(operation.attributes["operand_dims"])
    index_dims = as_groups(operation.attributes["index_dims"])
    for group in (updates, operands):
        require(len({x.shape for x in group}) == 1, operation, "scatter_c2", f"sizes {[x.shape for x in group]} differ")
    loops = tuple(range(len(updates[0].shape)))
    groups = [(loops, updates[0]), (operand_dims, operands[0]), *zip(index_dims, indices, strict=True)]
    sizes = _sizes(operation, "scatter_c5", groups)
    places = _Places.of(operand_dims, index_dims)
    if 0 in updates[0].shape or 0 in operands[0].shape:
        return operands
    arranged = [x.transpose(places.order) for x in updates]
    if not places.by_index:
        return write_kernel(scope.writer, fold, [*arranged, *operands], operands[0].shape)
    vectors = _vectors(scope.writer, operation, places, indices, sizes)
    # XLA's CPU folds into the wrong one where several operands are the same array, as two zeros are.
    if [x.element for x in operands] != [x.element for x in updates] or operand_count > 1:
        return _one_by_one(fold, places, arranged, operands, vectors)

    (operand,), (update,), width = operands, arranged, len(places.common)
    numbers = (
        f"update_window_dims = {list(range(width, len(loops)))}, inserted_window_dims = {places.by_index}, "
        f"scatter_dims_to_operand_dims = {places.by_index}, index_vector_dim = {width}"
    )
    writer = scope.writer
    scalars = [((), operand.element)] * 2
    region = writer.region(scalars, lambda given: write_kernel(writer, fold, given[::-1], ()))
    return writer.several(
        "scatter",
        [operand, vectors, update],
        [(operand.shape, operand.element)],
        f"scatter_dimension_numbers = #stablehlo.scatter<{numbers}>, "
        "indices_are_sorted = false, unique_indices = false",
        [region],
    )


def _one_by_one(
    fold: Kernel, places: _Places, updates: Sequence[Value], operands: Sequence[Value], vectors: Value
) -> list[Value]:
    """Each update's box is folded into its place, or left alone where that lies outside."""
    writer, shape, width = vectors.writer, operands[0].shape, len(places.common)
    turns, count = prod(vectors.shape[:-1]), len(places.by_index)
    rows = [x.reshape((turns, *x.shape[width:])) for x in updates]
    vectors = vectors.reshape((turns, count))
    box = tuple(1 if axis in places.by_index else size for axis, size in enumerate(shape))
    bounds = writer.constant(np.array([shape[axis] for axis in places.by_index]), "i64")

    def body(turn: Value, state: list[Value]) -> Sequence[Value]:
        vector = vectors.at([turn, 0], (1, count)).reshape((count,))
        fits = vector.compare("GE", 0) & vector.compare("LT", bounds)
        inside = writer.splat(True, (), "i1")
        starts: list[Value | int] = [0] * len(shape)
        for column, axis in enumerate(places.by_index):
            inside = inside & fits.slice([column], [column + 1]).reshape(())
            starts[axis] = vector.slice([column], [column + 1]).reshape(())
        old = [x.at(starts, box) for x in state]
        rest = [0] * (len(rows[0].shape) - 1)
        news = [x.at([turn, *rest], (1, *x.shape[1:])).reshape(box) for x in rows]
        made = write_kernel(writer, fold, [*news, *old], box)
        chosen = inside.broadcast(box)
        return [x.with_box(chosen.select(a, b), starts) for x, a, b in zip(state, made, old, strict=True)]

    return writer.repeat(turns, list(operands), body)
