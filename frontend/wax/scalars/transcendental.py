"""Exponentials, logarithms, powers by roots, trigonometric and error functions on scalars.

Integers are taken as float32. Half floats are computed in float32 and rounded once. How exactly an operation
of `math` is evaluated belongs to the lowering; what has no operation is composed here.
"""

from __future__ import annotations

from collections.abc import Callable

from wax.scalars import inverse_circular
from wax.scalars.comparison import maximum, minimum, select
from wax.scalars.conversion import in_wide, inexact, with_weakness
from wax.scalars.parts import parts, times_i, times_minus_i, times_real
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
exp2 = _function("exp2", "math.exp2", lambda z: exp(times_real(z, 0.6931471805599453)))
log2 = _function("log2", "math.log2", lambda z: times_real(log(z), 1.4426950408889634))
log10 = _function("log10", "math.log10", lambda z: times_real(log(z), 0.4342944819032518))
sinh = _function("sinh", "math.sinh", lambda z: times_minus_i(sin(times_i(z))))
cosh = _function("cosh", "math.cosh", lambda z: cos(times_i(z)))
asin = _function("asin", "math.asin", inverse_circular.asin)
acos = _function("acos", "math.acos", inverse_circular.acos)
atan = _function("atan", "math.atan", inverse_circular.atan)
asinh = _function("asinh", "math.asinh", inverse_circular.asinh)
acosh = _function("acosh", "math.acosh", inverse_circular.acosh)
atanh = _function("atanh", "math.atanh", inverse_circular.atanh)


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
    # By choices and not by abs, which has no derivative where the operands are equal and this has one.
    swapped = x < y
    larger, below = select(swapped, y, x), select(swapped, x - y, y - x)
    # Equal operands may be infinite, whose difference is no number.
    infinite = abs(x) == x.kernel.constant(float("inf"), x.dtype)
    return select((x == y) & infinite, x, larger + log1p(exp(below)))


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
    return with_weakness(parts(x)[0], x.weak) if x.kind == "complex" else x


def imag(x: Operand) -> Scalar:
    """The imaginary part; of a real scalar, 0."""
    x = _as_number("imag", x)
    return with_weakness(parts(x)[1], x.weak) if x.kind == "complex" else x.kernel.constant(0, x.dtype, x.weak)


def conj(x: Operand) -> Scalar:
    """The complex conjugate; of a real scalar, itself."""
    x = _as_number("conj", x)
    return x.kernel.op("complex.conj", (x,), x.dtype, x.weak) if x.kind == "complex" else x
