"""Elementwise exponentials, logarithms, roots, trigonometric, hyperbolic and error functions.

Integers are computed in float32; half floats in float32, rounded once. Every function broadcasts its operands,
promotes them, and raises `ShapeError` or `PromotionError` where that cannot be.
"""

from __future__ import annotations

import math
from typing import Any

from wax.array import Array
from wax.numpy._basis import ArrayLike, scalars
from wax.numpy._elementwise import elementwise

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "deg2rad",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "hypot",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "rad2deg",
    "rsqrt",
    "sin",
    "sinc",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]


@elementwise()
def exp(x: ArrayLike, /) -> Array:
    """e to the power of each element.

    >>> wnp.exp(wnp.asarray([0.0, -wnp.inf]))
    Array([1., 0.], dtype=float32)
    """
    return scalars.exp(x)


@elementwise()
def exp2(x: ArrayLike, /) -> Array:
    """2 to the power of each element.

    >>> wnp.exp2(wnp.asarray([0.0, 3.0]))
    Array([1., 8.], dtype=float32)
    """
    return scalars.exp2(x)


@elementwise()
def expm1(x: ArrayLike, /) -> Array:
    """`exp(x) - 1`, exact near zero.

    >>> wnp.expm1(wnp.asarray([0.0, 1e-10]))
    Array([0.e+00, 1.e-10], dtype=float32)
    """
    return scalars.expm1(x)


@elementwise()
def log(x: ArrayLike, /) -> Array:
    """The natural logarithm.

    >>> wnp.log(wnp.asarray([1.0, 0.0]))
    Array([  0., -inf], dtype=float32)
    """
    return scalars.log(x)


@elementwise()
def log1p(x: ArrayLike, /) -> Array:
    """`log(1 + x)`, exact near zero.

    >>> wnp.log1p(wnp.asarray([0.0, 1e-10]))
    Array([0.e+00, 1.e-10], dtype=float32)
    """
    return scalars.log1p(x)


@elementwise()
def log2(x: ArrayLike, /) -> Array:
    """The logarithm to base 2.

    >>> wnp.log2(wnp.asarray([1.0, 8.0]))
    Array([0., 3.], dtype=float32)
    """
    return scalars.log2(x)


@elementwise()
def log10(x: ArrayLike, /) -> Array:
    """The logarithm to base 10.

    >>> wnp.log10(wnp.asarray([1.0, 0.0]))
    Array([  0., -inf], dtype=float32)
    """
    return scalars.log10(x)


@elementwise()
def logaddexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """`log(exp(x1) + exp(x2))` without overflow; real operands.

    >>> wnp.logaddexp(wnp.asarray([1000.0]), 1000.0)
    Array([1000.6932], dtype=float32)
    """
    return scalars.logaddexp(x1, x2)


@elementwise()
def sqrt(x: ArrayLike, /) -> Array:
    """The square root; NaN for negative real elements.

    >>> wnp.sqrt(wnp.asarray([4.0, 2.25]))
    Array([2. , 1.5], dtype=float32)
    """
    return scalars.sqrt(x)


@elementwise()
def rsqrt(x: ArrayLike, /) -> Array:
    """One divided by the square root.

    >>> wnp.rsqrt(wnp.asarray([4.0, 0.25]))
    Array([0.5, 2. ], dtype=float32)
    """
    return scalars.rsqrt(x)


@elementwise()
def cbrt(x: ArrayLike, /) -> Array:
    """The real cube root; real operands.

    >>> wnp.cbrt(wnp.asarray([8.0]))
    Array([2.], dtype=float32)
    """
    return scalars.cbrt(x)


@elementwise()
def hypot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """`sqrt(x1**2 + x2**2)` without overflow; real operands.

    >>> wnp.hypot(wnp.asarray([3.0]), 4.0)
    Array([5.], dtype=float32)
    """
    return scalars.hypot(x1, x2)


@elementwise()
def sin(x: ArrayLike, /) -> Array:
    """The sine of an angle in radians.

    >>> wnp.sin(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.sin(x)


@elementwise()
def cos(x: ArrayLike, /) -> Array:
    """The cosine of an angle in radians.

    >>> wnp.cos(wnp.asarray([0.0]))
    Array([1.], dtype=float32)
    """
    return scalars.cos(x)


@elementwise()
def tan(x: ArrayLike, /) -> Array:
    """The tangent of an angle in radians.

    >>> wnp.tan(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.tan(x)


@elementwise()
def asin(x: ArrayLike, /) -> Array:
    """The angle whose sine it is, in [-π/2, π/2].

    >>> wnp.asin(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.asin(x)


@elementwise()
def acos(x: ArrayLike, /) -> Array:
    """The angle whose cosine it is, in [0, π].

    >>> wnp.acos(wnp.asarray([1.0]))
    Array([0.], dtype=float32)
    """
    return scalars.acos(x)


@elementwise()
def atan(x: ArrayLike, /) -> Array:
    """The angle whose tangent it is, in [-π/2, π/2].

    >>> wnp.atan(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.atan(x)


@elementwise()
def atan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The angle of the point (x2, x1), in [-π, π]; real operands.

    >>> wnp.atan2(wnp.asarray([0.0]), 1.0)
    Array([0.], dtype=float32)
    """
    return scalars.atan2(x1, x2)


@elementwise()
def sinh(x: ArrayLike, /) -> Array:
    """The hyperbolic sine.

    >>> wnp.sinh(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.sinh(x)


@elementwise()
def cosh(x: ArrayLike, /) -> Array:
    """The hyperbolic cosine.

    >>> wnp.cosh(wnp.asarray([0.0]))
    Array([1.], dtype=float32)
    """
    return scalars.cosh(x)


@elementwise()
def tanh(x: ArrayLike, /) -> Array:
    """The hyperbolic tangent.

    >>> wnp.tanh(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.tanh(x)


@elementwise()
def asinh(x: ArrayLike, /) -> Array:
    """The inverse of `sinh`.

    >>> wnp.asinh(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.asinh(x)


@elementwise()
def acosh(x: ArrayLike, /) -> Array:
    """The inverse of `cosh`, not negative.

    >>> wnp.acosh(wnp.asarray([1.0]))
    Array([0.], dtype=float32)
    """
    return scalars.acosh(x)


@elementwise()
def atanh(x: ArrayLike, /) -> Array:
    """The inverse of `tanh`.

    >>> wnp.atanh(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.atanh(x)


@elementwise()
def erf(x: ArrayLike, /) -> Array:
    """The error function; real operands.

    >>> wnp.erf(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.erf(x)


@elementwise()
def erfc(x: ArrayLike, /) -> Array:
    """`1 - erf(x)`, exact for large elements; real operands.

    >>> wnp.erfc(wnp.asarray([0.0]))
    Array([1.], dtype=float32)
    """
    return scalars.erfc(x)


@elementwise()
def deg2rad(x: ArrayLike, /) -> Array:
    """Degrees as radians.

    >>> wnp.deg2rad(wnp.asarray([0.0, 180.0]))
    Array([0.       , 3.1415927], dtype=float32)
    """
    return _times(x, math.pi / 180)


@elementwise()
def rad2deg(x: ArrayLike, /) -> Array:
    """Radians as degrees.

    >>> wnp.rad2deg(wnp.asarray([0.0, wnp.pi]))
    Array([  0., 180.], dtype=float32)
    """
    return _times(x, 180 / math.pi)


def _times(x: Any, factor: float) -> Any:
    (value,) = scalars.inexact("deg2rad", x)
    return value * factor


@elementwise()
def sinc(x: ArrayLike, /) -> Array:
    """`sin(pi * x) / (pi * x)`, and 1 at zero.

    >>> wnp.sinc(wnp.asarray([0.0, 0.5]))
    Array([1.        , 0.63661975], dtype=float32)
    """
    return _sinc(*scalars.inexact("sinc", x))


@scalars.in_wide
def _sinc(x: Any) -> Any:
    turned = x * math.pi
    return scalars.select(x == 0, 1.0, scalars.sin(turned) / scalars.select(x == 0, 1.0, turned))
