"""What is done row by row in one dispatch (`wax-fuse-rows`): the same numbers as NumPy's in higher precision."""

import random

import ml_dtypes
import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax import _native

RANDOM = np.random.default_rng(40)


def softmax(xp, x, axis=-1):
    e = xp.exp(x - xp.max(x, axis=axis, keepdims=True))
    return e / xp.sum(e, axis=axis, keepdims=True)


def norm(xp, x, axis=-1):
    d = x - xp.mean(x, axis=axis, keepdims=True)
    return d / xp.sqrt(xp.mean(d * d, axis=axis, keepdims=True) + 1e-5)


def entropy(xp, x):
    p = softmax(xp, x)
    return p, -xp.sum(p * xp.log(p + 1e-9), axis=-1)


def attention_weights(xp, x):
    masked = xp.where(x > -1, x, -xp.inf * xp.ones_like(x))
    top = xp.max(masked, axis=-1, keepdims=True)
    top = xp.where(xp.isfinite(top), top, xp.zeros_like(top))
    e = xp.exp(masked - top)
    return e, xp.sum(e, axis=-1)


def greatest(xp, x):
    scaled = x * 0.3 + 0.1
    return xp.where(scaled == xp.max(scaled, axis=-1, keepdims=True), scaled, xp.zeros_like(x))


def scaled_to_bytes(xp, x):
    scale = xp.max(xp.abs(x), axis=-1, keepdims=True) / 127 + 1e-6
    return xp.round(x / scale) * scale, scale[..., 0]


def kept(xp, x, folds):
    """Differences of products, which are not made again by what reads them later: one is kept for each fold."""
    rows = [x - xp.tanh(x) * 0.5]
    for _ in range(folds):
        t = rows[-1] - xp.mean(rows[-1] * rows[0], axis=-1, keepdims=True)
        rows.append(t * (1 - t * t * 0.1))
    mean = xp.mean(rows[-1], axis=-1, keepdims=True)
    return sum((row * (number + 2) for number, row in enumerate(rows[:-1])), rows[-1]) - rows[0] * mean


#: Functions of rows, by `numpy` or `wax.numpy`.
CHAINS = {
    "softmax": softmax,
    "norm": norm,
    "softmax of sums of products": lambda xp, x: softmax(xp, x * 0.3 + 0.1),
    "the norm of a softmax": lambda xp, x: norm(xp, softmax(xp, x)),
    "softmax of a norm, and what it is of": lambda xp, x: (softmax(xp, norm(xp, xp.tanh(x))), xp.tanh(x)),
    "entropy": entropy,
    "attention": attention_weights,
    "greatest": greatest,
    "bytes": scaled_to_bytes,
    "sums of several": lambda xp, x: x * xp.sum(x * x, axis=-1, keepdims=True) + xp.min(x, axis=-1, keepdims=True),
    "rows of which any, and all": lambda xp, x: xp.where(
        xp.any(x > 1.5, axis=-1, keepdims=True),
        x * 0.5,
        xp.where(xp.all(x < 1.2, axis=-1, keepdims=True), x - xp.max(x, axis=-1, keepdims=True), -x),
    ),
    "two rows that are kept": lambda xp, x: kept(xp, x, 1),
    "more rows that are kept": lambda xp, x: kept(xp, x, 3),
    "masks": lambda xp, x: xp.where(x > xp.max(x, axis=-1, keepdims=True) / 2, x, -x),
    "positions": lambda xp, x: x - xp.mean(x * xp.arange(x.shape[-1], dtype=x.dtype), axis=-1, keepdims=True),
    "backwards": lambda xp, x: xp.flip(x, axis=-1) - xp.max(x, axis=-1, keepdims=True),
    "other rows": lambda xp, x: x - xp.flip(xp.max(x, axis=-1, keepdims=True), axis=0),
    "a product between": lambda xp, x: (lambda e: (e @ xp.matrix_transpose(x)) / xp.sum(e, axis=-1, keepdims=True))(
        xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    ),
}
SHAPES = [(1, 1), (1, 40), (7, 33), (64, 256), (5, 1031), (40, 38), (2, 3, 257), (130, 65)]
TOLERANCES = {"float64": 1e-13, "float32": 3e-6, "float16": 4e-3, "bfloat16": 3e-2}


def compare(found, expected, tolerance):
    found, expected = wax.tree.leaves(found), wax.tree.leaves(expected)
    for one, wanted in zip(found, expected, strict=True):
        one = np.asarray(one).astype("f8")
        assert one.shape == wanted.shape
        scale = max(1.0, float(np.abs(wanted).max(initial=0.0)))
        np.testing.assert_allclose(one / scale, wanted / scale, rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    ("name", "dtype", "opened"),
    every_other(CHAINS, tiered(TOLERANCES, lambda dtype: dtype == "float32"), [False, True]),
)
def test_as_numpy_in_f64(name, dtype, opened):
    function = CHAINS[name]
    for shape in SHAPES[3:6] if not opened else SHAPES:
        x = np.random.default_rng(41).standard_normal(shape).astype(getattr(ml_dtypes, dtype, dtype))
        if name == "bytes":  # Where it is rounded up or down hangs on the last bit.
            x = np.clip(np.round(x.astype("f8") * 4), -15, 15).astype(x.dtype)
            x[..., 0] = 127 / 8
        shapes = ({dim: wax.Dim(f"n{dim}") for dim in range(len(shape)) if shape[dim] > 1} or None,) if opened else None
        found = wax.jit(lambda x: function(wnp, x), backend="iree", dynamic_shapes=shapes)(x)
        compare(found, function(np, x.astype("f8")), TOLERANCES[dtype])


@pytest.mark.parametrize(
    ("axis", "function"),
    every_other([((1,),), ((2,),), ((1, 2),), ((0, 1, 2),)], [softmax, norm]),
    ids=lambda one: getattr(one, "__name__", str(one)),
)
def test_rows_of_several_dims(function, axis):
    x = RANDOM.standard_normal((6, 8, 20)).astype("f4")
    compare(wax.jit(lambda x: function(wnp, x, axis), backend="iree")(x), function(np, x.astype("f8"), axis), 3e-6)


def test_rows_without_elements_and_no_rows():
    n, m = wax.Dim("n"), wax.Dim("m")
    function = wax.jit(lambda x: wax.nn.softmax(x, axis=-1), backend="iree", dynamic_shapes=({0: n, 1: m},))
    for shape in ((0, 40), (5, 0), (0, 0)):
        assert np.asarray(function(np.ones(shape, "f4"))).shape == shape


def test_nan_and_infinities_stay_in_their_rows():
    x = RANDOM.standard_normal((40, 100)).astype("f4")
    x[3, 7], x[5, 5], x[6, 99], x[9] = np.nan, np.inf, -np.inf, -np.inf
    with np.errstate(invalid="ignore"):
        expected = softmax(np, x.astype("f8"))
    found = np.asarray(wax.jit(lambda x: softmax(wnp, x), backend="iree")(x))
    np.testing.assert_allclose(found, expected, rtol=3e-6, atol=1e-7)


@pytest.mark.parametrize("function", [softmax, norm])
def test_gradients(function):
    x, y = RANDOM.standard_normal((2, 33, 65))

    def loss(xp, x, y):
        return xp.sum(function(xp, x) * y)

    found = wax.jit(wax.grad(lambda x: loss(wnp, x, wnp.asarray(y))), backend="iree")(x)
    wanted = np.empty_like(x)
    for place in np.ndindex(x.shape):
        step = np.zeros_like(x)
        step[place] = 1e-5
        row = slice(place[0], place[0] + 1)
        wanted[place] = (loss(np, (x + step)[row], y[row]) - loss(np, (x - step)[row], y[row])) / 2e-5
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-6, atol=1e-8)


def count_loops(function, *arguments):
    """How many dispatches of ours, and loops of IREE's own, a program has."""
    module = _native.make_module(wax.jit(function).lower(*arguments)._function.function)
    module.run("builtin.module(wax-to-linalg{target=iree outline=false})")
    return module.text().count('"flow.dispatch.region"'), module.text().count("linalg.generic")


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w, b: wax.nn.softmax(x, axis=-1),
        lambda x, w, b: wax.nn.log_softmax(x, axis=-1),
        lambda x, w, b: wax.nn.layer_norm(x, w, b),
        lambda x, w, b: wax.nn.rms_norm(x, w),
        lambda x, w, b: x / wnp.sqrt(wnp.sum(x * x, axis=-1, keepdims=True)),
        lambda x, w, b: softmax(wnp, norm(wnp, x)),
        lambda x, w, b: (lambda m, m2: (x - m) / wnp.sqrt(m2 - m * m + 1e-5) * w)(
            wnp.mean(x, axis=-1, keepdims=True), wnp.mean(x * x, axis=-1, keepdims=True)
        ),
    ],
    ids=["softmax", "log_softmax", "layer_norm", "rms_norm", "unit vectors", "by hand", "by squares"],
)
@pytest.mark.parametrize("shape", [(64, 1024), (60, 100), (3, 4, 500)], ids=str)
def test_one_dispatch(function, shape):
    assert count_loops(function, np.ones(shape, "f4"), *np.ones((2, shape[-1]), "f4")) == (1, 0)


def random_chain(seed):
    """Folds along rows, maps of rows and of what they were folded into, and now and then of other rows."""
    choice = random.Random(seed)
    axis = choice.choice([(-1,), (-1,), (-2, -1)])
    steps = [[choice.random() for _ in range(5)] for _ in range(choice.choice([5, 8, 12, 16]))]
    kept = [choice.random() for _ in range(8)]

    def pick(values, place):
        return values[int(place * len(values))]

    def run(xp, x, y, column):
        rows, elements = [x, y], []
        for kind, which, first, second, recent in steps:
            row = pick(rows[-3:] if recent < 0.6 else rows, which)
            if kind < 0.32:
                folded = row if second < 0.6 else row * pick(rows, second)
                fold = pick(["sum", "max", "min", "squares"], first)
                elements.append(
                    xp.mean(folded * folded if fold == "squares" else folded, axis=axis, keepdims=True)
                    if fold in ("sum", "squares")
                    else getattr(xp, fold)(folded, axis=axis, keepdims=True)
                )
            elif kind < 0.42 and elements:
                one, other = pick(elements, which), pick(elements, first)
                elements.append(pick([one + other, xp.sqrt(xp.abs(one) + 1), 1 / (xp.abs(other) + 1)], second))
            elif kind < 0.8 and elements:
                element = pick(elements[-2:], first)
                rows.append(
                    pick(
                        [
                            row - element,
                            row * xp.tanh(element),
                            xp.exp(xp.minimum(row - element, xp.ones_like(row))),
                            row / (xp.abs(element) + 1),
                            xp.where(row > element, row, row * 0.5),
                        ],
                        second,
                    )
                )
            elif kind < 0.95:
                other = pick(rows, first)
                rows.append(
                    pick(
                        [(row + other) * 0.5, xp.tanh(row) * other, row * 0.3 + column, xp.maximum(row, other)], second
                    )
                )
            elif elements and second > 0.5:
                rows.append(row + xp.flip(elements[-1], axis=0))
            else:
                rows.append(xp.flip(row, axis=0))
        made = rows[2:][-5:] + elements[-3:]
        return [one for one, place in zip(made, kept, strict=False) if place < 0.7] or made[:1] or [x]

    shape = choice.choice([(5, 33), (64, 100), (7, 64), (3, 4, 40), (2, 3, 5, 48), (130, 257), (17, 1024)])
    if axis == (-2, -1):
        shape = (shape[0], 4, *shape[1:])
    opened = {dim: wax.Dim(f"n{dim}") for dim in range(len(shape)) if choice.random() < 0.6}
    if choice.random() < 0.6 or not opened:
        return run, shape, None
    last = opened.get(len(shape) - 1)
    return run, shape, (opened, opened, {0: last} if last else None)


@pytest.mark.parametrize("first", tiered(range(0, 240, 12), lambda first: first < 12))
def test_random_chains(first):
    for seed in range(first, first + 12):
        run, shape, shapes = random_chain(seed)
        values = np.random.default_rng(seed)
        arrays = [values.standard_normal(sizes).astype("f4") for sizes in (shape, shape, shape[-1:])]
        found = wax.jit(lambda *arrays, run=run: run(wnp, *arrays), backend="iree", dynamic_shapes=shapes)(*arrays)
        for one, wanted in zip(found, run(np, *(one.astype("f8") for one in arrays)), strict=True):
            one = np.asarray(one)
            assert one.shape == wanted.shape
            # A comparison may hold in one precision and not in the other.
            off = np.abs(one - wanted) > 2e-4 * max(1.0, float(np.abs(wanted).max()))
            assert off.mean() <= 0.002, seed
