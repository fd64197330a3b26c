"""A derivative function in two: what runs at once, and what waits for tangents or cotangents.

The first part gives the results and what the second will need of it, the residuals: arrays that outlive the call
outside of any trace, values of the trace inside.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from wax import _native, dtypes, primitives
from wax._tracing import TracedFunction
from wax.tracer import Tracer

__all__ = ["Parts", "split"]

_DTYPES = {
    dtypes.mlir_type(np.dtype(dtype)): np.dtype(dtype)
    for dtype in (dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
} | {
    dtypes.mlir_type(np.dtype(dtype)): np.dtype(dtype)
    for dtype in (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128)
}


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """The two functions, and where the second's residuals are: among the operands, or after them, the results."""

    first: TracedFunction
    second: TracedFunction
    residuals: tuple[int, ...]
    result_count: int

    def run_first(self, operands: Sequence[Tracer]) -> tuple[tuple[Tracer, ...], list[Tracer]]:
        """The results and the residuals."""
        made = primitives.call(self.first, operands)
        everything = (*operands, *made)
        return made[: self.result_count], [everything[i] for i in self.residuals]


def split(derived: TracedFunction, argument_count: int, result_count: int) -> Parts:
    """Splits a derivative function after its primal operands and results, of static shapes."""
    first, second, residuals = _native.split(derived.function, argument_count, result_count)
    picture = first.snapshot()
    kept = tuple(_result(picture.types[value]) for value in picture.results[result_count:])
    return Parts(
        dataclasses.replace(derived, function=first, results=(*derived.results[:result_count], *kept)),
        dataclasses.replace(derived, function=second, results=derived.results[result_count:]),
        residuals,
        result_count,
    )


def _result(kind: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return tuple(kind.shape), _DTYPES[kind.element]
