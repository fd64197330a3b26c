"""Rows of array programs: embedding, sort, prefix sum, Fourier transform, as `basis.py` has them."""

from __future__ import annotations

from dataclasses import replace

import basis
from bounds import Work
from cases import Case

#: Rows of `basis.py`, and the least that they move.
SHOWN = {
    "gather: 8192 rows of 128": Work(bytes=2 * 4 * 8192 * 128),
    "sort: stable": Work(bytes=8e6),
    "sort: 10000 rows of 100": Work(bytes=8e6),
    "scan: cumulative sum": Work(bytes=8e6),
    "fft: 64 of 4096": Work(bytes=2 * 8 * 64 * 4096),
}


def cases() -> list[Case]:
    """The rows."""
    return [replace(case, work=SHOWN[case.name]) for case in basis.cases() if case.name in SHOWN]
