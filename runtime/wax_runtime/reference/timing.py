"""How long each step of a plan takes, told to whoever listens; nothing is measured while nobody does.

A program that is run while somebody listens runs by a plan of its own, in which each step is measured. A step that does
a block of others, such as a loop, takes what they take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, TypeAlias

from wax_runtime.listeners import Listeners
from wax_runtime.snapshot import Operation

__all__ = ["Listener", "listeners", "timed"]

#: Called with the operations that a step does, the last of which gives the result, and when it began and ended by
#: `time.perf_counter`.
Listener: TypeAlias = "Callable[[tuple[Operation, ...], float, float], None]"

listeners: Listeners[Listener] = Listeners()


def timed(operations: Sequence[Operation], step: Callable[[list[Any]], None]) -> Callable[[list[Any]], None]:
    """A step that is measured."""
    done = tuple(operations)

    def measured(frame: list[Any]) -> None:
        begin = perf_counter()
        step(frame)
        end = perf_counter()
        for listener in listeners.all:
            listener(done, begin, end)

    return measured
