"""Convolution, as neural networks call it: the kernel is not reversed."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size, same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.nn._spatial import Padding, PerDim, pads, per_dim
from wax.numpy._basis import ArrayLike, basis, cast, integer, lift, lift_all, placed, scalars, shapes_text
from wax.numpy._contraction import refuse_bool

__all__ = ["conv"]


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
    result = cast(sums, value.dtype)
    if bias is None:
        return result
    result, offset = lift_all("conv", result, lift(bias))
    if offset.ndim != 1 or not same(offset.shape[0], result.shape[tensor_dims[1]]):
        raise ShapeError(f"conv: the bias is {shapes_text([offset])}, the result {shapes_text([result])}")
    return placed(_add, [(result, range(result.ndim)), (offset, [tensor_dims[1]])])


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
