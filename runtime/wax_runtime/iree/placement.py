"""Which of IREE's two CPU drivers runs a call: `local-sync` on the calling thread, or `local-task` on workers.

Waking the workers costs tens of microseconds, so small calls stay on the calling thread. Setting
`WAX_NUM_THREADS=1` keeps all of them there; `WAX_TASK_WORK` moves the boundary.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from wax_runtime.errors import SettingError
from wax_runtime.spec import ArraySpec
from wax_runtime.symbols import evaluate

__all__ = ["driver_for", "forked", "task_work"]

_forked = False


def _after_fork() -> None:
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_after_fork)


def forked() -> bool:
    """Whether this process is a forked child, which has none of the workers that its parent started."""
    return _forked


# Two cores: an elementwise function of a million elements wins a third, one of a hundred thousand loses as much.
_DEFAULT_TASK_WORK = 2_000_000


def task_work() -> int:
    """The scalar operations of a call from which on it is spread over threads. Raises `SettingError` for a bad one."""
    text = os.environ.get("WAX_TASK_WORK", str(_DEFAULT_TASK_WORK))
    if not text.isdecimal():
        raise SettingError(f"WAX_TASK_WORK is {text!r}; it must be a number of scalar operations, such as 1000000")
    return int(text)


def driver_for(
    work: int | str | None,
    symbols: Mapping[str, int],
    arguments: Iterable[ArraySpec],
    results: Iterable[ArraySpec | None],
) -> str:
    """The driver for a call of so much work; where that is unknown, of so many elements read and written."""
    if _forked or os.environ.get("WAX_NUM_THREADS") == "1":
        return "local-sync"
    if work is None:
        amount = sum(s.size for s in (*arguments, *results) if s is not None)
    else:
        amount = evaluate(work, symbols)
    return "local-task" if amount >= task_work() else "local-sync"
