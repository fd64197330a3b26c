"""Copies along dims of open sizes are read through (`wax-read-copies`): derivatives write no products term by term."""

import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax import _native

RANDOM = np.random.default_rng(7)
N, M = wax.Dim("n"), wax.Dim("m")


def normal(*shape):
    return RANDOM.standard_normal(shape).astype("f4")


def attention(q, k, v):
    return wnp.sum(wax.nn.attention(q, k, v, is_causal=True) ** 2)


def attention_in_jax(q, k, v):
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / np.sqrt(q.shape[-1])
    scores = jnp.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -jnp.inf)
    return jnp.sum((jax.nn.softmax(scores, axis=-1) @ v) ** 2)


def softmax(x, y):
    return wnp.sum(wax.nn.softmax(x @ x.T, axis=-1) * y)


def softmax_in_jax(x, y):
    return jnp.sum(jax.nn.softmax(x @ x.T, axis=-1) * y)


def distances(x, y):
    return wnp.sum(wnp.exp(-wnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)))


def distances_in_jax(x, y):
    return jnp.sum(jnp.exp(-jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)))


def projection(x, w):
    return wnp.sum(wnp.tanh(wnp.einsum("bnd,de->bne", x, w)) ** 2)


def projection_in_jax(x, w):
    return jnp.sum(jnp.tanh(jnp.einsum("bnd,de->bne", x, w)) ** 2)


CASES = {
    "attention": (attention, attention_in_jax, [(2, "n", 16)] * 3),
    "softmax": (softmax, softmax_in_jax, [("n", 8), ("n", "n")]),
    "distances": (distances, distances_in_jax, [("n", 4), ("m", 4)]),
    "projection": (projection, projection_in_jax, [("m", "n", 12), (12, 5)]),
}


def shaped(shapes, n, m):
    known = {"n": n, "m": m}
    return [tuple(known.get(size, size) for size in shape) for shape in shapes]


def dims_of(shapes):
    named = {"n": N, "m": M}
    opened = [{axis: named[size] for axis, size in enumerate(shape) if size in named} for shape in shapes]
    return tuple(each or None for each in opened)


@pytest.mark.parametrize(("loss", "judge", "shapes"), CASES.values(), ids=CASES)
def test_gradients_by_all_arguments(loss, judge, shapes):
    numbers = tuple(range(len(shapes)))
    run = wax.jit(wax.grad(loss, argnums=numbers), dynamic_shapes=dims_of(shapes), backend="iree")
    for n, m in ((1, 3), (37, 2), (130, 64)):
        given = [normal(*shape) * np.float32(0.5) for shape in shaped(shapes, n, m)]
        with jax.enable_x64(True):
            wanted = jax.grad(judge, argnums=numbers)(*[x.astype("f8") for x in given])
        for found, right in zip(run(*given), wanted, strict=True):
            scale = max(1.0, float(np.abs(right).max()))
            np.testing.assert_allclose(found, right, rtol=2e-5, atol=2e-5 * scale)


@pytest.mark.parametrize(("loss", "shapes"), [(case[0], case[2]) for case in CASES.values()], ids=CASES)
def test_no_broadcast_of_open_sizes_is_only_a_copy(loss, shapes):
    """But of single numbers, which a fill writes."""
    given = [normal(*shape) for shape in shaped(shapes, 5, 6)]
    derivative = wax.grad(loss, argnums=tuple(range(len(shapes))))
    lowered = wax.jit(derivative, dynamic_shapes=dims_of(shapes)).lower(*given)
    module = _native.make_module(lowered._function.function)
    module.run("builtin.module(inline,wax-simplify,cse,wax-read-copies,wax-simplify)")
    copies = re.findall(r"wax\.broadcast \(%a = %\w+(?:#\d+)?\[([^\]]*)\]\)[^{]*\{\s*wax\.yield %a", module.text())
    assert not [dims for dims in copies if dims]
