"""The structural operations: they move elements and never compute with them.

Wherever NumPy can answer with a view of the operand it does; values are immutable, so sharing is safe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from wax_runtime.reference.elements import Element
from wax_runtime.reference.plan import Scope, Step, bind
from wax_runtime.reference.plan import constant as known
from wax_runtime.reference.scalars_casts import int_to_float
from wax_runtime.reference.sizes import Frame, equal_sizes, mixed_sizes, violation
from wax_runtime.snapshot import Operation, as_groups, as_ints, as_sizes

__all__ = ["concat", "constant", "iota", "pad", "padded", "permute", "reshape", "reverse", "slice_"]


def constant(operation: Operation, scope: Scope) -> Step:
    """The array itself, which the snapshot holds."""
    (result,) = operation.results
    shape = tuple(size for size in scope.shape(result) if size is not None)
    value = np.asarray(operation.attributes["value"])
    return known(operation, scope, np.broadcast_to(value.astype(scope.element(result).dtype, copy=False), shape))


def permute(operation: Operation, scope: Scope) -> Step:
    """A transposed view."""
    permutation = as_ints(operation.attributes["permutation"])
    return bind(lambda x: x.transpose(permutation), operation.operands, operation.results)


def reshape(operation: Operation, scope: Scope) -> Step:
    """A view of another shape, or a copy where the memory is not in order."""
    (result,), source = operation.results, operation.operands[0]
    shape = scope.shape(result)
    if None not in shape and None not in scope.shape(source):
        return bind(lambda x: x.reshape(shape), operation.operands, operation.results)
    groups = tuple(
        zip(
            as_groups(operation.attributes["source_groups"]),
            as_groups(operation.attributes["result_groups"]),
            strict=True,
        )
    )
    following = iter(operation.operands[1:])
    # For each result dim its size, the value that holds it, or None where it is its operand group's product.
    plan: list[tuple[tuple[int, ...], list[tuple[int | None, int | None]]]] = []
    for source_dims, result_dims in groups:
        open_group = any(scope.shape(source)[dim] is None for dim in source_dims)
        entries: list[tuple[int | None, int | None]] = []
        for dim in result_dims:
            follows = shape[dim] is None and len(result_dims) == 1 and open_group
            value = next(following) if shape[dim] is None and not follows else None
            entries.append((shape[dim], value))
        plan.append((source_dims, entries))

    def step(frame: Frame) -> None:
        x = frame[source]
        sizes: list[int] = []
        for source_dims, entries in plan:
            elements = prod([x.shape[dim] for dim in source_dims])
            group = [
                static if static is not None else elements if value is None else frame[value]
                for static, value in entries
            ]
            if prod(group) != elements or min(group, default=0) < 0:
                raise violation(
                    operation,
                    "reshape_c2",
                    f"{elements} elements of dims {list(source_dims)} do not make dims of sizes {group}",
                )
            sizes += group
        frame[result] = x.reshape(sizes)

    return step


def slice_(operation: Operation, scope: Scope) -> Step:
    """A strided view of a box, moved so that it lies in the operand."""
    (result,), source = operation.results, operation.operands[0]
    _, offset_count, _ = operation.segments
    static_offsets = as_sizes(operation.attributes["static_offsets"])
    static_sizes = as_sizes(operation.attributes["static_sizes"])
    strides = as_ints(operation.attributes["strides"])
    if None not in (*static_offsets, *static_sizes, *scope.shape(source)):
        whole = mixed_sizes(static_offsets, ())([]), mixed_sizes(static_sizes, ())([])
        box = tuple(
            slice(start, start + (size - 1) * stride + 1 if size else start, stride)
            for start, size, stride in zip(*whole, strides, strict=True)
        )
        return bind(lambda x: x[box], (source,), (result,))
    offsets = mixed_sizes(static_offsets, operation.operands[1 : 1 + offset_count])
    sizes = mixed_sizes(static_sizes, operation.operands[1 + offset_count :])
    moves = tuple(offset is None for offset in static_offsets)

    def step(frame: Frame) -> None:
        x = frame[source]
        box = []
        for dim, (offset, size, stride) in enumerate(zip(offsets(frame), sizes(frame), strides, strict=True)):
            span = (size - 1) * stride + 1 if size else 0
            slack = x.shape[dim] - span
            start = max(0, min(offset, slack)) if moves[dim] else offset
            if size < 0 or start > slack:
                raise violation(
                    operation,
                    "slice_c4",
                    f"{size} elements of dim {dim}, from {start} on by {stride}, do not lie in its {x.shape[dim]}",
                )
            box.append(slice(start, start + span, stride))
        frame[result] = x[tuple(box)]

    return step


def pad(operation: Operation, scope: Scope) -> Step:
    """A new array of the value, with the elements that are not cropped set into it."""
    low, high, interior = (as_ints(operation.attributes[name]) for name in ("low", "high", "interior"))

    def refuse(dim: int, size: int, length: int) -> Exception:
        return violation(operation, "pad_c3", f"dim {dim} of size {size} would have size {length} after cropping")

    return bind(lambda x, value: padded(x, value, low, high, interior, refuse), operation.operands, operation.results)


def padded(
    x: Any,
    value: Any,
    low: Sequence[int],
    high: Sequence[int],
    interior: Sequence[int],
    refuse: Callable[[int, int, int], Exception],
) -> Any:
    """`x` with `value` around and between its elements; `refuse` makes the error for a dim cropped too far."""
    shape, into, out_of = [], [], []
    for dim, size in enumerate(x.shape):
        step = interior[dim] + 1
        dilated = (size - 1) * step + 1 if size else 0
        length = low[dim] + dilated + high[dim]
        if length < 0:
            raise refuse(dim, size, length)
        # Element i goes to low + i · step; the first and the last that land in the result:
        first = max(0, -(low[dim] // step))
        last = min(size, (length - 1 - low[dim]) // step + 1) if length else 0
        count = max(0, last - first)
        start = low[dim] + first * step
        shape.append(length)
        out_of.append(slice(first, first + count))
        into.append(slice(start, start + (count - 1) * step + 1, step) if count else slice(0, 0))
    result = np.full(shape, value, x.dtype)
    result[tuple(into)] = x[tuple(out_of)]
    return result


def concat(operation: Operation, scope: Scope) -> Step:
    """One after another, in a new array."""
    dim = operation.attributes["dim"]
    assert isinstance(dim, int)
    inputs, (result,) = operation.operands, operation.results
    checks = [
        equal_sizes(operation, "concat_c3", [(i, other) for i in range(len(inputs))], "the same dim")
        for other in range(len(scope.shape(result)))
        if other != dim and any(scope.shape(v)[other] is None for v in inputs)
    ]

    def step(frame: Frame) -> None:
        for check in checks:
            check(frame)
        frame[result] = np.concatenate([frame[v] for v in inputs], axis=dim)

    return step


def reverse(operation: Operation, scope: Scope) -> Step:
    """A view that goes backwards."""
    dims = as_ints(operation.attributes["dims"])
    return bind(lambda x: np.flip(x, dims), operation.operands, operation.results)


def iota(operation: Operation, scope: Scope) -> Step:
    """One counted dim, seen again and again along the others."""
    dim = operation.attributes["dim"]
    assert isinstance(dim, int)
    (result,) = operation.results
    shape = scope.shape(result)
    count = _counter(scope.element(result))
    if None not in shape:
        return known(operation, scope, _along(count, dim, [size for size in shape if size is not None]))
    read = mixed_sizes(shape, operation.operands)

    def step(frame: Frame) -> None:
        sizes = read(frame)
        if min(sizes) < 0:
            raise violation(operation, "iota_c2", f"sizes {list(sizes)} are not all natural numbers")
        frame[result] = _along(count, dim, sizes)

    return step


def _along(count: Callable[[int], Any], dim: int, sizes: Sequence[int]) -> Any:
    column = count(sizes[dim]).reshape((-1,) + (1,) * (len(sizes) - dim - 1))
    return np.broadcast_to(column, sizes)


def _counter(of: Element) -> Callable[[int], Any]:
    """0, 1, 2 … in an element type; integers wrap."""
    if of.kind == "float":
        convert = int_to_float(of.dtype)
        return lambda size: convert(np.arange(size))
    if of.kind == "bool":
        return lambda size: (np.arange(size) & 1).astype(of.dtype)
    return lambda size: np.arange(size).astype(of.dtype)
