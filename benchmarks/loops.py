"""Loops: µs a turn, against `jax.jit` and PyTorch, from scalars that a turn only counts to a cell that fills the core.

Loops over small tensors are one dispatch, and so are those over blocks of rows that do not mix, of channels or of a
batch. A turn of others is run by IREE on the host, as one or more dispatches; XLA compiles a whole loop, and Python
runs that of PyTorch. The rows show what a turn costs beside its work, and from which work on that does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
from cases import Case, timed

TURNS = 2000
#: Turns of what works on more rows.
STEPS = 256


def counter(lax: Any) -> Callable[..., Any]:
    """A loop that carries two scalars and tests one."""

    def program(x: Any, y: Any) -> Any:
        return lax.while_loop(lambda v: v[0] < TURNS, lambda v: (v[0] + 1, v[1] * 0.5 + 1.0), (x, y))[1]

    return program


def counted(lax: Any) -> Callable[..., Any]:
    """A loop that carries a vector."""
    return lambda x, y: lax.fori_loop(0, TURNS, lambda i, v: v * 0.5 + x, y)


def cell(lax: Any, numpy: Any) -> Callable[..., Any]:
    """A recurrent cell that keeps what it was in each turn."""

    def program(h: Any, w: Any, xs: Any) -> Any:
        def turn(h: Any, x: Any) -> Any:
            h = numpy.tanh(h @ w + x)
            return h, h

        return lax.scan(turn, h, xs)[1]

    return program


def delta_rule(lax: Any, numpy: Any) -> Callable[..., Any]:
    """A matrix for each head, which learns in each turn what value belongs to a key."""

    def program(start: Any, q: Any, k: Any, v: Any) -> Any:
        def turn(state: Any, x: Any) -> Any:
            q, k, v = x
            error = v - numpy.einsum("hi,hij->hj", k, state)
            state = state + 0.1 * numpy.einsum("hi,hj->hij", k, error)
            return state, numpy.einsum("hi,hij->hj", q, state)

        return lax.scan(turn, start, (q, k, v))[1]

    return program


def selective(lax: Any, numpy: Any) -> Callable[..., Any]:
    """A state-space model of some channels, with coefficients of the turn."""

    def program(u: Any, d: Any, a: Any, b: Any, c: Any) -> Any:
        def turn(h: Any, x: Any) -> Any:
            u, d, b, c = x
            h = numpy.exp(d[:, None] * a) * h + (d * u)[:, None] * b[None, :]
            return h, numpy.sum(h * c[None, :], axis=1)

        return lax.scan(turn, numpy.zeros_like(a), (u, d, b, c))[1]

    return program


def attractor(lax: Any, numpy: Any) -> Callable[..., Any]:
    """Lorenz's equations for each row."""

    def turn(x: Any, _: Any) -> Any:
        a, b, c = x[:, 0], x[:, 1], x[:, 2]
        return x + 0.005 * numpy.stack([10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c], axis=1), None

    return lambda x: lax.scan(turn, x, None, length=STEPS)[0]


def gradient(autodiff: Any, program: Callable[..., Any], numpy: Any) -> Callable[..., Any]:
    """The gradients of a sum of squares by all arguments, each summed up."""

    def loss(*arguments: Any) -> Any:
        return numpy.sum(program(*arguments) ** 2)

    def run(*arguments: Any) -> Any:
        found = autodiff.grad(loss, argnums=tuple(range(len(arguments))))(*arguments)
        return numpy.stack([numpy.sum(one) for one in found])

    return run


def cases() -> list[Case]:
    """The rows."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax
    import wax.numpy as wnp

    random = np.random.default_rng(0)

    def floats(*shape: int) -> np.ndarray:
        return random.standard_normal(shape).astype(np.float32)

    def torch_counter(x: Any, y: Any) -> Any:
        while x < TURNS:
            x, y = x + 1, y * 0.5 + 1.0
        return y

    def torch_counted(x: Any, y: Any) -> Any:
        for _ in range(TURNS):
            y = y * 0.5 + x
        return y

    def torch_cell(h: Any, w: Any, xs: Any) -> Any:
        found = []
        for x in xs:
            h = torch.tanh(h @ w + x)
            found.append(h)
        return torch.stack(found)

    def case(name: str, program: Callable[..., Any], torchs: Any, arrays: Any, *both: tuple[Any, Any]) -> Case:
        ours, jaxs = (program(*libraries) for libraries in zip(*both, strict=True))
        return Case(name, ours, arrays, {"jax": jaxs, "torch": torchs}, 1e-3, turns=TURNS)

    lax, one = (wax, jax.lax), (np.asarray(0, np.int32), np.asarray(1, np.float32))
    rows = [
        case("while_loop: two scalars", counter, torch_counter, one, lax),
        case("fori_loop: 1000 floats", counted, torch_counted, (floats(1000), floats(1000)), lax),
    ]
    for batch, width in ((1, 8), (8, 32), (8, 64), (8, 128), (32, 256)):
        arrays = floats(batch, width), floats(width, width) / width, floats(TURNS, batch, width)
        rows.append(case(f"scan: a cell of {batch} × {width}", cell, torch_cell, arrays, lax, (wnp, jnp)))

    def of_rows(name: str, ours: Any, jaxs: Any, *arrays: Any) -> Case:
        return Case(f"scan: {name}", ours, arrays, {"jax": jaxs}, 1e-3, turns=STEPS)

    channels, states = 128, 16
    model = (
        floats(STEPS, channels),
        abs(floats(STEPS, channels)) / 10,
        -abs(floats(channels, states)),
        floats(STEPS, states),
        floats(STEPS, states),
    )
    own, jaxs = selective(wax, wnp), selective(jax.lax, jnp)
    heads = np.zeros((4, 64, 64), np.float32), *(floats(STEPS, 4, 64) / 8 for _ in range(3))
    return [
        *rows,
        of_rows("a state-space model, 128 × 16", own, jaxs, *model),
        of_rows("its gradient", gradient(wax, own, wnp), gradient(jax, jaxs, jnp), *model),
        of_rows("the delta rule, 4 heads of 64 × 64", delta_rule(wax, wnp), delta_rule(jax.lax, jnp), *heads),
        of_rows("20,000 Lorenz systems", attractor(wax, wnp), attractor(jax.lax, jnp), floats(20_000, 3)),
    ]


def main() -> None:
    """Times the loops, and keeps the table."""
    options = harness.parser(__doc__).parse_args()
    harness.start(options)
    import torch

    torch.set_num_threads(options.threads)
    rows = [timed(case, options.rounds or 9) for case in cases()]
    harness.report("loops", f"a turn of a loop ({TURNS} turns)", rows, options)


if __name__ == "__main__":
    main()
