"""Whether a call is faster on the calling thread or on several: tried in some of its turns, each of which counts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from functools import cached_property

from wax_runtime.buffer import Buffer
from wax_runtime.iree.direct import DirectSteps
from wax_runtime.iree.invocation import Run, Steps
from wax_runtime.iree.placement import forked

__all__ = ["Trial"]

#: Turns that each way is given: fewer where they take some time, and one of a long call is enough. A process's first
#: calls are slower than those that follow.
_TURNS = (3, 10)
_SOME_TIME = 0.002
_LONG = 0.01
#: Others have to win clearly.
_CLEARLY = 0.9
#: Turns after which it is tried again: the processors may have been somebody else's, such as threads of another library
#: that wait busily for its next call.
_AGAIN = (30, 300, 3000)


class Trial:
    """A call that is made `alone`, and by what `spread` gives, by turns, and from then on as is faster.

    What takes less than `short` seconds alone, the time in which others begin, is not given to them. Safe to call from
    several threads, whose turns count alike.
    """

    def __init__(self, alone: Run, spread: Callable[[], Run], short: float) -> None:
        self._alone, self._make_spread, self._short = alone, spread, short
        self._times_alone: list[float] = []
        self._times_spread: list[float] = []
        self._chosen = alone
        #: How often it is made so before it is tried again: without end, once that is settled.
        self._turns: float = 0
        self._again = list(_AGAIN)

    @cached_property
    def _spread(self) -> Run:
        return self._make_spread()

    @property
    def steps(self) -> Steps | DirectSteps | None:
        """How a native caller makes the call as it is made now: as often as `lend` says."""
        return getattr(self._chosen, "steps", None) if self._turns else None

    def lend(self) -> int | None:
        """How many calls are a native caller's before it has to come back; `None` for all."""
        if self._turns == math.inf:
            return None
        turns, self._turns = int(self._turns), 0
        return turns

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        if self._turns:
            self._turns -= 1
            return self._chosen(args)
        if forked():  # which has none of the other threads
            return self._alone(args)
        run, times = self._alone, self._times_alone
        if _enough(times) or len(times) >= max(_TURNS[0], len(self._times_spread) + 1):
            run, times = self._spread, self._times_spread
        begin = time.perf_counter()
        made = run(args)
        times.append(time.perf_counter() - begin)
        self._choose()
        return made

    def _choose(self) -> None:
        alone, spread = self._times_alone, self._times_spread
        if len(alone) >= _TURNS[0] and min(alone) < self._short:
            return self._choose_for_good(self._alone)
        if not (_enough(alone) and _enough(spread)):
            return None
        chosen = self._spread if min(spread) < _CLEARLY * min(alone) else self._alone
        if not self._again or min(alone) >= _LONG:
            return self._choose_for_good(chosen)
        self._times_alone, self._times_spread = [], []
        self._chosen, self._turns = chosen, self._again.pop(0)
        return None

    def _choose_for_good(self, chosen: Run) -> None:
        self._chosen, self._turns = chosen, math.inf


def _enough(times: Sequence[float]) -> bool:
    least, most = _TURNS
    return len(times) >= (least if sum(times) >= _SOME_TIME else most) or sum(times) >= _LONG
