"""Connectionist temporal classification: the loss of all alignments of a sequence of labels with longer scores."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.control_flow import scan
from wax.dims import same, same_shape
from wax.eager import api
from wax.errors import InvalidArgumentError, PromotionError, ShapeError
from wax.nn._operands import floating
from wax.numpy._basis import ArrayLike, cast, integer, lift, scalars, shapes_text
from wax.numpy._elementwise import elementwise
from wax.numpy.creation import arange, full
from wax.numpy.indexing import take_along_axis
from wax.numpy.manipulation import concat, reshape, stack
from wax.numpy.searching import all
from wax.numpy.statistical import mean, sum

__all__ = ["ctc_loss"]


@elementwise()
def _may_skip(label: Any, before: Any, blank: Any, /) -> Any:
    return scalars.logical_and(label != blank, label != before)


@elementwise()
def _started(score: Any, place: Any, /) -> Any:
    return scalars.where(place < 2, score, float("-inf"))


def _total(*terms: Any) -> Any:
    """The logarithm of the sum of the terms' exponentials; of nothing, -inf."""
    largest = terms[0]
    for term in terms[1:]:
        largest = scalars.maximum(largest, term)
    shift = scalars.where(largest == float("-inf"), 0.0, largest)
    total = scalars.exp(terms[0] - shift)
    for term in terms[1:]:
        total = total + scalars.exp(term - shift)
    return scalars.log(total) + shift


@elementwise()
def _advanced(stay: Any, step: Any, skip: Any, may_skip: Any, score: Any, time: Any, length: Any, /) -> Any:
    """The chance of being at a place a time later; what has ended stays as it is."""
    leap = scalars.where(may_skip, skip, float("-inf"))
    return scalars.where(time < length, _total(stay, step, leap) + score, stay)


@elementwise()
def _ended(blank: Any, label: Any, times: Any, count: Any, valid: Any, /) -> Any:
    """The loss of the alignments that end with the last blank, or with the last label if there is one."""
    loss = -scalars.where(count > 0, _total(blank, label), blank)
    never = scalars.where(count > 0, float("inf"), scalars.cast(count, loss.dtype))
    loss = scalars.where(times > 0, loss, never)
    return scalars.where(valid, loss, float("nan"))


@elementwise()
def _is_valid(label: Any, place: Any, count: Any, classes: Any, blank: Any, /) -> Any:
    is_class = scalars.logical_and(scalars.logical_and(label >= 0, label < classes), label != blank)
    return scalars.logical_or(place >= count, is_class)


@elementwise()
def _by_length(loss: Any, count: Any, /) -> Any:
    return loss / scalars.cast(scalars.maximum(count, 1), loss.dtype)


def _lengths(lengths: ArrayLike, what: str, batch: Any) -> Any:
    value = lift(lengths)
    if dtypes.kind(value.dtype) not in ("int", "uint"):
        raise PromotionError(f"ctc_loss: {what} must be integers, they are {value.dtype}")
    if not same_shape(value.shape, (batch,)):
        raise ShapeError(f"ctc_loss: {what} are {shapes_text([value])} and must have shape ({batch},)")
    return cast(value, dtypes.int32)


@api
def ctc_loss(
    log_probs: ArrayLike,
    labels: ArrayLike,
    input_lengths: ArrayLike,
    label_lengths: ArrayLike,
    /,
    *,
    blank: int = 0,
    reduction: str = "mean",
) -> Array:
    """`-log` of the chance of all alignments of `labels`: each stands for a while, with blanks between and around.

    `log_probs` has shape (times, batch, classes), `labels` (batch, most labels), and of these the first
    `label_lengths` count, and of the times the first `input_lengths`; both have shape (batch,). Equal neighbours have a
    blank between them. The loss is infinite where there are too few times, NaN where a label that counts is no class or
    is the blank, or where more labels count than there are. "mean" is over the losses divided by the labels' numbers.

    (A. Graves and others, "Connectionist Temporal Classification", 2006.) Raises `ShapeError`, `PromotionError`,
    `InvalidArgumentError`.

    >>> scores = wnp.log(wnp.full((2, 1, 2), 0.5))
    >>> wax.nn.ctc_loss(scores, wnp.asarray([[1]]), wnp.asarray([2]), wnp.asarray([1]), reduction="sum")
    Array(0.2876821, dtype=float32)
    """
    scores, targets = floating("ctc_loss", log_probs), lift(labels)
    if dtypes.kind(targets.dtype) not in ("int", "uint"):
        raise PromotionError(f"ctc_loss: labels must be integers, they are {targets.dtype}")
    if scores.ndim != 3 or targets.ndim != 2 or not same(scores.shape[1], targets.shape[0]) or same(scores.shape[0], 0):
        raise ShapeError(
            f"ctc_loss of {shapes_text([scores, targets])}: the shapes must be (times, batch, classes), with one time "
            f"or more, and (batch, most labels)"
        )
    if reduction not in ("mean", "sum", "none"):
        raise InvalidArgumentError(f'ctc_loss: reduction is {reduction!r}; it is one of "mean", "sum" and "none"')
    (times, batch, classes), most = scores.shape, targets.shape[1]
    spared = integer("ctc_loss", "blank", blank)
    if spared < 0 or (isinstance(classes, int) and spared >= classes):
        raise InvalidArgumentError(f"ctc_loss: blank is {spared}, and the classes are 0 to {classes - 1}")
    ends, counts = _lengths(input_lengths, "input_lengths", batch), _lengths(label_lengths, "label_lengths", batch)
    dtype = scores.dtype
    scores, targets = cast(scores, dtypes.widened(dtype)), cast(targets, dtypes.int32)

    # Places: blanks and labels in turn.
    blanks = full((batch, most + 1), spared, dtype=dtypes.int32)
    places = concat([reshape(stack([blanks[:, 1:], targets], axis=-1), (batch, 2 * most)), blanks[:, :1]], axis=1)
    count = 2 * most + 1
    two = full((batch, 2), float("-inf"), dtype=scores.dtype)
    skips = _may_skip(places, concat([blanks[:, :1], blanks[:, :1], places], axis=1)[:, :count], spared)
    at_places = take_along_axis(scores, places[None], axis=2)
    limits = ends[:, None]

    def turn(state: Any, x: Any) -> Any:
        score, time = x
        step, skip = (concat([two[:, :back], state], axis=1)[:, :count] for back in (1, 2))
        return _advanced(state, step, skip, skips, score, time, limits), ()

    numbers = arange(1, times, dtype=dtypes.int32)
    state, _ = scan(turn, _started(at_places[0], arange(count, dtype=dtypes.int32)), (at_places[1:], numbers))

    inside = _is_valid(targets, arange(most, dtype=dtypes.int32), counts[:, None], lift(classes), spared)
    valid = all(inside, axis=1) & (counts <= lift(most))
    last = 2 * counts
    blank_last, label_last = (take_along_axis(state, place[:, None], axis=1)[:, 0] for place in (last, last - 1))
    losses = _ended(blank_last, label_last, ends, counts, valid)
    match reduction:
        case "mean":
            return cast(mean(_by_length(losses, counts)), dtype)
        case "sum":
            return cast(sum(losses), dtype)
        case _:
            return cast(losses, dtype)
