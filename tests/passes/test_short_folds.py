"""Folds of two to four elements, and of few columns (`wax-short-folds`), against NumPy in higher precision."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp

RANDOM = np.random.default_rng(71)
#: Rows of few elements and of more, as many rows as pay and fewer; columns with rows that can be taken together or not.
SHAPES = [
    (5000, 3),
    (4096, 2),
    (4099, 4),
    (3, 1777, 3),
    (4095, 3),
    (4200, 5),
    (6400, 15),
    (12801, 2),
    (300, 20, 1),
    (2100, 7),
    (70, 30, 2, 3),
]
FOLDS = {
    "max": (wnp.max, np.max),
    "min": (wnp.min, np.min),
    "argmax": (wnp.argmax, np.argmax),
    "argmin": (wnp.argmin, np.argmin),
    "sum": (wnp.sum, np.sum),
    "sum of squares": (lambda x, axis: wnp.sum(x * x, axis=axis), lambda x, axis: np.sum(x * x, axis=axis)),
    "any": (lambda x, axis: wnp.any(x > 2, axis=axis), lambda x, axis: np.any(x > 2, axis=axis)),
    "all": (lambda x, axis: wnp.all(-x < 2, axis=axis), lambda x, axis: np.all(-x < 2, axis=axis)),
    "less the greatest": (
        lambda x, axis: x - wnp.max(x, axis=axis, keepdims=True),
        lambda x, axis: x - np.max(x, axis=axis, keepdims=True),
    ),
    "of other rows": (
        lambda x, axis: wnp.sum(x * x[..., :1], axis=axis),
        lambda x, axis: np.sum(x * x[..., :1], axis=axis),
    ),
}


@pytest.mark.parametrize(
    ("name", "dtype"),
    every_other(
        FOLDS,
        tiered(
            ["float32", "float64", "float16", "bfloat16", "int8", "int32"],
            {"float32", "float16", "bfloat16", "int8"}.__contains__,
        ),
    ),
)
def test_folds_along_the_last_and_the_first_axis(name, dtype):
    fold, judge = FOLDS[name]
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    # Sums of small integers are exact in every type, but for the long ones in bf16.
    given = [RANDOM.integers(-3, 4, shape).astype(kind) for shape in SHAPES]
    found = wax.jit(lambda *xs: [(fold(x, axis=-1), fold(x, axis=0)) for x in xs], backend="iree")(*given)
    for x, pair in zip(given, found, strict=True):
        for axis, one in zip((-1, 0), pair, strict=True):
            wanted = judge(x.astype("i8"), axis=axis)
            if dtype in ("bfloat16", "float16") and name in ("sum", "sum of squares", "of other rows"):
                np.testing.assert_allclose(np.asarray(one).astype("f8"), wanted, rtol=1 / 128, atol=1)
            else:
                np.testing.assert_array_equal(np.asarray(one).astype(wanted.dtype), wanted)


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_special_numbers(name):
    fold, judge = FOLDS[name]
    for shape in ((5000, 3), (6400, 4)):
        x = RANDOM.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -2e-38], "f4"), shape)
        rows, columns = wax.jit(lambda x: (fold(x, axis=-1), fold(x, axis=0)), backend="iree")(x)
        np.testing.assert_array_equal(np.asarray(rows), judge(x, axis=-1))
        np.testing.assert_array_equal(np.asarray(columns), judge(x, axis=0))


def test_sums_are_as_exact_as_others():
    x = RANDOM.standard_normal((6400, 3)).astype("f4")
    rows, columns = wax.jit(lambda x: (wnp.sum(x, axis=-1), wnp.sum(x, axis=0)), backend="iree")(x)
    wide = x.astype("f8")
    np.testing.assert_allclose(np.asarray(rows), wide.sum(-1), rtol=0, atol=3e-7 * np.abs(wide).sum(-1).max())
    np.testing.assert_allclose(np.asarray(columns), wide.sum(0), rtol=0, atol=1e-6 * np.abs(wide).sum(0).max())


def test_gradients_and_batches():
    x = RANDOM.integers(-50, 50, (4100, 3)).astype("f4")
    weights = np.arange(4100, dtype="f4")
    slope = wax.jit(wax.grad(lambda x: wnp.sum(wnp.max(x, axis=-1) * weights)), backend="iree")(x)
    shares = x == x.max(-1, keepdims=True)
    np.testing.assert_allclose(np.asarray(slope), shares / shares.sum(-1, keepdims=True) * weights[:, None], rtol=1e-6)
    batched = wax.jit(wax.vmap(lambda row: (wnp.argmax(row), wnp.sum(row))), backend="iree")(x)
    np.testing.assert_array_equal(np.asarray(batched[0]), x.argmax(-1))
    np.testing.assert_array_equal(np.asarray(batched[1]), x.sum(-1))


def test_booleans_and_what_is_made_of_complex_numbers():
    flags = RANDOM.random((5000, 3)) < 0.4
    z = (RANDOM.integers(-5, 5, (5000, 2)) + 1j * RANDOM.integers(-5, 5, (5000, 2))).astype("c8")
    some, every, both, first, squares = wax.jit(
        lambda m, z: (
            wnp.any(m, axis=-1), wnp.all(m, axis=-1), m[:, 0] & m[:, 2], wnp.any(m, axis=0),
            wnp.sum(wnp.real(z * wnp.conj(z)), axis=-1),
        ),
        backend="iree",
    )(flags, z)  # fmt: skip
    np.testing.assert_array_equal(np.asarray(some), flags.any(-1))
    np.testing.assert_array_equal(np.asarray(every), flags.all(-1))
    np.testing.assert_array_equal(np.asarray(both), flags[:, 0] & flags[:, 2])
    np.testing.assert_array_equal(np.asarray(first), flags.any(0))
    np.testing.assert_array_equal(np.asarray(squares), (z * z.conj()).real.sum(-1))


def test_in_the_turns_of_a_loop():
    x = RANDOM.integers(-9, 9, (4, 4100, 3)).astype("f4")

    def turn(carry, x):
        return carry + wnp.argmax(x, axis=-1), (wnp.max(x, axis=0), wnp.sum(x * x, axis=-1))

    carry, (columns, squares) = wax.jit(lambda x: wax.scan(turn, wnp.zeros(4100, dtype="int32"), x), backend="iree")(x)
    np.testing.assert_array_equal(np.asarray(carry), x.argmax(-1).sum(0))
    np.testing.assert_array_equal(np.asarray(columns), x.max(1))
    np.testing.assert_array_equal(np.asarray(squares), (x * x).sum(-1))
