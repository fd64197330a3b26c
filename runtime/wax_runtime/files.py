"""Compiled programs as files: save one, load it in another process, call it. No compiler is needed to load.

The format is the backend's own (`.vmfb` for iree), with the signature inside. Nothing is unpickled.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from wax_runtime.backend import Artefact, Reader
from wax_runtime.buffer import Buffer, asbuffer
from wax_runtime.devices import Device
from wax_runtime.devices import device as as_device
from wax_runtime.errors import BackendError, DeviceError, LoadError
from wax_runtime.registry import backends, get
from wax_runtime.signature import Signature

__all__ = ["LoadedFunction", "load", "save"]


class LoadedFunction:
    """A compiled function from a file: call it with arrays, in the order of `signature.arguments`."""

    def __init__(self, artefact: Artefact, device: Device, buffer_type: type[Buffer]) -> None:
        self.signature: Signature = artefact.signature
        self.device = device
        self.executable = get(artefact.backend).load(artefact, device, buffer_type)

    def __call__(self, *args: Any) -> Any:
        """Run on buffers, NumPy arrays or numbers. One result is returned as it is, several as a tuple.

        Raises `ArgumentError`; dtypes are never converted, except that Python numbers take the argument's.
        """
        wanted = self.signature.arguments
        buffers = [
            asbuffer(arg, spec.dtype if isinstance(arg, (bool, int, float, complex)) else None)
            for arg, spec in zip(args, wanted, strict=False)
        ]
        # Surplus arguments reach the executable too, which counts them.
        results = self.executable([*buffers, *map(asbuffer, args[len(wanted) :])])
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self) -> str:
        return f"<LoadedFunction {self.signature} on {self.device}>"


def save(artefact: Artefact, path: str | PathLike[str]) -> None:
    """Write a compiled program to a file. Raises `BackendError` when its backend has no file format."""
    backend = get(artefact.backend)
    if not isinstance(backend, Reader):
        raise BackendError(f"programs of backend {backend.name!r} cannot be saved")
    Path(path).write_bytes(backend.write(artefact))


def read(path: str | PathLike[str]) -> Artefact:
    """The compiled program in a file, not yet loaded on a device. Raises `LoadError`."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise LoadError(f"{path}: {error.strerror or error}") from error
    for backend in backends():
        try:
            artefact = backend.read(data) if isinstance(backend, Reader) else None
        except LoadError as error:
            raise LoadError(f"{path}: {error.message}") from error
        if artefact is not None:
            return artefact
    raise LoadError(f"{path}: not a compiled program that an installed backend reads")


def load(
    path: str | PathLike[str], device: Device | str | None = None, buffer_type: type[Buffer] = Buffer
) -> LoadedFunction:
    """Load a compiled program, on a device it was compiled for unless one is named.

    Raises `LoadError` for a damaged or foreign file, `DeviceError` for a device that cannot be driven.
    """
    artefact = read(path)
    if device is not None:
        chosen = as_device(device)
    else:
        found = get(artefact.backend).devices(artefact.target)
        if not found:
            raise DeviceError(f"{path} was compiled for {artefact.target}, which no installed backend drives here")
        chosen = found[0]
    return LoadedFunction(artefact, chosen, buffer_type)
