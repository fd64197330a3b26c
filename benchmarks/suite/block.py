"""GPT-2-small's block, forward and with its gradient, in each framework: the usual functions of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from bounds import Work
from cases import COMPILED, Case

WIDTH, HEADS, INNER = 768, 12, 3072
SHAPES = [
    *((WIDTH,), (WIDTH,), (WIDTH, 3 * WIDTH), (3 * WIDTH,), (WIDTH, WIDTH), (WIDTH,)),
    *((WIDTH,), (WIDTH,), (WIDTH, INNER), (INNER,), (INNER, WIDTH), (WIDTH,)),
]


def arrays(length: int) -> tuple[Any, ...]:
    """One sequence, and the weights."""
    import numpy as np

    random = np.random.default_rng(0)
    weights = [random.standard_normal(s).astype(np.float32) / np.float32(math.sqrt(s[0])) for s in SHAPES]
    return (random.standard_normal((1, length, WIDTH)).astype(np.float32), *weights)


def _block(x: Any, weights: Any, norm: Any, attention: Any, gelu: Any) -> Any:
    w1, b1, w_qkv, b_qkv, w_out, b_out, w2, b2, w_up, b_up, w_down, b_down = weights
    x = x + (attention(norm(x, w1, b1) @ w_qkv + b_qkv) @ w_out + b_out)
    return x + (gelu(norm(x, w2, b2) @ w_up + b_up) @ w_down + b_down)


def wax_block(x: Any, *weights: Any) -> Any:
    """In wax."""
    import wax.nn
    import wax.numpy as wnp

    def attention(qkv: Any) -> Any:
        batch, length, _ = qkv.shape
        q, k, v = wnp.permute_dims(wnp.reshape(qkv, (batch, length, 3, HEADS, -1)), (2, 0, 3, 1, 4))
        mixed = wax.nn.attention(q, k, v, is_causal=True)
        return wnp.reshape(wnp.permute_dims(mixed, (0, 2, 1, 3)), (batch, length, WIDTH))

    return _block(x, weights, wax.nn.layer_norm, attention, lambda x: wax.nn.gelu(x, approximate=True))


def jax_block(x: Any, *weights: Any) -> Any:
    """In JAX."""
    import jax
    import jax.numpy as jnp

    def norm(x: Any, w: Any, b: Any) -> Any:
        return (x - jnp.mean(x, -1, keepdims=True)) * jax.lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5) * w + b

    def attention(qkv: Any) -> Any:
        batch, length, _ = qkv.shape
        q, k, v = jnp.moveaxis(jnp.reshape(qkv, (batch, length, 3, HEADS, -1)), 2, 0)
        return jax.nn.dot_product_attention(q, k, v, is_causal=True).reshape(batch, length, WIDTH)

    return _block(x, weights, norm, attention, jax.nn.gelu)


def torch_block(x: Any, *weights: Any) -> Any:
    """In PyTorch."""
    import torch.nn.functional as F

    def attention(qkv: Any) -> Any:
        batch, length, _ = qkv.shape
        q, k, v = qkv.view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, length, WIDTH)

    w1, b1, w_qkv, b_qkv, w_out, b_out, w2, b2, w_up, b_up, w_down, b_down = weights
    x = x + F.linear(attention(F.linear(F.layer_norm(x, (WIDTH,), w1, b1), w_qkv.mT, b_qkv)), w_out.mT, b_out)
    hidden = F.gelu(F.linear(F.layer_norm(x, (WIDTH,), w2, b2), w_up.mT, b_up), approximate="tanh")
    return x + F.linear(hidden, w_down.mT, b_down)


def loss_of(block: Callable[..., Any]) -> Callable[..., Any]:
    """A scalar of what a block gives."""
    return lambda *arrays: (block(*arrays) ** 2).mean()


def torch_gradient(loss: Callable[..., Any]) -> Callable[..., Any]:
    """The loss, and its derivatives by all arguments."""

    def run(*tensors: Any) -> Any:
        import torch

        inputs = [one.detach().requires_grad_() for one in tensors]
        value = loss(*inputs)
        return value.detach(), torch.autograd.grad(value, inputs)

    return run


def holding(block: Callable[..., Any], weights: Sequence[Any]) -> Callable[[Any], Any]:
    """A block that captured its weights, as a model that is called again and again does."""
    return lambda x: block(x, *weights)


def work(length: int) -> Work:
    """Products of the weights, and the half of attention that is not masked."""
    products = 2.0 * length * (4 * WIDTH * WIDTH + 2 * WIDTH * INNER)
    return Work(products + 2.0 * length * length * WIDTH, 4.0 * sum(map(math.prod, SHAPES)))


def cases() -> list[Case]:
    """The rows: sequences of 128 and 512 tokens."""
    import jax
    import torch

    import wax
    import wax.numpy as wnp

    made = []
    everything = tuple(range(1 + len(SHAPES)))
    for length in (128, 512):
        name, once = f"GPT-2-small block, {length} tokens", work(length)
        both = {"jax": jax_block, "torch": torch_block}
        made.append(Case(f"{name}: forward", wax_block, arrays(length), both, 1e-4, work=once))
        x, *weights = arrays(length)
        held = {
            "jax": holding(jax_block, [jax.numpy.asarray(one) for one in weights]),
            "torch": holding(torch_block, [torch.from_numpy(one) for one in weights]),
        }
        ours = holding(wax_block, [wnp.asarray(one) for one in weights])
        made.append(Case(f"{name}: forward, weights captured", ours, (x,), held, 1e-4, work=once))
        gradients = {
            "jax": jax.value_and_grad(loss_of(jax_block), everything),
            "torch": torch_gradient(loss_of(torch_block)),
            COMPILED: torch_gradient(torch.compile(loss_of(torch_block), dynamic=False)),
        }
        ours = wax.value_and_grad(loss_of(wax_block), everything)
        twice = Work(3 * once.flops, 2 * once.bytes)
        made.append(Case(f"{name}: forward and gradient", ours, arrays(length), gradients, 1e-3, work=twice))
    return made
