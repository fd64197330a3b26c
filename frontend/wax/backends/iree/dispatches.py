"""How long each dispatch of a compiled program takes: each is cut out of it by IREE's compiler, and measured alone.

`--iree-hal-dump-executable-benchmarks-to` writes a program for each dispatch whose sizes are static, which does nothing
else, on memory that holds nothing. They are run in processes of their own (`measuring.py`).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from wax.backends.iree import isolated
from wax.backends.iree.compilation import given_text
from wax.backends.iree.outcomes import CompilationFailed
from wax.backends.iree.thread_tiles import for_flags
from wax.backends.iree.tools import tool
from wax_runtime.backend import Dispatch, Program
from wax_runtime.devices import CPU, Device
from wax_runtime.errors import BackendError, Location

__all__ = ["dispatches_of"]

#: Times a dispatch is done in a row, so that beginning the row does not count; and seconds for all rows.
_IN_A_ROW, _SECONDS = 64, 0.05
#: After so many seconds a dispatch is given up: what it does may depend on what its memory holds.
_TIMEOUT = 60.0

_EXECUTABLE = re.compile(r"^  stream\.executable private @(\S+) \{")
_EXPORT = re.compile(r"stream\.executable\.export public @(\S+)")
_DISPATCH = re.compile(r"stream\.cmd\.dispatch \{?@[\w$.-]+::@([\w$.-]+)")
_LABEL = re.compile(r"^ +(\^bb\d+)")
_TARGET = re.compile(r"(\^bb\d+)\b")
#: What computes, in a dispatch; and the user's place of it, within those of the functions that called.
_OPERATION = re.compile(
    r"^ {8,}(%[^=]+ = )?(arith|math|complex|linalg|iree_linalg_ext|iree_encoding|tensor)\.(?!constant)"
)
_PLACE = re.compile(r'\bloc\((?:(?:callsite\(|fused\[|fused<[^>]*>\[))*"([^"]+)":(\d+):(\d+)')
_BENCHMARK = re.compile(r"hal\.executable\.lookup\.function .*?function\(@[\w$.-]+::@[\w$.-]+::@([\w$.-]+)\)")


def dispatches_of(program: Program, flags: tuple[str, ...], device: Device) -> tuple[Dispatch, ...]:
    """The dispatches of a program that was compiled with these flags, in its order. Raises `BackendError`."""
    if device != CPU:
        raise BackendError(f"IREE's dispatches are measured one by one on {CPU}, and not on {device}")
    assert program.located is not None, "a program that was traced has the user's locations"
    text = for_flags(given_text(program.located(), device.platform).text, flags)
    with tempfile.TemporaryDirectory(prefix="wax-dispatches-") as folder:
        try:
            made = isolated.compile_text(text, (*flags, f"--iree-hal-dump-executable-benchmarks-to={folder}"))
        except CompilationFailed as failure:
            raise BackendError(f"{program.name}: IREE could not cut its dispatches out: {failure.reason}") from failure
        stream = made.stream.splitlines()
        seconds: dict[str, float] = {}
        for benchmark in sorted(Path(folder).glob("*_benchmark.mlir")):
            if names := set(_BENCHMARK.findall(benchmark.read_text())):
                (name,) = names
                measured = _measure(benchmark, flags)
                if measured is not None:
                    seconds[name] = measured
    places = _places(stream)
    return tuple(
        Dispatch(name, places.get(name, ()), count, seconds.get(name)) for name, count in _counts(stream).items()
    )


def _measure(benchmark: Path, flags: tuple[str, ...]) -> float | None:
    """Seconds of one dispatch; `None` where it cannot be measured."""
    compiled = benchmark.with_suffix(".vmfb")
    compile = [str(tool("iree-compile")), *flags, str(benchmark), "-o", str(compiled)]
    run = [sys.executable, "-m", "wax.backends.iree.measuring", str(compiled), str(_IN_A_ROW), str(_SECONDS)]
    try:
        if subprocess.run(compile, capture_output=True, check=False, timeout=_TIMEOUT).returncode:
            return None
        done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode else float(done.stdout)


def _counts(stream: Sequence[str]) -> dict[str, int | None]:
    """By dispatch, in order, how often a call does it; `None` for those in loops. What is done once is none of it."""
    looped: set[int] = set()
    labels: dict[str, int] = {}
    for number, line in enumerate(stream):
        if "util.func " in line:
            labels = {}
        elif match := _LABEL.match(line):
            labels[match[1]] = number
        elif "cf." in line:
            for target in _TARGET.findall(line):
                looped.update(range(labels.get(target, number), number))
    found: dict[str, int | None] = {}
    prepares = False
    for number, line in enumerate(stream):
        if "util.func " in line:
            prepares = "$prepare" in line
        elif not prepares and (match := _DISPATCH.search(line)):
            before = found.get(match[1], 0)
            found[match[1]] = None if number in looped or before is None else before + 1
    return found


def _places(stream: Iterable[str]) -> dict[str, tuple[Location, ...]]:
    """By dispatch, the user's lines that it does, in order."""
    found: dict[str, tuple[Location, ...]] = {}
    names: list[str] = []
    lines: dict[tuple[str, int], Location] = {}
    for line in stream:
        if _EXECUTABLE.match(line):
            names, lines = [], {}
        elif match := _EXPORT.search(line):
            names.append(match[1])
        elif names and _OPERATION.match(line) and (place := _PLACE.search(line)):
            where = Location(place[1], int(place[2]), int(place[3]))
            lines.setdefault((where.file, where.line), where)
        elif line.startswith("  }"):
            found.update((name, tuple(lines.values())) for name in names)
            names = []
    return found
