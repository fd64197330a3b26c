"""The compiler half of the reference backend, which compiles nothing: a program is its own snapshot."""

from __future__ import annotations

from wax_runtime.backend import Artefact, CompileOptions, Program
from wax_runtime.devices import Device
from wax_runtime.reference.plan import build
from wax_runtime.reference.rules import RULES
from wax_runtime.snapshot import Module

__all__ = ["ReferenceCompiler", "compiler"]


class ReferenceCompiler:
    """Takes a program's snapshot as it is."""

    def compile(self, program: Program, device: Device, options: CompileOptions) -> Artefact:
        """The snapshot as an artefact. Raises `BackendError` for an operation that the backend has no rule for."""
        module = program.snapshot()
        assert isinstance(module, Module)
        # Built here too, so that what cannot run is known when compiling, which is when another backend is tried.
        build(module, RULES)
        return Artefact(
            backend="reference",
            format="snapshot",
            payload=module,
            signature=program.signature,
            target=device.platform,
            work=program.work,
        )


compiler = ReferenceCompiler()
