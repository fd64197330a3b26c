"""Windows that slide along dims."""

from __future__ import annotations

from wax.array import Array
from wax.eager import api
from wax.errors import InvalidArgumentError
from wax.numpy._basis import ArrayLike, Axes, PerDim, basis, check_axes, lift, per_dim
from wax.numpy.manipulation import permute_dims

__all__ = ["sliding_window_view"]


@api
def sliding_window_view(
    x: ArrayLike, window_shape: PerDim, /, axis: Axes = None, *, strides: PerDim = 1, dilations: PerDim = 1
) -> Array:
    """The windows that slide along `axis`: those dims then count windows, whose elements are in new dims at the end.

    `window_shape` has a size, at least 1, for each of the axes, and the new dims are in their order; without `axis`
    they are all of the array's. Windows begin `strides` elements apart and take every `dilations`-th element. A dim of
    `n` elements has `(n - (size - 1) * dilation - 1) // stride + 1` of them, and none if it is too short for one.

    Inside `jit` a sum of their products with a kernel, by `einsum` or written out, is compiled as the convolution that
    it is.

    Raises `AxisError`, `InvalidArgumentError`, and `ShapeError` for a symbolic dim that may be too short.

    >>> wnp.sliding_window_view(wnp.arange(5), 3)
    Array([[0, 1, 2],
           [1, 2, 3],
           [2, 3, 4]], dtype=int32)
    >>> wnp.sliding_window_view(wnp.zeros((8, 9, 3)), (2, 3), (0, 1), strides=2).shape
    (4, 4, 3, 2, 3)

    Source: `numpy.lib.stride_tricks.sliding_window_view`, to which strides and dilations are added.
    """
    value = lift(x)
    axes = check_axes("sliding_window_view", axis, value.ndim)
    given = window_shape if isinstance(window_shape, tuple | list) else (window_shape,)
    if len(given) != len(axes):
        raise InvalidArgumentError(
            f"sliding_window_view: window_shape is {window_shape!r}, of {len(given)} sizes, for {len(axes)} axes"
        )
    columns = zip(
        axes,
        per_dim("sliding_window_view", "window_shape", given, len(axes)),
        per_dim("sliding_window_view", "strides", strides, len(axes)),
        per_dim("sliding_window_view", "dilations", dilations, len(axes)),
        strict=True,
    )
    dims, sizes, steps, spread = zip(*sorted(columns), strict=True) if axes else ((),) * 4
    shown = basis.window(value, dims, sizes, steps, spread)
    return permute_dims(shown, [*range(value.ndim), *(value.ndim + dims.index(axis) for axis in axes)])
