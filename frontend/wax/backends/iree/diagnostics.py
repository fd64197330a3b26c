"""From IREE's messages to the user's own line."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wax.backends.iree.outcomes import Diagnostic
from wax_runtime.errors import Location

__all__ = ["user_location"]

# How MLIR prints a FileLineColLoc; names of IR buffers end in .mlir and are not the user's.
_LOCATION = re.compile(r'([^\s"\'()]+\.(?:py|ipynb)|<[\w -]+>):(\d+):(\d+)')


def user_location(diagnostics: Iterable[Diagnostic]) -> Location | None:
    """The first place in Python source that the errors name, the innermost of a call chain."""
    for diagnostic in diagnostics:
        match = _LOCATION.search(diagnostic.message) if diagnostic.severity == "error" else None
        if match:
            return Location(match[1], int(match[2]), int(match[3]))
    return None
