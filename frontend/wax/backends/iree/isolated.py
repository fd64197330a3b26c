"""IREE's compiler in a process of its own: slower to start, but it cannot take Python down, and it works after a fork.

Used when the process was forked after it loaded the compiler (`capi.usable`), for programs that the compiler has
refused or is known to crash on (`compilation.py`), and whenever `WAX_ISOLATE_COMPILER` is set: where it crashes there
is a message and a reproducer.
"""

from __future__ import annotations

import re
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from wax.backends.iree.barriers import LACKS_BARRIER, for_spirv, lacks_barrier
from wax.backends.iree.capi import refuse_unknown_dialects
from wax.backends.iree.in_place import loops_in, put_back, taken_out
from wax.backends.iree.outcomes import CompilationFailed, Compiled, Diagnostic
from wax.backends.iree.program_order import IN_ORDER
from wax.backends.iree.recorded_copies import with_copies_once
from wax.backends.iree.references import branches_in, told_apart
from wax.backends.iree.targets import for_cuda_alone
from wax.backends.iree.tools import tool
from wax.backends.iree.wide_workgroups import with_wide_workgroups

__all__ = ["compile_text"]

_ERROR = re.compile(r"^(\S+:\d+:\d+: )?(error|warning|note|remark): ")


def compile_text(text: str, flags: tuple[str, ...], *, verify: bool = False) -> Compiled:
    """Compile a program as `capi.compile_text` does, by `iree-compile`. Raises `CompilationFailed`."""
    refuse_unknown_dialects(text)
    command = [str(tool("iree-compile")), *IN_ORDER, *flags, f"--verify={str(verify).lower()}"]
    with tempfile.TemporaryDirectory(prefix="wax-compile-") as folder:
        program, flow, stream, vmfb = (
            Path(folder) / name for name in ("program.mlir", "flow.mlir", "stream.mlir", "program.vmfb")
        )
        program.write_text(text)
        to_stream = [*command, "--compile-to=stream", "--mlir-print-debuginfo"]
        device = None
        if loops_in(text):
            _run([*command, "--compile-to=flow", "--mlir-print-debuginfo", str(program), "-o", str(flow)])
            without, device = taken_out(flow.read_text())
            flow.write_text(without)
            _run([*to_stream, "--compile-from=flow", str(flow), "-o", str(stream)])
        else:
            _run([*to_stream, str(program), "-o", str(stream)])
        # Locations that name this folder would be kept in what is made.
        placed = stream.read_text().replace(str(program), program.name)
        stream.write_text(with_copies_once(put_back(placed, device), flags))
        after, begin = "stream", stream
        edits: list[tuple[str, Callable[[str], str]]] = []
        if for_cuda_alone(flags):
            edits.append(("executable-configurations", with_wide_workgroups))
        if for_spirv(flags):
            edits.append(("executable-targets", _with_barriers))
        if branches_in(text):
            edits.append(("vm", told_apart))
        for phase, edit in edits:
            end = Path(folder) / f"{phase}.mlir"
            _run([*command, f"--compile-from={after}", f"--compile-to={phase}", str(begin), "-o", str(end)])
            end.write_text(edit(end.read_text()))
            after, begin = phase, end
        _run([*command, f"--compile-from={after}", str(begin), "-o", str(vmfb)])
        return Compiled(vmfb.read_bytes(), placed)


def _with_barriers(translated: str) -> str:
    if lacks_barrier(translated):
        raise CompilationFailed((Diagnostic("error", LACKS_BARRIER),), hopeless=False)
    return translated


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if not done.returncode:
        return
    if done.returncode < 0:
        crashed = Diagnostic("error", f"IREE's compiler crashed: {signal.Signals(-done.returncode).name}")
        raise CompilationFailed((crashed, *_diagnostics(done.stderr)), hopeless=False)
    raise CompilationFailed(_diagnostics(done.stderr), hopeless=False)


def _diagnostics(output: str) -> tuple[Diagnostic, ...]:
    """The messages in what the tool printed; lines that begin none belong to the one before."""
    found: list[Diagnostic] = []
    for line in output.splitlines():
        match = _ERROR.match(line)
        if match:
            found.append(Diagnostic(match[2], (match[1] or "") + line[match.end() :]))
        elif found:
            found[-1] = Diagnostic(found[-1].severity, f"{found[-1].message}\n{line}")
    return tuple(found) or (Diagnostic("error", output.strip()[:2000] or "no message"),)
