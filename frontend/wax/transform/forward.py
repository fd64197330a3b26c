"""Forward mode: `jvp` and `linearize`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wax import _source, primitives, tree
from wax.errors import WaxError
from wax.transform._parts import run_first
from wax.transform._primal import (
    Spec,
    derivative_leaves,
    leaves_of,
    matching,
    out_trees,
    run,
    trace_by_all,
)

__all__ = ["jvp", "linearize"]


def jvp(function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> Any:
    """What a function returns, and the tangents of that for tangents of its arguments.

    Tangents have the structure of what they belong to; those of integers and booleans are `None`, and `None` may be
    given for any. With `has_aux` the function returns a pair, of which the second is returned too. Raises
    `DifferentiationError`.

    >>> wax.jvp(wnp.sin, (wnp.asarray(0.0),), (wnp.asarray(2.0),))
    (Array(0., dtype=float32), Array(2., dtype=float32))
    """
    try:
        return _jvp(function, tuple(primals), tuple(tangents), has_aux)
    except WaxError as error:
        _source.strip_traceback(error)
        raise


def _jvp(function: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], has_aux: bool) -> Any:
    name = _source.name_of(function)
    leaves, in_tree = tree.flatten(primals)
    given = leaves_of(name, "tangents", tangents, in_tree)
    present = [leaf for leaf in given if leaf is not None]
    seen: dict[str, Any] = {}

    def body(tracers: Sequence[Any]) -> list[Any]:
        rest = iter(tracers[len(leaves) :])
        filled = [None if leaf is None else next(rest) for leaf in given]
        primal = trace_by_all(function, in_tree, tracers[: len(leaves)])
        arguments = primal.operands[: len(leaves)]
        matching(name, "tangents", tree.unflatten(in_tree, filled), in_tree, arguments)
        out_tree, aux_tree = out_trees(name, primal.traced.out_tree, has_aux)
        results = [i for i in primal.results if i < out_tree.num_leaves]
        seen.update(out_tree=out_tree, aux_tree=aux_tree, results=results)
        return list(primitives.call(primal.forward(results), [*primal.operands, *derivative_leaves(filled, arguments)]))

    made = run(body, [*leaves, *present])
    out_tree, results = seen["out_tree"], seen["results"]
    total = len(made) - len(results)
    by_place = dict(zip(results, made[total:], strict=True))
    count = out_tree.num_leaves
    out = tree.unflatten(out_tree, made[:count])
    pushed = tree.unflatten(out_tree, [by_place.get(i) for i in range(count)])
    if has_aux:
        return out, pushed, tree.unflatten(seen["aux_tree"], made[count:total])
    return out, pushed


def linearize(function: Callable[..., Any], *primals: Any) -> Any:
    """What a function returns, and its linear part: a function from tangents of the arguments to those of the result.

    What the linear part needs of the function is computed once. Raises `DifferentiationError`.

    >>> y, push = wax.linearize(wnp.sin, wnp.asarray(0.0))
    >>> push(wnp.asarray(2.0))
    Array(2., dtype=float32)
    """
    try:
        return _linearize(function, primals)
    except WaxError as error:
        _source.strip_traceback(error)
        raise


def _linearize(function: Callable[..., Any], primals: tuple[Any, ...]) -> Any:
    name = _source.name_of(function)
    leaves, in_tree = tree.flatten(primals)
    seen: dict[str, Any] = {}

    def body(tracers: Sequence[Any]) -> Any:
        primal = trace_by_all(function, in_tree, tracers)
        values, residuals, second = run_first(primal, primal.forward(primal.results))
        seen.update(
            out_tree=primal.traced.out_tree,
            results=primal.results,
            likes=[Spec(x.shape, x.dtype) for x in tracers],
            second=second,
        )
        return values, residuals

    values, residuals = run(body, leaves)
    out_tree, likes = seen["out_tree"], seen["likes"]

    def push(*tangents: Any) -> Any:
        given = matching(name, "tangents", tangents, in_tree, likes)
        made = seen["second"].run(residuals, given, likes)
        pushed = [next(made) if i in seen["results"] else None for i in range(out_tree.num_leaves)]
        return tree.unflatten(out_tree, pushed)

    return tree.unflatten(out_tree, values), push
