"""The reference backend as the judge of what IREE computes in f64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import wax


def agree(function: Callable[..., Any], *arguments: Any, donated: Sequence[int] = (), optimize: bool = True) -> None:
    """Asserts that IREE computes what the reference does; donated arguments are given as arrays that wax made."""
    expected = wax.jit(function, backend="reference")(*arguments)
    given = [wax.jit(lambda x: x * 1, backend="iree", optimize=False)(x) for x in arguments]
    found = wax.jit(function, backend="iree", donate_argnums=donated, optimize=optimize)(*given)
    for one, wanted in zip(wax.tree.leaves(found), wax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(wanted), rtol=1e-9, atol=1e-9)
