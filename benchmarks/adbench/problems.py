"""Each problem as two functions of the same arguments, the objective and its derivative, for wax and for JAX.

Derivatives are those that the suite asks for: gradients of scalars; of bundle adjustment the blocks of a sparse
Jacobian, whose rows are an observation's, so that two pullbacks have all of them; of hands the Jacobian by all 26
parameters and, where each point has two parameters of its own, by these in two columns.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from . import instances, objectives
from .objectives import Library

Pair = tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]


def wax_library() -> tuple[Library, Any]:
    """wax, and its transformations."""
    import wax
    import wax.numpy as wnp

    return Library(wnp, wax.scan, lambda x: wnp.max(x, axis=-1)), wax


def jax_library() -> tuple[Library, Any]:
    """JAX, and its transformations."""
    import jax
    import jax.numpy as jnp

    return Library(jnp, jax.lax.scan, lambda x: jnp.max(x, axis=-1)), jax


def torch_library() -> tuple[Library, Any]:
    """PyTorch, which computes at once, and its transformations by the same names; loops are Python's."""
    import torch

    def scan(turn: Callable[..., Any], carry: Any, xs: Any) -> tuple[Any, Any]:
        made = []
        for x in zip(*xs, strict=True):
            carry, one = turn(carry, x)
            made.append(one)
        return carry, torch.stack(made)

    def value_and_grad(function: Callable[..., Any]) -> Callable[..., Any]:
        both = torch.func.grad_and_value(function)
        return lambda *args: both(*args)[::-1]

    def linearize(function: Callable[..., Any], x: Any) -> tuple[Any, Callable[[Any], Any]]:
        return function(x), lambda change: torch.func.jvp(function, (x,), (change,))[1]

    def along(function: Callable[[Any], Any], rows: Any) -> Any:
        return torch.stack([function(row) for row in rows])

    over = SimpleNamespace(
        value_and_grad=value_and_grad, vjp=torch.func.vjp, jvp=torch.func.jvp, linearize=linearize, map=along
    )
    return Library(torch, scan, lambda x: torch.amax(x, -1)), over


def columns(lib: Library, over: Any, function: Callable[[Any], Any], x: Any) -> Any:
    """What a function returns, and its Jacobian (elements of x, …) by a vector, a column after another."""
    out, push = over.linearize(function, x)
    along = over.map if hasattr(over, "map") else over.lax.map
    return out, along(push, lib.xp.eye(x.shape[0], dtype=x.dtype))


def gmm(lib: Library, over: Any, *size: int) -> Pair:
    """The log-likelihood, and its gradient by the mixture."""
    mixture, x, gamma, m = instances.gmm(*size)

    def objective(mixture: Any, x: Any) -> Any:
        return objectives.gmm(lib, mixture, x, gamma, m)

    return objective, over.value_and_grad(objective), (mixture, x)


def ba(lib: Library, over: Any, *size: int) -> Pair:
    """Reprojection and weight errors, and the blocks of their Jacobian."""
    cameras, points, weights, features, of = instances.ba(*size)

    def errors(cameras: Any, points: Any, weights: Any, features: Any) -> tuple[Any, Any]:
        return objectives.reprojection(lib, cameras, points, weights, features), 1 - weights**2

    def objective(cameras: Any, points: Any, weights: Any, features: Any, of: Any) -> Any:
        return errors(cameras[of[:, 0]], points[of[:, 1]], weights, features)

    def derivative(cameras: Any, points: Any, weights: Any, features: Any, of: Any) -> Any:
        chosen = cameras[of[:, 0]], points[of[:, 1]], weights
        out, pull = over.vjp(lambda *args: errors(*args, features), *chosen)
        units = np.eye(2)[:, None] * np.ones((2, weights.shape[0], 1))
        rows = [pull((lib.xp.asarray(unit), lib.xp.zeros_like(weights))) for unit in units]
        return out, rows, pull((lib.xp.zeros_like(out[0]), lib.xp.ones_like(weights)))[2]

    return objective, derivative, (cameras, points, weights, features, of)


def hand(lib: Library, over: Any, *size: int) -> Pair:
    """Distances from vertices, and their Jacobian (26, points, 3)."""
    model, theta, _, chosen, points = instances.hand(*size)
    parents, arrays = model.parents, model[1:]

    def objective(theta: Any, arrays: Any, chosen: Any, points: Any) -> Any:
        return objectives.hand_simple(lib, theta, objectives.Hand(parents, *arrays), chosen, points)

    def derivative(theta: Any, *rest: Any) -> Any:
        return columns(lib, over, lambda theta: objective(theta, *rest), theta)

    return objective, derivative, (theta, arrays, chosen, points)


def hand_complicated(lib: Library, over: Any, *size: int) -> Pair:
    """Distances from places in triangles, and their Jacobian: by the hand, and by each point's own place."""
    model, theta, us, chosen, points = instances.hand(*size)
    parents, arrays = model.parents, model[1:]

    def objective(theta: Any, us: Any, arrays: Any, chosen: Any, points: Any) -> Any:
        return objectives.hand_complicated(lib, theta, us, objectives.Hand(parents, *arrays), chosen, points)

    def derivative(theta: Any, us: Any, *rest: Any) -> Any:
        out, by_hand = columns(lib, over, lambda theta: objective(theta, us, *rest), theta)
        own = [
            over.jvp(lambda us: objective(theta, us, *rest), (us,), (lib.xp.zeros_like(us) + np.eye(2)[i],))[1]
            for i in range(2)
        ]
        return out, by_hand, own

    return objective, derivative, (theta, us, arrays, chosen, points)


def lstm(lib: Library, over: Any, *size: int) -> Pair:
    """The loss, and its gradient by the parameters."""

    def objective(parameters: Any, state: Any, sequence: Any) -> Any:
        return objectives.lstm(lib, parameters, state, sequence)

    return objective, over.value_and_grad(objective), instances.lstm(*size)


PROBLEMS = {"gmm": gmm, "ba": ba, "hand": hand, "hand complicated": hand_complicated, "lstm": lstm}
