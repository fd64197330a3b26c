"""What a call of a tiny jitted function costs, against jax.jit, torch.compile and PyTorch with such arguments.

Four floats are added or scaled: the time is that of finding the program, passing arguments and wrapping results.
Each framework gets its own arrays, NumPy arrays, Python numbers, and small pytrees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
from cases import COMPILED


def _add(x: Any, y: Any) -> Any:
    return x + y


def _scale(x: Any, factor: Any) -> Any:
    return x * factor


def _tree(p: Any, x: Any) -> Any:
    return {"y": x * p["scale"] + p["shift"]}


def _leaves(arrays: Any) -> Any:
    return [x + x for x in arrays]


def rows(rounds: int, only: str = "", inductor: bool = False) -> list[harness.Row]:
    """The rows whose name has `only` in it; PyTorch, which takes NumPy's arrays for nothing, has none for these."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax
    import wax.numpy as wnp

    data = np.asarray([1.0, 2.0, 3.0, 4.0], np.float32)
    #: A name, the function, and its arguments made of an array.
    cases: list[tuple[str, Callable[..., Any], Callable[[Any], tuple[Any, ...]]]] = [
        ("own arrays, x + y", _add, lambda x: (x, x)),
        ("own array × Python float", _scale, lambda x: (x, 2.5)),
        ("a dict of two, and an array", _tree, lambda x: ({"scale": x, "shift": x}, x)),
        ("a list of 8 arrays, 8 results", _leaves, lambda x: ([x] * 8,)),
    ]

    def waiting(name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> harness.Contender:
        # Both are asynchronous by design; the result of neither is awaited by more than the framework's own call.
        def run() -> Any:
            return _first(function(*arguments)).block_until_ready()

        return harness.Contender(name, run)

    def direct(name: str, function: Callable[..., Any], arguments: tuple[Any, ...]) -> harness.Contender:
        return harness.Contender(name, lambda: _first(function(*arguments)))

    ours, theirs, tensor = wnp.asarray(data), jnp.asarray(data), torch.from_numpy(data)
    made = []
    for name, function, arguments in cases:
        contenders = [
            waiting("wax", wax.jit(function), arguments(ours)),
            waiting("jax", jax.jit(function), arguments(theirs)),
            direct("torch", function, arguments(tensor)),
        ]
        if inductor:
            contenders.append(direct(COMPILED, torch.compile(function, dynamic=False), arguments(tensor)))
        made.append((f"call: {name}", contenders))
    arguments = (data, data)
    both = [waiting("wax", wax.jit(_add), arguments), waiting("jax", jax.jit(_add), arguments)]
    made.append(("call: NumPy arrays, x + y", both))
    return [harness.compare(name, both, rounds=rounds, tolerance=0.0) for name, both in made if only in name]


def _first(result: Any) -> Any:
    while isinstance(result, dict | list):
        result = next(iter(result.values())) if isinstance(result, dict) else result[0]
    return result


def main() -> None:
    options = harness.parser(__doc__, only=True).parse_args()
    harness.start(options)
    table = rows(options.rounds or 41, options.only)
    harness.report("call_overhead", "Call of a tiny jitted function", table, options)


if __name__ == "__main__":
    main()
