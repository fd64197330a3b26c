"""What decoders need beside attention: caches of keys and values, and rotary positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dims import format_shape, known_at_most, same
from wax.eager import api
from wax.errors import InvalidArgumentError, PromotionError, ShapeError
from wax.nn._operands import floating, wide
from wax.numpy._basis import ArrayLike, basis, cast, check_axis, integer, lift, placed, scalars, shapes_text, squeezed
from wax.numpy.exponential import cos, sin
from wax.numpy.manipulation import reshape

__all__ = ["rotary_embedding", "update_cache"]


@api
def update_cache(cache: ArrayLike, new: ArrayLike, position: ArrayLike, /, *, axis: int = -2) -> Array:
    """`cache` with `new` in it from `position` on, along an axis: keys or values of the tokens that have come.

    `position` is an integer, known or computed; one from which `new` would not fit is brought to the nearest from which
    it does. Where the cache is a donated argument of a jitted function, the update is in place: it takes the time of
    what is new, whatever the size of the cache.

    Raises `ShapeError`, `AxisError`, `PromotionError`.

    >>> wax.nn.update_cache(wnp.zeros((4, 1)), wnp.ones((2, 1)), 1)[:, 0]
    Array([0., 1., 1., 0.], dtype=float32)
    """
    target, value, place = lift(cache), lift(new), lift(position)
    along = check_axis("update_cache", axis, target.ndim)
    alike = value.ndim == target.ndim and all(
        dim == along or same(size, target.shape[dim]) for dim, size in enumerate(value.shape)
    )
    if not alike or not known_at_most(value.shape[along], target.shape[along]):
        raise ShapeError(
            f"update_cache of {shapes_text([target, value])}: what is new must have the sizes of the cache, and not "
            f"more along axis {axis}"
        )
    if value.dtype != target.dtype:
        raise PromotionError(
            f"update_cache of {shapes_text([target, value])}: the dtypes differ; convert what is new with "
            f".astype({target.dtype})"
        )
    if dtypes.kind(place.dtype) not in ("int", "uint") or place.ndim:
        raise PromotionError(f"update_cache: position must be one integer, it is {shapes_text([place])}")
    start = basis.index_of(cast(place, dtypes.int64))
    offsets = [start if dim == along else 0 for dim in range(target.ndim)]
    return basis.insert(value, target, offsets, [1] * target.ndim)


def _angle(position: Any, frequency: Any) -> Any:
    return scalars.cast(position, frequency.dtype) * frequency


def _rotated(x: Any, other: Any, cos: Any, sin: Any, which: Any) -> Any:
    """One part of a pair, turned: the first is `x cos - y sin`, the second `y cos + x sin`."""
    turn = scalars.select(which == 0, -sin, sin)
    return scalars.cast(wide(x) * cos + wide(other) * turn, x.dtype)


@api
def rotary_embedding(
    x: ArrayLike, positions: ArrayLike, /, *, base: float = 10000.0, interleaved: bool = False, width: int | None = None
) -> Array:
    """Pairs of features turned by angles that grow with the position, so that products of two tell their distance.

    `x` has shape (…, length, features); `positions` broadcasts to (…, length): (length,) serves all heads, and
    (batch, 1, length) gives each batch its own. Pair i of `width / 2` is turned by `position * base**(-2 i / width)`.
    Pair i is features i and i + width / 2, as in Llama and GPT-NeoX; with `interleaved=True` it is features 2 i and
    2 i + 1, as in RoFormer and GPT-J. Features from `width` on stay as they are; it is all of them unless given. Half
    floats are turned in float32.

    (J. Su and others, "RoFormer", 2021.) Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.rotary_embedding(wnp.ones((2, 2)), wnp.asarray([0.0, wnp.pi / 2]))
    Array([[ 1.        ,  1.        ],
           [-1.        ,  0.99999994]], dtype=float32)
    """
    value, places = floating("rotary_embedding", x), lift(positions)
    if value.ndim < 2 or not isinstance(value.shape[-1], int):
        raise ShapeError(
            f"rotary_embedding of {shapes_text([value])}: the shape must be (…, length, features), the features static"
        )
    features = value.shape[-1]
    turned = features if width is None else integer("rotary_embedding", "width", width)
    if turned % 2 or not 0 <= turned <= features:
        raise InvalidArgumentError(
            f"rotary_embedding of {shapes_text([value])}: width is {turned}; it must be even, to have pairs, and at "
            f"most {features}, the number of features"
        )
    if turned < features:
        parts = [
            basis.slice(value, [*[0] * (value.ndim - 1), start], [*value.shape[:-1], stop - start], [1] * value.ndim)
            for start, stop in ((0, turned), (turned, features))
        ]
        made = _turned(parts[0], places, base, interleaved)
        return basis.concat([made, parts[1]], value.ndim - 1)
    return _turned(value, places, base, interleaved)


def _turned(x: Any, positions: Any, base: float, interleaved: bool) -> Any:
    last, half = x.ndim - 1, x.shape[-1] // 2
    dtype = dtypes.widened(x.dtype)
    if dtypes.kind(positions.dtype) == "complex" or dtypes.kind(positions.dtype) == "bool":
        raise PromotionError(f"rotary_embedding: positions must be real numbers, they are {positions.dtype}")
    offset = last - positions.ndim
    if offset < 0 or not all(
        same(size, 1) or same(size, x.shape[offset + dim]) for dim, size in enumerate(positions.shape)
    ):
        raise ShapeError(
            f"rotary_embedding of {shapes_text([x, positions])}: the positions do not broadcast to "
            f"{format_shape(x.shape[:-1])}, all but the features"
        )
    stretched = [dim for dim, size in enumerate(positions.shape) if same(size, 1)]
    places = squeezed(positions, stretched)
    dims = [offset + dim for dim in range(positions.ndim) if dim not in stretched]
    frequencies = basis.constant(np.asarray(float(base) ** (-np.arange(half) / half), dtype))
    angles = placed(_angle, [(places, range(places.ndim)), (frequencies, [places.ndim])])
    # Pairs: a dim of size 2 beside the one of the pairs' numbers.
    pair, number = (last + 1, last) if interleaved else (last, last + 1)
    shape = (*x.shape[:-1], half, 2) if interleaved else (*x.shape[:-1], 2, half)
    pairs = reshape(x, shape)
    table = [*dims, number]
    result = placed(
        _rotated,
        [
            (pairs, range(x.ndim + 1)),
            (basis.reverse(pairs, [pair]), range(x.ndim + 1)),
            (cos(angles), table),
            (sin(angles), table),
            (basis.iota(0, (2,), dtypes.int32), [pair]),
        ],
    )
    return reshape(result, x.shape)
