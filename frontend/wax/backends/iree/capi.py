"""IREE's compiler in this process: text in, bytes out, diagnostics as data.

`iree.compiler.api` is a thin ctypes layer over libIREECompiler; what it does not wrap (diagnostics by
callback, verification off, stopping between phases) is declared here. ctypes releases the GIL during each
call. Sessions are kept per set of flags and never used by two threads at once, because IREE delivers
diagnostics per session. The library is loaded at the first compilation, not on import.

A pass that crashes fails, by MLIR's crash recovery, and the process goes on: not where it crashes on one of MLIR's own
threads, as passes over one of several dispatches may, nor in the parser. Nor does our own code generation
(`machine_code.py`) come back from what LLVM takes for fatal.
"""

from __future__ import annotations

import atexit
import ctypes
import logging
import os
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from wax.backends.iree import bare_executables, executables, machine_code
from wax.backends.iree.barriers import LACKS_BARRIER, for_spirv, lacks_barrier
from wax.backends.iree.host_programs import HostProgram, host_program
from wax.backends.iree.in_place import DEFAULT_DEVICE, loops_in
from wax.backends.iree.operations import Handle, Text, declare
from wax.backends.iree.outcomes import CompilationFailed, Compiled, Diagnostic
from wax.backends.iree.program_order import in_order, readable
from wax.backends.iree.recorded_copies import with_copies_once
from wax.backends.iree.references import branches_in, told_apart
from wax.backends.iree.targets import for_cuda_alone
from wax.backends.iree.wide_workgroups import with_wide_workgroups

__all__ = ["CompilationFailed", "Compiled", "Diagnostic", "compile_text", "preprocess_text", "usable"]

_log = logging.getLogger("wax.compile")
_SEVERITIES = ("note", "warning", "error", "remark")

# IREE accepts operations of dialects it does not know in generic form, and crashes on them later.
_GENERIC_OP = re.compile(r'"([A-Za-z_]\w*)\.[\w.$]+"\s*\(')
_DIALECTS = {"affine", "arith", "builtin", "cf", "complex", "func", "linalg", "math", "memref", "scf", "tensor"} | {
    "bufferization",
    "flow",
    "hal",
    "iree_linalg_ext",
    "iree_tensor_ext",
    "llvm",
    "util",
    "vector",
}


@cache
def _library() -> Any:
    """`iree.compiler.api`'s module of bindings, with what it lacks declared on its library."""
    from iree.compiler.api import ctypes_dl

    library = ctypes_dl._dylib
    for name, arguments in {
        "ireeCompilerInvocationSetVerifyIR": [ctypes.c_void_p, ctypes.c_bool],
        "ireeCompilerInvocationSetCompileFromPhase": [ctypes.c_void_p, ctypes.c_char_p],
        "ireeCompilerInvocationSetCompileToPhase": [ctypes.c_void_p, ctypes.c_char_p],
        "ireeCompilerInvocationEnableCallbackDiagnostics": [
            ctypes.c_void_p,
            ctypes.c_int,
            _DiagnosticCallback,
            ctypes.c_void_p,
        ],
        "ireeCompilerInvocationSetCrashHandler": [
            ctypes.c_void_p,
            ctypes.c_bool,
            _CrashCallback,
            ctypes.c_void_p,
        ],
    }.items():
        function = getattr(library, name)
        function.restype, function.argtypes = None, arguments
    for name, result, arguments in (
        ("ireeCompilerInvocationExportStealModule", Handle, [ctypes.c_void_p]),
        ("ireeCompilerInvocationImportStealModule", ctypes.c_bool, [ctypes.c_void_p, Handle]),
        ("ireeCompilerInvocationRunPassPipeline", ctypes.c_bool, [ctypes.c_void_p, ctypes.c_char_p]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    declare(library)
    return ctypes_dl


_DiagnosticCallback = ctypes.CFUNCTYPE(
    None, ctypes.c_int, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t, ctypes.c_void_p
)

_CrashCallback = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)


@_CrashCallback
def _open_output(output: Any, _: Any) -> Any:
    """Where MLIR writes the program that a pass failed on, or crashed: memory, that nobody reads."""
    return _library()._dylib.ireeCompilerOutputOpenMembuffer(output)


#: What MLIR says besides of passes that failed, and, of a process's first ones only, of passes that crashed.
_BESIDES = (
    "A signal was caught while processing the MLIR module",
    "A failure has been detected while processing the MLIR module",
    "Failures have been detected while processing an MLIR pass pipeline",
)

_pool: dict[tuple[str, ...], list[Any]] = {}
_pool_lock = threading.Lock()
_usable = True


def usable() -> bool:
    """Whether the library may be called in this process.

    It may not in a process forked after the library was loaded: its thread pool did not survive the fork, and
    compiling would wait for it for ever.
    """
    return _usable


def _after_fork() -> None:
    global _usable
    if _library.cache_info().currsize:
        _usable = False


def _close_all() -> None:
    # While the library still stands: `Session.__del__` at interpreter shutdown finds its module gone.
    if not _usable:
        return
    with _pool_lock:
        for sessions in _pool.values():
            for session in sessions:
                session.close()
        _pool.clear()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(_close_all)


def _take_session(flags: tuple[str, ...]) -> Any:
    with _pool_lock:
        free = _pool.get(flags)
        if free:
            return free.pop()
    session = _library().Session()
    try:
        session.set_flags(*flags)
    except ValueError as error:
        message = f"bad flags: {' '.join(str(error).split())}"
        raise CompilationFailed((Diagnostic("error", message),), hopeless=True) from error
    return session


def _give_back(flags: tuple[str, ...], session: Any) -> None:
    with _pool_lock:
        _pool.setdefault(flags, []).append(session)


def refuse_unknown_dialects(text: str) -> None:
    """Raise `CompilationFailed` for an operation that would crash IREE."""
    for match in _GENERIC_OP.finditer(text):
        if match[1] not in _DIALECTS:
            message = f"operation {match[0].rstrip('(').strip()} is of a dialect that IREE does not know"
            raise CompilationFailed((Diagnostic("error", message),), hopeless=True)


def compile_text(text: str, flags: tuple[str, ...], *, verify: bool = False) -> Compiled:
    """Compile a program. Raises `CompilationFailed` with the compiler's diagnostics."""
    refuse_unknown_dialects(text)
    with _invocation(flags, verify=verify) as invocation:
        return invocation.run(text, flags)


def preprocess_text(text: str, flags: tuple[str, ...]) -> str:
    """A program as it is after IREE's phase `preprocessing`. Raises `CompilationFailed`."""
    with _invocation(flags) as invocation:
        return invocation.preprocess(text)


@contextmanager
def _invocation(flags: tuple[str, ...], *, verify: bool = False) -> Iterator[_Invocation]:
    session = _take_session(flags)
    invocation = _Invocation(session, verify=verify)
    try:
        yield invocation
    finally:
        invocation.close()
    # Only after success: what a failed invocation leaves in its context is not worth finding out.
    _give_back(flags, session)


class _Invocation:
    """One run of the pipeline."""

    def __init__(self, session: Any, *, verify: bool) -> None:
        self._api = _library()
        self._library = self._api._dylib
        self._session = session
        self._invocation = session.invocation()
        self._handle = self._invocation._inv_p
        self.diagnostics: list[Diagnostic] = []
        # Kept on self: the library calls it for as long as the invocation lives.
        self._callback = _DiagnosticCallback(self._collect)
        self._library.ireeCompilerInvocationEnableCallbackDiagnostics(self._handle, 0, self._callback, None)
        self._library.ireeCompilerInvocationSetVerifyIR(self._handle, verify)
        # Passes that crash on the thread that runs them fail then, and the process goes on.
        self._library.ireeCompilerInvocationSetCrashHandler(self._handle, False, _open_output, None)

    def _collect(self, severity: int, message: Any, size: int, _: Any) -> None:
        text = ctypes.string_at(message, size).decode(errors="replace")
        if any(one in text for one in _BESIDES):
            return
        self.diagnostics.append(Diagnostic(_SEVERITIES[severity], text))

    def _parse(self, text: str, *, hopeless: bool = True) -> None:
        source = self._api.Source.wrap_buffer(self._session, text.encode(), buffer_name="program.mlir")
        if not self._invocation.parse_source(source):
            raise self._failure(hopeless=hopeless)

    def preprocess(self, text: str) -> str:
        self._parse(text)
        self._go_on(None, "preprocessing")
        return self._printed()

    def run(self, text: str, flags: Sequence[str]) -> Compiled:
        text, taken = executables.taken_out(text)
        code = machine_code.begin({name: one.function for name, one in taken.items()}, flags)
        self._parse(in_order(text))
        at: str | None = None
        device: Handle | None = None
        if loops_in(text):
            at = self._go_on(at, "flow")
            device = self._default_device(None)
        self._go_on(at, "stream")
        stream = self._printed()
        host = host_program(stream, flags) if device is None else None
        made = code.result() if code is not None else None
        kernels = executables.kernels_in(stream, taken, made) if made is not None else {}
        alone = made.executable_alone(kernels) if made is not None and kernels and host is not None else None
        if host is not None and alone is not None:
            payload = host.module(alone)
            if payload is not None:
                return Compiled(payload, stream)
        with ExitStack() as files:
            # IREE links a file before all is in it that it was to write there itself.
            paths = made.written(Path(files.enter_context(TemporaryDirectory(prefix="wax-")))) if made else []
            placed = executables.put_back(with_copies_once(stream, flags), taken, made, paths)
            # What failed with that code would fail again.
            if host is not None and alone is None:
                payload = self._with_host(host, placed)
                if payload is not None:
                    return Compiled(payload, stream)
            # With a host of ours another program was read since.
            if host is not None or placed != stream:
                self._parse(readable(placed), hopeless=False)
            if device is not None:
                self._default_device(device)
            return Compiled(self._finished(text, flags), stream)

    def _finished(self, text: str, flags: Sequence[str]) -> bytes:
        """A program of which IREE makes all that comes after memory is placed."""
        at = "stream"
        if for_cuda_alone(flags):
            at = self._go_on(at, "executable-configurations")
            configured = self._printed()
            self._replace(configured, with_wide_workgroups(configured))
        if for_spirv(flags):
            at = self._go_on(at, "executable-targets")
            if lacks_barrier(self._printed()):
                self.diagnostics.append(Diagnostic("error", LACKS_BARRIER))
                raise self._failure(hopeless=False)
        if branches_in(text):
            at = self._go_on(at, "vm")
            printed = self._printed()
            self._replace(printed, told_apart(printed))
        self._go_on(at, "end")
        return self._output(self._invocation.output_vm_bytecode)

    def _with_host(self, host: HostProgram, placed: str) -> bytes | None:
        """A program whose host part is ours, from where its memory is placed; `None` where IREE has to make all."""
        library = self._library
        self._parse(readable(bare_executables.made_public(placed)), hopeless=False)
        if not library.ireeCompilerInvocationRunPassPipeline(self._handle, bare_executables.PASSES):
            return self._forgotten()
        with self._module() as module:
            bare_executables.without_functions(library, module)
        at = self._go_on("executable-sources", "executable-targets")
        with self._module() as module:
            counts = bare_executables.counts_in(library, module)
        if counts is None:
            return None
        self._go_on(at, "hal")
        return host.module(bare_executables.executable_in(self._printed(), counts))

    def _forgotten(self) -> None:
        """Nothing, of what failed where IREE may do better."""
        _log.info("a host program of ours failed: %s", self._failure(hopeless=False).reason)
        self.diagnostics.clear()

    @contextmanager
    def _module(self) -> Iterator[Handle]:
        """The module, to look at and to change."""
        module = self._library.ireeCompilerInvocationExportStealModule(self._handle)
        try:
            yield module
        finally:
            if not self._library.ireeCompilerInvocationImportStealModule(self._handle, module):
                raise self._failure(hopeless=False)

    def _go_on(self, begin: str | None, end: str) -> str:
        """Has the phases done after one up to another, which is returned: what is done to the program in between."""
        if begin is not None:
            self._library.ireeCompilerInvocationSetCompileFromPhase(self._handle, begin.encode())
        self._library.ireeCompilerInvocationSetCompileToPhase(self._handle, end.encode())
        self._execute()
        return end

    def _printed(self) -> str:
        return self._output(self._invocation.output_ir).decode()

    def _replace(self, printed: str, text: str) -> None:
        if text != printed:
            self._parse(readable(text), hopeless=False)

    def _default_device(self, device: Handle | None) -> Handle | None:
        """Sets the module's default device, or takes it away and returns it, if there is one."""
        library, name = self._library, Text.of(DEFAULT_DEVICE)
        with self._module() as module:
            found = library.mlirOperationGetDiscardableAttributeByName(module, name)
            if device is not None:
                library.mlirOperationSetDiscardableAttributeByName(module, name, device)
            elif found.pointer:
                library.mlirOperationRemoveDiscardableAttributeByName(module, name)
        return found if found.pointer else None

    def _execute(self) -> None:
        if self._invocation.execute():
            return
        if all(one.severity != "error" for one in self.diagnostics):
            self.diagnostics.append(Diagnostic("error", "IREE's compiler crashed"))
            # Whatever it left is left alone: not even given back.
            self._invocation._inv_p = self._session._session_p = ctypes.c_void_p()
        raise self._failure(hopeless=False)

    def _output(self, write: Any) -> bytes:
        output = self._api.Output.open_membuffer()
        try:
            write(output)
            return bytes(output.map_memory())
        except ValueError as error:  # it cannot be written
            if all(one.severity != "error" for one in self.diagnostics):
                self.diagnostics.append(Diagnostic("error", str(error)))
            raise self._failure(hopeless=False) from error
        finally:
            output.close()

    def _failure(self, *, hopeless: bool) -> CompilationFailed:
        return CompilationFailed(tuple(self.diagnostics), hopeless=hopeless)

    def close(self) -> None:
        self._invocation.close()
