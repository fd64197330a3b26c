"""Long kernels on large arrays, a block of elements at a time.

Each step of a kernel makes an array. On large operands those would go through main memory one after the
other; on a block they stay in cache. Blocks are stretches of the flattened arrays where all have one shape
and lie in order, and boxes along the outer dims otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wax_runtime.reference.scalars import ScalarFunction
from wax_runtime.storage import aligned_empty

__all__ = ["BLOCK_ELEMENTS", "blocked"]

#: Few enough for a handful of float64 temporaries to stay in a second-level cache.
BLOCK_ELEMENTS = 1 << 14


def blocked(function: ScalarFunction, dtype: np.dtype[Any]) -> ScalarFunction:
    """An elementwise function, whose large operands are worked on in blocks."""

    def run(*arrays: Any) -> Any:
        for x in arrays:
            if x.size > BLOCK_ELEMENTS:
                break
        else:
            return function(*arrays)
        result = aligned_empty(np.broadcast_shapes(*[x.shape for x in arrays]), dtype)
        if all(x.size == 1 or (x.shape == result.shape and x.flags.c_contiguous) for x in arrays):
            _fill(result.reshape(-1), function, [x.reshape(-1) for x in arrays])
        else:
            _fill(result, function, arrays)
        return result

    return run


def _fill(out: Any, function: ScalarFunction, arrays: Sequence[Any]) -> None:
    if out.size <= BLOCK_ELEMENTS:
        out[...] = function(*arrays)
        return
    axis = next(axis for axis, size in enumerate(out.shape) if size > 1)
    length = out.shape[axis]
    step = max(1, length * BLOCK_ELEMENTS // out.size)
    for start in range(0, length, step):
        stretch = slice(start, start + step)
        _fill(_part(out, axis, stretch), function, [_part(x, axis + x.ndim - out.ndim, stretch) for x in arrays])


def _part(x: Any, axis: int, stretch: slice) -> Any:
    """A stretch of an axis; all of an array that has no such axis, or one of size 1."""
    if axis < 0 or x.shape[axis] == 1:
        return x
    return x[(slice(None),) * axis + (stretch,)]
