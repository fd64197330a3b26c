"""User kernels: the basis operations over Python functions on scalars.

A kernel function takes scalars, computes with operators and the elementwise functions of `wax.numpy` and
`wax.nn`, and returns a scalar, or a tuple of them. It is traced once for all elements: it cannot branch on one
(`wnp.where` chooses), and captures no arrays; what it needs comes in as an operand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wax import _source, dtypes, eager
from wax._trace import is_tracing
from wax.array import Array
from wax.dims import Size, same
from wax.errors import InvalidArgumentError, KernelError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    Axes,
    Shape,
    basis,
    carried,
    check_axes,
    check_axis,
    check_shape,
    constant,
    lift,
    shapes_text,
)
from wax.numpy._elementwise import aligned
from wax.numpy._reduction import restored
from wax.scalars import KernelSpec, trace_kernel

__all__ = ["broadcast", "map", "reduce", "scan"]

_Kernel = Callable[..., Any]


def _run(function: Callable[..., Any], *args: Any) -> Any:
    # A kernel function may read variables that have changed since it was last traced, so nothing is kept of it.
    return function(*args) if is_tracing() else eager.run(function, args, {}, keep=False)


def _single(kernel: _Kernel, operands: Sequence[Any]) -> KernelSpec:
    if not callable(kernel):
        raise InvalidArgumentError(f"a kernel is a function on scalars, not a {type(kernel).__name__}")
    spec = trace_kernel(kernel, [carried(x) for x in operands], name=_source.name_of(kernel), keep=False)
    if len(spec.dtypes) != 1:
        raise KernelError(f"{spec.name}: the kernel returns {len(spec.dtypes)} scalars, and one is wanted")
    return spec


def map(kernel: Callable[[Any], Any], x: ArrayLike, /) -> Array:
    """A function on a scalar, applied to every element. Raises `KernelError`.

    >>> wax.kernel.map(lambda a: wnp.where(a > 0, a, wnp.exp(a) - 1), wnp.asarray([1.0, 0.0]))
    Array([1., 0.], dtype=float32)
    """
    return _run(_map, kernel, x)


def _map(kernel: _Kernel, x: ArrayLike) -> Any:
    value = lift(x)
    return basis.map(_single(kernel, [value]), value)


def broadcast(
    kernel: _Kernel, /, *operands: ArrayLike, dims: Sequence[Sequence[int]] | None = None, shape: Shape | None = None
) -> Array:
    """A function on scalars, applied to arrays that are joined on their dims.

    Without `dims`, by NumPy's broadcasting rule. Otherwise `dims[i]` says which result dim each dim of operand
    `i` is; nothing is stretched, and `shape`, the result's, gives the size of dims that no operand has.
    Raises `KernelError`, `ShapeError`, `AxisError`.

    >>> a, b = wnp.asarray([1, 2]), wnp.asarray([10, 20, 30])
    >>> wax.kernel.broadcast(lambda x, y: x + y, a, b, dims=[(0,), (1,)])
    Array([[11, 21, 31],
           [12, 22, 32]], dtype=int32)
    """
    if not operands:
        raise InvalidArgumentError("wax.kernel.broadcast needs at least one operand")
    where = None if dims is None else tuple(tuple(one) for one in dims)
    return _run(_broadcast, kernel, operands, where, shape)


def _broadcast(
    kernel: _Kernel, operands: Sequence[ArrayLike], dims: tuple[tuple[int, ...], ...] | None, shape: Shape | None
) -> Any:
    values = [lift(x) for x in operands]
    spec = _single(kernel, values)
    if dims is None:
        if shape is not None:
            raise InvalidArgumentError(f"{spec.name}: shape= gives the sizes of dims that dims= leaves free; give both")
        return basis.broadcast(spec, *aligned(spec.name, values))
    return basis.broadcast(spec, values, *_placed(spec.name, values, dims, shape))


def _placed(
    name: str, values: Sequence[Any], dims: tuple[tuple[int, ...], ...], shape: Shape | None
) -> tuple[list[tuple[int, ...]], list[Size]]:
    """Each operand's dims, checked, and the sizes of the free ones."""
    if len(dims) != len(values) or any(len(one) != x.ndim for one, x in zip(dims, values, strict=False)):
        raise ShapeError(f"{name} of {shapes_text(values)}: dims={dims} must list each dim of each operand")
    used = [dim for one in dims for dim in one]
    result = None if shape is None else check_shape(name, shape)
    ndim = len(result) if result is not None else max(used, default=-1) + 1
    where = [tuple(check_axis(name, dim, ndim) for dim in one) for one in dims]
    sizes: dict[int, Size] = {}
    for x, one in zip(values, where, strict=True):
        for size, dim in zip(x.shape, one, strict=True):
            wanted = sizes.setdefault(dim, size if result is None else result[dim])
            if not same(size, wanted):
                raise ShapeError(
                    f"{name} of {shapes_text(values)} with dims={dims}: {size} against {wanted} along dim {dim}"
                )
        if len(set(one)) != len(one):
            raise ShapeError(f"{name}: dims={dims} names a result dim twice for one operand")
    free = [dim for dim in range(ndim) if dim not in sizes]
    if free and result is None:
        raise ShapeError(f"{name}: no operand has result dim {free[0]}; give the result's shape=")
    return where, [] if result is None else [result[dim] for dim in free]


def reduce(
    fold: _Kernel,
    operands: ArrayLike | Sequence[ArrayLike],
    init: ArrayLike | Sequence[ArrayLike],
    /,
    *,
    axis: Axes = None,
    combine: _Kernel | None = None,
    keepdims: bool = False,
) -> Any:
    """Axes folded away: `fold(element…, accumulator…)` gives the next accumulators, which start from `init`.

    Several operands of one shape, and several accumulators, are sequences; the result is an array, or a tuple
    of one per accumulator where `init` is a sequence. A Python number in `init` starts an accumulator of the
    dtype that it and the operand in its place (or else the first one) promote to. Elements come in row-major
    order, unless `combine(accumulator…, accumulator…)` is given, which joins the results of parts: `init` must
    then be its identity. Raises `KernelError`, `ShapeError`, `AxisError`, `PromotionError`.

    >>> wax.kernel.reduce(lambda x, total: total + x * x, wnp.asarray([1.0, 2.0, 3.0]), 0.0, combine=lambda a, b: a + b)
    Array(14., dtype=float32)
    """
    many = isinstance(init, tuple | list)
    given: Any = tuple(operands) if isinstance(operands, tuple | list) else (operands,)
    starts: Any = tuple(init) if isinstance(init, tuple | list) else (init,)
    if not given or not starts:
        raise InvalidArgumentError("wax.kernel.reduce needs at least one operand and one init")
    axes = tuple(axis) if isinstance(axis, list) else axis
    results = _run(_reduce, fold, combine, given, starts, axes, keepdims)
    return results if many else results[0]


def _reduce(
    fold: _Kernel, combine: _Kernel | None, operands: Any, starts: Any, axis: Axes, keepdims: bool
) -> tuple[Any, ...]:
    folding = _folding("reduction", fold, combine, operands, starts)
    axes = check_axes(folding.name, axis, folding.values[0].ndim)
    results = basis.reduce(folding.fold, folding.combine, folding.values, folding.inits, sorted(axes))
    return tuple(restored(result, axes, keepdims) for result in results)


def scan(
    fold: _Kernel,
    operands: ArrayLike | Sequence[ArrayLike],
    init: ArrayLike | Sequence[ArrayLike],
    /,
    *,
    axis: int,
    combine: _Kernel | None = None,
    exclusive: bool = False,
    reverse: bool = False,
) -> Any:
    """All prefixes of a fold along an axis: for each element the accumulators once it is folded in.

    Operands, `init`, `fold` and `combine` are those of `reduce`. With `exclusive` the accumulators are those before
    the element, and with `reverse` the last element is the first. Raises `KernelError`, `ShapeError`, `AxisError`,
    `PromotionError`.

    >>> wax.kernel.scan(lambda x, last: x + last / 2, wnp.asarray([8.0, 0.0, 0.0]), 0.0, axis=0)
    Array([8., 4., 2.], dtype=float32)
    """
    many = isinstance(init, tuple | list)
    given: Any = tuple(operands) if isinstance(operands, tuple | list) else (operands,)
    starts: Any = tuple(init) if isinstance(init, tuple | list) else (init,)
    if not given or not starts:
        raise InvalidArgumentError("wax.kernel.scan needs at least one operand and one init")
    results = _run(_scan, fold, combine, given, starts, axis, exclusive, reverse)
    return results if many else results[0]


def _scan(
    fold: _Kernel, combine: _Kernel | None, operands: Any, starts: Any, axis: int, exclusive: bool, reverse: bool
) -> tuple[Any, ...]:
    folding = _folding("scan", fold, combine, operands, starts)
    number = check_axis(folding.name, axis, folding.values[0].ndim)
    return basis.scan(
        folding.fold, folding.combine, folding.values, folding.inits, number, exclusive=exclusive, reverse=reverse
    )


@dataclass(frozen=True, slots=True)
class _Folding:
    """What folds: values of one shape, where their accumulators start, and the kernels."""

    name: str
    values: list[Any]
    inits: list[Any]
    fold: KernelSpec
    combine: KernelSpec | None


def _folding(what: str, fold: _Kernel, combine: _Kernel | None, operands: Any, starts: Any) -> _Folding:
    name = _source.name_of(fold)
    values = [lift(x) for x in operands]
    for x in values[1:]:
        if x.ndim != values[0].ndim or not all(same(a, b) for a, b in zip(x.shape, values[0].shape, strict=True)):
            raise ShapeError(f"{name}: the operands of a {what} have one shape, these are {shapes_text(values)}")
    inits = [_start(name, start, values[i if i < len(values) else 0]) for i, start in enumerate(starts)]
    accumulators = [(x.dtype, False) for x in inits]
    wanted = [x.dtype for x in inits]
    folded = trace_kernel(fold, [*(carried(x) for x in values), *accumulators], name=name, keep=False, as_dtypes=wanted)
    joined = None
    if combine is not None:
        joined = trace_kernel(combine, accumulators * 2, name=_source.name_of(combine), keep=False, as_dtypes=wanted)
    return _Folding(name, values, inits, folded, joined)


def _start(name: str, start: Any, beside: Any) -> Any:
    if dtypes.is_python_number(start):
        dtype, _ = dtypes.promote(name, [(beside.dtype, False), dtypes.weak_of(start)])
        dtypes.check_fits(name, start, dtype)
        return constant(start, dtype)
    value = lift(start)
    if value.ndim:
        raise ShapeError(f"{name}: an init is a number or a rank 0 array, this is {shapes_text([value])}")
    return value
