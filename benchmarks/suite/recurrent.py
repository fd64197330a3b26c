"""An LSTM over a sequence: `scan` in wax and JAX, PyTorch's own function for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import Work
from cases import COMPILED, Case

TURNS, BATCH, WIDTH = 64, 8, 256


def _lstm(scan: Any, xp: Any) -> Callable[..., Any]:
    def run(xs: Any, h: Any, c: Any, w_in: Any, w_state: Any, b: Any) -> Any:
        def turn(state: Any, x: Any) -> Any:
            h, c = state
            gates = x @ w_in.mT + h @ w_state.mT + b
            i, f, g, o = (gates[:, k * WIDTH : (k + 1) * WIDTH] for k in range(4))
            c = _sigmoid(xp, f) * c + _sigmoid(xp, i) * xp.tanh(g)
            h = _sigmoid(xp, o) * xp.tanh(c)
            return (h, c), h

        return scan(turn, (h, c), xs)[1]

    return run


def _sigmoid(xp: Any, x: Any) -> Any:
    return 0.5 * xp.tanh(0.5 * x) + 0.5


def cases() -> list[Case]:
    """The row, whose time is that of a turn."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax
    import wax.numpy as wnp

    random = np.random.default_rng(0)

    def floats(*shape: int) -> Any:
        return (random.standard_normal(shape) / 16).astype(np.float32)

    arrays = (
        *(floats(TURNS, BATCH, WIDTH), floats(BATCH, WIDTH), floats(BATCH, WIDTH)),
        *(floats(4 * WIDTH, WIDTH), floats(4 * WIDTH, WIDTH), floats(4 * WIDTH)),
    )

    def in_torch(xs: Any, h: Any, c: Any, w_in: Any, w_state: Any, b: Any) -> Any:
        weights = [w_in, w_state, b, torch.zeros_like(b)]
        return torch.lstm(xs, (h[None], c[None]), weights, True, 1, 0.0, False, False, False)[0]

    return [
        Case(
            f"LSTM, a step of {BATCH} × {WIDTH}",
            _lstm(wax.scan, wnp),
            arrays,
            {"jax": _lstm(jax.lax.scan, jnp), "torch": in_torch},
            1e-4,
            turns=TURNS,
            work=Work(TURNS * 2.0 * BATCH * 2 * WIDTH * 4 * WIDTH, arrays[0].nbytes * 2),
            without={COMPILED: f"it unrolls {TURNS} turns, and compiles for minutes"},
        )
    ]
