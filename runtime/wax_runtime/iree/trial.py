"""Whether a call is faster on the calling thread or on workers: tried in its first turns, each of which counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property

from wax_runtime.buffer import Buffer
from wax_runtime.iree.invocation import Run, Steps
from wax_runtime.iree.placement import forked

__all__ = ["Trial"]

#: Turns that each way is given; one of a long call is enough.
_TURNS = 3
_LONG = 0.01
#: Workers take this long to wake up; what is faster alone is not given to them. They have to win clearly.
_SHORT = 60e-6
_CLEARLY = 0.9


class Trial:
    """A call that is made `alone`, then by what `spread` gives, and from then on as is faster.

    Safe to call from several threads, whose turns count alike.
    """

    def __init__(self, alone: Run, spread: Callable[[], Run]) -> None:
        self._alone, self._make_spread = alone, spread
        self._times_alone: list[float] = []
        self._times_spread: list[float] = []
        self._chosen: Run | None = None

    @cached_property
    def _spread(self) -> Run:
        return self._make_spread()

    @property
    def steps(self) -> Steps | None:
        """How a native caller makes the call, once it is known which way."""
        return getattr(self._chosen, "steps", None)

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        if self._chosen is not None:
            return self._chosen(args)
        if forked():  # whose parent's workers it has not
            return self._alone(args)
        if not _enough(self._times_alone):
            run, times = self._alone, self._times_alone
        else:
            run, times = self._spread, self._times_spread
        begin = time.perf_counter()
        made = run(args)
        times.append(time.perf_counter() - begin)
        self._choose()
        return made

    def _choose(self) -> None:
        if not _enough(self._times_alone):
            return
        alone = min(self._times_alone)
        if alone < _SHORT:
            self._chosen = self._alone
        elif _enough(self._times_spread):
            self._chosen = self._spread if min(self._times_spread) < _CLEARLY * alone else self._alone


def _enough(times: Sequence[float]) -> bool:
    return len(times) >= _TURNS or sum(times) >= _LONG
