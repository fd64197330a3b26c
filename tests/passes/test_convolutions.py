"""Convolutions as products of matrices in tiles (`wax-tile-products`), and their gradients, against sums in float64."""

from dataclasses import dataclass

import ml_dtypes
import numpy as np
import pytest
from tiers import tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax._compile import lower

RANDOM = np.random.default_rng(12)


@dataclass(frozen=True)
class Convolution:
    """Sizes by name, as `wax.nn.conv` takes them."""

    batch: int
    ins: int
    sizes: tuple[int, ...]
    outs: int
    kernel: tuple[int, ...]
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    groups: int = 1
    last: bool = True

    def shapes(self):
        features = self.ins // self.groups
        if self.last:
            return (self.batch, *self.sizes, self.ins), (*self.kernel, features, self.outs)
        return (self.batch, self.ins, *self.sizes), (self.outs, features, *self.kernel)

    def draw(self, dtype="float32"):
        return [RANDOM.standard_normal(shape).astype(dtype) for shape in self.shapes()]

    def __call__(self, x, w):
        steps = {"strides": self.stride, "padding": self.padding, "dilations": self.dilation, "groups": self.groups}
        return wax.nn.conv(x, w, channels_last=self.last, **steps)

    def judged(self, x, w):
        """The sums in float64."""
        x, w = np.asarray(x, "float64"), np.asarray(w, "float64")
        spatial = len(self.sizes)
        if not self.last:
            x, w = np.moveaxis(x, 1, -1), np.transpose(w, (*range(2, spatial + 2), 1, 0))
        x = np.pad(x, [(0, 0), *[(self.padding, self.padding)] * spatial, (0, 0)])
        outs = [
            max((size - self.dilation * (kernel - 1) - 1) // self.stride + 1, 0)
            for size, kernel in zip(x.shape[1:-1], self.kernel, strict=True)
        ]
        total = np.zeros((x.shape[0], *outs, self.outs))
        for element in np.ndindex(self.kernel):
            starts = [self.dilation * place for place in element]
            ends = [start + (out - 1) * self.stride + 1 for start, out in zip(starts, outs, strict=True)]
            part = x[:, *(slice(start, end, self.stride) for start, end in zip(starts, ends, strict=True))]
            part = part.reshape(*part.shape[:-1], self.groups, self.ins // self.groups)
            factors = w[element].reshape(self.ins // self.groups, self.groups, self.outs // self.groups)
            total += np.einsum("...gc,cgo->...go", part, factors).reshape(total.shape)
        return total if self.last else np.moveaxis(total, -1, 1)

    def bound(self, x, w):
        """The error of sums in float32, in its units of rounding."""
        return (np.prod(self.kernel) * self.ins // self.groups + 2) * self.judged(np.abs(x), np.abs(w))


CASES = {
    "features last": Convolution(2, 17, (11, 9), 24, (3, 3), padding=1),
    "features first": Convolution(2, 17, (11, 9), 24, (3, 3), padding=1, last=False),
    "strides": Convolution(1, 24, (15, 17), 16, (3, 2), stride=2, padding=1),
    "strides, features first": Convolution(1, 24, (15, 17), 16, (3, 2), stride=2, padding=1, last=False),
    "dilations": Convolution(1, 16, (13, 14), 18, (3, 3), dilation=2, padding=1),
    "three features": Convolution(2, 3, (20, 23), 32, (7, 7), stride=2, padding=3),
    "one feature": Convolution(3, 1, (17, 19), 33, (5, 4)),
    "many features": Convolution(1, 300, (5, 5), 20, (2, 2)),
    "one element": Convolution(2, 40, (9, 9), 32, (1, 1)),
    "one element, features first": Convolution(2, 40, (9, 9), 32, (1, 1), last=False),
    "groups": Convolution(1, 32, (12, 12), 64, (3, 3), padding=1, groups=2),
    "one dim": Convolution(3, 16, (50,), 20, (5,), padding=2),
    "one dim, features first": Convolution(3, 16, (50,), 20, (5,), padding=2, last=False),
    "three dims": Convolution(1, 8, (6, 7, 8), 16, (3, 2, 3), padding=1),
    "few positions": Convolution(1, 64, (4, 5), 64, (3, 4)),
}
QUICK = {"features last", "strides, features first", "three features", "one dim"}


def has_tiles(function, *specs):
    return "fastmath<contract>" in lower(wax.jit(function).lower(*specs)._function, "iree").text()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("dtype", tiered(["float32", "float64"], lambda dtype: dtype == "float32"))
def test_floats(name, dtype):
    case = CASES[name]
    x, w = case.draw(dtype)
    # Two rows are too few.
    assert has_tiles(case, x, w) == (name != "few positions")
    found = np.asarray(wax.jit(case, backend="iree")(x, w))
    assert np.all(np.abs(found - case.judged(x, w)) <= np.finfo(dtype).eps * case.bound(x, w))


@pytest.mark.parametrize("name", tiered(CASES, QUICK.__contains__))
def test_gradients(name):
    case = CASES[name]
    x, w = case.draw()
    wanted = case.judged(x, w)
    cotangent = RANDOM.standard_normal(wanted.shape).astype("float32")
    found = wax.jit(lambda x, w, ct: wax.vjp(case, x, w)[1](ct), backend="iree")(x, w, cotangent)
    # Both are linear in their factor: <ct, conv(d)> = <gradient, d>.
    for which, gradient in enumerate(found):
        direction = RANDOM.standard_normal(gradient.shape)
        factors = [direction, w] if which == 0 else [x, direction]
        one = np.sum(cotangent * case.judged(*factors))
        other = np.sum(np.asarray(gradient, "float64") * direction)
        assert abs(one - other) <= 1e-6 * np.sum(np.abs(cotangent) * case.judged(*map(np.abs, factors)))


@pytest.mark.parametrize("name", tiered(CASES, QUICK.__contains__))
@pytest.mark.parametrize("open_dims", ["batch", "batch and positions"])
def test_open_sizes(name, open_dims):
    case = CASES[name]
    first = 1 if case.last else 2
    dims = {0: wax.Dim("n")}
    if open_dims != "batch":
        dims |= {first + i: wax.Dim(f"s{i}", min=16) for i in range(len(case.sizes))}
    f = wax.jit(case, backend="iree", dynamic_shapes={"x": dims})
    w = case.draw()[1]
    for batch in (case.batch, 1, 5, 0):
        sizes = tuple(size + 15 * (open_dims != "batch") for size in case.sizes)
        x = RANDOM.standard_normal(Convolution(**{**vars(case), "batch": batch, "sizes": sizes}).shapes()[0])
        x = x.astype("float32")
        found = np.asarray(f(x, w))
        wanted = case.judged(x, w)
        assert found.shape == wanted.shape
        assert np.all(np.abs(found - wanted) <= np.finfo("float32").eps * case.bound(x, w))


@pytest.mark.parametrize("name", tiered(CASES, QUICK.__contains__))
@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16], ids=["bfloat16", "float16"])
def test_short_floats_are_summed_in_f32(name, dtype):
    case = CASES[name]
    x, w = case.draw(dtype)
    wanted = case.judged(x, w)
    found = np.asarray(wax.jit(case, backend="iree")(x, w)).astype("float64")
    rounded = 2 * float(ml_dtypes.finfo(dtype).eps) * np.abs(wanted)
    assert np.all(np.abs(found - wanted) <= np.finfo("float32").eps * case.bound(x, w) + rounded)


@pytest.mark.parametrize("name", tiered(CASES, QUICK.__contains__))
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_bytes_are_exact(name, dtype):
    case = CASES[name]
    ends = np.iinfo(dtype)
    x, w = (RANDOM.choice([ends.min, ends.max], shape).astype(dtype) for shape in case.shapes())
    found = wax.jit(lambda x, w: case(x.astype("int32"), w.astype("int32")), backend="iree")(x, w)
    np.testing.assert_array_equal(np.asarray(found), case.judged(x, w))


def test_special_values_stay_in_their_windows():
    case = CASES["features last"]
    x, w = (np.ones(shape, "float32") for shape in case.shapes())
    x[0, 3, 4, 5], x[1, 10, 8, 0], x[1, 0, 0, 16], w[0, 0, 0, 7] = np.nan, np.inf, -np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        wanted = case.judged(x, w)
        # What is around the image is 0, and 0 · -inf no number.
        np.testing.assert_array_equal(np.asarray(wax.jit(case, backend="iree")(x, w)), wanted)


@pytest.mark.parametrize("backend", ["iree", "reference"])
def test_nothing_but_padding_is_multiplied(backend):
    x, w = np.zeros((2, 3, 0), "float32"), np.ones((2, 3, 1), "float32")
    w[0, 0, 0] = np.nan
    found = np.asarray(wax.jit(lambda x, w: wax.nn.conv(x, w, padding=2), backend=backend)(x, w))
    np.testing.assert_array_equal(found, np.broadcast_to(np.float32([[np.nan], [0]]), (2, 2, 4)))


def test_a_bias_and_what_follows():
    case = CASES["features last"]
    x, w = case.draw()
    bias = RANDOM.standard_normal(case.outs).astype("float32")
    found = wax.jit(lambda x, w, b: wax.nn.relu(case(x, w) + b), backend="iree")(x, w, bias)
    np.testing.assert_allclose(np.asarray(found), np.maximum(case.judged(x, w) + bias, 0), atol=1e-4)


def test_of_a_batch_of_kernels():
    case = Convolution(1, 16, (12, 12), 16, (3, 3), padding=1)
    x, w = (np.stack(several) for several in zip(*(case.draw() for _ in range(3)), strict=True))
    found = wax.jit(wax.vmap(case), backend="iree")(x, w)
    wanted = [case.judged(*pair) for pair in zip(x, w, strict=True)]
    np.testing.assert_allclose(np.asarray(found), wanted, atol=1e-4)


def test_sums_of_several_dims_that_lie_apart():
    shapes = {"aib,ajb->ij": ((5, 30, 24), (5, 40, 24)), "aib,baj->ij": ((5, 30, 24), (24, 5, 40))}
    for spelled, sizes in shapes.items():
        x, y = (RANDOM.standard_normal(shape).astype("float32") for shape in sizes)

        def function(x, y, spelled=spelled):
            return wnp.einsum(spelled, x, y)

        wanted = np.einsum(spelled, x.astype("f8"), y.astype("f8"))
        np.testing.assert_allclose(wax.jit(function, backend="iree")(x, y), wanted, atol=1e-4)
        np.testing.assert_allclose(wax.jit(lambda y, x, f=function: f(x, y), backend="iree")(y, x), wanted, atol=1e-4)
