"""Work on a GPU, against PyTorch eager and `jax.jit` on the same one.

Each framework has its arrays there, and a turn is ten calls and waiting for the last: calls return before their results
are there. Products in f32 are PyTorch's without tf32; JAX chooses for itself. `--device cpu` only tries the program.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import harness
from cases import Case, judged, leaves, to_torch

CALLS = 10


def _case(name: str, wax: Callable[..., Any], jax: Callable[..., Any], torch: Any, *arrays: Any, off: float) -> Case:
    return Case(name, wax, arrays, {"jax": jax, "torch": torch}, off, turns=CALLS)


def _pointwise() -> list[Case]:
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax.nn
    import wax.numpy as wnp

    random = np.random.default_rng(0)

    def floats(*shape: int) -> np.ndarray:
        return random.standard_normal(shape, dtype=np.float32)

    flat, square, row = floats(1 << 22), floats(4096, 4096), floats(4096)
    table, places = floats(10_000, 128), random.integers(0, 10_000, 8192).astype(np.int32)
    rows = floats(64, 4096)

    def normalized(x: Any, w: Any, b: Any) -> Any:
        deviation = x - jnp.mean(x, -1, keepdims=True)
        return deviation * jax.lax.rsqrt(jnp.mean(deviation**2, -1, keepdims=True) + 1e-5) * w + b

    return [
        _case("x + y, 4 M", lambda x, y: x + y, lambda x, y: x + y, lambda x, y: x + y, flat, flat, off=1e-6),
        _case("tanh(exp(x) / 2), 4 M", lambda x: wnp.tanh(wnp.exp(x) / 2), lambda x: jnp.tanh(jnp.exp(x) / 2),
              lambda x: torch.tanh(torch.exp(x) / 2), flat, off=1e-5),
        _case("sum of all of 4096 × 4096", wnp.sum, jnp.sum, torch.sum, square, off=1e-3),
        _case("sum along columns", lambda x: wnp.sum(x, axis=0), lambda x: x.sum(0), lambda x: x.sum(0), square,
              off=1e-4),
        _case("sum along rows", lambda x: wnp.sum(x, axis=1), lambda x: x.sum(1), lambda x: x.sum(1), square, off=1e-4),
        _case("softmax of 4096 × 4096", wax.nn.softmax, jax.nn.softmax, lambda x: torch.softmax(x, -1), square,
              off=1e-5),
        _case("layer norm of 4096 × 4096", wax.nn.layer_norm, normalized,
              lambda x, w, b: torch.nn.functional.layer_norm(x, x.shape[-1:], w, b), square, row, row, off=1e-4),
        _case("8192 rows of 128", lambda t, i: wnp.take(t, i, axis=0), lambda t, i: jnp.take(t, i, axis=0),
              lambda t, i: torch.index_select(t, 0, i), table, places, off=0),
        _case("sort of 64 × 4096", wnp.sort, jnp.sort, lambda x: torch.sort(x).values, rows, off=0),
        _case("cumulative sum of 64 × 4096", lambda x: wnp.cumulative_sum(x, axis=1), lambda x: jnp.cumsum(x, 1),
              lambda x: torch.cumsum(x, 1), rows, off=1e-4),
        _case("transform of 64 × 4096", wnp.fft.fft, jnp.fft.fft, torch.fft.fft, rows.astype(np.complex64), off=1e-4),
    ]  # fmt: skip


def _products() -> list[Case]:
    import jax
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
    import torch
    from suite import block

    import wax
    import wax.nn

    random = np.random.default_rng(0)

    def product(name: str, *shapes: tuple[int, ...], dtype: Any = np.float32, off: float = 2e-3) -> Case:
        x, y = ((random.standard_normal(shape, dtype=np.float32) / 8).astype(dtype) for shape in shapes)
        return _case(name, lambda x, y: x @ y, lambda x, y: x @ y, lambda x, y: x @ y, x, y, off=off)

    made = [product(f"product of {n}³", (n, n), (n, n)) for n in (256, 1024, 4096)]
    made += [
        product(f"product of {n}³, {np.dtype(dtype).name}", (n, n), (n, n), dtype=dtype, off=2e-2)
        for dtype in (np.float16, ml_dtypes.bfloat16)
        for n in (1024, 4096)
    ]
    made.append(product("product of 8 × 4096 and 4096 × 4096", (8, 4096), (4096, 4096)))
    made.append(product("16 products of 512³", (16, 512, 512), (16, 512, 512)))

    def attention(q: Any, k: Any, v: Any) -> Any:
        q, k, v = (jnp.swapaxes(x, 1, 2) for x in (q, k, v))
        return jnp.swapaxes(jax.nn.dot_product_attention(q, k, v, is_causal=True), 1, 2)

    for dtype, off in ((np.float32, 2e-3), (np.float16, 2e-2)):
        heads = [random.standard_normal((8, 12, 512, 64), dtype=np.float32).astype(dtype) for _ in range(3)]
        made.append(
            _case(
                f"causal attention of 8 × 12 × 512 × 64, {np.dtype(dtype).name}",
                lambda q, k, v: wax.nn.attention(q, k, v, is_causal=True),
                attention,
                lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True),
                *heads,
                off=off,
            )
        )
    everything = tuple(range(1 + len(block.SHAPES)))
    for length in (128, 512):
        name, arrays = f"GPT-2-small block, {length} tokens", block.arrays(length)
        made.append(_case(name, block.wax_block, block.jax_block, block.torch_block, *arrays, off=2e-3))
        gradients = [f(block.loss_of(b), everything) for f, b in (
            (wax.value_and_grad, block.wax_block), (jax.value_and_grad, block.jax_block)
        )]  # fmt: skip
        theirs = block.torch_gradient(block.loss_of(block.torch_block))
        made.append(_case(f"{name}, with gradient", *gradients, theirs, *arrays, off=5e-3))
    return made


def contenders(case: Case, device: str) -> list[harness.Contender]:
    """Each framework that has such a device, with the arrays on it."""
    import jax
    import torch

    import wax

    def often(function: Callable[..., Any], arrays: list[Any], wait: Callable[[Any], None]) -> Callable[[], Any]:
        def run() -> Any:
            for _ in range(CALLS - 1):
                function(*arrays)
            result = function(*arrays)
            wait(result)
            return result

        return run

    def waited(result: Any) -> None:
        leaves(wax.tree.leaves(result))[-1].block_until_ready()

    mine = [wax.device_put(x, device) for x in case.arrays]
    made = [harness.Contender("wax", often(wax.jit(case.wax, device=device), mine, waited))]
    if jax.default_backend() in (device, "gpu"):
        theirs = [jax.device_put(x) for x in case.arrays]
        made.append(harness.Contender("jax", often(jax.jit(case.peers["jax"]), theirs, jax.block_until_ready)))
    if device == "cpu" or torch.cuda.is_available():
        tensors = [to_torch(x).to(device) for x in case.arrays]
        synchronize = (lambda _: None) if device == "cpu" else (lambda _: torch.cuda.synchronize())
        made.append(harness.Contender("torch", often(case.peers["torch"], tensors, synchronize)))
    return made


def main() -> None:
    """Times the rows and prints the table."""
    parser = harness.parser(__doc__, only=True)
    parser.add_argument("--device", default="cuda", help="where all frameworks compute (cuda)")
    options = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = options.device
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    harness.start(options)
    rounds = options.rounds or 7
    cases = [case for case in (*_pointwise(), *_products()) if options.only in case.name]
    rows = [judged(case, contenders(case, options.device), rounds) for case in cases]
    harness.report(f"accelerators-{options.device}", f"Work on {options.device}", rows, options)


if __name__ == "__main__":
    main()
