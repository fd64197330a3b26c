"""What is summed up is read right by a map that reads it in several ways (`wax-keep-reduced`)."""

import numpy as np
import pytest
from reference_judge import assert_agree
from tiers import every_other, tiered

import wax
import wax.nn
import wax.numpy as wnp


def of(reduce, read):
    """A function that reads what it has reduced, together with what it was given."""
    return lambda x: read(reduce(x), x)


def pairs(s, x):
    return s[:, None] + 2 * s[None, :]


def kernel(k, x):
    d = wnp.sum(k, axis=1)
    return k / wnp.sqrt(d[:, None] * d), d


def distances(x):
    s = wnp.sum(x * x, axis=1)
    return wnp.exp(-0.1 * wnp.abs(s[:, None] + s - 2 * (x @ x.T)))


READS = {
    "sums of rows": of(lambda x: wnp.sum(x * x, axis=1), pairs),
    "sums of columns": of(lambda x: wnp.sum(x * x, axis=0), pairs),
    "integers": of(lambda x: wnp.sum(wnp.astype(x * 10, wnp.int64), axis=1), pairs),
    "truths": of(lambda x: wnp.any(x > 1.5, axis=1), lambda s, x: s[:, None] & ~s),
    "places of maxima": of(lambda x: wnp.argmax(x, axis=1), pairs),
    "sums so far": of(lambda x: wnp.cumulative_sum(x, axis=1)[:, -1], pairs),
    "roots": of(lambda x: wnp.sqrt(wnp.sum(x * x, axis=1)), pairs),
    "variances": of(lambda x: wnp.var(x, axis=1) + 1, lambda s, x: s[:, None] / s + x),
    "what rows are counted": of(lambda x: wnp.sum(x, axis=1), lambda s, x: wnp.sum(s[:, None] < s, axis=0)),
    "with the tensor": of(lambda x: wnp.max(x, axis=1), lambda s, x: x - s[:, None] * s),
    "with the tensor and its transpose": of(lambda x: wnp.mean(x, axis=0), lambda s, x: (x - s).T + s),
    "and a transpose": of(lambda x: x / (2 + wnp.sum(x * x, axis=0)), lambda s, x: s * 0.5 + s.T),
    "written twice": lambda x: x / wnp.sum(x * x, axis=0) + (x / wnp.sum(x * x, axis=0)).T,
    "a softmax and its transpose": of(lambda x: wax.nn.softmax(x, axis=1), lambda s, x: s * 0.5 + s.T),
    "a stack": of(lambda x: wnp.sum(wnp.stack([x, x * 2]), axis=2), lambda s, x: s[:, :, None] - s[:, None, :]),
    "a batch": wax.vmap(of(lambda r: wnp.sum(r[:, None] * r, axis=1), lambda s, x: s[:, None] * 2 + s)),
    "a kernel's degrees": of(lambda x: wnp.exp(-((x - x.T) ** 2)), kernel),
    "a sum of a sum": of(lambda x: wnp.sum(x, axis=1), lambda s, x: (s, wnp.sum(pairs(s, x), axis=0)[:, None] + s)),
    "distances": distances,
    "a gradient": wax.grad(lambda x: wnp.sum(distances(x))),
    "in a loop": lambda x: wax.fori_loop(0, 3, lambda i, x: x - 0.01 * pairs(wnp.sum(x, axis=1), x), x),
}


@pytest.mark.parametrize(
    ("name", "n", "optimize"), every_other(READS, tiered([1, 3, 16, 33, 130], lambda n: n == 33), [True, False])
)
def test_what_is_reduced_is_read_in_several_ways(name, n, optimize):
    x = np.random.default_rng(n).standard_normal((n, n))
    assert_agree(READS[name], x, optimize=optimize)


def outer(xp, x):
    """What reads a product of one column and one row, which is made of sums."""
    column = xp.clip(xp.matmul(xp.clip(x[:, None] + x, -50, 50), x[:, None]), -50, 50)
    return xp.exp(xp.clip(xp.matmul(column, column.T), -50, 50) * 0.0625), column


@pytest.mark.parametrize("size", [1, 2, 5, 16, 32, 33, 100])
def test_outer_products_of_sums(size):
    x = np.random.default_rng(size).integers(-9, 10, size).astype(np.float32)
    for made, wanted in zip(wax.jit(lambda x: outer(wnp, x))(x), outer(np, x.astype("f8")), strict=True):
        np.testing.assert_allclose(np.asarray(made), wanted, rtol=1e-5)


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [((5, 1, 7), 1), ((1, 7), 0), ((7, 1), 1), ((1,), 0), ((1, 1, 3), (0, 1)), ((3, 1, 1), (1, 2)), ((1, 1), (0, 1))],
)
def test_one_element_is_folded(shape, axis, opened):
    """The same bits as of the plain program, of -0 and NaN too."""
    x = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
    x.ravel()[::3] = -0.0
    x.ravel()[1::5] = np.nan

    def folded(x):
        several = (wnp.sum, wnp.max, wnp.min, wnp.prod, wnp.mean, wnp.var)
        made = [fold(x, axis=axis) for fold in several] + [wnp.any(x > 0, axis=axis), wnp.sum(x, axis=axis) * 2]
        return made + ([wnp.argmax(x, axis=axis)] if isinstance(axis, int) else [])

    dims = {dim: wax.Dim(f"n{dim}") for dim, size in enumerate(shape) if size > 1}
    found = wax.jit(folded, dynamic_shapes=(dims,) if opened and dims else None)(x)
    for one, plain in zip(found, wax.jit(folded, optimize=False)(x), strict=True):
        one, plain = np.asarray(one), np.asarray(plain)
        assert one.dtype == plain.dtype and one.shape == plain.shape
        np.testing.assert_array_equal(one, plain)
        if one.dtype == np.float32:
            there = ~np.isnan(one)
            np.testing.assert_array_equal(np.signbit(one)[there], np.signbit(plain)[there])
