"""Keys that a causal mask hides from all queries of a block are left out (`wax-block-scores`)."""

import numpy as np
import pytest
from tiers import tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax import _native

RANDOM = np.random.default_rng(29)
TOLERANCES = {"float32": 2e-6, "float64": 1e-13, "bfloat16": 2e-2, "float16": 2e-3}


def arrays(dtype, *shapes):
    return [wnp.asarray(RANDOM.standard_normal(shape).astype("f4")).astype(dtype) for shape in shapes]


def judged(q, k, v, offset=0, change=lambda scores: scores):
    q, k, v = (np.asarray(x).astype("f8") for x in (q, k, v))
    if q.ndim > 2 and q.shape[-3] != k.shape[-3]:
        k, v = (np.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    scores = change(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    scores = np.where(np.tri(*scores.shape[-2:], k=offset, dtype=bool), scores, -np.inf)
    highest = np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(highest), highest, 0))
    sums = weights.sum(axis=-1, keepdims=True)
    return weights @ v / np.where(sums == 0, 1, sums)


def hides(function, *arguments):
    """Whether blocks of a program of known sizes have some of the keys."""
    module = _native.make_module(wax.jit(function).lower(*arguments)._function.function)
    module.run("builtin.module(inline,wax-simplify,cse,wax-block-scores)")
    return "x?x" in module.text()


def causal(q, k, v, **options):
    return wax.nn.attention(q, k, v, is_causal=True, **options)


def seen(queries, keys, offset=0):
    return wnp.arange(keys) <= wnp.arange(queries)[:, None] + offset


CASES = {
    "as many": ((8, 512, 32), (8, 512, 32), 0),
    "odd numbers": ((3, 701, 16), (3, 703, 16), 0),
    "more queries": ((2, 1300, 16), (2, 1000, 16), 0),
    "a cache": ((2, 600, 16), (2, 1500, 16), 900),
    "some see none": ((2, 1024, 16), (2, 1024, 16), -300),
    "all see all": ((2, 512, 16), (2, 1400, 16), 5000),
    "none sees any": ((2, 1024, 16), (2, 1024, 16), -5000),
    "no heads": ((1031, 16), (1040, 16), 3),
    "groups": ((2, 6, 400, 16), (2, 3, 400, 16), 0),
}


@pytest.mark.parametrize(("queries", "keys", "offset"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("dtype", tiered(list(TOLERANCES), lambda dtype: dtype == "float32"))
def test_a_block_has_the_keys_that_its_queries_see(dtype, queries, keys, offset):
    given = arrays(dtype, queries, keys, keys)

    def run(q, k, v):
        return causal(q, k, v, query_offset=offset)

    assert hides(run, *given)
    found = np.asarray(wax.jit(run, backend="iree")(*given)).astype("f8")
    np.testing.assert_allclose(found, judged(*given, offset), rtol=TOLERANCES[dtype], atol=TOLERANCES[dtype])


def by_hand(q, k, v):
    scores = wnp.where(seen(600, 600), q @ wnp.matrix_transpose(k) * 0.25, -wnp.inf)
    return wax.nn.softmax(scores) @ v


def by_einsum_turned(q, k, v):
    hidden = wnp.arange(600)[:, None] > wnp.arange(600)
    scores = wnp.where(hidden[None], -wnp.inf, wnp.einsum("bqd,bkd->bkq", q, k) * 0.25)
    return wnp.einsum("bkq,bkd->bqd", wax.nn.softmax(scores, axis=1), v)


@pytest.mark.parametrize("function", [by_hand, by_einsum_turned])
def test_however_it_is_written(function):
    given = arrays("float32", *[(4, 600, 16)] * 3)
    assert hides(function, *given)
    np.testing.assert_allclose(wax.jit(function, backend="iree")(*given), judged(*given), rtol=2e-6, atol=2e-6)


def test_scores_may_be_anything_of_a_query_and_a_key():
    given = arrays("float32", *[(4, 600, 16)] * 3)
    bias = arrays("float32", (600, 600))[0]

    def capped(q, k, v):
        return causal(q, k, v, softcap=2.0, mask=bias)

    assert hides(capped, *given)
    expected = judged(*given, change=lambda scores: 2 * np.tanh(scores / 2) + np.asarray(bias))
    np.testing.assert_allclose(wax.jit(capped, backend="iree")(*given), expected, rtol=5e-6, atol=5e-6)


def finite_mask(q, k, v):
    scores = wnp.where(seen(600, 600), q @ wnp.matrix_transpose(k) * 0.25, -1e9)
    return wax.nn.softmax(scores) @ v


def added_mask(q, k, v):
    scores = q @ wnp.matrix_transpose(k) * 0.25 + wnp.where(seen(600, 600), 0.0, -wnp.inf)
    return wax.nn.softmax(scores) @ v


def scores_by_their_mean(q, k, v):
    scores = q @ wnp.matrix_transpose(k) * 0.25
    scores = wnp.where(seen(600, 600), scores - wnp.mean(scores, axis=-1, keepdims=True), -wnp.inf)
    return wax.nn.softmax(scores) @ v


def with_their_number(q, k, v):
    scores = wnp.where(seen(600, 600), q @ wnp.matrix_transpose(k) * 0.25, -wnp.inf)
    weights = wnp.exp(scores - wnp.max(scores, axis=-1, keepdims=True))
    zeros = wnp.sum(wnp.where(weights == 0, 1.0, 0.0), axis=-1)
    return weights @ v / wnp.sum(weights, axis=-1, keepdims=True), zeros


def largest_of_others(q, k, v):
    scores = q @ wnp.matrix_transpose(k) * 0.25
    masked = wnp.where(seen(600, 600), scores, -wnp.inf)
    weights = wnp.exp(masked - wnp.max(scores, axis=-1, keepdims=True))
    return weights @ v / wnp.sum(weights, axis=-1, keepdims=True)


def later_keys(q, k, v):
    scores = wnp.where(wnp.arange(600) >= wnp.arange(600)[:, None], q @ wnp.matrix_transpose(k) * 0.25, -wnp.inf)
    return wax.nn.softmax(scores) @ v


NEARLY = [finite_mask, added_mask, scores_by_their_mean, with_their_number, largest_of_others, later_keys]


@pytest.mark.parametrize("function", NEARLY)
def test_nearly_alike_programs_have_all_keys(function):
    given = arrays("float32", *[(4, 600, 16)] * 3)
    assert not hides(function, *given)
    found, plain = (wax.jit(function, backend="iree", optimize=optimize)(*given) for optimize in (True, False))
    for one, other in zip(wax.tree.leaves(found), wax.tree.leaves(plain), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("where", ["queries", "keys", "values"])
def test_what_is_not_finite_reaches_the_queries_that_it_reaches_without_blocks(where, bad):
    given = [np.array(x) for x in arrays("float32", *[(3, 650, 16)] * 3)]
    given[["queries", "keys", "values"].index(where)][1, 500, 3] = bad
    assert hides(causal, *given)
    found, plain = (
        np.asarray(wax.jit(causal, backend="iree", optimize=optimize)(*given)) for optimize in (True, False)
    )
    np.testing.assert_array_equal(np.isnan(found), np.isnan(plain))
    np.testing.assert_allclose(found, plain, rtol=1e-5, atol=1e-6)


def test_an_open_batch():
    b = wax.Dim("b")
    run = wax.jit(causal, dynamic_shapes=({0: b}, {0: b}, {0: b}), backend="iree")
    for size in (2, 1, 0, 5):
        given = arrays("float32", *[(size, 4, 600, 16)] * 3)
        np.testing.assert_allclose(run(*given), judged(*given), rtol=2e-6, atol=2e-6)
