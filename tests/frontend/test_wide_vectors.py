"""Which programs are computed by wide vectors: long maps and nothing else; and what is computed stays the same."""

import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp
from wax._compile import lower
from wax.backends.iree import compilation
from wax.backends.iree.wide_vectors import wants_wide_vectors

X = wax.ShapeDtypeStruct((6, 10), "float32")
OPEN = wax.ShapeDtypeStruct(("m", "n"), "float32")
ROW = wax.ShapeDtypeStruct((10,), "float32")


def linalg(function, *arguments):
    return lower(wax.jit(function).lower(*arguments)._function, "iree").text()


WIDE = {
    "one": (wnp.tanh, X),
    "several": (lambda x: (wnp.exp(x) * wnp.log1p(x), wnp.sin(x)), X),
    "a row for all": (lambda x, y: wnp.exp(x + y), X, ROW),
    "reshaped": (lambda x: wnp.reshape(wnp.tanh(x), (-1,)), X),
}
NARROW = {
    "of open sizes, which have loops of their own": (lambda x, y: wnp.tanh(x) + y, OPEN, OPEN),
    "short": (lambda x: x * 2 + 1, X),
    "nothing": (lambda x: x, X),
    "summed": (lambda x: wnp.sum(wnp.tanh(x)), X),
    "with an extreme of rows": (lambda x: wnp.exp(x - wnp.max(x, axis=1, keepdims=True)), X),
    "with a product of matrices": (lambda x: wnp.tanh(x @ x.T), X),
    "transposed": (lambda x: wnp.tanh(x.T), X),
    "every second": (lambda x: wnp.tanh(x[:, ::2]), X),
    "gathered": (lambda x: wnp.tanh(wnp.take(x, wnp.asarray([3, 1]), axis=1)), X),
    "concatenated": (lambda x: wnp.concat([wnp.tanh(x), x]), X),
    "sorted": (lambda x: wnp.sort(wnp.tanh(x)), X),
    "in a loop": (lambda x: wax.fori_loop(0, 9, lambda i, y: wnp.tanh(y), x), X),
}


@pytest.mark.parametrize("case", WIDE.values(), ids=WIDE)
def test_long_maps_have_wide_vectors(case):
    assert wants_wide_vectors(linalg(*case))


@pytest.mark.parametrize("case", NARROW.values(), ids=NARROW)
def test_other_programs_have_those_of_the_cpu(case):
    assert not wants_wide_vectors(linalg(*case))


@pytest.mark.parametrize(
    ("dtype", "shape"),
    every_other(
        tiered(["float16", "float32", "float64"], "float16".__ne__),
        [(shape,) for shape in [(0,), (1,), (7,), (65,), (3, 17), (5, 1000), (2, 3, 33), (129, 8)]],
    ),
    ids=str,
)
def test_results_are_the_same_at_any_width(shape, dtype, monkeypatch):
    def function(x):
        return x * wnp.tanh(wnp.log1p(wnp.exp(x)))

    x = np.random.default_rng(0).normal(scale=9, size=shape).astype(dtype)
    x.flat[:5] = [np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).tiny][: x.size]
    wide = wax.jit(function, backend="iree")(x)
    monkeypatch.setattr(compilation, "WIDE_VECTORS", ())
    monkeypatch.setenv("WAX_CACHE_DIR", "")
    narrow = wax.jit(lambda x: function(x), backend="iree")(x)
    np.testing.assert_array_equal(np.asarray(wide), np.asarray(narrow))
