"""The scalar operations of `complex`, on whole arrays of complex64 and complex128.

A complex array and the two float arrays of its parts are views of one memory; nothing here goes by way of
`re + 1j * im`, which is wrong where a part is infinite or −0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wax_runtime.reference.elements import element
from wax_runtime.reference.scalars import ScalarFunction, ScalarRule, every
from wax_runtime.reference.scalars_casts import bitcast
from wax_runtime.reference.scalars_math import integer_power
from wax_runtime.snapshot import Apply

__all__ = ["RULES"]


def _create(apply: Apply) -> ScalarFunction:
    dtype = element(apply.element).dtype

    def create(real: Any, imaginary: Any) -> Any:
        result = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imaginary)), dtype)
        result.real = real
        result.imag = imaginary
        return result

    return create


def _angle(z: Any) -> Any:
    return np.arctan2(z.imag, z.real)


def _sign(z: Any) -> Any:
    # Dividing by 1 instead of 0 keeps 0, with the signs of its parts.
    size = np.abs(z)
    return z / np.where(size == 0, size.dtype.type(1), size)


def _rsqrt(z: Any) -> Any:
    return np.reciprocal(np.sqrt(z))


def _atan2(y: Any, x: Any) -> Any:
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


def _power_of_integer(z: Any, exponent: Any) -> Any:
    unsigned = np.dtype(f"u{exponent.dtype.itemsize}")
    power = integer_power(z, np.absolute(exponent).view(unsigned))
    return np.where(exponent < 0, np.reciprocal(power), power)


#: What `complex` means, by name of operation.
RULES: dict[str, ScalarRule] = {
    # Parts.
    "complex.create": _create,
    "complex.re": every(lambda z: z.real),
    "complex.im": every(lambda z: z.imag),
    "complex.abs": every(np.absolute),
    "complex.angle": every(_angle),
    "complex.bitcast": bitcast,
    # Arithmetic.
    "complex.add": every(np.add),
    "complex.sub": every(np.subtract),
    "complex.mul": every(np.multiply),
    "complex.div": every(np.divide),
    "complex.neg": every(np.negative),
    "complex.conj": every(np.conjugate),
    "complex.sign": every(_sign),
    "complex.eq": every(np.equal),
    "complex.neq": every(np.not_equal),
    # Functions.
    "complex.exp": every(np.exp),
    "complex.expm1": every(np.expm1),
    "complex.log": every(np.log),
    "complex.log1p": every(np.log1p),
    "complex.sqrt": every(np.sqrt),
    "complex.rsqrt": every(_rsqrt),
    "complex.pow": every(np.power),
    "complex.powi": every(_power_of_integer),
    "complex.sin": every(np.sin),
    "complex.cos": every(np.cos),
    "complex.tan": every(np.tan),
    "complex.tanh": every(np.tanh),
    "complex.atan2": every(_atan2),
}
