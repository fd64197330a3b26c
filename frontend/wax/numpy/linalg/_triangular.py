"""Substitution: triangular systems with many right sides, block by block.

A block's rows are taken less the product of the solved rows with theirs, and are then solved one after another; no
triangle is inverted, so that the residual of each solution is that of substitution (Higham, Accuracy and Stability of
Numerical Algorithms, 2002, theorem 8.5). The derivatives of a solution are solutions, forward of the same triangles, in
reverse of their transposes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from wax.dims import Size, same
from wax.numpy._basis import basis, placed, scalars
from wax.numpy._pieces import counter
from wax.numpy.linalg._blocks import Blocks, counted_loop, number, piece_at, put_at
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import fitted, grown, transposed, zeros
from wax.scalars import Scalar
from wax.transform.custom import custom_vjp

__all__ = ["substituted", "substitution", "triangle"]


def triangle(x: Any, *, lower: bool, unit: bool = False) -> Any:
    """The elements of one triangle, zeros elsewhere; with ones on the diagonal if `unit`."""
    operands = [(x, (0, 1, 2)), (counter(x.shape[1]), (1,)), (counter(x.shape[2]), (2,))]
    return placed(_triangle, operands, lower=lower, unit=unit)


def _triangle(x: Scalar, row: Scalar, column: Scalar, *, lower: bool, unit: bool) -> Any:
    zero, one = x.kernel.constant(0, x.dtype), x.kernel.constant(1, x.dtype)
    kept = scalars.select(column < row if lower else column > row, x, zero)
    return scalars.select(row == column, one if unit else x, kept)


def substituted(t: Any, right: Any, *, lower: bool) -> Any:
    """`y` of `t @ y == right` for triangular `t`, which has zeros in its other triangle, and with derivatives.

    Zeros on the diagonal divide, so they give infinities and NaNs.
    """
    return right if same(right.shape[1], 0) or same(right.shape[2], 0) else _substituted(t, right, lower)


@partial(custom_vjp, nondiff_argnums=(2,))
def _substituted(t: Any, right: Any, lower: bool) -> Any:
    return substitution(t, right, lower=lower)


@_substituted.defjvp
def _(lower: bool, primals: tuple[Any, Any], tangents: tuple[Any, Any]) -> tuple[Any, Any]:
    (t, right), (dt, moved) = primals, tangents
    y = _substituted(t, right, lower)
    return y, _substituted(t, moved - multiplied(dt, y), lower)


def _forward(t: Any, right: Any, lower: bool) -> tuple[Any, Any]:
    y = _substituted(t, right, lower)
    return y, (t, y)


def _backward(lower: bool, kept: tuple[Any, Any], cotangent: Any) -> tuple[Any, Any]:
    t, y = kept
    right = _substituted(transposed(t), cotangent, not lower)
    return triangle(-multiplied(right, transposed(y)), lower=lower), right


_substituted.defvjp(_forward, _backward)


def substitution(t: Any, right: Any, *, lower: bool) -> Any:
    """The program of `substituted`, for those whose derivatives are not its."""
    size, columns = right.shape[1], right.shape[2]
    blocks = Blocks.of(size)
    if blocks.are_none or same(columns, 0):
        return right
    t, right = grown(t, blocks.size, blocks.size, diagonal=True), grown(right, blocks.size, columns)

    def block(turn: Any, solved: Any) -> tuple[Any]:
        start = _from(turn, blocks.count, lower).times(blocks.width)
        rows = piece_at(t, 1, start, blocks.width)
        rest = piece_at(right, 1, start, blocks.width)
        if not blocks.is_one:
            rest = rest - multiplied(rows, solved)  # what is not solved yet is zero
        inner = _rows_solved(piece_at(rows, 2, start, blocks.width), rest, lower)
        return (put_at(inner, solved, 1, start),)

    (solved,) = counted_loop("substitution", blocks.count, block, zeros(right, blocks.size, columns))
    return fitted(solved, size, columns)


def _from(turn: Any, count: Size, lower: bool) -> Any:
    """The number of a block or row, of so many, in the order in which they are solved."""
    return turn if lower else (turn.times(-1)).plus(count - 1)


def _rows_solved(t: Any, right: Any, lower: bool) -> Any:
    size = right.shape[1]

    def row(turn: Any, rest: Any) -> tuple[Any]:
        at = _from(turn, size, lower)
        column = piece_at(t, 2, at, 1)
        pivot = piece_at(column, 1, at, 1)
        top = piece_at(rest, 1, at, 1)
        operands = [
            (rest, (0, 1, 2)),
            (basis.reshape(column, [[0], [1, 2]], [[0], [1]], column.shape[:2]), (0, 1)),
            (basis.reshape(pivot, [[0, 1, 2]], [[0]], pivot.shape[:1]), (0,)),
            (basis.reshape(top, [[0], [1, 2]], [[0], [1]], (top.shape[0], top.shape[2])), (0, 2)),
            (counter(size), (1,)),
            (number(at), ()),
        ]
        return (placed(_step, operands, lower=lower),)

    return counted_loop("substitution", size, row, right)[0]


def _step(rest: Scalar, factor: Scalar, pivot: Scalar, top: Scalar, row: Scalar, at: Scalar, *, lower: bool) -> Any:
    found = top / pivot
    later = row > at if lower else row < at
    return scalars.select(row == at, found, scalars.select(later, rest - factor * found, rest))
