"""What array programs do beside products: loops, sorts, prefix sums, transforms, gathers, decompositions, randomness.

Rows of `loops`, `basis`, `linalg` and `random_numbers`, which have more of each, in one table against `jax.jit` and
PyTorch. A loop's row is the time of a turn.
"""

from __future__ import annotations

import basis
import harness
import linalg
import loops
import random_numbers
from cases import timed

#: Rows of `basis` that are shown, by how their names begin.
OF_BASIS = ("scan: cumulative sum", "sort: ", "gather: ", "scatter: ", "fft: ")


def main() -> None:
    """Times the rows, and keeps the table."""
    options = harness.parser(__doc__, only=True).parse_args()
    harness.start(options)
    import torch

    torch.set_num_threads(options.threads)
    of_basis = [case for case in basis.cases() if case.name.startswith(OF_BASIS)]
    listed = [*loops.cases(), *of_basis, *linalg.cases((128,)), *random_numbers.cases()]
    rows = [timed(case, options.rounds or 9) for case in listed if options.only in case.name]
    harness.report("array_api", "array programs", rows, options)


if __name__ == "__main__":
    main()
