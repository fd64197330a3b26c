"""The spectral operations, by NumPy's own transforms, in the operand's precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from wax_runtime.reference.plan import Scope, Step, bind
from wax_runtime.snapshot import Operation, as_ints

__all__ = ["fft"]


def fft(operation: Operation, scope: Scope) -> Step:
    """A transform that divides by nothing: NumPy's `"backward"` one, or its inverse by the norm `"forward"`."""
    dims = as_ints(operation.attributes["dims"])
    length = operation.attributes.get("length")
    assert length is None or isinstance(length, int)
    inverse = bool(operation.attributes.get("inverse", False))
    (result,), source = operation.results, operation.operands[0]
    shape, dtype = scope.shape(result), scope.element(result).dtype
    if 0 in (*(scope.shape(source)[dim] for dim in dims), length):
        # Of no elements NumPy makes no transform.
        return bind(lambda x: np.zeros(_sizes(x, shape), dtype), (source,), (result,))
    if length is not None:
        sizes = [*(scope.shape(source)[dim] for dim in dims[:-1]), length]
        transform: Any = lambda x: _real(x, sizes, dims, inverse)  # noqa: E731
    elif scope.element(source).kind == "float":
        transform = lambda x: _half(x, dims, inverse)  # noqa: E731
    else:
        transform = lambda x: _complex(x, dims, inverse)  # noqa: E731
    return bind(lambda x: transform(x).astype(dtype, copy=False), (source,), (result,))


def _sizes(x: Any, shape: tuple[int | None, ...]) -> list[int]:
    return [x.shape[dim] if size is None else size for dim, size in enumerate(shape)]


def _complex(x: Any, dims: tuple[int, ...], inverse: bool) -> Any:
    return np.fft.ifftn(x, axes=dims, norm="forward") if inverse else np.fft.fftn(x, axes=dims)


def _half(x: Any, dims: tuple[int, ...], inverse: bool) -> Any:
    half = np.fft.rfftn(x, axes=dims)
    return half.conj() if inverse else half


def _real(x: Any, sizes: Any, dims: tuple[int, ...], inverse: bool) -> Any:
    return np.fft.irfftn(x if inverse else x.conj(), s=sizes, axes=dims, norm="forward")
