"""The dialect in a process of its own, for text that somebody wrote: whatever it does to the parser, it does there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from wax.errors import LoadError

__all__ = ["main", "run"]


def run(name: str, text: str, what: str) -> bytes:
    """A module's snapshot in the reference backend's format, or the text that a pass pipeline makes of it.

    Raises `LoadError`, also where the process crashes.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", "import sys; from wax import _apart; sys.exit(_apart.main(sys.argv[1]))", what],
        input=text.encode(),
        capture_output=True,
        env=environment,
        check=False,
    )
    if done.returncode < 0:
        raise LoadError(f"{name}: the program made the parser crash ({signal.Signals(-done.returncode).name})")
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason was given"]
        raise LoadError(f"{name}: {told[0]}")
    return done.stdout


def main(what: str) -> int:
    """In the other process: standard input to standard output. Returns the exit status."""
    from wax import _native
    from wax_runtime.reference.serialize import dumps
    from wax_runtime.signature import Signature

    try:
        module = _native.parse_module(sys.stdin.buffer.read().decode(), "program.mlir")
        if what == "snapshot":
            made = dumps(module.snapshot(), Signature("main", (), ()))
        else:
            module.run(f"builtin.module({what})")
            made = module.text().encode()
    except (_native.DialectError, _native.PassError, UnicodeDecodeError) as error:
        print(error.args[0], file=sys.stderr)
        return 1
    sys.stdout.buffer.write(made)
    return 0
