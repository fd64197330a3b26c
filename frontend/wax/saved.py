"""Files loaded again: `wax.load`. The runtime does the work; here results become `wax.Array`s in the pytree that the
function returned, and programs in MLIR are compiled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

import wax
from wax import _apart, _source, tree
from wax._bound import Binder, KnownCalls
from wax._compile import TARGETS, build, pipeline
from wax._key import native_build
from wax.abstract import concrete_leaf
from wax.array import Array
from wax.errors import ArgumentStructureError, BackendError, LoadError, WaxError
from wax_runtime import files, mlir_file, weights
from wax_runtime.backend import Form, Program
from wax_runtime.cache import key_of
from wax_runtime.devices import Device
from wax_runtime.reference.serialize import loads
from wax_runtime.signature import Signature

__all__ = ["LoadedFunction", "load", "program_of_file"]


class LoadedFunction:
    """A function from a file; call it as the function was called."""

    def __init__(self, loaded: files.LoadedFunction) -> None:
        self._loaded = loaded
        signature = loaded.signature
        self._in_tree = None if signature.in_tree is None else tree.flatten(tree.from_json(signature.in_tree))[1]
        out_tree = None if signature.out_tree is None else tree.flatten(tree.from_json(signature.out_tree))[1]
        self._rebuild = _unwrapped if out_tree is None else tree.rebuilder(out_tree)
        self._known = KnownCalls(Binder(loaded.executable, loaded.weights, self._rebuild))

    @property
    def signature(self) -> Signature:
        """The calling convention: names, shapes, dtypes, dims."""
        return self._loaded.signature

    @property
    def device(self) -> Device:
        """Where it runs."""
        return self._loaded.device

    @property
    def flat(self) -> files.LoadedFunction:
        """The function of flat arrays, as the runtime has it."""
        return self._loaded

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it. Raises `ArgumentStructureError`, `ArgumentError`."""
        try:
            result = self._known.call(args, kwargs)
            return self._call_anew(args, kwargs) if result is NotImplemented else result
        except WaxError as error:
            _source.strip_traceback(error)
            raise

    def _call_anew(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        leaves, structure = tree.flatten((args, kwargs))
        # A structure with containers of the user's own is not in the file: then the leaves are taken in order.
        if self._in_tree is not None and structure != self._in_tree:
            raise ArgumentStructureError(
                f"the file holds {self.signature}, for arguments of structure {self._in_tree}; "
                f"it was called with {structure}"
            )
        results = self._loaded.call([concrete_leaf(leaf) for leaf in leaves])
        self._known.add(args, kwargs, leaves, structure)
        return self._rebuild(results)

    def __repr__(self) -> str:
        return f"LoadedFunction({self.signature})"


def _unwrapped(results: Sequence[Any]) -> Any:
    return results[0] if len(results) == 1 else tuple(results)


def load(
    path: str | PathLike[str],
    *,
    device: Device | str | None = None,
    backend: str | None = None,
    weights_file: str | PathLike[str] | None = None,
) -> LoadedFunction:
    """Loads a file that `wax.export` or `Compiled.save` wrote. A `.mlir` is compiled; nothing else needs the compiler.

    `weights_file` is a file to take the weights from instead of the one that belongs to it. Raises `LoadError` for a
    damaged or foreign file, `DeviceError` for a device that cannot be driven, `CompileError`.
    """
    if Path(path).suffix != ".mlir":
        return LoadedFunction(files.load(path, device, Array, weights=weights_file))
    file = mlir_file.read(path)
    arrays = weights.read(path, file.signature, file.weights, Array, weights_file)
    program = program_of_file(path, file, len(arrays))
    built = build(file.signature.title, lambda _: program, device=device, backend=backend)
    artefact = replace(built.artefact, versions=file.versions, weights=file.weights)
    return LoadedFunction(files.LoadedFunction(artefact, built.device, Array, arrays, built.executable))


def program_of_file(
    path: str | PathLike[str], file: mlir_file.MlirFile, captured: int = 0
) -> Callable[[Form], Program]:
    """The program in a `.mlir` file in each form that a backend may ask for. Its last arguments, `captured` of them,
    are the same in all calls. Nobody vouches for it: it is parsed, and compiled, in other processes. Raises `LoadError`
    for a dialect that wax does not read.
    """

    if file.dialect not in ("linalg", "wax"):
        raise LoadError(
            f"{path} is in {file.dialect}, which is for other toolchains; wax reads programs in linalg and wax"
        )

    def passes(target: str | None) -> str:
        return pipeline(target or "upstream", captured=captured)

    def of(form: Form) -> Program:
        target = TARGETS[form]

        @cache
        def linalg() -> str:
            if file.dialect == "linalg":
                return file.text
            return _apart.run(str(path), file.text, passes(target)).decode()

        def snapshot() -> Any:
            if file.dialect != "wax":
                raise BackendError(f"{path} is in {file.dialect}, and this backend takes programs in the wax dialect")
            return loads(_apart.run(str(path), file.text, "snapshot"))[0]

        return Program(
            name=file.signature.title,
            signature=file.signature,
            key=lambda: key_of(
                wax.__version__, native_build(), passes(target) if target else "", file.dialect, file.text
            ),
            linalg=linalg,
            snapshot=snapshot,
            work=file.work,
            trusted=False,
        )

    return of
