"""Random programs of `wax.numpy`, written as users do: updates, rows by index, sorts, sums, branches, loops.

Each is of square matrices of one size, so that whatever one step gives another takes, with what memory is shared and
what a fusion merges left to chance. What the basis has is drawn by `random_programs`; this is what it is for.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from reference_judge import leaves_of, run_both

import wax
import wax.errors
import wax.nn
import wax.numpy as wnp

__all__ = ["ArrayProgram", "array_program", "fault", "faults"]

#: How results may differ by rounding, of the greatest of each.
TOLERANCE = 1e-9
SIZES = (5, 8, 17, 33)

Array = Any


@dataclass(frozen=True)
class Step:
    """One step, with all that it leaves to chance: a program is traced more than once."""

    kind: str
    size: int
    chances: tuple[float, ...]
    bodies: tuple[tuple[Step, ...], ...] = ()

    def pick(self, index: int, values: Any) -> Any:
        return values[int(self.chances[index] * len(values))]

    def often(self, index: int, share: float) -> bool:
        return self.chances[index] < share

    @property
    def many(self) -> int:
        return 1 + int(self.chances[0] * (self.size - 1))

    def box(self, index: int) -> tuple[slice, ...]:
        """Some rows, as many at each place, or columns."""
        start = int(self.chances[index] * (self.size - self.many + 1))
        part = slice(start, start + self.many)
        return (slice(None), part) if self.often(1, 0.3) else (part,)


@dataclass
class State:
    """What a program has so far; `turn` is the number of the loop's turn that it is in."""

    arrays: list[Array]
    read: list[Array] = field(default_factory=list)
    turn: Array = None


#: What a step makes of an array and another, by its name, and how often it is taken.
Maker = Callable[[Step, State, Array, Array], Array]
MAKERS: dict[str, Maker] = {}
OFTEN: list[str] = []
#: Those that have programs inside of them are at the top only.
OUTER: list[str] = []


def step(often: int = 1, *, outer: bool = False) -> Callable[[Maker], Maker]:
    def add(maker: Maker) -> Maker:
        name = maker.__name__
        MAKERS[name] = maker
        (OUTER if outer else OFTEN).extend([name] * often)
        return maker

    return add


@step(4)
def update(s: Step, state: State, t: Array, u: Array) -> Array:
    to, value = s.box(2), u[s.box(3)]
    made = s.pick(
        4,
        [
            lambda: value,
            lambda: value * 0.5,
            lambda: wnp.tanh(value),
            lambda: value + u[to] * 0.25,
            lambda: wnp.flip(value, axis=0),
            lambda: value - wnp.mean(value, axis=-1, keepdims=True),
        ],
    )()
    return t.at[to].add(made * 0.5) if s.often(5, 0.3) else t.at[to].set(made)


@step()
def update_at(s: Step, state: State, t: Array, u: Array) -> Array:
    row = wnp.argmax(u[0]) if state.turn is None or s.often(1, 0.3) else state.turn % s.size
    value = u[int(s.chances[2] * s.size)] * 0.5
    return t.at[row].set(value) if s.often(3, 0.5) else t.at[row].add(value)


@step()
def update_rows(s: Step, state: State, t: Array, u: Array) -> Array:
    rows = s.pick(1, [wnp.arange(s.size), wnp.flip(wnp.arange(s.size)), wnp.argsort(u[:, 0])])[: s.many]
    value = u[: s.many]
    return t.at[rows].set(value) if s.often(2, 0.5) else t.at[rows].add(value * 0.5)


@step()
def concat(s: Step, state: State, t: Array, u: Array) -> Array:
    axis = s.pick(1, [0, 1])
    first, last = (slice(s.many, None), slice(None, s.many))
    return wnp.concat([t[first], u[last]] if axis == 0 else [t[:, first], u[:, last]], axis=axis)


@step()
def pad(s: Step, state: State, t: Array, u: Array) -> Array:
    return wnp.pad(t[1:], ((1, 0), (0, 0))) if s.often(0, 0.5) else wnp.pad(t[:, 1:], ((0, 0), (0, 1)))


@step()
def roll(s: Step, state: State, t: Array, u: Array) -> Array:
    return wnp.roll(u, s.many, axis=s.pick(1, [0, 1, None]))


@step()
def flip(s: Step, state: State, t: Array, u: Array) -> Array:
    return wnp.flip(t, axis=s.pick(0, [0, 1, None])) * 0.5 + u


@step()
def reshape(s: Step, state: State, t: Array, u: Array) -> Array:
    flat = wnp.reshape(t, (-1,))
    if s.often(0, 0.5):
        flat = wnp.concat([flat[s.many :], wnp.reshape(u.T, (-1,))[: s.many]])
    return wnp.reshape(flat * 0.5, (s.size, s.size))


@step()
def transpose(s: Step, state: State, t: Array, u: Array) -> Array:
    return s.pick(0, [t.T * 0.5, t + u.T, t * 0.5 + t.T])


@step()
def take(s: Step, state: State, t: Array, u: Array) -> Array:
    rows = s.pick(0, [wnp.flip(wnp.arange(s.size)), wnp.argmax(t, axis=1), wnp.argsort(u[0])])
    return wnp.take(u, rows, axis=s.pick(1, [0, 1])) * 0.5 + t


@step()
def where(s: Step, state: State, t: Array, u: Array) -> Array:
    mask = s.pick(0, [t > u.T, wnp.tril(t) > 0.01, wnp.sum(t, axis=0) > 0.01, wnp.any(u > 1, axis=1, keepdims=True)])
    return wnp.where(mask, t, u * 0.5)


@step()
def triangle(s: Step, state: State, t: Array, u: Array) -> Array:
    return wnp.tril(t, k=s.many - s.size // 2) + wnp.triu(u, k=1) * 0.5


@step()
def sort(s: Step, state: State, t: Array, u: Array) -> Array:
    return wnp.sort(t, axis=s.pick(0, [0, 1]), descending=s.often(1, 0.5))


@step()
def accumulate(s: Step, state: State, t: Array, u: Array) -> Array:
    return wnp.cumulative_sum(t * 0.3, axis=s.pick(0, [0, 1]))


@step()
def softmax(s: Step, state: State, t: Array, u: Array) -> Array:
    return wax.nn.softmax(t, axis=s.pick(0, [0, 1]))


@step()
def normalize(s: Step, state: State, t: Array, u: Array) -> Array:
    axis = s.pick(0, [0, 1, -1, None])
    return (t - wnp.mean(t, axis=axis, keepdims=True)) / (wnp.std(u, axis=axis, keepdims=True) + 0.5)


@step(2)
def product(s: Step, state: State, t: Array, u: Array) -> Array:
    many = s.many
    made = [
        lambda: t @ u,
        lambda: t.T @ u,
        lambda: t[:, :many] @ u[:many],
        lambda: wnp.einsum("ij,kj->ik", t, u),
        lambda: wnp.tanh(t @ u[:, 0])[:, None] * u,
    ]
    return s.pick(1, made)() / s.size


@step(2)
def subtract_sums(s: Step, state: State, t: Array, u: Array) -> Array:
    reduce = s.pick(0, [wnp.mean, wnp.max, wnp.min, lambda x, **kw: wnp.sum(x * x, **kw) / s.size])
    rows, columns = reduce(u, axis=1), reduce(u, axis=0)
    return s.pick(
        1,
        [
            t - rows[:, None],
            t - columns,
            t * 0.5 + rows[:, None] - columns,
            rows[:, None] - 0.5 * rows,
            t + columns[:, None] * columns * 0.25,
            (t - columns).T + columns,
            t - reduce(u),
        ],
    )


@step()
def count(s: Step, state: State, t: Array, u: Array) -> Array:
    counts = wnp.sum(wnp.astype(t > u, wnp.int32), axis=s.pick(0, [0, 1]))
    return t + wnp.astype(counts[:, None] - counts // 2, t.dtype) / s.size


@step(2)
def pointwise(s: Step, state: State, t: Array, u: Array) -> Array:
    return s.pick(0, [wnp.tanh(t) + u * 0.1, t * 0.5, wnp.exp(-(t * t)) + u, t - u * 0.5, wnp.sin(t) * u, abs(t)])


@step()
def each_row(s: Step, state: State, t: Array, u: Array) -> Array:
    def of(row: Array, other: Array) -> Array:
        return s.pick(
            0,
            [
                lambda: row.at[: s.many].set(other[: s.many] * 0.5),
                lambda: row - wnp.max(other),
                lambda: wnp.sort(row) + other,
                lambda: wnp.roll(row, s.many) * other[wnp.argmax(row)],
            ],
        )()

    return wax.vmap(of)(t, s.pick(1, [u, u.T, t]))


@step(3, outer=True)
def reads(s: Step, state: State, t: Array, u: Array) -> Array:
    made = [wnp.sum(t, axis=0), t.T @ u, wax.nn.softmax(t, axis=-1), t, t[s.box(2)], wnp.max(t) + u[0]]
    state.read.append(s.pick(1, made))
    return t


@step(outer=True)
def loop(s: Step, state: State, t: Array, u: Array) -> Array:
    body = s.bodies[0]
    both = wax.fori_loop(0, 3, lambda i, c: (run(body, State(list(c), turn=i))[-1], c[0] * 0.9), (t, u))
    return both[s.pick(1, [0, 1])]


@step(outer=True)
def while_loop(s: Step, state: State, t: Array, u: Array) -> Array:
    def turn(carry: Any) -> Any:
        i, x, y = carry
        made = run(s.bodies[0], State([x, y], turn=i))
        return i + 1, made[-1], s.pick(1, [made[0] * 0.5, y, x])

    i, x, y = wax.while_loop(lambda carry: carry[0] < 3, turn, (0, t, u))
    state.read.append(y[0] + i)
    return x


@step(outer=True)
def cond(s: Step, state: State, t: Array, u: Array) -> Array:
    yes, no = s.bodies
    return wax.cond(wnp.sum(u) > 0.01, lambda: run(yes, State([u, t]))[-1], lambda: run(no, State([u, t]))[-1])


@step(outer=True)
def scan(s: Step, state: State, t: Array, u: Array) -> Array:
    def turn(carry: Array, row: Array) -> tuple[Array, Array]:
        begin = [u, carry.at[0].set(row)] if s.often(1, 0.5) else [carry]
        return run(s.bodies[0], State(begin))[-1], carry[int(s.chances[2] * s.size)] * 0.5 + row

    last, rows = wax.scan(turn, t, u)
    state.read.append(wnp.sum(rows, axis=0))
    return last


@step(outer=True)
def gradient(s: Step, state: State, t: Array, u: Array) -> Array:
    return wax.grad(lambda x: wnp.mean(wnp.tanh(run(s.bodies[0], State([u, x]))[-1]) ** 2))(t)


def run(steps: tuple[Step, ...], state: State) -> list[Array]:
    arrays = state.arrays
    for s in steps:
        t = arrays[-1] if s.often(6, 0.6) else s.pick(7, arrays)
        u = t if s.often(8, 0.4) else s.pick(9, arrays)
        arrays.append(MAKERS[s.kind](s, state, t, u))
    return arrays


@dataclass(frozen=True)
class ArrayProgram:
    """A function of two matrices, or of one that captured the other, and how it is compiled."""

    function: Callable[..., Any]
    arguments: tuple[np.ndarray, ...]
    donated: tuple[int, ...]
    optimize: bool


def array_program(seed: int) -> ArrayProgram:
    choice = random.Random(seed)
    size = choice.choice(SIZES)

    def draw(count: int, *, outer: bool) -> tuple[Step, ...]:
        steps = []
        for _ in range(count):
            kind = choice.choice(OFTEN + 2 * OUTER if outer else OFTEN)
            bodies = [draw(choice.randint(1, 4), outer=False) for _ in range(2)] if kind in OUTER else []
            steps.append(Step(kind, size, tuple(choice.random() for _ in range(10)), tuple(bodies)))
        return tuple(steps)

    steps = draw(choice.randint(3, 9), outer=True)

    def function(x: Array, y: Array) -> Any:
        state = State([x, y, x @ y / size])
        made = run(steps, state)
        return made[-1], state.read

    x, y = np.random.default_rng(seed).standard_normal((2, size, size))
    donated, optimize = choice.choice([(), (0,), (0, 1)]), choice.random() < 0.8
    if seed % 3 == 2:
        held = wnp.asarray(y)
        return ArrayProgram(lambda x: function(x, held), (x,), donated[:1], optimize)
    return ArrayProgram(function, (x, y), donated, optimize)


def fault(program: ArrayProgram, device: str = "cpu") -> str:
    """How IREE's results differ from the reference's by more than rounding does; empty if they do not.

    Where a change of the last bits gives another result, as at a branch, that says nothing.
    """
    got, wanted = run_both(
        program.function, program.arguments, donated=program.donated, optimize=program.optimize, device=device
    )

    def differences(found: list[np.ndarray]) -> np.ndarray:
        apart = [np.max(np.abs(x - y), initial=0) for x, y in zip(found, wanted, strict=True)]
        return np.array([x if np.isfinite(x) else np.inf for x in apart])

    allowed = np.array([TOLERANCE * (1 + np.max(np.abs(x), initial=0)) for x in wanted])
    apart = differences(got)
    if (apart <= allowed).all() or not all(np.isfinite(x).all() for x in wanted):
        return ""
    reference = wax.jit(program.function, backend="reference")
    for seed in range(4):
        moved = [x * (1 + 1e-15 * np.random.default_rng(seed).standard_normal(x.shape)) for x in program.arguments]
        allowed += 1e4 * differences(leaves_of(reference(*moved)))
    wrong = np.flatnonzero(~(apart <= allowed))
    return "; ".join(f"result {i} differs by {apart[i]:.2g}" for i in wrong)


def faults(seeds: Iterable[int], device: str = "cpu") -> list[str]:
    """What is wrong with the programs of these seeds, a line each."""
    found = []
    for seed in seeds:
        try:
            wrong = fault(array_program(seed), device)
        except wax.errors.CompileError as error:
            wrong = f"CompileError: {error}"
        if wrong:
            found.append(f"{seed}: {wrong}")
    return found
