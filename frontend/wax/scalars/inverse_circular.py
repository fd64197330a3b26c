"""asin, acos, atan and their hyperbolic relatives on complex scalars.

By the real and imaginary parts of square roots, none of which cancel (Kahan, "Branch cuts for complex elementary
functions", 1987), for z with an imaginary part that is not negative; the other half plane mirrors it. Far out, where
squares would overflow, by logarithms and angles. Special values and the sides of branch cuts are those of C's Annex G.
"""

from __future__ import annotations

import math

from wax import dtypes
from wax.scalars.arithmetic import divide
from wax.scalars.comparison import logical_or, select
from wax.scalars.parts import of_parts, parts
from wax.scalars.scalar import Scalar

__all__ = ["acos", "acosh", "asin", "asinh", "atan", "atanh"]


def _real(op: str, *operands: Scalar) -> Scalar:
    return operands[0].kernel.op(op, operands, operands[0].dtype)


def _copysign(x: Scalar, sign: Scalar) -> Scalar:
    return _real("math.copysign", x, sign)


def _sqrt(x: Scalar, y: Scalar, like: Scalar) -> tuple[Scalar, Scalar]:
    return parts(like.kernel.op("complex.sqrt", (of_parts(x, y, like),), like.dtype))


def _is_far(x: Scalar, y: Scalar) -> Scalar:
    """Where z² ± 1 is z² to the last bit; infinities too."""
    bound = 2.0**28 if dtypes.bits(x.dtype) == 64 else 2.0**14
    return logical_or(abs(x) > bound, y > bound)


def _arcs(x: Scalar, y: Scalar, like: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """The real parts of asin and acos, and the size of their imaginary parts, for y that is not negative."""
    far = _is_far(x, y)
    u, v = select(far, 0.0, x), select(far, 0.0, y)
    a, b = _sqrt(1 - u, -v, like)  # √(1 − z): b is not positive
    c, d = _sqrt(1 + u, v, like)  # √(1 + z)
    logarithm, _ = parts(like.kernel.op("complex.log", (of_parts(x, y, like),), like.dtype))
    size = select(far, logarithm + math.log(2), _real("math.asinh", a * d - b * c))
    of_sine = select(far, _real("math.atan2", x, y), _real("math.atan2", x, a * c - b * d))
    of_cosine = select(far, _real("math.atan2", y, x), 2 * _real("math.atan2", a, c))
    # On the imaginary axis the real parts are known even of NaN.
    unknown = (x == 0) & (y != y)
    return select(unknown, x, of_sine), select(unknown, math.pi / 2, of_cosine), size


def asin(z: Scalar) -> Scalar:
    """The inverse sine."""
    x, y = parts(z)
    real, _, size = _arcs(x, abs(y), z)
    return of_parts(real, _copysign(size, y), z)


def acos(z: Scalar) -> Scalar:
    """The inverse cosine."""
    x, y = parts(z)
    _, real, size = _arcs(x, abs(y), z)
    return of_parts(real, _copysign(size, -y), z)


def asinh(z: Scalar) -> Scalar:
    """The inverse hyperbolic sine, i · asin(−i·z)."""
    x, y = parts(z)
    imaginary, _, size = _arcs(y, abs(x), z)
    return of_parts(_copysign(size, x), imaginary, z)


def acosh(z: Scalar) -> Scalar:
    """The inverse hyperbolic cosine, ±i · acos(z) with a real part that is not negative."""
    x, y = parts(z)
    _, size, real = _arcs(x, abs(y), z)
    return of_parts(real, _copysign(size, y), z)


def _inverse_tangent(x: Scalar, y: Scalar, like: Scalar) -> tuple[Scalar, Scalar]:
    """The parts of atanh for x and y that are not negative."""
    far = _is_far(x, y)
    u, v = select(far, 0.0, x), select(far, 0.0, y)
    gap = 1 - u
    near = 0.25 * _real("math.log1p", 4 * u / (gap * gap + v * v))
    # At 1 the square of a small distance would vanish.
    beside = (u == 1) & (v < 2.0**-30)
    near = select(beside, 0.5 * (math.log(2) - _real("math.log", select(beside, v, 1.0))), near)
    one = of_parts(like.kernel.constant(1.0, x.dtype), like.kernel.constant(0.0, x.dtype), like)
    across, along = parts(divide(one, of_parts(x, y, like)))  # far out it is 1/z + iπ/2
    real = select(far, abs(across), select(u == 0, u, near))
    angle = 0.5 * _real("math.atan2", 2 * v, gap * (1 + u) - v * v)
    infinity = x.kernel.constant(math.inf, x.dtype)
    # Infinite, the angle is known if y is; it is even of a NaN x where y is infinite.
    turned = select(y == infinity, math.pi / 2, select(x == infinity, y * 0.0 + math.pi / 2, along + math.pi / 2))
    return real, select(far, turned, angle)


def atanh(z: Scalar) -> Scalar:
    """The inverse hyperbolic tangent."""
    x, y = parts(z)
    real, imaginary = _inverse_tangent(abs(x), abs(y), z)
    return of_parts(_copysign(real, x), _copysign(imaginary, y), z)


def atan(z: Scalar) -> Scalar:
    """The inverse tangent, −i · atanh(i·z)."""
    x, y = parts(z)
    imaginary, real = _inverse_tangent(abs(y), abs(x), z)
    return of_parts(_copysign(real, x), _copysign(imaginary, y), z)
