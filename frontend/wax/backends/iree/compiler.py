"""The compiler half of the iree backend: a `Program` to an `Artefact`, by way of the disk cache and the ladder.

Importing this module loads no compiler, and neither does an answer from the cache.
"""

from __future__ import annotations

import json
import logging
import os
import struct
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NoReturn

from wax.backends.iree import capi
from wax.backends.iree.capi import CompilationFailed, Compiled
from wax.backends.iree.diagnostics import user_location
from wax.backends.iree.ladder import Rung, climb, rungs
from wax.reproducer import write_reproducer
from wax_runtime.backend import Artefact, CompileOptions, Program
from wax_runtime.cache import default_cache, key_of
from wax_runtime.devices import Device
from wax_runtime.errors import BackendError, CompileError

__all__ = ["IreeCompiler", "compiler"]

_log = logging.getLogger("wax.compile")
_DEFAULTS = CompileOptions()
_LENGTH = struct.Struct("<Q")


@cache
def _iree_version() -> str:
    try:
        return version("iree-base-compiler")
    except PackageNotFoundError as error:
        raise BackendError(
            "iree-base-compiler is not installed; `pip install iree-base-compiler`, "
            "of the same version as iree-base-runtime"
        ) from error


class IreeCompiler:
    """Compiles linalg text for the CPU. Safe to call from several threads; each compiles without the GIL."""

    def compile(self, program: Program, device: Device, options: CompileOptions = _DEFAULTS) -> Artefact:
        """The `.vmfb` of a program. Raises `CompileError` when no set of flags compiles it."""
        text = program.linalg()
        ladder = rungs(device, options)
        disk = default_cache() if options.cache else None
        key = key_of(text, program.signature.entry, json.dumps([r.flags for r in ladder]), _iree_version())
        entry = disk.get(key) if disk else None
        if entry is None:
            entry = self._compile(program, text, ladder)
            if disk:
                disk.put(key, entry)
        else:
            _log.debug("%s: from the disk cache", program.name)
        meta, payload = _unpack(entry)
        return Artefact(
            backend="iree",
            format="vmfb",
            payload=payload,
            signature=program.signature,
            target=device.platform,
            flags=tuple(meta["flags"]),
            work=program.work,
            overwrites=tuple(meta["overwrites"]),
            aliases=tuple((r, a) for r, a in meta["aliases"]),
        )

    def _compile(self, program: Program, text: str, ladder: tuple[Rung, ...]) -> bytes:
        start = time.perf_counter()
        try:
            rung, compiled = climb(program.name, ladder, lambda rung: _compile_text(text, rung.flags))
        except CompilationFailed as failure:
            _fail(program, text, ladder, failure)
        _log.info("%s: compiled in %.3f s with %s", program.name, time.perf_counter() - start, rung.name)
        return _pack(program, rung, compiled)


def _compile_text(text: str, flags: tuple[str, ...], *, verify: bool = False) -> Compiled:
    apart = os.environ.get("WAX_ISOLATE_COMPILER", "0") not in ("", "0") or not capi.usable()
    if apart:
        from wax.backends.iree import isolated

        return isolated.compile_text(text, flags, verify=verify)
    return capi.compile_text(text, flags, verify=verify)


def _pack(program: Program, rung: Rung, compiled: Compiled) -> bytes:
    # Here, because an answer from the cache needs none of it, and is to come within milliseconds.
    from wax.backends.iree.overwrites import memory_of

    memory = memory_of(compiled.stream, program.signature.entry)
    if memory.corrupted:
        names = ", ".join(str(program.signature.arguments[i]) for i in memory.corrupted)
        raise CompileError(
            f"{program.name} updates {names} in place and returns it as it was too, which IREE gets wrong; "
            f"return the argument itself from outside of the compiled function"
        )
    meta = json.dumps({"flags": rung.flags, "overwrites": memory.overwrites, "aliases": memory.aliases}).encode()
    return _LENGTH.pack(len(meta)) + meta + compiled.payload


def _unpack(entry: bytes) -> tuple[dict[str, Any], bytes]:
    (length,) = _LENGTH.unpack_from(entry)
    split = _LENGTH.size + length
    return json.loads(entry[_LENGTH.size : split]), entry[split:]


def _fail(program: Program, text: str, ladder: tuple[Rung, ...], failure: CompilationFailed) -> NoReturn:
    """Compile once more with the user's locations, for the message; then write the reproducer and raise."""
    flags = ladder[0].flags if failure.hopeless else ladder[-1].flags
    if program.located is not None:
        text = program.located()
        try:
            _compile_text(text, flags, verify=True)
        except CompilationFailed as located:
            failure = located
    command = ["iree-compile", *flags, "program.mlir", "-o", "program.vmfb"]
    folder = write_reproducer(program.name, text, command, (f"{d.severity}: {d.message}" for d in failure.diagnostics))
    reason = failure.reason
    raise CompileError(
        f"IREE could not compile {program.name!r} ({program.signature}): {reason}\n"
        f"The program and the command that shows this again are in {folder} (run command.sh there)",
        location=user_location(failure.diagnostics),
        reproducer=folder,
        diagnostics=tuple(d.message for d in failure.diagnostics),
    ) from None


compiler = IreeCompiler()
