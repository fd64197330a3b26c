"""Discrete Fourier transforms: the extension `fft` of the array API standard.

A transform computes in the dtype it is given: float32 and complex64, or float64 and complex128; integers and half
floats go to float32. Sizes along transformed axes are static; all others may be symbolic.

`norm` says which direction divides by the number of elements `n`: `"backward"` (the inverse), `"forward"`, or
`"ortho"` (each by the root of `n`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    Axes,
    basis,
    cast,
    check_axes,
    check_axis,
    constant,
    integer,
    lift,
    placed,
    refuse_dtype,
)
from wax.numpy._pieces import counter, picked, piece
from wax.numpy.creation import arange
from wax.numpy.manipulation import roll
from wax.numpy.searching import where
from wax.placement import check_device
from wax.scalars import Scalar

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

Norm: TypeAlias = Literal["backward", "ortho", "forward"]

#: Along an axis; as `wax.fft` has it, for an error before what is given is made as long.
MOST_ELEMENTS = 2**31 - 1


@api
def fft(x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """The transform along an axis, of the first `n` elements, or of as many with zeros at the end.

    Raises `AxisError`, `ShapeError` for a symbolic axis, `InvalidArgumentError`.

    >>> wnp.fft.fft(wnp.asarray([1.0, 2.0, 3.0, 4.0]))
    Array([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64)
    """
    return _complex("fft", x, _one(n), (axis,), norm, inverse=False)


@api
def ifft(x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """The inverse of `fft`. Raises as it does.

    >>> wnp.fft.ifft(wnp.asarray([4.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
    return _complex("ifft", x, _one(n), (axis,), norm, inverse=True)


@api
def fftn(x: ArrayLike, /, *, s: Sequence[int] | None = None, axes: Axes = None, norm: Norm = "backward") -> Array:
    """The transform along several axes, all if none are named, the last `len(s)` if `s` is given. Raises as `fft`.

    >>> wnp.fft.fftn(wnp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    return _complex("fftn", x, s, axes, norm, inverse=False)


@api
def ifftn(x: ArrayLike, /, *, s: Sequence[int] | None = None, axes: Axes = None, norm: Norm = "backward") -> Array:
    """The inverse of `fftn`. Raises as it does.

    >>> wnp.fft.ifftn(wnp.asarray([[4.0, 0.0], [0.0, 0.0]]))
    Array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]], dtype=complex64)
    """
    return _complex("ifftn", x, s, axes, norm, inverse=True)


@api
def rfft(x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """The transform of real elements: the first `n // 2 + 1` of its elements, which determine the rest.

    Raises `PromotionError` for a complex dtype, else as `fft`.

    >>> wnp.fft.rfft(wnp.asarray([1.0, 2.0, 3.0, 4.0]))
    Array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64)
    """
    return _half("rfft", x, _one(n), (axis,), norm, inverse=False)


@api
def irfft(x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """The inverse of `rfft`: `n` real elements, `2 * (size - 1)` unless given. Raises as `fft`.

    >>> wnp.fft.irfft(wnp.fft.rfft(wnp.asarray([1.0, 2.0, 3.0])), n=3).shape
    (3,)
    """
    return _real("irfft", x, _one(n), (axis,), norm, inverse=True)


@api
def rfftn(x: ArrayLike, /, *, s: Sequence[int] | None = None, axes: Axes = None, norm: Norm = "backward") -> Array:
    """The transform of real elements along several axes, half of it along the last. Raises as `rfft`.

    >>> wnp.fft.rfftn(wnp.ones((2, 4))).shape
    (2, 3)
    """
    return _half("rfftn", x, s, axes, norm, inverse=False)


@api
def irfftn(x: ArrayLike, /, *, s: Sequence[int] | None = None, axes: Axes = None, norm: Norm = "backward") -> Array:
    """The inverse of `rfftn`; the last axis gets size `2 * (size - 1)` unless `s` says. Raises as `fft`.

    >>> wnp.fft.irfftn(wnp.fft.rfftn(wnp.ones((2, 4))))
    Array([[1., 1., 1., 1.],
           [1., 1., 1., 1.]], dtype=float32)
    """
    return _real("irfftn", x, s, axes, norm, inverse=True)


@api
def hfft(x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """The real transform of elements that are conjugates of each other, of which half is given. Raises as `fft`.

    >>> wnp.fft.hfft(wnp.asarray([1.0, 2.0, 3.0]))
    Array([ 8., -2.,  0., -2.], dtype=float32)
    """
    return _real("hfft", x, _one(n), (axis,), norm, inverse=False)


@api
def ihfft(x: ArrayLike, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward") -> Array:
    """The inverse of `hfft`: half of the inverse transform of real elements. Raises as `rfft`.

    >>> wnp.fft.ihfft(wnp.asarray([8.0, -2.0, 0.0, -2.0]))
    Array([1.-0.j, 2.-0.j, 3.-0.j], dtype=complex64)
    """
    return _half("ihfft", x, _one(n), (axis,), norm, inverse=True)


@api
def fftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike = None, device: Any = None) -> Array:
    """The frequencies that the elements of a transform stand for, for samples that are `d` apart.

    >>> wnp.fft.fftfreq(4)
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float32)
    """
    check_device("fftfreq", device)
    size = _count("fftfreq", n)
    numbers = arange(size)
    return _frequencies("fftfreq", where(numbers < (size + 1) // 2, numbers, numbers - size), size, d, dtype)


@api
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike = None, device: Any = None) -> Array:
    """The frequencies that the elements of `rfft` stand for.

    >>> wnp.fft.rfftfreq(4)
    Array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    check_device("rfftfreq", device)
    size = _count("rfftfreq", n)
    return _frequencies("rfftfreq", arange(size // 2 + 1), size, d, dtype)


@api
def fftshift(x: ArrayLike, /, *, axes: Axes = None) -> Array:
    """The elements moved so that frequency 0 comes to the middle. Raises `AxisError`.

    >>> wnp.fft.fftshift(wnp.asarray([0, 1, 2, -2, -1]))
    Array([-2, -1,  0,  1,  2], dtype=int32)
    """
    return _shifted("fftshift", x, axes, back=False)


@api
def ifftshift(x: ArrayLike, /, *, axes: Axes = None) -> Array:
    """The inverse of `fftshift`. Raises `AxisError`.

    >>> wnp.fft.ifftshift(wnp.asarray([-2, -1, 0, 1, 2]))
    Array([ 0,  1,  2, -2, -1], dtype=int32)
    """
    return _shifted("ifftshift", x, axes, back=True)


# Transforms.


def _one(n: int | None) -> Sequence[int] | None:
    return None if n is None else (n,)


def _complex(name: str, x: Any, s: Sequence[int] | None, axes: Axes, norm: str, *, inverse: bool) -> Any:
    value = _operand(x)
    value = cast(value, dtypes.complex_of(value.dtype))
    found = _axes(name, value, s, axes)
    value = _fitted(value, found, _lengths(name, value, s, found))
    count = math.prod(value.shape[axis] for axis in found)
    return _scaled(basis.fft(value, found, inverse=inverse) if found else value, name, norm, count, inverse)


def _half(name: str, x: Any, s: Sequence[int] | None, axes: Axes, norm: str, *, inverse: bool) -> Any:
    value = _operand(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype(name, value.dtype, "it transforms real numbers; use fft, or take the real part")
    found = _axes(name, value, s, axes)
    if not found:
        raise InvalidArgumentError(f"{name} needs an axis, whose half is the result")
    value = _fitted(value, found, _lengths(name, value, s, found))
    count = math.prod(value.shape[axis] for axis in found)
    return _scaled(basis.fft(value, found, inverse=inverse), name, norm, count, inverse)


def _real(name: str, x: Any, s: Sequence[int] | None, axes: Axes, norm: str, *, inverse: bool) -> Any:
    value = _operand(x)
    value = cast(value, dtypes.complex_of(value.dtype))
    found = _axes(name, value, s, axes)
    if not found:
        raise InvalidArgumentError(f"{name} needs an axis, of which half is given")
    lengths = _lengths(name, value, s, found)
    length = lengths[-1] if s is not None else 2 * (lengths[-1] - 1)
    if length < 1:
        raise InvalidArgumentError(f"{name}: the result would have size {length} along axis {found[-1]}; give n or s")
    value = _fitted(value, found, [*lengths[:-1], length // 2 + 1])
    count = math.prod([*lengths[:-1], length])
    return _scaled(basis.fft(value, found, length, inverse=inverse), name, norm, count, inverse)


def _operand(x: Any) -> Any:
    """A value in a dtype that is transformed."""
    value = lift(x)
    dtype, _ = dtypes.inexact((value.dtype, False))
    return cast(value, dtypes.widened(dtype))


def _axes(name: str, x: Any, s: Sequence[int] | None, axes: Axes) -> tuple[int, ...]:
    if axes is None and s is not None:
        axes = tuple(range(-len(s), 0))
    found = check_axes(name, axes, x.ndim)
    if s is not None and len(s) != len(found):
        raise InvalidArgumentError(f"{name}: {len(s)} sizes for {len(found)} axes")
    return found


def _lengths(name: str, x: Any, s: Sequence[int] | None, axes: tuple[int, ...]) -> list[int]:
    """The number of elements to transform along each axis."""
    for axis in axes:
        if not isinstance(x.shape[axis], int):
            raise ShapeError(
                f"{name} of shape {format_shape(x.shape)}: axis {axis} is transformed, so its size must be static; "
                "leave it out of dynamic_shapes="
            )
    lengths = [x.shape[axis] for axis in axes] if s is None else [integer(name, "a size", size) for size in s]
    for axis, length in zip(axes, lengths, strict=True):
        if length < 1:
            raise InvalidArgumentError(
                f"{name} of shape {format_shape(x.shape)}: there must be an element along axis {axis}, not {length}"
            )
        if length > MOST_ELEMENTS:
            raise InvalidArgumentError(
                f"{name} of shape {format_shape(x.shape)}: at most {MOST_ELEMENTS} elements are transformed along an "
                f"axis, axis {axis} has {length}"
            )
    return lengths


def _fitted(x: Any, axes: tuple[int, ...], lengths: Sequence[int]) -> Any:
    """The first elements along each axis, or all and zeros after them."""
    high = [0] * x.ndim
    for axis, length in zip(axes, lengths, strict=True):
        x = piece(x, axis, 0, min(length, x.shape[axis]))
        high[axis] = length - x.shape[axis]
    none = [0] * x.ndim
    return basis.pad(x, constant(0, x.dtype), none, high, none) if any(high) else x


def _scaled(x: Any, name: str, norm: str, count: int, inverse: bool) -> Any:
    if norm not in ("backward", "ortho", "forward"):
        raise InvalidArgumentError(f'{name}: norm is "backward", "ortho" or "forward", not {norm!r}')
    if norm == "ortho":
        return _times(x, 1 / math.sqrt(count))
    return _times(x, 1 / count) if (norm == "backward") == inverse else x


def _times(x: Any, factor: float) -> Any:
    return x if factor == 1 else placed(_product, [(x, range(x.ndim))], factor=factor)


def _product(x: Scalar, *, factor: float) -> Scalar:
    """Each part of a number times a real one."""
    if x.kind != "complex":
        return x * factor
    part = dtypes.real_part(x.dtype)
    parts = [x.kernel.op(name, (x,), part) * factor for name in ("complex.re", "complex.im")]
    return x.kernel.op("complex.create", parts, x.dtype)


# Frequencies.


def _count(name: str, n: Any) -> int:
    size = integer(name, "n", n)
    if size < 1:
        raise InvalidArgumentError(f"{name}: n must be at least 1, it is {size}")
    if size > MOST_ELEMENTS:
        raise InvalidArgumentError(f"{name}: n must be at most {MOST_ELEMENTS}, it is {size}")
    return size


def _frequencies(name: str, numbers: Any, n: int, d: float, dtype: DTypeLike) -> Any:
    target = dtypes.float32 if dtype is None else dtypes.canonical(dtype)
    if dtypes.kind(target) != "float":
        refuse_dtype(name, target, "frequencies are floating")
    wide = dtypes.widened(target)
    return cast(cast(lift(numbers), wide) / constant(n * d, wide), target)


def _shifted(name: str, x: Any, axes: Axes, *, back: bool) -> Any:
    value = lift(x)
    for axis in [check_axis(name, one, value.ndim) for one in check_axes(name, axes, value.ndim)]:
        size = value.shape[axis]
        if isinstance(size, int):
            value = roll(value, -(size // 2) if back else size // 2, axis=axis)
        else:
            start = size // 2 if back else (size + 1) // 2
            value = picked(value, (counter(size) + start) % size, axis)
    return value
