"""Schedules: functions from the number of updates so far to a number, such as the learning rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from wax import numpy as wnp
from wax.errors import InvalidArgumentError

__all__ = [
    "Schedule",
    "constant_schedule",
    "cosine_decay_schedule",
    "exponential_decay",
    "join_schedules",
    "linear_schedule",
    "piecewise_constant_schedule",
    "polynomial_schedule",
    "warmup_cosine_decay_schedule",
]

#: What gives a number for the number of updates so far.
Schedule: TypeAlias = "Callable[[Any], Any]"


def constant_schedule(value: float) -> Schedule:
    """The same number always."""
    return lambda count: value


def polynomial_schedule(
    init_value: float, end_value: float, power: float, transition_steps: int, transition_begin: int = 0
) -> Schedule:
    """From `init_value` to `end_value` in so many steps: their difference times `(1 - done) ** power` is left."""
    if transition_steps <= 0:
        return constant_schedule(init_value)
    begin = max(transition_begin, 0)

    def schedule(count: Any) -> Any:
        left = 1 - wnp.clip(wnp.asarray(count) - begin, 0, transition_steps) / transition_steps
        return (init_value - end_value) * (left if power == 1 else left**power) + end_value

    return schedule


def linear_schedule(init_value: float, end_value: float, transition_steps: int, transition_begin: int = 0) -> Schedule:
    """From `init_value` to `end_value` in equal steps.

    >>> wax.optim.linear_schedule(1.0, 0.0, 4)(1)
    Array(0.75, dtype=float32)
    """
    return polynomial_schedule(init_value, end_value, 1, transition_steps, transition_begin)


def piecewise_constant_schedule(
    init_value: float, boundaries_and_scales: Mapping[int, float] | None = None
) -> Schedule:
    """`init_value`, multiplied at each boundary by its scale."""
    pieces = sorted((boundaries_and_scales or {}).items())
    if any(scale < 0 for _, scale in pieces):
        raise InvalidArgumentError(f"piecewise_constant_schedule: a scale in {dict(pieces)} is negative")

    def schedule(count: Any) -> Any:
        value: Any = init_value
        for boundary, scale in pieces:
            value = wnp.where(wnp.asarray(count) >= boundary, value * scale, value)
        return value

    return schedule


def exponential_decay(
    init_value: float,
    transition_steps: int,
    decay_rate: float,
    transition_begin: int = 0,
    staircase: bool = False,
    end_value: float | None = None,
) -> Schedule:
    """`init_value * decay_rate ** (steps since the begin / transition_steps)`, and no further than `end_value`."""
    if transition_steps <= 0 or decay_rate == 0:
        return constant_schedule(init_value)
    begin = max(transition_begin, 0)

    def schedule(count: Any) -> Any:
        since = wnp.asarray(count) - begin
        power = since / transition_steps
        if staircase:
            power = wnp.floor(power)
        value = wnp.where(since <= 0, init_value, init_value * wnp.exp(power * math.log(decay_rate)))
        if end_value is not None:
            value = wnp.maximum(value, end_value) if decay_rate < 1 else wnp.minimum(value, end_value)
        return value

    return schedule


def cosine_decay_schedule(init_value: float, decay_steps: int, alpha: float = 0.0, exponent: float = 1.0) -> Schedule:
    """From `init_value` to `alpha` times it, along half a turn of the cosine."""
    if decay_steps <= 0:
        raise InvalidArgumentError(f"cosine_decay_schedule: decay_steps is {decay_steps}, and must be positive")

    def schedule(count: Any) -> Any:
        done = wnp.minimum(wnp.asarray(count), decay_steps) / decay_steps
        left = 0.5 * (1 + wnp.cos(math.pi * done))
        return init_value * ((1 - alpha) * (left if exponent == 1 else left**exponent) + alpha)

    return schedule


def join_schedules(schedules: Sequence[Schedule], boundaries: Sequence[int]) -> Schedule:
    """Schedules one after another; each counts from the boundary that it begins at."""
    if len(boundaries) != len(schedules) - 1:
        raise InvalidArgumentError(f"join_schedules: {len(schedules)} schedules have {len(schedules) - 1} boundaries")

    def schedule(count: Any) -> Any:
        count = wnp.asarray(count)
        value = schedules[0](count)
        for boundary, later in zip(boundaries, schedules[1:], strict=True):
            value = wnp.where(count < boundary, value, later(count - boundary))
        return value

    return schedule


def warmup_cosine_decay_schedule(
    init_value: float,
    peak_value: float,
    warmup_steps: int,
    decay_steps: int,
    end_value: float = 0.0,
    exponent: float = 1.0,
) -> Schedule:
    """Linearly from `init_value` to `peak_value`, then along the cosine to `end_value`, at step `decay_steps`."""
    if decay_steps <= warmup_steps:
        raise InvalidArgumentError(
            f"warmup_cosine_decay_schedule: decay_steps ({decay_steps}) counts the {warmup_steps} warmup_steps too, "
            f"and must be more"
        )
    alpha = 0.0 if peak_value == 0 else end_value / peak_value
    warmup = linear_schedule(init_value, peak_value, warmup_steps)
    decay = cosine_decay_schedule(peak_value, decay_steps - warmup_steps, alpha, exponent)
    return join_schedules([warmup, decay], [warmup_steps])
