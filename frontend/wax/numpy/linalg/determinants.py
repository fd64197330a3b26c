"""Determinants, by the pivots of LU factors; their derivatives by cofactors, which singular matrices have too."""

from __future__ import annotations

from typing import Any, NamedTuple

from wax import dtypes
from wax.array import Array
from wax.dims import same
from wax.eager import api
from wax.numpy._basis import ArrayLike, placed, scalars
from wax.numpy._pieces import counter
from wax.numpy._reduction import folded, summed
from wax.numpy.diagonals import diagonal
from wax.numpy.linalg._blocks import counted_loop, number, piece_at
from wax.numpy.linalg._elimination import Factors, eliminated, rows_at
from wax.numpy.linalg._lu_solutions import solved
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import real_part, stack_of, transposed, zeros
from wax.numpy.linalg._triangular import substituted
from wax.numpy.manipulation import reshape
from wax.scalars import Scalar
from wax.transform.custom import custom_jvp

__all__ = ["SlogdetResult", "det", "slogdet"]


class SlogdetResult(NamedTuple):
    """What `slogdet` returns: the determinant is `sign * exp(logabsdet)`."""

    sign: Any
    logabsdet: Any


@api
def det(x: ArrayLike, /) -> Array:
    """The determinant of every square matrix: the product of the pivots, with the sign of the rows' order.

    It overflows where the product does; see `slogdet`. The determinant of no rows is 1. Its derivative is the matrix of
    cofactors, of singular matrices too. Raises `ShapeError`, `PromotionError`.

    >>> wnp.linalg.det(wnp.asarray([[1.0, 2.0], [4.0, 4.0]]))
    Array(-4., dtype=float32)
    """
    stack = stack_of("det", x, square=True)
    return stack.restored(_determinant(eliminated(stack.values)) if same(stack.rows, 0) else _det(stack.values))


@api
def slogdet(x: ArrayLike, /) -> SlogdetResult:
    """The sign of every square matrix's determinant and the logarithm of its magnitude, by the pivots of `det`.

    The sign of a complex determinant is its quotient by its magnitude. A singular matrix gives 0 and -inf. Raises
    `ShapeError`, `PromotionError`.

    >>> wnp.linalg.slogdet(wnp.asarray([[0.0, 1.0], [1.0, 0.0]]))
    SlogdetResult(sign=Array(-1., dtype=float32), logabsdet=Array(0., dtype=float32))
    """
    stack = stack_of("slogdet", x, square=True)
    found = _sign_and_logarithm if same(stack.rows, 0) else _slogdet
    return SlogdetResult(*map(stack.restored, found(stack.values)))


def _determinant(factors: Factors) -> Any:
    pivots = diagonal(factors.packed, 0, 1, 2)
    total = folded(pivots, (1,), scalars.multiply, scalars.multiply, 1, pivots.dtype)
    return placed(_signed, [(total, (0,)), (factors.is_odd, (0,))])


def _sign_and_logarithm(x: Any) -> tuple[Any, Any]:
    factors = eliminated(x)
    pivots = diagonal(factors.packed, 0, 1, 2)
    signs = placed(scalars.sign, [(pivots, (0, 1))])
    sign = folded(signs, (1,), scalars.multiply, scalars.multiply, 1, pivots.dtype)
    sizes = placed(_logarithm, [(pivots, (0, 1))])
    return placed(_signed, [(sign, (0,)), (factors.is_odd, (0,))]), summed(sizes, (1,))


def _signed(x: Scalar, is_odd: Scalar) -> Any:
    return scalars.select(is_odd, -x, x)


def _logarithm(x: Scalar) -> Any:
    return scalars.log(scalars.absolute(x))


# The derivatives: that of a determinant is the trace of the adjugate times the matrix's, that of its logarithm the
# trace of the inverse times it (Giles, Collected matrix derivative results, 2008).


@custom_jvp
def _det(x: Any) -> Any:
    return _determinant(eliminated(x))


@_det.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    factors = eliminated(*primals)
    moved = rows_at(tangents[0], factors.order)
    # Of P x = L U the adjugate is that of U, times L^-1 P, times the sign of P; L^-1 comes from the right.
    cofactors = substituted(transposed(factors.lower), transposed(_adjugate(factors.upper)), lower=False)
    trace = summed(placed(scalars.multiply, [(cofactors, (0, 1, 2)), (moved, (0, 1, 2))]), (1, 2))
    return _determinant(factors), placed(_signed, [(trace, (0,)), (factors.is_odd, (0,))])


def _adjugate(t: Any) -> Any:
    """The determinant times the inverse of upper triangles, without a division, from the last row up.

    With a row `(u, r)` above a triangle `t` and zeros, the adjugate is `(det(t), -r adj(t))` above `u adj(t)`.
    """
    size = t.shape[1]

    def step(turn: Any, found: Any, determinant: Any) -> tuple[Any, Any]:
        at = turn.times(-1).plus(size - 1)
        row = piece_at(t, 1, at, 1)
        pivot = reshape(piece_at(row, 2, at, 1), (t.shape[0],))
        operands = [
            (found, (0, 1, 2)),
            (reshape(multiplied(row, found), (t.shape[0], size)), (0, 2)),
            (pivot, (0,)),
            (determinant, (0,)),
            (counter(size), (1,)),
            (counter(size), (2,)),
            (number(at), ()),
        ]
        return placed(_row_above, operands), placed(scalars.multiply, [(determinant, (0,)), (pivot, (0,))])

    one = placed(_one, [(reshape(zeros(t, 1, 1), (t.shape[0],)), (0,))])
    return counted_loop("adjugate", size, step, zeros(t, size, size), one)[0]


def _one(zero: Scalar) -> Any:
    return zero + 1


def _row_above(
    x: Scalar, product: Scalar, pivot: Scalar, determinant: Scalar, row: Scalar, column: Scalar, at: Scalar
) -> Any:
    return scalars.select(row == at, scalars.select(column == at, determinant, -product), pivot * x)


@custom_jvp
def _slogdet(x: Any) -> tuple[Any, Any]:
    return _sign_and_logarithm(x)


@_slogdet.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (dx,) = primals, tangents
    sign, logarithm = _slogdet(x)
    trace = summed(diagonal(solved(x, dx), 0, 1, 2), (1,))
    turned = placed(_turned, [(sign, (0,)), (trace, (0,))]) if dtypes.kind(x.dtype) == "complex" else None
    return (sign, logarithm), (turned, placed(real_part, [(trace, (0,))]))


def _turned(sign: Scalar, trace: Scalar) -> Any:
    """The sign of a complex determinant turns by the imaginary part of the logarithm's derivative."""
    imaginary = scalars.imag(trace)
    return sign * sign.kernel.op("complex.create", [imaginary * 0, imaginary], sign.dtype)
