"""Loops over small tensors on IREE, where they are one dispatch, against NumPy in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax._compile import lower


def on_iree(function: Any, *arguments: Any) -> list[np.ndarray]:
    """The results, of a program whose loops are dispatches."""
    return [np.asarray(leaf) for leaf in wax.tree.leaves(wax.jit(function, backend="iree")(*arguments))]


def draw(seed: int, *shape: int, dtype: Any = np.float32) -> np.ndarray:
    values = np.random.default_rng(seed).standard_normal(shape)
    return (values * 3).astype(dtype) if np.dtype(dtype).kind != "b" else values > 0


def cell(h: Any, w: Any, b: Any, xs: Any, xp: Any, scan: Any) -> Any:
    def turn(h: Any, x: Any) -> Any:
        gates = h @ w + x + b
        n = h.shape[-1]
        made = xp.tanh(gates[:, :n]) * (1 / (1 + xp.exp(-gates[:, n:])))
        return made, (made, made.T.sum(axis=1), xp.max(gates, axis=-1), made > 0)

    return scan(turn, h, xs)


def plain_scan(turn: Any, carry: Any, xs: Any) -> Any:
    rows = []
    for x in xs:
        carry, made = turn(carry, x)
        rows.append(made)
    return carry, tuple(np.stack(row) for row in zip(*rows, strict=True))


@pytest.mark.parametrize(("rows", "width", "turns"), [(1, 1, 1), (3, 5, 7), (1, 8, 33), (7, 17, 2)])
def test_a_cell_does_as_numpy_does(rows: int, width: int, turns: int) -> None:
    arrays = [draw(0, rows, width), draw(1, width, 2 * width) / 4, draw(2, 2 * width), draw(3, turns, rows, 2 * width)]
    h, w, b, xs = (x.astype(np.float64) for x in arrays)
    expected = wax.tree.leaves(cell(h, w, b, xs, np, plain_scan))
    got = on_iree(lambda h, w, b, xs: cell(h, w, b, xs, wnp, wax.scan), *arrays)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5)


def test_no_turns_give_what_the_loop_began_with() -> None:
    h, stacked = wax.jit(lambda h, xs: wax.scan(lambda h, x: (h + x, h), h, xs), backend="iree")(
        draw(0, 5), np.zeros((0, 5), np.float32)
    )
    np.testing.assert_array_equal(np.asarray(h), draw(0, 5))
    assert stacked.shape == (0, 5)


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.uint16, np.int32, np.int64, np.float16, np.float32, np.float64]
)
def test_each_dtype_is_carried_stacked_and_read(dtype: Any) -> None:
    def program(x: Any, table: Any, stack: Any, xp: Any, loop: Any) -> Any:
        def turn(i: Any, state: Any) -> Any:
            x, stack = state
            row = table[i % 3]
            x = (x ^ row) if x.dtype == bool else x + row
            if xp is wnp:
                return x, stack.at[i].set(x[::-1])
            return x, np.concatenate([stack[:i], x[None, ::-1], stack[i + 1 :]])

        return loop(0, 4, turn, (x, stack))

    def plain_loop(low: int, high: int, turn: Any, state: Any) -> Any:
        for i in range(low, high):
            state = turn(i, state)
        return state

    arrays = draw(0, 11, dtype=dtype), draw(1, 3, 11, dtype=dtype), draw(2, 6, 11, dtype=dtype)
    got = on_iree(lambda x, table, stack: program(x, table, stack, wnp, wax.fori_loop), *arrays)
    for a, b in zip(got, program(*arrays, np, plain_loop), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-3 if dtype == np.float16 else 1e-6)


def test_an_open_number_of_rows_is_one_program() -> None:
    def program(h: Any, xs: Any) -> Any:
        def turn(h: Any, x: Any) -> Any:
            h = h * 0.5 + x
            return h, (h, h > 0)

        return wax.scan(turn, h, xs)

    rows = wax.Dim("n")
    compiled = (
        wax.jit(program)
        .trace(wax.ShapeDtypeStruct((3, 5), "float64"), wax.ShapeDtypeStruct((rows, 3, 5), "float64"))
        .lower()
        .compile(backend="iree")
    )
    for count in (2, 9, 100):
        h, xs = draw(0, 3, 5, dtype=np.float64), draw(1, count, 3, 5, dtype=np.float64)
        expected = plain_scan(lambda h, x: (h * 0.5 + x, (h * 0.5 + x, h * 0.5 + x > 0)), h, xs)
        for a, b in zip(wax.tree.leaves(compiled(h, xs)), wax.tree.leaves(expected), strict=True):
            np.testing.assert_allclose(np.asarray(a), b, rtol=1e-13)


def test_loops_and_branches_inside_of_a_turn() -> None:
    def program(x: Any) -> Any:
        def turn(i: Any, x: Any) -> Any:
            x = wax.fori_loop(0, i + 1, lambda j, y: y * 0.9 + 1.0 * j, x)
            x = wax.cond(wnp.sum(x) > 20, lambda y: y - 10, lambda y: y + 1, x)
            return wax.while_loop(lambda y: wnp.max(y) > 8, lambda y: y * 0.5, x)

        return wax.fori_loop(0, 6, turn, x)

    x = draw(0, 3, 3)
    expected = x.astype(np.float64)
    for i in range(6):
        for j in range(i + 1):
            expected = expected * 0.9 + j
        expected = expected - 10 if expected.sum() > 20 else expected + 1
        while expected.max() > 8:
            expected = expected * 0.5
    np.testing.assert_allclose(on_iree(program, x)[0], expected, rtol=1e-5)


def test_a_gradient_of_a_scan_is_as_of_the_plain_program() -> None:
    h, w = draw(0, 2, 6, dtype=np.float64) / 3, draw(1, 6, 6, dtype=np.float64) / 6
    xs = draw(2, 5, 2, 6, dtype=np.float64) / 3

    def loss(h: Any, w: Any, xs: Any) -> Any:
        h, rows = wax.scan(lambda h, x: (lambda y: (y, wnp.sum(y**2)))(wnp.tanh(h @ w + x)), h, xs)
        return wnp.sum(h) + wnp.sum(rows)

    def plain(h: Any, w: Any, xs: Any) -> Any:
        total = 0.0
        for i in range(5):
            h = wnp.tanh(h @ w + xs[i])
            total += wnp.sum(h**2)
        return wnp.sum(h) + total

    got = on_iree(wax.grad(loss, argnums=(0, 1, 2)), h, w, xs)
    expected = on_iree(wax.grad(plain, argnums=(0, 1, 2)), h, w, xs)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)


def test_indices_out_of_range_read_and_write_within_bounds() -> None:
    def program(x: Any, at: Any) -> Any:
        def turn(i: Any, state: Any) -> Any:
            x, seen = state
            row = x[at[i]]
            return x.at[at[i]].set(row + 1.0), seen + row.sum()

        return wax.fori_loop(0, 4, turn, (x, 0.0))

    x, at = draw(0, 500, 3), np.array([0, 499, 10**6, -(10**6)], np.int32)
    expected, seen = x.copy(), 0.0
    for index in at:  # read where it is nearest, written where it is
        row = expected[np.clip(index, 0, 499)].copy()
        seen += row.sum(dtype=np.float64)
        if 0 <= index < 500:
            expected[index] = row + 1
    got, total = on_iree(program, x, at)
    np.testing.assert_array_equal(got, expected)
    np.testing.assert_allclose(total, seen, rtol=1e-5)


def test_a_turn_that_is_long_stays_on_the_host() -> None:
    def program(h: Any, w: Any) -> Any:
        return wax.fori_loop(0, 3, lambda i, h: wnp.tanh(h @ w), h)

    for width, is_dispatch in ((4, True), (64, True), (96, False)):
        traced = wax.jit(program).trace(draw(0, width, width), draw(1, width, width))
        text = lower(traced._function, "iree outline=false").text()
        # Its product is one in each turn.
        assert (text.index("flow.dispatch.region") < text.index("scf.for")) == is_dispatch


@pytest.mark.parametrize("optimize", [True, False])
def test_two_stacks_of_one_shape_are_two(optimize: bool) -> None:
    """Both begin with zeros: on the host's loop one tensor would be written for both."""

    def program(h: Any, w: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            h = wnp.tanh(h @ w + x)
            return h, (h, x * 2)

        return wax.scan(step, h, xs)

    h, w, xs = draw(0, 2, 96), draw(1, 96, 96) / 10, draw(2, 7, 2, 96)
    state, (kept, doubled) = wax.jit(program, backend="iree", optimize=optimize)(h, w, xs)
    expected = []
    for x in xs:
        h = np.tanh(h @ w + x)
        expected.append(h)
    np.testing.assert_allclose(kept, expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_array_equal(doubled, xs * 2)
    np.testing.assert_allclose(state, expected[-1], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("optimize", [True, False])
def test_zeros_of_several_shapes_and_dtypes_are_several(optimize: bool) -> None:
    """All take the same bytes."""

    def program(w: Any, x: Any) -> Any:
        def step(i: Any, carry: Any) -> Any:
            h, ones, twos = carry
            return wnp.tanh(h @ w + x), ones + 1, twos + 2

        starts = wnp.zeros((2, 96)), wnp.zeros((192,)), wnp.zeros((96, 2), dtype="int32")
        return wax.fori_loop(0, 5, step, starts)

    _, ones, twos = wax.jit(program, backend="iree", optimize=optimize)(draw(0, 96, 96) / 10, draw(1, 2, 96))
    np.testing.assert_array_equal(ones, np.full(192, 5))
    np.testing.assert_array_equal(twos, np.full((96, 2), 10))


@pytest.mark.parametrize("optimize", [True, False])
def test_a_single_turn_gives_what_it_carries_and_stacks(optimize: bool) -> None:
    def program(h: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            h = wnp.tanh(h + x)
            return h, h

        return wax.scan(step, h, xs)

    h, xs = draw(0, 15), draw(1, 1, 15)
    state, stack = wax.jit(program, backend="iree", optimize=optimize)(h, xs)
    np.testing.assert_allclose(state, np.tanh(h + xs[0]), rtol=1e-5)
    np.testing.assert_allclose(stack[0], np.tanh(h + xs[0]), rtol=1e-5)
