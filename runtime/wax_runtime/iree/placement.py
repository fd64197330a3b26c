"""Which of IREE's two CPU drivers runs a call: `local-sync` on the calling thread, or `local-task` on workers.

Waking the workers costs tens of microseconds, so small calls stay on the calling thread. Setting
`WAX_NUM_THREADS=1` keeps all of them there; `WAX_TASK_WORK` moves the boundary.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from wax_runtime.errors import WaxError
from wax_runtime.spec import ArraySpec
from wax_runtime.symbols import evaluate

__all__ = ["driver_for", "task_work"]

# Two cores: an elementwise function of a million elements wins a third, one of a hundred thousand loses as much.
_DEFAULT_TASK_WORK = 2_000_000


def task_work() -> int:
    """The scalar operations of a call from which on it is spread over threads. Raises `WaxError` for a bad setting."""
    text = os.environ.get("WAX_TASK_WORK", str(_DEFAULT_TASK_WORK))
    if not text.isdecimal():
        raise WaxError(f"WAX_TASK_WORK is {text!r}; it must be a number of scalar operations, such as 1000000")
    return int(text)


def driver_for(
    work: int | str | None,
    symbols: Mapping[str, int],
    arguments: Iterable[ArraySpec],
    results: Iterable[ArraySpec | None],
) -> str:
    """The driver for a call of so much work; where that is unknown, of so many elements read and written."""
    if os.environ.get("WAX_NUM_THREADS") == "1":
        return "local-sync"
    if work is None:
        amount = sum(s.size for s in (*arguments, *results) if s is not None)
    else:
        amount = evaluate(work, symbols)
    return "local-task" if amount >= task_work() else "local-sync"
