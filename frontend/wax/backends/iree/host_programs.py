"""Host programs of our own: what IREE's phases behind `stream` make of the functions that call a program's kernels.

A program whose calls all do the same is, on the host, a list: check arguments, allocate, record commands once, have
them done, wait. IREE takes a hundred passes to write that down. Here it is read off the program as IREE prints it after
its phase `stream`, and written as IREE would, as bytecode of its VM, without IREE. What is not understood is left to
IREE. docs/decisions/0056 has what was measured.
"""

from __future__ import annotations

import logging
import struct
from collections.abc import Iterator, Sequence

from wax.backends.iree.host_code import Device, Host, Initializer, module
from wax.backends.iree.host_functions import Called, Function, Initializing
from wax.backends.iree.linker import Executable
from wax.backends.iree.stream_lines import DEVICE_GLOBAL, EXECUTABLES, HEADER, MEMORY_GLOBAL, MODULE
from wax.backends.iree.tools import iree_version
from wax.backends.iree.unknown import UnknownError

__all__ = ["HostProgram", "host_program"]

_log = logging.getLogger("wax.compile")

# Flags for what comes before, or is about machine code.
_FLAGS = (
    *("--iree-input-", "--iree-opt-", "--iree-global-opt-", "--iree-dispatch-creation-", "--iree-llvmcpu-"),
    *("--iree-hal-target-device=", "--iree-hal-local-target-device-backends="),
)


class HostProgram:
    """A program that is understood. What its kernels are need not be known yet."""

    def __init__(self, host: Host, device: Device, functions: Sequence[Function]) -> None:
        self._host = host
        self._device = device
        self._functions = functions

    def module(self, executable: Executable | None) -> bytes | None:
        """The `.vmfb`; `None` where the executable is not the one that it calls, or more is needed than there is."""
        counts = executable.counts if executable is not None else {}
        bodies = [body for function in self._functions for body in function.bodies]
        called = {name for body in bodies for name in body.called}
        if not called <= counts.keys() or (executable is not None and executable.format != self._device.format):
            return None
        try:
            for body in bodies:
                body.count(counts)
            initializers = [one for one in self._functions if isinstance(one, Initializing)]
            return module(
                self._host,
                self._device if any(function.on_device for function in self._functions) else None,
                [executable] if executable is not None else [],
                [name for one in initializers for name in one.stored],
                [Initializer(one.name, one.waits) for one in initializers],
                [name for one in self._functions for name in one.recordings],
                [written for one in self._functions for written in (*one.recorded(), one.written())],
            )
        except (UnknownError, ImportError, LookupError, RuntimeError, ValueError, struct.error) as error:
            _log.info("a host program of ours failed: %s", error)
            return None


def host_program(stream: str, flags: Sequence[str]) -> HostProgram | None:
    """The host's part of a program, as IREE prints it after its phase `stream`; `None` where it is not understood.

    Flags may be for what IREE does to host programs, and another release may do it in another way.
    """
    if not iree_version().startswith("3.13.") or not all(flag.startswith(_FLAGS) for flag in flags):
        return None
    try:
        return _read(stream)
    except (UnknownError, LookupError, ValueError):
        return None


def _read(stream: str) -> HostProgram:
    host = Host()
    device: Device | None = None
    declared: set[str] = set()
    functions: list[Function] = []
    for part in _parts(stream):
        head, _, rest = part.partition("\n")
        if head.startswith(EXECUTABLES):
            continue
        if (found := DEVICE_GLOBAL.match(head)) and device is None:
            device = Device(*found.groups())
        elif found := MEMORY_GLOBAL.match(head):
            declared.add(found[1])
        elif device is None:
            raise UnknownError("another device")
        elif head == "util.initializer {":
            number = sum(isinstance(one, Initializing) for one in functions)
            functions.append(Initializing(host, device, f"initialize_{number}", rest))
        elif found := HEADER.match(head):
            functions.append(Called(host, device, found, rest))
        else:
            raise UnknownError(head)
    stored = [name for one in functions if isinstance(one, Initializing) for name in one.stored]
    if device is None or sorted(stored) != sorted(declared):
        raise UnknownError("memory that is made in another way")
    return HostProgram(host, device, functions)


def _parts(stream: str) -> Iterator[str]:
    """The operations of a module, without what closes them."""
    at = stream.find("\n") + 1
    if not MODULE.match(stream):
        raise UnknownError(stream[:at])
    while stream.startswith("  ", at):
        end = stream.find("\n", at)
        if stream.endswith(" {", at, end):
            end = stream.find("\n  }\n", at)
            following = end + 5
        else:
            following = end + 1
        if end < 0:
            raise UnknownError(stream[at : at + 80])
        yield stream[at + 2 : end]
        at = following
    if stream[at:].rstrip() != "}":
        raise UnknownError(stream[at : at + 80])
