"""Every scalar operation of arith, math and complex, and special functions, on every element type, against Python."""

import itertools
import math

import mpmath
import numpy as np
import pytest
import scalar_judges as judge

from wax_runtime.errors import BackendError
from wax_runtime.reference.kernels import SCALARS, function_of
from wax_runtime.snapshot import Apply, Argument, Literal

mpmath.mp.prec = 200

# What the three dialects have in MLIR 22, but for constants (which are literals), and for scaling_extf and
# scaling_truncf, which are about element types that wax does not have.
ARITH = """addi addui_extended subi muli mulsi_extended mului_extended divui divsi ceildivui ceildivsi floordivsi
    remui remsi andi ori xori shli shrui shrsi negf addf subf maximumf maxnumf maxsi maxui minimumf minnumf minsi
    minui mulf divf remf extui extsi extf trunci truncf uitofp sitofp fptoui fptosi index_cast index_castui bitcast
    cmpi cmpf select"""
MATH = """absf absi acosh asin asinh atan atanh atan2 cbrt ceil clampf copysign cos acos cosh sin sinh sincos ctlz cttz
    ctpop erf erfc exp exp2 expm1 floor fma ipowi isfinite isinf isnan isnormal log log10 log1p log2 powf rsqrt sqrt
    tan tanh roundeven round trunc fpowi"""
COMPLEX = """abs add angle atan2 bitcast conj cos create div eq exp expm1 im log log1p mul neg neq pow powi re rsqrt
    sign sin sqrt sub tan tanh"""
SPECIAL = "lgamma polygamma erf_inv erfc_inv igamma igammac i0e i1e"


def apply(op, operands, to, **attributes):
    """One scalar operation on arrays of the given element types."""
    arguments = tuple(Argument(i, element) for i, element in enumerate(operands))
    function = function_of(Apply(op, arguments, to, attributes), len(operands))

    def run(*arrays):
        with np.errstate(all="ignore"):
            made = np.asarray(function(*arrays))
        assert made.dtype == judge.DTYPES[to], f"{op} made {made.dtype}"
        return made

    return run


def test_every_operation_of_the_three_dialects_and_every_special_function_has_a_rule():
    names = {f"arith.{x}" for x in ARITH.split()} | {f"math.{x}" for x in MATH.split()}
    names |= {f"wax.{x}" for x in SPECIAL.split()}
    assert names | {f"complex.{x}" for x in COMPLEX.split()} == set(SCALARS)


def test_an_unknown_operation_is_refused_by_name():
    with pytest.raises(BackendError, match=r"arith\.frobnicate"):
        function_of(Apply("arith.frobnicate", (Argument(0, "f32"),), "f32"), 1)


# Integers.


def pairs(element, count, rng):
    drawn = judge.values(element, rng)
    if count == 1:
        return (drawn,)
    if element in ("i1", "i8"):
        drawn = np.arange(2, dtype=bool) if element == "i1" else np.arange(-128, 128).astype(np.int8)
    return tuple(x.ravel() for x in np.meshgrid(drawn, drawn))


def expected_ints(function, arrays, element):
    bits = judge.width(element)
    made = [function(*map(int, row), bits=bits) for row in zip(*arrays, strict=True)]
    return np.array([value & 1 if element == "i1" else value for value in made]).astype(judge.DTYPES[element])


@pytest.mark.parametrize("element", judge.INTS)
@pytest.mark.parametrize("op", judge.INT)
def test_integer_operations_are_exact_and_total(op, element, rng):
    unary = op in ("math.absi", "math.ctlz", "math.cttz", "math.ctpop")
    arrays = pairs(element, 1 if unary else 2, rng)
    made = apply(op, (element,) * len(arrays), element)(*arrays)
    np.testing.assert_array_equal(made, expected_ints(judge.INT[op], arrays, element))


@pytest.mark.parametrize("element", judge.INTS)
@pytest.mark.parametrize("op", judge.INT_EXTENDED)
def test_extended_operations_give_both_halves(op, element, rng):
    arrays = pairs(element, 2, rng)
    for result, function in enumerate(judge.INT_EXTENDED[op]):
        to = "i1" if result and op == "arith.addui_extended" else element
        made = apply(op, (element, element), to, result=result)(*arrays)
        bits = judge.width(element)
        rows = [function(*map(int, row), bits=bits) for row in zip(*arrays, strict=True)]
        expected = np.array([value & 1 if to == "i1" else value for value in rows]).astype(judge.DTYPES[to])
        np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("element", judge.INTS)
@pytest.mark.parametrize(("number", "predicate"), list(enumerate(judge.PREDICATES_I)))
def test_integers_compare_as_the_predicate_reads_them(number, predicate, element, rng):
    a, b = pairs(element, 2, rng)
    bits = judge.width(element)
    expected = [judge.PREDICATES_I[predicate](int(x), int(y), bits) for x, y in zip(a, b, strict=True)]
    for spelled in (predicate, number):
        made = apply("arith.cmpi", (element, element), "i1", predicate=spelled)(a, b)
        np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize(("of", "to"), list(itertools.permutations(judge.INTS, 2)))
def test_integers_change_width(of, to, rng):
    x = judge.values(of, rng)
    bits, wide = judge.width(of), judge.width(to)
    ways = {"arith.extsi": judge.as_signed, "arith.extui": judge.as_unsigned} if wide > bits else {}
    for op, read in (ways or {"arith.trunci": judge.as_signed}).items():
        expected = [judge.as_signed(read(int(v), bits), wide) for v in x]
        expected = np.array([v & 1 if to == "i1" else v for v in expected]).astype(judge.DTYPES[to])
        np.testing.assert_array_equal(apply(op, (of,), to)(x), expected)


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
def test_index_has_64_bits(element, rng):
    x = judge.values(element, rng)
    run = function_of(Apply("arith.index_castui", (Argument(0, element),), "index"), 1)
    assert [int(v) for v in run(x)] == [judge.as_signed(judge.as_unsigned(int(v), judge.width(element)), 64) for v in x]
    back = function_of(Apply("arith.index_cast", (Argument(0, "index"),), element), 1)
    np.testing.assert_array_equal(back(x.astype(np.int64)), x)


# Floats.


def same_float(made, expected):
    """Equal, NaN to NaN and −0 to −0."""
    made, expected = np.asarray(made).astype(np.float64), np.asarray(expected).astype(np.float64)
    np.testing.assert_array_equal(made, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(made)[numbers], np.signbit(expected)[numbers])


def operands(element, count, rng):
    drawn = judge.values(element, rng)
    if count < 3:
        return tuple(x.ravel() for x in np.meshgrid(*[drawn] * count))
    special = drawn[: 4 * len(drawn) // 5 : 4]
    columns = [x.ravel() for x in np.meshgrid(*[special] * count)]
    return tuple(np.concatenate([column, rng.permutation(drawn)]) for column in columns)


TERNARY = ("math.fma", "math.clampf")
BINARY = [
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.divf",
    "arith.remf",
    "arith.maximumf",
    "arith.minimumf",
    "arith.maxnumf",
    "arith.minnumf",
    "math.copysign",
    "math.powf",
    "math.atan2",
]


def arity(op):
    return 3 if op in TERNARY else 2 if op in BINARY else 1


@pytest.mark.parametrize("element", judge.FLOATS)
@pytest.mark.parametrize("op", judge.EXACT_FLOAT)
def test_float_operations_with_one_right_answer_give_it(op, element, rng):
    arrays = operands(element, arity(op), rng)
    to = "i1" if op.startswith("math.is") else element
    made = apply(op, (element,) * len(arrays), to)(*arrays)
    rows = zip(*(x.astype(np.float64) for x in arrays), strict=True)
    expected = [judge.EXACT_FLOAT[op](*map(float, row), element=element) for row in rows]
    if op in ("arith.maxnumf", "arith.minnumf"):  # of two zeros, any
        np.testing.assert_array_equal(made.astype(np.float64), expected)
    else:
        same_float(made, expected)


@pytest.mark.parametrize("element", judge.FLOATS)
@pytest.mark.parametrize(("number", "predicate"), list(enumerate(judge.PREDICATES_F)))
def test_floats_compare_as_the_predicate_orders_them(number, predicate, element, rng):
    a, b = operands(element, 2, rng)
    expected = [judge.PREDICATES_F[predicate](float(x), float(y)) for x, y in zip(a, b, strict=True)]
    for spelled in (predicate, number):
        made = apply("arith.cmpf", (element, element), "i1", predicate=spelled)(a, b)
        np.testing.assert_array_equal(made, expected)


# Units in the last place. float16 and bfloat16 are computed in float32 and rounded.
ULP = {"f16": 1.01, "bf16": 1.01, "f32": 4.0, "f64": 4.0}


@pytest.mark.parametrize("element", judge.FLOATS)
@pytest.mark.parametrize("op", judge.INEXACT_FLOAT)
def test_functions_are_within_a_few_units_in_the_last_place(op, element, rng):
    arrays = operands(element, arity(op), rng)
    made = apply(op, (element,) * len(arrays), element)(*arrays)
    for row, value in zip(zip(*arrays, strict=True), made, strict=True):
        exact = judge.INEXACT_FLOAT[op](*map(float, row))
        rounded, value = judge.round_mp(exact, element), float(value)
        if not math.isfinite(rounded) or rounded == 0:
            limit = float(judge._GREATEST[element])
            near = math.isinf(rounded) and abs(value) == limit and math.copysign(1, value) == math.copysign(1, rounded)
            tiny = rounded == 0 and abs(value) <= judge.spacing(0.0, element)
            assert near or tiny or value == rounded or (math.isnan(value) and math.isnan(rounded)), (row, value, exact)
            continue
        error = abs(mpmath.mpf(value) - exact) / judge.spacing(rounded, element)
        assert error <= ULP[element], f"{op}{row} = {value}, should be {rounded}: {float(error)} ULP"


@pytest.mark.parametrize("element", judge.FLOATS)
@pytest.mark.parametrize("op", ["arith.maximumf", "arith.minimumf", "math.powf"])
@pytest.mark.parametrize("value", [0.0, -0.0, 1.0, 0.5, math.nan, -math.inf])
def test_an_operand_that_is_constant_changes_nothing(op, value, element, rng):
    x = judge.values(element, rng)
    constant = Apply(op, (Argument(0, element), Literal(value, element)), element)
    with np.errstate(all="ignore"):
        made = function_of(constant, 1)(x)
    expected = apply(op, (element, element), element)(x, np.full_like(x, value))
    if op == "math.powf":  # a square root is nearer to the truth than a power
        np.testing.assert_allclose(made.astype(np.float64), expected.astype(np.float64), rtol=1e-6)
        made = np.where(made == expected, made, expected)
    same_float(made, expected)


def test_erf_of_float32_is_correctly_rounded_almost_everywhere():
    from wax_runtime.reference.error_function import erf

    x = np.concatenate([np.linspace(-4.5, 4.5, 200001), 10.0 ** np.linspace(-44, 0, 20001)]).astype(np.float32)
    made, exact = apply("math.erf", ("f32",), "f32")(x), erf(x.astype(np.float64))
    error = np.abs(made - exact) / np.spacing(np.abs(exact.astype(np.float32)))
    assert error.max() <= 0.52


@pytest.mark.parametrize("element", judge.FLOATS)
def test_sincos_gives_both(element, rng):
    x = judge.values(element, rng)
    for result, single in enumerate(("math.sin", "math.cos")):
        made = apply("math.sincos", (element,), element, result=result)(x)
        same_float(made, apply(single, (element,), element)(x))


@pytest.mark.parametrize("element", judge.FLOATS)
def test_a_float_to_an_integer_power(element, rng):
    base, exponent = (
        x.ravel() for x in np.meshgrid(judge.values(element, rng), np.array([-3, -2, -1, 0, 1, 2, 5], "i4"))
    )
    made = apply("math.fpowi", (element, "i32"), element)(base, exponent)
    for x, n, value in zip(base.astype(np.float64), exponent, made.astype(np.float64), strict=True):
        with np.errstate(all="ignore"):
            special = not math.isfinite(x) or x == 0
            expected = np.float64(x) ** int(n) if special else judge.round_mp(mpmath.mpf(x) ** int(n), element)
        if not math.isfinite(expected) or expected == 0:
            same_float([value], [expected])
        else:
            assert abs(value - expected) <= 2 * judge.spacing(expected, element)


# Conversions.


@pytest.mark.parametrize("element", judge.FLOATS)
@pytest.mark.parametrize("to", judge.INTS)
@pytest.mark.parametrize("signed", [True, False])
def test_floats_become_the_nearest_representable_integer(element, to, signed, rng):
    x = judge.values(element, rng)
    made = apply("arith.fptosi" if signed else "arith.fptoui", (element,), to)(x)
    expected = [judge.float_to_int(float(v), judge.width(to), signed=signed) for v in x]
    expected = np.array([v & 1 if to == "i1" else v for v in expected]).astype(judge.DTYPES[to])
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("element", judge.FLOATS)
@pytest.mark.parametrize("of", judge.INTS)
@pytest.mark.parametrize("signed", [True, False])
def test_integers_become_the_nearest_float(element, of, signed, rng):
    x = judge.values(of, rng)
    if of in ("i32", "i64"):  # halfway cases of every type, and their neighbours
        halves = [(1 << k) + (1 << j) + d for k in range(9, judge.width(of) - 1) for j in range(k) for d in (-1, 0, 1)]
        x = np.concatenate([x, np.array(halves).astype(x.dtype), -np.array(halves).astype(x.dtype)])
    bits = judge.width(of)
    read = judge.as_signed if signed else judge.as_unsigned
    made = apply("arith.sitofp" if signed else "arith.uitofp", (of,), element)(x)
    same_float(made, [judge.round_exact(judge.Fraction(read(int(v), bits)), element) for v in x])


WIDTHS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}


@pytest.mark.parametrize(
    ("of", "to"), [p for p in itertools.permutations(judge.FLOATS, 2) if WIDTHS[p[0]] != WIDTHS[p[1]]]
)
def test_floats_change_width_with_one_rounding(of, to, rng):
    x = judge.values(of, rng)
    if of == "f64":  # just beside halfway cases, which two roundings get wrong
        unit = 2.0 ** (1 - judge._FORMATS[to][0])
        whole = 1 + unit * np.arange(1, 40)
        x = np.concatenate([x, whole + unit / 2, np.nextafter(whole + unit / 2, 0), np.nextafter(whole + unit / 2, 9)])
    op = "arith.extf" if WIDTHS[to] > WIDTHS[of] else "arith.truncf"
    made = apply(op, (of,), to)(x)
    same_float(
        made,
        [
            judge.round_exact(judge.Fraction(float(v)), to) if math.isfinite(v) and v != 0 else float(v)
            for v in x.astype(np.float64)
        ],
    )


@pytest.mark.parametrize("to", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("mode", ["to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"])
def test_truncation_follows_its_rounding_mode(to, mode, rng):
    unit = 2.0 ** (1 - judge._FORMATS[to][0])
    x = np.concatenate([1 + unit * np.arange(0, 4, 0.25), rng.standard_normal(50)])
    x = np.concatenate([x, -x])
    made = apply("arith.truncf", ("f64",), to, roundingmode=mode)(x).astype(np.float64)
    below = np.array([_neighbour(v, to, -1) for v in x])
    above = np.array([_neighbour(v, to, 1) for v in x])
    nearer = np.where(x - below < above - x, below, above)
    tie = x - below == above - x
    away = np.where(np.abs(below) > np.abs(above), below, above)
    want = {
        "downward": below,
        "upward": above,
        "toward_zero": np.where(np.abs(below) < np.abs(above), below, above),
        "to_nearest_away": np.where(tie, away, nearer),
        "to_nearest_even": [judge.round_exact(judge.Fraction(v), to) for v in x],
    }
    np.testing.assert_array_equal(made, want[mode])


def _neighbour(value, element, direction):
    """The nearest value of a float type at or beyond a number."""
    unit = judge.Fraction(judge.spacing(value, element))
    steps = judge.Fraction(value) / unit
    return float((math.floor(steps) if direction < 0 else math.ceil(steps)) * unit)


@pytest.mark.parametrize(
    ("of", "to"), [("i32", "f32"), ("f32", "i32"), ("f64", "i64"), ("bf16", "f16"), ("f16", "i16")]
)
def test_a_bitcast_keeps_the_bits(of, to, rng):
    x = judge.values(of, rng)
    assert apply("arith.bitcast", (of,), to)(x).tobytes() == x.tobytes()


@pytest.mark.parametrize("element", ["i1", "i32", "bf16", "f64", "complex<f32>"])
def test_select_takes_one_or_the_other(element, rng):
    x = judge.values(element, rng)
    condition = rng.random(x.size) < 0.5
    made = apply("arith.select", ("i1", element, element), element)(condition, x, x[::-1])
    expected = [a if c else b for c, a, b in zip(condition, x, x[::-1], strict=True)]
    np.testing.assert_array_equal(made, np.array(expected, x.dtype))


# Complex numbers.

PART = {"complex<f32>": "f32", "complex<f64>": "f64"}


@pytest.mark.parametrize("element", judge.COMPLEXES)
def test_complex_numbers_are_made_of_parts_as_they_are(element, rng):
    part = judge.DTYPES[PART[element]]
    real = np.array([np.nan, np.inf, -0.0, 0.0, 1.5], part)
    imaginary = np.array([1.0, -0.0, np.inf, -np.inf, np.nan], part)
    z = apply("complex.create", (PART[element],) * 2, element)(real, imaginary)
    same_float(apply("complex.re", (element,), PART[element])(z), real)
    same_float(apply("complex.im", (element,), PART[element])(z), imaginary)
    same_float(
        apply("complex.im", (element,), PART[element])(apply("complex.conj", (element,), element)(z)), -imaginary
    )


COMPLEX_UNARY = {
    "complex.exp": mpmath.exp,
    "complex.expm1": mpmath.expm1,
    "complex.log": mpmath.log,
    "complex.log1p": mpmath.log1p,
    "complex.sqrt": mpmath.sqrt,
    "complex.rsqrt": lambda z: 1 / mpmath.sqrt(z),
    "complex.sin": mpmath.sin,
    "complex.cos": mpmath.cos,
    "complex.tan": mpmath.tan,
    "complex.tanh": mpmath.tanh,
    "complex.neg": lambda z: -z,
    "complex.sign": mpmath.sign,
}
COMPLEX_BINARY = {
    "complex.add": lambda a, b: a + b,
    "complex.sub": lambda a, b: a - b,
    "complex.mul": lambda a, b: a * b,
    "complex.div": lambda a, b: a / b,
    "complex.pow": lambda a, b: a**b,
    "complex.atan2": lambda y, x: -1j * mpmath.log((x + 1j * y) / mpmath.sqrt(x * x + y * y)),
}


def drawn_complex(element, rng, count=60):
    z = rng.standard_normal(count) + 1j * rng.standard_normal(count)
    return z.astype(judge.DTYPES[element])


def near_complex(made, expected, element):
    tolerance = 1e-5 if element == "complex<f32>" else 1e-13
    np.testing.assert_allclose(made, np.array([complex(v) for v in expected]), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("element", judge.COMPLEXES)
@pytest.mark.parametrize("op", COMPLEX_UNARY)
def test_complex_functions_of_one_operand(op, element, rng):
    z = drawn_complex(element, rng)
    near_complex(apply(op, (element,), element)(z), [COMPLEX_UNARY[op](mpmath.mpc(complex(v))) for v in z], element)


@pytest.mark.parametrize("element", judge.COMPLEXES)
@pytest.mark.parametrize("op", COMPLEX_BINARY)
def test_complex_functions_of_two_operands(op, element, rng):
    a, b = drawn_complex(element, rng), drawn_complex(element, rng)
    made = apply(op, (element, element), element)(a, b)
    expected = [COMPLEX_BINARY[op](mpmath.mpc(complex(x)), mpmath.mpc(complex(y))) for x, y in zip(a, b, strict=True)]
    near_complex(made, expected, element)


@pytest.mark.parametrize("element", judge.COMPLEXES)
def test_complex_powers_with_integers(element, rng):
    z = drawn_complex(element, rng, 70)
    n = np.tile(np.array([-3, -1, 0, 1, 2, 3, 7], np.int32), 10)
    made = apply("complex.powi", (element, "i32"), element)(z, n)
    exact = [mpmath.mpc(complex(v)) ** int(k) for v, k in zip(z, n, strict=True)]
    np.testing.assert_allclose(
        made, np.array([complex(v) for v in exact]), rtol=1e-4 if element == "complex<f32>" else 1e-12
    )


@pytest.mark.parametrize("element", judge.COMPLEXES)
def test_size_and_angle_of_complex_numbers(element, rng):
    z, part = drawn_complex(element, rng), PART[element]
    for op, exact in (("complex.abs", abs), ("complex.angle", mpmath.arg)):
        made = apply(op, (element,), part)(z)
        expected = np.array([float(exact(mpmath.mpc(complex(v)))) for v in z])
        np.testing.assert_allclose(made, expected, rtol=4 * float(np.finfo(made.dtype).eps))


@pytest.mark.parametrize("element", judge.COMPLEXES)
def test_the_sign_of_complex_zero_is_zero(element):
    made = apply("complex.sign", (element,), element)(np.zeros(3, judge.DTYPES[element]))
    np.testing.assert_array_equal(made, 0)


@pytest.mark.parametrize("element", judge.COMPLEXES)
def test_complex_numbers_are_equal_when_both_parts_are(element, rng):
    z = judge.values(element, rng)
    other = z.copy()
    other[::2] += 1
    for op, expected in (("complex.eq", [a == b for a, b in zip(z, other, strict=True)]),):
        np.testing.assert_array_equal(apply(op, (element, element), "i1")(z, other), expected)
    unequal = apply("complex.neq", (element, element), "i1")(z, other)
    np.testing.assert_array_equal(unequal, [a != b for a, b in zip(z, other, strict=True)])


def test_a_complex_bitcast_keeps_the_bits(rng):
    z = judge.values("complex<f32>", rng)
    for to in ("i64", "f64"):
        bits = apply("complex.bitcast", ("complex<f32>",), to)(z)
        assert bits.tobytes() == z.tobytes()
        assert apply("complex.bitcast", (to,), "complex<f32>")(bits).tobytes() == z.tobytes()


# Rank 0.


@pytest.mark.parametrize("op", sorted({*judge.INT, *judge.EXACT_FLOAT, *judge.INEXACT_FLOAT}))
def test_scalars_of_rank_0_are_computed_like_elements(op, rng):
    elements = judge.INTS if op in judge.INT else judge.FLOATS
    unary = op in ("math.absi", "math.ctlz", "math.cttz", "math.ctpop")
    for element in elements:
        count = (1 if unary else 2) if op in judge.INT else arity(op)
        to = "i1" if op.startswith("math.is") else element
        run = apply(op, (element,) * count, to)
        arrays = [rng.permutation(judge.values(element, rng)) for _ in range(count)]
        together = run(*arrays)
        for index in range(0, arrays[0].size, 5):
            for single in ([x[index] for x in arrays], [np.array(x[index]) for x in arrays]):
                made = run(*single)
                assert made.shape == ()
                np.testing.assert_allclose(
                    made.astype(np.float64), together[index].astype(np.float64), rtol=4e-3 if to == "bf16" else 1e-3
                )
