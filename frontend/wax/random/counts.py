"""Distributions of counts: of trials, of successes, of events.

They are computed in float64, since what floats of 32 bits cannot tell apart are different counts.
"""

from __future__ import annotations

import math
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.numpy._basis import ArrayLike, Shape, constant, filled, refuse_dtype, scalars
from wax.numpy._elementwise import elementwise
from wax.random._rejection import until_accepted
from wax.random._stream import checked_key, elements, parameters, unit
from wax.random.keys import split

__all__ = ["binomial", "geometric", "poisson"]


@api
def geometric(key: ArrayLike, p: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.int32) -> Array:
    """How many trials it takes to the first success, each with the chance `p`: 1 or more.

    The greatest of the dtype where there are more, and for a `p` that is not above 0. Raises `ShapeError`,
    `PromotionError`.

    >>> bool(wnp.all(wax.random.geometric(wax.random.key(7), 0.5, (9,)) >= 1))
    True
    """
    target = _counted("geometric", dtype)
    source = dtypes.float64 if dtypes.bits(target) == 64 else dtypes.float32
    sizes, (chance,) = parameters("geometric", shape, source, p)
    fractions = elements(checked_key("geometric", key), sizes, unit, source)
    return _trials(fractions, chance, dtype=target)


@elementwise()
def _trials(fraction: Any, p: Any, /, *, dtype: dtypes.DType) -> Any:
    failing = scalars.log1p(-scalars.promoted("geometric", p, fraction)[0])
    trials = scalars.floor(scalars.log1p(-fraction) / failing) + 1
    return scalars.cast(scalars.select(failing < 0, trials, trials.kernel.constant(math.inf, trials.dtype)), dtype)


def _uniforms(key: Any, shape: Any) -> Any:
    return elements(key, shape, unit, dtypes.float64)


def _counted(name: str, dtype: Any) -> dtypes.DType:
    target = dtypes.canonical(dtype)
    if dtypes.kind(target) not in ("int", "uint"):
        refuse_dtype(f"wax.random.{name}", target, "integer dtypes")
    return target


def _filled(x: Any, shape: Any) -> Any:
    return filled(constant(x, dtypes.float64), (), shape) if dtypes.is_python_number(x) else x


@elementwise()
def _fraction_logarithm(fraction: Any, /) -> Any:
    """The logarithm of a uniform number in (0, 1]."""
    return scalars.log1p(-fraction)


@api
def poisson(key: ArrayLike, lam: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.int32) -> Array:
    """How many events happen in a time in which `lam` are expected.

    By waiting times where few are expected, by transformed rejection where many are (W. Hörmann, "The transformed
    rejection method for generating Poisson random variables", Insurance: Mathematics and Economics 12, 1993). The
    greatest of the dtype where there are more; 0 for a `lam` that is not above 0. Raises `ShapeError`,
    `PromotionError`.

    >>> wax.random.poisson(wax.random.key(7), 3.0, (9,)).dtype
    dtype('int32')
    """
    target = _counted("poisson", dtype)
    sizes, (rate,) = parameters("poisson", shape, dtypes.float64, lam)
    rate = _filled(rate, sizes)
    few_key, many_key = split(checked_key("poisson", key))
    few = _few_events(few_key, rate, sizes)
    many = _many_events(many_key, rate, sizes)
    return _joined(few, many, rate, dtype=target)


@elementwise()
def _joined(few: Any, many: Any, rate: Any, /, *, dtype: dtypes.DType) -> Any:
    count = scalars.select(rate < _MANY, few, many)
    return scalars.cast(scalars.select(rate == math.inf, rate, count), dtype)


#: From so many expected events or successes on, rejection is used.
_MANY = 10.0


def _few_events(key: Any, rate: Any, shape: Any) -> Any:
    """Events whose waiting times, exponential ones, sum to less than the time."""

    def turn(key: Any, values: Any) -> Any:
        left, count = values
        after = left + _fraction_logarithm(_uniforms(key, shape))
        return (after, count + 1), ~(after > 0)

    zero = _filled(0.0, shape)
    begin = _only_below(rate)
    # The turn in which the time is up counts one too many.
    return until_accepted(key, shape, (begin, zero), turn)[1] - 1


@elementwise()
def _only_below(rate: Any, /) -> Any:
    """The rate where it is for waiting times, and otherwise one whose first turn is the last."""
    return scalars.select((rate > 0) & (rate < _MANY), rate, 0.0)


def _many_events(key: Any, rate: Any, shape: Any) -> Any:
    def turn(key: Any, _: Any) -> Any:
        u, v = (_uniforms(one, shape) for one in split(key))
        return (_proposed_events(u, rate),), _are_accepted_events(u, v, rate)

    return until_accepted(key, shape, (rate,), turn)[0]


def _poisson_hat(rate: Any) -> tuple[Any, Any]:
    b = 0.931 + 2.53 * scalars.sqrt(rate)
    return -0.059 + 0.02483 * b, b


def _around_zero(u: Any) -> tuple[Any, Any]:
    """A uniform number in [-1/2, 1/2), and how far it is from the nearer end; not nothing."""
    centred = u - 0.5
    return centred, scalars.maximum(0.5 - scalars.absolute(centred), 2.0**-53)


@elementwise()
def _proposed_events(u: Any, rate: Any, /) -> Any:
    (a, b), (u, away) = _poisson_hat(rate), _around_zero(u)
    return scalars.floor((2 * a / away + b) * u + rate + 0.43)


@elementwise()
def _are_accepted_events(u: Any, v: Any, rate: Any, /) -> Any:
    (a, b), (u, away) = _poisson_hat(rate), _around_zero(u)
    count = scalars.floor((2 * a / away + b) * u + rate + 0.43)
    v = 1 - v  # above 0, for the logarithm
    surely = (away >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
    never = (count < 0) | ((away < 0.013) & (v > away))
    hat = scalars.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (away * away) + b))
    accepted = hat <= count * scalars.log(rate) - rate - scalars.gammaln(count + 1)
    return surely | (accepted & ~never) | ~((rate >= _MANY) & (rate < math.inf))


@api
def binomial(
    key: ArrayLike, n: ArrayLike, p: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.int32
) -> Array:
    """How many of `n` trials succeed, each with the chance `p`.

    By the trials between successes where few are expected, by transformed rejection where many are (W. Hörmann, "The
    generation of binomial random variates", Journal of Statistical Computation and Simulation 46, 1993). `n` counts
    as its integer part, 0 where it is below, and `p` as the nearest chance; NaN as 0. Raises `ShapeError`,
    `PromotionError`.

    >>> wax.random.binomial(wax.random.key(7), 10, 0.5, (9,)).dtype
    dtype('int32')
    """
    target = _counted("binomial", dtype)
    sizes, (trials, chance) = parameters("binomial", shape, dtypes.float64, n, p)
    trials, chance = _at_least_nothing(_filled(trials, sizes)), _as_chance(_filled(chance, sizes))
    rarer = _rarer(chance)
    few_key, many_key = split(checked_key("binomial", key))
    few = _few_successes(few_key, trials, rarer, sizes)
    many = _many_successes(many_key, trials, rarer, sizes)
    return _successes(few, many, trials, chance, dtype=target)


@elementwise()
def _at_least_nothing(n: Any, /) -> Any:
    return scalars.select(n > 0, scalars.floor(n), 0.0)


@elementwise()
def _as_chance(p: Any, /) -> Any:
    return scalars.select(p > 0, scalars.minimum(p, 1.0), 0.0)


@elementwise()
def _rarer(p: Any, /) -> Any:
    return scalars.minimum(p, 1 - p)


@elementwise()
def _successes(few: Any, many: Any, n: Any, p: Any, /, *, dtype: dtypes.DType) -> Any:
    count = scalars.select(n * scalars.minimum(p, 1 - p) < _MANY, few, many)
    count = scalars.select(p > 0.5, n - count, count)
    return scalars.cast(scalars.select((n == math.inf) & (p > 0), n, count), dtype)


def _few_successes(key: Any, n: Any, p: Any, shape: Any) -> Any:
    """Successes until the trials before them are more than there are."""

    def turn(key: Any, values: Any) -> Any:
        left, count = values
        after = _trials_left(left, _uniforms(key, shape), p)
        return (after, count + 1), after < 0

    begin = _only_few(n, p)
    return until_accepted(key, shape, (begin, _filled(0.0, shape)), turn)[1] - 1


@elementwise()
def _only_few(n: Any, p: Any, /) -> Any:
    return scalars.select((p > 0) & (n * p < _MANY), n, -1.0)


@elementwise()
def _trials_left(left: Any, u: Any, p: Any, /) -> Any:
    between = scalars.floor(scalars.log1p(-u) / scalars.log1p(-p))
    return left - between - 1


def _many_successes(key: Any, n: Any, p: Any, shape: Any) -> Any:
    def turn(key: Any, _: Any) -> Any:
        u, v = (_uniforms(one, shape) for one in split(key))
        return (_proposed_successes(u, n, p),), _are_accepted_successes(u, v, n, p)

    return until_accepted(key, shape, (n,), turn)[0]


def _binomial_hat(n: Any, p: Any) -> tuple[Any, Any, Any]:
    deviation = scalars.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    return -0.0873 + 0.0248 * b + 0.01 * p, b, deviation


@elementwise()
def _proposed_successes(u: Any, n: Any, p: Any, /) -> Any:
    (a, b, _), (u, away) = _binomial_hat(n, p), _around_zero(u)
    return scalars.floor((2 * a / away + b) * u + n * p + 0.5)


@elementwise()
def _are_accepted_successes(u: Any, v: Any, n: Any, p: Any, /) -> Any:
    (a, b, deviation), (u, away) = _binomial_hat(n, p), _around_zero(u)
    count = scalars.floor((2 * a / away + b) * u + n * p + 0.5)
    inside = (count >= 0) & (count <= n)
    v = 1 - v
    surely = (away >= 0.07) & (v <= 0.92 - 4.2 / b) & inside
    hat = scalars.log(v * (2.83 + 5.1 / b) * deviation / (a / (away * away) + b))
    mode = scalars.floor((n + 1) * p)
    height = (count - mode) * scalars.log(p / (1 - p))
    for place, sign in ((mode, 1), (count, -1)):
        height = height + sign * (scalars.gammaln(place + 1) + scalars.gammaln(n - place + 1))
    return surely | (inside & (hat <= height)) | ~((n * p >= _MANY) & (n < math.inf))
