"""Programs that `optimize="egraph"` rewrites, in f32, against themselves as they are written and `jax.jit`.

Each is what somebody writes who thinks of the formula. The notes say what the search was estimated to save, and what it
took.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness

N = 512


def programs(xp: Any) -> dict[str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]]:
    """Functions of one namespace, and the shapes of their arguments."""
    wide = (N, N)
    return {
        "A@B@v": (lambda a, b, v: a @ b @ v, (wide, wide, (N,))),
        "A@B@C@D, thin": (lambda a, b, c, d: a @ b @ c @ d, (wide, (N, 16), (16, N), (N, 64))),
        "x@W + x@U": (lambda x, w, u: x @ w + x @ u, (wide, wide, wide)),
        "a@C + b@C": (lambda a, b, c: a @ c + b @ c, (wide, wide, wide)),
        "sum(A@B)": (lambda a, b: xp.sum(a @ b), (wide, wide)),
        "trace(A@B)": (lambda a, b: xp.trace(a @ b), (wide, wide)),
        "diag(d)@A": (lambda d, a: xp.diag(d) @ a, ((N,), wide)),
        "(W + U@V)@x, rank 8": (lambda w, u, v, x: (w + u @ v) @ x, (wide, (N, 8), (8, N), (N, 4))),
        "x@(s*W).T": (lambda x, w, s: x @ (w * s[:, None]).T, ((8, N), wide, (N,))),
        "softmax(s)@V, 16 wide": (
            lambda s, v: (xp.exp(s) / xp.sum(xp.exp(s), axis=1, keepdims=True)) @ v,
            (wide, (N, 16)),
        ),
    }


def rows(rounds: int) -> list[harness.Row]:
    """A row for each program."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    import wax
    import wax.numpy as wnp

    random = np.random.default_rng(0)
    made = []
    for (name, (function, shapes)), (peer, _) in zip(programs(wnp).items(), programs(jnp).values(), strict=True):
        arrays = [(random.standard_normal(shape) / np.sqrt(N)).astype(np.float32) for shape in shapes]
        ours, theirs = [wnp.asarray(x) for x in arrays], [jnp.asarray(x) for x in arrays]
        searched = wax.jit(function, optimize="egraph", device="cpu")
        explained = searched.lower(*ours).explain()
        ratio, search = explained.seconds_before / explained.seconds_after, explained.search.seconds
        plain, jaxed = wax.jit(function, device="cpu"), jax.jit(peer)
        made.append(
            harness.compare(
                name,
                [
                    harness.Contender("wax, searched", lambda f=searched, x=ours: f(*x).block_until_ready()),
                    harness.Contender("wax", lambda f=plain, x=ours: f(*x).block_until_ready()),
                    harness.Contender("jax", lambda f=jaxed, x=theirs: f(*x).block_until_ready()),
                ],
                rounds=rounds,
                tolerance=1e-3,
                notes=f"estimated {ratio:.1f} times cheaper, searched in {harness.duration(search)}",
            )
        )
    return made


def main() -> None:
    """Times the programs, and keeps the table."""
    options = harness.parser(__doc__).parse_args()
    harness.start(options)
    harness.report("choose", "searched programs", rows(options.rounds or 7), options)


if __name__ == "__main__":
    main()
