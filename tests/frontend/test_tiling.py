"""Which products IREE is to tile: by their sizes, and what is computed stays the same."""

import numpy as np
import pytest
from tiers import every_other

import wax
import wax.nn
import wax.numpy as wnp
from wax._compile import lower
from wax.backends.iree.tiling import tiling_of

MARK = "{iree.opt.data_tiling}"


def both(x, y):
    return x @ y.mT, y @ y


#: A function, shapes of words (products of which wax leaves to IREE), whether anything is tiled, how many are marked.
CASES = [
    (lambda x, y: x @ y, [(9, 64), (64, 64)], True, 0),
    (lambda x, y: x @ y, [(8, 64), (64, 64)], False, 0),
    (lambda x, y: x @ y, [(64, 64), (64, 8)], False, 0),
    (lambda x, y: x @ y.mT, [(64, 96), (128, 96)], False, 0),
    (lambda x, y: x @ y.mT, [(65, 96), (128, 96)], True, 0),
    (both, [(3, 96), (96, 96)], True, 1),
    (lambda x, y: (x @ y) @ y, [(1, 8, 64), (64, 64)], False, 0),
    (lambda x, y: x @ y, [(2, 8, 64), (64, 64)], True, 0),
    (lambda x, y: x @ y, [(5, 8, 64), (5, 64, 64)], False, 0),
    (lambda x, y: x * y, [(8, 64), (8, 64)], False, 0),
]


@pytest.mark.parametrize(("function", "shapes", "wanted", "marked"), CASES)
def test_products_with_few_rows_are_not_tiled(function, shapes, wanted, marked):
    lowered = wax.jit(function).lower(*(wax.ShapeDtypeStruct(shape, "int32") for shape in shapes))
    tiling = tiling_of(lower(lowered._function, "iree").text())
    assert (tiling.wanted, tiling.text.count(MARK)) == (wanted, marked)


def test_nothing_is_decided_for_sizes_that_are_not_known():
    lowered = wax.jit(both).lower(wax.ShapeDtypeStruct(("n", 64), "int32"), wax.ShapeDtypeStruct((64, 64), "int32"))
    text = lower(lowered._function, "iree").text()
    assert tiling_of(text).text == text and tiling_of(text).wanted


@pytest.mark.parametrize("shapes", [[(3, 96), (96, 96)], [(96, 7), (200, 7)]])
def test_products_are_the_same_however_they_are_tiled(shapes):
    x, y = (np.random.default_rng(0).standard_normal(shape).astype(np.float32) for shape in shapes)
    function = both if shapes[1][0] == shapes[1][1] else lambda x, y: (x @ y.mT, y.mT @ y)
    found = wax.jit(function, backend="iree")(x, y)
    for one, expected in zip(found, function(x.astype(np.float64), y.astype(np.float64)), strict=True):
        np.testing.assert_allclose(np.asarray(one), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("opened", "read"), every_other(["b", "m", "k", "bm", "bk", "bmk"], ["k", "b", "bm", "m", "bmk"])
)
def test_a_stack_with_open_sizes_of_what_a_map_makes_of_a_vector(opened, read):
    """IREE 3.13 multiplies other elements where it tiles such stacks."""
    sizes = {"b": 4, "m": 11, "k": 13, "n": 3}
    random = np.random.default_rng(1)
    x, y, t = (random.standard_normal([sizes[dim] for dim in dims]).astype(np.float32) for dims in ("bmk", "bkn", read))
    place = tuple(slice(None) if dim in read else None for dim in "bmk")
    dims = [{i: wax.Dim(dim) for i, dim in enumerate(dims) if dim in opened} or None for dims in ("bmk", "bkn", read)]
    found = wax.jit(lambda x, y, t: (x + t[place]) @ y, dynamic_shapes=tuple(dims), backend="iree")(x, y, t)
    np.testing.assert_allclose(found, (x.astype("f8") + t[place]) @ y, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("dtype", "read"), every_other(["float32", "float64", "int32"], ["k", "b", "bm", "m", "bmk"]))
def test_a_stack_of_known_sizes_of_what_a_map_makes_of_a_vector(dtype, read):
    """Of sizes that IREE would tile, too few for tiles of ours."""
    sizes = {"b": 3, "m": 14, "k": 12, "n": 10}
    random = np.random.default_rng(3)
    x, y, t = (
        (9 * random.standard_normal([sizes[dim] for dim in dims])).astype(dtype) for dims in ("bmk", "bkn", read)
    )
    place = tuple(slice(None) if dim in read else None for dim in "bmk")
    for function in (
        lambda x, y, t: (x + t[place]) @ y,
        lambda x, y, t: wnp.matrix_transpose(wnp.matrix_transpose(y) @ wnp.matrix_transpose(x + t[place])),
    ):
        found = wax.jit(function, backend="iree")(x, y, t)
        np.testing.assert_allclose(found, (x.astype("f8") + t[place]) @ y, rtol=1e-4, atol=1e-3)


def test_a_softmax_of_an_open_batch():
    random = np.random.default_rng(2)
    s, v = random.standard_normal((3, 11, 11)).astype("f4"), random.standard_normal((3, 11, 2)).astype("f4")
    b = wax.Dim("b")
    found = wax.jit(lambda s, v: wax.nn.softmax(s) @ v, dynamic_shapes=({0: b}, {0: b}), backend="iree")(s, v)
    weights = np.exp(s.astype("f8"))
    np.testing.assert_allclose(found, weights / weights.sum(-1, keepdims=True) @ v, rtol=1e-5, atol=1e-6)


def test_a_stack_with_an_open_size_is_not_tiled_and_others_are_marked():
    lowered = wax.jit(lambda x, y: (x @ y, y[0] @ y[1])).lower(
        wax.ShapeDtypeStruct(("n", 11, 64), "int32"), wax.ShapeDtypeStruct(("n", 64, 64), "int32")
    )
    tiling = tiling_of(lower(lowered._function, "iree").text())
    assert (tiling.wanted, tiling.text.count(MARK)) == (True, 1)
