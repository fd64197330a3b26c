"""The linker of programs for CPUs: IREE's own, called as IREE calls it for a file that needs nothing of a system."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from tempfile import TemporaryDirectory

from wax.backends.iree.tools import tool
from wax_runtime.iree.team import OBJECT

__all__ = ["OPTIONS", "QUERY", "QUERY_INSIDE", "link", "query_of"]

#: IREE's command for embedded files, but for what it adds to any.
OPTIONS = (
    "-flavor gnu --build-id=none --no-undefined --no-allow-shlib-undefined --allow-multiple-definition --gc-sections "
    "-z now -z relro --discard-all --icf=all --ignore-data-address-equality --ignore-function-address-equality "
    "--hash-style=sysv"
)

#: The function by which IREE asks a program what it has, and its name where `wax_spread.o` has one of the first name,
#: which calls it.
QUERY, QUERY_INSIDE = "iree_hal_executable_library_query", "wree_hal_executable_library_query"


def query_of() -> str:
    """The name that the function has in an object file of ours."""
    return QUERY_INSIDE if OBJECT.exists() else QUERY


def link(objects: Sequence[bytes]) -> bytes:
    """A program's file of object files, and of what shares its work between threads, where wax was built with that.

    Raises `CalledProcessError`.
    """
    with TemporaryDirectory(prefix="wax-") as folder:
        paths = [os.path.join(folder, f"{index}.o") for index in range(len(objects))]
        for path, data in zip(paths, objects, strict=True):
            with open(path, "wb") as file:
                file.write(data)
        made = os.path.join(folder, "program.so")
        spread = [str(OBJECT)] if OBJECT.exists() else []
        command = [tool("iree-lld"), *OPTIONS.split(), "-nostdlib", "-static", "-shared", "-o", made, *paths, *spread]
        environment = {**os.environ, "LLD_VERSION": "IREE"}
        subprocess.run(command, env=environment, check=True, stdin=subprocess.DEVNULL, capture_output=True)
        with open(made, "rb") as file:
            return file.read()
