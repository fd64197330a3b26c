"""Compiled programs as files: save one, load it in another process, call it. No compiler is needed to load.

The format is the backend's own (`.vmfb` for iree), with the signature inside; weights lie in a file beside it.
Nothing is unpickled.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from wax_runtime.backend import Artefact, Executable, Preparer, Reader
from wax_runtime.buffer import Buffer, asbuffer
from wax_runtime.devices import Device, devices, preferred
from wax_runtime.devices import device as as_device
from wax_runtime.errors import ArgumentError, BackendError, DeviceError, LoadError
from wax_runtime.registry import backends, get
from wax_runtime.replacing import replacing
from wax_runtime.signature import Signature
from wax_runtime.transfer import put
from wax_runtime.weights import read as read_weights
from wax_runtime.weights import without_weights

__all__ = ["LoadedFunction", "load", "read", "save"]


class LoadedFunction:
    """A compiled function from a file: call it with arrays, in the order of `signature.arguments`.

    `weights` are its last arguments, which no caller passes, and which are not in `signature` either.
    """

    def __init__(
        self,
        artefact: Artefact,
        device: Device,
        buffer_type: type[Buffer],
        weights: Sequence[Buffer] = (),
        executable: Executable | None = None,
    ) -> None:
        self.artefact = artefact
        self.signature: Signature = without_weights(artefact.signature, artefact.weights)
        self.device = device
        executable = executable or get(artefact.backend).load(artefact, device, buffer_type)
        held = tuple(put(one, device) for one in weights)
        if held and isinstance(executable, Preparer):
            executable, held = executable.resume(held, executable.prepare(held))
        self.executable, self.weights = executable, held

    def call(self, args: Sequence[Buffer]) -> list[Buffer]:
        """Run on flat arguments. Raises `ArgumentError`."""
        if self.weights and len(args) != len(self.signature.arguments):
            raise ArgumentError(
                f"{self.signature.title} takes {len(self.signature.arguments)} arrays, {len(args)} were given"
            )
        return self.executable([*args, *self.weights])

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
        results = self.call([*buffers, *map(asbuffer, args[len(wanted) :])])
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self) -> str:
        return f"<LoadedFunction {self.signature} on {self.device}>"


def save(artefact: Artefact, path: str | PathLike[str]) -> None:
    """Write a compiled program to a file. Raises `BackendError` when its backend has no file format."""
    backend = get(artefact.backend)
    if not isinstance(backend, Reader):
        raise BackendError(f"programs of backend {backend.name!r} cannot be saved")
    with replacing(path) as temporary:
        temporary.write_bytes(backend.write(artefact))


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
    path: str | PathLike[str],
    device: Device | str | None = None,
    buffer_type: type[Buffer] = Buffer,
    *,
    weights: str | PathLike[str] | None = None,
) -> LoadedFunction:
    """Load a compiled program, on the best device it was compiled for unless one is named.

    `weights` is a file to take the weights from instead of the one that the program was saved with. Raises `LoadError`
    for a damaged or foreign file, `DeviceError` for a device that cannot be driven.
    """
    artefact = read(path)
    found = read_weights(path, artefact.signature, artefact.weights, buffer_type, weights)
    return LoadedFunction(artefact, _device_of(path, artefact, device), buffer_type, found)


def _device_of(path: str | PathLike[str], artefact: Artefact, device: Device | str | None) -> Device:
    if device is not None:
        wanted = as_device(device)
        if wanted.platform not in artefact.platforms:
            raise DeviceError(f"{path} was compiled for {artefact.target}, and not for {wanted}")
        return wanted
    drivers = get(artefact.backend)
    for where in preferred(artefact.platforms):
        if where in drivers.devices(where.platform):
            return where
    # An emulated device is better than none.
    for platform in artefact.platforms:
        for where in devices(platform):
            if where in drivers.devices(platform):
                return where
    raise DeviceError(f"{path} was compiled for {artefact.target}, which no installed backend drives here")
