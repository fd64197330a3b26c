"""Reverse mode: `vjp`, `grad`, `value_and_grad`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wax import _source, primitives, tree
from wax._trace import current
from wax.dims import format_shape
from wax.errors import DifferentiationError, WaxError
from wax.transform._parts import run_first
from wax.transform._primal import (
    Primal,
    Spec,
    is_inexact,
    matching,
    out_trees,
    positions,
    run,
    trace_by_all,
    trace_primal,
)

__all__ = ["grad", "value_and_grad", "vjp"]


def vjp(function: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """What a function returns, and its pullback: a function from cotangents of that to cotangents of the arguments.

    Cotangents have the structure of what they belong to; those of integers and booleans are `None`, and `None` may be
    given for any. With `has_aux` the function returns a pair, of which the second is returned too, and not
    differentiated. Raises `DifferentiationError`.

    >>> y, pullback = wax.vjp(wnp.sin, wnp.asarray(0.0))
    >>> pullback(wnp.asarray(2.0))
    (Array(2., dtype=float32),)
    """
    try:
        return _vjp(function, primals, has_aux)
    except WaxError as error:
        _source.strip_traceback(error)
        raise


def _vjp(function: Callable[..., Any], primals: tuple[Any, ...], has_aux: bool) -> Any:
    name = _source.name_of(function)
    leaves, in_tree = tree.flatten(primals)
    seen: dict[str, Any] = {}

    def body(tracers: Sequence[Any]) -> Any:
        primal = trace_by_all(function, in_tree, tracers)
        out_tree, aux_tree = out_trees(name, primal.traced.out_tree, has_aux)
        count = out_tree.num_leaves
        values, residuals, second = run_first(primal, primal.reverse([i for i in primal.results if i < count]))
        seen.update(
            out_tree=out_tree,
            aux_tree=aux_tree,
            likes=[Spec(*primal.traced.results[i]) for i in range(count)],
            arguments=[Spec(x.shape, x.dtype) for x in tracers],
            second=second,
        )
        return values, residuals

    values, residuals = run(body, leaves)
    out_tree: tree.Structure = seen["out_tree"]
    count = out_tree.num_leaves
    out = tree.unflatten(out_tree, values[:count])

    def pullback(cotangents: Any) -> tuple[Any, ...]:
        given = matching(name, "cotangents", cotangents, out_tree, seen["likes"])
        made = seen["second"].run(residuals, given, seen["likes"])
        found = [next(made) if is_inexact(x.dtype) else None for x in seen["arguments"]]
        return tree.unflatten(in_tree, found)

    if has_aux:
        return out, pullback, tree.unflatten(seen["aux_tree"], values[count:])
    return out, pullback


def value_and_grad(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """A function that returns the value of a scalar function, and its gradient by the arguments `argnums`.

    With `has_aux` the function returns a pair, of which the second comes back beside the value: `((value, aux),
    gradient)`. `holomorphic` admits complex results. Raises `DifferentiationError`.

    >>> wax.value_and_grad(lambda x: (x * x).sum())(wnp.asarray([1.0, 2.0]))
    (Array(5., dtype=float32), Array([2., 4.], dtype=float32))
    """
    name = _source.name_of(function)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            chosen = positions(name, "argnums", argnums, len(args))
            leaves, in_tree = tree.flatten((args, kwargs))
            numbers = tree.numbered(in_tree)[0]
            groups = [tree.flatten(numbers[place]) for place in chosen]
            seen: dict[str, Any] = {}

            def body(tracers: Sequence[Any]) -> Any:
                differentiated = [i for numbers, _ in groups for i in numbers]
                _check_inputs(name, [tracers[i] for i in differentiated], holomorphic, allow_int)
                active = sorted({i for i in differentiated if is_inexact(tracers[i].dtype)})

                def call(inner: Sequence[Any]) -> Any:
                    positional, named = tree.unflatten(in_tree, inner)
                    return function(*positional, **named)

                primal = trace_primal(function, call, tracers, active)
                out_tree, aux_tree = out_trees(name, primal.traced.out_tree, has_aux)
                _check_output(name, primal, out_tree, holomorphic)
                seen.update(aux_tree=aux_tree, active=active)
                one = current().constant(np.ones((), primal.traced.results[0][1]))
                made = primitives.call(primal.reverse([0]), [*primal.operands, one])
                return list(made)

            made = run(body, leaves)
            by_leaf = dict(zip(seen["active"], made[len(made) - len(seen["active"]) :], strict=True))
            gradients = tuple(
                tree.unflatten(structure, [by_leaf.get(i) for i in numbers]) for numbers, structure in groups
            )
            value: Any = made[0]
            if has_aux:
                value = value, tree.unflatten(seen["aux_tree"], made[1 : len(made) - len(seen["active"])])
            return value, gradients[0] if isinstance(argnums, int) else gradients
        except WaxError as error:
            _source.strip_traceback(error)
            raise

    return wrapper


def grad(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """A function that returns the gradient of a scalar function by the arguments `argnums`.

    The gradient has the structure of the argument; with several numbers it is a tuple. With `has_aux` the function
    returns a pair, and `grad`'s returns `(gradient, aux)`. Of complex arguments it is JAX's: the transpose is not
    conjugated. Raises `DifferentiationError`.

    >>> wax.grad(lambda x: (x * x).sum())(wnp.asarray([1.0, 2.0]))
    Array([2., 4.], dtype=float32)
    """
    both = value_and_grad(function, argnums, has_aux, holomorphic, allow_int)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapper


def _check_inputs(name: str, tracers: Sequence[Any], holomorphic: bool, allow_int: bool) -> None:
    for x in tracers:
        kind = x.dtype.kind
        if holomorphic and kind != "c":
            raise DifferentiationError(
                f"grad of {name} with holomorphic=True takes complex arguments, not {x.dtype.name}"
            )
        if not allow_int and not is_inexact(x.dtype):
            raise DifferentiationError(
                f"grad of {name} by an argument of dtype {x.dtype.name}, which has no derivative; convert it to a "
                f"floating dtype, choose others by argnums=, or get None for it with allow_int=True"
            )


def _check_output(name: str, primal: Primal, out_tree: tree.Structure, holomorphic: bool) -> None:
    if not out_tree.is_leaf():
        raise DifferentiationError(
            f"grad of {name}, which returns {out_tree.num_leaves} values in a container; return one, or a pair of it "
            f"and others with has_aux=True"
        )
    shape, dtype = primal.traced.results[0]
    if shape != ():
        raise DifferentiationError(
            f"grad of {name}, which returns {dtype.name}{format_shape(shape)}, no scalar; sum it, or use wax.vjp or "
            f"wax.jacrev"
        )
    if not is_inexact(dtype) or (dtype.kind == "c") != holomorphic:
        wanted = "a complex scalar (holomorphic=True)" if holomorphic else "a real floating scalar"
        raise DifferentiationError(f"grad of {name}, which returns {dtype.name}; it must return {wanted}")
