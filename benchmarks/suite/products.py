"""Rows that arithmetic bounds: products of matrices in f32, bf16 and int8, attention, convolutions."""

from __future__ import annotations

from typing import Any

import convolve
from bounds import Work
from cases import Case

#: Rows of `convolve.py` that are shown.
CONVOLUTIONS = ("3×3", "3×3, depthwise")


def cases() -> list[Case]:
    """The rows."""
    layers = [layer for layer in convolve.LAYERS if layer.name in CONVOLUTIONS]
    return [*_matrices(), *_narrow(), *_attention(), *(convolve.case(layer, True) for layer in layers)]


def _work(b: int, m: int, n: int, k: int, dtype: str = "float32") -> Work:
    size, result = {"float32": (4, 4), "bfloat16": (2, 2), "int8": (1, 4)}[dtype]
    return Work(2.0 * b * m * n * k, size * b * k * (m + n) + result * b * m * n, dtype)


def _matrices() -> list[Case]:
    import numpy as np

    import wax.numpy as wnp

    random = np.random.default_rng(0)

    def floats(*shape: int) -> Any:
        return random.standard_normal(shape).astype(np.float32)

    def product(name: str, work: Work, x: Any, y: Any, transposed: bool = False) -> Case:
        def times(x: Any, y: Any) -> Any:
            return x @ (y.mT if transposed else y)

        return Case(name, times, (x, y), {"jax": times, "torch": times}, 1e-5, work=work)

    squares = [product(f"matmul f32, {n}³", _work(1, n, n, n), floats(n, n), floats(n, n)) for n in (256, 512, 1024)]
    skinny, flat = _work(1, 8, 4096, 4096), floats(4096, 4096)
    return [
        *squares,
        product("matmul f32, 2048³", _work(1, 2048, 2048, 2048), floats(2048, 2048), floats(2048, 2048)),
        product("matmul f32, 8 × 4096 × 4096", skinny, floats(8, 4096), flat),
        product("matmul f32, 8 × 4096 × 4096, transposed weights", skinny, floats(8, 4096), flat, True),
        product("matmul f32, 16 of 256³", _work(16, 256, 256, 256), floats(16, 256, 256), floats(16, 256, 256)),
        Case(
            "matmul, bias, gelu f32, 128 × 768 × 3072",
            lambda x, w, b: _gelu(wnp.matmul(x, w) + b),
            (floats(128, 768), floats(768, 3072) / 32, floats(3072)),
            {"jax": _jax_dense, "torch": _torch_dense},
            work=_work(1, 128, 3072, 768),
        ),
    ]


def _gelu(x: Any) -> Any:
    """The usual formula with `tanh`."""
    import wax.nn

    return wax.nn.gelu(x, approximate=True)


def _jax_dense(x: Any, w: Any, b: Any) -> Any:
    import jax

    return jax.nn.gelu(x @ w + b)


def _torch_dense(x: Any, w: Any, b: Any) -> Any:
    import torch

    return torch.nn.functional.gelu(torch.addmm(b, x, w), approximate="tanh")


def _narrow() -> list[Case]:
    import jax
    import jax.numpy as jnp
    import ml_dtypes
    import numpy as np
    import torch

    import wax.numpy as wnp

    random = np.random.default_rng(0)
    made = []
    for n in (512, 1024):
        x, y = (random.standard_normal((n, n)).astype(ml_dtypes.bfloat16) for _ in range(2))
        peers = {"jax": jnp.matmul, "torch": torch.matmul}
        # Rounded once; who adds in another order may round the other way.
        made.append(Case(f"matmul bf16, {n}³", wnp.matmul, (x, y), peers, 2**-7, work=_work(1, n, n, n, "bfloat16")))
    for n in (512, 1024):
        x, y = (random.integers(-128, 128, (n, n)).astype(np.int8) for _ in range(2))
        peers = {
            "jax": lambda x, y: jax.lax.dot(x, y, preferred_element_type=jnp.int32),
            "torch": torch._int_mm,
        }
        made.append(
            Case(
                f"matmul int8 to int32, {n}³",
                lambda x, y: wnp.matmul(x.astype(wnp.int32), y.astype(wnp.int32)),
                (x, y),
                peers,
                0.0,
                work=_work(1, n, n, n, "int8"),
            )
        )
    return [*made, *_weights_of_bytes()]


def _weights_of_bytes() -> list[Case]:
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch

    import wax.numpy as wnp

    random = np.random.default_rng(0)
    n, rows = 4096, 8
    w = random.integers(-128, 128, (n, n)).astype(np.int8)
    x, scale = random.integers(-128, 128, (rows, n)).astype(np.int8), random.random((n, 1)).astype(np.float32)
    integers = Case(
        f"matmul int8 to int32, {rows} × {n} × {n}, transposed weights",
        lambda x, w: wnp.matmul(x.astype(wnp.int32), w.mT.astype(wnp.int32)),
        (x, w),
        {
            "jax": lambda x, w: jax.lax.dot(x, w.mT, preferred_element_type=jnp.int32),
            "torch": lambda x, w: torch._int_mm(x, w.mT),
        },
        0.0,
        work=_work(1, rows, n, n, "int8"),
    )
    floats = Case(
        f"matmul f32, {rows} × {n} × {n}, weights of int8 and scales",
        lambda x, w, scale: x @ (w.astype(wnp.float32) * scale).mT,
        (x.astype(np.float32), w, scale),
        {
            "jax": lambda x, w, scale: x @ (w.astype(jnp.float32) * scale).mT,
            "torch": lambda x, w, scale: x @ (w.to(torch.float32) * scale).mT,
        },
        work=Work(2.0 * rows * n * n, n * n),
    )
    return [integers, floats]


def _attention() -> list[Case]:
    import jax
    import jax.numpy as jnp
    import numpy as np
    import torch.nn.functional as F

    import wax.nn

    heads, width = 8, 64

    def case(length: int, causal: bool) -> Case:
        arrays = tuple(np.random.default_rng(0).standard_normal((3, heads, length, width)).astype(np.float32))

        def in_jax(q: Any, k: Any, v: Any) -> Any:
            scores = q @ k.mT * width**-0.5
            scores = jnp.where(jnp.tri(length, dtype=bool), scores, -jnp.inf) if causal else scores
            return jax.nn.softmax(scores) @ v

        def in_torch(*qkv: Any) -> Any:
            # Its fused kernel wants a batch.
            return F.scaled_dot_product_attention(*(x[None] for x in qkv), is_causal=causal)[0]

        flops = 4.0 * heads * length * length * width * (0.5 if causal else 1)
        return Case(
            f"attention{', causal' * causal}, {heads} × {length} × {width}",
            lambda q, k, v: wax.nn.attention(q, k, v, is_causal=causal),
            arrays,
            {"jax": in_jax, "torch": in_torch},
            work=Work(flops, 4 * arrays[0].nbytes),
        )

    return [case(length, causal) for length in (512, 2048) for causal in (False, True)]
