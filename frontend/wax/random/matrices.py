"""Draws that decompose matrices: normal vectors of a covariance, and orthogonal matrices."""

from __future__ import annotations

from typing import Any, Literal

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape, same
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy import linalg
from wax.numpy._basis import ArrayLike, Shape, cast, check_shape, integer, lift, placed, refuse_dtype, scalars, squeezed
from wax.numpy.diagonals import diagonal
from wax.numpy.linear_algebra import matmul
from wax.numpy.manipulation import broadcast_to, expand_dims, matrix_transpose
from wax.random.continuous import normal
from wax.scalars import Scalar

__all__ = ["multivariate_normal", "orthogonal"]


@api
def multivariate_normal(
    key: ArrayLike,
    mean: ArrayLike,
    cov: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike = dtypes.float32,
    method: Literal["cholesky", "eigh"] = "cholesky",
) -> Array:
    """Normal vectors, along the last axis, of a mean vector and a covariance matrix.

    `shape` is that of the draws, without the axis; where it is not given it is that of the stacks of `mean` and `cov`,
    broadcast. The covariance's lower triangle is factored by `method`: "cholesky" gives NaN where it is not positive
    definite; "eigh" takes semidefinite ones too. Half floats are computed in float32.

    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.random.multivariate_normal(wax.random.key(7), wnp.zeros(2), wnp.eye(2), (9,)).shape
    (9, 2)
    """
    name, target = "wax.random.multivariate_normal", dtypes.canonical(dtype)
    if dtypes.kind(target) != "float":
        refuse_dtype(name, target, "floating dtypes")
    if method not in ("cholesky", "eigh"):
        raise InvalidArgumentError(f'{name}: method is "cholesky" or "eigh", not {method!r}')
    wide = dtypes.widened(target)
    centre, spread = cast(lift(mean), wide), cast(lift(cov), wide)
    if not centre.ndim or spread.ndim < 2 or not all(same(size, centre.shape[-1]) for size in spread.shape[-2:]):
        raise ShapeError(
            f"{name} takes a vector and a square matrix of as many rows, or stacks of them; the shapes are "
            f"{format_shape(centre.shape)} and {format_shape(spread.shape)}"
        )
    batch = _common(centre.shape[:-1], spread.shape[:-2]) if shape is None else check_shape(name, shape)
    if method == "cholesky":
        factor = linalg.cholesky(spread, symmetrize_input=False)
    else:
        values, vectors = linalg.eigh(spread, UPLO="L")
        factor = vectors * expand_dims(_root(values), axis=-2)
    draws: Any = normal(key, (*batch, centre.shape[-1]), wide)
    turned = squeezed(matmul(factor, expand_dims(draws, axis=-1)), [draws.ndim])
    return cast(turned + broadcast_to(centre, draws.shape), target)


def _common(*shapes: Any) -> Any:
    from wax.numpy.joining import broadcast_shapes

    return broadcast_shapes(*shapes)


def _root(values: Any) -> Any:
    return placed(_root_of, [(values, range(values.ndim))])


def _root_of(x: Scalar) -> Any:
    """Of eigenvalues that are negative by rounding, 0."""
    return scalars.sqrt(scalars.maximum(x, x.kernel.constant(0, x.dtype)))


@api
def orthogonal(
    key: ArrayLike, n: int, shape: Shape = (), dtype: DTypeLike = dtypes.float32, m: int | None = None
) -> Array:
    """Matrices with orthonormal rows or columns, whichever are fewer, spread evenly over all such (Mezzadri 2007).

    They are `n` by `m`, which is `n` unless given, and as many as `shape` says; unitary for complex dtypes.
    Raises `ShapeError`, `PromotionError`.

    >>> x = wax.random.orthogonal(wax.random.key(7), 3)
    >>> bool(wnp.all(wnp.abs(x @ x.T - wnp.eye(3)) < 1e-6))
    True
    """
    name, target = "wax.random.orthogonal", dtypes.canonical(dtype)
    rows = integer(name, "n", n)
    columns = rows if m is None else integer(name, "m", m)
    batch = check_shape(name, shape)
    check_shape(name, (rows, columns))
    wide = dtypes.widened(target)
    draws = normal(key, (*batch, max(rows, columns), min(rows, columns)), wide)
    q, r = linalg.qr(draws)
    axes = range(q.ndim)
    lines = [*range(q.ndim - 2), q.ndim - 1]
    turned = placed(_in_direction, [(q, axes), (diagonal(r, 0, q.ndim - 2, q.ndim - 1), lines)])
    return cast(turned if rows >= columns else matrix_transpose(turned), target)


def _in_direction(x: Scalar, pivot: Scalar) -> Any:
    size = scalars.absolute(pivot)
    one = pivot.kernel.constant(1, pivot.dtype)
    return x * scalars.select(
        size == 0, one, pivot / scalars.cast(scalars.select(size == 0, size + 1, size), pivot.dtype)
    )
