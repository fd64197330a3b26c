"""Folds of bf16 and f16 in f32 (`wax-widen-folds`): what they choose is what was there, to the bit."""

import ml_dtypes
import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp

RANDOM = np.random.default_rng(53)
FOLDS = {
    "max": wnp.max,
    "min": wnp.min,
    "argmax": wnp.argmax,
    "argmin": wnp.argmin,
    "max and sum": lambda x, axis: (wnp.max(x, axis=axis), wnp.sum(x, axis=axis, dtype=wnp.float32)),
}
SHAPES = [(40, 33), (1, 300), (64, 1000), (0, 4)]


def numbers(shape, dtype, special):
    x = RANDOM.integers(-99, 99, shape).astype("f4")
    if special:
        x = RANDOM.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -2e-38], "f4"), shape)
    return x.astype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)


@pytest.mark.parametrize(
    ("name", "dtype", "special"),
    every_other(tiered(FOLDS, {"max", "argmin", "max and sum"}.__contains__), ["bfloat16", "float16"], [False, True]),
)
def test_what_is_chosen_was_there(name, dtype, special):
    fold = FOLDS[name]
    given = [numbers(shape, dtype, special) for shape in SHAPES]

    def function(*xs):
        return [fold(x, axis=axis) for x in xs for axis in (-1, 0) if x.shape[axis]]

    wanted = wax.jit(function, backend="reference")(*given)
    opened = tuple({1: wax.Dim(f"m{i}")} for i in range(len(SHAPES)))
    for shapes in (None, opened):
        made = wax.jit(function, backend="iree", dynamic_shapes=shapes)(*given)
        for one, other in zip(wax.tree.leaves(made), wax.tree.leaves(wanted), strict=True):
            assert one.dtype == other.dtype
            one, other = np.asarray(one), np.asarray(other)
            is_sum = one.dtype == np.float32
            np.testing.assert_allclose(one.astype("f8"), other.astype("f8"), rtol=1e-6 if is_sum else 0, atol=0)
            if not is_sum:  # zeros have their signs
                np.testing.assert_array_equal(np.signbit(one[one == 0]), np.signbit(other[other == 0]))


def test_gradients_go_to_what_was_chosen():
    x = numbers((20, 30), "bfloat16", special=False)
    slope = wax.grad(lambda x: wnp.sum(wnp.max(x, axis=1) * 2))
    found, wanted = (np.asarray(wax.jit(slope, backend=one)(x)).astype("f4") for one in ("iree", "reference"))
    np.testing.assert_array_equal(found, wanted)
