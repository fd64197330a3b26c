"""Products of what loops go through, before them (`wax-hoist-products`): the same numbers as a turn at a time."""

import re

import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp
from wax._compile import lower

RANDOM = np.random.default_rng(17)


def recurrent(reverse):
    def run(xs, h, w, u):
        def turn(h, x):
            h = wnp.tanh(x @ w + h @ u)
            return h, h * 2

        return wax.scan(turn, h, xs, reverse=reverse)

    return run


def arrays(dtype, turns, batch, ins, outs):
    shapes = [(turns, *batch, ins), (*batch, outs), (ins, outs), (outs, outs)]
    return [(RANDOM.standard_normal(shape) / 16).astype(dtype) for shape in shapes]


def judged(reverse, xs, h, w, u):
    xs, h, w, u = (one.astype("f8") for one in (xs, h, w, u))
    made = []
    for x in xs[::-1] if reverse else xs:
        h = np.tanh(x @ w + h @ u)
        made.append(h * 2)
    return h, np.stack(made[::-1] if reverse else made)


def products_in_loops(function, *arguments):
    """How many products remain in a loop on the host: IREE's, and dispatches of ours."""
    text = lower(wax.jit(function).lower(*arguments)._function, "iree outline=false").text()
    found = re.search(r"^    %\S+ = scf\.for .*?^    }", text, re.MULTILINE | re.DOTALL)
    if found is None:
        return 0
    plain, *dispatches = found[0].split('"flow.dispatch.region"')
    ours = sum("fastmath<contract>" in one for one in dispatches)
    return ours + sum(one.count('"reduction"') for one in (plain, *dispatches))


@pytest.mark.parametrize(
    ("dtype", "reverse", "batch"),
    every_other(
        tiered(["float32", "float64"], lambda dtype: dtype == "float32"),
        [False, True],
        [((),), ((8,),), ((3, 2),)],
    ),
    ids=str,
)
def test_a_recurrent_network(dtype, reverse, batch):
    given = arrays(dtype, 33, batch, 130, 65)
    found = wax.jit(recurrent(reverse), backend="iree")(*given)
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    for one, other in zip(found, judged(reverse, *given), strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=tolerance, atol=tolerance)


def test_its_gradient():
    given = arrays("float32", 17, (5,), 40, 33)

    def loss(*arguments):
        return wnp.sum(recurrent(False)(*arguments)[1] ** 2)

    found = wax.jit(wax.grad(loss, argnums=(0, 1, 2, 3)), backend="iree")(*given)
    wanted = wax.jit(wax.grad(loss, argnums=(0, 1, 2, 3)), backend="reference")(*given)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=2e-4, atol=2e-4)


def test_a_batch_of_networks():
    given = arrays("float32", 17, (5,), 40, 33)
    many = np.stack([given[0], given[0] * 2, -given[0]])
    found = wax.jit(wax.vmap(recurrent(False), in_axes=(0, None, None, None)), backend="iree")(many, *given[1:])
    for place, xs in enumerate(many):
        for one, other in zip(found, judged(False, xs, *given[1:]), strict=True):
            np.testing.assert_allclose(np.asarray(one)[place], other, rtol=1e-5, atol=1e-5)


def test_one_of_two_products_leaves_the_loop():
    given = arrays("float32", 64, (8,), 256, 256)
    both = [lambda xs, h, w, u: recurrent(False)(xs, h, w.T, u.T), *given]
    assert products_in_loops(*both) == 1
    plain = lower(wax.jit(both[0], optimize=False).lower(*given)._function, "iree outline=false").text()
    assert plain.split("= scf.for", 1)[1].count('"reduction"') == 2


def test_a_loop_that_goes_through_some_only_multiplies_no_more():
    xs, h, w, _ = arrays("float32", 64, (8,), 32, 32)

    def some(xs, h, w):
        return wax.fori_loop(0, 3, lambda i, h: h + xs[i] @ w, h)

    found = wax.jit(some, backend="iree")(xs, h, w)
    np.testing.assert_allclose(np.asarray(found), h + sum(xs[i].astype("f8") @ w for i in range(3)), atol=1e-4)


def test_special_values_stay_in_their_turn():
    given = arrays("float32", 9, (4,), 40, 33)
    given[0][3, 1, 5] = np.nan
    _, found = wax.jit(recurrent(False), backend="iree")(*given)
    _, wanted = judged(False, *given)
    np.testing.assert_array_equal(np.isnan(np.asarray(found)), np.isnan(wanted))
