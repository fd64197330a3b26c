"""Writes the polynomials of the special functions: passes/math/SpecialCoefficients.inc, and the reference backend's.

    python scripts/special_coefficients.py           writes the files (some minutes)
    python scripts/special_coefficients.py --check   fails where they are out of date

Each polynomial interpolates its function in Chebyshev's points, which is within a small factor of the best there is, at
the least degree that is exact enough. Incomplete gamma functions take the double series of Temme ("The asymptotic
expansion of the incomplete gamma functions", SIAM J. Math. Anal. 10, 1979), whose coefficients are computed as the
Digital Library of Mathematical Functions has them in 8.12.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minimax import grid, horner, listing, rounded
from mpmath import mp, mpf

mp.dps = 45
ROOT = Path(__file__).resolve().parent.parent
COMPILED = ROOT / "passes" / "math" / "SpecialCoefficients.inc"
REFERENCE = ROOT / "runtime" / "wax_runtime" / "reference" / "special_coefficients.py"
PRECISION = {"f32": 24, "f64": 53}
Function = Callable[[Any], Any]


@dataclass(frozen=True)
class Interpolated:
    """A function on an interval, as a polynomial in the distance from `center`, with so many bits to spare."""

    function: Function
    low: Any
    high: Any
    center: Any = 0
    spare: int = 3
    single: Any = None  # the high end in f32, where another


def interpolated(function: Function, low: Any, high: Any, degree: int) -> list[Any]:
    """The coefficients of the polynomial through Chebyshev's points, by divided differences."""
    points = grid(low, high, degree + 1)
    differences = [function(x) for x in points]
    for step in range(1, degree + 1):
        for i in range(degree, step - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (points[i] - points[i - step])
    result = [differences[-1]]
    for point, difference in zip(reversed(points[:-1]), reversed(differences[:-1]), strict=True):
        shifted, scaled = [mpf(0), *result], [*(c * point for c in result), mpf(0)]
        result = [a - b for a, b in zip(shifted, scaled, strict=True)]
        result[0] += difference
    return result


def fitted(wanted: Interpolated, precision: int) -> list[Any]:
    """The shortest exact enough polynomial, its coefficients rounded to the format."""
    high = wanted.single if wanted.single and precision == 24 else wanted.high
    low, high = mpf(wanted.low) - wanted.center, mpf(high) - wanted.center
    points = grid(low, high, 160)
    values = [wanted.function(x + wanted.center) for x in points]
    for degree in range(2, 30):
        coefficients = interpolated(lambda x: wanted.function(x + wanted.center), low, high, degree)
        error = max(abs(horner(coefficients, x) / v - 1) for x, v in zip(points, values, strict=True))
        if error < mp.ldexp(mpf(1), -precision - wanted.spare):
            return [rounded(c, precision) for c in coefficients]
    raise ArithmeticError("no polynomial below degree 30 is exact enough")


# Functions, with their limits where the formula has none.


def gamma_near_two(z: Any) -> Any:
    """log Γ(2 + z) / z."""
    return mp.loggamma(2 + z) / z if abs(z) > mpf("1e-20") else mp.digamma(2)


def stirling(u: Any) -> Any:
    """The rest of Stirling's formula, over 1/x, in u = 1/x²."""
    if u < mpf("1e-12"):
        return mpf(1) / 12 - u / 360
    x = 1 / mp.sqrt(u)
    return (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


DIGAMMA_ROOT = mp.findroot(mp.digamma, 1.46)


def digamma_near_root(x: Any) -> Any:
    """ψ(x) over the distance from its root."""
    away = x - DIGAMMA_ROOT
    return mp.digamma(x) / away if abs(away) > mpf("1e-20") else mp.polygamma(1, x)


def digamma_tail(u: Any) -> Any:
    """The rest of ψ's asymptotic series, over 1/x², in u = 1/x²."""
    if u < mpf("1e-12"):
        return mpf(1) / 12 - u / 120
    x = 1 / mp.sqrt(u)
    return (mp.log(x) - 1 / (2 * x) - mp.digamma(x)) * x * x


def erf_inv_ratio(w: Any) -> Any:
    """erf_inv(x) / x where 1 − x² is exp(−w)."""
    if w < mpf("1e-20"):
        return mp.sqrt(mp.pi) / 2
    with mp.workdps(45 + int(w / 2)):
        complement = mp.exp(-w)
        x = mp.sqrt(1 - complement)
        tail = complement / (1 + x)  # 1 − x, exactly
        if tail > mpf("0.05"):
            return mp.erfinv(x) / x
        size = -mp.log(tail * mp.sqrt(mp.pi))
        y = mp.sqrt(size - mp.log(size) / 2)
        for _ in range(9):  # Newton's
            y += (mp.erfc(y) - tail) * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
        return y / x


def erf_inv_ratio_of_root(s: Any) -> Any:
    """The same where 1 − x² is exp(−s²)."""
    return erf_inv_ratio(s * s)


def bessel_near(order: int) -> Function:
    """I(x) / xⁿ as a function of x² / 4."""

    def function(t: Any) -> Any:
        if t < mpf("1e-30"):
            return mpf(1) / 2**order
        x = 2 * mp.sqrt(t)
        return mp.besseli(order, x) / x**order

    return function


def bessel_far(order: int) -> Function:
    """exp(−x) √x I(x) as a function of 8 / x; by its asymptotic series where that is exact."""

    def function(v: Any) -> Any:
        if v >= mpf("0.02"):
            x = 8 / v
            return mp.besseli(order, x) * mp.exp(-x) * mp.sqrt(x)
        term = total = mpf(1)
        for k in range(1, 60):
            term *= -(4 * order**2 - (2 * k - 1) ** 2) * v / (64 * k)
            total += term
        return total / mp.sqrt(2 * mp.pi)

    return function


def log_excess(u: Any) -> Any:
    """(u − log(1 + u)) / u²."""
    return (u - mp.log1p(u)) / u**2 if abs(u) > mpf("1e-12") else mpf(1) / 2 - u / 3 + u * u / 4


POLYNOMIALS = {
    # sin(πr) / r, in r².
    "sinePi": Interpolated(lambda t: mp.sin(mp.pi * mp.sqrt(t)) / mp.sqrt(t) if t else mp.pi, 0, 0.25, spare=4),
    # log Γ(2 + z) / z.
    "gammaNearTwo": Interpolated(gamma_near_two, -0.75, 0.5),
    # (log Γ(x) − (x − ½) log x + x − ½ log 2π) x, in 1/x², from x = 8.
    "stirling": Interpolated(stirling, 0, mpf(1) / 64, spare=0),
    # ψ(x) by its distance from the root, around 3/2.
    "digammaNearRoot": Interpolated(digamma_near_root, 1, 2, mpf(3) / 2),
    # (log x − 1/(2x) − ψ(x)) x², in 1/x², from x = 8.
    "digammaTail": Interpolated(digamma_tail, 0, mpf(1) / 64, spare=0),
    # erf_inv(x) / x, in w = −log(1 − x²), then in √w.
    "erfInvCenter": Interpolated(erf_inv_ratio, 0, 6.25, 3.125),
    "erfInvNear": Interpolated(erf_inv_ratio_of_root, 2.5, 4, 3.25),
    "erfInvMiddle": Interpolated(erf_inv_ratio_of_root, 4, 6.25, 5.125),
    "erfInvFar": Interpolated(erf_inv_ratio_of_root, 6.25, 13, 9, single=10.5),
    "erfInvFarthest": Interpolated(erf_inv_ratio_of_root, 13, 27.5, 20, single=14),
    "bessel0Near": Interpolated(bessel_near(0), 0, 16),
    "bessel1Near": Interpolated(bessel_near(1), 0, 16),
    "bessel0Middle": Interpolated(bessel_far(0), 0.25, 1, 0.625),
    "bessel1Middle": Interpolated(bessel_far(1), 0.25, 1, 0.625),
    "bessel0Far": Interpolated(bessel_far(0), 0, 0.25),
    "bessel1Far": Interpolated(bessel_far(1), 0, 0.25),
    # (u − log(1 + u)) / u².
    "logExcess": Interpolated(log_excess, -0.4, 0.4),
}

#: Constants, each as a sum of two numbers of the format.
CONSTANTS = {"digammaRoot": DIGAMMA_ROOT}


def temme(precision: int, least: int = 20, distance: float = 0.34) -> list[list[Any]]:
    """The rows of the double series, in powers of 1/a and of η, for a ≥ `least` and |η| ≤ `distance`."""
    count, rows = 60, 16
    # μ(η) of η²/2 = μ − log(1 + μ): its coefficients follow from μ μ′ = η (1 + μ).
    mu = [mpf(0), mpf(1)]
    for n in range(2, count):
        known = sum(mu[i] * (n + 1 - i) * mu[n + 1 - i] for i in range(2, n))
        mu.append((mu[n - 1] - known) / (n + 1))
    reciprocal = [mpf(1)]  # of μ, times η
    for n in range(1, count - 1):
        reciprocal.append(-sum(mu[j + 1] * reciprocal[n - j] for j in range(1, n + 1)))
    # Γ(a) over Stirling's first approximation, in 1/a.
    exponent = [mpf(0)] * (rows + 1)
    for k in range(1, rows // 2 + 1):
        exponent[2 * k - 1] = mp.bernoulli(2 * k) / (2 * k * (2 * k - 1))
    scaled = [mpf(1)]
    for n in range(1, rows + 1):
        scaled.append(sum(j * exponent[j] * scaled[n - j] for j in range(1, n + 1)) / n)

    series = [reciprocal[1:]]
    table = []
    smallest = mp.ldexp(mpf(1), -precision - 3)
    for k in range(rows):
        if k > 0:
            slope = [n * c for n, c in enumerate(series[-1])][1:]
            row = [d + (-1) ** k * scaled[k] * r for d, r in zip(slope, reciprocal, strict=False)]
            series.append(row[1:-1])
        sizes = [abs(c) * distance**n * mpf(least) ** -k for n, c in enumerate(series[-1])]
        needed = [n for n, size in enumerate(sizes[:30]) if size > smallest]
        if not needed:
            break
        table.append([rounded(c, precision) for c in series[-1][: needed[-1] + 1]])
    return table


def compiled(polynomials: dict[str, dict[str, list[Any]]]) -> str:
    """What the formulas of passes/math include."""
    lines = ["// Written by scripts/special_coefficients.py.", "// clang-format off", ""]
    for name, formats in polynomials.items():
        for element, precision in PRECISION.items():
            lines.append(f"inline constexpr double {name}_{element}[] = {listing(formats[element], precision)};")
        lines.append(f"inline const Polynomial {name}{{{name}_f32, {name}_f64}};")
    for name, value in CONSTANTS.items():
        parts = []
        for precision in PRECISION.values():
            high = rounded(value, precision)
            parts.append(listing([high, rounded(value - high, precision)], precision))
        lines.append(f"inline constexpr Constant {name}{{{', '.join(parts)}}};")
    tables = {element: temme(precision) for element, precision in PRECISION.items()}
    for element, precision in PRECISION.items():
        for k, row in enumerate(tables[element]):
            lines.append(f"inline constexpr double temme{k}_{element}[] = {listing(row, precision)};")
    for element in PRECISION:
        rows = ", ".join(f"temme{k}_{element}" for k in range(len(tables[element])))
        lines.append(f"inline const ArrayRef<double> temme_{element}[] = {{{rows}}};")
    return "\n".join(lines) + "\n"


def tuple_of(values: list[Any]) -> list[str]:
    """Numbers as lines of a Python tuple."""
    return [f"    {float(value)!r}," for value in values]


def reference(polynomials: dict[str, dict[str, list[Any]]]) -> str:
    """What the reference backend imports; it computes in float64 only."""
    lines = [
        '"""Coefficients of the special functions, constant ones first. Written by scripts/special_coefficients.py."""',
        "",
        "# fmt: off",
    ]
    for name, formats in polynomials.items():
        upper = "".join(f"_{c}" if c.isupper() or (c.isdigit()) else c for c in name).upper()
        lines += [f"{upper} = (", *tuple_of(formats["f64"]), ")"]
    high = rounded(DIGAMMA_ROOT, 53)
    lines += ["DIGAMMA_ROOT = (", *tuple_of([high, DIGAMMA_ROOT - high]), ")"]
    lines += ["TEMME = ("]
    for row in temme(53):
        lines += ["    (", *(f"    {line}" for line in tuple_of(row)), "    ),"]
    return "\n".join([*lines, ")"]) + "\n"


def main() -> None:
    """Writes or checks the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    polynomials = {
        name: {element: fitted(wanted, precision) for element, precision in PRECISION.items()}
        for name, wanted in POLYNOMIALS.items()
    }
    for path, text in ((COMPILED, compiled(polynomials)), (REFERENCE, reference(polynomials))):
        if not check:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path} is out of date: run scripts/special_coefficients.py")


if __name__ == "__main__":
    main()
