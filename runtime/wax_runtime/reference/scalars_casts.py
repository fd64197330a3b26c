"""Scalar conversions: integers, floats, and the saturating way from one to the other.

Each is a `ScalarRule`: it reads the two element types once and answers with a function of one array.
bfloat16 is rounded once, whatever it comes from; ml_dtypes alone would go by way of float32 and round twice.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from wax_runtime.errors import BackendError
from wax_runtime.reference.elements import element
from wax_runtime.reference.scalars import ScalarFunction, ScalarRule, operand_element
from wax_runtime.snapshot import Apply

__all__ = [
    "bitcast",
    "convert_float",
    "extend_signed",
    "extend_unsigned",
    "float_to_int",
    "index_cast_signed",
    "index_cast_unsigned",
    "int_to_float",
    "round_to_odd",
    "signed_to_float",
    "truncate_int",
    "unsigned_to_float",
]

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def extend_signed(apply: Apply) -> ScalarFunction:
    """To more bits; the `i1` true is −1."""
    dtype = element(apply.element).dtype
    if operand_element(apply).kind == "bool":
        return lambda x: np.negative(x.astype(dtype))
    return lambda x: x.astype(dtype)


def extend_unsigned(apply: Apply) -> ScalarFunction:
    """To more bits, the new ones zero."""
    of, dtype = operand_element(apply), element(apply.element).dtype
    if of.kind == "bool":
        return lambda x: x.astype(dtype)
    natural = of.unsigned
    return lambda x: x.view(natural).astype(dtype)


def truncate_int(apply: Apply) -> ScalarFunction:
    """To the low bits."""
    to = element(apply.element)
    if to.kind == "bool":
        return lambda x: (x & 1).astype(to.dtype)
    return lambda x: x.astype(to.dtype)


def index_cast_signed(apply: Apply) -> ScalarFunction:
    """Between `index`, which has 64 bits, and an integer type."""
    wider = element(apply.element).bits > operand_element(apply).bits
    return extend_signed(apply) if wider else truncate_int(apply)


def index_cast_unsigned(apply: Apply) -> ScalarFunction:
    """Between `index` and an integer type read as unsigned."""
    wider = element(apply.element).bits > operand_element(apply).bits
    return extend_unsigned(apply) if wider else truncate_int(apply)


def bitcast(apply: Apply) -> ScalarFunction:
    """The same bits, as another type of the width."""
    dtype = element(apply.element).dtype
    return lambda x: x.view(dtype)


def signed_to_float(apply: Apply) -> ScalarFunction:
    """The nearest float; the `i1` true is −1."""
    convert = int_to_float(element(apply.element).dtype)
    if operand_element(apply).kind == "bool":
        return lambda x: convert(np.negative(x.astype(np.int8)))
    return convert


def unsigned_to_float(apply: Apply) -> ScalarFunction:
    """The nearest float of an integer read as unsigned."""
    of, convert = operand_element(apply), int_to_float(element(apply.element).dtype)
    if of.kind == "bool":
        return convert
    natural = of.unsigned
    return lambda x: convert(x.view(natural))


def int_to_float(dtype: np.dtype[Any]) -> ScalarFunction:
    """From any NumPy integer or bool dtype to the nearest value of a float dtype."""
    if dtype == _BFLOAT16:
        return lambda x: _to_bfloat16(_sticky_float64(x))
    return lambda x: x.astype(dtype)


def convert_float(apply: Apply) -> ScalarFunction:
    """To more precision or to less, to nearest even or as `roundingmode` says."""
    to = element(apply.element).dtype
    mode = apply.attributes.get("roundingmode")
    narrow = _nearest(operand_element(apply).dtype, to)
    return narrow if mode is None else _rounding(apply, narrow, str(mode))


def _nearest(of: np.dtype[Any], to: np.dtype[Any]) -> ScalarFunction:
    if to == _BFLOAT16 and of.itemsize == 8:
        return _to_bfloat16
    return lambda x: x.astype(to)


def _rounding(apply: Apply, nearest: ScalarFunction, mode: str) -> ScalarFunction:
    """Steps from the nearest value to its neighbour where the mode wants that one."""
    to, wide = element(apply.element).dtype, np.dtype(np.float64)
    toward = {"downward": -np.inf, "upward": np.inf, "toward_zero": 0.0}

    def directed(x: Any) -> Any:
        y = nearest(x)
        exact, rounded = x.astype(wide), y.astype(wide)
        goal = toward[mode]
        passed = np.abs(rounded) > np.abs(exact) if goal == 0 else (rounded - exact) * goal < 0
        return np.where(passed & (rounded != exact), np.nextafter(y, to.type(goal)), y)

    def away(x: Any) -> Any:
        y = nearest(x)
        exact, rounded = x.astype(wide), y.astype(wide)
        further = np.nextafter(y, np.copysign(to.type(np.inf), y))
        tie = (np.abs(rounded) < np.abs(exact)) & (further.astype(wide) - exact == exact - rounded)
        return np.where(tie, further, y)

    if mode == "to_nearest_even":
        return nearest
    if mode == "to_nearest_away":
        return away
    if mode not in toward:
        raise BackendError(f"{apply.op} with roundingmode = {mode!r} is not known to the reference backend")
    return directed


def float_to_int(*, signed: bool) -> ScalarRule:
    """Toward zero; what is out of range becomes the nearest integer, and NaN becomes 0."""

    def rule(apply: Apply) -> ScalarFunction:
        to = element(apply.element)
        if to.kind == "bool":
            # The integers are −1 and 0, or 0 and 1: true for what truncates to the one that is not 0, or beyond.
            return (lambda x: x.astype(np.float64) <= -1) if signed else (lambda x: x.astype(np.float64) >= 1)
        target = to.dtype if signed else to.unsigned
        low, high = target.type(np.iinfo(target).min), target.type(np.iinfo(target).max)
        # Both are exact as float64, which the greatest 64-bit integer is not.
        least, beyond = float(low), float(int(high) + 1)

        def convert(x: Any) -> Any:
            wide = x.astype(np.float64)
            inside = np.where((wide > least) & (wide < beyond), wide, 0.0).astype(target)
            return np.where(wide >= beyond, high, np.where(wide <= least, low, inside)).view(to.dtype)

        return convert

    return rule


def round_to_odd(exact: Any, error: Any) -> Any:
    """Of a float64 sum and its rounding error, the neighbour of odd significand where it is not exact.

    Rounding the result again, to at least two bits fewer, is as good as rounding the exact value once
    (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", IEEE Trans. Computers 57, 2008).
    """
    bits = exact.view(np.int64)
    # One step toward zero when rounding went away from it; then the last bit is set.
    away = (error < 0) == (exact > 0)
    odd = ((bits - away) | 1).view(np.float64)
    return np.where((error != 0) & np.isfinite(error) & np.isfinite(exact), odd, exact)


def _to_bfloat16(wide: Any) -> Any:
    narrow = wide.astype(np.float32)
    back = narrow.astype(np.float64)
    bits = narrow.view(np.int32)
    odd = ((bits - (np.abs(back) > np.abs(wide))) | 1).astype(np.int32).view(np.float32)
    return np.where((back != wide) & (wide == wide), odd, narrow).astype(_BFLOAT16)


def _sticky_float64(x: Any) -> Any:
    """Integers as float64, with what does not fit kept as one odd bit, well below bfloat16's last."""
    wide = x.astype(np.float64)
    if x.dtype.itemsize < 8:
        return wide
    low = x.dtype.type(0x7FF)
    odd = (x & ~low) | (((x & low) != 0).astype(x.dtype) << x.dtype.type(11))
    return np.where(np.abs(wide) < 2.0**53, wide, odd.astype(np.float64))
