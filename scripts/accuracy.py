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

from accuracy import ELEMENTS, FUNCTIONS, Function, measure

PAGE = ROOT / "docs" / "accuracy.md"
COUNT = 4000

INTRODUCTION = """\
<!-- Written by scripts/accuracy.py. -->

# How exact the functions are

What `wax-expand-math` makes of each function, compiled by IREE for the CPU, against mpmath: the greatest error in units in
the last place (ULP) of the exact value over operands of all magnitudes, denser where functions are used and about their
zeros, poles, thresholds and hard cases. 0.5 would be rounding alone. The tests hold each function to its bound.

f16 and bf16 are computed in f32 and rounded once: at most 0.51. `%` and `//` go by `remf`, which is exact. IREE's CPU
runtime flushes subnormal operands and results to 0, which is not counted; elsewhere the formulas are as exact there, but
for the last bit of a result that is rounded as it becomes subnormal.

| function | bound | f32 | at | f64 | at |
|---|---|---|---|---|---|
"""


def name(function: Function) -> str:
    """Without its dialect."""
    return function.op.partition(".")[2]


def row(function: Function) -> str:
    """A line of the table, measured."""
    cells = []
    for element in ELEMENTS:
        worst, place = measure(function, element, COUNT)
        cells += [f"{worst:.3f}", ", ".join(f"{x:.9g}" if element == "f32" else repr(x) for x in place)]
    return f"| `{name(function)}` | {function.bound} | {' | '.join(cells)} |"


def check() -> list[str]:
    """What is wrong with the page."""
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.read_text(), re.MULTILINE))
    faults = [f"{name} is no function any more" for name in rows.keys() - {name(f) for f in FUNCTIONS}]
    for function in FUNCTIONS:
        if name(function) not in rows:
            faults.append(f"{name(function)} has no row")
            continue
        bound, single, _, double, _ = re.split(r" \| ", rows[name(function)])
        if float(bound) != function.bound or max(float(single), float(double)) > function.bound:
            faults.append(f"{name(function)} is beyond its bound, or its bound has changed")
    return faults


def main() -> None:
    """Writes the page or checks it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        if faults := check():
            sys.exit(f"{PAGE} is out of date, run scripts/accuracy.py: {'; '.join(faults)}")
        return
    PAGE.write_text(INTRODUCTION + "".join(f"{row(function)}\n" for function in FUNCTIONS))


if __name__ == "__main__":
    main()
