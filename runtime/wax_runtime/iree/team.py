"""Threads that share the dispatches of a call with the thread that makes it: what `runtime/team` builds, for Python.

`libwax_team.so` has the threads; `wax_spread.o`, which is linked into programs, hands it their workgroups where this
module has turned a switch in the program's bytes. Where there is no such library, or no such object in a program, a
call has the workers of IREE's `local-task` instead. docs/decisions/0047 tells why.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wax_runtime.iree.invocation import Invoke

__all__ = ["OBJECT", "plugin_flag", "shared", "switched_on"]

_LIBRARY = Path(__file__).with_name("libwax_team.so")
#: What programs for the machine that wax was built on are linked with; it may not be there.
OBJECT = Path(__file__).with_name("wax_spread.o")

# As library.h has it.
_SWITCH = b"\x9d\x17wax_spread_v1\xe2\x8b"
_OFF, _ON = _SWITCH + b"off ", _SWITCH + b"on  "


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
    return library


def plugin_flag() -> str:
    """IREE's flag, for a driver to be created, by which programs find the library; empty where there is none."""
    return f"--executable_plugin={_LIBRARY}" if _library() is not None else ""


def switched_on(payload: bytes) -> bytes | None:
    """A program whose dispatches can be shared, on a driver with the plug-in; `None` if they cannot."""
    return payload.replace(_OFF, _ON) if _library() is not None and _OFF in payload else None


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
