"""The programs that come with IREE's compiler: `iree-compile`, `iree-lld`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from wax_runtime.errors import BackendError

__all__ = ["tool"]


def tool(name: str) -> Path:
    """Where a program is. Raises `BackendError`."""
    # By its place in the package: importing `iree.compiler` is what must not happen here.
    package = find_spec("iree.compiler")
    for folder in (package.submodule_search_locations or []) if package else []:
        found = Path(folder) / "_mlir_libs" / name
        if found.exists():
            return found
    raise BackendError(f"{name} is not there: install the package iree-base-compiler")
