"""The reference backend as the judge of what IREE computes in f64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import wax


def leaves_of(results: Any) -> list[np.ndarray]:
    return [np.asarray(x) for x in wax.tree.leaves(results)]


def run_both(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    *,
    donated: Sequence[int] = (),
    optimize: bool = True,
    device: str = "cpu",
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """What IREE computes and what the reference does; donated arguments are given as arrays that wax made."""
    expected = wax.jit(function, backend="reference")(*arguments)
    given = [wax.jit(lambda x: x * 1, backend="iree", device=device, optimize=False)(x) for x in arguments]
    found = wax.jit(function, backend="iree", device=device, donate_argnums=donated, optimize=optimize)(*given)
    return leaves_of(found), leaves_of(expected)


def assert_agree(
    function: Callable[..., Any], *arguments: Any, donated: Sequence[int] = (), optimize: bool = True
) -> None:
    found, expected = run_both(function, arguments, donated=donated, optimize=optimize)
    for one, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, wanted, rtol=1e-9, atol=1e-9)
