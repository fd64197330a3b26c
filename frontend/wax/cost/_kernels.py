"""The arithmetic of one application of a kernel.

Counted are operations on elements: additions, products, quotients, remainders, extremes, comparisons, negations,
absolute values and roundings, once each, a fused product and sum twice, and complex ones as the real ones that they
are made of. Selections, conversions and constants count nothing. All other functions are transcendental: roots,
exponentials, powers, circular and special functions.
"""

from __future__ import annotations

from dataclasses import dataclass

from wax_runtime.snapshot import Apply, Kernel, Scalar

__all__ = ["NOTHING", "Arithmetic", "arithmetic_of"]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Operations on floats (complex ones as several), transcendental functions, and operations on integers."""

    flops: int = 0
    transcendentals: int = 0
    integer_operations: int = 0

    def __add__(self, other: Arithmetic) -> Arithmetic:
        return Arithmetic(
            self.flops + other.flops,
            self.transcendentals + other.transcendentals,
            self.integer_operations + other.integer_operations,
        )

    def __mul__(self, times: int) -> Arithmetic:
        return Arithmetic(self.flops * times, self.transcendentals * times, self.integer_operations * times)


_FLOAT = Arithmetic(flops=1)
_INTEGER = Arithmetic(integer_operations=1)
NOTHING = Arithmetic()

#: Functions of `math` that are arithmetic on floats, and how much.
_MATH = {
    **dict.fromkeys(("absf", "ceil", "copysign", "floor", "round", "roundeven", "trunc"), _FLOAT),
    **dict.fromkeys(("absi", "ctlz", "cttz", "ctpop"), _INTEGER),
    **dict.fromkeys(("isfinite", "isinf", "isnan", "isnormal"), _FLOAT),
    **dict.fromkeys(("clampf", "fma"), Arithmetic(flops=2)),
    "ipowi": _INTEGER,
}
#: Those of `complex`, in real operations: a product is four and two, a quotient six products, three sums and two
#: quotients.
_COMPLEX = {
    **dict.fromkeys(("add", "sub", "neg", "eq", "neq"), Arithmetic(flops=2)),
    "mul": Arithmetic(flops=6),
    "div": Arithmetic(flops=11),
    "conj": _FLOAT,
    **dict.fromkeys(("create", "re", "im", "constant", "bitcast"), NOTHING),
}
#: Those of `arith` that compute nothing.
_MOVES = frozenset(
    {"select", "constant", "bitcast", "index_cast", "index_castui", "sitofp", "uitofp", "fptosi", "fptoui"}
)


def arithmetic_of(kernel: Kernel) -> Arithmetic:
    """What a kernel does when it is applied once; what two of its results share is done once."""
    seen: set[int] = set()
    total = NOTHING
    waiting: list[Scalar] = list(kernel.results)
    while waiting:
        one = waiting.pop()
        if isinstance(one, Apply) and id(one) not in seen:
            seen.add(id(one))
            total += _of(one)
            waiting.extend(one.operands)
    return total


def _of(apply: Apply) -> Arithmetic:
    dialect, _, name = apply.op.partition(".")
    if dialect == "arith":
        if name in _MOVES or name.startswith(("ext", "trunc")):
            return NOTHING
        return _FLOAT if name.endswith("f") else _INTEGER
    if dialect == "math" and name in _MATH:
        return _MATH[name]
    if dialect == "complex" and name in _COMPLEX:
        return _COMPLEX[name]
    return Arithmetic(transcendentals=1)
