"""Parts of an array along one axis: a box of neighbours, or elements picked by indices."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.dims import Size, same
from wax.numpy._basis import basis

__all__ = ["counter", "picked", "piece"]


def piece(x: Any, axis: int, start: Size, size: Size) -> Any:
    """`size` elements of an axis from `start`."""
    offsets: list[Size] = [0] * x.ndim
    sizes: list[Size] = list(x.shape)
    offsets[axis], sizes[axis] = start, size
    return x if same(size, x.shape[axis]) else basis.slice(x, offsets, sizes, [1] * x.ndim)


def counter(size: Size) -> Any:
    """0, 1, 2 … as indices."""
    return basis.iota(0, (size,), dtypes.default_int)


def picked(x: Any, indices: Any, axis: int) -> Any:
    """The elements at non-negative indices along an axis, whose place the dims of the indices take."""
    if isinstance(x.shape[axis], int) and x.shape[axis] == 0:
        return x  # nothing to pick from, and nothing picked
    extra = indices.ndim - 1
    dims = [-1 if d == axis else d if d < axis else d + extra for d in range(x.ndim)]
    return basis.gather(x, [indices], dims, [tuple(range(axis, axis + indices.ndim))])
