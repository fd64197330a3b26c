"""Operands of functions that normalize: floats, some of them absent, statistics on the dims that they kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wax import dtypes
from wax.numpy._basis import ArrayLike, basis, cast, kernel_of, lift, refuse_dtype, scalars

__all__ = ["affine", "floating", "kept_dims", "placed_some", "wide"]


def floating(name: str, x: ArrayLike) -> Any:
    """An operand as floats: integers go to float32. Raises `PromotionError` for complex numbers."""
    value = lift(x)
    if dtypes.kind(value.dtype) == "complex":
        refuse_dtype(name, value.dtype, "it takes real dtypes")
    return cast(value, dtypes.inexact((value.dtype, False))[0])


def kept_dims(x: Any, axes: Sequence[int]) -> list[int]:
    """The dims that a reduction over `axes` leaves."""
    return [axis for axis in range(x.ndim) if axis not in axes]


def placed_some(
    function: Callable[..., Any], operands: Sequence[tuple[Any, Sequence[int]] | None], **static: Any
) -> Any:
    """`placed`, with `None` for operands that are absent."""
    values = [None if operand is None else operand[0] for operand in operands]
    given = [operand for operand in operands if operand is not None]
    kernel = kernel_of(function, *values, **static)
    return basis.broadcast(kernel, [x for x, _ in given], [tuple(dims) for _, dims in given])


# Scalars.


def wide(x: Any) -> Any:
    """A scalar in float32 if it is half a float."""
    return scalars.cast(x, dtypes.widened(x.dtype))


def affine(x: Any, variance: Any, mean: Any, weight: Any, bias: Any, *, eps: float) -> Any:
    """`(x - mean) / sqrt(variance + eps) * weight + bias`, rounded once; all but the first two may be `None`."""
    value = wide(x)
    value = value if mean is None else value - wide(mean)
    value = value * scalars.rsqrt(wide(variance) + eps)
    value = value if weight is None else value * wide(weight)
    value = value if bias is None else value + wide(bias)
    return scalars.cast(value, x.dtype)
