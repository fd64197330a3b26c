"""Each operation of the basis, against the fastest call that NumPy, JAX and PyTorch have for the same.

One typical use of an operation a row, on about a million f32 elements, each framework on arrays of its own; JAX
compiles, PyTorch runs eagerly. A row says which peer was fastest; above 1.3 it says what bounds wax there.
`wax.reshape` and `wax.constant` move nothing and have no row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
from cases import Case, timed

MEMORY = "memory: IREE writes the result past the caches' reach, once"
#: What bounds a row that is above 1.3.
BOUNDS: dict[str, str] = {
    "broadcast: a row added to 1000 × 1000": "rows that are no multiple of IREE's vectors, and memory",
    "reduce: sums along rows": "a dispatch; what it reads is in no cache",
    "reduce: sums along columns": "IREE's tiles, which pass over the accumulators several times",
    "reduce: argmax along rows": "NaN, equal values and their indices, told apart in each lane",
    "scan: cumulative sum": "one addition after another",
    "sort: 10000 rows of 100": "a merge sort without vectors; NumPy's uses AVX-512",
    "slice: every second row": MEMORY,
    "pad: by 100 on each side": "a fill and a copy, where one pass would do",
    "concat: two of 1000 × 1000": MEMORY,
    "reverse: a vector": MEMORY,
    "iota: arange": "memory; JAX returns a constant that it has",
    "gather: 8192 rows of 128": MEMORY,
    "insert: a box": MEMORY,
    "scatter: 8192 rows of 128 added": "a copy of the operand, and rows that are added by one workgroup",
    "fft: 64 of 4096": "one dispatch of loops over vectors, as fast as the libraries' own",
}


def cases() -> list[Case]:
    """The rows."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax.nn
    import wax.numpy as wnp
    import wax.special

    random = np.random.default_rng(0)

    def floats(*shape: int) -> np.ndarray:
        return random.standard_normal(shape).astype(np.float32)

    flat, square, image = floats(1_000_000), floats(1000, 1000), floats(8, 56, 56, 64)
    table, rows = floats(10_000, 128), random.integers(0, 10_000, 8192).astype(np.int32)
    kernel, updates, box = floats(3, 3, 64, 64), floats(8192, 128), floats(500, 500)
    signal = (floats(64, 4096) + 1j * floats(64, 4096)).astype(np.complex64)
    positive = np.abs(flat) + np.float32(0.1)

    def channels_first(x: Any) -> Any:
        return x.permute(0, 3, 1, 2)

    def torch_conv(x: Any, w: Any) -> Any:
        return torch.nn.functional.conv2d(channels_first(x), w.permute(3, 2, 0, 1), padding=1).permute(0, 2, 3, 1)

    def torch_pool(x: Any) -> Any:
        return torch.nn.functional.max_pool2d(channels_first(x), 2).permute(0, 2, 3, 1)

    def jax_conv(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def jax_pool(x: Any) -> Any:
        return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def numpy_pool(x: Any) -> Any:
        n, h, w, c = x.shape
        return x.reshape(n, h // 2, 2, w // 2, 2, c).max((2, 4))

    def numpy_set(x: Any, y: Any) -> Any:
        x = x.copy()
        x[100:600, 200:700] = y
        return x

    def numpy_add_at(x: Any, i: Any, u: Any) -> Any:
        x = x.copy()
        np.add.at(x, i, u)
        return x

    def torch_set(x: Any, y: Any) -> Any:
        x = x.clone()
        x[100:600, 200:700] = y
        return x

    def everywhere(name: str) -> dict[str, Callable[..., Any]]:
        return {"numpy": getattr(np, name), "jax": getattr(jnp, name), "torch": getattr(torch, name)}

    def alike(function: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
        return dict.fromkeys(("numpy", "jax", "torch"), function)

    def add(x: Any, y: Any) -> Any:
        return x + y

    def stepped(x: Any) -> Any:
        return x[::2, 100:900]

    return [
        Case("map: exp", wnp.exp, (flat,), everywhere("exp")),
        Case(
            "map: gammaln", wax.special.gammaln, (positive,), {"jax": jax.scipy.special.gammaln, "torch": torch.lgamma}
        ),
        Case("broadcast: a row added to 1000 × 1000", add, (square, square[0].copy()), alike(add)),
        Case(
            "broadcast, reduce: matmul 1000 × 1000",
            wnp.matmul,
            (square, square.T.copy()),
            everywhere("matmul"),
            1e-3,
        ),
        Case(
            "reduce: sums along rows",
            lambda x: wnp.sum(x, axis=1),
            (square,),
            {"numpy": lambda x: np.sum(x, 1), "jax": lambda x: jnp.sum(x, 1), "torch": lambda x: torch.sum(x, 1)},
            1e-3,
        ),
        Case(
            "reduce: sums along columns",
            lambda x: wnp.sum(x, axis=0),
            (square,),
            {"numpy": lambda x: np.sum(x, 0), "jax": lambda x: jnp.sum(x, 0), "torch": lambda x: torch.sum(x, 0)},
            1e-3,
        ),
        Case(
            "reduce: argmax along rows",
            lambda x: wnp.argmax(x, axis=1),
            (square,),
            {
                "numpy": lambda x: np.argmax(x, 1),
                "jax": lambda x: jnp.argmax(x, 1),
                "torch": lambda x: torch.argmax(x, 1),
            },
        ),
        Case(
            "scan: cumulative sum",
            wnp.cumulative_sum,
            (flat,),
            {"numpy": np.cumsum, "jax": jnp.cumsum, "torch": lambda x: torch.cumsum(x, 0)},
            1e-2,
        ),
        Case(
            "sort: stable",
            wnp.sort,
            (flat,),
            {
                "numpy": lambda x: np.sort(x, stable=True),
                "jax": jnp.sort,
                "torch": lambda x: torch.sort(x, stable=True)[0],
            },
        ),
        Case(
            "sort: 10000 rows of 100",
            wnp.sort,
            (flat.reshape(10_000, 100),),
            {
                "numpy": lambda x: np.sort(x, stable=True),
                "jax": jnp.sort,
                "torch": lambda x: torch.sort(x, stable=True)[0],
            },
        ),
        Case(
            "permute: transpose 1000 × 1000",
            lambda x: wnp.permute_dims(x, (1, 0)),
            (square,),
            {
                "numpy": lambda x: np.ascontiguousarray(x.T),
                "jax": lambda x: x.T,
                "torch": lambda x: x.T.contiguous(),
            },
        ),
        Case(
            "slice: every second row",
            stepped,
            (square,),
            {"numpy": lambda x: stepped(x).copy(), "jax": stepped, "torch": lambda x: stepped(x).clone()},
        ),
        Case(
            "pad: by 100 on each side",
            lambda x: wnp.pad(x, 100),
            (square,),
            {
                "numpy": lambda x: np.pad(x, 100),
                "jax": lambda x: jnp.pad(x, 100),
                "torch": lambda x: torch.nn.functional.pad(x, (100,) * 4),
            },
        ),
        Case(
            "concat: two of 1000 × 1000",
            lambda x: wnp.concat([x, x]),
            (square,),
            {
                "numpy": lambda x: np.concatenate([x, x]),
                "jax": lambda x: jnp.concatenate([x, x]),
                "torch": lambda x: torch.cat([x, x]),
            },
        ),
        Case(
            "reverse: a vector",
            wnp.flip,
            (flat,),
            {"numpy": lambda x: np.flip(x).copy(), "jax": jnp.flip, "torch": lambda x: torch.flip(x, (0,))},
        ),
        Case(
            "iota: arange",
            lambda: wnp.arange(1_000_000, dtype=wnp.float32),
            (),
            {
                "numpy": lambda: np.arange(1_000_000, dtype=np.float32),
                "jax": lambda: jnp.arange(1_000_000, dtype=jnp.float32),
                "torch": lambda: torch.arange(1_000_000, dtype=torch.float32),
            },
        ),
        Case(
            "gather: 8192 rows of 128",
            lambda x, i: wnp.take(x, i, axis=0),
            (table, rows),
            {
                "numpy": lambda x, i: np.take(x, i, axis=0),
                "jax": lambda x, i: jnp.take(x, i, axis=0, mode="clip"),
                "torch": lambda x, i: torch.index_select(x, 0, i),
            },
        ),
        Case(
            "insert: a box",
            lambda x, y: x.at[100:600, 200:700].set(y),
            (square, box),
            {
                "numpy": numpy_set,
                "jax": lambda x, y: x.at[100:600, 200:700].set(y),
                "torch": torch_set,
            },
        ),
        Case(
            "scatter: 8192 rows of 128 added",
            lambda x, i, u: x.at[i].add(u),
            (table, rows, updates),
            {
                "numpy": numpy_add_at,
                "jax": lambda x, i, u: x.at[i].add(u),
                "torch": lambda x, i, u: torch.index_add(x, 0, i, u),
            },
            1e-4,
        ),
        Case(
            "window, reduce: maxima of 2 × 2",
            lambda x: wax.nn.max_pool(x, 2, channels_last=True),
            (image,),
            {
                "numpy": numpy_pool,
                "jax": jax_pool,
                "torch": torch_pool,
            },
        ),
        Case(
            "convolve: 3 × 3, 64 to 64",
            lambda x, w: wax.nn.conv(x, w, padding="SAME", channels_last=True),
            (image, kernel),
            {
                "jax": jax_conv,
                "torch": torch_conv,
            },
            1e-3,
        ),
        Case(
            "fft: 64 of 4096",
            lambda x: wnp.fft.fft(x),
            (signal,),
            {
                "numpy": np.fft.fft,
                "jax": jnp.fft.fft,
                "torch": torch.fft.fft,
            },
            1e-3,
        ),
    ]


def main() -> None:
    options = harness.parser(__doc__, only=True).parse_args()
    harness.start(options)

    import torch

    torch.set_num_threads(options.threads)
    table = []
    for case in cases():
        if options.only not in case.name:
            continue
        row = timed(case, options.rounds or 11)
        best = min((name for name in row.seconds if name != "wax"), key=row.seconds.__getitem__)
        bound = BOUNDS.get(case.name) if row.ratios[best] > 1.3 else None
        row.notes = f"best: {best}, {row.ratios[best]:.2f}" + (f"; {bound}" if bound else "")
        table.append(row)
    harness.report("basis", "The operations of the basis", table, options)


if __name__ == "__main__":
    main()
