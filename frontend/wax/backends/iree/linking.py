"""How programs for this machine's CPU are linked: without IREE's C library, and with what shares their work.

IREE 3.13 takes all of musl's mathematics and memory functions into a program that is to be an embedded ELF file, before
LLVM optimizes it, as code generation may call them; it throws away what nothing calls when it links. That is a fifth of
a small program's compile time. Here IREE is told that the file is no embedded one, for which it takes none, and to link
it by the command by which it links embedded ones. A program that calls such a function does not link then, and is
compiled as IREE does it. docs/decisions/0037 has what was measured.

Either way `wax_spread.o` is linked into it, where wax was built with one, by which a call's dispatches are shared by
threads (docs/decisions/0047).
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from functools import cache

from wax.backends.iree.linker import OPTIONS, QUERY, QUERY_INSIDE
from wax.backends.iree.outcomes import CompilationFailed
from wax.backends.iree.tools import tool
from wax_runtime.iree.team import OBJECT

__all__ = ["is_for_this_machine", "lean_flags", "linked_flags", "missed_something"]

_DEVICE = "--iree-hal-target-device="
_HOST = (f"{_DEVICE}local", "--iree-llvmcpu-target-cpu=host")
_EMPTY = "func.func @main() { return }"
_TARGET = re.compile(r'#hal\.executable\.target<"llvm-cpu", "embedded-elf-\w+", \{.*\}>')

# The function by which IREE asks a program what it has gets another name, by which the object's calls it.
_SPREAD = (
    "wax_link() {{ for file; do case $file in *.o) LC_ALL=C sed -i "
    f's/{QUERY}/{QUERY_INSIDE}/g "$file";; esac; done; '
    "{command} \"$@\" '{object}'; }}; wax_link"
)


def lean_flags(flags: tuple[str, ...]) -> tuple[str, ...] | None:
    """Flags that link a program without a C library; none where they are for more than this machine's CPU.

    Raises `CompilationFailed` for flags that IREE does not know.
    """
    return _lean_flags(flags) if is_for_this_machine(flags) else None


def linked_flags(flags: tuple[str, ...]) -> tuple[str, ...]:
    """Flags that link a program with IREE's C library, and with what shares its work, if it is for this machine."""
    if not is_for_this_machine(flags) or not _has_object():
        return flags
    return (*flags, f"--iree-llvmcpu-embedded-linker-path={_command()}")


def missed_something(failure: CompilationFailed) -> bool:
    """Whether linking is what failed."""
    return any("failed to link executable" in one.message for one in failure.diagnostics)


def is_for_this_machine(flags: Sequence[str]) -> bool:
    """Whether flags are for this machine's CPU, and for nothing else."""
    return os.name == "posix" and all(flag in flags for flag in _HOST) and "'" not in f"{tool('iree-lld')}{OBJECT}"


@cache
def _has_object() -> bool:
    return OBJECT.exists() and shutil.which("sed") is not None


def _command(options: str = "") -> str:
    """What IREE is to run in place of a linker, in words for a shell. What the linker misses, IREE says too."""
    command = f"LLD_VERSION=IREE '{tool('iree-lld')}' {options}"
    return "exec 2> /dev/null; " + (_SPREAD.format(command=command, object=OBJECT) if _has_object() else command)


@cache
def _lean_flags(flags: tuple[str, ...]) -> tuple[str, ...] | None:
    from wax.backends.iree import capi

    target = _TARGET.search(capi.preprocess_text(_EMPTY, flags))
    if target is None:
        return None
    lean = target[0].replace("{", "{link_embedded = false, ", 1)
    return (
        *(flag for flag in flags if flag != _HOST[0]),
        # By the name that IREE gives it: of an attribute without one it makes the name.
        f'{_DEVICE}__device_0=#hal.device.target<"local", [{lean}]> : !hal.device',
        f"--iree-llvmcpu-system-linker-path={_command(OPTIONS)}",
    )
