"""`wax.window` and its transpose, `wax.fold`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from wax_backend_xla.scalars import write_kernel
from wax_backend_xla.scope import Scope, Written, require
from wax_backend_xla.writer import Value, ints
from wax_runtime.snapshot import Operation, as_ints

__all__ = ["count_windows", "fold", "span_of", "window"]

# Turns up to this many are written one by one, for XLA to fuse.
_UNROLLED = 16


def span_of(size: int, dilation: int) -> int:
    """From the first to the last element of a window."""
    return (size - 1) * dilation + 1


def count_windows(size: int, span: int, stride: int) -> int:
    """How many windows lie in a dim."""
    return max(0, (size - span) // stride + 1)


def window(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A gather along each dim, at known places; its elements' dims are moved to the end."""
    (x,) = scope.operands(operation)
    dims, sizes, strides, dilations = (
        as_ints(operation.attributes[name]) for name in ("dims", "sizes", "strides", "dilations")
    )
    rank = len(x.shape)
    for m, (dim, size, stride, dilation) in enumerate(zip(dims, sizes, strides, dilations, strict=True)):
        span = span_of(size, dilation)
        what = f"dim {dim} of size {x.shape[dim]} has less than {span - stride} elements"
        require(x.shape[dim] >= span - stride, operation, "window_c4", what)
        count = count_windows(x.shape[dim], span, stride)
        x = _windows_along(x, dim, count, size, stride, dilation)
        # The elements stand behind their windows; they go behind all dims so far.
        x = x.transpose([axis for axis in range(rank + m + 1) if axis != dim + 1] + [dim + 1])
    return [x]


def _windows_along(x: Value, dim: int, count: int, size: int, stride: int, dilation: int) -> Value:
    shape = (*x.shape[:dim], count, size, *x.shape[dim + 1 :])
    if 0 in shape:
        return x.writer.splat(0, shape, x.element)
    if count == 1 or size == 1 or (stride == size and dilation == 1):
        # What does not overlap is cut out, and needs no gather.
        step = dilation if count == 1 else stride if size == 1 else 1
        taken = count * size
        limits = [*x.shape]
        limits[dim] = (taken - 1) * step + 1
        steps = [1] * len(limits)
        steps[dim] = step
        return x.slice([0] * len(limits), limits, steps).reshape(shape)
    places = np.arange(count)[:, None] * stride + np.arange(size) * dilation
    offsets = [axis for axis in range(len(shape)) if axis not in (dim, dim + 1)]
    numbers = (
        f"offset_dims = {offsets}, collapsed_slice_dims = [{dim}], start_index_map = [{dim}], index_vector_dim = 2"
    )
    box = [1 if axis == dim else length for axis, length in enumerate(x.shape)]
    return x.writer.op(
        "gather",
        [x, x.writer.constant(places, "i64")],
        shape,
        x.element,
        f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = {ints(box)}, indices_are_sorted = false",
    )


def fold(operation: Operation, scope: Scope) -> Sequence[Written]:
    """One element of all windows a turn, or all elements of one window, whichever takes fewer turns.

    Elements that meet in a position do so in the order of their windows: so elements are taken from the last on.
    """
    source, init, *values = operation.operands
    x, start, writer = scope.value(source), scope.value(init), scope.writer
    dims, strides, dilations = (as_ints(operation.attributes[name]) for name in ("dims", "strides", "dilations"))
    rank = len(x.shape) - len(dims)
    sizes = scope.sizes(operation, operation.attributes["static_sizes"], values)
    counts, extents = [x.shape[dim] for dim in dims], list(x.shape[rank:])
    _check_sizes(operation, sizes, counts, extents)
    shape = list(x.shape[:rank])
    for dim, size in zip(dims, sizes, strict=True):
        shape[dim] = size
    acc = start.broadcast(shape)
    if not x.size or not acc.size:
        return [acc]
    kernel = operation.kernels[0]
    assert kernel is not None

    by_element = prod(extents) <= prod(counts)
    turns, moves, steps = (extents, dilations, strides) if by_element else (counts, strides, dilations)
    # The dims of the operand that a turn takes one element of, in the order of `dims`; the others lie where they go.
    if not by_element:
        order = list(range(len(x.shape)))
        for m, dim in enumerate(dims):
            order[dim], order[rank + m] = rank + m, dim
        x = x.transpose(order)
    spans = [span_of(x.shape[dim], step) for dim, step in zip(dims, steps, strict=True)]
    between = [0] * rank
    for dim, step in zip(dims, steps, strict=True):
        between[dim] = step - 1
    none = [0] * rank
    part = x.shape[:rank]
    chosen = writer.splat(True, part, "i1").pad(writer.splat(False, (), "i1"), none, none, between)
    box = list(part)
    for dim, span in zip(dims, spans, strict=True):
        box[dim] = span

    def turn(number: Value | int, acc: Value) -> Value:
        at: list[Value | int] = [0] * rank
        taken: list[Value | int] = [0] * len(turns)
        rest = number
        for m in reversed(range(len(turns))):
            digit, rest = _digit(rest, turns[m])
            taken[m] = -digit + (turns[m] - 1) if by_element else digit
            at[dims[m]] = taken[m] * moves[m]
        elements = x.at([*[0] * rank, *taken], [*part, *[1] * len(turns)]).reshape(part)
        spread = elements.pad(writer.splat(0, (), x.element), none, none, between)
        old = acc.at(at, box)
        (new,) = write_kernel(writer, kernel, [spread, old], tuple(box))
        return acc.with_box(chosen.select(new, old), at)

    if prod(turns) <= _UNROLLED:
        for number in range(prod(turns)):
            acc = turn(number, acc)
        return [acc]
    return writer.repeat(prod(turns), [acc], lambda number, state: [turn(number, state[0])])


def _digit(number: Value | int, base: int) -> tuple[Value | int, Value | int]:
    """The last digit of a natural number, and what is left."""
    if isinstance(number, Value):
        return number.apply("remainder", base), number / base
    return number % base, number // base


def _check_sizes(operation: Operation, sizes: Sequence[int], counts: Sequence[int], extents: Sequence[int]) -> None:
    dims, strides, dilations = (as_ints(operation.attributes[name]) for name in ("dims", "strides", "dilations"))
    for dim, size, count, extent, stride, dilation in zip(
        dims, sizes, counts, extents, strides, dilations, strict=True
    ):
        span = span_of(extent, dilation)
        require(size >= 0, operation, "fold_c3", f"size {size} of dim {dim} is negative")
        what = f"dim {dim} of size {size} is too small for windows that span {span}"
        require(size >= span - stride, operation, "fold_c5", what)
        fits = count_windows(size, span, stride)
        what = f"dim {dim} has {count} windows, but one of size {size} has {fits}"
        require(fits == count, operation, "fold_c4", what)
