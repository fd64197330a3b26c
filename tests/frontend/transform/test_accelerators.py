"""A sample of derivatives and batches on accelerators: the numbers are the reference backend's."""

import numpy as np
import pytest
from array_cases.case import rng
from tiers import tiered

import wax
import wax.nn
import wax.numpy as wnp


def network(w, x):
    h = wnp.tanh(x @ w[0])
    return -wnp.sum(wax.nn.log_softmax(h @ w[1], axis=-1)[:, 0])


def taken(x, at):
    return wnp.sum(wnp.sin(wnp.sort(x[at], axis=-1)) * wnp.cumsum(x, axis=-1)[at])


def recurrent(x):
    carry, made = wax.scan(lambda h, row: (wnp.tanh(h + row), h * row), x[0], x)
    return wnp.sum(carry) + wnp.sum(made**2)


W = [rng(size, "network").normal(size=size).astype(np.float32) for size in ((5, 7), (7, 3))]
X = rng("vulkan").normal(size=(4, 5)).astype(np.float32)
AT = np.array([3, 0, 3, 1], np.int32)
ROWS = np.stack([X, 2 * X, X - 1])

SAMPLE = {
    "grad of a network": (wax.grad(network), W, X),
    "vmap of grad": (wax.vmap(wax.grad(network, argnums=1), in_axes=(None, 0)), W, ROWS),
    "grad of taken rows": (wax.grad(taken), X, AT),
    "vmap of jvp": (wax.vmap(lambda x: wax.jvp(lambda x: taken(x, AT), (x,), (wnp.cos(x),))[1]), ROWS),
    "grad of a loop": (wax.grad(recurrent), X),
    "hessian": (wax.hessian(lambda x: wnp.sum(x / (1 + wnp.sum(x**2)))), X[0]),
    "grad of an inverse": (wax.grad(lambda x: wnp.sum(wnp.linalg.inv(x @ x.T + 4 * wnp.eye(4)) ** 2)), X),
}


@pytest.mark.parametrize("name", tiered(SAMPLE, lambda name: name in ("vmap of grad", "grad of a loop")))
def test_derivatives_and_batches_are_the_same_there(name, accelerator):
    function, *arguments = SAMPLE[name]
    found = wax.jit(function, device=accelerator)(*arguments)
    wanted = wax.jit(function, backend="reference")(*arguments)
    for got, want in zip(wax.tree.leaves(found), wax.tree.leaves(wanted), strict=True):
        assert got.device == accelerator
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=2e-5, atol=2e-5)
