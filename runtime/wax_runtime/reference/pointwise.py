"""`wax.map` and `wax.broadcast`: a scalar kernel on arrays that share a shape.

Operands become views of the result's rank, by moving and inserting dims, and NumPy's broadcasting does the
rest. NumPy would also stretch a dim of size 1, which the dialect never does: where types do not exclude
that, sizes are compared first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from wax_runtime.reference.kernels import function_of
from wax_runtime.reference.memory import LARGE
from wax_runtime.reference.plan import Scope, Step, bind
from wax_runtime.reference.sizes import Frame, equal_sizes, mixed_sizes, violation
from wax_runtime.reference.trees import arguments_of
from wax_runtime.snapshot import Operation, as_groups, as_sizes
from wax_runtime.storage import aligned_empty

__all__ = ["aligner", "broadcast", "map_", "size_checks"]


def map_(operation: Operation, scope: Scope) -> Step:
    """One kernel call for the whole array."""
    (kernel,) = operation.kernels
    assert kernel is not None
    (tree,) = kernel.results
    function = _into_aligned(function_of(tree, 1), operation, scope)
    if arguments_of(tree):
        return bind(function, operation.operands, operation.results)
    return bind(lambda x: np.broadcast_to(function(x), x.shape), operation.operands, operation.results)


def broadcast(operation: Operation, scope: Scope) -> Step:
    """Views of the operands, one kernel call, and the dims that no operand gave it."""
    (kernel,) = operation.kernels
    assert kernel is not None
    (tree,) = kernel.results
    dims = as_groups(operation.attributes["dims"])
    (result,) = operation.results
    rank = len(scope.shape(result))
    inputs = operation.operands[: len(dims)]

    covered = {dim for used in arguments_of(tree) for dim in dims[used]}
    function = function_of(tree, len(inputs))
    if len(covered) == rank:
        function = _into_aligned(function, operation, scope)
    function = aligned(function, dims, rank)
    if len(covered) < rank:
        step = _expanded(operation, scope, function)
    else:
        step = bind(function, inputs, (result,))
    checks = size_checks(operation, scope)
    return _checked(checks, step) if checks else step


def _into_aligned(function: Callable[..., Any], operation: Operation, scope: Scope) -> Callable[..., Any]:
    """For a large array that leaves the function and that one ufunc makes: made where compiled programs want it."""
    (result,) = operation.results
    shape, dtype = scope.shape(result), scope.element(result).dtype
    sizes = tuple(size for size in shape if size is not None)
    leaves = result in scope.function.results and None not in shape and prod(sizes) * dtype.itemsize >= LARGE
    if not leaves or not isinstance(function, np.ufunc):
        return function
    return lambda *arrays: function(*arrays, out=aligned_empty(sizes, dtype))


def aligned(function: Callable[..., Any], dims: Sequence[Sequence[int]], rank: int) -> Callable[..., Any]:
    """A function of arrays of full rank, on operands that have the given result dims."""
    aligners = [aligner(operand_dims, rank) for operand_dims in dims]
    if all(align is None for align in aligners):
        return function
    views = [align or _as_is for align in aligners]
    match views:
        case [first, second]:
            return lambda a, b: function(first(a), second(b))
        case [only]:
            return lambda a: function(only(a))
        case _:
            return lambda *arrays: function(*[view(x) for view, x in zip(views, arrays, strict=True)])


def aligner(dims: Sequence[int], rank: int) -> Callable[[Any], Any] | None:
    """The view that puts an operand's dims where they are in a result of `rank` dims; `None` for no change.

    Dims in front are left out, as NumPy adds them by itself.
    """
    order = sorted(range(len(dims)), key=lambda i: dims[i])
    moved = None if order == list(range(len(dims))) else tuple(order)
    first = min(dims, default=rank)
    indexer = tuple(slice(None) if dim in dims else None for dim in range(first, rank))
    inserts = None in indexer
    if moved is None:
        return (lambda x: x[indexer]) if inserts else None
    if not inserts:
        return lambda x: x.transpose(moved)
    return lambda x: x.transpose(moved)[indexer]


def _as_is(x: Any) -> Any:
    return x


def result_sizes(operation: Operation, scope: Scope) -> Callable[[Frame], tuple[int, ...]]:
    """Reads the whole result shape of a broadcast: from its type, its operands, or its `sizes`."""
    dims = as_groups(operation.attributes["dims"])
    (result,) = operation.results
    shape = scope.shape(result)
    if None not in shape:
        constant = tuple(size for size in shape if size is not None)
        return lambda frame: constant
    source = {
        dim: (operation.operands[operand], axis) for operand, axes in enumerate(dims) for axis, dim in enumerate(axes)
    }
    free = mixed_sizes(as_sizes(operation.attributes["static_sizes"]), operation.operands[len(dims) :])

    def read(frame: Frame) -> tuple[int, ...]:
        given = free(frame)
        if min(given, default=0) < 0:
            raise violation(operation, "broadcast_c4", f"sizes {list(given)} are not all natural numbers")
        sizes = iter(given)
        return tuple(
            frame[source[dim][0]].shape[source[dim][1]] if dim in source else next(sizes) for dim in range(len(shape))
        )

    return read


def _expanded(operation: Operation, scope: Scope, function: Callable[..., Any]) -> Step:
    """For a kernel that leaves dims of the result uncovered: a view repeats what it computed along them."""
    inputs = operation.operands[: len(as_groups(operation.attributes["dims"]))]
    (result,) = operation.results
    sizes = result_sizes(operation, scope)
    expand = np.broadcast_to

    def step(frame: Frame) -> None:
        frame[result] = expand(function(*[frame[v] for v in inputs]), sizes(frame))

    return step


def size_checks(operation: Operation, scope: Scope) -> list[Callable[[Frame], None]]:
    """A check for each result dim that several operands have and some type leaves open."""
    dims = as_groups(operation.attributes["dims"])
    places: dict[int, list[tuple[int, int]]] = {}
    for operand, operand_dims in enumerate(dims):
        for axis, dim in enumerate(operand_dims):
            places.setdefault(dim, []).append((operand, axis))
    return [
        equal_sizes(operation, "broadcast_c3", where, f"the same result dim {dim}")
        for dim, where in sorted(places.items())
        if len(where) > 1 and any(scope.shape(operation.operands[o])[axis] is None for o, axis in where)
    ]


def _checked(checks: Sequence[Callable[[Frame], None]], step: Step) -> Step:
    def run(frame: Frame) -> None:
        for check in checks:
            check(frame)
        step(frame)

    return run
