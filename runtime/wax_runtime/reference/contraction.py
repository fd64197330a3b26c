"""A pattern claimed as one: products summed are a matrix multiplication.

In the basis a matmul is a `broadcast` whose kernel multiplies, and a `reduce` that adds. Done one after the
other they would set up every product in memory. This pattern recognises the two by structure, and answers
with `np.matmul` on views of the operands: the worked example of a backend that takes a recognised group.

It claims when the reduction's only operand is such a product, nobody else reads it, and every folded dim is
a dim of both factors. A factor may be any scalar function of its own operand (an extension, a scale): it is
computed on that operand alone, before. What is not claimed here goes to `outer.py`, or its own way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from wax_runtime.reference.elements import Element, element
from wax_runtime.reference.kernels import function_of
from wax_runtime.reference.plan import Claim, Scope
from wax_runtime.reference.pointwise import size_checks
from wax_runtime.reference.reduce import operands_of
from wax_runtime.reference.sizes import Frame
from wax_runtime.reference.trees import arguments_of
from wax_runtime.snapshot import Apply, Argument, Kernel, Operation, Scalar, as_groups, as_ints

__all__ = ["contraction"]

_SUM_OF = {"arith.mulf": "arith.addf", "arith.muli": "arith.addi", "complex.mul": "complex.add"}

# Not f16 and bf16: their sums round after each step, which no matmul does. Nor i1.
_ELEMENTS = frozenset({"f32", "f64", "complex<f32>", "complex<f64>", "i8", "i16", "i32", "i64"})

_EXTENSIONS = frozenset({"arith.extsi", "arith.extui"})

# Integers below this are exact in float64.
_EXACT_BITS = 53


def contraction(operation: Operation, scope: Scope) -> Claim | None:
    """Claims a `wax.reduce` that adds and the `wax.broadcast` that multiplies for it."""
    if operation.name != "wax.reduce" or len(operation.operands) != 2:
        return None
    ((product,), (init,)), (result,) = operands_of(operation), operation.results
    producer = scope.sole_producer(operation, product, "wax.broadcast")
    factors = None if producer is None else _factors(producer)
    if producer is None or factors is None or not _adds(operation, scope.element(result), _SUM_OF[factors.op]):
        return None
    places = _places(producer, operation, factors)
    if places is None:
        return None

    multiply = _multiplier(places, factors, scope.element(result))
    left, right = producer.operands[factors.left.operand], producer.operands[factors.right.operand]
    checks = size_checks(producer, scope)

    def step(frame: Frame) -> None:
        for check in checks:
            check(frame)
        sums = multiply(frame[left], frame[right])
        frame[result] = np.add(sums, frame[init], out=sums)

    return Claim(step, (left, right, init), (producer,))


@dataclass(frozen=True, slots=True)
class _Factor:
    """A side of a product: a function of one operand, `None` for the operand itself; the bits it extends."""

    operand: int
    function: Callable[[Any], Any] | None = None
    bits: int | None = None


@dataclass(frozen=True, slots=True)
class _Factors:
    op: str
    left: _Factor
    right: _Factor


@dataclass(frozen=True, slots=True)
class _Places:
    """Result dims of the product, by who has them: both and kept, one and kept, both and folded."""

    batch: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    folded: tuple[int, ...]
    left_order: tuple[int, ...]  #: the left operand's axes in the order batch, left, folded
    right_order: tuple[int, ...]  #: the right operand's axes in the order batch, folded, right


def _factors(producer: Operation) -> _Factors | None:
    (kernel,) = producer.kernels
    assert kernel is not None
    (tree,) = kernel.results
    if not isinstance(tree, Apply) or tree.op not in _SUM_OF or len(kernel.arguments) != 2:
        return None
    left, right = (_factor(side, kernel) for side in tree.operands)
    if left is None or right is None or left.operand == right.operand:
        return None
    return _Factors(tree.op, left, right)


def _factor(tree: Scalar, kernel: Kernel) -> _Factor | None:
    used = arguments_of(tree)
    if len(used) != 1:
        return None
    (operand,) = used
    if not isinstance(tree, Apply):
        return _Factor(operand)
    count = len(kernel.arguments)
    function = function_of(tree, count)
    extends = tree.op in _EXTENSIONS and isinstance(tree.operands[0], Argument)
    # The kernel's other argument is given too, and not read.
    return _Factor(
        operand, lambda x: function(*(x,) * count), element(tree.operands[0].element).bits if extends else None
    )


def _adds(operation: Operation, of: Element, sum_op: str) -> bool:
    """Whether a reduction is a sum that may be taken in any order."""
    fold, combine = operation.kernels
    assert fold is not None
    (tree,) = fold.results
    return (
        of.name in _ELEMENTS
        and (combine is not None or of.kind == "int")
        and isinstance(tree, Apply)
        and tree.op == sum_op
        and {x.index for x in tree.operands if isinstance(x, Argument)} == {0, 1}
    )


def _places(producer: Operation, operation: Operation, factors: _Factors) -> _Places | None:
    dims = as_groups(producer.attributes["dims"])
    left, right = dims[factors.left.operand], dims[factors.right.operand]
    axes = as_ints(operation.attributes["dims"])
    rank = len({*left, *right})
    folded = tuple(dim for dim in axes if dim in left and dim in right)
    kept = [dim for dim in range(rank) if dim not in axes]
    batch = tuple(dim for dim in kept if dim in left and dim in right)
    only_left = tuple(dim for dim in kept if dim not in right)
    only_right = tuple(dim for dim in kept if dim not in left)
    # A dim folded in one factor only, or in neither, is not a matmul's; nor is a product element by element.
    if len(folded) < len(axes) or {*left, *right} != set(range(rank)) or (batch and not (only_left or only_right)):
        return None
    return _Places(
        batch,
        only_left,
        only_right,
        folded,
        tuple(left.index(dim) for dim in (*batch, *only_left, *folded)),
        tuple(right.index(dim) for dim in (*batch, *folded, *only_right)),
    )


def _multiplier(places: _Places, factors: _Factors, of: Element) -> Callable[[Any, Any], Any]:
    batch, rows, inner = len(places.batch), len(places.left), len(places.folded)
    made = (*places.batch, *places.left, *places.right)
    back = tuple(made.index(dim) for dim in sorted(made))
    matmul = _exact_matmul(factors, of.dtype) if of.kind == "int" else np.matmul

    def multiply(a: Any, b: Any) -> Any:
        a = _value(factors.left, a).transpose(places.left_order)
        b = _value(factors.right, b).transpose(places.right_order)
        count = prod(a.shape[batch + rows :])
        shape = a.shape[: batch + rows] + b.shape[batch + inner :]
        sums = matmul(
            a.reshape((*a.shape[:batch], prod(a.shape[batch : batch + rows]), count)),
            b.reshape((*b.shape[:batch], count, prod(b.shape[batch + inner :]))),
        )
        return sums.reshape(shape).transpose(back)

    return multiply


def _value(factor: _Factor, x: Any) -> Any:
    return x if factor.function is None else factor.function(x)


def _exact_matmul(factors: _Factors, dtype: np.dtype[Any]) -> Callable[[Any, Any], Any]:
    """Integers by way of float64, which has a fast matmul, where the factors are too narrow to lose a bit."""
    if factors.left.bits is None or factors.right.bits is None:
        return np.matmul
    bits = factors.left.bits + factors.right.bits

    def matmul(a: Any, b: Any) -> Any:
        if bits + a.shape[-1].bit_length() > _EXACT_BITS:
            return np.matmul(a, b)
        return np.matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64).astype(dtype)

    return matmul
