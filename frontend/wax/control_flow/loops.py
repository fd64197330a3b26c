"""`while_loop` and `fori_loop`: loops that carry values. `scf.while` and `scf.for` around what a turn does."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from wax import _source, dtypes, primitives, tree
from wax._trace import Index, current
from wax.abstract import Abstract
from wax.control_flow._carry import Carry, lift_carry, traced_turn
from wax.control_flow._region import (
    Region,
    converted,
    describe,
    everywhere,
    lift_leaves,
    settled,
    trace_region,
)
from wax.dims import DimExpr, Size, same
from wax.errors import ControlFlowError, InvalidArgumentError
from wax.numpy._basis import cast, lift_all
from wax.tracer import Tracer

__all__ = ["counted_loop", "fori_loop", "turns_in_one", "while_loop"]


_Number: TypeAlias = "Callable[[Index | int], Tracer]"


@everywhere
def while_loop(
    cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any, *, max_steps: int | None = None
) -> Any:
    """`val = init_val; while cond_fun(val): val = body_fun(val)`, and then `val`.

    `val` is an array or a pytree of them, which keeps its shapes and dtypes; `cond_fun` returns a scalar bool. With
    `max_steps` the loop has derivatives in reverse mode: they remember what goes into each step, and have room for so
    many. It does not end the loop: a gradient of one that takes more steps raises `CheckError`.

    Raises `ControlFlowError` where `body_fun` changes what is carried, or `cond_fun` returns something else.

    >>> wax.while_loop(lambda v: v < 100, lambda v: v * 3, wnp.asarray(1))
    Array(243, dtype=int32)
    """
    most = None if max_steps is None else operator.index(max_steps)
    if most is not None and most < 0:
        raise InvalidArgumentError(f"while_loop: max_steps is {max_steps}; it must not be negative")
    carry = lift_carry("while_loop", init_val, "init_val")

    def turn(abstracts: Sequence[Abstract]) -> tuple[Region, list[Tracer], tree.Structure]:
        region = trace_region(
            "while_loop", _source.name_of(body_fun), lambda *values: body_fun(carry.rebuild(values)), abstracts
        )
        return region, region.leaves, region.structure

    body, results = traced_turn(carry, "init_val", turn)
    test = trace_region(
        "while_loop", _source.name_of(cond_fun), lambda *values: cond_fun(carry.rebuild(values)), carry.abstracts()
    )
    if len(test.leaves) != 1 or test.leaves[0].shape or test.leaves[0].dtype != dtypes.bool_:
        found = ", ".join(map(describe, test.leaves)) or "nothing"
        raise ControlFlowError(
            f"while_loop: {_source.name_of(cond_fun)!r} must return one scalar bool, but it returns {found}"
        )
    finished = body.finish(converted(body, results, carry.targets()))
    tested = test.finish(test.leaves)
    made = primitives.while_(carry.leaves, tested, test.captured(), finished, body.captured(), most)
    current().count_callee(body.trace.work() + test.trace.work())
    return carry.rebuild(made)


@everywhere
def fori_loop(
    lower: Any,
    upper: Any,
    body_fun: Callable[[Any, Any], Any],
    init_val: Any,
    *,
    unroll: int | bool | None = None,
) -> Any:
    """`val = init_val; for i in range(lower, upper): val = body_fun(i, val)`, and then `val`.

    The bounds are integers, computed ones too; `i` has their dtype, and is a Python number where both are. `unroll`
    turns are written out in each turn of the loop, all of them for `True`; then the bounds have to be known.

    Raises `ControlFlowError` where `body_fun` changes what is carried.

    >>> wax.fori_loop(0, 5, lambda i, total: total + i, wnp.asarray(0))
    Array(10, dtype=int32)
    """
    first, last = _bound("lower", lower), _bound("upper", upper)
    carry = lift_carry("fori_loop", init_val, "init_val")
    count, number = _turns(first, last)
    together = turns_in_one("fori_loop", unroll, count)

    def step(turn: Index | int, leaves: Sequence[Any]) -> tuple[list[Tracer], tree.Structure]:
        found, structure = tree.flatten(body_fun(number(turn), carry.rebuild(leaves)))
        return lift_leaves("fori_loop", _source.name_of(body_fun), found, structure), structure

    return carry.rebuild(_counted(carry, _source.name_of(body_fun), count, together, step))


def _counted(
    carry: Carry,
    name: str,
    count: Size | Index,
    together: int,
    step: Callable[[Index | int, Sequence[Any]], tuple[list[Tracer], tree.Structure]],
) -> Sequence[Tracer]:
    def turn(abstracts: Sequence[Abstract]) -> tuple[Region, list[Tracer], tree.Structure]:
        structure: tree.Structure = carry.structure

        def body(index: Index, *leaves: Tracer) -> list[Tracer]:
            nonlocal structure
            values: Sequence[Any] = leaves
            for offset in range(together):
                at = index if together == 1 else index.times(together).plus(offset)
                values, structure = step(at, values)
                if structure != carry.structure:
                    break
            return list(values)

        region = trace_region(carry.what, name, body, abstracts, indexed=True)
        return region, region.leaves, structure

    region, results = traced_turn(carry, "init_val", turn)
    body = region.finish(converted(region, results, carry.targets()))
    known = count if isinstance(count, int) else None
    turns = count if known is None else known // together
    made: Sequence[Tracer] = carry.leaves
    if isinstance(turns, Index) or not same(turns, 0):
        made = primitives.for_(turns, carry.leaves, body, region.places(), region.captured())
        current().count_callee(region.trace.work())
    if known is not None:
        for rest in range(known // together * together, known):
            values, _ = step(rest, made)
            made = [settled(x, target) for x, target in zip(values, carry.targets(), strict=True)]
    return made


def counted_loop(what: str, count: Size, body: Callable[..., Sequence[Any]], *init: Any) -> tuple[Any, ...]:
    """`init = body(index, *init)`, `count` times: a `fori_loop` for algorithms of wax's own.

    The number of the turn is an index value, at which slices may start without asking the device for a number.
    """

    def step(turn: Index | int, leaves: Sequence[Any]) -> tuple[list[Tracer], tree.Structure]:
        found, structure = tree.flatten(tuple(body(turn, *leaves)))
        return lift_leaves(what, _source.name_of(body), found, structure), structure

    if same(count, 0):
        return init
    return tuple(_counted(lift_carry(what, init, "init"), _source.name_of(body), count, 1, step))


def turns_in_one(what: str, unroll: int | bool | None, count: Size | Index) -> int:
    """How many turns of the user's are one of the loop's. Raises `InvalidArgumentError`."""
    if unroll is None or unroll is False:
        return 1
    if unroll is True:
        wanted = max(count, 1) if isinstance(count, int) else 2
    else:
        wanted = operator.index(unroll)
    if wanted < 1:
        raise InvalidArgumentError(f"{what}: unroll is {unroll}; it must be at least 1")
    if wanted > 1 and not isinstance(count, int):
        raise InvalidArgumentError(f"{what}: unroll={unroll} needs a number of turns that is known")
    return min(wanted, max(count, 1)) if isinstance(count, int) else 1


def _bound(role: str, x: Any) -> int | DimExpr | Tracer:
    """A bound that is known, symbolic, or computed."""
    if isinstance(x, int | np.integer) and not isinstance(x, bool) and -(2**31) <= x < 2**31:
        return int(x)
    if isinstance(x, DimExpr):
        return x
    (value,) = lift_leaves("fori_loop", role, [x], tree.flatten(0)[1], role)
    if value.shape or dtypes.kind(value.dtype) not in ("int", "uint"):
        raise ControlFlowError(f"fori_loop: {role} must be an integer scalar, not {describe(value)}")
    return value


def _turns(first: int | DimExpr | Tracer, last: int | DimExpr | Tracer) -> tuple[Size | Index, _Number]:
    """How many turns there are from one bound up to the other, and what makes the user's number of a turn's."""
    if not isinstance(first, Tracer) and not isinstance(last, Tracer):
        count = last - first
        return max(0, count) if isinstance(count, int) else count, lambda turn: _python_number(turn, first)
    start, end = lift_all("fori_loop", first, last)

    def number(turn: Index | int) -> Tracer:
        assert isinstance(turn, Index), "the count of turns is computed"
        return primitives.index_value(turn, start.dtype) + start

    return primitives.index_of(cast(end, dtypes.int64) - cast(start, dtypes.int64)), number


def _python_number(turn: Index | int, first: Size) -> Tracer:
    """The number of a turn as it would be in a Python loop: it takes the dtype of what it meets."""
    trace = current()
    if isinstance(turn, int):
        return trace.lift(first + turn)
    at = turn if first == 0 else Index(trace, trace.builder.index_op("+", turn.value, trace.index_value(first)))
    return primitives.index_value(at, dtypes.int32, weak=True)
