"""`wax.convolve`: products of a kernel with the windows it meets, summed.

The operands are brought into one order of dims, groups in front. Then it goes in turns, each a matrix product:
one element of the kernel with all positions a turn, or the whole kernel with one position, whichever takes fewer
turns. So no more is held at a time than a copy of what the kernel sees.

Half floats are multiplied and added in float32 and rounded once, at the end; integers go by way of float64,
which has a fast matrix product, where no sum can lose a bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from wax_runtime.reference.elements import Element
from wax_runtime.reference.plan import Scope, Step
from wax_runtime.reference.sizes import Frame, violation
from wax_runtime.reference.structural import padded
from wax_runtime.reference.windows import count_windows, span_of
from wax_runtime.snapshot import Operation, as_ints

__all__ = ["convolve"]

# Integers up to this many bits are exact in float64.
_EXACT_BITS = 53

_DIMS = ("lhs_dims", "rhs_dims", "result_dims")


@dataclass(frozen=True, slots=True)
class _Geometry:
    """The attributes of an operation; dims are listed as batch or in, feature or out, spatial."""

    lhs: tuple[int, ...]
    rhs: tuple[int, ...]
    result: tuple[int, ...]
    strides: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    lhs_dilations: tuple[int, ...]
    rhs_dilations: tuple[int, ...]
    feature_groups: int
    batch_groups: int

    @classmethod
    def of(cls, operation: Operation) -> _Geometry:
        attributes = operation.attributes
        lists = ("strides", "low", "high", "lhs_dilations", "rhs_dilations")
        groups = [attributes[name] for name in ("feature_groups", "batch_groups")]
        assert all(isinstance(count, int) for count in groups)
        return cls(*(as_ints(attributes[name]) for name in (*_DIMS, *lists)), *groups)  # pyright: ignore[reportArgumentType]

    @property
    def groups(self) -> int:
        return self.feature_groups * self.batch_groups


def convolve(operation: Operation, scope: Scope) -> Step:
    """Pads, orders the dims, and multiplies in turns."""
    (lhs, rhs), (result,) = operation.operands, operation.results
    geometry, of, given = _Geometry.of(operation), scope.element(result), scope.element(lhs)
    is_static = None not in (*scope.shape(lhs), *scope.shape(rhs))
    # The spatial dims that are dynamic in an operand, and in either.
    open_lhs = [scope.shape(lhs)[dim] is None for dim in geometry.lhs[2:]]
    is_open = [a or scope.shape(rhs)[dim] is None for a, dim in zip(open_lhs, geometry.rhs[2:], strict=True)]
    back = np.argsort(geometry.result)

    def refuse(dim: int, size: int, length: int) -> Exception:
        return violation(operation, "convolve_c7", f"dim {dim} of size {size} would have size {length} after cropping")

    def step(frame: Frame) -> None:
        x, w = frame[lhs], frame[rhs]
        if not is_static:
            _check_groups(operation, geometry, x.shape, w.shape)
            _check_dilated(operation, geometry, x.shape, open_lhs)
        x, w = x.transpose(geometry.lhs), w.transpose(geometry.rhs)
        if any(geometry.low) or any(geometry.high) or any(d > 1 for d in geometry.lhs_dilations):
            interior = [d - 1 for d in geometry.lhs_dilations]
            around = ((0, 0, *geometry.low), (0, 0, *geometry.high), (0, 0, *interior))
            x = padded(x, x.dtype.type(0), *around, refuse)
        if not is_static:
            _check_room(operation, geometry, x.shape[2:], w.shape[2:], is_open)
        dtype = _type_of_sums(given, of, prod(w.shape) // max(1, w.shape[1]))
        sums = _convolve(x, w, geometry, dtype)
        frame[result] = _rounded(sums, of).transpose(back)

    return step


def _type_of_sums(given: Element, of: Element, terms: int) -> np.dtype[Any]:
    if of.kind == "float" and of.bits < 32:
        return np.dtype(np.float32)
    if of.kind == "int" and 2 * given.bits + terms.bit_length() <= _EXACT_BITS:
        return np.dtype(np.float64)
    return of.dtype


def _rounded(sums: Any, of: Element) -> Any:
    if sums.dtype == of.dtype:
        return sums
    return (sums.astype(np.int64) if of.kind == "int" else sums).astype(of.dtype)


def _convolve(x: Any, w: Any, geometry: _Geometry, dtype: np.dtype[Any]) -> Any:
    """The sums, with dims batch, out, spatial, of operands in that order, already padded."""
    groups, spatial = geometry.groups, len(geometry.strides)
    places = tuple(range(3, 3 + spatial))
    batch, ins, outs = x.shape[0] // geometry.batch_groups, w.shape[0], w.shape[1] // groups
    # Group, in, batch, spatial.
    if geometry.batch_groups > 1:
        x = x.reshape((groups, batch, ins, *x.shape[2:])).transpose((0, 2, 1, *places))
    else:
        x = x.reshape((batch, groups, ins, *x.shape[2:])).transpose((1, 2, 0, *places))
    # Group, out, in, spatial.
    w = w.reshape((ins, groups, outs, *w.shape[2:])).transpose((1, 2, 0, *places)).astype(dtype)
    extents = w.shape[3:]
    counts = tuple(
        count_windows(size, span_of(extent, dilation), stride)
        for size, extent, dilation, stride in zip(
            x.shape[3:], extents, geometry.rhs_dilations, geometry.strides, strict=True
        )
    )
    sums = np.zeros((groups, outs, batch, *counts), dtype)
    if not sums.size or not w.size:
        return sums.transpose((2, 0, 1, *places)).reshape((batch, groups * outs, *counts))
    if prod(extents) <= prod(counts):
        for turn in product(*map(range, extents)):
            seen = x[(..., *_every(turn, geometry.rhs_dilations, counts, geometry.strides))]
            _add_products(sums, w[(..., *turn)], seen)
    else:
        kernel = w.reshape((groups, outs, ins * prod(extents)))
        for turn in product(*map(range, counts)):
            seen = x[(..., *_every(turn, geometry.strides, extents, geometry.rhs_dilations))]
            seen = seen.transpose((0, 1, *places, 2)).reshape((groups, ins * prod(extents), batch))
            sums[(..., *turn)] += np.matmul(kernel, seen.astype(dtype))
    return sums.transpose((2, 0, 1, *places)).reshape((batch, groups * outs, *counts))


def _add_products(sums: Any, weights: Any, seen: Any) -> None:
    """Adds what one element of the kernel, (group, out, in), makes of what it sees, (group, in, batch, spatial)."""
    groups, ins = seen.shape[:2]
    flat = seen.reshape((groups, ins, prod(seen.shape[2:]))).astype(sums.dtype)
    made = weights * flat if ins == 1 else np.matmul(weights, flat)
    sums += made.reshape(sums.shape)


def _every(turn: Sequence[int], moves: Sequence[int], counts: Sequence[int], steps: Sequence[int]) -> list[slice]:
    return [
        slice(i * move, i * move + (count - 1) * step + 1, step) if count else slice(0, 0)
        for i, move, count, step in zip(turn, moves, counts, steps, strict=True)
    ]


# What types leave open.


def _check_groups(operation: Operation, geometry: _Geometry, lhs: Sequence[int], rhs: Sequence[int]) -> None:
    (batch, features, *_), (ins, outs, *_) = geometry.lhs, geometry.rhs
    if lhs[features] != rhs[ins] * geometry.feature_groups:
        raise violation(
            operation,
            "convolve_c5",
            f"lhs has {lhs[features]} features, but rhs has {rhs[ins]} ins for each of {geometry.feature_groups} "
            f"groups",
        )
    for size, count in ((rhs[outs], geometry.groups), (lhs[batch], geometry.batch_groups)):
        if size % count:
            raise violation(operation, "convolve_c6", f"{size} is not a multiple of {count} groups")


def _check_dilated(operation: Operation, geometry: _Geometry, lhs: Sequence[int], is_open: Sequence[bool]) -> None:
    for dim, dilation, may_fail in zip(geometry.lhs[2:], geometry.lhs_dilations, is_open, strict=True):
        if may_fail and dilation > 1 and lhs[dim] == 0:
            raise violation(operation, "convolve_c8", f"dim {dim} has no element")


def _check_room(
    operation: Operation, geometry: _Geometry, sizes: Sequence[int], extents: Sequence[int], is_open: Sequence[bool]
) -> None:
    for dim, size, extent, dilation, stride, may_fail in zip(
        geometry.lhs[2:], sizes, extents, geometry.rhs_dilations, geometry.strides, is_open, strict=True
    ):
        if may_fail and size < span_of(extent, dilation) - stride:
            raise violation(
                operation,
                "convolve_c8",
                f"dim {dim} has {size} elements, too few for windows that span {span_of(extent, dilation)}",
            )
