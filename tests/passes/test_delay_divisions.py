"""A softmax that is divided after its product with values (`wax-delay-divisions`): the same numbers."""

import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax import _native

RANDOM = np.random.default_rng(36)


def by_softmax(x, v):
    return wax.nn.softmax(x) @ v


def by_exponentials(x, v):
    e = wnp.exp(x - wnp.max(x, axis=-1, keepdims=True))
    return (e / wnp.sum(e, axis=-1, keepdims=True)) @ v


def by_reciprocals(x, v):
    e = wnp.exp(x - wnp.max(x, axis=-1)[..., None])
    return (e * (1 / wnp.sum(e, axis=-1))[..., None]) @ v


def by_einsum(x, v):
    return wnp.einsum("...qk,...kd->...qd", wax.nn.softmax(x), v)


def by_a_sum(x, v):
    return wnp.sum(wax.nn.softmax(x)[..., None] * v[..., None, :, :], axis=-2)


def transposed(x, v):
    return (v.mT @ wax.nn.softmax(x).mT).mT


def along_columns(x, v):
    return wax.nn.softmax(x.mT, axis=-2).mT @ v


SPELLINGS = [by_softmax, by_exponentials, by_reciprocals, by_einsum, by_a_sum, transposed, along_columns]
SHAPES = {
    "queries": (32, 24, 8),
    "odd": (5, 7, 3),
    "one query": (1, 33, 2),
    "one column": (9, 2, 1),
    "heads": (3, 17, 65, 16),
    "a batch of one": (1, 17, 65, 16),
    "long": (130, 1100, 20),
}
TOLERANCES = {"float32": 2e-6, "float64": 1e-14, "bfloat16": 2e-2, "float16": 2e-3}


def arrays(shape, dtype="float32"):
    *batch, queries, keys, width = shape
    x = RANDOM.standard_normal((*batch, queries, keys)) * 3
    v = RANDOM.standard_normal((*batch, keys, width))
    return [wnp.asarray(a.astype("f4")).astype(dtype) for a in (x, v)]


def judged(x, v):
    x, v = (np.asarray(a).astype("f8") for a in (x, v))
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)) @ v


def is_delayed(function, *arguments, **options):
    """Whether the pass finds something in a function."""
    module = _native.make_module(wax.jit(function, **options).lower(*arguments)._function.function)
    module.run("builtin.module(inline,wax-simplify,cse)")
    before = module.text()
    module.run("builtin.module(wax-delay-divisions)")
    after = module.text()
    module.run("builtin.module(wax-delay-divisions)")
    assert module.text() == after
    return after != before


def compiled(function, **options):
    return wax.jit(function, backend="iree", **options)


@pytest.mark.parametrize(
    ("spelling", "shape"), every_other(SPELLINGS, tiered(SHAPES, lambda shape: shape in ("odd", "heads")))
)
def test_each_spelling(spelling, shape):
    given = arrays(SHAPES[shape])
    assert is_delayed(spelling, *given)
    np.testing.assert_allclose(np.asarray(compiled(spelling)(*given)), judged(*given), rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("shape", [(0, 4, 3), (4, 0, 3), (4, 3, 0), (1, 1, 1), (4, 3, 3), (3, 2, 5)])
def test_few_or_no_elements(shape):
    given = arrays(shape)
    expected = judged(*given) if shape[1] else np.zeros((shape[0], shape[2]))
    np.testing.assert_allclose(np.asarray(compiled(by_softmax)(*given)), expected, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("dtype", tiered(list(TOLERANCES), lambda dtype: dtype == "float32"))
def test_dtypes(dtype):
    given = arrays((3, 17, 65, 16), dtype)
    # Weights that are rounded to half floats stay weights.
    assert is_delayed(by_softmax, *given) == (dtype in ("float32", "float64"))
    found = np.asarray(compiled(by_softmax)(*given)).astype("f8")
    np.testing.assert_allclose(found, judged(*given), rtol=TOLERANCES[dtype], atol=TOLERANCES[dtype])


def test_with_open_queries_and_batches():
    options = {"dynamic_shapes": ({0: "batch", 1: "queries"}, {0: "batch"})}
    for shape in ((3, 17, 65, 16), (2, 5, 65, 16), (5, 200, 65, 16)):
        given = arrays(shape)
        assert is_delayed(by_softmax, *given, **options)
        found = compiled(by_softmax, **options)(*given)
        np.testing.assert_allclose(np.asarray(found), judged(*given), rtol=2e-6, atol=2e-6)


def test_of_open_keys_nothing_is_known():
    options = {"dynamic_shapes": ({1: "keys"}, {0: "keys"})}
    given = arrays((5, 9, 3))
    assert not is_delayed(by_softmax, *given, **options)
    np.testing.assert_allclose(
        np.asarray(compiled(by_softmax, **options)(*given)), judged(*given), rtol=2e-6, atol=2e-6
    )


def test_weights_that_others_read_stay():
    x, v = arrays((12, 24, 8))

    def weights_too(x, v):
        weights = wax.nn.softmax(x)
        return weights @ v, weights

    assert not is_delayed(weights_too, x, v)
    assert not is_delayed(wax.value_and_grad(lambda x, v: wnp.sum(by_softmax(x, v) ** 2), (0, 1)), x, v)
    # More results than weights.
    assert not is_delayed(by_softmax, *arrays((4, 8, 24)))


def test_derivatives_and_batches():
    x, v = arrays((4, 12, 24, 8))

    def loss(x, v):
        return wnp.sum(by_softmax(x, v) ** 2)

    for function in (wax.grad(loss, (0, 1)), wax.vmap(wax.grad(loss, (0, 1)))):
        found, plain = (compiled(function, optimize=o)(x, v) for o in (True, False))
        for one, other in zip(found, plain, strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-4, atol=1e-5)
    assert is_delayed(wax.vmap(by_softmax), x, v)
    assert is_delayed(wax.vmap(by_softmax, in_axes=(0, None)), x, v[0])
    found = compiled(wax.vmap(by_softmax, in_axes=(0, None)))(x, v[0])
    np.testing.assert_allclose(np.asarray(found), judged(x, v[0]), rtol=2e-6, atol=2e-6)


def guarded(x, v):
    largest = wnp.max(x, axis=-1, keepdims=True)
    e = wnp.exp(x - wnp.where(wnp.isfinite(largest), largest, 0))
    total = wnp.sum(e, axis=-1, keepdims=True)
    return (e / wnp.where(total == 0, 1, total)) @ v


@pytest.mark.parametrize(
    ("function", "dtype"),
    every_other([by_softmax, by_exponentials, by_reciprocals, guarded], ["float32", "float64"]),
)
def test_what_is_not_finite(function, dtype):
    x, v = (np.array(a) for a in arrays((16, 40, 8), dtype))
    x[1] = -np.inf
    x[2, 3] = np.inf
    x[3, 4] = np.nan
    x[4, 5:] = -np.inf
    x[5, 0] = 3e4
    x[6] = -3e38
    x[7] = 0.0
    x[8, :] = -0.0
    v[7, 1], v[8, 2], v[9, 3] = np.inf, np.nan, -np.inf
    v[10, 3] = np.inf
    v[:, 4] = -0.0
    assert is_delayed(function, x, v)
    found, plain = (np.asarray(compiled(function, optimize=o)(x, v)) for o in (True, False))
    for test in (np.isnan, np.isposinf, np.isneginf):
        np.testing.assert_array_equal(test(found), test(plain))
    finite = np.isfinite(plain)
    np.testing.assert_allclose(found[finite], plain[finite], rtol=2e-6, atol=2e-6)


def test_a_row_without_keys_is_zeros_where_it_is_guarded():
    x, v = (np.array(a) for a in arrays((16, 40, 8)))
    x[1] = -np.inf
    np.testing.assert_array_equal(np.asarray(compiled(guarded)(x, v))[1], 0)
    assert np.isnan(np.asarray(compiled(by_softmax)(x, v))[1]).all()


@pytest.mark.parametrize("keys", [2, 3, 64, 1000, 1025])
def test_huge_values_do_not_overflow_nor_tiny_ones_vanish(keys):
    largest, least = np.finfo("f4").max, np.finfo("f4").tiny
    x = np.stack([np.zeros(keys), RANDOM.standard_normal(keys), np.arange(keys) * 0.1]).astype("f4")
    v = np.stack([np.full(keys, 0.999 * largest)], -1).astype("f4")
    assert is_delayed(by_softmax, x, v)
    for values in (v, -v):
        np.testing.assert_allclose(np.asarray(compiled(by_softmax)(x, values)), judged(x, values), rtol=1e-5)
    # CPUs make 0 of subnormal products, of which there is one for each key.
    tiny = np.full((keys, 1), least * 4096 * keys, "f4")
    found = np.asarray(compiled(by_softmax)(x, tiny))
    np.testing.assert_allclose(found, judged(x, tiny), rtol=1e-5, atol=4 * keys * least)


def test_attention_by_hand_is_computed_by_blocks():
    q, k, v = (wnp.asarray(RANDOM.standard_normal((4, 701, 16)).astype("f4")) for _ in range(3))

    def attention(q, k, v):
        return wax.nn.softmax(q @ k.mT * 0.25) @ v

    module = _native.make_module(wax.jit(attention).lower(q, k, v)._function.function)
    module.run("builtin.module(inline,wax-simplify,cse,wax-delay-divisions,wax-block-scores)")
    text = module.text()
    assert text.count("scf.for") == 1
    assert "arith.divf" in text.split("scf.yield")[1] and "arith.divf" not in text.split("scf.yield")[0]
    found, plain = (np.asarray(compiled(attention, optimize=o)(q, k, v)) for o in (True, False))
    np.testing.assert_allclose(found, plain, rtol=5e-6, atol=2e-6)
