"""Programs that are compiled without IREE's compiler, which is not even loaded: it takes longer to load than they take.

They are those whose functions only call executables that the passes made, for this machine. Their memory is placed by
`placement.py`, their loops become machine code in `machine_code.py`, and `host_programs.py` writes what calls these.
IREE's runtime runs what comes of it. All else is IREE's. docs/decisions/0057 has what was measured.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib import import_module

from wax.backends.iree import machine_code
from wax.backends.iree.executables import taken_out
from wax.backends.iree.linking import is_for_this_machine
from wax.backends.iree.outcomes import Compiled
from wax.backends.iree.placement import placed

__all__ = ["compile_alone"]

_log = logging.getLogger("wax.compile")


def compile_alone(text: str, flags: Sequence[str]) -> Compiled | None:
    """A program compiled; `None` where it is for IREE."""
    if not is_for_this_machine(flags) or not machine_code.heeds(flags):
        return None
    try:
        return _compiled(text, flags)
    except Exception:  # noqa: BLE001, whatever it is: IREE may do better
        _log.exception("a program that is ours failed")
        return None


def _compiled(text: str, flags: Sequence[str]) -> Compiled | None:
    _, taken = taken_out(text)
    stream = placed(text, taken)
    if stream is None:
        return None
    begun = machine_code.begin_all({name: one.function for name, one in taken.items()}) if taken else None
    if taken and begun is None:
        return None
    # Meanwhile, what is not needed before.
    import_module("flatbuffers")
    from wax.backends.iree.host_programs import host_program

    host = host_program(stream, flags)
    executable = None
    if begun is not None:
        code = begun.result()
        if host is None or code is None or not all(code.workgroups.get(name) for name in taken):
            return None
        executable = code.executable_alone({name: (one.words, one.tensors) for name, one in taken.items()})
        if executable is None:
            return None
    payload = host.module(executable) if host is not None else None
    return Compiled(payload, stream) if payload is not None else None
