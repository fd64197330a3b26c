"""ADBench's four problems: the time of a derivative, beside its objective's, against jax.jit and PyTorch eager.

Double precision; instances are made at the suite's sizes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import harness

SIZES = {"gmm": "GMM", "ba": "BA", "hand": "HAND", "hand complicated": "HAND", "lstm": "LSTM"}


def main() -> None:
    """Times all of them, and keeps the table."""
    parser = harness.parser(__doc__)
    parser.add_argument("--problem", action="append", choices=list(SIZES), help="only this one")
    options = parser.parse_args()
    harness.start(options)
    import jax

    jax.config.update("jax_enable_x64", True)
    import numpy as np
    import torch
    from adbench import instances, problems

    import wax

    torch.set_num_threads(options.threads)

    def run(function: Any, arguments: Any) -> None:
        for leaf in wax.tree.leaves(function(*arguments)):
            leaf.block_until_ready()

    rows = []
    for name in options.problem or SIZES:
        for size in getattr(instances, SIZES[name])[: 2 if options.rounds == 1 else None]:
            ours = problems.PROBLEMS[name](*problems.wax_library(), *size)
            theirs = problems.PROBLEMS[name](*problems.jax_library(), *size)
            mine = wax.tree.map(lambda x: wax.numpy.asarray(x) if isinstance(x, np.ndarray) else x, ours[2])
            others = jax.tree.map(jax.numpy.asarray, theirs[2])
            eager = problems.PROBLEMS[name](*problems.torch_library(), *size)
            tensors = wax.tree.map(lambda x: torch.from_numpy(x) if isinstance(x, np.ndarray) else x, eager[2])
            made = []
            for place, what in enumerate(("objective", "derivative")):
                compiled, jitted = wax.jit(ours[place]), jax.jit(theirs[place])
                found = [
                    wax.tree.leaves(f(*x)) for f, x in ((compiled, mine), (jitted, others), (eager[place], tensors))
                ]
                for leaves in zip(*found, strict=True):
                    for leaf in leaves[1:]:
                        np.testing.assert_allclose(np.asarray(leaves[0]), np.asarray(leaf), rtol=1e-8, atol=1e-8)
                contenders = [
                    harness.Contender("wax", partial(run, compiled, mine)),
                    harness.Contender("jax", partial(run, jitted, others)),
                    harness.Contender("torch", partial(eager[place], *tensors)),
                ]
                made.append(harness.compare(f"{name} {size}: {what}", contenders, rounds=options.rounds or 9))
            ratios = (f"{one} {made[1].seconds[one] / made[0].seconds[one]:.1f}" for one in ("wax", "jax", "torch"))
            made[1].notes = f"of its objective: {', '.join(ratios)}"
            rows += made
    harness.report("ad", "ADBench", rows, options)


if __name__ == "__main__":
    main()
