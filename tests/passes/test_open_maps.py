"""Maps of open sizes by vectors (`wax-vectorize-maps`): the same numbers as of known ones."""

import ml_dtypes
import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax._compile import lower

RANDOM = np.random.default_rng(13)
SIZES = [(0, 5), (1, 1), (3, 7), (2, 16), (5, 33), (1, 4097), (300, 129), (7, 0)]

#: Functions of two matrices, the second of which may be a row, a column or a number.
FUNCTIONS = {
    "sum": lambda x, y: x + y,
    "chain": lambda x, y: wnp.exp(x - y) * wnp.tanh(x) + 1,
    "choice": lambda x, y: wnp.where(x > y, x, -y),
    "indices": lambda x, y: x + y * wnp.arange(x.shape[1], dtype=x.dtype),
    "read twice": lambda x, y: (wnp.sin(x + y), wnp.cos(x + y)),
    "sums of angles": lambda x, y: (wnp.sum(wnp.sin(x + y), axis=1), wnp.cos(x).T + 1),
    "gelu": lambda x, y: wax.nn.gelu(x) + y,
    "softmax": lambda x, y: wax.nn.softmax(x + y, axis=-1),
    "comparison": lambda x, y: wnp.exp(x) > y,
    "masks in memory": lambda x, y: (lambda m: (wnp.where(m, x, -wnp.inf), wnp.where(m, x * y, x)))(y > 0),
    "pieces": lambda x, y: wnp.concat([x * 2, x + y], axis=0),
}
SHAPES = {
    "matrix": lambda n, m: (n, m),
    "row": lambda n, m: (m,),
    "column": lambda n, m: (n, 1),
    "number": lambda n, m: (),
}


def open_sizes(kind):
    n, m = wax.Dim("n"), wax.Dim("m")
    return {"x": {0: n, 1: m}} | {"matrix": {"y": {0: n, 1: m}}, "row": {"y": {0: m}}, "column": {"y": {0: n}}}.get(
        kind, {}
    )


@pytest.mark.parametrize("kind", tiered(SHAPES, "row".__eq__))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_as_of_known_sizes(name, kind):
    function = FUNCTIONS[name]
    opened = wax.jit(function, backend="iree", dynamic_shapes=open_sizes(kind))
    for n, m in SIZES:
        x = RANDOM.standard_normal((n, m)).astype("float32")
        y = RANDOM.standard_normal(SHAPES[kind](n, m)).astype("float32")
        wanted = wax.jit(function, backend="reference")(x, y)
        for one, other in zip(wax.tree.leaves(opened(x, y)), wax.tree.leaves(wanted), strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize(
    "dtype",
    tiered(["float64", "float16", "bfloat16", "int8", "uint8", "int32", "int64"], {"bfloat16", "int8"}.__contains__),
)
def test_of_every_type(dtype):
    kind = np.dtype(getattr(ml_dtypes, dtype) if dtype == "bfloat16" else dtype)
    n, m = wax.Dim("n"), wax.Dim("m")

    def function(x, y):
        return wnp.maximum(x * 3, y) - x, wnp.astype(x, wnp.float32) / 2

    opened = wax.jit(function, backend="iree", dynamic_shapes={"x": {0: n, 1: m}, "y": {1: m}})
    for rows, columns in SIZES:
        x, y = (RANDOM.integers(0, 40, shape).astype(kind) for shape in ((rows, columns), (1, columns)))
        for one, other in zip(opened(x, y), wax.jit(function, backend="reference")(x, y), strict=True):
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize(
    ("dtype", "kind"),
    every_other(
        tiered(
            ["float32", "float64", "float16", "bfloat16", "int8", "uint8", "int32", "int64"],
            {"float32", "int8"}.__contains__,
        ),
        ["row", "column", "both"],
    ),
)
def test_long_rows_of_known_sizes(kind, dtype):
    number = np.dtype(getattr(ml_dtypes, dtype) if dtype == "bfloat16" else dtype)

    def function(x, row, column):
        read = {"row": [row], "column": [column], "both": [row, column]}[kind]
        for one in read:
            x = wnp.maximum(x * 3, one) - x
        return x, (x > 5) & (read[0] < 20)

    for rows, columns in [(300, 257), (65, 1024), (1, 70001)]:
        arrays = [RANDOM.integers(0, 40, s).astype(number) for s in ((rows, columns), (columns,), (rows, 1))]
        wanted = wax.jit(function, backend="reference")(*arrays)
        for one, other in zip(wax.jit(function, backend="iree")(*arrays), wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_special_numbers():
    x = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-30, 3.4e38] * 9, "float32")
    n = wax.Dim("n")
    opened = wax.jit(lambda x: (wnp.maximum(x, 0), x * -1, wnp.exp(x)), backend="iree", dynamic_shapes={"x": {0: n}})
    with np.errstate(over="ignore"):
        wanted = np.maximum(x, 0), x * -1, np.exp(x)
    for one, other in zip(opened(x), wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-6)
    assert np.signbit(np.asarray(opened(x)[1])[4])


@pytest.mark.parametrize(
    ("is_open", "dtype"),
    every_other([False, True], tiered(["float32", "float64", "float16"], {"float32", "float64"}.__contains__)),
)
def test_great_angles_and_small_ones_beside_each_other(dtype, is_open):
    def function(x):
        return wnp.sin(x), wnp.cos(2 * x) + wnp.tan(x)

    size = 1037
    great = {"float32": 1e30, "float64": 1e300, "float16": 6e4}[dtype]
    x = RANDOM.uniform(-9, 9, size)
    x[RANDOM.permutation(size)[:40]] *= great / 18
    x[[3, 500, 700, 1030, 1036]] = np.inf, -np.inf, np.nan, 0.0, -0.0
    x = x.astype(dtype)
    compiled = wax.jit(function, backend="iree", dynamic_shapes={"x": {0: wax.Dim("n")}} if is_open else None)
    with np.errstate(invalid="ignore"):
        wide = x.astype(np.longdouble if dtype == "float64" else "f8")
        wanted = np.sin(wide), np.cos(2 * wide) + np.tan(wide)
    tolerance = {"float32": 1e-6, "float64": 1e-15, "float16": 2e-3}[dtype]
    found = compiled(x)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one, "f8"), other.astype("f8"), rtol=tolerance, atol=tolerance)
    assert np.signbit(np.asarray(found[0])[-1])
    # What a number becomes does not depend on those next to it.
    alone = wax.jit(function, backend="iree")
    for place in (0, 17, 1029):
        for one, other in zip(alone(x[place : place + 1]), found, strict=True):
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other)[place : place + 1])


def test_gradients():
    n, m = wax.Dim("n"), wax.Dim("m")

    def loss(x, y):
        return wnp.sum(wnp.tanh(x * y) ** 2)

    opened = wax.jit(wax.grad(loss, argnums=(0, 1)), backend="iree", dynamic_shapes={"x": {0: n, 1: m}, "y": {0: m}})
    for rows, columns in [(3, 7), (40, 65)]:
        x, y = (RANDOM.standard_normal(shape).astype("float32") for shape in ((rows, columns), (columns,)))
        product = x.astype("f8") * y
        slope = 2 * np.tanh(product) / np.cosh(product) ** 2
        found = opened(x, y)
        np.testing.assert_allclose(np.asarray(found[0]), slope * y, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(np.asarray(found[1]), (slope * x).sum(0), rtol=1e-4, atol=1e-4)


def test_an_argument_that_is_donated_and_read():
    n = wax.Dim("n")
    f = wax.jit(
        lambda x, y: (x + y, x * 2), backend="iree", dynamic_shapes={"x": {0: n}, "y": {0: n}}, donate_argnums=(0,)
    )
    for size in (3, 1000):
        x, y = (RANDOM.standard_normal(size).astype("float32") for _ in range(2))
        for one, other in zip(f(wnp.asarray(x), y), (x + y, x * 2), strict=True):
            np.testing.assert_array_equal(np.asarray(one), other)


def test_by_vectors_unless_plain():
    def text(**options):
        specs = {"x": {0: wax.Dim("n")}}
        f = wax.jit(lambda x: wnp.exp(x), dynamic_shapes=specs, **options)
        return lower(f.lower(np.ones(3, "float32"))._function, "iree").text()

    assert "vector<16xf32>" in text()
    assert "vector<16xf32>" not in text(optimize=False)


def test_a_long_chain_of_maps_that_are_read_twice_is_lowered():
    def function(x):
        before, last = x, x + 1
        for _ in range(100):
            before, last = last, wnp.tanh(before) - last
        return wnp.cumulative_sum(last), last

    opened = wax.jit(function, backend="iree", dynamic_shapes={"x": {0: wax.Dim("n")}})
    x = RANDOM.standard_normal(33).astype("float32")
    for one, other in zip(opened(x), wax.jit(function, backend="reference")(x), strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-4, atol=1e-4)


#: Sizes that IREE's tiles do not divide, of which all of its vectors would be under masks.
UNEVEN = [(64,), (65,), (4097,), (8000,), (100, 100), (33, 257), (65, 1, 13), (3, 50, 50), (1, 1000), (1000, 1)]
UNEVEN += [(7, 1, 300), (40, 20), (65, 3), (11, 9, 5), (6000, 3), (30, 30), (500, 2)]

MAPS = {
    "one tensor": lambda x: x * 2 + 1,
    "a row": lambda x: x * x[(0,) * (x.ndim - 1)] - 3,
    "a column": lambda x: x - x[..., :1],
    "all but an edge": lambda x: x[..., 1:] * 2,
    "neighbours": lambda x: x[..., 2:] - x[..., :-2] * 3,
    "all but the first": lambda x: x[1:] + x[:-1],
    "every other": lambda x: x[..., ::2] + 1,
    "every third but the first": lambda x: x[..., 1::3] - 1,
    "every fourth of every second row": lambda x: (x[::2, ..., ::4] if x.ndim > 1 else x[::4]) * 2 + 1,
    "rows, columns and numbers": lambda x: (x * x[(0,) * (x.ndim - 1)] - x[..., :1]) * 2 + x[(0,) * x.ndim],
    "turned around": lambda x: x[..., ::-1] * 2,
}


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize(
    "dtype",
    tiered(
        ["float32", "float64", "float16", "bfloat16", "int8", "uint8", "int32", "int64"],
        {"float32", "int8", "float16"}.__contains__,
    ),
)
def test_sizes_that_tiles_do_not_divide(dtype, name):
    rng = np.random.default_rng(29)
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    given = [rng.integers(0, 5, shape).astype(kind) for shape in UNEVEN]

    def function(*xs):
        return [MAPS[name](x) for x in xs]

    found = wax.jit(function, backend="iree")(*map(wnp.asarray, given))
    for one, x in zip(found, given, strict=True):
        wanted = MAPS[name](x.astype("i8")).astype(x.dtype)  # small integers are exact in every type
        np.testing.assert_array_equal(np.asarray(one), wanted)
        assert one.dtype == x.dtype


#: Of each row some elements, in a program that has no others: shapes are (…, rows, elements).
ELEMENTS = {
    "first and last": lambda x: x[..., 0] * 2 - x[..., -1],
    "all": lambda x: sum((x[..., k] * (k + 1) for k in range(1, x.shape[-1])), x[..., 0]),
    "of some rows": lambda x: x[..., 3:-2, 1] + x[..., 5:, 0],
    "of every second row": lambda x: x[..., ::2, 1] * 3,
    "and whole rows": lambda x: x * x[..., 1:2] - x[..., :1],
    "compared": lambda x: (x[..., 0] > 1) == (x[..., 1] > x[..., 0]),
    "in part": lambda x: x[..., 1:][..., ::2] + 1,
}


@pytest.mark.parametrize(
    ("name", "dtype"),
    every_other(
        ELEMENTS,
        tiered(
            ["float32", "float64", "float16", "bfloat16", "int8", "int64"], {"float32", "bfloat16", "int8"}.__contains__
        ),
    ),
)
def test_elements_of_short_rows(name, dtype):
    rng = np.random.default_rng(31)
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    shapes = [(5000, 3), (4099, 4), (4096, 2), (3, 1777, 3), (4097, 5), (2, 2, 1050, 4), (9, 3)]
    given = [rng.integers(0, 5, shape).astype(kind) for shape in shapes]
    opened = tuple({x.ndim - 2: wax.Dim(f"n{i}", min=8)} for i, x in enumerate(given))
    for dynamic in (None, opened):
        found = wax.jit(lambda *xs: [ELEMENTS[name](x) for x in xs], backend="iree", dynamic_shapes=dynamic)(
            *map(wnp.asarray, given)
        )
        for one, x in zip(found, given, strict=True):
            wanted = ELEMENTS[name](x.astype("i8"))  # small integers are exact in every type
            np.testing.assert_array_equal(np.asarray(one).astype(wanted.dtype), wanted)


@pytest.mark.parametrize("columns", [50, 64])
def test_elements_of_short_rows_beside_products_and_in_rows_that_are_folded(columns):
    rng = np.random.default_rng(37)
    x, w = (rng.integers(-3, 4, shape).astype("f4") for shape in ((97, 80), (80, columns)))
    y = rng.standard_normal((97, columns, 2)).astype("f4")

    def function(x, w, y):
        z = y[..., 1]
        return wnp.maximum(x @ w + y[..., 0], 0), z / (1 + wnp.sum(wnp.abs(z), axis=-1, keepdims=True))

    product, chain = wax.jit(function, backend="iree")(x, w, y)
    wide = y.astype("f8")
    np.testing.assert_allclose(np.asarray(product), np.maximum(x.astype("f8") @ w + wide[..., 0], 0), rtol=1e-6)
    shares = wide[..., 1] / (1 + np.abs(wide[..., 1]).sum(-1, keepdims=True))
    np.testing.assert_allclose(np.asarray(chain), shares, rtol=1e-5)


def test_special_numbers_in_sizes_that_tiles_do_not_divide():
    x = np.resize(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 2e-38, 3e38], "f4"), (101, 99))
    found = wax.jit(lambda a: (a[1:, 1:] * 2, -a, wnp.exp(a)), backend="iree")(x)
    with np.errstate(all="ignore"):
        wanted = (x[1:, 1:] * 2, -x, np.exp(x.astype("f8")).astype("f4"))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=2e-7)
        np.testing.assert_array_equal(np.signbit(np.asarray(one)[other == 0]), np.signbit(other[other == 0]))


#: Maps whose results are booleans, or that read such.
COMPARISONS = {
    "greater": lambda x: x > 2,
    "of a row": lambda x: x == x[(0,) * (x.ndim - 1)],
    "of a column": lambda x: x <= x[..., :1],
    "of both": lambda x: (x > 1) & ~(x > 3),
    "of every other": lambda x: x[..., ::2] != 2,
    "of all but an edge": lambda x: x[..., 1:] >= 3,
}


@pytest.mark.parametrize(
    ("name", "dtype"),
    every_other(
        COMPARISONS,
        tiered(["float32", "float64", "bfloat16", "int8", "int64", "bool"], {"float32", "int8", "bool"}.__contains__),
    ),
)
def test_booleans_in_sizes_that_tiles_do_not_divide(dtype, name):
    rng = np.random.default_rng(31)
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    given = [rng.integers(0, 5, shape).astype(kind) for shape in UNEVEN]

    def function(*xs):
        made = [COMPARISONS[name](x if dtype != "bool" else wnp.where(x, 4, 1)) for x in xs]
        return made, [wnp.logical_not(one) for one in made]

    found, opposite = wax.jit(function, backend="iree")(*map(wnp.asarray, given))
    for one, other, x in zip(found, opposite, given, strict=True):
        wanted = COMPARISONS[name](x.astype("i8") if dtype != "bool" else np.where(x, 4, 1))
        np.testing.assert_array_equal(np.asarray(one), wanted)
        np.testing.assert_array_equal(np.asarray(other), ~wanted)
        assert np.asarray(one).view("u1").max(initial=0) <= 1  # bytes are 0 or 1


@pytest.mark.parametrize("dtype", ["bool", "float32"])
def test_short_rows_of_open_numbers(dtype):
    def function(x, row, column):
        if dtype == "bool":
            return x & row, wnp.where(x, column, 0.0), x | (column > 0)
        return x * row + column, x > row, wnp.exp(x - column)

    n = wax.Dim("n")
    opened = wax.jit(function, backend="iree", dynamic_shapes={"x": {0: n}, "column": {0: n}})
    for width in (3, 20):
        for rows in (0, 1, 5, 16, 17, 500):
            x = RANDOM.standard_normal((rows, width)).astype("float32")
            row, column = (
                RANDOM.standard_normal(width).astype("float32"),
                RANDOM.standard_normal((rows, 1)).astype("f4"),
            )
            given = (x > 0, row > 0, column) if dtype == "bool" else (x, row, column)
            wanted = wax.jit(function, backend="reference")(*given)
            for one, other in zip(opened(*given), wanted, strict=True):
                np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=3e-6, atol=3e-6)


@pytest.mark.parametrize(
    ("dtype", "wide", "optimize"),
    every_other([("float16", "float32"), ("bool", "int32"), ("int8", "float64")], [True, False]),
)
def test_every_other_element_of_what_is_widened(dtype, wide, optimize):
    """IREE makes what is widened within what reads it, and all of it on the stack, which has not room for this."""

    def function(x):
        y = x.astype(wide)
        even, odd = y[..., ::2], y[..., 1::2]
        return wnp.concat([even * 2 - odd, odd * 2 + even], axis=-1), y[::3] + 1, x.astype(wide).reshape(-1)[::7]

    x = RANDOM.integers(0, 2, (120, 90)).astype(dtype)
    y = x.astype(wide)
    even, odd = y[:, ::2], y[:, 1::2]
    wanted = np.concatenate([even * 2 - odd, odd * 2 + even], axis=-1), y[::3] + 1, y.reshape(-1)[::7]
    for shapes in (None, {"x": {0: wax.Dim("n")}}):
        found = wax.jit(function, backend="iree", optimize=optimize, dynamic_shapes=shapes)(x)
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(one), other)
