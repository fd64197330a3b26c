"""`wax.sort`: the operands in the order of a comparator.

The order is found as an array of indices, by which each operand is then taken. NumPy finds it for comparators
that are its own order, or that order turned round. Any other is asked by a sorting network (Batcher's merge
exchange: Knuth, TAOCP 3, 5.2.2, algorithm M), each stage for all of its pairs at once. A network only ever
exchanges, so no comparator makes it lose an element. Where neither of two elements goes before the other, the
one that came first does; so the sort is stable although the network is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from wax_runtime.reference.elements import element
from wax_runtime.reference.kernels import function_of
from wax_runtime.reference.plan import Scope, Step, bind
from wax_runtime.reference.reduce import shape_checks
from wax_runtime.reference.sizes import Frame
from wax_runtime.snapshot import Apply, Argument, Kernel, Operation, Scalar

__all__ = ["sort"]

#: Indices along the first axis, in order, of operands.
_Order: TypeAlias = Callable[..., Any]


def sort(operation: Operation, scope: Scope) -> Step:
    """The order of the operands, and each of them taken by it."""
    axis = operation.attributes["dim"]
    assert isinstance(axis, int)
    (comparator,) = operation.kernels
    assert comparator is not None
    order = _known_order(comparator) or _network(comparator)

    def sorted_operands(*operands: Any) -> tuple[Any, ...]:
        indices = order(axis, *operands)
        return tuple([np.take_along_axis(x, indices, axis) for x in operands])

    several = bind(sorted_operands, operation.operands, operation.results)
    step = (
        several
        if len(operation.results) > 1
        else bind(lambda x: sorted_operands(x)[0], operation.operands, operation.results)
    )
    checks = shape_checks(operation, scope, "sort_c2")

    def checked(frame: Frame) -> None:
        for check in checks:
            check(frame)
        step(frame)

    return checked if checks else step


# NumPy's own orders.


def _known_order(comparator: Kernel) -> _Order | None:
    """For a comparison of one operand's elements by the order of their type, NaN last if it says so."""
    (tree,) = comparator.results
    found = _less(tree)
    if found is None:
        return None
    lesser, greater, unsigned = found
    if lesser.index // 2 != greater.index // 2 or lesser.index == greater.index:
        return None
    operand, is_descending = lesser.index // 2, lesser.index > greater.index
    of = element(lesser.element)

    def keys(x: Any) -> Any:
        if of.kind == "bool":
            return x if unsigned else ~x  # read as signed, true is −1
        if of.kind == "int":
            return x.view(of.unsigned) if unsigned else x
        return x.astype(np.float32) if of.name == "bf16" else x

    def order(axis: int, *operands: Any) -> Any:
        x = keys(operands[operand])
        if not is_descending:
            return np.argsort(x, axis=axis, kind="stable")
        # From the other end, so that equal elements keep their order.
        last = x.shape[axis] - 1
        return np.flip(last - np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)

    return order


_LESS = {"slt": False, "ult": True, "olt": False}
_GREATER = {"sgt": False, "ugt": True, "ogt": False}


def _less(tree: Scalar) -> tuple[Argument, Argument, bool] | None:
    """The lesser and the greater argument, and whether they are read as unsigned.

    NaN is the greatest by `a ult b & a ord a`. Where a comparator does not say where NaN goes, it is no strict
    weak order, and may go anywhere.
    """
    match tree:
        case Apply("arith.cmpi" | "arith.cmpf" as op, (Argument() as a, Argument() as b)):
            predicate = str(tree.attributes["predicate"])
            if op == "arith.cmpf" and predicate in ("ult", "ugt"):
                return None  # true of NaN both ways, which needs the other half
            if predicate in _LESS:
                return a, b, _LESS[predicate]
            if predicate in _GREATER:
                return b, a, _GREATER[predicate]
        case Apply("arith.andi", (Apply("arith.cmpf") as first, Apply("arith.cmpf") as second)):
            for less, number in ((first, second), (second, first)):
                if not all(isinstance(x, Argument) for x in (*less.operands, *number.operands)):
                    continue
                a, b = [x for x in less.operands if isinstance(x, Argument)]
                c, d = [x for x in number.operands if isinstance(x, Argument)]
                predicate = less.attributes["predicate"]
                if predicate == "ugt":
                    a, b = b, a
                if (
                    predicate in ("ult", "ugt")
                    and number.attributes["predicate"] == "ord"
                    and (a.index == c.index == d.index)
                ):
                    return a, b, False
        case _:
            pass
    return None


# Any comparator.


def _network(comparator: Kernel) -> _Order:
    goes_before = function_of(comparator.results[0], len(comparator.arguments))

    def order(axis: int, *operands: Any) -> Any:
        rows = [np.moveaxis(x, axis, 0).copy() for x in operands]
        count = rows[0].shape[0]
        indices = np.arange(count).reshape((count,) + (1,) * (rows[0].ndim - 1))
        indices = np.array(np.broadcast_to(indices, rows[0].shape))
        for low, high in _stages(count):
            _exchange(goes_before, low, high, rows, indices)
        return np.moveaxis(indices, 0, axis)

    return order


def _exchange(goes_before: Callable[..., Any], low: Any, high: Any, rows: list[Any], indices: Any) -> None:
    first, second = [x[low] for x in rows], [x[high] for x in rows]
    came_first, came_second = indices[low], indices[high]

    def before(lhs: list[Any], rhs: list[Any]) -> Any:
        return goes_before(*[x for pair in zip(lhs, rhs, strict=True) for x in pair])

    swap = before(second, first) | (~before(first, second) & (came_second < came_first))
    for x, a, b in zip((*rows, indices), (*first, came_first), (*second, came_second), strict=True):
        x[low], x[high] = np.where(swap, b, a), np.where(swap, a, b)


def _stages(count: int) -> Any:
    """The pairs of places of each stage."""
    if count < 2:
        return
    top = 1 << ((count - 1).bit_length() - 1)
    places, p = np.arange(count), top
    while p:
        q, r, d = top, 0, p
        while d:
            low = places[: count - d]
            low = low[(low & p) == r]
            yield low, low + d
            d, q, r = q - p, q >> 1, p
        p >>= 1
