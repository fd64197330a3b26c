"""Norms of vectors and of matrices. Half floats are computed in float32 and rounded once; integers are float32."""

from __future__ import annotations

import math
from typing import Any, Literal

from wax import dtypes
from wax.array import Array
from wax.dims import same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import ArrayLike, Axes, basis, cast, check_axes, kernel_of, lift, scalars
from wax.numpy._reduction import maximized, minimized, restored, summed

__all__ = ["matrix_norm", "vector_norm"]


def _magnitude(x: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.absolute(scalars.cast(x, dtype))


def _power(x: Any, *, dtype: dtypes.DType, order: float) -> Any:
    size = scalars.absolute(scalars.cast(x, dtype))
    return scalars.square(size) if order == 2 else scalars.power(size, order)


def _root(total: Any, *, order: float) -> Any:
    return scalars.sqrt(total) if order == 2 else scalars.power(total, 1 / order)


def _counts(x: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(scalars.cast(x, dtypes.bool_), dtype)


def _operand(x: ArrayLike) -> tuple[Any, dtypes.DType, dtypes.DType]:
    """The array, the dtype its elements are computed in, and the result's."""
    value = lift(x)
    dtype = dtypes.inexact((value.dtype, False))[0]
    return value, dtypes.widened(dtype), dtypes.real_part(dtype)


def _mapped(function: Any, x: Any, **static: Any) -> Any:
    return basis.map(kernel_of(function, x, **static), x)


def _order(name: str, order: Any) -> float:
    if isinstance(order, bool) or not isinstance(order, int | float):
        raise InvalidArgumentError(f"{name}: ord must be a number, not {order!r}")
    return float(order)


@api
def vector_norm(x: ArrayLike, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2) -> Array:
    """The norm of vectors along axes: the `ord`-th root of the sum of magnitudes to the power `ord`.

    `inf` and `-inf` are the greatest and the least magnitude, 0 counts the elements that are not zero. Raises
    `AxisError`, `InvalidArgumentError`, `ShapeError` for an extreme of no elements.

    >>> wnp.linalg.vector_norm(wnp.asarray([3.0, 4.0]))
    Array(5., dtype=float32)
    """
    value, dtype, target = _operand(x)
    order = _order("vector_norm", ord)
    axes = check_axes("vector_norm", axis, value.ndim)
    if math.isinf(order):
        sizes = _mapped(_magnitude, value, dtype=dtype)
        result = _extreme("vector_norm", sizes, axes, greatest=order > 0)
    elif order == 0:
        result = summed(_mapped(_counts, value, dtype=dtypes.real_part(dtype)), axes)
    elif order == 1:
        result = summed(_mapped(_magnitude, value, dtype=dtype), axes)
    else:
        total = summed(_mapped(_power, value, dtype=dtype, order=order), axes)
        result = _mapped(_root, total, order=order)
    return restored(cast(result, target), axes, keepdims)


def _extreme(name: str, x: Any, axes: tuple[int, ...], *, greatest: bool) -> Any:
    if any(same(x.shape[axis], 0) for axis in axes):
        if greatest:  # of no magnitudes it is 0, which is what it would start from
            return summed(x, axes)
        raise ShapeError(f"{name}: the least magnitude of no elements; the shape is {x.shape}")
    return (maximized if greatest else minimized)(x, axes)


@api
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro") -> Array:
    """The norm of every matrix of a stack.

    `"fro"` is the root of the sum of squares; 1 and -1 the greatest and the least sum of a column's magnitudes,
    `inf` and `-inf` of a row's, 2 and -2 the greatest and the least singular value, `"nuc"` the sum of them. Raises
    `ShapeError` below rank 2 and for the least of nothing, `InvalidArgumentError` for another `ord`.

    >>> wnp.linalg.matrix_norm(wnp.asarray([[1.0, -2.0], [3.0, 4.0]]), ord=1)
    Array(6., dtype=float32)
    """
    value, dtype, target = _operand(x)
    if value.ndim < 2:
        raise ShapeError(f"matrix_norm takes matrices; the shape is {value.shape}")
    rows, columns = value.ndim - 2, value.ndim - 1
    if ord == "fro" or ord is None:
        total = summed(_mapped(_power, value, dtype=dtype, order=2.0), (rows, columns))
        result = _mapped(_root, total, order=2.0)
    elif ord in (1, -1, math.inf, -math.inf) and not isinstance(ord, bool):
        added = rows if abs(ord) == 1 else columns
        sums = summed(_mapped(_magnitude, value, dtype=dtype), (added,))
        result = _extreme("matrix_norm", sums, (rows,), greatest=ord > 0)
    elif ord in (2, -2, "nuc"):
        from wax.numpy.linalg.singular import svdvals  # it is written with this module

        values: Any = svdvals(cast(value, dtype))
        found = summed(values, (rows,)) if ord == "nuc" else _extreme("matrix_norm", values, (rows,), greatest=ord > 0)
        return restored(cast(found, target), (rows, columns), keepdims)
    else:
        raise InvalidArgumentError(f"matrix_norm: ord is 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, not {ord!r}")
    return restored(cast(result, target), (rows, columns), keepdims)
