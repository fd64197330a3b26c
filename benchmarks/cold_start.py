"""MiniLM from a saved `.vmfb` in a process that has the runtime only: import, load, first call; and its peak memory.

Each measurement is a process of its own, timed from before the first import to the embeddings in NumPy; the start of
Python itself is not counted. Modules come from bytecode, files from the system's cache, as in a service that restarts.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile

import harness

PROGRAM = """
import time
begin = time.perf_counter()
import resource, sys
import numpy as np
numpy = time.perf_counter()
import wax_runtime
imported = time.perf_counter()
f = wax_runtime.load(sys.argv[1])
loaded = time.perf_counter()
rng = np.random.default_rng(0)
ids, mask = rng.integers(1000, 30000, (4, 16), np.int32), np.ones((4, 16), np.int32)
made = np.asarray(f(ids, mask))
called, cpu = time.perf_counter(), time.process_time()
np.asarray(f(ids, mask))
again = time.perf_counter()
import json
assert made.shape == (4, 384) and "wax" not in sys.modules
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(json.dumps({"import NumPy": numpy - begin, "import wax_runtime": imported - numpy, "load": loaded - imported,
                  "first call": called - loaded, "all of it": called - begin, "all of it, time of the CPU": cpu, "later call": again - called,
                  "peak": peak, "weights": sum(w.nbytes for w in f.weights)}))
"""


def save(path: str) -> None:
    """Exports the model, its weights beside it."""
    import minilm
    import numpy as np

    import wax

    weights = minilm.load(minilm.model_folder())
    shapes = {name: {0: minilm.BATCH, 1: minilm.LENGTH} for name in ("ids", "mask")}
    embed = wax.jit(lambda ids, mask: minilm.embeddings(weights, ids, mask), dynamic_shapes=shapes)
    example = np.ones((4, 16), np.int32)
    wax.export(embed)(example, example).save(path)


def main() -> None:
    options = harness.parser(__doc__).parse_args()
    harness.start(options)
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "minilm.vmfb")
        save(program)
        environment = {
            **os.environ,
            "PYTHONPYCACHEPREFIX": os.path.join(folder, "bytecode"),
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }

        def measure() -> dict:
            command = [sys.executable, "-c", PROGRAM, program]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                raise SystemExit(done.stderr)
            return json.loads(done.stdout)

        measure()  # leaves the bytecode
        found = [measure() for _ in range(options.rounds or 9)]
    peak, weights = (statistics.median(one[key] for one in found) for key in ("peak", "weights"))
    rows = [
        harness.Row(name, {"wax_runtime": statistics.median(one[name] for one in found)})
        for name in found[0]
        if name not in ("peak", "weights")
    ]
    rows[
        -3
    ].notes = f"of {len(found)} processes; peak memory {peak / 1e6:.0f} MB, the weights {weights / 1e6:.0f} MB of it"
    harness.report("cold_start", "MiniLM from a file, without wax and without a compiler", rows, options)


if __name__ == "__main__":
    main()
