"""Exponentials, logarithms, powers by roots, trigonometric and error functions on scalars.

Integers are taken as float32. Half floats are computed in float32 and rounded once. How exactly an operation
of `math` is evaluated belongs to the lowering; what has no operation is composed here.
"""

from __future__ import annotations

from collections.abc import Callable

from wax import dtypes
from wax.scalars.comparison import maximum, minimum, select
from wax.scalars.conversion import in_wide, inexact, with_weakness
from wax.scalars.scalar import Operand, Scalar, refuse

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "conj",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "hypot",
    "imag",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "real",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
]

_REAL = "it takes real dtypes; take wnp.real, wnp.imag or wnp.abs first"
_Complex = Callable[[Scalar], Scalar]


def _function(name: str, op: str, on_complex: str | _Complex | None = None) -> Callable[[Operand], Scalar]:
    """A function of one scalar: an operation of `math` on floats, one of `complex` or a formula on complex numbers."""

    @in_wide
    def on_float(x: Scalar) -> Scalar:
        return x.kernel.op(op, (x,), x.dtype)

    def apply(x: Operand) -> Scalar:
        (x,) = inexact(name, x)
        if x.kind == "float":
            return with_weakness(on_float(x), x.weak)
        if on_complex is None:
            refuse(name, x.dtype, _REAL)
        result = x.kernel.op(on_complex, (x,), x.dtype) if isinstance(on_complex, str) else on_complex(x)
        return with_weakness(result, x.weak)

    apply.__name__ = apply.__qualname__ = name
    return apply


def _parts(z: Scalar) -> tuple[Scalar, Scalar]:
    part = dtypes.real_part(z.dtype)
    return z.kernel.op("complex.re", (z,), part), z.kernel.op("complex.im", (z,), part)


def _complex(real: Scalar, imaginary: Scalar, like: Scalar) -> Scalar:
    return like.kernel.op("complex.create", (real, imaginary), like.dtype)


def _times_i(z: Scalar) -> Scalar:
    real, imaginary = _parts(z)
    return _complex(-imaginary, real, z)


def _times_minus_i(z: Scalar) -> Scalar:
    real, imaginary = _parts(z)
    return _complex(imaginary, -real, z)


exp = _function("exp", "math.exp", "complex.exp")
expm1 = _function("expm1", "math.expm1", "complex.expm1")
log = _function("log", "math.log", "complex.log")
log1p = _function("log1p", "math.log1p", "complex.log1p")
sqrt = _function("sqrt", "math.sqrt", "complex.sqrt")
rsqrt = _function("rsqrt", "math.rsqrt", "complex.rsqrt")
cbrt = _function("cbrt", "math.cbrt")
sin = _function("sin", "math.sin", "complex.sin")
cos = _function("cos", "math.cos", "complex.cos")
tan = _function("tan", "math.tan", "complex.tan")
tanh = _function("tanh", "math.tanh", "complex.tanh")
erf = _function("erf", "math.erf")
erfc = _function("erfc", "math.erfc")

# On complex numbers, by identities with what `complex` has.
exp2 = _function("exp2", "math.exp2", lambda z: exp(z * 0.6931471805599453))
log2 = _function("log2", "math.log2", lambda z: log(z) * 1.4426950408889634)
log10 = _function("log10", "math.log10", lambda z: log(z) * 0.4342944819032518)
sinh = _function("sinh", "math.sinh", lambda z: _times_minus_i(sin(_times_i(z))))
cosh = _function("cosh", "math.cosh", lambda z: cos(_times_i(z)))


def _complex_asin(z: Scalar) -> Scalar:
    # Kahan, "Branch cuts for complex elementary functions" (1987): right on both sides of every cut.
    below, above = sqrt(1 - z), sqrt(1 + z)
    real, _ = _parts(z)
    return _complex(atan2(real, _parts(below * above)[0]), asinh(_parts(conj(below) * above)[1]), z)


def _complex_acos(z: Scalar) -> Scalar:
    below, above = sqrt(1 - z), sqrt(1 + z)
    return _complex(2 * atan2(_parts(below)[0], _parts(above)[0]), asinh(_parts(conj(above) * below)[1]), z)


def _complex_acosh(z: Scalar) -> Scalar:
    below, above = sqrt(z - 1), sqrt(z + 1)
    return _complex(asinh(_parts(conj(below) * above)[0]), 2 * atan2(_parts(below)[1], _parts(above)[0]), z)


def _complex_atanh(z: Scalar) -> Scalar:
    return (log1p(z) - log1p(-z)) * 0.5


asin = _function("asin", "math.asin", _complex_asin)
acos = _function("acos", "math.acos", _complex_acos)
atanh = _function("atanh", "math.atanh", _complex_atanh)
acosh = _function("acosh", "math.acosh", _complex_acosh)
asinh = _function("asinh", "math.asinh", lambda z: _times_minus_i(_complex_asin(_times_i(z))))
atan = _function("atan", "math.atan", lambda z: _times_minus_i(_complex_atanh(_times_i(z))))


def _two_floats(name: str, formula: Callable[[Scalar, Scalar], Scalar]) -> Callable[[Operand, Operand], Scalar]:
    wide = in_wide(formula)

    def apply(x: Operand, y: Operand) -> Scalar:
        x, y = inexact(name, x, y)
        if x.kind == "complex":
            refuse(name, x.dtype, _REAL)
        return with_weakness(wide(x, y), x.weak)

    apply.__name__ = apply.__qualname__ = name
    return apply


def _hypot(x: Scalar, y: Scalar) -> Scalar:
    x, y = abs(x), abs(y)
    large, small = maximum(x, y), minimum(x, y)
    ratio = small / large
    length = select(large == 0, large, large * sqrt(1 + ratio * ratio))  # squares of the operands could overflow
    infinity = large.kernel.constant(float("inf"), large.dtype)
    return select((x == infinity) | (y == infinity), infinity, length)


def _logaddexp(x: Scalar, y: Scalar) -> Scalar:
    larger, apart = maximum(x, y), abs(x - y)
    # Equal operands may be infinite, whose difference is no number.
    return select(x == y, x + 0.6931471805599453, larger + log1p(exp(-apart)))


atan2 = _two_floats("atan2", lambda x, y: x.kernel.op("math.atan2", (x, y), x.dtype))
hypot = _two_floats("hypot", _hypot)
logaddexp = _two_floats("logaddexp", _logaddexp)


def _as_number(name: str, x: Operand) -> Scalar:
    from wax.scalars.conversion import promoted

    (x,) = promoted(name, x)
    if x.kind == "bool":
        refuse(name, x.dtype, "it takes numbers")
    return x


def real(x: Operand) -> Scalar:
    """The real part; of a real scalar, itself."""
    x = _as_number("real", x)
    return with_weakness(_parts(x)[0], x.weak) if x.kind == "complex" else x


def imag(x: Operand) -> Scalar:
    """The imaginary part; of a real scalar, 0."""
    x = _as_number("imag", x)
    return with_weakness(_parts(x)[1], x.weak) if x.kind == "complex" else x.kernel.constant(0, x.dtype, x.weak)


def conj(x: Operand) -> Scalar:
    """The complex conjugate; of a real scalar, itself."""
    x = _as_number("conj", x)
    return x.kernel.op("complex.conj", (x,), x.dtype, x.weak) if x.kind == "complex" else x
