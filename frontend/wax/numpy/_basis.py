"""What the functions of this namespace share: lifting operands, axes, sizes, and kernels over chosen dims.

`basis` is `wax.primitives`, and `scalars` is `wax.scalars`, without their types: inside these functions a value
is a `Tracer` or a `Scalar`, to users it is an `Array`, and the signatures say the latter.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from wax import dtypes, primitives
from wax import scalars as _scalars
from wax._trace import current
from wax.array import Array
from wax.dims import DimExpr, Size, same
from wax.errors import AxisError, InvalidArgumentError, PromotionError, ShapeError
from wax.scalars import KernelSpec, cast_kernel, trace_kernel
from wax.tracer import Tracer

__all__ = [
    "ArrayLike",
    "Axes",
    "PerDim",
    "Shape",
    "basis",
    "carried",
    "cast",
    "check_axis",
    "check_axes",
    "check_shape",
    "constant",
    "expanded",
    "filled",
    "integer",
    "is_one",
    "kernel_of",
    "lift",
    "lift_all",
    "per_dim",
    "placed",
    "refuse_dtype",
    "scalars",
    "shapes_text",
    "squeezed",
]

#: What array functions take.
ArrayLike: TypeAlias = (
    "Array | Tracer | np.ndarray[Any, Any] | np.generic[Any] | bool | int | float | complex | DimExpr"
)
Axes: TypeAlias = "int | Sequence[int] | None"
Shape: TypeAlias = "Size | Sequence[Size]"
#: One number for every dim that a function is about, or one for each.
PerDim: TypeAlias = "int | Sequence[int]"

basis: Any = primitives
scalars: Any = _scalars


def lift(x: Any, *, strong: bool = True) -> Any:
    """An operand as a tracer of the current trace; weak values take their default dtype unless told otherwise."""
    if isinstance(x, np.generic):  # some are Python numbers by inheritance, and strong nevertheless
        x = np.asarray(x)
    elif isinstance(x, DimExpr) and not strong:  # a size is a Python number, as it would be if it were static
        trace = current()
        return trace.tracer(basis.dimension_value(x, dtypes.int64).value, (), dtypes.int32, True)
    return current().lift(x, strong=strong)


def lift_all(name: str, *operands: Any) -> list[Any]:
    """Operands as tracers of their common dtype."""
    lifted = [lift(x, strong=False) for x in operands]
    dtype = dtypes.default(dtypes.promote(name, map(carried, lifted)))
    return [cast(x, dtype) for x in lifted]


def carried(x: Tracer) -> dtypes.Carried:
    """How a value takes part in promotion."""
    return dtypes.carrier(x.dtype, x.weak), x.weak


def cast(x: Any, dtype: dtypes.DType) -> Any:
    """The elements converted; the value itself where there is nothing to do."""
    return x if x.dtype == dtype and not x.weak else basis.map(cast_kernel(x.dtype, x.weak, dtype), x)


def constant(value: Any, dtype: dtypes.DType) -> Any:
    """A rank 0 constant."""
    return basis.constant(np.asarray(value, dtype))


def kernel_of(function: Callable[..., Any], *operands: Any, **static: Any) -> KernelSpec:
    """The kernel of a scalar function over the operands' dtypes; `None`s and numbers are embedded."""
    specs = [carried(x) if isinstance(x, Tracer) else x for x in operands]
    return trace_kernel(function, specs, tuple(sorted(static.items())))


def placed(
    function: Callable[..., Any],
    operands: Sequence[tuple[Any, Sequence[int]]],
    sizes: Sequence[Size] = (),
    **static: Any,
) -> Any:
    """A scalar function over operands that each say which result dims theirs are; numbers are embedded in it."""
    kernel = kernel_of(function, *(x for x, _ in operands), **static)
    tensors = [(x, tuple(dims)) for x, dims in operands if isinstance(x, Tracer)]
    return basis.broadcast(kernel, [x for x, _ in tensors], [dims for _, dims in tensors], sizes)


def _itself(x: Any) -> Any:
    return x


def filled(x: Any, dims: Sequence[int], sizes: Sequence[Size]) -> Any:
    """The value repeated along new dims: its dims are the result dims `dims`, the free ones have `sizes`."""
    return x if not sizes else placed(_itself, [(x, dims)], sizes)


# Axes and shapes.


def integer(name: str, what: str, value: Any) -> int:
    """A static integer argument. Raises `InvalidArgumentError`, or what a traced value raises."""
    try:
        return operator.index(value)
    except TypeError as error:
        if isinstance(value, Tracer):
            raise
        raise InvalidArgumentError(f"{name}: {what} must be an integer, not {value!r}") from error


def check_axis(name: str, axis: Any, ndim: int) -> int:
    """An axis counted from the front. Raises `AxisError`."""
    number = integer(name, "axis", axis)
    if not -ndim <= number < ndim:
        legal = f"its axes are {-ndim} … {ndim - 1}" if ndim else "it has none"
        raise AxisError(f"{name}: axis {number} of an array of {ndim} dims; {legal}")
    return number % ndim


def check_axes(name: str, axes: Axes, ndim: int) -> tuple[int, ...]:
    """Axes counted from the front, in the order given; all of them for `None`. Raises `AxisError`."""
    if axes is None:
        return tuple(range(ndim))
    listed = axes if isinstance(axes, tuple | list) else (axes,)
    found = tuple(check_axis(name, axis, ndim) for axis in listed)
    if len(set(found)) != len(found):
        raise AxisError(f"{name}: an axis is named twice in {axes}")
    return found


def check_shape(name: str, shape: Any) -> tuple[Size, ...]:
    """A shape argument: sizes that are ints or symbolic. Raises `ShapeError` for negative ones."""
    listed = shape if isinstance(shape, tuple | list) else (shape,)
    sizes = tuple(size if isinstance(size, DimExpr) else integer(name, "a size", size) for size in listed)
    if any(isinstance(size, int) and size < 0 for size in sizes):
        raise ShapeError(f"{name}: the shape {tuple(listed)} has a negative size")
    return sizes


def per_dim(name: str, what: str, given: Any, dims: int, least: int = 1, *, noun: str = "dims") -> tuple[int, ...]:
    """One number for each of so many dims, which messages call `noun`. Raises `InvalidArgumentError`."""
    listed = given if isinstance(given, tuple | list) else (given,) * dims
    numbers = tuple(integer(name, what, entry) for entry in listed)
    if len(numbers) != dims or min(numbers, default=least) < least:
        raise InvalidArgumentError(
            f"{name}: {what} is {given!r}; it must be one integer, or one for each of {dims} {noun}, each at least "
            f"{least}"
        )
    return numbers


def shapes_text(operands: Sequence[Any]) -> str:
    """Operands as messages name them: `float32(2, 3) and float32(4,)`."""
    from wax.dims import format_shape

    return " and ".join(f"{x.dtype.name}{format_shape(x.shape)}" for x in operands)


def expanded(x: Any, axes: Sequence[int]) -> Any:
    """New dims of size 1 at these dims of the result."""
    if not axes:
        return x
    ndim = x.ndim + len(axes)
    old = iter(range(x.ndim))
    source = [[] if axis in axes else [next(old)] for axis in range(ndim)]
    shape = [x.shape[group[0]] if group else 1 for group in source]
    return basis.reshape(x, source, [[axis] for axis in range(ndim)], shape)


def squeezed(x: Any, axes: Sequence[int]) -> Any:
    """The dims `axes`, of size 1, dropped."""
    if not axes:
        return x
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    result = [[kept.index(axis)] if axis in kept else [] for axis in range(x.ndim)]
    return basis.reshape(x, [[axis] for axis in range(x.ndim)], result, [x.shape[axis] for axis in kept])


def is_one(size: Size) -> bool:
    """Whether a size is 1; symbolic sizes never are."""
    return same(size, 1)


def refuse_dtype(name: str, dtype: dtypes.DType, taken: str) -> None:
    """Raise `PromotionError`: the function does not take the dtype."""
    raise PromotionError(f"{name} does not take {dtype}; {taken}")
