"""Whole Jacobians: `jacfwd`, `jacrev`, `hessian`. All columns or rows at once: the linear part over unit vectors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wax import _source, tree
from wax.dims import format_shape
from wax.errors import DifferentiationError, WaxError
from wax.transform._primal import is_inexact, positions, run
from wax.transform.batching import vmap
from wax.transform.forward import linearize
from wax.transform.reverse import vjp

__all__ = ["hessian", "jacfwd", "jacrev"]


def jacrev(function: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """A function that returns the Jacobian by the arguments `argnums`, by reverse mode.

    For each result and each argument an array of the result's dims, then the argument's. Raises
    `DifferentiationError`.

    >>> wax.jacrev(lambda x: x * x)(wnp.asarray([1.0, 2.0]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """

    def jacobian(partial: Callable[..., Any], chosen: Sequence[Any]) -> Any:
        out, pullback = vjp(partial, *chosen)
        out_leaves, out_tree = tree.flatten(out)
        leaves, in_tree = tree.flatten(tuple(chosen))
        rows = []
        for place, result in enumerate(out_leaves):

            def pull(unit: Any, place: int = place) -> Any:
                return pullback(
                    tree.unflatten(out_tree, [unit if i == place else None for i in range(len(out_leaves))])
                )

            found = [None] * len(leaves)
            if is_inexact(result.dtype):
                found = in_tree.flatten_up_to(vmap(pull)(_units(result)))
            rows.append(
                tree.unflatten(
                    in_tree,
                    [_block(rows, result, leaf) for rows, leaf in zip(found, leaves, strict=True)],
                )
            )
        return out_tree, rows

    return _jacobian("jacrev", function, argnums, jacobian)


def jacfwd(function: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """A function that returns the Jacobian by the arguments `argnums`, by forward mode.

    For each result and each argument an array of the result's dims, then the argument's. Raises
    `DifferentiationError`.

    >>> wax.jacfwd(lambda x: x * x)(wnp.asarray([1.0, 2.0]))
    Array([[2., 0.],
           [0., 4.]], dtype=float32)
    """

    def jacobian(partial: Callable[..., Any], chosen: Sequence[Any]) -> Any:
        out, push = linearize(partial, *chosen)
        out_leaves, out_tree = tree.flatten(out)
        leaves, in_tree = tree.flatten(tuple(chosen))
        columns = []
        for place, argument in enumerate(leaves):

            def pushed(unit: Any, place: int = place) -> Any:
                return push(*tree.unflatten(in_tree, [unit if i == place else None for i in range(len(leaves))]))

            columns.append(out_tree.flatten_up_to(vmap(pushed, out_axes=-1)(_units(argument))))
        rows = [
            tree.unflatten(
                in_tree,
                [_block(column[i], result, leaf) for column, leaf in zip(columns, leaves, strict=True)],
            )
            for i, result in enumerate(out_leaves)
        ]
        return out_tree, rows

    return _jacobian("jacfwd", function, argnums, jacobian)


def hessian(function: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """A function that returns the second derivatives of a function: `jacfwd` of its `jacrev`.

    >>> wax.hessian(lambda x: (x * x).sum())(wnp.asarray([1.0, 2.0]))
    Array([[2., 0.],
           [0., 2.]], dtype=float32)
    """
    return jacfwd(jacrev(function, argnums), argnums)


def _jacobian(
    what: str, function: Callable[..., Any], argnums: int | Sequence[int], jacobian: Callable[..., Any]
) -> Callable[..., Any]:
    name = _source.name_of(function)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            chosen = positions(name, "argnums", argnums, len(args))
            leaves, in_tree = tree.flatten((args, kwargs))

            def body(tracers: Sequence[Any]) -> Any:
                positional, named = tree.unflatten(in_tree, tracers)
                for leaf in tree.flatten([positional[i] for i in chosen])[0]:
                    if not is_inexact(leaf.dtype):
                        raise DifferentiationError(
                            f"{what} of {name} by an argument of dtype {leaf.dtype.name}, which has no derivative"
                        )

                def partial(*values: Any) -> Any:
                    merged = list(positional)
                    for i, value in zip(chosen, values, strict=True):
                        merged[i] = value
                    return function(*merged, **named)

                out_tree, rows = jacobian(partial, [positional[i] for i in chosen])
                if isinstance(argnums, int):
                    rows = [row[0] for row in rows]
                return tree.unflatten(out_tree, rows)

            return run(body, leaves)
        except WaxError as error:
            _source.strip_traceback(error)
            raise

    return wrapper


def _units(like: Any) -> Any:
    """Arrays as `like`, along a first axis, each 1 at one of its places and 0 elsewhere."""
    if not all(isinstance(size, int) for size in like.shape):
        raise DifferentiationError(
            f"a Jacobian of {like.dtype.name}{format_shape(like.shape)} has a symbolic number of rows; use wax.vjp or "
            f"wax.jvp"
        )
    size = int(np.prod(like.shape, dtype=np.int64))
    from wax.numpy import eye, reshape

    return reshape(eye(size, dtype=like.dtype), (size, *like.shape))


def _block(found: Any, result: Any, leaf: Any) -> Any:
    """The derivatives of a result by an argument, zeros for a result that has none."""
    from wax.numpy import reshape, zeros

    shape = (*result.shape, *leaf.shape)
    return zeros(shape, dtype=result.dtype) if found is None else reshape(found, shape)
