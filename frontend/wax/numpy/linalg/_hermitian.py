"""Hermitian matrices, of any matrices: of both triangles, or of one."""

from __future__ import annotations

from typing import Any

from wax.numpy._basis import placed, scalars
from wax.numpy._pieces import counter
from wax.numpy.linalg._stacks import adjoint, real_part
from wax.scalars import Scalar

__all__ = ["mirrored", "symmetrized"]


def symmetrized(x: Any) -> Any:
    """The mean of the matrices and their adjoints."""
    return placed(_mean, [(x, (0, 1, 2)), (adjoint(x), (0, 1, 2))])


def _mean(a: Scalar, b: Scalar) -> Any:
    return a * 0.5 + b * 0.5


def mirrored(x: Any, *, lower: bool) -> Any:
    """The matrices with one triangle, the other being its adjoint, and a real diagonal."""
    numbers = counter(x.shape[1])
    operands = [(x, (0, 1, 2)), (adjoint(x), (0, 1, 2)), (numbers, (1,)), (numbers, (2,))]
    return placed(_mirrored, operands, lower=lower)


def _mirrored(x: Scalar, other: Scalar, row: Scalar, column: Scalar, *, lower: bool) -> Any:
    inside = scalars.select(row > column if lower else row < column, x, other)
    if x.kind != "complex":
        return inside
    real = real_part(x)
    return scalars.select(row == column, x.kernel.op("complex.create", [real, real * 0], x.dtype), inside)
