"""Products of matrices, however they are written: one contraction of two tensors, and the same numbers."""

import re

import numpy as np
import pytest
from tiers import tiered

import wax
import wax.numpy as wnp

RANDOM = np.random.default_rng(5)

#: How a product of (m, k) and (k, n) is written, and what it is of.
WRITTEN = {
    "matmul": (lambda x, w: x @ w, lambda x, w: x @ w),
    "einsum": (lambda x, w: wnp.einsum("jk,ij->ik", w, x), lambda x, w: x @ w),
    "summed": (lambda x, w: wnp.sum(x[:, :, None] * w[None], axis=1), lambda x, w: x @ w),
    "rows first": (lambda x, w: wnp.sum(x.T[:, :, None] * w[:, None, :], axis=0), lambda x, w: x @ w),
    "batched": (lambda x, w: wax.vmap(lambda row: wnp.sum(row[:, None] * w, axis=0))(x), lambda x, w: x @ w),
    "negated": (lambda x, w: wnp.sum(-(x[:, :, None] * w[None]), axis=1), lambda x, w: -(x @ w)),
    "a kernel": (
        lambda x, w: wnp.sum(wax.kernel.broadcast(lambda a, b: wnp.exp(a) * -b, x[:, :, None], w[None]), axis=1),
        lambda x, w: np.exp(x) @ -w,
    ),
    "a masked kernel": (
        lambda x, w: wnp.sum(
            wax.kernel.broadcast(lambda a, b: b * wnp.where(a > 0, a, 0), x[:, :, None], w[None]), axis=1
        ),
        lambda x, w: np.where(x > 0, x, 0) @ w,
    ),
}
#: Nearly the same, and no product of two matrices to the bit.
OTHERS = {
    "a quotient": lambda x, w: wnp.sum(x[:, :, None] / w[None], axis=1),
    "a third factor": lambda x, w: wnp.sum((x[:, :, None] * w[None]) * 3, axis=1),
    "squared distances": lambda x, w: wnp.sum((x[:, :, None] - w[None]) ** 2, axis=1),
    "a maximum": lambda x, w: wnp.max(x[:, :, None] * w[None], axis=1),
}


def array(*shape):
    return RANDOM.standard_normal(shape).astype("f4")


def bodies(function):
    """The scalar operations of each reduction over three loops."""
    text = wax.jit(function).lower(array(4, 8), array(8, 6)).as_text()
    found = re.findall(r'"reduction".*?\n(.*?)linalg\.yield', text, re.DOTALL)
    return [re.findall(r"(?:arith|math)\.\w+", body) for body in found]


@pytest.mark.parametrize("name", WRITTEN)
def test_it_is_one_contraction(name):
    assert [sorted(body) for body in bodies(WRITTEN[name][0])] == [["arith.addf", "arith.mulf"]]


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_product_of_two_is_left(name):
    (body,) = bodies(OTHERS[name])
    assert sorted(body) != ["arith.addf", "arith.mulf"]


@pytest.mark.parametrize("name", ["negated", "a kernel", "a masked kernel"])
@pytest.mark.parametrize("open_sizes", tiered([False, True], lambda is_open: is_open))
def test_it_computes_the_same_at_any_size(name, open_sizes):
    function, want = WRITTEN[name]
    m, k = wax.Dim("m"), wax.Dim("k")
    f = wax.jit(function, backend="iree", dynamic_shapes=({0: m, 1: k}, {0: k}) if open_sizes else None)
    for rows, inner in ((33, 17), (2, 130), (0, 3), (5, 1)):
        x, w = array(rows, inner), array(inner, 7)
        np.testing.assert_allclose(f(x, w).numpy(), want(x, w), rtol=1e-4, atol=1e-4)


def test_special_values_go_through():
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, 3e38, -1.0], "f4")
    x, w = np.stack([special, special[::-1]]), np.eye(8, 3, dtype="f4") + 1
    function, _ = WRITTEN["negated"]
    with np.errstate(all="ignore"):
        want = np.stack([0 + -(x[:, :1] * w[:1]), 0 + -(x[:, 4:5] * w[4:5])])
    got = [wax.jit(function, backend="iree")(x[:, i : i + 1], w[i : i + 1]).numpy() for i in (0, 4)]
    np.testing.assert_array_equal(np.stack(got), want)
    np.testing.assert_array_equal(np.signbit(got[1]), np.signbit(want[1]))
