"""The backend's declaration, and its loader half: a program is compiled for each set of argument shapes it meets.

Found by the entry point `wax.backends`: `xla = wax_backend_xla.backend:backend`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wax_runtime.backend import Artefact, Executable, Form
from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device
from wax_runtime.errors import DeviceError, LoadError
from wax_runtime.signature import Signature
from wax_runtime.snapshot import Module
from wax_runtime.spec import ArraySpec
from wax_runtime.symbols import bind

__all__ = ["XlaBackend", "XlaExecutable", "backend"]

_Run = Callable[[Sequence[Buffer]], list[Buffer]]


class XlaExecutable:
    """A program on the host; safe to call from several threads."""

    def __init__(self, module: Module, signature: Signature, buffer_type: type[Buffer]) -> None:
        self.signature = signature
        self._module = module
        self._buffer_type = buffer_type
        self._bound: dict[tuple[ArraySpec, ...], _Run] = {}

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        """Run on flat arguments. Raises `ArgumentError`, `DeletedBufferError`, `CheckError`."""
        return self.bind(tuple([arg.spec for arg in args]))(args)

    def putter(self, spec: ArraySpec) -> Callable[[np.ndarray[Any, Any] | np.generic], Buffer]:
        """What makes buffers of arrays of this spec."""
        return self._buffer_type.from_numpy

    def bind(self, specs: tuple[ArraySpec, ...]) -> _Run:
        """A callable for arguments of exactly these specs, compiled for them.

        Raises `ArgumentError` where they do not fit, `CheckError` where sizes do not, `CompileError`.
        """
        found = self._bound.get(specs)
        if found is None:
            # Two threads may compile the same; the last one is kept.
            found = self._bound[specs] = self._compiled(specs)
        return found

    def _compiled(self, specs: tuple[ArraySpec, ...]) -> _Run:
        bind(self.signature, specs)
        # Here, because listing the backends is part of every program's start, and jaxlib takes long to import.
        from wax_backend_xla.client import Held, compile_text, host_array
        from wax_backend_xla.program import write

        text = write(self._module, self.signature, [got.shape for got in specs])
        function, donated = compile_text(text, self.signature.title), self.signature.donated
        make = self._buffer_type.from_numpy

        def result(held: Held) -> Buffer:
            made = make(host_array(held), copy=None)
            made._handle = held
            return made

        def run(args: Sequence[Buffer]) -> list[Buffer]:
            results = [result(held) for held in function(args)]
            for index in donated:
                args[index].delete()
            return results

        return run


class XlaBackend:
    """XLA on the host."""

    name = "xla"
    priority = -10
    platforms = frozenset({CPU.platform})
    compiler = "wax_backend_xla.compiler:compiler"

    def devices(self, platform: str, emulated: bool = True) -> tuple[Device, ...]:
        """The host."""
        return (CPU,) if platform == CPU.platform else ()

    def accepts(self, device: Device) -> Form:
        return "snapshot"

    def put(self, array: np.ndarray[Any, Any], device: Device, buffer_type: type[Buffer] = Buffer) -> Buffer:
        return buffer_type.from_numpy(array)

    def load(self, artefact: Artefact, device: Device, buffer_type: type[Buffer] = Buffer) -> Executable:
        """What compiles for the shapes it is called with. Raises `LoadError`, `DeviceError`."""
        if artefact.format != "snapshot" or not isinstance(artefact.payload, Module):
            raise LoadError(f"the xla backend loads snapshots, not {artefact.format!r}")
        if device != CPU:
            raise DeviceError(f"the xla backend cannot drive {device}; it drives {CPU}")
        return XlaExecutable(artefact.payload, artefact.signature, buffer_type)


backend = XlaBackend()
