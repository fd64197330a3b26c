"""The scalar operations of `complex`."""

from __future__ import annotations

from collections.abc import Callable

from wax_backend_xla.writer import Value

__all__ = ["RULES", "complex_of", "imaginary", "real"]


def complex_of(real: Value, imaginary: Value) -> Value:
    """From its parts."""
    return real.apply("complex", imaginary, element=f"complex<{real.element}>")


def _part(z: Value) -> str:
    return z.element[len("complex<") : -1]


def real(z: Value) -> Value:
    """The real part."""
    return z.apply("real", element=_part(z))


def imaginary(z: Value) -> Value:
    """The imaginary part."""
    return z.apply("imag", element=_part(z))


def _named(name: str) -> Callable[..., Value]:
    return lambda apply, x, *others: x.apply(name, *others)


def _rule(function: Callable[..., Value]) -> Callable[..., Value]:
    return lambda apply, *operands: function(*operands)


def _power_of_integer(z: Value, exponent: Value) -> Value:
    """By squaring, for as many bits as the exponent has."""
    magnitude = exponent.apply("abs").unsigned
    result = z.like(1.0)
    for bit in range(exponent.bits):
        is_set = ((magnitude >> bit) & 1).compare("NE", 0)
        result = is_set.select(result * z, result)
        z = z * z
    return exponent.compare("LT", 0).select(result.like(1.0) / result, result)


def _atan2(y: Value, x: Value) -> Value:
    i = x.like(1j)
    return -i * ((x + i * y) / (x * x + y * y).apply("sqrt")).apply("log")


def _direction(z: Value) -> Value:
    size = z.apply("abs", element=_part(z))
    is_zero = size.compare("EQ", 0.0)
    divisor = is_zero.select(1.0, size)
    return is_zero.select(z, complex_of(real(z) / divisor, imaginary(z) / divisor))


def _conjugate(z: Value) -> Value:
    return complex_of(real(z), -imaginary(z))


#: What `complex` means, by name of operation.
RULES: dict[str, Callable[..., Value]] = {
    # Parts.
    "complex.create": _rule(complex_of),
    "complex.re": _rule(real),
    "complex.im": _rule(imaginary),
    "complex.abs": _rule(lambda z: z.apply("abs", element=_part(z))),
    "complex.angle": _rule(lambda z: imaginary(z).apply("atan2", real(z))),
    # Arithmetic.
    "complex.add": _named("add"),
    "complex.sub": _named("subtract"),
    "complex.mul": _named("multiply"),
    "complex.div": _named("divide"),
    "complex.neg": _named("negate"),
    "complex.conj": _rule(_conjugate),
    "complex.sign": _rule(_direction),
    "complex.eq": _rule(lambda a, b: a.compare("EQ", b)),
    "complex.neq": _rule(lambda a, b: a.compare("NE", b)),
    # Functions.
    "complex.exp": _named("exponential"),
    "complex.expm1": _named("exponential_minus_one"),
    "complex.log": _named("log"),
    "complex.log1p": _named("log_plus_one"),
    "complex.sqrt": _named("sqrt"),
    "complex.rsqrt": _named("rsqrt"),
    "complex.pow": _named("power"),
    "complex.powi": _rule(_power_of_integer),
    "complex.sin": _named("sine"),
    "complex.cos": _named("cosine"),
    "complex.tan": _named("tan"),
    "complex.tanh": _named("tanh"),
    "complex.atan2": _rule(_atan2),
}
