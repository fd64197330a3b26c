"""Where the user is: the innermost frame that is not wax's own.

Every operation carries the file, line and column of the user's expression, and every error names it. Frames
of wax itself (and of its runtime) are passed over. This module knows frames and code objects, nothing of IR.
"""

from __future__ import annotations

import os
import sys
import types
from functools import cache
from itertools import islice

from wax_runtime.errors import ArgumentError, CheckError, Location, WaxError

__all__ = ["current", "definition", "in_wax", "place", "strip_traceback", "user_frame"]

_OWN = tuple(
    os.path.join(os.path.dirname(os.path.abspath(path)), "")
    for path in (__file__, sys.modules["wax_runtime"].__file__ or "")
)


@cache
def _is_ours(file: str) -> bool:
    return file.startswith(_OWN)


def in_wax(code: types.CodeType) -> bool:
    """Whether a code object is wax's own: its frames are passed over."""
    return _is_ours(code.co_filename)


def user_frame() -> types.FrameType | None:
    """The innermost frame that is not wax's; `None` when there is none."""
    frame: types.FrameType | None = sys._getframe(1)
    # A call of `in_wax` for each frame would be a tenth of all tracing.
    while frame is not None and _is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _position(code: types.CodeType, lasti: int) -> Location:
    line, _, column, _ = next(islice(code.co_positions(), lasti // 2, None), (None, None, None, None))
    return Location(code.co_filename, line or code.co_firstlineno, (column or 0) + 1)


# By identity, since the hash of a code object is that of all it holds; with the object, so that it stays its own.
_positions: dict[tuple[int, int], tuple[types.CodeType, Location]] = {}
_MAX_POSITIONS = 65536


def current() -> Location | None:
    """The user's file, line and column (both from 1) that is being executed.

    One `Location` object per place, so that its identity can key a cache.
    """
    frame = user_frame()
    if frame is None:
        return None
    code, lasti = frame.f_code, frame.f_lasti
    found = _positions.get((id(code), lasti))
    if found is None:
        if len(_positions) >= _MAX_POSITIONS:
            _positions.clear()
        found = _positions[id(code), lasti] = (code, _position(code, lasti))
    return found[1]


def definition(function: object) -> Location | None:
    """Where a Python function is defined; `None` for callables that are no function."""
    code = getattr(function, "__code__", None)
    return Location(code.co_filename, code.co_firstlineno, 1) if isinstance(code, types.CodeType) else None


def name_of(function: object) -> str:
    """What messages call a user's function; `<lambda>` without the brackets, which types have too."""
    return getattr(function, "__name__", type(function).__name__).strip("<>")


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
