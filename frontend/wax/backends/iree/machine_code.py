"""Machine code of executables that is wax's own, and what IREE is given with it.

The passes make executables of dispatches, as `executables.py` says. What they do is lowered to LLVM and compiled here,
in less than half of the time that IREE's code generation takes, and beside IREE's first phases. IREE is given an
executable that calls it, and links the object file into the program. docs/decisions/0055 has what was measured.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from subprocess import CalledProcessError
from typing import NamedTuple

from wax.backends.iree.host_text import Executable
from wax.backends.iree.linker import link, query_of

try:
    from wax import _machine
except ImportError:  # not built for this machine
    _machine = None

__all__ = ["MachineCode", "begin"]

_log = logging.getLogger("wax.compile")

_TARGET = re.compile(r'#hal\.executable\.target<"llvm-cpu", "embedded-elf-x86_64", \{[^{}]*\}>')
_PROCESSOR = re.compile(r'[{ ]cpu = "([\w.-]+)"')
_FEATURES = re.compile(r'[{ ]cpu_features = "([^"]*)"')
_TRIPLE = re.compile(r'[{ ]target_triple = "([\w.-]+)"')
_LINKED_HERE = "link_embedded = false"

#: What the functions of the object file are called by, before the names of their executables.
_PREFIX = "wax_"
_FORMAT, _MIME_TYPE = "embedded-elf-x86_64", "application/x-elf"


class MachineCode(NamedTuple):
    """An object file of functions for executables, for whom it is, in IREE's words, and how many workgroups each has:
    `None` where that is what they are told.
    """

    target: str
    code: bytes
    workgroups: Mapping[str, int | None]

    def executable(self, name: str, layouts: Mapping[str, str], path: str) -> str:
        """The executable, of a name, that calls it, an export for each function of a layout, and where it is."""
        exports: list[str] = []
        functions: list[str] = []
        for ordinal, (one, layout) in enumerate(layouts.items()):
            count = self.workgroups[one]
            told = ", %told: index" if count is None else ""
            number = "" if count is None else f"        %told = arith.constant {count} : index\n"
            exports.append(
                f"      hal.executable.export public @{one} ordinal({ordinal}) layout({layout}) "
                f"count(%device: !hal.device{told}) -> (index, index, index) {{\n{number}"
                f"        %one = arith.constant 1 : index\n        hal.return %told, %one, %one : index, index, index\n"
                f"      }}\n"
            )
            called = f"@{_PREFIX}{one}"
            functions.append(
                f"        llvm.func {called}(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32 attributes {{hal.import.static}}\n"
                f"        llvm.func @{one}(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr) -> i32 {{\n"
                f"          %0 = llvm.call {called}(%arg0, %arg1, %arg2) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32\n"
                f"          llvm.return %0 : i32\n        }}\n"
            )
        return (
            f"  hal.executable private @{name} {{\n"
            f"    hal.executable.variant public @cpu target({self.target}) "
            f'objects([#hal.executable.object<{{path = "{path}"}}>]) {{\n'
            f"{''.join(exports)}      builtin.module {{\n{''.join(functions)}      }}\n    }}\n  }}\n"
        )

    def executable_alone(self, kernels: Mapping[str, tuple[int, int]]) -> Executable | None:
        """All of a program's machine code: these functions, of so many words and tensors each."""
        assert _machine is not None
        given = [(name, *numbers) for name, numbers in kernels.items()]
        library = _machine.emit_library(given, _PREFIX, query_of(), *_machine_of(self.target))
        try:
            file = link([self.code, library])
        except CalledProcessError as error:
            _log.info("machine code: the linker failed: %s", error.stderr.decode(errors="replace").strip())
            return None
        counts = {name: (self.workgroups[name] or 1, 1, 1) for name in kernels}
        return Executable(
            "machine_code", _FORMAT, _MIME_TYPE, f'dense<"0x{file.hex().upper()}"> : vector<{len(file)}xi8>', counts
        )


def begin(functions: Mapping[str, str], flags: Sequence[str]) -> Future[MachineCode | None] | None:
    """Begins to compile functions of executables, by name, on another thread; nothing where there is nothing to do."""
    if _machine is None or not functions or not any(_LINKED_HERE in flag for flag in flags):
        return None
    targets = {found for flag in flags for found in _TARGET.findall(flag)}
    if len(targets) != 1:
        return None
    pool = ThreadPoolExecutor(1, thread_name_prefix="wax-machine-code")
    future = pool.submit(_compile, functions, targets.pop())
    pool.shutdown(wait=False)
    return future


def _compile(functions: Mapping[str, str], target: str) -> MachineCode | None:
    code, workgroups, complaint = _emit(functions, target)
    if code is None and len(functions) > 1:
        _log.debug("machine code for %s: %s", ", ".join(functions), complaint)
        functions = {name: text for name, text in functions.items() if _emit({name: text}, target)[0] is not None}
        code, workgroups, complaint = _emit(functions, target)
    if code is None:
        _log.debug("machine code: %s", complaint)
        return None
    return MachineCode(target, code, workgroups)


def _emit(functions: Mapping[str, str], target: str) -> tuple[bytes | None, dict[str, int | None], str]:
    assert _machine is not None
    return _machine.emit("".join(functions.values()), _PREFIX, *_machine_of(target))


def _machine_of(target: str) -> tuple[str, str, str]:
    found = [pattern.search(target) for pattern in (_TRIPLE, _PROCESSOR, _FEATURES)]
    triple, processor, features = [one[1] if one else "" for one in found]
    return triple, processor, features
