"""What is updated in place is overwritten only after all have read it (`wax-keep-overwritten`, `wax-reuse-donated`)."""

import random

import numpy as np
import pytest
from reference_judge import agree
from tiers import tiered

import wax
import wax.nn
import wax.numpy as wnp

RANDOM = np.random.default_rng(41)


def early(x):
    y = x @ x
    source = wnp.tanh(x[:32])
    read = y.T * 2
    return y.at[:32].set(source), read


def early_twice(x):
    source = wnp.exp(x[32:64])
    y = x @ x
    read = wax.nn.softmax(y, axis=0)
    return y.at[:32].set(wnp.tanh(x[:32])).at[32:64].set(source), read


def fused_with_a_reader(x):
    y = x @ x
    v = wnp.exp(x[1:]) * 2
    return y.at[1:].set(v), wnp.tanh(v + y[:-1])


def in_a_branch(x):
    y, source = x @ x, wnp.tanh(x[:3])
    return wax.cond(x[0, 0] > 100, lambda: y.at[:3].set(source), lambda: y * 1)


def forked(x):
    y = x @ x
    return y.at[:3].set(wnp.tanh(x[:3])), y.at[:3].set(wnp.exp(x[:3])), y.at[2:5].add(wnp.exp(x[:3]))


def read_in_a_loop(x):
    def turn(i, carried):
        u, total = carried
        source = wnp.tanh(x[:3] * i)
        return u.at[:3].set(source), total + wnp.sum(u, axis=0)

    return wax.fori_loop(0, 3, turn, (x @ x, x[0]))


def moved_but_kept(s):
    return s, s.at[:, 2:].set(s[:, :-2] * 0.5 + s[:, 2:])


def updated(change):
    return lambda x: change(x @ x, x)


def turned(change):
    return lambda x: wax.fori_loop(0, 5, lambda i, u: change(u, x), x @ x)


UPDATES = {
    "moved down": updated(lambda y, x: y.at[1:].set(y[:-1] * 2)),
    "moved down as they are": updated(lambda y, x: y.at[1:].set(y[:-1])),
    "moved right": updated(lambda y, x: y.at[:, 1:].set(y[:, :-1] * 2)),
    "moved right as they are": updated(lambda y, x: y.at[:, 1:].set(y[:, :-1])),
    "transposed": updated(lambda y, x: y.at[1:].set(y.T[:-1] * 2)),
    "a part transposed": updated(lambda y, x: y.at[:40].set(y.T[:40] * 2)),
    "a softmax moved": updated(lambda y, x: y.at[1:].set(wax.nn.softmax(y[:-1], axis=-1))),
    "a product moved": updated(lambda y, x: y.at[1:].set(y[:-1] @ x)),
    "swapped": updated(lambda y, x: y.at[:32].set(y[32:64] * 2).at[32:64].set(y[:32] + 1)),
    "in its place": updated(lambda y, x: y.at[1:5].add(1.5)),
    "in its place, with a sum": updated(lambda y, x: y.at[1:5].add(wnp.sum(y[:4], axis=0) + wnp.sum(x))),
    "rows reversed": updated(lambda y, x: y.at[wnp.flip(wnp.arange(x.shape[0]))].set(y)),
    "rows moved": updated(lambda y, x: y.at[wnp.arange(1, x.shape[0])].set(y[:-1])),
    "rows added": updated(lambda y, x: y.at[wnp.arange(1, x.shape[0])].add(y[:-1] * 2)),
    "read after it was made": early,
    "two, of which one was made first": early_twice,
    "fused with a reader": fused_with_a_reader,
    "in a branch": in_a_branch,
    "forked": forked,
    "moved but kept, of sums": lambda x: moved_but_kept(wnp.sum(x[:, :, None] * x, axis=1)),
    "moved but kept, of rows added": lambda x: moved_but_kept(x.at[wnp.argmax(x, axis=0)].add(x)),
    "moved in turns": turned(lambda u, x: u.at[1:].set(u[:-1] * 0.5 + 1)),
    "products in turns": turned(lambda u, x: u.at[1:].set(u[:-1] @ x)),
    "made and moved in turns": turned(lambda u, x: (lambda w: w.at[1:].set(w[:-1] * 0.2))((u @ x) * 0.1)),
    "read in turns": read_in_a_loop,
    "a stencil": turned(
        lambda u, x: u.at[1:-1, 1:-1].set((u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]) * 0.25)
    ),
}
DONATED = {
    "read by another": lambda x, y: (wnp.exp(y), x.T * 2),
    "read by a sum": lambda x, y: (y * 2, wnp.sum(x, axis=0)),
    "read by a product": lambda x, y: (x + (y @ y) * 2, x @ x),
    "read by the sum of its squares": lambda x, y: (x - 0.1 * (y.T @ y), wnp.sum(x * x)),
    "less its first row": lambda x, y: (x - x[:1], y),
    "transposed": lambda x, y: (x + x.T, y * 2),
    "reversed": lambda x, y: (wnp.flip(x, axis=0) * 2, y + x),
    "by a product of itself": lambda x, y: (x @ x, y + 1),
    "swapped": lambda x, y: (y * 2, x * 2),
    "a sum and a difference": lambda x, y: (x + y, x - y),
    "with a sum of rows": lambda x, y: (x + wnp.sum(y * y.T, axis=0), y - wnp.sum(x, axis=1, keepdims=True)),
    "an update of it": lambda x, y: (x.at[1:].set(x[:-1] * 2), y.at[:, 1:].set(x[:, :-1])),
}


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("size", tiered([64, 65, 200], lambda size: size == 65))
@pytest.mark.parametrize("name", UPDATES)
def test_updates_of_what_is_read(name, size, optimize):
    agree(UPDATES[name], RANDOM.standard_normal((size, size)) / size**0.5, optimize=optimize)


@pytest.mark.parametrize("donated", [(0,), (0, 1)], ids=str)
@pytest.mark.parametrize("size", tiered([5, 64, 200], lambda size: size == 64))
@pytest.mark.parametrize("name", DONATED)
def test_donated_arguments_that_are_read(name, size, donated):
    agree(DONATED[name], *RANDOM.standard_normal((2, size, size)), donated=donated)


def random_updates(seed, size):
    """Updates of boxes and rows of arrays of one shape, between what else reads those."""
    choice = random.Random(seed)
    steps = [[choice.random() for _ in range(7)] for _ in range(choice.choice([3, 5, 8, 12]))]
    turns = choice.random() < 0.25

    def pick(values, place):
        return values[int(place * len(values))]

    def box(place, length):
        start = int(place * (size - length + 1))
        return slice(start, start + length)

    def run(x, y):
        arrays, read = [x, y, x @ y], []
        for kind, which, other, first, second, length, dim in steps:
            target = arrays[-1] if which < 0.6 else pick(arrays, which)
            source = target if other < 0.5 else pick(arrays, other)
            many = 1 + int(length * (size - 1))
            to, of = box(first, many), box(second, many)
            if kind < 0.5:
                if dim < 0.3:
                    to, of = (slice(None), to), (slice(None), of)
                value = source[of]
                scaled = pick([value, value * 0.5, wnp.tanh(value), value + source[to] * 0.25, value + 1], second)
                arrays.append(target.at[to].add(scaled * 0.5) if first < 0.3 else target.at[to].set(scaled))
            elif kind < 0.6:
                rows = wnp.flip(wnp.arange(size))[:many] if dim < 0.5 else wnp.arange(size)[to]
                arrays.append(
                    target.at[rows].set(source[of]) if second < 0.6 else target.at[rows].add(source[of] * 0.5)
                )
            elif kind < 0.7:
                arrays.append(pick([target + source, target * 0.5, wnp.tanh(target)], first))
            elif kind < 0.8:
                arrays.append((target @ source) / size)
            elif kind < 0.9:
                arrays.append(target.T * 0.5)
            else:
                read.append(pick([wnp.sum(target, axis=0), target.T @ source, wax.nn.softmax(target, axis=-1)], first))
        return arrays[-1], pick(arrays[-2:], steps[0][0]), read

    def looped(x, y):
        return wax.fori_loop(0, 3, lambda i, c: run(*c)[:2], (x, y)), run(x, y)[2]

    return looped if turns else run


@pytest.mark.parametrize("seed", tiered(range(80), lambda seed: seed < 24))
def test_random_updates(seed):
    size = (4, 17, 40)[seed % 3]
    x, y = RANDOM.standard_normal((2, size, size))
    donated = ((), (0,), (0, 1))[seed // 3 % 3]
    agree(random_updates(seed, size), x, y, donated=donated, optimize=seed % 5 > 0)
