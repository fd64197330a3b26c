"""What is made of products before they are written (`ProductEpilogue`): the same numbers as after."""

import ml_dtypes
import numpy as np
import pytest
from product_programs import PATTERNS, each_cpu, judged, open_dims, product
from tiers import every_other, tiered

import wax
import wax.numpy as wnp
from wax._compile import lower

RANDOM = np.random.default_rng(29)


def gelu(x):
    return 0.5 * x * (1 + wnp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def numpy_gelu(x):
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


#: Of a product, a bias of its last dim, a column of all others, and a tensor of its shape. None makes an error of the
#: product more than twice as large.
EPILOGUES = {
    "bias": (lambda p, b, c, r: p + b, lambda p, b, c, r: p + b),
    "bias, gelu": (lambda p, b, c, r: gelu(p + b), lambda p, b, c, r: numpy_gelu(p + b)),
    "bias, residual": (lambda p, b, c, r: r + (p + b), lambda p, b, c, r: r + (p + b)),
    "columns": (lambda p, b, c, r: wnp.maximum(p - c, 0), lambda p, b, c, r: np.maximum(p - c, 0)),
    "read twice": (lambda p, b, c, r: p * wnp.sin(p) / (1 + abs(p)), lambda p, b, c, r: p * np.sin(p) / (1 + abs(p))),
    "a mask of places": (
        lambda p, b, c, r: wnp.where(wnp.arange(p.shape[-1]) % 3 == 1, p * 0.5, -wnp.inf),
        lambda p, b, c, r: np.where(np.arange(p.shape[-1]) % 3 == 1, p * 0.5, -np.inf),
    ),
    "another type between": (
        lambda p, b, c, r: (p > b).astype("float32") * r,
        lambda p, b, c, r: np.asarray(p > b, np.float64) * r,
    ),
}
QUICK = {"rows and rows", "panels made before", "several panels", "values", "dims that go together"}


def operands(name, dtype, sizes=None):
    spelled, whole = PATTERNS[name]
    sizes = sizes or whole
    left, right, result = ([sizes[letter] for letter in letters] for letters in spelled.replace("->", ",").split(","))
    made = [
        RANDOM.standard_normal(shape).astype(dtype) for shape in (left, right, result[-1:], [*result[:-1], 1], result)
    ]
    return made[:2], made[2:]


def check(function, judge, name, x, y, others, found):
    wanted, bound = judged(name, x, y)
    eps = np.finfo("float32").eps
    wide = [other.astype(np.float64) for other in others]
    with np.errstate(invalid="ignore"):
        expected = judge(wanted, *wide)
        close = np.abs(found - expected) <= 2 * eps * bound + 8 * eps * (np.abs(wanted) + np.abs(expected) + 1)
        same = (found == expected) | (np.isnan(found) & np.isnan(expected))
    # A comparison may go the other way for a product that is rounded to what it is compared with.
    if "another type" in function:
        close |= np.abs(wanted - wide[0]) <= eps * bound
    assert np.all(close | same)


@pytest.mark.parametrize(("name", "epilogue"), every_other(tiered(PATTERNS, QUICK.__contains__), EPILOGUES))
@each_cpu
def test_known_sizes(name, epilogue, cpu):
    spelled, judge = EPILOGUES[epilogue]
    multiply, _ = product(name)
    (x, y), others = operands(name, "float32")
    f = wax.jit(lambda x, y, *others: spelled(multiply(x, y), *others), backend="iree", options=cpu)
    check(epilogue, judge, name, x, y, others, np.asarray(f(x, y, *others)))


@pytest.mark.parametrize(
    ("name", "epilogue"),
    every_other(
        tiered(PATTERNS, {"rows and rows", "values", "several blocks"}.__contains__),
        tiered(EPILOGUES, {"bias, gelu", "bias, residual"}.__contains__),
    ),
)
def test_open_sizes(name, epilogue):
    spelled, judge = EPILOGUES[epilogue]
    multiply, _ = product(name)
    dims = open_dims(name)
    letters = {letter: dim for argument in dims.values() for dim in argument.values() for letter in [dim.name]}
    result = PATTERNS[name][0].split("->")[1]
    dims = {
        **dims,
        "b": {0: letters[result[-1]]},
        "c": {place: letters[letter] for place, letter in enumerate(result[:-1])},
        "r": {place: letters[letter] for place, letter in enumerate(result)},
    }
    f = wax.jit(lambda x, y, b, c, r: spelled(multiply(x, y), b, c, r), backend="iree", dynamic_shapes=dims)
    for most in (None, 1, 7, 0):
        sizes = {one: size if most is None else min(most, size) for one, size in PATTERNS[name][1].items()}
        (x, y), others = operands(name, "float32", sizes)
        check(epilogue, judge, name, x, y, others, np.asarray(f(x, y, *others)))


@pytest.mark.parametrize(
    ("rows", "name"),
    every_other([False, True], tiered(PATTERNS, QUICK.__contains__)),
    ids=lambda one: {False: "rows open", True: "what is summed up open"}.get(one),
)
def test_some_sizes_are_open(name, rows):
    """With tiles of known shape that are not full; nothing is made of sums that may have no terms."""
    spelled, judge = EPILOGUES["bias, residual"]
    multiply, _ = product(name)
    (x, y), others = operands(name, "float32")
    letters = PATTERNS[name][0].split("->")
    shared = next(letter for letter in letters[0].split(",")[0] if letter not in letters[1])
    left, right = letters[0].split(",")
    if rows:
        dims = {"x": {left.index(shared): wax.Dim("n")}, "y": {right.index(shared): wax.Dim("n")}}
    else:
        row = next(letter for letter in letters[1] if letter in left and letter not in right)
        dims = {"x": {left.index(row): wax.Dim("n")}, "r": {letters[1].index(row): wax.Dim("n")}}
        if row == letters[1][-1]:
            dims["b"] = {0: wax.Dim("n")}
        else:
            dims["c"] = {letters[1].index(row): wax.Dim("n")}
    f = wax.jit(lambda x, y, b, c, r: spelled(multiply(x, y), b, c, r), backend="iree", dynamic_shapes=dims)
    check("bias, residual", judge, name, x, y, others, np.asarray(f(x, y, *others)))


@pytest.mark.parametrize("name", tiered(PATTERNS, QUICK.__contains__))
@each_cpu
def test_instructions_of_short_elements(name, cpu):
    spelled, judge = EPILOGUES["bias, residual"]
    (x, y), others = operands(name, "float32")
    x, y = x.astype(ml_dtypes.bfloat16), y.astype(ml_dtypes.bfloat16)
    multiply, _ = product(name)

    def wide(x, y, *others):
        return spelled(multiply(x.astype("float32"), y.astype("float32")), *others)

    check(
        "bias, residual",
        judge,
        name,
        x,
        y,
        others,
        np.asarray(wax.jit(wide, backend="iree", options=cpu)(x, y, *others)),
    )

    left, right = (RANDOM.integers(-128, 128, one.shape, np.int8) for one in (x, y))
    bias, _, more = (RANDOM.integers(-1000, 1000, one.shape, np.int32) for one in others)

    def whole(x, y, b, r):
        return wnp.maximum(multiply(x.astype("int32"), y.astype("int32")) + b, 0) - r

    exact = np.einsum(PATTERNS[name][0], left.astype(np.int64), right.astype(np.int64))
    found = np.asarray(wax.jit(whole, backend="iree", options=cpu)(left, right, bias, more))
    np.testing.assert_array_equal(found, np.maximum(exact + bias, 0) - more)


def whole(name, dtype="float32"):
    """Factors and a bias whose products sum up exactly in f32, and these sums."""
    (x, y), (bias, _, _) = operands(name, "float32")
    x, y, bias = (RANDOM.integers(-2, 3, one.shape).astype(np.float32) for one in (x, y, bias))
    return x.astype(dtype), y.astype(dtype), bias, np.einsum(PATTERNS[name][0], x, y).astype(np.float64)


@pytest.mark.parametrize(
    ("name", "to"),
    every_other(
        tiered(PATTERNS, QUICK.__contains__),
        tiered(["bfloat16", "float16", "float64", "int16"], {"bfloat16", "int16"}.__contains__),
    ),
)
@each_cpu
def test_results_of_another_type(name, to, cpu):
    multiply, _ = product(name)
    x, y, bias, exact = whole(name)
    f = wax.jit(lambda x, y, b: (multiply(x, y) + b).astype(to), backend="iree", options=cpu)
    np.testing.assert_array_equal(np.asarray(f(x, y, bias)), (exact + bias).astype(np.float32).astype(to))


@pytest.mark.parametrize("name", tiered(PATTERNS, QUICK.__contains__))
@each_cpu
def test_short_elements_whose_products_have_another_type(name, cpu):
    multiply, _ = product(name)
    x, y, bias, exact = whole(name, ml_dtypes.bfloat16)
    f = wax.jit(lambda x, y: multiply(x, y), backend="iree", options=cpu)
    np.testing.assert_array_equal(np.asarray(f(x, y)), exact.astype(np.float32).astype(ml_dtypes.bfloat16))

    def scaled(x, y, b):
        return multiply(x.astype("int32"), y.astype("int32")).astype("float32") * 0.5 + b

    found = np.asarray(wax.jit(scaled, backend="iree", options=cpu)(x.astype(np.int8), y.astype(np.int8), bias))
    np.testing.assert_array_equal(found, exact * 0.5 + bias)


@pytest.mark.parametrize("name", tiered(PATTERNS, {"rows and rows", "panels made before"}.__contains__))
def test_results_of_another_type_and_open_rows(name):
    multiply, _ = product(name)
    left, right, result = PATTERNS[name][0].replace("->", ",").split(",")
    row = left.index(next(letter for letter in result if letter in left and letter not in right))
    for dtype in ("float32", ml_dtypes.bfloat16):
        x, y, _, exact = whole(name, dtype)
        f = wax.jit(
            lambda x, y: multiply(x, y).astype("bfloat16"), backend="iree", dynamic_shapes={"x": {row: wax.Dim("n")}}
        )
        np.testing.assert_array_equal(np.asarray(f(x, y)), exact.astype(np.float32).astype(ml_dtypes.bfloat16))


@pytest.mark.parametrize(
    ("columns", "dtype", "summed"),
    every_other(
        [128, 130],
        [("float32", 120), ("float32", 256), ("bfloat16", 256), ("bfloat16", 1024), ("int8", 2048)],
    ),
)
@each_cpu
def test_the_longest_panels_and_sums_of_another_type(dtype, summed, columns, cpu):
    """Both are on the stack, of which there is little."""
    x, y = (RANDOM.integers(-2, 3, shape).astype(dtype) for shape in ((70, summed), (summed, columns)))
    wide = "int32" if dtype == "int8" else "float32"
    f = wax.jit(lambda x, y: (x.astype(wide) @ y.astype(wide)).astype("float64") * 2, backend="iree", options=cpu)
    np.testing.assert_array_equal(np.asarray(f(x, y)), 2 * (x.astype(np.float64) @ y.astype(np.float64)))


@each_cpu
def test_special_values_reach_a_result_of_another_type(cpu):
    x, y = (RANDOM.standard_normal(shape).astype("float32") for shape in ((70, 60), (60, 90)))
    x[3, 5], y[7, 80], x[9] = np.nan, np.inf, 3e38
    f = wax.jit(lambda x, y: (x @ y).astype("bfloat16"), backend="iree", options=cpu)
    found = np.asarray(f(x, y)).astype(np.float32)
    with np.errstate(invalid="ignore", over="ignore"):
        wanted = (x.astype(np.float64) @ y).astype(np.float32)
    whole = np.arange(70) != 9  # whose sums overflow on their way, or not
    np.testing.assert_array_equal(np.isnan(found)[whole], np.isnan(wanted)[whole])
    np.testing.assert_array_equal(
        (np.isinf(found) * np.sign(found))[whole], (np.isinf(wanted) * np.sign(wanted))[whole]
    )


@each_cpu
def test_special_values_reach_the_result(cpu):
    x, y = (RANDOM.standard_normal(shape).astype("float32") for shape in ((70, 300), (300, 90)))
    bias, more = np.zeros(90, np.float32), np.zeros((70, 90), np.float32)
    x[3, 5], y[7, 80] = np.nan, np.inf
    bias[[0, 89]], more[69, 88], more[10] = (np.inf, -0.0), np.nan, -np.inf
    f = wax.jit(lambda x, y, b, r: wnp.maximum(x @ y + b, 0) + r, backend="iree", options=cpu)
    with np.errstate(invalid="ignore"):
        wanted = np.maximum(x.astype(np.float64) @ y + bias, 0) + more
    found = np.asarray(f(x, y, bias, more))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    np.testing.assert_array_equal(np.isinf(found) * found, np.isinf(wanted) * wanted)


def dispatches(function, shapes, dtype=np.float32, processor="avx512", **options):
    lowered = wax.jit(function, **options).lower(*(np.zeros(shape, dtype) for shape in shapes))
    text = lower(lowered._function, f"iree processor={processor}").text()
    assert "linalg.generic" not in text
    return text.count('"flow.dispatch"(')


def test_it_is_done_in_the_product_s_dispatch():
    shapes = (2, 60, 96), (96, 128), (128,), (2, 60, 128)
    assert dispatches(lambda x, w, b, r: r + gelu(x @ w + b), shapes) == 1


def test_dims_that_are_split_after_the_bias():
    shapes = (2, 60, 96), (128, 96), (128,), (2, 60, 128)
    batch, length = wax.Dim("batch"), wax.Dim("length")
    open_sizes = {"x": {0: batch, 1: length}, "r": {0: batch, 1: length}}
    assert dispatches(lambda x, w, b, r: r + gelu(wax.nn.linear(x, w, b)), shapes, dynamic_shapes=open_sizes) == 1


def test_results_of_another_type_are_made_of_sums_in_registers():
    shapes = (60, 96), (96, 128), (128,)
    assert dispatches(lambda x, w, b: (x @ w + b).astype("bfloat16"), shapes) == 1
    # One packs what it multiplies by.
    assert dispatches(lambda x, w: x @ w, shapes[:2], ml_dtypes.bfloat16, "amx") == 2
    # Where sums go to memory between panels, what has their type is made there.
    shapes = (60, 1000), (1000, 128), (128,)
    assert dispatches(lambda x, w, b: (x @ w + b).astype("bfloat16"), shapes) == 2
    assert dispatches(lambda x, w, b: x @ w + b, shapes) == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w, b, r: (x @ w, x @ w + b),
        lambda x, w, b, r: wnp.sum(x @ w + b, axis=1) + wnp.sum(wnp.exp(x @ w), axis=1),
        lambda x, w, b, r: (x @ w)[:, :50] + b[:50],
        lambda x, w, b, r: (x @ w + b, (x @ w + b).astype("float64")),
        lambda x, w, b, r: wnp.stack([x @ w, r]) + b,
    ],
    ids=["it is read elsewhere", "it is folded twice", "a part is read", "two types are made of it", "it is spread"],
)
def test_what_is_not_one(function):
    """Nearly alike: the numbers are what they are by the reference."""
    x, w, b, r = (RANDOM.standard_normal(s).astype("float32") for s in ((60, 96), (96, 128), (128,), (60, 128)))
    found = wax.jit(function, backend="iree")(x, w, b, r)
    wanted = wax.jit(function, backend="reference")(x, w, b, r)
    for one, other in zip(
        found if isinstance(found, tuple) else [found], wanted if isinstance(wanted, tuple) else [wanted], strict=True
    ):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-4, atol=1e-4)


def test_many_counters_of_counters_are_not_computed_for_each_that_reads_them():
    def function(a, b):
        scores = a @ b
        x = wnp.arange(scores.shape[0])
        y = x * 3
        for _ in range(30):
            x, y = y, (x + y) ^ (x >> 1)
        return wnp.where(y[:, None] > wnp.arange(scores.shape[1])[None, :], scores, -1.0)

    a, b = np.ones((100, 64), "f4"), np.ones((64, 90), "f4")
    compiled = wax.jit(function, backend="iree")(a, b)
    np.testing.assert_array_equal(compiled, wax.jit(function, backend="reference")(a, b))
