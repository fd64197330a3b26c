"""`vectorize` against NumPy's, and `map` of several at once."""

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax.errors import InvalidArgumentError, ShapeError

RNG = np.random.default_rng(3)


@pytest.mark.parametrize(
    "shapes", [[(), ()], [(3,), ()], [(2, 3), (3,)], [(2, 1), (1, 3)], [(1, 1), (1,)], [(0, 3), (3,)]]
)
def test_scalars_broadcast(shapes):
    x, y = (RNG.normal(size=shape) for shape in shapes)
    made = wnp.vectorize(lambda a, b: wnp.where(a > b, a, a * b))(x, y)
    np.testing.assert_allclose(np.asarray(made), np.where(x > y, x, x * y))


CASES = [
    ("(n),(n)->()", np.dot, wnp.vdot, [(2, 3), (3,)]),
    ("(n,m),(m)->(n)", np.matmul, lambda a, b: a @ b, [(4, 1, 2, 3), (5, 3)]),
    ("(n),(m)->(n,m)", np.outer, wnp.outer, [(2, 3), (2, 4)]),
    ("(n)->()", np.sum, wnp.sum, [(2, 1, 3)]),
]


@pytest.mark.parametrize(("signature", "judge", "function", "shapes"), CASES, ids=[case[0] for case in CASES])
def test_signatures_name_the_dims_that_the_function_sees(signature, judge, function, shapes):
    arrays = [RNG.normal(size=shape) for shape in shapes]
    wanted = np.vectorize(judge, signature=signature)(*arrays)
    made = wnp.vectorize(function, signature=signature)
    np.testing.assert_allclose(np.asarray(made(*arrays)), wanted, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(wax.jit(made)(*arrays)), wanted, rtol=1e-12)


def test_several_results():
    x = RNG.normal(size=(2, 1, 3))
    low, order = wnp.vectorize(lambda a: (a.min(), wnp.sort(a)), signature="(n)->(),(n)")(x)
    np.testing.assert_array_equal(np.asarray(low), x.min(-1))
    np.testing.assert_array_equal(np.asarray(order), np.sort(x))


def test_arguments_that_are_left_out():
    def power(x, n, *, scale=1.0):
        return scale * x**n

    x = np.arange(3.0)
    made = wnp.vectorize(power, excluded={1, "scale"})(x, 2, scale=3.0)
    np.testing.assert_array_equal(np.asarray(made), 3 * x**2)


def test_what_does_not_fit_a_signature():
    with pytest.raises(InvalidArgumentError, match="no signature"):
        wnp.vectorize(wnp.sum, signature="n->()")
    with pytest.raises(InvalidArgumentError, match="has 2 arguments, and 1 are given"):
        wnp.vectorize(wnp.vdot, signature="(n),(n)->()")(np.ones(3))
    with pytest.raises(ShapeError, match=r"n in .* is 3, and 4 in argument 1"):
        wnp.vectorize(wnp.vdot, signature="(n),(n)->()")(np.ones(3), np.ones(4))
    with pytest.raises(ShapeError, match="argument 0"):
        wnp.vectorize(wnp.sum, signature="(n)->()")(1.0)
    with pytest.raises(ShapeError, match="result 0"):
        wnp.vectorize(wnp.sort, signature="(n)->()")(np.ones(3))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 20])
def test_a_map_of_several_at_once(size):
    x = RNG.normal(size=(7, 3))
    made = wax.map(lambda row: (row.sum(), {"sorted": wnp.sort(row)}), x, batch_size=size)
    np.testing.assert_allclose(np.asarray(made[0]), x.sum(1), rtol=1e-12)
    np.testing.assert_array_equal(np.asarray(made[1]["sorted"]), np.sort(x))


def test_a_map_of_a_number_at_once_that_is_none():
    with pytest.raises(InvalidArgumentError, match="batch_size is 0"):
        wax.map(lambda row: row, np.ones((3, 2)), batch_size=0)
