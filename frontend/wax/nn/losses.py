"""Losses: how far predictions are from what they should be.

Each takes `reduction`: "mean" or "sum" over all of them, or "none". Half floats are computed in float32, up to the mean
or sum, and rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size, format_shape, product, same, same_shape
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.nn._operands import floating, kept_dims, wide
from wax.numpy._basis import (
    ArrayLike,
    cast,
    check_axis,
    constant,
    expanded,
    integer,
    lift,
    lift_all,
    placed,
    scalars,
    shapes_text,
    squeezed,
)
from wax.numpy._elementwise import aligned, broadcast_shape
from wax.numpy._reduction import maximized, summed
from wax.numpy.indexing import take, take_along_axis
from wax.numpy.manipulation import broadcast_to

__all__ = [
    "binary_cross_entropy_with_logits",
    "cosine_similarity",
    "cross_entropy",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "mse_loss",
    "nll_loss",
    "smooth_l1_loss",
]

_REDUCTIONS = ("mean", "sum", "none")


def _quotient(total: Any, count: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(total / scalars.cast(count, total.dtype), dtype)


def _reduced(name: str, losses: Any, reduction: str, dtype: dtypes.DType, counted: Any = None) -> Any:
    """The losses as `reduction` says; the mean is over those `counted`, by booleans or weights, or over all."""
    if reduction not in _REDUCTIONS:
        raise InvalidArgumentError(f'{name}: reduction is {reduction!r}; it is one of "mean", "sum" and "none"')
    if reduction == "none":
        return cast(losses, dtype)
    axes = range(losses.ndim)
    total = summed(losses, axes)
    if reduction == "sum":
        return cast(total, dtype)
    if counted is not None:
        count = summed(counted, axes, dtypes.int32 if dtypes.kind(counted.dtype) == "bool" else None)
    else:
        size: Size = product(losses.shape)
        count = constant(size, total.dtype) if isinstance(size, int) else lift(size)
    return placed(_quotient, [(total, ()), (count, ())], dtype=dtype)


def _elementwise(
    name: str, formula: Callable[..., Any], operands: tuple[ArrayLike, ...], reduction: str, **static: Any
) -> Any:
    """A formula over floats of one dtype, broadcast against each other, then reduced."""
    values = [floating(name, x) for x in lift_all(name, *operands)]
    dtype = values[0].dtype
    matched, dims = aligned(name, values)
    return _reduced(name, placed(formula, list(zip(matched, dims, strict=True)), **static), reduction, dtype)


# Distances.


def _distance(x: Any, y: Any) -> Any:
    return abs(wide(x) - wide(y))


def _squared_distance(x: Any, y: Any) -> Any:
    return scalars.square(wide(x) - wide(y))


def _huber(x: Any, y: Any, *, delta: float) -> Any:
    distance = _distance(x, y)
    return scalars.select(distance <= delta, scalars.square(distance) * 0.5, (distance - 0.5 * delta) * delta)


@api
def mse_loss(x: ArrayLike, target: ArrayLike, /, *, reduction: str = "mean") -> Array:
    """`(x - target)**2`. Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.mse_loss(wnp.asarray([1.0, 3.0]), wnp.asarray([1.0, 1.0]))
    Array(2., dtype=float32)
    """
    return _elementwise("mse_loss", _squared_distance, (x, target), reduction)


@api
def l1_loss(x: ArrayLike, target: ArrayLike, /, *, reduction: str = "mean") -> Array:
    """`abs(x - target)`. Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.l1_loss(wnp.asarray([1.0, 3.0]), wnp.asarray([1.0, 1.0]))
    Array(1., dtype=float32)
    """
    return _elementwise("l1_loss", _distance, (x, target), reduction)


@api
def huber_loss(x: ArrayLike, target: ArrayLike, /, *, delta: float = 1.0, reduction: str = "mean") -> Array:
    """With d = `abs(x - target)`: `d**2 / 2` up to `delta`, `delta * (d - delta / 2)` beyond (P. J. Huber, 1964).

    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.huber_loss(wnp.asarray([0.5, 3.0]), wnp.zeros(2), reduction="none")
    Array([0.125, 2.5  ], dtype=float32)
    """
    if not delta > 0:
        raise InvalidArgumentError(f"huber_loss: delta must be positive, it is {delta}")
    return _elementwise("huber_loss", _huber, (x, target), reduction, delta=float(delta))


def _smooth_l1(x: Any, y: Any, *, beta: float) -> Any:
    return _huber(x, y, delta=beta) / beta


@api
def smooth_l1_loss(x: ArrayLike, target: ArrayLike, /, *, beta: float = 1.0, reduction: str = "mean") -> Array:
    """`huber_loss` with `delta=beta`, divided by `beta`; `l1_loss` for 0.

    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.smooth_l1_loss(wnp.asarray([1.0, 3.0]), wnp.zeros(2), beta=2.0, reduction="none")
    Array([0.25, 2.  ], dtype=float32)
    """
    if beta < 0:
        raise InvalidArgumentError(f"smooth_l1_loss: beta must not be negative, it is {beta}")
    if beta == 0:
        return _elementwise("smooth_l1_loss", _distance, (x, target), reduction)
    return _elementwise("smooth_l1_loss", _smooth_l1, (x, target), reduction, beta=float(beta))


def _product(x: Any, y: Any) -> Any:
    return wide(x) * wide(y)


def _square(x: Any) -> Any:
    return scalars.square(wide(x))


def _cosine(inner: Any, first: Any, second: Any, *, eps: float, dtype: dtypes.DType) -> Any:
    # The lengths apart: the product of their squares overflows earlier.
    lengths = scalars.maximum(scalars.sqrt(first), eps) * scalars.maximum(scalars.sqrt(second), eps)
    return scalars.cast(inner / lengths, dtype)


@api
def cosine_similarity(x: ArrayLike, y: ArrayLike, /, *, axis: int = -1, eps: float = 1e-8) -> Array:
    """`sum(x * y) / (max(norm(x), eps) * max(norm(y), eps))` along an axis; the operands broadcast.

    Raises `ShapeError`, `AxisError`, `PromotionError`.

    >>> wax.nn.cosine_similarity(wnp.asarray([3.0, 4.0]), wnp.asarray([4.0, 3.0]))
    Array(0.96, dtype=float32)
    """
    name = "cosine_similarity"
    values = [floating(name, one) for one in lift_all(name, x, y)]
    shape = broadcast_shape(name, values)
    place = check_axis(name, axis, len(shape))
    values = [expanded(one, range(len(shape) - one.ndim)) for one in values]
    inner = summed(placed(_product, list(zip(*aligned(name, values), strict=True))), [place])
    # What is stretched along the axis counts as often as it stands there.
    lines = [_stretched_to(one, place, shape[place]) for one in values]
    squares = [summed(placed(_square, [(one, range(one.ndim))]), [place]) for one in lines]
    matched, dims = aligned(name, [inner, *squares])
    return placed(_cosine, list(zip(matched, dims, strict=True)), eps=float(eps), dtype=values[0].dtype)


def _stretched_to(x: Any, axis: int, size: Size) -> Any:
    return x if same(x.shape[axis], size) else broadcast_to(x, (*x.shape[:axis], size, *x.shape[axis + 1 :]))


# Distributions.


def _binary(x: Any, y: Any) -> Any:
    value, label = wide(x), wide(y)
    return scalars.maximum(value, 0.0) - value * label + scalars.log1p(scalars.exp(-abs(value)))


def _binary_weighted(x: Any, y: Any, weight: Any) -> Any:
    value, label, factor = wide(x), wide(y), wide(weight)
    # -log(sigmoid(x)) and -log(1 - sigmoid(x)), of which the first is weighted.
    rest = scalars.log1p(scalars.exp(-abs(value)))
    yes, no = rest - scalars.minimum(value, 0.0), rest + scalars.maximum(value, 0.0)
    return factor * label * yes + (1.0 - label) * no


@api
def binary_cross_entropy_with_logits(
    logits: ArrayLike,
    target: ArrayLike,
    /,
    *,
    pos_weight: ArrayLike | None = None,
    reduction: str = "mean",
) -> Array:
    """`-w * target * log(sigmoid(logits)) - (1 - target) * log(1 - sigmoid(logits))` without overflow.

    `w` is `pos_weight`, or 1; all broadcast. Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.binary_cross_entropy_with_logits(wnp.asarray([0.0, 1000.0]), wnp.asarray([1.0, 1.0]))
    Array(0.3465736, dtype=float32)
    """
    name = "binary_cross_entropy_with_logits"
    if pos_weight is None:
        return _elementwise(name, _binary, (logits, target), reduction)
    return _elementwise(name, _binary_weighted, (logits, target, pos_weight), reduction)


def _divergence(x: Any, y: Any) -> Any:
    target = wide(y)
    # By its limit, 0 where the target is 0.
    return scalars.xlogy(target, target) - target * wide(x)


def _log_divergence(x: Any, y: Any) -> Any:
    target = wide(y)
    return scalars.exp(target) * (target - wide(x))


@api
def kl_div(log_probs: ArrayLike, target: ArrayLike, /, *, log_target: bool = False, reduction: str = "mean") -> Array:
    """`target * (log(target) - log_probs)`, 0 where the target is; the target is a logarithm with `log_target`.

    The "mean" is over all elements. Divide a "sum" by the batch for the divergence of S. Kullback and R. Leibler.
    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.kl_div(wnp.log(wnp.asarray([0.5, 0.5])), wnp.asarray([1.0, 0.0]), reduction="sum")
    Array(0.6931472, dtype=float32)
    """
    formula = _log_divergence if log_target else _divergence
    return _elementwise("kl_div", formula, (log_probs, target), reduction)


# Classes.


def _check_labels(name: str, x: Any, labels: Any, axis: int) -> None:
    shape = tuple(size for dim, size in enumerate(x.shape) if dim != axis)
    if dtypes.kind(labels.dtype) not in ("int", "uint") or not same_shape(labels.shape, shape):
        raise ShapeError(
            f"{name} of {shapes_text([x, labels])}: labels must be integers of shape {format_shape(shape)}, that of "
            f"the scores without axis {axis}"
        )


def _at_label(x: Any, labels: Any, axis: int) -> Any:
    """The score of each label, of any label out of range that of another."""
    return squeezed(take_along_axis(x, expanded(labels, [axis]), axis=axis), [axis])


def _known(loss: Any, label: Any, classes: Any, *, ignored: int | None) -> Any:
    """The loss where the label is a class, 0 where it is ignored, else NaN."""
    number = scalars.cast(label, dtypes.int64)
    inside = scalars.logical_and(number >= 0, number < scalars.cast(classes, dtypes.int64))
    loss = scalars.where(inside, loss, float("nan"))
    return loss if ignored is None else scalars.where(number == ignored, 0.0, loss)


def _is_counted(label: Any, *, ignored: int) -> Any:
    return scalars.cast(label, dtypes.int64) != ignored


def _weighted(loss: Any, factor: Any) -> Any:
    return loss * factor


def _counted_factor(factor: Any, label: Any, *, ignored: int | None) -> Any:
    zero = factor.kernel.constant(0, factor.dtype)
    return factor if ignored is None else scalars.select(_is_counted(label, ignored=ignored), factor, zero)


def _class_weights(name: str, weight: ArrayLike | None, x: Any, classes: Size) -> Any:
    """A weight for each class, in the dtype that losses are computed in, or none. Raises `ShapeError`."""
    if weight is None:
        return None
    value = floating(name, lift(weight))
    if not same_shape(value.shape, (classes,)):
        raise ShapeError(f"{name} of {shapes_text([x, value])}: there is one weight for each of the {classes} classes")
    return cast(value, dtypes.widened(x.dtype))


def _of_labels(
    name: str,
    losses: Any,
    labels: Any,
    classes: Size,
    ignored: int | None,
    reduction: str,
    dtype: Any,
    weights: Any = None,
    others: Any = None,
) -> Any:
    """The losses of those labels that are classes and not ignored, each times its class's weight, plus what `others`
    expect, reduced."""
    every = range(losses.ndim)
    number = None if ignored is None else integer(name, "ignore_index", ignored)
    counted = None if number is None else placed(_is_counted, [(labels, every)], ignored=number)
    if weights is not None:
        factors = take(weights, labels)
        counted = placed(_counted_factor, [(factors, every), (labels, every)], ignored=number)
        losses = placed(_weighted, [(losses, every), (factors, every)])
    if others is not None:
        losses = placed(scalars.add, [(losses, every), (others, every)])
    known = placed(_known, [(losses, every), (labels, every), (lift(classes), ())], ignored=number)
    return _reduced(name, known, reduction, dtype, counted)


def _negated(x: Any) -> Any:
    return -wide(x)


@api
def nll_loss(
    log_probs: ArrayLike,
    labels: ArrayLike,
    /,
    *,
    axis: int = -1,
    weight: ArrayLike | None = None,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Array:
    """`-log_probs[label]` along the axis of the classes, times the `weight` of the label's class if there are weights.

    A label that is no class gives NaN; one that is `ignore_index` gives 0, and does not count in the mean, in which
    losses count by their weights. Raises `ShapeError`, `AxisError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.nll_loss(wnp.asarray([[-1.0, -2.0], [-3.0, -4.0]]), wnp.asarray([1, 0]))
    Array(2.5, dtype=float32)
    """
    value, target = floating("nll_loss", log_probs), lift(labels)
    place = check_axis("nll_loss", axis, value.ndim)
    _check_labels("nll_loss", value, target, place)
    picked = _at_label(value, target, place)
    losses, classes = placed(_negated, [(picked, range(picked.ndim))]), value.shape[place]
    weights = _class_weights("nll_loss", weight, value, classes)
    return _of_labels("nll_loss", losses, target, classes, ignore_index, reduction, value.dtype, weights)


def _shifted_exp(x: Any, shift: Any) -> Any:
    return scalars.exp(wide(x) - wide(shift))


def _surprise(total: Any, shift: Any, score: Any) -> Any:
    """`-log(softmax)` of a score."""
    return scalars.log(total) + (wide(shift) - wide(score))


def _smoothed(total: Any, shift: Any, score: Any, scores: Any, classes: Any, *, smoothing: float) -> Any:
    mean = scores / scalars.cast(classes, scores.dtype)
    return _surprise(total, shift, score) * (1.0 - smoothing) + _surprise(total, shift, mean) * smoothing


def _smoothed_weighted(score: Any, weight: Any, total: Any, shift: Any, classes: Any, *, smoothing: float) -> Any:
    share = smoothing / scalars.cast(classes, weight.dtype)
    return scalars.where(weight == 0, 0.0, _surprise(total, shift, score) * weight * share)


def _expected_weighted(
    score: Any, chance: Any, factor: Any, total: Any, shift: Any, classes: Any, *, smoothing: float
) -> Any:
    return scalars.where(
        factor == 0, 0.0, _expected(score, chance, total, shift, classes, smoothing=smoothing) * factor
    )


def _expected(score: Any, chance: Any, total: Any, shift: Any, classes: Any, *, smoothing: float) -> Any:
    weight = wide(chance)
    if smoothing:
        weight = weight * (1.0 - smoothing) + smoothing / scalars.cast(classes, weight.dtype)
    # What cannot be and is not expected costs nothing.
    return scalars.where(weight == 0, 0.0, weight * _surprise(total, shift, score))


@api
def cross_entropy(
    logits: ArrayLike,
    target: ArrayLike,
    /,
    *,
    axis: int = -1,
    weight: ArrayLike | None = None,
    label_smoothing: float = 0.0,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Array:
    """`-sum(p * log_softmax(logits))` along the axis of the classes, p being what is expected.

    `target` is p itself, of the shape of `logits` and floating; or integer labels, of that shape without the axis, for
    which p is 1. `label_smoothing` mixes that share of a uniform p into it. `weight` has a factor for each class's part
    of the sum. A label that is no class gives NaN; one that is `ignore_index` gives 0, and does not count in the mean,
    in which losses of labels count by their weights.

    Raises `ShapeError`, `AxisError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.cross_entropy(wnp.asarray([[0.0, 0.0], [1000.0, 0.0]]), wnp.asarray([1, 0]))
    Array(0.3465736, dtype=float32)
    >>> wax.nn.cross_entropy(wnp.asarray([0.0, 0.0]), wnp.asarray([0.25, 0.75]))
    Array(0.6931472, dtype=float32)
    """
    name = "cross_entropy"
    value, expected = floating(name, logits), lift(target)
    place = check_axis(name, axis, value.ndim)
    if not 0 <= label_smoothing <= 1:
        raise InvalidArgumentError(f"{name}: label_smoothing must be from 0 to 1, it is {label_smoothing}")
    every, kept, classes = range(value.ndim), kept_dims(value, [place]), value.shape[place]
    weights = _class_weights(name, weight, value, classes)
    largest = maximized(value, [place])
    total = summed(placed(_shifted_exp, [(value, every), (largest, kept)]), [place])
    if dtypes.kind(expected.dtype) == "float":
        if not same_shape(expected.shape, value.shape):
            raise ShapeError(f"{name} of {shapes_text([value, expected])}: a distribution has the shape of the logits")
        if ignore_index is not None:
            raise InvalidArgumentError(f"{name}: ignore_index= goes with labels, and the target is a distribution")
        operands = [(value, every), (expected, every), (total, kept), (largest, kept), (lift(classes), ())]
        if weights is not None:
            operands.insert(2, (weights, [place]))
        formula = _expected if weights is None else _expected_weighted
        losses = summed(placed(formula, operands, smoothing=float(label_smoothing)), [place])
        return _reduced(name, losses, reduction, value.dtype)
    _check_labels(name, value, expected, place)
    picked = _at_label(value, expected, place)
    rows = range(picked.ndim)
    operands = [(total, rows), (largest, rows), (picked, rows)]
    if weights is not None:
        losses, others = placed(_surprise, operands), None
        if label_smoothing:
            losses = placed(_weighted, [(losses, rows), (constant(1.0 - label_smoothing, losses.dtype), ())])
            operands = [(value, every), (weights, [place]), (total, kept), (largest, kept), (lift(classes), ())]
            others = summed(placed(_smoothed_weighted, operands, smoothing=float(label_smoothing)), [place])
        return _of_labels(name, losses, expected, classes, ignore_index, reduction, value.dtype, weights, others)
    if label_smoothing:
        operands += [(summed(value, [place]), rows), (lift(classes), ())]
        losses = placed(_smoothed, operands, smoothing=float(label_smoothing))
    else:
        losses = placed(_surprise, operands)
    return _of_labels(name, losses, expected, classes, ignore_index, reduction, value.dtype)
