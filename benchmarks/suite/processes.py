"""Rows that need a process each: compile times with empty and with filled caches on disk, and peak memory.

Also a program, one of those processes: `processes.py FRAMEWORK` makes the first call of GPT-2-small's block.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import harness
from cases import COMPILED

from suite import block

FRAMEWORKS = ("wax", "jax", "torch", COMPILED)
LENGTH = 128


def rows(threads: int, rounds: int, only: str = "", inductor: bool = False) -> list[harness.Row]:
    """The rows whose name has `only` in it."""
    made = []
    name = f"compile: GPT-2-small block, {LENGTH} tokens"
    if only in name:
        compiled = [one for one in FRAMEWORKS if one != "torch" and (inductor or one != COMPILED)]
        calls: dict[str, list[float]] = {framework: [] for framework in compiled}
        warm = {}
        for turn in range(rounds):
            for framework in compiled:
                # Which takes seconds, and what that varies by is not worth them.
                if turn and framework == COMPILED:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    calls[framework].append(_first_call(framework, threads, folder))
                    if not turn:
                        later = (_first_call(framework, threads, folder) for _ in range(rounds))
                        warm[framework] = statistics.median(later)
        cold = {framework: statistics.median(times) for framework, times in calls.items()}
        share = warm["wax"] / cold["jax"]
        made.append(harness.Row(f"{name}, caches empty", cold, skipped={"torch": "compiles nothing"}))
        made.append(
            harness.Row(
                f"{name}, in the cache on disk",
                warm,
                notes=f"{share:.2f} of JAX's first compilation",
                skipped={"torch": "compiles nothing"},
            )
        )
    name = "peak memory: MiniLM, 32 × 128 tokens"
    if only in name:
        import minilm_speed

        options = SimpleNamespace(threads=threads, batch=32, length=128)
        peaks = {one: minilm_speed.measure_memory(one, options)["peak"] for one in minilm_speed.FRAMEWORKS}
        made.append(harness.Row(name, peaks, unit="B"))
    return made


def _first_call(framework: str, threads: int, folder: str) -> float:
    # What is installed has its bytecode, so what runs from a checkout may keep its own.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {
        **kept,
        "WAX_CACHE_DIR": os.path.join(folder, "wax"),
        "JAX_COMPILATION_CACHE_DIR": os.path.join(folder, "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "TORCHINDUCTOR_CACHE_DIR": os.path.join(folder, "torch"),
    }
    command = [sys.executable, __file__, framework, "--threads", str(threads)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Prints the seconds of the first call, trace and compilation included, in this new process."""
    parser = harness.parser(__doc__)
    parser.add_argument("framework", choices=FRAMEWORKS)
    options = parser.parse_args()
    harness.start(options)
    arrays = block.arrays(LENGTH)
    if options.framework == "wax":
        import wax
        import wax.nn
        import wax.numpy as wnp

        run, own = wax.jit(block.wax_block), [wnp.asarray(x) for x in arrays]
    elif options.framework == "jax":
        import jax

        run, own = jax.jit(block.jax_block), [jax.numpy.asarray(x) for x in arrays]
    else:
        import torch

        torch.set_num_threads(options.threads)
        run = torch.compile(block.torch_block, dynamic=False) if options.framework == COMPILED else block.torch_block
        own = [torch.from_numpy(x) for x in arrays]
    import numpy as np

    begin = time.perf_counter()
    np.asarray(run(*own))
    print(json.dumps(time.perf_counter() - begin))


if __name__ == "__main__":
    main()
