"""The first few of what is sorted, of which no row is sorted as a whole: the elements that sorting all of it gives."""

import re

import numpy as np
import pytest
from tiers import tiered

import wax
import wax.numpy as wnp
from wax import _native

RANDOM = np.random.default_rng(31)


def drawn(dtype, shape):
    """Numbers of which many are equal, and where there are such, NaN, infinities and both zeros."""
    if dtype == "bool":
        return RANDOM.random(shape) < 0.5
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return RANDOM.choice(np.array([info.min, info.max, 0, 1, 2, 3, 5], dtype), shape)
    values = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -1.5, 2.0], "f8")
    special = RANDOM.choice(values, shape)
    return np.where(RANDOM.random(shape) < 0.3, special, RANDOM.integers(-9, 9, shape)).astype(dtype)


def order_of(x, axis, descending):
    """The stable order of elements: NaN are the greatest, all equal, as zeros are."""
    x = np.moveaxis(x, axis, -1)
    keys = x if x.dtype.kind != "f" else np.where(np.isnan(x), np.nan, x.astype("f8"))
    if descending:
        keys = np.flip(keys, -1)
        order = np.flip(x.shape[-1] - 1 - np.argsort(keys, axis=-1, kind="stable"), -1)
    else:
        order = np.argsort(keys, axis=-1, kind="stable")
    return np.moveaxis(order, -1, axis)


def first(x, count, axis):
    return np.take(x, np.arange(count), axis=axis)


def sorts(function, x):
    """Whether a function's program for IREE moves elements from one half of memory to the other, as sorting does."""
    module = _native.make_module(wax.jit(function).lower(x)._function.function)
    module.run("builtin.module(wax-to-linalg{target=iree processor=avx2})")
    return re.search(r"tensor<2x[\dx?]*x[a-z]", module.text()) is not None


SHAPES = [
    ((7, 100), 5, 1),
    ((64, 9), 2, 0),
    ((3, 40, 5), 4, 1),
    ((1000,), 64, 0),
    ((2, 3, 257), 1, 2),
    ((5, 12), 3, -1),
]
DTYPES = ["float32", "float64", "float16", "int32", "int8", "uint8", "int64", "uint32", "bool"]


@pytest.mark.parametrize(("shape", "count", "axis"), SHAPES)
@pytest.mark.parametrize("dtype", tiered(DTYPES, lambda dtype: dtype in ("float32", "int32", "float16")))
def test_top_k(dtype, shape, count, axis):
    x = drawn(dtype, shape)
    values, indices = wax.jit(lambda x: wnp.top_k(x, count, axis=axis), backend="iree")(x)
    order = first(order_of(x, axis, descending=True), count, axis)
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(x, order, axis))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("shape", "count", "axis"), SHAPES)
def test_sorted_and_sliced(shape, count, axis, descending):
    x = drawn("float32", shape)

    def function(x):
        ordered = wnp.sort(x, axis=axis, descending=descending)
        places = wnp.argsort(x, axis=axis, descending=descending)
        return tuple(wnp.take(one, wnp.arange(count), axis=axis) for one in (ordered, places))

    ordered, places = wax.jit(function, backend="iree")(x)
    order = first(order_of(x, axis, descending), count, axis)
    np.testing.assert_array_equal(places, order)
    np.testing.assert_array_equal(ordered, np.take_along_axis(x, order, axis))


def test_which_sorts_are_left_out():
    x = np.zeros((8, 100), "f4")
    assert not sorts(lambda x: wnp.top_k(x, 25), x)
    assert not sorts(lambda x: wnp.sort(x, axis=1)[:, :7], x)
    # Too many of them, the last ones, every other one, and all as well.
    assert sorts(lambda x: wnp.top_k(x, 26), x)
    assert sorts(lambda x: wnp.sort(x, axis=1)[:, -7:], x)
    assert sorts(lambda x: wnp.sort(x, axis=1)[:, :7:2], x)
    assert sorts(lambda x: (lambda y: (y, y[:, :7]))(wnp.sort(x, axis=1)), x)
    assert sorts(lambda x: wnp.top_k(x, 65), np.zeros((8, 1000), "f4"))


def test_several_slices_of_one_sort():
    x = drawn("float32", (9, 200))
    few, fewer, part = wax.jit(
        lambda x: (lambda y: (y[:, :20], y[:, :3], y[2:5, :8]))(wnp.sort(x, axis=1)), backend="iree"
    )(x)
    whole = np.take_along_axis(x, order_of(x, 1, descending=False), 1)
    np.testing.assert_array_equal(few, whole[:, :20])
    np.testing.assert_array_equal(fewer, whole[:, :3])
    np.testing.assert_array_equal(part, whole[2:5, :8])


def test_rows_that_are_in_order_already_or_the_other_way_round():
    rows = np.stack([np.arange(3000), np.arange(3000)[::-1], np.zeros(3000), np.arange(3000) % 7]).astype("f4")
    values, indices = wax.jit(lambda x: wnp.top_k(x, 50), backend="iree")(rows)
    order = first(order_of(rows, 1, descending=True), 50, 1)
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(rows, order, 1))


def test_open_sizes():
    rows, columns = wax.Dim("rows"), wax.Dim("columns", min=5)
    run = wax.jit(lambda x: wnp.top_k(x, 5), dynamic_shapes=({0: rows, 1: columns},), backend="iree")
    for shape in ((3, 5), (1, 6), (4, 999), (0, 8), (300, 17)):
        x = drawn("float32", shape)
        values, indices = run(x)
        order = first(order_of(x, 1, descending=True), 5, 1)
        np.testing.assert_array_equal(indices, order)
        np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


def test_open_sizes_with_too_few_elements():
    columns = wax.Dim("columns", min=5)
    run = wax.jit(lambda x: wnp.top_k(x, 5), dynamic_shapes=({1: columns},), backend="iree")
    with pytest.raises(wax.errors.WaxError, match="5 <= columns"):
        run(np.zeros((3, 4), "f4"))


def test_others_moved_along():
    keys, others = drawn("int32", (6, 80)), RANDOM.standard_normal((6, 80)).astype("f4")

    def function(keys, others):
        places = wnp.argsort(keys, axis=1)[:, :6]
        return wnp.take_along_axis(others, places, axis=1)

    found = wax.jit(function, backend="iree")(keys, others)
    np.testing.assert_array_equal(found, np.take_along_axis(others, first(order_of(keys, 1, False), 6, 1), 1))


def test_its_gradient_and_batches():
    x = RANDOM.standard_normal((4, 60)).astype("f4")

    def loss(row):
        return wnp.sum(wnp.top_k(row, 3).values ** 2)

    found = wax.jit(wax.vmap(wax.grad(loss)), backend="iree")(x)
    threshold = np.sort(x, axis=1)[:, -3:-2]
    np.testing.assert_allclose(found, np.where(x >= threshold, 2 * x, 0), rtol=1e-6)
