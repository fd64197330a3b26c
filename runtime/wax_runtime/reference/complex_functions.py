"""Functions of complex arrays that NumPy has not, or not exactly: quotients, exp(z) − 1, log(1 + z), powers.

A complex array and the two float arrays of its parts are views of one memory; nothing here goes by way of
`re + 1j * im`, which is wrong where a part is infinite or −0. Special values are those of C's Annex G.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wax_runtime.reference.fused import two_product, two_sum

__all__ = ["complex_of", "direction", "divide", "expm1", "log1p", "power", "reciprocal"]


def complex_of(real: Any, imaginary: Any, dtype: Any) -> Any:
    """The complex array of two parts, as they are."""
    result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), dtype)
    result.real = real
    result.imag = imaginary
    return result


def _has_infinity(z: Any) -> Any:
    return np.isinf(z.real) | np.isinf(z.imag)


def _exponent(z: Any) -> Any:
    size = np.maximum(np.abs(z.real), np.abs(z.imag))
    return np.where(np.isfinite(size), np.frexp(size)[1], 0)


def _scaled(z: Any, exponent: Any) -> tuple[Any, Any]:
    return np.ldexp(z.real, exponent), np.ldexp(z.imag, exponent)


def _sum_of_products(a: Any, b: Any, c: Any, d: Any) -> Any:
    """a·b + c·d for numbers near 1, where it cancels too."""
    (first, first_rest), (second, second_rest) = two_product(a, b), two_product(c, d)
    total, rest = two_sum(first, second)
    return total + (rest + (first_rest + second_rest))


def _of_signs(z: tuple[Any, Any], w: tuple[Any, Any], factor: float) -> tuple[Any, Any]:
    return (z[0] * w[0] + z[1] * w[1]) * factor, (z[1] * w[0] - z[0] * w[1]) * factor


def _marked(z: Any) -> tuple[Any, Any]:
    """1 for an infinite part, 0 for a finite one, with its sign."""
    return np.copysign(np.isinf(z.real) * 1.0, z.real), np.copysign(np.isinf(z.imag) * 1.0, z.imag)


def divide(z: Any, w: Any) -> Any:
    """The quotient: exact in each part, without needless overflow."""
    z, w = np.broadcast_arrays(z, w)
    dtype = z.dtype
    part = z.real.dtype.type
    with np.errstate(all="ignore"):
        of_z, of_w = _exponent(z), _exponent(w)
        (a, b), (c, d) = (tuple(map(np.float64, _scaled(x, -k))) for x, k in ((z, of_z), (w, of_w)))
        square = c * c + d * d
        shift = of_z - of_w
        real = np.ldexp(_sum_of_products(a, c, b, d) / square, shift)
        imaginary = np.ldexp(_sum_of_products(b, c, -a, d) / square, shift)
        zero = (w.real == 0) & (w.imag == 0)
        unit = np.copysign(part(np.inf), w.real)
        finite_z, finite_w = np.isfinite(z), np.isfinite(w)
        for where, (x, y) in (
            (zero, (unit * z.real, unit * z.imag)),
            (_has_infinity(z) & finite_w & ~zero, _of_signs(_marked(z), (w.real, w.imag), np.inf)),
            (finite_z & _has_infinity(w), _of_signs((z.real, z.imag), _marked(w), 0.0)),
        ):
            real, imaginary = np.where(where, x, real), np.where(where, y, imaginary)
        return complex_of(real, imaginary, dtype)


def reciprocal(z: Any) -> Any:
    """1 / z."""
    return divide(np.ones_like(z), z)


def direction(z: Any) -> Any:
    """z / |z|; a zero is itself."""
    with np.errstate(all="ignore"):
        exponent = _exponent(z)
        x, y = _scaled(z, -exponent)
        size = np.hypot(x, y)
        size = np.where(size == 0, size.dtype.type(1), size)
        return complex_of(x / size, y / size, z.dtype)


def expm1(z: Any) -> Any:
    """exp(z) − 1, exact near 0."""
    with np.errstate(all="ignore"):
        whole = np.exp(z)
        x, y = z.real.astype(np.float64), z.imag.astype(np.float64)
        near = np.expm1(x) * np.cos(y) - 2 * np.sin(y / 2) ** 2
        real = np.where(x < 1, near, whole.real - whole.real.dtype.type(1))
        return complex_of(np.where(x == -np.inf, -1.0, real), whole.imag, z.dtype)


def log1p(z: Any) -> Any:
    """log(1 + z), exact near 0 and near the circle |1 + z| = 1."""
    with np.errstate(all="ignore"):
        x, y = z.real.astype(np.float64), z.imag.astype(np.float64)
        moved = np.log(complex_of(z.real + z.real.dtype.type(1), z.imag, z.dtype))
        (of_x, rest_x), (of_y, rest_y) = two_product(x, x), two_product(y, y)
        first, first_rest = two_sum(2 * x, of_x)
        total, rest = two_sum(first, of_y)
        excess = total + (first_rest + rest + (rest_x + rest_y))
        near = (excess >= -0.5) & (excess <= 1.25)
        real = np.where(near, 0.5 * np.log1p(np.where(near, excess, 0)), moved.real)
        return complex_of(real, moved.imag, z.dtype)


def power(z: Any, w: Any) -> Any:
    """exp(w log z); 1 for w = 0, else 0 for z = 0 and a w with positive real part."""
    with np.errstate(all="ignore"):
        result = np.exp(w * np.log(z))
    result = np.where((z == 0) & (w.real > 0), z.dtype.type(0), result)
    return np.where(w == 0, z.dtype.type(1), result)
