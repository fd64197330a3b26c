"""Whether arrays are equal, or nearly so."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import same_shape
from wax.eager import api
from wax.numpy._basis import ArrayLike, constant, lift, scalars
from wax.numpy._elementwise import elementwise
from wax.numpy.searching import all

__all__ = ["allclose", "array_equal", "isclose"]


@elementwise()
def _isclose(x1: ArrayLike, x2: ArrayLike, /, *, rtol: float, atol: float, equal_nan: bool) -> Array:
    a, b = scalars.inexact("isclose", x1, x2)
    wide = dtypes.widened(a.dtype)
    a, b = scalars.cast(a, wide), scalars.cast(b, wide)
    size = scalars.absolute(b)
    near = (scalars.absolute(a - b) <= atol + rtol * size) & scalars.isfinite(size)
    result = near | (a == b)
    return result | (scalars.isnan(a) & scalars.isnan(b)) if equal_nan else result


_isclose.__name__ = "isclose"


def isclose(x1: ArrayLike, x2: ArrayLike, /, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Array:
    """Whether elements differ by `atol + rtol * abs(x2)` at most; infinities only from each other, NaN from everything.

    With `equal_nan` NaNs are close. Integers are compared in float32. Raises `ShapeError`, `PromotionError`.

    >>> wnp.isclose(wnp.asarray([1.0, wnp.inf]), wnp.asarray([1.000001, wnp.inf]))
    Array([ True,  True], dtype=bool)
    """
    return _isclose(x1, x2, rtol=float(rtol), atol=float(atol), equal_nan=bool(equal_nan))


def allclose(x1: ArrayLike, x2: ArrayLike, /, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Array:
    """Whether all elements are close; see `isclose`. Raises `ShapeError`, `PromotionError`.

    >>> wnp.allclose(wnp.asarray([1.0, 2.0]), wnp.asarray([1.0, 2.1]))
    Array(False, dtype=bool)
    """
    return all(isclose(x1, x2, rtol, atol, equal_nan))


@elementwise()
def _same(x1: ArrayLike, x2: ArrayLike, /, *, equal_nan: bool) -> Array:
    result = scalars.equal(x1, x2)
    return result | (scalars.isnan(x1) & scalars.isnan(x2)) if equal_nan else result


@api
def array_equal(x1: ArrayLike, x2: ArrayLike, /, equal_nan: bool = False) -> Array:
    """Whether two arrays have one shape and equal elements; with `equal_nan` NaNs are equal. Raises `PromotionError`.

    >>> wnp.array_equal(wnp.asarray([1, 2]), wnp.asarray([1, 2, 3]))
    Array(False, dtype=bool)
    """
    a, b = lift(x1), lift(x2)
    if not same_shape(a.shape, b.shape):
        return constant(False, dtypes.bool_)
    result: Any = _same(a, b, equal_nan=equal_nan)
    return all(result)
