"""Compiled files loaded again: `wax.load`. The runtime does the work; here results become `wax.Array`s in
the pytree that the function returned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wax import _source, tree
from wax.abstract import concrete_leaf
from wax.array import Array
from wax.errors import ArgumentStructureError, WaxError
from wax_runtime import files
from wax_runtime.devices import Device
from wax_runtime.signature import Signature

__all__ = ["LoadedFunction", "load"]


class LoadedFunction:
    """A compiled function from a file; call it as the function was called."""

    def __init__(self, loaded: files.LoadedFunction) -> None:
        self._loaded = loaded
        signature = loaded.signature
        self._in_tree = None if signature.in_tree is None else tree.flatten(tree.from_json(signature.in_tree))[1]
        self._out_tree = None if signature.out_tree is None else tree.flatten(tree.from_json(signature.out_tree))[1]

    @property
    def signature(self) -> Signature:
        """The calling convention: names, shapes, dtypes, dims."""
        return self._loaded.signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it. Raises `ArgumentStructureError`, `ArgumentError`."""
        try:
            leaves, structure = tree.flatten((args, kwargs))
            # A structure with containers of the user's own is not in the file: then the leaves are taken in order.
            if self._in_tree is not None and structure != self._in_tree:
                raise ArgumentStructureError(
                    f"the file holds {self.signature}, for arguments of structure {self._in_tree}; "
                    f"it was called with {structure}"
                )
            results = self._loaded.executable([concrete_leaf(leaf) for leaf in leaves])
        except WaxError as error:
            _source.strip_traceback(error)
            raise
        if self._out_tree is not None:
            return tree.unflatten(self._out_tree, results)
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self) -> str:
        return f"LoadedFunction({self.signature})"


def load(path: str | Path, *, device: Device | str | None = None) -> LoadedFunction:
    """Loads a file that `Compiled.save` wrote; the compiler is not needed.

    Raises `LoadError` for a damaged or foreign file, `DeviceError` for a device that cannot be driven.
    """
    return LoadedFunction(files.load(path, device, Array))
