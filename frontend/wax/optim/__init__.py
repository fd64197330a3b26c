"""Optimizers as pairs of functions on pytrees, and schedules of what they are given. Names and formulas are Optax's.

    optimizer = wax.optim.adamw(wax.optim.cosine_decay_schedule(1e-3, 1000))
    state = optimizer.init(params)

    @partial(wax.jit, donate_argnames=("params", "state"))
    def step(params, state, batch):
        loss, gradient = wax.value_and_grad(loss_of)(params, batch)
        updates, state = optimizer.update(gradient, state, params)
        return wax.optim.apply_updates(params, updates), state, loss

An optimizer is a `GradientTransformation`, or several in a `chain`: each makes updates of updates, the last ones are
added to the parameters. What it remembers is a pytree, which is saved and donated as any other.
"""

from __future__ import annotations

from wax.optim.composition import (
    EmptyState,
    GradientTransformation,
    apply_updates,
    chain,
    global_norm,
    identity,
)
from wax.optim.optimizers import adagrad, adam, adamw, lion, rmsprop, sgd
from wax.optim.schedules import (
    Schedule,
    constant_schedule,
    cosine_decay_schedule,
    exponential_decay,
    join_schedules,
    linear_schedule,
    piecewise_constant_schedule,
    polynomial_schedule,
    warmup_cosine_decay_schedule,
)
from wax.optim.transformations import (
    ScaleByAdamState,
    ScaleByLionState,
    ScaleByRmsState,
    ScaleByRssState,
    ScaleByScheduleState,
    ScaleByStddevState,
    TraceState,
    add_decayed_weights,
    clip,
    clip_by_global_norm,
    scale,
    scale_by_adam,
    scale_by_learning_rate,
    scale_by_lion,
    scale_by_rms,
    scale_by_rss,
    scale_by_schedule,
    scale_by_stddev,
    trace,
)

__all__ = [
    "EmptyState",
    "GradientTransformation",
    "ScaleByAdamState",
    "ScaleByLionState",
    "ScaleByRmsState",
    "ScaleByRssState",
    "ScaleByScheduleState",
    "ScaleByStddevState",
    "Schedule",
    "TraceState",
    "adagrad",
    "adam",
    "adamw",
    "add_decayed_weights",
    "apply_updates",
    "chain",
    "clip",
    "clip_by_global_norm",
    "constant_schedule",
    "cosine_decay_schedule",
    "exponential_decay",
    "global_norm",
    "identity",
    "join_schedules",
    "linear_schedule",
    "lion",
    "piecewise_constant_schedule",
    "polynomial_schedule",
    "rmsprop",
    "scale",
    "scale_by_adam",
    "scale_by_learning_rate",
    "scale_by_lion",
    "scale_by_rms",
    "scale_by_rss",
    "scale_by_schedule",
    "scale_by_stddev",
    "sgd",
    "trace",
    "warmup_cosine_decay_schedule",
]
