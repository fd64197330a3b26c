"""From a traced function to an executable: which backends are tried, and in what order.

With no device named, the best device that a backend drives; with no backend named, those that drive the
device, by priority. When one cannot compile or load a function, the next is tried and the user is told once.
A device or backend the user named is never left silently.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from wax import _native
from wax._key import program_key
from wax._tracing import TracedFunction
from wax.array import Array
from wax.errors import BackendError, CompileError, DeviceError, LoadError
from wax.reproducer import write_reproducer
from wax_runtime import registry
from wax_runtime.backend import (
    Artefact,
    Backend,
    CompileOptions,
    CrossCompiler,
    Executable,
    Form,
    Program,
    compiler_of,
)
from wax_runtime.devices import Device, devices, preferred
from wax_runtime.devices import device as find_device

__all__ = ["TARGETS", "Built", "build", "build_file", "lower", "pipeline", "program_of"]

_log = logging.getLogger("wax.compile")
#: `wax-to-linalg`'s target for each form of a program that a backend may accept, and options after it; a snapshot is
#: not lowered.
TARGETS: dict[Form, str | None] = {
    "linalg": "upstream",
    "linalg-iree": "iree",
    "linalg-iree-gpu": "iree gpu=true",
    "snapshot": None,
}

_told: set[tuple[str, str]] = set()
_told_lock = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """A compiled and loaded function."""

    backend: str
    device: Device
    artefact: Artefact
    executable: Executable


def lower(function: TracedFunction, target: str, split_complex: bool = False) -> _native.Module:
    """The function and its callees in linalg, for `target`; with two real tensors for each complex one where asked."""
    module = _native.make_module(function.function)
    passes = f"builtin.module({pipeline(target, split_complex)})"
    try:
        module.run(passes)
    except _native.PassError as error:
        message, program = error.args
        command = ["wax-opt", f"--pass-pipeline={passes}", "program.mlir"]
        folder = write_reproducer(function.name, program, command, (message,))
        raise CompileError(
            f"{function.name!r} ({function.signature}) could not be lowered to linalg: {message}\n"
            f"The program and the command that shows this again are in {folder} (run command.sh there)",
            reproducer=folder,
            diagnostics=(message,),
        ) from None
    return module


def build(
    name: str,
    program: Callable[[Form], Program],
    *,
    device: str | Device | None = None,
    backend: str | None = None,
    options: CompileOptions | None = None,
) -> Built:
    """Compiles and loads a function, of which `program` gives each form. Raises `CompileError`, `DeviceError`,
    `BackendError`.
    """
    failure: Exception | None = None
    tried = ""
    for candidate, where in _candidates(device, backend):
        if failure is not None:
            _tell_once(name, tried, candidate.name, failure)
        tried = candidate.name
        try:
            artefact = compiler_of(candidate).compile(
                program(candidate.accepts(where)), where, options or CompileOptions()
            )
            executable = candidate.load(artefact, where, Array)
        except (CompileError, LoadError, BackendError) as error:
            failure = failure or error
            if backend is not None:
                break
            continue
        return Built(candidate.name, where, artefact, executable)
    assert failure is not None, "there is always a candidate"
    raise failure from None


def build_file(
    program: Callable[[Form], Program],
    targets: Sequence[str],
    backend: str | None = None,
    options: CompileOptions | None = None,
) -> Artefact:
    """Compiles a function for targets, which need not be there, to be saved: by the first backend that knows them all
    or the one that is named. Raises `CompileError`, `DeviceError`, `BackendError`.
    """
    options = options or CompileOptions()
    failure: BackendError | None = None
    for candidate in registry.backends() if backend is None else (registry.get(backend),):
        try:
            half = compiler_of(candidate)
            if isinstance(half, CrossCompiler):
                return half.compile_for(program(half.form_for(targets)), targets, options)
            if backend is not None and len(targets) == 1:
                where = find_device(targets[0])
                return half.compile(program(candidate.accepts(where)), where, options)
            raise BackendError(f"backend {candidate.name!r} compiles for one device of this machine only")
        except BackendError as error:
            failure = failure or error
    assert failure is not None, "there is always a backend"
    raise failure from None


def _candidates(named: str | Device | None, backend: str | None) -> Iterator[tuple[Backend, Device]]:
    """What may compile a function and run it, in order. Of each platform one device: its second is no way out."""
    backends = registry.backends() if backend is None else (registry.get(backend),)
    there = False
    for where in preferred() if named is None else (find_device(named),):
        for candidate in backends:
            if where.platform in candidate.platforms and where in candidate.devices(where.platform):
                there = True
                yield candidate, where
    if not there:
        who = "no backend can" if backend is None else f"backend {backend!r} cannot"
        what = "any device" if named is None else str(find_device(named))
        known = ", ".join(map(str, devices())) or "none"
        raise DeviceError(f"{who} drive {what} now; there are {known}")


def program_of(
    function: TracedFunction, linalg: Callable[[str], _native.Module] | None = None
) -> Callable[[Form], Program]:
    """A function in each form that a backend may ask for; `linalg` lowers it to one of `TARGETS`."""

    def of(form: Form) -> Program:
        target = TARGETS[form]

        def lowered() -> _native.Module:
            return (linalg or partial(lower, function))(target or "upstream")

        return Program(
            name=function.name,
            signature=function.signature,
            key=lambda: program_key(function, target and pipeline(target), lowered),
            linalg=lambda: lowered().text(),
            snapshot=lambda: _native.make_module(function.function).snapshot(),
            located=lambda: lowered().text(debug_info=True),
            work=function.work if isinstance(function.work, int) else str(function.work),
        )

    return of


def pipeline(target: str, split_complex: bool = False) -> str:
    """The passes that lower a module for one of `TARGETS`."""
    return f"wax-to-linalg{{target={target}{' split-complex=true' * split_complex}}}"


def _tell_once(function: str, failed: str, taken: str, error: Exception) -> None:
    with _told_lock:
        if (function, failed) in _told:
            return
        _told.add((function, failed))
    _log.warning("%r is compiled by backend %r, because %r could not: %s", function, taken, failed, error)
