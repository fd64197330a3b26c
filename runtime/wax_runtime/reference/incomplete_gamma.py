"""The regularized incomplete gamma functions P and Q on float64 arrays, by the formulas of the compiled program.

Temme's uniform expansion where a is large and x close to it, a series of Q for small x and smaller a, a continued
fraction of Q for x above a, the series of P for the rest. Each runs where its elements are.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wax_runtime.reference import special_coefficients as coefficients
from wax_runtime.reference.error_function import erfc
from wax_runtime.reference.special_functions import (
    gamma_factors,
    log_gamma_of_one_more,
    polynomial,
    quiet,
    stirling_rest,
)

__all__ = ["igamma", "igammac"]

_SMALLEST = 2.0**-53
_MOST_STEPS = 500


def _log_ratio_excess(a: Any, x: Any) -> Any:
    """φ = μ − log(1 + μ), μ = x/a − 1; and exact near 0."""
    mu = (x - a) / a
    central = np.abs(mu) <= 0.4
    m = np.where(central, mu, 0.0)
    return np.where(central, m * m * polynomial(coefficients.LOG_EXCESS, m), mu - np.log(x / a))


def _peak(a: Any, x: Any) -> Any:
    return np.exp(-a * _log_ratio_excess(a, x)) / np.sqrt(2 * math.pi * a)


def _factor(a: Any, x: Any) -> Any:
    """x^a · exp(−x) / Γ(a + 1)."""
    large = a >= 8
    of_large = _peak(a, x) * np.exp(-stirling_rest(1 / np.where(large, a, 8.0)))
    bounded, small = np.minimum(x, 4096.0), np.where(large, 1.0, a)
    root = np.exp(-0.5 * bounded)
    product, divides, rest = gamma_factors(small + 1)
    of_small = np.power(bounded, small) * root * root * np.exp(-rest)
    return np.where(large, of_large, np.where(divides, of_small * product, of_small / product))


def _series(a: Any, x: Any) -> Any:
    """1 + x/(a + 1) + x²/((a + 1)(a + 2)) + …"""
    term, total = np.ones_like(a), np.ones_like(a)
    for n in range(1, _MOST_STEPS):
        term = term * (x / (a + n))
        total = total + term
        if not (term > _SMALLEST * total).any():
            break
    return total


def _complement(a: Any, x: Any) -> Any:
    """Q for small x and a, without subtracting P from 1."""
    power, total = np.ones_like(a), np.zeros_like(a)
    for n in range(1, _MOST_STEPS):
        power = power * (-x / n)
        total = total + power / (a + n)
        if not (np.abs(power / (a + n)) > _SMALLEST * np.abs(total)).any():
            break
    of_power = np.expm1(a * np.log(x) - log_gamma_of_one_more(a))
    return -(of_power + a * (of_power + 1) * total)


def _fraction(a: Any, x: Any) -> Any:
    """1/(x + 1 − a − 1(1 − a)/(x + 3 − a − …)), as a sum whose terms have quotients ρ (Gautschi, 1979)."""
    first = b = x - a + 1
    rho, term, total = np.zeros_like(a), np.ones_like(a), np.ones_like(a)
    for n in range(1, _MOST_STEPS):
        scaled = n * (n - a) * (1 + rho)
        rho = scaled / (b * (b + 2) - scaled)
        b = b + 2
        term = term * rho
        total = total + term
        if not (np.abs(term) > _SMALLEST * np.abs(total)).any():
            break
    return total / first


def _uniform(a: Any, x: Any) -> Any:
    """Q for x above a, P for x below, by Temme's expansion."""
    mu = (x - a) / a
    eta = mu * np.sqrt(2 * polynomial(coefficients.LOG_EXCESS, mu))
    correction = np.zeros_like(a)
    for row in reversed(coefficients.TEMME):
        correction = correction / a + polynomial(row, eta)
    correction = correction * _peak(a, x)
    return 0.5 * erfc(np.abs(eta) * np.sqrt(0.5 * a)) + np.where(mu < 0, -correction, correction)


def _lower_and_upper(a: Any, x: Any) -> tuple[Any, Any]:
    mu = (x - a) / a
    uniform = (a >= 20) & (np.abs(mu) <= 0.3)
    complement = (x <= 1.4) & (a <= np.where(x <= 0.5, -0.4 / np.log(x), np.minimum(0.75 * x, 0.95)))
    fraction = ~uniform & (x > 1.4) & (x > np.where(a < 20, a + 1, a))
    series = ~uniform & ~complement & ~fraction
    known = np.empty_like(a)
    for where, function in (
        (uniform, _uniform),
        (complement, _complement),
        (fraction, lambda a, x: _factor(a, x) * a * _fraction(a, x)),
        (series, lambda a, x: _factor(a, x) * _series(a, x)),
    ):
        if where.any():
            known[where] = function(a[where], x[where])
    known = np.clip(known, 0.0, 1.0)
    lower = np.where(uniform, mu < 0, series)
    return np.where(lower, known, 1 - known), np.where(lower, 1 - known, known)


def _ratio(a: Any, x: Any, upper: bool) -> Any:
    a, x = np.broadcast_arrays(a, x)
    result = np.full(a.shape, np.nan)
    none = ((x == 0) & (a > 0)) | ((a == np.inf) & (x >= 0) & (x < np.inf))
    all_ = ((a == 0) & (x > 0)) | ((x == np.inf) & (a >= 0) & (a < np.inf))
    result[none], result[all_] = (1.0, 0.0) if upper else (0.0, 1.0)
    inside = (a > 0) & (x > 0) & (a < np.inf) & (x < np.inf)
    if inside.any():
        result[inside] = _lower_and_upper(a[inside], x[inside])[upper]
    return result


@quiet
def igamma(a: Any, x: Any) -> Any:
    """P(a, x), the lower ratio."""
    return _ratio(a, x, upper=False)


@quiet
def igammac(a: Any, x: Any) -> Any:
    """Q(a, x), the upper ratio.

    >>> abs(igammac(np.float64(1.0), np.float64(2.0)) - math.exp(-2.0)) < 1e-16
    True
    """
    return _ratio(a, x, upper=True)
