"""Rounding to bfloat16 for IREE's CPU, which is done by integers, against the reference in every bit."""

import ml_dtypes
import numpy as np
import pytest

import wax
import wax.numpy as wnp


def rounded(x: np.ndarray, backend: str) -> np.ndarray:
    return np.asarray(wax.jit(lambda x: x.astype(wnp.bfloat16), backend=backend)(wnp.asarray(x)))


def bits(dtype: type, rng: np.random.Generator) -> np.ndarray:
    """Numbers of all magnitudes, and what lies on ties and beside them."""
    word = np.dtype(f"u{np.dtype(dtype).itemsize}")
    any_bits = rng.integers(0, 2 ** (8 * word.itemsize), 3001, dtype=word)
    if np.dtype(dtype).kind == "f":
        ties = (1 + np.arange(128) / 128 + 2.0**-8)[:, None] * (1 + np.array([-1, 0, 1]) * np.finfo(dtype).eps)
        special = np.array([0, -0.0, np.inf, -np.inf, np.nan], dtype)
        return np.concatenate([any_bits.view(dtype), ties.ravel().astype(dtype), special])
    small = any_bits >> rng.integers(0, 8 * word.itemsize, any_bits.shape).astype(word)
    top = np.iinfo(dtype).max // 2 + 1
    ties = top + (top >> 8) * (2 * np.arange(64, dtype=np.uint64) + 1)
    beside = (ties[:, None].astype(word) + np.array([-1, 0, 1]).astype(word)).ravel()
    return np.concatenate([any_bits, small, beside, -beside]).astype(dtype)


@pytest.mark.parametrize(
    "dtype",
    [np.float16, np.float32, np.float64, *(getattr(np, f"{s}int{n}") for s in ("", "u") for n in (8, 16, 32, 64))],
)
def test_rounds_once_to_the_nearest(dtype):
    x = bits(dtype, np.random.default_rng(5))
    got, expected = rounded(x, "iree"), rounded(x, "reference")
    if dtype == np.float64:
        # On the way to float32 IREE's runtime takes subnormal results for zeros.
        least = float(np.finfo(np.float32).tiny)
        got, expected = (np.where(np.abs(x) < least, np.zeros_like(y), y) for y in (got, expected))
    nans = np.isnan(expected)
    assert np.array_equal(np.isnan(got), nans)
    assert np.array_equal(got[~nans].view(np.uint16), expected[~nans].view(np.uint16))
    assert np.array_equal(np.signbit(got[nans]), np.signbit(x[nans]))


@pytest.mark.parametrize("size", [0, 1, 7, 130])
def test_arithmetic_rounds_each_result(size):
    rng = np.random.default_rng(size)
    x, y, z = (rng.standard_normal(size).astype(ml_dtypes.bfloat16) for _ in range(3))
    program = wax.jit(lambda x, y, z: (x * y + z, x / y, wnp.sqrt(wnp.abs(x)), wnp.floor(z), x < y), backend="iree")
    wide = [v.astype(np.float64) for v in (x, y, z)]
    with np.errstate(all="ignore"):
        products = (wide[0] * wide[1]).astype(ml_dtypes.bfloat16)
        expected = [
            (products.astype(np.float64) + wide[2]).astype(ml_dtypes.bfloat16),
            (wide[0] / wide[1]).astype(ml_dtypes.bfloat16),
            np.sqrt(np.abs(wide[0])).astype(ml_dtypes.bfloat16),
            np.floor(wide[2]).astype(ml_dtypes.bfloat16),
            wide[0] < wide[1],
        ]
    for got, want in zip(program(*map(wnp.asarray, (x, y, z))), expected, strict=True):
        assert np.array_equal(np.asarray(got), want)


@pytest.mark.parametrize(
    "shapes", [((37, 65), (65, 41)), ((1, 65), (65, 41)), ((3, 5, 70), (3, 70, 9)), ((0, 4), (4, 3))]
)
def test_products_are_summed_in_float32_and_rounded_once(shapes):
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in shapes)
    got = np.asarray(wax.jit(wnp.matmul, backend="iree")(x, y)).astype(np.float64)
    np.testing.assert_allclose(got, x.astype(np.float64) @ y.astype(np.float64), rtol=2**-8, atol=1e-4)


def test_products_of_open_sizes_and_special_values():
    program = wax.jit(wnp.matmul, backend="iree", dynamic_shapes=({0: wax.Dim("n")}, None))
    for rows in (1, 2, 3):
        x = np.array([[np.nan, 1], [np.inf, -0.0], [-1e38, 1e38]], ml_dtypes.bfloat16)[:rows]
        y = np.array([[1, 2, 0], [-1, 1, 1]], ml_dtypes.bfloat16)
        with np.errstate(invalid="ignore"):
            expected = (x.astype(np.float64) @ y.astype(np.float64)).astype(ml_dtypes.bfloat16)
        np.testing.assert_array_equal(np.asarray(program(x, y)).astype(np.float64), expected.astype(np.float64))
