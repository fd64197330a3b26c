"""The functions that wax-expand-math makes: within their bounds, and right at every special value."""

import math

import accuracy
import numpy as np
import pytest
from accuracy import ELEMENTS, FUNCTIONS, NARROW, NARROW_BOUND, compiled, compiled_upstream, measure, measure_numbers
from iree_run import load
from scalar_judges import DTYPES, EXACT_FLOAT, INEXACT_FLOAT

from wax import _native

BY_NAME = {function.name: function for function in FUNCTIONS}


def functions(argument: str = "function"):
    return pytest.mark.parametrize(argument, FUNCTIONS, ids=lambda function: function.name)


@functions()
@pytest.mark.parametrize("element", ELEMENTS)
def test_errors_stay_within_the_bound(function, element):
    worst, place = measure(function, element, 100)
    assert worst <= function.bound, place


@pytest.mark.full
@functions()
@pytest.mark.parametrize("element", ELEMENTS)
def test_errors_of_many_stay_within_the_bound(function, element):
    worst, place = measure(function, element, 3000)
    assert worst <= function.bound, place


@functions()
@pytest.mark.parametrize("element", NARROW)
def test_every_number_of_16_bits_is_rounded_once(function, element):
    worst, place = measure_numbers(function, element)
    assert worst <= min(function.bound, NARROW_BOUND), place


@functions()
@pytest.mark.parametrize("element", ELEMENTS)
def test_subnormal_operands_and_results_count_where_nothing_flushes_them(function, element):
    operands = accuracy.arguments(function, element, 60, flushed=False)
    got = compiled_upstream(element)(function, *operands)
    worst, place = accuracy.worst(function, element, got, operands, flushed=False)
    assert worst <= function.bound, place


def kind(value: float) -> str:
    """NaN, or the sign with what it is the sign of."""
    if math.isnan(value):
        return "nan"
    return ("-" if math.copysign(1, value) < 0 else "+") + (
        "0" if value == 0 else "inf" if math.isinf(value) else "number"
    )


#: float64's functions, for the zeros and the signs of zeros, which mpmath has not.
JUDGES = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "powf": np.power,
    "cbrt": np.cbrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "erf": np.vectorize(math.erf),
    "erfc": np.vectorize(math.erfc),
    "remf": np.fmod,
}


@functions()
@pytest.mark.parametrize("element", ELEMENTS)
def test_special_values_are_as_c_has_them(function, element):
    """Zeros with their signs, infinities and NaN, of Annex F."""
    pairs = accuracy.special_pairs(element)
    operands = pairs if function.operands == 2 else (accuracy.special(element),)
    got = compiled(element)(function, *operands)
    with np.errstate(all="ignore"):
        want = JUDGES[function.name](*(x.astype(np.float64) for x in operands)).astype(DTYPES[element])
        want[np.abs(want) < np.finfo(want.dtype).tiny] *= 0  # IREE flushes
    table = zip(*(x.tolist() for x in operands), map(kind, got.tolist()), map(kind, want.tolist()), strict=True)
    assert [row for row in table if row[-1] != row[-2]] == []


@pytest.mark.parametrize("element", ELEMENTS)
def test_powers_of_two_are_exact(element):
    info = np.finfo(DTYPES[element])
    whole = np.arange(info.minexp, info.maxexp).astype(DTYPES[element])
    powers = np.ldexp(DTYPES[element].type(1), whole.astype(int))
    np.testing.assert_array_equal(compiled(element)(BY_NAME["exp2"], whole), powers)
    np.testing.assert_array_equal(compiled(element)(BY_NAME["log2"], powers), whole)
    np.testing.assert_array_equal(compiled(element)(BY_NAME["powf"], np.full_like(whole, 2), whole), powers)


@pytest.mark.parametrize("element", ELEMENTS)
def test_small_powers_of_integers_are_exact(element):
    base, exponent = np.meshgrid(np.arange(-12, 13), np.arange(0, 7))
    base, exponent = (x.ravel().astype(DTYPES[element]) for x in (base, exponent))
    np.testing.assert_array_equal(compiled(element)(BY_NAME["powf"], base, exponent), base**exponent)
    tens = np.arange(0, 11).astype(DTYPES[element])
    np.testing.assert_array_equal(compiled(element)(BY_NAME["log10"], 10**tens), tens)
    roots = np.arange(-200, 201).astype(DTYPES[element])
    np.testing.assert_array_equal(compiled(element)(BY_NAME["cbrt"], roots**3), roots)


@pytest.mark.parametrize("element", ELEMENTS)
def test_remainders_of_numbers_far_apart_are_exact(element):
    """The greatest shift there is, and quotients that are whole, or nearly."""
    info = np.finfo(DTYPES[element])
    rng = np.random.default_rng(3)
    y = rng.uniform(1, 2, 500).astype(DTYPES[element])
    x = [info.max / y, y * rng.integers(1, 2000, 500), y * (1 + info.eps), np.nextafter(y * 3, np.inf, dtype=y.dtype)]
    x = np.concatenate(x).astype(y.dtype)
    y = np.concatenate([y * info.tiny, y, y, y]).astype(y.dtype)
    want = [math.fmod(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    want = np.array(want).astype(x.dtype)
    want[np.abs(want) < info.tiny] = 0
    np.testing.assert_array_equal(compiled(element)(BY_NAME["remf"], x, y), want)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize(("name", "top"), [("sin", np.pi / 2), ("sin", 3.5 * np.pi), ("cos", 0), ("cos", np.pi)])
def test_no_sine_is_beyond_one(name, top, element):
    near = 10.0 ** np.linspace(-9, -1, 100_000)
    x = np.concatenate([top - near, top + near]).astype(DTYPES[element])
    got = compiled(element)(BY_NAME[name], x)
    assert np.abs(got).max() == 1


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_sincos_is_sin_and_cos(name):
    text = f"""
    func.func @main(%x: tensor<?xf64>) -> tensor<?xf64> {{
      %0 = wax.map (%a = %x) : (tensor<?xf64>) -> tensor<?xf64> {{
        %sin, %cos = math.sincos %a : f64
        wax.yield %{name} : f64
      }}
      return %0 : tensor<?xf64>
    }}"""
    module = _native.parse_module(text)
    module.run("wax-to-linalg{target=iree}")
    (x,) = accuracy.arguments(BY_NAME[name], "f64", 100)
    got = load(module.text())["main"](x).to_host()
    np.testing.assert_array_equal(got, compiled("f64")(BY_NAME[name], x))


def test_every_inexact_function_of_real_numbers_is_measured():
    measured = {function.op for function in FUNCTIONS}
    assert set(INEXACT_FLOAT) <= measured
    assert measured - set(INEXACT_FLOAT) <= set(EXACT_FLOAT)
