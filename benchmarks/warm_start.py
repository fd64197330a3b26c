"""MiniLM's first call in a new process: with an empty disk cache, and with the program already there.

Each measurement is a process of its own. The call is timed from after the imports and the reading of the
weights to the embeddings in NumPy; a second call in the same process shows what the first one adds. Modules
come from bytecode, as in an installed package.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

import harness

PROGRAM = """
import json, sys, time
import minilm, numpy as np, wax, wax.numpy
folder = minilm.model_folder()
parameters = minilm.load(folder)
rng = np.random.default_rng(0)
ids = rng.integers(1000, 30000, (4, 16), np.int32)
mask = np.ones((4, 16), np.int32)
times = []
for _ in range(4):
    begin = time.perf_counter()
    np.asarray(minilm.embed(parameters, ids, mask))
    times.append(time.perf_counter() - begin)
compiler = sorted(name for name in sys.modules if name.startswith("iree.compiler"))
print(json.dumps({"first": times[0], "later": min(times[1:]), "compiler": compiler}))
"""


def measure(cache: str) -> dict:
    environment = {
        **os.environ,
        "WAX_CACHE_DIR": os.path.join(cache, "programs"),
        "PYTHONPYCACHEPREFIX": os.path.join(cache, "bytecode"),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def main() -> None:
    options = harness.parser(__doc__).parse_args()
    harness.start(options)
    with tempfile.TemporaryDirectory() as cache:
        cold = measure(cache)
        warm = [measure(cache) for _ in range(options.rounds or 9)]
    first = [one["first"] for one in warm]
    rows = [
        harness.Row("empty disk cache", {"first call": cold["first"], "later call": cold["later"]}),
        harness.Row(
            "program in the disk cache",
            {
                "first call": statistics.median(first),
                "later call": statistics.median(one["later"] for one in warm),
            },
            notes=f"of {len(warm)} processes, {min(first) * 1e3:.0f} to {max(first) * 1e3:.0f} ms; "
            + ("the compiler was imported" if any(one["compiler"] for one in warm) else "no compiler imported"),
        ),
    ]
    harness.report("warm_start", "MiniLM in a new process, after imports", rows, options)


if __name__ == "__main__":
    main()
