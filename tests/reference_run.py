"""Running wax text on the reference backend's interpreter, for tests."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scalar_judges import DTYPES

from wax import _native
from wax_runtime.reference.plan import build
from wax_runtime.reference.rules import RULES


def function(text: str) -> Callable[..., Any]:
    """A module's entry as a function of arrays; one result is returned as it is, several as a list.

    Any warning is an error, and arguments are read-only.
    """
    run = build(_native.parse_module(text, "model.mlir").snapshot(), RULES)

    def call(*arrays: Any) -> Any:
        given = [np.asarray(x) for x in arrays]
        for x in given:
            x.flags.writeable = False
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            results = run(given)
        return results[0] if len(results) == 1 else results

    return call


def run(text: str, *arrays: Any) -> Any:
    """One call of a module's entry."""
    return function(text)(*arrays)


def spell(shape: tuple[int | None, ...], element: str) -> str:
    """A tensor type: `tensor<2x?xf32>`."""
    return "tensor<" + "".join(f"{'?' if size is None else size}x" for size in shape) + element + ">"


def dynamic(shape: tuple[int, ...]) -> tuple[None, ...]:
    """A shape of as many dims, all dynamic."""
    return (None,) * len(shape)


def draw(rng: np.random.Generator, shape: tuple[int, ...], element: str) -> np.ndarray[Any, Any]:
    """Random elements of a type."""
    dtype = DTYPES[element]
    if element == "i1":
        return rng.random(shape) < 0.5
    if dtype.kind == "i":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    if dtype.kind == "c":
        return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)
