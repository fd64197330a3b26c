"""The spectral operations on the reference backend, against SciPy in extended precision."""

from itertools import chain

import numpy as np
import pytest
from fourier import ALONG_ONE, ALONG_SEVERAL, DYNAMIC, EMPTY, Transform
from reference_run import run


@pytest.mark.parametrize("one", [*chain(*ALONG_ONE.values(), ALONG_SEVERAL, DYNAMIC, EMPTY)], ids=str)
def test_fft_is_accurate_to_roundings(one):
    x = one.operand()
    one.check(np.asarray(run(one.text(), x)), x)


@pytest.mark.parametrize("length", [8, 9])
def test_fft_does_not_read_imaginary_parts_that_symmetry_says_are_zero(length):
    one = Transform((2, 5), "complex<f64>", (1,), length, inverse=True)
    x = one.operand()
    cleaned = x.copy()
    cleaned[:, 0] = x[:, 0].real
    if length == 8:
        cleaned[:, 4] = x[:, 4].real
    np.testing.assert_allclose(run(one.text(), x), run(one.text(), cleaned), rtol=0, atol=1e-14)


@pytest.mark.parametrize("element", ["f32", "complex<f64>"])
@pytest.mark.parametrize("inverse", [False, True])
def test_fft_is_linear_with_the_transpose_that_the_reference_states(element, inverse, rng):
    """Re Σ fft(x) · y is Re Σ x · transpose(y)."""
    n = 10
    x = rng.standard_normal(n) + (1j * rng.standard_normal(n) if element != "f32" else 0)
    if element == "f32":
        y = rng.standard_normal(n // 2 + 1) + 1j * rng.standard_normal(n // 2 + 1)
        there = run(Transform((n,), "f64", (0,), inverse=inverse).text(), x)
        weights = np.where(np.arange(n // 2 + 1) % (n // 2) == 0, 1, 0.5)
        back = run(Transform((n // 2 + 1,), "complex<f64>", (0,), n, inverse).text(), y * weights)
    else:
        y = rng.standard_normal(n) + 1j * rng.standard_normal(n)
        one = Transform((n,), "complex<f64>", (0,), inverse=inverse)
        there, back = run(one.text(), x), run(one.text(), y)
    np.testing.assert_allclose((there * y).sum().real, (x * back).sum().real, rtol=1e-12)
