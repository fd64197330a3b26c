"""The reference backend's declaration, and its loader half: snapshots in, functions of `Buffer`s out.

Found by the entry point `wax.backends`: `reference = wax_runtime.reference.backend:backend`.

Unsigned integers exist at this border only: arguments are viewed as signed, results as unsigned again.
A result may share an argument's memory (a reshape of it, say): arrays are immutable, and the argument is
marked as shared, so that no later call overwrites it in place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from wax_runtime.backend import Artefact, Executable
from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device
from wax_runtime.errors import DeviceError, LoadError
from wax_runtime.reference.serialize import MAGIC, dumps, loads
from wax_runtime.signature import Signature
from wax_runtime.snapshot import Module
from wax_runtime.spec import ArraySpec, spec
from wax_runtime.storage import HostStorage, aligned_copy, is_aligned
from wax_runtime.symbols import bind, evaluate

__all__ = ["ReferenceBackend", "ReferenceExecutable", "backend"]

_Run = Callable[[Sequence[Buffer]], list[Buffer]]

# From this size on a result is moved to aligned memory, so that no compiled program keeps a second copy of it.
_LARGE = 1 << 16

_MAX_PLANS = 4096


class ReferenceExecutable:
    """A program on host memory; safe to call from several threads."""

    def __init__(self, module: Module, signature: Signature, buffer_type: type[Buffer]) -> None:
        self.signature = signature
        # Here, because listing the backends is part of every program's start, and the rules take long to import.
        from wax_runtime.reference.plan import build
        from wax_runtime.reference.rules import RULES

        self._function = build(module, RULES)
        self._buffer_type = buffer_type
        self._plans: dict[tuple[ArraySpec, ...], _Run] = {}

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        """Run on flat arguments. Raises `ArgumentError`, `DeletedBufferError`, `CheckError`."""
        specs = tuple([arg.spec for arg in args])
        run = self._plans.get(specs)
        if run is None:
            run = self.bind(specs)
            if len(self._plans) >= _MAX_PLANS:
                self._plans.clear()
            self._plans[specs] = run
        return run(args)

    def bind(self, specs: tuple[ArraySpec, ...]) -> _Run:
        """A callable for arguments of exactly these specs. Raises `ArgumentError` when they do not fit."""
        symbols = bind(self.signature, specs)
        function, buffer_type = self._function, self._buffer_type
        views = [_signed_view(got.dtype) for got in specs]
        outputs = [_output(self.signature, index, symbols) for index in range(len(self.signature.results))]
        donated = self.signature.donated

        def run(args: Sequence[Buffer]) -> list[Buffer]:
            arrays = [
                arg.numpy() if view is None else arg.numpy().view(view) for arg, view in zip(args, views, strict=True)
            ]
            results = []
            for array, (known, dtype) in zip(function(arrays), outputs, strict=True):
                owned = _owned(array, arrays, args).view(dtype)
                results.append(buffer_type(known or spec(owned.shape, dtype), HostStorage(owned)))
            for index in donated:
                args[index].delete()
            return results

        return run


def _signed_view(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    return np.dtype(f"i{dtype.itemsize}") if dtype.kind == "u" else None


def _output(signature: Signature, index: int, symbols: Mapping[str, int]) -> tuple[ArraySpec | None, np.dtype[Any]]:
    """What is known of a result before the call: its dtype, and its spec unless a size is `"?"`."""
    want = signature.results[index]
    if "?" in want.shape:
        return None, want.dtype
    return spec([evaluate(dim, symbols) for dim in want.shape], want.dtype), want.dtype


def _owned(array: Any, arrays: Sequence[Any], args: Sequence[Buffer]) -> Any:
    """The array as memory to hand out: contiguous, aligned when large, and not a small part of something large."""
    if not array.flags.c_contiguous:
        return aligned_copy(array)
    base = array.base
    if isinstance(base, np.ndarray) and base.nbytes > 4 * array.nbytes + _LARGE:
        return aligned_copy(array)
    if array.nbytes >= _LARGE and not is_aligned(array):
        return aligned_copy(array)
    if base is not None or not array.flags.owndata:
        for given, arg in zip(arrays, args, strict=True):
            if np.may_share_memory(array, given):
                arg.storage.share()
    return array


class ReferenceBackend:
    """NumPy on the host: slow, complete, and there wherever wax is."""

    name = "reference"
    priority = -100
    wants: frozenset[str] = frozenset()
    accepts: Literal["linalg", "snapshot"] = "snapshot"
    compiler = "wax_runtime.reference.compiler:compiler"

    def devices(self) -> tuple[Device, ...]:
        """The host."""
        return (CPU,)

    def load(self, artefact: Artefact, device: Device, buffer_type: type[Buffer] = Buffer) -> Executable:
        """Closures for a snapshot. Raises `LoadError`, `DeviceError`, `BackendError`."""
        if artefact.format != "snapshot" or not isinstance(artefact.payload, Module):
            raise LoadError(f"the reference backend loads snapshots, not {artefact.format!r}")
        if device != CPU:
            raise DeviceError(f"the reference backend cannot drive {device}; it drives {CPU}")
        return ReferenceExecutable(artefact.payload, artefact.signature, buffer_type)

    def read(self, data: bytes) -> Artefact | None:
        """The artefact in a file's bytes; `None` for another format. Raises `LoadError` for a damaged one."""
        if not data.startswith(MAGIC):
            return None
        module, signature = loads(data)
        return Artefact(self.name, "snapshot", module, signature, CPU.platform)

    def write(self, artefact: Artefact) -> bytes:
        """A file's bytes, from which `read` makes an equal artefact."""
        return dumps(artefact.payload, artefact.signature)


backend = ReferenceBackend()
