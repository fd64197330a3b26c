"""The Cholesky factor, block by block: each block of columns is what the factor so far leaves of the matrix."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.eager import api
from wax.numpy._basis import ArrayLike, placed, scalars
from wax.numpy._pieces import counter
from wax.numpy._reduction import folded
from wax.numpy.linalg._blocks import Blocks, counted_loop, number, piece_at, put_at
from wax.numpy.linalg._hermitian import mirrored, symmetrized
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import adjoint, fitted, grown, stack_of, unless, zeros
from wax.numpy.linalg._triangular import substituted, triangle
from wax.numpy.manipulation import reshape
from wax.scalars import Scalar
from wax.transform.custom import custom_jvp

__all__ = ["cholesky"]


@api
def cholesky(x: ArrayLike, /, *, upper: bool = False, symmetrize_input: bool = True) -> Array:
    """The triangle `L` with a positive diagonal of which `L @ L^H` is the Hermitian positive definite matrix.

    `upper` gives `L^H`. With `symmetrize_input` the factor is that of `(x + x^H) / 2`, otherwise only the triangle
    that the result has is read. A matrix that is not positive definite gives NaN in all of its elements. Columns are
    computed from the left (Golub and Van Loan, Matrix Computations, 2013, 4.2.5), with a residual of `n * eps`.

    Raises `ShapeError`, `PromotionError`.

    >>> wnp.linalg.cholesky(wnp.asarray([[4.0, 2.0], [2.0, 5.0]]))
    Array([[2., 0.],
           [1., 2.]], dtype=float32)
    """
    stack = stack_of("cholesky", x, square=True)
    matrices = stack.values
    if symmetrize_input:
        matrices = symmetrized(matrices)
    elif upper:
        matrices = adjoint(matrices)
    factor = factored(matrices)
    return stack.restored(adjoint(factor) if upper else factor)


def factored(x: Any) -> Any:
    """The lower factor of Hermitian matrices, of which the lower triangle is read."""
    return x if Blocks.of(x.shape[1]).are_none else _cholesky(x)


@custom_jvp
def _cholesky(x: Any) -> Any:
    size = x.shape[1]
    blocks = Blocks.of(size)
    x = grown(x, blocks.size, blocks.size, diagonal=True)

    def block(turn: Any, factor: Any) -> tuple[Any]:
        start = turn.times(blocks.width)
        columns = piece_at(x, 2, start, blocks.width)
        if not blocks.is_one:
            columns = columns - multiplied(factor, adjoint(piece_at(factor, 1, start, blocks.width)))
        square = piece_at(columns, 1, start, blocks.width)
        return (put_at(_columns_factored(square, columns), factor, 2, start),)

    (factor,) = counted_loop("cholesky", blocks.count, block, zeros(x, blocks.size, blocks.size))
    factor = triangle(fitted(factor, size, size), lower=True)
    return unless(folded(factor, (1, 2), _and_number, scalars.logical_and, True, dtypes.bool_), factor)


@_cholesky.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    """`L` times the lower half of `L^-1 dx L^-H` (Murray, Differentiation of the Cholesky decomposition, 2016)."""
    factor, dx = _cholesky(*primals), tangents[0]
    half = substituted(factor, mirrored(dx, lower=True), lower=True)
    inner, numbers = adjoint(substituted(factor, adjoint(half), lower=True)), counter(dx.shape[1])
    lower = placed(_lower_half, [(inner, (0, 1, 2)), (numbers, (1,)), (numbers, (2,))])
    return factor, multiplied(factor, lower)


def _lower_half(x: Scalar, row: Scalar, column: Scalar) -> Any:
    nothing = x.kernel.constant(0, x.dtype)
    return scalars.select(row > column, x, scalars.select(row == column, x * 0.5, nothing))


def _and_number(x: Scalar, so_far: Scalar) -> Any:
    return scalars.logical_and(scalars.logical_not(scalars.isnan(x)), so_far)


def _columns_factored(square: Any, columns: Any) -> Any:
    """The columns of the factor, of a block whose rows on the diagonal are `square`."""
    count, width, _ = square.shape

    def column(turn: Any, square: Any, columns: Any) -> tuple[Any, Any]:
        at, numbers = number(turn), counter(width)
        mine = reshape(piece_at(square, 2, turn, 1), (count, width))
        pivot = reshape(piece_at(mine, 1, turn, 1), (count,))
        rest = reshape(piece_at(columns, 2, turn, 1), columns.shape[:2])
        results = []
        for x, below in ((square, mine), (columns, rest)):
            operands = [(x, (0, 1, 2)), (below, (0, 1)), (mine, (0, 2)), (pivot, (0,)), (numbers, (2,)), (at, ())]
            results.append(placed(_step, operands))
        return results[0], results[1]

    return counted_loop("cholesky", width, column, square, columns)[1]


def _step(x: Scalar, below: Scalar, beside: Scalar, pivot: Scalar, column: Scalar, at: Scalar) -> Any:
    size = scalars.real(pivot) if pivot.kind == "complex" else pivot
    root = scalars.sqrt(scalars.select(size > 0, size, size.kernel.constant(float("nan"), size.dtype)))
    left, right = below / scalars.cast(root, x.dtype), scalars.conj(beside / scalars.cast(root, x.dtype))
    return scalars.select(column == at, left, scalars.select(column > at, x - left * right, x))
