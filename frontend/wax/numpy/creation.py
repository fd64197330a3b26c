"""Creation functions. Shapes may hold symbolic dims; the default dtype is float32, of integers int32.

`device` names where the array is to be; without it, it is in the memory of the host. A function that is traced runs
where it is compiled for, all of it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from wax import dtypes
from wax._trace import is_tracing
from wax.array import Array, as_array
from wax.dims import DimExpr, Size
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.errors import InvalidArgumentError, PromotionError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    Shape,
    basis,
    cast,
    check_shape,
    constant,
    filled,
    integer,
    kernel_of,
    lift,
    placed,
    scalars,
)
from wax.numpy._host import from_host, leaves
from wax.operators import ArrayOperators
from wax.placement import check_device
from wax.tracer import Tracer
from wax_runtime import transfer

__all__ = [
    "arange",
    "asarray",
    "diagonal_number",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "logspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


def _on(device: Any, array: Any) -> Any:
    """The array where it is to be."""
    return array if device is None or is_tracing() else transfer.put(array, device)


def asarray(obj: Any, /, *, dtype: DTypeLike = None, device: Any = None, copy: bool | None = None) -> Array:
    """An array of a number, a nested list of numbers or arrays, or anything NumPy or DLPack can read.

    Python numbers become float32, int32, complex64 and bool; arrays keep their dtype. Arrays are immutable, so
    that memory is shared where it can be. Raises `PromotionError` for an integer that does not fit its dtype,
    `InvalidArgumentError` with `copy=False` where memory cannot be shared.

    >>> wnp.asarray([[1, 2], [3, 4]], dtype=wnp.float32)
    Array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    check_device("asarray", device)
    target = None if dtype is None else dtypes.canonical(dtype)
    if isinstance(obj, list | tuple) and any(isinstance(leaf, ArrayOperators) for leaf in leaves(obj)):
        return _on(device, _converted(_stacked(obj), target))
    if isinstance(obj, ArrayOperators | DimExpr):
        return _on(device, _converted(obj, target))
    if copy is False and not hasattr(obj, "__dlpack__"):
        raise InvalidArgumentError("asarray with copy=False needs an array whose memory can be shared (DLPack)")
    array = from_host(obj, target)
    if is_tracing():
        return lift(array)
    return _on(device, as_array(array))


def _stacked(nested: Any) -> Any:
    from wax.numpy.manipulation import stack

    if isinstance(nested, list | tuple):
        return stack([_stacked(item) for item in nested])
    return asarray(nested)


def _converted(x: Any, dtype: dtypes.DType | None) -> Any:
    from wax.numpy.data_types import astype

    if is_tracing():
        value = lift(x)
        return value if dtype is None else cast(value, dtype)
    return x if dtype is None or x.dtype == dtype else astype(x, dtype)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """An array that shares the memory of one of another library, through DLPack; a copy of it with `copy=True`.

    Raises `DTypeError` for a dtype wax has no arrays of, `BufferError` where the memory cannot be shared.

    >>> wnp.from_dlpack(np.arange(3, dtype=np.float32)).shape
    (3,)
    """
    check_device("from_dlpack", device)
    return _on(device, Array.from_dlpack(x, copy=copy))


# Filled with one value.


@api
def full(shape: Shape, fill_value: ArrayLike, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """An array of one value; its dtype is the value's unless given.

    >>> wnp.full((2,), 7)
    Array([7, 7], dtype=int32)
    """
    return _filled("full", shape, fill_value, dtype, device)


def _filled(name: str, shape: Shape, fill_value: Any, dtype: DTypeLike, device: Any) -> Any:
    check_device(name, device)
    sizes = check_shape(name, shape)
    target = None if dtype is None else dtypes.canonical(dtype)
    if dtypes.is_python_number(fill_value):
        value = _constant(name, fill_value, target or dtypes.of_python(fill_value))
    else:
        value = lift(fill_value)
        value = value if target is None else cast(value, target)
    if value.ndim:
        raise ShapeError(f"{name}: the fill value must be a number or a rank 0 array, not of shape {value.shape}")
    return filled(value, (), sizes)


def _constant(name: str, value: Any, dtype: dtypes.DType) -> Any:
    dtypes.check_fits(name, value, dtype)
    if isinstance(value, complex) and dtypes.kind(dtype) != "complex":
        raise PromotionError(f"{name}: the complex number {value} as {dtype} would lose its imaginary part")
    return constant(value, dtype)


@api
def zeros(shape: Shape, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """An array of zeros.

    >>> wnp.zeros((2, 2))
    Array([[0., 0.],
           [0., 0.]], dtype=float32)
    """
    return _filled("zeros", shape, 0, dtypes.float32 if dtype is None else dtype, device)


@api
def ones(shape: Shape, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """An array of ones.

    >>> wnp.ones(3)
    Array([1., 1., 1.], dtype=float32)
    """
    return _filled("ones", shape, 1, dtypes.float32 if dtype is None else dtype, device)


@api
def empty(shape: Shape, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """An array whose elements do not matter; they are zeros.

    >>> wnp.empty((2, 3)).shape
    (2, 3)
    """
    return _filled("empty", shape, 0, dtypes.float32 if dtype is None else dtype, device)


@api
def full_like(x: ArrayLike, /, fill_value: ArrayLike, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """An array of one value with the shape of another, and its dtype unless given.

    >>> wnp.full_like(wnp.zeros(2), 3)
    Array([3., 3.], dtype=float32)
    """
    like = lift(x)
    return _filled("full_like", like.shape, fill_value, like.dtype if dtype is None else dtype, device)


@api
def zeros_like(x: ArrayLike, /, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """Zeros with the shape of another array, and its dtype unless given.

    >>> wnp.zeros_like(wnp.asarray([1, 2]))
    Array([0, 0], dtype=int32)
    """
    return full_like(x, 0, dtype=dtype, device=device)


@api
def ones_like(x: ArrayLike, /, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """Ones with the shape of another array, and its dtype unless given.

    >>> wnp.ones_like(wnp.asarray([4, 2]))
    Array([1, 1], dtype=int32)
    """
    return full_like(x, 1, dtype=dtype, device=device)


@api
def empty_like(x: ArrayLike, /, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """An array whose elements do not matter, with the shape of another, and its dtype unless given.

    >>> wnp.empty_like(wnp.zeros((2, 3))).shape
    (2, 3)
    """
    return zeros_like(x, dtype=dtype, device=device)


# Ranges.


def _static_number(name: str, what: str, value: Any) -> Any:
    if isinstance(value, Tracer):
        value.__index__()  # raises, and says what to do
    if isinstance(value, np.generic | np.ndarray | Array):
        value = value.item()
    if not isinstance(value, int | float | DimExpr):
        raise InvalidArgumentError(f"{name}: {what} must be a real number, not {value!r}")
    return value


def _progress(i: Any, *, start: Any, step: Any, dtype: dtypes.DType) -> Any:
    index = scalars.cast(i, dtypes.widened(dtype))
    return scalars.cast(index * step + start, dtype)


@api
def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: DTypeLike = None, device: Any = None) -> Array:
    """Numbers from `start` (0 if only one is given) to before `stop`, `step` apart; bounds may be symbolic sizes.

    Raises `InvalidArgumentError` for a step of zero or a traced bound.

    >>> wnp.arange(3), wnp.arange(1.0, 2.0, 0.25)
    (Array([0, 1, 2], dtype=int32), Array([1.  , 1.25, 1.5 , 1.75], dtype=float32))
    """
    check_device("arange", device)
    start, stop = (0, start) if stop is None else (start, stop)
    start, stop, step = (
        _static_number("arange", what, bound) for what, bound in (("start", start), ("stop", stop), ("step", step))
    )
    if isinstance(step, DimExpr) or step == 0:
        raise InvalidArgumentError(f"arange: the step must be a number other than zero, not {step}")
    floating = any(isinstance(bound, float) for bound in (start, stop, step))
    target = dtypes.canonical(dtype) if dtype is not None else (dtypes.float32 if floating else dtypes.int32)
    if dtypes.kind(target) in ("bool", "complex"):
        raise PromotionError(f"arange does not count in {target}; take an integer or floating dtype")
    size = _count(start, stop, step)
    if dtypes.kind(target) != "float" and isinstance(size, int) and size:
        for end in (start, start + (size - 1) * step):
            if isinstance(end, int | float):
                dtypes.check_fits("arange", int(end), target)
    return _counted(size, start, step, target)


def _count(start: Any, stop: Any, step: Any) -> Size:
    if any(isinstance(bound, DimExpr) for bound in (start, stop)):
        if isinstance(start, float) or isinstance(stop, float) or isinstance(step, float):
            raise InvalidArgumentError("arange: with a symbolic bound all of them must be integers")
        return -((start - stop) // step)
    return max(0, math.ceil((stop - start) / step))


def _counted(size: Size, start: Any, step: Any, dtype: dtypes.DType) -> Any:
    if isinstance(start, DimExpr):
        return cast(lift(start) + _counted(size, 0, step, dtypes.default_int), dtype)
    if start == 0 and step == 1:
        return basis.iota(0, (size,), dtype)
    counter = dtype if dtypes.kind(dtype) in ("int", "uint") and isinstance(step, int) else dtypes.int32
    index = basis.iota(0, (size,), counter)
    return basis.map(kernel_of(_progress, index, start=start, step=step, dtype=dtype), index)


def _between(i: Any, *, start: Any, stop: Any, steps: int, dtype: dtypes.DType) -> Any:
    wide = dtypes.widened(dtypes.real_part(dtype))
    part = scalars.cast(i, wide) / max(steps, 1)

    def between(first: float, last: float) -> Any:
        # Written as one operation, so that it is rounded alike wherever in an array it stands.
        return scalars.fma(part, part.kernel.constant(last, wide), part.kernel.constant(first, wide) * (1.0 - part))

    if dtypes.kind(dtype) != "complex":
        return scalars.cast(between(start, stop), dtype)
    return part.kernel.op("complex.create", [between(start.real, stop.real), between(start.imag, stop.imag)], dtype)


@api
def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: DTypeLike = None, device: Any = None, endpoint: bool = True
) -> Array:
    """`num` numbers from `start` to `stop`, equally far apart; without `endpoint` the last one is left out.

    Raises `InvalidArgumentError` for a negative or traced `num`.

    >>> wnp.linspace(0.0, 1.0, 5)
    Array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """
    check_device("linspace", device)
    count = integer("linspace", "num", num)
    if count < 0:
        raise InvalidArgumentError(f"linspace: num must not be negative, it is {count}")
    ends = [_end("linspace", start), _end("linspace", stop)]
    default = dtypes.complex64 if any(isinstance(end, complex) for end in ends) else dtypes.float32
    target = default if dtype is None else dtypes.canonical(dtype)
    if dtypes.kind(target) not in ("float", "complex"):
        raise PromotionError(f"linspace gives floating numbers, not {target}")
    index = basis.iota(0, (count,), dtypes.int32)
    steps = count - 1 if endpoint else count
    return basis.map(kernel_of(_between, index, start=ends[0], stop=ends[1], steps=steps, dtype=target), index)


@api
def logspace(
    start: Any, stop: Any, /, num: int = 50, *, endpoint: bool = True, base: float = 10.0, dtype: DTypeLike = None
) -> Array:
    """`base` to the powers of `linspace(start, stop, num)`. Raises `InvalidArgumentError`.

    >>> wnp.logspace(0, 2, 3)
    Array([  1.,  10., 100.], dtype=float32)
    """
    from wax.numpy.arithmetic import pow

    target = dtypes.float32 if dtype is None else dtypes.canonical(dtype)
    wide = dtypes.float64 if dtypes.real_part(target) == dtypes.float64 else dtypes.float32
    if dtypes.kind(target) == "complex":
        wide = dtypes.complex_of(wide)
    exponents = linspace(start, stop, num, dtype=wide, endpoint=endpoint)
    return cast(pow(float(base), exponents), target)


def _end(name: str, value: Any) -> complex | float:
    if isinstance(value, np.generic | np.ndarray | Array):
        value = value.item()
    return value if isinstance(value, complex) else float(_static_number(name, "an end", value))


# Matrices.


def diagonal_number(name: str, k: Any, rows: Size, columns: Size) -> int:
    """The number of a diagonal; of those beyond the matrix the nearest."""
    number = integer(name, "k", k)
    number = max(number, -rows) if isinstance(rows, int) else number
    return min(number, columns) if isinstance(columns, int) else number


def _on_diagonal(row: Any, column: Any, *, k: int, dtype: dtypes.DType) -> Any:
    return scalars.cast(row + k == column, dtype)


@api
def eye(
    n_rows: Size, n_cols: Size | None = None, /, *, k: int = 0, dtype: DTypeLike = None, device: Any = None
) -> Array:
    """A matrix of zeros with ones on its `k`-th diagonal.

    >>> wnp.eye(2)
    Array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    check_device("eye", device)
    rows, columns = check_shape("eye", (n_rows, n_rows if n_cols is None else n_cols))
    return placed(
        _on_diagonal,
        [(basis.iota(0, (rows,), dtypes.int32), (0,)), (basis.iota(0, (columns,), dtypes.int32), (1,))],
        k=diagonal_number("eye", k, rows, columns),
        dtype=dtypes.float32 if dtype is None else dtypes.canonical(dtype),
    )


def _below(x: Any, row: Any, column: Any, *, k: int) -> Any:
    return scalars.select(column <= row + k, x, x.kernel.constant(0, x.dtype))


def _above(x: Any, row: Any, column: Any, *, k: int) -> Any:
    return scalars.select(column >= row + k, x, x.kernel.constant(0, x.dtype))


def _triangle(name: str, x: ArrayLike, keep: Any, k: int) -> Any:
    value = lift(x)
    if value.ndim < 2:
        raise ShapeError(f"{name} takes matrices; the shape is {value.shape}")
    row, column = value.ndim - 2, value.ndim - 1
    indices = [(basis.iota(0, (value.shape[dim],), dtypes.int32), (dim,)) for dim in (row, column)]
    number = diagonal_number(name, k, value.shape[row], value.shape[column])
    return placed(keep, [(value, range(value.ndim)), *indices], k=number)


@api
def tril(x: ArrayLike, /, *, k: int = 0) -> Array:
    """The lower triangles of matrices: zeros above the `k`-th diagonal. Raises `ShapeError` below rank 2.

    >>> wnp.tril(wnp.ones((2, 2)))
    Array([[1., 0.],
           [1., 1.]], dtype=float32)
    """
    return _triangle("tril", x, _below, k)


@api
def triu(x: ArrayLike, /, *, k: int = 0) -> Array:
    """The upper triangles of matrices: zeros below the `k`-th diagonal. Raises `ShapeError` below rank 2.

    >>> wnp.triu(wnp.ones((2, 2)))
    Array([[1., 1.],
           [0., 1.]], dtype=float32)
    """
    return _triangle("triu", x, _above, k)


@api
def meshgrid(*arrays: ArrayLike, indexing: str = "xy") -> list[Array]:
    """Coordinate arrays of the grid that vectors span; with `"xy"` the first two dims are exchanged.

    Raises `ShapeError` for arrays that are no vectors, `InvalidArgumentError` for another `indexing`.

    >>> wnp.meshgrid(wnp.arange(2), wnp.arange(3))[0].shape
    (3, 2)
    """
    if indexing not in ("xy", "ij"):
        raise InvalidArgumentError(f"meshgrid: indexing must be 'xy' or 'ij', not {indexing!r}")
    vectors = [lift(x) for x in arrays]
    for x in vectors:
        if x.ndim > 1:
            raise ShapeError(f"meshgrid takes vectors; one has shape {x.shape}")
    order = list(range(len(vectors)))
    if indexing == "xy" and len(order) > 1:
        order[:2] = [1, 0]
    sizes = [x.shape[0] if x.ndim else 1 for x in vectors]
    return [_spread(x, order[number], [sizes[i] for i in order]) for number, x in enumerate(vectors)]


def _spread(x: Any, dim: int, shape: list[Size]) -> Any:
    dims = [dim] if x.ndim else []
    return filled(x, dims, [size for axis, size in enumerate(shape) if axis not in dims])
