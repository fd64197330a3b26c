"""Scans that remember one turn in so many: what they give, and their derivatives, are a scan's."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from derivatives import Judged, close, judge, sampled

import wax
import wax.numpy as wnp
from wax.errors import InvalidArgumentError

W = sampled((4, 4), "w") / 2


def scanned(n, **options):
    xs = {"v": sampled((n, 4), "v"), "n": np.arange(n)}

    def step(h, v):
        return wnp.tanh(h @ W + v["v"]), {"y": h * v["v"][0], "n": v["n"] + 1}

    return wax.scan(step, xs["v"].sum(0), xs, **options)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("checkpoint", [True, 1, 2, 3, 100])
@pytest.mark.parametrize("n", [0, 1, 2, 5, 9, 10])
def test_results_are_those_of_the_scan(n, checkpoint, reverse):
    found = scanned(n, checkpoint=checkpoint, reverse=reverse)
    close(found, jax.tree.map(np.asarray, scanned(n, reverse=reverse)), 0, "scan")


@pytest.mark.parametrize("checkpoint", [True, 3])
def test_derivatives_are_those_of_jax(checkpoint):
    x = sampled((7, 4), "x")

    def function(w, x):
        return wax.scan(lambda h, v: (wnp.tanh(h @ w + v), h * v), x[0], x, checkpoint=checkpoint)

    def judged(w, x):
        return jax.lax.scan(lambda h, v: (jnp.tanh(h @ w + v), h * v), x[0], x)

    judge(Judged("scan", function, judged, (W, x), tolerance=1e-9))


@pytest.mark.parametrize("backend", ["reference", "iree"])
def test_a_loop_of_as_many_turns_as_there_are_rows_has_a_gradient(backend):
    def loss(lib, xp):
        loop = wax.fori_loop if lib is wax else jax.lax.fori_loop
        return lambda x: xp.sum(loop(0, x.shape[0] - 1, lambda i, h: xp.tanh(h * x[0]) + h[i], x))

    n = wax.Dim("n")
    program = wax.jit(wax.grad(loss(wax, wnp)), dynamic_shapes={"x": {0: n, 1: n}}, backend=backend)
    for count in (1, 2, 5, 17):
        x = sampled((count, count), "x")
        close(program(wnp.asarray(x)), jax.grad(loss(jax, jnp))(x), 1e-9, f"{count} rows")


def test_a_length_that_is_not_known_is_refused():
    def f(x):
        return wax.scan(lambda h, v: (h + v, None), x[0], x, checkpoint=True)[0]

    g = wax.jit(f, dynamic_shapes={"x": {0: wax.Dim("n", min=2)}})
    with pytest.raises(InvalidArgumentError, match="checkpoint=True needs a number of turns that is known, not n"):
        g(np.ones((3, 2), np.float32))
    with pytest.raises(InvalidArgumentError, match="checkpoint is 0; it must be at least 1"):
        wax.scan(lambda h, v: (h, v), 0.0, np.ones(3), checkpoint=0)
