"""A pattern: a sum of products is one `dot_general`.

In wax a matmul is a `broadcast` that multiplies and a `reduce` that adds. The two are recognised by structure; the
broadcast is then read by nobody, and XLA drops it. A factor may be any scalar function of its own operand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wax_backend_xla.scalars import arguments_of, write_trees
from wax_backend_xla.scope import Scope
from wax_backend_xla.structural import broadcast_shape
from wax_backend_xla.writer import Value
from wax_runtime.snapshot import Apply, Argument, Kernel, Operation, Scalar, as_groups, as_ints

__all__ = ["contraction"]

_SUM_OF = {"arith.mulf": "arith.addf", "arith.muli": "arith.addi", "complex.mul": "complex.add"}


@dataclass(frozen=True, slots=True)
class _Factor:
    operand: int
    tree: Scalar


def contraction(operation: Operation, scope: Scope) -> Value | None:
    """The result of a `wax.reduce` that adds what a `wax.broadcast` multiplies; `None` for any other."""
    if len(operation.operands) != 2 or scope.element(operation.results[0]) == "i1":
        return None
    producer = scope.producers.get(operation.operands[0])
    if producer is None or producer.name != "wax.broadcast":
        return None
    found = _factors(producer)
    if found is None or not _adds(operation, _SUM_OF[found[0]]):
        return None
    dims = as_groups(producer.attributes["dims"])
    left, right = found[1]
    left_dims, right_dims = dims[left.operand], dims[right.operand]
    folded = as_ints(operation.attributes["dims"])
    shape = broadcast_shape(producer, scope)
    if set(left_dims) | set(right_dims) != set(range(len(shape))) or not set(folded) <= set(left_dims) & set(
        right_dims
    ):
        return None

    factors = []
    for factor in (left, right):
        operand = scope.value(producer.operands[factor.operand])
        operands = [operand] * (factor.operand + 1)
        factors += write_trees(scope.writer, [factor.tree], operands, operand.shape)
    batch = [dim for dim in left_dims if dim in right_dims and dim not in folded]
    own = [[dim for dim in places if dim not in folded and dim not in batch] for places in (left_dims, right_dims)]
    order = [*batch, *own[0], *own[1]]
    kept = [dim for dim in range(len(shape)) if dim not in folded]
    numbers = ", ".join(
        f"{side}_{what} = {[places.index(dim) for dim in which]}"
        for what, which in (("batching_dimensions", batch), ("contracting_dimensions", folded))
        for side, places in (("lhs", left_dims), ("rhs", right_dims))
    )
    made = scope.writer.op(
        "dot_general",
        factors,
        tuple(shape[dim] for dim in order),
        scope.element(operation.results[0]),
        f"dot_dimension_numbers = #stablehlo.dot<{numbers}>",
    ).transpose([order.index(dim) for dim in kept])
    init = operation.operands[1]
    return made if _is_zero(scope.producers.get(init)) else made + scope.value(init).broadcast(made.shape)


def _factors(producer: Operation) -> tuple[str, tuple[_Factor, _Factor]] | None:
    (kernel,) = producer.kernels
    assert kernel is not None
    (tree,) = kernel.results
    if not isinstance(tree, Apply) or tree.op not in _SUM_OF or len(kernel.arguments) != 2:
        return None
    sides = [(side, arguments_of(side)) for side in tree.operands]
    if sorted(map(sorted, (used for _, used in sides))) != [[0], [1]]:
        return None
    left, right = (_Factor(min(used), side) for side, used in sides)
    return tree.op, (left, right)


def _adds(operation: Operation, op: str) -> bool:
    return all(kernel is not None and _is_sum(kernel, op) for kernel in operation.kernels)


def _is_sum(kernel: Kernel, op: str) -> bool:
    tree = kernel.results[0]
    if not isinstance(tree, Apply) or tree.op != op or len(kernel.results) != 1:
        return False
    return sorted(x.index for x in tree.operands if isinstance(x, Argument)) == [0, 1]


def _is_zero(producer: Operation | None) -> bool:
    if producer is None or producer.name != "wax.constant":
        return False
    value: Any = producer.attributes["value"]
    return not np.any(value)
