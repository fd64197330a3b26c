"""The scalar operations of `complex`, on whole arrays of complex64 and complex128.

NumPy's own functions where they are exact in each part and right at branch cuts; the others are in
`complex_functions.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wax_runtime.reference.complex_functions import complex_of, direction, divide, expm1, log1p, power, reciprocal
from wax_runtime.reference.elements import element
from wax_runtime.reference.scalars import ScalarFunction, ScalarRule, every
from wax_runtime.reference.scalars_casts import bitcast
from wax_runtime.reference.scalars_math import integer_power
from wax_runtime.snapshot import Apply

__all__ = ["RULES"]


def _create(apply: Apply) -> ScalarFunction:
    dtype = element(apply.element).dtype
    return lambda real, imaginary: complex_of(real, imaginary, dtype)


def _angle(z: Any) -> Any:
    return np.arctan2(z.imag, z.real)


def _rsqrt(z: Any) -> Any:
    return reciprocal(np.sqrt(z))


def _atan2(y: Any, x: Any) -> Any:
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


def _power_of_integer(z: Any, exponent: Any) -> Any:
    unsigned = np.dtype(f"u{exponent.dtype.itemsize}")
    whole = integer_power(z, np.absolute(exponent).view(unsigned))
    return np.where(exponent < 0, reciprocal(whole), whole)


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
    "complex.div": every(divide),
    "complex.neg": every(np.negative),
    "complex.conj": every(np.conjugate),
    "complex.sign": every(direction),
    "complex.eq": every(np.equal),
    "complex.neq": every(np.not_equal),
    # Functions.
    "complex.exp": every(np.exp),
    "complex.expm1": every(expm1),
    "complex.log": every(np.log),
    "complex.log1p": every(log1p),
    "complex.sqrt": every(np.sqrt),
    "complex.rsqrt": every(_rsqrt),
    "complex.pow": every(power),
    "complex.powi": every(_power_of_integer),
    "complex.sin": every(np.sin),
    "complex.cos": every(np.cos),
    "complex.tan": every(np.tan),
    "complex.tanh": every(np.tanh),
    "complex.atan2": every(_atan2),
}
