"""What follows from singular values: ranks, condition numbers, pseudo-inverses, least squares."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from wax import dtypes
from wax.array import Array
from wax.dims import same
from wax.eager import api
from wax.errors import PromotionError, ShapeError
from wax.numpy._basis import ArrayLike, cast, expanded, lift, lift_all, placed, scalars, shapes_text, squeezed
from wax.numpy._contraction import refuse_bool
from wax.numpy._reduction import maximized, summed
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import Stack, adjoint, check_square, identity, magnitude_squared, scaled, stack_of
from wax.numpy.linalg.singular import decomposed, svdvals
from wax.numpy.linalg.systems import inv
from wax.numpy.manipulation import broadcast_to, reshape
from wax.numpy.norms import matrix_norm
from wax.scalars import Scalar
from wax.transform.custom import custom_jvp, stop_gradient

__all__ = ["LstsqResult", "cond", "lstsq", "matrix_rank", "pinv"]


class LstsqResult(NamedTuple):
    """What `lstsq` returns: solutions, sums of squared residuals, ranks, and singular values."""

    x: Any
    residuals: Any
    rank: Any
    s: Any


@api
def matrix_rank(x: ArrayLike, /, *, rtol: ArrayLike | None = None) -> Array:
    """How many singular values of every matrix are greater than `rtol` times the greatest.

    `rtol` is a number or one for each matrix, `max(m, n) * eps` unless given. Raises `ShapeError`, `PromotionError`.

    >>> wnp.linalg.matrix_rank(wnp.asarray([[1.0, 2.0], [2.0, 4.0]]))
    Array(1, dtype=int32)
    """
    stack = stack_of("matrix_rank", x, ordered=True)
    values: Any = svdvals(stack.values)
    counted = placed(_is_greater, [(values, (0, 1)), (_cutoff("matrix_rank", stack, values, rtol), (0,))])
    return reshape(summed(counted, (1,)), stack.batch)


def _is_greater(value: Scalar, cutoff: Scalar) -> Any:
    return scalars.cast(value > cutoff, dtypes.int32)


def _cutoff(name: str, stack: Stack, values: Any, rtol: Any) -> Any:
    """What singular values are taken for zeros up to, for each matrix."""
    part = values.dtype
    if rtol is None:
        more = cast(lift(stack.rows + stack.columns - stack.fewer), part)
        rtol = placed(_times, [(more, ()), (2.0 ** -_digits(stack.dtype), ())])
    else:
        rtol = lift(rtol, strong=False)
        if dtypes.kind(rtol.dtype) not in ("float", "int", "uint"):
            raise PromotionError(f"{name}: rtol is real, not {rtol.dtype}")
    given = reshape(broadcast_to(cast(rtol, part), stack.batch), (stack.values.shape[0],))
    if same(values.shape[1], 0):
        return given
    return placed(_times, [(given, (0,)), (maximized(values, (1,)), (0,))])


def _digits(dtype: dtypes.DType) -> int:
    return {dtypes.float16: 10, dtypes.bfloat16: 7, dtypes.float64: 52, dtypes.complex128: 52}.get(dtype, 23)


def _times(a: Scalar, b: Scalar) -> Any:
    return a * b


@api
def pinv(x: ArrayLike, /, *, rtol: ArrayLike | None = None) -> Array:
    """The Moore-Penrose inverse of every matrix: `V @ diag(1 / S) @ U^H` of the singular values that are no zeros.

    Those up to `rtol` times the greatest are zeros: `max(m, n) * eps` unless given. Raises `ShapeError`,
    `PromotionError`.

    >>> wnp.linalg.pinv(wnp.asarray([[2.0, 0.0], [0.0, 0.0]])) + 0.0
    Array([[0.5, 0. ],
           [0. , 0. ]], dtype=float32)
    """
    stack = stack_of("pinv", x, ordered=True)
    u, s, vh = decomposed(stack.values, full=False)
    inverses = placed(_inverse, [(s, (0, 1)), (_cutoff("pinv", stack, s, rtol), (0,))])
    return stack.restored(_pinv(stack.values, *map(stop_gradient, (u, inverses, vh))))


@custom_jvp
def _pinv(x: Any, u: Any, inverses: Any, vh: Any) -> Any:
    """The inverse, of which `u`, `inverses` and `vh` are the factors."""
    return multiplied(scaled(adjoint(vh), inverses, (0, 2)), adjoint(u))


@custom_jvp
def _solved(x: Any, right: Any, u: Any, inverses: Any, vh: Any) -> Any:
    """The inverse times right sides."""
    return multiplied(adjoint(vh), scaled(multiplied(adjoint(u), right), inverses, (0, 1)))


# The derivatives hold where the rank stays (Golub and Pereyra, The differentiation of pseudo-inverses, 1973), whether
# or not singular values are equal: by those of the factors there would be none.


@_pinv.defjvp
def _(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    x, dx, inverse = primals[0], tangents[0], _pinv(*primals)
    missed = identity(x, x.shape[1], x.shape[1]) - multiplied(x, inverse)
    return inverse, _moved(x, dx, inverse, inverse, missed) - multiplied(inverse, multiplied(dx, inverse))


@_solved.defjvp
def _(primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    x, right, *factors = primals
    dx, dright, *_ = tangents
    found, inverse = _solved(*primals), _pinv(x, *factors)
    ahead = multiplied(inverse, dright - multiplied(dx, found))
    return found, ahead + _moved(x, dx, inverse, found, right - multiplied(x, found))


def _moved(x: Any, dx: Any, inverse: Any, found: Any, missed: Any) -> Any:
    """What of the derivative is due to what the columns, and what the rows, do not span."""
    turned = adjoint(dx)
    columns = multiplied(inverse, multiplied(adjoint(inverse), multiplied(turned, missed)))
    rows = multiplied(turned, multiplied(adjoint(inverse), found))
    return columns + rows - multiplied(inverse, multiplied(x, rows))


def _inverse(value: Scalar, cutoff: Scalar) -> Any:
    # A NaN is no zero.
    return scalars.select(value <= cutoff, value.kernel.constant(0, value.dtype), 1 / value)


@api
def lstsq(x1: ArrayLike, x2: ArrayLike, /, *, rcond: float | None = None) -> LstsqResult:
    """The `y` of least norm of which `|x1 @ y - x2|` is least, for vectors or matrices of right sides.

    NumPy's results, with the sums of squared residuals always there. Singular values up to `rcond` times the
    greatest are zeros. Raises `ShapeError`, `PromotionError`.

    >>> wnp.linalg.lstsq(wnp.asarray([[1.0], [1.0]]), wnp.asarray([1.0, 3.0])).rank
    Array(1, dtype=int32)
    """
    a, b = lift_all("lstsq", x1, x2)
    refuse_bool("lstsq", a.dtype)
    stack = stack_of("lstsq", a, ordered=True)
    is_vector = b.ndim == a.ndim - 1
    if is_vector:
        b = expanded(b, [b.ndim])
    if b.ndim != a.ndim or not all(same(m, n) for m, n in zip(a.shape[:-1], b.shape[:-1], strict=True)):
        raise ShapeError(f"lstsq of {shapes_text([a, b])}: both have the same stacks and as many rows")
    right = stack_of("lstsq", b).values
    u, s, vh = decomposed(stack.values, full=False)
    cutoff = _cutoff("lstsq", stack, s, rcond)
    inverses = placed(_inverse, [(s, (0, 1)), (cutoff, (0,))])
    found = _solved(stack.values, right, *map(stop_gradient, (u, inverses, vh)))
    residuals = summed(magnitude_squared(multiplied(stack.values, found) - right), (1,))
    rank = reshape(summed(placed(_is_greater, [(s, (0, 1)), (cutoff, (0,))]), (1,)), stack.batch)
    results = [stack.restored(found), stack.restored(residuals)]
    if is_vector:
        results[0] = squeezed(results[0], [results[0].ndim - 1])
    return LstsqResult(results[0], results[1], rank, stack.restored(s))


@api
def cond(x: ArrayLike, /, p: float | Literal["fro", "nuc"] | None = None) -> Array:
    """The condition number of every matrix: its norm times that of its inverse, NumPy's `cond`.

    For `p` 2, which `None` means, and -2 it is a quotient of singular values, of matrices of any shape; for the
    others of `matrix_norm` the matrices are square. Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wnp.linalg.cond(wnp.asarray([[4.0, 0.0], [0.0, 2.0]]))
    Array(2., dtype=float32)
    """
    value = lift(x)
    if p in (None, 2, -2):
        order = -2 if p == -2 else 2
        return matrix_norm(value, ord=order) / matrix_norm(value, ord=-order)
    if value.ndim >= 2:
        check_square("cond", value)
    return matrix_norm(value, ord=p) * matrix_norm(inv(value), ord=p)
