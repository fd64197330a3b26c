"""`wax.window` and its transpose, `wax.fold`.

Windows are a view of the operand. They are folded back in turns: one element of all windows a turn, or all
elements of one window, whichever takes fewer turns. Elements that meet in a position do so in the order of their
windows, as the operation says: the last element of an earlier window before the first of a later one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from wax_runtime.reference.kernels import functions_of
from wax_runtime.reference.plan import Scope, Step
from wax_runtime.reference.sizes import Frame, mixed_sizes, violation
from wax_runtime.snapshot import Operation, as_ints, as_sizes

__all__ = ["count_windows", "fold", "window", "windows_of"]


def span_of(size: int, dilation: int) -> int:
    """From the first to the last element of a window."""
    return (size - 1) * dilation + 1


def count_windows(size: int, span: int, stride: int) -> int:
    """How many windows lie in a dim."""
    return max(0, (size - span) // stride + 1)


def windows_of(
    x: Any, dims: Sequence[int], sizes: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Any:
    """A view of the windows along `dims`, their elements in dims at the end."""
    shape, steps = list(x.shape), list(x.strides)
    for dim, size, stride, dilation in zip(dims, sizes, strides, dilations, strict=True):
        shape[dim] = count_windows(x.shape[dim], span_of(size, dilation), stride)
        steps[dim] = x.strides[dim] * stride
        shape.append(size)
        steps.append(x.strides[dim] * dilation)
    # Steps along dims of one element, which are never taken, would multiply until no integer holds them.
    steps = [step if size > 1 else 0 for step, size in zip(steps, shape, strict=True)]
    return np.lib.stride_tricks.as_strided(x, shape, steps, writeable=False)


def window(operation: Operation, scope: Scope) -> Step:
    """The view of `windows_of`."""
    (source,), (result,) = operation.operands, operation.results
    dims, sizes, strides, dilations = (
        as_ints(operation.attributes[name]) for name in ("dims", "sizes", "strides", "dilations")
    )
    checks = [
        _room(operation, "window_c4", dim, span_of(size, dilation) - stride)
        for dim, size, stride, dilation in zip(dims, sizes, strides, dilations, strict=True)
        if scope.shape(source)[dim] is None
    ]

    def step(frame: Frame) -> None:
        x = frame[source]
        for check in checks:
            check(x.shape)
        frame[result] = windows_of(x, dims, sizes, strides, dilations)

    return step


def _room(operation: Operation, label: str, dim: int, least: int) -> Callable[[Sequence[int]], None]:
    def check(shape: Sequence[int]) -> None:
        if shape[dim] < least:
            raise violation(operation, label, f"dim {dim} of size {shape[dim]} has less than {least} elements")

    return check


def fold(operation: Operation, scope: Scope) -> Step:
    """The fold of each position in turn, for all positions that have such an element at once."""
    source, init, *values = operation.operands
    (result,) = operation.results
    dims, strides, dilations = (as_ints(operation.attributes[name]) for name in ("dims", "strides", "dilations"))
    rank, dtype = len(scope.shape(result)), scope.element(result).dtype
    static_sizes = as_sizes(operation.attributes["static_sizes"])
    is_static = None not in (*scope.shape(source), *static_sizes)
    sizes_of = mixed_sizes(static_sizes, values)
    is_open = [None in pair for pair in zip(static_sizes, scope.shape(source)[rank:], strict=True)]
    kernel, _ = operation.kernels
    assert kernel is not None
    run = functions_of(kernel.results, len(kernel.arguments))

    def step(frame: Frame) -> None:
        x, sizes = frame[source], sizes_of(frame)
        counts, extents = [x.shape[dim] for dim in dims], x.shape[rank:]
        if not is_static:
            _check_sizes(operation, sizes, counts, extents, is_open)
        shape = list(x.shape[:rank])
        for dim, size in zip(dims, sizes, strict=True):
            shape[dim] = size
        acc = np.full(shape, frame[init], dtype)
        if x.size:
            if prod(extents) <= prod(counts):
                turns, moves = product(*[range(n)[::-1] for n in extents]), dilations
                every = [slice(0, (n - 1) * step + 1, step) for n, step in zip(counts, strides, strict=True)]
            else:
                turns, moves = product(*map(range, counts)), strides
                every = [slice(0, (n - 1) * step + 1, step) for n, step in zip(extents, dilations, strict=True)]
                for m, dim in enumerate(dims):
                    x = x.swapaxes(dim, rank + m)
            for elements, places in _turns(dims, rank, turns, moves, every):
                (acc[places],) = run(x[elements], acc[places])
        frame[result] = acc

    return step


def _check_sizes(
    operation: Operation, sizes: Sequence[int], counts: Sequence[int], extents: Sequence[int], is_open: Sequence[bool]
) -> None:
    strides, dilations = (as_ints(operation.attributes[name]) for name in ("strides", "dilations"))
    for dim, size, count, extent, stride, dilation, may_fail in zip(
        as_ints(operation.attributes["dims"]), sizes, counts, extents, strides, dilations, is_open, strict=True
    ):
        span = span_of(extent, dilation)
        if size < 0:
            raise violation(operation, "fold_c3", f"size {size} of dim {dim} is negative")
        if may_fail and size < span - stride:
            raise violation(operation, "fold_c5", f"dim {dim} of size {size} is too small for windows that span {span}")
        if count_windows(size, span, stride) != count:
            raise violation(
                operation,
                "fold_c4",
                f"dim {dim} has {count} windows, but one of size {size} has {count_windows(size, span, stride)}",
            )


def _turns(
    dims: Sequence[int], rank: int, turns: Iterable[Sequence[int]], moves: Sequence[int], every: Sequence[slice]
) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
    """For each turn, which elements go to which places: `every` of a dim, moved by the turn times `moves`."""
    for turn in turns:
        places: list[Any] = [slice(None)] * rank
        for dim, i, move, span in zip(dims, turn, moves, every, strict=True):
            places[dim] = slice(span.start + i * move, span.stop + i * move, span.step)
        yield (..., *turn), tuple(places)
