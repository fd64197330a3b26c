"""Dispatches for Vulkan and Metal whose threads read what others write, and wait for nothing.

IREE 3.13 computes the sums of some columns in the memory of a workgroup, `x - mean(x, axis=0)` of 33 columns among
them, and has other threads of the workgroup read them there, without a barrier in between: where threads are not in
step, they read what is not there yet. Such programs are refused, and then compiled with reductions in dispatches of
their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from wax.backends.iree.targets import are_for

__all__ = ["LACKS_BARRIER", "apart", "for_spirv", "lacks_barrier"]

#: What is said of such a program.
LACKS_BARRIER = "IREE has threads read what others write without a barrier"

_MODULE = re.compile(r"^ +spirv\.module ", re.MULTILINE)
_THREADS = re.compile(r'"LocalSize", (\d+), (\d+), (\d+)')
_MADE = re.compile(r"^( +)(%\w+) = ")
_PLACE = re.compile(r"^ +(%\w+) = spirv\.AccessChain (%\w+\[[^\]]*\]) : [^\n]*, Workgroup>$")
_USE = re.compile(r' spirv\.(Store|Load) "Workgroup" (%\w+)')
_REDUCTION = re.compile(
    r'^(?P<space> *)(?P<name>%[\w$.-]+)(?P<number>:\d+)?(?P<rest> = linalg\.generic [^\n]*"reduction".*?'
    r"^(?P=space)\} -> \(?(?P<types>[^\n]*?)\)?)$",
    re.MULTILINE | re.DOTALL,
)


def for_spirv(flags: Sequence[str]) -> bool:
    """Whether flags are for a device that takes SPIR-V, or what is made of it, among others."""
    return are_for(flags, "vulkan", "metal")


def lacks_barrier(translated: str) -> bool:
    """Whether a program as it is after IREE's phase `executable-targets` has such a dispatch."""
    begins = [found.start() for found in _MODULE.finditer(translated)]
    return any(_races(translated[begin:end]) for begin, end in pairwise([*begins, len(translated)]))


def _races(module: str) -> bool:
    """Whether a thread may read what another wrote: at a place that it does not know to be its own."""
    if "spirv.ControlBarrier" in module or _THREADS.findall(module) == [("1", "1", "1")]:
        return False
    # What is made outside of loops and branches is one number in a thread.
    outside = min((len(found[1]) for found in map(_MADE.match, module.splitlines()) if found), default=0)
    fixed: set[str] = set()
    places: dict[str, str] = {}
    written, read = set[str](), set[str]()
    for line in module.splitlines():
        if (made := _MADE.match(line)) and len(made[1]) == outside:
            fixed.add(made[2])
        if place := _PLACE.match(line):
            own = all(name in fixed for name in re.findall(r"%\w+", place[2]))
            places[place[1]] = place[2] if own else f"{place[2]} of {len(places)}"
        elif use := _USE.search(line):
            (written if use[1] == "Store" else read).add(places.get(use[2], use[2]))
    return bool(written) and bool(read - written)


def apart(text: str) -> str:
    """A program whose reductions are in dispatches without what reads them."""

    def kept(found: re.Match[str]) -> str:
        space, name, number = found["space"], found["name"], found["number"] or ""
        whole = f"%whole_{name[1:]}"
        results = ", ".join(f"{whole}#{i}" for i in range(int(number[1:]))) if number else whole
        return (
            f"{space}{whole}{number}{found['rest']}\n"
            f"{space}{name}{number} = util.optimization_barrier {results} : {found['types']}"
        )

    return _REDUCTION.sub(kept, text)
