"""Elementwise arithmetic, rounding, and complex parts.

Every function broadcasts its operands (NumPy's rule), promotes them (`wax.dtypes`), and raises `ShapeError` or
`PromotionError` where that cannot be. Inside a kernel each is a function on scalars.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes

from wax.array import Array
from wax.numpy._basis import ArrayLike, scalars
from wax.numpy._elementwise import elementwise

__all__ = [
    "abs",
    "add",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "divide",
    "floor",
    "floor_divide",
    "imag",
    "maximum",
    "minimum",
    "multiply",
    "nan_to_num",
    "negative",
    "nextafter",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "square",
    "subtract",
    "trunc",
]


@elementwise()
def abs(x: ArrayLike, /) -> Array:
    """The magnitude of each element; real for complex arrays. The least signed integer stays itself.

    >>> wnp.abs(wnp.asarray([-1.5, 2.0]))
    Array([1.5, 2. ], dtype=float32)
    """
    return scalars.absolute(x)


@elementwise()
def add(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The sum; integers wrap. Booleans are refused: use `logical_or`, or convert them.

    >>> wnp.add(wnp.asarray([1, 2]), 3)
    Array([4, 5], dtype=int32)
    """
    return scalars.add(x1, x2)


@elementwise()
def subtract(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The difference; integers wrap.

    >>> wnp.subtract(wnp.asarray([1.0, 2.0]), 0.5)
    Array([0.5, 1.5], dtype=float32)
    """
    return scalars.subtract(x1, x2)


@elementwise()
def multiply(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The product; integers wrap.

    >>> wnp.multiply(wnp.asarray([[1.0], [2.0]]), wnp.asarray([3.0, 4.0]))
    Array([[3., 4.],
           [6., 8.]], dtype=float32)
    """
    return scalars.multiply(x1, x2)


@elementwise()
def divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The true quotient; integers are divided in float32.

    >>> wnp.divide(wnp.asarray([1, 3]), 2)
    Array([0.5, 1.5], dtype=float32)
    """
    return scalars.divide(x1, x2)


@elementwise()
def floor_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The quotient rounded to minus infinity; an integer divided by zero gives 0.

    >>> wnp.floor_divide(wnp.asarray([7, -7]), 2)
    Array([ 3, -4], dtype=int32)
    """
    return scalars.floor_divide(x1, x2)


@elementwise()
def remainder(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """What floor division leaves, with the sign of the divisor; 0 for integers and a zero divisor.

    >>> wnp.remainder(wnp.asarray([7, -7]), 4)
    Array([3, 1], dtype=int32)
    """
    return scalars.remainder(x1, x2)


@elementwise(number_selects=True)
def pow(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The power. A Python integer as exponent multiplies; integer bases wrap.

    Integers under negative exponents give the quotient rounded towards zero; for a Python number as exponent
    that is refused (`PromotionError`).

    >>> wnp.pow(wnp.asarray([1.0, 2.0, 3.0]), 2)
    Array([1., 4., 9.], dtype=float32)
    """
    return scalars.power(x1, x2)


@elementwise()
def negative(x: ArrayLike, /) -> Array:
    """Each element with the other sign; unsigned integers wrap.

    >>> wnp.negative(wnp.asarray([1, -2]))
    Array([-1,  2], dtype=int32)
    """
    return scalars.negative(x)


@elementwise()
def positive(x: ArrayLike, /) -> Array:
    """The elements as they are.

    >>> wnp.positive(wnp.asarray([1, -2]))
    Array([ 1, -2], dtype=int32)
    """
    return scalars.positive(x)


@elementwise()
def square(x: ArrayLike, /) -> Array:
    """Each element times itself.

    >>> wnp.square(wnp.asarray([1.5, -2.0]))
    Array([2.25, 4.  ], dtype=float32)
    """
    return scalars.square(x)


@elementwise()
def reciprocal(x: ArrayLike, /) -> Array:
    """One divided by each element.

    >>> wnp.reciprocal(wnp.asarray([2.0, 4.0]))
    Array([0.5 , 0.25], dtype=float32)
    """
    return scalars.reciprocal(x)


@elementwise()
def sign(x: ArrayLike, /) -> Array:
    """-1, 0 or 1; NaN for NaN; for complex arrays the number on the unit circle.

    >>> wnp.sign(wnp.asarray([-3.0, 0.0, 2.0]))
    Array([-1.,  0.,  1.], dtype=float32)
    """
    return scalars.sign(x)


@elementwise()
def minimum(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The smaller of two elements; NaN if one is NaN; -0 is below +0.

    >>> wnp.minimum(wnp.asarray([1, 5]), 3)
    Array([1, 3], dtype=int32)
    """
    return scalars.minimum(x1, x2)


@elementwise()
def maximum(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The greater of two elements; NaN if one is NaN; +0 is above -0.

    >>> wnp.maximum(wnp.asarray([1, 5]), 3)
    Array([3, 5], dtype=int32)
    """
    return scalars.maximum(x1, x2)


@elementwise()
def _clip(x: ArrayLike, low: ArrayLike | None, high: ArrayLike | None, /) -> Array:
    return scalars.clip(x, low, high)


_clip.__name__ = "clip"


def clip(x: ArrayLike, /, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
    """The elements held between `min` and `max`, either of which may be absent; `max` wins where they cross.

    >>> wnp.clip(wnp.asarray([-1.0, 0.5, 3.0]), 0.0, 1.0)
    Array([0. , 0.5, 1. ], dtype=float32)
    """
    return _clip(x, min, max)


@elementwise()
def copysign(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The magnitude of the first with the sign of the second, of -0 and NaN too.

    >>> wnp.copysign(wnp.asarray([1.0, 2.0]), wnp.asarray([-0.0, 3.0]))
    Array([-1.,  2.], dtype=float32)
    """
    return scalars.copysign(x1, x2)


@elementwise()
def nextafter(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The next number of the dtype after the first, towards the second.

    >>> float(wnp.nextafter(wnp.asarray(1.0), 2.0)) - 1.0
    1.1920928955078125e-07
    """
    return scalars.nextafter(x1, x2)


@elementwise()
def signbit(x: ArrayLike, /) -> Array:
    """Whether the sign bit is set, of -0 and NaN too.

    >>> wnp.signbit(wnp.asarray([-0.0, 1.0]))
    Array([ True, False], dtype=bool)
    """
    return scalars.signbit(x)


@elementwise()
def floor(x: ArrayLike, /) -> Array:
    """The greatest whole number that is not above.

    >>> wnp.floor(wnp.asarray([-1.5, 1.5]))
    Array([-2.,  1.], dtype=float32)
    """
    return scalars.floor(x)


@elementwise()
def ceil(x: ArrayLike, /) -> Array:
    """The least whole number that is not below.

    >>> wnp.ceil(wnp.asarray([-1.5, 1.5]))
    Array([-1.,  2.], dtype=float32)
    """
    return scalars.ceil(x)


@elementwise()
def trunc(x: ArrayLike, /) -> Array:
    """The whole number next to it towards zero.

    >>> wnp.trunc(wnp.asarray([-1.5, 1.5]))
    Array([-1.,  1.], dtype=float32)
    """
    return scalars.trunc(x)


@elementwise()
def round(x: ArrayLike, /) -> Array:
    """The nearest whole number, halves to the even one.

    >>> wnp.round(wnp.asarray([0.5, 1.5, 2.4]))
    Array([0., 2., 2.], dtype=float32)
    """
    return scalars.round(x)


@elementwise()
def real(x: ArrayLike, /) -> Array:
    """The real part; of a real array, itself.

    >>> wnp.real(wnp.asarray([1.0 + 2.0j]))
    Array([1.], dtype=float32)
    """
    return scalars.real(x)


@elementwise()
def imag(x: ArrayLike, /) -> Array:
    """The imaginary part; of a real array, zeros.

    >>> wnp.imag(wnp.asarray([1.0 + 2.0j]))
    Array([2.], dtype=float32)
    """
    return scalars.imag(x)


@elementwise()
def conj(x: ArrayLike, /) -> Array:
    """The complex conjugate; of a real array, itself.

    >>> wnp.conj(wnp.asarray([1.0 + 2.0j]))
    Array([1.-2.j], dtype=complex64)
    """
    return scalars.conj(x)


def nan_to_num(x: ArrayLike, /, *, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Array:
    """The elements with `nan` for NaN, and for infinities `posinf` and `neginf`: the dtype's limits if not given.

    >>> wnp.nan_to_num(wnp.asarray([wnp.nan, 1.0, wnp.inf]), posinf=9.0)
    Array([0., 1., 9.], dtype=float32)
    """
    return _nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


@elementwise()
def _nan_to_num(x: ArrayLike, /, *, nan: float, posinf: float | None, neginf: float | None) -> Array:
    (value,) = scalars.promoted("nan_to_num", x)
    return _as_numbers(value, nan, posinf, neginf)


def _as_numbers(x: Any, nan: float, posinf: float | None, neginf: float | None) -> Any:
    if x.kind == "complex":
        parts = [_as_numbers(part, nan, posinf, neginf) for part in (scalars.real(x), scalars.imag(x))]
        return x.kernel.op("complex.create", tuple(parts), x.dtype, x.weak)
    if x.kind != "float":
        return x
    most = float(ml_dtypes.finfo(x.dtype).max)
    high, low = most if posinf is None else posinf, -most if neginf is None else neginf
    result = scalars.select(x == float("inf"), high, scalars.select(x == -float("inf"), low, x))
    return scalars.select(scalars.isnan(x), nan, result)


_nan_to_num.__name__ = "nan_to_num"
