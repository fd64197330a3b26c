"""QR factors: an orthonormal basis of the columns, and the triangle that makes them of it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from wax.dims import Size, known_at_most, lesser, same
from wax.eager import api
from wax.errors import InvalidArgumentError
from wax.numpy._basis import ArrayLike, basis, placed, scalars
from wax.numpy._pieces import counter, piece
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._reflections import reflected
from wax.numpy.linalg._stacks import adjoint, fitted, grown, is_finite, stack_of, unless
from wax.numpy.linalg._triangular import substituted
from wax.scalars import Scalar
from wax.transform.custom import custom_jvp

__all__ = ["QRResult", "completed_turn", "qr"]


class QRResult(NamedTuple):
    """What `qr` returns: `Q @ R` is the matrix."""

    Q: Any
    R: Any


@api
def qr(x: ArrayLike, /, *, mode: Literal["reduced", "complete"] = "reduced") -> QRResult:
    """Orthonormal columns `Q` and an upper triangle `R` of which `Q @ R` is the matrix, for every one of a stack.

    Of `m` by `n` matrices, `Q` has `min(m, n)` columns if `mode` is `"reduced"`, and `m` if it is `"complete"`. By
    Householder's reflections (Golub and Van Loan, Matrix Computations, 2013, 5.2.2), with the signs of LAPACK: the
    diagonal of `R` is real, and negative where the reflected column began with a number that is not. The residual is
    `n * eps` of each column's size.

    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wnp.linalg.qr(wnp.asarray([[3.0, 1.0], [4.0, 2.0]])).R.shape
    (2, 2)
    """
    if mode not in ("reduced", "complete"):
        raise InvalidArgumentError(f'qr: mode is "reduced" or "complete", not {mode!r}')
    stack = stack_of("qr", x, ordered=True)
    complete = mode == "complete" and not same(stack.rows, stack.fewer)
    q, r = (_qr_complete if complete else _qr)(stack.values)
    return QRResult(stack.restored(q), stack.restored(r))


@custom_jvp
def _qr(x: Any) -> tuple[Any, Any]:
    few = lesser(x.shape[1], x.shape[2])
    assert few is not None, "the stack is ordered"
    return _factors(x, few)


@custom_jvp
def _qr_complete(x: Any) -> tuple[Any, Any]:
    return _factors(x, x.shape[1])


def _factors(x: Any, rows: Size) -> tuple[Any, Any]:
    found, good = reflected(x), is_finite(x)
    return unless(good, found.orthogonal(rows)), unless(good, fitted(found.triangle, rows, x.shape[2]))


# The derivatives (Walter and Lehmann, Algorithmic differentiation of linear algebra functions, 2010): Q turns by a
# skew matrix, of which Q^H dx R^-1 less a triangle is left. Columns that depend on those before have none: NaN.


@_qr.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    (x,), (dx,) = primals, tangents
    q, r = _qr(x)
    _, rows, columns = x.shape
    if known_at_most(columns, rows):
        return (q, r), _turned(q, r, dx)
    # What columns there are beyond the rows follow the others.
    dq, first = _turned(q, fitted(r, rows, rows), fitted(dx, rows, rows))
    rest, moved = (piece(one, 2, rows, columns - rows) for one in (x, dx))
    rest = multiplied(adjoint(dq), rest) + multiplied(adjoint(q), moved)
    return (q, r), (dq, basis.concat([first, rest], 2))


@_qr_complete.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    q, r = _qr_complete(*primals)
    _, rows, columns = primals[0].shape
    first, rest = piece(q, 2, 0, columns), piece(q, 2, columns, rows - columns)
    dq, dr = _turned(first, fitted(r, columns, columns), tangents[0])
    return (q, r), (completed_turn(first, rest, dq), grown(dr, rows, columns))


def completed_turn(first: Any, rest: Any, moved: Any) -> Any:
    """The derivatives of all vectors of an orthonormal basis, of which those of the `first` are known.

    The rest stay orthogonal to those, and are not turned among themselves.
    """
    return basis.concat([moved, -multiplied(first, multiplied(adjoint(moved), rest))], 2)


def _turned(q: Any, r: Any, dx: Any) -> tuple[Any, Any]:
    """The derivatives of `Q` and a square `R`."""
    # dx R^-1, the adjoint of what solves by the adjoint of R.
    over = adjoint(substituted(adjoint(r), adjoint(dx), lower=True))
    inner, numbers = multiplied(adjoint(q), over), counter(r.shape[1])
    operands = [(inner, (0, 1, 2)), (adjoint(inner), (0, 1, 2)), (numbers, (1,)), (numbers, (2,))]
    turn = placed(_skew, operands)
    return over - multiplied(q, inner - turn), multiplied(inner - turn, r)


def _skew(x: Scalar, mirrored: Scalar, row: Scalar, column: Scalar) -> Any:
    """The skew matrix with the same elements below the diagonal, on which `R` is real."""
    on = (x - mirrored) * 0.5 if x.kind == "complex" else x.kernel.constant(0, x.dtype)
    return scalars.select(row > column, x, scalars.select(row < column, -mirrored, on))
