"""Decompositions and linear systems in f32, against `jax.jit` and PyTorch, which call LAPACK: ms a call.

Those of wax are loops of the program: IREE's host runs the turns, one or several dispatches each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness

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


def main() -> None:
    """Times the functions, and keeps the table."""
    parser = harness.parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options = parser.parse_args()
    harness.start(options)
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax
    import wax.numpy as wnp

    torch.set_num_threads(1)
    ours, jaxs, torchs = functions(wnp.linalg), functions(jnp.linalg), functions(torch.linalg)
    rows = []
    for size in options.sizes:
        x = np.random.default_rng(size).standard_normal((size, size)).astype(np.float32)
        p = x @ x.T / size + np.eye(size, dtype=np.float32)
        for name in ours:
            mine, other = wax.jit(ours[name]), jax.jit(jaxs[name])
            held = [wnp.asarray(a) for a in (x, p)]
            lent = [jnp.asarray(a) for a in (x, p)]
            kept = [torch.from_numpy(a) for a in (x, p)]

            def run_wax(mine: Any = mine, held: Any = held) -> Any:
                return np.asarray(mine(*held))

            def run_jax(other: Any = other, lent: Any = lent) -> Any:
                return np.asarray(other(*lent))

            def run_torch(name: str = name, kept: Any = kept) -> Any:
                result = torchs[name](*kept)
                return np.asarray(result)

            contenders = [
                harness.Contender("wax", run_wax),
                harness.Contender("jax", run_jax),
                harness.Contender("torch", run_torch),
            ]
            rows.append(harness.compare(f"{name} {size}", contenders, rounds=options.rounds or 5, tolerance=2e-3))
    harness.report("linalg", "decompositions", rows, options)


if __name__ == "__main__":
    main()
