"""LU factors with partial pivoting, block by block.

Rows stay where they are while the factors are computed: a row that was a pivot is marked by the step it was taken
in, which is its place in the end. Of pivots of equal size the first row is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wax import dtypes
from wax.dims import same
from wax.numpy._basis import basis, constant, filled, lift, placed, scalars
from wax.numpy._pieces import counter, piece
from wax.numpy._reduction import summed
from wax.numpy.linalg._blocks import Blocks, counted_loop, in_kernels, number, piece_at
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import fitted, grown, transposed, zeros
from wax.numpy.linalg._triangular import substituted, triangle
from wax.numpy.manipulation import reshape
from wax.numpy.searching import argmax
from wax.numpy.sorting import argsort
from wax.scalars import Scalar
from wax.transform.custom import custom_jvp

__all__ = ["Factors", "eliminated", "rows_at"]


@dataclass(frozen=True, slots=True)
class Factors:
    """`x[order] == lower @ upper`, a unit triangle and a triangle, both in `packed`."""

    packed: Any
    order: Any

    @property
    def lower(self) -> Any:
        """The unit triangle."""
        return triangle(self.packed, lower=True, unit=True)

    @property
    def upper(self) -> Any:
        """The other triangle, with the pivots."""
        return triangle(self.packed, lower=False)

    @property
    def is_odd(self) -> Any:
        """For each matrix whether its rows were brought to their order by an odd number of exchanges."""
        operands = [(self.order, (0, 1)), (self.order, (0, 2)), *[(counter(self.order.shape[1]), (i,)) for i in (1, 2)]]
        inversions = summed(placed(_inverted, operands), (1, 2))
        return placed(_odd, [(inversions, (0,))])


def _inverted(a: Scalar, b: Scalar, i: Scalar, j: Scalar) -> Any:
    return scalars.cast(scalars.logical_and(i < j, a > b), dtypes.int32)


def _odd(count: Scalar) -> Any:
    return scalars.bitwise_and(count, 1) == 1


def rows_at(x: Any, order: Any) -> Any:
    """The rows of each matrix in an order of its own."""
    return basis.gather(x, [order], [0, -1, 2], [(0, 1)])


def eliminated(x: Any) -> Factors:
    """The factors of square matrices.

    A column without a pivot other than zero leaves its zeros, as LAPACK's getrf does.
    """
    if same(x.shape[1], 0):
        return Factors(x, filled(counter(0), (1,), (x.shape[0],)))
    return Factors(*_eliminated(x))


@custom_jvp
def _eliminated(x: Any) -> tuple[Any, Any]:
    size = x.shape[1]
    blocks = Blocks.of(size)
    rest = grown(x, blocks.size, blocks.size, diagonal=True)
    numbers = counter(blocks.size)
    # The step in which each row was the pivot; rows that have not been have the size.
    steps = filled(lift(in_kernels(blocks.size)), (), (x.shape[0], blocks.size))

    def block(turn: Any, rest: Any, both: Any, steps: Any) -> tuple[Any, ...]:
        start = turn.times(blocks.width)
        first = number(start)
        columns = piece_at(rest, 2, start, blocks.width)
        columns, steps, order = _columns_eliminated(columns, steps, first)
        tops = _tops(rows_at(rest, order), rows_at(columns, order))
        both = basis.insert(columns, both, [0, 0, start], [1, 1, 1])
        both = basis.insert(tops, both, [0, start, blocks.size], [1, 1, 1])
        operands = [(columns, (0, 1, 2)), (steps, (0, 1)), (in_kernels(blocks.size), ())]
        below = placed(_if_left, operands)
        return rest - multiplied(below, tops), both, steps

    # The multipliers, in the order of the rows, and beside them the rows of the upper factor.
    both = zeros(rest, blocks.size, 2 * blocks.size)
    _, both, steps = counted_loop("elimination", blocks.count, block, rest, both, steps)
    lower, upper = (piece(both, 2, first, blocks.size) for first in (0, blocks.size))
    order = argsort(steps, axis=-1)
    operands = [(rows_at(lower, order), (0, 1, 2)), (upper, (0, 1, 2)), (numbers, (1,)), (numbers, (2,))]
    packed = fitted(placed(_joined, operands), size, size)
    return packed, basis.slice(order, [0, 0], [order.shape[0], size], [1, 1])


@_eliminated.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    """Of `M = L^-1 dx[order] U^-1`, `L` moves by `L` times what is below the diagonal, `U` by the rest times `U`.

    That does not read the last pivot, so that it may be zero; of pivots before it that are zero, as those of columns
    that were added, multipliers stay zero.
    """
    packed, order = _eliminated(*primals)
    factors, numbers = Factors(packed, order), counter(packed.shape[1])
    places = [(numbers, (1,)), (numbers, (2,))]
    operands = [(factors.upper, (0, 1, 2)), *places, (in_kernels(packed.shape[1]), ())]
    upper = placed(_with_pivots, operands)
    inner = substituted(factors.lower, rows_at(tangents[0], order), lower=True)
    both = transposed(substituted(transposed(upper), transposed(inner), lower=True))
    below = placed(_joined, [(both, (0, 1, 2)), (zeros(packed, *packed.shape[1:]), (0, 1, 2)), *places])
    moved = multiplied(factors.lower, below), inner - multiplied(below, factors.upper)
    return (packed, order), (placed(_joined, [*((x, (0, 1, 2)) for x in moved), *places]), None)


def _with_pivots(x: Scalar, row: Scalar, column: Scalar, size: Scalar | int) -> Any:
    missing = scalars.logical_and(row == column, scalars.logical_or(x == 0, row == size - 1))
    return scalars.select(missing, x.kernel.constant(1, x.dtype), x)


def _if_left(x: Scalar, step: Scalar, size: Scalar | int) -> Any:
    return scalars.select(step == size, x, x.kernel.constant(0, x.dtype))


def _joined(lower: Scalar, upper: Scalar, row: Scalar, column: Scalar) -> Any:
    return scalars.select(column < row, lower, upper)


def _columns_eliminated(columns: Any, steps: Any, first: Any) -> tuple[Any, Any, Any]:
    """A block's columns with their multipliers, the rows' steps, and the rows that were pivots in the block."""
    count, size, width = columns.shape

    def column(turn: Any, columns: Any, steps: Any, order: Any) -> tuple[Any, ...]:
        at, rows, left = number(turn), counter(size), in_kernels(size)
        mine = reshape(piece_at(columns, 2, turn, 1), (count, size))
        sizes = placed(_pivot_size, [(mine, (0, 1)), (steps, (0, 1)), (left, ())])
        pivot = argmax(sizes, axis=1)
        row = basis.gather(columns, [pivot], [0, -1, 1], [(0,)])
        value = reshape(piece_at(row, 1, turn, 1), (count,))
        steps = placed(_taken, [(steps, (0, 1)), (rows, (1,)), (pivot, (0,)), (at, ()), (lift(first), ())])
        factors = placed(_factor, [(mine, (0, 1)), (value, (0,)), (steps, (0, 1)), (left, ())])
        operands = [
            (columns, (0, 1, 2)),
            (factors, (0, 1)),
            (row, (0, 2)),
            (steps, (0, 1)),
            (counter(width), (2,)),
            (at, ()),
            (left, ()),
        ]
        columns = placed(_reduced, operands)
        order = placed(_placed_at, [(order, (0, 1)), (pivot, (0,)), (counter(width), (1,)), (at, ())])
        return columns, steps, order

    order = filled(constant(0, dtypes.default_int), (), (count, width))
    return counted_loop("elimination", width, column, columns, steps, order)


def _pivot_size(x: Scalar, step: Scalar, left: Scalar | int) -> Any:
    if x.kind == "complex":  # |re| + |im|, as LAPACK compares them
        size = scalars.absolute(scalars.real(x)) + scalars.absolute(scalars.imag(x))
    else:
        size = scalars.absolute(x)
    return scalars.select(step == left, size, size.kernel.constant(-1, size.dtype))


def _taken(step: Scalar, row: Scalar, pivot: Scalar, at: Scalar, first: Scalar) -> Any:
    return scalars.select(row == scalars.cast(pivot, row.dtype), first + at, step)


def _factor(x: Scalar, pivot: Scalar, step: Scalar, left: Scalar | int) -> Any:
    zero = x.kernel.constant(0, x.dtype)
    return scalars.select(scalars.logical_or(step < left, pivot == zero), zero, x / pivot)


def _reduced(
    x: Scalar, factor: Scalar, top: Scalar, step: Scalar, column: Scalar, at: Scalar, left: Scalar | int
) -> Any:
    changed = scalars.select(column == at, factor, scalars.select(column > at, x - factor * top, x))
    return scalars.select(step == left, changed, x)


def _placed_at(order: Scalar, pivot: Scalar, column: Scalar, at: Scalar) -> Any:
    return scalars.select(column == at, scalars.cast(pivot, order.dtype), order)


def _tops(rows: Any, factors: Any) -> Any:
    """A block's rows of the upper factor: what its multipliers leave of its pivots' rows."""
    width = rows.shape[1]

    def row(turn: Any, rows: Any) -> tuple[Any]:
        factor = reshape(piece_at(factors, 2, turn, 1), factors.shape[:2])
        top = reshape(piece_at(rows, 1, turn, 1), (rows.shape[0], rows.shape[2]))
        operands = [(rows, (0, 1, 2)), (factor, (0, 1)), (top, (0, 2)), (counter(width), (1,)), (number(turn), ())]
        return (placed(_below, operands),)

    return counted_loop("elimination", width, row, rows)[0]


def _below(x: Scalar, factor: Scalar, top: Scalar, row: Scalar, at: Scalar) -> Any:
    return scalars.select(row > at, x - factor * top, x)
