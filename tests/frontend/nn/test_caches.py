"""A cache of keys and values that is donated is updated in place, and decoding with it is what attending at once is."""

import itertools
from functools import partial

import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp


def address_unseen(x):
    """Where an array lies, without it counting as seen: then it could not be overwritten."""
    view = x._handle.map().asarray((1,), np.dtype(np.uint8))
    return view.__array_interface__["data"][0]


@partial(wax.jit, donate_argnames=("keys", "values"), backend="iree")
def step(query, key, value, keys, values, place):
    keys, values = wax.nn.update_cache(keys, key, place), wax.nn.update_cache(values, value, place)
    return wax.nn.attention(query, keys, values, is_causal=True, query_offset=place), keys, values


def test_a_donated_cache_stays_where_it_is():
    new, query = wnp.ones((2, 3, 1, 8)), wnp.ones((2, 6, 1, 8))
    keys, values = wnp.zeros((2, 3, 40, 8)), wnp.zeros((2, 3, 40, 8))
    addresses = []
    for place in range(6):
        _, keys, values = step(query, new * place, new, keys, values, wnp.asarray(place))
        addresses.append((address_unseen(keys), address_unseen(values)))
    # The first are made outside, of memory that belongs to no program, and the second may lie there too.
    assert len(set(addresses[2:])) == 1
    np.testing.assert_array_equal(np.asarray(keys)[0, 0, :7, 0], [0, 1, 2, 3, 4, 5, 0])


def test_an_update_copies_nothing_of_the_cache(monkeypatch):
    from wax.backends.iree import compilation

    texts = []
    original = compilation.memory_of
    monkeypatch.setattr(compilation, "memory_of", lambda text, *rest: texts.append(text) or original(text, *rest))
    monkeypatch.setenv("WAX_CACHE_DIR", "")

    @partial(wax.jit, donate_argnames="cache", backend="iree")
    def update(cache, new, place):
        return wax.nn.update_cache(cache, new, place)

    size = 100_003
    update(wnp.zeros((2, size, 8)), wnp.ones((2, 1, 8)), wnp.asarray(3))
    (text,) = texts
    cache_bytes = 2 * size * 8 * 4
    allocated = [line for line in text.splitlines() if "stream.resource.alloca" in line or "stream.cmd.copy" in line]
    assert not any(f"%c{cache_bytes}" in line for line in allocated), "\n".join(allocated)


@pytest.mark.parametrize("interleaved", [False, True])
def test_decoding_token_by_token_is_attending_at_once(interleaved):
    source = np.random.default_rng(5)
    query, key, value = (source.standard_normal((2, heads, 9, 8)).astype("f4") for heads in (6, 2, 2))

    def turned(x, start):
        return wax.nn.rotary_embedding(x, wnp.arange(x.shape[2]) + start, interleaved=interleaved)

    at_once = wax.nn.attention(turned(query, 0), turned(key, 0), value, is_causal=True)
    keys, values = wnp.zeros((2, 2, 9, 8)), wnp.zeros((2, 2, 9, 8))
    found = []
    for start, stop in itertools.pairwise((0, 4, 5, 6, 8, 9)):
        parts = [x[:, :, start:stop] for x in (query, key, value)]
        parts[:2] = [turned(x, start) for x in parts[:2]]
        result, keys, values = step(*parts, keys, values, wnp.asarray(start))
        found.append(np.asarray(result))
    np.testing.assert_allclose(np.concatenate(found, 2), np.asarray(at_once), rtol=1e-5, atol=1e-6)


def test_a_prompt_shifted_by_any_distance_attends_alike_with_rotary_positions():
    source = np.random.default_rng(6)
    query, key, value = (source.standard_normal((3, 7, 16)).astype("f8") for _ in range(3))
    results = [
        wax.nn.attention(*(wax.nn.rotary_embedding(x, np.arange(7) + shift) for x in (query, key)), value)
        for shift in (0, 100)
    ]
    np.testing.assert_allclose(*map(np.asarray, results), rtol=1e-10, atol=1e-12)
