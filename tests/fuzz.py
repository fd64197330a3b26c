"""Looks for programs that crash, hang, or disagree: many more than the tests run.

    python tests/fuzz.py --count 100000
    python tests/fuzz.py --checks iree --first 400 --count 5000 --jobs 1
    python tests/fuzz.py --checks arrays --device cuda

Each batch of seeds runs in a process of its own, so that a crash or a hang is a finding like any other; the seeds of
such a batch are then tried one by one. What is found is printed and makes the exit status 1; what IREE's compiler
refuses with an error, as users are told in a call, is printed and counted apart. `--keep FOLDER` writes the programs
there, as files that belong into tests/passes/found once they are made small and their fault is mended; those of
`arrays` are Python, and known by their seeds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

os.environ.setdefault("WAX_VERIFY_PASSES", "1")
sys.path[:0] = [str(Path(__file__).resolve().parent)]

#: Seeds in a batch, and seconds that one may take.
BATCHES = {
    "rewrites": (1000, 300),
    "upstream": (300, 300),
    "split": (300, 300),
    "mutations": (500, 300),
    "derivatives": (300, 300),
    "iree": (50, 600),
    "arrays": (50, 600),
}
#: What IREE's compiler says no to, with its diagnostics: when it crashes, the status is negative.
_REFUSED = re.compile(r"CompilerToolError: [^\n]*\nError code: [1-9]|CompileError: [^\n]*IREE could not compile")
_CONTEXT = multiprocessing.get_context("spawn")


def _work(check: str, seeds: range, device: str, sender: multiprocessing.connection.Connection) -> None:
    if check == "arrays":
        from array_programs import faults

        examined = partial(faults, device=device)
    else:
        from program_checks import CHECKS

        examined = CHECKS[check]
    try:
        faults = examined(seeds)
    except Exception as error:  # noqa: BLE001 (whatever a check raises is a finding)
        faults = [f"{seeds[0]}…{seeds[-1]}: {type(error).__name__}: {str(error)[:1000]}"]
    sender.send(faults)


def _attempt(check: str, seeds: range, device: str) -> tuple[list[str], bool]:
    """What a process finds, and whether it came to an end by itself without an error."""
    receiver, sender = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=_work, args=(check, seeds, device, sender), daemon=True)
    seconds = BATCHES[check][1]
    process.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            return [f"{seeds[0]}…{seeds[-1]}: hangs for {seconds:.0f} s"], False
        faults = receiver.recv()
    except EOFError:
        process.join()
        return [f"{seeds[0]}…{seeds[-1]}: the process ends with {process.exitcode}"], False
    finally:
        process.kill()
        process.join()
    return faults, not any("…" in fault.split(":")[0] for fault in faults)


def examine(check: str, seeds: range, device: str = "cpu") -> list[str]:
    """What a check finds wrong with the programs of these seeds; whole batches that fail are tried seed by seed."""
    faults, ended = _attempt(check, seeds, device)
    if ended or len(seeds) == 1:
        return faults
    half = len(seeds) // 2
    found = examine(check, seeds[:half], device) + examine(check, seeds[half:], device)
    if not found and "CompilerToolError" in faults[0]:
        # One program alone may be compiled with later flags than several together.
        return []
    return found or [f"{faults[0]} (but its halves do not)"]


def _keep(check: str, fault: str, seed: int, path: Path) -> None:
    from kept_programs import write
    from random_programs import program_for

    write(program_for(check, seed), path, fault)


def keep(check: str, fault: str, folder: Path) -> None:
    """Writes the program of a fault that belongs to one seed; in another process, as making it may be what crashes."""
    if check != "arrays" and (found := re.match(r"(\d+)(?:…\1)?: ", fault)):
        path = folder / f"{check}_{found[1]}.mlir"
        process = _CONTEXT.Process(target=_keep, args=(check, fault[found.end() :], int(found[1]), path))
        process.start()
        process.join()


def main() -> None:
    """Runs the checks and prints what they find."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many seeds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--checks", nargs="+", choices=BATCHES, default=list(BATCHES), help="which checks")
    parser.add_argument("--device", default="cpu", help="where programs of `arrays` run (cpu)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the programs found are written")
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    last = given.first + given.count
    work = [
        (check, range(first, min(first + BATCHES[check][0], last)))
        for check in given.checks
        for first in range(given.first, last, BATCHES[check][0])
    ]
    total = refused = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for (check, seeds), faults in zip(work, pool.map(lambda one: examine(*one, given.device), work), strict=True):
            for fault in faults:
                if _REFUSED.search(fault):
                    refused += 1
                else:
                    total += 1
                print(f"{check} {fault}", flush=True)
                if given.keep:
                    keep(check, fault, given.keep)
            if sys.stderr.isatty():
                print(f"{check} {seeds[-1] + 1 - given.first}/{given.count}", end="\r", file=sys.stderr)
    apart = f", {refused} refused by IREE," if refused else ""
    print(f"{total} faults{apart} in {given.count} programs ({', '.join(given.checks)})")
    sys.exit(total > 0)


if __name__ == "__main__":
    main()
