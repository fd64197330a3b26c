"""The training of `train_lm.py` in JAX, on the same parameters: for tests and benchmarks to compare with."""

from typing import Any

import gpt
import jax
import jax.numpy as jnp
from train_lm import Run, State


def normed(x: Any, weight: Any) -> Any:
    """`wax.nn.rms_norm`."""
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * weight


def turned(x: Any) -> Any:
    """`wax.nn.rotary_embedding`."""
    half = x.shape[-1] // 2
    angles = jnp.arange(x.shape[-2])[:, None] * 10000.0 ** (-jnp.arange(half) / half)
    sine, cosine = jnp.sin(angles).astype(x.dtype), jnp.cos(angles).astype(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return jnp.concatenate([first * cosine - second * sine, first * sine + second * cosine], -1)


def loss_of(params: gpt.Parameters, pieces: Any, config: gpt.Config) -> Any:
    """`train_lm.loss_of`, with rotary positions."""
    ids, wanted = pieces[:, :-1], pieces[:, 1:]
    batch, length = ids.shape
    seen = jnp.tril(jnp.ones((length, length), bool))
    x = params.words[ids]
    for p in params.layers:
        h = normed(x, p.norm)
        query, key, value = (
            (h @ weight).reshape(batch, length, heads, -1).transpose(0, 2, 1, 3)
            for weight, heads in ((p.query, config.heads), (p.key, config.groups), (p.value, config.groups))
        )
        query, key = turned(query), turned(key)
        shared = config.heads // config.groups
        key, value = (jnp.repeat(one, shared, 1) for one in (key, value))
        scores = query @ key.transpose(0, 1, 3, 2) / query.shape[-1] ** 0.5
        mixed = jax.nn.softmax(jnp.where(seen, scores, -jnp.inf)) @ value
        x = x + mixed.transpose(0, 2, 1, 3).reshape(x.shape) @ p.output
        h = normed(x, p.hidden_norm)
        x = x + (jax.nn.silu(h @ p.gate) * (h @ p.up)) @ p.down
    logits = normed(x, params.norm) @ params.words.T
    likelihoods = jnp.take_along_axis(jax.nn.log_softmax(logits), wanted[..., None], -1)
    return -jnp.mean(likelihoods)


def make_step(run: Run) -> Any:
    """`train_lm.make_step`."""
    peak, b1, b2 = run.learning_rate, 0.9, 0.99

    def rate_at(count: Any) -> Any:
        done = jnp.minimum((count - run.warmup) / max(run.steps - run.warmup, 1), 1.0)
        cosine = peak * (0.9 * 0.5 * (1 + jnp.cos(jnp.pi * done)) + 0.1)
        return jnp.where(count < run.warmup, peak * count / max(run.warmup, 1), cosine)

    def train_step(state: State, pieces: Any) -> tuple[State, Any]:
        loss, gradient = jax.value_and_grad(loss_of)(state.params, pieces, run.config)
        norm = jnp.sqrt(sum(jnp.sum(x * x) for x in jax.tree.leaves(gradient)))
        gradient = jax.tree.map(lambda x: jnp.where(norm < 1.0, x, x / norm), gradient)
        mu, nu = state.optimizer
        mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, mu, gradient)
        nu = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, nu, gradient)
        count, rate = state.step + 1, rate_at(state.step)

        def moved(p: Any, m: Any, v: Any) -> Any:
            update = m / (1 - b1**count) / (jnp.sqrt(v / (1 - b2**count)) + 1e-8)
            return p - rate * (update + (0.1 * p if p.ndim > 1 else 0))

        return State(count, jax.tree.map(moved, state.params, mu, nu), (mu, nu)), loss

    return jax.jit(train_step, donate_argnums=0)


def initial(params: gpt.Parameters) -> State:
    """The state that training begins with, for parameters that are NumPy's or wax's."""
    params = jax.tree.map(lambda x: jnp.array(x, copy=True), params)
    zeros = jax.tree.map(jnp.zeros_like, params)
    return State(jnp.zeros((), jnp.int32), params, (zeros, jax.tree.map(jnp.zeros_like, params)))
