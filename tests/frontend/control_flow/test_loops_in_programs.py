"""Loops among all else: dims, nested functions, donation, files, what is compiled, and memory updated in place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from control_programs import PROGRAMS, Program, assert_alike
from tiers import every_other

import wax
import wax.numpy as wnp
from wax import _native
from wax._compile import lower
from wax.backends.iree.capi import compile_text
from wax.backends.iree.ladder import rungs
from wax.backends.iree.targets import target
from wax_runtime.backend import CompileOptions

RANDOM = np.random.default_rng(0)


def floats(*shape: int) -> np.ndarray:
    return RANDOM.uniform(-1, 1, shape).astype(np.float32)


_JUDGED = {"rnn", "unrolled", "recurrence", "prefixes", "table", "counts"}
#: JAX takes no negative axis together with `reverse`.
JUDGED = [p for p in PROGRAMS if p.name.split()[0] in _JUDGED and p.name != "prefixes along -1 reversed"]


@pytest.mark.parametrize("program", JUDGED, ids=str)
def test_jax_gives_the_same(program: Program) -> None:
    class lax:
        scan, while_loop, cond, switch = jax.lax.scan, jax.lax.while_loop, jax.lax.cond, jax.lax.switch
        fori_loop, map, associative_scan = jax.lax.fori_loop, jax.lax.map, jax.lax.associative_scan

    expected = jax.jit(lambda *args: program.function(lax, jnp, *args))(*program.arguments)
    actual = program.traced(*map(wnp.asarray, program.arguments))
    assert_alike(actual, jax.tree.map(np.asarray, expected), program.tolerance or 1e-6, program.name)


def test_sizes_may_stay_open_in_loops() -> None:
    n, m = wax.Dim("n"), wax.Dim("m")

    def f(x: Any, y: Any) -> Any:
        total, rows = wax.scan(lambda c, row: (c + row @ y, wnp.sum(row)), wnp.zeros_like(y), x[:, :, None] * y)
        doubled = wax.while_loop(lambda s: wnp.sum(s) < 100, lambda s: s + wnp.abs(s) + 1, total)
        kept = wax.cond(total[0] > 0, lambda: doubled[1:], lambda: total[:-1])
        return rows, doubled, kept, wax.fori_loop(0, x.shape[0], lambda i, s: s + i, y)

    def judge(x: np.ndarray, y: np.ndarray) -> Any:
        total, rows = np.zeros_like(y), []
        for row in x[:, :, None] * y:
            total, rows = total + row @ y, [*rows, row.sum()]
        doubled = total
        while doubled.sum() < 100:
            doubled = doubled + np.abs(doubled) + 1
        kept = doubled[1:] if total[0] > 0 else total[:-1]
        return np.asarray(rows, np.float32), doubled, kept, y + sum(range(len(x)))

    jitted = wax.jit(f, dynamic_shapes={"x": {0: n, 1: m}, "y": {0: m}}, backend="iree")
    for rows, columns in ((2, 3), (5, 4), (7, 2)):
        x, y = floats(rows, columns), floats(columns)
        assert_alike(jitted(x, y), judge(x, y), 1e-4, "open")
    assert len(jitted._compiled) == 1
    text = jitted.trace(floats(3, 2), floats(2)).lower().as_text()
    assert "cf.assert" not in text.partition("scf.")[2], "what is declared needs no checks in loops"


def test_the_number_of_turns_may_be_a_size_that_may_be_zero() -> None:
    f = wax.jit(
        lambda x: wax.fori_loop(0, x.shape[0] // 4, lambda i, s: s + 1, wnp.asarray(0)),
        dynamic_shapes={"x": {0: wax.Dim("n")}},
        backend="reference",
    )
    assert [int(f(floats(n))) for n in (2, 3, 4, 9)] == [0, 0, 1, 2]


def _mixed(h: Any, c: Any, w: Any) -> Any:
    return wnp.tanh(h @ w + c), wnp.tanh(c @ w - h)


def _counted(h: Any, c: Any, w: Any, n: Any) -> Any:
    return wax.fori_loop(0, n, lambda i, s: _mixed(*s, w), (h, c))


def _nested(h: Any, c: Any, w: Any, n: Any) -> Any:
    def turn(_: Any, s: Any) -> Any:
        first, second = wax.fori_loop(0, n, lambda i, t: _mixed(*t, w), s[::-1])
        return first + s[1], second - s[0]

    return wax.fori_loop(0, n, turn, (h, c))


def _branching(h: Any, c: Any, w: Any, n: Any) -> Any:
    def turn(i: Any, s: Any) -> Any:
        return wax.cond(i % 2 == 0, lambda h, c: _mixed(h, c, w), lambda h, c: (c * 0.5, h), *s)

    return wax.fori_loop(0, n, turn, (h, c))


@pytest.mark.parametrize("function", [_counted, _nested, _branching])
def test_arrays_of_several_open_sizes_are_carried_from_where_they_are(function: Any) -> None:
    b, d = wax.Dim("b"), wax.Dim("d")
    shapes = {"h": {0: b, 1: d}, "c": {0: b, 1: d}, "w": {0: d, 1: d}}
    jitted = wax.jit(function, dynamic_shapes=shapes, backend="iree")
    judge = wax.jit(function, backend="reference")
    for rows, columns in ((2, 5), (40, 33)):
        h, c, w = floats(rows, columns), floats(rows, columns) + 1, floats(columns, columns) / 8
        for turns in (0, 1, 2, 5):
            n = np.asarray(turns, np.int32)
            assert_alike(jitted(h, c, w, n), judge(h, c, w, n), 1e-4, function.__name__)


def test_a_size_is_refused_whose_product_with_others_may_overflow() -> None:
    def f(x: Any) -> Any:
        return wax.fori_loop(0, 3, lambda i, s: (s[1] + 1, s[0] * 2), (x, x + 1))

    def jitted(most: int | None) -> Any:
        sizes = {0: wax.Dim("a"), **{i: wax.Dim("bcd"[i - 1], max=most) for i in (1, 2, 3)}}
        return wax.jit(lambda x: f(x), dynamic_shapes={"x": sizes}, backend="iree")

    x = floats(40_000, 2, 2, 2)
    with pytest.raises(wax.errors.WaxError, match=r"'x', dim 0: must be at most 32767, .* declare max= of the"):
        jitted(None)(x)
    assert_alike(jitted(None)(x[:9]), f(x[:9]), 1e-6, "few")
    assert_alike(jitted(100)(x), f(x), 1e-6, "declared")


def test_a_while_of_open_sizes_stands_in_a_counted_loop() -> None:
    def doubled(s: Any) -> Any:
        return wax.while_loop(lambda v: v[0] > 0, lambda v: (v[0] - 1, v[1] * 2 + 1), (wnp.asarray(3), s))[1]

    f = wax.jit(
        lambda x: wax.fori_loop(0, 4, lambda i, s: doubled(s) + i, x),
        dynamic_shapes={"x": {0: wax.Dim("n")}},
        backend="iree",
    )
    for rows in (2, 5):
        expected = floats(rows, 4)
        x = wnp.asarray(expected)
        for i in range(4):
            for _ in range(3):
                expected = expected * 2 + 1
            expected = expected + np.float32(i)
        np.testing.assert_allclose(np.asarray(f(x)), expected, rtol=1e-6)


def test_jitted_functions_are_called_in_loops_and_have_loops() -> None:
    w = wnp.asarray(floats(4, 4))

    @wax.jit
    def step(x: Any) -> Any:
        return wax.fori_loop(0, 3, lambda i, s: wnp.tanh(s @ w) + i, x)

    @wax.jit
    def f(x: Any) -> Any:
        a = wax.fori_loop(0, 2, lambda i, s: step(s), x)
        return wax.cond(a[0] > 5, step, lambda v: step(v) + step(a), a)

    def judge(x: np.ndarray) -> np.ndarray:
        def once(s: np.ndarray) -> np.ndarray:
            for i in range(3):
                s = np.tanh(s @ np.asarray(w)) + np.float32(i)
            return s

        a = once(once(x))
        return once(a) if a[0] > 5 else once(a) + once(a)

    x = floats(4)
    np.testing.assert_allclose(np.asarray(f(x)), judge(x), rtol=1e-5)
    assert f.trace(x).as_text().count("func.func") >= 2


def test_a_program_does_not_grow_with_the_number_of_turns() -> None:
    def text(turns: int) -> str:
        return wax.jit(lambda x: wax.fori_loop(0, turns, lambda i, s: s * 2 + i, x)).trace(floats(3)).lower().as_text()

    assert len(text(10)) == len(text(99))


def test_a_loop_is_saved_and_loaded(tmp_path: Path) -> None:
    program = next(p for p in PROGRAMS if p.name == "nested True")
    for backend, name in (("iree", "loop.vmfb"), ("reference", "loop.waxref")):
        compiled = wax.jit(program.traced).trace(*program.arguments).lower().compile(backend=backend)
        compiled.save(tmp_path / name)
        loaded = wax.load(tmp_path / name)
        assert_alike(loaded(*program.arguments), program.plain(), program.tolerance, backend)


def test_arguments_that_a_loop_carries_stay_as_they_are() -> None:
    def f(x: Any, y: Any) -> Any:
        return wax.fori_loop(0, 5, lambda i, v: (v[1] + i, v[0] * 2), (x, y)), x

    x, y = wnp.asarray(floats(1000)), wnp.asarray(floats(1000))
    before = np.asarray(x).copy(), np.asarray(y).copy()
    jitted = wax.jit(f, backend="iree")
    first = [np.asarray(a).copy() for a in (*jitted(x, y)[0], jitted(x, y)[1])]
    for _ in range(3):
        again = jitted(x, y)
        for a, b in zip(first, (*again[0], again[1]), strict=True):
            np.testing.assert_array_equal(a, np.asarray(b))
    np.testing.assert_array_equal(np.asarray(x), before[0])
    np.testing.assert_array_equal(np.asarray(y), before[1])


def test_a_donated_argument_is_carried() -> None:
    f = wax.jit(lambda x: wax.fori_loop(0, 4, lambda i, s: s.at[i].add(1.0), x), donate_argnums=0, backend="iree")
    data = floats(5000)
    x = wnp.asarray(data.copy())
    expected = data.copy()
    expected[:4] += 1
    np.testing.assert_array_equal(np.asarray(f(x)), expected)
    with pytest.raises(wax.errors.DeletedBufferError):
        np.asarray(x)


def copies_in(function: Any, *arguments: Any) -> list[int]:
    """How many bytes IREE copies in the loops of a program, command by command; −1 for computed lengths."""
    text = lower(wax.jit(function).trace(*arguments)._function, "iree").text()
    rung = next(r for r in rungs([target("cpu")], CompileOptions()) if r.takes_loops and r.takes_dispatches)
    stream = compile_text(text, rung.flags).stream
    sizes = dict(re.findall(r"(%c\w+) = arith\.constant (\d+) : index", stream))
    loop = stream[stream.index("^bb1") :] if "^bb1" in stream else ""
    return [int(sizes.get(size, -1)) for size in re.findall(r"stream\.cmd\.copy [^,]+, [^,]+, (%\w+) :", loop)]


def test_iree_writes_what_is_stacked_in_place() -> None:
    def f(h: Any, w: Any, xs: Any) -> Any:
        def cell(h: Any, x: Any) -> Any:
            h = wnp.tanh(h @ w + x)
            return h, (h, h > 0)

        return wax.scan(cell, h, xs)

    copied = copies_in(f, floats(8, 128), floats(128, 128), floats(1000, 8, 128))
    assert copied
    assert max(copied) <= 8 * 128 * 4, "a turn copies no more than its own part"


def test_what_is_the_same_in_each_turn_is_computed_before_the_loop() -> None:
    text = (
        wax.jit(lambda x, w: wax.fori_loop(0, 9, lambda i, s: s + wnp.exp(w) * i, x))
        .trace(floats(8), floats(8))
        .lower()
        .as_text()
    )
    assert "math.exp" in text.partition("scf.for")[0]
    assert "math.exp" not in text.partition("scf.for")[2]


def test_a_branch_by_a_python_bool_is_no_branch() -> None:
    def never(x: Any) -> Any:
        raise AssertionError

    text = wax.jit(lambda x: wax.cond(True, lambda v: v + 1, never, x)).trace(floats(3)).as_text()
    assert "scf.if" not in text
    assert float(wax.cond(np.bool_(False), never, lambda v: v + 1, wnp.asarray(1.0))) == 2.0


def test_python_numbers_take_the_dtype_of_the_turns() -> None:
    x = wnp.asarray(floats(3).astype(np.float64))
    total = wax.jit(lambda x: wax.fori_loop(0, 3, lambda i, s: s + x[0], 0))(x)
    assert total.dtype == np.float64
    assert wax.scan(lambda c, e: (c + 1, c), 0, x)[1].dtype == np.int32


def test_a_region_is_refused_where_it_does_not_fit() -> None:
    builder = _native.FunctionBuilder("f")
    x, p, y = builder.argument([3], "f32"), builder.argument([], "i1"), builder.argument([None], "f32")

    def function(name: str, *shapes: Any, results: Any = (0,), index: bool = False) -> _native.Function:
        made = _native.FunctionBuilder(name)
        if index:
            made.argument([], "index")
        for shape in shapes:
            made.argument(shape, "f32")
        return made.finish(list(results))

    same, two = function("same", [3]), function("two", [3], results=(0, 0))
    refused = [
        (lambda: builder.if_(x, same, [x], same, [x]), "a condition is a tensor<i1>"),
        (lambda: builder.if_(p, same, [x], two, [x]), "the branches give 1 and 2 values"),
        (lambda: builder.if_(p, same, [], same, [x]), "takes 1 values, not 0"),
        (lambda: builder.for_(-1, [x], same, [0], []), "cannot have -1 turns"),
        (lambda: builder.for_(2, [x], function("b", [3], index=True, results=(1, 1)), [0], []), "gives 2 values"),
        (lambda: builder.for_(2, [x], function("b", [3], index=True, results=(1,)), [4], []), "cannot be argument 4"),
        (lambda: builder.for_(2, [x], function("b", [4], index=True, results=(1,)), [0], []), "is meant"),
        (lambda: builder.while_([x], same, [], same, [], None), "gives one tensor<i1>"),
        (lambda: builder.tensor_to_index(x), "one integer, not of tensor<3xf32>"),
    ]
    for call, message in refused:
        with pytest.raises(_native.DialectError, match=re.escape(message)):
            call()
    # Sizes that one side knows and the other does not are the same sizes.
    ((made, shape, _),) = builder.if_(p, same, [x], function("open", [None]), [y])
    assert shape == (3,)
    assert "scf.if" in builder.finish([made]).text()


def test_values_that_share_memory_are_carried_apart() -> None:
    def from_one(x: Any) -> Any:
        zeros = wnp.zeros((4, 4))
        return wax.fori_loop(0, 4, lambda i, v: (v[0].at[i].set(x + i), v[1].at[:, i].set(x - i)), (zeros, zeros))

    def carried_and_captured(x: Any) -> Any:
        z = x * 2
        return wax.fori_loop(0, 4, lambda i, v: v.at[i].set(z.sum() + v.sum()), z), z

    def made_one_by_a_turn(x: Any) -> Any:
        return wax.fori_loop(0, 3, lambda i, v: (v[1].at[i].add(1.0), v[1]), (x, x + 1))

    def of_a_branch(x: Any) -> Any:
        both = wax.cond(x[0] > 0, lambda: (x, x), lambda: (x + 1, x + 1))
        return wax.fori_loop(0, 3, lambda i, v: (v[0].at[i].set(9.0), v[1].at[i].set(-9.0)), both)

    def while_there_are(x: Any) -> Any:
        def turn(v: Any) -> Any:
            a, b, i = v
            return a.at[i].set(i * 1.0), b.at[i].set(i * -1.0), i + 1

        return wax.while_loop(lambda v: v[2] < 3, turn, (x, x, wnp.asarray(0)))

    x = np.arange(1, 5, dtype=np.float32)
    for f in (from_one, carried_and_captured, made_one_by_a_turn, of_a_branch, while_there_are):
        compiled, eager = (wax.jit(f, backend=backend)(x) for backend in ("iree", "reference"))
        for ours, theirs in zip(wax.tree.flatten(compiled)[0], wax.tree.flatten(eager)[0], strict=True):
            assert np.array_equal(ours, theirs), f.__name__


@pytest.mark.parametrize(
    ("dtype", "shape", "optimize"),
    every_other(
        [
            ("float32", (65, 65)),
            ("float32", (33, 31)),
            ("float64", (45, 45)),
            ("float16", (64, 66)),
            ("int8", (1, 4111)),
        ],
        [True, False],
    ),
    ids=str,
)
def test_loops_that_hold_a_tensor_in_many_registers(dtype, shape, optimize):
    """More than 64 vectors, which are read and written several at a time; one by one they took minutes to compile."""
    u = np.random.default_rng(9).integers(-9, 9, shape).astype(dtype)

    def turn(xp, u):
        return u[:, 1:-1] - u[:, :-2] + xp.flip(u[:, 2:], axis=1) // 2

    run = wax.jit(
        lambda u: wax.fori_loop(0, 3, lambda i, u: u.at[:, 1:-1].set(turn(wnp, u)), u),
        backend="iree",
        optimize=optimize,
    )
    found = np.asarray(run(u))
    for _ in range(3):
        u[:, 1:-1] = turn(np, u.copy())
    np.testing.assert_array_equal(found, u)


@pytest.mark.parametrize(("n", "optimize"), every_other([4, 33], [True, False]))
def test_loops_that_read_a_part_of_what_no_registers_hold(n, optimize):
    """The part is in registers, though what it is a part of, in whatever shape, is not."""
    x = np.random.default_rng(9).standard_normal((n, n))

    def added(x):
        both = wnp.stack([wnp.sort(x, axis=1), *[x * 2] * (5000 // n**2 + 1)])
        part = wnp.reshape(wnp.reshape(both, (-1,))[: n * n], (n, n))
        return wax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] + part), (0, x / 2))[1]

    found = wax.jit(added, backend="iree", optimize=optimize)(x)
    part = np.sort(x, axis=1)
    np.testing.assert_array_equal(np.asarray(found), x / 2 + part + part + part)
