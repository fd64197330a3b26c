"""Batches as programs: nothing repeated, no loop over the batch; and compiled ones."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from array_cases.case import rng
from operations import declared

import wax
import wax.nn
import wax.numpy as wnp
from wax import _native

X = rng("x").normal(size=(4, 3)).astype(np.float32)
W = rng("w").normal(size=(3, 5)).astype(np.float32)


def operations(function, *arguments):
    """How often each operation occurs, constants aside, after inlining and canonicalization."""
    module = _native.make_module(wax.jit(function).trace(*arguments)._function.function)
    module.run("builtin.module(inline,canonicalize,cse,symbol-dce)")
    picture = module.snapshot()
    names = Counter(operation.name for operation in picture.functions[picture.entry].operations)
    return {name.removeprefix("wax."): count for name, count in names.items() if name != "wax.constant"}


def test_every_operation_has_a_rule_but_those_of_no_operands():
    root = Path(__file__).resolve().parents[3] / "passes" / "batching"
    sources = "".join(path.read_text() for path in root.glob("*.cpp"))
    without = {one.name for one in declared() if one.is_basis and f"{one.cpp_class}::attachInterface" not in sources}
    assert without == {"wax.constant", "wax.iota"}


def test_a_batch_of_products_is_one_product():
    assert operations(wax.vmap(lambda x, w: x @ w, (0, None)), X, W) == operations(lambda x, w: x @ w, X, W)


def test_axes_are_read_where_they_are():
    # The permutes of in_axes are folded into the join.
    assert operations(wax.vmap(lambda x, y: x * y, (1, 0)), X.T.copy(), X) == {"broadcast": 1}


def test_what_is_the_same_for_all_rows_is_computed_once():
    module = _native.make_module(
        wax.jit(wax.vmap(lambda x, w: x + wnp.exp(w), (0, None))).trace(X, W[:, 0])._function.function
    )
    module.run("builtin.module(inline,canonicalize,cse,symbol-dce)")
    assert "wax.map math.exp" in module.text()
    assert "-> tensor<4x3xf32>" not in module.text().split("math.exp")[1].split("\n")[0]


def test_jacobians_are_one_program_over_all_unit_vectors():
    # Not one product for each row.
    found = operations(wax.jacrev(lambda x: wnp.tanh(x @ W)), X[0])
    assert sum(found.values()) < 16


PROGRAMS = {
    "products": (wax.vmap(lambda x, w: wnp.tanh(x @ w), (0, None)), (X, W)),
    "gradients": (wax.vmap(wax.grad(lambda x, w: wnp.sum(wnp.tanh(x @ w) ** 2), argnums=1), (0, None)), (X, W)),
    "choices": (
        wax.vmap(lambda x: wax.cond(x[0] > 0, lambda x: x * 2, wnp.sort, x)),
        (X,),
    ),
    "loops": (
        wax.vmap(lambda x, n: wax.while_loop(lambda c: c[0] < n, lambda c: (c[0] + 1, c[1] * 1.5), (0, x))[1]),
        (X, np.asarray([0, 3, 1, 5], np.int32)),
    ),
    "bounds": (
        wax.vmap(lambda x, n: wax.fori_loop(0, n, lambda i, c: c + x[i], 0.0)),
        (X, np.asarray([0, 3, 1, 2], np.int32)),
    ),
    "slices": (wax.vmap(lambda x, i: x * x[i]), (X, np.asarray([0, 2, 1, 1], np.int32))),
    "filters": (
        wax.vmap(lambda x, w: wax.nn.conv(x, w, padding="SAME")),
        (
            rng("image").normal(size=(2, 1, 3, 6, 6)).astype(np.float32),
            rng("filter").normal(size=(2, 4, 3, 3, 3)).astype(np.float32),
        ),
    ),
    "sums": (wax.vmap(lambda x: x / wax.psum(wnp.abs(x), "i"), axis_name="i"), (X,)),
    "scans": (wax.vmap(lambda x: wax.scan(lambda c, v: (c * 0.5 + v, c), np.float32(0), x)[1]), (X,)),
    "hessians": (wax.vmap(wax.hessian(lambda x: wnp.sum(wnp.sin(x) * x[0]))), (X,)),
}


@pytest.fixture(scope="module")
def compiled():
    """What one compiled module of all programs gives."""

    def program(arguments):
        return {name: function(*arguments[name]) for name, (function, _) in PROGRAMS.items()}

    given = {name: tuple(map(wnp.asarray, arguments)) for name, (_, arguments) in PROGRAMS.items()}
    return wax.jit(program, backend="iree")(given)


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_batches_are_the_same(name, compiled):
    function, arguments = PROGRAMS[name]
    np.testing.assert_allclose(np.asarray(compiled[name]), np.asarray(function(*arguments)), rtol=1e-4, atol=1e-5)
