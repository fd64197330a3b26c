"""wax beside PyTorch, torch.compile and jax.jit, over the work of a user's day, and beside what the machine could do.

One process for each number of threads. In it, each framework has arrays of its own, results are compared before
anything is timed, and contenders take turns. The table and a plot are left in `benchmarks/results`: `bench.md`,
`bench.json` and `bench.svg`. What is chosen by `--only` or `--quick` is printed only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

import harness

#: Who runs; the first one is judged.
CONTENDERS = ("wax", "jax", "torch", "torch.compile")
#: No row takes longer for its turns, beyond the first three.
BUDGET = 4.0


def measure(options: argparse.Namespace) -> list[harness.Row]:
    """The rows, with the threads of this process."""
    harness.start(options)
    import torch

    torch.set_num_threads(options.threads)
    import bounds
    import call_overhead
    from cases import COMPILED, timed
    from suite import arrays, block, memory, models, processes, products, recurrent

    inductor, rounds = not options.quick, options.rounds or (3 if options.quick else 11)
    limit = BUDGET / 2 if options.quick else BUDGET
    listed = [
        case
        for module in (memory, products, arrays, recurrent, block)
        for case in module.cases()
        if options.only in case.name
    ]
    limits = bounds.measure(sorted({case.work.dtype for case in listed if case.work}))
    rows = call_overhead.rows(rounds, options.only, inductor)
    for case in listed:
        begin = time.perf_counter()
        row = timed(case, rounds, inductor=inductor, budget=limit)
        if not inductor:
            row.skipped.pop(COMPILED, None)
        if case.work is not None:
            seconds, by = limits.of(case.work)
            row = replace(row, bound=seconds / case.turns, bound_by=by)
        rows.append(row)
        _tell(row, time.perf_counter() - begin)
    rows += models.rows(rounds, options.only, inductor, limit)
    rows += processes.rows(options.threads, 1 if options.quick else 5, options.only, inductor)
    return rows


def _tell(row: harness.Row, took: float) -> None:
    ratios = ", ".join(f"{peer} {ratio:.2f}" for peer, ratio in row.ratios.items())
    print(f"{row.name}: {harness.quantity(row.seconds['wax'], row.unit)}; {ratios} ({took:.0f} s)", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--threads", type=int, nargs="+", help="numbers of threads to measure with (1 2)")
    parser.add_argument("--rounds", type=int, help="turns each contender takes (11)")
    parser.add_argument("--only", default="", help="the rows whose name has this in it; saves nothing")
    parser.add_argument("--quick", action="store_true", help="few turns, one thread, no torch.compile; saves nothing")
    parser.add_argument("--measure", metavar="FILE", help="measure in this process, and write the rows there")
    options = parser.parse_args()
    if options.measure:
        (options.threads,) = options.threads
        rows = measure(options)
        found = {"machine": harness.machine(options.threads), "rows": [asdict(row) for row in rows]}
        Path(options.measure).write_text(json.dumps(found))
        return
    most = len(os.sched_getaffinity(0))
    wanted = options.threads or ([1] if options.quick else [n for n in (1, 2) if n <= most])
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for threads in wanted:
            path = Path(folder, f"{threads}.json")
            command = [sys.executable, __file__, *sys.argv[1:], "--threads", str(threads), "--measure", str(path)]
            subprocess.run(command, check=True)
            runs.append(json.loads(path.read_text()))
    if not any(run["rows"] for run in runs):
        raise SystemExit(f"no row has {options.only!r} in its name")
    from suite import table

    text = table.markdown(runs, CONTENDERS)
    print(text)
    if options.only or options.quick:
        return
    harness.RESULTS.mkdir(exist_ok=True)
    (harness.RESULTS / "bench.json").write_text(json.dumps(runs, indent=1) + "\n")
    (harness.RESULTS / "bench.md").write_text(text)
    from suite import plot

    plot.save(runs, CONTENDERS, harness.RESULTS / "bench.svg")


if __name__ == "__main__":
    main()
