"""`wax.convolve` on the reference backend, against its formula, and the transposes that its description states."""

from dataclasses import replace

import numpy as np
import pytest
from reference_run import run
from sliding import CONVOLUTIONS, Convolution, draw

#: In integers, which are exact, and without what is empty.
TRANSPOSED = [
    replace(one, element="i32", to="", dynamic=("", ""))
    for one in CONVOLUTIONS
    if 0 not in (*one.lhs_shape, *one.rhs_shape, *one.result_shape) and max(one.lhs_dilations, default=1) < 9
]


@pytest.mark.parametrize("one", CONVOLUTIONS, ids=str)
def test_convolve_sums_the_products_of_its_formula(one: Convolution) -> None:
    x, w = one.operands()
    np.testing.assert_array_equal(run(one.text(), x, w), one.expected(x, w), strict=True)


def _steps(one: Convolution) -> list[tuple[int, ...]]:
    """Strides, low, dilations of `lhs` and `rhs`, then the sizes of `lhs`, `rhs` and the result, of spatial dims."""
    given = [(one.strides, 1), (one.low, 0), (one.lhs_dilations, 1), (one.rhs_dilations, 1)]
    steps = [tuple(entries or (default,) * one.spatial) for entries, default in given]
    named = [(one.lhs, one.lhs_shape), (one.rhs, one.rhs_shape), (one.result, one.result_shape)]
    return steps + [tuple(shape[names.index(str(i))] for i in range(one.spatial)) for names, shape in named]


def _renamed(names: str, **others: str) -> str:
    return "".join(others.get(name, name) for name in names)


def _high(counts, strides, extents, dilations, sizes, spread, low) -> tuple[int, ...]:
    """What is to be put after, so that there are just so many windows."""
    return tuple(
        (count - 1) * stride + (extent - 1) * dilation + 1 - ((size - 1) * between + 1) - before
        for count, stride, extent, dilation, size, between, before in zip(
            counts, strides, extents, dilations, sizes, spread, low, strict=True
        )
    )


def _transposed_in_rhs(one: Convolution, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    strides, low, of, by, sizes, extents, counts = _steps(one)
    back = Convolution(
        lhs=_renamed(one.lhs, b="f", f="b"),
        lhs_shape=x.shape,
        rhs=_renamed(one.result, b="i", f="o"),
        rhs_shape=y.shape,
        result=_renamed(one.rhs, i="b", o="f"),
        strides=by,
        low=low,
        high=_high(extents, by, counts, strides, sizes, of, low),
        lhs_dilations=of,
        rhs_dilations=strides,
        features=one.batches,
        batches=one.features,
        element="i32",
    )
    return run(back.text(), x, y)


def _transposed_in_lhs(one: Convolution, w: np.ndarray, y: np.ndarray) -> np.ndarray:
    strides, low, of, by, sizes, extents, counts = _steps(one)
    groups = one.features * one.batches
    # i, o, spatial; reversed; the ins and outs of each group change roles.
    w = w.transpose([one.rhs.index(name) for name in ("i", "o", *"012"[: one.spatial])])
    w = np.flip(w, tuple(range(2, w.ndim)))
    w = np.moveaxis(w.reshape((w.shape[0], groups, -1, *w.shape[2:])), (2, 1, 0), (0, 1, 2))
    w = w.reshape((w.shape[0], groups * w.shape[2], *w.shape[3:]))
    before = tuple((extent - 1) * step - at for extent, step, at in zip(extents, by, low, strict=True))
    back = Convolution(
        lhs=one.result,
        lhs_shape=y.shape,
        rhs="io" + "012"[: one.spatial],
        rhs_shape=w.shape,
        result="bf" + "012"[: one.spatial],
        strides=of,
        low=before,
        high=_high(sizes, of, extents, by, counts, strides, before),
        lhs_dilations=strides,
        rhs_dilations=by,
        features=groups,
        element="i32",
    )
    x = run(back.text(), np.ascontiguousarray(y), np.ascontiguousarray(w))
    # Groups of batches were groups of features.
    x = x.reshape((x.shape[0], one.batches, -1, *x.shape[2:]))
    x = np.moveaxis(x, 1, 0).reshape((-1, *x.shape[2:]))
    names = ["b", "f", *"012"[: one.spatial]]
    return x.transpose([names.index(name) for name in one.lhs])


@pytest.mark.parametrize("one", TRANSPOSED, ids=str)
def test_transposes_of_convolve_are_convolves(one: Convolution) -> None:
    """Σ convolve(x, w) · y is Σ x · (transpose in lhs)(w, y) and Σ w · (transpose in rhs)(x, y)."""
    x, w = one.operands()
    y = draw(9, one.result_shape, "i32")
    product = (run(one.text(), x, w).astype(np.int64) * y).sum()
    assert (w.astype(np.int64) * _transposed_in_rhs(one, x, y)).sum() == product
    assert (x.astype(np.int64) * _transposed_in_lhs(one, w, y)).sum() == product
