"""Distributions on an interval, or on a range of integers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.numpy._basis import ArrayLike, Shape, cast, check_shape, lift, refuse_dtype, scalars
from wax.numpy._elementwise import elementwise
from wax.numpy.arithmetic import clip
from wax.random._stream import checked_key, drawn, elements, floating, formula, parameters, stretched, unit
from wax.random.keys import split

__all__ = ["bernoulli", "rademacher", "randint", "triangular", "truncated_normal", "uniform"]


@api
def uniform(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike = dtypes.float32,
    minval: ArrayLike = 0.0,
    maxval: ArrayLike = 1.0,
) -> Array:
    """Floats from `minval` to below `maxval`, each interval as likely as others of its length.

    They are what `minval + (maxval - minval) * u` rounds to, with `u` a multiple of the distance from 1 to the next
    float; so `maxval` occurs where that rounds to it. Raises `ShapeError`, `PromotionError`.

    >>> bool(wnp.all(wax.random.uniform(wax.random.key(7), (100,)) < 1))
    True
    """
    target = floating("uniform", dtype)
    sizes, bounds = parameters("uniform", shape, target, minval, maxval)
    fractions = elements(checked_key("uniform", key), sizes, unit, target)
    if all(map(dtypes.is_python_number, bounds)) and bounds == [0, 1]:
        return fractions
    return _between(fractions, *bounds)


@elementwise()
def _between(fraction: Any, low: Any, high: Any, /) -> Any:
    return stretched(fraction, *(_as(bound, fraction) for bound in (low, high)))


def _as(number: Any, other: Any) -> Any:
    """A scalar or a number as a scalar of another's dtype."""
    return scalars.promoted("wax.random", number, other)[0]


@api
def randint(
    key: ArrayLike, shape: Shape, minval: ArrayLike, maxval: ArrayLike, dtype: DTypeLike = dtypes.int32
) -> Array:
    """Integers from `minval` to below `maxval`; `minval` where there are none.

    Bounds that the dtype does not hold count as its least integer, or as the one after its greatest. Each integer is
    made of twice as many random bits as the dtype has, so that their chances are equal but for one in 2**32, or
    2**16 for a span of about as many as the dtype has. Raises `ShapeError`, `PromotionError`.

    >>> wax.random.randint(wax.random.key(7), (3,), 0, 10).shape
    (3,)
    """
    target = dtypes.canonical(dtype)
    if dtypes.kind(target) not in ("int", "uint"):
        refuse_dtype("wax.random.randint", target, "integer dtypes")
    limits = np.iinfo(target)
    # Narrow ones are drawn in 32 bits, where one more than their greatest has a place.
    sampled = target if limits.bits >= 32 else dtypes.int32
    # What stands for the one after the greatest of `sampled` is a flag.
    least, most = limits.min, limits.max + (sampled != target)
    (low, _), (high, beyond) = (_clamped(bound, sampled, least, most) for bound in (minval, maxval))
    beyond = beyond if sampled == target else False
    sizes, (low, high, beyond) = parameters("randint", shape, sampled, low, high, beyond)
    unsigned = np.dtype(f"uint{dtypes.bits(sampled)}")
    above, below = (elements(one, sizes, drawn, unsigned) for one in split(checked_key("randint", key)))
    return cast(_remainder(above, below, low, high, beyond, dtype=sampled), target)


def _clamped(bound: Any, dtype: dtypes.DType, least: int, most: int) -> tuple[Any, Any]:
    """A bound between two integers, as an array of a dtype or a Python integer, and whether it is above the second."""
    if isinstance(bound, int):
        return min(max(bound, least), most), bound > most
    value = lift(bound)
    if dtypes.kind(value.dtype) not in ("int", "uint"):
        refuse_dtype("wax.random.randint", value.dtype, "integers as bounds")
    limits = np.iinfo(value.dtype)
    inside = clip(value, max(least, limits.min), min(most, limits.max))
    return cast(inside, dtype), value > most if limits.max > most else False


@elementwise()
def _remainder(above: Any, below: Any, low: Any, high: Any, beyond: Any, /, *, dtype: dtypes.DType) -> Any:
    """`low` and the remainder that the number with the words `above` and `below` leaves of the span."""
    low, high, beyond = (_constant(x, above, to) for x, to in ((low, dtype), (high, dtype), (beyond, dtypes.bool_)))
    unsigned = above.dtype
    span = scalars.cast(high, unsigned) - scalars.cast(low, unsigned)
    span = scalars.select(high > low, span + scalars.cast(beyond, unsigned), _constant(1, above, unsigned))
    half = _constant(1 << dtypes.bits(unsigned) // 2, above, unsigned) % span
    offset = ((above % span) * ((half * half) % span) + below % span) % span
    # A span of all integers there are has wrapped to 0.
    return low + scalars.cast(scalars.select(span == 0, below, offset), dtype)


def _constant(number: Any, other: Any, dtype: dtypes.DType) -> Any:
    return other.kernel.constant(number, dtype) if dtypes.is_python_number(number) else number


@api
def bernoulli(key: ArrayLike, p: ArrayLike = 0.5, shape: Shape | None = None) -> Array:
    """Booleans that are true with probability `p`. Raises `ShapeError`, `PromotionError`.

    >>> wax.random.bernoulli(wax.random.key(7), 0.25, (3,)).dtype
    dtype('bool')
    """
    dtype = dtypes.float32 if dtypes.is_python_number(p) else floating("bernoulli", lift(p).dtype)
    sizes, (chance,) = parameters("bernoulli", shape, dtype, p)
    return elements(checked_key("bernoulli", key), sizes, unit, dtype) < chance


@api
def rademacher(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.int32) -> Array:
    """1 and -1, as likely as each other. Raises `ShapeError`, `PromotionError`.

    >>> bool(wnp.all(wnp.abs(wax.random.rademacher(wax.random.key(7), (9,))) == 1))
    True
    """
    target = dtypes.canonical(dtype)
    if dtypes.kind(target) in ("bool", "uint"):
        refuse_dtype("wax.random.rademacher", target, "dtypes with negative numbers")
    heads = elements(checked_key("rademacher", key), check_shape("wax.random.rademacher", shape), unit, dtypes.float32)
    return cast(_sign(heads), target)


@elementwise()
def _sign(fraction: Any, /) -> Any:
    return scalars.cast(fraction < 0.5, dtypes.int8) * 2 - 1


@api
def triangular(
    key: ArrayLike,
    left: ArrayLike,
    mode: ArrayLike,
    right: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike = dtypes.float32,
) -> Array:
    """Floats whose density rises in a line from 0 at `left` to `mode`, and falls to 0 at `right`.

    Raises `ShapeError`, `PromotionError`.

    >>> wax.random.triangular(wax.random.key(7), 0.0, 1.0, 4.0, (2,)).shape
    (2,)
    """
    target = floating("triangular", dtype)
    sizes, corners = parameters("triangular", shape, target, left, mode, right)
    return _triangle(elements(checked_key("triangular", key), sizes, unit, target), *corners)


@formula
def _triangle(fraction: Any, left: Any, mode: Any, right: Any) -> Any:
    rising = left + scalars.sqrt(fraction * (right - left) * (mode - left))
    falling = right - scalars.sqrt((1 - fraction) * (right - left) * (right - mode))
    return scalars.select(fraction * (right - left) < mode - left, rising, falling)


@api
def truncated_normal(
    key: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike = dtypes.float32,
) -> Array:
    """Standard normal floats of which only those between `lower` and `upper` are kept.

    Raises `ShapeError`, `PromotionError`.

    >>> x = wax.random.truncated_normal(wax.random.key(7), -1.0, 1.0, (100,))
    >>> bool(wnp.all(wnp.abs(x) < 1))
    True
    """
    target = floating("truncated_normal", dtype)
    sizes, bounds = parameters("truncated_normal", shape, target, lower, upper)
    return _truncated(elements(checked_key("truncated_normal", key), sizes, unit, target), *bounds)


@elementwise()
def _truncated(fraction: Any, lower: Any, upper: Any, /) -> Any:
    lower, upper = (_as(bound, fraction) for bound in (lower, upper))
    infinity = fraction.kernel.constant(math.inf, fraction.dtype)
    x = scalars.in_wide(_truncated_quantile)(fraction, lower, upper)
    return scalars.clip(x, scalars.nextafter(lower, infinity), scalars.nextafter(upper, -infinity))


def _truncated_quantile(fraction: Any, lower: Any, upper: Any) -> Any:
    low, high = (scalars.erf(bound * math.sqrt(0.5)) for bound in (lower, upper))
    return scalars.erfinv(stretched(fraction, low, high)) * math.sqrt(2)
