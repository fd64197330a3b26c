"""Sorts of numbers by their digits, on the CPU, against NumPy's stable sorts: to the bit, over sizes and dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp

RANDOM = np.random.default_rng(3)
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
#: Of one, two, four and eight digits: too few to be sorted so, just as many, many; and rows.
SHAPES = [(1,), (23,), (24,), (47,), (48,), (95,), (96,), (191,), (192,), (3, 257), (1, 300), (2, 0), (20001,)]


def numbers(dtype, shape, spread):
    """Numbers of all bits, or of which some digits are the same, as the spread says."""
    if dtype == "bool":
        return RANDOM.random(shape) < 0.3
    if dtype in INTEGERS:
        least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
        x = RANDOM.integers(least, greatest, shape, dtype=dtype, endpoint=True)
        return x if spread is None else (x % min(spread, greatest)).astype(dtype)
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    x = RANDOM.standard_normal(shape) if spread is None else RANDOM.integers(-spread, spread, shape)
    special = RANDOM.choice([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 6e-8, -6e-8], shape)
    return np.where(RANDOM.random(shape) < 0.2, special, x).astype(kind)


def bits(x):
    """An array's bits, those of any NaN for NaN."""
    x = np.array(x)
    if x.dtype.kind not in "iub":
        x[np.isnan(x.astype("f8"))] = np.nan
    return x.tobytes()


def in_order(x, descending):
    """Where the elements of the last axis go, stably; NaN counts as the greatest."""
    wide = x if x.dtype.kind in "iub" else x.astype("f8")
    if descending:
        turned = np.flip(wide, -1)
        return np.flip(x.shape[-1] - 1 - np.argsort(turned, axis=-1, kind="stable"), -1)
    return np.argsort(wide, axis=-1, kind="stable")


@pytest.mark.parametrize(
    ("dtype", "spread", "descending"),
    every_other(
        tiered([*INTEGERS, *FLOATS, "bool"], {"int64", "bfloat16", "float32", "uint8"}.__contains__),
        [None, 9, 300, 70_000],
        [False, True],
    ),
)
def test_numbers_of_every_type_are_sorted_stably_to_the_bit(dtype, spread, descending):
    given = [numbers(dtype, shape, spread) for shape in SHAPES]

    def function(*xs):
        return [(wnp.sort(x, descending=descending), wnp.argsort(x, descending=descending)) for x in xs]

    opened = tuple({len(shape) - 1: wax.Dim(f"n{i}")} for i, shape in enumerate(SHAPES))
    for shapes in (None, opened):
        for x, (values, order) in zip(
            given, wax.jit(function, backend="iree", dynamic_shapes=shapes)(*given), strict=True
        ):
            wanted = in_order(x, descending)
            np.testing.assert_array_equal(np.asarray(order), wanted)
            assert bits(values) == bits(np.take_along_axis(x, wanted, -1))


@pytest.mark.parametrize("descending", [False, True])
def test_sorting_along_another_axis_moves_columns(descending):
    x = numbers("float32", (300, 7), None)
    values = wax.jit(lambda x: wnp.sort(x, axis=0, descending=descending), backend="iree")(x)
    wanted = np.take_along_axis(x, in_order(x.T, descending).T, 0)
    assert bits(values) == bits(wanted)


def test_rows_that_are_sorted_in_a_loop_are_sorted_by_digits_in_it():
    x = numbers("int32", (4, 500), None)

    def function(x):
        return wax.scan(lambda carry, row: (wnp.sort(carry + row), wnp.argsort(row)), wnp.zeros(500, dtype="int32"), x)

    carry, orders = wax.jit(function, backend="iree")(x)
    wanted = np.zeros(500, np.int32)
    for row in x:
        wanted = np.sort(wanted + row)
    np.testing.assert_array_equal(np.asarray(carry), wanted)
    np.testing.assert_array_equal(np.asarray(orders), np.argsort(x, axis=1, kind="stable"))


def test_gradients_go_to_where_elements_were():
    x = numbers("float32", (300,), 70_000)
    x = np.where(np.isfinite(x), x, 1).astype("f4")
    weights = np.arange(300, dtype="f4")
    found = wax.jit(wax.grad(lambda x: wnp.sum(wnp.sort(x) * weights)), backend="iree")(x)
    wanted = np.empty(300, "f4")
    wanted[in_order(x, False)] = weights
    np.testing.assert_array_equal(np.asarray(found), wanted)
