"""The fused multiply-add: a · b + c, rounded once, for every float type.

Narrow types go by way of float64, whose products of theirs are exact. float64 itself is built from error-free
sums and products and one rounding to odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded
sums", IEEE Trans. Computers 57, 2008, algorithm 5). Operands are scaled so that nothing in between overflows
or underflows; a subnormal float64 result may be rounded twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wax_runtime.reference.elements import element
from wax_runtime.reference.scalars import ScalarFunction
from wax_runtime.reference.scalars_casts import convert_float, round_to_odd
from wax_runtime.snapshot import Apply, Argument

__all__ = ["fused_multiply_add", "two_product", "two_sum"]


def fused_multiply_add(apply: Apply) -> ScalarFunction:
    """The rule of `math.fma`."""
    if element(apply.element).dtype.itemsize == 8:
        return _float64
    narrow = convert_float(Apply("arith.truncf", (Argument(0, "f64"),), apply.element))

    def fused(a: Any, b: Any, c: Any) -> Any:
        total, error = two_sum(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64))
        return narrow(round_to_odd(total, error))

    return fused


def two_sum(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded sum, and what rounding lost (Knuth)."""
    total = a + b
    b_part = total - a
    return total, (a - (total - b_part)) + (b - b_part)


def _split(a: Any) -> tuple[Any, Any]:
    """Two halves of a significand (Veltkamp)."""
    scaled = 134217729.0 * a
    high = scaled - (scaled - a)
    return high, a - high


def two_product(a: Any, b: Any) -> tuple[Any, Any]:
    """The rounded product, and what rounding lost (Dekker)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    return product, a_low * b_low - (product - a_high * b_high - a_low * b_high - a_high * b_low)


# A summand this many binary orders beyond the other is out of reach of its last bit and of ties.
_REACH = 160


def _float64(a: Any, b: Any, c: Any) -> Any:
    plain = a * b + c
    (a_part, a_exponent), (b_part, b_exponent), (c_part, c_exponent) = np.frexp(a), np.frexp(b), np.frexp(c)
    scale = a_exponent + b_exponent
    c_exponent = np.where(c == 0, scale, c_exponent)
    # Beyond reach, the smaller of product and summand is moved nearer; only its sign still matters.
    distance = np.clip(c_exponent - scale, -_REACH, _REACH)
    scale = np.maximum(scale, c_exponent - _REACH)
    high, low = two_product(a_part, b_part)
    summand = np.ldexp(c_part, distance)
    middle, lowest = two_sum(summand, low)
    total, rest = two_sum(high, middle)
    exact = np.ldexp(total + round_to_odd(*two_sum(lowest, rest)), scale)
    ordinary = np.isfinite(plain) | (np.isfinite(a) & np.isfinite(b) & np.isfinite(c))
    return np.where(ordinary & (a != 0) & (b != 0), exact, plain)
