"""Special functions of real arrays, elementwise: the gamma family, distributions, Bessel functions, entropies.

Integers are computed in float32; half floats in float32, rounded once. Every function broadcasts its operands,
promotes them, and works in kernels. How exact each is stands in docs/accuracy.md.
"""

from __future__ import annotations

from wax.array import Array
from wax.numpy._basis import ArrayLike, scalars
from wax.numpy._elementwise import elementwise
from wax.numpy.exponential import erf, erfc

__all__ = [
    "betaln",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfcinv",
    "erfinv",
    "expit",
    "gammainc",
    "gammaincc",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "logit",
    "ndtr",
    "ndtri",
    "polygamma",
    "xlog1py",
    "xlogy",
]


@elementwise()
def gammaln(x: ArrayLike, /) -> Array:
    """The logarithm of the absolute value of the gamma function; infinite at 0 and the negative integers.

    >>> wax.special.gammaln(wnp.asarray([1.0, 5.0]))
    Array([0.       , 3.1780539], dtype=float32)
    """
    return scalars.gammaln(x)


@elementwise()
def digamma(x: ArrayLike, /) -> Array:
    """The derivative of `gammaln`; NaN at the negative integers.

    >>> wax.special.digamma(wnp.asarray([1.0]))
    Array([-0.5772157], dtype=float32)
    """
    return scalars.digamma(x)


def polygamma(n: int, x: ArrayLike, /) -> Array:
    """The derivative of order `n` of `digamma`; `n` is a Python int from 0 to 16.

    >>> wax.special.polygamma(1, wnp.asarray([1.0]))
    Array([1.644934], dtype=float32)
    """
    return _polygamma(x, n=n)


@elementwise()
def _polygamma(x: ArrayLike, /, *, n: int) -> Array:
    return scalars.polygamma(n, x)


@elementwise()
def betaln(a: ArrayLike, b: ArrayLike, /) -> Array:
    """The logarithm of the beta function; `a` and `b` above 0.

    >>> wax.special.betaln(wnp.asarray([2.0]), 3.0)
    Array([-2.4849067], dtype=float32)
    """
    return scalars.betaln(a, b)


@elementwise()
def gammainc(a: ArrayLike, x: ArrayLike, /) -> Array:
    """The lower incomplete gamma function over the gamma function, from 0 to 1; NaN for negative operands.

    >>> wax.special.gammainc(wnp.asarray([1.0]), 2.0)
    Array([0.86466473], dtype=float32)
    """
    return scalars.gammainc(a, x)


@elementwise()
def gammaincc(a: ArrayLike, x: ArrayLike, /) -> Array:
    """`1 - gammainc(a, x)`, exact where it is small.

    >>> wax.special.gammaincc(wnp.asarray([1.0]), 2.0)
    Array([0.13533528], dtype=float32)
    """
    return scalars.gammaincc(a, x)


@elementwise()
def erfinv(x: ArrayLike, /) -> Array:
    """The inverse of `erf`; infinite at -1 and 1, NaN beyond.

    >>> wax.special.erfinv(wnp.asarray([0.0, 1.0]))
    Array([ 0., inf], dtype=float32)
    """
    return scalars.erfinv(x)


@elementwise()
def erfcinv(x: ArrayLike, /) -> Array:
    """The inverse of `erfc`; infinite at 0 and 2, NaN beyond.

    >>> wax.special.erfcinv(wnp.asarray([1.0, 0.0]))
    Array([ 0., inf], dtype=float32)
    """
    return scalars.erfcinv(x)


@elementwise()
def ndtr(x: ArrayLike, /) -> Array:
    """The probability that a normal variable is at most `x`.

    >>> wax.special.ndtr(wnp.asarray([0.0]))
    Array([0.5], dtype=float32)
    """
    return scalars.ndtr(x)


@elementwise()
def ndtri(p: ArrayLike, /) -> Array:
    """The inverse of `ndtr`; NaN outside of [0, 1].

    >>> wax.special.ndtri(wnp.asarray([0.0, 1.0]))
    Array([-inf,  inf], dtype=float32)
    """
    return scalars.ndtri(p)


@elementwise()
def i0(x: ArrayLike, /) -> Array:
    """The modified Bessel function of order 0.

    >>> wax.special.i0(wnp.asarray([0.0]))
    Array([1.], dtype=float32)
    """
    return scalars.i0(x)


@elementwise()
def i0e(x: ArrayLike, /) -> Array:
    """`exp(-abs(x)) * i0(x)`, which does not overflow.

    >>> wax.special.i0e(wnp.asarray([0.0]))
    Array([1.], dtype=float32)
    """
    return scalars.i0e(x)


@elementwise()
def i1(x: ArrayLike, /) -> Array:
    """The modified Bessel function of order 1.

    >>> wax.special.i1(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.i1(x)


@elementwise()
def i1e(x: ArrayLike, /) -> Array:
    """`exp(-abs(x)) * i1(x)`, which does not overflow.

    >>> wax.special.i1e(wnp.asarray([0.0]))
    Array([0.], dtype=float32)
    """
    return scalars.i1e(x)


@elementwise()
def expit(x: ArrayLike, /) -> Array:
    """`1 / (1 + exp(-x))`, the inverse of `logit`.

    >>> wax.special.expit(wnp.asarray([0.0]))
    Array([0.5], dtype=float32)
    """
    return scalars.expit(x)


@elementwise()
def logit(x: ArrayLike, /) -> Array:
    """`log(x / (1 - x))`; infinite at 0 and 1, NaN beyond.

    >>> wax.special.logit(wnp.asarray([0.5, 1.0]))
    Array([ 0., inf], dtype=float32)
    """
    return scalars.logit(x)


@elementwise()
def xlogy(x: ArrayLike, y: ArrayLike, /) -> Array:
    """`x * log(y)`, and 0 where `x` is 0 and `y` is a number.

    >>> wax.special.xlogy(wnp.asarray([0.0]), 0.0)
    Array([0.], dtype=float32)
    """
    return scalars.xlogy(x, y)


@elementwise()
def xlog1py(x: ArrayLike, y: ArrayLike, /) -> Array:
    """`x * log1p(y)`, and 0 where `x` is 0 and `y` is a number.

    >>> wax.special.xlog1py(wnp.asarray([0.0]), -1.0)
    Array([0.], dtype=float32)
    """
    return scalars.xlog1py(x, y)


@elementwise()
def entr(x: ArrayLike, /) -> Array:
    """`-x * log(x)`, 0 at 0 and minus infinity below.

    >>> wax.special.entr(wnp.asarray([0.0, 1.0]))
    Array([0., 0.], dtype=float32)
    """
    return scalars.entr(x)
