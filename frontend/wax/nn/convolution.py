"""Convolution, as neural networks call it: the kernel is not reversed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size, same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.nn._spatial import Padding, PerDim, pads, per_dim
from wax.numpy._basis import ArrayLike, basis, cast, integer, lift, lift_all, placed, scalars, shapes_text
from wax.numpy._contraction import refuse_bool
from wax.numpy.manipulation import reshape

__all__ = ["conv", "conv_transpose"]


def _add(x: Any, y: Any) -> Any:
    return scalars.add(x, y)


@api
def conv(
    x: ArrayLike,
    weight: ArrayLike,
    bias: ArrayLike | None = None,
    /,
    *,
    strides: PerDim = 1,
    padding: Padding = "VALID",
    dilations: PerDim = 1,
    input_dilations: PerDim = 1,
    groups: int = 1,
    channels_last: bool = False,
) -> Array:
    """`weight` slid over the spatial dims of `x`, the products summed, and `bias` added.

    `x` has shape (batch, in, …) and `weight` (out, in / groups, …), as PyTorch stores them, with as many spatial
    dims as there are left; the result has shape (batch, out, …). With `channels_last=True` the shapes are
    (batch, …, in), (…, in / groups, out) and (batch, …, out), as Flax stores them. `bias` has shape (out,).

    Strides, dilations and padding are one number, or one for each spatial dim; padding is also "VALID" (none),
    "SAME" (the result has size ⌈size / stride⌉), or a pair (low, high) a dim. `dilations` spread the kernel,
    `input_dilations` put zeros between the elements of `x`, as a transposed convolution does. Each of `groups`
    outs sees only its own part of the ins. Half floats are summed in float32; integers stay in their dtype.

    Raises `ShapeError`, `InvalidArgumentError`, `PromotionError`.

    >>> wax.nn.conv(wnp.ones((1, 3, 8, 8)), wnp.ones((4, 3, 3, 3)), strides=2, padding=1).shape
    (1, 4, 4, 4)
    >>> wax.nn.conv(wnp.ones((1, 8, 8, 3)), wnp.ones((3, 3, 3, 4)), padding="SAME", channels_last=True).shape
    (1, 8, 8, 4)
    """
    value, kernel = lift_all("conv", x, weight)
    refuse_bool("conv", value.dtype)
    if value.ndim != kernel.ndim or value.ndim < 3:
        raise ShapeError(
            f"conv of {shapes_text([value, kernel])}: both must have the same number of dims, which are batch, "
            f"channels and at least one spatial dim; add a batch dim with x[None]"
        )
    spatial = value.ndim - 2
    last = value.ndim - 1
    if channels_last:
        tensor_dims = (0, last, *range(1, last))
        kernel_dims = (last - 1, last, *range(spatial))
    else:
        tensor_dims = tuple(range(value.ndim))
        kernel_dims = (1, 0, *range(2, value.ndim))
    count = integer("conv", "groups", groups)
    _check_channels(value, kernel, tensor_dims[1], kernel_dims, count)
    steps = per_dim("conv", "strides", strides, spatial)
    spread = per_dim("conv", "dilations", dilations, spatial)
    between = per_dim("conv", "input_dilations", input_dilations, spatial)
    sizes = [_spanned(value.shape[dim], step) for dim, step in zip(tensor_dims[2:], between, strict=True)]
    spans = [_spanned(kernel.shape[dim], step) for dim, step in zip(kernel_dims[2:], spread, strict=True)]
    sums = basis.convolve(
        value,
        kernel,
        (tensor_dims, kernel_dims, tensor_dims),
        steps,
        pads("conv", padding, sizes, spans, steps),
        between,
        spread,
        dtypes.widened(value.dtype),
        feature_groups=count,
    )
    return _with_bias("conv", cast(sums, value.dtype), bias, tensor_dims[1])


def _with_bias(name: str, result: Any, bias: ArrayLike | None, feature: int) -> Any:
    if bias is None:
        return result
    result, offset = lift_all(name, result, lift(bias))
    if offset.ndim != 1 or not same(offset.shape[0], result.shape[feature]):
        raise ShapeError(f"{name}: the bias is {shapes_text([offset])}, the result {shapes_text([result])}")
    return placed(_add, [(result, range(result.ndim)), (offset, [feature])])


@api
def conv_transpose(
    x: ArrayLike,
    weight: ArrayLike,
    bias: ArrayLike | None = None,
    /,
    *,
    strides: PerDim = 1,
    padding: Padding = "VALID",
    output_padding: PerDim = 0,
    dilations: PerDim = 1,
    groups: int = 1,
    channels_last: bool = False,
) -> Array:
    """The transpose of `conv`: the linear function whose matrix is that of `conv` with these arguments, transposed.

    `x` has the shape of what that `conv` gives, and the result the shape of what it takes; `weight` is its weight, and
    so has shape (in, out / groups, …), as PyTorch stores it, with `x` of (batch, in, …) and the result (batch, out, …).
    With `channels_last=True` the shapes are (batch, …, in), (…, out / groups, in) and (batch, …, out). Then `bias`, of
    shape (out,), is added.

    A dim of n elements becomes `(n - 1) * stride - low - high + (size - 1) * dilation + 1 + output_padding` long for a
    kernel of `size` and padding (low, high); with "SAME", `n * stride`. `output_padding` are rows at the end that
    `conv` with strides leaves out, and is less than the stride or the dilation.

    Raises `ShapeError`, `InvalidArgumentError`, `PromotionError`.

    >>> wax.nn.conv_transpose(wnp.ones((1, 4, 4, 4)), wnp.ones((4, 3, 3, 3)), strides=2, padding=1).shape
    (1, 3, 7, 7)
    >>> x, w = wnp.ones((1, 4, 4, 4)), wnp.ones((2, 2, 3, 4))
    >>> wax.nn.conv_transpose(x, w, strides=2, padding="SAME", channels_last=True).shape
    (1, 8, 8, 3)
    """
    name = "conv_transpose"
    value, kernel = lift_all(name, x, weight)
    refuse_bool(name, value.dtype)
    if value.ndim != kernel.ndim or value.ndim < 3:
        raise ShapeError(
            f"{name} of {shapes_text([value, kernel])}: both must have the same number of dims, which are batch, "
            f"channels and at least one spatial dim; add a batch dim with x[None]"
        )
    spatial, last = value.ndim - 2, value.ndim - 1
    tensor_dims = (0, last, *range(1, last)) if channels_last else tuple(range(value.ndim))
    kernel_dims = (last, last - 1, *range(spatial)) if channels_last else tuple(range(value.ndim))
    count = integer(name, "groups", groups)
    if count < 1:
        raise InvalidArgumentError(f"{name}: groups must be at least 1, it is {count}")
    ins = kernel.shape[kernel_dims[0]]
    if not same(value.shape[tensor_dims[1]], ins) or not same(ins % count, 0):
        raise ShapeError(
            f"{name} of {shapes_text([value, kernel])} with groups={count}: x has {value.shape[tensor_dims[1]]} "
            f"channels in dim {tensor_dims[1]}, and the weight takes {ins}, which are divided into the groups; pass "
            f"channels_last= for the other layout"
        )
    steps = per_dim(name, "strides", strides, spatial)
    spread = per_dim(name, "dilations", dilations, spatial)
    more = per_dim(name, "output_padding", output_padding, spatial, least=0)
    if any(extra >= max(step, wide) for extra, step, wide in zip(more, steps, spread, strict=True)):
        raise InvalidArgumentError(
            f"{name}: output_padding is {output_padding!r}; it must be less than the stride or the dilation, which "
            f"are {strides!r} and {dilations!r}"
        )
    spans = [_static_span(name, kernel, dim, step) for dim, step in zip(kernel_dims[2:], spread, strict=True)]
    around = _transposed_pads(name, padding, spans, steps, more)
    turned, features = _grouped_kernel(basis.reverse(kernel, sorted(kernel_dims[2:])), kernel_dims, count)
    ones = (1,) * spatial
    sums = basis.convolve(
        value,
        turned,
        (tensor_dims, (*features, *kernel_dims[2:]), tensor_dims),
        ones,
        around,
        steps,
        spread,
        dtypes.widened(value.dtype),
        feature_groups=count,
    )
    return _with_bias(name, cast(sums, value.dtype), bias, tensor_dims[1])


def _static_span(name: str, kernel: Any, dim: int, dilation: int) -> int:
    size = kernel.shape[dim]
    if not isinstance(size, int):
        raise ShapeError(
            f"{name} of a weight {shapes_text([kernel])}: padding depends on its spatial sizes; make them static"
        )
    return (size - 1) * dilation + 1 if size else 0


def _transposed_pads(
    name: str, padding: Any, spans: Sequence[int], steps: Sequence[int], more: Sequence[int]
) -> list[tuple[int, int]]:
    """What goes around `x` spread by the strides, where `conv` has `padding` around its operand."""
    if isinstance(padding, str) and padding.upper() == "SAME":
        # That of a size which is a multiple of the stride. A kernel shorter than that leaves rows out.
        total = [span - step for span, step in zip(spans, steps, strict=True)]
        given = [(max(all_, 0) // 2, all_ - max(all_, 0) // 2) for all_ in total]
    else:
        given = list(pads(name, padding, spans, spans, steps))
    return [
        (span - 1 - low, span - 1 - high + extra) for (low, high), span, extra in zip(given, spans, more, strict=True)
    ]


def _grouped_kernel(kernel: Any, dims: tuple[int, ...], groups: int) -> tuple[Any, tuple[int, int]]:
    """A weight (in, out / groups) as one (in / groups, out), in any order of dims, and where these two are."""
    ins, outs = dims[:2]
    if groups == 1:
        return kernel, (ins, outs)
    # The dim of the groups leaves the ins' and goes before the outs'.
    shape, order = [], []
    for dim, size in enumerate(kernel.shape):
        shape += [groups, size // groups] if dim == ins else [size]
    where = {dim: dim + (dim > ins) for dim in range(kernel.ndim)}
    for dim in range(kernel.ndim):
        if dim == ins:
            order.append(where[dim] + 1)
        elif dim == outs:
            order += [where[ins], where[dim]]
        else:
            order.append(where[dim])
    parted = basis.permute(reshape(kernel, tuple(shape)), order)
    merged = [
        size // groups if dim == ins else size * groups if dim == outs else size
        for dim, size in enumerate(kernel.shape)
    ]
    return reshape(parted, tuple(merged)), (ins, outs)


def _check_channels(x: Any, weight: Any, feature: int, kernel_dims: tuple[int, ...], groups: int) -> None:
    ins, outs = weight.shape[kernel_dims[0]], weight.shape[kernel_dims[1]]
    if groups < 1:
        raise InvalidArgumentError(f"conv: groups must be at least 1, it is {groups}")
    if not same(x.shape[feature], ins * groups) or (isinstance(outs, int) and outs % groups):
        raise ShapeError(
            f"conv of {shapes_text([x, weight])} with groups={groups}: x has {x.shape[feature]} channels in dim "
            f"{feature}, of which a group is to have {ins}, and {outs} outs are divided into the groups; pass "
            f"channels_last= for the other layout"
        )


def _spanned(size: Size, dilation: int) -> Size:
    """From the first to the last of elements that are `dilation` apart."""
    if dilation == 1 or (isinstance(size, int) and size == 0):
        return size
    return (size - 1) * dilation + 1
