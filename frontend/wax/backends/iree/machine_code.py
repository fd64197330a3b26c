"""Machine code of executables that is wax's own, and what IREE is given with it.

The passes make executables of dispatches, as `executables.py` says. What they do is lowered to LLVM and compiled here,
in less than half of the time that IREE's code generation takes, and beside IREE's first phases. IREE is given an
executable that calls it, and links the object file into the program. docs/decisions/0055 has what was measured.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import NamedTuple, TypeVar

from wax.backends.iree.linker import Executable, link, query_of

try:
    from wax import _machine
except ImportError:  # not built for this machine
    _machine = None

__all__ = ["MachineCode", "begin", "begin_all", "heeds"]

_log = logging.getLogger("wax.compile")

_T = TypeVar("_T")

_TARGET = re.compile(r'#hal\.executable\.target<"llvm-cpu", "embedded-elf-x86_64", \{[^{}]*\}>')
_PROCESSOR = re.compile(r'[{ ]cpu = "([\w.-]+)"')
_FEATURES = re.compile(r'[{ ]cpu_features = "([^"]*)"')
_TRIPLE = re.compile(r'[{ ]target_triple = "([\w.-]+)"')
_LINKED_HERE = "link_embedded = false"

#: Flags for IREE's code generation, and those of them that ours does as well, or that are for something else.
_FOR_IREE = (
    "--iree-llvmcpu-",
    "--iree-codegen-",
    "--iree-hal-dump-",
    "--iree-hal-benchmark-",
    "--iree-hal-executable-",
)
_HEEDED = (
    "--iree-llvmcpu-debug-symbols=false",
    "--iree-llvmcpu-enable-ukernels=",
    "--iree-llvmcpu-stack-allocation-limit=65536",
    "--iree-llvmcpu-system-linker-path=",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-llvmcpu-target-vector-width-in-bytes=",
)

#: Each has a context of MLIR's and one of LLVM's.
_MOST_THREADS = 8

#: What the functions of the object file are called by, before the names of their executables.
_PREFIX = "wax_"
_FORMAT, _MIME_TYPE = "embedded-elf-x86_64", "application/x-elf"


class _Machine(NamedTuple):
    """Whom machine code is for, in LLVM's words."""

    triple: str
    processor: str
    features: str


class MachineCode(NamedTuple):
    """Object files of functions for executables, for whom they are, in LLVM's words and IREE's, and how many workgroups
    each function has: `None` where that is what it is told.
    """

    machine: _Machine
    target: str
    codes: tuple[bytes, ...]
    workgroups: Mapping[str, int | None]

    def written(self, folder: Path) -> list[str]:
        """Where the files are, once they are written to a folder."""
        paths = [folder / f"{index}.o" for index in range(len(self.codes))]
        for path, code in zip(paths, self.codes, strict=True):
            path.write_bytes(code)
        return [str(path) for path in paths]

    def executable(self, name: str, layouts: Mapping[str, str], paths: Iterable[str]) -> str:
        """The executable, of a name, that calls them, an export for each function of a layout, from where they are."""
        objects = ", ".join(f"#hal.executable.object<{{path = {json.dumps(path)}}}>" for path in paths)
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
            f"objects([{objects}]) {{\n"
            f"{''.join(exports)}      builtin.module {{\n{''.join(functions)}      }}\n    }}\n  }}\n"
        )

    def executable_alone(self, kernels: Mapping[str, tuple[int, int]]) -> Executable | None:
        """All of a program's machine code: these functions, of so many words and tensors each; `None` where it cannot
        be linked.
        """
        assert _machine is not None
        given = [(name, *numbers) for name, numbers in kernels.items()]
        try:
            library = _machine.emit_library(given, _PREFIX, query_of(), *self.machine)
            file = link([*self.codes, library])
        except Exception as error:  # noqa: BLE001, whatever it is: IREE does it
            _log.info("machine code: it could not be linked: %s", error)
            return None
        counts = {name: (count, 1, 1) for name, count in self.workgroups.items() if name in kernels and count}
        return Executable("machine_code", _FORMAT, _MIME_TYPE, file, counts)


def heeds(flags: Iterable[str]) -> bool:
    """Whether all flags for IREE's code generation are such that ours does as well."""
    return not any(flag.startswith(_FOR_IREE) and not flag.startswith(_HEEDED) for flag in flags)


def begin(functions: Mapping[str, str], flags: Sequence[str]) -> Future[MachineCode | None] | None:
    """Begins to compile functions of executables, by name, on another thread; nothing where IREE is to do it.

    It is where they are for other machines than this one, and where flags ask for more of its code generation.
    """
    if _machine is None or not functions or not any(_LINKED_HERE in flag for flag in flags):
        return None
    targets = {found for flag in flags for found in _TARGET.findall(flag)}
    if len(targets) != 1 or not heeds(flags):
        return None
    target = targets.pop()
    return _begun(lambda: _compile(functions, _machine_of(target), target))


def begin_all(functions: Mapping[str, str]) -> Future[MachineCode | None] | None:
    """Begins to compile functions for this machine, on as many threads as it has CPUs, up to some; nothing where none
    is made.
    """
    if _machine is None or not functions:
        return None
    machine = _Machine(*_machine.host())
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    parts = _parts(functions, min(len(functions), cpus, _MOST_THREADS))
    others = [_begun(lambda part=part: _emit(part, machine)) for part in parts[1:]]

    def run() -> MachineCode | None:
        emitted = [_emit(parts[0], machine), *(one.result() for one in others)]
        workgroups: dict[str, int | None] = {}
        codes: list[bytes] = []
        for code, counts, complaint in emitted:
            if code is None:
                _log.debug("machine code of %s: %s", ", ".join(counts), complaint)
                return None
            codes.append(code)
            workgroups.update(counts)
        return MachineCode(machine, "", tuple(codes), workgroups)

    return _begun(run)


def _begun(run: Callable[[], _T]) -> Future[_T]:
    """What is done on a thread of its own."""
    begun: Future[_T] = Future()

    def fulfil() -> None:
        try:
            begun.set_result(run())
        except BaseException as error:  # noqa: BLE001, whatever it is: who waits is told
            begun.set_exception(error)

    try:
        Thread(target=fulfil, name="wax-machine-code").start()
    except RuntimeError:  # at the end of a process no more are started
        fulfil()
    return begun


def _parts(functions: Mapping[str, str], number: int) -> list[list[str]]:
    """Functions in so many parts that take about as long."""
    parts: list[list[str]] = [[] for _ in range(number)]
    sizes = [0] * number
    for text in sorted(functions.values(), key=len, reverse=True):
        shortest = sizes.index(min(sizes))
        parts[shortest].append(text)
        sizes[shortest] += len(text)
    return parts


def _compile(functions: Mapping[str, str], machine: _Machine, target: str) -> MachineCode | None:
    """All functions in one object file, or each that can be made in one of its own."""
    try:
        code, workgroups, complaint = _emit(functions.values(), machine)
        if code is not None:
            return MachineCode(machine, target, (code,), workgroups)
        _log.debug("machine code of %s: %s", ", ".join(functions), complaint)
        codes: list[bytes] = []
        known: dict[str, int | None] = {}
        for text in functions.values() if len(functions) > 1 else ():
            code, workgroups, _ = _emit([text], machine)
            if code is not None:
                codes.append(code)
                known.update(workgroups)
        return MachineCode(machine, target, tuple(codes), known) if codes else None
    except Exception:  # noqa: BLE001, whatever it is: IREE is not concerned
        _log.exception("machine code of %s", ", ".join(functions))
        return None


def _emit(texts: Iterable[str], machine: _Machine) -> tuple[bytes | None, dict[str, int | None], str]:
    assert _machine is not None
    return _machine.emit("".join(texts), _PREFIX, *machine)


def _machine_of(target: str) -> _Machine:
    found = [pattern.search(target) for pattern in (_TRIPLE, _PROCESSOR, _FEATURES)]
    return _Machine(*(one[1] if one else "" for one in found))
