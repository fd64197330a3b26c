"""Derivatives of branches and loops: against JAX, compiled too, and the work of a turn that reads a slice."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from derivatives import Judged, close, judge, sampled

import wax
import wax.numpy as wnp
from wax.errors import DifferentiationError

X = sampled((3, 4), "x")
W = sampled((4, 4), "w") / 2


def both(name, function, *arguments):
    """A function that is written once for both libraries: of the control flow, and of the arrays."""
    return Judged(
        name,
        lambda *args: function(wax, wnp, *args),
        lambda *args: function(jax.lax, jnp, *args),
        arguments,
        tolerance=1e-9,
    )


def recurrent(lax, xp, w, x):
    def step(h, v):
        h = xp.tanh(h @ w + v)
        return h, h * 2

    return lax.scan(step, x[0], x)


def backwards(lax, xp, w, x):
    return lax.scan(lambda h, v: (xp.sin(h @ w) + v, h[1:]), x[0], x, reverse=True)


def powers(lax, xp, w, x):
    return lax.fori_loop(0, 5, lambda i, h: xp.sin(h @ w) * (i + 1), x)


def neighbours(lax, xp, w, x):
    """A turn that reads several places of what it captures, one of them by a computed index."""

    def turn(i, h):
        return h * xp.sum(w[i]) + x[(i * 2) % 3] - w[i, 0] + h[0] * w[3 - i]

    return lax.fori_loop(0, 4, turn, x[0])


def nested(lax, xp, w, x):
    def outer(h, v):
        return lax.scan(lambda g, row: (xp.tanh(g * row + v), g @ w), h, w)

    return lax.scan(outer, x[0], x)


def branching(lax, xp, w, x):
    def turn(h, v):
        return lax.cond(xp.sum(v) > 0, lambda: h @ w + w[1], lambda: xp.exp(-h * h) + v), h[0]

    return lax.scan(turn, x[0], x)


CASES = [
    both("scan", recurrent, W, X),
    both("scan in reverse", backwards, W, X),
    both("fori_loop", powers, W, X),
    both("slices in a loop", neighbours, W, X),
    both("nested scans", nested, W, X),
    both("cond in a scan", branching, W, X),
    both(
        "cond", lambda lax, xp, w, x: lax.cond(xp.sum(x) > 0, lambda a: a @ w, lambda a: xp.exp(a) + xp.sum(w), x), W, X
    ),
    both("switch", lambda lax, xp, w, x: lax.switch(1, [lambda a: a @ w, lambda a: xp.exp(a) @ w], x), W, X),
    both("map", lambda lax, xp, w, x: lax.map(lambda v: xp.sin(v @ w), x), W, X),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_derivatives_through_control_flow_are_those_of_jax(case):
    with jax.enable_x64(True):
        judge(case)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name in ("scan", "slices in a loop", "cond in a scan")], ids=str
)
def test_compiled_derivatives_through_control_flow_are_those_of_jax(case):
    with jax.enable_x64(True):
        out = jax.eval_shape(case.judge, *case.arguments)
        cotangents = jax.tree.map(lambda x: sampled(x.shape, "cotangent", dtype=x.dtype), out)
        wanted = jax.vjp(case.judge, *case.arguments)[1](cotangents)
    pulled = wax.jit(lambda cotangents, *args: wax.vjp(case.function, *args)[1](cotangents), backend="iree")
    close(pulled(cotangents, *case.arguments), wanted, case.tolerance, case.name)


def test_a_while_loop_has_forward_mode_only():
    def doubled(lax, xp, x):
        return lax.while_loop(lambda v: xp.sum(v) < 100, lambda v: v * 2 + x, x)

    x = np.abs(X)
    with jax.enable_x64(True):
        wanted = jax.jvp(lambda x: doubled(jax.lax, jnp, x), (x,), (X,))
    close(wax.jvp(lambda x: doubled(wax, wnp, x), (x,), (X,)), wanted, 1e-12, "while_loop")
    with pytest.raises(DifferentiationError, match=r"scf\.while"):
        wax.vjp(lambda x: doubled(wax, wnp, x), x)


def test_a_turn_that_reads_a_slice_adds_to_a_slice_of_the_cotangent():
    def total(x):
        return wax.scan(lambda h, v: (wnp.sin(h) * wnp.sum(v), None), wnp.asarray(1.0), x)[0]

    text = wax.jit(wax.grad(total)).trace(wnp.ones((50, 7))).as_text()
    # What is as large as all of x: the sum that is carried, begun with zeros, and what writes to it.
    loop = text[text.rindex("scf.for") :]
    whole = [
        line.split("=")[1].split()[0] for line in loop.splitlines() if "-> tensor<50x7xf32>" in line and "=" in line
    ]
    assert set(whole) == {"wax.insert"}


def test_scans_within_scans_remember_what_goes_between_them():
    """The square root of the turns, twice, in place of all: memory for checkpoints needs no more."""

    def chain(x, inner):
        def block(h, _):
            return wax.scan(lambda g, _: (wnp.sin(g), None), h, length=inner)[0], None

        return wnp.sum(wax.scan(block, x, length=64 // inner)[0])

    x = wnp.ones(10)
    kept = {}
    for inner in (1, 8):
        text = wax.jit(wax.grad(lambda x, inner=inner: chain(x, inner))).trace(x).as_text()
        kept[inner] = {shape for shape in ("64x10", "8x10") if f"tensor<{shape}xf32>" in text}
    assert kept == {1: {"64x10"}, 8: {"8x10"}}
    flat, blocked = (np.asarray(wax.grad(lambda x, inner=inner: chain(x, inner))(x)) for inner in (1, 8))
    np.testing.assert_allclose(flat, blocked, rtol=1e-6)
