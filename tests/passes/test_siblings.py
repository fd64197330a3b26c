"""Reductions of the same tensors become one (`wax-fuse-siblings`): the same numbers as each of them alone."""

import random

import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp
from wax import _native, tree

RANDOM = np.random.default_rng(35)


def count_reductions(function, *arguments, **options):
    """How many reductions are left of a function's."""
    module = _native.make_module(wax.jit(function, **options).lower(*arguments)._function.function)
    module.run("builtin.module(inline,wax-simplify,cse,wax-fuse-siblings)")
    return module.text().count("wax.reduce")


def statistics(x, axis):
    """Sums, extremes and where they are."""
    return [
        wnp.sum(x, axis=axis),
        wnp.sum(x * x, axis=axis),
        wnp.max(x, axis=axis),
        wnp.min(x, axis=axis),
        wnp.argmax(x, axis=axis),
    ]


def judge(x, axis):
    wide = x.astype("i8" if x.dtype.kind == "i" else "f8")
    return [
        wide.sum(axis=axis),
        (wide * wide).sum(axis=axis),
        wide.max(axis=axis),
        wide.min(axis=axis),
        wide.argmax(axis=axis),
    ]


SHAPES = [(1, 5000), (5000, 1), (17, 1031), (1024, 64), (700, 9), (9, 700), (2, 40000), (40000, 3), (3, 129, 65)]
TOLERANCES = {"float32": 1e-5, "float64": 1e-13, "int32": 0, "int64": 0}


@pytest.mark.parametrize(
    ("opened", "dtype", "shape"),
    every_other(
        [False, True],
        tiered(TOLERANCES, lambda dtype: dtype == "float32"),
        [(shape,) for shape in SHAPES],
    ),
    ids=str,
)
def test_statistics_are_those_of_numpy(shape, dtype, opened):
    # Of its own, whatever runs before: where a sum is near 0, its roundings are not.
    x = (np.random.default_rng(35).standard_normal(shape) * 9).astype(dtype)
    shapes = ({dim: wax.Dim(f"n{dim}") for dim in range(len(shape))},) if opened else None
    for axis in (*range(len(shape)), None):
        function = wax.jit(lambda x, axis=axis: statistics(x, axis), backend="iree", dynamic_shapes=shapes)
        for found, expected in zip(function(x), judge(x, axis), strict=True):
            scale = max(1.0, float(np.abs(expected).max()))
            np.testing.assert_allclose(np.asarray(found) / scale, expected / scale, rtol=0, atol=TOLERANCES[dtype])


@pytest.mark.parametrize("axis", [0, 1])
def test_empty_sums_are_0(axis):
    n, m = wax.Dim("n"), wax.Dim("m")
    function = wax.jit(
        lambda x: (wnp.sum(x, axis=axis), wnp.sum(x * x, axis=axis)), backend="iree", dynamic_shapes=({0: n, 1: m},)
    )
    for shape in ((0, 300), (300, 0), (0, 0)):
        for found in function(np.ones(shape, "f4")):
            np.testing.assert_array_equal(np.asarray(found), np.zeros(shape[1 - axis], "f4"))


@pytest.mark.parametrize("axis", [0, 1])
def test_nan_infinities_and_zeros_stay_in_their_rows(axis):
    x = RANDOM.standard_normal((130, 1000)).astype("f4")
    x[3, 7], x[5, 5], x[6, 999], x[129] = np.nan, np.inf, -np.inf, -0.0
    with np.errstate(invalid="ignore"):
        expected = [x.astype("f8").sum(axis), (x.astype("f8") ** 2).sum(axis), x.max(axis), x.min(axis), x.argmax(axis)]
    for found, value in zip(wax.jit(lambda x: statistics(x, axis), backend="iree")(x), expected, strict=True):
        np.testing.assert_allclose(np.asarray(found), value, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("axis", [0, 1, None])
def test_a_maximum_and_a_sum_are_as_each_alone(axis):
    x = RANDOM.standard_normal((257, 1000)).astype("f4")
    alone = [wnp.max, wnp.min, lambda x, axis: wnp.sum(wnp.astype(x * 8, wnp.int32), axis=axis)]
    both = wax.jit(lambda x: [one(x, axis=axis) for one in alone], backend="iree")(x)
    for one, found in zip(alone, both, strict=True):
        expected = wax.jit(lambda x, one=one: one(x, axis=axis), backend="iree")(x)
        assert np.asarray(found).tobytes() == np.asarray(expected).tobytes()


def test_moments_read_their_array_once():
    x = np.ones((100, 200), "f4")

    def moments(x):
        square = x * x
        return [wnp.sum(y, axis=1) for y in (x, square, square * x, square * square)]

    assert count_reductions(moments, x) == 1
    assert count_reductions(lambda x: wnp.var(x, axis=1), x) == 2


def test_gradients_of_a_normalization_are_summed_up_together():
    x, weight = np.ones((64, 100), "f4"), np.ones(100, "f4")

    def loss(weight, bias, x):
        return wnp.sum(wnp.sin(x * weight + bias))

    gradient = wax.grad(loss, argnums=(0, 1))
    assert count_reductions(gradient, weight, weight, x) == 1


def test_plain_programs_are_not_fused():
    x = np.ones((100, 200), "f4")
    text = wax.jit(lambda x: (wnp.sum(x), wnp.max(x)), optimize=False).lower(x).as_text()
    assert text.count("linalg.reduce") + text.count('"reduction"') >= 2


# Elements are small whole numbers, of which all sums are exact in any order.

DTYPES = ["float32", "float64", "int32", "int64", "int8", "bfloat16", "float16"]
SIZES = [3, 8, 9, 33, 100, 257, 700, 1]


def _pointwise(source, values, vectors):
    x, y = source.choice(values), source.choice(values)
    row, column = vectors
    return source.choice(
        [
            lambda: x * 2 - y,
            lambda: wnp.maximum(x, y),
            lambda: wnp.where(x > y, x, -y),
            lambda: x + wnp.astype(row, x.dtype),
            lambda: x - wnp.astype(column, x.dtype)[..., None],
            lambda: wnp.clip(x * y, -3, 3),
            lambda: wnp.astype(wnp.floor(wnp.exp(wnp.astype(wnp.clip(x, -2, 2), wnp.float32))), x.dtype),
            lambda: wnp.flip(x, axis=-1),
        ]
    )()


def _reduced(source, x, axis):
    return source.choice(
        [
            lambda: wnp.sum(x, axis=axis),
            lambda: wnp.max(x, axis=axis),
            lambda: wnp.min(x, axis=axis),
            lambda: wnp.any(x > 0, axis=axis),
            lambda: wnp.count_nonzero(x, axis=axis),
            lambda: wnp.argmax(x if axis is not None else wnp.reshape(x, (-1,)), axis=axis or 0),
        ]
    )()


def _program(seed):
    """A function of sums and extremes, what they are of among its results, and its arguments."""
    source, elements = random.Random(seed), np.random.default_rng(seed)
    shape = [source.randint(1, 5)] * source.randint(0, 1) + source.choices(SIZES, range(1, 9), k=2)
    dtype = source.choice(DTYPES)
    axis = source.choice([*range(len(shape)), None, -1])
    plan = source.randrange(2**32)

    def run(x, y, row, column):
        steps = random.Random(plan)
        values, results, others = [x, y], [], []
        for _ in range(steps.randint(5, 16)):
            kind = steps.random()
            if kind < 0.4:
                values.append(_pointwise(steps, values[-3:], (row, column)))
            elif kind < 0.9:
                results.append(_reduced(steps, steps.choice(values[-3:]), axis))
            elif kind < 0.95 and results and axis in (-1, x.ndim - 1):
                values.append(x - wnp.astype(wnp.clip(wnp.astype(results[-1], wnp.float32), -3, 3), x.dtype)[..., None])
            else:
                others.append(wnp.max(steps.choice(values), axis=0))
        return [*results, *others, wnp.sum(x, axis=axis), *steps.sample(values, steps.randint(0, 1))]

    def draw(*sizes):
        return wnp.astype(wnp.asarray(elements.integers(-3, 4, sizes).astype("i4")), getattr(wnp, dtype))

    return run, (draw(*shape), draw(*shape), draw(shape[-1]), draw(*shape[:-1])), len(shape)


def check(seed):
    """Compares a random program, of known sizes and open ones, with itself as it is without any optimization."""
    run, given, rank = _program(seed)
    expected = [np.asarray(x) for x in wax.jit(run, backend="iree", optimize=False)(*given)]
    dims = [wax.Dim(f"n{i}") for i in range(rank)]
    whole = dict(enumerate(dims))
    opened = (whole, whole, {0: dims[-1]}, dict(enumerate(dims[:-1])))
    for shapes in (None, opened):
        found = wax.jit(run, backend="iree", dynamic_shapes=shapes)(*given)
        for one, other in zip(tree.flatten(found)[0], expected, strict=True):
            np.testing.assert_array_equal(np.asarray(one).astype("f8"), other.astype("f8"))


@pytest.mark.parametrize("seed", tiered(range(80), lambda seed: seed < 3))
def test_random_siblings(seed):
    check(seed)
