"""`export`: a function as files, for a process without wax, another machine, or another toolchain.

    wax.export(f, targets=["cuda:sm_90", "cpu"])(x).save("f.vmfb")

Arrays that the function captured are its weights: they lie in a file beside the program, under the names that the
function has for them, and are bound to it when it is loaded.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import wax
from wax._compile import build_file, for_backend, optimized, options_for, program_of, text_of
from wax._observed import observed
from wax._tracing import TracedFunction
from wax.array import Array
from wax.errors import InvalidArgumentError
from wax.jit import Jitted, jit
from wax_runtime import files, mlir_file, weights
from wax_runtime.backend import Artefact, Backend, CompileOptions, Form, Program
from wax_runtime.signature import Signature

__all__ = ["Exported", "export"]


def export(
    function: Callable[..., Any],
    *,
    targets: str | Sequence[str] = "cpu",
    backend: str | None = None,
    options: CompileOptions | None = None,
) -> Callable[..., Exported]:
    """What makes an `Exported` of a function, jitted or not, when it is called with arguments such as the function's.

    A target is a device of this machine, such as "cpu" or "cuda:0", or one that need not be there: "cpu:aarch64",
    "cuda:sm_90", "rocm:gfx942", "vulkan:portable", "metal"; docs/files.md lists them. Several make one file for all.

    >>> weight = ones((3, 4))
    >>> exported = export(lambda x: x @ weight)(ShapeDtypeStruct(("batch", 3), "float32"))
    >>> exported
    Exported(lambda(x: float32[batch, 3]) -> (float32[batch, 4]), weights: weight)
    >>> exported.save("f.vmfb")
    >>> load("f.vmfb")(ones((2, 3))).shape
    (2, 4)
    """
    jitted = function if isinstance(function, Jitted) else jit(function)
    named = (targets,) if isinstance(targets, str) else tuple(targets)
    if not named:
        raise InvalidArgumentError("export: no target was named; the CPU of this machine is targets='cpu'")

    def exporter(*args: Any, **kwargs: Any) -> Exported:
        return Exported(jitted.trace_named(*args, **kwargs), named, backend, options)

    return exporter


class Exported:
    """A function for certain arguments, ready to be saved. Made by `export`."""

    def __init__(
        self, function: TracedFunction, targets: tuple[str, ...], backend: str | None, options: CompileOptions | None
    ) -> None:
        self._function = optimized(function, targets[0])
        self._weights = tuple(c for c in function.captured if isinstance(c, Array))
        self._backend = backend
        self._options = options_for(function, options)
        self.targets = targets

    @property
    def signature(self) -> Signature:
        """The calling convention: names, shapes, dtypes and dims of what a caller passes and gets."""
        arguments = self._function.signature.arguments
        return replace(self._function.signature, arguments=arguments[: len(arguments) - len(self._weights)])

    @property
    def weights(self) -> dict[str, Array]:
        """The arrays that the function captured, by name."""
        arguments = self._function.signature.arguments
        hidden = arguments[len(arguments) - len(self._weights) :]
        return {of.name: array for of, array in zip(hidden, self._weights, strict=True)}

    def as_text(self, dialect: str = "linalg", *, debug_info: bool = False) -> str:
        """The program as MLIR text, in "linalg", "wax", or a dialect that an installed backend writes.

        The weights are its last arguments. Raises `InvalidArgumentError` for a dialect that nobody writes,
        `BackendError`, `CompileError`.
        """
        return text_of(self._function, dialect, debug_info=debug_info)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        dialect: str = "linalg",
        weights_file: str | os.PathLike[str] | None = None,
    ) -> None:
        """Writes the program: its text to a `.mlir` file, in a dialect, or compiled for the targets to any other.

        `dialect` is "linalg", "wax", or one that an installed backend writes. The weights, if there are any, go to
        `weights_file`, which may be an `.irpa` of IREE's, or beside the program, to the same name with `.safetensors`.
        Raises `CompileError`, `BackendError`, `DeviceError`.
        """
        path = Path(path)
        signature, about = self._function.signature, (("wax", wax.__version__),)
        if path.suffix == ".mlir":
            work = self._function.work
            made = mlir_file.MlirFile(
                dialect, self.as_text(dialect), signature, work if isinstance(work, int) else str(work), about
            )
            mlir_file.write(replace(made, weights=self._save_weights(path, weights_file)), path)
            return
        artefact = self._compile()
        if path.suffix == ".vmfb" and artefact.format != "vmfb":
            raise InvalidArgumentError(f"{path.name}: what backend {artefact.backend!r} makes is no .vmfb")
        saved = self._save_weights(path, weights_file)
        files.save(replace(artefact, versions=(*about, *artefact.versions), weights=saved), path)

    def _compile(self) -> Artefact:
        with observed(self._function, "exported") as watch:

            def program(backend: Backend) -> Callable[[Form], Program]:
                function = for_backend(self._function, backend)
                prepares = bool(self._options.prepare)
                return watch.program(backend, function, program_of(function, backend=backend, prepares=prepares))

            artefact = build_file(self._function.name, program, self.targets, self._backend, self._options)
            watch.done(artefact, ", ".join(self.targets))
        return artefact

    def _save_weights(self, program: Path, path: str | os.PathLike[str] | None) -> weights.Weights | None:
        if not self._weights:
            return None
        place = program.with_suffix(".safetensors") if path is None else Path(path)
        hidden = self._function.signature.arguments[-len(self._weights) :]
        written = weights.write(place, hidden, [array.numpy() for array in self._weights])
        return replace(written, file=os.path.relpath(place, program.parent))

    def __repr__(self) -> str:
        named = f", weights: {', '.join(self.weights)}" if self._weights else ""
        return f"Exported({self.signature}{named})"
