"""How far special functions and functions of complex numbers are from exact values: what is measured, what holds.

docs/accuracy.md has a table of this, written by scripts/accuracy.py; tests/frontend/test_special.py checks a smaller
sample, compiled and on the reference backend. The judge is mpmath. Errors are counted in ULP of the exact value, or in
what `UNITS` says where a function is badly conditioned.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
from mpmath import mpf

import wax
import wax.numpy as wnp

Span = tuple[str, float, float]

UNITS = {
    "ULP": "units in the last place of the exact value",
    "part": "ULP of each part, the worse one",
    "norm": "ULP of the absolute value",
    "one": "ULP of the greater of 1 and the value",
    "scale": "ULP of the greatest of 1, the value and the value at the mirrored argument",
    "condition": "ULP times the condition number by the second operand, where that is above 1; of values above 1e-30",
}


@dataclass(frozen=True)
class Measured:
    """A function, its judge, where its operands are, and the greatest error that is promised."""

    name: str
    function: Callable[..., Any]
    judge: Callable[..., Any]
    bound: float
    spans: tuple[tuple[Span, ...], ...]  # each: where each operand, or each part of one, is
    unit: str = "ULP"
    where: str = ""
    complex: bool = False
    slope: Callable[..., Any] | None = None  # of the condition number


# Exact values.


def _log_gamma(x: Any) -> Any:
    return mpmath.loggamma(x) if x > 0 else mpmath.log(abs(mpmath.gamma(x)))


def _polygamma(order: int) -> Callable[[Any], Any]:
    return lambda x: mpmath.polygamma(order, x)


def _erfc_inv(y: Any) -> Any:
    if y > mpf("0.05"):
        return mpmath.erfinv(1 - y)
    size = -mpmath.log(y * mpmath.sqrt(mpmath.pi))
    x = mpmath.sqrt(size - mpmath.log(size) / 2)
    for _ in range(8):
        x += (mpmath.erfc(x) - y) * mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(x * x)
    return x


def _erf_inv(x: Any) -> Any:
    return mpmath.sign(x) * _erfc_inv(1 - abs(x))


def _bessel(order: int) -> Callable[[Any], Any]:
    return lambda x: mpmath.besseli(order, x) * mpmath.exp(-abs(x))


def _lower(a: Any, x: Any) -> Any:
    return mpmath.gammainc(a, 0, x, regularized=True)


def _upper(a: Any, x: Any) -> Any:
    return mpmath.gammainc(a, x, mpmath.inf, regularized=True)


def _log_beta(a: Any, b: Any) -> Any:
    return mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)


def _gamma_slope(a: Any, x: Any) -> Any:
    """x times the density."""
    return mpmath.exp(a * mpmath.log(x) - x - mpmath.loggamma(a))


# Where.

NEAR_1_AND_2 = ((("around", 1, 0),), (("around", 2, 0),))
POSITIVE = ((("linear", 0, 12),), (("log", -30, 30),))
NEGATIVE = ((("linear", -20, -0.5),),)
TWO_SIZES = (
    (("linear", 0, 8), ("linear", 0, 8)),
    (("linear", 0, 30), ("linear", 0, 30)),
    (("log", -6, 10), ("log", -6, 10)),
)
TWO_POSITIVE = (
    (("linear", 0, 3), ("linear", 0, 4)),
    (("linear", 0, 40), ("linear", 0, 60)),
    (("linear", 20, 900), ("linear", 20, 900)),
    (("log", -15, 0), ("log", -15, 0)),
)
EVERYWHERE = (
    (("linear", -4, 4), ("linear", -4, 4)),
    (("log", -15, 1), ("log", -15, 1)),
    (("log", -3, 1), ("log", -15, -3)),
    (("log", -15, -3), ("log", -3, 1)),
)
FAR = ((("log", 1, 17), ("log", 1, 17)),)
TWO = tuple(first + second for first, second in zip(EVERYWHERE, reversed(EVERYWHERE), strict=True))


def _real(name: str, judge: Any, bound: float, spans: Any, **more: Any) -> Measured:
    return Measured(name, getattr(wax.special, name), judge, bound, spans, **more)


def _complex(name: str, judge: Any, bound: float, spans: Any = (*EVERYWHERE, *FAR), **more: Any) -> Measured:
    return Measured(name, getattr(wnp, name), judge, bound, spans, more.pop("unit", "part"), complex=True, **more)


MEASURED = (
    _real("gammaln", _log_gamma, 2.5, (*POSITIVE, *NEAR_1_AND_2), where="x > 0"),
    _real("gammaln", _log_gamma, 4.0, NEGATIVE, where="x < 0", unit="scale"),
    _real("digamma", _polygamma(0), 4.0, (*POSITIVE, (("around", 1.4616321449683623, 0),)), where="x > 0"),
    _real("digamma", _polygamma(0), 5.0, NEGATIVE, where="x < 0", unit="scale"),
    *(
        Measured(
            f"polygamma {n}", lambda x, n=n: wax.special.polygamma(n, x), _polygamma(n), bound, spans, where="x > 0"
        )
        for n, bound, spans in (
            (1, 2.5, POSITIVE),
            (2, 3.5, ((("linear", 0.1, 20),),)),
            (5, 8.0, ((("linear", 0.1, 20),),)),
        )
    ),
    _real("erfinv", _erf_inv, 2.5, ((("linear", -1, 1),), (("log", -20, -1),))),
    _real("erfcinv", _erfc_inv, 2.5, ((("linear", 0, 2),), (("log", -36, -1),), (("log", -300, -36),))),
    _real("i0e", _bessel(0), 3.5, ((("linear", -12, 12),), (("log", -9, 5),))),
    _real("i1e", _bessel(1), 3.5, ((("linear", -12, 12),), (("log", -9, 5),))),
    _real("gammainc", _lower, 12.0, TWO_POSITIVE, unit="condition", slope=_gamma_slope),
    _real("gammaincc", _upper, 20.0, TWO_POSITIVE, unit="condition", slope=_gamma_slope),
    _real("betaln", _log_beta, 16.0, TWO_SIZES, unit="one", where="above 0"),
    _real("expit", lambda x: 1 / (1 + mpmath.exp(-x)), 3.0, ((("linear", -80, 80),), (("linear", -2, 2),))),
    _real("logit", lambda p: mpmath.log(p / (1 - p)), 4.0, ((("linear", 0, 1),), (("around", 0.5, 0),))),
    _real("ndtr", mpmath.ncdf, 3.0, ((("linear", -13, 4),), (("linear", -2, 2),), (("linear", -37, 0),))),
    _real("ndtri", lambda p: -mpmath.sqrt(2) * _erfc_inv(2 * p), 4.0, ((("linear", 0, 1),), (("log", -300, -1),))),
    _complex("abs", abs, 2.0),
    _complex("sign", lambda z: z / abs(z), 3.0),
    _complex("reciprocal", lambda z: 1 / z, 4.0),
    _complex("divide", lambda z, w: z / w, 4.0, TWO),
    _complex("multiply", lambda z, w: z * w, 2.0, TWO, unit="norm"),
    _complex("sqrt", mpmath.sqrt, 2.5),
    _complex("exp", mpmath.exp, 3.0, EVERYWHERE),
    _complex("exp2", lambda z: mpmath.power(2, z), 12.0, EVERYWHERE, unit="norm", where="parts to 10"),
    _complex("expm1", lambda z: mpmath.exp(z) - 1, 3.0, EVERYWHERE, unit="norm"),
    _complex("log", mpmath.log, 3.5),
    _complex("log2", lambda z: mpmath.log(z) / mpmath.log(2), 4.5),
    _complex("log10", lambda z: mpmath.log(z) / mpmath.log(10), 4.5),
    _complex("log1p", lambda z: mpmath.log(1 + z), 4.0),
    _complex("sin", mpmath.sin, 4.0, EVERYWHERE),
    _complex("cos", mpmath.cos, 4.0, EVERYWHERE),
    _complex("tan", mpmath.tan, 6.0, EVERYWHERE),
    _complex("sinh", mpmath.sinh, 4.0, EVERYWHERE),
    _complex("cosh", mpmath.cosh, 4.0, EVERYWHERE),
    _complex("tanh", mpmath.tanh, 6.0, EVERYWHERE),
    _complex("asin", mpmath.asin, 6.0),
    _complex("acos", mpmath.acos, 6.0),
    _complex("atan", mpmath.atan, 6.0),
    _complex("asinh", mpmath.asinh, 6.0),
    _complex("acosh", mpmath.acosh, 6.0),
    _complex("atanh", mpmath.atanh, 6.0),
    _complex(
        "pow",
        lambda z, w: mpmath.exp(w * mpmath.log(z)),
        16.0,
        ((("linear", -2, 2),) * 4,),
        unit="norm",
        where="parts to 2",
    ),
)


def _draw(span: Span, count: int, rng: np.random.Generator) -> np.ndarray:
    kind, low, high = span
    if kind == "linear":
        return rng.uniform(low, high, count)
    size = 10.0 ** (rng.uniform(-15, -1, count) if kind == "around" else rng.uniform(low, high, count))
    return low + size * rng.choice([-1, 1], count) if kind == "around" else size


def arguments(measured: Measured, dtype: Any, count: int) -> list[np.ndarray]:
    """So many operands of each span; the same ones each time."""
    rng = np.random.default_rng(count)
    parts = []
    for spans in measured.spans:
        drawn = [_draw(span, count, rng) for span in spans]
        if measured.complex:  # any quadrant
            drawn = [x * rng.choice([-1, 1], count) for x in drawn]
        parts.append(drawn)
    columns = [np.concatenate(column).astype(dtype) for column in zip(*parts, strict=True)]
    if not measured.complex:
        return columns
    made = []
    for x, y in zip(columns[::2], columns[1::2], strict=True):
        z = np.empty(x.shape, f"c{2 * x.itemsize}")
        z.real, z.imag = x, y
        made.append(z)
    return made


def _exact(value: Any) -> Any:
    value = value.item()
    return mpmath.mpc(value) if isinstance(value, complex) else mpf(value)


def _ulp(value: Any, info: Any) -> Any:
    exponent = max(int(mpmath.frexp(value)[1]) - 1, int(info.minexp)) if value else int(info.minexp)
    return mpmath.ldexp(1, exponent - int(info.nmant))


def _distance(got: Any, want: Any, info: Any) -> float:
    """In ULP; nothing where the value is out of range, or subnormal, which compiled code may flush to 0."""
    if abs(want) < 4 * float(info.tiny) or abs(want) > float(info.max) / 4:
        return 0.0
    return math.inf if not np.isfinite(got) else float(abs(mpf(got.item()) - want) / _ulp(want, info))


def error(measured: Measured, got: Any, operands: list[Any], info: Any) -> float:
    """Of one result, in the function's unit."""
    exact = [_exact(x) for x in operands]
    want = measured.judge(*exact)
    if measured.unit == "part" and np.iscomplexobj(got):
        return max(_distance(got.real, want.real, info), _distance(got.imag, want.imag, info))
    if measured.unit == "norm":
        size = abs(want)
        if not float(info.tiny) * 4 < size < float(info.max) / 4:
            return 0.0
        return float(abs(mpmath.mpc(complex(got)) - want) / _ulp(size, info)) if np.isfinite(got) else math.inf
    if measured.unit == "one":
        return float(abs(mpf(got.item()) - want) / _ulp(max(mpf(1), abs(want)), info))
    if measured.unit == "scale":
        return float(abs(mpf(got.item()) - want) / _ulp(max(mpf(1), abs(want), abs(measured.judge(-exact[0]))), info))
    if measured.unit == "condition":
        assert measured.slope is not None
        return _distance(got, want, info) / max(1.0, float(measured.slope(*exact) / want)) if want > 1e-30 else 0.0
    return _distance(got, want, info)


def measure(measured: Measured, dtype: Any, count: int, *, compiled: bool = True) -> tuple[float, tuple[Any, ...]]:
    """The greatest error over so many operands of each span, and where it is."""
    operands = arguments(measured, dtype, count)
    info = np.finfo(dtype)
    normal = np.all([(abs(x.real) >= info.tiny) & (abs(x.imag) >= info.tiny * np.iscomplexobj(x)) for x in operands], 0)
    operands = [x[normal] for x in operands]
    run = wax.jit(measured.function, backend="iree") if compiled else measured.function
    got = np.asarray(run(*map(wnp.asarray, operands)))
    with mpmath.workdps(60):
        found = [(error(measured, g, list(x), info), tuple(x)) for g, *x in zip(got, *operands, strict=True)]
    return max(found, key=lambda pair: pair[0])


#: What a section of docs/accuracy.md starts with.
TITLE = "## Special functions and complex numbers"
COUNT = 1000


def _key(one: Measured) -> str:
    """The first cells of a row, by which it is known."""
    return f"`{one.name}` | {one.where or ('complex' if one.complex else 'real')} | {one.unit}"


def section() -> str:
    """The section, measured."""
    lines = [
        "",
        TITLE,
        "",
        "What `wax-expand-special` makes of these, out of the functions above. Each error is in a unit that says how",
        "exact the function can be:",
        "",
        *(f"- *{name}*: {meaning};" for name, meaning in UNITS.items()),
        "",
        "| function | operands | unit | bound | f32 | at | f64 | at |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for one in MEASURED:
        cells = []
        for dtype in (np.float32, np.float64):
            worst, place = measure(one, dtype, COUNT)
            cells += [f"{worst:.2f}", ", ".join(f"{x:.9g}" for x in place)]
        lines.append(f"| {_key(one)} | {one.bound} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def faults(section: str) -> list[str]:
    """What is wrong with a section."""
    rows = dict(re.findall(r"^\| (`.*?` \| .*? \| .*?) \| (.*) \|$", section, re.MULTILINE))
    found = [f"{key} is no function any more" for key in rows.keys() - {_key(one) for one in MEASURED}]
    for one in MEASURED:
        if _key(one) not in rows:
            found.append(f"{one.name} has no row")
            continue
        bound, single, _, double, _ = rows[_key(one)].split(" | ")
        if float(bound) != one.bound or max(float(single), float(double)) > one.bound:
            found.append(f"{one.name} is beyond its bound, or its bound has changed")
    return found
