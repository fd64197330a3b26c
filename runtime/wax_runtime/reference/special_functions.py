"""The special functions of the dialect on float64 arrays: the gamma family, inverses of erf, Bessel functions.

The formulas are those of the compiled program (passes/math), in float64 only: narrower types are rounded at the end.
How exact they are stands in docs/accuracy.md. Incomplete gamma functions are in `incomplete_gamma.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from wax_runtime.reference import special_coefficients as coefficients

__all__ = [
    "erf_inv",
    "erfc_inv",
    "gamma_factors",
    "i0e",
    "i1e",
    "lgamma",
    "log_gamma_of_one_more",
    "polygamma",
    "polynomial",
    "quiet",
    "stirling_rest",
]

Function = Callable[..., Any]


def quiet(function: Function) -> Function:
    """The function without warnings: what an element does not need is computed all the same."""

    @wraps(function)
    def call(*operands: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*operands)

    return call


def polynomial(terms: Sequence[float], x: Any) -> Any:
    """Horner's scheme, the constant coefficient first."""
    result = np.full_like(x, terms[-1])
    for term in reversed(terms[:-1]):
        result = result * x + term
    return result


# The gamma function.


def _sine_of_pi(r: Any) -> Any:
    """sin(πr) for 0 ≤ r ≤ ½."""
    return r * polynomial(coefficients.SINE_PI, r * r)


def _cotangent_of_pi(r: Any) -> Any:
    """cot(πr) for |r| ≤ ½."""
    size = np.abs(r)
    return np.copysign(_sine_of_pi(0.5 - size) / _sine_of_pi(size), r)


def gamma_factors(x: Any) -> tuple[Any, Any, Any]:
    """|Γ(x)| for −½ < x < 9 as product · exp(rest), or exp(rest) / product where the second result says so."""
    y, product = x, np.ones_like(x)
    for _ in range(7):
        above = y >= 2.5
        product = np.where(above, product * (y - 1), product)
        y = np.where(above, y - 1, y)
    first, divides = x < 0.5, x < 1.25
    product = np.where(divides, np.where(first, np.abs(x * (x + 1)), x), product)
    z = np.where(first, x, np.where(divides, x - 1, y - 2))
    return product, divides, z * polynomial(coefficients.GAMMA_NEAR_TWO, z)


def log_gamma_of_one_more(a: Any) -> Any:
    """log Γ(1 + a) for 0 ≤ a < 1, exact near 0."""
    first = a < 0.25
    z = np.where(first, a, a - 1)
    return z * polynomial(coefficients.GAMMA_NEAR_TWO, z) - np.where(first, np.log1p(a), 0.0)


def stirling_rest(reciprocal: Any) -> Any:
    """log Γ(x) − (x − ½) log x + x − ½ log 2π for x ≥ 8, given 1/x."""
    return reciprocal * polynomial(coefficients.STIRLING, reciprocal * reciprocal)


@quiet
def lgamma(x: Any) -> Any:
    """log |Γ(x)|.

    >>> float(lgamma(np.float64(11.0))) == math.log(math.factorial(10))
    True
    """
    size = np.abs(x)
    reflected = x <= -0.5
    y = np.where(reflected, size, x)
    near = y < 8
    product, divides, rest = gamma_factors(np.where(near, y, 1.0))
    logarithm = np.log(np.where(near, product, y))
    far = (y - 0.5) * (logarithm - 1) + (stirling_rest(1 / y) + (0.5 * math.log(2 * math.pi) - 0.5))
    result = np.where(near, rest + np.where(divides, -logarithm, logarithm), far)
    sine = _sine_of_pi(np.abs(size - np.rint(size)))
    result = np.where(reflected, -np.log(size * sine / math.pi) - result, result)
    return np.where(np.isinf(x), np.inf, result)


def _digamma(x: Any) -> Any:
    reflected = x < 0
    y = np.where(reflected, 1 - x, x)
    first, near = y < 1, y < 8
    z = np.where(first, y + 1, np.where(near, y, 1.0))
    numerator, denominator = np.zeros_like(z), np.ones_like(z)
    for _ in range(6):
        above = z >= 2
        numerator = np.where(above, numerator * (z - 1) + denominator, numerator)
        denominator = np.where(above, denominator * (z - 1), denominator)
        z = np.where(above, z - 1, z)
    shift = np.where(first, -1.0, numerator) / np.where(first, y, denominator)
    high, low = coefficients.DIGAMMA_ROOT
    nearby = ((z - high) - low) * polynomial(coefficients.DIGAMMA_NEAR_ROOT, z - 1.5) + shift
    u = 1 / y
    far = np.log(y) - u * (0.5 + u * polynomial(coefficients.DIGAMMA_TAIL, u * u))
    result = np.where(near, nearby, far)
    r = x - np.rint(x)
    return np.where(reflected, np.where(r == 0, np.nan, result - math.pi * _cotangent_of_pi(r)), result)


_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330, 854513 / 138,
    -236364091 / 2730, 8553103 / 6, -23749461029 / 870,
)  # fmt: skip


def _cotangent_derivative(order: int) -> list[float]:
    """The polynomial in cot that the derivative of cot is."""
    terms = [0.0, 1.0]
    for _ in range(order):
        slope = [i * term for i, term in enumerate(terms)][1:]
        terms = [-(a + b) for a, b in zip([*slope, 0.0, 0.0], [0.0, 0.0, *slope], strict=True)]
    return terms


def polygamma(order: int) -> Function:
    """The derivative of an order of the digamma function."""
    if order == 0:
        return quiet(_digamma)
    even, steps = order % 2 == 0, order + 10
    tail = [number * math.comb(2 * k + order - 1, 2 * k) for k, number in enumerate(_BERNOULLI, 1)]
    squares = _cotangent_derivative(order)[1 if even else 0 :: 2]

    def function(x: Any) -> Any:
        reflected = x < 0
        y = np.where(reflected, 1 - x, x)
        near = y < steps
        z = np.where(near, y, 1.0)
        total = sum(1 / (z + step) ** (order + 1) for step in range(steps - 1, 0, -1)) + (1 / z) ** (order + 1)
        z = np.where(near, y + steps, y)
        u = 1 / z
        far = u
        for factor in range(1, order):
            far = far * (u * factor)
        far = far * (1 + (0.5 * order * u + u * u * polynomial(tail, u * u)))
        result = far + np.where(near, total * math.factorial(order), 0.0)
        result = -result if even else result
        r = x - np.rint(x)
        cotangent = _cotangent_of_pi(r)
        derivative = polynomial(squares, cotangent * cotangent) * (cotangent if even else 1)
        mirrored = (result if even else -result) - math.pi ** (order + 1) * derivative
        if even:
            mirrored = np.where(r == 0, np.nan, mirrored)
        return np.where(reflected, mirrored, result)

    return quiet(function)


# Inverses of the error functions.


def _erf_inv_quotient(w: Any) -> Any:
    s = np.sqrt(w)
    return np.select(
        [w <= 6.25, s <= 4, s <= 6.25, s <= 13],
        [
            polynomial(coefficients.ERF_INV_CENTER, w - 3.125),
            polynomial(coefficients.ERF_INV_NEAR, s - 3.25),
            polynomial(coefficients.ERF_INV_MIDDLE, s - 5.125),
            polynomial(coefficients.ERF_INV_FAR, s - 9),
        ],
        polynomial(coefficients.ERF_INV_FARTHEST, s - 20),
    )


@quiet
def erf_inv(x: Any) -> Any:
    """The inverse of the error function.

    >>> abs(math.erf(erf_inv(np.float64(0.5))) - 0.5) < 1e-16
    True
    """
    result = x * _erf_inv_quotient(-np.log((1 - x) * (1 + x)))
    return np.where(np.abs(x) == 1, x * np.inf, result)


@quiet
def erfc_inv(x: Any) -> Any:
    """The inverse of the complementary error function."""
    result = (1 - x) * _erf_inv_quotient(-np.log(x * (2 - x)))
    return np.where(x == 0, np.inf, np.where(x == 2, -np.inf, result))


# Modified Bessel functions, scaled.


def _scaled_bessel(size: Any, factor: Any, near: Any, middle: Any, far: Any) -> Any:
    inside = size < 8
    x = np.where(inside, size, 0.0)
    nearby = np.exp(-x) * factor * polynomial(near, x * x * 0.25)
    v = 8 / size
    beyond = np.where(v > 0.25, polynomial(middle, v - 0.625), polynomial(far, v)) / np.sqrt(size)
    return np.where(inside, nearby, beyond)


@quiet
def i0e(x: Any) -> Any:
    """exp(−|x|) I₀(x)."""
    pieces = coefficients.BESSEL_0_NEAR, coefficients.BESSEL_0_MIDDLE, coefficients.BESSEL_0_FAR
    return _scaled_bessel(np.abs(x), 1.0, *pieces)


@quiet
def i1e(x: Any) -> Any:
    """exp(−|x|) I₁(x)."""
    size = np.abs(x)
    pieces = coefficients.BESSEL_1_NEAR, coefficients.BESSEL_1_MIDDLE, coefficients.BESSEL_1_FAR
    return np.copysign(_scaled_bessel(size, size, *pieces), x)
