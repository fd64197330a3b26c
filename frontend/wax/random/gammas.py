"""The gamma distribution, and those that are made of it.

By the method of G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables", ACM Transactions on
Mathematical Software 26 (2000). Half floats are computed in float32. A parameter out of its range gives NaN.
"""

from __future__ import annotations

import math
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.errors import ShapeError
from wax.numpy._basis import ArrayLike, Shape, cast, check_shape, filled, lift, scalars
from wax.numpy._elementwise import elementwise
from wax.numpy.exponential import exp
from wax.numpy.manipulation import broadcast_to
from wax.random._rejection import until_accepted
from wax.random._stream import checked_key, elements, floating, opened, parameters, unit
from wax.random.continuous import normals
from wax.random.keys import split

__all__ = ["beta", "chisquare", "dirichlet", "f", "gamma", "loggamma", "t"]


def _loggammas(key: Any, a: Any, shape: tuple[Size, ...], dtype: dtypes.DType) -> Any:
    """Logarithms of gamma variables: those of small ones are beyond no float."""
    accepted_key, boost_key = split(key)
    shape_parameter = filled(lift(a), (), shape) if dtypes.is_python_number(a) else a
    shape_parameter = cast(shape_parameter, dtype)

    def turn(key: Any, _: Any) -> Any:
        normal_key, uniform_key = split(key)
        x = normals(normal_key, shape, dtype)
        u = opened(elements(uniform_key, shape, unit, dtype))
        return (_proposed(shape_parameter, x),), _is_accepted(shape_parameter, x, u)

    (found,) = until_accepted(accepted_key, shape, (shape_parameter,), turn)
    return _boosted(found, shape_parameter, opened(elements(boost_key, shape, unit, dtype)))


def _squeeze(a: Any, x: Any) -> tuple[Any, Any]:
    """The method's `d`, and `v` without its cube; of `a + 1` where `a` is below 1."""
    d = scalars.select(a < 1, a + 1, a) - 1 / 3
    return d, 1 + x / (3 * scalars.sqrt(d))


@elementwise()
def _proposed(a: Any, x: Any, /) -> Any:
    d, v = _squeeze(a, x)
    return scalars.log(d) + 3 * scalars.log(v)


@elementwise()
def _is_accepted(a: Any, x: Any, u: Any, /) -> Any:
    d, v = _squeeze(a, x)
    cube = v * v * v
    accepted = (v > 0) & (scalars.log(u) < x * x / 2 + d * (1 - cube + 3 * scalars.log(v)))
    return accepted | ~(a > 0) | (a == math.inf)


@elementwise()
def _boosted(found: Any, a: Any, u: Any, /) -> Any:
    small = found + scalars.log(u) / a
    value = scalars.select(a < 1, small, found)
    ends = scalars.select(a == math.inf, a, scalars.select(a == 0, -1 / scalars.absolute(a), (a - a) / (a - a)))
    return scalars.select((a > 0) & (a != math.inf), value, ends)


def _given(name: str, key: Any, shape: Any, dtype: Any, *given: Any) -> tuple[Any, tuple[Size, ...], Any, list[Any]]:
    """A key, a shape, the dtype of the result, and parameters in the dtype that is computed in."""
    target = floating(name, dtype)
    sizes, values = parameters(name, shape, dtypes.widened(target), *given)
    return checked_key(name, key), sizes, target, values


@api
def loggamma(key: ArrayLike, a: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32) -> Array:
    """Logarithms of gamma variables, exact where those are too small for a float. Raises as `gamma`.

    >>> bool(wnp.all(wax.random.loggamma(wax.random.key(7), 1e-6, (9,)) < 0))
    True
    """
    value, sizes, target, (parameter,) = _given("loggamma", key, shape, dtype, a)
    return cast(_loggammas(value, parameter, sizes, dtypes.widened(target)), target)


@api
def gamma(key: ArrayLike, a: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32) -> Array:
    """Floats of density in proportion to `x**(a - 1) * exp(-x)`, for `x` above 0.

    Raises `ShapeError` for a shape that `a` does not broadcast to, `PromotionError` for a dtype that is not floating.

    >>> bool(wnp.all(wax.random.gamma(wax.random.key(7), 2.0, (9,)) > 0))
    True
    """
    value, sizes, target, (parameter,) = _given("gamma", key, shape, dtype, a)
    return cast(exp(_loggammas(value, parameter, sizes, dtypes.widened(target))), target)


@api
def chisquare(key: ArrayLike, df: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32) -> Array:
    """Sums of the squares of `df` standard normal floats; `df` need not be an integer. Raises as `gamma`.

    >>> bool(wnp.all(wax.random.chisquare(wax.random.key(7), 3.0, (9,)) > 0))
    True
    """
    value, sizes, target, (degrees,) = _given("chisquare", key, shape, dtype, df)
    return cast(2 * exp(_loggammas(value, degrees / 2, sizes, dtypes.widened(target))), target)


@api
def t(key: ArrayLike, df: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32) -> Array:
    """Floats of Student's distribution with `df` degrees of freedom. Raises as `gamma`.

    >>> wax.random.t(wax.random.key(7), 5.0, (9,)).shape
    (9,)
    """
    value, sizes, target, (degrees,) = _given("t", key, shape, dtype, df)
    normal_key, gamma_key = split(value)
    wide = dtypes.widened(target)
    made = _student(normals(normal_key, sizes, wide), _loggammas(gamma_key, degrees / 2, sizes, wide), degrees)
    return cast(made, target)


@elementwise()
def _student(x: Any, logarithm: Any, degrees: Any, /) -> Any:
    return x * scalars.sqrt(degrees / 2) * scalars.exp(logarithm / -2)


@api
def f(
    key: ArrayLike, dfnum: ArrayLike, dfden: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32
) -> Array:
    """Quotients of two `chisquare` variables, each by its degrees of freedom. Raises as `gamma`.

    >>> bool(wnp.all(wax.random.f(wax.random.key(7), 3.0, 4.0, (9,)) > 0))
    True
    """
    value, sizes, target, (over, under) = _given("f", key, shape, dtype, dfnum, dfden)
    wide = dtypes.widened(target)
    first, second = (
        _loggammas(one, degrees / 2, sizes, wide) for one, degrees in zip(split(value), (over, under), strict=True)
    )
    return cast(_quotient(first, second, over, under), target)


@elementwise()
def _quotient(first: Any, second: Any, over: Any, under: Any, /) -> Any:
    return scalars.exp(first - second) * (under / over)


@api
def beta(
    key: ArrayLike, a: ArrayLike, b: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32
) -> Array:
    """Floats between 0 and 1 of density in proportion to `x**(a - 1) * (1 - x)**(b - 1)`. Raises as `gamma`.

    >>> bool(wnp.all(wax.random.beta(wax.random.key(7), 2.0, 3.0, (9,)) < 1))
    True
    """
    value, sizes, target, both = _given("beta", key, shape, dtype, a, b)
    wide = dtypes.widened(target)
    first, second = (_loggammas(one, parameter, sizes, wide) for one, parameter in zip(split(value), both, strict=True))
    return cast(_share(first, second), target)


@elementwise()
def _share(first: Any, second: Any, /) -> Any:
    return 1 / (1 + scalars.exp(second - first))


@api
def dirichlet(key: ArrayLike, alpha: ArrayLike, shape: Shape | None = None, dtype: DTypeLike = dtypes.float32) -> Array:
    """Shares that sum to 1 along the last axis, of density in proportion to the product of `x**(alpha - 1)`.

    `shape` is that of the draws, without the axis; it is that of `alpha` where it is not given. Raises as `gamma`.

    >>> x = wax.random.dirichlet(wax.random.key(7), wnp.asarray([1.0, 2.0, 3.0]), (9,))
    >>> x.shape, bool(wnp.all(wnp.abs(wnp.sum(x, axis=-1) - 1) < 1e-6))
    ((9, 3), True)
    """
    target, weights = floating("dirichlet", dtype), lift(alpha)
    if not weights.ndim:
        raise ShapeError("wax.random.dirichlet takes alpha with an axis, and this has none")
    wanted = weights.shape[:-1] if shape is None else check_shape("wax.random.dirichlet", shape)
    sizes = (*wanted, weights.shape[-1])
    wide = dtypes.widened(target)
    weights = cast(broadcast_to(weights, sizes), wide)
    from wax.nn import softmax  # here, as wax.nn draws parameters and drops by keys

    return cast(softmax(_loggammas(checked_key("dirichlet", key), weights, sizes, wide), axis=-1), target)
