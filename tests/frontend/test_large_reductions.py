"""Reductions and products on accelerators that all of one is to work on: in parts, and in tiles."""

import ml_dtypes
import numpy as np
import pytest

import wax
import wax.numpy as wnp

REDUCED = [
    ((1 << 20,), None),
    ((4096, 512), 0),
    ((2, 99_990), 1),
    ((65_521,), None),
    ((96, 128, 8), (0, 1)),
    ((8, 64, 28, 28), (0, 2, 3)),
    ((1, 70_000), 0),
    ((0, 70_000), 0),
]


def judged(found, right, eps):
    found, right = np.asarray(found).astype(np.float64), np.asarray(right, np.float64)
    assert found.shape == right.shape
    np.testing.assert_allclose(found, right, rtol=eps, atol=eps * max(1.0, float(np.abs(right).max(initial=0))))


@pytest.mark.parametrize(("shape", "axis"), REDUCED, ids=str)
def test_sums(shape, axis, accelerator):
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    found = wax.jit(lambda x: (wnp.sum(x * x - 1, axis=axis), wnp.sum(x, axis=axis)), device=accelerator)(x)
    wide = x.astype(np.float64)
    for one, terms, size in zip(found, (wide * wide - 1, wide), (wide * wide + 1, abs(wide)), strict=True):
        assert one.shape == terms.sum(axis).shape
        assert np.all(np.abs(np.asarray(one) - terms.sum(axis)) <= 2e-6 * size.sum(axis))


@pytest.mark.parametrize("dtype", ["int32", "float16", "bfloat16", "float64"])
@pytest.mark.parametrize("axis", [0, None], ids=str)
def test_what_else_is_reduced(dtype, axis, accelerator):
    values = np.random.default_rng(1).integers(-3, 4, size=(1024, 160))
    x = values.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    found = wax.jit(
        lambda x: (wnp.sum(x, axis=axis), wnp.max(x * 2, axis=axis), wnp.min(x, axis=axis), wnp.any(x, axis=axis)),
        device=accelerator,
    )(x)
    wide = x.astype(np.float64)
    eps = {"float16": 2e-3, "bfloat16": 2e-2}.get(dtype, 0)
    judged(found[0], wide.sum(axis), eps)
    judged(found[1], (wide * 2).max(axis), 0)
    judged(found[2], wide.min(axis), 0)
    judged(found[3], wide.any(axis), 0)


def test_numbers_that_are_none_and_infinite_ones(accelerator):
    x = np.zeros((8, 40_960), np.float32)
    x[0, 7], x[1, 40_000], x[2] = np.nan, -np.inf, -np.inf
    x[3, 3], x[3, 20_000] = np.inf, -np.inf
    x[4] = -0.0
    found = wax.jit(lambda x: (wnp.max(x, axis=1), wnp.sum(x, axis=1), wnp.min(x, axis=1)), device=accelerator)(x)
    with np.errstate(invalid="ignore"):
        for one, right in zip(found, (x.max(1), x.sum(1), x.min(1)), strict=True):
            np.testing.assert_array_equal(np.asarray(one), right)


def test_gradients_of_what_is_in_parts(accelerator):
    x = np.random.default_rng(2).normal(size=(512, 300)).astype(np.float32)
    bias = np.ones(300, np.float32)
    loss, slopes = wax.jit(wax.value_and_grad(lambda b, x: wnp.mean((wnp.tanh(x + b)) ** 2)), device=accelerator)(
        bias, x
    )
    wide = np.tanh(x.astype(np.float64) + 1)
    judged(loss, (wide**2).mean(), 1e-5)
    judged(slopes, (2 * wide * (1 - wide**2)).sum(0) / x.size, 1e-5)


SIZES = (16, 32, 48, 64, 96, 128, 192, 256)


def product(seed):
    """Shapes, subscripts and dtypes of a product, of sizes that tiles divide or nearly."""
    random = np.random.default_rng(seed)
    m, n, k = (int(size) for size in random.choice(SIZES, 3))
    if seed % 5 == 0:
        m, k = 64, 4096
    sizes = {"b": int(random.integers(1, 4)), "i": m, "j": n, "k": k}
    shared = "b" if random.random() < 0.4 else ""
    x = "".join(random.permutation(list("ik")))
    y = "".join(random.permutation(list("kj" if random.random() < 0.7 else "kj" + shared)))
    y = y if "b" in y else shared + y if random.random() < 0.5 else y
    z = "".join(random.permutation(list("ij")))
    halves = [np.float16, ml_dtypes.bfloat16]
    dtypes = [np.float32, np.float32] if seed % 4 == 3 else [halves[seed % 2]] * 2
    if seed % 7 == 6:
        dtypes[int(random.integers(2))] = np.float32
    return f"{shared}{x},{y}->{shared}{z}", sizes, dtypes, random


@pytest.mark.gpu
@pytest.mark.parametrize("first", [pytest.param(8 * n, id=f"from {8 * n}") for n in range(24)])
def test_products(first):
    for seed in range(first, first + 8):
        subscripts, sizes, dtypes, random = product(seed)
        terms = subscripts.partition("->")[0].split(",")
        factors = [
            random.normal(size=[sizes[one] for one in term]).astype(dtype)
            for term, dtype in zip(terms, dtypes, strict=True)
        ]
        bias = random.normal(size=sizes[subscripts[-1]]).astype(dtypes[0])

        def layer(x, y, bias, subscripts=subscripts):
            return wnp.maximum(wnp.einsum(subscripts, x, y) + bias, 0)

        found = wax.jit(layer, device="cuda", static_argnames="subscripts")(*factors, bias)
        wide = np.einsum(subscripts, *(one.astype(np.float64) for one in factors)) + bias.astype(np.float64)
        eps = {np.dtype(np.float16): 2e-3, np.dtype(np.float32): 1e-5}.get(found.dtype, 2e-2)
        judged(found, np.maximum(wide, 0), eps)
