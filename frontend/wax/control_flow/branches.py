"""`cond` and `switch`: one of several functions, chosen by a computed value. `scf.if` around what they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wax import _source, dtypes, primitives, tree
from wax._trace import current
from wax.control_flow._region import (
    Region,
    check_structure,
    common,
    converted,
    describe,
    everywhere,
    lift_leaves,
    trace_region,
)
from wax.errors import ControlFlowError, InvalidArgumentError
from wax.numpy._basis import cast
from wax.tracer import Tracer

__all__ = ["cond", "switch"]


def cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any) -> Any:
    """`true_fun(*operands)` where `pred` is true, else `false_fun(*operands)`; only that one is computed.

    `pred` is a scalar; a number is true unless it is 0. Both functions must return the same pytree of the same shapes
    and dtypes; Python numbers take the dtype of the other branch. With a Python or NumPy bool, whose value is known,
    the branch is called and the other one is not looked at.

    Raises `ControlFlowError` where the branches do not agree.

    >>> wax.cond(wnp.asarray(3.0) > 2, lambda x: x + 1, lambda x: -x, wnp.asarray([1.0, 2.0]))
    Array([2., 3.], dtype=float32)
    """
    if isinstance(pred, bool | np.bool_):
        return (true_fun if pred else false_fun)(*operands)
    return _cond(pred, true_fun, false_fun, operands)


@everywhere
def _cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    condition = _scalar("cond", "the predicate", pred)
    given = _lifted("cond", operands)
    return _choose(
        "cond",
        cast(condition, dtypes.bool_),
        (_named("true_fun", true_fun), lambda: true_fun(*given)),
        (_named("false_fun", false_fun), lambda: false_fun(*given)),
    )


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """`branches[index](*operands)`, with `index` clamped to the branches that there are; only that one is computed.

    `index` is an integer scalar. All branches must return the same pytree of the same shapes and dtypes.

    Raises `InvalidArgumentError` without branches, `ControlFlowError` where they do not agree.

    >>> wax.switch(wnp.asarray(7), [lambda x: x, lambda x: -x], wnp.asarray([1.0, 2.0]))
    Array([-1., -2.], dtype=float32)
    """
    listed = tuple(branches)
    if not listed:
        raise InvalidArgumentError("switch: there are no branches to choose from")
    for branch in listed:
        if not callable(branch):
            raise InvalidArgumentError(f"switch: a branch is a function, not a {type(branch).__name__}")
    return _switch(index, listed, operands)


@everywhere
def _switch(index: Any, branches: tuple[Callable[..., Any], ...], operands: tuple[Any, ...]) -> Any:
    number = _scalar("switch", "the index", index)
    if dtypes.kind(number.dtype) not in ("int", "uint"):
        raise ControlFlowError(f"switch: the index must be an integer, not {describe(number)}")
    # No number of a branch is beyond these, whatever the index's own dtype holds.
    wide = cast(number, dtypes.uint64 if number.dtype == dtypes.uint64 else dtypes.int64)
    given = _lifted("switch", operands)

    def choose(low: int, high: int) -> Any:
        if high - low == 1:
            return branches[low](*given)
        middle = (low + high) // 2
        return _choose(
            "switch",
            wide < middle,
            (_range(low, middle), lambda: choose(low, middle)),
            (_range(middle, high), lambda: choose(middle, high)),
        )

    return choose(0, len(branches))


def _range(low: int, high: int) -> str:
    return f"branches[{low}]" if high - low == 1 else f"branches[{low}:{high}]"


def _named(role: str, function: Callable[..., Any]) -> str:
    name = _source.name_of(function)
    return role if name == "lambda" else f"{role} ({name})"


def _scalar(what: str, role: str, x: Any) -> Tracer:
    (value,) = lift_leaves(what, role, [x], tree.flatten(0)[1], role)
    if value.shape:
        raise ControlFlowError(f"{what}: {role} must be a scalar, not {describe(value)}")
    return value


def _lifted(what: str, operands: tuple[Any, ...]) -> tuple[Any, ...]:
    leaves, structure = tree.flatten(operands)
    return tree.unflatten(structure, lift_leaves(what, what, leaves, structure, "operands"))


def _choose(
    what: str, condition: Tracer, first: tuple[str, Callable[[], Any]], second: tuple[str, Callable[[], Any]]
) -> Any:
    """One of two functions of nothing, by a bool; the names are those that messages have for them."""
    trace = current()
    (name, function), (other_name, other_function) = first, second
    then = trace_region(what, name, function)
    otherwise = trace_region(what, other_name, other_function)
    check_structure(what, f"the result of {name}", then.structure, f"that of {other_name}", otherwise.structure)
    paths = tree.leaf_codes(then.structure, "result")
    targets = [
        common(what, path, name, x, other_name, y)
        for path, x, y in zip(paths, then.leaves, otherwise.leaves, strict=True)
    ]
    values = [converted(region, region.leaves, targets) for region in (then, otherwise)]
    if not targets:
        return tree.unflatten(then.structure, ())
    made = primitives.if_(condition, *_finished(then, values[0]), *_finished(otherwise, values[1]), like=values[0])
    trace.count_callee(then.trace.work() + otherwise.trace.work())
    return tree.unflatten(then.structure, made)


def _finished(region: Region, results: Sequence[Tracer]) -> tuple[Any, list[int]]:
    return region.finish(results), region.captured()
