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
    """What IREE computes and what the reference does; donated arguments are given as arrays that wax made.

    Where devices do again what was recorded at a first call, it is the third one that counts, after others' values.
    """
    expected = wax.jit(function, backend="reference")(*arguments)
    copy = wax.jit(lambda x: x * 1, backend="iree", device=device, optimize=False)
    compiled = wax.jit(function, backend="iree", device=device, donate_argnums=donated, optimize=optimize)
    for other in () if device == "cpu" else (-1, 0.5):
        leaves_of(compiled(*(copy(x * other) for x in arguments)))
    found = compiled(*map(copy, arguments))
    return leaves_of(found), leaves_of(expected)


def assert_agree(
    function: Callable[..., Any], *arguments: Any, donated: Sequence[int] = (), optimize: bool = True
) -> None:
    found, expected = run_both(function, arguments, donated=donated, optimize=optimize)
    for one, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, wanted, rtol=1e-9, atol=1e-9)
