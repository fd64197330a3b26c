"""Loops: µs a turn, against `jax.jit`. From scalars that a turn only counts to a recurrent cell that fills the core.

Loops over scalars are one dispatch. A turn of others is run by IREE on the host, as one or more dispatches; XLA
compiles a whole loop. The rows show what a turn costs beside its work, and from which work on that does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness

TURNS = 2000


def programs(lax: Any, numpy: Any) -> dict[str, Callable[..., Any]]:
    """The same programs for either library."""

    def counter(x: Any, y: Any) -> Any:
        return lax.while_loop(lambda v: v[0] < TURNS, lambda v: (v[0] + 1, v[1] * 0.5 + 1.0), (x, y))[1]

    def counted(x: Any, y: Any) -> Any:
        return lax.fori_loop(0, TURNS, lambda i, v: v * 0.5 + x, y)

    def cell(h: Any, w: Any, xs: Any) -> Any:
        def turn(h: Any, x: Any) -> Any:
            h = numpy.tanh(h @ w + x)
            return h, h

        return lax.scan(turn, h, xs)[1]

    return {"counter": counter, "counted": counted, "cell": cell}


def main() -> None:
    """Times the loops, and keeps the table."""
    options = harness.parser(__doc__).parse_args()
    harness.start(options)
    import jax
    import jax.numpy as jnp
    import numpy as np

    import wax
    import wax.numpy as wnp

    random = np.random.default_rng(0)

    def floats(*shape: int) -> np.ndarray:
        return random.standard_normal(shape).astype(np.float32)

    one = np.asarray(0, np.int32), np.asarray(1, np.float32)
    work: list[tuple[str, str, tuple[np.ndarray, ...]]] = [
        ("while_loop: two scalars", "counter", one),
        ("fori_loop: 1000 floats", "counted", (floats(1000), floats(1000))),
    ]
    for batch, width in ((1, 8), (8, 32), (8, 64), (8, 128), (32, 256)):
        arrays = floats(batch, width), floats(width, width) / width, floats(TURNS, batch, width)
        work.append((f"scan: a cell of {batch} × {width}", "cell", arrays))

    ours, theirs = programs(wax, wnp), programs(jax.lax, jnp)
    rows = []
    for name, program, arrays in work:
        mine, other = wax.jit(ours[program]), jax.jit(theirs[program])
        held, lent = [wnp.asarray(x) for x in arrays], [jnp.asarray(x) for x in arrays]

        def run_wax(mine: Any = mine, held: Any = held) -> Any:
            return np.asarray(mine(*held))

        def run_jax(other: Any = other, lent: Any = lent) -> Any:
            return np.asarray(other(*lent))

        row = harness.compare(
            name,
            [harness.Contender("wax", run_wax), harness.Contender("jax", run_jax)],
            rounds=options.rounds or 9,
            tolerance=1e-3,
        )
        per_turn = {key: seconds / TURNS for key, seconds in row.seconds.items()}
        spread = {key: (low / TURNS, high / TURNS) for key, (low, high) in row.spread.items()}
        rows.append(harness.Row(name, per_turn, spread, row.notes))
    harness.report("loops", f"a turn of a loop ({TURNS} turns)", rows, options)


if __name__ == "__main__":
    main()
