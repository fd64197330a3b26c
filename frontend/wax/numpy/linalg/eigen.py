"""Eigenvalues and eigenvectors of Hermitian matrices."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from wax.array import Array
from wax.dims import same
from wax.eager import api
from wax.errors import InvalidArgumentError
from wax.numpy._basis import ArrayLike, basis, cast, placed, scalars
from wax.numpy._pieces import counter
from wax.numpy._reduction import summed
from wax.numpy.linalg._hermitian import mirrored, symmetrized
from wax.numpy.linalg._merging import values_and_vectors_of, values_of
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import (
    Stack,
    adjoint,
    greatest_magnitude,
    is_finite,
    magnitude_squared,
    power_of_two,
    real_diagonal,
    real_part,
    scaled,
    stack_of,
    unless,
)
from wax.numpy.linalg._tridiagonal import tridiagonal
from wax.scalars import Scalar
from wax.transform.custom import custom_jvp

__all__ = ["EighResult", "decomposed", "eigh", "eigvalsh"]


class EighResult(NamedTuple):
    """What `eigh` returns: the eigenvalues in ascending order, and the eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


@api
def eigh(x: ArrayLike, /, *, UPLO: Literal["L", "U"] | None = None, symmetrize_input: bool = True) -> EighResult:
    """Real `w`, ascending, and unitary `V` of which `V @ diag(w) @ V^H` is the Hermitian matrix, for each of a stack.

    Without `UPLO`, the matrix is `(x + x^H) / 2`; with it, or without `symmetrize_input`, only the triangle it names is
    read, the lower one unless it is `"U"`. By reflections, which make the matrix tridiagonal, and divide and conquer;
    eigenvalues are within a few `eps` of the greatest one's size, and `V^H V` of the identity. The phase of an
    eigenvector is arbitrary.

    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wnp.linalg.eigh(wnp.asarray([[2.0, 0.0], [0.0, -1.0]])).eigenvalues
    Array([-1.,  2.], dtype=float32)
    """
    stack = _hermitian("eigh", x, UPLO, symmetrize_input)
    values, vectors = decomposed(stack.values, vectors=True)
    return EighResult(stack.restored(values), stack.restored(vectors))


@api
def eigvalsh(x: ArrayLike, /, *, UPLO: Literal["L", "U"] | None = None, symmetrize_input: bool = True) -> Array:
    """The eigenvalues of Hermitian matrices in ascending order: those of `eigh`. Raises as it does.

    >>> wnp.linalg.eigvalsh(wnp.asarray([[2.0, 0.0], [0.0, 1.0]]))
    Array([1., 2.], dtype=float32)
    """
    stack = _hermitian("eigvalsh", x, UPLO, symmetrize_input)
    return stack.restored(decomposed(stack.values, vectors=False)[0])


def _hermitian(name: str, x: Any, uplo: str | None, symmetrize: bool) -> Stack:
    if uplo not in (None, "L", "U"):
        raise InvalidArgumentError(f'{name}: UPLO is "L" or "U", not {uplo!r}')
    stack = stack_of(name, x, square=True)
    is_whole = uplo is None and symmetrize
    hermitian = symmetrized(stack.values) if is_whole else mirrored(stack.values, lower=uplo != "U")
    return Stack(hermitian, stack.batch, stack.dtype)


def decomposed(x: Any, *, vectors: bool) -> tuple[Any, Any]:
    """The eigenvalues of Hermitian matrices, ascending, and the eigenvectors as columns if they are asked for."""
    if same(x.shape[1], 0):
        return basis.slice(summed(magnitude_squared(x), (2,)), [0, 0], [x.shape[0], 0], [1, 1]), x
    return _eigh(x) if vectors else (_eigvalsh(x), None)


@custom_jvp
def _eigvalsh(x: Any) -> Any:
    return _conquered(x, vectors=False)[0]


@custom_jvp
def _eigh(x: Any) -> tuple[Any, Any]:
    return _conquered(x, vectors=True)


# The derivatives: of V^H dx V the diagonal is that of the eigenvalues, and the rest, over the gaps between them, how
# the vectors turn (Magnus, On differentiating eigenvalues and eigenvectors, 1985). Where values are equal no vectors
# are determined, nor are their derivatives: NaN.


@_eigvalsh.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    values, vectors = _eigh(*primals)
    return values, real_diagonal(multiplied(adjoint(vectors), multiplied(tangents[0], vectors)))


@_eigh.defjvp
def _(primals: tuple[Any], tangents: tuple[Any]) -> tuple[Any, Any]:
    values, vectors = _eigh(*primals)
    inner, numbers = multiplied(adjoint(vectors), multiplied(tangents[0], vectors)), counter(values.shape[1])
    operands = [(inner, (0, 1, 2)), (values, (0, 1)), (values, (0, 2)), (numbers, (1,)), (numbers, (2,))]
    return (values, vectors), (real_diagonal(inner), multiplied(vectors, placed(_over_gap, operands)))


def _over_gap(x: Scalar, of_row: Scalar, of_column: Scalar, row: Scalar, column: Scalar) -> Any:
    one, nothing = of_row.kernel.constant(1, of_row.dtype), x.kernel.constant(0, x.dtype)
    gap = scalars.select(row == column, one, of_column - of_row)
    return scalars.select(row == column, nothing, x / scalars.cast(gap, x.dtype))


def _conquered(x: Any, *, vectors: bool) -> tuple[Any, Any]:
    size = x.shape[1]
    good = is_finite(x)
    scale = power_of_two(greatest_magnitude(x, (1, 2)))
    reflections = tridiagonal(placed(_over_if, [(x, (0, 1, 2)), (scale, (0,)), (good, (0,))]))
    found, numbers = reflections.triangle, counter(size)
    lines = [(found, (0, 1, 2)), (numbers, (1,)), (numbers, (2,))]
    lines = [summed(placed(_on_line, lines, under=under), (1,)) for under in (0, 1)]
    if not vectors:
        return unless(good, scaled(values_of(*lines), scale, (0,))), None
    values, inner = values_and_vectors_of(*lines)
    return unless(good, scaled(values, scale, (0,))), unless(good, reflections.applied(cast(inner, x.dtype)))


def _over_if(x: Scalar, scale: Scalar, good: Scalar) -> Any:
    over = x / scalars.cast(scale, x.dtype)
    return scalars.select(good, over, x.kernel.constant(0, x.dtype))


def _on_line(x: Scalar, row: Scalar, column: Scalar, *, under: int) -> Any:
    real = real_part(x)
    return scalars.select(row == column + under, real, real.kernel.constant(0, real.dtype))
