"""Functions of complex numbers at zeros, branch cuts and infinities: C's Annex G, as Python's cmath has it."""

import cmath
import functools
import itertools
import math

import numpy as np
import pytest
from tiers import every_other

import wax
import wax.numpy as wnp

COMPILE = functools.partial(wax.jit, backend="iree")  # no falling back
PARTS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e300, -1e-300, math.inf, -math.inf, math.nan]
VALUES = np.empty(len(PARTS) ** 2, "c16")
VALUES.real, VALUES.imag = np.array(list(itertools.product(PARTS, PARTS))).T

FUNCTIONS = ["exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"]
FUNCTIONS += ["asin", "acos", "atan", "asinh", "acosh", "atanh"]


def eager_and_compiled(names: list[str]) -> pytest.MarkDecorator:
    """Each function by itself and compiled; the quick tier compiles every other one."""
    cases = [*((name, False) for name in names), *every_other((name, True) for name in names)]
    return pytest.mark.parametrize(
        ("name", "compiled"), cases, ids=lambda one: {False: "eager", True: "compiled"}.get(one, one)
    )


def as_judged(name: str, z: complex) -> complex | None:
    """What cmath gives; where it raises, nothing. Defect report 471 has made four of its NaN known."""
    if z.real == 0 and math.isnan(z.imag) and name == "tanh":
        return complex(z.real, math.nan)
    if z.imag == 0 and math.isnan(z.real) and name == "tan":
        return complex(math.nan, z.imag)
    if z.real == 0 and math.isnan(z.imag) and name == "acosh":
        return complex(math.nan, math.pi / 2)
    try:
        return getattr(cmath, name)(z)
    except (ValueError, OverflowError):
        return None


def agrees(got: float, want: float, *, signed: bool) -> bool:
    if math.isnan(want):
        return math.isnan(got)
    if not signed:
        got, want = abs(got), abs(want)
    if want == 0:
        return got == 0 and math.copysign(1, got) == math.copysign(1, want)
    if abs(want) < 1e-290:  # below it compiled code may flush to zero
        return abs(got) < 1e-290
    return got == want or math.isclose(got, want, rel_tol=1e-14)


@eager_and_compiled(FUNCTIONS)
def test_special_values_are_those_of_annex_g(name, compiled):
    function = getattr(wnp, name)
    results = np.asarray((COMPILE(function) if compiled else function)(wnp.asarray(VALUES)))
    wrong = []
    for z, got in zip(VALUES.tolist(), results.tolist(), strict=True):
        want = as_judged(name, z)
        if want is None:
            continue
        # Beside a NaN, or of an angle that is not known, the standard leaves signs open.
        signed = not (
            cmath.isnan(want) or cmath.isnan(z) or (cmath.isinf(z) and math.isinf(z.real) == math.isinf(z.imag))
        )
        if not (agrees(got.real, want.real, signed=signed) and agrees(got.imag, want.imag, signed=signed)):
            wrong.append((z, got, want))
    assert wrong == []


@eager_and_compiled(["sqrt", "log", "asin", "acos", "atan", "asinh", "acosh", "atanh"])
def test_the_sign_of_a_zero_tells_the_side_of_a_branch_cut(name, compiled):
    cut = np.array([-3.0, -1.5, 1.5, 3.0])
    z = np.zeros((4, 4), "c16")
    z.real[:2], z.imag[:2] = cut, np.array([[0.0], [-0.0]])
    z.imag[2:], z.real[2:] = cut, np.array([[0.0], [-0.0]])
    function = getattr(wnp, name)
    got = np.asarray((COMPILE(function) if compiled else function)(wnp.asarray(z)))
    want = np.array([getattr(cmath, name)(v) for v in z.ravel().tolist()]).reshape(4, 4)
    np.testing.assert_allclose(got.real, want.real, rtol=1e-14, atol=1e-300)
    np.testing.assert_allclose(got.imag, want.imag, rtol=1e-14, atol=1e-300)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_quotients_and_sizes_neither_overflow_nor_vanish_without_need(compiled):
    run = COMPILE if compiled else lambda f: f
    for dtype, large, small in (("c16", 1e308, 1e-307), ("c8", 2e38, 4e-38)):
        z = np.array([large + large * 1j, small + small * 1j, large * 1j, large + small * 1j]).astype(dtype)
        quotient = np.asarray(run(wnp.divide)(wnp.asarray(z), wnp.asarray(z)))
        np.testing.assert_allclose(quotient, np.ones(4), rtol=1e-6 if dtype == "c8" else 1e-15)
        size = np.asarray(run(wnp.abs)(wnp.asarray(z[1:] / 2)))
        np.testing.assert_allclose(size, np.array([small * 2**0.5, large, large]) / 2, rtol=1e-6)


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_division_by_zero_and_infinity(compiled):
    inf, nan = math.inf, math.nan
    rows = [  # dividend, divisor, quotient; parts, as multiplying an infinity by i would make NaN
        ((1, 2), (0.0, 0.0), (inf, inf)),
        ((1, -2), (-0.0, 0.0), (-inf, inf)),
        ((0, 0), (0, 0), (nan, nan)),
        ((inf, 1), (2, 2), (inf, -inf)),
        ((inf, inf), (1, 0), (inf, inf)),
        ((1, 2), (inf, -inf), (-0.0, 0.0)),
        ((1, 2), (inf, nan), (0.0, 0.0)),
        ((inf, 0), (inf, 0), (nan, nan)),
        ((nan, 1), (1, 1), (nan, nan)),
    ]
    z, w = np.empty(len(rows), "c16"), np.empty(len(rows), "c16")
    for x, column in ((z, 0), (w, 1)):
        x.real, x.imag = np.array([row[column] for row in rows]).T
    got = np.asarray((COMPILE(wnp.divide) if compiled else wnp.divide)(wnp.asarray(z), wnp.asarray(w)))
    for value, (a, b, want) in zip(got, rows, strict=True):
        np.testing.assert_array_equal([value.real, value.imag], want, err_msg=f"{a} / {b}")


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_powers_of_zero_and_to_zero(compiled):
    z = np.array([0, 0, 0, 2 + 1j, 0])
    w = np.array([2, 1 + 1j, 0, 0, 0.5])
    got = np.asarray((COMPILE(wnp.pow) if compiled else wnp.pow)(wnp.asarray(z), wnp.asarray(w)))
    np.testing.assert_array_equal(got, [0, 0, 1, 1, 0])


#: The array API's special values of expm1 and log1p, which cmath has not: the argument's parts, the result's parts.
#: Beside an infinite or unknown angle the standard leaves signs open.
_I, _N, _PI = math.inf, math.nan, math.pi
TABLES = {
    "expm1": [
        ((0.0, 0.0), (0.0, 0.0)),
        ((-0.0, 0.0), (-0.0, 0.0)),
        ((1.0, _I), (_N, _N)),
        ((1.0, _N), (_N, _N)),
        ((_I, 0.0), (_I, 0.0)),
        ((-_I, 0.0), (-1.0, 0.0)),
        ((-_I, 2.0), (-1.0, 0.0)),
        ((_I, 2.0), (-_I, _I)),
        ((-_I, _I), (-1.0, 0.0)),
        ((_I, _I), (_I, _N)),
        ((-_I, _N), (-1.0, 0.0)),
        ((_I, _N), (_I, _N)),
        ((_N, 0.0), (_N, 0.0)),
        ((_N, 1.0), (_N, _N)),
        ((_N, _N), (_N, _N)),
    ],
    "log1p": [
        ((0.0, 0.0), (0.0, 0.0)),
        ((-1.0, 0.0), (-_I, 0.0)),
        ((1.0, _I), (_I, _PI / 2)),
        ((1.0, _N), (_N, _N)),
        ((-_I, 1.0), (_I, _PI)),
        ((_I, 1.0), (_I, 0.0)),
        ((-_I, _I), (_I, 3 * _PI / 4)),
        ((_I, _I), (_I, _PI / 4)),
        ((_I, _N), (_I, _N)),
        ((-_I, _N), (_I, _N)),
        ((_N, 1.0), (_N, _N)),
        ((_N, _I), (_I, _N)),
        ((_N, _N), (_N, _N)),
    ],
}


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("name", TABLES)
def test_special_values_are_those_of_the_array_api(name, dtype, compiled):
    rows = TABLES[name]
    # And their mirror images: both functions commute with conjugation.
    z, want = np.empty((2, 2, len(rows)), "c16")
    z.real, z.imag = np.array([x for x, _ in rows]).T[:, None]
    want.real, want.imag = np.array([y for _, y in rows]).T[:, None]
    z.imag[1], want.imag[1] = -z.imag[1], -want.imag[1]
    function = getattr(wnp, name)
    got = np.asarray((COMPILE(function) if compiled else function)(wnp.asarray(z.astype(dtype))))
    signed = np.isfinite(z.imag)
    for g, w in ((got.real, want.real), (got.imag, want.imag)):
        np.testing.assert_allclose(g, w, rtol=1e-6)
        np.testing.assert_array_equal(np.signbit(g)[signed & (w == 0)], np.signbit(w)[signed & (w == 0)])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_products_that_begin_with_one_zero_are_apart(dtype):
    rng = np.random.default_rng(7)
    a, b, c = ((rng.standard_normal((4, 4)) + 1j * rng.standard_normal((4, 4))).astype(dtype) for _ in range(3))
    results = wax.jit(lambda a, b, c: (c - a @ (b @ c), a @ b + b @ a), backend="iree")(a, b, c)
    tolerance = 1e-5 if dtype == "complex64" else 1e-13
    for ours, theirs in zip(results, (c - a @ (b @ c), a @ b + b @ a), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)
