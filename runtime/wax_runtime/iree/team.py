"""Threads that share the dispatches of a call with the thread that makes it: what `runtime/team` builds, for Python.

`libwax_team.so` has the threads; `wax_spread.o`, which is linked into programs, hands it their workgroups where this
module has turned a switch in the program's bytes. Where there is no such library, or no such object in a program, a
call has the workers of IREE's `local-task` instead. docs/decisions/0047 tells why.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wax_runtime.iree.invocation import Invoke

__all__ = ["OBJECT", "Program", "Recording", "is_there", "plugin_flag", "shared", "switched_on"]

_LIBRARY = Path(__file__).with_name("libwax_team.so")
#: What programs for the machine that wax was built on are linked with; it may not be there.
OBJECT = Path(__file__).with_name("wax_spread.o")

# As library.h has it.
_SWITCH = b"\x9d\x17wax_spread_v1\xe2\x8b"
_OFF, _ON = _SWITCH + b"off ", _SWITCH + b"on  "
# A dispatch counts them in a byte.
_MOST_BINDINGS = 255


@cache
def _library() -> Any:
    """The library, or nothing."""
    try:
        # Its functions are short: no reason to let go of the GIL.
        library = ctypes.PyDLL(str(_LIBRARY))
    except OSError:
        return None
    library.wax_team_enter.argtypes = [ctypes.c_uint]
    library.wax_team_enter.restype = library.wax_team_leave.restype = None
    pointer, number = ctypes.c_void_p, ctypes.c_size_t
    for name, result, arguments in (
        ("wax_team_record", None, []),
        ("wax_team_recorded", pointer, []),
        ("wax_recording_size", number, [pointer]),
        ("wax_recording_bindings", number, [pointer, number, pointer, pointer]),
        ("wax_recording_free", None, [pointer]),
        ("wax_program_new", pointer, [pointer, pointer, number, ctypes.c_uint]),
        ("wax_program_free", None, [pointer]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def is_there() -> bool:
    """Whether there is the library."""
    return _library() is not None


def plugin_flag() -> str:
    """IREE's flag, for a driver to be created, by which programs find the library; empty where there is none."""
    return f"--executable_plugin={_LIBRARY}" if is_there() else ""


def switched_on(payload: bytes) -> bytes | None:
    """A program whose dispatches can be shared, on a driver with the plug-in; `None` if they cannot."""
    return payload.replace(_OFF, _ON) if is_there() and _OFF in payload else None


def shared(invoke: Invoke, threads: int) -> Invoke:
    """`VmContext.invoke` on `local-sync`, with each dispatch shared by so many threads, the calling one among them."""
    enter, leave, members = _library().wax_team_enter, _library().wax_team_leave, threads - 1

    def invoke_shared(function: Any, inputs: Any, outputs: Any) -> None:
        enter(members)
        try:
            return invoke(function, inputs, outputs)
        finally:
            leave()

    return invoke_shared


class Recording:
    """What the dispatches of this thread are, from now on until `end`."""

    def __init__(self) -> None:
        self._address: int | None = None
        _library().wax_team_record()

    def end(self) -> None:
        self._address = _library().wax_team_recorded()

    def dispatches(self) -> list[list[tuple[int, int]]]:
        """Of each dispatch the pieces of memory that it was given: address and length in bytes."""
        library, found = _library(), []
        for index in range(library.wax_recording_size(self._address)):
            places, lengths = (ctypes.c_void_p * _MOST_BINDINGS)(), (ctypes.c_size_t * _MOST_BINDINGS)()
            count = library.wax_recording_bindings(self._address, index, places, lengths)
            found.append([(places[i] or 0, lengths[i]) for i in range(count)])
        return found

    def program(self, words: Sequence[int], threads: int) -> Program | None:
        """What was recorded, to be run again by the steps that words say, if they fit; the recording is used up.

        By so many threads, the calling one among them.
        """
        address, self._address = self._address, None
        made = _library().wax_program_new(address, (ctypes.c_uint64 * len(words))(*words), len(words), threads - 1)
        return Program(made) if made else None

    def __del__(self) -> None:
        if self._address is not None:
            _library().wax_recording_free(self._address)


class Program:
    """Dispatches that can be run again while the program that they are of is loaded."""

    #: The region of what is always in one place.
    FIXED = 2**64 - 1

    def __init__(self, address: int) -> None:
        self.address = address
        weakref.finalize(self, _library().wax_program_free, address).atexit = False

    @staticmethod
    def run_address() -> int:
        """Where `wax_program_run` is."""
        return ctypes.cast(_library().wax_program_run, ctypes.c_void_p).value or 0
