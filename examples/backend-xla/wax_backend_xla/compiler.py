"""The compiler half: it says whether the backend can do a program. The text depends on sizes, and is written later.

It also writes programs as StableHLO for files.
"""

from __future__ import annotations

from wax_backend_xla.program import check, write
from wax_runtime.backend import Artefact, CompileOptions, Program
from wax_runtime.devices import Device
from wax_runtime.errors import BackendError
from wax_runtime.snapshot import Module

__all__ = ["XlaCompiler", "compiler"]


class XlaCompiler:
    """Takes a program's snapshot, once it is known that all of it can be written as StableHLO."""

    dialects = ("stablehlo",)

    def compile(self, program: Program, device: Device, options: CompileOptions) -> Artefact:
        """The snapshot as an artefact. Raises `BackendError` for what XLA cannot do: then another backend is tried."""
        module, signature = program.snapshot(), program.signature
        assert isinstance(module, Module)
        check(module)
        if any("?" in want.shape for want in signature.results):
            raise BackendError(f"{signature.title} has results whose sizes data decides, and XLA's sizes are static")
        if signature.is_static:
            write(module, signature, [tuple(map(int, want.shape)) for want in signature.arguments])
        return Artefact("xla", "snapshot", module, signature, device.platform, work=program.work)

    def emit(self, program: Program, dialect: str) -> str:
        """A program of static sizes as StableHLO. Raises `BackendError`."""
        module, signature = program.snapshot(), program.signature
        assert isinstance(module, Module)
        check(module)
        if not signature.is_static:
            raise BackendError(
                f"{signature.title} has open sizes, and StableHLO is written for static ones: export it for arrays of "
                f"the sizes that are wanted"
            )
        from wax_backend_xla.client import printed

        return printed(write(module, signature, [tuple(map(int, want.shape)) for want in signature.arguments]))


compiler = XlaCompiler()
