"""Special functions on scalars: the gamma family, inverses of erf, Bessel functions, and what is composed of them.

Integers are taken as float32. Half floats are computed in float32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from wax import dtypes
from wax.errors import InvalidArgumentError
from wax.scalars.arithmetic import fma
from wax.scalars.comparison import isinf, logical_and, logical_or, maximum, minimum, select
from wax.scalars.conversion import in_wide, inexact, with_weakness
from wax.scalars.scalar import Operand, Scalar, refuse
from wax.scalars.transcendental import erfc, exp, log, log1p

__all__ = [
    "betaln",
    "digamma",
    "entr",
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

_REAL = "it takes real dtypes"
_MOST_ORDER = 16  # of polygamma, in the dialect


def _real(name: str, formula: Callable[..., Scalar], *operands: Operand) -> Scalar:
    """A formula over floats of one dtype, in float32 for half floats."""
    values = inexact(name, *operands)
    if values[0].kind == "complex":
        refuse(name, values[0].dtype, _REAL)
    return with_weakness(in_wide(formula)(*values), values[0].weak)


def _operation(name: str, op: str) -> Callable[..., Scalar]:
    def formula(*operands: Scalar) -> Scalar:
        return operands[0].kernel.op(op, operands, operands[0].dtype)

    def apply(*operands: Operand) -> Scalar:
        return _real(name, formula, *operands)

    apply.__name__ = apply.__qualname__ = name
    return apply


gammaln = _operation("gammaln", "wax.lgamma")
erfinv = _operation("erfinv", "wax.erf_inv")
erfcinv = _operation("erfcinv", "wax.erfc_inv")
gammainc = _operation("gammainc", "wax.igamma")
gammaincc = _operation("gammaincc", "wax.igammac")
i0e = _operation("i0e", "wax.i0e")
i1e = _operation("i1e", "wax.i1e")


def polygamma(n: int, x: Operand) -> Scalar:
    """The derivative of order n of the digamma function."""
    if not isinstance(n, int) or isinstance(n, bool) or not 0 <= n <= _MOST_ORDER:
        raise InvalidArgumentError(
            f"polygamma: n is {n!r}; it is a Python int from 0 to {_MOST_ORDER}, since it selects the formula"
        )
    return _real("polygamma", lambda x: x.kernel.op("wax.polygamma", (x,), x.dtype, order=n), x)


def digamma(x: Operand) -> Scalar:
    """The derivative of gammaln."""
    return _real("digamma", lambda x: x.kernel.op("wax.polygamma", (x,), x.dtype, order=0), x)


def _unscaled(scaled: Callable[..., Scalar], limit: Callable[[Scalar], Scalar], x: Scalar) -> Scalar:
    # In halves: the exponential may be infinite where the product is not.
    half = exp(abs(x) * 0.5)
    return select(isinf(x), limit(x), scaled(x) * half * half)


def i0(x: Operand) -> Scalar:
    """The modified Bessel function of order 0."""
    return _real("i0", partial(_unscaled, i0e, abs), x)


def i1(x: Operand) -> Scalar:
    """The modified Bessel function of order 1."""
    return _real("i1", partial(_unscaled, i1e, lambda x: x), x)


def _expit(x: Scalar) -> Scalar:
    # The exponential of what is not positive: neither side overflows, nor loses the small results.
    # By choices and not by abs, which has no derivative at 0 where this has one.
    below = x < 0
    small = exp(select(below, x, -x))
    return select(below, small, 1.0) / (small + 1.0)


def expit(x: Operand) -> Scalar:
    """1 / (1 + exp(−x))."""
    return _real("expit", _expit, x)


def _logit(x: Scalar) -> Scalar:
    # Near ½ the quotient is near 1, and its logarithm small: from its distance to 1.
    near = logical_and(x > 0.25, x < 0.75)
    inner = select(near, x, 0.5)
    return select(near, log1p((inner - 0.5) * 2 / (1 - inner)), log(x / (1 - x)))


def logit(x: Operand) -> Scalar:
    """log(x / (1 − x))."""
    return _real("logit", _logit, x)


#: −√½ and what rounding it to the format loses.
_MINUS_ROOT = {32: (-0.7071067690849304, -1.210161710447897e-08), 64: (-0.7071067811865476, 4.833646656726457e-17)}


def _ndtr(x: Scalar) -> Scalar:
    # Far out erfc multiplies what its operand's rounding lost. Its slope takes account of that, relative to itself, so
    # that the least results keep their last bits.
    high, low = _MINUS_ROOT[dtypes.bits(x.dtype)]
    operand = fma(x, high, 0.0)  # a compiler may fuse a plain product with what it is added to
    lost = select(abs(x) < 40, fma(x, high, -operand) + x * low, 0.0)
    tail = erfc(operand)
    slope = exp(-operand * operand) / select(tail == 0, 1.0, tail)
    return 0.5 * (tail - tail * (1.1283791670955126 * lost * slope))


def ndtr(x: Operand) -> Scalar:
    """The normal distribution function."""
    return _real("ndtr", _ndtr, x)


def ndtri(p: Operand) -> Scalar:
    """The inverse of the normal distribution function."""
    return _real("ndtri", lambda p: erfcinv(p * 2) * -1.4142135623730951, p)


def _times(x: Scalar, y: Scalar, logarithm: Callable[[Scalar], Scalar], pole: float) -> Scalar:
    # Zero only where the logarithm is infinite or none: elsewhere it is the derivative by x, at 0 too.
    infinity = y.kernel.constant(float("inf"), y.dtype)
    zero = logical_and(x == 0, logical_or(y <= pole, y == infinity))
    # A negative zero becomes a positive one.
    return select(zero, 0.0, x * logarithm(select(zero, 1.0, y)) + 0.0)


def xlogy(x: Operand, y: Operand) -> Scalar:
    """x log y; 0 where x is 0."""
    return _real("xlogy", lambda x, y: _times(x, y, log, 0.0), x, y)


def xlog1py(x: Operand, y: Operand) -> Scalar:
    """x log(1 + y); 0 where x is 0."""
    return _real("xlog1py", lambda x, y: _times(x, y, log1p, -1.0), x, y)


def _entr(x: Scalar) -> Scalar:
    infinity = x.kernel.constant(float("-inf"), x.dtype)
    return select(x < 0, infinity, 0 - _times(x, x, log, 0.0))  # +0 at 0 and 1


def entr(x: Operand) -> Scalar:
    """−x log x; −∞ below 0."""
    return _real("entr", _entr, x)


#: The coefficients of Stirling's series.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400)


def _stirling_rest(x: Scalar) -> Scalar:
    """log Γ(x) − (x − ½) log x + x − ½ log 2π from 8 on."""
    u = 1 / x
    square, total = u * u, _STIRLING[-1]
    for coefficient in reversed(_STIRLING[:-1]):
        total = total * square + coefficient
    return total * u


def _betaln(a: Scalar, b: Scalar) -> Scalar:
    # Large logarithms of Γ would cancel: by their asymptotic series the difference is taken beforehand.
    a, b = minimum(a, b), maximum(a, b)
    far, both = logical_and(a > 0, b >= 8), a >= 8
    small, large, mean = select(both, 1.0, a), select(far, b, 8.0), select(both, a, 8.0)
    ratio = select(far, a, 1.0) / large
    spread = (select(far, a, 1.0) + large - 0.5) * log1p(ratio)
    rest = _stirling_rest(large)
    total = _stirling_rest(select(far, a, 1.0) + large)
    of_both = 0.9189385332046727 - 0.5 * log(mean) + mean * log(ratio) - spread + (_stirling_rest(mean) + rest - total)
    of_one = gammaln(small) - small * log(large) + (small - spread) + (rest - total)
    direct = gammaln(a) + gammaln(b) - gammaln(a + b)
    result = select(far, select(both, of_both, of_one), direct)
    minus_infinity = b.kernel.constant(float("-inf"), b.dtype)
    return select(logical_and(far, isinf(b)), minus_infinity, result)


def betaln(a: Operand, b: Operand) -> Scalar:
    """The logarithm of the beta function."""
    return _real("betaln", _betaln, a, b)
