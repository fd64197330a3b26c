"""What branches and loops refuse: each message says which value, what it is on both sides, and the user's line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import wax
import wax.numpy as wnp
from wax import errors

X = wnp.asarray([1.0, 2.0, 3.0])
N = wnp.asarray([1, 2, 3])
P = wnp.asarray(True)

REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "branches of other shapes": (
        lambda: wax.cond(P, lambda x: {"a": x}, lambda x: {"a": x[:2]}, X),
        errors.ControlFlowError,
        r"cond: result\['a'\] is float32\(3,\) in true_fun and float32\(2,\) in false_fun; the shapes",
    ),
    "branches of other dtypes": (
        lambda: wax.cond(P, lambda: X, lambda: N),
        errors.ControlFlowError,
        r"result is float32\(3,\) in true_fun and int32\(3,\) in false_fun; the dtypes",
    ),
    "branches of other trees": (
        lambda: wax.cond(P, lambda: (X, X), lambda: [X, X]),
        errors.ControlFlowError,
        r"true_fun is \(\*, \*\), but that of false_fun is \[\*, \*\]",
    ),
    "a number that the other branch cannot hold": (
        lambda: wax.cond(P, lambda: 1.5, lambda: N[0]),
        errors.ControlFlowError,
        r"weak float32\(\) in true_fun and int32\(\) in false_fun",
    ),
    "a predicate of several elements": (
        lambda: wax.cond(X > 0, lambda: X, lambda: X),
        errors.ControlFlowError,
        r"the predicate must be a scalar, not bool\(3,\)",
    ),
    "a predicate that is no array": (lambda: wax.cond("yes", lambda: X, lambda: X), errors.ArgumentTypeError, "'str'"),
    "a result that is no array": (
        lambda: wax.cond(P, lambda: (X, "text"), lambda: (X, "text")),
        errors.ArgumentTypeError,
        r"result\[1\] of 'true_fun' is of type 'str'",
    ),
    "an index that is no integer": (
        lambda: wax.switch(X[0], [lambda: X]),
        errors.ControlFlowError,
        "must be an integer",
    ),
    "no branches": (lambda: wax.switch(N[0], []), errors.InvalidArgumentError, "no branches"),
    "branches of a switch that differ": (
        lambda: wax.switch(N[0], [lambda: X, lambda: X, lambda: X[:1]]),
        errors.ControlFlowError,
        r"branches\[1\] and float32\(1,\) in branches\[2\]",
    ),
    "a while loop that changes a shape": (
        lambda: wax.while_loop(lambda v: v["x"][0] < 9, lambda v: {"x": v["x"][:2]}, {"x": X}),
        errors.ControlFlowError,
        r"init_val\['x'\] is float32\(3,\) at first and float32\(2,\) after a turn",
    ),
    "a while loop that changes a dtype": (
        lambda: wax.while_loop(lambda v: v[0] < 9, lambda v: v * 1.5, N),
        errors.ControlFlowError,
        r"init_val is int32\(3,\) .* float32\(3,\)",
    ),
    "a while loop that changes the tree": (
        lambda: wax.while_loop(lambda v: v[0][0] < 9, lambda v: v[0], (X,)),
        errors.ControlFlowError,
        r"init_val at first is \(\*,\), but after a turn is \*",
    ),
    "a condition of several elements": (
        lambda: wax.while_loop(lambda v: v < 9, lambda v: v, X),
        errors.ControlFlowError,
        r"must return one scalar bool, but it returns bool\(3,\)",
    ),
    "a condition that is a number": (
        lambda: wax.while_loop(lambda v: v[0], lambda v: v, X),
        errors.ControlFlowError,
        r"one scalar bool, but it returns float32\(\)",
    ),
    "bounds that are no integers": (
        lambda: wax.fori_loop(0, X[0], lambda i, s: s, X),
        errors.ControlFlowError,
        r"upper must be an integer scalar, not float32\(\)",
    ),
    "computed bounds unrolled": (
        lambda: wax.fori_loop(0, N[0], lambda i, s: s, X, unroll=2),
        errors.InvalidArgumentError,
        "unroll=2 needs a number of turns that is known",
    ),
    "no turns in one": (
        lambda: wax.fori_loop(0, 4, lambda i, s: s, X, unroll=0),
        errors.InvalidArgumentError,
        "at least 1",
    ),
    "a scan of lengths that differ": (
        lambda: wax.scan(lambda c, x: (c, x), X, {"a": X, "b": X[:2]}),
        errors.ShapeError,
        r"xs\['a'\] is float32\(3,\) and xs\['b'\] is float32\(2,\)",
    ),
    "a length that is not that of the xs": (
        lambda: wax.scan(lambda c, x: (c, x), X, X, length=4),
        errors.ShapeError,
        r"xs is float32\(3,\), but length=4",
    ),
    "a scan of nothing": (lambda: wax.scan(lambda c, x: (c, x), X), errors.InvalidArgumentError, "length="),
    "a scan of a scalar": (lambda: wax.scan(lambda c, x: (c, x), X, X[0]), errors.ShapeError, "no first axis"),
    "a scan that gives no pair": (
        lambda: wax.scan(lambda c, x: c, X, X),
        errors.ControlFlowError,
        "must return a pair, what is carried and what is stacked",
    ),
    "a scan that changes what it carries": (
        lambda: wax.scan(lambda c, x: (c[:1], x), X, X),
        errors.ControlFlowError,
        r"init is float32\(3,\) at first and float32\(1,\) after a turn",
    ),
    "prefixes of lengths that differ": (
        lambda: wax.associative_scan(lambda a, b: a, (X, X[:2])),
        errors.ShapeError,
        r"elems\[0\] is float32\(3,\) and elems\[1\] is float32\(2,\)",
    ),
    "prefixes along an axis that is not there": (
        lambda: wax.associative_scan(lambda a, b: a, X, axis=1),
        errors.AxisError,
        "axis 1",
    ),
    "prefixes of another dtype": (
        lambda: wax.associative_scan(lambda a, b: (a + b) * 1.5, N),
        errors.ControlFlowError,
        r"int32\(1,\) in elems and float32\(1,\) in the result",
    ),
}


@pytest.mark.parametrize("call", REFUSED)
@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_a_program_whose_parts_do_not_fit_is_refused_at_the_users_line(call: str, traced: bool) -> None:
    function, error, message = REFUSED[call]
    with pytest.raises(error, match=message) as caught:
        wax.jit(function).trace() if traced else function()
    assert caught.value.location is not None
    assert caught.value.location.file == __file__


def test_a_python_branch_on_a_traced_value_names_what_to_use() -> None:
    @wax.jit
    def f(x):
        return x if x[0] > 0 else -x

    with pytest.raises(errors.TracerBoolConversionError, match=r"wax\.cond.*wax\.while_loop"):
        f(X)

    @wax.jit
    def g(n):
        return sum(i for i in range(n))

    with pytest.raises(errors.TracerIntegerConversionError, match=r"wax\.fori_loop"):
        g(wnp.asarray(3))


def test_a_value_of_a_branch_cannot_be_kept() -> None:
    kept = []

    @wax.jit
    def f(x):
        y = wax.cond(x[0] > 0, lambda: kept.append(x * 2) or x, lambda: x)
        return y + kept[0]

    with pytest.raises(errors.LeakedTracerError, match="true_fun"):
        f(X)


def test_a_scan_over_perhaps_nothing_says_what_to_declare() -> None:
    n = wax.Dim("n")
    f = wax.jit(lambda x: wax.map(lambda e: e + 1, x[2:]))
    with pytest.raises(errors.ShapeError, match=r"may be none.*min="):
        f.trace(wax.ShapeDtypeStruct((n,), "float32"))


def test_prefixes_need_a_size_that_is_known() -> None:
    f = wax.jit(lambda x: wax.associative_scan(lambda a, b: a + b, x))
    with pytest.raises(errors.ShapeError, match=r"wax\.scan for a symbolic one"):
        f.trace(wax.ShapeDtypeStruct(("n",), "float32"))
