"""Eigenvalues and eigenvectors of Hermitian matrices."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from wax.array import Array
from wax.eager import api
from wax.errors import InvalidArgumentError
from wax.numpy._basis import ArrayLike, basis, placed, scalars
from wax.numpy._pieces import counter
from wax.numpy._reduction import summed
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._rotations import made_orthogonal
from wax.numpy.linalg._stacks import (
    Stack,
    adjoint,
    greatest_magnitude,
    is_finite,
    magnitude_squared,
    power_of_two,
    scaled,
    stack_of,
    unless,
)
from wax.numpy.sorting import argsort
from wax.scalars import Scalar

__all__ = ["EighResult", "eigh", "eigvalsh"]


class EighResult(NamedTuple):
    """What `eigh` returns: the eigenvalues in ascending order, and the eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


@api
def eigh(x: ArrayLike, /, *, UPLO: Literal["L", "U"] | None = None, symmetrize_input: bool = True) -> EighResult:
    """Real `w`, ascending, and unitary `V` of which `V @ diag(w) @ V^H` is the Hermitian matrix, for each of a stack.

    Without `UPLO`, the matrix is `(x + x^H) / 2`; with it, or without `symmetrize_input`, only the triangle it names is
    read, the lower one unless it is `"U"`. By Jacobi's one-sided method on the matrix plus a multiple of the identity
    that makes it positive definite; each eigenvalue is `v^H x v`, within a few `eps` of the greatest one's size, and
    `V^H V` the identity within `n * eps`. The phase of an eigenvector is arbitrary.

    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wnp.linalg.eigh(wnp.asarray([[2.0, 0.0], [0.0, -1.0]])).eigenvalues
    Array([-1.,  2.], dtype=float32)
    """
    stack = _hermitian("eigh", x, UPLO, symmetrize_input)
    values, vectors = _decomposed(stack.values)
    return EighResult(stack.restored(values), stack.restored(vectors))


@api
def eigvalsh(x: ArrayLike, /, *, UPLO: Literal["L", "U"] | None = None, symmetrize_input: bool = True) -> Array:
    """The eigenvalues of Hermitian matrices in ascending order: those of `eigh`. Raises as it does.

    >>> wnp.linalg.eigvalsh(wnp.asarray([[2.0, 0.0], [0.0, 1.0]]))
    Array([1., 2.], dtype=float32)
    """
    stack = _hermitian("eigvalsh", x, UPLO, symmetrize_input)
    return stack.restored(_decomposed(stack.values)[0])


def _hermitian(name: str, x: Any, uplo: str | None, symmetrize: bool) -> Stack:
    if uplo not in (None, "L", "U"):
        raise InvalidArgumentError(f'{name}: UPLO is "L" or "U", not {uplo!r}')
    stack = stack_of(name, x, square=True)
    value, other = stack.values, adjoint(stack.values)
    both = [(value, (0, 1, 2)), (other, (0, 1, 2))]
    if uplo is None and symmetrize:
        return Stack(placed(_mean, both), stack.batch, stack.dtype)
    numbers = counter(stack.rows)
    mirrored = placed(_mirrored, [*both, (numbers, (1,)), (numbers, (2,))], lower=uplo != "U")
    return Stack(mirrored, stack.batch, stack.dtype)


def _mean(a: Scalar, b: Scalar) -> Any:
    return a * 0.5 + b * 0.5


def _mirrored(x: Scalar, other: Scalar, row: Scalar, column: Scalar, *, lower: bool) -> Any:
    inside = scalars.select(row > column if lower else row < column, x, other)
    if x.kind != "complex":
        return inside
    real = x.kernel.op("complex.create", [scalars.real(x), scalars.real(x) * 0], x.dtype)
    return scalars.select(row == column, real, inside)


def _decomposed(x: Any) -> tuple[Any, Any]:
    size = x.shape[1]
    if size == 0:
        return basis.slice(summed(magnitude_squared(x), (2,)), [0, 0], [x.shape[0], 0], [1, 1]), x
    good = is_finite(x)
    scale = power_of_two(greatest_magnitude(x, (1, 2)))
    x = scaled(x, scale, (0,), divide=True)
    # |x^4|^(1/4) is at most n^(1/8) times the spectral norm, and at least as great.
    square = multiplied(x, x)
    norm = summed(magnitude_squared(multiplied(square, square)), (1, 2))
    numbers = counter(size)
    operands = [(x, (0, 1, 2)), (norm, (0,)), (numbers, (1,)), (numbers, (2,))]
    # Its columns, as rows, become eigenvectors times eigenvalues.
    rows = made_orthogonal(basis.permute(placed(_shifted, operands), (0, 2, 1)), size)
    lengths = summed(magnitude_squared(rows), (2,))
    rows = scaled(rows, placed(scalars.sqrt, [(lengths, (0, 1))]), (0, 1), divide=True)
    # The rows are v, so those of `rows @ x^T` are x v.
    images = multiplied(rows, basis.permute(x, (0, 2, 1)))
    values = summed(placed(_rayleigh, [(rows, (0, 1, 2)), (images, (0, 1, 2))]), (2,))
    # The rows are of length 1 but for rounding, which the quotient takes away.
    values = scaled(values, summed(magnitude_squared(rows), (2,)), (0, 1), divide=True)
    order = argsort(values, axis=-1)
    values = scaled(basis.gather(values, [order], [0, -1], [(0, 1)]), scale, (0,))
    rows = basis.gather(rows, [order], [0, -1, 2], [(0, 1)])
    return unless(good, values), unless(good, basis.permute(rows, (0, 2, 1)))


def _shifted(x: Scalar, norm: Scalar, row: Scalar, column: Scalar) -> Any:
    bound = scalars.sqrt(scalars.sqrt(scalars.sqrt(norm))) * 1.5
    shift = scalars.maximum(bound, bound.kernel.constant(1, bound.dtype))
    return scalars.select(row == column, x + scalars.cast(shift, x.dtype), x)


def _rayleigh(vector: Scalar, image: Scalar) -> Any:
    if vector.kind != "complex":
        return vector * image
    return scalars.real(vector) * scalars.real(image) + scalars.imag(vector) * scalars.imag(image)
