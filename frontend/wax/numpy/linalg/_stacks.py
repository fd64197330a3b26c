"""Stacks of matrices as the algorithms take them: of rank 3, in the dtype that they compute in.

An algorithm sees `(count, rows, columns)`, all of which may be symbolic. Half floats and integers are computed in
float32; half floats are rounded once, at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wax import dtypes
from wax.dims import Size, format_shape, lesser, product, same
from wax.errors import ShapeError
from wax.numpy._basis import basis, cast, constant, filled, lift, placed, scalars
from wax.numpy._contraction import refuse_bool
from wax.numpy._pieces import counter
from wax.numpy._reduction import folded
from wax.numpy.diagonals import diagonal
from wax.numpy.linalg._blocks import in_kernels
from wax.numpy.manipulation import reshape
from wax.scalars import Scalar

__all__ = [
    "Stack",
    "adjoint",
    "check_square",
    "column_numbers",
    "epsilon",
    "fitted",
    "greatest_magnitude",
    "grown",
    "identity",
    "is_finite",
    "magnitude_squared",
    "power_of_two",
    "real_diagonal",
    "real_part",
    "row_numbers",
    "scaled",
    "stack_of",
    "transposed",
    "unless",
    "zeros",
]


@dataclass(frozen=True, slots=True)
class Stack:
    """Matrices, their stacking dims, and the dtype that results are rounded to."""

    values: Any
    batch: tuple[Size, ...]
    dtype: dtypes.DType

    @property
    def rows(self) -> Size:
        """The number of rows of each matrix."""
        return self.values.shape[1]

    @property
    def columns(self) -> Size:
        """The number of columns of each matrix."""
        return self.values.shape[2]

    @property
    def fewer(self) -> Size:
        """The lesser of the two, of a stack that was asked for as `ordered`."""
        found = lesser(self.rows, self.columns)
        assert found is not None, "the stack is ordered"
        return found

    def restored(self, x: Any) -> Any:
        """What was computed for each matrix, with the stacking dims and the dtype, or its real part, of the result."""
        target = self.dtype if dtypes.kind(x.dtype) == "complex" else dtypes.real_part(self.dtype)
        return reshape(cast(x, target) if dtypes.kind(x.dtype) != "int" else x, (*self.batch, *x.shape[1:]))


def stack_of(name: str, x: Any, *, square: bool = False, ordered: bool = False) -> Stack:
    """The operand of a function on matrices: `ordered` if it hangs on whether rows or columns are fewer.

    Raises `ShapeError` below rank 2, where rows and columns have to be equal and are not, and where the call alone
    says which are fewer; `PromotionError` for booleans.
    """
    value = lift(x)
    refuse_bool(name, value.dtype)
    if value.ndim < 2:
        raise ShapeError(f"{name} takes matrices, or stacks of them; the shape is {format_shape(value.shape)}")
    if ordered and lesser(*value.shape[-2:]) is None:
        raise ShapeError(
            f"{name} of shape {format_shape(value.shape)}: whether rows or columns are fewer depends on the call; use "
            f"one wax.Dim for both, give bounds with min= and max=, or leave one of them out of dynamic_shapes="
        )
    if square:
        check_square(name, value)
    dtype, _ = dtypes.inexact((value.dtype, False))
    batch = value.shape[:-2]
    flat = reshape(cast(value, dtypes.widened(dtype)), (product(batch), *value.shape[-2:]))
    return Stack(flat, batch, dtype)


def check_square(name: str, x: Any) -> None:
    """Raises `ShapeError` for matrices that are not square."""
    if not same(x.shape[-1], x.shape[-2]):
        raise ShapeError(f"{name} takes square matrices; the shape is {format_shape(x.shape)}")


# Pieces.


def row_numbers(size: Size) -> Any:
    """0, 1, 2 … down the rows of a matrix of `size` rows."""
    return reshape(counter(size), (size, 1))


def column_numbers(size: Size) -> Any:
    """0, 1, 2 … along the columns."""
    return counter(size)


def identity(like: Any, rows: Size, columns: Size) -> Any:
    """An identity matrix for each matrix of `like`."""
    operands = [(counter(rows), (1,)), (counter(columns), (2,))]
    return placed(_on_diagonal, operands, (like.shape[0],), dtype=like.dtype)


def _on_diagonal(row: Scalar, column: Scalar, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(row == column, dtype)


def zeros(like: Any, *sizes: Size) -> Any:
    """Zeros in the dtype of `like`, which has rows and columns: `sizes` of them for each of its matrices.

    IREE 3.13 does not compile loops that begin with complex constants, so complex ones are computed from an element.
    """
    if dtypes.kind(like.dtype) != "complex":
        return filled(constant(0, like.dtype), (), (like.shape[0], *sizes))
    element = basis.reshape(fitted(like, 1, 1), [[0, 1, 2]], [[0]], [like.shape[0]])
    return filled(placed(_nothing, [(element, (0,))]), (0,), sizes)


def _nothing(x: Scalar) -> Any:
    return scalars.cast(scalars.absolute(scalars.real(x)) < 0, x.dtype)


def grown(x: Any, rows: Size, columns: Size, *, diagonal: bool = False) -> Any:
    """The matrices with zeros after their rows and columns; with ones on the new diagonal if `diagonal`."""
    down, right = rows - x.shape[1], columns - x.shape[2]
    if same(down, 0) and same(right, 0):
        return x
    if isinstance(down, int) and isinstance(right, int):
        result = basis.pad(x, constant(0, x.dtype), [0] * 3, [0, down, right], [0] * 3)
    else:
        result = basis.insert(x, zeros(x, rows, columns), [0] * 3, [1] * 3)
    if not diagonal:
        return result
    operands = [(result, (0, 1, 2)), (counter(rows), (1,)), (counter(columns), (2,)), (in_kernels(x.shape[1]), ())]
    return placed(_with_ones, operands)


def _with_ones(x: Scalar, row: Scalar, column: Scalar, first: Scalar | int) -> Any:
    is_new = scalars.logical_and(row == column, row >= first)
    return scalars.select(is_new, x.kernel.constant(1, x.dtype), x)


def fitted(x: Any, rows: Size, columns: Size) -> Any:
    """The first rows and columns."""
    if same(x.shape[1], rows) and same(x.shape[2], columns):
        return x
    return basis.slice(x, [0, 0, 0], [x.shape[0], rows, columns], [1, 1, 1])


def real_diagonal(x: Any) -> Any:
    """The real parts of each matrix's diagonal."""
    return placed(real_part, [(diagonal(x, 0, 1, 2), (0, 1))])


def real_part(x: Scalar) -> Any:
    """The real part of an element, which may be real."""
    return scalars.real(x) if x.kind == "complex" else x


def transposed(x: Any) -> Any:
    """The transpose of every matrix."""
    return basis.permute(x, (0, 2, 1))


def adjoint(x: Any) -> Any:
    """The conjugate transpose of every matrix."""
    turned = transposed(x)
    return placed(scalars.conj, [(turned, (0, 1, 2))]) if dtypes.kind(x.dtype) == "complex" else turned


# Magnitudes and scales.


def epsilon(x: Any) -> float:
    """The distance from 1 to the next number of a dtype's real part."""
    return 2.0 ** (-52 if dtypes.real_part(x.dtype) == dtypes.float64 else -23)


def magnitude_squared(x: Any) -> Any:
    """The square of each element's magnitude."""
    return placed(_squared, [(x, range(x.ndim))])


def _squared(x: Scalar) -> Any:
    if x.kind != "complex":
        return x * x
    real, imaginary = scalars.real(x), scalars.imag(x)
    return real * real + imaginary * imaginary


def greatest_magnitude(x: Any, axes: tuple[int, ...]) -> Any:
    """The greatest magnitude of a real or imaginary part along axes, NaN if there is one; 0 of no elements."""
    part = dtypes.real_part(x.dtype)
    return folded(x, axes, _larger, scalars.maximum, 0, part)


def _larger(x: Scalar, so_far: Scalar) -> Any:
    if x.kind == "complex":
        size = scalars.maximum(scalars.absolute(scalars.real(x)), scalars.absolute(scalars.imag(x)))
    else:
        size = scalars.absolute(x)
    return scalars.maximum(size, so_far)


def power_of_two(size: Any) -> Any:
    """The greatest power of two up to each size, of those that are normal; 1 for zeros."""
    return placed(_power, [(size, range(size.ndim))])


def _power(size: Scalar) -> Any:
    bits, digits = (64, 52) if size.dtype == dtypes.float64 else (32, 23)
    whole = dtypes.int64 if bits == 64 else dtypes.int32
    mask = size.kernel.constant(((1 << (bits - 1 - digits)) - 1) << digits, whole)
    power = scalars.bitcast(scalars.bitwise_and(scalars.bitcast(size, whole), mask), size.dtype)
    least = size.kernel.constant(2.0 ** (-1022 if bits == 64 else -126), size.dtype)
    return scalars.select(size == 0, size.kernel.constant(1, size.dtype), scalars.maximum(power, least))


def scaled(x: Any, scale: Any, dims: tuple[int, ...], *, divide: bool = False) -> Any:
    """Each part of the elements times real numbers, or divided by them, that stand along `dims`."""
    return placed(_divided if divide else _times, [(x, range(x.ndim)), (scale, dims)])


def _times(x: Scalar, scale: Scalar) -> Any:
    if x.kind != "complex":
        return x * scale
    return x.kernel.op("complex.create", [scalars.real(x) * scale, scalars.imag(x) * scale], x.dtype)


def _divided(x: Scalar, scale: Scalar) -> Any:
    if x.kind != "complex":
        return x / scale
    return x.kernel.op("complex.create", [scalars.real(x) / scale, scalars.imag(x) / scale], x.dtype)


def is_finite(x: Any) -> Any:
    """For each matrix whether no element is NaN or infinite."""
    return folded(x, tuple(range(1, x.ndim)), _and_finite, scalars.logical_and, True, dtypes.bool_)


def _and_finite(x: Scalar, so_far: Scalar) -> Any:
    return scalars.logical_and(scalars.isfinite(x), so_far)


def unless(good: Any, x: Any) -> Any:
    """The results of matrices that are `good`, NaN for the others."""
    return placed(_or_nan, [(good, (0,)), (x, range(x.ndim))])


def _or_nan(good: Scalar, x: Scalar) -> Any:
    return scalars.select(good, x, x.kernel.constant(float("nan"), x.dtype))
