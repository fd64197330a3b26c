"""Loops go through blocks of rows that do not mix (`wax-split-loops`): the same numbers, and a dispatch for a block."""

import random

import numpy as np
import pytest
from tiers import every_other, tiered

import wax
import wax.numpy as wnp
from wax import _native, tree
from wax._compile import lower

RANDOM = np.random.default_rng(38)
TOLERANCES = {"f4": 1e-4, "f8": 1e-12}


def is_split(function, *arguments, **options):
    """Whether the pass changes a function's loops."""
    module = _native.make_module(wax.jit(function, **options).lower(*arguments)._function.function)
    module.run("builtin.module(inline,wax-inline-checkpoints,wax-simplify,cse,wax-hoist-invariants,wax-simplify)")
    before = module.text().count("scf.for")
    module.run("builtin.module(wax-split-loops)")
    return module.text().count("scf.for") > before


def loops_on_the_host(function, *arguments, **options):
    """How many loops of the lowered program are in no dispatch."""
    text = lower(wax.jit(function, **options).lower(*arguments)._function, "iree outline=false").text()
    found, outside = 0, True
    for line in text.splitlines():
        if '"flow.dispatch.region"' in line:
            outside = False
        elif '"flow.return"' in line:
            outside = True
        found += outside and "scf.for" in line
    return found


def agree(found, expected, tolerance):
    for one, other in zip(tree.flatten(found)[0], tree.flatten(expected)[0], strict=True):
        scale = max(float(np.abs(np.asarray(other)).max(initial=0)), 1e-30)
        np.testing.assert_allclose(np.asarray(one) / scale, np.asarray(other) / scale, rtol=0, atol=tolerance)


def given(*shapes, dtype="f4"):
    return [RANDOM.standard_normal(shape).astype(dtype) for shape in shapes]


def selective(u, dt, a, b, c):
    """A state-space model with coefficients of the turn."""

    def step(h, x):
        u, dt, b, c = x
        h = wnp.exp(dt[:, None] * a) * h + (dt * u)[:, None] * b[None, :]
        return h, wnp.sum(h * c[None, :], axis=1)

    return wax.scan(step, wnp.zeros(a.shape, dtype=a.dtype), (u, dt, b, c))


def selective_by_numpy(u, dt, a, b, c):
    u, dt, a, b, c = (x.astype("f8") for x in (u, dt, a, b, c))
    h, ys = np.zeros(a.shape), []
    for u_, dt_, b_, c_ in zip(u, dt, b, c, strict=True):
        h = np.exp(dt_[:, None] * a) * h + (dt_ * u_)[:, None] * b_[None, :]
        ys.append((h * c_).sum(1))
    return h, np.array(ys).reshape(len(u), len(a))


def coefficients(turns, rows, states, dtype="f4"):
    u, dt, a, b, c = given((turns, rows), (turns, rows), (rows, states), (turns, states), (turns, states), dtype=dtype)
    return u, abs(dt) / 9, -abs(a), b, c


TIME = {0: wax.Dim("t", min=0)}
OPEN = (TIME, TIME, None, TIME, TIME)


@pytest.mark.parametrize(
    ("opened", "turns", "rows", "states", "dtype"),
    every_other(
        [False, True],
        [(40, 128, 16), (90, 333, 5), (300, 3000, 1), (100, 17, 250)],
        tiered(["f4", "f8"], "f4".__eq__),
    ),
)
def test_a_state_space_model(turns, rows, states, dtype, opened):
    arguments = coefficients(turns, rows, states, dtype)
    options = {"dynamic_shapes": OPEN} if opened else {}
    assert is_split(selective, *arguments, **options)
    assert loops_on_the_host(selective, *arguments, **options) == 0
    found = wax.jit(selective, backend="iree", **options)(*arguments)
    for one, other in zip(found, selective_by_numpy(*arguments), strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=TOLERANCES[dtype], atol=TOLERANCES[dtype])


@pytest.mark.parametrize("turns", [0, 1, 2, 70])
def test_turns_may_be_open(turns):
    arguments = coefficients(turns, 200, 16)
    found = wax.jit(selective, backend="iree", dynamic_shapes=OPEN)(*arguments)
    for one, other in zip(found, selective_by_numpy(*arguments), strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("opened", "rows"), every_other([False, True], [128, 130, 60]))
def test_gradients_of_what_rows_share_are_sums_of_blocks(rows, opened):
    """Each turn's, in a stack, and those of all turns: no row counts twice."""
    arguments = (*coefficients(50, rows, 16), *given((16,)))

    def loss(u, dt, a, b, c, d):
        return wnp.sum(selective(u, dt, a * wnp.exp(d), b, c)[1] ** 2)

    gradient = wax.grad(loss, argnums=(0, 1, 2, 3, 4, 5))
    wide = [wnp.asarray(x.astype("f8")) for x in arguments]
    expected = wax.jit(gradient, backend="iree", optimize=False)(*wide)
    shapes = (*OPEN, None) if opened else None
    found = wax.jit(gradient, backend="iree", dynamic_shapes=shapes)(*arguments)
    agree(found, expected, 3e-5)


@pytest.mark.parametrize(("shapes", "expected"), [(None, 1), (OPEN, 2)], ids=["known", "open"])
def test_of_a_gradient_loops_over_blocks_are_left_to_the_host(shapes, expected):
    gradient = wax.grad(lambda *x: wnp.sum(selective(*x)[1] ** 2), argnums=(0, 1, 2, 3, 4))
    on_host = loops_on_the_host(gradient, *coefficients(64, 128, 16), dynamic_shapes=shapes)
    assert on_host == expected  # sums of blocks are added up on the way back; where turns are open, sizes are checked


# Recurrences whose state is a matrix for each head: what does not mix are heads, and rows or columns of the matrix.


def linear_attention(state, q, k, v, g):
    state = state * g[:, None, None] + k[:, :, None] * v[:, None, :]
    return state, wnp.sum(q[:, :, None] * state, axis=1)


def delta_rule(state, q, k, v, g):
    error = v - wnp.einsum("hi,hij->hj", k, state)
    state = state + wnp.einsum("hi,hj->hij", k * g[:, None], error)
    return state, wnp.einsum("hi,hij->hj", q, state)


def rows_of_values(state, q, k, v, g):
    state = state * wnp.exp(-wnp.abs(q))[:, None, :] * g[:, None, None] + v[:, :, None] * k[:, None, :]
    return state, wnp.einsum("hij,hj->hi", state, q)


def stabilized(carry, q, k, v, g):
    state, norm, most = carry["state"], carry["norm"], carry["most"]
    now = wnp.maximum(wnp.log(g) + most, g)
    keep, take = wnp.exp(wnp.log(g) + most - now), wnp.exp(g - now)
    state = keep[:, None, None] * state + take[:, None, None] * (v[:, :, None] * k[:, None, :])
    norm = keep[:, None] * norm + take[:, None] * k
    scale = wnp.maximum(wnp.abs(wnp.sum(norm * q, axis=1)), 1.0)
    out = wnp.einsum("hij,hj->hi", state, q) / scale[:, None]
    return {"state": state, "norm": norm, "most": now}, out


RECURRENCES = [linear_attention, delta_rule, rows_of_values, stabilized]


def recurrence(cell, turns, heads, keys, values):
    """The loop over a cell's turns, its arguments, and how many turns it has."""
    q, k = given((turns, heads, keys), (turns, heads, keys), dtype="f8")
    (v,) = given((turns, heads, values), dtype="f8")
    k /= np.linalg.norm(k, axis=-1, keepdims=True)
    g = RANDOM.uniform(0.8, 0.99, (turns, heads))
    shape = (heads, keys, values) if cell in (linear_attention, delta_rule) else (heads, values, keys)

    def run(q, k, v, g):
        start = wnp.zeros(shape, dtype=q.dtype)
        if cell is stabilized:
            norm, most = wnp.zeros((heads, keys), dtype=q.dtype), wnp.zeros((heads,), dtype=q.dtype)
            start = {"state": start, "norm": norm, "most": most}
        return wax.scan(lambda state, x: cell(state, *x), start, (q, k, v, g))

    return run, (q, k, v, g)


HEADS = [(4, 64, 64), (3, 50, 33), (2, 17, 130), (1, 128, 64)]
ONE_EACH = [(cell, *sizes) for cell, sizes in zip(RECURRENCES, HEADS, strict=True)]


@pytest.mark.parametrize(
    ("cell", "heads", "keys", "values"),
    tiered([(cell, *sizes) for cell in RECURRENCES for sizes in HEADS], ONE_EACH.__contains__),
)
def test_heads_and_columns_are_blocks_of_one_dispatch(cell, heads, keys, values):
    run, wide = recurrence(cell, 90, heads, keys, values)
    narrow = [x.astype("f4") for x in wide]
    assert is_split(run, *narrow)
    assert loops_on_the_host(run, *narrow) == 0
    expected = wax.jit(run, backend="iree", optimize=False)(*wide)
    agree(wax.jit(run, backend="iree")(*narrow), expected, 2e-5)
    agree(wax.jit(run, backend="iree")(*wide), expected, 1e-12)
    shapes = ({0: wax.Dim("t", min=0)},) * 4
    agree(wax.jit(run, backend="iree", dynamic_shapes=shapes)(*narrow), expected, 2e-5)


@pytest.mark.parametrize(("cell", "turns", "keys", "values"), every_other(RECURRENCES, [(20, 64, 64), (70, 17, 40)]))
def test_gradients_of_states_that_are_matrices(cell, turns, keys, values):
    run, wide = recurrence(cell, turns, 3, keys, values)
    gradient = wax.grad(lambda *x: wnp.sum(run(*x)[1] ** 2), argnums=(0, 1, 2, 3))
    expected = wax.jit(gradient, backend="iree", optimize=False)(*wide)
    agree(wax.jit(gradient, backend="iree")(*[x.astype("f4") for x in wide]), expected, 1e-4)
    agree(wax.jit(gradient, backend="iree")(*wide), expected, 1e-11)


def cell(h, w, xs):
    def step(h, x):
        h = wnp.tanh(h @ w + x)
        return h, h

    return wax.scan(step, h, xs)


@pytest.mark.parametrize(("rows", "dtype", "width"), every_other([8, 21], [("f4", 64), ("f4", 40), ("f8", 40)]))
def test_a_batch_is_blocks_that_share_weights(rows, width, dtype):
    h, w, xs = given((rows, width), (width, width), (50, rows, width), dtype=dtype)
    w /= width**0.5
    assert is_split(cell, h, w, xs)
    assert loops_on_the_host(cell, h, w, xs) == 0
    expected = wax.jit(cell, backend="iree", optimize=False)(*[x.astype("f8") for x in (h, w, xs)])
    agree(wax.jit(cell, backend="iree")(h, w, xs), expected, TOLERANCES[dtype])


def test_weights_that_are_too_large_for_registers_keep_a_batch_together():
    assert not is_split(cell, *given((8, 72), (72, 72), (50, 8, 72)))


@pytest.mark.parametrize("rows", [42, 40])
def test_sums_over_one_axis_count_no_row_of_the_other_twice(rows):
    """Where the last block has rows of the one before again, what is added up for them would be added again."""

    def run(h):
        def step(carry, _):
            h, total = carry
            h = 0.9 * h + 0.01 * wnp.max(h, axis=2, keepdims=True)
            return (h, total + wnp.sum(h, axis=0)), None

        return wax.scan(step, (h, wnp.zeros((rows, 60), dtype=h.dtype)), None, length=400)[0]

    (h,) = given((61, rows, 60), dtype="f8")
    expected = wax.jit(run, backend="iree", optimize=False)(h)
    agree(wax.jit(run, backend="iree")(h), expected, 1e-12)


def test_stacks_that_are_of_no_row_go_beside_the_rows():
    """A stack that each block makes alike is no window: blocks are dispatches of their own then."""

    def run(h, xs):
        return wax.scan(lambda h, x: (wnp.tanh(h * 0.9 + x), (wnp.sum(h[:, :1], axis=1), x * 2)), h, xs)

    h, xs = given((3000, 2), (40,), dtype="f8")
    assert is_split(run, h, xs)
    agree(wax.jit(run, backend="iree")(h, xs), wax.jit(run, backend="iree", optimize=False)(h, xs), 1e-12)


def test_complex_numbers_that_turns_only_pass_on_may_be_carried():
    def run(x, a, b):
        return wax.fori_loop(0, 300, lambda i, c: (wnp.tanh(c[0]) * 0.5 + 1, c[2], c[1]), (x, a, b))

    x, a, b = *given((8000,)), *(np.arange(4) * one + 1j for one in (1, 2))
    found = wax.jit(run, backend="iree")(x, a.astype("c8"), b.astype("c8"))
    np.testing.assert_array_equal(np.asarray(found[1]), a.astype("c8"))


def test_short_rows_of_what_no_cache_holds_stay_together():
    """Columns of 64 states would be written 16 bytes at a time, each block through all of 32 MiB."""
    run, arguments = recurrence(linear_attention, 512, 4, 64, 64)
    arguments = [x.astype("f4") for x in arguments]

    def step(state, x):
        state, out = linear_attention(state, *x)
        return state, (state, out)

    def states(*xs):
        return wax.scan(step, wnp.zeros((4, 64, 64)), xs)

    assert is_split(run, *arguments)
    assert not is_split(states, *arguments)


def attractor(x):
    """Lorenz's equations for each row, by Euler's method."""

    def step(x, _):
        a, b, c = x[:, 0], x[:, 1], x[:, 2]
        return x + 0.005 * wnp.stack([10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c], axis=1), None

    return wax.scan(step, x, None, length=80)[0]


@pytest.mark.parametrize("rows", [1, 5, 700, 1001, 4096])
def test_a_batch_of_differential_equations(rows):
    (x,) = given((rows, 3), dtype="f8")
    expected = x
    for _ in range(80):
        a, b, c = expected.T
        expected = expected + 0.005 * np.stack([10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c], axis=1)
    np.testing.assert_allclose(np.asarray(wax.jit(attractor, backend="iree")(x)), expected, rtol=1e-10, atol=1e-10)


def test_a_batch_of_loops():
    def one(x):
        def step(state, _):
            q, p = state
            p = p - 0.01 * wnp.sin(q)
            return (q + 0.01 * p, p), wnp.cos(q)

        return wax.scan(step, (x[0], x[1]), None, length=60)

    (x,) = given((3000, 2))
    q, p = x.astype("f8").T
    seen = []
    for _ in range(60):
        seen.append(np.cos(q))
        p = p - 0.01 * np.sin(q)
        q = q + 0.01 * p
    (found_q, found_p), found = wax.jit(wax.vmap(one), backend="iree")(x)
    for value, expected in ((found_q, q), (found_p, p), (found, np.array(seen).T)):
        np.testing.assert_allclose(np.asarray(value), expected, rtol=1e-4, atol=1e-4)


def test_two_stacks_of_one_shape_are_no_copies_on_the_stack():
    """They were where both began as zeros, and IREE refused them from 32 KB on."""

    def run(x):
        def step(h, x):
            h = wnp.tanh(h * 0.5 + x)
            return h, (h * 2, h + 1)

        return wax.scan(step, wnp.zeros((16,), dtype="float32"), x)[1]

    (x,) = given((3000, 16))
    h, expected = np.zeros(16), []
    for row in x.astype("f8"):
        h = np.tanh(h * 0.5 + row)
        expected.append(h)
    double, more = wax.jit(run, backend="iree")(x)
    np.testing.assert_allclose(np.asarray(double), np.array(expected) * 2, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(np.asarray(more), np.array(expected) + 1, rtol=1e-4, atol=1e-4)


def carried(step, *shape):
    """A function that does a step 300 times to an array of a shape, and the array."""
    (x,) = given(shape)
    return (lambda x: wax.scan(lambda h, _: (step(h), None), x, None, length=300)[0]), x


STEPS = {
    "a neighbour": lambda h: h * 0.5 + wnp.roll(h, 1, axis=0),
    "a sum over rows": lambda h: h * 0.5 - wnp.mean(h, axis=0),
    "a sum of all": lambda h: h / (1 + wnp.sum(h * h)),
    "a product": lambda h: wnp.tanh(h @ h.T[:, : h.shape[1]]),
    "a prefix sum": lambda h: wnp.tanh(wnp.cumulative_sum(h, axis=0)),
    "the rows' order": lambda h: wnp.sort(h, axis=0) * 0.9,
    "rows by number": lambda h: h[wnp.arange(h.shape[0])[::-1]] * 0.9,
    "half of the rows": lambda h: wnp.concat([h[: h.shape[0] // 2] * 0.5, h[h.shape[0] // 2 :]]),
    "turned rows": lambda h: wnp.flip(h, axis=0) * 0.9,
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_rows_that_mix_stay_together(step):
    function, x = carried(step, 2100, 1)
    assert not is_split(function, x)


NUMBERED = {"the row's number": lambda h: h * 0.5 + wnp.arange(h.shape[0])[:, None]}


@pytest.mark.parametrize("name", ["a neighbour", "half of the rows", "the row's number"])
def test_columns_may_be_what_does_not_mix(name):
    function, x = carried((STEPS | NUMBERED)[name], 600, 8)
    assert is_split(function, x)
    x = x.astype("f8")
    found, expected = (wax.jit(function, backend="iree", optimize=one)(x) for one in (True, False))
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-10)


def test_a_square_that_is_turned_stays_together():
    function, x = carried(lambda h: h.T * 0.5 + 1, 90, 90)
    assert not is_split(function, x)


def test_what_a_dispatch_takes_as_it_is_stays_as_it_is():
    function, x = carried(lambda h: wnp.tanh(h) * 0.5 + 1, 20, 10)
    assert not is_split(function, x)


def test_few_turns_do_not_pay():
    def run(x, y):
        return wax.scan(lambda h, y: (wnp.tanh(h * 0.5 + y), h), x, y)

    (x, y) = given((8000, 4), (2, 8000, 4))
    assert not is_split(run, x, y)


def test_plain_programs_are_not_split():
    arguments = coefficients(40, 128, 16)
    text = wax.jit(selective, optimize=False).lower(*arguments).as_text()
    assert text.count("scf.for") == 1


# Random steps, in all of which values change little where what they are of does: of rows that do not mix, and with some
# that do.


def _mixed(source, values, rows):
    x, y = source.choice(values), source.choice(values)
    return source.choice(
        [
            lambda: x * 0.5 + y,
            lambda: wnp.tanh(x - y),
            lambda: wnp.where(x > 0, x * 0.5, -0.3 * x) - y * 0.2,
            lambda: wnp.maximum(x, y) * rows[:, None],
            lambda: x - wnp.mean(y, axis=1, keepdims=True),
            lambda: x / (1 + wnp.max(wnp.abs(y), axis=1))[:, None],
            lambda: wnp.permute_dims(wnp.permute_dims(x, (1, 0)) * 0.9, (1, 0)) - y,
            lambda: wnp.concat([x[:, 1:], y[:, :1]], axis=1),
            lambda: wnp.exp(-wnp.abs(x)) + wnp.sum(y[:, :2], axis=1)[:, None] * 0.1,
            lambda: wnp.sin(x) * 0.5 + wnp.sqrt(wnp.abs(y) + 0.1),
        ]
    )()


def _program(seed):
    source, elements = random.Random(seed), np.random.default_rng(seed)
    size, width = source.choice([150, 257, 600, 1024]), source.choice([2, 3, 8, 17])
    turns, plan = source.choice([1, 20, 64]), source.randrange(2**32)
    mixes = source.random() < 0.3

    def run(h, xs, rows):
        def step(carry, x):
            steps = random.Random(plan)
            h, total = carry
            values = [h, h * 0.3 + x[:, None]]
            for _ in range(steps.randint(2, 6)):
                values.append(_mixed(steps, values[-3:], rows))
            if mixes:
                values.append(values[-1] - wnp.mean(values[-1], axis=0) * 0.1)
            h = values[-1]
            if steps.random() < 0.5:
                total = total + wnp.sum(h * 0.01, axis=0)
            return (h, total), steps.choice([wnp.sum(h, axis=1), wnp.mean(h, axis=0), h[:, 0]])

        return wax.scan(step, (h, wnp.zeros((h.shape[1],), dtype=h.dtype)), xs)

    def draw(*shape):
        return elements.uniform(-1, 1, shape)

    return run, (draw(size, width), draw(turns, size), draw(size))


def check(seed):
    """Compares a random program with itself, in float64 both."""
    run, arguments = _program(seed)
    expected = tree.flatten(wax.jit(run, backend="iree", optimize=False)(*arguments))[0]
    found = tree.flatten(wax.jit(run, backend="iree")(*arguments))[0]
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("seed", tiered(range(40), lambda seed: seed < 3))
def test_random_recurrences(seed):
    check(seed)
