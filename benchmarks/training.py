"""A training step of `examples/train_lm.py` (loss, gradient, AdamW) against jax.jit and PyTorch; compile times.

The state is donated to both compilers; PyTorch runs eagerly, with its fused AdamW. The peak is what a process grows by
over the first steps, each framework in a process of its own.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness

#: width, layers, heads, context, batch
SIZES = {"1 M parameters": (128, 4, 4, 128, 16), "7 M parameters": (256, 8, 8, 128, 8)}
FRAMEWORKS = ("wax", "jax", "torch")
LAYERS = (1, 100)


def run_of(size: str) -> Any:
    """The settings of a training."""
    import gpt
    import train_lm

    width, layers, heads, context, batch = SIZES[size]
    return train_lm.Run(gpt.Config(73, width, layers, heads, heads, context), batch, 0, 2e-3, 50, 1000)


def stepper(framework: str, size: str, threads: int) -> Callable[[], float]:
    """What makes one step, and gives the loss."""
    import numpy as np
    import train_lm

    import wax

    run = run_of(size)
    pieces = np.random.default_rng(0).integers(0, 73, (run.batch, run.config.context + 1)).astype(np.int32)
    first = train_lm.initial(run)
    params = wax.tree.map(np.array, first.params)
    if framework == "torch":
        return torch_stepper(params, pieces, run, threads)
    if framework == "wax":
        state, step = first, train_lm.make_step(run)
    else:
        import gpt_jax

        state, step = gpt_jax.initial(params), gpt_jax.make_step(run)

    def once() -> float:
        nonlocal state
        state, loss = step(state, pieces)
        return float(loss)

    return once


def torch_stepper(params: Any, pieces: Any, run: Any, threads: int) -> Callable[[], float]:
    """The same in PyTorch."""
    import torch
    import torch.nn.functional as F

    import wax

    torch.set_num_threads(threads)
    leaves, structure = wax.tree.flatten(params)
    tensors = [torch.tensor(leaf, requires_grad=True) for leaf in leaves]
    p = wax.tree.unflatten(structure, tensors)
    optimizer = torch.optim.AdamW(
        [
            {"params": [x for x in tensors if x.ndim > 1], "weight_decay": 0.1},
            {"params": [x for x in tensors if x.ndim <= 1], "weight_decay": 0.0},
        ],
        lr=1e-4,
        betas=(0.9, 0.99),
        fused=True,
    )
    ids, wanted = torch.tensor(pieces[:, :-1]).long(), torch.tensor(pieces[:, 1:]).long()
    config = run.config
    half = config.width // config.heads // 2
    angles = torch.arange(config.context)[:, None] * 10000.0 ** (-torch.arange(half) / half)
    sine, cosine = torch.sin(angles), torch.cos(angles)

    def turned(x: Any) -> Any:
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cosine - b * sine, a * sine + b * cosine], -1)

    def once() -> float:
        x = F.embedding(ids, p.words)
        for layer in p.layers:
            h = F.rms_norm(x, x.shape[-1:], layer.norm, 1e-6)
            q, k, v = ((h @ w).unflatten(-1, (config.heads, -1)).transpose(1, 2) for w in layer[1:4])
            mixed = F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True)
            x = x + mixed.transpose(1, 2).flatten(2) @ layer.output
            h = F.rms_norm(x, x.shape[-1:], layer.hidden_norm, 1e-6)
            x = x + (F.silu(h @ layer.gate) * (h @ layer.up)) @ layer.down
        logits = F.rms_norm(x, x.shape[-1:], p.norm, 1e-6) @ p.words.T
        loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(tensors, 1.0)
        optimizer.step()
        return float(loss.detach())

    return once


def peak(framework: str, size: str, threads: int) -> float:
    """Bytes that a process of its own grows by over the first steps, compiling aside."""
    command = [sys.executable, __file__, "--threads", str(threads), "--peak", framework, size]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def measure_peak(framework: str, size: str, threads: int) -> None:
    """Prints what this process grew by after its first step, which compiled."""
    step = stepper(framework, size, threads)
    step()
    # The peak so far is the compiler's: what is resident now is what there is without it.
    Path("/proc/self/clear_refs").write_text("5")
    for _ in range(3):
        step()
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    resident = resource.getpagesize() * int(Path("/proc/self/statm").read_text().split()[1])
    print(json.dumps({"peak": int(lines["VmHWM"].split()[0]) * 1024, "resident": resident}))


def compile_rows() -> list[harness.Row]:
    """How long programs take to compile: a gradient beside its function, many layers beside one."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    import wax
    import wax.numpy as wnp

    uncached = wax.CompileOptions(cache=False)

    def timed(ours: Callable[..., Any], its: Callable[..., Any], *arguments: Any) -> dict[str, float]:
        begin = time.perf_counter()
        wax.jit(ours).lower(*map(wnp.asarray, arguments)).compile(options=uncached)
        middle = time.perf_counter()
        jax.jit(its).lower(*arguments).compile()
        return {"wax": middle - begin, "jax": time.perf_counter() - middle}

    def layers(numpy: Any, scan: Any) -> Callable[..., Any]:
        def loss(w: Any, x: Any) -> Any:
            def layer(h: Any, one: Any) -> Any:
                return numpy.tanh(h @ one) + h, None

            return numpy.sum(scan(layer, x, w)[0] ** 2)

        return loss

    ours, its = layers(wnp, wax.scan), layers(jnp, jax.lax.scan)
    rows = []
    x = np.ones((8, 64), np.float32)
    timed(ours, its, np.ones((2, 64, 64), np.float32), x)  # what is loaded once
    for count in LAYERS:
        w = np.ones((count, 64, 64), np.float32)
        rows.append(harness.Row(f"compile a scan over {count} layers", timed(ours, its, w, x)))
        rows.append(harness.Row("  its gradient", timed(wax.grad(ours), jax.grad(its), w, x)))
    return rows


def main() -> None:
    """Times the steps, and keeps the table."""
    parser = harness.parser(__doc__)
    parser.add_argument("--peak", nargs=2, metavar=("FRAMEWORK", "SIZE"), help="print one framework's peak only")
    options = parser.parse_args()
    harness.start(options)
    if options.peak:
        measure_peak(*options.peak, options.threads)
        return
    rows = []
    for size in SIZES:
        contenders = [harness.Contender(one, stepper(one, size, options.threads)) for one in FRAMEWORKS]
        rows.append(harness.compare(f"a step, {size}", contenders, rounds=options.rounds or 9, tolerance=1e-3))
        peaks = {one: peak(one, size, options.threads) for one in FRAMEWORKS}
        rows[-1].notes = "peak " + ", ".join(f"{one} {peaks[one]['peak'] / 2**20:.0f} MiB" for one in FRAMEWORKS)
    if options.threads == 1:
        rows += compile_rows()
    harness.report("training", "Training a small GPT", rows, options)


if __name__ == "__main__":
    main()
