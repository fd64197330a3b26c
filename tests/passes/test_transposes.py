"""Transpositions by squares of vectors (`wax-transpose-maps`), and maps that read across rows: exactly NumPy's."""

import itertools

import ml_dtypes
import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax import _native
from wax._compile import lower

RANDOM = np.random.default_rng(17)
DTYPES = ["bool", "int8", "uint8", "int16", "float16", "bfloat16", "int32", "float32", "int64", "float64", "complex64"]
QUICK = {"bool", "int8", "bfloat16", "float32"}
#: Of no squares, whole ones, and squares that overlap; of one block, and of some.
SIZES = [(128, 128), (129, 161), (100, 7), (7, 4000), (300, 1111), (2050, 70)]
CPUS = {"all it has": wax.CompileOptions()}
if _native.processor("host") != "any":
    CPUS["what all have"] = wax.CompileOptions(flags=("--iree-llvmcpu-target-cpu=x86-64-v3",))


def each_cpu(test):
    return pytest.mark.parametrize("cpu", CPUS.values(), ids=CPUS)(test)


def numbers(shape, dtype="float32"):
    if dtype == "bool":
        return RANDOM.integers(0, 2, shape).astype(bool)
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    found = RANDOM.integers(0, 100, shape)
    return (found + 1j * RANDOM.integers(0, 100, shape)).astype(kind) if kind.kind == "c" else found.astype(kind)


def has_squares(function, *args):
    return "vector.shuffle" in lower(wax.jit(function).lower(*args)._function, "iree").text()


def check(compiled, function, *args):
    found, wanted = np.asarray(compiled(*args)), np.asarray(function(np, *args))
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)


@each_cpu
@pytest.mark.parametrize("dtype", tiered(DTYPES, QUICK.__contains__))
def test_matrices(dtype, cpu):
    transpose = wax.jit(lambda x: wnp.permute_dims(x, (1, 0)), backend="iree", options=cpu)
    for shape in [(0, 5), (1, 1), (1, 5000), *SIZES]:
        check(transpose, lambda xp, x: xp.transpose(x), numbers(shape, dtype))


@pytest.mark.parametrize("dtype", tiered(DTYPES, QUICK.__contains__))
def test_open_sizes(dtype):
    n, m = wax.Dim("n"), wax.Dim("m")
    transpose = wax.jit(lambda x: wnp.permute_dims(x, (1, 0)), backend="iree", dynamic_shapes={"x": {0: n, 1: m}})
    for shape in [(0, 5), (5, 0), (1, 1), (3, 2), (1, 5000), (5000, 2), *SIZES]:
        check(transpose, lambda xp, x: xp.transpose(x), numbers(shape, dtype))


@pytest.mark.parametrize(
    ("order", "dtype"),
    every_other(
        tiered(
            ["".join(places) for n in (3, 4) for places in itertools.permutations("0123"[:n])],
            {"021", "210", "0312", "0231", "3102"}.__contains__,
        ),
        ["int8", "float32", "float64"],
    ),
)
def test_orders(order, dtype):
    order = tuple(int(place) for place in order)
    shape = {3: (5, 67, 70), 4: (3, 37, 5, 66)}[len(order)]
    transpose = wax.jit(lambda x: wnp.permute_dims(x, order), backend="iree")
    check(transpose, lambda xp, x: xp.transpose(x, order), numbers(shape, dtype))


@pytest.mark.parametrize("order", tiered(["021", "210", "201", "0312", "3120"], {"0312"}.__contains__))
def test_orders_of_open_sizes(order):
    order = tuple(int(place) for place in order)
    dims = {place: wax.Dim(name) for place, name in zip(order, "abcd", strict=False)}
    transpose = wax.jit(lambda x: wnp.permute_dims(x, order), backend="iree", dynamic_shapes={"x": dims})
    for sizes in [(3, 20, 40, 33), (0, 3, 17, 20), (17, 5, 1, 90), (2, 2, 3, 4), (70, 33, 16, 16)]:
        check(transpose, lambda xp, x: xp.transpose(x, order), numbers(sizes[: len(order)]))


#: Of matrices of the same shape, the first transposed and as it is.
MAPS = {
    "sum": lambda xp, x, y: x.T + y,
    "both ways": lambda xp, x, y: x.T * 2 + (y + 1) * y,
    "what it is made of": lambda xp, x, y: (x * 3 - 1).T + y,
    "sums of two": lambda xp, x, y: (x + y.T).T - x.T,
    "a row and a column": lambda xp, x, y: x.T * y[0] + y[:, :1] + x[0, 0],
    "wider": lambda xp, x, y: xp.astype(x.T, xp.float64) + xp.astype(y, xp.float64),
    "narrower": lambda xp, x, y: xp.astype(x.T, xp.int8) + xp.astype(y, xp.int8),
    "indices": lambda xp, x, y: x.T + xp.arange(y.shape[1], dtype=x.dtype),
    "choice": lambda xp, x, y: xp.where(y < x.T, y, -y),
    "comparison": lambda xp, x, y: y < x.T,
    "read twice": lambda xp, x, y: xp.concat([x.T, x.T + y]),
    "reshaped": lambda xp, x, y: xp.reshape(x.T, (-1,)) + 1,
    "summed up": lambda xp, x, y: xp.sum(x.T * y, axis=1),
}


@each_cpu
@pytest.mark.parametrize(
    "name", tiered(MAPS, {"both ways", "a row and a column", "sums of two", "narrower"}.__contains__)
)
def test_maps(name, cpu):
    function = MAPS[name]
    compiled = wax.jit(lambda x, y: function(wnp, x, y), backend="iree", options=cpu)
    for rows, columns in SIZES[:2] + SIZES[4:5]:
        check(compiled, function, numbers((rows, columns)), numbers((columns, rows)))


@pytest.mark.parametrize("name", tiered(MAPS, {"both ways", "a row and a column"}.__contains__))
def test_maps_of_open_sizes(name):
    function = MAPS[name]
    n, m = wax.Dim("n"), wax.Dim("m")
    compiled = wax.jit(
        lambda x, y: function(wnp, x, y),
        backend="iree",
        dynamic_shapes={"x": {0: n, 1: m}, "y": {0: m, 1: n}},
    )
    for rows, columns in [*SIZES, (1, 1), (3, 40)]:
        check(compiled, function, numbers((rows, columns)), numbers((columns, rows)))


def test_which_have_squares():
    def turned(x):
        return wnp.permute_dims(x, (1, 0))

    def of(*shape, dtype=wnp.float32):
        return wax.ShapeDtypeStruct(shape, dtype)

    assert has_squares(turned, of(128, 128))
    assert has_squares(lambda x, y: turned(x) + y, of(128, 128), of(128, 128))
    assert has_squares(lambda x: wnp.permute_dims(x, (0, 3, 1, 2)), of(8, 7, 7, 64))
    # Few elements, or few in a dim; the same elements last; booleans, numbers of two parts.
    assert not has_squares(turned, of(64, 128))
    assert not has_squares(turned, of(15, 4096))
    assert not has_squares(lambda x: wnp.permute_dims(x, (0, 2, 1, 3)), of(8, 64, 12, 64))
    assert not has_squares(turned, of(128, 128, dtype=wnp.bool))
    assert not has_squares(turned, of(128, 128, dtype=wnp.complex64))
    # What is summed up is read in another order.
    assert not has_squares(lambda x: wnp.sum(turned(x), axis=0), of(128, 128))
