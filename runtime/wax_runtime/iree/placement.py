"""Which of the CPU's devices runs a call: `local-sync` on the calling thread or one for several threads, with a pool.

That is `local-team`, IREE's `local-sync` shared by wax's own threads, or IREE's `local-task`. Other threads take time
to begin, so small calls stay on the calling thread. Setting `WAX_NUM_THREADS=1` keeps all of them there. Work is a
count of elements, of which one may take a hundred times as long as another: where it does not tell, both are tried.
`WAX_TASK_WORK` draws a line instead.

IREE fills all memory that it allocates with zeros, which takes as long as writing a result once more; a pool gives what
was freed last as it is. Small results are not worth it, and large ones go back to the system when they are freed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from wax_runtime.errors import SettingError
from wax_runtime.spec import ArraySpec
from wax_runtime.symbols import evaluate

__all__ = ["devices_for", "forked", "start_of", "team_size", "topology"]

_forked = False


def _after_fork() -> None:
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_after_fork)


def forked() -> bool:
    """Whether this process is a forked child, which has none of the workers that its parent started."""
    return _forked


# An element takes 1 to 3 ps of a product of matrices, 40 of a sum, 6000 of a sort. IREE's workers take 55 µs to wake up
# and report; the team, which waits busily between calls, takes 1, and 40 after a while without any.
_UNCLEAR = {"local-task": range(200_000, 400_000_000), "local-team": range(10_000, 400_000_000)}
_START = {"local-task": 60e-6, "local-team": 8e-6}

# What one of IREE's executors takes.
_MOST_WORKERS = 256


def _unclear(spread: str) -> range:
    """The work of calls that are tried both ways; less stays on the calling thread, and more is spread over threads.

    Raises `SettingError` for a bad one.
    """
    text = os.environ.get("WAX_TASK_WORK", "")
    if not text:
        return _UNCLEAR[spread]
    if not text.isdecimal():
        raise SettingError(f"WAX_TASK_WORK is {text!r}; it must be a number of scalar operations, such as 1000000")
    return range(int(text), int(text))


def start_of(name: str) -> float:
    """Seconds in which the other threads of such a device, whatever its pool, begin; shorter calls are not for them."""
    return _START[name.partition(":")[0]]


def _usable() -> list[int]:
    """The CPUs that this process may use, in order; none where the system does not tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def _threads() -> int | None:
    """How many threads `WAX_NUM_THREADS` asks for. Raises `SettingError` for none that is a number."""
    text = os.environ.get("WAX_NUM_THREADS", "")
    if text and (not text.isdecimal() or int(text) < 1):
        raise SettingError(f"WAX_NUM_THREADS is {text!r}; it must be the number of worker threads, 1 or more")
    return int(text) if text else None


@cache
def _cores(usable: tuple[int, ...]) -> int:
    """How many cores these CPUs are: two may be threads of one, which share its arithmetic."""
    cores: set[str] = set()
    for cpu in usable:
        try:
            cores.add(Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text())
        except OSError:
            cores.add(str(cpu))
    return len(cores)


def team_size() -> int:
    """How many threads share a call: as many as `WAX_NUM_THREADS` says, or one for each core. Raises `SettingError`."""
    return min(_threads() or _cores(tuple(_usable())) or os.cpu_count() or 1, _MOST_WORKERS)


def topology() -> str:
    """IREE's flag for how many workers `local-task` has, and where; empty for one a core, bound to it, as is its way.

    Where there are as many workers as CPUs, each is bound to one: two that Linux wakes on the same CPU, while the
    calling thread is still falling asleep on the other, stay there for as long as a short call takes.
    """
    threads, usable = _threads(), _usable()
    if usable and (threads == len(usable) or (threads is None and len(usable) < (os.cpu_count() or 1))):
        return f"--task_topology_cpu_ids={','.join(map(str, usable[:_MOST_WORKERS]))}"
    return f"--task_topology_group_count={threads}" if threads else ""


# Bytes of results: below, zeros cost nothing that can be seen; above, who frees memory wants the system to have it.
_POOLED = range(128 << 10, (64 << 20) + 1)
# Bytes of arguments, of which a small result needs much between.
_NEEDY = 1 << 20


def devices_for(
    work: int | str | None,
    symbols: Mapping[str, int],
    arguments: Iterable[ArraySpec],
    results: Sequence[ArraySpec | None],
    spread: str = "local-task",
) -> tuple[str, ...]:
    """The device for a call of so much work, or two to choose from; where it is unknown, of so many elements.

    `spread` is what there is for several threads.
    """
    if _forked:
        return ("local-sync",)
    known = [s for s in results if s is not None]
    arguments = tuple(arguments)
    made = sum(s.nbytes for s in known)
    needs = made in _POOLED or (made < _POOLED.start and sum(s.nbytes for s in arguments) >= _NEEDY)
    pool = ":pool" if needs and len(known) == len(results) else ""
    alone = f"local-sync{pool}"
    if (_threads() or len(_usable())) == 1:
        return (alone,)
    amount = sum(s.size for s in (*arguments, *known)) if work is None else evaluate(work, symbols)
    unclear = _unclear(spread)
    if amount in unclear:
        return alone, f"{spread}{pool}"
    return (f"{spread}{pool}",) if amount >= unclear.stop else (alone,)
