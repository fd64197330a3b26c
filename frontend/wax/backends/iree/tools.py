"""IREE's compiler as a package: its release, and the programs that come with it, `iree-compile` and `iree-lld`.

By what is on disk: importing `iree.compiler` loads its library.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from wax_runtime.errors import BackendError

__all__ = ["iree_version", "tool"]


def tool(name: str) -> Path:
    """Where a program is. Raises `BackendError`."""
    package = find_spec("iree.compiler")
    for folder in (package.submodule_search_locations or []) if package else []:
        found = Path(folder) / "_mlir_libs" / name
        if found.exists():
            return found
    raise BackendError(f"{name} is not there: install the package iree-base-compiler")


@cache
def iree_version() -> str:
    """The release of IREE's compiler. Raises `BackendError` where it is not installed."""
    try:
        metadata = distribution("iree-base-compiler").read_text("METADATA") or ""
    except PackageNotFoundError as error:
        raise BackendError(
            "iree-base-compiler is not installed; `pip install iree-base-compiler`, "
            "of the same version as iree-base-runtime"
        ) from error
    # Not by `version()`, which parses all of it as an e-mail.
    line = next(line for line in metadata.splitlines() if line.startswith("Version:"))
    return line.partition(":")[2].strip()
