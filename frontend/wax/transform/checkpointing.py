"""`checkpoint`: functions whose derivatives compute them again, instead of remembering what they computed.

A call of such a function is one operation of the dialect, around what the function does; `_native.differentiate` says
what that means. `wax.checkpoint_policies` says what is remembered nevertheless.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from wax import _source, primitives, tree
from wax._trace import current, is_tracing
from wax._tracing import traced_like
from wax.checkpoint_policies import Policy, nothing_saveable
from wax.errors import InvalidArgumentError, WaxError
from wax.transform._primal import positions, run

__all__ = ["checkpoint", "checkpoint_name", "remat"]


def checkpoint(
    function: Callable[..., Any],
    *,
    policy: Policy | None = None,
    static_argnums: int | Sequence[int] = (),
    prevent_cse: bool = True,
) -> Callable[..., Any]:
    """The same function, of which a derivative remembers the arguments alone, and computes the rest again.

    It takes less memory, and more time. A `policy` of `wax.checkpoint_policies` remembers some values besides.
    Arguments at `static_argnums` are Python values, not traced. Compilers are kept from finding out that something is
    computed twice, unless `prevent_cse=False`. `wax.remat` is another name for it.

    Raises `InvalidArgumentError` for what is no policy, and for arguments that are not there.

    >>> f = wax.checkpoint(lambda x: wnp.sin(wnp.sin(x)))
    >>> wax.grad(f)(wnp.asarray(0.0))
    Array(1., dtype=float32)
    """
    name = _source.name_of(function)
    chosen = nothing_saveable if policy is None else policy
    if not isinstance(chosen, Policy):
        raise InvalidArgumentError(
            f"checkpoint of {name}: policy is {policy!r}; it must be one of wax.checkpoint_policies"
        )

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            static = positions(name, "static_argnums", static_argnums, len(args))
            given = [x for i, x in enumerate(args) if i not in static]
            leaves, in_tree = tree.flatten((tuple(given), kwargs))
            seen: list[tree.Structure] = []

            def call(inner: Sequence[Any]) -> Any:
                positional, named = tree.unflatten(in_tree, inner)
                rest = iter(positional)
                return function(*(x if i in static else next(rest) for i, x in enumerate(args)), **named)

            def body(tracers: Sequence[Any]) -> list[Any]:
                structure, results = _called(call, name, tracers, chosen, prevent_cse, _source.definition(function))
                seen.append(structure)
                return results

            made = run(body, leaves)
            return tree.unflatten(seen[0], made)
        except WaxError as error:
            _source.strip_traceback(error)
            raise

    return wrapper


remat = checkpoint


def _called(
    call: Callable[[Sequence[Any]], Any],
    name: str,
    tracers: Sequence[Any],
    policy: Policy,
    prevent_cse: bool,
    location: Any,
) -> tuple[tree.Structure, list[Any]]:
    """What a function of leaves returns, as one operation of the current trace."""
    traced = traced_like(call, name, tracers, location)
    hidden = [current().lift(value) for value in traced.captured]
    made = primitives.checkpoint(traced, [*tracers, *hidden], policy.rules, mergeable=not prevent_cse)
    return traced.out_tree, list(made)


def checkpoint_name(x: Any, name: str) -> Any:
    """The same values, which policies of `wax.checkpoint_policies` know by a name; pytrees too.

    Raises `InvalidArgumentError` for a name that is no string.

    >>> wax.checkpoint_name(wnp.asarray(1.0), "loss")
    Array(1., dtype=float32)
    """
    if not isinstance(name, str):
        raise InvalidArgumentError(f"checkpoint_name: the name is {name!r}; it must be a string")
    if not is_tracing():
        return x
    trace = current()
    leaves, structure = tree.flatten(x)
    return tree.unflatten(structure, [primitives.name(trace.lift(leaf), name) for leaf in leaves])
