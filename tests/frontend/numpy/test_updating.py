"""`x.at[…]` beyond its values, which are among the array cases: sizes, memory, what it lowers to."""

import re

import numpy as np
import pytest
from array_cases.case import F32, floats, integers

import wax
import wax.numpy as wnp

B = wax.Dim("b")
N = wax.Dim("n", min=4)
I32 = np.dtype("i4")
X = floats(F32, (5, 4))
ROWS = np.array([3, 0, 3, 9, -1, -9], "i4")


def test_assignment_names_the_way_out():
    x = wnp.asarray(X)
    with pytest.raises(TypeError, match=re.escape("x.at[key].set(value)")):
        x[0] = 1


@pytest.mark.parametrize("rows", [2, 3, 7])
def test_one_program_serves_every_size(rows):
    f = wax.jit(lambda x, i, v: x.at[i].add(v), dynamic_shapes=({0: B}, {0: N}, {0: N}))
    x, v = integers(I32, (rows, 3)), integers(I32, (9, 3))
    i = np.random.default_rng(rows).integers(-rows - 2, rows + 2, 9).astype("i4")
    expected = x.copy()
    inside = (i >= -rows) & (i < rows)
    np.add.at(expected, i[inside], v[inside])
    np.testing.assert_array_equal(np.asarray(f(x, i, v)), expected)


@pytest.mark.parametrize("rows", [4, 5, 8])
def test_boxes_may_have_symbolic_ends(rows):
    f = wax.jit(lambda x: x.at[1::2].set(0).at[:-1, 0].multiply(2), dynamic_shapes=({0: N},))
    x = floats(F32, (rows, 3))
    expected = x.copy()
    expected[1::2] = 0
    expected[:-1, 0] *= 2
    np.testing.assert_array_equal(np.asarray(f(x)), expected)


def test_arrays_stay_as_they_are():
    f = wax.jit(lambda x, i: (x.at[i].set(0), x, x.at[1:3].add(1)))
    x = wnp.asarray(X)
    made, same, added = f(x, ROWS)
    expected = X.copy()
    expected[[3, 0, 4]] = 0
    np.testing.assert_array_equal(np.asarray(made), expected)
    np.testing.assert_array_equal(np.asarray(same), X)
    np.testing.assert_array_equal(np.asarray(x), X)
    expected = X.copy()
    expected[1:3] += np.float32(1)
    np.testing.assert_array_equal(np.asarray(added), expected)


@pytest.mark.parametrize("update", [lambda x: x.at[1:3].set(0), lambda x: x.at[wnp.asarray(ROWS)].set(0)])
def test_a_donated_array_is_updated_in_its_own_memory(update):
    f = wax.jit(update, donate_argnums=0)
    x = f(wnp.asarray(X))  # of the program's own memory
    before = address_unseen(x)
    x = f(x)
    assert address_unseen(x) == before
    expected = np.asarray(update(wnp.asarray(X)))
    np.testing.assert_array_equal(np.asarray(x), expected)


def address_unseen(array):
    """Where an array lies, without its memory counting as seen."""
    return array._handle.map().asarray((1,), np.dtype(np.uint8)).__array_interface__["data"][0]


def test_names_lower_to_one_operation():
    text = wax.jit(lambda x, i: x.at[i].add(1)).trace(X, ROWS).as_text()
    assert text.count("wax.scatter") == 1 and "wax.scatter arith.addf" in text
    text = wax.jit(lambda x: x.at[1:3].set(1)).trace(X).as_text()
    assert text.count("wax.insert") == 1 and "wax.scatter" not in text
    assert wax.jit(lambda x: wnp.flip(x, axis=(0, 1))).trace(X).as_text().count("wax.reverse") == 1
