"""`wax.window` and `wax.fold` on the reference backend, against their formulas taken an element at a time."""

import numpy as np
import pytest
from reference_run import run
from scalar_judges import DTYPES
from sliding import WINDOWS, Window, draw

SUMS = {"i": "arith.addi", "f": "arith.addf", "c": "complex.add"}


def kind(element: str) -> str:
    return "c" if element.startswith("complex") else "i" if element.startswith("i") else "f"


@pytest.mark.parametrize("one", WINDOWS, ids=str)
def test_window_shows_the_elements_that_its_formula_names(one: Window) -> None:
    x = draw(3, one.shape, one.element)
    got = run(one.text(), x)
    assert got.dtype == x.dtype
    np.testing.assert_array_equal(got, one.expected(x), strict=True)


@pytest.mark.parametrize("one", WINDOWS, ids=str)
@pytest.mark.parametrize("ordered", ["", "ordered "])
def test_fold_adds_the_windows_where_they_were(one: Window, ordered: str) -> None:
    windows = draw(4, one.windows_shape, one.element)
    init = np.ones((), DTYPES[one.element])
    got = run(one.fold_text(ordered + SUMS[kind(one.element)]), windows, init, np.empty(one.shape, windows.dtype))
    np.testing.assert_array_equal(got, one.folded(windows, init, lambda x, s: x + s), strict=True)


@pytest.mark.parametrize("one", [one for one in WINDOWS if one.element in ("f32", "f64")], ids=str)
def test_fold_without_combine_goes_in_the_order_of_the_windows(one: Window) -> None:
    """`acc = 3 · acc + element`, in which any other order is another number."""
    windows = draw(5, one.windows_shape, one.element)
    text = one.fold_text(
        "",
        kernel=f"%t = arith.constant 3.0 : {one.element} %u = arith.mulf %s, %t : {one.element} "
        f"%r = arith.addf %e, %u : {one.element}",
    )
    init = np.ones((), windows.dtype)
    got = run(text, windows, init, np.empty(one.shape, windows.dtype))
    np.testing.assert_array_equal(got, one.folded(windows, init, lambda x, s: x + s * 3), strict=True)


@pytest.mark.parametrize("one", [one for one in WINDOWS if one.element in ("f32", "f64", "i32")], ids=str)
def test_fold_is_the_transpose_of_window(one: Window) -> None:
    """Σ window(x) · y is Σ x · fold(y)."""
    x, y = draw(6, one.shape, one.element), draw(7, one.windows_shape, one.element)
    zero = np.zeros((), x.dtype)
    back = run(one.fold_text(SUMS[kind(one.element)]), y, zero, x)
    assert (run(one.text(), x) * y).sum() == (x * back).sum()
