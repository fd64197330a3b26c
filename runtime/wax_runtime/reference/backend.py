"""The reference backend's declaration, and its loader half: snapshots in, functions of `Buffer`s out.

Found by the entry point `wax.backends`: `reference = wax_runtime.reference.backend:backend`.

Unsigned integers exist at this border only: arguments are viewed as signed, results as unsigned again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from wax_runtime.backend import Artefact, Executable, Form
from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device
from wax_runtime.errors import DeviceError, LoadError
from wax_runtime.reference.memory import LARGE, mark_shared, owned
from wax_runtime.reference.serialize import MAGIC, dumps, loads
from wax_runtime.reference.timing import listeners, timed
from wax_runtime.signature import ArgumentSpec, Signature
from wax_runtime.snapshot import Module
from wax_runtime.spec import ArraySpec, spec
from wax_runtime.storage import HostStorage
from wax_runtime.symbols import bind, evaluate
from wax_runtime.weights import Weights

__all__ = ["ReferenceBackend", "ReferenceExecutable", "backend"]

_Run = Callable[[Sequence[Buffer]], list[Buffer]]

_MAX_PLANS = 4096


class ReferenceExecutable:
    """A program on host memory; safe to call from several threads."""

    def __init__(self, module: Module, signature: Signature, buffer_type: type[Buffer]) -> None:
        self.signature = signature
        # Here, because listing the backends is part of every program's start, and the rules take long to import.
        from wax_runtime.reference.plan import build
        from wax_runtime.reference.rules import RULES

        self._function = build(module, RULES)
        self._module = module
        self._timed: Callable[[Sequence[Any]], list[Any]] | None = None
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

    def putter(self, spec: ArraySpec) -> Callable[[np.ndarray[Any, Any] | np.generic], Buffer]:
        """What makes buffers of arrays of this spec."""
        return self._buffer_type.from_numpy

    def bind(self, specs: tuple[ArraySpec, ...]) -> _Run:
        """A callable for arguments of exactly these specs. Raises `ArgumentError` when they do not fit."""
        symbols = bind(self.signature, specs)
        inputs = [(got.shape, got.dtype, _other_sign(got.dtype)) for got in specs]
        outputs = [_Output.of(want, symbols) for want in self.signature.results]
        buffer_type, donated = self._buffer_type, self.signature.donated

        def run(args: Sequence[Buffer]) -> list[Buffer]:
            arrays = []
            for arg, (shape, dtype, view) in zip(args, inputs, strict=True):
                array = arg._live().host_array(shape, dtype)
                arrays.append(array if view is None else array.view(view))
            function = self._timed_function() if listeners.all else self._function
            results = []
            for array, (known, dtype, view) in zip(function(arrays), outputs, strict=True):
                if array.base is not None or array.nbytes >= LARGE or not array.flags.c_contiguous:
                    array = owned(array)
                    mark_shared(array, arrays, args)
                elif any(array is given for given in arrays):
                    mark_shared(array, arrays, args)
                if view is not None:
                    array = array.view(view)
                results.append(buffer_type(known or spec(array.shape, dtype), HostStorage(array)))
            for index in donated:
                args[index].delete()
            return results

        return run

    def _timed_function(self) -> Callable[[Sequence[Any]], list[Any]]:
        """As `_function`, each step measured."""
        if self._timed is None:
            from wax_runtime.reference.plan import build
            from wax_runtime.reference.rules import RULES

            self._timed = build(self._module, RULES, timed)
        return self._timed


def _other_sign(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    """What unsigned arrays are viewed as within; `None` for all others."""
    return np.dtype(f"i{dtype.itemsize}") if dtype.kind == "u" else None


class _Output(NamedTuple):
    """What is known of a result before the call: its spec, unless a size is `"?"`; its dtype, and if it is a view."""

    known: ArraySpec | None
    dtype: np.dtype[Any]
    view: np.dtype[Any] | None

    @staticmethod
    def of(want: ArgumentSpec, symbols: Mapping[str, int]) -> _Output:
        known = None
        if "?" not in want.shape:
            known = spec([evaluate(dim, symbols) for dim in want.shape], want.dtype)
        return _Output(known, want.dtype, want.dtype if want.dtype.kind == "u" else None)


class ReferenceBackend:
    """NumPy on the host: slow, complete, and there wherever wax is."""

    name = "reference"
    priority = -100
    platforms = frozenset({CPU.platform})
    compiler = "wax_runtime.reference.compiler:compiler"

    def devices(self, platform: str, emulated: bool = True) -> tuple[Device, ...]:
        """The host."""
        return (CPU,) if platform == CPU.platform else ()

    def accepts(self, device: Device) -> Form:
        return "snapshot"

    def put(self, array: np.ndarray[Any, Any], device: Device, buffer_type: type[Buffer] = Buffer) -> Buffer:
        return buffer_type.from_numpy(array)

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
        module, signature, about = loads(data)
        try:
            weights = None if about["weights"] is None else Weights(**about["weights"])
            versions = tuple((name, version) for name, version in about["versions"])
        except (KeyError, TypeError, ValueError) as error:
            raise LoadError(f"not a snapshot written by this version of wax: {error!r}") from error
        return Artefact(
            self.name,
            "snapshot",
            module,
            signature,
            CPU.platform,
            work=about.get("work"),
            versions=versions,
            weights=weights,
        )

    def write(self, artefact: Artefact) -> bytes:
        """A file's bytes, from which `read` makes an equal artefact."""
        weights = None if artefact.weights is None else asdict(artefact.weights)
        about = {"versions": artefact.versions, "weights": weights, "work": artefact.work}
        return dumps(artefact.payload, artefact.signature, about)


backend = ReferenceBackend()
