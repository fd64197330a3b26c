"""Programs in two tiers: the reference backend answers calls while the compiled one is made in the background.

Both compute the same, floats but for their rounding. So that no call gives another integer, or takes another branch,
than the next one, functions in which that could be are refused (`_discrete.py`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from wax._compile import first_choice
from wax._discrete import check_discrete
from wax_runtime.backend import CompileOptions
from wax_runtime.devices import CPU, Device

if TYPE_CHECKING:
    from wax.stages import Compiled, Lowered

__all__ = ["Tier", "compile_in_tiers"]


def _new_turns() -> None:
    global _turns
    #: Compilations at a time; more of them only take the processors from one another, and from the calls.
    _turns = threading.Semaphore(max(1, (os.cpu_count() or 2) // 2))


_new_turns()
os.register_at_fork(after_in_child=_new_turns)  # threads of the parent may have had their turn


class _Thread(threading.Thread):
    """A compilation. No daemon: a compiler that works on while a process ends finds its globals gone, and crashes."""


def _somebody_calls() -> bool:
    """Whether a thread is left that could call what is compiled."""
    return any(
        thread.is_alive() and not thread.daemon and not isinstance(thread, _Thread) for thread in threading.enumerate()
    )


def compile_in_tiers(
    lowered: Lowered,
    compile: Callable[[], Compiled],
    device: str | Device | None,
    backend: str | None,
    options: CompileOptions | None,
    cause: str,
    always: bool,
) -> Compiled | Tier:
    """`compile()`, where it is for the CPU, in the background.

    Raises `DiscreteResultError`, unless that is `always` to be done; where it is not, what `compile` raises.
    """
    preferred, where = first_choice(device, backend)
    if where != CPU or preferred.name == "reference":
        return compile()
    if not always:
        check_discrete(lowered._function)
    return Tier(lowered._compile(CPU, "reference", options, f"{cause}, until it is compiled"), compile)


class Tier:
    """A program that is compiled in the background, and what answers meanwhile."""

    def __init__(self, first: Compiled, compile: Callable[[], Compiled]) -> None:
        #: What answers until the other is there.
        self.first = first
        self._compile = compile
        self._lock = threading.Lock()
        self._made: Compiled | None = None
        self._error: Exception | None = None
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        _Thread(target=self._work, name=f"compile {self.first._function.name}", daemon=False).start()

    def _work(self) -> None:
        with _turns:
            if not _somebody_calls():
                return
            try:
                self._made = self._compile()
            except Exception as error:  # noqa: BLE001  # whatever it is, the next call raises it
                self._error = error

    def done(self) -> Compiled | None:
        """The compiled program; `None` while it is not there. Raises what compiling it raised."""
        if self._made is None and self._process != os.getpid():
            with self._lock:  # a forked child, which has no thread but its own
                if self._process != os.getpid():
                    self._start()
        if self._error is not None:
            raise self._error.with_traceback(None)
        return self._made
