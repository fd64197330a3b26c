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
import sys
def memory():  # the most there was; getrusage would count the process that started this one
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
import numpy as np
numpy = time.perf_counter()
import wax_runtime
wax_runtime.devices("cpu")
before, imported = memory(), time.perf_counter()
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
print(json.dumps({"import NumPy": numpy - begin, "import wax_runtime": imported - numpy, "load": loaded - imported,
                  "first call": called - loaded, "all of it": called - begin, "all of it, time of the CPU": cpu,
                  "later call": again - called, "before": before, "peak": memory(),
                  "weights": sum(w.nbytes for w in f.weights)}))
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
    sizes = ("before", "peak", "weights")
    before, peak, weights = (statistics.median(one[key] for one in found) / 1e6 for key in sizes)
    rows = [
        harness.Row(name, {"wax_runtime": statistics.median(one[name] for one in found)})
        for name in found[0]
        if name not in sizes
    ]
    rows[-3].notes = (
        f"of {len(found)} processes; {before:.0f} MB before the file is loaded, {peak - before:.0f} MB more at most, "
        f"of which the weights are {weights:.0f} MB"
    )
    harness.report("cold_start", "MiniLM from a file, without wax and without a compiler", rows, options)


if __name__ == "__main__":
    main()
