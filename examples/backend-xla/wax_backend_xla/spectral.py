"""`wax.convolve` and `wax.fft`."""

from __future__ import annotations

from collections.abc import Sequence

from wax_backend_xla.scalars_complex import complex_of, imaginary, real
from wax_backend_xla.scope import Scope, Written, require
from wax_backend_xla.windows import count_windows, span_of
from wax_backend_xla.writer import Value, ints
from wax_runtime.snapshot import Operation, as_ints

__all__ = ["convolve", "fft"]


def convolve(operation: Operation, scope: Scope) -> Sequence[Written]:
    """StableHLO's convolution, of operands in the result's own type."""
    element = scope.element(operation.results[0])
    x, w = (value.convert(element) for value in scope.operands(operation))
    attributes = operation.attributes
    lhs, rhs, result = (as_ints(attributes[name]) for name in ("lhs_dims", "rhs_dims", "result_dims"))
    strides, low, high, lhs_dilations, rhs_dilations = (
        as_ints(attributes[name]) for name in ("strides", "low", "high", "lhs_dilations", "rhs_dilations")
    )
    groups, batches = attributes["feature_groups"], attributes["batch_groups"]
    assert isinstance(groups, int) and isinstance(batches, int)
    features, ins, outs = x.shape[lhs[1]], w.shape[rhs[0]], w.shape[rhs[1]]
    what = f"lhs has {features} features, but rhs has {ins} ins for each of {groups} groups"
    require(features == ins * groups, operation, "convolve_c5", what)
    whole = outs % (groups * batches) == 0 and x.shape[lhs[0]] % batches == 0
    require(whole, operation, "convolve_c6", "a size is not a multiple of the groups")

    sizes = [x.shape[lhs[0]] // batches, outs]
    for m, stride in enumerate(strides):
        size, extent = x.shape[lhs[2 + m]], w.shape[rhs[2 + m]]
        if lhs_dilations[m] > 1:
            require(size > 0, operation, "convolve_c8", f"dim {lhs[2 + m]} has no element")
        dilated = span_of(size, lhs_dilations[m]) if size else 0
        length, span = low[m] + dilated + high[m], span_of(extent, rhs_dilations[m])
        what = f"dim {lhs[2 + m]} of size {size} would have size {length} after cropping"
        require(length >= 0, operation, "convolve_c7", what)
        what = f"dim {lhs[2 + m]} has {length} elements, too few for windows that span {span}"
        require(length >= span - stride, operation, "convolve_c8", what)
        sizes.append(count_windows(length, span, stride))
    shape = [0] * len(result)
    for dim, size in zip(result, sizes, strict=True):
        shape[dim] = size
    if not x.size or not w.size or 0 in shape:
        return [scope.writer.splat(0, tuple(shape), element)]

    names = ["x".join((_dims(lhs, "bf"), _dims(rhs, "io"))), _dims(result, "bf")]
    padding = [[before, after] for before, after in zip(low, high, strict=True)]
    made = scope.writer.op(
        "convolution",
        [x, w],
        tuple(shape),
        element,
        f"dimension_numbers = #stablehlo.conv<{names[0]}->{names[1]}>, window_strides = {ints(strides)}, "
        f"padding = dense<{padding if padding else ''}> : tensor<{len(padding)}x2xi64>, "
        f"lhs_dilation = {ints(lhs_dilations)}, rhs_dilation = {ints(rhs_dilations)}, "
        f"feature_group_count = {groups} : i64, batch_group_count = {batches} : i64",
    )
    return [made]


def _dims(places: Sequence[int], names: str) -> str:
    """What each dim is: two names, then spatial numbers."""
    found = dict(zip(places, [*names, *map(str, range(len(places) - 2))], strict=True))
    return f"[{', '.join(found[dim] for dim in range(len(places)))}]"


def fft(operation: Operation, scope: Scope) -> Sequence[Written]:
    """One dim after another, each as the last. XLA's inverses divide by the length, wax's by nothing."""
    (x,) = scope.operands(operation)
    dims = as_ints(operation.attributes["dims"])
    length = operation.attributes.get("length")
    inverse = bool(operation.attributes.get("inverse", False))
    assert length is None or isinstance(length, int)
    *others, last = dims
    if not dims:
        return [x]
    result = list(x.shape)
    if length is not None:
        result[last] = length
    elif not x.element.startswith("complex"):
        result[last] = x.shape[last] // 2 + 1
    if 0 in x.shape or 0 in result:
        return [scope.writer.splat(0, tuple(result), scope.element(operation.results[0]))]
    if length is not None:
        x = x if inverse else complex_of(real(x), -imaginary(x))
        for dim in others:
            x = _along(x, dim, "IFFT", x.shape[dim], x.shape[dim])
        return [_along(x, last, "IRFFT", length, length)]
    if not x.element.startswith("complex"):
        x = _along(x, last, "RFFT", x.shape[last], result[last])
        for dim in others:
            x = _along(x, dim, "FFT", x.shape[dim], x.shape[dim])
        return [complex_of(real(x), -imaginary(x)) if inverse else x]
    for dim in dims:
        x = _along(x, dim, "IFFT" if inverse else "FFT", x.shape[dim], x.shape[dim])
    return [x]


def _along(x: Value, dim: int, kind: str, length: int, size: int) -> Value:
    rank = len(x.shape)
    order = [*(axis for axis in range(rank) if axis != dim), dim]
    back = [order.index(axis) for axis in range(rank)]
    moved = x.transpose(order)
    part = "f32" if "f32" in x.element else "f64"
    element = part if kind == "IRFFT" else f"complex<{part}>"
    made = x.writer.op(
        "fft",
        [moved],
        (*moved.shape[:-1], size),
        element,
        f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {ints([length])}",
    )
    made = made * float(length) if kind.startswith("I") else made
    return made.transpose(back)
