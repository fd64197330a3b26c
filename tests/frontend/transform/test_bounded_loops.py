"""Gradients of `while_loop` with `max_steps`: they are those of the steps that were taken, or an error."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from derivatives import close, sampled

import wax
import wax.numpy as wnp
from wax.errors import DifferentiationError, InvalidArgumentError
from wax_runtime.errors import CheckError

X = sampled((4,), "x", low=0.5, high=1.5)
W = sampled((4, 4), "w", low=0.1, high=0.6)


def grown(w, x, limit=50.0, max_steps=16):
    """h ← h · w + sin x until some element is large, and how often."""
    test = lambda state: wnp.max(state[0]) < limit  # noqa: E731
    return wax.while_loop(
        test, lambda state: (state[0] @ w + wnp.sin(x), state[1] + 1), (x, wnp.asarray(0)), max_steps=max_steps
    )


def unrolled(w, x, count):
    h = x
    for _ in range(count):
        h = h @ w + jnp.sin(x)
    return h


def steps(limit):
    return int(grown(W, X, limit)[1])


@pytest.mark.parametrize("limit", [0.0, 2.0, 50.0])
def test_gradients_are_those_of_the_steps_that_were_taken(limit):
    count = steps(limit)
    assert limit == 0.0 or count > 0
    found = wax.grad(lambda w, x: wnp.sum(grown(w, x, limit)[0] ** 2), argnums=(0, 1))(W, X)
    wanted = jax.grad(lambda w, x: jnp.sum(unrolled(w, x, count) ** 2), argnums=(0, 1))(W, X)
    close(found, wanted, 1e-12, "gradient")


def test_as_many_steps_as_there_is_room_for_are_enough():
    count = steps(50.0)
    gradient = wax.grad(lambda x: wnp.sum(grown(W, x, max_steps=count)[0]))(X)
    close(gradient, jax.grad(lambda x: jnp.sum(unrolled(W, x, count)))(X), 1e-12, "gradient")


@pytest.mark.parametrize("compiled", [False, True])
def test_more_steps_are_an_error_of_the_gradient_and_of_nothing_else(compiled):
    count = steps(50.0)
    f = lambda x: wnp.sum(grown(W, x, max_steps=count - 1)[0])  # noqa: E731
    gradient = wax.grad(f)
    if compiled:
        f, gradient = wax.jit(f, device="cpu"), wax.jit(gradient, device="cpu")
    assert np.isfinite(float(f(X)))
    with pytest.raises(CheckError, match=rf"its gradient has room for max_steps={count - 1} steps, and the loop took"):
        gradient(X)


def test_compiled_gradients_are_the_same():
    gradient = wax.grad(lambda w, x: wnp.sum(grown(w, x)[0]), argnums=(0, 1))
    close(wax.jit(gradient, device="cpu")(W, X), jax.tree.map(np.asarray, gradient(W, X)), 1e-12, "compiled")


def test_second_derivatives_are_those_of_the_steps_that_were_taken():
    count = steps(20.0)
    found = wax.hessian(lambda x: wnp.sum(grown(W, x, 20.0)[0] ** 2))(X)
    close(found, jax.hessian(lambda x: jnp.sum(unrolled(W, x, count) ** 2))(X), 1e-10, "forward over reverse")
    found = wax.jacrev(wax.grad(lambda x: wnp.sum(grown(W, x, 20.0)[0] ** 2)))(X)
    close(found, jax.hessian(lambda x: jnp.sum(unrolled(W, x, count) ** 2))(X), 1e-10, "reverse over reverse")


def test_rows_of_a_batch_take_their_own_steps():
    xs = np.stack([X, X * 0.1, X * 100])
    counts = [int(grown(W, x)[1]) for x in xs]
    assert len(set(counts)) == 3
    found = wax.vmap(wax.grad(lambda x: wnp.sum(grown(W, x)[0])))(xs)
    wanted = np.stack([jax.grad(lambda x, n=n: jnp.sum(unrolled(W, x, n)))(x) for x, n in zip(xs, counts, strict=True)])
    close(found, wanted, 1e-12, "vmap of grad")
    found = wax.grad(lambda xs: wnp.sum(wax.vmap(lambda x: grown(W, x)[0])(xs)))(xs)
    close(found, wanted, 1e-12, "grad of vmap")


def test_a_row_that_takes_more_steps_than_there_is_room_for_is_an_error():
    xs = np.stack([X, X * 0.1, X * 100])
    most = max(int(grown(W, x)[1]) for x in xs)
    gradient = wax.vmap(wax.grad(lambda x: wnp.sum(grown(W, x, max_steps=most - 1)[0])))
    with pytest.raises(CheckError, match="the loop took more"):
        gradient(xs)


def test_what_the_condition_computes_is_of_no_consequence():
    def f(x):
        return wnp.sum(wax.while_loop(lambda h: wnp.sum(wnp.exp(h)) < 100.0, lambda h: h * 1.5, x, max_steps=20))

    count = 0
    h = X
    while np.exp(h).sum() < 100:
        h, count = h * 1.5, count + 1
    close(wax.grad(f)(X), np.full(4, 1.5**count), 1e-12, "gradient")


def test_a_checkpoint_of_a_bounded_loop_has_its_gradient():
    gradient = wax.grad(wax.checkpoint(lambda x: wnp.sum(grown(W, x)[0])))(X)
    close(gradient, jax.grad(lambda x: jnp.sum(unrolled(W, x, steps(50.0))))(X), 1e-12, "checkpoint")


def test_without_a_bound_reverse_mode_says_what_to_give():
    with pytest.raises(DifferentiationError, match=r"is not differentiable in reverse mode, .*max_steps="):
        wax.grad(lambda x: wnp.sum(grown(W, x, max_steps=None)[0]))(X)
    with pytest.raises(InvalidArgumentError, match="max_steps is -1; it must not be negative"):
        grown(W, X, max_steps=-1)
