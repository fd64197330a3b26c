"""Special functions, and functions of complex numbers: as exact as docs/accuracy.md says, and total."""

import functools
import math

import ml_dtypes
import numpy as np
import pytest
from special_accuracy import MEASURED, Measured, measure
from tiers import every_other, tiered

import wax
import wax.numpy as wnp
from wax import special
from wax.errors import InvalidArgumentError, PromotionError

INF, NAN = math.inf, math.nan
COMPILE = functools.partial(wax.jit, backend="iree")  # no falling back


def name_of(one):
    """What a parameter is called in the name of a test."""
    if isinstance(one, Measured):
        return f"{one.name}-{one.where or one.unit}".replace(" ", "")
    names = {np.float32: "f32", np.float64: "f64", False: "eager", True: "compiled"}
    return names.get(one, getattr(one, "__name__", one))


@pytest.mark.parametrize("one", MEASURED, ids=name_of)
@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=name_of)
def test_reference_is_within_the_bound(one, dtype):
    worst, place = measure(one, dtype, 25, compiled=False)
    assert worst <= one.bound, place


@pytest.mark.parametrize(("dtype", "one"), every_other([np.float32, np.float64], MEASURED), ids=name_of)
def test_compiled_is_within_the_bound(one, dtype):
    worst, place = measure(one, dtype, 25)
    assert worst <= one.bound, place


#: What each function gives, exactly, for what operands.
EXACT = {
    special.gammaln: ([1, 2, 0, -0.0, -1, -7, INF, -INF, NAN], [0, 0, INF, INF, INF, INF, INF, INF, NAN]),
    special.digamma: ([0.0, -0.0, -1, -7, INF, -INF, NAN], [-INF, INF, NAN, NAN, INF, NAN, NAN]),
    special.erfinv: ([0.0, -0.0, 1, -1, 1.5, -2, INF, NAN], [0.0, -0.0, INF, -INF, NAN, NAN, NAN, NAN]),
    special.erfcinv: ([0.0, -0.0, 1, 2, -0.5, 3, INF, NAN], [INF, INF, 0.0, -INF, NAN, NAN, NAN, NAN]),
    special.i0e: ([0.0, -0.0, INF, -INF, NAN], [1, 1, 0, 0, NAN]),
    special.i1e: ([0.0, -0.0, INF, -INF, NAN], [0.0, -0.0, 0.0, -0.0, NAN]),
    special.i0: ([0.0, INF, -INF, NAN], [1, INF, INF, NAN]),
    special.i1: ([0.0, -0.0, INF, -INF, NAN], [0.0, -0.0, INF, -INF, NAN]),
    special.expit: ([0.0, INF, -INF, NAN, 1000, -1000], [0.5, 1, 0, NAN, 1, 0]),
    special.logit: ([0.5, 0, 1, -1, 2, NAN], [0.0, -INF, INF, NAN, NAN, NAN]),
    special.ndtr: ([0.0, INF, -INF, NAN], [0.5, 1, 0, NAN]),
    special.ndtri: ([0.5, 0, 1, -1, 2, NAN], [-0.0, -INF, INF, NAN, NAN, NAN]),
    special.entr: ([0.0, -0.0, 1, -1, INF, NAN], [0.0, 0.0, 0.0, -INF, -INF, NAN]),
}
_A = [1, 1, 0, INF, 1, 0, INF, -1, 1, NAN, 1, 0, INF]
_X = [0, INF, 1, 1, -1, 0, INF, 1, NAN, 1, -0.0, INF, 0]
EXACT_PAIRS = {
    special.gammainc: (_A, _X, [0, 1, 1, 0, NAN, NAN, NAN, NAN, NAN, NAN, 0, 1, 0]),
    special.gammaincc: (_A, _X, [1, 0, 0, 1, NAN, NAN, NAN, NAN, NAN, NAN, 1, 0, 1]),
    special.betaln: ([INF, 1, INF, 20, NAN, 1], [2, INF, INF, INF, 1, 1], [-INF, -INF, -INF, -INF, NAN, 0]),
    special.xlogy: ([0, 0, 0, 2, 0, NAN], [0, 1, -1, 0, NAN, 1], [0, 0, 0, -INF, NAN, NAN]),
    special.xlog1py: ([0, 0, 0, 2, 0, NAN], [-1, 0, -2, -1, NAN, 1], [0, 0, 0, -INF, NAN, NAN]),
}


def same(got, want):
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    np.testing.assert_array_equal(got, want)
    zeros = want == 0
    np.testing.assert_array_equal(np.signbit(got)[zeros], np.signbit(want)[zeros])


@pytest.mark.parametrize(
    ("function", "dtype", "compiled"),
    every_other([*EXACT, *EXACT_PAIRS], tiered(["f2", "f4", "f8"], "f2".__ne__), [False, True]),
    ids=name_of,
)
def test_poles_infinities_and_nan(function, dtype, compiled):
    *operands, want = EXACT.get(function) or EXACT_PAIRS[function]
    run = COMPILE(function) if compiled else function
    got = run(*(wnp.asarray(np.array(x, dtype)) for x in operands))
    same(got, want)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("order", [pytest.param(n, marks=pytest.mark.full) if 3 < n < 16 else n for n in range(1, 17)])
def test_every_order_of_polygamma(order, compiled):
    import mpmath

    function = lambda x: special.polygamma(order, x)  # noqa: E731
    run = COMPILE(function) if compiled else function
    x = np.array([0.3, 1.0, 2.5, 7.25, 40.0, -0.4, -3.6])
    want = [float(mpmath.polygamma(order, mpmath.mpf(v))) for v in x]
    np.testing.assert_allclose(run(wnp.asarray(x)), want, rtol=2e-14)
    # Odd orders have one sign at every pole, even ones change it.
    poles = np.array([0.0, -0.0, -1.0, -4.0, INF, -INF, NAN])
    odd = [INF, INF, INF, INF, 0.0, NAN, NAN]
    even = [-INF, INF, NAN, NAN, -0.0, NAN, NAN]
    same(run(wnp.asarray(poles)), odd if order % 2 else even)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("dtype", [np.dtype("f2"), np.dtype(ml_dtypes.bfloat16)], ids=str)
def test_halves_are_rounded_once(dtype, compiled):
    x = np.linspace(0.1, 1.9, 37).astype(dtype)
    for function in (special.gammaln, special.erfcinv, special.i0e):
        run = COMPILE(function) if compiled else function
        wide = np.asarray(function(wnp.asarray(x.astype("f8"))))
        got = np.asarray(run(wnp.asarray(x)))
        assert got.dtype == dtype
        np.testing.assert_allclose(got.astype("f8"), wide, rtol=float(ml_dtypes.finfo(dtype).eps) * 0.51)


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 0, 2), (5, 7)])
def test_shapes_and_broadcasting(shape):
    x = np.random.default_rng(1).uniform(0.1, 5, shape).astype("f4")
    for run in (special.gammaincc, COMPILE(special.gammaincc)):
        got = np.asarray(run(wnp.asarray(x[..., None] if shape else x), wnp.asarray([0.5, 2.0])))
        assert got.shape == (*shape, 2)
        assert ((got >= 0) & (got <= 1)).all()


def test_dynamic_sizes():
    run = COMPILE(special.gammaln, dynamic_shapes=({0: wax.Dim("n")},))
    for n in (2, 5, 100):
        x = np.arange(1, n + 1).astype("f8")
        np.testing.assert_allclose(run(wnp.asarray(x)), [math.lgamma(v) for v in x], rtol=1e-15)


def test_incomplete_gamma_over_all_magnitudes_is_a_probability():
    with np.errstate(over="ignore"):
        size = np.array(
            [1e-300, 1e-30, 1e-5, 0.3, 0.95, 1.39, 1.41, 7.99, 8, 19.9, 20, 26, 1e3, 1e8, 1e16, 1e100, 1e300]
        )
    a, x = np.meshgrid(size, size)
    for run in (lambda f: f, COMPILE):
        lower, upper = (
            np.asarray(run(f)(wnp.asarray(a), wnp.asarray(x))) for f in (special.gammainc, special.gammaincc)
        )
        assert np.isfinite(lower).all()
        np.testing.assert_allclose(lower + upper, 1, rtol=1e-15)
        assert (lower[x < a / 2][a[x < a / 2] > 1e3] == 0).all()


def test_composed_functions_against_their_definitions():
    p = np.linspace(0.01, 0.99, 33)
    x = np.linspace(-30, 30, 61)
    for run in (lambda f: f, COMPILE):
        np.testing.assert_allclose(run(special.ndtr)(run(special.ndtri)(wnp.asarray(p))), p, rtol=1e-14)
        np.testing.assert_allclose(run(special.expit)(run(special.logit)(wnp.asarray(p))), p, rtol=1e-14)
        np.testing.assert_allclose(run(special.expit)(wnp.asarray(x)), 1 / (1 + np.exp(-x)), rtol=1e-14)
        beta = np.asarray(run(special.betaln)(wnp.asarray(p), wnp.asarray(p + 1)))
        want = [math.lgamma(v) + math.lgamma(v + 1) - math.lgamma(2 * v + 1) for v in p]
        np.testing.assert_allclose(beta, want, atol=1e-14)
        i0 = np.asarray(run(special.i0)(wnp.asarray(np.array([1.0, 5.0, 700.0]))))
        np.testing.assert_allclose(i0, [1.2660658777520084, 27.239871823604442, 1.5295933476718737e302], rtol=4e-15)


def test_functions_work_in_kernels_and_take_numbers():
    x = wnp.asarray([0.5, 1.5])
    got = wax.kernel.map(lambda a: special.gammaln(a) + special.polygamma(1, a) * special.xlogy(2, a), x)
    want = special.gammaln(x) + special.polygamma(1, x) * 2 * wnp.log(x)
    np.testing.assert_allclose(got, want, rtol=1e-6)
    assert special.gammaln(5).dtype == wnp.float32
    assert special.gammainc(wnp.asarray([1, 2]), 0.5).dtype == wnp.float32


def test_what_cannot_be_is_refused():
    with pytest.raises(PromotionError, match="real"):
        special.gammaln(wnp.asarray([1j]))
    for order in (-1, 17, 1.0, True):
        with pytest.raises(InvalidArgumentError, match="from 0 to 16"):
            special.polygamma(order, wnp.asarray([1.0]))
