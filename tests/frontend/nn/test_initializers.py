"""Initializers: JAX's numbers from JAX's keys, and the spread that they promise."""

import jax
import numpy as np
import pytest
from jax.nn import initializers as judge
from tiers import every_other

import wax
from wax import errors
from wax.nn import initializers

SHAPES = [((30, 20), {}), ((3, 5, 6, 4), {}), ((20, 30), {"in_axis": 1, "out_axis": 0})]
SCALED = ["glorot_uniform", "glorot_normal", "he_uniform", "he_normal", "lecun_uniform", "lecun_normal"]


def key():
    return wax.random.key(7), jax.random.wrap_key_data(np.array([0, 7], "u4"))


@pytest.mark.parametrize(("shape", "axes", "name"), every_other(SHAPES, SCALED), ids=str)
def test_an_initializer_by_fans_gives_the_numbers_that_jax_gives(name, shape, axes):
    ours, theirs = key()
    actual = getattr(initializers, name)(**axes)(ours, shape)
    expected = getattr(judge, name)(**axes)(theirs, shape, "float32")
    np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), rtol=2e-5, atol=2e-7)


@pytest.mark.parametrize("mode", ["fan_in", "fan_out", "fan_avg"])
@pytest.mark.parametrize("distribution", ["normal", "truncated_normal", "uniform"])
def test_scaling_keeps_the_variance_it_is_asked_for(mode, distribution):
    fans = {"fan_in": 300, "fan_out": 100, "fan_avg": 200}
    make = initializers.variance_scaling(3.0, mode, distribution)
    for dtype in ("float32", "float64"):
        x = np.asarray(make(wax.random.key(1), (300, 100), dtype=dtype))
        assert x.dtype == dtype
        assert abs(x.mean()) < 0.01
        assert x.var() == pytest.approx(3 / fans[mode], rel=0.03)


def test_axes_side_by_side_do_not_count_as_places():
    ours, theirs = key()
    actual = initializers.he_normal(batch_axis=0)(ours, (4, 6, 5))
    expected = judge.he_normal(batch_axis=0)(theirs, (4, 6, 5), "float32")
    np.testing.assert_allclose(np.asarray(actual), np.asarray(expected), rtol=2e-5, atol=2e-7)


def test_plain_initializers_give_the_numbers_that_jax_gives():
    ours, theirs = key()
    for made, wanted in (
        (initializers.normal(0.3), judge.normal(0.3)),
        (initializers.uniform(0.3), judge.uniform(0.3)),
        (initializers.truncated_normal(0.3, lower=-1.0), judge.truncated_normal(0.3, lower=-1.0)),
        (initializers.constant(2.5), judge.constant(2.5)),
        (initializers.zeros, judge.zeros),
        (initializers.ones, judge.ones),
    ):
        np.testing.assert_allclose(
            np.asarray(made(ours, (7, 3))), wanted(theirs, (7, 3), "float32"), rtol=2e-5, atol=2e-7
        )


def test_an_initializer_is_traced_as_it_runs():
    made = wax.jit(lambda key: initializers.glorot_uniform()(key, (6, 4)), backend="iree")(wax.random.key(2))
    np.testing.assert_array_equal(
        np.asarray(made), np.asarray(initializers.glorot_uniform()(wax.random.key(2), (6, 4)))
    )


def test_a_shape_with_a_dim_of_no_size_has_nothing_to_draw():
    assert initializers.he_normal()(wax.random.key(2), (0, 4)).shape == (0, 4)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda k: initializers.he_normal()(k, (4,)), errors.ShapeError, "at least two dims"),
        (lambda k: initializers.he_normal(in_axis=2)(k, (4, 4)), errors.AxisError, "axis 2"),
        (lambda k: initializers.variance_scaling(1.0, "fan", "normal"), errors.InvalidArgumentError, "fan_in, fan_out"),
        (lambda k: initializers.variance_scaling(1.0, "fan_in", "even"), errors.InvalidArgumentError, "uniform"),
        (lambda k: initializers.variance_scaling(-1.0, "fan_in", "normal"), errors.InvalidArgumentError, "negative"),
    ],
)
def test_what_cannot_be_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make(wax.random.key(0))


@pytest.mark.parametrize(("shape", "axis"), [((4, 4), -1), ((3, 5), -1), ((5, 3), 0), ((2, 3, 4), 1), ((0, 3), -1)])
def test_orthogonal_vectors_have_one_length(shape, axis):
    w = np.asarray(initializers.orthogonal(2.0, axis)(wax.random.key(3), shape))
    assert w.shape == shape
    matrix = np.moveaxis(w, axis, -1).reshape(-1, shape[axis])
    if matrix.shape[0] < matrix.shape[1]:
        matrix = matrix.T
    np.testing.assert_allclose(matrix.T @ matrix, 4 * np.eye(matrix.shape[1]), atol=1e-5)


def test_orthogonal_arrays_have_two_axes():
    with pytest.raises(errors.ShapeError, match="two axes at least"):
        initializers.orthogonal()(wax.random.key(0), (4,))
