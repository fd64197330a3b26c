"""Complex scalars by their parts, for formulas in which no rounding and no sign of a zero may get lost."""

from __future__ import annotations

from wax import dtypes
from wax.scalars.scalar import Scalar

__all__ = ["of_parts", "parts", "times_i", "times_minus_i", "times_real"]


def parts(z: Scalar) -> tuple[Scalar, Scalar]:
    """The real and the imaginary part."""
    part = dtypes.real_part(z.dtype)
    return z.kernel.op("complex.re", (z,), part), z.kernel.op("complex.im", (z,), part)


def of_parts(real: Scalar, imaginary: Scalar, like: Scalar) -> Scalar:
    """The number of two parts, as they are, of the dtype of another."""
    return like.kernel.op("complex.create", (real, imaginary), like.dtype)


def times_i(z: Scalar) -> Scalar:
    """i·z."""
    real, imaginary = parts(z)
    return of_parts(-imaginary, real, z)


def times_minus_i(z: Scalar) -> Scalar:
    """−i·z."""
    real, imaginary = parts(z)
    return of_parts(imaginary, -real, z)


def times_real(z: Scalar, factor: float) -> Scalar:
    """z times a real number."""
    real, imaginary = parts(z)
    return of_parts(real * factor, imaginary * factor, z)
