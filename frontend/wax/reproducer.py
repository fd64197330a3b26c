"""When a compiler fails: the program, its messages and the exact command that shows it again, in a directory.

Used by whatever runs a compiler: the lowering here, a backend's compiler half elsewhere.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

__all__ = ["write_reproducer"]


def write_reproducer(name: str, program: str, command: Sequence[str], messages: Iterable[str]) -> Path:
    """Writes `program.mlir`, `command.sh` and `diagnostics.txt`, and returns their directory.

    `command` is run in that directory. It lies in `WAX_REPRODUCER_DIR`, or the system's folder for temporary
    files.
    """
    root = os.environ.get("WAX_REPRODUCER_DIR")
    if root:
        Path(root).mkdir(parents=True, exist_ok=True)
    safe = re.sub(r"\W+", "_", name)[:40]
    folder = Path(tempfile.mkdtemp(prefix=f"wax-{safe}-", dir=root))
    (folder / "program.mlir").write_text(program)
    (folder / "command.sh").write_text(f'#!/bin/sh\ncd "$(dirname "$0")" && {shlex.join(command)}\n')
    (folder / "command.sh").chmod(0o755)
    (folder / "diagnostics.txt").write_text("\n\n".join(messages) + "\n")
    return folder
