"""Singular values and vectors, and what follows from them: pseudo-inverses, ranks, norms, least squares."""

from __future__ import annotations

from typing import Any, NamedTuple

from wax import dtypes
from wax.array import Array
from wax.dims import Size, known_at_most, same
from wax.eager import api
from wax.numpy._basis import (
    ArrayLike,
    basis,
    constant,
    filled,
    placed,
    scalars,
)
from wax.numpy._pieces import counter, piece
from wax.numpy._reduction import summed
from wax.numpy.diagonals import diagonal
from wax.numpy.linalg import eigen
from wax.numpy.linalg._blocks import in_kernels
from wax.numpy.linalg._hermitian import symmetrized
from wax.numpy.linalg._polar import polar_factor
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._reflections import reflected
from wax.numpy.linalg._rotations import made_orthogonal
from wax.numpy.linalg._stacks import (
    adjoint,
    fitted,
    greatest_magnitude,
    identity,
    is_finite,
    magnitude_squared,
    power_of_two,
    real_diagonal,
    real_part,
    scaled,
    stack_of,
    transposed,
    unless,
)
from wax.numpy.linalg.orthogonal import completed_turn
from wax.numpy.sorting import argsort
from wax.scalars import Scalar
from wax.transform.custom import custom_jvp

__all__ = ["SVDResult", "svd", "svdvals"]

#: Columns of matrices whose rows are rotated: which is more accurate for small values, and slower for more columns.
MOST_ROTATED = 48


class SVDResult(NamedTuple):
    """What `svd` returns: `U @ diag(S) @ Vh` is the matrix."""

    U: Any
    S: Any
    Vh: Any


@api
def svd(x: ArrayLike, /, *, full_matrices: bool = True) -> SVDResult:
    """Orthonormal `U` and `V` and the singular values `S`, descending, of which `U @ diag(S) @ V^H` is the matrix.

    Of `m` by `n` matrices with `full_matrices`, `U` is `m` by `m` and `Vh` `n` by `n`; otherwise both have
    `min(m, n)` vectors. QR factors, then up to 48 columns Jacobi's one-sided method on the rows of `R`, which are
    conjugated (Drmač and Veselić 2008), and for more, or a symbolic number, the eigenvectors of its polar factor; the
    vectors of singular values that are 0 complete the others by reflections. Values are within a few `n * eps` of the
    greatest, small ones of few graded columns much closer. The phases of vectors are arbitrary.

    Raises `ShapeError`, `PromotionError`.

    >>> wnp.linalg.svd(wnp.asarray([[0.0, 2.0], [1.0, 0.0]])).S
    Array([2., 1.], dtype=float32)
    """
    stack = stack_of("svd", x, ordered=True)
    u, s, vh = decomposed(stack.values, full=full_matrices)
    return SVDResult(stack.restored(u), stack.restored(s), stack.restored(vh))


@api
def svdvals(x: ArrayLike, /) -> Array:
    """The singular values of matrices, descending: those of `svd`. Raises as it does.

    >>> wnp.linalg.svdvals(wnp.asarray([[0.0, 2.0], [1.0, 0.0]]))
    Array([2., 1.], dtype=float32)
    """
    stack = stack_of("svdvals", x, ordered=True)
    return stack.restored(values_of(stack.values))


def decomposed(x: Any, *, full: bool) -> tuple[Any, Any, Any]:
    """`U`, `S` and `V^H` of matrices."""
    _, rows, columns = x.shape
    if not known_at_most(columns, rows):
        v, s, uh = decomposed(adjoint(x), full=full)
        return adjoint(uh), s, adjoint(v)
    if same(columns, 0):
        return identity(x, rows, rows if full else 0), _no_values(x), fitted(x, 0, 0)
    return _svd(x) if full and not same(rows, columns) else _svd_reduced(x)


@custom_jvp
def _svd(x: Any) -> tuple[Any, Any, Any]:
    return _of_tall(x, full=True)


@custom_jvp
def _svd_reduced(x: Any) -> tuple[Any, Any, Any]:
    return _of_tall(x, full=False)


@custom_jvp
def _svdvals(x: Any) -> Any:
    return _values_of_tall(x)


# The derivatives: U and V turn by skew matrices A and B, and U^H dx V = A S + dS - S B (Townsend, Differentiating the
# singular value decomposition, 2016). Where values are equal, or vanish, vectors are not determined, nor are their
# derivatives: NaN. What complete vectors are turned by among themselves, where nothing says it, is nothing.


@_svdvals.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    u, values, vh = _svd_reduced(*primals)
    return values, real_diagonal(multiplied(adjoint(u), multiplied(tangents[0], adjoint(vh))))


@_svd_reduced.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    u, s, vh = _svd_reduced(*primals)
    return (u, s, vh), _turned(u, s, vh, tangents[0])


@_svd.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    u, s, vh = _svd(*primals)
    _, rows, columns = primals[0].shape
    first, rest = piece(u, 2, 0, columns), piece(u, 2, columns, rows - columns)
    moved, ds, dvh = _turned(first, s, vh, tangents[0])
    return (u, s, vh), (completed_turn(first, rest, moved), ds, dvh)


def _turned(u: Any, s: Any, vh: Any, dx: Any) -> tuple[Any, Any, Any]:
    """The derivatives of `U`, `S` and `V^H`, of as many rows as columns or more."""
    v, numbers = adjoint(vh), counter(s.shape[1])
    moved = multiplied(dx, v)
    inner = multiplied(adjoint(u), moved)
    operands = [(x, (0, 1, 2)) for x in (inner, adjoint(inner))]
    operands += [(s, (0, 1)), (s, (0, 2)), (numbers, (1,)), (numbers, (2,))]
    du, dv = (multiplied(x, placed(_turn, operands, right=right)) for x, right in ((u, False), (v, True)))
    if not same(u.shape[1], u.shape[2]):
        du = du + scaled(moved - multiplied(u, inner), s, (0, 2), divide=True)
    return du, real_diagonal(inner), adjoint(dv)


def _turn(
    x: Scalar, mirrored: Scalar, of_row: Scalar, of_column: Scalar, row: Scalar, column: Scalar, *, right: bool
) -> Any:
    """What vectors turn by towards others. Both phases of a complex pair turn, of which the left one is taken."""
    one, nothing = of_row.kernel.constant(1, of_row.dtype), x.kernel.constant(0, x.dtype)
    alone = row == column
    if x.kind == "complex":
        phase = (x - mirrored) / scalars.cast(of_row + of_column, x.dtype)
        phase = nothing if right else scalars.select(alone, phase, nothing)
    else:
        phase = nothing
    apart = scalars.cast(scalars.select(alone, one, of_column - of_row), x.dtype)
    together = scalars.cast(scalars.select(alone, one, of_column + of_row), x.dtype)
    between, across = (x + mirrored) * 0.5 / apart, (x - mirrored) * 0.5 / together
    return scalars.select(alone, phase, between - across if right else between + across)


def _of_tall(x: Any, *, full: bool) -> tuple[Any, Any, Any]:
    _, rows, columns = x.shape
    good = is_finite(x)
    scale = power_of_two(greatest_magnitude(x, (1, 2)))
    factors = reflected(scaled(x, scale, (0,), divide=True))
    q = factors.orthogonal(rows if full else columns)
    inner = _by_rotations if _are_rotated(columns) else _by_polar_factor
    left, values, v = inner(fitted(factors.triangle, columns, columns))
    u = multiplied(fitted(q, rows, columns), left)
    if full and not same(rows, columns):
        u = basis.concat([u, piece(q, 2, columns, rows - columns)], 2)
    return unless(good, u), unless(good, scaled(values, scale, (0,))), unless(good, adjoint(v))


def _are_rotated(columns: Size) -> bool:
    return isinstance(columns, int) and columns <= MOST_ROTATED


def _by_rotations(r: Any) -> tuple[Any, Any, Any]:
    """`U`, `S` and `V` of triangles."""
    columns = r.shape[1]
    r = placed(scalars.conj, [(r, (0, 1, 2))])
    turned = made_orthogonal(basis.concat([r, identity(r, columns, columns)], 2), columns)
    values, turned = _sorted(turned, columns)
    right = transposed(piece(turned, 2, 0, columns))
    left = transposed(piece(turned, 2, columns, columns))
    return left, values, _completed(right)


def _by_polar_factor(r: Any) -> tuple[Any, Any, Any]:
    """`U`, `S` and `V` of square matrices: those of a Hermitian one, the other factor of which is unitary."""
    unitary, hermitian = _polar(r)
    values, vectors = _eigen(hermitian, vectors=True)
    v = basis.reverse(vectors, (2,))
    return _completed(multiplied(unitary, v)), _descending(values), v


def _polar(r: Any) -> tuple[Any, Any]:
    """The unitary and the Hermitian factor."""
    unitary = polar_factor(r)
    other = multiplied(adjoint(unitary), r)
    return unitary, symmetrized(other)


def _eigen(hermitian: Any, *, vectors: bool) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors of a polar factor, whose eigenvalues may all be nearly one.

    They are off by the size of what is decomposed: of the factor less its mean, which is at most as large.
    """
    size = hermitian.shape[1]
    trace = summed(real_diagonal(hermitian), (1,))
    mean = placed(lambda x, n: x / n, [(trace, (0,)), (in_kernels(size), ())])
    shifted = [(hermitian, (0, 1, 2)), (identity(hermitian, size, size), (0, 1, 2)), (mean, (0,))]
    values, found = eigen.decomposed(placed(_less_multiple, shifted), vectors=vectors)
    return placed(lambda x, m: x + m, [(values, (0, 1)), (mean, (0,))]), found


def _less_multiple(x: Scalar, one: Scalar, factor: Scalar) -> Any:
    return x - one * scalars.cast(factor, x.dtype)


def _descending(values: Any) -> Any:
    return basis.reverse(placed(_not_negative, [(values, (0, 1))]), (1,))


def _not_negative(x: Scalar) -> Any:
    return scalars.maximum(x, x.kernel.constant(0, x.dtype))


def _completed(vectors: Any) -> Any:
    """Orthonormal columns in the directions of orthogonal ones, of which those of small values may be anything."""
    # Of columns that are orthogonal already the triangle is diagonal; reflections complete the others.
    unit = reflected(vectors)
    signs = placed(_sign, [(diagonal(unit.triangle, 0, 1, 2), (0, 1))])
    return scaled(unit.orthogonal(vectors.shape[2]), signs, (0, 2))


def values_of(x: Any) -> Any:
    """The singular values of matrices, descending."""
    if not known_at_most(x.shape[2], x.shape[1]):
        x = adjoint(x)
    columns = x.shape[2]
    return _no_values(x) if same(columns, 0) else _svdvals(x)


def _values_of_tall(x: Any) -> Any:
    columns = x.shape[2]
    good = is_finite(x)
    scale = power_of_two(greatest_magnitude(x, (1, 2)))
    triangle = fitted(reflected(scaled(x, scale, (0,), divide=True)).triangle, columns, columns)
    if not _are_rotated(columns):
        values, _ = _eigen(_polar(triangle)[1], vectors=False)
        return unless(good, scaled(_descending(values), scale, (0,)))
    r = placed(scalars.conj, [(triangle, (0, 1, 2))])
    values, _ = _sorted(made_orthogonal(r, columns), columns)
    return unless(good, scaled(values, scale, (0,)))


def _no_values(x: Any) -> Any:
    return filled(constant(0, dtypes.real_part(x.dtype)), (), (x.shape[0], 0))


def _sorted(rows: Any, length: int) -> tuple[Any, Any]:
    """The lengths of rows, descending, and the rows in that order."""
    squares = summed(magnitude_squared(piece(rows, 2, 0, length)), (2,))
    values = placed(scalars.sqrt, [(squares, (0, 1))])
    order = argsort(values, axis=-1, descending=True)
    return basis.gather(values, [order], [0, -1], [(0, 1)]), basis.gather(rows, [order], [0, -1, 2], [(0, 1)])


def _sign(x: Scalar) -> Any:
    real = real_part(x)
    return scalars.copysign(real.kernel.constant(1, real.dtype), real)
