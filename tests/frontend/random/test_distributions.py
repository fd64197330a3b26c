"""Distributions: they fit those of SciPy, respect their bounds, and are the same compiled.

Keys are fixed, so that a test that passes passes always. A p-value below 1e-3 is a fault.
"""

import functools

import jax
import numpy as np
import pytest
import scipy.stats

import wax
import wax.numpy as wnp
import wax.random as random
from wax.errors import AxisError, InvalidArgumentError, PromotionError, ShapeError

COMPILE = functools.partial(wax.jit, backend="iree")
COUNT = 20_001
KEY = random.key(2024)
FLOATS = ["float16", "bfloat16", "float32", "float64"]

# Draws of a shape and a dtype, and SciPy's distribution.
CONTINUOUS = {
    "uniform": (random.uniform, scipy.stats.uniform()),
    "uniform-bounds": (lambda k, s, d: random.uniform(k, s, d, -2.0, 5.0), scipy.stats.uniform(-2, 7)),
    "normal": (random.normal, scipy.stats.norm()),
    "lognormal": (lambda k, s, d: random.lognormal(k, 0.5, s, d), scipy.stats.lognorm(0.5)),
    "maxwell": (random.maxwell, scipy.stats.maxwell()),
    "exponential": (random.exponential, scipy.stats.expon()),
    "rayleigh": (lambda k, s, d: random.rayleigh(k, 2.0, s, d), scipy.stats.rayleigh(scale=2)),
    "weibull_min": (lambda k, s, d: random.weibull_min(k, 2.0, 1.5, s, d), scipy.stats.weibull_min(1.5, scale=2)),
    "pareto": (lambda k, s, d: random.pareto(k, 3.0, s, d), scipy.stats.pareto(3)),
    "laplace": (random.laplace, scipy.stats.laplace()),
    "logistic": (random.logistic, scipy.stats.logistic()),
    "gumbel": (random.gumbel, scipy.stats.gumbel_r()),
    "cauchy": (random.cauchy, scipy.stats.cauchy()),
    "triangular": (lambda k, s, d: random.triangular(k, -1.0, 0.5, 3.0, s, d), scipy.stats.triang(0.375, -1, 4)),
    "truncated_normal": (
        lambda k, s, d: random.truncated_normal(k, -0.5, 2.0, s, d),
        scipy.stats.truncnorm(-0.5, 2),
    ),
}


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_fit_their_distribution(name, dtype):
    draw, judge = CONTINUOUS[name]
    x = np.asarray(draw(KEY, (COUNT,), dtype))
    assert x.dtype == dtype and x.shape == (COUNT,) and np.isfinite(x).all()
    assert scipy.stats.kstest(x.astype(np.float64), judge.cdf).pvalue > 1e-3


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_floats_have_the_quantiles_of_their_distribution(name, dtype):
    draw, judge = CONTINUOUS[name]
    x = np.asarray(draw(KEY, (COUNT,), dtype)).astype(np.float64)
    assert not np.isnan(x).any()
    chances = np.linspace(0.1, 0.9, 9)
    below = np.asarray([(x < q).mean() / 2 + (x <= q).mean() / 2 for q in judge.ppf(chances)])
    # What rounding to 8 bits moves across a quantile, and 5 standard deviations of a count.
    assert np.abs(below - chances).max() < 0.02


@pytest.mark.parametrize("dtype", FLOATS)
def test_compiled_floats_are_the_eager_ones(dtype):
    def all_of_them(key):
        return [draw(key, (777,), dtype) for draw, _ in CONTINUOUS.values()]

    for name, compiled, eager in zip(CONTINUOUS, COMPILE(all_of_them)(KEY), all_of_them(KEY), strict=True):
        compiled, eager = (np.asarray(x).astype(np.float64) for x in (compiled, eager))
        if name.startswith("uniform"):
            assert np.array_equal(compiled, eager), name
        scale = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-5, "float64": 1e-13}[dtype]
        np.testing.assert_allclose(compiled, eager, rtol=scale, atol=scale, err_msg=name)


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform_floats_are_those_of_jax(dtype):
    key = jax.random.wrap_key_data(np.asarray(KEY))
    with jax.enable_x64(True):
        expected = np.asarray(jax.random.uniform(key, (5, 33), dtype))
    assert np.array_equal(np.asarray(random.uniform(KEY, (5, 33), dtype)), expected)


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform_floats_stay_within_their_bounds(dtype):
    low, high = wnp.asarray([-1.0, 1e-3, 100.0], dtype=dtype), wnp.asarray([-0.5, 2e-3, 101.0], dtype=dtype)
    x = np.asarray(random.uniform(KEY, (3000, 3), dtype, low, high)).astype(np.float64)
    assert (x >= np.asarray(low).astype(np.float64)).all() and (x <= np.asarray(high).astype(np.float64)).all()
    assert (np.asarray(random.uniform(KEY, (COUNT,), dtype)) < 1).all()


def test_the_rarest_draws_give_finite_numbers():
    """One of 2**7 bfloat16 fractions is 0, so all that is not finite there shows among these."""
    for draw in (random.gumbel, random.logistic, random.laplace, random.exponential, random.normal, random.cauchy):
        assert np.isfinite(np.asarray(draw(KEY, (COUNT,), "bfloat16")).astype(np.float32)).all()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_normals_have_independent_parts(dtype):
    x = np.asarray(random.normal(KEY, (COUNT,), dtype))
    assert x.dtype == dtype
    for part in (x.real, x.imag):
        assert scipy.stats.kstest(part.astype(np.float64), scipy.stats.norm(scale=0.5**0.5).cdf).pvalue > 1e-3
    assert abs(np.corrcoef(x.real, x.imag)[0, 1]) < 0.03
    np.testing.assert_allclose(COMPILE(lambda key: random.normal(key, (99,), dtype))(KEY), x[:99], rtol=1e-5)


INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_are_those_of_jax_and_alike_when_compiled(dtype):
    limits = np.iinfo(dtype)
    key = jax.random.wrap_key_data(np.asarray(KEY))

    def draws(key):
        return [
            random.randint(key, (501,), 3, 100, dtype),
            random.randint(key, (501,), limits.min, limits.max + 1, dtype),
            random.randint(key, (3, 7), 5, 5, dtype),
            random.randint(key, (501,), -(10**30), 10**30, dtype),
        ]

    eager, compiled = draws(KEY), COMPILE(draws)(KEY)
    for ours, theirs in zip(eager, compiled, strict=True):
        assert ours.dtype == theirs.dtype == dtype and np.array_equal(ours, theirs)
    with jax.enable_x64(True):
        assert np.array_equal(eager[0], jax.random.randint(key, (501,), 3, 100, dtype))
        if limits.max < 2**62:
            assert np.array_equal(eager[1], jax.random.randint(key, (501,), limits.min, limits.max + 1, dtype))
    assert (np.asarray(eager[2]) == 5).all()
    assert np.array_equal(eager[1], eager[3])


def test_integers_are_even_over_bounds_that_are_arrays():
    low, high = np.asarray([[-3], [10]], np.int16), np.asarray([4, 17, 1000])
    x = np.asarray(COMPILE(lambda key, a, b: random.randint(key, (4000, 2, 3), a, b))(KEY, low, high))
    assert (x >= low).all() and ((x < high) | (x == low)).all()
    counts = np.bincount(x[:, 0, 0] + 3)
    assert scipy.stats.chisquare(counts).pvalue > 1e-3


def test_chances_may_be_numbers_or_arrays():
    chances = np.asarray([0.0, 0.25, 1.0], np.float32)
    x = np.asarray(random.bernoulli(KEY, chances, (COUNT, 3)))
    assert x.dtype == bool and not x[:, 0].any() and x[:, 2].all() and abs(x[:, 1].mean() - 0.25) < 0.015
    assert np.array_equal(COMPILE(lambda key, p: random.bernoulli(key, p, (COUNT, 3)))(KEY, chances), x)
    assert random.bernoulli(KEY, chances).shape == (3,) and random.bernoulli(KEY).shape == ()
    signs = np.asarray(random.rademacher(KEY, (COUNT,), "int8"))
    assert set(np.unique(signs)) == {-1, 1} and abs(signs.mean()) < 0.03


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
def test_trials_fit_the_geometric_distribution(dtype):
    x = np.asarray(random.geometric(KEY, 0.3, (COUNT,), dtype)).astype(np.int64)
    counts = np.bincount(np.minimum(x, 20), minlength=21)[1:]
    judge = scipy.stats.geom(0.3)
    expected = np.asarray([*judge.pmf(np.arange(1, 20)), judge.sf(19)]) * COUNT
    assert scipy.stats.chisquare(counts, expected).pvalue > 1e-3
    limits = np.iinfo(dtype)
    ends = random.geometric(KEY, wnp.asarray([0.0, -1.0, 1.0, 2.0]), None, dtype)
    assert np.asarray(ends)[:3].tolist() == [limits.max, limits.max, 1]


def test_categories_come_by_their_chances():
    chances = np.asarray([[0.1, 0.0, 0.6, 0.3], [0.25, 0.25, 0.5, 0.0]])
    with np.errstate(divide="ignore"):
        logits = (np.log(chances) + 3).astype(np.float32)
    x = np.asarray(COMPILE(lambda key, a: random.categorical(key, a, shape=(COUNT, 2)))(KEY, logits))
    assert x.shape == (COUNT, 2)
    for row in range(2):
        counts = np.bincount(x[:, row], minlength=4)
        there = chances[row] > 0
        assert not counts[~there].any()
        assert scipy.stats.chisquare(counts[there], chances[row][there] * COUNT).pvalue > 1e-3
    assert random.categorical(KEY, logits).shape == (2,)
    assert random.categorical(KEY, logits, axis=0).shape == (4,)


def test_categories_without_replacement_differ():
    logits = np.log(np.asarray([[0.1, 0.2, 0.3, 0.4]] * 500, np.float32))
    x = np.asarray(random.categorical(KEY, logits, shape=(3, 500), replace=False))
    assert x.shape == (3, 500)
    assert all(len(set(column)) == 3 for column in x.T)
    # The first of them is a draw like any other.
    assert scipy.stats.chisquare(np.bincount(x[0], minlength=4), [50, 100, 150, 200]).pvalue > 1e-3


@pytest.mark.parametrize("size", [0, 1, 2, 5, 1000])
def test_a_permutation_has_each_element_once(size):
    draw = COMPILE(lambda key: random.permutation(key, size))
    order = np.asarray(draw(KEY))
    assert np.array_equal(np.sort(order), np.arange(size))
    assert np.array_equal(order, random.permutation(KEY, size))


def test_all_orders_are_as_likely():
    orders = [tuple(np.asarray(random.permutation(key, 3)).tolist()) for key in random.split(KEY, 600)]
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 6 and scipy.stats.chisquare(counts).pvalue > 1e-3


def test_a_permutation_of_an_array_moves_whole_slices_or_single_elements():
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    rows = np.asarray(random.permutation(KEY, x))
    assert np.array_equal(rows[np.argsort(rows[:, 0])], x) and not np.array_equal(rows, x)
    columns = np.asarray(random.permutation(KEY, x, axis=-1))
    assert np.array_equal(columns[:, np.argsort(columns[0])], x)
    single = np.asarray(random.permutation(KEY, x, axis=1, independent=True))
    assert np.array_equal(np.sort(single, axis=1), x)
    assert len({tuple(row % 6) for row in single}) > 1


def test_choices_come_by_their_weights():
    x = np.asarray(random.choice(KEY, 5, (COUNT,)))
    assert scipy.stats.chisquare(np.bincount(x, minlength=5)).pvalue > 1e-3
    weights = np.asarray([0, 1, 0, 3], np.int32)
    weighted = COMPILE(lambda key, p: random.choice(key, np.asarray([2.0, 3.0, 5.0, 7.0]), (COUNT,), p=p))
    x = np.asarray(weighted(KEY, weights))
    assert set(np.unique(x)) == {3.0, 7.0} and abs((x == 7).mean() - 0.75) < 0.015
    once = np.asarray(random.choice(KEY, 10, (2, 5), replace=False))
    assert np.array_equal(np.sort(once, axis=None), np.arange(10))
    some = np.asarray(random.choice(KEY, 4, (2,), replace=False, p=weights))
    assert set(some) == {1, 3}
    table = np.arange(12).reshape(3, 4)
    assert random.choice(KEY, table, (2, 5), axis=1).shape == (3, 2, 5)
    assert random.choice(KEY, 0, (0,)).shape == (0,)


def test_draws_of_a_symbolic_shape_are_those_of_the_static_one():
    n = wax.Dim("n", max=2**20)

    def draws(key, x):
        return [
            random.normal(key, x.shape),
            random.randint(key, (x.shape[0], 2), 0, x.shape[0]),
            random.permutation(key, x),
            random.choice(key, x, (3,)),
            random.categorical(key, x, shape=(4,)),
        ]

    compiled = COMPILE(draws, dynamic_shapes=(None, (n,)))
    for size in (1, 2, 9, 100):
        x = np.arange(size, dtype=np.float32)
        for ours, theirs in zip(compiled(KEY, x), draws(KEY, wnp.asarray(x)), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: random.uniform(KEY, (2,), "int32"), PromotionError, "floating"),
        (lambda: random.uniform(KEY, (2,), minval=1j), PromotionError, "complex64"),
        (lambda: random.uniform(KEY, (2,), minval=wnp.zeros(3)), ShapeError, r"\(3,\)"),
        (lambda: random.normal(KEY, (2,), "int32"), PromotionError, "complex"),
        (lambda: random.randint(KEY, (2,), 0, 1.5), PromotionError, "integers"),
        (lambda: random.randint(KEY, (2,), 0, 2, "float32"), PromotionError, "integer"),
        (lambda: random.bernoulli(KEY, 1j), PromotionError, "complex"),
        (lambda: random.rademacher(KEY, (2,), "uint8"), PromotionError, "uint8"),
        (lambda: random.geometric(KEY, 0.5, (2,), "float32"), PromotionError, "integer"),
        (lambda: random.categorical(KEY, wnp.zeros((2, 3)), shape=(4,)), ShapeError, r"end with \(2,\)"),
        (lambda: random.categorical(KEY, wnp.zeros(3), shape=(4,), replace=False), ShapeError, "4 draws"),
        (lambda: random.categorical(KEY, wnp.zeros(3), axis=1), AxisError, "axis"),
        (lambda: random.permutation(KEY, -1), InvalidArgumentError, "-1"),
        (lambda: random.permutation(KEY, wnp.asarray(3)), ShapeError, "axis"),
        (lambda: random.choice(KEY, 3, (4,), replace=False), ShapeError, "4 draws"),
        (lambda: random.choice(KEY, 0, (4,)), ShapeError, "0 elements"),
        (lambda: random.choice(KEY, 3, (4,), p=wnp.ones(2)), ShapeError, "3 elements"),
    ],
)
def test_bad_parameters_are_refused_with_the_users_line(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert "test_distributions.py" in str(caught.value)


# Draws that decompose matrices.


@pytest.mark.parametrize("method", ["cholesky", "eigh"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_normal_vectors_fit_their_mean_and_covariance(method, dtype):
    mean, cov = np.asarray([1.0, -2.0, 0.5]), np.asarray([[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 0.5]])
    x = random.multivariate_normal(KEY, wnp.asarray(mean), wnp.asarray(cov), (COUNT,), dtype, method)
    assert x.dtype == dtype
    x = np.asarray(x).astype("f8") - mean
    whitened = np.linalg.solve(np.linalg.cholesky(cov), x.T)
    for row in whitened:
        assert scipy.stats.kstest(row, "norm").pvalue > 1e-3
    assert scipy.stats.kstest((whitened**2).sum(0), scipy.stats.chi2(3).cdf).pvalue > 1e-3


def test_normal_vectors_of_stacks_and_of_singular_covariances():
    mean, cov = wnp.zeros((4, 1, 2)), wnp.ones((3, 2, 2))
    x = np.asarray(random.multivariate_normal(KEY, mean, cov, method="eigh"))
    assert x.shape == (4, 3, 2)
    np.testing.assert_allclose(x[..., 0], x[..., 1], atol=1e-6)
    assert np.isnan(np.asarray(random.multivariate_normal(KEY, wnp.zeros(2), -wnp.eye(2)))).any()
    for mean, cov in ((wnp.zeros(()), wnp.eye(2)), (wnp.zeros(2), wnp.eye(3)), (wnp.zeros(2), wnp.zeros(2))):
        with pytest.raises(ShapeError, match="a vector and a square matrix"):
            random.multivariate_normal(KEY, mean, cov)
    with pytest.raises(InvalidArgumentError, match="cholesky"):
        random.multivariate_normal(KEY, wnp.zeros(2), wnp.eye(2), method="svd")
    with pytest.raises(PromotionError, match="floating"):
        random.multivariate_normal(KEY, wnp.zeros(2), wnp.eye(2), dtype="complex64")


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_orthogonal_matrices_are_spread_evenly(dtype):
    q = np.asarray(random.orthogonal(KEY, 3, (2000,), dtype))
    np.testing.assert_allclose(np.conj(np.swapaxes(q, 1, 2)) @ q, np.broadcast_to(np.eye(3), q.shape), atol=1e-5)
    # An element of an even unit vector in three dims is even between -1 and 1; of a complex one its square's is beta.
    for element in q.reshape(-1, 9).T:
        if dtype == "float32":
            assert scipy.stats.kstest(element, scipy.stats.uniform(-1, 2).cdf).pvalue > 1e-3
        else:
            assert scipy.stats.kstest(np.abs(element) ** 2, scipy.stats.beta(1, 2).cdf).pvalue > 1e-3
    assert random.orthogonal(KEY, 4, m=2).shape == (4, 2)
    assert random.orthogonal(KEY, 2, (3,), m=4).shape == (3, 2, 4)
