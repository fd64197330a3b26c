"""How programs for CPUs are linked: by IREE as it links a file that needs nothing of a system, and here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wax.backends.iree.elf import linked
from wax_runtime.iree.team import OBJECT

__all__ = ["OPTIONS", "QUERY", "QUERY_INSIDE", "Executable", "link", "query_of"]

#: IREE's command for embedded files, but for what it adds to any.
OPTIONS = (
    "-flavor gnu --build-id=none --no-undefined --no-allow-shlib-undefined --allow-multiple-definition --gc-sections "
    "-z now -z relro --discard-all --icf=all --ignore-data-address-equality --ignore-function-address-equality "
    "--hash-style=sysv"
)

#: The function by which IREE asks a program what it has, and its name where `wax_spread.o` has one of the first name,
#: which calls it.
QUERY, QUERY_INSIDE = "iree_hal_executable_library_query", "wree_hal_executable_library_query"


class Executable(NamedTuple):
    """Machine code: the file's bytes, and how many workgroups each of its functions has."""

    name: str
    format: str
    mime_type: str
    data: bytes
    counts: dict[str, tuple[int, int, int]]


def query_of() -> str:
    """The name that the function has in an object file of ours."""
    return QUERY_INSIDE if OBJECT.exists() else QUERY


def link(objects: Sequence[bytes]) -> bytes:
    """A program's file of object files, and of what shares its work between threads, where wax was built with that.

    Raises `OSError`, and `ValueError` for what cannot be linked.
    """
    spread = [OBJECT.read_bytes()] if OBJECT.exists() else []
    return linked([*objects, *spread], QUERY)
