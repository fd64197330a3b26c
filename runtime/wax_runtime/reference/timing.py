"""How long each step of a plan takes, told to whoever listens; nothing is measured while nobody does.

A program that is run while somebody listens runs by a plan of its own, in which each step is measured. A step that does
a block of others, such as a loop, takes what they take.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeAlias

from wax_runtime.snapshot import Operation

__all__ = ["Listener", "is_timed", "listening", "timed"]

#: Called with the operations that a step does, the last of which gives the result, and when it began and ended by
#: `time.perf_counter`; in the thread that ran it.
Listener: TypeAlias = "Callable[[tuple[Operation, ...], float, float], None]"

_listeners: tuple[Listener, ...] = ()
_lock = threading.Lock()


def is_timed() -> bool:
    """Whether anybody listens."""
    return bool(_listeners)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Lets a listener know of each step, in all threads, until the block ends."""
    global _listeners
    with _lock:
        _listeners = (*_listeners, listener)
    try:
        yield
    finally:
        with _lock:
            _listeners = tuple(other for other in _listeners if other is not listener)


def timed(operations: Sequence[Operation], step: Callable[[list[Any]], None]) -> Callable[[list[Any]], None]:
    """A step that is measured."""
    done = tuple(operations)

    def measured(frame: list[Any]) -> None:
        begin = perf_counter()
        step(frame)
        end = perf_counter()
        for listener in _listeners:
            listener(done, begin, end)

    return measured
