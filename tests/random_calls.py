"""Random programs of several calls of `wax.numpy`, for any namespace that has its names: `error_bounds` is their judge.

A program is made by running it on estimates: what these refuse, such as a comparison of numbers that are rounded, is
not done. Sizes are 0, 1, odd and large ones; `OPEN` is the one that may be symbolic, and is rarely met by chance.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import error_bounds
import numpy as np
from error_bounds import BF16, Estimate, Inexact, estimate

#: Of a dim that is symbolic if any is.
OPEN = 11
SIZES = (0, 1, 1, 2, 3, 3, 4, 5, 7, OPEN, OPEN, OPEN, 33)
SIGNED = [np.dtype(t) for t in ("i1", "i2", "i4", "i8")]
INTEGERS = [*SIGNED, *(np.dtype(t) for t in ("u1", "u2", "u4", "u8"))]
FLOATS = [np.dtype("f2"), BF16, np.dtype("f4"), np.dtype("f8")]
COMPLEX = [np.dtype("c8"), np.dtype("c16")]
BOOL = np.dtype(np.bool_)
DTYPES = [BOOL, *INTEGERS, *FLOATS, *FLOATS, *COMPLEX]
MOST_ELEMENTS = 4000


@dataclass(frozen=True)
class Call:
    """`function(control, namespace, *operands)`, of earlier values by number."""

    name: str
    function: Callable[..., Any]
    operands: tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """Arguments, calls, and what the last values have to be."""

    arguments: tuple[np.ndarray, ...]
    calls: tuple[Call, ...]
    results: tuple[int, ...]
    expected: tuple[Estimate, ...]

    def run(self, control: Any, xp: Any, *arguments: Any) -> list[Any]:
        """The results on a namespace's own arrays."""
        values = list(arguments)
        for call in self.calls:
            values.append(call.function(control, xp, *(values[i] for i in call.operands)))
        return [values[i] for i in self.results]

    def at(self, size: int) -> Program | None:
        """The program with another size for each that is `OPEN`; none where estimates refuse it then."""
        source = np.random.default_rng(size)
        arguments = tuple(
            _elements(source, x.dtype, tuple(size if n == OPEN else n for n in x.shape)) for x in self.arguments
        )
        with np.errstate(all="ignore"):
            try:
                expected = self.run(error_bounds.CONTROL, error_bounds.NAMESPACE, *map(estimate, arguments))
            except Inexact:
                return None
        return replace(self, arguments=arguments, expected=tuple(expected))

    def check(self, results: Sequence[Any]) -> None:
        """Assert that results are within their bounds."""
        assert len(results) == len(self.expected)
        for number, (got, wanted) in enumerate(zip(results, self.expected, strict=True)):
            wanted.check(got, f"result {number} of\n{self}")

    def __str__(self) -> str:
        shapes = [f"  {i}: {x.dtype}{list(x.shape)}" for i, x in enumerate(self.arguments)]
        start = len(self.arguments)
        calls = [f"  {start + i}: {call.name}{call.operands}" for i, call in enumerate(self.calls)]
        return "\n".join([*shapes, *calls, f"  gives {self.results}"])


class Refused(Exception):
    """A step that the values at hand do not allow."""


class Generator:
    """Makes one program of what a source of random numbers says."""

    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.values: list[Estimate] = []
        self.arguments: list[np.ndarray] = []
        self.calls: list[Call] = []

    def program(self, most_calls: int = 10) -> Program:
        """The program: up to three arguments, one call at least."""
        for _ in range(self.random.randint(1, 3)):
            self.argument()
        wanted = self.random.randint(1, most_calls)
        for _ in range(12 * wanted):
            if len(self.calls) >= wanted:
                break
            try:
                self.random.choice(_STEPS)(self)
            except (Refused, Inexact):
                continue
        if not self.calls:
            self.call("stack", lambda control, xp, x: xp.stack([x], axis=0), 0)
        first, count = len(self.arguments), len(self.values)
        results = tuple(sorted({count - 1, *(self.random.randrange(first, count) for _ in range(2))}))
        return Program(
            tuple(self.arguments), tuple(self.calls), results, tuple(self.values[number] for number in results)
        )

    # Values.

    def argument(self) -> None:
        """One more argument, of a few quarters or of whole numbers."""
        dtype = self.random.choice(DTYPES)
        shapes = [x.shape for x in self.arguments]
        if shapes and self.random.random() < 0.5:
            shape = self.random.choice(shapes)
        else:
            shape = tuple(self.random.choice(SIZES) for _ in range(self.random.randint(0, 3)))
        if np.prod(shape, dtype=int) > MOST_ELEMENTS:
            shape = shape[:1]
        source = np.random.default_rng(self.random.randrange(2**32))
        self.arguments.append(_elements(source, dtype, shape))
        self.values.append(estimate(self.arguments[-1]))

    def pick(self, kinds: str = "biufc", least_rank: int = 0, *, some: bool = False) -> int:
        """The number of a value: of a kind of dtype, of a rank, with some elements. Raises `Refused`."""
        found = [
            i
            for i, x in enumerate(self.values)
            if _kind(x.dtype) in kinds and x.ndim >= least_rank and (x.value.size or not some)
        ]
        if not found:
            raise Refused
        # Late ones more often, so that programs are deep.
        return max(self.random.choice(found), self.random.choice(found))

    def like(self, number: int, *, same_shape: bool = False) -> int:
        """A value of the same dtype that can be broadcast with one."""
        x = self.values[number]
        found = [i for i, y in enumerate(self.values) if y.dtype == x.dtype and _fit(x.shape, y.shape, same_shape)]
        return self.random.choice(found)

    def axis(self, number: int, *, some: bool = False) -> int:
        """A dim of a value, negative or not."""
        x = self.values[number]
        found = [i for i in range(x.ndim) if x.shape[i] or not some]
        if not found:
            raise Refused
        return self.random.choice(found) - self.random.choice((0, x.ndim))

    def call(self, name: str, function: Callable[..., Any], *operands: int) -> None:
        """Adds a call, if estimates allow it."""
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = function(error_bounds.CONTROL, error_bounds.NAMESPACE, *(self.values[i] for i in operands))
        if value.value.size > MOST_ELEMENTS or value.ndim > 5:
            raise Refused
        self.values.append(value)
        self.calls.append(Call(name, function, operands))


def _kind(dtype: np.dtype) -> str:
    return "f" if dtype == BF16 else dtype.kind


def _fit(a: tuple[int, ...], b: tuple[int, ...], same: bool) -> bool:
    return a == b if same else all(x == y or 1 in (x, y) for x, y in zip(a[::-1], b[::-1], strict=False))


def _elements(source: np.random.Generator, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    if dtype == BOOL:
        return source.random(shape) < 0.5
    if dtype.kind in "iu":
        small = source.integers(0 if dtype.kind == "u" else -5, 6, shape).astype(dtype)
        limits = np.iinfo(dtype)
        wide = source.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
        return np.asarray(np.where(source.random(shape) < 0.8, small, wide))
    quarters = source.integers(-12, 13, shape) / 4
    if dtype in COMPLEX:
        quarters = quarters + 1j * source.integers(-12, 13, shape) / 4
    return np.asarray(quarters).astype(dtype)


def _named(name: str, **named: Any) -> Callable[..., Any]:
    return lambda control, xp, *operands: getattr(xp, name)(*operands, **named)


_UNARY = {
    "negative": "iufc", "abs": "iufc", "square": "iufc", "sign": "if", "floor": "f", "ceil": "f", "trunc": "f",
    "round": "f", "tanh": "f", "sin": "f", "cos": "f", "atan": "f", "asinh": "f", "exp": "f", "sqrt": "f",
    "bitwise_invert": "biu", "logical_not": "biuf",
}  # fmt: skip
_BINARY = {
    "add": "iufc", "subtract": "iufc", "multiply": "iufc", "divide": "fc", "maximum": "iuf", "minimum": "iuf",
    "hypot": "f", "bitwise_and": "biu", "bitwise_or": "biu", "bitwise_xor": "biu", "equal": "biufc",
    "not_equal": "biufc", "less": "iuf", "less_equal": "iuf",
}  # fmt: skip


def unary(g: Generator) -> None:
    name = g.random.choice(list(_UNARY))
    g.call(name, _named(name), g.pick(_UNARY[name]))


def binary(g: Generator) -> None:
    name = g.random.choice(list(_BINARY))
    x = g.pick(_BINARY[name])
    g.call(name, _named(name), x, g.like(x))


def divided(g: Generator) -> None:
    """Whole quotients and remainders by what is 1 where the divisor is 0."""
    name = g.random.choice(["floor_divide", "remainder"])
    x = g.pick("iu")

    def function(control: Any, xp: Any, a: Any, b: Any) -> Any:
        # The least number by -1 overflows: neither is taken.
        divisor = xp.where(xp.less_equal(b, xp.astype(xp.equal(b, b), b.dtype)), xp.astype(xp.equal(b, b), b.dtype), b)
        return getattr(xp, name)(a, divisor)

    g.call(name, function, x, g.like(x))


def cast(g: Generator) -> None:
    x = g.pick()
    kinds = "c" if _kind(g.values[x].dtype) == "c" else "biufc"
    dtype = g.random.choice([d for d in DTYPES if _kind(d) in kinds])
    g.call(f"astype {dtype}", lambda control, xp, a: xp.astype(a, dtype), x)


def choose(g: Generator) -> None:
    condition = g.pick("b")
    shape = g.values[condition].shape
    found = [i for i, x in enumerate(g.values) if _fit(shape, x.shape, False)]
    x = g.random.choice(found)
    y = g.random.choice([i for i in found if g.values[i].dtype == g.values[x].dtype])
    if not _fit(g.values[x].shape, g.values[y].shape, False):
        raise Refused
    g.call("where", _named("where"), condition, x, y)


def reduced(g: Generator) -> None:
    name = g.random.choice(["sum", "max", "min", "any", "all", "argmax", "argmin", "mean", "count_nonzero"])
    kinds = {"sum": "biufc", "mean": "f", "any": "biuf", "all": "biuf", "count_nonzero": "biuf"}.get(name, "iuf")
    some = name in ("max", "min", "argmax", "argmin", "mean")
    x = g.pick(kinds, some=some)
    axis = None if not g.values[x].ndim or g.random.random() < 0.2 else g.axis(x)
    named = {"keepdims": True} if name in ("sum", "max", "min", "argmax", "argmin") and g.random.random() < 0.3 else {}
    g.call(f"{name} along {axis} {named or ''}", _named(name, axis=axis, **named), x)


def prefixes(g: Generator) -> None:
    x = g.pick(least_rank=1)
    axis = g.axis(x)
    g.call(f"cumulative_sum along {axis}", _named("cumulative_sum", axis=axis), x)


def ordered(g: Generator) -> None:
    name = g.random.choice(["sort", "argsort"])
    x = g.pick("iuf", least_rank=1)
    axis = g.axis(x)
    g.call(f"{name} along {axis}", _named(name, axis=axis), x)


def found_in_order(g: Generator) -> None:
    x = g.pick("iuf", least_rank=1)
    y = g.like(x)

    def function(control: Any, xp: Any, a: Any, b: Any) -> Any:
        return xp.searchsorted(xp.sort(xp.reshape(a, (-1,))), b)

    g.call("searchsorted", function, x, y)


def product(g: Generator) -> None:
    x = g.pick("ifc", least_rank=2)
    if g.values[x].dtype.kind == "i" and g.values[x].dtype.itemsize < 4:
        raise Refused

    def function(control: Any, xp: Any, a: Any, b: Any) -> Any:
        turned = xp.permute_dims(b, (*range(b.ndim - 2), b.ndim - 1, b.ndim - 2))
        return xp.matmul(a, turned)

    g.call("a @ transpose of b", function, x, g.like(x, same_shape=True))


def moved(g: Generator) -> None:
    x = g.pick(least_rank=1)
    value = g.values[x]
    axis = g.axis(x)
    order = list(range(value.ndim))
    g.random.shuffle(order)
    steps = g.random.choice((-3, -2, -1, 2, 3))
    name, function = g.random.choice(
        [
            ("flip", _named("flip", axis=axis)),
            (f"roll by {steps}", _named("roll", shift=steps, axis=axis)),
            (f"permute_dims {order}", lambda control, xp, a: xp.permute_dims(a, tuple(order))),
            ("expand_dims", _named("expand_dims", axis=axis)),
            ("reshape", lambda control, xp, a: xp.reshape(a, (-1,))),
            (f"every {steps}", lambda control, xp, a: a[..., ::steps]),
            ("without the first", lambda control, xp, a: a[1:]),
            ("the last", lambda control, xp, a: a[-1:]),
            ("repeat", lambda control, xp, a: xp.repeat(a, 2, axis=axis)),
            ("tile", lambda control, xp, a: xp.tile(a, (2,) * a.ndim)),
            ("pad", lambda control, xp, a: xp.pad(a, [(1, 2)] * a.ndim)),
        ]
    )
    if 0 in value.shape and name == "reshape":
        raise Refused
    g.call(f"{name} along {axis}", function, x)


def triangle(g: Generator) -> None:
    name, k = g.random.choice(["triu", "tril"]), g.random.randint(-2, 2)
    g.call(f"{name} {k}", _named(name, k=k), g.pick(least_rank=2))


def joined(g: Generator) -> None:
    name = g.random.choice(["concat", "stack"])
    x = g.pick(least_rank=1)
    axis = g.axis(x)
    g.call(
        f"{name} along {axis}",
        lambda control, xp, *parts: getattr(xp, name)(list(parts), axis=axis),
        x,
        *(g.like(x, same_shape=True) for _ in range(g.random.randint(0, 2))),
    )


def taken(g: Generator) -> None:
    """Rows by the order of something else, or by its first elements."""
    x = g.pick(least_rank=1, some=True)
    axis = g.axis(x)

    def function(control: Any, xp: Any, a: Any, key: Any) -> Any:
        return xp.take(a, xp.argsort(key, axis=-1), axis=axis)

    length = g.values[x].shape[axis]
    keys = [i for i, y in enumerate(g.values) if y.ndim == 1 and y.shape[0] == length and _kind(y.dtype) in "iuf"]
    if not keys:
        raise Refused
    g.call(f"take along {axis}", function, x, g.random.choice(keys))


def taken_along(g: Generator) -> None:
    x = g.pick("iuf", least_rank=1)
    axis = g.axis(x)

    def function(control: Any, xp: Any, a: Any, key: Any) -> Any:
        return xp.take_along_axis(a, xp.argsort(key, axis=axis), axis=axis)

    keys = [i for i, y in enumerate(g.values) if y.shape == g.values[x].shape and _kind(y.dtype) in "iuf"]
    g.call(f"take_along_axis {axis}", function, x, g.random.choice(keys))


def updated(g: Generator) -> None:
    name = g.random.choice(["set", "add"])
    x = g.pick("iufc", least_rank=1, some=True)

    def function(control: Any, xp: Any, a: Any, b: Any) -> Any:
        return getattr(a.at[-1], name)(b[0])

    g.call(f"at[-1].{name}", function, x, g.like(x, same_shape=True))


# Control flow, around turns that keep shape and dtype.


def _turn(g: Generator, dtype: np.dtype, rank: int) -> tuple[str, Callable[[Any, Any, Any], Any]]:
    """`(xp, carried, constant) -> carried`, of a few calls."""
    kind = _kind(dtype)
    own = [
        ("negate", lambda xp, v, c: xp.negative(v)),
        ("add", lambda xp, v, c: xp.add(v, c)),
        ("subtract", lambda xp, v, c: xp.subtract(c, v)),
    ]
    if rank:
        own += [("flip", lambda xp, v, c: xp.flip(v, axis=-1)), ("roll", lambda xp, v, c: xp.roll(v, 1, axis=0))]
    if kind in "iu":
        own += [("multiply", lambda xp, v, c: xp.multiply(v, c)), ("and", lambda xp, v, c: xp.bitwise_and(v, c))]
    if kind == "f":
        own += [("tanh", lambda xp, v, c: xp.tanh(v)), ("max", lambda xp, v, c: xp.maximum(v, c))]
    if kind in "iuf" and rank:
        own += [("sort", lambda xp, v, c: xp.sort(v, axis=-1))]
    steps = g.random.sample(own, g.random.randint(1, 3))

    def turn(xp: Any, v: Any, c: Any) -> Any:
        for _, step in steps:
            v = step(xp, v, c)
        return v

    return "+".join(name for name, _ in steps), turn


def branch(g: Generator) -> None:
    x = g.pick("iufc")
    names, turns = zip(*(_turn(g, g.values[x].dtype, g.values[x].ndim) for _ in range(2)), strict=True)

    def function(control: Any, xp: Any, a: Any, b: Any) -> Any:
        test = xp.any(xp.less(xp.real(a) if a.dtype.kind == "c" else a, xp.real(b) if a.dtype.kind == "c" else b))
        return control.cond(test, lambda v: turns[0](xp, v, b), lambda v: turns[1](xp, v, b), a)

    g.call(f"cond of {names}", function, x, g.like(x, same_shape=True))


def counted(g: Generator) -> None:
    x, count = g.pick("iufc"), g.random.choice((0, 1, 3, 5))
    name, turn = _turn(g, g.values[x].dtype, g.values[x].ndim)

    def function(control: Any, xp: Any, a: Any, b: Any) -> Any:
        return control.fori_loop(0, count, lambda i, v: turn(xp, v, b), a)

    g.call(f"{count} turns of {name}", function, x, g.like(x, same_shape=True))


def scanned(g: Generator) -> None:
    x = g.pick("iufc", least_rank=1)
    if not g.values[x].shape[0]:
        raise Refused
    name, turn = _turn(g, g.values[x].dtype, g.values[x].ndim - 1)
    last = g.random.random() < 0.3

    def function(control: Any, xp: Any, a: Any) -> Any:
        def step(carry: Any, row: Any) -> Any:
            made = turn(xp, carry, row)
            return made, xp.subtract(carry, row)

        carry, rows = control.scan(step, a[0], a)
        return carry if last else rows

    g.call(f"scan of {name}", function, x)


def halved(g: Generator) -> None:
    """A loop that ends when the numbers say so."""
    x = g.pick("iu")

    def function(control: Any, xp: Any, a: Any) -> Any:
        one = xp.astype(xp.equal(a, a), a.dtype)
        two = xp.add(one, one)
        return control.while_loop(
            lambda v: xp.any(xp.less(two, v)), lambda v: xp.where(xp.less(two, v), xp.floor_divide(v, two), v), a
        )

    g.call("while_loop of halves", function, x)


_STEPS = [
    *(unary, unary, binary, binary, binary, divided, cast, cast, choose, reduced, reduced, prefixes, ordered),
    *(found_in_order, product, moved, moved, moved, triangle, joined, taken, taken_along, updated),
    *(branch, counted, scanned, halved),
]


def random_program(seed: int, most_calls: int = 10) -> Program:
    """The program of a seed."""
    return Generator(random.Random(seed)).program(most_calls)
