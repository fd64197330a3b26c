"""Distributions of floats on half a line or all of it, by formulas of one uniform number, or of a few.

Without a word about errors a function raises `ShapeError` for a shape that is none or does not fit, and
`PromotionError` for a dtype that is not floating.
"""

from __future__ import annotations

import math
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.numpy._basis import ArrayLike, Shape, check_shape, refuse_dtype, scalars
from wax.numpy._elementwise import elementwise
from wax.random._stream import centred, checked_key, elements, floating, formula, opened, parameters, unit
from wax.random.keys import split

__all__ = [
    "cauchy",
    "exponential",
    "gumbel",
    "laplace",
    "logistic",
    "lognormal",
    "maxwell",
    "normal",
    "normals",
    "pareto",
    "rayleigh",
    "weibull_min",
]


def _fractions(name: str, key: Any, shape: Any, dtype: Any) -> Any:
    """Uniform floats in [0, 1) of a shape and a dtype that a user gave."""
    target = floating(name, dtype)
    return elements(checked_key(name, key), check_shape(f"wax.random.{name}", shape), unit, target)


@api
def normal(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.float32) -> Array:
    """Normal floats of mean 0 and variance 1; complex ones have parts of variance 1/2.

    >>> wax.random.normal(wax.random.key(7), (2, 3)).shape
    (2, 3)
    """
    target, sizes = dtypes.canonical(dtype), check_shape("wax.random.normal", shape)
    if dtypes.kind(target) not in ("float", "complex"):
        refuse_dtype("wax.random.normal", target, "floating and complex dtypes")
    value = checked_key("normal", key)
    if dtypes.kind(target) == "float":
        return normals(value, sizes, target)
    parts = [normals(one, sizes, dtypes.real_part(target)) for one in split(value)]
    return _complex(*parts)


def normals(key: Any, shape: tuple[Size, ...], dtype: dtypes.DType) -> Any:
    """Standard normal floats."""
    return _quantile(centred(elements(key, shape, unit, dtype)))


@formula
def _quantile(x: Any) -> Any:
    return scalars.erfinv(x) * math.sqrt(2)


@elementwise()
def _complex(real: Any, imaginary: Any, /) -> Any:
    real, imaginary = (scalars.cast(part, dtypes.complex_of(real.dtype)) for part in (real, imaginary))
    return (real + imaginary * 1j) * math.sqrt(0.5)


@api
def lognormal(
    key: ArrayLike, sigma: ArrayLike = 1.0, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32
) -> Array:
    """Floats whose logarithms are normal, of mean 0 and standard deviation `sigma`.

    >>> bool(wnp.all(wax.random.lognormal(wax.random.key(7), 0.5, (9,)) > 0))
    True
    """
    target = floating("lognormal", dtype)
    sizes, (deviation,) = parameters("lognormal", shape, target, sigma)
    return _exp_of_product(normals(checked_key("lognormal", key), sizes, target), deviation)


@formula
def _exp_of_product(x: Any, factor: Any) -> Any:
    return scalars.exp(x * factor)


@api
def maxwell(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.float32) -> Array:
    """The lengths of vectors of three standard normal floats.

    >>> bool(wnp.all(wax.random.maxwell(wax.random.key(7), (9,)) > 0))
    True
    """
    target, sizes = floating("maxwell", dtype), check_shape("wax.random.maxwell", shape)
    return _length(*(normals(one, sizes, target) for one in split(checked_key("maxwell", key), 3)))


@formula
def _length(x: Any, y: Any, z: Any) -> Any:
    return scalars.sqrt(x * x + y * y + z * z)


@api
def exponential(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.float32) -> Array:
    """Floats of density `exp(-x)`, for `x` from 0 on.

    >>> bool(wnp.all(wax.random.exponential(wax.random.key(7), (9,)) >= 0))
    True
    """
    return _waiting(_fractions("exponential", key, shape, dtype))


@formula
def _waiting(fraction: Any) -> Any:
    return -scalars.log1p(-fraction)


@api
def rayleigh(
    key: ArrayLike, scale: ArrayLike = 1.0, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32
) -> Array:
    """The lengths of vectors of two normal floats of standard deviation `scale`.

    >>> bool(wnp.all(wax.random.rayleigh(wax.random.key(7), 2.0, (9,)) >= 0))
    True
    """
    target = floating("rayleigh", dtype)
    sizes, (factor,) = parameters("rayleigh", shape, target, scale)
    return _radius(elements(checked_key("rayleigh", key), sizes, unit, target), factor)


@formula
def _radius(fraction: Any, scale: Any) -> Any:
    return scalars.sqrt(-2 * scalars.log1p(-fraction)) * scale


@api
def weibull_min(
    key: ArrayLike,
    scale: ArrayLike,
    concentration: ArrayLike,
    shape: Shape | None = None,
    dtype: DTypeLike = dtypes.float32,
) -> Array:
    """Floats above `x` with the chance `exp(-(x / scale)**concentration)`.

    >>> bool(wnp.all(wax.random.weibull_min(wax.random.key(7), 1.0, 2.0, (9,)) >= 0))
    True
    """
    target = floating("weibull_min", dtype)
    sizes, given = parameters("weibull_min", shape, target, scale, concentration)
    return _weibull(elements(checked_key("weibull_min", key), sizes, unit, target), *given)


@formula
def _weibull(fraction: Any, scale: Any, concentration: Any) -> Any:
    return scalars.power(-scalars.log1p(-fraction), 1 / concentration) * scale


@api
def pareto(key: ArrayLike, b: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32) -> Array:
    """Floats above `x` with the chance `x**-b`, for `x` from 1 on.

    >>> bool(wnp.all(wax.random.pareto(wax.random.key(7), 3.0, (9,)) >= 1))
    True
    """
    target = floating("pareto", dtype)
    sizes, (exponent,) = parameters("pareto", shape, target, b)
    return _pareto(elements(checked_key("pareto", key), sizes, unit, target), exponent)


@formula
def _pareto(fraction: Any, exponent: Any) -> Any:
    return scalars.exp(-scalars.log1p(-fraction) / exponent)


@api
def laplace(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.float32) -> Array:
    """Floats of density `exp(-abs(x)) / 2`.

    >>> wax.random.laplace(wax.random.key(7), (2,)).shape
    (2,)
    """
    # Open on both ends, so that the logarithm is finite.
    return _two_sided(centred(_fractions("laplace", key, shape, dtype)))


@formula
def _two_sided(x: Any) -> Any:
    return -scalars.copysign(scalars.log1p(-abs(x)), x)


@api
def logistic(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.float32) -> Array:
    """Floats below `x` with the chance `1 / (1 + exp(-x))`.

    >>> wax.random.logistic(wax.random.key(7), (2,)).shape
    (2,)
    """
    return _logit(opened(_fractions("logistic", key, shape, dtype)))


@formula
def _logit(fraction: Any) -> Any:
    return scalars.log(fraction / (1 - fraction))


@api
def gumbel(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.float32) -> Array:
    """Floats below `x` with the chance `exp(-exp(-x))`.

    >>> wax.random.gumbel(wax.random.key(7), (2,)).shape
    (2,)
    """
    return _gumbel(opened(_fractions("gumbel", key, shape, dtype)))


@formula
def _gumbel(fraction: Any) -> Any:
    return -scalars.log(-scalars.log(fraction))


@api
def cauchy(key: ArrayLike, shape: Shape = (), dtype: DTypeLike = dtypes.float32) -> Array:
    """Floats of density `1 / (π (1 + x**2))`: quotients of two normal floats.

    >>> wax.random.cauchy(wax.random.key(7), (2,)).shape
    (2,)
    """
    return _tangent(opened(_fractions("cauchy", key, shape, dtype)))


@formula
def _tangent(fraction: Any) -> Any:
    return scalars.tan(math.pi * (fraction - 0.5))
