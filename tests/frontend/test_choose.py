"""`jit(optimize="egraph")`: which programs are chosen, what that saves, and that they compute the same."""

import functools
import importlib.util
import itertools
import logging

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax.choose import LAWS, _choosing, _egraph
from wax.errors import InvalidArgumentError

pytestmark = pytest.mark.skipif(importlib.util.find_spec("egglog") is None, reason="the extra `egraph`")

RANDOM = np.random.default_rng(11)
N = 48
WIDE = (N, N)


def array(*shape, dtype="f4"):
    if np.dtype(dtype).kind == "i":
        return RANDOM.integers(-9, 9, shape).astype(dtype)
    return RANDOM.standard_normal(shape).astype(dtype)


def chosen(function, *arguments, **options):
    """What `function` is lowered to, after its results were compared with those of the program as it is written."""
    lowered = wax.jit(function, optimize="egraph", **options).lower(*arguments)
    options.pop("rules", None)
    want = wax.jit(function, backend="reference", **options)(*arguments)
    got = lowered.compile(backend="reference")(*arguments)
    for a, b in zip(wax.tree.flatten(got)[0], wax.tree.flatten(want)[0], strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        a, b = a.numpy(), b.numpy()
        if a.dtype.kind == "i":
            np.testing.assert_array_equal(a, b)
        else:
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-4 * np.max(np.abs(b), initial=1e-3))
    return lowered


#: Programs that the search wins, with how many times fewer operations on elements there are at least.
WON = {
    "a chain": (lambda a, b, v: a @ b @ v, [WIDE, WIDE, (N,)], 20),
    "two layers of one input": (lambda x, w, u: x @ w + x @ u, [WIDE] * 3, 1.9),
    "one layer of two inputs": (lambda a, b, c: a @ c + b @ c, [WIDE] * 3, 1.9),
    "a difference": (lambda a, b, c: a @ b - a @ c, [WIDE] * 3, 1.9),
    "a product's sum": (lambda a, b: wnp.sum(a @ b), [WIDE] * 2, 20),
    "a product's trace": (lambda a, b: wnp.trace(a @ b), [WIDE] * 2, 20),
    "a product's diagonal": (lambda a, b: wnp.diagonal(a @ b), [WIDE] * 2, 20),
    "a diagonal matrix": (lambda d, a: wnp.diag(d) @ a, [(N,), WIDE], 20),
    "a low rank update": (lambda w, u, v, x: (w + u @ v) @ x, [WIDE, (N, 2), (2, N), (N, 2)], 1.3),
    "rows that are scaled": (lambda x, w, s: x @ (w * s[:, None]).T, [(2, N), WIDE, (N,)], 1.1),
    "a quotient": (lambda p, v: (p / wnp.sum(p * p, axis=1, keepdims=True)) @ v, [WIDE, (N, 2)], 1.1),
    "a product that is scaled": (lambda x, w: wnp.sum(x[:, :, None] * w[None] * 3 - 0.0, axis=1), [WIDE] * 2, 1.4),
    "a gradient": (lambda w, x: wax.grad(lambda w: wnp.sum(x @ w @ x.T))(w), [WIDE, (2 * N, N)], 10),
}


@pytest.mark.parametrize("name", WON)
def test_the_cheaper_program_is_found(name):
    function, shapes, factor = WON[name]
    explained = chosen(function, *[array(*shape) for shape in shapes]).explain()
    before, after = [cost.flops + cost.integer_operations for cost in (explained.before, explained.after)]
    assert before >= factor * after
    assert explained.seconds_after < explained.seconds_before


def test_a_long_chain_is_multiplied_in_the_best_order():
    sizes = [32, 16, 64, 16, 256, 32, 256]

    @functools.cache
    def least(i, j):
        return min((least(i, k) + least(k, j) + 2 * sizes[i] * sizes[k] * sizes[j] for k in range(i + 1, j)), default=0)

    lowered = chosen(lambda *m: functools.reduce(wnp.matmul, m), *[array(*two) for two in itertools.pairwise(sizes)])
    # Bytes count too.
    assert lowered.cost_analysis().flops <= 1.05 * least(0, len(sizes) - 1)


@pytest.mark.parametrize("dtype", ["i4", "i8", "f8"])
def test_other_dtypes_are_searched_too_integers_to_the_bit(dtype):
    a, b, c = [array(5, 7, dtype=dtype), array(5, 7, dtype=dtype), array(7, 3, dtype=dtype)]
    assert chosen(lambda a, b, c: a @ c + b @ c, a, b, c)._function.search.choices
    big = np.full((9, 9), np.iinfo("i4").max, "i4")
    assert chosen(lambda a, b, v: a @ b @ v, big, big - 3, big[0])._function.search.choices


@pytest.mark.parametrize("n", [1, 7])
def test_open_sizes_are_searched(n):
    m, k = wax.Dim("m"), wax.Dim("k", min=2)
    open_shapes = ({0: m, 1: k}, {0: k, 1: k}, {0: k})
    f = wax.jit(lambda a, b, v: a @ b @ v, optimize="egraph", dynamic_shapes=open_shapes, backend="iree")
    lowered = f.lower(array(9, 5), array(5, 5), array(5))
    assert lowered.explain({"m": 512, "k": 512}).after.flops == 2 * 2 * 512 * 512
    a, b, v = array(n, 6), array(6, 6), array(6)
    np.testing.assert_allclose(f(a, b, v).numpy(), a @ b @ v, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("shapes", [[(0, 3), (3, 4), (4,)], [(3, 0), (0, 4), (4,)], [(1, 1), (1, 1), (1,)]])
def test_arrays_without_elements_are_searched(shapes):
    chosen(lambda a, b, v: (a @ b @ v, wnp.sum(a @ b)), *[array(*shape) for shape in shapes])


def test_a_loop_s_body_is_searched():
    def f(a, b, v):
        return wax.control_flow.fori_loop(0, 3, lambda i, s: wnp.tanh(a @ b @ s), v)

    explained = chosen(f, array(*WIDE), array(*WIDE), array(N)).explain()
    assert explained.before.flops > 10 * explained.after.flops


UNTOUCHED = {
    "a product": (lambda a, b: a @ b, [WIDE] * 2),
    "something between": (lambda a, b, v: wnp.exp(a @ b) @ v, [WIDE, WIDE, (N,)]),
    "both are needed": (lambda a, b, v: (a @ b, a @ b @ v), [WIDE, WIDE, (N,)]),
    "another factor": (lambda a, b, c, d: a @ c + b @ d, [WIDE] * 4),
    "a transposed factor": (lambda a, b, c: a @ c + b @ c.T, [WIDE] * 3),
    "in order": (lambda a: wnp.cumsum(a @ a, axis=0), [WIDE]),
    "half floats": (lambda x, w, u: x.astype("f2") @ w.astype("f2") + x.astype("f2") @ u.astype("f2"), [WIDE] * 3),
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_is_not_equal_or_not_cheaper_is_left(name):
    function, shapes = UNTOUCHED[name]
    assert chosen(function, *[array(*shape) for shape in shapes])._function.search.choices == ()


def exps(x, y):
    return wnp.exp(x) * wnp.exp(y)


EXPS = wax.rules.rule(exps, lambda x, y: wnp.exp(x + y), finite=True, dtype=wnp.float32)
BACK = wax.rules.rule(lambda x, y: wnp.exp(x + y), exps, name="back", finite=True, dtype=wnp.float32)


def test_outside_rules_join_the_graph():
    arguments = [array(*WIDE), array(*WIDE), array(*WIDE), array(N)]
    lowered = chosen(lambda x, y, a, v: exps(x, y) @ a @ v, *arguments, rules=[EXPS, BACK])
    assert [one.rule for one in lowered.rewrites] == ["exps"]
    assert lowered.explain().after.transcendentals == N * N
    assert lowered.cost_analysis().flops < 10 * N * N


def test_outside_rules_that_cost_more_are_not_applied():
    assert chosen(lambda x, y: wnp.exp(x + y), array(*WIDE), array(*WIDE), rules=[BACK]).rewrites == ()


def test_it_is_explained():
    f = wax.jit(lambda a, b, v: a @ b @ v, optimize="egraph", device="cpu")
    explained = f.lower(array(*WIDE), array(*WIDE), array(N)).explain()
    (choice,) = explained.search.choices
    assert choice.location.file == __file__ and choice.before > choice.after
    fired = dict(explained.search.fired)
    assert fired["products associate"] and set(fired) <= {law.name for law in LAWS}
    text = str(explained)
    assert "before  225,792" in text and "after     9,216" in text and "law: products associate (" in text


def test_rules_are_explained_without_a_search():
    explained = wax.jit(exps, rules=[EXPS]).lower(array(3, 4), array(3, 4)).explain()
    assert explained.search is None and [one.rule for one in explained.rewrites] == ["exps"]
    assert (explained.before.transcendentals, explained.after.transcendentals) == (24, 12)


def test_a_search_that_ends_early_says_so_once_and_gives_what_it_has(monkeypatch, caplog):
    monkeypatch.setattr(_egraph, "MAX_TURNS", 1)
    with caplog.at_level(logging.INFO, "wax.choose"):
        lowered = chosen(lambda *m: functools.reduce(wnp.matmul, m), *[array(5, 5) for _ in range(5)], array(5))
    said = [one.getMessage() for one in caplog.records if "ended early" in one.getMessage()]
    assert said == ["'lambda': the search for a cheaper program ended early: 1 turns"]
    assert lowered.explain().search.bounds == ("1 turns",)


def test_no_part_is_begun_after_the_time_is_over(monkeypatch):
    monkeypatch.setattr(_choosing, "MAX_SECONDS", -1.0)
    lowered = chosen(lambda a, b, v: a @ b @ v, array(5, 5), array(5, 5), array(5))
    assert lowered._function.search.bounds == ("-1 s for all parts",)


def test_rules_are_applied_one_by_one_where_nothing_can_be_counted(monkeypatch, caplog):
    def refuse(*_):
        raise InvalidArgumentError("sizes depend on elements")

    monkeypatch.setattr(_choosing, "_seconds", refuse)
    with caplog.at_level(logging.INFO, "wax.choose"):
        lowered = chosen(exps, array(3, 4), array(3, 4), rules=[EXPS])
    assert [one.rule for one in lowered.rewrites] == ["exps"]
    (said,) = [one.getMessage() for one in caplog.records if one.name == "wax.choose"]
    assert said.startswith("'exps' is not searched, rules are applied one by one: ")


def test_without_egglog_the_way_out_is_said(monkeypatch):
    _egraph._bindings.cache_clear()
    _egraph._filled.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InvalidArgumentError, match=r"needs egglog.*; pip install 'wax\[egraph\]'"):
        wax.jit(lambda a, b, v: a @ b @ v, optimize="egraph").lower(array(5, 5), array(5, 5), array(5))
    _egraph._bindings.cache_clear()


def test_importing_wax_imports_neither_the_search_nor_egglog():
    import subprocess
    import sys

    code = "import sys, wax; wax.jit(lambda x: x); print([m for m in sys.modules if 'choose' in m or 'egglog' in m])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
