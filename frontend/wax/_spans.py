"""What takes time: tracing, lowering, compiling, loading and calls of functions, told to whoever listens.

A span is measured once, where the work is done; the log of compilations and `wax.profile` are both made of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from types import TracebackType
from typing import Literal, Self, TypeAlias, TypeVar

from wax import tree
from wax_runtime.buffer import Buffer
from wax_runtime.listeners import Listeners

__all__ = ["Kind", "Span", "collected", "listeners", "waited"]

Kind: TypeAlias = Literal["trace", "lower", "compile", "load", "call"]

_T = TypeVar("_T")

#: Called at the end of each span.
listeners: Listeners[Callable[[Span], None]] = Listeners()


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
        for listener in listeners.all:
            listener(self)


@contextmanager
def collected() -> Iterator[list[Span]]:
    """The spans that end in this thread until the block ends."""
    spans: list[Span] = []
    thread = threading.get_ident()

    def listener(span: Span) -> None:
        if span.thread == thread:
            spans.append(span)

    with listeners.listening(listener):
        yield spans


def waited(result: _T) -> _T:
    """What a call gave, once its arrays are there: a device may still be at work when the call returns."""
    for leaf in tree.flatten(result)[0]:
        if isinstance(leaf, Buffer):
            leaf.block_until_ready()
    return result
