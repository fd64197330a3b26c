"""Where the user is: the innermost frame that is not wax's own.

Every operation carries the file, line and column of the user's expression, and every error names it. Frames
of wax itself (and of its runtime) are passed over. This module knows frames and code objects, nothing of IR.
"""

from __future__ import annotations

import os
import sys
import types
from functools import lru_cache

from wax_runtime.errors import ArgumentError, CheckError, Location, WaxError

__all__ = ["current", "definition", "in_wax", "place", "strip_traceback", "user_frame"]

_OWN = tuple(
    os.path.join(os.path.dirname(os.path.abspath(path)), "")
    for path in (__file__, sys.modules["wax_runtime"].__file__ or "")
)


@lru_cache(maxsize=4096)
def in_wax(code: types.CodeType) -> bool:
    """Whether a code object is wax's own: its frames are passed over."""
    return code.co_filename.startswith(_OWN)


def user_frame() -> types.FrameType | None:
    """The innermost frame that is not wax's; `None` when there is none."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and in_wax(frame.f_code):
        frame = frame.f_back
    return frame


@lru_cache(maxsize=65536)
def _position(code: types.CodeType, lasti: int) -> Location:
    for index, (line, _, column, _) in enumerate(code.co_positions()):
        if index == lasti // 2:
            return Location(code.co_filename, line or code.co_firstlineno, (column or 0) + 1)
    return Location(code.co_filename, code.co_firstlineno, 1)


def current() -> Location | None:
    """The user's file, line and column (both from 1) that is being executed.

    One `Location` object per place, so that its identity can key a cache.
    """
    frame = user_frame()
    return None if frame is None else _position(frame.f_code, frame.f_lasti)


def definition(function: object) -> Location | None:
    """Where a Python function is defined; `None` for callables that are no function."""
    code = getattr(function, "__code__", None)
    return Location(code.co_filename, code.co_firstlineno, 1) if isinstance(code, types.CodeType) else None


def place(error: WaxError, location: Location | None) -> None:
    """Gives an error of a call the place where the function is defined; what it says is wrong has no line."""
    if error.location is None and isinstance(error, ArgumentError | CheckError):
        error.location = location


def strip_traceback(error: BaseException) -> None:
    """Leave only the user's frames in an error's traceback; `WAX_TRACEBACK_FILTERING=off` keeps all of them."""
    if os.environ.get("WAX_TRACEBACK_FILTERING", "on").lower() in ("off", "0", "false"):
        return
    frames = []
    entry = error.__traceback__
    while entry is not None:
        if not in_wax(entry.tb_frame.f_code):
            frames.append(entry)
        entry = entry.tb_next
    kept: types.TracebackType | None = None
    for entry in reversed(frames):
        kept = types.TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    error.__traceback__ = kept
