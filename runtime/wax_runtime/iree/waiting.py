"""How a thread waits for `local-task`'s workers: it preempts none of them when it wakes up.

The worker that ends a call wakes the calling thread, and notes then that it has done so; the calling thread, awake,
waits for that note busily (IREE 3.13). Where Linux lets it take that very worker's place on a CPU, neither gets on
before the clock's next tick: a call of 1.5 ms takes 4. Threads of the policy `SCHED_BATCH` preempt nobody by waking up.
"""

from __future__ import annotations

import os
from typing import Any

from wax_runtime.iree.invocation import Invoke

__all__ = ["patient"]


def patient(invoke: Invoke) -> Invoke:
    """`VmContext.invoke`, for calls that wait for workers; threads whose policy was chosen by someone keep it."""
    if not hasattr(os, "SCHED_BATCH"):
        return invoke
    unprioritized = os.sched_param(0)

    def invoke_patiently(function: Any, inputs: Any, outputs: Any) -> None:
        try:
            chosen = os.sched_getscheduler(0) != os.SCHED_OTHER
            if not chosen:
                os.sched_setscheduler(0, os.SCHED_BATCH, unprioritized)
        except OSError:  # where a sandbox allows no such thing
            chosen = True
        if chosen:
            return invoke(function, inputs, outputs)
        try:
            return invoke(function, inputs, outputs)
        finally:
            os.sched_setscheduler(0, os.SCHED_OTHER, unprioritized)

    return invoke_patiently
