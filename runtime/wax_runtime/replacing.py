"""Files that are written as a whole: whoever reads one meanwhile, or has it mapped, sees the old one or the new one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

__all__ = ["replacing"]


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[Path]:
    """A path to write to, which takes the place of `path` when nothing was raised. Raises `OSError`."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
