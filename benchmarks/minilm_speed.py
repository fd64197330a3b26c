"""MiniLM over a batch of 32 × 128 tokens: time and peak memory, against PyTorch eager and jax.jit.

Times are taken in turns in one process, with the same weights and tokens. Peak memory is the greatest resident
size of a process in which one framework alone does the work, and what of that it has after its imports.
"""

import json
import os
import subprocess
import sys

import harness

FRAMEWORKS = ("wax", "torch", "jax")


def tokens(batch: int, length: int):
    """Random words, the second half of the sentences only three quarters as long."""
    import numpy as np

    ids = np.random.default_rng(0).integers(1000, 30000, (batch, length), np.int32)
    mask = np.ones((batch, length), np.int32)
    mask[batch // 2 :, length * 3 // 4 :] = 0
    return ids * mask, mask


def contender(framework: str, batch: int, length: int) -> harness.Contender:
    """A framework's embedding of the batch, weights loaded, result in NumPy."""
    import minilm
    import numpy as np

    folder = minilm.model_folder()
    ids, mask = tokens(batch, length)
    match framework:
        case "wax":
            import wax.numpy as wnp

            p, (x, m) = minilm.load(folder), map(wnp.asarray, (ids, mask))
            return harness.Contender("wax", lambda: np.asarray(minilm.embed(p, x, m)))
        case "torch" | "torch.compile":
            import minilm_torch
            import torch

            torch.set_num_threads(int(os.environ["WAX_NUM_THREADS"]))
            p, (x, m) = minilm_torch.load(folder), map(torch.from_numpy, (ids, mask))
            embed = minilm_torch.embed
            if "." in framework:  # which fails in inference mode, unless something was compiled before
                embed = torch.compile(torch.no_grad()(embed.__wrapped__), dynamic=False)
            return harness.Contender(framework, lambda: embed(p, x, m).numpy())
        case _:
            import jax
            import models

            config = json.loads((folder / "config.json").read_text())
            checkpoint = {name: jax.numpy.asarray(value) for name, value in minilm.tensors(folder).items()}
            p, (x, m) = minilm.parameters(checkpoint, config), map(jax.numpy.asarray, (ids, mask))
            del checkpoint
            embed = jax.jit(models.jax_minilm)
            return harness.Contender("jax", lambda: np.asarray(embed(p, x, m)))


def resident() -> dict[str, int]:
    """The process's resident memory now, and the most it ever had; in bytes."""
    with open("/proc/self/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return {name: int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM")}


def measure_memory(framework: str, options) -> dict[str, int]:
    """Runs a process of one framework, twice for wax: compiling is not what is measured."""
    command = [sys.executable, __file__, "--memory", framework, "--threads", str(options.threads)]
    command += ["--batch", str(options.batch), "--length", str(options.length)]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def main() -> None:
    parser = harness.parser(__doc__)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--memory", choices=FRAMEWORKS, help="only print this framework's memory, as JSON")
    options = parser.parse_args()
    harness.start(options)
    if options.memory:
        imported = {"wax": "wax", "torch": "torch", "jax": "jax"}[options.memory]
        __import__(imported)
        before = resident()["VmRSS"]
        one = contender(options.memory, options.batch, options.length)
        for _ in range(3):
            one.run()
        print(json.dumps({"imports": before, "peak": resident()["VmHWM"]}))
        return
    memory = {framework: measure_memory(framework, options) for framework in FRAMEWORKS}
    contenders = [contender(framework, options.batch, options.length) for framework in FRAMEWORKS]
    row = harness.compare(
        f"{options.batch} × {options.length} tokens", contenders, rounds=options.rounds or 15, tolerance=1e-5
    )
    row.notes = "peak memory (imports): " + ", ".join(
        f"{name} {m['peak'] / 2**20:.0f} ({m['imports'] / 2**20:.0f}) MiB" for name, m in memory.items()
    )
    harness.report("minilm", "all-MiniLM-L6-v2", [row], options)


if __name__ == "__main__":
    main()
