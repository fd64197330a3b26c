"""Keys and the bits that they stand for: known answers, those of `jax.random`, and the same ones compiled."""

import jax
import numpy as np
import pytest
from tiers import every_other

import wax
import wax.numpy as wnp
import wax.random as random
from wax.errors import InvalidArgumentError, PromotionError, ShapeError
from wax.random._threefry import threefry2x32

UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
SHAPES = [(), (0,), (1,), (7,), (3, 0, 2), (5, 33)]

# Of the Random123 library, kat_vectors, 20 rounds: counter, key, result.
KNOWN = [
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
]


def jax_key(key):
    return jax.random.wrap_key_data(np.asarray(key))


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN)
@pytest.mark.parametrize("compiled", [False, True])
def test_the_cipher_gives_the_known_answers(counter, key, result, compiled):
    def encrypt(*words):
        return [
            wax.kernel.broadcast(lambda k0, k1, c0, c1, part=part: threefry2x32((k0, k1), (c0, c1))[part], *words)
            for part in range(2)
        ]

    run = wax.jit(encrypt, backend="iree") if compiled else encrypt
    assert [int(x) for x in run(*(np.uint32(x) for x in (*key, *counter)))] == list(result)


@pytest.mark.parametrize("seed", [0, 1, 42, 2**31 - 1, 2**32 - 1, 2**40 + 5, 2**63, 2**64 - 1, -1, -(2**63)])
def test_a_key_is_the_words_of_its_seed(seed):
    assert np.asarray(random.key(seed)).tolist() == [(seed >> 32) & 0xFFFFFFFF, seed & 0xFFFFFFFF]


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint32", "int64", "uint64"])
def test_a_key_may_be_of_a_traced_seed(dtype):
    seed = np.asarray(np.iinfo(dtype).max, dtype)
    assert np.array_equal(wax.jit(random.key)(seed), random.key(int(seed)))


@pytest.mark.parametrize(("dtype", "shape"), every_other(UNSIGNED, [(shape,) for shape in SHAPES]), ids=str)
def test_bits_are_those_of_jax_and_alike_when_compiled(shape, dtype):
    key = random.key(2**40 + 9)
    bits = random.bits(key, shape, dtype)
    with jax.enable_x64(True):
        expected = np.asarray(jax.random.bits(jax_key(key), shape, dtype))
    assert bits.dtype == dtype and np.array_equal(bits, expected)
    compiled = wax.jit(lambda key: random.bits(key, shape, dtype), backend="iree")(key)
    assert compiled.dtype == dtype and np.array_equal(compiled, expected)


@pytest.mark.parametrize("shape", [1, 2, 5, (), (3, 4), (0,)])
def test_split_keys_are_those_of_jax(shape):
    key = random.key(3)
    expected = jax.random.key_data(jax.random.split(jax_key(key), shape))
    assert np.array_equal(random.split(key, shape), expected)
    assert np.array_equal(wax.jit(lambda key: random.split(key, shape), backend="iree")(key), expected)


@pytest.mark.parametrize("data", [0, 1, 77, 2**31 - 1])
def test_folded_keys_are_those_of_jax(data):
    key = random.key(3)
    expected = jax.random.key_data(jax.random.fold_in(jax_key(key), data))
    assert np.array_equal(random.fold_in(key, data), expected)
    assert np.array_equal(wax.jit(random.fold_in, backend="iree")(key, np.int32(data)), expected)


def test_split_keys_have_streams_of_their_own():
    streams = [np.asarray(random.bits(one, (4096,))) for one in random.split(random.key(5), 6)]
    flips = [np.bitwise_count(a ^ b).mean() for i, a in enumerate(streams) for b in streams[:i]]
    # Of 32 bits half differ; the mean of 4096 counts has a standard deviation of 0.044.
    assert np.abs(np.asarray(flips) - 16).max() < 0.2


def test_bits_of_a_symbolic_shape_are_those_of_the_static_one():
    n = wax.Dim("n", max=2**20)
    draw = wax.jit(
        lambda key, x: (random.bits(key, x.shape), random.bits(key, (x.shape[0], 3), "uint64")),
        dynamic_shapes=(None, (n,)),
        backend="iree",
    )
    key = random.key(1)
    for size in (1, 2, 5, 1000):
        narrow, wide = draw(key, np.zeros(size, np.float32))
        assert np.array_equal(narrow, random.bits(key, (size,)))
        assert np.array_equal(wide, random.bits(key, (size, 3), "uint64"))


def test_bits_of_an_unbounded_shape_count_in_64_bits():
    n = wax.Dim("n")
    draw = wax.jit(lambda key, x: random.bits(key, x.shape), dynamic_shapes=(None, (n,)), backend="iree")
    key = random.key(1)
    assert np.array_equal(draw(key, np.zeros(99, np.float32)), random.bits(key, (99,)))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: random.key(2**64), InvalidArgumentError, "64 bits"),
        (lambda: random.key(1.5), PromotionError, "integer"),
        (lambda: random.key(wnp.asarray([1, 2])), ShapeError, r"\(2,\)"),
        (lambda: random.bits(wnp.asarray([1, 2])), PromotionError, "two uint32"),
        (lambda: random.bits(random.split(random.key(0), 3)), ShapeError, r"\(3, 2\)"),
        (lambda: random.bits(random.key(0), (2,), "int32"), PromotionError, "unsigned"),
        (lambda: random.bits(random.key(0), (-2,)), ShapeError, "-2"),
        (lambda: random.fold_in(random.key(0), 1.0), PromotionError, "integer"),
        (lambda: random.fold_in(random.key(0), wnp.asarray([1])), ShapeError, "one number"),
        (lambda: random.split(random.key(0), -1), ShapeError, "-1"),
    ],
)
def test_what_is_no_key_or_no_shape_is_refused(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert "test_keys.py" in str(caught.value)
