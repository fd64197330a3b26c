"""`wax.gather`: elements at computed indices, read as signed and clamped into the operand's dim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wax_runtime.reference.plan import Scope, Step
from wax_runtime.reference.pointwise import aligner
from wax_runtime.reference.sizes import Frame, violation
from wax_runtime.snapshot import Operation, as_groups, as_ints

__all__ = ["gather"]


def gather(operation: Operation, scope: Scope) -> Step:
    """`np.take` where one index replaces one dim in its place, else one advanced indexing."""
    operand_dims = as_ints(operation.attributes["operand_dims"])
    index_dims = as_groups(operation.attributes["index_dims"])
    source, *indices = operation.operands
    (result,) = operation.results
    read = _take(operand_dims, index_dims) or _advanced(operand_dims, index_dims, len(scope.shape(result)))
    checks = _checks(operation, scope, operand_dims, index_dims)
    indexed = tuple(axis for axis, dim in enumerate(operand_dims) if dim < 0)

    def step(frame: Frame) -> None:
        for check in checks:
            check(frame)
        x, where = frame[source], [frame[v] for v in indices]
        for axis in indexed:
            if x.shape[axis] == 0:
                frame[result] = _of_nothing(operation, x, where, operand_dims, index_dims)
                return
        frame[result] = read(x, where)

    return step


def _take(
    operand_dims: Sequence[int], index_dims: Sequence[Sequence[int]]
) -> Callable[[Any, Sequence[Any]], Any] | None:
    if len(index_dims) != 1:
        return None
    axis, width = list(operand_dims).index(-1), len(index_dims[0])
    rank = len(operand_dims) - 1 + width
    in_place = [*operand_dims[:axis], *index_dims[0], *operand_dims[axis + 1 :]]
    if in_place != list(range(rank)):
        return None
    return lambda x, where: np.take(x, where[0], axis=axis, mode="clip")


def _advanced(
    operand_dims: Sequence[int], index_dims: Sequence[Sequence[int]], rank: int
) -> Callable[[Any, Sequence[Any]], Any]:
    """Dims that some index has are read by index arrays of their common rank, all others whole.

    The dims read by arrays come first, in the operand as in what NumPy answers; dims are moved before and after.
    """
    common = sorted({dim for dims in index_dims for dim in dims})
    place = {dim: i for i, dim in enumerate(common)}
    by_array = [axis for axis, dim in enumerate(operand_dims) if dim < 0 or dim in place]
    whole = [axis for axis, dim in enumerate(operand_dims) if not (dim < 0 or dim in place)]
    align = [aligner([place[dim] for dim in dims], len(common)) for dims in index_dims]
    answer = [*common, *(operand_dims[axis] for axis in whole)]
    back = [answer.index(dim) for dim in range(rank)]

    def read(x: Any, where: Sequence[Any]) -> Any:
        following = iter(zip(align, where, strict=True))
        arrays = []
        for axis in by_array:
            size, dim = x.shape[axis], operand_dims[axis]
            if dim < 0:
                view, index = next(following)
                index = np.clip(index.astype(np.int64), 0, size - 1)
                arrays.append(index if view is None else view(index))
            else:
                arrays.append(np.arange(size).reshape((-1,) + (1,) * (len(common) - place[dim] - 1)))
        return x.transpose(by_array + whole)[tuple(arrays)].transpose(back)

    return read


def _of_nothing(
    operation: Operation,
    x: Any,
    where: Sequence[Any],
    operand_dims: Sequence[int],
    index_dims: Sequence[Sequence[int]],
) -> Any:
    """A gather along a dim without elements, which must have an empty result."""
    size_of = {dim: size for dim, size in zip(operand_dims, x.shape, strict=True) if dim >= 0}
    for dims, index in zip(index_dims, where, strict=True):
        size_of.update(zip(dims, index.shape, strict=True))
    shape = [size_of[dim] for dim in range(len(size_of))]
    if 0 not in shape:
        raise violation(operation, "gather_c4", f"a dim of size 0 is read at an index, for a result of sizes {shape}")
    return np.empty(shape, x.dtype)


def _checks(
    operation: Operation, scope: Scope, operand_dims: Sequence[int], index_dims: Sequence[Sequence[int]]
) -> list[Callable[[Frame], None]]:
    places: dict[int, list[tuple[int, int]]] = {}
    for operand, dims in enumerate([operand_dims, *index_dims]):
        for axis, dim in enumerate(dims):
            if dim >= 0:
                places.setdefault(dim, []).append((operand, axis))

    def check_of(dim: int, where: Sequence[tuple[int, int]]) -> Callable[[Frame], None]:
        def check(frame: Frame) -> None:
            sizes = [frame[operation.operands[operand]].shape[axis] for operand, axis in where]
            if min(sizes) != max(sizes):
                raise violation(
                    operation, "gather_c3", f"the operands that have the result dim {dim} have sizes {sizes}"
                )

        return check

    return [
        check_of(dim, where)
        for dim, where in sorted(places.items())
        if len(where) > 1 and any(scope.shape(operation.operands[o])[axis] is None for o, axis in where)
    ]
