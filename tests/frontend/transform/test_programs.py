"""What derivatives are made of: no dead residuals, contractions only where contractions are due; and compiled ones."""

from collections import Counter
from pathlib import Path

import jax
import numpy as np
import pytest
from array_cases.case import rng
from operations import declared

import wax
import wax.nn
import wax.numpy as wnp
from wax import _native

SIZES = {"b": 5, "i": 2, "j": 3, "k": 4, "l": 6}
CONTRACTIONS = ["ij,jk->ik", "ji,jk->ik", "ij,kj->ik", "ji,kj->ik", "bij,bjk->bik", "bij,bkj->bik", "bij,jk->bik"]
CONTRACTIONS += ["ijk,kl->ijl", "bik,bjk->ij", "ijk,jkl->il", "bij,bjk->ki"]


def operands(spec):
    return [
        rng(spec, i).normal(size=[SIZES[c] for c in part]).astype(np.float32)
        for i, part in enumerate(spec.split("->")[0].split(","))
    ]


def operations(function, *arguments):
    """How often each operation of the basis occurs, constants aside, after inlining and canonicalization."""
    module = _native.make_module(wax.jit(function).trace(*arguments)._function.function)
    module.run("builtin.module(inline,canonicalize,cse,symbol-dce)")
    picture = module.snapshot()
    names = Counter(operation.name for operation in picture.functions[picture.entry].operations)
    return {name.removeprefix("wax."): count for name, count in names.items() if name != "wax.constant"}


def cotangent(spec, a, b):
    return rng(spec, "cotangent").normal(size=np.einsum(spec, a, b).shape).astype(np.float32)


@pytest.mark.parametrize("spec", CONTRACTIONS)
def test_the_gradient_of_a_contraction_is_two_contractions(spec):
    a, b = operands(spec)

    def pullback(a, b, ct):
        return wax.vjp(lambda a, b: wnp.einsum(spec, a, b), a, b)[1](ct)

    assert operations(pullback, a, b, cotangent(spec, a, b)) == {"broadcast": 2, "reduce": 2}


def test_the_gradient_of_a_layer_computes_nothing_twice():
    x, w, b = (rng(n).normal(size=s).astype(np.float32) for n, s in (("x", (4, 3)), ("w", (3, 2)), ("b", (2,))))

    def loss(w, b, x):
        return wnp.sum(wnp.tanh(x @ w + b))

    # Forward: the product and its sum, tanh of the sum with the bias. Backward: the cotangent of the sum, its sum
    # for the bias, the product for the weight and its sum.
    found = operations(wax.grad(loss, argnums=(0, 1)), w, b, x)
    assert found["broadcast"] <= 4
    assert found["reduce"] == 3
    assert not found.keys() - {"broadcast", "reduce", "map"}


def test_residuals_are_what_the_backward_part_reads():
    from wax._trace import tracing
    from wax.transform._parts import run_first
    from wax.transform._primal import trace_by_all

    _, in_tree = wax.tree.flatten((0,))
    with tracing("test") as trace:
        leaf = trace.lift(wnp.asarray(rng("x").normal(size=(4,)).astype(np.float32)))
        primal = trace_by_all(lambda x: wnp.sin(x) + 2 * wnp.exp(x) + 1, in_tree, [leaf])
        _, residuals, _ = run_first(primal, primal.reverse([0]))
    # x itself and nothing else, or x and exp(x): constants are made anew.
    assert 1 <= len(residuals) <= 2


def test_derivatives_compile():
    keys = rng("model")
    x = keys.normal(size=(2, 3, 8, 8)).astype(np.float32)
    params = {
        "filter": keys.normal(size=(4, 3, 3, 3)).astype(np.float32) * 0.3,
        "weight": keys.normal(size=(4, 5)).astype(np.float32),
        "scale": np.ones(5, np.float32),
        "table": keys.normal(size=(6, 5)).astype(np.float32),
    }
    ids = np.asarray([1, 1])

    def loss(np_, nn, conv, params, x, ids):
        image = nn.relu(conv(x, params["filter"]))
        pooled = np_.mean(image, axis=(2, 3)) @ params["weight"] + params["table"][ids]
        logits = nn.log_softmax(np_.cumsum(pooled * params["scale"], axis=1))
        return -np_.sum(np_.max(logits, axis=1)) + np_.sum(np_.sort(pooled, axis=1)[:, :2] ** 2)

    def judge_conv(x, w):
        return jax.lax.conv_general_dilated(x, w, (2, 2), "SAME")

    def ours(params, x, ids):
        return loss(wnp, wax.nn, lambda x, w: wax.nn.conv(x, w, strides=2, padding="SAME"), params, x, ids)

    def judge(params, x, ids):
        return loss(jax.numpy, jax.nn, judge_conv, params, x, ids)

    value, gradient = wax.jit(wax.value_and_grad(ours), backend="iree")(params, x, ids)
    wanted_value, wanted = jax.value_and_grad(judge)(params, x, ids)
    np.testing.assert_allclose(float(value), float(wanted_value), rtol=1e-4)
    for name in params:
        np.testing.assert_allclose(np.asarray(gradient[name]), wanted[name], rtol=1e-3, atol=1e-4, err_msg=name)


def test_every_operation_has_a_rule_but_those_of_no_operands():
    root = Path(__file__).resolve().parents[3] / "passes" / "differentiation"
    sources = "".join(path.read_text() for path in root.glob("*.cpp"))
    without = {one.name for one in declared() if one.is_basis and f"{one.cpp_class}::attachInterface" not in sources}
    assert without == {"wax.constant", "wax.iota"}
