"""One line in the log for each compilation: what, for which arguments, why, by whom, and how long it took.

The line goes to the logger `wax.compile`: as a warning, which Python shows on standard error, where
`WAX_LOG_COMPILES` is set, else as information, for who configures logging.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable

from wax._spans import Span
from wax.errors import Location
from wax_runtime.backend import Artefact

__all__ = ["log_compilation"]

_log = logging.getLogger("wax.compile")
_CACHED = {True: ", from the disk cache", False: ", not in the disk cache", None: ""}


def log_compilation(
    artefact: Artefact, location: Location | None, cause: str, where: str, tracing: float, spans: Iterable[Span]
) -> str:
    """Tells the log of a compilation, and returns what it was told.

    The function is defined at `location`, and was compiled because of `cause`. Tracing it took so many seconds,
    and the other stages what the spans say, which may be in one another.
    """
    seconds = {"trace": tracing, "lower": 0.0, "compile": 0.0, "load": 0.0}
    for span in spans:
        if span.kind in seconds:
            seconds[span.kind] += span.seconds
    # Backends ask for the form of a program that they compile, or not, as they have it in their cache.
    seconds["compile"] -= seconds["lower"]
    times = ", ".join(f"{stage} {taken:.3f} s" for stage, taken in seconds.items())
    place = "" if location is None else f" ({location.file}:{location.line})"
    line = (
        f"compiled {artefact.signature}{place}: {cause}; by {artefact.backend} for {where}{_CACHED[artefact.cached]}; "
        f"{times}"
    )
    asked = os.environ.get("WAX_LOG_COMPILES", "0") not in ("", "0")
    _log.log(logging.WARNING if asked else logging.INFO, "%s", line)
    return line
