"""A derivative function in two halves: what runs at once, and what waits for tangents or cotangents.

The first half gives the results and what the second will need of it, the residuals: arrays that outlive the call
outside of any trace, values of the trace inside.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from wax import _native, primitives
from wax._tracing import TracedFunction
from wax.tracer import Tracer
from wax.transform._primal import Primal, Spec, derivative_leaves, run
from wax_runtime import dtypes

__all__ = ["SecondHalf", "run_first"]


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class SecondHalf:
    """What remains of a derivative function; its first `skipped` results are those of the first half again."""

    function: TracedFunction
    skipped: int = 0

    def run(self, residuals: Sequence[Any], given: Sequence[Any], likes: Sequence[Spec]) -> Iterator[Any]:
        """The derivatives that it gives for those in `given`, leaves like `likes` of which some may be `None`."""

        def body(tracers: Sequence[Any]) -> list[Any]:
            kept, rest = tracers[: len(residuals)], iter(tracers[len(residuals) :])
            filled = [None if leaf is None else next(rest) for leaf in given]
            made = primitives.call(self.function, [*kept, *derivative_leaves(filled, likes)])
            return list(made[self.skipped :])

        return iter(run(body, [*residuals, *(leaf for leaf in given if leaf is not None)]))


def run_first(primal: Primal, derived: TracedFunction) -> tuple[list[Tracer], list[Tracer], SecondHalf]:
    """The results of a function that is differentiated, the residuals, and what waits for them.

    A function of symbolic sizes is not split: its residuals are its operands.
    """
    total = len(primal.traced.results)
    shapes = [x.shape for x in primal.operands] + [shape for shape, _ in derived.results[:total]]
    if not all(isinstance(size, int) for shape in shapes for size in shape):
        return list(primal.call()), list(primal.operands), SecondHalf(derived, total)
    first, second, places = _native.split(derived.function, len(primal.operands), total)
    picture = first.snapshot()
    kept = tuple(_result(picture.types[value]) for value in picture.results[total:])
    values, rest = derived.results[:total], derived.results[total:]
    made = primitives.call(dataclasses.replace(derived, function=first, results=(*values, *kept)), primal.operands)
    everything = (*primal.operands, *made)
    residuals = [everything[i] for i in places]
    return list(made[:total]), residuals, SecondHalf(dataclasses.replace(derived, function=second, results=rest))


def _result(kind: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return tuple(kind.shape), dtypes.BY_MLIR[kind.element].numpy  # residuals, whose sign nobody reads
