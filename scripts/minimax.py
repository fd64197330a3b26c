"""Writes passes/math/Coefficients.inc: the polynomials and constants of the formulas in passes/math.

    python scripts/minimax.py           writes the file
    python scripts/minimax.py --check   fails where it is out of date

Each polynomial has the least degree at which it is as exact as its format asks for, by Remez's exchange algorithm
(Muller, "Elementary Functions", 3rd edition, 2016, chapter 3) in 50 digits. What it stands in for, and what its error
is weighed with, is said in `POLYNOMIALS`.
"""

import argparse
import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from mpmath import mp, mpf

mp.dps = 50
TARGET = Path(__file__).resolve().parent.parent / "passes" / "math" / "Coefficients.inc"
PRECISION = {"f32": 24, "f64": 53}
Function = Callable[[Any], Any]


@dataclass(frozen=True)
class Approximated:
    """A function on an interval, what its error is weighed with, and the bits to spare beyond the format's."""

    function: Function
    low: Any
    high: Any
    weight: Function = lambda x: mpf(1)
    spare: int = 4
    single: tuple[Any, Any] | None = None  # the interval in f32, where another
    bits: int | None = None  # the bits wanted, where not the format's
    successive: bool = False  # whether later coefficients make up for the rounding of those before


def grid(low: Any, high: Any, count: int) -> list[Any]:
    """Chebyshev's points, which are dense at the ends."""
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * count)) for i in range(count)]


def horner(coefficients: list[Any], x: Any) -> Any:
    """The polynomial at x, the constant coefficient first."""
    return functools.reduce(lambda total, c: total * x + c, reversed(coefficients), mpf(0))


def remez(points: list[Any], values: list[Any], weights: list[Any], degree: int) -> tuple[list[Any], Any]:
    """The coefficients whose greatest weighted error over the points is least, and that error."""
    count = degree + 2
    step = (len(points) - 1) / (count - 1)
    chosen = [round(i * step) for i in range(count)]
    coefficients, largest = [], mpf(1)
    for _ in range(30):
        system = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for row, i in enumerate(chosen):
            power = mpf(1)
            for column in range(degree + 1):
                system[row, column] = power
                power *= points[i]
            system[row, degree + 1] = (-1) ** row / weights[i]
            right[row] = values[i]
        solution = list(mp.lu_solve(system, right))
        coefficients, level = solution[:-1], abs(solution[-1])
        errors = [w * (horner(coefficients, x) - v) for x, v, w in zip(points, values, weights, strict=True)]
        largest = max(map(abs, errors))
        if largest <= level * mpf("1.02"):
            break
        chosen = alternating(errors, count)
    return coefficients, largest


def alternating(errors: list[Any], count: int) -> list[int]:
    """Where the error is greatest between its changes of sign; the greatest neighbours where there are more."""
    peaks: list[int] = []
    for i, error in enumerate(errors):
        if peaks and (error > 0) == (errors[peaks[-1]] > 0):
            if abs(error) > abs(errors[peaks[-1]]):
                peaks[-1] = i
        else:
            peaks.append(i)
    while len(peaks) > count:
        del peaks[0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1]
    if len(peaks) < count:
        raise ArithmeticError(f"the error alternates {len(peaks)} times, not {count}: more points or digits are needed")
    return peaks


def rounded(value: Any, precision: int) -> Any:
    """The nearest number of so many bits."""
    if value == 0:
        return value
    scale = precision - 1 - int(mp.floor(mp.log(abs(value), 2)))
    return mp.nint(mp.ldexp(value, scale)) * mp.ldexp(mpf(1), -scale)


def fitted(wanted: Approximated, precision: int) -> list[Any]:
    """The shortest polynomial of coefficients of the format that is exact enough."""
    low, high = wanted.single if wanted.single and precision == 24 else (wanted.low, wanted.high)
    points = grid(mpf(low), mpf(high), 12 * precision)
    values = [mpf(wanted.function(x)) for x in points]
    weights = [abs(mpf(wanted.weight(x))) for x in points]
    bound = mp.ldexp(mpf(1), -(wanted.bits or precision + wanted.spare))
    for degree in range(1, 40):
        coefficients, error = remez(points, values, weights, degree)
        if error < bound and wanted.successive:
            return successively(points, values, weights, degree, precision)
        if error < bound:
            return [rounded(c, precision) for c in coefficients]
    raise ArithmeticError("no polynomial below degree 40 is exact enough")


def successively(points: list[Any], values: list[Any], weights: list[Any], degree: int, precision: int) -> list[Any]:
    """The coefficients, each rounded before those of the rest, divided by x, are found anew."""
    out: list[Any] = []
    for left in range(degree, -1, -1):
        out.append(rounded(remez(points, values, weights, left)[0][0], precision))
        values = [(v - out[-1]) / x for v, x in zip(values, points, strict=True)]
        weights = [w * x for w, x in zip(weights, points, strict=True)]
    return out


def split(value: Any, precision: int, parts: list[int]) -> list[Any]:
    """A constant as a sum of numbers of so many bits each."""
    out = []
    for bits in parts:
        out.append(rounded(value, min(bits, precision)))
        value -= out[-1]
    return out


def series(x: Any, coefficient: Callable[[int], Any]) -> Any:
    """The sum of coefficient(n)·xⁿ."""
    return mp.fsum(coefficient(n) * x**n for n in range(60))


def scaled_erfc(y: Any) -> Any:
    """(1 + 2y)·e^y²·erfc y."""
    return (1 + 2 * y) * mp.exp(y * y) * mp.erfc(y)


#: The polynomials; `x` is the argument of each.
POLYNOMIALS: dict[str, Approximated] = {
    # (eˣ − 1 − x) / x² for |x| ≤ ln 2 / 2. The error is taken relative to eˣ − 1, which is the greater demand.
    "expTail": Approximated(
        lambda x: (mp.expm1(x) - x) / x**2 if x else mpf(1) / 2,
        -mp.log(2) / 2 * mpf("1.001"),
        mp.log(2) / 2 * mpf("1.001"),
        lambda x: x,
    ),
    # (2·atanh(√x) / √x − 2) / x, for logarithms.
    "logTail": Approximated(lambda x: series(x, lambda n: mpf(2) / (2 * n + 3)), 0, "0.02945", lambda x: x),
    # The same less its first coefficient and once more divided, for powers.
    "atanhTail": Approximated(
        lambda x: series(x, lambda n: mpf(2) / (2 * n + 5)), 0, "0.02945", lambda x: x**2, spare=12
    ),
    # (sin √x / √x − 1) / x and (cos √x − 1 + x/2) / x² for √x ≤ π/4.
    "sinTail": Approximated(
        lambda x: series(x, lambda n: mpf(-1) ** (n + 1) / mp.factorial(2 * n + 3)), 0, "0.6169", lambda x: x
    ),
    "cosTail": Approximated(
        lambda x: series(x, lambda n: mpf(-1) ** n / mp.factorial(2 * n + 4)), 0, "0.6169", lambda x: x**2
    ),
    # (sin √x / √x − 1) / x for √x ≤ π/2, and what the rounding of x/π adds.
    "sineTail": Approximated(
        lambda x: series(x, lambda n: mpf(-1) ** (n + 1) / mp.factorial(2 * n + 3)),
        0,
        "2.4684",
        lambda x: x,
        spare=3,
        successive=True,
    ),
    # (sinh √x / √x − 1) / x.
    "sinhTail": Approximated(lambda x: series(x, lambda n: 1 / mp.factorial(2 * n + 3)), 0, 1, lambda x: x),
    # (tanh √x / √x − 1) / x for √x ≤ ⅝, and e^2x for |x| ≤ ln 2 / 4.
    "tanhTail": Approximated(
        lambda x: (mp.tanh(mp.sqrt(x)) / mp.sqrt(x) - 1) / x, "1e-20", "0.390625", lambda x: x, spare=3
    ),
    "expOfTwice": Approximated(
        lambda x: mp.exp(2 * x), -mp.log(2) / 4 * mpf("1.001"), mp.log(2) / 4 * mpf("1.001"), lambda x: mp.exp(-2 * x)
    ),
    # (asin √x / √x − 1) / x for √x ≤ ½.
    "asinTail": Approximated(lambda x: (mp.asin(mp.sqrt(x)) / mp.sqrt(x) - 1) / x, "1e-20", "0.25", lambda x: x),
    # (atan √x / √x − 1) / x for √x ≤ 1.
    "atanTail": Approximated(lambda x: (mp.atan(mp.sqrt(x)) / mp.sqrt(x) - 1) / x, "1e-20", 1, lambda x: x),
    # erf √x / √x − 1 for √x ≤ 1.
    "erfTail": Approximated(lambda x: mp.erf(mp.sqrt(x)) / mp.sqrt(x) - 1, "1e-20", 1, spare=2),
    # −log erfc x from 1 to where erf x rounds to 1. The error is that of erf x.
    "erfcLog": Approximated(lambda x: -mp.log(mp.erfc(x)), 1, 6, mp.erfc, spare=2, single=(1, 4)),
    # (1 + 2y)·e^y²·erfc y for x = (y − 4) / (y + 4) and y from 0 to where erfc underflows.
    "erfcScaled": Approximated(
        lambda x: scaled_erfc(4 * (1 + x) / (1 - x)), -1, mpf(24) / 32, single=(-1, mpf(7) / 15)
    ),
    # ∛x on [√½, √2], to twenty bits.
    "cbrtGuess": Approximated(mp.cbrt, mp.sqrt(mpf(1) / 2), mp.sqrt(2), bits=20),
}

#: Polynomials of which only f32 has one: in f64 they would be too long.
SINGLE_POLYNOMIALS: dict[str, Approximated] = {
    # (log(1 + x) − x + x²/2) / x³ for 1 + x from ¾ to 1½. The error is that of log(1 + x).
    "logSeries": Approximated(
        lambda x: (mp.log1p(x) - x + x * x / 2) / x**3, -0.25, 0.5, lambda x: x**3 / mp.log1p(x), spare=3
    ),
}

#: Constants as sums, with the bits of each part in f32 and in f64 (0: all of them).
CONSTANTS: dict[str, tuple[Any, dict[str, list[int]]]] = {
    # The first part leaves room for a product with an exponent.
    "ln2": (mp.log(2), {"f32": [15, 24], "f64": [41, 53]}),
    # As exact as two numbers can be.
    "preciseLn2": (mp.log(2), {"f32": [24, 24], "f64": [53, 53]}),
    "twoThirds": (mpf(2) / 3, {"f32": [24, 24], "f64": [53, 53]}),
    "halfPi": (mp.pi / 2, {"f32": [24, 24, 24], "f64": [53, 53, 53]}),
    "log10e": (mp.log10(mp.e), {"f32": [24, 24], "f64": [53, 53]}),
    "log10of2": (mp.log10(2), {"f32": [15, 24], "f64": [41, 53]}),
    "log2e": (1 / mp.log(2), {"f32": [24, 24], "f64": [53, 53]}),
}


def literal(value: Any, precision: int) -> str:
    """The number as C++ reads it back."""
    return float(np.float32(float(value))).hex() if precision == 24 else float(value).hex()


def listing(values: list[Any], precision: int) -> str:
    """Numbers as a C++ initializer."""
    return "{" + ", ".join(literal(v, precision) for v in values) + "}"


def text() -> str:
    """The whole file."""
    lines = ["// Written by scripts/minimax.py.", "// clang-format off", ""]
    for name, wanted in POLYNOMIALS.items():
        for element, precision in PRECISION.items():
            values = listing(fitted(wanted, precision), precision)
            lines.append(f"inline constexpr double {name}_{element}[] = {values};")
        lines.append(f"inline const Polynomial {name}{{{name}_f32, {name}_f64}};")
    for name, wanted in SINGLE_POLYNOMIALS.items():
        lines.append(f"inline constexpr double {name}[] = {listing(fitted(wanted, 24), 24)};")
    for name, (value, parts) in CONSTANTS.items():
        both = ", ".join(listing(split(value, p, parts[element]), p) for element, p in PRECISION.items())
        lines.append(f"inline constexpr Constant {name}{{{both}}};")
    # 2/π / 4 in words as wide as the format, after one of zeros: what large arguments of sin and cos are multiplied by.
    for element, bits, count in (("Single", 32, 8), ("Double", 64, 20)):
        with mp.workdps(450):
            whole = int(mp.floor(mp.ldexp(1 / (2 * mp.pi), bits * (count - 1))))
        words = ", ".join(f"0x{whole >> bits * i & (1 << bits) - 1:0{bits // 4}X}" for i in reversed(range(count)))
        lines.append(f"inline constexpr uint64_t fourTurns{element}[] = {{{words}}};")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the file or checks it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    written = text()
    if parser.parse_args().check:
        if TARGET.read_text() != written:
            sys.exit(f"{TARGET} is out of date: run scripts/minimax.py")
    else:
        TARGET.write_text(written)


if __name__ == "__main__":
    main()
