"""A row of work that several frameworks do: the same program in each, on arrays of its own, timed side by side.

JAX compiles, PyTorch runs eagerly and, where asked, compiled by `torch.compile`. Programs that list such rows hand
them to `timed`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import harness
from bounds import Work

#: PyTorch's own compiler, beside PyTorch.
COMPILED = "torch.compile"


@dataclass(frozen=True)
class Case:
    """A program, what it is in each framework that has it, and the arrays."""

    name: str
    wax: Callable[..., Any]
    arrays: tuple[Any, ...]
    #: By framework: "numpy", "jax" and "torch"; "torch.compile" where that is not "torch" compiled.
    peers: dict[str, Callable[..., Any]] = field(default_factory=dict)
    #: How far results may be apart, relative to the largest element.
    tolerance: float = 1e-5
    #: What of a result frameworks have to agree on.
    judged: Callable[[Any], Any] = lambda found: found
    #: How many turns of a loop, of which the row's time is one.
    turns: int = 1
    #: What any program has to compute and to move.
    work: Work | None = None
    #: Frameworks that cannot do it, and why.
    without: dict[str, str] = field(default_factory=dict)


def leaves(result: Any) -> list[Any]:
    """The arrays of a result that is one, or a tuple or list of them."""
    return [leaf for one in result for leaf in leaves(one)] if isinstance(result, tuple | list) else [result]


def to_torch(array: Any) -> Any:
    """A tensor with an array's values, bfloat16 too."""
    import numpy as np
    import torch

    array = np.asarray(array)
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.uint16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def contenders(case: Case, inductor: bool = False) -> tuple[list[harness.Contender], dict[str, str]]:
    """One for each framework that has the program, given the arrays as its own; and who cannot run it, and why."""
    import jax
    import jax.numpy as jnp
    import torch

    import wax
    import wax.numpy as wnp

    def waiting(function: Callable[..., Any], arrays: Sequence[Any]) -> Callable[[], Any]:
        def run() -> Any:
            result = function(*arrays)
            for leaf in leaves(result):
                leaf.block_until_ready()
            return result

        return run

    made = [harness.Contender("wax", waiting(wax.jit(case.wax), [wnp.asarray(x) for x in case.arrays]))]
    skipped = dict(case.without)
    if "numpy" in case.peers:
        made.append(harness.Contender("numpy", lambda: case.peers["numpy"](*case.arrays)))
    if "jax" in case.peers:
        made.append(
            harness.Contender("jax", waiting(jax.jit(case.peers["jax"]), [jnp.asarray(x) for x in case.arrays]))
        )
    if "torch" in case.peers:
        tensors = [to_torch(x) for x in case.arrays]
        made.append(harness.Contender("torch", lambda: case.peers["torch"](*tensors)))
        if inductor and COMPILED not in skipped:
            compiled = case.peers.get(COMPILED) or torch.compile(case.peers["torch"], dynamic=False)
            try:
                compiled(*tensors)
            except Exception as error:  # noqa: BLE001  # whatever keeps it from running is the row's reason
                skipped[COMPILED] = f"{type(error).__name__}: {str(error).splitlines()[0][:120]}"
            else:
                made.append(harness.Contender(COMPILED, lambda: compiled(*tensors)))
    return made, skipped


def timed(case: Case, rounds: int, *, inductor: bool = False, budget: float = float("inf")) -> harness.Row:
    """The row, after the frameworks have given the same."""
    frameworks, skipped = contenders(case, inductor)
    return judged(case, frameworks, rounds, budget=budget, skipped=skipped)


def judged(
    case: Case,
    frameworks: Sequence[harness.Contender],
    rounds: int,
    *,
    budget: float = float("inf"),
    skipped: dict[str, str] | None = None,
) -> harness.Row:
    """The row of these contenders, after they have given the same."""
    import numpy as np

    def parts(result: Any) -> Any:
        """As real numbers."""
        if type(result).__module__ == "torch":
            result = (result.float() if result.dtype.itemsize == 2 else result).cpu()
        found = np.asarray(case.judged(np.asarray(result)))
        found = found.astype(np.float32) if found.dtype.name == "bfloat16" else found
        return np.ascontiguousarray(found).view(found.real.dtype)

    results = {one.name: [parts(leaf) for leaf in leaves(one.run())] for one in frameworks}
    for index, expected in enumerate(results["wax"]):
        scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
        harness.agree({name: found[index] for name, found in results.items()}, case.tolerance * scale)
    del results
    row = harness.compare(case.name, frameworks, rounds=rounds, budget=budget)
    seconds = {name: time / case.turns for name, time in row.seconds.items()}
    spread = {name: (low / case.turns, high / case.turns) for name, (low, high) in row.spread.items()}
    return harness.Row(case.name, seconds, spread, skipped=skipped or {})
