"""The scalar operations of `math`, and wax's special functions, as far as StableHLO and CHLO have them.

`wax.erfc_inv`, `wax.igamma`, `wax.igammac` and `wax.i0e` have no counterpart there, and so no rule here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import ml_dtypes

from wax_backend_xla.scalars_arith import is_nan, maximum, minimum
from wax_backend_xla.writer import NUMPY, Value
from wax_runtime.snapshot import Apply

__all__ = ["RULES"]

Unary = Callable[[Value], Value]


def _named(name: str) -> Callable[..., Value]:
    return lambda apply, x, *others: x.apply(name, *others)


def _rule(function: Callable[..., Value]) -> Callable[..., Value]:
    return lambda apply, *operands: function(*operands)


def _widened(function: Callable[..., Value]) -> Callable[..., Value]:
    """In double precision, so that one rounding is seen in all narrower types."""
    return lambda apply, *operands: function(*(x.convert("f64") for x in operands)).convert(apply.element)


def _integers(rule: Unary, booleans: Unary) -> Callable[..., Value]:
    return lambda apply, x: (booleans if x.kind == "bool" else rule)(x)


def _integer(x: Value) -> Value:
    return x.bitcast(f"i{x.bits}")


def copysign(magnitude: Value, sign: Value) -> Value:
    """A float's magnitude with another one's sign."""
    mask = (1 << (magnitude.bits - 1)) - 1
    return ((_integer(magnitude) & mask) | (_integer(sign) & ~mask)).bitcast(magnitude.element)


def _truncated(x: Value) -> Value:
    return copysign(x.apply("abs").apply("floor"), x)


def _is_infinite(x: Value) -> Value:
    return x.apply("abs").compare("EQ", math.inf)


def _is_normal(x: Value) -> Value:
    least = float(ml_dtypes.finfo(NUMPY[x.element]).smallest_normal)
    return x.apply("is_finite", element="i1") & x.apply("abs").compare("GE", least)


def _trailing_zeros(x: Value) -> Value:
    # The lowest set bit, less one, is as many ones; of 0 it is all ones.
    return ((x & -x) - 1).apply("popcnt")


def _integer_power(base: Value, exponent: Value) -> Value:
    if base.kind == "bool":
        return base | ~exponent
    # XLA's own power reads six bits of an exponent.
    whole, square = base.like(1), base
    for bit in range(base.bits - 1):
        whole = ((exponent >> bit) & 1).compare("NE", 0).select(whole * square, whole)
        square = square * square
    parity = (exponent & 1).compare("NE", 0).select(base, 1)
    fraction = (base.compare("EQ", 1) | base.compare("EQ", -1)).select(parity, 0)
    return exponent.compare("LT", 0).select(fraction, whole)


def _power_of_integer(apply: Apply, base: Value, exponent: Value) -> Value:
    wide = base.convert("f64")
    magnitude = wide.apply("abs").apply("power", exponent.convert("f64"))
    is_odd = (exponent & 1).compare("NE", 0)
    return is_odd.select(copysign(magnitude, wide), magnitude).convert(apply.element)


def _fused_multiply_add(a: Value, b: Value, c: Value) -> Value:
    """One rounding in types below `f64`, whose products `f64` holds; in `f64` XLA may fuse, or round twice."""
    if a.element == "f64":
        return a * b + c
    product, addend = a.convert("f64") * b.convert("f64"), c.convert("f64")
    total = product + addend
    # The sum's error (Knuth, TAOCP 2, 4.2.2), kept as an odd last bit: Boldo and Melquiond, "Emulation of FMA and
    # correctly rounded sums", IEEE Trans. Computers 57, 2008.
    virtual = total - product
    error = (product - (total - virtual)) + (addend - virtual)
    away = (error.compare("LT", 0.0) ^ total.compare("LT", 0.0)).convert("i64")
    odd = ((total.bitcast("i64") - away) | 1).bitcast("f64")
    inexact = error.compare("NE", 0.0) & error.apply("is_finite", element="i1")
    return (inexact & total.apply("is_finite", element="i1")).select(odd, total).convert(a.element)


def _two_to(x: Value) -> Value:
    return x.like(2.0).apply("power", x)


def _logarithm(base: float) -> Unary:
    return lambda x: x.apply("log") / math.log(base)


def _polygamma(apply: Apply, x: Value) -> Value:
    order = apply.attributes["order"]
    assert isinstance(order, int)
    wide = x.convert("f64")
    made = wide.apply("chlo.digamma") if order == 0 else wide.like(float(order)).apply("chlo.polygamma", wide)
    return made.convert(x.element)


#: What `math` and the special functions mean, by name of operation.
RULES: dict[str, Callable[..., Value]] = {
    # Integers.
    "math.absi": _integers(lambda x: x.apply("abs"), lambda x: x),
    "math.ctlz": _integers(lambda x: x.apply("count_leading_zeros"), lambda x: ~x),
    "math.cttz": _integers(_trailing_zeros, lambda x: ~x),
    "math.ctpop": _integers(lambda x: x.apply("popcnt"), lambda x: x),
    "math.ipowi": _rule(_integer_power),
    # Rounding and sign.
    "math.absf": _named("abs"),
    "math.ceil": _named("ceil"),
    "math.floor": _named("floor"),
    "math.trunc": _rule(_truncated),
    "math.roundeven": _named("round_nearest_even"),
    "math.round": _named("round_nearest_afz"),
    "math.copysign": _rule(copysign),
    "math.clampf": _rule(lambda x, low, high: minimum(maximum(x, low), high)),
    # Classification.
    "math.isfinite": _rule(lambda x: x.apply("is_finite", element="i1")),
    "math.isinf": _rule(_is_infinite),
    "math.isnan": _rule(is_nan),
    "math.isnormal": _rule(_is_normal),
    # Powers and roots.
    "math.sqrt": _named("sqrt"),
    "math.rsqrt": _widened(lambda x: x.apply("rsqrt")),
    "math.cbrt": _named("cbrt"),
    "math.powf": _named("power"),
    "math.fpowi": _power_of_integer,
    "math.fma": _rule(_fused_multiply_add),
    # Exponentials and logarithms.
    "math.exp": _named("exponential"),
    "math.exp2": _widened(_two_to),
    "math.expm1": _named("exponential_minus_one"),
    "math.log": _named("log"),
    "math.log2": _widened(_logarithm(2)),
    "math.log10": _widened(_logarithm(10)),
    "math.log1p": _named("log_plus_one"),
    # Circular and hyperbolic functions.
    "math.sin": _named("sine"),
    "math.cos": _named("cosine"),
    "math.sincos": lambda apply, x: x.apply("cosine" if apply.attributes.get("result") else "sine"),
    "math.tan": _named("tan"),
    "math.asin": _named("chlo.asin"),
    "math.acos": _named("chlo.acos"),
    "math.atan": _named("chlo.atan"),
    "math.atan2": _named("atan2"),
    "math.sinh": _named("chlo.sinh"),
    "math.cosh": _named("chlo.cosh"),
    "math.tanh": _named("tanh"),
    "math.asinh": _named("chlo.asinh"),
    "math.acosh": _named("chlo.acosh"),
    "math.atanh": _named("chlo.atanh"),
    # Error functions.
    "math.erf": _named("chlo.erf"),
    "math.erfc": _named("chlo.erfc"),
    # Special functions.
    "wax.lgamma": _widened(lambda x: x.apply("chlo.lgamma")),
    "wax.polygamma": _polygamma,
    "wax.erf_inv": _named("chlo.erf_inv"),
    "wax.i1e": _widened(lambda x: x.apply("chlo.bessel_i1e")),
}
