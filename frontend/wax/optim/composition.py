"""What makes updates of gradients: a pair of functions, one that makes a state of parameters and one that goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from wax import dtypes, tree
from wax import numpy as wnp
from wax.errors import InvalidArgumentError

__all__ = [
    "EmptyState",
    "GradientTransformation",
    "absolute_square",
    "apply_updates",
    "chain",
    "global_norm",
    "identity",
    "stateless",
]


class GradientTransformation(NamedTuple):
    """`init(params)` gives a state; `update(updates, state, params=None)` gives new updates and the next state."""

    init: Callable[[Any], Any]
    update: Callable[..., tuple[Any, Any]]


class EmptyState(NamedTuple):
    """The state of what remembers nothing."""


def stateless(function: Callable[[Any, Any], Any]) -> GradientTransformation:
    """A transformation that remembers nothing: `function` of the updates and the parameters."""

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        return function(updates, params), state

    return GradientTransformation(lambda params: EmptyState(), update)


def identity() -> GradientTransformation:
    """Updates as they are."""
    return stateless(lambda updates, params: updates)


def chain(*transformations: GradientTransformation) -> GradientTransformation:
    """Transformations one after another; their states are a tuple."""

    def init(params: Any) -> tuple[Any, ...]:
        return tuple(one.init(params) for one in transformations)

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, tuple[Any, ...]]:
        if not isinstance(state, tuple) or len(state) != len(transformations):
            raise InvalidArgumentError(
                f"chain: {len(transformations)} transformations have as many states, and the state that is given is no "
                f"tuple of them; begin with init(params) of this optimizer"
            )
        made = []
        for one, own in zip(transformations, state, strict=True):
            updates, own = one.update(updates, own, params)
            made.append(own)
        return updates, tuple(made)

    return GradientTransformation(init, update)


def apply_updates(params: Any, updates: Any) -> Any:
    """The parameters with updates added, in the parameters' dtypes.

    >>> wax.optim.apply_updates({"w": wnp.asarray([1.0, 2.0])}, {"w": wnp.asarray([0.5, -1.0])})
    {'w': Array([1.5, 1. ], dtype=float32)}
    """

    def added(param: Any, update: Any) -> Any:
        param = wnp.asarray(param)
        return (param + update).astype(param.dtype)

    return tree.map(added, params, updates)


def absolute_square(x: Any) -> Any:
    """`|x|²`, real."""
    if dtypes.kind(x.dtype) == "complex":
        return wnp.square(wnp.real(x)) + wnp.square(wnp.imag(x))
    return wnp.square(x)


def global_norm(updates: Any) -> Any:
    """The square root of the sum of all absolute squares in a pytree.

    >>> wax.optim.global_norm({"w": wnp.asarray([3.0]), "b": wnp.asarray(4.0)})
    Array(5., dtype=float32)
    """
    leaves = [wnp.asarray(x) for x in tree.leaves(updates)]
    if not leaves:
        return wnp.asarray(0.0)
    total = wnp.sum(absolute_square(leaves[0]))
    for x in leaves[1:]:
        total = total + wnp.sum(absolute_square(x))
    return wnp.sqrt(total)
