"""Diagonals: read, summed, and made matrices of."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size, format_shape, known_at_most, lesser
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.errors import AxisError, ShapeError
from wax.numpy._basis import ArrayLike, basis, check_axis, check_shape, constant, integer, lift, placed, scalars
from wax.numpy._pieces import counter
from wax.numpy.creation import diagonal_number
from wax.numpy.statistical import sum

__all__ = ["diag", "diagonal", "trace", "tri"]


@api
def diagonal(x: ArrayLike, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """The elements at `(i, i + offset)` of the matrices that two axes span, in a last dim.

    Raises `AxisError`, `ShapeError` where a symbolic size leaves their number open.

    >>> wnp.diagonal(wnp.asarray([[1, 2], [3, 4]]))
    Array([1, 4], dtype=int32)
    """
    value: Any = lift(x)
    rows, columns = check_axis("diagonal", axis1, value.ndim), check_axis("diagonal", axis2, value.ndim)
    if rows == columns:
        raise AxisError(f"diagonal: both axes are {rows}")
    shift = diagonal_number("diagonal", offset, value.shape[rows], value.shape[columns])
    down, right = max(-shift, 0), max(shift, 0)
    places = counter(_length(value, value.shape[rows] - down, value.shape[columns] - right, shift))
    by_axis = {rows: placed(_further, [(places, (0,))], by=down), columns: placed(_further, [(places, (0,))], by=right)}
    others = iter(range(value.ndim - 2))
    dims = [-1 if axis in by_axis else next(others) for axis in range(value.ndim)]
    return basis.gather(value, [by_axis[axis] for axis in sorted(by_axis)], dims, [[value.ndim - 2]] * 2)


def _further(place: Any, *, by: int) -> Any:
    return place + by


def _length(x: Any, rows: Any, columns: Any, offset: int) -> Size:
    """The lesser of two sizes, or 0."""
    if known_at_most(rows, 0) or known_at_most(columns, 0):
        return 0
    least = lesser(rows, columns)
    if least is not None and known_at_most(0, least):
        return least
    raise ShapeError(
        f"diagonal {offset} of shape {format_shape(x.shape)}: how long it is depends on the call; use one wax.Dim for "
        f"sizes that are equal, or give bounds with min= and max="
    )


@api
def trace(x: ArrayLike, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DTypeLike = None) -> Array:
    """The sum of a diagonal; see `diagonal` and `sum`. Raises `AxisError`, `ShapeError`.

    >>> wnp.trace(wnp.asarray([[1, 2], [3, 4]]))
    Array(5, dtype=int32)
    """
    return sum(diagonal(x, offset, axis1, axis2), axis=-1, dtype=dtype)


@api
def diag(x: ArrayLike, /, k: int = 0) -> Array:
    """A vector as the `k`-th diagonal of a matrix of zeros; the `k`-th diagonal of a matrix. Raises `ShapeError`.

    >>> wnp.diag(wnp.asarray([1, 2]))
    Array([[1, 0],
           [0, 2]], dtype=int32)
    """
    value: Any = lift(x)
    shift = integer("diag", "k", k)
    if value.ndim == 2:
        return diagonal(value, shift)
    if value.ndim != 1:
        raise ShapeError(f"diag takes a vector or a matrix, not shape {format_shape(value.shape)}")
    # Above the main diagonal an element keeps its row, below it its column; beyond the last there is nothing.
    padded = basis.pad(value, constant(0, value.dtype), [0], [abs(shift)], [0])
    places = counter(padded.shape[0])
    operands = [(padded, (0,) if shift >= 0 else (1,)), (places, (0,)), (places, (1,))]
    return placed(_only_on, operands, k=shift)


def _only_on(x: Any, row: Any, column: Any, *, k: int) -> Any:
    return scalars.select(row + k == column, x, x.kernel.constant(0, x.dtype))


def _up_to(row: Any, column: Any, *, k: int, dtype: dtypes.DType) -> Any:
    return scalars.cast(column <= row + k, dtype)


@api
def tri(n_rows: Size, n_cols: Size | None = None, /, k: int = 0, *, dtype: DTypeLike = None) -> Array:
    """A matrix with ones on the `k`-th diagonal and below, zeros above.

    >>> wnp.tri(2)
    Array([[1., 0.],
           [1., 1.]], dtype=float32)
    """
    rows, columns = check_shape("tri", (n_rows, n_rows if n_cols is None else n_cols))
    target = dtypes.float32 if dtype is None else dtypes.canonical(dtype)
    return placed(
        _up_to,
        [(counter(rows), (0,)), (counter(columns), (1,))],
        k=diagonal_number("tri", k, rows, columns),
        dtype=target,
    )
