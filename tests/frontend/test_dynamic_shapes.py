"""Dims declared with `dynamic_shapes=`: one program for all sizes, facts checked, 0 and 1 compiled apart."""

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import errors
from wax.dims import same


def _counting(function, dynamic_shapes):
    traced = []

    def wrapped(*args):
        traced.append(tuple(x.shape for x in args))
        return function(*args)

    return wax.jit(wrapped, dynamic_shapes=dynamic_shapes), traced


def test_one_program_serves_all_sizes():
    f, traced = _counting(lambda x: wnp.sum(x * 2, axis=1) / x.shape[1], ({0: wax.Dim("b"), 1: wax.Dim("n")},))
    rng = np.random.default_rng(0)
    for shape in [(2, 3), (5, 7), (64, 2), (3, 129)]:
        x = rng.standard_normal(shape).astype(np.float32)
        np.testing.assert_allclose(f(x), 2 * x.astype(np.float64).mean(axis=1), rtol=1e-5, atol=1e-6)
    assert len(traced) == 1


def test_sizes_zero_and_one_are_programs_of_their_own():
    f, traced = _counting(lambda x: x + 1, ({0: wax.Dim("b")},))
    for size in (4, 1, 9, 0, 1):
        assert f(wnp.zeros((size, 3))).shape == (size, 3)
    assert [shapes[0][0] if isinstance(shapes[0][0], int) else "b" for shapes in traced] == ["b", 1, 0]


def test_sizes_are_numbers_to_compute_with():
    b = wax.Dim("b")

    @wax.jit(dynamic_shapes=({0: b},))
    def f(x):
        n = x.shape[0]
        doubled = wnp.concat([x, x])
        assert same(doubled.shape[0], 2 * n)
        return wnp.reshape(doubled, (2, n)), wnp.asarray(n * 3), wnp.arange(n), wnp.zeros((n, 2))

    x = np.arange(5, dtype=np.float32)
    rows, triple, counted, zeros = f(x)
    np.testing.assert_array_equal(rows, np.stack([x, x]))
    assert int(triple) == 15
    np.testing.assert_array_equal(counted, np.arange(5))
    assert zeros.shape == (5, 2)


def test_dims_shared_by_arguments_must_agree_at_the_call():
    b = wax.Dim("batch")
    f = wax.jit(lambda x, y: x + y, dynamic_shapes=({0: b}, {0: b}))
    np.testing.assert_array_equal(f(wnp.ones((4,)), wnp.ones((4,))), np.full(4, 2.0))
    with pytest.raises(errors.DimensionFactError, match=r"'batch' is 4 in dim 0 of x and 5 in dim 0 of y"):
        f(wnp.ones((4,)), wnp.ones((5,)))


def test_bounds_are_checked_at_the_call():
    f = wax.jit(lambda x: x + 1, dynamic_shapes=({0: wax.Dim("n", min=3, max=8)},))
    assert f(wnp.zeros((8,))).shape == (8,)
    for size in (0, 2, 9):
        with pytest.raises(errors.DimensionFactError, match=f"is {size}, but it was declared 3 <= n <= 8"):
            f(wnp.zeros((size,)))


def test_different_dims_do_not_combine():
    f = wax.jit(lambda x, y: x + y, dynamic_shapes=({0: wax.Dim("a")}, {0: wax.Dim("b")}))
    with pytest.raises(errors.ShapeError, match=r"\(a,\).*\(b,\)"):
        f(wnp.ones((4,)), wnp.ones((4,)))


def test_dynamic_shapes_by_name_and_for_pytrees():
    b = wax.Dim("b")
    f = wax.jit(lambda params, x: x @ params["w"] + params["b"], dynamic_shapes={"x": (b, None), "params": {"w": None}})
    params = {"w": wnp.ones((3, 2)), "b": wnp.zeros((2,))}
    for size in (2, 6):
        np.testing.assert_array_equal(f(params, wnp.ones((size, 3))), np.full((size, 2), 3.0))


@pytest.mark.parametrize(
    "spec", [({3: wax.Dim("b")},), {"y": {0: wax.Dim("b")}}, ((wax.Dim("b"),),), (wax.Dim("b"),), ([None, None],)]
)
def test_dynamic_shapes_that_do_not_fit_are_refused(spec):
    with pytest.raises(errors.ArgumentStructureError, match="dynamic_shapes"):
        wax.jit(lambda x: x, dynamic_shapes=spec)(wnp.ones((2, 2)))


def test_a_question_that_depends_on_the_call_is_refused():
    @wax.jit(dynamic_shapes=({0: wax.Dim("b")},))
    def f(x):
        return x if x.shape[0] > 8 else x + 1

    with pytest.raises(errors.InconclusiveDimensionError, match="b > 8"):
        f(wnp.ones((4,)))


def test_nested_functions_keep_symbolic_sizes():
    @wax.jit
    def inner(x):
        return wnp.sum(x, axis=0) / x.shape[0]

    @wax.jit(dynamic_shapes=({0: wax.Dim("b")},))
    def outer(x):
        return inner(x) + inner(wnp.concat([x, x]))

    for size in (3, 8):
        np.testing.assert_allclose(outer(wnp.ones((size, 2))), [2.0, 2.0])
