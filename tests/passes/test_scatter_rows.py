"""Rows scattered into rows that are all alike, by vectors: the same numbers as NumPy folds in order."""

import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp
from wax._compile import lower

RANDOM = np.random.default_rng(8)
FOLDS = {
    "add": (np.add, 0),
    "multiply": (np.multiply, 1),
    "max": (np.maximum, -5),
    "min": (np.minimum, 5),
    "set": (lambda before, update: update, 3),
}


def is_by_vectors(function, *arguments):
    text = lower(wax.jit(function).lower(*arguments)._function, "iree").text()
    assert ("flow.dispatch" in text) != ("iree_linalg_ext.scatter" in text)
    return "flow.dispatch" in text


def scattered(fold, start, rows, at, updates):
    """By NumPy: in order, and without what lies outside."""
    found = np.full((rows, *updates.shape[at.ndim :]), start, updates.dtype)
    for place, update in zip(at.reshape(-1), updates.reshape(-1, *updates.shape[at.ndim :]), strict=True):
        place += rows * (place < 0)
        if 0 <= place < rows:
            found[place] = fold(found[place], update)
    return found


@pytest.mark.parametrize(
    ("kind", "dtype", "width"),
    every_other(
        FOLDS,
        tiered(["f4", "f8", "i4", "i8"], lambda dtype: dtype in ("f4", "i8")),
        tiered([1, 7, 8, 9, 16, 63, 64, 65, 100, 127, 130, 192, 768], {1, 8, 63, 130, 768}.__contains__),
    ),
)
def test_rows_of_any_width(width, dtype, kind):
    fold, start = FOLDS[kind]
    at = RANDOM.integers(-40, 40, 90).astype("i4")
    updates = RANDOM.integers(-3, 4, (90, width)).astype(dtype)

    def run(at, updates):
        return getattr(wnp.full((30, width), start, dtype=updates.dtype).at[at], kind)(updates)

    assert is_by_vectors(run, at, updates) == (width >= 8)
    found = wax.jit(run, backend="iree")(at, updates)
    np.testing.assert_array_equal(np.asarray(found), scattered(fold, start, 30, at, updates))


@pytest.mark.parametrize("shape", [(0,), (1,), (5000,), (6, 7), (0, 3)])
@pytest.mark.parametrize("opened", [False, True])
def test_any_number_of_updates(shape, opened):
    at, updates = RANDOM.integers(0, 50, shape), RANDOM.standard_normal((*shape, 4, 12))
    dims = {dim: wax.Dim(f"n{dim}", min=0) for dim in range(len(shape))}
    shapes = (dims, dims) if opened else None
    run = wax.jit(
        lambda at, x: wnp.zeros((50, 4, 12), dtype="float64").at[at].add(x), backend="iree", dynamic_shapes=shapes
    )
    found = run(at, updates)
    np.testing.assert_allclose(np.asarray(found), scattered(np.add, 0, 50, at, updates), rtol=1e-13, atol=1e-13)


def test_special_values_stay():
    at = np.array([0, 1, 2, 2, 3, 3], "i4")
    updates = np.ones((6, 40), "f4")
    updates[0], updates[1], updates[3, 5], updates[4], updates[5] = np.nan, -0.0, np.inf, np.inf, -np.inf
    found = wax.jit(lambda at, x: wnp.zeros((5, 40), dtype="float32").at[at].add(x), backend="iree")(at, updates)
    with np.errstate(invalid="ignore"):
        expected = scattered(np.add, np.float32(0), 5, at, updates)
    np.testing.assert_array_equal(np.asarray(found), expected)


def test_the_gradient_of_an_embedding():
    table, ids = RANDOM.standard_normal((300, 96)).astype("f4"), RANDOM.integers(0, 300, (4, 50))
    weight = RANDOM.standard_normal((4, 50, 96)).astype("f4")
    gradient = wax.grad(lambda table, ids, weight: wnp.sum(wnp.sin(table[ids]) * weight))
    expected = scattered(np.add, 0.0, 300, ids, np.cos(table.astype("f8"))[ids] * weight)
    found = wax.jit(gradient, backend="iree")(table, ids, weight)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-5, atol=1e-5)


def test_a_mean_of_neighbours_in_a_loop():
    nodes = RANDOM.standard_normal((40, 24)).astype("f4")
    sources, targets = RANDOM.integers(0, 40, (2, 200))

    def run(nodes, sources, targets):
        def step(nodes, _):
            total = wnp.zeros((40, 24), dtype="float32").at[targets].add(nodes[sources])
            count = wnp.zeros((40,), dtype="float32").at[targets].add(wnp.ones((200,), dtype="float32"))
            return wnp.tanh(total / wnp.maximum(count, 1)[:, None]), None

        return wax.scan(step, nodes, None, length=5)[0]

    expected = nodes.astype("f8")
    for _ in range(5):
        total, count = np.zeros((40, 24)), np.zeros(40)
        np.add.at(total, targets, expected[sources])
        np.add.at(count, targets, 1)
        expected = np.tanh(total / np.maximum(count, 1)[:, None])
    found = wax.jit(run, backend="iree")(nodes, sources, targets)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-4, atol=1e-5)


def test_what_is_updated_in_place_is_left_to_iree():
    at, updates, table = np.zeros(3, "i4"), np.ones((3, 64), "f4"), np.ones((9, 64), "f4")
    assert not is_by_vectors(lambda table, at, x: table.at[at].add(x), table, at, updates)
