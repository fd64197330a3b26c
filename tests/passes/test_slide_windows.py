"""Sums of windows by vectors (`wax-slide-windows`): depthwise convolutions and pooling, against NumPy in float64."""

import itertools

import numpy as np
import pytest
from product_programs import each_cpu
from tiers import every_other, tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax._compile import lower

RANDOM = np.random.default_rng(31)


def windows(x, extents, strides, dilations):
    """All windows of the dims between the first and the last: their points before those two."""
    points = []
    for at in itertools.product(*map(range, extents)):
        part = x
        for dim, (point, extent, stride, dilation) in enumerate(zip(at, extents, strides, dilations, strict=True), 1):
            places = (x.shape[dim] - (extent - 1) * dilation - 1) // stride + 1
            begin = point * dilation
            part = np.take(part, range(begin, begin + (places - 1) * stride + 1, stride), axis=dim)
        points.append(part)
    return np.stack(points)


def depthwise(x, w, strides, dilations, padding):
    x, w = (np.asarray(one, np.float64) for one in (x, w))
    x = np.pad(x, [(0, 0), *padding, (0, 0)])
    points = windows(x, w.shape[:-2], strides, dilations)
    return np.einsum("p...c,pc->...c", points, w.reshape(-1, w.shape[-1]))


#: Sizes of what is convolved, of the kernel; strides, dilations, padding.
CASES = {
    "same": ((2, 14, 14, 96), (3, 3), (1, 1), (1, 1), ((1, 1), (1, 1))),
    "valid": ((1, 9, 23, 32), (3, 3), (1, 1), (1, 1), ((0, 0), (0, 0))),
    "a tail": ((1, 8, 9, 19), (3, 3), (1, 1), (1, 1), ((1, 1), (1, 1))),
    "few features": ((2, 8, 9, 8), (3, 2), (1, 1), (1, 1), ((1, 0), (0, 1))),
    "strides": ((1, 15, 30, 48), (3, 3), (2, 2), (1, 1), ((0, 1), (1, 1))),
    "dilations": ((1, 19, 18, 33), (3, 3), (1, 1), (2, 3), ((2, 2), (3, 3))),
    "large windows": ((1, 10, 11, 24), (7, 7), (1, 1), (1, 1), ((3, 3), (3, 3))),
    "padding beyond": ((1, 3, 4, 16), (3, 3), (1, 1), (1, 1), ((4, 5), (6, 3))),
    "one place": ((1, 3, 3, 16), (3, 3), (1, 1), (1, 1), ((0, 0), (0, 0))),
    "causal": ((3, 50, 40), (4,), (1,), (1,), ((3, 0),)),
    "three dims": ((1, 5, 6, 7, 20), (2, 3, 3), (1, 2, 1), (1, 1, 1), ((1, 0), (1, 1), (1, 1))),
    "no batch": ((0, 8, 8, 16), (3, 3), (1, 1), (1, 1), ((1, 1), (1, 1))),
}
QUICK = {"same", "strides", "padding beyond", "causal"}


def arguments(name, dtype, shape=None):
    sizes, kernel, *_ = CASES[name]
    x = RANDOM.standard_normal(shape or sizes)
    w = RANDOM.standard_normal((*kernel, 1, sizes[-1]))
    if np.issubdtype(dtype, np.integer):
        x, w = np.round(x * 50), np.round(w * 50)
    return x.astype(dtype), w.astype(dtype)


def convolved(name):
    _, _, strides, dilations, padding = CASES[name]
    options = {"strides": strides, "dilations": dilations, "padding": padding, "channels_last": True}
    return lambda x, w: wax.nn.conv(x, w, groups=w.shape[-1], **options)


def check(name, x, w, found):
    _, _, strides, dilations, padding = CASES[name]
    wanted = depthwise(x, w, strides, dilations, padding)
    bound = depthwise(np.abs(x), np.abs(w), strides, dilations, padding)
    assert found.shape == wanted.shape and found.dtype == x.dtype
    eps = np.finfo(found.dtype).eps if np.issubdtype(found.dtype, np.floating) else 0
    assert np.all(np.abs(found - wanted) <= (np.prod(w.shape[:-1]) + 1) * eps * bound)


@pytest.mark.parametrize(
    ("name", "dtype"),
    every_other(tiered(CASES, QUICK.__contains__), ["float32", "float64", "int32", "float16"]),
)
@each_cpu
def test_depthwise_convolutions(name, dtype, cpu):
    x, w = arguments(name, dtype)
    check(name, x, w, np.asarray(wax.jit(convolved(name), backend="iree", options=cpu)(x, w)))


@pytest.mark.parametrize(
    "name", tiered(CASES, {"same", "strides", "padding beyond", "one place", "a tail"}.__contains__)
)
def test_channels_first(name):
    """Their dims are turned before they are padded."""
    x, w = arguments(name, "float32")
    _, _, strides, dilations, padding = CASES[name]
    options = {"strides": strides, "dilations": dilations, "padding": padding, "groups": x.shape[-1]}
    turned = np.moveaxis(w, (-1, -2), (0, 1))
    run = wax.jit(lambda x, w: wax.nn.conv(x, w, **options), backend="iree")
    found = np.asarray(run(np.ascontiguousarray(np.moveaxis(x, -1, 1)), np.ascontiguousarray(turned)))
    check(name, x, w, np.moveaxis(found, 1, -1))


@pytest.mark.parametrize("name", ["same", "valid", "a tail", "causal"])
def test_open_sizes(name):
    open_batch = wax.jit(convolved(name), backend="iree", dynamic_shapes=({0: wax.Dim("b")}, None))
    open_places = wax.jit(convolved(name), backend="iree", dynamic_shapes=({1: wax.Dim("p", min=4)}, None))
    sizes = CASES[name][0]
    for count in (1, 2, 5):
        x, w = arguments(name, "float32", (count, *sizes[1:]))
        check(name, x, w, np.asarray(open_batch(x, w)))
    for count in (3, 5, 9, 17):
        x, w = arguments(name, "float32", (sizes[0], count + 1, *sizes[2:]))
        check(name, x, w, np.asarray(open_places(x, w)))


def test_special_values_and_padding_that_meets_infinite_weights():
    x, w = arguments("same", "float32")
    x[0, 3, 4, 5], x[1, 0, 0, 7], x[0, 9, 9, 8], x[1, 2, 3, 9] = np.nan, np.inf, -np.inf, -0.0
    w[0, 0, 0, 11] = np.inf
    with np.errstate(invalid="ignore"):
        wanted = depthwise(x, w, *CASES["same"][2:])
    found = np.asarray(wax.jit(convolved("same"), backend="iree")(x, w))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(found[np.isinf(wanted)], wanted[np.isinf(wanted)])
    np.testing.assert_allclose(found[finite], wanted[finite], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["same", "strides", "causal"])
def test_gradients(name):
    """They are convolutions of the same kind, with kernels the other way round."""
    x, w = arguments(name, "float64")
    _, _, strides, dilations, padding = CASES[name]
    weights = RANDOM.standard_normal(depthwise(x, w, strides, dilations, padding).shape)
    grads = wax.jit(wax.grad(lambda x, w: wnp.sum(convolved(name)(x, w) * weights), (0, 1)), backend="iree")(x, w)
    for which, (found, given) in enumerate(zip(grads, (x, w), strict=True)):
        for _ in range(10):
            step = RANDOM.standard_normal(given.shape)
            moved = [x, w]
            moved[which] = step
            wanted = np.sum(depthwise(*moved, strides, dilations, padding) * weights)  # linear in each
            np.testing.assert_allclose(np.sum(np.asarray(found) * step), wanted, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("stride", "size"), every_other([1, 2], [((3, 3),), ((2, 2),)]), ids=str)
def test_pooling(size, stride):
    x = RANDOM.standard_normal((2, 13, 12, 40)).astype("float32")
    options = {"strides": stride, "channels_last": True}
    points = windows(np.asarray(x, np.float64), size, (stride, stride), (1, 1))
    mean = wax.jit(lambda x: wax.nn.avg_pool(x, size, **options), backend="iree")
    most = wax.jit(lambda x: wax.nn.max_pool(x, size, **options), backend="iree")
    np.testing.assert_allclose(np.asarray(mean(x)), points.mean(0), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(np.asarray(most(x)), points.max(0).astype("float32"))


def slides(function, *arguments):
    """Whether a program's windows are summed by vectors, and nothing is padded before."""
    text = lower(wax.jit(function).lower(*arguments)._function, "iree").text()
    return "vector.transfer_read" in text and "tensor.pad" not in text


def test_what_is_padded_is_not_written_first():
    image = np.zeros((2, 14, 14, 32), "float32")
    assert slides(lambda x: wax.nn.max_pool(x, 3, padding=1, channels_last=True), image)
    assert slides(lambda x: wax.nn.avg_pool(x, 2, strides=1, channels_last=True), image)
    assert slides(convolved("same"), *arguments("same", "float32"))
    assert slides(convolved("large windows"), *arguments("large windows", "float32"))
