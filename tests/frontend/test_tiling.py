"""Which products IREE is to tile: by their sizes, and what is computed stays the same."""

import numpy as np
import pytest

import wax
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
    (lambda x, y: x * y, [(8, 64), (8, 64)], True, 0),
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
