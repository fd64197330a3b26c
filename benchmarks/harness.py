"""What every benchmark shares: equal threads for all, equal results before any timing, medians taken in turns.

A program calls `start` before it imports a numeric library, `compare` for each row, and `report` at the end.
The measured things live in the programs, not here.
"""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).resolve().parent / "results"

#: Libraries read these when they are first imported. XLA counts the CPUs that the process may run on.
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "WAX_NUM_THREADS",
)
#: What turns are timed by.
clock = time.perf_counter
#: Seconds that a turn runs before it is timed. OpenMP's workers go on waiting busily for 10 ms after a call of PyTorch,
#: on the CPUs of whoever is next.
settling = 0.0
NUMERIC = ("numpy", "torch", "jax", "iree.runtime", "wax")
PACKAGES = ("wax", "iree-base-compiler", "iree-base-runtime", "numpy", "jax", "jaxlib", "torch", "optree")


def parser(description: str | None, *, only: bool = False) -> argparse.ArgumentParser:
    """The options that every benchmark has, and `--only` for one of many rows."""
    made = argparse.ArgumentParser(description=(description or "").split("\n", 1)[0])
    made.add_argument("--threads", type=int, default=1, help="threads of every framework (1)")
    made.add_argument("--rounds", type=int, default=None, help="turns each contender takes")
    made.add_argument("--cpu-time", action="store_true", help="time it by this process's CPUs, where others run too")
    made.add_argument("--no-save", action="store_true", help="leave benchmarks/results as it is")
    if only:
        made.add_argument("--only", default="", help="the rows whose name has this in it")
    return made


def start(options: argparse.Namespace) -> None:
    """Gives every framework `options.threads` threads, and prepares the process for timing."""
    early = [name for name in NUMERIC if name in sys.modules]
    if early:
        raise RuntimeError(f"{', '.join(early)} was imported before the threads were set")
    available = sorted(os.sched_getaffinity(0))
    if options.threads > len(available):
        raise SystemExit(f"--threads {options.threads}: this process may use {len(available)} CPUs")
    os.sched_setaffinity(0, available[: options.threads])
    global clock, settling
    settling = 0.015 if options.threads > 1 else 0.0
    clock = time.process_time if getattr(options, "cpu_time", False) else time.perf_counter
    for variable in THREAD_VARIABLES:
        os.environ[variable] = str(options.threads)
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    for folder in ("frontend", "runtime", "examples"):
        sys.path.insert(0, str(ROOT / folder))


@dataclass(frozen=True)
class Contender:
    """One framework's way of doing the work. `run` returns when the result is there."""

    name: str
    run: Callable[[], Any]


@dataclass
class Row:
    """One line of a table: seconds by contender, and the first one's ratio to each other."""

    name: str
    seconds: dict[str, float]
    spread: dict[str, tuple[float, float]] = field(default_factory=dict)
    notes: str = ""
    #: Of what is in `seconds`: "s", or "B" for bytes of memory.
    unit: str = "s"
    #: The least that the machine takes for it, and whether a copy or a product of matrices says so.
    bound: float | None = None
    bound_by: str = ""
    #: Contenders that could not run, and why.
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def ratios(self) -> dict[str, float]:
        """How much of each peer's time the first contender takes; below 1 it is ahead."""
        first, *peers = self.seconds
        return {peer: self.seconds[first] / self.seconds[peer] for peer in peers if self.seconds[peer]}


def agree(results: dict[str, Any], tolerance: float) -> None:
    """Fails unless all results are the first one's, within an absolute tolerance."""
    import numpy as np

    (first, expected), *others = results.items()
    for name, result in others:
        difference = float(np.max(np.abs(np.asarray(expected, np.float64) - np.asarray(result, np.float64))))
        if not difference <= tolerance:
            raise SystemExit(f"{first} and {name} disagree by {difference:.1e}: nothing to compare")


def compare(
    name: str,
    contenders: Sequence[Contender],
    *,
    rounds: int,
    tolerance: float | None = None,
    target: float = 0.02,
    budget: float = float("inf"),
    notes: str = "",
) -> Row:
    """Times the contenders in turns, after checking that their results agree.

    A turn repeats the call until it lasts about `target` seconds. Each contender's time is the median over
    its turns; the spread is from the first to the third quartile. Of `rounds` turns no more are taken than fit
    into `budget` seconds, but for three where a turn of all contenders does, and one where it does not.
    """
    results = {one.name: one.run() for one in contenders}
    if tolerance is not None:
        agree(results, tolerance)
    del results
    repeats, turn = {}, 0.0
    for one in contenders:
        once = _once(one.run)
        repeats[one.name] = max(1, round(target / max(once, 1e-9)))
        turn += once * repeats[one.name]
    rounds = int(min(rounds, max(1 if turn > budget else 3, budget / turn)))
    times: dict[str, list[float]] = {one.name: [] for one in contenders}
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        for number in range(rounds):
            # Nobody always follows the same neighbour, whose leavings in the caches differ.
            order = contenders if number % 2 else contenders[::-1]
            for one in order:
                times[one.name].append(_seconds(one.run, repeats[one.name]))
    finally:
        if collecting:
            gc.enable()
    return Row(
        name,
        {key: statistics.median(values) for key, values in times.items()},
        {key: _quartiles(values) for key, values in times.items()},
        notes,
    )


def _once(run: Callable[[], Any]) -> float:
    """A call's time, of three unless it is long."""
    first = _seconds(run, 1)
    return first if first > 0.3 else min(first, _seconds(run, 1), _seconds(run, 1))


def _seconds(run: Callable[[], Any], repeats: int) -> float:
    turns = range(repeats)
    settled = clock() + settling
    while clock() < settled:
        run()
    begin = clock()
    for _ in turns:
        run()
    return (clock() - begin) / repeats


def _quartiles(values: Sequence[float]) -> tuple[float, float]:
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def duration(seconds: float) -> str:
    """A time with the unit that suits it."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def quantity(value: float, unit: str) -> str:
    """A value of a row with its unit."""
    return duration(value) if unit == "s" else f"{value / 2**20:.0f} MiB"


def machine(threads: int) -> dict[str, Any]:
    """What a result depends on besides the program."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    model = next(models, platform.processor())
    return {
        "cpu": model,
        "cpus": os.cpu_count(),
        "threads": threads,
        "clock": clock.__name__,
        "load": round(os.getloadavg()[0], 2),
        "system": platform.platform(),
        "python": platform.python_version(),
        "packages": versions,
    }


def report(program: str, title: str, rows: Sequence[Row], options: argparse.Namespace) -> None:
    """Prints the table, and keeps it with the machine's facts in `benchmarks/results`."""
    import rich.console
    import rich.table

    facts = machine(options.threads)
    names = list(dict.fromkeys(name for row in rows for name in row.seconds))
    table = rich.table.Table(
        title=f"{title}\n{facts['cpu']}, {options.threads} thread(s), load {facts['load']}", title_justify="left"
    )
    table.add_column("")
    for name in names:
        table.add_column(name, justify="right")
    first, *peers = names
    for peer in peers:
        table.add_column(f"{first} / {peer}", justify="right")
    for row in rows:
        ratios = row.ratios
        table.add_row(
            row.name + (f"\n  {row.notes}" if row.notes else ""),
            *(quantity(row.seconds[name], row.unit) if name in row.seconds else "" for name in names),
            *(f"{ratios[peer]:.2f}" if peer in ratios else "" for peer in peers),
        )
    rich.console.Console(width=max(80, 30 + 16 * len(names) * 2)).print(table)
    if options.no_save:
        return
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{program}-{options.threads}.json"
    path.write_text(json.dumps({"machine": facts, "rows": [asdict(row) for row in rows]}, indent=2) + "\n")
