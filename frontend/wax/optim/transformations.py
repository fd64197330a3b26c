"""The transformations that optimizers are chains of."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from wax import numpy as wnp
from wax import tree
from wax.dtypes import DTypeLike
from wax.errors import InvalidArgumentError
from wax.optim.composition import (
    EmptyState,
    GradientTransformation,
    absolute_square,
    global_norm,
    stateless,
)
from wax.optim.schedules import Schedule

__all__ = [
    "ScaleByAdamState",
    "ScaleByLionState",
    "ScaleByRmsState",
    "ScaleByRssState",
    "ScaleByScheduleState",
    "ScaleByStddevState",
    "TraceState",
    "add_decayed_weights",
    "clip",
    "clip_by_global_norm",
    "scale",
    "scale_by_adam",
    "scale_by_learning_rate",
    "scale_by_lion",
    "scale_by_rms",
    "scale_by_rss",
    "scale_by_schedule",
    "scale_by_stddev",
    "trace",
]


class TraceState(NamedTuple):
    """The decaying sum of updates."""

    trace: Any


class ScaleByAdamState(NamedTuple):
    """How many updates there were, and the moving averages of them and of their squares."""

    count: Any
    mu: Any
    nu: Any


class ScaleByLionState(NamedTuple):
    """How many updates there were, and the moving average of them."""

    count: Any
    mu: Any


class ScaleByRmsState(NamedTuple):
    """The moving average of squares; with bias correction, how many updates there were."""

    nu: Any
    count: Any = None


class ScaleByStddevState(NamedTuple):
    """The moving averages of updates and of their squares; with bias correction, how many there were."""

    mu: Any
    nu: Any
    count: Any = None


class ScaleByRssState(NamedTuple):
    """The sum of squares."""

    sum_of_squares: Any


class ScaleByScheduleState(NamedTuple):
    """How many updates there were."""

    count: Any


# What they share.


def _zero_count() -> Any:
    return wnp.asarray(0, dtype=wnp.int32)


def _next(count: Any) -> Any:
    """One more, and the last number that there is stays."""
    last = 2**31 - 1
    return wnp.where(count < last, count + 1, last)


def _filled_like(params: Any, value: float, dtype: DTypeLike | None = None) -> Any:
    return tree.map(lambda x: wnp.full_like(wnp.asarray(x), value, dtype=dtype), params)


def _average(new: Any, old: Any, decay: float) -> Any:
    return tree.map(lambda x, average: (1 - decay) * x + decay * average, new, old)


def _average_of_squares(new: Any, old: Any, decay: float) -> Any:
    return tree.map(lambda x, average: (1 - decay) * absolute_square(x) + decay * average, new, old)


def _cast(values: Any, dtype: DTypeLike | None) -> Any:
    return values if dtype is None else tree.map(lambda x: x.astype(dtype), values)


def _unbiased(averages: Any, decay: float, count: Any) -> Any:
    """Moving averages that began with zeros, divided by the weight of what is no zero: 1 - decay ** count.

    In each average's own precision, and without the cancellation that there is for a decay near 1.
    """
    return tree.map(lambda x: x / _weight(decay, count, x.dtype), averages)


def _weight(decay: float, count: Any, dtype: Any) -> Any:
    if decay == 0:
        return 1
    real = wnp.finfo(dtype).dtype
    weight = -wnp.expm1(count.astype(wnp.result_type(real, wnp.float32)) * math.log(decay))
    return weight.astype(real)


# The transformations.


def scale(factor: Any) -> GradientTransformation:
    """Updates times a number."""
    return stateless(lambda updates, params: tree.map(lambda x: factor * x, updates))


def scale_by_schedule(schedule: Schedule) -> GradientTransformation:
    """Updates times what the schedule gives for the number of updates before."""

    def init(params: Any) -> ScaleByScheduleState:
        return ScaleByScheduleState(_zero_count())

    def update(updates: Any, state: ScaleByScheduleState, params: Any = None) -> tuple[Any, ScaleByScheduleState]:
        factor = wnp.asarray(schedule(state.count))
        scaled = tree.map(lambda x: factor.astype(x.dtype) * x, updates)
        return scaled, ScaleByScheduleState(_next(state.count))

    return GradientTransformation(init, update)


def scale_by_learning_rate(learning_rate: float | Schedule) -> GradientTransformation:
    """Updates times a negative number: the way down. A schedule gives the number for that of updates before."""
    if callable(learning_rate):
        return scale_by_schedule(lambda count: -learning_rate(count))
    return scale(-learning_rate)


def trace(decay: float, nesterov: bool = False, accumulator_dtype: DTypeLike | None = None) -> GradientTransformation:
    """Momentum: the sum of updates, of which the earlier ones decay; Nesterov's looks one update ahead."""

    def init(params: Any) -> TraceState:
        return TraceState(_filled_like(params, 0, accumulator_dtype))

    def update(updates: Any, state: TraceState, params: Any = None) -> tuple[Any, TraceState]:
        def added(x: Any, sum: Any) -> Any:
            return x + decay * sum

        sums = tree.map(added, updates, state.trace)
        moved = tree.map(added, updates, sums) if nesterov else sums
        return moved, TraceState(_cast(sums, accumulator_dtype))

    return GradientTransformation(init, update)


def scale_by_adam(
    b1: float = 0.9,
    b2: float = 0.999,
    eps: float = 1e-8,
    eps_root: float = 0.0,
    mu_dtype: DTypeLike | None = None,
    *,
    nesterov: bool = False,
) -> GradientTransformation:
    """The moving average of updates, over the root of that of their squares."""

    def init(params: Any) -> ScaleByAdamState:
        return ScaleByAdamState(_zero_count(), _filled_like(params, 0, mu_dtype), _filled_like(params, 0))

    def update(updates: Any, state: ScaleByAdamState, params: Any = None) -> tuple[Any, ScaleByAdamState]:
        count = _next(state.count)
        mu = _average(updates, state.mu, b1)
        nu = _average_of_squares(updates, state.nu, b2)
        if nesterov:
            ahead = _unbiased(mu, b1, _next(count))
            here = _unbiased(updates, b1, count)
            mean = tree.map(lambda m, x: b1 * m + (1 - b1) * x, ahead, here)
        else:
            mean = _unbiased(mu, b1, count)
        made = tree.map(lambda m, v: m / (wnp.sqrt(v + eps_root) + eps), mean, _unbiased(nu, b2, count))
        return made, ScaleByAdamState(count, _cast(mu, mu_dtype), nu)

    return GradientTransformation(init, update)


def scale_by_lion(b1: float = 0.9, b2: float = 0.99, mu_dtype: DTypeLike | None = None) -> GradientTransformation:
    """The sign of the moving average of updates."""

    def init(params: Any) -> ScaleByLionState:
        return ScaleByLionState(_zero_count(), _filled_like(params, 0, mu_dtype))

    def update(updates: Any, state: ScaleByLionState, params: Any = None) -> tuple[Any, ScaleByLionState]:
        made = tree.map(wnp.sign, _average(updates, state.mu, b1))
        mu = _cast(_average(updates, state.mu, b2), mu_dtype)
        return made, ScaleByLionState(_next(state.count), mu)

    return GradientTransformation(init, update)


def _over_root(x: Any, squares: Any, eps: float, eps_in_sqrt: bool) -> Any:
    return x / wnp.sqrt(squares + eps) if eps_in_sqrt else x / (wnp.sqrt(squares) + eps)


def scale_by_rms(
    decay: float = 0.9,
    eps: float = 1e-8,
    initial_scale: float = 0.0,
    eps_in_sqrt: bool = True,
    bias_correction: bool = False,
) -> GradientTransformation:
    """Updates over the root of the moving average of their squares."""

    def init(params: Any) -> ScaleByRmsState:
        return ScaleByRmsState(_filled_like(params, initial_scale), _zero_count() if bias_correction else None)

    def update(updates: Any, state: ScaleByRmsState, params: Any = None) -> tuple[Any, ScaleByRmsState]:
        nu = squares = _average_of_squares(updates, state.nu, decay)
        count = None
        if bias_correction:
            count = _next(state.count)
            squares = _unbiased(nu, decay, count)
        made = tree.map(lambda x, v: _over_root(x, v, eps, eps_in_sqrt), updates, squares)
        return made, ScaleByRmsState(nu, count)

    return GradientTransformation(init, update)


def scale_by_stddev(
    decay: float = 0.9,
    eps: float = 1e-8,
    initial_scale: float = 0.0,
    eps_in_sqrt: bool = True,
    bias_correction: bool = False,
) -> GradientTransformation:
    """Updates over the root of the moving average of their squared distance from their moving average."""

    def init(params: Any) -> ScaleByStddevState:
        count = _zero_count() if bias_correction else None
        return ScaleByStddevState(_filled_like(params, 0), _filled_like(params, initial_scale), count)

    def update(updates: Any, state: ScaleByStddevState, params: Any = None) -> tuple[Any, ScaleByStddevState]:
        mu = mean = _average(updates, state.mu, decay)
        nu = squares = _average_of_squares(updates, state.nu, decay)
        count = None
        if bias_correction:
            count = _next(state.count)
            mean, squares = _unbiased(mu, decay, count), _unbiased(nu, decay, count)
        made = tree.map(lambda x, m, v: _over_root(x, v - absolute_square(m), eps, eps_in_sqrt), updates, mean, squares)
        return made, ScaleByStddevState(mu, nu, count)

    return GradientTransformation(init, update)


def scale_by_rss(initial_accumulator_value: float = 0.1, eps: float = 1e-7) -> GradientTransformation:
    """Updates over the root of the sum of their squares; zero where that is zero."""

    def init(params: Any) -> ScaleByRssState:
        return ScaleByRssState(_filled_like(params, initial_accumulator_value))

    def update(updates: Any, state: ScaleByRssState, params: Any = None) -> tuple[Any, ScaleByRssState]:
        sums = tree.map(lambda x, total: absolute_square(x) + total, updates, state.sum_of_squares)
        made = tree.map(lambda x, total: wnp.where(total > 0, x / wnp.sqrt(total + eps), 0), updates, sums)
        return made, ScaleByRssState(sums)

    return GradientTransformation(init, update)


def add_decayed_weights(
    weight_decay: float | Schedule = 0.0, mask: Any | Callable[[Any], Any] = None
) -> GradientTransformation:
    """Updates with parameters added, times a number: what makes weights decay.

    `mask` is a pytree of booleans, or a function that makes one of the parameters: which of them decay. One boolean
    may stand for a subtree.
    """
    scheduled = callable(weight_decay)

    def init(params: Any) -> Any:
        return ScaleByScheduleState(_zero_count()) if scheduled else EmptyState()

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, Any]:
        if params is None:
            raise InvalidArgumentError(
                "add_decayed_weights: what decays are the parameters; give them: update(updates, state, params)"
            )
        decay = weight_decay(state.count) if callable(weight_decay) else weight_decay
        chosen = mask(params) if callable(mask) else mask

        def added(x: Any, param: Any, decays: Any) -> Any:
            return (x + decay * param).astype(x.dtype) if decays else x

        made = tree.map(added, updates, params, _everywhere(chosen, updates))
        return made, ScaleByScheduleState(_next(state.count)) if scheduled else state

    return GradientTransformation(init, update)


def _everywhere(mask: Any, like: Any) -> Any:
    """A boolean for each leaf, of a mask that may have one for a subtree."""
    if mask is None:
        return tree.map(lambda _: True, like)
    flags, structure = tree.flatten(mask)
    if not all(isinstance(flag, bool) for flag in flags):
        raise InvalidArgumentError("add_decayed_weights: a mask holds booleans, known when the program is made")
    try:
        below = structure.flatten_up_to(like)
    except ValueError as error:
        raise InvalidArgumentError(
            f"add_decayed_weights: the mask has another structure than the parameters: {error}"
        ) from None
    return tree.unflatten(
        structure, [tree.map(lambda _, flag=flag: flag, part) for flag, part in zip(flags, below, strict=True)]
    )


def clip(max_delta: float) -> GradientTransformation:
    """Each element of the updates between `-max_delta` and `max_delta`."""
    return stateless(lambda updates, params: tree.map(lambda x: wnp.clip(x, -max_delta, max_delta), updates))


def clip_by_global_norm(max_norm: float) -> GradientTransformation:
    """All updates divided by one number, such that their global norm is at most `max_norm`."""

    def clipped(updates: Any, params: Any) -> Any:
        norm = global_norm(updates)
        fits = norm < max_norm
        return tree.map(lambda x: wnp.where(fits, x, x / norm.astype(x.dtype) * max_norm), updates)

    return stateless(clipped)
