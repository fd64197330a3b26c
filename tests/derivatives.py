"""Derivatives judged by JAX: forward, reverse, and reverse of reverse, of one function on the same arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from array_cases.case import rng

import wax
import wax.numpy as wnp


@dataclass(frozen=True)
class Judged:
    """A function and JAX's; `tolerance` is relative to the greatest element of each derivative."""

    name: str
    function: Callable[..., Any]
    judge: Callable[..., Any]
    arguments: tuple[Any, ...]
    tolerance: float = 1e-12
    second: bool = True

    def __str__(self) -> str:
        return self.name


def sampled(shape: tuple[int, ...], *key: Any, low: float = -2.0, high: float = 2.0, dtype: Any = np.float64) -> Any:
    """Numbers of a dtype, no two alike."""
    source = rng(shape, *key)
    values = source.uniform(low, high, shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * source.uniform(low, high, shape)
    return values.astype(dtype)


def _like(x: Any, *key: Any) -> Any:
    x = np.asarray(x)
    return sampled(x.shape, *key, dtype=x.dtype)


def _leaves(x: Any) -> list[Any]:
    return [np.asarray(leaf) for leaf in jax.tree.leaves(x)]


def close(actual: Any, wanted: Any, tolerance: float, what: str) -> None:
    """Asserts equal structures, dtypes, shapes, and elements up to the tolerance."""
    found, expected = [np.asarray(x) for x in wax.tree.flatten(actual)[0]], _leaves(wanted)
    assert len(found) == len(expected), what
    for got, want in zip(found, expected, strict=True):
        assert got.dtype == want.dtype, what
        assert got.shape == want.shape, what
        wide = np.complex128 if want.dtype.kind == "c" else np.float64
        got, want = got.astype(wide), want.astype(wide)
        finite = np.abs(want[np.isfinite(want)])
        scale = max(1.0, finite.max()) if finite.size else 1.0
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * scale, err_msg=what)


def judge(case: Judged) -> None:
    """Compares `jvp`, `vjp` and, where it is asked for, the gradient of a product with the pullback."""
    primals = case.arguments
    tangents = tuple(_like(x, "tangent", i) for i, x in enumerate(primals))
    out, moved = wax.jvp(case.function, primals, tangents)
    wanted_out, wanted_moved = jax.jvp(case.judge, primals, tangents)
    close(out, wanted_out, case.tolerance, f"{case.name}: the value")
    close(moved, wanted_moved, case.tolerance, f"{case.name}: jvp")

    _, pullback = wax.vjp(case.function, *primals)
    _, wanted_pullback = jax.vjp(case.judge, *primals)
    cotangents = jax.tree.map(lambda x: _like(x, "cotangent"), wanted_out)
    close(pullback(cotangents), wanted_pullback(cotangents), case.tolerance, f"{case.name}: vjp")
    if not case.second:
        return

    def product(vjp: Any, function: Any, number: Any) -> Any:
        def inner(*args: Any) -> Any:
            _, pulled = vjp(function, *args)
            parts = [number.sum(number.real(ct * ct)) for ct in pulled(cotangents)]
            return sum(parts[1:], parts[0])

        return inner

    places = tuple(range(len(primals)))
    second = wax.grad(product(wax.vjp, case.function, wnp), argnums=places)(*primals)
    wanted = jax.grad(product(jax.vjp, case.judge, jnp), argnums=places)(*primals)
    close(second, wanted, case.tolerance * 100, f"{case.name}: second order")
