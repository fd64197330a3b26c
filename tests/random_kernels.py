"""Random kernels: scalar code on elements of every type, for the programs of `random_programs`.

Results can be compared bit for bit, since every operation is exact, or rounded once; what is not, a function with an
error of its own, is rounded to whole numbers at once, by edges at which no function has values of note. Kernels that
are to be differentiated leave that out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import scalar_judges
from kept_programs import FLOATS
from scalar_judges import DTYPES

from wax import _native

INTS, REALS, COMPLEXES = scalar_judges.INTS, scalar_judges.FLOATS, scalar_judges.COMPLEXES
#: Those that there are most programs of come up most often.
ELEMENTS = (*INTS, *REALS, *COMPLEXES, "i1", "i8", "i32", "i32", "f32", "f32", "f32")
INTEGERS = [0, 1, -1, 2, 7, 31, 32, 63, -128]
PARTS = {"complex<f32>": "f32", "complex<f64>": "f64"}

_FLOAT = tuple(f"arith.{op}f" for op in ("add", "sub", "mul", "div", "rem", "maximum", "minimum"))
_INT = tuple(
    f"arith.{op}"
    for op in (
        *("addi", "subi", "muli", "andi", "xori", "maxsi", "minui", "shli", "shrsi", "shrui"),
        *("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"),
    )
)
#: Operations on scalars of one type by how many they take, each exact or rounded once.
EXACT: dict[str, dict[int, tuple[str, ...]]] = {
    "i1": {2: ("arith.andi", "arith.ori", "arith.xori")},
    **{
        element: {1: tuple(f"math.{op}" for op in ("absi", "ctlz", "cttz", "ctpop")), 2: (*_INT, "math.ipowi")}
        for element in INTS[1:]
    },
    **{
        element: {
            1: ("arith.negf", *(f"math.{op}" for op in ("absf", "floor", "ceil", "trunc", "round", "roundeven"))),
            2: (*_FLOAT, "arith.maxnumf", "arith.minnumf", "math.copysign"),
            3: ("math.clampf", "math.fma"),
        }
        for element in REALS
    },
    **{
        element: {
            1: ("complex.neg", "complex.conj"),
            2: ("complex.add", "complex.sub", "complex.mul"),
        }
        for element in COMPLEXES
    },
}
#: Functions with errors of their own.
_FUNCTIONS = tuple(
    f"math.{op}"
    for op in (
        *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "cbrt", "erf", "erfc"),
        *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    )
)
_SPECIAL = tuple(f"wax.{op}" for op in ("lgamma", "erf_inv", "erfc_inv", "i0e", "i1e"))
ROUNDED: dict[str, dict[int, tuple[str, ...]]] = {
    **{element: {1: _FUNCTIONS, 2: ("math.atan2", "math.powf")} for element in ("f16", "bf16")},
    **{
        element: {1: (*_FUNCTIONS, *_SPECIAL), 2: ("math.atan2", "math.powf", "wax.igamma", "wax.igammac")}
        for element in ("f32", "f64")
    },
    **{
        element: {1: tuple(f"complex.{op}" for op in ("exp", "log", "sqrt", "sin", "cos", "tanh")), 2: ("complex.div",)}
        for element in COMPLEXES
    },
}
#: Operations that are exact in any order, with their identities.
SUMS: dict[str, dict[str, float]] = {
    "i1": {"arith.andi": 1, "arith.ori": 0, "arith.xori": 0},
    **{element: {"arith.maximumf": -math.inf, "arith.minimumf": math.inf} for element in REALS},
    **{element: {} for element in COMPLEXES},
}
for integer in INTS[1:]:
    least = int(np.iinfo(DTYPES[integer]).min)
    SUMS[integer] = {"arith.addi": 0, "arith.muli": 1, "arith.andi": -1, "arith.ori": 0, "arith.xori": 0}
    SUMS[integer] |= {"arith.maxsi": least, "arith.minsi": -1 - least, "arith.maxui": 0, "arith.minui": -1}
#: Sums of whole numbers near 0, which are exact as long as these are few.
WHOLE_SUMS = {"f32": "arith.addf", "f64": "arith.addf", **dict.fromkeys(COMPLEXES, "complex.add")}


class Kernels:
    """Draws kernels. Smooth ones hold functions as they are, of which derivatives are not 0 everywhere."""

    def __init__(self, source: random.Random, elements: Sequence[str], *, smooth: bool) -> None:
        self.random = source
        self.elements = elements
        self.smooth = smooth

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def element(self) -> str:
        return self.random.choice(self.elements)

    def kernel(self, arguments: Sequence[str], *results: str) -> _native.Kernel:
        builder = _native.KernelBuilder(arguments)
        return builder.finish(self.grow(builder, arguments, results))

    def grow(self, builder: _native.KernelBuilder, arguments: Sequence[str], results: Sequence[str]) -> list[int]:
        """Random operations on a kernel's first arguments, and scalars of some elements that these give."""
        scalars = list(enumerate(arguments))
        for _ in range(self.random.choice((0, 1, 1, 2, 2, 3, 5))):
            if not scalars or self.chance(0.2):
                element = self.element()
                scalars.append((self.constant(builder, element), element))
            else:
                scalars.append(self.operation(builder, scalars, len(arguments)))
        given = []
        for result in results:
            fitting = [scalar for scalar, element in scalars if element == result]
            if not fitting:
                fitting = [convert(builder, *scalars[-1], result) if scalars else builder.constant(1, result)]
            given.append(fitting[-1])
        return given

    def constant(self, builder: _native.KernelBuilder, element: str) -> int:
        if element in COMPLEXES:
            return builder.constant(complex(self.random.choice(FLOATS), self.random.choice(FLOATS)), element)
        if element in REALS:
            return builder.constant(self.random.choice([*FLOATS, 0.5]), element)
        number = self.random.choice(INTEGERS)
        if element == "i1":
            return builder.constant(bool(number), element)
        return builder.constant(number, element)

    def operation(
        self, builder: _native.KernelBuilder, scalars: list[tuple[int, str]], arguments: int
    ) -> tuple[int, str]:
        """One more operation on some of the scalars, of which the first ones are a kernel's arguments."""
        scalar, element = self.random.choice(scalars)
        alike = [other for other, its in scalars if its == element]
        kind = self.random.random()
        if kind < 0.55 or (kind < 0.7 and element not in ROUNDED):
            count = self.random.choice([n for n in EXACT[element] for _ in range(n if n < 3 else 1)])
            operands, op = [scalar, *self.random.choices(alike, k=count - 1)], self.random.choice(EXACT[element][count])
            if op == "math.copysign":  # of NaN no sign is stated
                isnan = builder.op("math.isnan", operands[1:], "i1")
                operands[1] = builder.op("arith.select", [isnan, builder.constant(1.0, element), operands[1]], element)
            made = builder.op(op, operands, element)
            if op in ("arith.maxnumf", "arith.minnumf"):  # of two zeros, any
                made = builder.op("arith.addf", [made, builder.constant(0.0, element)], element)
            return made, element
        if kind < 0.7:
            count = self.random.choice([1, 1, 2])
            operands = [scalar, *self.random.choices(alike, k=count - 1)]
            op = self.random.choice(ROUNDED[element][count])
            # MLIR folds the angle of a constant 0 + 0i to NaN.
            if op == "math.atan2" and min(operands) >= arguments:
                op = "math.powf"
            made = builder.op(op, operands, element)
            return (made if self.smooth else whole(builder, made, element)), element
        if kind < 0.8:
            return self.compare(builder, scalar, self.random.choice(alike), element), "i1"
        if kind < 0.87 and (conditions := [other for other, its in scalars if its == "i1"]):
            operands = [self.random.choice(conditions), scalar, self.random.choice(alike)]
            return builder.op("arith.select", operands, element), element
        result = self.element()
        return convert(builder, scalar, element, result, unsigned=self.chance(0.3)), result

    def compare(self, builder: _native.KernelBuilder, lhs: int, rhs: int, element: str) -> int:
        if element in COMPLEXES:
            return builder.op(self.random.choice(["complex.eq", "complex.neq"]), [lhs, rhs], "i1")
        if element in REALS and self.chance(0.2):
            return builder.op(f"math.{self.random.choice(['isnan', 'isinf', 'isfinite', 'isnormal'])}", [lhs], "i1")
        kind, words = ("f", scalar_judges.PREDICATES_F) if element in REALS else ("i", scalar_judges.PREDICATES_I)
        return builder.op(f"arith.cmp{kind}", [lhs, rhs], "i1", {"predicate": self.random.choice(list(words))})

    def fold(
        self, elements: Sequence[str], accumulators: Sequence[str]
    ) -> tuple[list[float], _native.Kernel, _native.Kernel | None]:
        """What accumulators start with, a fold, and a combine or none: anything in its order, or sums in any."""
        ones = [1.0] * len(accumulators)
        if self.chance(0.3):
            return ones, self.kernel([*elements, *accumulators], *accumulators), None
        count = len(accumulators)
        fold, combine = _native.KernelBuilder([*elements, *accumulators]), _native.KernelBuilder([*accumulators] * 2)
        # The elements themselves, of which sums of floats are not exact.
        plain = list(elements) == list(accumulators) and all(SUMS[x] for x in elements) and self.chance(0.5)
        made = list(range(count)) if plain else self.grow(fold, elements, accumulators)
        starts, folded, combined = [], [], []
        for i, element in enumerate(accumulators):
            sums = dict(SUMS[element])
            if element in WHOLE_SUMS and (not sums or self.chance(0.5)) and (self.smooth or not plain):
                made[i] = made[i] if self.smooth else whole(fold, made[i], element)
                sums = {WHOLE_SUMS[element]: 0.0}
            op, identity = self.random.choice(list(sums.items()))
            starts.append(identity)
            pair = [made[i], len(elements) + i]
            folded.append(fold.op(op, pair if plain or self.chance(0.5) else pair[::-1], element))
            combined.append(combine.op(op, [i, count + i], element))
        if self.chance(0.3):
            return ones, fold.finish(folded), None
        return starts, fold.finish(folded), combine.finish(combined)

    def comparator(self, elements: Sequence[str]) -> _native.Kernel:
        """A strict weak order of the first operand's elements, where NaN is the greatest."""
        builder = _native.KernelBuilder([element for element in elements for _ in range(2)])
        pair, element = self.random.choice([[0, 1], [1, 0]]), elements[0]
        if element in COMPLEXES:
            part = self.random.choice(["complex.re", "complex.im"])
            element = PARTS[element]
            pair = [builder.op(part, [scalar], element) for scalar in pair]
        if element in REALS:
            less = builder.op("arith.cmpf", pair, "i1", {"predicate": "ult"})
            number = builder.op("arith.cmpf", [pair[0]] * 2, "i1", {"predicate": "ord"})
            less = builder.op("arith.andi", [less, number], "i1")
        else:
            less = builder.op("arith.cmpi", pair, "i1", {"predicate": self.random.choice(["ult", "slt"])})
        return builder.finish([less])


def whole(builder: _native.KernelBuilder, scalar: int, element: str) -> int:
    """A float's whole number, within −8 and 8; of complex numbers both parts', both NaN where one is."""
    if element in COMPLEXES:
        part = PARTS[element]
        pair = [_cut(builder, builder.op(f"complex.{one}", [scalar], part), part) for one in ("re", "im")]
        zero = builder.op("arith.mulf", [builder.op("arith.addf", pair, part), builder.constant(0.0, part)], part)
        return builder.op("complex.create", [builder.op("arith.addf", [one, zero], part) for one in pair], element)
    return _cut(builder, scalar, element)


def _cut(builder: _native.KernelBuilder, scalar: int, element: str) -> int:
    """By edges beside the values of functions at whole numbers; no zero is negative."""
    for op, bound in (("arith.maximumf", -8.0), ("arith.minimumf", 8.0), ("arith.addf", 0.328125)):
        scalar = builder.op(op, [scalar, builder.constant(bound, element)], element)
    return builder.op("math.floor", [scalar], element)


def convert(builder: _native.KernelBuilder, scalar: int, element: str, result: str, *, unsigned: bool = False) -> int:
    """A scalar as one of another type; of complex numbers the real part."""
    if element == result:
        return scalar
    if result in COMPLEXES:
        part = PARTS[result]
        if element in COMPLEXES:
            pair = [builder.op(f"complex.{one}", [scalar], PARTS[element]) for one in ("re", "im")]
            pair = [convert(builder, one, PARTS[element], part) for one in pair]
        else:
            pair = [convert(builder, scalar, element, part, unsigned=unsigned), builder.constant(0.0, part)]
        return builder.op("complex.create", pair, result)
    if element in COMPLEXES:
        part = PARTS[element]
        return convert(builder, builder.op("complex.re", [scalar], part), part, result, unsigned=unsigned)
    sign = "u" if unsigned else "s"
    if element in REALS and result in REALS:
        bits = [DTYPES[one].itemsize for one in (element, result)]
        if bits[0] == bits[1]:  # f16 and bf16: neither holds the other
            scalar = builder.op("arith.extf", [scalar], "f32")
        return builder.op("arith.extf" if bits[0] < bits[1] else "arith.truncf", [scalar], result)
    if element in REALS:
        return builder.op(f"arith.fpto{sign}i", [scalar], result)
    if result in REALS:
        return builder.op(f"arith.{sign}itofp", [scalar], result)
    wider = scalar_judges.width(result) > scalar_judges.width(element)
    return builder.op(f"arith.ext{sign}i" if wider else "arith.trunci", [scalar], result)
