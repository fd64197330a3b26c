"""Programs with branches and loops, written for any namespace that has `jax.lax`'s names for them.

`PLAIN` is those functions in plain Python on NumPy's arrays, and the judge of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np

import wax
import wax.numpy as wnp
from wax import tree

BF16 = np.dtype(ml_dtypes.bfloat16)


def _cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any) -> Any:
    return (true_fun if pred else false_fun)(*operands)


def _switch(index: Any, branches: Any, *operands: Any) -> Any:
    return branches[min(max(int(index), 0), len(branches) - 1)](*operands)


def _while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], value: Any) -> Any:
    while cond_fun(value):
        value = body_fun(value)
    return value


def _fori_loop(lower: Any, upper: Any, body_fun: Callable[[Any, Any], Any], value: Any, unroll: Any = None) -> Any:
    for i in range(int(lower), int(upper)):
        value = body_fun(i, value)
    return value


def _scan(f: Any, carry: Any, xs: Any = None, length: Any = None, reverse: bool = False, unroll: Any = 1) -> Any:
    leaves, structure = tree.flatten(xs)
    count = leaves[0].shape[0] if leaves else length
    found: list[Any] = [None] * count
    for i in reversed(range(count)) if reverse else range(count):
        carry, found[i] = f(carry, tree.unflatten(structure, [x[i] for x in leaves]))
    if not found:  # the shapes of a turn that is none
        _, y = f(carry, tree.unflatten(structure, [np.zeros(x.shape[1:], x.dtype) for x in leaves]))
        parts, shape = tree.flatten(y)
        return carry, tree.unflatten(shape, [np.zeros((0, *np.shape(p)), np.asarray(p).dtype) for p in parts])
    _, shape = tree.flatten(found[0])
    stacked = [
        np.stack([np.asarray(p) for p in parts]) for parts in zip(*(tree.flatten(y)[0] for y in found), strict=True)
    ]
    return carry, tree.unflatten(shape, stacked)


def _map(f: Callable[[Any], Any], xs: Any) -> Any:
    return _scan(lambda carry, x: (carry, f(x)), (), xs)[1]


def _associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    leaves, structure = tree.flatten(elems)
    leaves = [np.moveaxis(x, axis, 0) for x in leaves]
    prefixes: list[list[Any]] = []
    for i in range(leaves[0].shape[0])[:: -1 if reverse else 1]:
        now = [x[i] for x in leaves]
        if prefixes:
            now, _ = tree.flatten(fn(tree.unflatten(structure, prefixes[-1]), tree.unflatten(structure, now)))
        prefixes.append(now)
    if reverse:
        prefixes.reverse()
    made = [np.stack(parts) for parts in zip(*prefixes, strict=True)] if prefixes else leaves
    return tree.unflatten(structure, [np.moveaxis(x, 0, axis) for x in made])


PLAIN = SimpleNamespace(
    cond=_cond,
    switch=_switch,
    while_loop=_while_loop,
    fori_loop=_fori_loop,
    scan=_scan,
    map=_map,
    associative_scan=_associative_scan,
)


@dataclass(frozen=True)
class Program:
    """`function(lax, numpy, *arguments)`; `tolerance` is relative."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    tolerance: float = 0.0
    dims: Any = None

    def __str__(self) -> str:
        return self.name

    def plain(self) -> Any:
        with np.errstate(all="ignore"):
            return self.function(PLAIN, np, *self.arguments)

    def traced(self, *arguments: Any) -> Any:
        return self.function(wax, wnp, *arguments)


def assert_alike(actual: Any, expected: Any, tolerance: float, name: str, *, dtypes: bool = True) -> None:
    """Assert structure, dtypes, shapes and values."""
    got, wanted = tree.flatten(actual), tree.flatten(expected)
    assert got[1] == wanted[1], name
    for one, other in zip(got[0], wanted[0], strict=True):
        a, b = np.asarray(one), np.asarray(other)
        if dtypes:
            # A Python number that nothing was added to has the dtype that wax gives it.
            assert a.dtype == b.dtype or not isinstance(other, np.ndarray | np.generic), (name, a.dtype, b.dtype)
        assert a.shape == b.shape, (name, a.shape, b.shape)
        if BF16 in (a.dtype, b.dtype):
            a, b = a.astype(np.float32), b.astype(np.float32)
        if tolerance:
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance, err_msg=name)
        else:
            np.testing.assert_array_equal(a, b, err_msg=name)


def _floats(*shape: int, seed: int = 0, dtype: Any = np.float32) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).uniform(-2, 2, shape).astype(dtype)


def _ints(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).integers(-9, 10, shape).astype(np.int32)


def _int(value: int) -> np.ndarray:
    return np.asarray(value, np.int32)


def _choose(lax: Any, xp: Any, p: Any, x: Any) -> Any:
    return lax.cond(p, lambda a: {"x": a + a, "n": a[0]}, lambda a: {"x": -a, "n": a[1]}, x)


def _nothing_to_do(lax: Any, xp: Any, p: Any, x: Any, y: Any) -> Any:
    return lax.cond(p, lambda: x, lambda: y), lax.cond(p, lambda a: a, lambda a: a, x), lax.cond(p, lambda: (), tuple)


def _switches(lax: Any, xp: Any, i: Any, x: Any) -> Any:
    c = x * 3
    return lax.switch(i, [lambda a: a + c, lambda a: a * c, lambda a: c - a, lambda a: a], x)


def _collatz(lax: Any, xp: Any, n: Any) -> Any:
    def step(v: Any) -> Any:
        number, turns = v
        return lax.cond(number % 2 == 0, lambda m: m // 2, lambda m: 3 * m + 1, number), turns + xp.ones_like(turns)

    return lax.while_loop(lambda v: v[0] != 1, step, (n, n - n))


def _swap(lax: Any, xp: Any, n: Any, x: Any, y: Any) -> Any:
    return lax.fori_loop(0, n, lambda i, v: (v[1], v[0], v[0] + v[1]), (x, y, x))


def _shift(lax: Any, xp: Any, n: Any, a: Any, b: Any, c: Any) -> Any:
    return lax.while_loop(lambda v: v[3] < n, lambda v: (v[1], v[2], v[0], v[3] + 1), (a, b, c, n - n)), a + b


def _bounds(lax: Any, xp: Any, low: Any, high: Any, x: Any) -> Any:
    return lax.fori_loop(low, high, lambda i, s: s * 2 + i, x)


def _unrolled(lax: Any, xp: Any, x: Any) -> Any:
    a = lax.fori_loop(2, 9, lambda i, s: s + x[0] * i, x, unroll=3)
    b = lax.fori_loop(2, 5, lambda i, s: s * i, x, unroll=True)
    return (
        a,
        b,
        lax.scan(lambda c, e: (c + e, c), x[0], x, unroll=2),
        lax.scan(lambda c, e: (c + e, c), x[0], x, unroll=True),
    )


def _sums(lax: Any, xp: Any, init: Any, x: Any) -> Any:
    return lax.scan(lambda c, e: (c + e, (c, e > 0)), init, x), lax.scan(
        lambda c, e: (c + e, {"c": c}), init, x, reverse=True
    )


def _rnn(lax: Any, xp: Any, h: Any, w: Any, u: Any, xs: Any) -> Any:
    def cell(h: Any, x: Any) -> Any:
        h = xp.tanh(h @ w + x @ u)
        return h, h

    return lax.scan(cell, h, xs)


def _nested(lax: Any, xp: Any, p: Any, x: Any) -> Any:
    w = x[0] * 0 + 0.5

    def inner(c: Any, row: Any) -> Any:
        c = lax.while_loop(lambda s: xp.sum(s * s) < 4, lambda s: s * 1.5 + w, c + row * row)
        return c, lax.fori_loop(0, 3, lambda i, s: s + c * i, row)

    return lax.cond(p, lambda a: lax.scan(inner, a[0], a), lambda a: (a[1], a * w), x)


def _rows(lax: Any, xp: Any, x: Any) -> Any:
    def row(i: Any, table: Any) -> Any:
        return lax.fori_loop(0, i, lambda j, t: t + x[j] * 0.5, table) + i

    return lax.fori_loop(0, x.shape[0], row, x[0] * 0)


def _counts(lax: Any, xp: Any, x: Any) -> Any:
    return lax.scan(lambda c, _: (c * 2, c), x, None, length=5), lax.scan(lambda c, _: (c, ()), x, length=3)


def _maps(lax: Any, xp: Any, x: Any, y: Any) -> Any:
    return lax.map(lambda p: {"s": p[0] + p[1], "d": (p[0] - p[1]) > 0}, (x, y))


def _fold(x: Any, y: Any) -> Any:
    return {"a": x["a"] * y["a"], "b": x["b"] * y["a"] + y["b"]}


def _recurrence(lax: Any, xp: Any, a: Any, b: Any) -> Any:
    return lax.associative_scan(_fold, {"a": a, "b": b})


def _prefixes(axis: int, reverse: bool) -> Callable[..., Any]:
    return lambda lax, xp, x: lax.associative_scan(lambda a, b: a + b, x, reverse=reverse, axis=axis)


def _promoted(lax: Any, xp: Any, x: Any) -> Any:
    # Python numbers take the dtype that the turns, or the other branch, give them.
    total = lax.fori_loop(0, 4, lambda i, s: s + x[0], 0)
    return total, lax.scan(lambda c, e: (c * e, c * e), 1.0, x), lax.cond(x[0] > 100, lambda: 1, lambda: x[1])


def _table(lax: Any, xp: Any, x: Any, ids: Any) -> Any:
    # Reads, and writes in place, at computed positions.
    def step(c: Any, i: Any) -> Any:
        c = xp.where(xp.arange(c.shape[0])[:, None] == i, c * 0.5 + 1, c)
        return c, xp.sum(c, axis=0)

    return lax.scan(step, x, ids)


def _newton(lax: Any, xp: Any, x: Any) -> Any:
    # Loops over scalars only, of which IREE's lowering makes one dispatch each.
    def close(v: Any) -> Any:
        return xp.abs(v[0] * v[0] - x) > x * 0.03125

    def step(v: Any) -> Any:
        return (v[0] + x / v[0]) * 0.5, v[1] ^ True

    root, odd = lax.while_loop(close, step, (x, x > 1e6))
    return root, odd, lax.fori_loop(0, 3, lambda i, s: lax.fori_loop(0, i, lambda j, t: t + root, s), x)


def _gcd(lax: Any, xp: Any, a: Any, b: Any) -> Any:
    return lax.while_loop(lambda v: v[1] != 0, lambda v: (v[1], v[0] % v[1]), (a, b))[0], a


def _chosen(lax: Any, xp: Any, table: Any, n: Any) -> Any:
    def step(i: Any, s: Any) -> Any:
        return lax.cond(table[i] > 0, lambda: s * 2 + table[i], lambda: s)

    return lax.fori_loop(0, n, step, table[0])


def _turned(lax: Any, xp: Any, z: Any) -> Any:
    return lax.fori_loop(0, 5, lambda i, s: s * z + s, z)


def _read_again(lax: Any, xp: Any, x: Any) -> Any:
    # What a loop begins with is read after it too, and inside of other loops.
    y = x * 2 + 1
    z = xp.sum(y)
    first = lax.while_loop(lambda v: xp.sum(v[0]) < 100, lambda v: (v[0] + xp.abs(v[1]) + 1, v[1] * 0.5), (y, x + z))
    second = lax.scan(lambda c, e: (c + e * z, c), y, xp.stack([x, y, x]))

    def turn(i: Any, s: Any) -> Any:
        a = lax.while_loop(lambda v: xp.sum(v) < 50, lambda v: v * 1.5 + 1, s + y)
        return lax.cond(a[0] > s[0], lambda: a * 0.01 + s, lambda: s - y)

    return first, y, second, lax.fori_loop(0, 4, turn, y) + y


PROGRAMS = [
    Program("read again", _read_again, (_floats(5),), 1e-5),
    *(
        Program(f"newton in {dtype}", _newton, (np.asarray(30, dtype),), tolerance)
        for dtype, tolerance in ((np.dtype("f4"), 1e-6), (np.dtype("f8"), 1e-14), (np.dtype("f2"), 4e-3))
    ),
    *(Program(f"gcd {a} {b}", _gcd, (np.int64(a), np.int64(b))) for a, b in ((48, 36), (7, 0), (1, 99))),
    *(Program(f"chosen of {n}", _chosen, (_ints(9), _int(n))) for n in (0, 9)),
    Program("turned", _turned, (np.asarray(0.5 + 0.25j, np.complex64),), 1e-5),
    *(Program(f"cond {p}", _choose, (np.asarray(p), _floats(5))) for p in (True, False, np.int32(3), np.float32(0))),
    *(
        Program(f"cond of nothing {p}", _nothing_to_do, (np.asarray(p), _floats(3, 2), _floats(3, 2, seed=1)))
        for p in (0, 1)
    ),
    *(Program(f"switch {i}", _switches, (_int(i), _floats(4))) for i in (-3, 0, 1, 2, 3, 9)),
    *(Program(f"collatz {n}", _collatz, (_int(n),)) for n in (1, 7, 27)),
    *(Program(f"swap {n}", _swap, (_int(n), _floats(33), _floats(33, seed=1))) for n in (0, 1, 4, 5)),
    *(Program(f"shift {n}", _shift, (_int(n), _ints(5), _ints(5, seed=1), _ints(5, seed=2))) for n in (0, 2, 5)),
    *(
        Program(f"bounds {low}…{high}", _bounds, (_int(low), _int(high), _ints(3)))
        for low, high in ((0, 4), (-3, 2), (5, 5), (6, 2))
    ),
    Program("bounds of int64", _bounds, (np.int64(3), np.int64(7), _ints(3).astype(np.int64))),
    Program("bounds of uint8", _bounds, (np.uint8(250), np.uint8(255), np.arange(3, dtype=np.uint8))),
    Program("unrolled", _unrolled, (_floats(7),), 1e-6),
    *(Program(f"sums of {n}", _sums, (_floats(), _floats(n)), 1e-6) for n in (0, 1, 9)),
    *(
        Program(f"sums of {dtype}", _sums, (np.zeros((2, 3), dtype), (_floats(5, 2, 3) * 4).astype(dtype)), tolerance)
        for dtype, tolerance in (
            (np.dtype("i1"), 0),
            (np.dtype("u2"), 0),
            (np.dtype("i8"), 0),
            (np.dtype("f2"), 1e-2),
            (BF16, 5e-2),
            (np.dtype("f8"), 1e-14),
        )
    ),
    Program(
        "any of bools",
        lambda lax, xp, x: lax.scan(lambda c, e: (c | e, c), x[0] & False, x),
        (np.asarray([False, False, True, False]),),
    ),
    Program(
        "products of complex numbers",
        lambda lax, xp, x: lax.scan(lambda c, e: (c * e, xp.real(c)), x[0], x),
        ((_floats(5) + 1j * _floats(5, seed=1)).astype(np.complex64),),
        1e-5,
    ),
    Program("rnn", _rnn, (_floats(2, 8), _floats(8, 8) / 4, _floats(3, 8), _floats(6, 2, 3)), 1e-5),
    *(Program(f"nested {p}", _nested, (np.asarray(p), _floats(4, 3)), 1e-5) for p in (True, False)),
    Program("rows", _rows, (_floats(5, 3),), 1e-6),
    Program("counts", _counts, (_ints(2, 3),)),
    Program("map", _maps, (_floats(4, 2), _floats(4, 2, seed=1))),
    *(
        Program(f"recurrence of {n}", _recurrence, (_floats(n, 2), _floats(n, 2, seed=1)), 1e-4)
        for n in (0, 1, 2, 3, 8, 13)
    ),
    *(
        Program(f"prefixes along {axis}{' reversed' * reverse}", _prefixes(axis, reverse), (_ints(5, 6, 3),))
        for axis in (0, 1, -1)
        for reverse in (False, True)
    ),
    Program("promoted", _promoted, (_floats(4),), 1e-6),
    Program("table", _table, (_floats(6, 4), np.asarray([0, 5, 0, 2], np.int32)), 1e-6),
]
