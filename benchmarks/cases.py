"""A row of work that several frameworks do: the same program in each, on arrays of its own, timed side by side.

JAX compiles, PyTorch runs eagerly. Programs that list such rows hand them to `timed`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import harness


@dataclass(frozen=True)
class Case:
    """A program, what it is in each framework that has it, and the arrays."""

    name: str
    wax: Callable[..., Any]
    arrays: tuple[Any, ...]
    #: By framework: "numpy", "jax" and "torch".
    peers: dict[str, Callable[..., Any]] = field(default_factory=dict)
    #: How far results may be apart, relative to the largest element.
    tolerance: float = 1e-5
    #: What of a result frameworks have to agree on.
    judged: Callable[[Any], Any] = lambda found: found
    #: How many turns of a loop, of which the row's time is one.
    turns: int = 1


def contenders(case: Case) -> list[harness.Contender]:
    """One for each framework that has the program; each is given the arrays as its own."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax
    import wax.numpy as wnp

    ours, mine = wax.jit(case.wax), [wnp.asarray(x) for x in case.arrays]
    made = [harness.Contender("wax", lambda: ours(*mine).block_until_ready())]
    if "numpy" in case.peers:
        made.append(harness.Contender("numpy", lambda: case.peers["numpy"](*case.arrays)))
    if "jax" in case.peers:
        theirs, its = jax.jit(case.peers["jax"]), [jnp.asarray(x) for x in case.arrays]
        made.append(harness.Contender("jax", lambda: theirs(*its).block_until_ready()))
    if "torch" in case.peers:
        tensors = [torch.from_numpy(np.asarray(x)) for x in case.arrays]
        made.append(harness.Contender("torch", lambda: case.peers["torch"](*tensors)))
    return made


def timed(case: Case, rounds: int) -> harness.Row:
    """The row, after the frameworks have given the same."""
    import numpy as np

    def parts(result: Any) -> Any:
        """As real numbers."""
        found = np.asarray(case.judged(np.asarray(result)))
        return found.view(found.real.dtype)

    frameworks = contenders(case)
    results = {one.name: parts(one.run()) for one in frameworks}
    scale = max(1.0, float(np.max(np.abs(results["wax"]))))
    harness.agree(results, case.tolerance * scale)
    row = harness.compare(case.name, frameworks, rounds=rounds)
    seconds = {name: time / case.turns for name, time in row.seconds.items()}
    spread = {name: (low / case.turns, high / case.turns) for name, (low, high) in row.spread.items()}
    return harness.Row(case.name, seconds, spread)
