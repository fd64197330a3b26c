"""Which of IREE's CPU devices runs a call: `local-sync` on the calling thread or `local-task` on workers, with a pool.

Waking the workers costs tens of microseconds, so small calls stay on the calling thread. Setting
`WAX_NUM_THREADS=1` keeps all of them there; `WAX_TASK_WORK` moves the boundary.

IREE fills all memory that it allocates with zeros, which takes as long as writing a result once more; a pool gives what
was freed last as it is. Small results are not worth it, and large ones go back to the system when they are freed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from wax_runtime.errors import SettingError
from wax_runtime.spec import ArraySpec
from wax_runtime.symbols import evaluate

__all__ = ["device_for", "forked", "task_work"]

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


# Bytes of results: below, zeros cost nothing that can be seen; above, who frees memory wants the system to have it.
_POOLED = range(128 << 10, (64 << 20) + 1)


def device_for(
    work: int | str | None,
    symbols: Mapping[str, int],
    arguments: Iterable[ArraySpec],
    results: Sequence[ArraySpec | None],
) -> str:
    """The HAL device for a call of so much work; where that is unknown, of so many elements read and written."""
    if _forked:
        return "local-sync"
    known = [s for s in results if s is not None]
    pool = ":pool" if len(known) == len(results) and sum(s.nbytes for s in known) in _POOLED else ""
    if os.environ.get("WAX_NUM_THREADS") == "1":
        return f"local-sync{pool}"
    amount = sum(s.size for s in (*arguments, *known)) if work is None else evaluate(work, symbols)
    return f"local-task{pool}" if amount >= task_work() else f"local-sync{pool}"
