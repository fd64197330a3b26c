"""Decompositions and linear systems in f32, against `jax.jit` and PyTorch, which call LAPACK: ms a call.

Those of wax are loops of the program: IREE's host runs the turns, one or several dispatches each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import harness
from cases import Case, timed

SIZES = (32, 128, 512)


def functions(linalg: Any) -> dict[str, Callable[[Any, Any], Any]]:
    """What every library can do under the same names, with a result that two correct ones agree on."""
    return {
        "cholesky": lambda x, p: linalg.cholesky(p),
        "solve": lambda x, p: linalg.solve(p, x),
        "qr": lambda x, p: linalg.qr(p)[1],
        "eigh": lambda x, p: linalg.eigh(p)[0],
        "svd": lambda x, p: linalg.svd(p)[1],
    }


def cases(sizes: Sequence[int] = SIZES) -> list[Case]:
    """The rows: each function for matrices of each size."""
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax.numpy as wnp

    ours, jaxs, torchs = functions(wnp.linalg), functions(jnp.linalg), functions(torch.linalg)
    rows = []
    for size in sizes:
        x = np.random.default_rng(size).standard_normal((size, size)).astype(np.float32)
        p = x @ x.T / size + np.eye(size, dtype=np.float32)
        for name in ours:
            rows.append(Case(f"{name} {size}", ours[name], (x, p), {"jax": jaxs[name], "torch": torchs[name]}, 2e-3))
    return rows


def main() -> None:
    """Times the functions, and keeps the table."""
    parser = harness.parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    harness.start(options)
    import torch

    torch.set_num_threads(options.threads)
    rows = [timed(case, options.rounds or 5) for case in cases(options.sizes)]
    harness.report("linalg", "decompositions", rows, options)


if __name__ == "__main__":
    main()
