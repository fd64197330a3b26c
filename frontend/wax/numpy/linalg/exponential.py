"""The exponential of matrices."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.control_flow.loops import while_loop
from wax.dims import same
from wax.eager import api
from wax.numpy._basis import ArrayLike, placed, scalars
from wax.numpy._reduction import maximized, summed
from wax.numpy.linalg._lu_solutions import solved
from wax.numpy.linalg._products import multiplied
from wax.numpy.linalg._stacks import identity, power_of_two, stack_of
from wax.scalars import Scalar

__all__ = ["expm"]

#: How often a matrix is squared of which there is a gradient: its norm is below 1e20.
MOST_SQUARED = 64

#: Coefficients of Padé's approximants to exp, and the greatest norm for which they are as exact as the dtype (Higham,
#: The scaling and squaring method for the matrix exponential revisited, 2005).
_SINGLE = (17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1), 3.925724783138660
_DOUBLE = (
    (64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600)
    + (670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1),
    5.371920351148152,
)


@api
def expm(x: ArrayLike, /) -> Array:
    """The exponential of every square matrix, `1 + x + x @ x / 2 + x @ x @ x / 6 + …`.

    By a quotient of polynomials of the matrix, scaled by a power of two, and squared as often (Higham 2005). Raises
    `ShapeError`, `PromotionError`.

    >>> wnp.linalg.expm(wnp.asarray([[0.0, 1.0], [0.0, 0.0]]))
    Array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
    stack = stack_of("expm", x, square=True)
    value = stack.values
    if same(stack.rows, 0):
        return stack.restored(value)
    coefficients, most = _DOUBLE if dtypes.real_part(value.dtype) == dtypes.float64 else _SINGLE
    norm = maximized(summed(placed(scalars.absolute, [(value, (0, 1, 2))]), (1,)), (1,))
    scale = placed(_scale, [(power_of_two(placed(_over, [(norm, (0,))], most=most)), (0,))])
    even, odd = _halves(placed(_scaled_down, [(value, (0, 1, 2)), (scale, (0,))]), coefficients)
    over, under = (placed(f, [(even, (0, 1, 2)), (odd, (0, 1, 2))]) for f in (scalars.add, _difference))
    result = solved(under, over)

    def square(state: Any) -> Any:
        _, y, scale = state
        y = placed(_if_more, [(multiplied(y, y), (0, 1, 2)), (y, (0, 1, 2)), (scale, (0,))])
        scale = placed(_halved, [(scale, (0,))])
        return _left(scale), y, scale

    start = (_left(scale), result, scale)
    return stack.restored(while_loop(lambda state: state[0] > 0, square, start, max_steps=MOST_SQUARED)[1])


def _halves(x: Any, coefficients: tuple[int, ...]) -> tuple[Any, Any]:
    """The even and the odd part of the polynomial, by Horner's rule in the square of the matrix."""
    square, one = multiplied(x, x), identity(x, x.shape[1], x.shape[1])
    leading = float(coefficients[0])
    parts = []
    for first in (0, 1):
        sums = None
        for coefficient in reversed(coefficients[first::2]):
            operands = [(one, (0, 1, 2))] if sums is None else [(one, (0, 1, 2)), (multiplied(sums, square), (0, 1, 2))]
            sums = placed(_plus, operands, factor=coefficient / leading)
        parts.append(sums)
    return parts[0], multiplied(x, parts[1])


def _plus(one: Scalar, so_far: Scalar | None = None, *, factor: float) -> Any:
    term = one * one.kernel.constant(factor, one.dtype)
    return term if so_far is None else so_far + term


def _over(norm: Scalar, *, most: float) -> Any:
    return norm / most


def _scale(power: Scalar) -> Any:
    """The power of two that brings a norm of less than twice its quotient below the greatest; of infinite ones none."""
    one = power.kernel.constant(1, power.dtype)
    return scalars.select(scalars.logical_and(power >= 1, scalars.isfinite(power)), power * 2, one)


def _scaled_down(x: Scalar, scale: Scalar) -> Any:
    return x / scalars.cast(scale, x.dtype)


def _difference(a: Scalar, b: Scalar) -> Any:
    return a - b


def _if_more(squared: Scalar, y: Scalar, scale: Scalar) -> Any:
    return scalars.select(scale > 1, squared, y)


def _halved(scale: Scalar) -> Any:
    return scalars.maximum(scale * 0.5, scale.kernel.constant(1, scale.dtype))


def _is_left(scale: Scalar) -> Any:
    return scalars.cast(scale > 1, dtypes.int32)


def _left(scale: Any) -> Any:
    return maximized(placed(_is_left, [(scale, (0,))]), (0,))
