"""What is padded row by row (`wax-pad-rows`), against NumPy: to the bit, over dtypes, shapes and open sizes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp

RANDOM = np.random.default_rng(83)
#: Shapes, and what stands before and behind along each axis.
PADS = [
    ((100, 100), ((1, 1), (1, 1))),
    ((99, 101), ((0, 3), (17, 0))),
    ((700, 9), ((2, 0), (0, 0))),
    ((3, 60, 33), ((1, 0), (0, 0), (2, 5))),
    ((2, 30, 31, 8), ((0, 0), (1, 1), (1, 1), (0, 0))),
    ((5000, 3), ((0, 0), (0, 1))),
    ((1, 5000), ((0, 0), (3, 70))),
    ((80, 80), ((-3, 2), (4, -5))),
    ((60, 0), ((1, 1), (40, 40))),
]


def cut(x, by):
    """Without what stands outside where widths are negative."""
    return x[tuple(slice(-min(low, 0), size + min(high, 0)) for size, (low, high) in zip(x.shape, by, strict=True))]


def around(by):
    return [(max(low, 0), max(high, 0)) for low, high in by]


@pytest.mark.parametrize(
    ("dtype", "number"),
    every_other(
        tiered(
            ["float32", "float64", "bfloat16", "float16", "int8", "uint16", "int64", "bool", "complex64"],
            {"float32", "bfloat16", "int8", "bool"}.__contains__,
        ),
        [0, 1, 3],
    ),
)
def test_pads_of_every_type(dtype, number):
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    given = [RANDOM.integers(-9, 9, shape).astype(kind) for shape, _ in PADS]

    def function(*xs):
        return [
            wnp.pad(cut(x, by), around(by), constant_values=kind.type(number))
            for x, (_, by) in zip(xs, PADS, strict=True)
        ]

    for one, x, (_, by) in zip(wax.jit(function, backend="iree")(*given), given, PADS, strict=True):
        wanted = np.pad(cut(x, by), around(by), constant_values=kind.type(number))
        assert np.asarray(one).tobytes() == wanted.tobytes()
        assert one.shape == wanted.shape


def test_pads_of_open_sizes():
    def function(x):
        return wnp.pad(x, [(1, 2), (3, 1)], constant_values=7)

    padded = wax.jit(function, backend="iree", dynamic_shapes={"x": {0: wax.Dim("m"), 1: wax.Dim("n")}})
    for shape in ((0, 5), (5, 0), (1, 1), (40, 300), (77, 13)):
        x = RANDOM.standard_normal(shape).astype("f4")
        np.testing.assert_array_equal(np.asarray(padded(x)), np.pad(x, [(1, 2), (3, 1)], constant_values=7))


def test_gradients_of_slices_and_of_pads():
    x = RANDOM.integers(-9, 9, (90, 120)).astype("f4")

    def loss(x):
        return wnp.sum((x[1:, 2:] - x[:-1, :-2]) ** 2) + wnp.sum(wnp.pad(x, [(1, 0), (0, 2)], constant_values=5) ** 3)

    found = wax.jit(wax.grad(loss), backend="iree")(x)
    difference = 2 * (x[1:, 2:] - x[:-1, :-2])
    wanted = 3 * x * x
    wanted[1:, 2:] += difference
    wanted[:-1, :-2] -= difference
    np.testing.assert_array_equal(np.asarray(found), wanted)


def test_what_is_made_and_read_around_a_pad():
    x = RANDOM.integers(-9, 9, (64, 200)).astype("f4")
    by = [(1, 1), (4, 4)]
    made, summed = wax.jit(
        lambda x: (wnp.pad(x * 2, by) + 1, wnp.sum(wnp.pad(x, by, constant_values=2), axis=1)), backend="iree"
    )(x)
    np.testing.assert_array_equal(np.asarray(made), np.pad(x * 2, by) + 1)
    np.testing.assert_array_equal(np.asarray(summed), np.pad(x, by, constant_values=2).sum(1))
