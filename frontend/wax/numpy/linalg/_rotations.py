"""Vectors made orthogonal by rotations of pairs: Jacobi's method, one-sided (Hestenes 1958).

The vectors are rows. In a round each of them is rotated with one other, so that the two become orthogonal; in a sweep
of rounds every pair meets once, by the tournament of Brent and Luk (1985): one vector keeps its place, the others move
on by one. Sweeps are repeated until no pair was further from orthogonal than `eps * sqrt(length)`, which takes six to
ten, as convergence is quadratic in the end; there are never more than `MOST_SWEEPS`.
"""

from __future__ import annotations

import math
from typing import Any

from wax import dtypes
from wax.control_flow.loops import while_loop
from wax.numpy._basis import basis, constant, placed, scalars
from wax.numpy._pieces import piece
from wax.numpy._reduction import maximized, summed
from wax.numpy.linalg._blocks import counted_loop
from wax.numpy.linalg._stacks import epsilon, fitted, grown, magnitude_squared
from wax.scalars import Scalar

__all__ = ["made_orthogonal"]

MOST_SWEEPS = 30


def made_orthogonal(x: Any, length: int) -> Any:
    """The rows of each matrix rotated until their first `length` elements are orthogonal; the others go with them."""
    size, width = x.shape[1:]
    half = (size + 1) // 2
    if size < 2:
        return x
    x = grown(x, 2 * half, width)
    limit = epsilon(x) * math.sqrt(length)
    part = dtypes.real_part(x.dtype)

    def round_(_: Any, upper: Any, lower: Any, worst: Any) -> tuple[Any, ...]:
        return _rotated(upper, lower, worst, length, limit)

    def sweep(state: Any) -> Any:
        left, upper, lower = state
        worst = constant(0, part)
        upper, lower, worst = counted_loop("rotations", 2 * half - 1, round_, upper, lower, worst)
        return placed(_sweeps_left, [(left, ()), (worst, ())], limit=limit), upper, lower

    begin = constant(MOST_SWEEPS, dtypes.int32), piece(x, 1, 0, half), piece(x, 1, half, half)
    _, upper, lower = while_loop(lambda state: state[0] > 0, sweep, begin)
    return fitted(basis.concat([upper, lower], 1), size, width)


def _sweeps_left(left: Scalar, worst: Scalar, *, limit: float) -> Any:
    """None once all pairs are orthogonal, or where an angle is NaN."""
    return scalars.select(worst > limit, left - 1, left.kernel.constant(0, left.dtype))


def _rotated(upper: Any, lower: Any, worst: Any, length: int, limit: float) -> tuple[Any, ...]:
    a, b = piece(upper, 2, 0, length), piece(lower, 2, 0, length)
    every, pairs = (0, 1, 2), (0, 1)
    sizes = [summed(magnitude_squared(x), (2,)) for x in (a, b)]
    products = summed(placed(_product, [(a, every), (b, every)]), (2,))
    angles = [(products, pairs), (sizes[0], pairs), (sizes[1], pairs)]
    worst = placed(scalars.maximum, [(worst, ()), (maximized(placed(_cosine, angles), (0, 1)), ())])
    less, sine = (placed(_turn, angles, limit=limit, part=part) for part in ("cosine", "sine"))
    rotation = [(less, pairs), (sine, pairs)]
    first = placed(_first, [(upper, every), (lower, every), *rotation])
    second = placed(_second, [(upper, every), (lower, every), *rotation])
    half = upper.shape[1]
    if half > 1:
        upper = basis.concat([piece(first, 1, 0, 1), piece(second, 1, 0, 1), piece(first, 1, 1, half - 2)], 1)
        lower = basis.concat([piece(second, 1, 1, half - 1), piece(first, 1, half - 1, 1)], 1)
        return upper, lower, worst
    return first, second, worst


def _product(a: Scalar, b: Scalar) -> Any:
    return scalars.conj(a) * b


def _cosine(product: Scalar, a: Scalar, b: Scalar) -> Any:
    """The cosine of the angle between two vectors; 0 where one of them is 0."""
    size = scalars.sqrt(a) * scalars.sqrt(b)
    product_size = scalars.absolute(product)
    return scalars.select(product_size == 0, product_size, product_size / size)


def _turn(product: Scalar, a: Scalar, b: Scalar, *, limit: float, part: str) -> Any:
    """The rotation of the smaller angle: 1 less its cosine, or its sine times the phase that makes the product real.

    What is added to a vector is then small where the angle is, and so is its rounding.
    """
    size = scalars.absolute(product)
    needed = size > limit * scalars.sqrt(a) * scalars.sqrt(b)
    one = size.kernel.constant(1, size.dtype)
    safe = scalars.select(needed, size, one)
    zeta = (b - a) / (safe + safe)
    far = scalars.absolute(zeta)
    # Beyond the square of which 1 is lost, the root is the number itself.
    near = scalars.minimum(far, one * 1e9)
    root = scalars.select(far > 1e9, far, scalars.sqrt(near * near + 1))
    tangent = scalars.copysign(one, zeta) / (far + root)
    cosine = one / scalars.sqrt(tangent * tangent + 1)
    sine = tangent * cosine
    if part == "cosine":
        less = sine * sine / (one + cosine)
        return scalars.select(needed, less, less.kernel.constant(0, less.dtype))
    if product.kind != "complex":
        sine = scalars.copysign(one, product) * sine
        return scalars.select(needed, sine, sine.kernel.constant(0, sine.dtype))
    parts = [scalars.real(product) / safe * sine, scalars.imag(product) / safe * -sine]  # of the phase's conjugate
    turned = product.kernel.op("complex.create", parts, product.dtype)
    return scalars.select(needed, turned, turned.kernel.constant(0, turned.dtype))


def _first(a: Scalar, b: Scalar, less: Scalar, sine: Scalar) -> Any:
    return a - (sine * b + _real_times(less, a))


def _second(a: Scalar, b: Scalar, less: Scalar, sine: Scalar) -> Any:
    return b + (scalars.conj(sine) * a - _real_times(less, b))


def _real_times(factor: Scalar, x: Scalar) -> Any:
    if x.kind != "complex":
        return factor * x
    return x.kernel.op("complex.create", [factor * scalars.real(x), factor * scalars.imag(x)], x.dtype)
