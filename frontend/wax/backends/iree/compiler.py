"""The compiler half of the iree backend: a `Program` to an `Artefact`, from the disk cache where it is there.

Importing this module loads no compiler, and neither does an answer from the cache, which is to come within
milliseconds.
"""

from __future__ import annotations

import hashlib
import json
import logging
import struct
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wax.backends.iree.flags import CONVERSIONS
from wax.backends.iree.ladder import Rung, rungs
from wax.backends.iree.targets import OTHER_CPU, target
from wax.backends.iree.tools import iree_version
from wax_runtime.backend import Artefact, CompileOptions, Dispatch, Form, Preparation, Program
from wax_runtime.cache import default_cache, key_of
from wax_runtime.devices import Device
from wax_runtime.iree.plans import Plan
from wax_runtime.iree.team import OBJECT

__all__ = ["IreeCompiler", "compiler"]

_log = logging.getLogger("wax.compile")
_DEFAULTS = CompileOptions()
_FORMS: dict[str, Form] = {
    "any": "linalg-iree",
    "avx2": "linalg-iree-avx2",
    "avxvnni": "linalg-iree-avxvnni",
    "avx512": "linalg-iree-avx512",
    "avx512vnni": "linalg-iree-avx512vnni",
    "avx512bf16": "linalg-iree-avx512bf16",
    "amx": "linalg-iree-amx",
}
_LENGTH = struct.Struct("<Q")
#: What a linker's digest of a file, of 20 bytes, begins with.
_BUILD_ID = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"


class IreeCompiler:
    """Compiles linalg text. Safe to call from several threads; each compiles without the GIL."""

    def compile(self, program: Program, device: Device, options: CompileOptions = _DEFAULTS) -> Artefact:
        """The `.vmfb` of a program. Raises `CompileError` when no set of flags compiles it."""
        return self.compile_for(program, (str(device),), options)

    def form_for(self, targets: Sequence[str], options: CompileOptions = _DEFAULTS) -> Form:
        """Linalg for CPUs, for what the named one has, unless a GPU is among the targets, or flags change types.

        Raises `BackendError`, `DeviceError`.
        """
        named = [target(name) for name in targets]
        if not all(one.local for one in named):
            return "linalg-iree-gpu"
        # IREE changes types of what it goes through, and it goes through no executables.
        if any(flag.startswith(CONVERSIONS) and not flag.endswith("=false") for flag in options.flags):
            return "linalg-iree-whole"
        if len(named) > 1 or any(flag.startswith(OTHER_CPU) for flag in options.flags):
            return "linalg-iree"
        return _FORMS[named[0].processor]

    def compile_for(self, program: Program, targets: Sequence[str], options: CompileOptions = _DEFAULTS) -> Artefact:
        """One `.vmfb` for all targets. Raises `CompileError`, `BackendError`, `DeviceError`."""
        named = [target(name) for name in targets]
        ladder = rungs(named, options)
        version = iree_version()
        disk = default_cache() if options.cache else None
        key = _key(program, targets, ladder, version) if disk else ""
        entry = disk.get(key) if disk else None
        cached = entry is not None
        if entry is None:
            from wax.backends.iree.compilation import compile_program

            gpus = [one.platform for one in named if not one.local]
            # What a user's flags are, and whether there are such, IREE knows.
            made = compile_program(program, gpus[0] if gpus else "cpu", ladder, may_be_alone=not options.flags)
            known = {
                "overwrites": made.memory.overwrites,
                "aliases": made.memory.aliases,
                "plan": made.plan,
                "preparation": made.preparation and made.preparation.to_json(),
            }
            entry = _pack({"flags": made.rung.flags, **known}, made.payload)
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
            target=",".join(one.platform for one in named),
            flags=tuple(meta["flags"]),
            work=program.work,
            overwrites=tuple(meta["overwrites"]),
            aliases=tuple((r, a) for r, a in meta["aliases"]),
            plan=Plan.from_json(meta["plan"]) if meta["plan"] else None,
            versions=(("iree-base-compiler", version),),
            preparation=Preparation.from_json(meta["preparation"]) if meta["preparation"] else None,
            cached=cached if disk else None,
        )

    def dispatches(self, program: Program, device: Device, options: CompileOptions = _DEFAULTS) -> tuple[Dispatch, ...]:
        """The dispatches of a program, each measured alone. Raises `CompileError`, `BackendError`."""
        from wax.backends.iree.dispatches import dispatches_of

        return dispatches_of(program, self.compile(program, device, options).flags, device)


@cache
def _build() -> str:
    """These modules as they are: they choose flags, and change programs on the way to IREE. And what they link."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    digest.update(OBJECT.read_bytes() if OBJECT.exists() else b"")
    digest.update(_machine_build())
    return digest.hexdigest()


def _machine_build() -> bytes:
    """The build of what makes machine code, which is not loaded to ask for it; empty where there is none."""
    found = find_spec("wax._machine")
    if found is None or found.origin is None:
        return b""
    with open(found.origin, "rb") as file:
        head = file.read(4096)
        at = head.find(_BUILD_ID)
        return head[at : at + len(_BUILD_ID) + 20] if at >= 0 else head + file.read()


def _key(program: Program, targets: Sequence[str], ladder: tuple[Rung, ...], version: str) -> str:
    flags = [flag for rung in ladder for flag in (rung.name, *rung.flags)]
    return key_of("iree", version, _build(), ",".join(targets), program.key(), program.signature.entry, *flags)


def _pack(meta: dict[str, Any], payload: bytes) -> bytes:
    head = json.dumps(meta).encode()
    return _LENGTH.pack(len(head)) + head + payload


def _unpack(entry: bytes) -> tuple[dict[str, Any], bytes]:
    (length,) = _LENGTH.unpack_from(entry)
    split = _LENGTH.size + length
    return json.loads(entry[_LENGTH.size : split]), entry[split:]


compiler = IreeCompiler()
