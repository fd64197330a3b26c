"""When nothing compiles a program: the program, the compiler's messages and the exact command, in a directory."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterable
from pathlib import Path

from wax.backends.iree.capi import Diagnostic

__all__ = ["write_reproducer"]


def write_reproducer(name: str, text: str, flags: Iterable[str], diagnostics: Iterable[Diagnostic]) -> Path:
    """Write `program.mlir`, `command.sh` and `diagnostics.txt`, and return their directory.

    It lies in `WAX_REPRODUCER_DIR`, or the system's folder for temporary files.
    """
    root = os.environ.get("WAX_REPRODUCER_DIR")
    if root:
        Path(root).mkdir(parents=True, exist_ok=True)
    safe = re.sub(r"\W+", "_", name)[:40]
    folder = Path(tempfile.mkdtemp(prefix=f"wax-{safe}-", dir=root))
    (folder / "program.mlir").write_text(text)
    command = ["iree-compile", *flags, "program.mlir", "-o", "program.vmfb"]
    (folder / "command.sh").write_text(f'#!/bin/sh\ncd "$(dirname "$0")" && {shlex.join(command)}\n')
    (folder / "command.sh").chmod(0o755)
    (folder / "diagnostics.txt").write_text("\n\n".join(f"{d.severity}: {d.message}" for d in diagnostics) + "\n")
    return folder
