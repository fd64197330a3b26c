"""`elementwise`: makes a function on scalars one on arrays.

The function is traced into a kernel, once per dtypes of its operands; the arrays are joined by NumPy's
broadcasting rule. Called inside a kernel, it is the function on scalars itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from wax import _source, dtypes, eager
from wax._trace import is_tracing
from wax.array import Array
from wax.dims import Size, same, same_shape
from wax.errors import ShapeError, WaxError
from wax.numpy._basis import basis, carried, is_one, lift, shapes_text, squeezed
from wax.scalars import current_kernel, trace_kernel
from wax_runtime.spec import ArraySpec

__all__ = ["aligned", "broadcast_shape", "elementwise"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def elementwise(*, number_selects: bool = False) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """A decorator; the function's positional parameters are operands, its keyword-only ones select a kernel.

    Python numbers among the operands are embedded in the kernel. Outside `jit` they are arguments of it, so that
    `x + 1.5` and `x + 2.5` are one program; with `number_selects` they are embedded there too.
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @functools.wraps(function)
        def body(*operands: Any, **static: Any) -> Any:
            return _apply(function, operands, static)

        calls: dict[tuple[ArraySpec, ...], Callable[[list[Array]], Any]] = {}

        @functools.wraps(function)
        def wrapper(*operands: _P.args, **static: _P.kwargs) -> _R:
            if current_kernel() is not None:
                return function(*operands, **static)
            if is_tracing():
                return _apply(function, operands, static)
            arrays = [x for x in operands if type(x) is Array]
            if len(arrays) == len(operands) and not static:
                call = calls.get(tuple([x.spec for x in arrays]))
                if call is not None:  # the usual case: arrays only, of specs met before
                    return call(arrays)
                return _keep(calls, body, arrays)
            dynamic = not (number_selects or static)
            if dynamic:
                _check_numbers(function.__name__, operands)
            return eager.run(body, operands, static, dynamic_scalars=dynamic)

        return wrapper

    return decorate


def _keep(calls: dict[Any, Callable[[list[Array]], Any]], body: Callable[..., Any], arrays: list[Array]) -> Any:
    try:
        call = eager.prepared(body, arrays)
    except WaxError as error:
        _source.strip_traceback(error)
        raise
    if len(calls) >= eager.CACHE_ENTRIES:
        calls.clear()
    calls[tuple([x.spec for x in arrays])] = call
    return call(arrays)


def _check_numbers(name: str, operands: Sequence[Any]) -> None:
    # As an argument a number is carried in 64 bits, and would wrap where an embedded one is refused.
    for number in operands:
        if type(number) is int and not 0 <= number < 128:
            pairs = [(dtypes.canonical(x.dtype), False) for x in operands if hasattr(x, "dtype")]
            if pairs:
                dtypes.check_fits(name, number, dtypes.promote(name, [*pairs, dtypes.weak_of(number)])[0])


def _apply(function: Callable[..., Any], operands: Sequence[Any], static: dict[str, Any]) -> Any:
    name = function.__name__
    specs = [x if x is None or dtypes.is_python_number(x) else lift(x, strong=False) for x in operands]
    values = [x for x in specs if not (x is None or dtypes.is_python_number(x))]
    if not values:
        specs = [None if x is None else lift(x, strong=False) for x in operands]
        values = [x for x in specs if x is not None]
    kernel = trace_kernel(
        function,
        [x if x is None or dtypes.is_python_number(x) else carried(x) for x in specs],
        tuple(static.items()),
        name=name,
    )
    if len(values) == 1:
        return basis.map(kernel, values[0])
    return basis.broadcast(kernel, *aligned(name, values))


def aligned(name: str, operands: Sequence[Any]) -> tuple[list[Any], list[tuple[int, ...]]]:
    """The operands without the dims of size 1 that others stretch, and the result dims that theirs are.

    Raises `ShapeError` where NumPy's broadcasting rule does not hold.
    """
    first = operands[0].shape
    if all(same_shape(x.shape, first) for x in operands[1:]):
        return list(operands), [tuple(range(len(first)))] * len(operands)
    shape = broadcast_shape(name, operands)
    values: list[Any] = []
    dims: list[tuple[int, ...]] = []
    for x in operands:
        offset = len(shape) - x.ndim
        stretched = [axis for axis, size in enumerate(x.shape) if is_one(size) and not is_one(shape[offset + axis])]
        values.append(squeezed(x, stretched))
        dims.append(tuple(offset + axis for axis in range(x.ndim) if axis not in stretched))
    return values, dims


def broadcast_shape(name: str, operands: Sequence[Any]) -> tuple[Size, ...]:
    """The shape that the operands' shapes broadcast to. Raises `ShapeError`."""
    ndim = max(x.ndim for x in operands)
    shape: list[Size] = [1] * ndim
    for x in operands:
        for axis, size in enumerate(x.shape, ndim - x.ndim):
            if is_one(size) or same(size, shape[axis]):
                continue
            if not is_one(shape[axis]):
                raise ShapeError(
                    f"{name} of {shapes_text(operands)}: {shape[axis]} against {size} along axis {axis - ndim}; "
                    "sizes must be equal, or one of them 1. Reshape, or index with None to put the dims in line"
                )
            shape[axis] = size
    return tuple(shape)
