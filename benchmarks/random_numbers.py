"""Random numbers, a million of each distribution and a permutation, against `jax.jit` and PyTorch.

wax and JAX draw from counters and a key, by Threefry with 20 rounds; PyTorch from a Mersenne twister of its own state.
Their numbers differ, so rows agree on moments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import harness
from cases import Case, timed

COUNT = 1_000_000
#: Standard errors of a mean or of a mean square by which frameworks may differ.
ERRORS = 6


def moments(x: Any) -> Any:
    """The mean of numbers and of their squares."""
    import numpy as np

    found = np.asarray(x, np.float64)
    return np.asarray([found.mean(), np.square(found).mean()])


def draws(random: Any) -> dict[str, Callable[[Any], Any]]:
    """What wax and JAX can do under the same names."""
    return {
        "bits": lambda key: random.bits(key, (COUNT,)),
        "uniform": lambda key: random.uniform(key, (COUNT,)),
        "normal": lambda key: random.normal(key, (COUNT,)),
        "randint": lambda key: random.randint(key, (COUNT,), 0, 1000),
        "bernoulli": lambda key: random.bernoulli(key, 0.25, (COUNT,)),
        "gamma": lambda key: random.gamma(key, 2.5, (COUNT,)),
        "permutation": lambda key: random.permutation(key, COUNT),
    }


def cases() -> list[Case]:
    """The rows."""
    import jax
    import torch

    import wax

    torchs: dict[str, Callable[[Any], Any]] = {
        "bits": lambda _: torch.randint(-(2**31), 2**31, (COUNT,), dtype=torch.int32),
        "uniform": lambda _: torch.rand(COUNT),
        "normal": lambda _: torch.randn(COUNT),
        "randint": lambda _: torch.randint(0, 1000, (COUNT,), dtype=torch.int32),
        "bernoulli": lambda _: torch.rand(COUNT) < 0.25,
        "gamma": lambda _: torch.distributions.Gamma(2.5, 1.0).sample((COUNT,)),
        "permutation": lambda _: torch.randperm(COUNT),
    }
    import numpy as np

    key = np.asarray([0, 42], np.uint32)
    ours, jaxs = draws(wax.random), draws(jax.random)
    # A moment's standard error is below its size over the root of the count, times a small factor.
    tolerance = ERRORS * 2 / COUNT**0.5

    def judged(name: str) -> Callable[[Any], Any]:
        return (lambda x: moments(x.view(np.uint32) / 2.0**32)) if name == "bits" else moments

    return [
        Case(f"random: {name}", ours[name], (key,), {"jax": jaxs[name], "torch": torchs[name]}, tolerance, judged(name))
        for name in ours
    ]


def main() -> None:
    """Times the draws, and keeps the table."""
    options = harness.parser(__doc__).parse_args()
    harness.start(options)
    import torch

    torch.set_num_threads(options.threads)
    rows = [timed(case, options.rounds or 9) for case in cases()]
    harness.report("random", "a million random numbers", rows, options)


if __name__ == "__main__":
    main()
