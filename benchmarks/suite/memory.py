"""Rows that memory bounds: chains of elementwise functions, sums, normalizations, a transpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bounds import Work
from cases import Case


def cases() -> list[Case]:
    """The rows, of 4 M and of 1 M elements in f32."""
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch
    import torch.nn.functional as F

    import wax.nn
    import wax.numpy as wnp

    random = np.random.default_rng(0)
    side, width = 2048, 1024
    x, y = (random.standard_normal((side, side)).astype(np.float32) for _ in range(2))
    rows = random.standard_normal((width, width)).astype(np.float32)
    weight, bias = (random.standard_normal(width).astype(np.float32) for _ in range(2))
    large = x.nbytes

    def alike(name: str, reads: int, function: Callable[[Any], Callable[..., Any]], *arrays: Any) -> Case:
        """The same functions of all namespaces."""
        peers = {"jax": function(jnp), "torch": function(torch)}
        return Case(f"{name}, 4 M", function(wnp), arrays, peers, work=Work(bytes=(reads + 1) * large))

    def summed(name: str, axis: int | None) -> Case:
        peers = {"jax": lambda x: jnp.sum(x, axis), "torch": lambda x: torch.sum(x, axis)}
        work = Work(bytes=large)
        return Case(f"sum {name} of 2048 × 2048", lambda x: wnp.sum(x, axis=axis), (x,), peers, 1e-4, work=work)

    normalized = Work(bytes=2 * rows.nbytes)
    return [
        alike("x + y", 2, lambda xp: lambda x, y: x + y, x, y),
        alike("x * 2 + y, relu", 2, lambda xp: lambda x, y: xp.maximum(x * 2.0 + y, xp.zeros_like(x)), x, y),
        alike("exp", 1, lambda xp: xp.exp, x),
        alike("tanh", 1, lambda xp: xp.tanh, x),
        alike("sin", 1, lambda xp: xp.sin, x),
        alike("exp, log1p, tanh, product", 1, lambda xp: lambda x: x * xp.tanh(xp.log1p(xp.exp(x))), x),
        Case(
            "gelu by tanh, 4 M",
            lambda x: wax.nn.gelu(x, approximate=True),
            (x,),
            {"jax": jax.nn.gelu, "torch": lambda x: F.gelu(x, approximate="tanh")},
            work=Work(bytes=2 * large),
        ),
        summed("of all", None),
        summed("along columns (axis 0)", 0),
        summed("along rows (axis 1)", 1),
        Case(
            "mean and mean of squares along rows of 2048 × 2048",
            lambda x: (wnp.mean(x, axis=1), wnp.mean(x * x, axis=1)),
            (x,),
            {
                "jax": lambda x: (jnp.mean(x, 1), jnp.mean(x * x, 1)),
                "torch": lambda x: (torch.mean(x, 1), torch.mean(x * x, 1)),
            },
            1e-4,
            work=Work(bytes=large),
        ),
        Case(
            "softmax, 1024 × 1024",
            wax.nn.softmax,
            (rows,),
            {"jax": jax.nn.softmax, "torch": lambda x: F.softmax(x, -1)},
            work=normalized,
        ),
        Case(
            "layer norm, 1024 × 1024",
            wax.nn.layer_norm,
            (rows, weight, bias),
            {"jax": _jax_layer_norm, "torch": lambda x, w, b: F.layer_norm(x, (width,), w, b)},
            work=normalized,
        ),
        Case(
            "RMS norm, 1024 × 1024",
            wax.nn.rms_norm,
            (rows, weight),
            {
                "jax": lambda x, w: x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * w,
                "torch": lambda x, w: F.rms_norm(x, (width,), w, 1e-6),
            },
            work=normalized,
        ),
        Case(
            "transpose, 2048 × 2048",
            wnp.matrix_transpose,
            (x,),
            {"jax": jnp.matrix_transpose, "torch": lambda x: x.mT.contiguous()},
            work=Work(bytes=2 * large),
        ),
    ]


def _jax_layer_norm(x: Any, w: Any, b: Any) -> Any:
    import jax
    import jax.numpy as jnp

    mean = jnp.mean(x, -1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5) * w + b
