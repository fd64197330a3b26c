"""Products with powers of two by an instruction (`wax-scale-by-exponents`): the same bits as without it."""

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import _native
from wax._compile import lower

RANDOM = np.random.default_rng(17)
OTHERS = wax.CompileOptions(flags=("--iree-llvmcpu-target-cpu=x86-64-v3",))

#: That end in such a product, or have one between.
FUNCTIONS = {
    "exp": wnp.exp,
    "exp2": wnp.exp2,
    "expm1": wnp.expm1,
    "sinh": wnp.sinh,
    "cosh": wnp.cosh,
    "tanh": wnp.tanh,
    "sigmoid": lambda x: 1 / (1 + wnp.exp(-x)),
    "gelu": wax.nn.gelu,
}


def numbers(dtype):
    """Of all magnitudes, both signs; where results become subnormal, 0, and infinite; and what is special."""
    least, most = (np.finfo(dtype).minexp * 1.1, np.finfo(dtype).maxexp * 1.1)
    parts = [
        RANDOM.uniform(least, most, 6000),
        RANDOM.standard_normal(3000) * 10.0 ** RANDOM.integers(-12, 3, 3000),
        np.linspace(np.log(np.finfo(dtype).smallest_subnormal) - 2, np.log(np.finfo(dtype).tiny) + 2, 3000),
        np.linspace(np.log(np.finfo(dtype).max) - 1e-3, np.log(np.finfo(dtype).max) + 1e-3, 3000),
        np.float64([0.0, -0.0, np.inf, -np.inf, np.nan, np.finfo(dtype).max, np.finfo(dtype).smallest_subnormal]),
    ]
    return np.concatenate(parts).astype(dtype)


@pytest.mark.skipif(not _native.processor("host").startswith(("avx512", "amx")), reason="this CPU has no AVX-512")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bits_are_those_without_it(name, dtype):
    function, x = FUNCTIONS[name], numbers(dtype)
    found = np.asarray(wax.jit(lambda x: function(x), backend="iree")(x))
    wanted = np.asarray(wax.jit(lambda x: function(x), backend="iree", options=OTHERS)(x))
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found[~np.isnan(found)]), np.signbit(wanted[~np.isnan(wanted)]))


@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (wnp.exp, (5000,)),
        (lambda x: wax.nn.softmax(x, axis=-1), (40, 300)),
        (lambda x: wnp.exp(x @ x.mT), (128, 96)),
    ],
    ids=["a map", "rows", "a product"],
)
def test_where_it_is_done(function, shape):
    text = wax.jit(function).lower(np.zeros(shape, np.float32))._function
    assert "scalef" in lower(text, "iree processor=avx512").text()
    assert "scalef" not in lower(text, "iree processor=avxvnni").text()


def test_few_elements_stay_with_their_neighbours():
    def summed(x):
        return wnp.sum(wnp.exp(x), axis=0)

    text = wax.jit(summed).lower(np.zeros((10, 10), np.float32))._function
    assert "flow.dispatch" not in lower(text, "iree processor=avx512").text()
