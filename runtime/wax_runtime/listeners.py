"""Who is told of what is measured."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

__all__ = ["Listeners"]

_T = TypeVar("_T")


class Listeners(Generic[_T]):
    """Functions that are called with what happens, in the thread where it happens."""

    __slots__ = ("_lock", "all")

    def __init__(self) -> None:
        #: Replaced as a whole, so that it may be read unlocked.
        self.all: tuple[_T, ...] = ()
        self._lock = threading.Lock()

    @contextmanager
    def listening(self, listener: _T) -> Iterator[None]:
        """Lets one know, of what happens in any thread, until the block ends."""
        with self._lock:
            self.all = (*self.all, listener)
        try:
            yield
        finally:
            with self._lock:
                self.all = tuple(other for other in self.all if other is not listener)
