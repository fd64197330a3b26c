"""What is updated in place is overwritten only after all have read it (`wax-keep-overwritten`, `wax-reuse-donated`)."""

import itertools

import array_programs
import numpy as np
import pytest
from reference_judge import assert_agree
from tiers import every_other, tiered

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


@pytest.mark.parametrize(
    ("name", "size", "optimize"), every_other(UPDATES, tiered([64, 65, 200], lambda size: size == 65), [True, False])
)
def test_updates_of_what_is_read(name, size, optimize):
    assert_agree(UPDATES[name], RANDOM.standard_normal((size, size)) / size**0.5, optimize=optimize)


@pytest.mark.parametrize(
    ("name", "size", "donated"),
    every_other(DONATED, tiered([5, 64, 200], lambda size: size == 64), [((0, 1),), ((0,),)]),
    ids=str,
)
def test_donated_arguments_that_are_read(name, size, donated):
    assert_agree(DONATED[name], *RANDOM.standard_normal((2, size, size)), donated=donated)


CAPTURED = {
    "an argument": lambda x, y: y,
    "a constant": lambda x, y: wnp.asarray(RANDOM_ROWS[: x.shape[0], : x.shape[0]]),
    "ones": lambda x, y: wnp.ones(x.shape, dtype=x.dtype),
    "a product": lambda x, y: x @ y,
    "a map": lambda x, y: y * 2,
}
RANDOM_ROWS = RANDOM.standard_normal((64, 64))
OVERWRITE = {
    "rows": lambda v, c: v.at[wnp.argsort(c[:, 0])[:16]].set(c[:16]),
    "rows added": lambda v, c: v.at[wnp.argsort(c[:, 0])[:16]].add(c[:16]),
    "a row": lambda v, c: v.at[wnp.argmax(c[0])].set(c[1] * 0.5),
    "a box": lambda v, c: v.at[6:23].set(c[14:31] @ c * 0.1),
}
LOOPS = {
    "for": lambda make, turn: lambda x, y: wax.fori_loop(0, 3, lambda i, c: turn(make(x, y), c), x),
    "made before": lambda make, turn: (
        lambda x, y: (lambda v: wax.fori_loop(0, 3, lambda i, c: turn(v, c), x))(make(x, y))
    ),
    "scan": lambda make, turn: lambda x, y: wax.scan(lambda c, r: (wnp.tanh(turn(make(x, y), c)), c[0] + r), x, y[:5]),
    "while": lambda make, turn: (
        lambda x, y: wax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, turn(make(x, y), c[1])), (0, x))
    ),
    "nested": lambda make, turn: (
        lambda x, y: wax.fori_loop(0, 2, lambda j, d: wax.fori_loop(0, 3, lambda i, c: turn(make(x, y), c), d * 0.5), x)
    ),
    "in a branch": lambda make, turn: (
        lambda x, y: wax.fori_loop(
            0, 3, lambda i, c: wax.cond(c[0, 0] > -9, lambda: turn(make(x, y), c), lambda: c * 2), x
        )
    ),
}


#: What the quick tier takes of loops other than `for`, of which it takes all.
PAIRS = list(itertools.product(LOOPS, CAPTURED))[::2]


@pytest.mark.parametrize(
    ("loop", "made", "overwrite", "optimize"),
    every_other(
        tiered(
            [(loop, made, overwrite) for loop in LOOPS for overwrite in OVERWRITE for made in CAPTURED],
            lambda case: case[0] == "for" or (case[2] == "rows" and case[:2] in PAIRS),
        ),
        [True, False],
    ),
)
def test_each_turn_begins_with_what_was_made_outside(loop, made, overwrite, optimize):
    x, y = RANDOM.standard_normal((2, 33, 33))
    assert_agree(LOOPS[loop](CAPTURED[made], OVERWRITE[overwrite]), x, y, optimize=optimize)


def beside(loop, read):
    """A loop of what is read beside it."""
    return lambda x: (lambda y: (loop(y, x), read(y, x)))(x @ x)


def stacked(y, x):
    return wax.scan(lambda c, r: ((c @ y) * 0.1, wnp.sum(c) + r), y, x)[1]


BESIDE = {
    "added to": lambda x: (lambda y: wax.fori_loop(0, 3, lambda i, u: (u @ x) * 0.1, y) + y)(x @ x),
    "and a sum": beside(
        lambda y, x: wax.fori_loop(0, 3, lambda i, u: (u @ y) * 0.1, y), lambda y, x: wnp.sum(y, axis=0)
    ),
    "and an update": beside(stacked, lambda y, x: y.at[3:5].set(x[:2])),
    "and an update that is computed": beside(stacked, lambda y, x: y.at[3:5].set(wnp.tanh(x[:2]))),
    "and an update of rows": beside(stacked, lambda y, x: y.at[wnp.argsort(x[0])[:5]].set(x[:5])),
    "added to, and an update of rows": beside(
        lambda y, x: wax.scan(lambda c, r: (wnp.exp(c) * 0.1 + r, wnp.sum(c) + r), y, x)[1] + y,
        lambda y, x: y.at[wnp.argsort(x[0])[:5]].set(x[:5]),
    ),
    "all of it, and an update": beside(
        lambda y, x: wax.scan(lambda c, r: ((c @ c) * 0.1, wnp.sum(c) + r), y, x), lambda y, x: y.at[3:5].set(x[:2])
    ),
    "a branch, and an update": beside(
        lambda y, x: wax.cond(x[0, 0] > 0, lambda: y * 2, lambda: y @ x) + y, lambda y, x: y.at[3:5].set(x[:2])
    ),
    "an update in a branch": beside(
        lambda y, x: wax.cond(x[0, 0] > -100, lambda: y.at[2:5].set(x[:3]), lambda: y * 2),
        lambda y, x: wnp.sum(y, axis=0),
    ),
    "an update before": lambda x: (lambda y: (y.at[3:5].set(x[:2]), stacked(y, x)))(x @ x),
    "an update of what is looked up": lambda x: (
        lambda y: (wnp.cumulative_sum(y, axis=0), x.at[wnp.argmax(y.at[1:3].set(wnp.tanh(x[:2]))[0])].set(y[3]))
    )(x @ x),
}


@pytest.mark.parametrize(
    ("name", "size", "optimize"), every_other(BESIDE, tiered([6, 33, 200], lambda size: size == 33), [True, False])
)
def test_what_is_read_beside_a_loop(name, size, optimize):
    assert_agree(BESIDE[name], RANDOM.standard_normal((size, size)) / size, optimize=optimize)


@pytest.mark.parametrize("seed", tiered(range(200), lambda seed: seed < 10))
def test_random_programs(seed):
    assert array_programs.fault(array_programs.array_program(seed)) == ""
