"""Windows that are multiplied with kernels and summed are convolutions (`wax-convolve-windows`), against sums in
float64."""

import ml_dtypes
import numpy as np
import pytest
from tiers import tiered

import wax
import wax.numpy as wnp
from wax import nn
from wax._canonical import canonical
from wax.recognition import raised, recognized

RANDOM = np.random.default_rng(31)


def windows(x, dims, sizes, strides=1, dilations=1):
    return wnp.sliding_window_view(x, sizes, dims, strides=strides, dilations=dilations)


#: The line that takes windows.
WINDOWS = windows.__code__.co_firstlineno + 1


def shown(x, dims, sizes, strides=None, dilations=None):
    """The same by NumPy."""
    for place, dim in enumerate(dims):
        stride, dilation = strides[place] if strides else 1, dilations[place] if dilations else 1
        span = (sizes[place] - 1) * dilation + 1
        x = np.lib.stride_tricks.sliding_window_view(x, span, axis=dim)[..., ::dilation]
        x = x[(slice(None),) * dim + (slice(None, None, stride),)]
    return x


#: The shapes of a tensor and of a kernel, what windows are taken, and the sum of products.
CASES = {
    "features last": ((2, 9, 7, 5), (3, 2, 5, 6), ([1, 2], [3, 2]), "bhwckl,klco->bhwo"),
    "features first": ((2, 5, 9, 7), (6, 5, 3, 2), ([2, 3], [3, 2]), "ockl,bchwkl->bohw"),
    "one dim": ((3, 11, 4), (5, 4, 3), ([1], [3]), "ock,bxck->bxo"),
    "three dims": ((5, 6, 7, 2), (2, 3, 2, 2, 3), ([0, 1, 2], [2, 3, 2]), "xyzcklm,klmco->xyzo"),
    "strides": ((2, 10, 9, 3), (3, 3, 3, 4), ([1, 2], [3, 3], [2, 3]), "bhwckl,klco->bhwo"),
    "dilations": ((2, 10, 11, 3), (3, 2, 3, 4), ([1, 2], [3, 2], [1, 2], [2, 3]), "bhwckl,klco->bhwo"),
    "an image": ((9, 8), (3, 5), ([0, 1], [3, 5]), "hwkl,kl->hw"),
    "each channel": ((2, 9, 8, 5), (3, 3, 5), ([1, 2], [3, 3]), "bhwckl,klc->bhwc"),
    "groups": ((2, 9, 5), (3, 5, 4), ([1], [3]), "bhgk,kgo->bhgo"),
    "groups out of order": ((2, 9, 5), (4, 3, 5), ([1], [3]), "bhgk,okg->bogh"),
    "several of a kind": ((2, 3, 9, 4, 5), (3, 6, 5, 4, 2), ([2], [3]), "abhcdk,kodcp->pbhao"),
    "of size 1": ((1, 9, 1, 1), (3, 1, 1, 1), ([1, 2], [3, 1]), "bhwckl,klco->bhwo"),
    "one window": ((2, 3, 3, 5), (3, 3, 5, 6), ([1, 2], [3, 3]), "bhwckl,klco->bhwo"),
    "patches": ((2, 8, 12, 3), (4, 4, 3, 6), ([1, 2], [4, 4], [4, 4]), "bhwckl,klco->bhwo"),
}  # fmt: skip
QUICK = {"features last", "groups out of order", "several of a kind", "dilations"}


def drawn(name, dtype="float64"):
    made = [RANDOM.standard_normal(shape) * 4 for shape in CASES[name][:2]]
    return [one.astype(dtype) for one in made]


def by_einsum(name):
    _, _, how, subscripts = CASES[name]
    swapped = subscripts.startswith("ock")

    def function(x, k):
        return wnp.einsum(subscripts, *((k, windows(x, *how)) if swapped else (windows(x, *how), k)))

    return function


def by_sums(name):
    """Each tensor with all dims, multiplied, and summed."""
    _, _, how, subscripts = CASES[name]
    inputs, output = subscripts.split("->")
    first, second = inputs.split(",")
    if subscripts.startswith("ock"):
        first, second = second, first
    summed = [letter for letter in dict.fromkeys(first + second) if letter not in output]
    order = [*summed, *output]

    def spread(x, letters):
        letters = list(letters)
        x = wnp.permute_dims(x, [letters.index(one) for one in order if one in letters])
        return x[tuple(slice(None) if one in letters else None for one in order)]

    return lambda x, k: wnp.sum(spread(k, second) * spread(windows(x, *how), first), axis=tuple(range(len(summed))))


def judged(name, x, k):
    _, _, how, subscripts = CASES[name]
    view = shown(np.asarray(x, "float64"), *how)
    k = np.asarray(k, "float64")
    return np.einsum(subscripts, *((k, view) if subscripts.startswith("ock") else (view, k)))


def specs(name, dtype="float32"):
    return [wax.ShapeDtypeStruct(shape, dtype) for shape in CASES[name][:2]]


def found(function, *arguments):
    """The text once convolutions are found."""
    module = canonical(wax.jit(function).trace(*arguments)._function.function)
    module.run("wax-convolve-windows,wax-simplify,cse,wax-verify-normal-form")
    return module.text()


# Which of several dims of size 1 is which, reshapes do not tell.
FOUND = [(name, spell) for name in CASES for spell in (by_einsum, by_sums) if (name, spell) != ("of size 1", by_sums)]


@pytest.mark.parametrize(("name", "spell"), FOUND)
def test_a_convolution_is_found(name, spell):
    text = found(spell(name), *specs(name))
    assert text.count("wax.convolve") == 1 and "wax.window" not in text and "wax.reduce" not in text


TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-5, "float64": 1e-13}


@pytest.mark.parametrize("spell", tiered([by_einsum, by_sums], lambda spell: spell is by_einsum))
@pytest.mark.parametrize("dtype", tiered(TOLERANCE, lambda dtype: dtype == "float32"))
@pytest.mark.parametrize("name", tiered(CASES, QUICK.__contains__))
def test_floats(name, dtype, spell):
    x, k = drawn(name, ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    bound = judged(name, np.abs(np.asarray(x, "f8")), np.abs(np.asarray(k, "f8"))).max() * TOLERANCE[dtype]
    for backend in ("iree", "reference"):
        got = np.asarray(wax.jit(spell(name), backend=backend)(x, k), "float64")
        np.testing.assert_allclose(got, judged(name, x, k), rtol=0, atol=bound)


@pytest.mark.parametrize("dtype", tiered(["int8", "uint8", "int32", "int64"], lambda dtype: dtype == "int32"))
@pytest.mark.parametrize("name", tiered(CASES, {"groups"}.__contains__))
def test_integers(name, dtype):
    x, k = (abs(one).astype(dtype) for one in drawn(name))
    got = wax.jit(by_einsum(name), backend="iree")(x, k)
    np.testing.assert_array_equal(np.asarray(got), judged(name, x, k).astype("int64").astype(np.asarray(got).dtype))


def test_bytes_are_summed_in_wider_integers():
    x, k = (RANDOM.integers(0, 256, shape).astype("uint8") for shape in ((40,), (9,)))

    def function(x, k):
        return wnp.einsum("xk,k->x", windows(x, [0], [9]).astype("int32"), k.astype("int32"))

    assert "wax.convolve" in found(function, *(wax.ShapeDtypeStruct(one.shape, one.dtype) for one in (x, k)))
    want = np.correlate(x.astype("int32"), k.astype("int32"))
    np.testing.assert_array_equal(np.asarray(wax.jit(function)(x, k)), want)


OPEN = {
    "features last": (("b", "h", "w", "c"), (3, 2, "c", "o")),
    "groups out of order": (("b", "h", 5), ("o", 3, 5)),
    "several of a kind": (("a", "b", "h", "c", "d"), (3, "o", "d", "c", "p")),
}


@pytest.mark.parametrize("name", tiered(OPEN, {"features last"}.__contains__))
def test_open_sizes(name):
    shapes = [
        [wax.Dim(size, min=3 if size in "hw" else 1) if isinstance(size, str) else size for size in shape]
        for shape in OPEN[name]
    ]
    arguments = [wax.ShapeDtypeStruct(tuple(shape), "float32") for shape in shapes]
    assert "wax.convolve" in found(by_einsum(name), *arguments)
    x, k = drawn(name, "float32")
    compiled = wax.jit(by_einsum(name)).lower(*arguments).compile()
    np.testing.assert_allclose(np.asarray(compiled(x, k)), judged(name, x, k), rtol=0, atol=1e-3)


@pytest.mark.parametrize("name", ["features last", "strides", "dilations"])
def test_gradients_are_what_differences_say(name):
    x, k = drawn(name)
    weights = RANDOM.standard_normal(judged(name, x, k).shape)

    def loss(x, k):
        return wnp.sum(by_einsum(name)(x, k) * weights)

    gradients = [np.asarray(one) for one in wax.jit(wax.grad(loss, (0, 1)))(x, k)]
    for place, gradient in enumerate(gradients):  # the loss is linear in each
        towards = RANDOM.standard_normal(gradient.shape)
        moved = [towards if other == place else one for other, one in enumerate((x, k))]
        np.testing.assert_allclose(np.sum(gradient * towards), np.sum(judged(name, *moved) * weights), rtol=1e-10)


def test_zeros_around_become_its_own_and_nan_stays():
    def function(x, k):
        return wnp.einsum("xk,k->x", windows(wnp.pad(x, ((1, 1),)), [0], [3]), k)

    arguments = [wax.ShapeDtypeStruct((size,), "float32") for size in (8, 3)]
    assert "low [1] high [1]" in found(function, *arguments)
    x, k = np.arange(8, dtype="float32"), np.array([np.inf, 1, 1], "float32")
    got = [np.asarray(wax.jit(function, optimize=choice)(x, k)) for choice in (True, False)]
    np.testing.assert_array_equal(*got)
    assert np.isnan(got[0][0])


def test_a_plain_program_stays_plain():
    traced = wax.jit(by_einsum("features last"), optimize=False).trace(*specs("features last"))._function
    assert "wax.window" in raised(traced, {"convolve"}).text()


def test_explain_tells_that_a_convolution_was_found_and_where():
    def function(x, k):
        view = windows(x, [1, 2], [3, 2])
        return wnp.einsum("bhwckl,klco->bhwo", view, k)

    explanation = wax.jit(function).lower(*specs("features last")).explain()
    (one,) = explanation.recognized
    line = function.__code__.co_firstlineno
    assert one.name == "convolve" and [place.line for place in one.locations] == [line + 2, WINDOWS]
    assert f"recognized: convolve tensor<2x7x6x6xf32> at test_convolve_windows.py:{line + 2}" in str(explanation)


def test_what_is_written_as_a_convolution_was_not_found():
    arguments = [wax.ShapeDtypeStruct(shape, "float32") for shape in [(1, 3, 8), (4, 3, 3)]]
    assert recognized(wax.jit(nn.conv).trace(*arguments)._function) == ()


def test_a_backend_that_wants_convolutions_gets_them():
    traced = (
        wax.jit(lambda x, k: wnp.einsum("xk,k->x", windows(x, [0], [3]), k) @ k)
        .trace(*(wax.ShapeDtypeStruct((size,), "float32") for size in (5, 3)))
        ._function
    )
    assert "wax.convolve" not in raised(traced, {"contract"}).text()
    assert "wax.contract" not in raised(traced, {"convolve"}).text()
    both = raised(traced, {"convolve", "contract"}).text()
    assert "wax.convolve" in both and "wax.contract" in both


X, K = (wax.ShapeDtypeStruct(shape, "float32") for shape in ((9, 9), (3, 3)))

NEARLY = {
    "a kernel for each window": (
        lambda x, k: wnp.einsum("xk,xk->x", windows(x, [0], [3]), k), wax.ShapeDtypeStruct((5,), "float32"), K,
    ),
    "part of a window": (lambda x, k: wnp.einsum("hwkl,km->hwlm", windows(x, [0, 1], [3, 3]), k), X, K),
    "some elements of windows": (lambda x, k: wnp.einsum("hwk,km->hwm", windows(x, [0, 1], [3, 3])[..., 0], k), X, K),
    "a diagonal of windows": (lambda x, k: wnp.einsum("hwkk,km->hwm", windows(x, [0, 1], [3, 3]), k), X, K),
    "the greatest product": (lambda x, k: wnp.max(windows(x, [0, 1], [3, 3]) * k, axis=(2, 3)), X, K),
    "the same windows twice": (
        lambda x, k: wnp.sum(windows(x, [0, 1], [3, 3]) * windows(x, [0, 1], [3, 3]), axis=(2, 3)), X, K,
    ),
    "groups of several features": (
        lambda x, k: wnp.einsum("hgck,kgco->hgo", windows(x, [0], [3]), k),
        wax.ShapeDtypeStruct((9, 2, 4), "float32"), wax.ShapeDtypeStruct((3, 2, 4, 5), "float32"),
    ),
    "no product": (lambda x, k: wnp.sum(windows(x, [0, 1], [3, 3]) + k, axis=(2, 3)), X, K),
    "a sum over windows": (lambda x, k: wnp.einsum("hwkl,kl->h", windows(x, [0, 1], [3, 3]), k), X, K),
    "windows are returned": (
        lambda x, k: (lambda view: (view, wnp.einsum("hwkl,kl->hw", view, k)))(windows(x, [0, 1], [3, 3])), X, K,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NEARLY)
def test_no_convolution(name):
    function, *arguments = NEARLY[name]
    assert "wax.convolve" not in found(function, *arguments)
