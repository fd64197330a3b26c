"""Attention by blocks of queries (`wax-block-scores`): the same numbers as all scores at once."""

import numpy as np
import pytest
from tiers import tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax import _native

RANDOM = np.random.default_rng(23)


def arrays(dtype, *shapes):
    return [wnp.asarray(RANDOM.standard_normal(shape).astype("f4")).astype(dtype) for shape in shapes]


def judged(q, k, v, mask=None, is_causal=False):
    q, k, v = (np.asarray(x).astype("f8") for x in (q, k, v))
    if q.ndim > 2 and q.shape[-3] != k.shape[-3]:
        k, v = (np.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    if is_causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    highest = np.max(scores, axis=-1, keepdims=True, initial=-np.inf)
    weights = np.exp(scores - np.where(np.isfinite(highest), highest, 0))
    sums = weights.sum(axis=-1, keepdims=True)
    return weights @ v / np.where(sums == 0, 1, sums)


def count_loops(function, *arguments, **options):
    """How many loops over blocks a function gets."""
    module = _native.make_module(wax.jit(function, **options).lower(*arguments)._function.function)
    module.run("builtin.module(inline,wax-simplify,cse,wax-block-scores)")
    return module.text().count("scf.for")


def assert_as_without_blocks(run, function, *arguments):
    """NaN and infinities are in the same places, and all else is the same."""
    found = np.asarray(run(*arguments))
    plain = np.asarray(wax.jit(function, backend="iree", optimize=False)(*arguments))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(plain))
    np.testing.assert_array_equal(np.isinf(found), np.isinf(plain))
    finite = np.isfinite(plain)
    np.testing.assert_allclose(found[finite], plain[finite], rtol=1e-5, atol=1e-6)


TOLERANCES = {"float32": 2e-6, "float64": 1e-13, "bfloat16": 2e-2, "float16": 2e-3}

SHAPES = {
    "queries": ((8, 512, 32), (8, 512, 32), (8, 512, 32)),
    "an odd number": ((3, 701, 16), (3, 703, 16), (3, 703, 8)),
    "no heads": ((1031, 16), (1024, 16), (1024, 16)),
    "heads and batches": ((11, 12, 130, 16), (11, 12, 130, 16), (11, 12, 130, 16)),
    "groups": ((2, 6, 400, 16), (2, 3, 400, 16), (2, 3, 400, 24)),
    "few queries": ((2, 5, 4, 16), (2, 5, 30000, 16), (2, 5, 30000, 16)),
    "one query": ((40, 1, 16), (40, 30000, 16), (40, 30000, 16)),
}


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("dtype", tiered(list(TOLERANCES), lambda dtype: dtype == "float32"))
def test_attention(dtype, shapes):
    given = arrays(dtype, *shapes)
    assert count_loops(wax.nn.attention, *given) == 1
    found = np.asarray(wax.jit(wax.nn.attention, backend="iree")(*given)).astype("f8")
    np.testing.assert_allclose(found, judged(*given), rtol=TOLERANCES[dtype], atol=TOLERANCES[dtype])


def test_of_what_is_masked_or_comes_later_nothing_is_seen():
    given = arrays("float32", (3, 650, 16), (3, 650, 16), (3, 650, 16))
    mask = RANDOM.random((650, 650)) < 0.5
    mask[5] = False

    def both(q, k, v, mask):
        return wax.nn.attention(q, k, v, mask=mask, is_causal=True)

    assert count_loops(both, *given, mask) == 1
    found = wax.jit(both, backend="iree")(*given, mask)
    np.testing.assert_allclose(found, judged(*given, mask, is_causal=True), rtol=2e-6, atol=2e-6)
    np.testing.assert_array_equal(np.asarray(found)[:, 5], 0)


def test_what_is_not_finite_goes_where_it_goes_without_blocks():
    q, k, v = (np.array(x) for x in arrays("float32", (3, 650, 16), (3, 650, 16), (3, 650, 16)))
    q[0, 7, 3], k[1, 9, 2], v[2, 11, 4], v[0, 600, 0] = np.inf, np.nan, -np.inf, np.nan

    def causal(q, k, v):
        return wax.nn.attention(q, k, v, is_causal=True)

    assert count_loops(causal, q, k, v) == 1
    assert_as_without_blocks(wax.jit(causal, backend="iree"), causal, q, k, v)


def test_written_by_hand_with_dims_in_any_order():
    q, k, v = arrays("float32", (4, 600, 16), (4, 600, 16), (4, 600, 16))

    def by_keys(q, k, v):
        scores = wnp.einsum("bqd,bkd->bkq", q, k) * 0.25
        return wnp.einsum("bkq,bkd->dbq", wax.nn.softmax(scores, axis=1), v)

    assert count_loops(by_keys, q, k, v) == 1
    found = np.asarray(wax.jit(by_keys, backend="iree")(q, k, v))
    np.testing.assert_allclose(np.moveaxis(found, 0, -1), judged(q, k, v), rtol=2e-6, atol=2e-6)


def test_an_open_batch_goes_one_by_one():
    b = wax.Dim("b")
    run = wax.jit(wax.nn.attention, dynamic_shapes=({0: b}, {0: b}, {0: b}), backend="iree")
    for size in (2, 1, 0, 5):
        given = arrays("float32", *[(size, 4, 300, 16)] * 3)
        np.testing.assert_allclose(run(*given), judged(*given), rtol=2e-6, atol=2e-6)
    assert count_loops(wax.nn.attention, *given, dynamic_shapes=({0: b}, {0: b}, {0: b})) == 1


OPEN = {
    "queries and keys": ((8, 512, 32), ({1: "n"}, {1: "n"}, {1: "n"})),
    "all, other numbers": (
        (2, 3, 300, 16),
        ({0: "b", 1: "h", 2: "n"}, {0: "b", 1: "h", 2: "m"}, {0: "b", 1: "h", 2: "m"}),
    ),
    "queries alone": ((4, 700, 16), ({1: "n"}, None, None)),
    "keys alone": ((4, 700, 16), (None, {1: "m"}, {1: "m"})),
    "batch and queries": ((3, 2, 700, 16), ({0: "b", 2: "n"}, {0: "b"}, {0: "b"})),
}


def opened(names):
    dims = {name: wax.Dim(name) for name in "bhnm"}
    return tuple({axis: dims[name] for axis, name in each.items()} if each else None for each in names)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("shape", "names"), OPEN.values(), ids=OPEN)
def test_of_open_sizes_a_block_is_chosen_when_they_are_known(shape, names, causal):
    def attention(q, k, v):
        return wax.nn.attention(q, k, v, is_causal=causal)

    dims = opened(names)
    assert count_loops(attention, *arrays("float32", *[shape] * 3), dynamic_shapes=dims) == 1
    run = wax.jit(attention, dynamic_shapes=dims, backend="iree")
    sizes = [
        {"b": 5, "h": 4, "n": 1, "m": 2},
        {"b": 1, "h": 1, "n": 257, "m": 129},
        {"b": 0, "h": 2, "n": 3, "m": 4},
        {"b": 2, "h": 7, "n": 1021, "m": 640},
        {"b": 40, "h": 12, "n": 33, "m": 65},
        {"b": 2, "h": 1, "n": 0, "m": 3},
        {"b": 1, "h": 2, "n": 2100, "m": 1531},
    ]
    for known in sizes:
        shapes = [
            [known[each[axis]] if each and axis in each else size for axis, size in enumerate(shape)] for each in names
        ]
        given = arrays("float32", *shapes)
        found = np.asarray(run(*given))
        assert found.shape == tuple(shapes[0])
        np.testing.assert_allclose(found, judged(*given, is_causal=causal), rtol=3e-6, atol=3e-6)


def test_of_open_sizes_no_keys_give_zeros_and_what_is_not_finite_stays():
    n, m = wax.Dim("n"), wax.Dim("m")

    def causal(q, k, v):
        return wax.nn.attention(q, k, v, is_causal=True)

    run = wax.jit(causal, dynamic_shapes=({1: n}, {1: m}, {1: m}), backend="iree")
    np.testing.assert_array_equal(run(*arrays("float32", (3, 300, 16), (3, 0, 16), (3, 0, 8))), np.zeros((3, 300, 8)))
    q, k, v = (np.array(x) for x in arrays("float32", *[(3, 1300, 16)] * 3))
    q[0, 7, 3], k[1, 9, 2], v[2, 11, 4], v[0, 1250, 0] = np.inf, np.nan, -np.inf, np.nan
    assert_as_without_blocks(run, causal, q, k, v)


def test_of_open_sizes_masks_and_groups_of_heads_are_cut_along():
    b, n = wax.Dim("b"), wax.Dim("n")

    def masked(q, k, v, mask):
        return wax.nn.attention(q, k, v, mask=mask)

    dims = ({0: b, 2: n}, {0: b, 2: n}, {0: b, 2: n}, {0: b, 3: n})
    run = wax.jit(masked, dynamic_shapes=dims, backend="iree")
    for batch, count in ((3, 1), (2, 700), (33, 128), (1, 1500)):
        given = arrays("float32", (batch, 6, count, 16), (batch, 2, count, 16), (batch, 2, count, 24))
        mask = RANDOM.random((batch, 1, 1, count)) < 0.7
        np.testing.assert_allclose(run(*given, mask), judged(*given, mask), rtol=3e-6, atol=3e-6)
    assert count_loops(masked, *given, mask, dynamic_shapes=dims) == 1


def test_of_a_decoders_step_there_are_no_blocks():
    m = wax.Dim("m")
    given = arrays("float32", (4, 8, 1, 64), (4, 8, 900, 64), (4, 8, 900, 64))
    dims = (None, {2: m}, {2: m})
    assert count_loops(wax.nn.attention, *given, dynamic_shapes=dims) == 0
    run = wax.jit(wax.nn.attention, dynamic_shapes=dims, backend="iree")
    np.testing.assert_allclose(run(*given), judged(*given), rtol=3e-6, atol=3e-6)


def test_several_layers_have_a_loop_each_and_a_gradient_has_none():
    (x,) = arrays("float32", (3, 650, 16))

    def layers(x):
        for _ in range(2):
            x = x + wax.nn.attention(x, x, x)
        return x

    assert count_loops(layers, x) == 2
    y = np.asarray(x).astype("f8")
    for _ in range(2):
        y = y + judged(y, y, y)
    np.testing.assert_allclose(wax.jit(layers, backend="iree")(x), y, rtol=1e-5, atol=1e-5)
    gradient = wax.grad(lambda x: wnp.sum(layers(x) ** 2))
    assert count_loops(gradient, x) == 0
    found = np.asarray(wax.jit(gradient, backend="iree")(x))
    plain = np.asarray(wax.jit(gradient, backend="iree", optimize=False)(x))
    np.testing.assert_allclose(found, plain, rtol=1e-4, atol=1e-4)


def test_vmap_of_attention():
    q, k, v = arrays("float32", (5, 500, 16), (5, 500, 16), (5, 500, 16))
    mapped = wax.vmap(wax.nn.attention)
    assert count_loops(mapped, q, k, v) == 1
    np.testing.assert_allclose(wax.jit(mapped, backend="iree")(q, k, v), judged(q, k, v), rtol=2e-6, atol=2e-6)
