"""Distributions drawn by rejection: they fit those of SciPy, end whatever their parameters, and are the same compiled.

Keys are fixed, so that a test that passes passes always. A p-value below 1e-3 is a fault.
"""

import functools

import numpy as np
import pytest
import scipy.stats

import wax
import wax.numpy as wnp
import wax.random as random
from wax.errors import PromotionError, ShapeError

COMPILE = functools.partial(wax.jit, backend="iree")
COUNT = 10_001
KEY = random.key(1)
INF, NAN = np.inf, np.nan

CONTINUOUS = {
    **{
        f"gamma-{a}": (lambda k, s, d, a=a: random.gamma(k, a, s, d), scipy.stats.gamma(a))
        for a in (0.1, 0.9, 1, 3, 99)
    },
    "loggamma": (lambda k, s, d: random.loggamma(k, 0.01, s, d), scipy.stats.loggamma(0.01)),
    "beta": (lambda k, s, d: random.beta(k, 0.5, 2.0, s, d), scipy.stats.beta(0.5, 2)),
    "chisquare": (lambda k, s, d: random.chisquare(k, 3.0, s, d), scipy.stats.chi2(3)),
    "t": (lambda k, s, d: random.t(k, 3.0, s, d), scipy.stats.t(3)),
    "f": (lambda k, s, d: random.f(k, 3.0, 4.0, s, d), scipy.stats.f(3, 4)),
}


@pytest.mark.parametrize("name", CONTINUOUS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_floats_fit_their_distribution(name, dtype):
    draw, judge = CONTINUOUS[name]
    x = np.asarray(draw(KEY, (COUNT,), dtype))
    assert x.dtype == dtype and x.shape == (COUNT,) and np.isfinite(x).all()
    assert scipy.stats.kstest(x.astype(np.float64), judge.cdf).pvalue > 1e-3


DISCRETE = {
    **{
        f"poisson-{lam}": (lambda k, s, d, lam=lam: random.poisson(k, lam, s, d), scipy.stats.poisson(lam))
        for lam in (0.05, 3.0, 9.99, 10.0, 60.0, 1e4)
    },
    **{
        f"binomial-{n}-{p}": (lambda k, s, d, n=n, p=p: random.binomial(k, n, p, s, d), scipy.stats.binom(n, p))
        for n, p in ((1, 0.5), (10, 0.3), (10, 0.9), (100, 0.01), (100, 0.5), (1000, 0.97), (10**6, 0.3))
    },
}


@pytest.mark.parametrize("name", DISCRETE)
def test_counts_fit_their_distribution(name):
    draw, judge = DISCRETE[name]
    x = np.asarray(draw(KEY, (COUNT,), "int64"))
    # The range in which a hundred are expected, in at most 40 bins.
    low, high = int(judge.ppf(0.01)), int(judge.ppf(0.99))
    edges = np.unique(np.linspace(low, high, 40).astype(np.int64))
    observed = np.bincount(np.searchsorted(edges, x), minlength=len(edges) + 1)
    chances = np.diff([0.0, *judge.cdf(edges), 1.0])
    there = chances * COUNT >= 5
    observed, chances = observed[there], chances[there]
    if len(observed) > 1:
        assert scipy.stats.chisquare(observed, chances / chances.sum() * observed.sum()).pvalue > 1e-3
    assert abs(x.mean() - judge.mean()) < 5 * judge.std() / COUNT**0.5


def test_parameters_out_of_range_end_and_give_what_is_stated():
    a = wnp.asarray([0.0, -0.0, -1.0, NAN, INF, 1e-30])
    assert np.array_equal(random.gamma(KEY, a), [0, 0, NAN, NAN, INF, 0], equal_nan=True)
    assert np.array_equal(np.asarray(random.loggamma(KEY, a))[:5], [-INF, -INF, NAN, NAN, INF], equal_nan=True)
    most = np.iinfo(np.int32).max
    lam = wnp.asarray([0.0, -1.0, NAN, 1e30, INF])
    assert np.asarray(random.poisson(KEY, lam)).tolist() == [0, 0, 0, most, most]
    n, p = wnp.asarray([0, -3, 5, 5, NAN, 5, INF, INF, 2.9]), wnp.asarray([0.5, 0.5, -1, 7, 0.5, NAN, 0.5, 0, 1])
    assert np.asarray(random.binomial(KEY, n, p)).tolist() == [0, 0, 0, 5, 0, 0, most, 0, 2]


def test_parameters_may_be_arrays():
    a = np.asarray([[0.5], [2.0], [30.0]], np.float32)
    x = np.asarray(random.gamma(KEY, a, (3, COUNT)))
    for row, parameter in zip(x, a[:, 0], strict=True):
        assert scipy.stats.kstest(row, scipy.stats.gamma(float(parameter)).cdf).pvalue > 1e-3
    x = np.asarray(random.poisson(KEY, np.asarray([1.0, 20.0], np.float32), (COUNT, 2)))
    np.testing.assert_allclose(x.mean(axis=0), [1, 20], rtol=0.05)
    assert random.poisson(KEY, np.ones((2, 1), np.float32)).shape == (2, 1)
    assert random.gamma(KEY, 1.0).shape == () and random.binomial(KEY, 3, 0.5, (0, 2)).shape == (0, 2)


def test_shares_sum_to_one_and_have_their_means():
    alpha = np.asarray([1.0, 2.0, 5.0], np.float32)
    x = np.asarray(random.dirichlet(KEY, alpha, (COUNT,)))
    np.testing.assert_allclose(x.sum(axis=-1), 1, rtol=1e-6)
    np.testing.assert_allclose(x.mean(axis=0), alpha / 8, rtol=0.05)
    assert scipy.stats.kstest(x[:, 0].astype(np.float64), scipy.stats.beta(1, 7).cdf).pvalue > 1e-3
    # Of parameters so small all but one share are too small for a float.
    tiny = np.asarray(random.dirichlet(KEY, np.full(4, 1e-5, np.float32), (9,)))
    assert np.allclose(tiny.max(axis=-1), 1) and random.dirichlet(KEY, np.ones((2, 3), np.float32)).shape == (2, 3)


def test_compiled_draws_are_the_eager_ones():
    n = wax.Dim("n", max=2**20)

    def draws(key, rates):
        return [
            random.gamma(key, 2.5, (301,)),
            random.gamma(key, 0.5, (301,), "float64"),
            random.gamma(key, 2.5, (301,), "bfloat16"),
            random.poisson(key, rates),
            random.binomial(key, rates * 3, 0.3),
        ]

    compiled = COMPILE(draws, dynamic_shapes=(None, (n,)))
    for size in (1, 40):
        rates = np.linspace(0, 50, size, dtype=np.float32)
        gamma, double, half, *counts = compiled(KEY, rates)
        eager_gamma, eager_double, eager_half, *eager_counts = draws(KEY, wnp.asarray(rates))
        np.testing.assert_allclose(gamma, eager_gamma, rtol=1e-5)
        np.testing.assert_allclose(double, eager_double, rtol=1e-12)
        np.testing.assert_allclose(
            np.asarray(half).astype(np.float32), np.asarray(eager_half).astype(np.float32), rtol=1e-2
        )
        for ours, theirs in zip(counts, eager_counts, strict=True):
            assert ours.dtype == np.int32 and np.array_equal(ours, theirs)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: random.gamma(KEY, 1.0, (2,), "int32"), PromotionError, "floating"),
        (lambda: random.gamma(KEY, 1j), PromotionError, "complex"),
        (lambda: random.gamma(KEY, wnp.ones(3), (2,)), ShapeError, r"\(3,\)"),
        (lambda: random.poisson(KEY, 1.0, (2,), "float32"), PromotionError, "integer"),
        (lambda: random.binomial(KEY, 1, 0.5, (2,), "bool"), PromotionError, "integer"),
        (lambda: random.dirichlet(KEY, 1.0), ShapeError, "axis"),
        (lambda: random.dirichlet(KEY, wnp.ones((2, 3)), (4,)), ShapeError, r"\(2, 3\)"),
    ],
)
def test_bad_parameters_are_refused_with_the_users_line(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert "test_rejection.py" in str(caught.value)
