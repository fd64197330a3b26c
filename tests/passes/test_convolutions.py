"""Convolutions as products of matrices in tiles (`wax-tile-products`), and their gradients, against sums in float64."""

import ml_dtypes
import numpy as np
import pytest
import torch
from tiers import every_other, tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax._compile import lower

RANDOM = np.random.default_rng(12)

#: The shapes of an image and of a kernel, and what else `wax.nn.conv` is told.
CASES = {
    "features last": ((2, 11, 9, 17), (3, 3, 17, 24), {"padding": 1}),
    "features first": ((2, 17, 11, 9), (24, 17, 3, 3), {"padding": 1, "channels_last": False}),
    "strides": ((1, 15, 17, 24), (3, 2, 24, 16), {"strides": 2, "padding": 1}),
    "strides, features first": (
        (1, 24, 15, 17),
        (16, 24, 3, 2),
        {"strides": 2, "padding": 1, "channels_last": False},
    ),
    "dilations": ((1, 13, 14, 16), (3, 3, 16, 18), {"dilations": 2, "padding": 1}),
    "three features": ((2, 20, 23, 3), (7, 7, 3, 32), {"strides": 2, "padding": 3}),
    "one feature": ((3, 17, 19, 1), (5, 4, 1, 33), {}),
    "many features": ((1, 5, 5, 300), (2, 2, 300, 20), {}),
    "one element": ((2, 9, 9, 40), (1, 1, 40, 32), {}),
    "one element, features first": ((2, 40, 9, 9), (32, 40, 1, 1), {"channels_last": False}),
    "groups": ((1, 12, 12, 32), (3, 3, 16, 64), {"padding": 1, "groups": 2}),
    "one dim": ((3, 50, 16), (5, 16, 20), {"padding": 2}),
    "one dim, features first": ((3, 16, 50), (20, 16, 5), {"padding": 2, "channels_last": False}),
    "three dims": ((1, 6, 7, 8, 8), (3, 2, 3, 8, 16), {"padding": 1}),
    "many positions": ((1, 25, 23, 63), (3, 3, 63, 131), {"padding": 1}),
    "many positions, features first": ((1, 63, 25, 23), (131, 63, 3, 3), {"padding": 1, "channels_last": False}),
    "few positions": ((1, 4, 5, 64), (3, 4, 64, 64), {}),
}
QUICK = {"features last", "strides, features first", "three features", "one dim"}


def convolution(name):
    """The function, and the shapes of its arguments."""
    *shapes, options = CASES[name]
    options = {"channels_last": True, **options}
    return (lambda x, w: wax.nn.conv(x, w, **options)), shapes


def draw(shapes, dtype="float32"):
    return [RANDOM.standard_normal(shape).astype(dtype) for shape in shapes]


def judged(name, x, w):
    """The sums in float64."""
    options, spatial = CASES[name][2], x.ndim - 2
    last = options.get("channels_last", True)
    x, w = (torch.from_numpy(np.asarray(factor, "float64")) for factor in (x, w))
    if last:
        x, w = x.movedim(-1, 1), w.permute(-1, -2, *range(spatial))
    sums = getattr(torch.nn.functional, f"conv{spatial}d")(
        *(x, w, None, options.get("strides", 1), options.get("padding", 0), options.get("dilations", 1)),
        groups=options.get("groups", 1),
    )
    return (sums.movedim(1, -1) if last else sums).numpy()


def bound(name, x, w):
    """The error of sums in float32, in its units of rounding."""
    result = judged(name, np.abs(x), np.abs(w))
    outs = w.shape[-1 if CASES[name][2].get("channels_last", True) else 0]
    return (w.size // outs + 2) * result


def has_tiles(function, *specs):
    return "fastmath<contract>" in lower(wax.jit(function).lower(*specs)._function, "iree").text()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dtype", tiered(["float32", "float64"], lambda dtype: dtype == "float32"))
def test_floats(name, dtype):
    function, shapes = convolution(name)
    x, w = draw(shapes, dtype)
    # Two rows of two positions are too few.
    assert has_tiles(function, x, w) == (name != "few positions")
    found = np.asarray(wax.jit(function, backend="iree")(x, w))
    assert np.all(np.abs(found - judged(name, x, w)) <= np.finfo(dtype).eps * bound(name, x, w))


@pytest.mark.parametrize("name", tiered(CASES, QUICK.__contains__))
def test_gradients(name):
    function, shapes = convolution(name)
    x, w = draw(shapes)
    cotangent = RANDOM.standard_normal(judged(name, x, w).shape).astype("float32")
    found = wax.jit(lambda x, w, ct: wax.vjp(function, x, w)[1](ct), backend="iree")(x, w, cotangent)
    # Both are linear in their factor: <ct, conv(d)> = <gradient, d>.
    for which, gradient in enumerate(found):
        direction = RANDOM.standard_normal(gradient.shape)
        factors = [direction, w] if which == 0 else [x, direction]
        one = np.sum(cotangent * judged(name, *factors))
        other = np.sum(np.asarray(gradient, "float64") * direction)
        assert abs(one - other) <= 1e-6 * np.sum(np.abs(cotangent) * judged(name, *map(np.abs, factors)))


@pytest.mark.parametrize("name", tiered(CASES, QUICK.__contains__))
@pytest.mark.parametrize("open_dims", tiered(["batch", "batch and positions"], "batch and positions".__eq__))
def test_open_sizes(name, open_dims):
    function, (shape, kernel) = convolution(name)
    first = 1 if CASES[name][2].get("channels_last", True) else 2
    positions = range(first, first + len(shape) - 2) if open_dims != "batch" else ()
    dims = {0: wax.Dim("n")} | {i: wax.Dim(f"s{i}", min=16) for i in positions}
    f = wax.jit(function, backend="iree", dynamic_shapes={"x": dims})
    for batch in (shape[0], 1, 5, 0):
        sizes = [size + 15 * (i in positions) for i, size in enumerate(shape)]
        x, w = draw([(batch, *sizes[1:]), kernel])
        found, wanted = np.asarray(f(x, w)), judged(name, x, w)
        assert found.shape == wanted.shape
        assert np.all(np.abs(found - wanted) <= np.finfo("float32").eps * bound(name, x, w))


@pytest.mark.parametrize(
    ("dtype", "name"),
    every_other([ml_dtypes.bfloat16, np.float16], tiered(CASES, QUICK.__contains__)),
    ids=lambda one: getattr(one, "__name__", one),
)
def test_short_floats_are_summed_in_f32(name, dtype):
    function, shapes = convolution(name)
    x, w = draw(shapes, dtype)
    wanted = judged(name, x, w)
    found = np.asarray(wax.jit(function, backend="iree")(x, w)).astype("float64")
    rounded = 2 * float(ml_dtypes.finfo(dtype).eps) * np.abs(wanted)
    assert np.all(np.abs(found - wanted) <= np.finfo("float32").eps * bound(name, x, w) + rounded)


@pytest.mark.parametrize(("dtype", "name"), every_other(["int8", "uint8"], tiered(CASES, QUICK.__contains__)))
def test_bytes_are_exact(name, dtype):
    function, shapes = convolution(name)
    ends = np.iinfo(dtype)
    x, w = (RANDOM.choice([ends.min, ends.max], shape).astype(dtype) for shape in shapes)
    found = wax.jit(lambda x, w: function(x.astype("int32"), w.astype("int32")), backend="iree")(x, w)
    np.testing.assert_array_equal(np.asarray(found), judged(name, x, w))


def test_special_values_stay_in_their_windows():
    function, shapes = convolution("features last")
    x, w = (np.ones(shape, "float32") for shape in shapes)
    # What is around the image is 0, and 0 · -inf no number.
    x[0, 3, 4, 5], x[1, 10, 8, 0], x[1, 0, 0, 16], w[0, 0, 0, 7] = np.nan, np.inf, -np.inf, -np.inf
    wanted = np.asarray(wax.jit(function, backend="reference")(x, w))
    assert 0 < np.isnan(wanted).sum() < wanted.size / 8
    np.testing.assert_array_equal(np.asarray(wax.jit(function, backend="iree")(x, w)), wanted)


@pytest.mark.parametrize("backend", ["iree", "reference"])
def test_nothing_but_padding_is_multiplied(backend):
    x, w = np.zeros((2, 3, 0), "float32"), np.ones((2, 3, 1), "float32")
    w[0, 0, 0] = np.nan
    found = np.asarray(wax.jit(lambda x, w: wax.nn.conv(x, w, padding=2), backend=backend)(x, w))
    np.testing.assert_array_equal(found, np.broadcast_to(np.float32([[np.nan], [0]]), (2, 2, 4)))


def test_a_bias_and_what_follows():
    function, shapes = convolution("features last")
    x, w = draw(shapes)
    bias = RANDOM.standard_normal(24).astype("float32")
    found = wax.jit(lambda x, w, b: wax.nn.relu(function(x, w) + b), backend="iree")(x, w, bias)
    np.testing.assert_allclose(np.asarray(found), np.maximum(judged("features last", x, w) + bias, 0), atol=1e-4)


def test_of_a_batch_of_kernels():
    function, shapes = convolution("groups")
    x, w = (np.stack(several) for several in zip(*(draw(shapes) for _ in range(3)), strict=True))
    found = wax.jit(wax.vmap(function), backend="iree")(x, w)
    wanted = [judged("groups", *pair) for pair in zip(x, w, strict=True)]
    np.testing.assert_allclose(np.asarray(found), wanted, atol=1e-4)


def test_sums_of_several_dims_that_lie_apart():
    shapes = {"aib,ajb->ij": ((5, 30, 24), (5, 40, 24)), "aib,baj->ij": ((5, 30, 24), (24, 5, 40))}
    for spelled, sizes in shapes.items():
        x, y = draw(sizes)

        def function(x, y, spelled=spelled):
            return wnp.einsum(spelled, x, y)

        wanted = np.einsum(spelled, x.astype("f8"), y.astype("f8"))
        np.testing.assert_allclose(wax.jit(function, backend="iree")(x, y), wanted, atol=1e-4)
        np.testing.assert_allclose(wax.jit(lambda y, x, f=function: f(x, y), backend="iree")(y, x), wanted, atol=1e-4)
