"""Writes docs/accuracy.md: how exact each elementary function is, measured through IREE against mpmath.

python scripts/accuracy.py           measures everything (minutes), and writes the page
python scripts/accuracy.py --check   fails where the page lacks a function, or shows it beyond its bound
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from accuracy import (  # noqa: E402
    ELEMENTS,
    FUNCTIONS,
    NARROW,
    NARROW_BOUND,
    Function,
    measure,
    measure_numbers,
)
from special_accuracy import TITLE, faults, section  # noqa: E402

PAGE = ROOT / "docs" / "accuracy.md"
COUNT = 8000
# Of f32's numbers, one in so many, for which f64 is judge enough.
STEP = 509

INTRODUCTION = """\
<!-- Written by scripts/accuracy.py. -->

# How exact the functions are

What `wax-expand-math` makes of each function, compiled by IREE for the CPU, against mpmath: the greatest error in units
in the last place (ULP) of the exact value, over operands of all magnitudes, denser where functions are used and about
their zeros, poles, thresholds and hard cases, among them for each exponent the numbers nearest to multiples of π/2.
Rounding alone is 0.5. The tests hold each function to its bound. `remf` is what `%` and `//` are made of.

f32 is measured on one in 509 of all its numbers besides. f16 and bf16 are computed in f32 and rounded once: measured on
all their numbers, and held to 0.51.

IREE's CPU runtime flushes subnormal operands and results to 0, which is not counted. Compiled by LLVM's own tools,
which flush nothing, the same formulas keep the same bounds for these too.

| function | bound | f32 | at | f64 | at | f16 | bf16 |
|---|---|---|---|---|---|---|---|
"""


def row(function: Function) -> str:
    """A line of the table, measured."""
    cells = []
    for element in ELEMENTS:
        found = [measure(function, element, COUNT)]
        if element == "f32":
            found.append(measure_numbers(function, element, STEP))
        worst, place = max(found)
        cells += [f"{worst:.3f}", ", ".join(f"{x:.9g}" if element == "f32" else repr(x) for x in place)]
    cells += [f"{measure_numbers(function, element)[0]:.4f}" for element in NARROW]
    return f"| `{function.name}` | {function.bound} | {' | '.join(cells)} |"


def check() -> list[str]:
    """What is wrong with the page."""
    elementary, _, special = PAGE.read_text().partition(TITLE)
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", elementary, re.MULTILINE))
    found = [f"{name} is no function any more" for name in rows.keys() - {f.name for f in FUNCTIONS}]
    for function in FUNCTIONS:
        if function.name not in rows:
            found.append(f"{function.name} has no row")
            continue
        bound, single, _, double, _, *narrow = rows[function.name].split(" | ")
        measured = max(map(float, (single, double))), max(map(float, narrow))
        if float(bound) != function.bound or measured[0] > function.bound or measured[1] > NARROW_BOUND:
            found.append(f"{function.name} is beyond its bound, or its bound has changed")
    return found + faults(special)


def main() -> None:
    """Writes the page or checks it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        if found := check():
            sys.exit(f"{PAGE} is out of date, run scripts/accuracy.py: {'; '.join(found)}")
        return
    PAGE.write_text(INTRODUCTION + "".join(f"{row(function)}\n" for function in FUNCTIONS) + section())


if __name__ == "__main__":
    main()
