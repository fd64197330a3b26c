"""Products of stacks of matrices, of complex ones by their parts.

Four real products are fast on every backend, and IREE 3.13 gives wrong results for complex128 where it joins a complex
product with what is subtracted from it.
"""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.numpy._basis import lift, placed, scalars
from wax.numpy.linear_algebra import matmul
from wax.scalars import Scalar

__all__ = ["multiplied"]


def multiplied(a: Any, b: Any) -> Any:
    """`a @ b`, for every matrix of two stacks of rank 3."""
    if dtypes.kind(a.dtype) != "complex":
        return matmul(a, b)
    every = (0, 1, 2)
    (a_real, a_imag), (b_real, b_imag) = (
        [placed(part, [(lift(x), every)]) for part in (scalars.real, scalars.imag)] for x in (a, b)
    )
    products = matmul(a_real, b_real), matmul(a_imag, b_imag), matmul(a_real, b_imag), matmul(a_imag, b_real)
    return placed(_joined, [(x, every) for x in products], dtype=a.dtype)


def _joined(a: Scalar, b: Scalar, c: Scalar, d: Scalar, *, dtype: dtypes.DType) -> Any:
    return a.kernel.op("complex.create", [a - b, c + d], dtype)
