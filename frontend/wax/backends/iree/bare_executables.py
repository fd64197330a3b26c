"""The machine code of a program's executables, made by IREE without the functions that call it.

IREE's phases go from functions and executables to one module of both. Here the functions are taken out behind the pass
that they tell how executables are called, and the executables are made public, so that they stay. What comes of them is
one file, for which a host program of ours is written (`host_programs.py`).
"""

from __future__ import annotations

import re
from typing import Any

from wax.backends.iree.linker import Executable
from wax.backends.iree.operations import Handle, erase, name_of, operations_in, printed

__all__ = ["PASSES", "Counts", "counts_in", "executable_in", "made_public", "without_functions"]

#: The pass that reads functions. It and what it needs are the same with any flags that a program here has.
PASSES = b"iree-hal-materialize-interfaces"

#: Of a kernel, by name, how many workgroups it has.
Counts = dict[str, tuple[int, int, int]]

_PRIVATE = re.compile(r"^  (hal\.executable(?:\.source)?|stream\.executable) private @", re.M)
_EXPORT = re.compile(
    r"hal\.executable\.export public @([\w$.-]+) ordinal\(\d+\) layout\([^\n]*\) "
    r"count\(%\w+: !hal\.device\) -> \(index, index, index\) \{\n(.*?)"
    r" *hal\.return (%\w+), (%\w+), (%\w+) : index, index, index\n *\}",
    re.S,
)
_NUMBER = re.compile(r" *(%\w+) = arith\.constant (\d+) : index")
_BINARY = re.compile(
    r"^  hal\.executable public @([\w$.-]+) \{\n"
    r'    hal\.executable\.binary public @[\w$.-]+ <format = "([\w-]+)", '
    r'data = dense<"0x([0-9A-F]+)"> : vector<\d+xi8>, mime_type = "([\w/.+-]+)">\n  \}\n',
    re.M,
)


def made_public(stream: str) -> str:
    """A program as it is after IREE's phase `stream`, whose executables IREE keeps though nothing calls them."""
    return _PRIVATE.sub(r"  \1 public @", stream)


def without_functions(library: Any, module: Handle) -> None:
    """Takes functions out of a module, and what makes the memory that they read."""
    for one in operations_in(library, module):
        if name_of(library, one) in ("util.func", "util.initializer"):
            erase(library, one)


def counts_in(library: Any, module: Handle) -> Counts | None:
    """The kernels of a module whose executables are translated; `None` where one has not always as many workgroups."""
    counts: Counts = {}
    for executable in operations_in(library, module):
        if name_of(library, executable) != "hal.executable":
            continue
        for variant in operations_in(library, executable):
            if (kind := name_of(library, variant)) == "hal.executable_end":
                continue
            if kind != "hal.executable.variant":
                return None
            for one in operations_in(library, variant):
                if (kind := name_of(library, one)) in ("builtin.module", "hal.executable.variant_end"):
                    continue
                found = _EXPORT.match(printed(library, one)) if kind == "hal.executable.export" else None
                if found is None or found[1] in counts:
                    return None
                numbers: dict[str, int] = {}
                for line in found[2].splitlines():
                    number = _NUMBER.fullmatch(line)
                    if number is None:
                        return None
                    numbers[number[1]] = int(number[2])
                counts[found[1]] = (numbers[found[3]], numbers[found[4]], numbers[found[5]])
    return counts


def executable_in(module: str, counts: Counts) -> Executable | None:
    """The one executable of a module as it is after IREE's phase `hal`."""
    found = _BINARY.findall(module)
    if len(found) != 1 or module.count("hal.executable.binary") != 1:
        return None
    name, format_, data, mime_type = found[0]
    return Executable(name, format_, mime_type, bytes.fromhex(data), counts)
