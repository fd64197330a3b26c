"""Draws from what can be listed: categories, elements of an array, orders of them."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import DimExpr, Size, format_shape, known_at_most, product, same, same_shape
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import ArrayLike, Shape, cast, check_axis, check_shape, lift, refuse_dtype
from wax.numpy.exponential import log
from wax.numpy.indexing import take, take_along_axis
from wax.numpy.manipulation import moveaxis, reshape
from wax.numpy.searching import argmax
from wax.numpy.sorting import argsort, searchsorted
from wax.numpy.statistical import cumsum
from wax.random._stream import checked_key, drawn, elements
from wax.random.bounded import randint, uniform
from wax.random.continuous import gumbel

__all__ = ["categorical", "choice", "permutation"]


@api
def categorical(
    key: ArrayLike, logits: ArrayLike, axis: int = -1, shape: Shape | None = None, replace: bool = True
) -> Array:
    """Indices along an axis, each with a chance in proportion to `exp(logits)`.

    `shape` ends with the shape of `logits` without the axis; what stands before are independent draws. Without
    `replace` these differ from each other, and there are as many of them as indices at the most. By the Gumbel trick:
    the index of the greatest of `logits` plus noise. Raises `ShapeError`, `AxisError`, `PromotionError`.

    >>> wax.random.categorical(wax.random.key(7), wnp.asarray([0.0, -wnp.inf, 0.0]), shape=(4,)).shape
    (4,)
    """
    scores = lift(logits)
    if dtypes.kind(scores.dtype) in ("bool", "complex"):
        refuse_dtype("wax.random.categorical", scores.dtype, "real numbers")
    scores = cast(scores, dtypes.inexact((scores.dtype, False))[0])
    value = checked_key("categorical", key)
    scores = moveaxis(scores, check_axis("wax.random.categorical", axis, scores.ndim), -1)
    kept, count = scores.shape[:-1], scores.shape[-1]
    wanted = kept if shape is None else check_shape("wax.random.categorical", shape)
    before = len(wanted) - len(kept)
    if before < 0 or not same_shape(wanted[before:], kept):
        raise ShapeError(
            f"wax.random.categorical: shape={format_shape(wanted)} must end with {format_shape(kept)}, "
            f"the shape of logits without axis {axis}"
        )
    if replace:
        return argmax(gumbel(value, (*wanted, count), scores.dtype) + scores, axis=-1)
    draws = product(wanted[:before])
    if not known_at_most(draws, count):
        raise ShapeError(
            f"wax.random.categorical: {draws} draws without replacement, of {count} categories; give replace=True"
        )
    order = _ranking(value, scores)
    return reshape(moveaxis(order[..., :draws], -1, 0), wanted)


def _ranking(key: Any, scores: Any) -> Any:
    """Indices along the last axis in a random order, those with great scores rather before the others."""
    return argsort(gumbel(key, scores.shape, scores.dtype) + scores, axis=-1, descending=True)


@api
def permutation(key: ArrayLike, x: ArrayLike, axis: int = 0, independent: bool = False) -> Array:
    """The elements of `x` along an axis in a random order, or the integers below a Python integer `x`.

    With `independent`, each line along the axis is in an order of its own. Orders are those of 64 random bits for
    each element. Raises `AxisError`, `InvalidArgumentError`, `ShapeError`.

    >>> order = wax.random.permutation(wax.random.key(7), 5)
    >>> wnp.sort(order)
    Array([0, 1, 2, 3, 4], dtype=int32)
    """
    value = checked_key("permutation", key)
    if isinstance(x, int | DimExpr):
        return _order(value, (_counted("permutation", x),), 0)
    elements_of = lift(x)
    if elements_of.ndim == 0:
        raise ShapeError("wax.random.permutation takes a Python integer, or an array with an axis; this has none")
    number = check_axis("wax.random.permutation", axis, elements_of.ndim)
    if independent:
        return take_along_axis(elements_of, _order(value, elements_of.shape, number), axis=number)
    return take(elements_of, _order(value, elements_of.shape[number : number + 1], 0), axis=number)


def _order(key: Any, shape: tuple[Size, ...], axis: int) -> Any:
    return argsort(elements(key, shape, drawn, dtypes.uint64), axis=axis)


def _counted(name: str, count: Any) -> Size:
    if isinstance(count, bool) or (isinstance(count, int) and count < 0):
        raise InvalidArgumentError(f"wax.random.{name}: {count!r} is no number of elements")
    return count


@api
def choice(
    key: ArrayLike,
    a: ArrayLike,
    shape: Shape = (),
    replace: bool = True,
    p: ArrayLike | None = None,
    axis: int = 0,
) -> Array:
    """Elements of `a` along an axis, or integers below a Python integer `a`.

    Each is as likely as any other, or as its weight in `p` says, which need not sum to 1. The axis gives way to
    `shape`. Without `replace` none is taken twice. Raises `ShapeError`, `AxisError`, `InvalidArgumentError`,
    `PromotionError`.

    >>> wax.random.choice(wax.random.key(7), wnp.asarray([2, 3, 5]), (2, 4)).shape
    (2, 4)
    """
    value, wanted = checked_key("choice", key), check_shape("wax.random.choice", shape)
    source = None if isinstance(a, int | DimExpr) else lift(a)
    if source is None:
        count, number = _counted("choice", a), 0
    elif source.ndim:
        number = check_axis("wax.random.choice", axis, source.ndim)
        count = source.shape[number]
    else:
        raise ShapeError("wax.random.choice takes a Python integer, or an array with an axis; this has none")
    draws = product(wanted)
    if (not replace and not known_at_most(draws, count)) or (same(count, 0) and not same(draws, 0)):
        raise ShapeError(f"wax.random.choice: {draws} draws without replacement, of {count} elements")
    if p is None:
        indices = _even_choice(value, count, wanted, draws, replace)
    else:
        indices = _weighted_choice(value, _weights(p, count), wanted, draws, replace)
    return indices if source is None else take(source, indices, axis=number)


def _even_choice(key: Any, count: Size, shape: tuple[Size, ...], draws: Size, replace: bool) -> Any:
    if replace:
        return randint(key, shape, 0, lift(count))
    return reshape(_order(key, (count,), 0)[:draws], shape)


def _weights(p: Any, count: Size) -> Any:
    weights = lift(p)
    if dtypes.kind(weights.dtype) == "complex":
        refuse_dtype("wax.random.choice", weights.dtype, "real weights p")
    if weights.ndim != 1 or not same(weights.shape[0], count):
        raise ShapeError(
            f"wax.random.choice: p has shape {format_shape(weights.shape)}, "
            f"and there is one weight for each of {count} elements"
        )
    return cast(weights, dtypes.inexact((weights.dtype, False))[0])


def _weighted_choice(key: Any, weights: Any, shape: tuple[Size, ...], draws: Size, replace: bool) -> Any:
    if not replace:
        return reshape(_ranking(key, log(weights))[:draws], shape)
    up_to = cumsum(weights)
    # In (0, total], so that an element of no weight is never the first whose sum is reached.
    place = (1 - uniform(key, shape, weights.dtype)) * up_to[-1]
    return searchsorted(up_to, place)
