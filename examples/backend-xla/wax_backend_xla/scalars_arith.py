"""The scalar operations of `arith`, with wax's total semantics.

XLA's shifts by the width or more, its wrapping integers and its integer minimum by −1 are what wax says. Division
by zero, ties of zeros and conversions of floats to integers are spelled out. `i1` stands for 0 and −1 where an
operation is signed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wax_backend_xla.writer import Value
from wax_runtime.errors import BackendError
from wax_runtime.snapshot import Apply

__all__ = ["RULES", "integer_to_float", "is_nan", "maximum", "minimum"]

Binary = Callable[[Value, Value], Value]


def _named(name: str) -> Callable[..., Value]:
    return lambda apply, x, *others: x.apply(name, *others)


def _signed(integers: Binary, booleans: Binary) -> Callable[..., Value]:
    """A rule for integers and one for `i1`."""
    return lambda apply, a, b: (booleans if a.kind == "bool" else integers)(a, b)


def _unsigned(integers: Binary, booleans: Binary) -> Callable[..., Value]:
    """The same, for integers read as unsigned."""
    return _signed(lambda a, b: integers(a.unsigned, b.unsigned).signless, booleans)


def _and(a: Value, b: Value) -> Value:
    return a & b


def _or(a: Value, b: Value) -> Value:
    return a | b


def _xor(a: Value, b: Value) -> Value:
    return a ^ b


def _neither(a: Value, b: Value) -> Value:
    return a.like(False)


def _first(a: Value, b: Value) -> Value:
    return a


def _first_only(a: Value, b: Value) -> Value:
    return a & ~b


# Division: 0 of a divisor 0.


def _guarded(divide: Binary) -> Binary:
    def rule(a: Value, b: Value) -> Value:
        is_zero = b.compare("EQ", 0)
        return is_zero.select(0, divide(a, is_zero.select(1, b)))

    return rule


def _floor(a: Value, b: Value) -> Value:
    quotient = a / b
    rest = a - quotient * b
    below = rest.compare("NE", 0) & (rest ^ b).compare("LT", 0)
    return below.select(quotient - 1, quotient)


def _ceil(a: Value, b: Value) -> Value:
    quotient = a / b
    rest = a - quotient * b
    above = rest.compare("NE", 0)
    if a.kind == "int":
        above = above & (rest ^ b).compare("GE", 0)
    return above.select(quotient + 1, quotient)


_divide = _guarded(lambda a, b: a / b)
_remainder = _guarded(lambda a, b: a.apply("remainder", b))


# Products and sums of twice the width.


def _sum_extended(apply: Apply, a: Value, b: Value) -> Value:
    if not apply.attributes.get("result"):
        return a ^ b if a.kind == "bool" else a + b
    return a & b if a.kind == "bool" else (a + b).unsigned.compare("LT", a.unsigned)


def _product_extended(is_signed: bool) -> Callable[..., Value]:
    def rule(apply: Apply, a: Value, b: Value) -> Value:
        if not apply.attributes.get("result"):
            return a & b if a.kind == "bool" else a * b
        if a.kind == "bool":
            return a.like(False)  # −1 · −1 = 01 in two bits
        if a.bits == 64:
            high = _high_unsigned_64(a.unsigned, b.unsigned).signless
            if is_signed:
                high = high - a.compare("LT", 0).select(b, 0) - b.compare("LT", 0).select(a, 0)
            return high
        wide = "i64" if is_signed else "ui64"
        factors = (a, b) if is_signed else (a.unsigned, b.unsigned)
        product = factors[0].convert(wide) * factors[1].convert(wide)
        return (product.signless >> a.bits).convert(a.element)

    return rule


def _high_unsigned_64(a: Value, b: Value) -> Value:
    # The schoolbook product of 32-bit halves (Warren, Hacker's Delight, 8-2 "mulhu").
    mask = 0xFFFF_FFFF
    a_low, a_high, b_low, b_high = a & mask, a >> 32, b & mask, b >> 32
    middle = a_high * b_low + ((a_low * b_low) >> 32)
    lower = (middle & mask) + a_low * b_high
    return a_high * b_high + (middle >> 32) + (lower >> 32)


# Floats.


def is_nan(x: Value) -> Value:
    """Where a float is NaN."""
    return x.compare("NE", x)


def maximum(a: Value, b: Value) -> Value:
    """The larger of two floats: NaN if either is, and +0 above −0."""
    return a.apply("maximum", b)


def minimum(a: Value, b: Value) -> Value:
    """The smaller of two floats: NaN if either is, and −0 below +0."""
    return a.apply("minimum", b)


def _number(choose: Binary) -> Callable[..., Value]:
    """Of one NaN and one number, the number."""
    return lambda apply, a, b: is_nan(a).select(b, is_nan(b).select(a, choose(a, b)))


def _ordered(a: Value, b: Value) -> Value:
    return a.compare("EQ", a) & b.compare("EQ", b)


def _different(a: Value, b: Value) -> Value:
    return a.compare("LT", b) | a.compare("GT", b)


def _by(direction: str) -> Binary:
    return lambda a, b: a.compare(direction, b)


def _not(test: Binary) -> Binary:
    return lambda a, b: ~test(a, b)


# In the order of arith::CmpFPredicate; ordered predicates are false for NaN, unordered ones true.
_FLOAT_PREDICATES: dict[str, Binary] = {
    "false": lambda a, b: a.compare("NE", a) & False,
    "oeq": _by("EQ"),
    "ogt": _by("GT"),
    "oge": _by("GE"),
    "olt": _by("LT"),
    "ole": _by("LE"),
    "one": _different,
    "ord": _ordered,
    "ueq": _not(_different),
    "ugt": _not(_by("LE")),
    "uge": _not(_by("LT")),
    "ult": _not(_by("GE")),
    "ule": _not(_by("GT")),
    "une": _by("NE"),
    "uno": _not(_ordered),
    "true": lambda a, b: a.compare("EQ", a) | True,
}

_TURNED = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE"}


def _by_sign(direction: str) -> Binary:
    # On `i1` true is −1, and so the order is the other way about.
    return lambda a, b: a.compare(_TURNED[direction] if a.kind == "bool" else direction, b)


def _by_bits(direction: str) -> Binary:
    return lambda a, b: a.unsigned.compare(direction, b.unsigned)


_INT_PREDICATES: dict[str, Binary] = {
    "eq": _by("EQ"),
    "ne": _by("NE"),
    **{f"s{name.lower()}": _by_sign(name) for name in _TURNED},
    **{f"u{name.lower()}": _by_bits(name) for name in _TURNED},
}


def _compare(predicates: Mapping[str, Binary]) -> Callable[..., Value]:
    return lambda apply, a, b: predicates[str(apply.attributes["predicate"])](a, b)


# Conversions.


def _extend_signed(apply: Apply, x: Value) -> Value:
    wide = x.convert(_element(apply))
    return -wide if x.kind == "bool" else wide


def _extend_unsigned(apply: Apply, x: Value) -> Value:
    to = _element(apply)
    return x.convert(to) if x.kind == "bool" else x.unsigned.convert(f"u{to}").signless


def _truncate(apply: Apply, x: Value) -> Value:
    to = _element(apply)
    return (x & 1).compare("NE", 0) if to == "i1" else x.convert(to)


def _index_cast(extend: Callable[[Apply, Value], Value]) -> Callable[..., Value]:
    def rule(apply: Apply, x: Value) -> Value:
        to = x.writer.splat(0, (), _element(apply))
        return x if to.element == x.element else (extend if to.bits > x.bits else _truncate)(apply, x)

    return rule


def _element(apply: Apply) -> str:
    return "i64" if apply.element == "index" else apply.element


def integer_to_float(x: Value, to: str) -> Value:
    """The nearest float of an integer, whose element type says if it has a sign."""
    if to != "bf16" or x.bits < 32:
        return x.convert(to)
    wide = x.convert("f64")
    if x.bits == 64:
        # What does not fit is kept as one odd bit, well below bfloat16's last.
        low = 0x7FF
        odd = (x & ~low) | (x & low).compare("NE", 0).convert(x.element) << 11
        wide = wide.apply("abs").compare("LT", 2.0**53).select(wide, odd.convert("f64"))
    return _to_bfloat16(wide)


def _to_bfloat16(wide: Value) -> Value:
    """An `f64` rounded once: by way of `f32`, but to the neighbour of odd significand where that is not exact."""
    narrow = wide.convert("f32")
    back = narrow.convert("f64")
    away = back.apply("abs").compare("GT", wide.apply("abs")).convert("i32")
    odd = ((narrow.bitcast("i32") - away) | 1).bitcast("f32")
    inexact = back.compare("NE", wide) & wide.compare("EQ", wide)
    return inexact.select(odd, narrow).convert("bf16")


def _signed_to_float(apply: Apply, x: Value) -> Value:
    if x.kind == "bool":
        return x.select(x.writer.splat(-1.0, x.shape, apply.element), 0.0)
    return integer_to_float(x, apply.element)


def _unsigned_to_float(apply: Apply, x: Value) -> Value:
    return x.convert(apply.element) if x.kind == "bool" else integer_to_float(x.unsigned, apply.element)


def _float_to_int(is_signed: bool) -> Callable[..., Value]:
    """Saturating, 0 of NaN."""

    def rule(apply: Apply, x: Value) -> Value:
        to = _element(apply)
        wide = x if x.bits >= 32 else x.convert("f32")
        bits = 1 if to == "i1" else int(to[1:])
        low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
        target = "i32" if bits == 1 else to if is_signed else f"u{to}"
        inside = wide.compare("GT", float(low)) & wide.compare("LT", float(high + 1))
        whole = inside.select(wide, 0.0).convert(target)
        whole = wide.compare("GE", float(high + 1)).select(high, wide.compare("LE", float(low)).select(low, whole))
        return whole.compare("NE", 0) if bits == 1 else whole.signless

    return rule


def _convert_float(apply: Apply, x: Value) -> Value:
    mode = apply.attributes.get("roundingmode")
    if mode not in (None, "to_nearest_even"):
        raise BackendError(f"{apply.op} with roundingmode {mode!r} is nothing that StableHLO has")
    return _to_bfloat16(x) if (x.element, apply.element) == ("f64", "bf16") else x.convert(apply.element)


def _select(apply: Apply, condition: Value, a: Value, b: Value) -> Value:
    return condition.select(a, b)


def _rule(binary: Binary) -> Callable[..., Value]:
    return lambda apply, a, b: binary(a, b)


#: What `arith` means, by name of operation.
RULES: dict[str, Callable[..., Value]] = {
    # Integers.
    "arith.addi": _signed(lambda a, b: a + b, _xor),
    "arith.subi": _signed(lambda a, b: a - b, _xor),
    "arith.muli": _signed(lambda a, b: a * b, _and),
    "arith.addui_extended": _sum_extended,
    "arith.mulsi_extended": _product_extended(True),
    "arith.mului_extended": _product_extended(False),
    "arith.divsi": _signed(_divide, _and),
    "arith.divui": _unsigned(_divide, _and),
    "arith.floordivsi": _signed(_guarded(_floor), _and),
    "arith.ceildivsi": _signed(_guarded(_ceil), _and),
    "arith.ceildivui": _unsigned(_guarded(_ceil), _and),
    "arith.remsi": _signed(_remainder, _neither),
    "arith.remui": _unsigned(_remainder, _neither),
    "arith.andi": _rule(_and),
    "arith.ori": _rule(_or),
    "arith.xori": _rule(_xor),
    "arith.shli": _signed(lambda a, b: a << b, _first_only),
    "arith.shrui": _unsigned(lambda a, b: a >> b, _first_only),
    "arith.shrsi": _signed(lambda a, b: a >> b, _first),
    "arith.maxsi": _signed(lambda a, b: a.apply("maximum", b), _and),
    "arith.minsi": _signed(lambda a, b: a.apply("minimum", b), _or),
    "arith.maxui": _unsigned(lambda a, b: a.apply("maximum", b), _or),
    "arith.minui": _unsigned(lambda a, b: a.apply("minimum", b), _and),
    "arith.cmpi": _compare(_INT_PREDICATES),
    # Floats.
    "arith.negf": _named("negate"),
    "arith.addf": _named("add"),
    "arith.subf": _named("subtract"),
    "arith.mulf": _named("multiply"),
    "arith.divf": _named("divide"),
    "arith.remf": _named("remainder"),
    "arith.maximumf": _rule(maximum),
    "arith.minimumf": _rule(minimum),
    "arith.maxnumf": _number(maximum),
    "arith.minnumf": _number(minimum),
    "arith.cmpf": _compare(_FLOAT_PREDICATES),
    # Any element.
    "arith.select": _select,
    # Conversions.
    "arith.extsi": _extend_signed,
    "arith.extui": _extend_unsigned,
    "arith.trunci": _truncate,
    "arith.index_cast": _index_cast(_extend_signed),
    "arith.index_castui": _index_cast(_extend_unsigned),
    "arith.sitofp": _signed_to_float,
    "arith.uitofp": _unsigned_to_float,
    "arith.fptosi": _float_to_int(True),
    "arith.fptoui": _float_to_int(False),
    "arith.extf": _convert_float,
    "arith.truncf": _convert_float,
    "arith.bitcast": lambda apply, x: x.bitcast(_element(apply)),
}
