"""Models that wax and JAX both trace, and MiniLM as JAX's users would write it."""

import math
from typing import Any

import minilm


def transformer(xp: Any, nn: Any, p: Any, ids: Any) -> Any:
    """Logits of a GPT-2-like decoder, in array API functions that `xp` (wax.numpy or jax.numpy) has.

    The same source for both, so that tracing it is the same work.
    """
    length = ids.shape[1]
    x = xp.take(p["words"], ids, axis=0) + p["positions"][:length]
    rows, columns = xp.arange(length)[:, None], xp.arange(length)[None, :]
    causal = columns <= rows
    for layer in p["layers"]:
        x = x + _attention(xp, nn, _norm(xp, x, layer["norm1"]), causal, layer)
        x = x + _affine(xp, nn.gelu(_affine(xp, _norm(xp, x, layer["norm2"]), layer["up"])), layer["down"])
    return xp.matmul(_norm(xp, x, p["norm"]), xp.matrix_transpose(p["words"]))


def _affine(xp: Any, x: Any, p: Any) -> Any:
    return xp.matmul(x, p["w"]) + p["b"]


def _norm(xp: Any, x: Any, p: Any) -> Any:
    centred = x - xp.mean(x, axis=-1, keepdims=True)
    variance = xp.mean(centred * centred, axis=-1, keepdims=True)
    return centred / xp.sqrt(variance + 1e-5) * p["w"] + p["b"]


def _attention(xp: Any, nn: Any, x: Any, causal: Any, p: Any) -> Any:
    batch, length, width = x.shape
    heads = width // 64

    def split(y: Any) -> Any:
        return xp.permute_dims(xp.reshape(y, (batch, length, heads, 64)), (0, 2, 1, 3))

    q, k, v = (split(_affine(xp, x, p[name])) for name in ("query", "key", "value"))
    scores = xp.matmul(q, xp.matrix_transpose(k)) / math.sqrt(64)
    weights = nn.softmax(xp.where(causal, scores, -1e30), axis=-1)
    mixed = xp.reshape(xp.permute_dims(xp.matmul(weights, v), (0, 2, 1, 3)), (batch, length, width))
    return _affine(xp, mixed, p["out"])


def transformer_shapes(make: Any, layers: int = 12, width: int = 768, words: int = 50257, length: int = 1024) -> Any:
    """The parameters, each made by `make(shape)`."""

    def affine(inputs: int, outputs: int) -> dict[str, Any]:
        return {"w": make((inputs, outputs)), "b": make((outputs,))}

    def norm() -> dict[str, Any]:
        return {"w": make((width,)), "b": make((width,))}

    def layer() -> dict[str, Any]:
        square = {name: affine(width, width) for name in ("query", "key", "value", "out")}
        return {
            **square,
            "norm1": norm(),
            "norm2": norm(),
            "up": affine(width, 4 * width),
            "down": affine(4 * width, width),
        }

    return {
        "words": make((words, width)),
        "positions": make((length, width)),
        "norm": norm(),
        "layers": [layer() for _ in range(layers)],
    }


def jax_minilm(p: Any, ids: Any, mask: Any) -> Any:
    """`minilm.embeddings` in JAX."""
    import jax
    import jax.numpy as jnp

    def norm(x: Any, affine: Any) -> Any:
        centred = x - jnp.mean(x, axis=-1, keepdims=True)
        variance = jnp.var(x, axis=-1, keepdims=True)
        return centred * jax.lax.rsqrt(variance + minilm.EPSILON) * affine.weight + affine.bias

    def linear(x: Any, affine: Any) -> Any:
        return x @ affine.weight.T + affine.bias

    batch, length = ids.shape
    x = norm(p.words[ids] + p.segments[0] + p.positions[:length], p.norm)
    attend = mask[:, None, None, :] > 0
    for layer in p.layers:
        q, k, v = (
            linear(x, one).reshape(batch, length, minilm.HEADS, -1) for one in (layer.query, layer.key, layer.value)
        )
        mixed = jax.nn.dot_product_attention(q, k, v, mask=attend).reshape(batch, length, -1)
        x = norm(x + linear(mixed, layer.output), layer.attention_norm)
        hidden = linear(jax.nn.gelu(linear(x, layer.up), approximate=False), layer.down)
        x = norm(x + hidden, layer.output_norm)
    weight = mask.astype(x.dtype)[:, :, None]
    mean = (x * weight).sum(1) / jnp.maximum(weight.sum(1), 1e-9)
    return mean / jnp.maximum(jnp.linalg.norm(mean, axis=-1, keepdims=True), 1e-12)
