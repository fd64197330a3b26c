"""The structural operations, `wax.map` and `wax.broadcast`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from wax_backend_xla.scalars import write_kernel
from wax_backend_xla.scalars_arith import integer_to_float
from wax_backend_xla.scope import Scope, Written, require
from wax_backend_xla.writer import Value
from wax_runtime.snapshot import Operation, as_groups, as_ints

__all__ = [
    "broadcast",
    "broadcast_shape",
    "concat",
    "constant",
    "insert",
    "iota",
    "map_",
    "pad",
    "permute",
    "reshape",
    "reverse",
    "slice_",
]


def map_(operation: Operation, scope: Scope) -> Sequence[Written]:
    """The kernel, on arrays."""
    (kernel,) = operation.kernels
    (x,) = scope.operands(operation)
    assert kernel is not None
    return write_kernel(scope.writer, kernel, [x], x.shape)


def broadcast_shape(operation: Operation, scope: Scope) -> tuple[int, ...]:
    """The result's shape: from its operands, and from `sizes` where no operand has a dim."""
    dims = as_groups(operation.attributes["dims"])
    sizes = scope.sizes(operation, operation.attributes["static_sizes"], operation.operands[len(dims) :])
    require(min(sizes, default=0) >= 0, operation, "broadcast_c4", f"sizes {sizes} are not all natural numbers")
    shape: dict[int, int] = {}
    for operand, places in zip(operation.operands, dims, strict=False):
        for dim, size in zip(places, scope.shape(operand), strict=True):
            agrees = shape.setdefault(dim, size) == size
            require(agrees, operation, "broadcast_c3", f"result dim {dim} has sizes {shape[dim]} and {size}")
    free = iter(sizes)
    rank = len(shape) + len(sizes)
    return tuple(shape[dim] if dim in shape else next(free) for dim in range(rank))


def broadcast(operation: Operation, scope: Scope) -> Sequence[Written]:
    """The kernel, on operands broadcast to the result's shape."""
    (kernel,) = operation.kernels
    assert kernel is not None
    shape = broadcast_shape(operation, scope)
    dims = as_groups(operation.attributes["dims"])
    inputs = [scope.value(v).broadcast(shape, places) for v, places in zip(operation.operands, dims, strict=False)]
    return write_kernel(scope.writer, kernel, inputs, shape)


def constant(operation: Operation, scope: Scope) -> Sequence[Written]:
    """The array that the snapshot holds."""
    (result,) = operation.results
    shape = tuple(size for size in scope.function.types[result].shape if size is not None)
    value = np.asarray(operation.attributes["value"])
    return [scope.writer.constant(np.broadcast_to(value, shape), scope.element(result))]


def iota(operation: Operation, scope: Scope) -> Sequence[Written]:
    """Counts in 64 bits, converted: integers wrap."""
    dim = operation.attributes["dim"]
    assert isinstance(dim, int)
    (result,) = operation.results
    sizes = scope.sizes(operation, scope.function.types[result].shape, operation.operands)
    require(min(sizes) >= 0, operation, "iota_c2", f"sizes {sizes} are not all natural numbers")
    element = scope.element(result)
    count = scope.writer.iota(dim, tuple(sizes), "i64")
    return [(count & 1).compare("NE", 0) if element == "i1" else integer_to_float(count, element)]


def permute(operation: Operation, scope: Scope) -> Sequence[Written]:
    """Dims in another order."""
    (x,) = scope.operands(operation)
    return [x.transpose(as_ints(operation.attributes["permutation"]))]


def reshape(operation: Operation, scope: Scope) -> Sequence[Written]:
    """Sizes group by group; a dynamic dim alone in its group has its group's product."""
    source, *following = operation.operands
    x, (result,) = scope.value(source), operation.results
    static, source_static = scope.function.types[result].shape, scope.function.types[source].shape
    sizes: list[int] = []
    values = iter(following)
    for source_dims, result_dims in zip(
        as_groups(operation.attributes["source_groups"]), as_groups(operation.attributes["result_groups"]), strict=True
    ):
        elements = prod(x.shape[dim] for dim in source_dims)
        is_open = any(source_static[dim] is None for dim in source_dims)
        group: list[int] = []
        for dim in result_dims:
            size = static[dim]
            if size is None:
                follows = len(result_dims) == 1 and is_open
                size = elements if follows else scope.known(operation, next(values))
            group.append(size)
        fits = prod(group) == elements and min(group, default=0) >= 0
        what = f"{elements} elements of dims {list(source_dims)} do not make dims of sizes {group}"
        require(fits, operation, "reshape_c2", what)
        sizes += group
    return [x.reshape(sizes)]


def _box(
    operation: Operation, label: str, x: Value, offsets: Sequence[Written], spans: Sequence[int]
) -> list[int] | None:
    """The known offsets of a box that lies inside; `None` where data decides. A moving offset is clamped."""
    for dim, (offset, span, size) in enumerate(zip(offsets, spans, x.shape, strict=True)):
        start = 0 if isinstance(offset, Value) else offset
        what = f"{span} elements of dim {dim}, from {start} on, do not lie in its {size}"
        require(span >= 0 and start + span <= size, operation, label, what)
    known = [offset for offset in offsets if not isinstance(offset, Value)]
    return known if len(known) == len(offsets) else None


def _clamped(static: object, offsets: list[Written], spans: Sequence[int], shape: Sequence[int]) -> None:
    """Moves those known offsets into the operand that were operands of the operation: they are clamped too."""
    assert isinstance(static, tuple)
    for dim, entry in enumerate(static):
        offset = offsets[dim]
        if entry is None and not isinstance(offset, Value):
            offsets[dim] = max(0, min(offset, shape[dim] - spans[dim]))


def _span(size: int, stride: int) -> int:
    return (size - 1) * stride + 1 if size else 0


def slice_(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A box, strided; one that moves with data is cut out whole first."""
    _, count, _ = operation.segments
    x = scope.value(operation.operands[0])
    static, strides = operation.attributes["static_offsets"], as_ints(operation.attributes["strides"])
    offsets = scope.mixed(static, operation.operands[1 : 1 + count])
    sizes = scope.sizes(operation, operation.attributes["static_sizes"], operation.operands[1 + count :])
    spans = [_span(size, stride) if size >= 0 else -1 for size, stride in zip(sizes, strides, strict=True)]
    _clamped(static, offsets, spans, x.shape)
    starts = _box(operation, "slice_c4", x, offsets, spans)
    if starts is None:
        x, starts = x.at(offsets, spans), [0] * len(spans)
    return [x.slice(starts, [start + span for start, span in zip(starts, spans, strict=True)], strides)]


def insert(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A copy with a box set; of a strided box, what lies between is kept."""
    update, source, *values = operation.operands
    box, x = scope.value(update), scope.value(source)
    static, strides = operation.attributes["static_offsets"], as_ints(operation.attributes["strides"])
    offsets = scope.mixed(static, values)
    spans = [_span(size, stride) for size, stride in zip(box.shape, strides, strict=True)]
    _clamped(static, offsets, spans, x.shape)
    _box(operation, "insert_c4", x, offsets, spans)
    if 0 in box.shape:
        return [x]
    if any(stride > 1 for stride in strides):
        between, none = [stride - 1 for stride in strides], [0] * len(strides)
        writer = scope.writer
        chosen = writer.splat(True, box.shape, "i1").pad(writer.splat(False, (), "i1"), none, none, between)
        spread = box.pad(writer.splat(0, (), box.element), none, none, between)
        box = chosen.select(spread, x.at(offsets, spans))
    return [x.with_box(box, offsets) if x.shape else box]


def pad(operation: Operation, scope: Scope) -> Sequence[Written]:
    """As StableHLO pads, but for sizes below 0."""
    x, value = scope.operands(operation)
    low, high, interior = (as_ints(operation.attributes[name]) for name in ("low", "high", "interior"))
    for dim, size in enumerate(x.shape):
        length = low[dim] + _span(size, interior[dim] + 1) + high[dim]
        what = f"dim {dim} of size {size} would have size {length} after cropping"
        require(length >= 0, operation, "pad_c3", what)
    return [x.pad(value, low, high, interior)]


def concat(operation: Operation, scope: Scope) -> Sequence[Written]:
    """One after another."""
    dim = operation.attributes["dim"]
    assert isinstance(dim, int)
    inputs = scope.operands(operation)
    shapes = {(*x.shape[:dim], *x.shape[dim + 1 :]) for x in inputs}
    require(len(shapes) == 1, operation, "concat_c3", f"sizes {[x.shape for x in inputs]} differ beside dim {dim}")
    return [scope.writer.concatenate(inputs, dim)]


def reverse(operation: Operation, scope: Scope) -> Sequence[Written]:
    """Turned around."""
    (x,) = scope.operands(operation)
    return [x.reverse(as_ints(operation.attributes["dims"]))]
