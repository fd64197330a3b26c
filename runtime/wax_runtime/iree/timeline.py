"""What a device that works by itself does for this process, in order: a call begins when the one before it has ended.

Programs for GPUs are compiled to take two fences (IREE's `coarse-fences`): they wait for one on the device, and reach
the other when their results are there. A call then returns as soon as its work is with the driver.
"""

from __future__ import annotations

import atexit
import threading
from collections import deque
from functools import cache
from typing import Any

from wax_runtime.iree.hal import hal_device
from wax_runtime.iree.native import binding

__all__ = ["Timeline", "takes_fences", "timeline_of"]

_Fence = binding.HalFence

#: Calls that may be under way: their arguments stay in memory until they have ended.
_MAX_RUNNING = 32


def takes_fences(function: Any) -> bool:
    """Whether a function of a module was compiled to be called so."""
    return function.reflection.get("iree.abi.model") == "coarse-fences"


class Timeline:
    """The order of one device's work. Safe to use from several threads."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._semaphore = self._device.create_semaphore(0)
        self._last = 0
        self._running: deque[tuple[int, Any]] = deque()

    def next(self, used: Any) -> tuple[Any, Any]:
        """The fence that the next call waits for, and that which it reaches; `used` is kept in memory until then."""
        with self._lock:
            self._forget_ended()
            before, self._last = self._last, self._last + 1
            self._running.append((self._last, used))
            return _Fence.create_at(self._semaphore, before), _Fence.create_at(self._semaphore, self._last)

    def _forget_ended(self) -> None:
        running = self._running
        try:
            if len(running) >= _MAX_RUNNING:
                _Fence.create_at(self._semaphore, running[0][0]).wait()
            reached = self._semaphore.query() if running else 0
        except RuntimeError:
            # A call failed on the device, and so did all that waited for it: who reads their results is told.
            self._begin()
            return
        while running and running[0][0] <= reached:
            running.popleft()

    def skip(self, wait: Any, reached: Any) -> None:
        """Goes on without a call that could not begin: others may wait for it already."""
        try:
            wait.wait()
            reached.signal()
        except RuntimeError:
            with self._lock:
                self._begin()

    def finish(self) -> None:
        """Waits for all calls."""
        with self._lock:
            if self._running:
                _Fence.create_at(self._semaphore, self._last).wait()
                self._running.clear()


@cache
def timeline_of(name: str) -> Timeline:
    """The timeline of a device such as `vulkan:0`. Raises `DeviceError`."""
    made = Timeline(hal_device(name))
    atexit.register(_finish_quietly, made)
    return made


def _finish_quietly(timeline: Timeline) -> None:
    """At the end of the process: a driver's threads would go on with memory that is gone."""
    try:
        timeline.finish()
    except RuntimeError:
        pass
