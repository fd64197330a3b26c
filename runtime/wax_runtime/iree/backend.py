"""The iree backend's declaration, which the entry point group `wax.backends` names."""

from __future__ import annotations

import logging
from functools import cache
from typing import Literal

import numpy as np

from wax_runtime.backend import Artefact, Executable
from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device
from wax_runtime.errors import DeviceError, LoadError
from wax_runtime.iree import vmfb
from wax_runtime.iree.loader import IreeExecutable
from wax_runtime.iree.storage import HalStorage, view_of

__all__ = ["IreeBackend", "backend"]

_log = logging.getLogger("wax.backends")


class IreeBackend:
    """IREE on the CPU. IREE's runtime is imported with this module, its device opened when one is first asked for."""

    name = "iree"
    priority = 100
    wants: frozenset[str] = frozenset()
    accepts: Literal["linalg", "linalg-iree", "snapshot"] = "linalg-iree"
    compiler = "wax.backends.iree.compiler:compiler"

    def devices(self) -> tuple[Device, ...]:
        return (CPU,) if _cpu_works() else ()

    def load(self, artefact: Artefact, device: Device, buffer_type: type[Buffer] = Buffer) -> Executable:
        if artefact.format != "vmfb":
            raise LoadError(f"the iree backend loads .vmfb programs, not {artefact.format!r}")
        if device not in self.devices():
            raise DeviceError(f"the iree backend cannot drive {device} here; it drives {self.devices()}")
        return IreeExecutable(artefact, device, buffer_type)

    def read(self, data: bytes) -> Artefact | None:
        return vmfb.read(data)

    def write(self, artefact: Artefact) -> bytes:
        return vmfb.write(artefact)


@cache
def _cpu_works() -> bool:
    """Put an array into IREE's memory and take it out again."""
    try:
        value = np.arange(16, dtype=np.int32)
        view = view_of(Buffer.from_numpy(value))
        works = bool((HalStorage(view).host_array((16,), value.dtype) == value).all())
    except (DeviceError, RuntimeError, ValueError) as error:
        _log.warning("the iree backend cannot drive the CPU: %s", error)
        return False
    if not works:
        _log.warning("the iree backend cannot drive the CPU: its self-test gave wrong values")
    return works


backend = IreeBackend()
