"""What takes time: tracing, lowering, compiling, loading and calls of functions, told to whoever listens.

A span is measured once, where the work is done; the log of compilations and `wax.profile` are both made of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from types import TracebackType
from typing import Literal, Self, TypeAlias

__all__ = ["Kind", "Span", "collected", "listen", "unlisten"]

Kind: TypeAlias = Literal["trace", "lower", "compile", "load", "call"]

#: Called at the end of each span, in the thread that it was in. Replaced as a whole, so that it may be read unlocked.
listeners: tuple[Callable[[Span], None], ...] = ()
_lock = threading.Lock()


class Span:
    """A stretch of time in which one thing was done for one function; a context manager, which measures it.

    `begin` and `end` are of `time.perf_counter`.
    """

    __slots__ = ("begin", "end", "function", "kind", "thread", "where")

    def __init__(self, kind: Kind, function: str, where: str = "") -> None:
        self.kind: Kind = kind
        self.function = function
        #: The backend and device, where they are known.
        self.where = where
        self.thread = threading.get_ident()
        self.begin = self.end = 0.0

    @property
    def seconds(self) -> float:
        return self.end - self.begin

    def __enter__(self) -> Self:
        self.begin = perf_counter()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, frames: TracebackType | None) -> None:
        self.end = perf_counter()
        for listener in listeners:
            listener(self)


def listen(listener: Callable[[Span], None]) -> None:
    """Lets a listener know of spans from now on."""
    global listeners
    with _lock:
        listeners = (*listeners, listener)


def unlisten(listener: Callable[[Span], None]) -> None:
    """Lets it know of no more."""
    global listeners
    with _lock:
        listeners = tuple(other for other in listeners if other is not listener)


@contextmanager
def collected() -> Iterator[list[Span]]:
    """The spans that end in this thread until the block ends."""
    spans: list[Span] = []
    thread = threading.get_ident()

    def listener(span: Span) -> None:
        if span.thread == thread:
            spans.append(span)

    listen(listener)
    try:
        yield spans
    finally:
        unlisten(listener)
