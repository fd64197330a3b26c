"""Random compositions of transformations: their values are JAX's, and their derivatives the slopes that they have."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from derivatives import close, sampled
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wax
import wax.numpy as wnp

W = sampled((3, 3), "w") / 2
ROWS = sampled((2, 3), "rows")

#: Functions of three numbers that give three, written for both libraries.
BASES = {
    "sin": lambda lib, lax, xp: lambda x: xp.sin(x) * xp.roll(x, 1),
    "layer": lambda lib, lax, xp: lambda x: xp.tanh(W @ x + x[0]),
    "softmax": lambda lib, lax, xp: lambda x: xp.exp(x - xp.max(x)) / xp.sum(xp.exp(x - xp.max(x))),
    "slices": lambda lib, lax, xp: lambda x: xp.concat([x[1:] * x[:-1], xp.cos(x[:1])]),
    "sorted": lambda lib, lax, xp: lambda x: xp.cumsum(xp.sort(x)) * x,
    "powers": lambda lib, lax, xp: lambda x: x / (1 + x * x) ** 1.5,
}


def _grad(lib, lax, xp, f):
    return lib.grad(lambda x: xp.sum(f(x) ** 2) / 2)


def _jvp(lib, lax, xp, f):
    return lambda x: lib.jvp(f, (x,), (xp.cos(x),))[1]


def _vjp(lib, lax, xp, f):
    return lambda x: lib.vjp(f, x)[1](xp.sin(x))[0]


def _linearize(lib, lax, xp, f):
    return lambda x: lib.linearize(f, x)[1](xp.cos(x) + 1)


def _vmap(lib, lax, xp, f):
    return lambda x: xp.sum(lib.vmap(lambda row: f(x * row))(ROWS), axis=0)


def _jit(lib, lax, xp, f):
    return lib.jit(f)


def _checkpoint(lib, lax, xp, f):
    return lib.checkpoint(f)


def _saving(lib, lax, xp, f):
    return lib.checkpoint(f, policy=lib.checkpoint_policies.dots_saveable)


def _scan(lib, lax, xp, f):
    def g(x):
        last, ys = lax.scan(lambda h, row: (xp.tanh(f(h) + row), h * row), x, ROWS)
        return last + xp.sum(ys, axis=0)

    return g


def _cond(lib, lax, xp, f):
    return lambda x: lax.cond(xp.sum(xp.sin(x)) > 0, f, lambda x: f(x * x) - x, x)


TRANSFORMATIONS = [_grad, _jvp, _vjp, _linearize, _vmap, _jit, _checkpoint, _saving, _scan, _cond]


def compositions():
    names = st.lists(st.sampled_from(TRANSFORMATIONS), min_size=1, max_size=3)
    return st.tuples(st.sampled_from(sorted(BASES)), names, st.integers(0, 2**16))


def written(lib, lax, xp, base, transformations):
    f = BASES[base](lib, lax, xp)
    for transformation in transformations:
        f = transformation(lib, lax, xp, f)
    return f


def judge(base, transformations, seed):
    x = sampled((3,), "x", seed, low=-1.5, high=1.5)
    f = written(wax, wax, wnp, base, transformations)
    g = written(jax, jax.lax, jnp, base, transformations)
    value, wanted = np.asarray(f(x)), np.asarray(g(x))
    close(value, wanted, 1e-8, "value")

    # Slopes, of the program itself.
    t = sampled((3,), "t", seed)
    step = 1e-5
    slope = (np.asarray(f(x + step * t)) - np.asarray(f(x - step * t))) / (2 * step)
    moved = np.asarray(wax.jvp(f, (x,), (t,))[1])
    scale = 1 + np.abs(slope).max() + np.abs(value).max()
    if np.isfinite(slope).all():
        np.testing.assert_allclose(moved, slope, atol=1e-5 * scale, err_msg="slope")

    # And the transpose.
    ct = sampled((3,), "ct", seed)
    pulled = np.asarray(wax.vjp(f, x)[1](ct)[0])
    np.testing.assert_allclose(
        pulled @ t, ct @ moved, atol=1e-8 * scale * (1 + np.abs(moved).max()), err_msg="transpose"
    )


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(compositions())
def test_compositions_are_those_of_jax_and_have_their_slopes(drawn):
    judge(*drawn)


@pytest.mark.full
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(compositions())
def test_many_compositions(drawn):
    judge(*drawn)
