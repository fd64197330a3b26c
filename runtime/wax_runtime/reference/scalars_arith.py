"""The scalar operations of `arith`, on whole arrays, with the total semantics of the dialect.

Conversions between types are in `scalars_casts.py`. What NumPy already does right is used as it is:
its integers wrap, its `floor_divide` by zero is 0 and of minimum by −1 is minimum, and its shifts by the
width or more give 0, or the sign. `i1` stands for the integers 0 and −1 where an operation is signed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wax_runtime.reference import scalars_casts as casts
from wax_runtime.reference.scalars import (
    ScalarFunction,
    ScalarRule,
    by_attribute,
    by_kind,
    by_result,
    every,
    operand_element,
    unsigned,
)
from wax_runtime.snapshot import Apply, Literal

__all__ = ["RULES"]


def _divide_to_zero(a: Any, b: Any) -> Any:
    # Exact: what is divided is a multiple of b. Of b = 0, `fmod` and the division are both 0.
    return np.floor_divide(a - np.fmod(a, b), b)


def _divide_up(a: Any, b: Any) -> Any:
    quotient = np.floor_divide(a, b)
    inexact = (a - quotient * b != 0) & (b != 0)
    return quotient + inexact.astype(quotient.dtype)


def _first_only(a: Any, b: Any) -> Any:
    return a & ~b


def _nothing(a: Any, b: Any) -> Any:
    return np.logical_and(a, False) & b


def _first(a: Any, b: Any) -> Any:
    return a | (a & b)


def _extended_sum_overflow(apply: Apply) -> ScalarFunction:
    natural = operand_element(apply).unsigned
    return lambda a, b: (a + b).view(natural) < a.view(natural)


def _high_half(signed: bool) -> ScalarRule:
    """The upper half of a product of twice the width."""

    def rule(apply: Apply) -> ScalarFunction:
        of = operand_element(apply)
        if of.bits < 64:
            wide = np.dtype(np.int64 if signed else np.uint64)
            narrow = of.dtype if signed else of.unsigned
            shift = wide.type(of.bits)
            return lambda a, b: ((a.view(narrow).astype(wide) * b.view(narrow).astype(wide)) >> shift).astype(of.dtype)
        return _high_half_signed_64 if signed else lambda a, b: _high_half_unsigned_64(a, b).view(np.int64)

    return rule


def _high_half_unsigned_64(a: Any, b: Any) -> Any:
    # The schoolbook product of 32-bit halves (Warren, Hacker's Delight, 8-2 "mulhu").
    half, mask = np.uint64(32), np.uint64(0xFFFF_FFFF)
    a, b = a.view(np.uint64), b.view(np.uint64)
    a_low, a_high, b_low, b_high = a & mask, a >> half, b & mask, b >> half
    middle = a_high * b_low + ((a_low * b_low) >> half)
    lower = (middle & mask) + a_low * b_high
    return a_high * b_high + (middle >> half) + (lower >> half)


def _high_half_signed_64(a: Any, b: Any) -> Any:
    high = _high_half_unsigned_64(a, b).view(np.int64)
    return high - np.where(a < 0, b, 0) - np.where(b < 0, a, 0)


def _has_nonzero_literal(apply: Apply) -> bool:
    return any(isinstance(x, Literal) and x.value != 0 for x in apply.operands)


def _maximum(apply: Apply) -> ScalarFunction:
    # Of two zeros NumPy takes either. Operands that differ are never both zeros.
    return np.maximum if _has_nonzero_literal(apply) else maximum


def _minimum(apply: Apply) -> ScalarFunction:
    return np.minimum if _has_nonzero_literal(apply) else minimum


def maximum(a: Any, b: Any) -> Any:
    """The larger of two floats: NaN if either is, and +0 above −0."""
    result = np.maximum(a, b)
    tied = _tied_zeros(a, b, result)
    return result if tied is None else np.where(tied, a + b, result)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two floats: NaN if either is, and −0 below +0."""
    result = np.minimum(a, b)
    tied = _tied_zeros(a, b, result)
    return result if tied is None else np.where(tied, -(-a - b), result)


def _tied_zeros(a: Any, b: Any, result: Any) -> Any:
    """Where both operands are a zero; `None` for nowhere, which is found out quickly."""
    if result.all():
        return None
    tied = (a == b) & (result == 0)
    return tied if tied.any() else None


def _ordered(a: Any, b: Any) -> Any:
    return np.equal(a, a) & np.equal(b, b)


def _unordered(a: Any, b: Any) -> Any:
    return np.not_equal(a, a) | np.not_equal(b, b)


def _different(a: Any, b: Any) -> Any:
    return np.less(a, b) | np.greater(a, b)


def _not(compare: np.ufunc | ScalarFunction) -> ScalarRule:
    return every(lambda a, b: np.logical_not(compare(a, b)))


# In the order of arith::CmpFPredicate; ordered predicates are false for NaN, unordered ones true.
_FLOAT_PREDICATES: dict[str, ScalarRule] = {
    "false": every(lambda a, b: np.not_equal(a, a) & np.equal(b, b) & False),
    "oeq": every(np.equal),
    "ogt": every(np.greater),
    "oge": every(np.greater_equal),
    "olt": every(np.less),
    "ole": every(np.less_equal),
    "one": every(_different),
    "ord": every(_ordered),
    "ueq": _not(_different),
    "ugt": _not(np.less_equal),
    "uge": _not(np.less),
    "ult": _not(np.greater_equal),
    "ule": _not(np.greater),
    "une": every(np.not_equal),
    "uno": every(_unordered),
    "true": every(lambda a, b: np.equal(a, a) | np.not_equal(b, b) | True),
}


def _signed_compare(function: np.ufunc, bool_function: np.ufunc) -> ScalarRule:
    """A signed order; on `i1`, true is −1 and so the order is the other way about."""
    return by_kind(int=every(function), bool=every(bool_function))


def _unsigned_compare(function: np.ufunc) -> ScalarRule:
    return by_kind(int=unsigned(function, compares=True), bool=every(function))


# In the order of arith::CmpIPredicate.
_INT_PREDICATES: dict[str, ScalarRule] = {
    "eq": every(np.equal),
    "ne": every(np.not_equal),
    "slt": _signed_compare(np.less, np.greater),
    "sle": _signed_compare(np.less_equal, np.greater_equal),
    "sgt": _signed_compare(np.greater, np.less),
    "sge": _signed_compare(np.greater_equal, np.less_equal),
    "ult": _unsigned_compare(np.less),
    "ule": _unsigned_compare(np.less_equal),
    "ugt": _unsigned_compare(np.greater),
    "uge": _unsigned_compare(np.greater_equal),
}


def _predicates(table: dict[str, ScalarRule]) -> ScalarRule:
    """By keyword, or by the number that the keyword stands for."""
    return by_attribute("predicate", {**table, **dict(enumerate(table.values()))})


_AND = every(np.bitwise_and)
_OR = every(np.bitwise_or)
_XOR = every(np.bitwise_xor)
_ONLY_FIRST = every(_first_only)

#: What `arith` means, by name of operation.
RULES: dict[str, ScalarRule] = {
    # Integers.
    "arith.addi": by_kind(int=every(np.add), bool=_XOR),
    "arith.subi": by_kind(int=every(np.subtract), bool=_XOR),
    "arith.muli": by_kind(int=every(np.multiply), bool=_AND),
    "arith.addui_extended": by_result(
        by_kind(int=every(np.add), bool=_XOR), by_kind(int=_extended_sum_overflow, bool=_AND)
    ),
    "arith.mulsi_extended": by_result(
        # −1 · −1 = 01 in two bits, so the high half is never set.
        by_kind(int=every(np.multiply), bool=_AND),
        by_kind(int=_high_half(signed=True), bool=every(_nothing)),
    ),
    "arith.mului_extended": by_result(
        by_kind(int=every(np.multiply), bool=_AND), by_kind(int=_high_half(signed=False), bool=every(_nothing))
    ),
    "arith.divsi": by_kind(int=every(_divide_to_zero), bool=_AND),
    "arith.divui": by_kind(int=unsigned(np.floor_divide), bool=_AND),
    "arith.floordivsi": by_kind(int=every(np.floor_divide), bool=_AND),
    "arith.ceildivsi": by_kind(int=every(_divide_up), bool=_AND),
    "arith.ceildivui": by_kind(int=unsigned(_divide_up), bool=_AND),
    "arith.remsi": by_kind(int=every(np.fmod), bool=every(_nothing)),
    "arith.remui": by_kind(int=unsigned(np.fmod), bool=every(_nothing)),
    "arith.andi": _AND,
    "arith.ori": _OR,
    "arith.xori": _XOR,
    "arith.shli": by_kind(int=every(np.left_shift), bool=_ONLY_FIRST),
    "arith.shrui": by_kind(int=unsigned(np.right_shift), bool=_ONLY_FIRST),
    "arith.shrsi": by_kind(int=every(np.right_shift), bool=every(_first)),
    "arith.maxsi": by_kind(int=every(np.maximum), bool=_AND),
    "arith.minsi": by_kind(int=every(np.minimum), bool=_OR),
    "arith.maxui": by_kind(int=unsigned(np.maximum), bool=_OR),
    "arith.minui": by_kind(int=unsigned(np.minimum), bool=_AND),
    "arith.cmpi": _predicates(_INT_PREDICATES),
    # Floats.
    "arith.negf": every(np.negative),
    "arith.addf": every(np.add),
    "arith.subf": every(np.subtract),
    "arith.mulf": every(np.multiply),
    "arith.divf": every(np.divide),
    "arith.remf": every(np.fmod),
    "arith.maximumf": _maximum,
    "arith.minimumf": _minimum,
    "arith.maxnumf": every(np.fmax),
    "arith.minnumf": every(np.fmin),
    "arith.cmpf": _predicates(_FLOAT_PREDICATES),
    # Any element.
    "arith.select": every(np.where),
    # Conversions.
    "arith.extsi": casts.extend_signed,
    "arith.extui": casts.extend_unsigned,
    "arith.trunci": casts.truncate_int,
    "arith.index_cast": casts.index_cast_signed,
    "arith.index_castui": casts.index_cast_unsigned,
    "arith.sitofp": casts.signed_to_float,
    "arith.uitofp": casts.unsigned_to_float,
    "arith.fptosi": casts.float_to_int(signed=True),
    "arith.fptoui": casts.float_to_int(signed=False),
    "arith.extf": casts.convert_float,
    "arith.truncf": casts.convert_float,
    "arith.bitcast": casts.bitcast,
}
