"""Programs for this machine's CPU are linked without the C library that IREE puts into each.

IREE 3.13 takes all of musl's mathematics and memory functions into a program that is to be an embedded ELF file, before
LLVM optimizes it, as code generation may call them; it throws away what nothing calls when it links. That is a fifth of
a small program's compile time. Here IREE is told that the file is no embedded one, for which it takes none, and to link
it by the command by which it links embedded ones. A program that calls such a function does not link then, and is
compiled as IREE does it. docs/decisions/0037 has what was measured.
"""

from __future__ import annotations

import os
import re
from functools import cache

from wax.backends.iree import capi
from wax.backends.iree.capi import CompilationFailed
from wax.backends.iree.tools import tool

__all__ = ["lean_flags", "missed_something"]

_DEVICE = "--iree-hal-target-device="
_HOST = (f"{_DEVICE}local", "--iree-llvmcpu-target-cpu=host")
_EMPTY = "func.func @main() { return }"
_TARGET = re.compile(r'#hal\.executable\.target<"llvm-cpu", "embedded-elf-\w+", \{.*\}>')

# IREE's command for embedded files, but for what it adds to any. What the linker misses, IREE says too.
_LINK = (
    "exec 2> /dev/null; LLD_VERSION=IREE '{linker}' -flavor gnu --build-id=none --no-undefined "
    "--no-allow-shlib-undefined --allow-multiple-definition --gc-sections -z now -z relro --discard-all --icf=all "
    "--ignore-data-address-equality --ignore-function-address-equality --hash-style=sysv"
)


def lean_flags(flags: tuple[str, ...]) -> tuple[str, ...] | None:
    """Flags that link a program without a C library; none where they are for more than this machine's CPU.

    Raises `CompilationFailed` for flags that IREE does not know.
    """
    return _lean_flags(flags) if os.name == "posix" and all(flag in flags for flag in _HOST) else None


def missed_something(failure: CompilationFailed) -> bool:
    """Whether linking is what failed."""
    return any("failed to link executable" in one.message for one in failure.diagnostics)


@cache
def _lean_flags(flags: tuple[str, ...]) -> tuple[str, ...] | None:
    target = _TARGET.search(capi.preprocess_text(_EMPTY, flags))
    linker = str(tool("iree-lld"))
    if target is None or "'" in linker:
        return None
    lean = target[0].replace("{", "{link_embedded = false, ", 1)
    return (
        *(flag for flag in flags if flag != _HOST[0]),
        # By the name that IREE gives it: of an attribute without one it makes the name.
        f'{_DEVICE}__device_0=#hal.device.target<"local", [{lean}]> : !hal.device',
        f"--iree-llvmcpu-system-linker-path={_LINK.format(linker=linker)}",
    )
