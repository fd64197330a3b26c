"""How far the functions that `wax-expand-math` makes are from the exact values: what is measured, and what holds.

docs/accuracy.md is written from this by scripts/accuracy.py; tests/passes/test_expand_math.py checks a smaller sample.
The judge is mpmath (`scalar_judges`), the units are those in the last place of the exact value. IREE's CPU runtime
flushes subnormal numbers to 0, operands and results alike, so that there a 0 for a subnormal result counts as right,
and operands are not subnormal; LLVM's own tools, which flush nothing, compile the same formulas too.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import iree_run
import ml_dtypes
import mpmath
import numpy as np
import upstream_run
from scalar_judges import DTYPES, EXACT_FLOAT, INEXACT_FLOAT

from wax import _native

ELEMENTS = ("f32", "f64")
#: Computed in f32 and rounded once.
NARROW = ("f16", "bf16")
NARROW_BOUND = 0.51
_EVERYWHERE = (("log", -1.0, 1.0),)
_Span = tuple[str, float, float]


@dataclass(frozen=True)
class Function:
    """An operation, the greatest error that is promised, and where its argument goes beside everywhere."""

    op: str
    bound: float
    spans: tuple[_Span, ...]
    around: tuple[float, ...] = ()  # points whose neighbours, near and far, are tried

    @property
    def name(self) -> str:
        """Without its dialect."""
        return self.op.partition(".")[2]

    @property
    def symbol(self) -> str:
        return self.op.replace(".", "_")

    @property
    def operands(self) -> int:
        return 2 if self.op in ("math.powf", "math.atan2", "arith.remf") else 1


_NEAR_ZERO = ("linear", -1.0, 1.0)
_ROOTS = (0.5**0.5, 2**0.5, 1.0)
FUNCTIONS = (
    Function("math.exp", 1.0, (("linear", -104, 89), ("linear", -746, 710), _NEAR_ZERO)),
    Function("math.exp2", 1.5, (("linear", -150, 128), ("linear", -1075, 1024), _NEAR_ZERO), (0.5, -0.5)),
    Function("math.expm1", 2.0, (("linear", -40, 89), ("linear", -40, 710), _NEAR_ZERO), (0.3466, -0.3466)),
    Function("math.log", 1.0, (("linear", 0, 3),), _ROOTS),
    Function("math.log2", 1.0, (("linear", 0, 3),), _ROOTS),
    Function("math.log10", 1.0, (("linear", 0, 3),), _ROOTS),
    Function("math.log1p", 1.0, (("linear", -1, 2), _NEAR_ZERO), (2**0.5 - 1, 0.5**0.5 - 1, -1.0)),
    Function("math.powf", 1.5, (("linear", 0, 3),), (1.0,)),
    Function("math.cbrt", 0.51, (("linear", -8, 8),)),
    Function("math.rsqrt", 1.5, (("linear", 0, 4),)),
    Function("math.sin", 2.0, (("turns", 0, 1e6), ("linear", -10, 10))),
    Function("math.cos", 2.0, (("turns", 0, 1e6), ("linear", -10, 10))),
    Function("math.tan", 1.5, (("turns", 0, 1e6), ("linear", -10, 10))),
    Function("math.asin", 1.0, (_NEAR_ZERO,), (0.5, -0.5, 1.0, -1.0)),
    Function("math.acos", 1.0, (_NEAR_ZERO,), (0.5, -0.5, 1.0, -1.0)),
    Function("math.atan", 1.5, (("linear", -4, 4),), (1.0, -1.0)),
    Function("math.atan2", 1.5, (("linear", -4, 4),), (1.0,)),
    Function("math.sinh", 2.0, (("linear", -89.5, 89.5), ("linear", -710.5, 710.5), ("linear", -2, 2)), (1.0,)),
    Function("math.cosh", 1.5, (("linear", -89.5, 89.5), ("linear", -710.5, 710.5), ("linear", -2, 2))),
    Function("math.tanh", 2.0, (("linear", -10, 10), ("linear", -22, 22), _NEAR_ZERO)),
    Function("math.asinh", 1.0, (("linear", -4, 4), _NEAR_ZERO), (0.354, 2.0**14, 2.0**28)),
    Function("math.acosh", 1.0, (("linear", 1, 4),), (1.0, 2.0**14, 2.0**28)),
    Function("math.atanh", 1.0, (_NEAR_ZERO,), (1.0, -1.0, 0.1716)),
    Function("math.erf", 1.5, (("linear", -4, 4), ("linear", -6.5, 6.5)), (1.0, -1.0)),
    Function("math.erfc", 2.0, (("linear", -4, 10.2), ("linear", -6.5, 27.5)), (0.46875, -0.46875)),
    Function("arith.remf", 0.0, (("linear", -1000, 1000),)),
)


@functools.cache
def _hard_turns(element: str) -> tuple[float, ...]:
    """For each exponent the numbers nearest to multiples of π/2, which a reduction must know most digits for.

    A multiple of 2^e is as near as its factor times 2^(e+1)/π is to a whole number, which for factors of bounded size
    the denominators of a continued fraction are.
    """
    info = np.finfo(DTYPES[element])
    found = []
    for exponent in range(-int(info.nmant), int(info.maxexp) - int(info.nmant)):
        with mpmath.workprec(1200):
            rest = mpmath.ldexp(2 / mpmath.pi, exponent)
            older, factor = 0, 1
            while factor < 2 ** (int(info.nmant) + 1):
                last = factor
                rest = 1 / (rest - mpmath.floor(rest))
                older, factor = factor, older + int(mpmath.floor(rest)) * factor
        found.append(math.ldexp(last, exponent))
    return tuple(found)


def _uniform(span: _Span, count: int, element: str, rng: np.random.Generator) -> np.ndarray:
    kind, low, high = span
    if kind == "linear":
        return rng.uniform(low, high, count)
    if kind == "turns":  # next to multiples of π/2
        with mpmath.workprec(200):
            nearest = [float(mpmath.pi / 2 * int(k)) for k in rng.uniform(low, high, count // 4)]
        near = np.array([*nearest, *_hard_turns(element)]).astype(DTYPES[element])
        return np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)]).astype(np.float64)
    info = np.finfo(DTYPES[element])
    magnitude = 2.0 ** rng.uniform(int(info.minexp) - int(info.nmant), info.maxexp, count)
    return magnitude * rng.choice([-1.0, 1.0], count)


def special(element: str) -> np.ndarray:
    """Zeros, infinities, NaN, the least and the greatest, and a few between."""
    info = np.finfo(DTYPES[element])
    values = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, math.inf, float(info.tiny), float(info.max)]
    return np.array([*values, *(-x for x in values), math.nan]).astype(DTYPES[element])


def special_pairs(element: str) -> tuple[np.ndarray, np.ndarray]:
    """Each special value with each."""
    x, y = np.meshgrid(special(element), special(element))
    return x.ravel(), y.ravel()


def arguments(function: Function, element: str, count: int, *, flushed: bool = True) -> tuple[np.ndarray, ...]:
    """About so many operands of each span, the special values, and the neighbours of hard points; the same each time.

    None is subnormal where those are `flushed`.
    """
    rng = np.random.default_rng(len(function.op) + count)
    dtype = DTYPES[element]
    parts = [_uniform(span, count, element, rng) for span in (*_EVERYWHERE, *function.spans)]
    for point in function.around:
        parts.append(point * (1 + rng.choice([-1, 1], count // 8) * 10.0 ** rng.uniform(-17, -1, count // 8)))
    info = np.finfo(dtype)
    powers = 2.0 ** np.arange(int(info.minexp) - int(info.nmant), info.maxexp)
    with np.errstate(over="ignore", under="ignore"):
        x = np.concatenate([*parts, powers, -powers, special(element)]).astype(dtype)
    operands: tuple[np.ndarray, ...] = (x,)
    if function.operands == 2:
        y = rng.permutation(x)
        if function.op == "math.powf":
            # Exponents that give finite results, for bases far from 1 and near to it; whole ones for negative bases.
            with np.errstate(all="ignore"):
                most = rng.uniform(-1.05, 1.05, x.size) * np.finfo(dtype).maxexp
                fitting = most / np.log2(np.abs(x.astype(np.float64)))
                whole = rng.integers(-40, 40, x.size)
                x, y = np.tile(x, 3), np.concatenate([y, fitting.astype(dtype), whole.astype(dtype)])
        pairs = special_pairs(element)
        operands = (np.concatenate([x, pairs[0]]), np.concatenate([y, pairs[1]]))
    if flushed:
        tiny = np.finfo(dtype).tiny
        kept = np.all([~(np.abs(v) < tiny) | (v == 0) for v in operands], axis=0)
        operands = tuple(v[kept] for v in operands)
    return operands


def text(function: Function, element: str) -> str:
    """The operation on vectors, as a function of its whole name: the last part alone is one of libm's."""
    kind = f"tensor<?x{element}>"
    if function.operands == 1:
        return f"""
    func.func @{function.symbol}(%x: {kind}) -> {kind} {{
      %0 = wax.map {function.op}(%x) : ({kind}) -> {kind}
      return %0 : {kind}
    }}"""
    same = "{wax.dims = affine_map<()[s0] -> (s0)>}"
    return f"""
    func.func @{function.symbol}(%x: {kind} {same}, %y: {kind} {same}) -> {kind}
        attributes {{wax.symbols = [{{name = "n", min = 0 : i64, max = 9223372036854775807 : i64}}]}} {{
      %0 = wax.broadcast {function.op}(%x[0], %y[0]) : ({kind}, {kind}) -> {kind}
      return %0 : {kind}
    }}"""


@functools.cache
def compiled(element: str) -> Callable[..., np.ndarray]:
    """All functions by IREE for this machine's CPU; called with one and its operands."""
    module = _native.parse_module("".join(text(function, element) for function in FUNCTIONS))
    module.run("wax-to-linalg{target=iree}")
    loaded = iree_run.load(module.text())
    dtype = DTYPES[element]

    def call(function: Function, *operands: np.ndarray) -> np.ndarray:
        return iree_run.fetch(loaded[function.symbol](*map(iree_run.hand_over, operands)), dtype)

    return call


@functools.cache
def compiled_upstream(element: str) -> Callable[..., np.ndarray]:
    """All functions by LLVM's own tools, which keep subnormal numbers."""
    module = _native.parse_module("".join(text(function, element) for function in FUNCTIONS))
    signatures = module.snapshot().functions
    module.run("wax-to-linalg{target=upstream}")
    module.run("wax-expand-math")
    loaded = upstream_run.load(module.text(), signatures)
    return lambda function, *operands: loaded[function.symbol](operands)[0]


def exact(function: Function, element: str, *operands: float) -> Any:
    """The value as an mpmath number."""
    if function.op in EXACT_FLOAT:
        return mpmath.mpf(EXACT_FLOAT[function.op](*operands, element=element))
    return INEXACT_FLOAT[function.op](*operands)


def error(got: float, want: Any, element: str, *, flushed: bool = True) -> float:
    """In units in the last place of the exact value; infinite where the kind of number is another."""
    info = np.finfo(DTYPES[element])
    if mpmath.isnan(want) or math.isnan(got):
        return 0.0 if mpmath.isnan(want) and math.isnan(got) else math.inf
    # What is beyond the greatest number is infinity, one unit above it.
    top = mpmath.ldexp(1, int(info.maxexp))
    want, value = (top * mpmath.sign(v) if abs(v) >= top else mpmath.mpf(v) for v in (want, got))
    if flushed and abs(want) < float(info.tiny) * (1 + 4 * float(info.eps)) and got == 0:
        return 0.0
    exponent = max(int(mpmath.frexp(want)[1]) - 1, int(info.minexp)) if want else int(info.minexp)
    return float(abs(value - want) / mpmath.ldexp(1, exponent - int(info.nmant)))


def worst(
    function: Function, element: str, got: np.ndarray, operands: tuple[np.ndarray, ...], *, flushed: bool = True
) -> tuple[float, tuple[float, ...]]:
    """The greatest error, and where it is."""
    most, place = -1.0, ()
    with mpmath.workprec(120):
        for value, *at in zip(got.tolist(), *(x.tolist() for x in operands), strict=True):
            wrong = error(value, exact(function, element, *at), element, flushed=flushed)
            if wrong > most:
                most, place = wrong, tuple(at)
    return most, place


def measure(function: Function, element: str, count: int) -> tuple[float, tuple[float, ...]]:
    """The greatest error over about so many operands of each span, and where it is."""
    operands = arguments(function, element, count)
    return worst(function, element, compiled(element)(function, *operands), operands)


def measure_numbers(function: Function, element: str, step: int = 1) -> tuple[float, tuple[float, ...]]:
    """The greatest error over all numbers of a format, or one in so many; of two operands, each occurs as each.

    The judge is the f64 function: it is within 2 units of its own, less than a millionth of one of any other format.
    """
    dtype, info = DTYPES[element], ml_dtypes.finfo(DTYPES[element])
    top, tiny = 2.0 ** int(info.maxexp), float(info.tiny)
    with np.errstate(invalid="ignore"):
        x = np.arange(0, 2 ** int(info.bits), step, dtype=f"u{dtype.itemsize}").view(dtype)
        if element != "f16":  # the range of f32, where IREE flushes
            x = x[~(np.abs(x.astype(np.float64)) < tiny) | (x == 0)]
        operands = (x, np.random.default_rng(1).permutation(x))[: function.operands]
        got = compiled(element)(function, *operands).astype(np.float64)
        want = compiled("f64")(function, *(v.astype(np.float64) for v in operands))
        value, bounded = np.clip(got, -top, top), np.clip(want, -top, top)
        exponent = np.maximum(np.frexp(np.where(np.isnan(bounded), 1.0, bounded))[1] - 1, int(info.minexp))
        wrong = np.abs(value - bounded) / np.ldexp(1.0, exponent - int(info.nmant))
    wrong[np.isnan(wrong)] = np.inf
    wrong[np.isnan(got) & np.isnan(want)] = 0.0
    if element != "f16":
        wrong[(np.abs(want) < tiny * (1 + 4 * float(info.eps))) & (got == 0)] = 0.0
    at = int(np.argmax(wrong))
    return float(wrong[at]), tuple(float(v[at]) for v in operands)
