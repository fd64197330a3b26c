"""The basis operations on tracers: one function an operation, one builder call a function.

Each takes tracers of the current trace and sizes that are ints or symbolic, adds the user's source line, and
proves the size constraints that the dialect could not decide from types alone. What an operation means, and
its shape rule, is in the dialect; nothing here repeats it. `wax.numpy` is written with these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from wax import _native, dtypes
from wax._trace import Index, Trace, current
from wax._tracing import TracedFunction
from wax.dims import Size, format_shape, known_at_most, same
from wax.errors import ShapeError
from wax.scalars import KernelSpec, cast_kernel
from wax.tracer import Tracer

__all__ = [
    "broadcast",
    "call",
    "concat",
    "constant",
    "convolve",
    "dimension_value",
    "fft",
    "fold",
    "for_",
    "gather",
    "if_",
    "index_of",
    "index_value",
    "insert",
    "iota",
    "map",
    "pad",
    "permute",
    "reduce",
    "reshape",
    "reverse",
    "scan",
    "scatter",
    "slice",
    "sort",
    "strengthen",
    "while_",
    "window",
]

_R = TypeVar("_R")

#: How often a transform handles each element along an axis, as work is counted: some passes of products and sums.
FFT_PASSES = 16


def map(kernel: KernelSpec, x: Tracer) -> Tracer:
    """`wax.map`: the kernel on every element."""
    trace = current()
    result = _ask(trace, "map", (x,), lambda: trace.builder.map(x.value, kernel.kernel, trace.location()))
    trace.count(x.shape, 2)
    return _typed(trace, result, kernel.dtypes[0], kernel.weaks[0])


def broadcast(
    kernel: KernelSpec, operands: Sequence[Tracer], dims: Sequence[Sequence[int]], sizes: Sequence[Size] = ()
) -> Tracer:
    """`wax.broadcast`: operand `i`'s dims are the result dims `dims[i]`; `sizes` are those of the free dims."""
    trace = current()
    free = [trace.size_operand(size) for size in sizes]
    values = [x.value for x in operands]
    result, constraints = _ask(
        trace,
        "broadcast",
        operands,
        lambda: trace.builder.broadcast(values, dims, free, kernel.kernel, trace.location()),
    )
    _prove(trace, "broadcast", operands, constraints)
    made = _typed(trace, result, kernel.dtypes[0], kernel.weaks[0])
    trace.count(made.shape, 2)
    return made


def reduce(
    fold: KernelSpec,
    combine: KernelSpec | None,
    operands: Sequence[Tracer],
    inits: Sequence[Tracer],
    axes: Sequence[int],
) -> tuple[Tracer, ...]:
    """`wax.reduce`: folds `axes` (increasing) away; one result an accumulator."""
    trace = current()
    values, starts = [x.value for x in operands], [x.value for x in inits]
    joined = None if combine is None else combine.kernel
    results, constraints = _ask(
        trace,
        "reduce",
        operands,
        lambda: trace.builder.reduce(values, starts, axes, fold.kernel, joined, trace.location()),
    )
    _prove(trace, "reduce", operands, constraints)
    trace.count(operands[0].shape, 1)
    return tuple(_typed(trace, r, dtype, False) for r, dtype in zip(results, fold.dtypes, strict=True))


def scan(
    fold: KernelSpec,
    combine: KernelSpec | None,
    operands: Sequence[Tracer],
    inits: Sequence[Tracer],
    axis: int,
    *,
    exclusive: bool = False,
    reverse: bool = False,
) -> tuple[Tracer, ...]:
    """`wax.scan`: all prefixes of a fold along `axis`; one result an accumulator."""
    trace = current()
    values, starts = [x.value for x in operands], [x.value for x in inits]
    joined = None if combine is None else combine.kernel
    results, constraints = _ask(
        trace,
        "scan",
        operands,
        lambda: trace.builder.scan(values, starts, axis, exclusive, reverse, fold.kernel, joined, trace.location()),
    )
    _prove(trace, "scan", operands, constraints)
    trace.count(operands[0].shape, 2)
    return tuple(_typed(trace, r, dtype, False) for r, dtype in zip(results, fold.dtypes, strict=True))


def sort(comparator: KernelSpec, operands: Sequence[Tracer], axis: int) -> tuple[Tracer, ...]:
    """`wax.sort`: the operands in the comparator's order along `axis`, stable."""
    trace = current()
    values = [x.value for x in operands]
    results, constraints = _ask(
        trace, "sort", operands, lambda: trace.builder.sort(values, axis, comparator.kernel, trace.location())
    )
    _prove(trace, "sort", operands, constraints)
    trace.count(operands[0].shape, 16)
    return tuple(_typed(trace, r, x.dtype, False) for r, x in zip(results, operands, strict=True))


def permute(x: Tracer, permutation: Sequence[int]) -> Tracer:
    """`wax.permute`: result dim `k` is `x`'s dim `permutation[k]`."""
    trace = current()
    result = _ask(trace, "permute", (x,), lambda: trace.builder.permute(x.value, permutation, trace.location()))
    return _moved(trace, result, x.dtype, x.weak)


def reshape(
    x: Tracer,
    source_groups: Sequence[Sequence[int]],
    result_groups: Sequence[Sequence[int]],
    shape: Sequence[Size],
) -> Tracer:
    """`wax.reshape`: each group of dims merges and splits into the group across from it."""
    trace = current()
    sizes: list[Any] = [None] * len(shape)
    for source, result_dims in zip(source_groups, result_groups, strict=True):
        follows = len(result_dims) == 1 and any(not isinstance(x.shape[d], int) for d in source)
        for dim in result_dims:
            size = shape[dim]
            if isinstance(size, int):
                sizes[dim] = size
            elif not follows:
                sizes[dim] = trace.size_operand(size)
    result, constraints = _ask(
        trace,
        "reshape",
        (x,),
        lambda: trace.builder.reshape(x.value, source_groups, result_groups, sizes, trace.location()),
    )
    _prove(trace, "reshape", (x,), constraints)
    return _typed(trace, result, x.dtype, x.weak)


def slice(x: Tracer, offsets: Sequence[Size | Index], sizes: Sequence[Size], strides: Sequence[int]) -> Tracer:
    """`wax.slice`: a strided box; symbolic offsets are clamped so that it lies in `x`."""
    trace = current()
    starts, extents = [[trace.size_operand(s) for s in group] for group in (offsets, sizes)]
    result, constraints = _ask(
        trace, "slice", (x,), lambda: trace.builder.slice(x.value, starts, extents, strides, trace.location())
    )
    _prove(trace, "slice", (x,), constraints)
    return _typed(trace, result, x.dtype, x.weak)


def pad(x: Tracer, value: Tracer, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Tracer:
    """`wax.pad`: `value` around and between the elements; negative amounts crop."""
    trace = current()
    result, constraints = _ask(
        trace,
        "pad",
        (x, value),
        lambda: trace.builder.pad(x.value, value.value, low, high, interior, trace.location()),
    )
    _prove(trace, "pad", (x,), constraints)
    return _moved(trace, result, x.dtype, x.weak)


def concat(operands: Sequence[Tracer], axis: int) -> Tracer:
    """`wax.concat`: one after another along `axis`."""
    trace = current()
    values = [x.value for x in operands]
    result, constraints = _ask(trace, "concat", operands, lambda: trace.builder.concat(values, axis, trace.location()))
    _prove(trace, "concat", operands, constraints)
    return _moved(trace, result, operands[0].dtype, False)


def gather(
    x: Tracer, indices: Sequence[Tracer], operand_dims: Sequence[int], index_dims: Sequence[Sequence[int]]
) -> Tracer:
    """`wax.gather`: dim `d` of `x` is result dim `operand_dims[d]`, or read at the next index where that is −1."""
    trace = current()
    values = [i.value for i in indices]
    result, constraints = _ask(
        trace,
        "gather",
        (x, *indices),
        lambda: trace.builder.gather(x.value, values, operand_dims, index_dims, trace.location()),
    )
    _prove(trace, "gather", (x, *indices), constraints)
    return _moved(trace, result, x.dtype, x.weak)


def window(
    x: Tracer, axes: Sequence[int], sizes: Sequence[int], strides: Sequence[int], dilations: Sequence[int]
) -> Tracer:
    """`wax.window`: the windows along `axes` (increasing), their elements in new dims at the end."""
    trace = current()
    result, constraints = _ask(
        trace,
        "window",
        (x,),
        lambda: trace.builder.window(x.value, axes, sizes, strides, dilations, trace.location()),
    )
    _prove(trace, "window", (x,), constraints)
    return _typed(trace, result, x.dtype, x.weak)


def fold(
    fold: KernelSpec,
    combine: KernelSpec | None,
    x: Tracer,
    init: Tracer,
    axes: Sequence[int],
    sizes: Sequence[Size],
    strides: Sequence[int],
    dilations: Sequence[int],
) -> Tracer:
    """`wax.fold`: windows put back along `axes` of these sizes, where they overlap folded from `init`."""
    trace = current()
    extents = [trace.size_operand(size) for size in sizes]
    joined = None if combine is None else combine.kernel
    result, constraints = _ask(
        trace,
        "fold",
        (x,),
        lambda: trace.builder.fold(
            x.value, init.value, axes, extents, strides, dilations, fold.kernel, joined, trace.location()
        ),
    )
    _prove(trace, "fold", (x,), constraints)
    trace.count(x.shape, 1)
    return _typed(trace, result, fold.dtypes[0], False)


def convolve(
    lhs: Tracer,
    rhs: Tracer,
    dims: tuple[Sequence[int], Sequence[int], Sequence[int]],
    strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilations: Sequence[int],
    rhs_dilations: Sequence[int],
    dtype: np.dtype[Any],
    *,
    feature_groups: int = 1,
    batch_groups: int = 1,
) -> Tracer:
    """`wax.convolve`: `dims` has those of `lhs`, `rhs` and the result, each as (batch or in, feature or out, …)."""
    trace = current()
    low, high = [before for before, _ in padding], [after for _, after in padding]
    element = dtypes.element_of(dtype, False)
    result, constraints = _ask(
        trace,
        "convolve",
        (lhs, rhs),
        lambda: trace.builder.convolve(
            lhs.value,
            rhs.value,
            dims[0],
            dims[1],
            dims[2],
            strides,
            low,
            high,
            lhs_dilations,
            rhs_dilations,
            feature_groups,
            batch_groups,
            element,
            trace.location(),
        ),
    )
    _prove(trace, "convolve", (lhs, rhs), constraints)
    made = _typed(trace, result, dtype, False)
    # A product and a sum for each element that a kernel's out sees.
    out = dims[1][1]
    trace.count((*made.shape, *(size for dim, size in enumerate(rhs.shape) if dim != out)), 2)
    return made


def reverse(x: Tracer, axes: Sequence[int]) -> Tracer:
    """`wax.reverse`: `axes` (increasing) turned around."""
    trace = current()
    result = _ask(trace, "reverse", (x,), lambda: trace.builder.reverse(x.value, axes, trace.location()))
    return _moved(trace, result, x.dtype, x.weak)


def insert(update: Tracer, x: Tracer, offsets: Sequence[Size | Index], strides: Sequence[int]) -> Tracer:
    """`wax.insert`: a strided box of `x` replaced; symbolic offsets are clamped so that it lies in `x`."""
    trace = current()
    starts = [trace.size_operand(offset) for offset in offsets]
    result, constraints = _ask(
        trace,
        "insert",
        (update, x),
        lambda: trace.builder.insert(update.value, x.value, starts, strides, trace.location()),
    )
    _prove(trace, "insert", (update, x), constraints)
    trace.count(update.shape, 1)
    return _typed(trace, result, x.dtype, x.weak)


def scatter(
    fold: KernelSpec,
    combine: KernelSpec | None,
    updates: Sequence[Tracer],
    operands: Sequence[Tracer],
    indices: Sequence[Tracer],
    operand_dims: Sequence[int],
    index_dims: Sequence[Sequence[int]],
) -> tuple[Tracer, ...]:
    """`wax.scatter`: folds updates into the operands' elements at places written as for `gather`; one result each."""
    trace = current()
    everything = (*updates, *operands, *indices)
    sources, accumulators, places = ([x.value for x in group] for group in (updates, operands, indices))
    kernels = fold.kernel, None if combine is None else combine.kernel
    results, constraints = _ask(
        trace,
        "scatter",
        everything,
        lambda: trace.builder.scatter(
            sources, accumulators, places, operand_dims, index_dims, *kernels, trace.location()
        ),
    )
    _prove(trace, "scatter", everything, constraints)
    trace.count(updates[0].shape, 2)
    return tuple(_typed(trace, r, dtype, False) for r, dtype in zip(results, fold.dtypes, strict=True))


def iota(axis: int, shape: Sequence[Size], dtype: np.dtype[Any]) -> Tracer:
    """`wax.iota`: counts along `axis`."""
    trace = current()
    sizes = [trace.size_operand(size) for size in shape]
    element = dtypes.element_of(dtype, False)
    result = _ask(trace, "iota", (), lambda: trace.builder.iota(axis, sizes, element, trace.location()))
    return _typed(trace, result, dtype, False)


def fft(x: Tracer, axes: Sequence[int], length: int | None = None, *, inverse: bool = False) -> Tracer:
    """`wax.fft`: half of a real array's transform; with `length` a real array from the half along the last axis."""
    trace = current()
    result, constraints = _ask(
        trace, "fft", (x,), lambda: trace.builder.fft(x.value, axes, length, inverse, trace.location())
    )
    _prove(trace, "fft", (x,), constraints)
    made = _typed(trace, result, dtypes.complex_of(x.dtype) if length is None else dtypes.real_part(x.dtype), False)
    trace.count(made.shape, FFT_PASSES * len(axes))
    return made


def constant(data: np.ndarray[Any, Any]) -> Tracer:
    """`wax.constant`: elements that the program carries."""
    return current().constant(data)


def dimension_value(size: Size, dtype: np.dtype[Any]) -> Tracer:
    """A size as a rank 0 array of an integer dtype."""
    trace = current()
    if isinstance(size, int):
        return trace.constant(np.asarray(size, dtype))
    index = trace.index_value(size)
    element = dtypes.element_of(dtype, False)
    return _typed(trace, trace.builder.index_to_tensor(index, element, trace.location()), dtype, False)


def strengthen(x: Tracer) -> Tracer:
    """A weak value in its default dtype; any other as it is."""
    return map(cast_kernel(x.dtype, x.weak, x.dtype), x) if x.weak else x


def call(callee: TracedFunction, operands: Sequence[Tracer]) -> tuple[Tracer, ...]:
    """`func.call` of a traced function whose dims are this trace's."""
    trace = current()
    values = [x.value for x in operands]
    made = _ask(trace, "call", operands, lambda: trace.builder.call(callee.function, values, trace.location()))
    trace.count_callee(callee.work)
    return tuple(
        trace.tracer(value, shape, dtype) for (value, _, _), (shape, dtype) in zip(made, callee.results, strict=True)
    )


def checkpoint(
    callee: TracedFunction, operands: Sequence[Tracer], saving: Sequence[Sequence[str]], *, mergeable: bool
) -> tuple[Tracer, ...]:
    """`wax.checkpoint` around a traced function whose dims are this trace's."""
    trace = current()
    values = [x.value for x in operands]
    made = _ask(
        trace,
        "checkpoint",
        operands,
        lambda: trace.builder.checkpoint(callee.function, values, saving, mergeable, trace.location()),
    )
    trace.count_callee(callee.work)
    return tuple(
        trace.tracer(value, shape, dtype) for (value, _, _), (shape, dtype) in zip(made, callee.results, strict=True)
    )


def name(x: Tracer, name: str) -> Tracer:
    """`wax.name`: `x`, which checkpoints know by a name."""
    trace = current()
    result = _ask(trace, "name", (x,), lambda: trace.builder.name(x.value, name, trace.location()))
    return trace.tracer(result[0], x.shape, x.dtype, x.weak)


def if_(
    condition: Tracer,
    then: _native.Function,
    then_captured: Sequence[int],
    otherwise: _native.Function,
    otherwise_captured: Sequence[int],
    *,
    like: Sequence[Tracer],
) -> tuple[Tracer, ...]:
    """`scf.if` around two finished functions of what they captured; the results are `like` those of the first."""
    trace = current()
    made = _ask(
        trace,
        "if",
        (condition,),
        lambda: trace.builder.if_(
            condition.value, then, then_captured, otherwise, otherwise_captured, trace.location()
        ),
    )
    return _alike(trace, made, like)


def for_(
    count: Size | Index,
    inits: Sequence[Tracer],
    body: _native.Function,
    carried: Sequence[int],
    captured: Sequence[int],
) -> tuple[Tracer, ...]:
    """`scf.for` of `count` turns around a finished function; `carried` are the places of the carried values in it."""
    trace = current()
    turns, values = trace.size_operand(count), [x.value for x in inits]
    made = _ask(
        trace, "for", inits, lambda: trace.builder.for_(turns, values, body, carried, captured, trace.location())
    )
    return _alike(trace, made, inits)


def while_(
    inits: Sequence[Tracer],
    condition: _native.Function,
    condition_captured: Sequence[int],
    body: _native.Function,
    body_captured: Sequence[int],
    max_steps: int | None = None,
) -> tuple[Tracer, ...]:
    """`scf.while` around two finished functions of the carried values and what each captured."""
    trace = current()
    values = [x.value for x in inits]
    made = _ask(
        trace,
        "while",
        inits,
        lambda: trace.builder.while_(
            values, condition, condition_captured, body, body_captured, max_steps, trace.location()
        ),
    )
    return _alike(trace, made, inits)


def index_of(x: Tracer) -> Index:
    """A rank 0 integer as an index value, taken as signed."""
    trace = current()
    return Index(trace, trace.builder.tensor_to_index(x.value, trace.location()))


def axis_index(axis: str) -> Tracer:
    """`wax.axis_index`: the number of the row in the batch that is called `axis`."""
    trace = current()
    return _typed(trace, trace.builder.axis_index(axis, trace.location()), np.dtype(np.int32), False)


def all_gather(x: Tracer, size: Size, axis: str) -> Tracer:
    """`wax.all_gather`: `x` of all rows of the batch that is called `axis`, of that size."""
    trace = current()
    rows = trace.size_operand(size)
    result = _ask(trace, "all_gather", (x,), lambda: trace.builder.all_gather(x.value, rows, axis, trace.location()))
    return _typed(trace, result, x.dtype, x.weak)


def psum(x: Tracer, axis: str) -> Tracer:
    """`wax.psum`: the sum of `x` over the rows of the batch that is called `axis`."""
    trace = current()
    result = _ask(trace, "psum", (x,), lambda: trace.builder.psum(x.value, axis, trace.location()))
    return _typed(trace, result, x.dtype, x.weak)


def pmax(x: Tracer, axis: str, *, minimum: bool) -> Tracer:
    """`wax.pmax`: the maximum, or minimum, of `x` over the rows of the batch that is called `axis`."""
    trace = current()
    unsigned = dtypes.kind(x.dtype) == "uint"
    result = _ask(trace, "pmax", (x,), lambda: trace.builder.pmax(x.value, axis, minimum, unsigned, trace.location()))
    return _typed(trace, result, x.dtype, x.weak)


def ppermute(x: Tracer, axis: str, sources: Sequence[int]) -> Tracer:
    """`wax.ppermute`: for each row of the batch that is called `axis`, `x` of its source; zeros for -1."""
    trace = current()
    result = _ask(trace, "ppermute", (x,), lambda: trace.builder.ppermute(x.value, axis, sources, trace.location()))
    return _typed(trace, result, x.dtype, x.weak)


def index_value(index: Index, dtype: np.dtype[Any], weak: bool = False) -> Tracer:
    """An index value as a rank 0 array."""
    trace = current()
    element = dtypes.element_of(dtype, weak)
    return _typed(trace, trace.builder.index_to_tensor(index.value, element, trace.location()), dtype, weak)


def _alike(trace: Trace, made: Sequence[Any], like: Sequence[Tracer]) -> tuple[Tracer, ...]:
    return tuple(trace.tracer(value, x.shape, x.dtype, x.weak) for (value, _, _), x in zip(made, like, strict=True))


def _typed(trace: Trace, result: Any, dtype: np.dtype[Any], weak: bool) -> Tracer:
    value, shape, _ = result
    return trace.tracer(value, trace.shape_of(shape), dtype, weak)


def _moved(trace: Trace, result: Any, dtype: np.dtype[Any], weak: bool) -> Tracer:
    """A result whose elements are those of operands at other places: half the work of computing them."""
    made = _typed(trace, result, dtype, weak)
    trace.count(made.shape, 1)
    return made


def _ask(trace: Trace, name: str, operands: Sequence[Tracer], build: Callable[[], _R]) -> _R:
    try:
        return build()
    except _native.DialectError as error:
        shapes = ", ".join(f"{x.dtype.name}{format_shape(x.shape)}" for x in operands)
        raise ShapeError(f"{name} of {shapes}: {error}") from error


def _prove(trace: Trace, name: str, operands: Sequence[Tracer], constraints: Sequence[Any]) -> None:
    for kind, lhs, rhs, label in constraints:
        left, right = trace.size_of(lhs), trace.size_of(rhs)
        if same(left, right) or (kind == "le" and known_at_most(left, right)):
            continue
        shapes = ", ".join(format_shape(x.shape) for x in operands)
        sign = "==" if kind == "eq" else "<="
        raise ShapeError(
            f"{name} of {shapes} needs {left} {sign} {right} ({label}), which does not follow from what is declared "
            f"of the dims; use one wax.Dim for sizes that are equal, or give bounds with min= and max="
        )
