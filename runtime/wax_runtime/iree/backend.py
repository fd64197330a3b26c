"""The iree backend's declaration, which the entry point group `wax.backends` names."""

from __future__ import annotations

from typing import Any

import numpy as np

from wax_runtime.backend import Artefact, Executable, Form
from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device
from wax_runtime.dlpack import CUDA_TYPE
from wax_runtime.errors import DeviceError, LoadError
from wax_runtime.iree import accelerator, probing, vmfb
from wax_runtime.iree.loader import IreeExecutable
from wax_runtime.iree.preparing import PreparingExecutable
from wax_runtime.spec import spec

__all__ = ["IreeBackend", "backend"]


class IreeBackend:
    """IREE on CPUs, and on GPUs by CUDA and Vulkan.

    IREE's runtime is imported with this module, a device opened when one is first asked for.
    """

    name = "iree"
    priority = 100
    platforms = frozenset({"cpu", "cuda", "vulkan"})
    compiler = "wax.backends.iree.compiler:compiler"

    def devices(self, platform: str, emulated: bool = True) -> tuple[Device, ...]:
        return probing.devices(platform, emulated) if platform in self.platforms else ()

    def accepts(self, device: Device) -> Form:
        return "linalg-iree" if device == CPU else "linalg-iree-gpu"

    def put(self, array: np.ndarray[Any, Any], device: Device, buffer_type: type[Buffer] = Buffer) -> Buffer:
        if device == CPU:
            return buffer_type.from_numpy(array)
        return accelerator.putter(spec(array.shape, array.dtype), device, buffer_type)(array)

    def from_dlpack(
        self, source: Any, device: tuple[int, int], buffer_type: type[Buffer], copy: bool | None
    ) -> Buffer | None:
        kind, index = device
        wanted = Device("cuda", index)
        if kind != CUDA_TYPE or wanted not in self.devices("cuda"):
            return None
        return accelerator.from_dlpack(source, wanted, buffer_type, copy)

    def load(self, artefact: Artefact, device: Device, buffer_type: type[Buffer] = Buffer) -> Executable:
        if artefact.format != "vmfb":
            raise LoadError(f"the iree backend loads .vmfb programs, not {artefact.format!r}")
        if device not in self.devices(device.platform):
            there = ", ".join(str(known) for platform in sorted(self.platforms) for known in self.devices(platform))
            raise DeviceError(f"the iree backend cannot drive {device} here; it drives {there or 'none'}")
        if artefact.preparation is not None:
            return PreparingExecutable(artefact, artefact.preparation, device, buffer_type)
        return IreeExecutable(artefact, device, buffer_type)

    def read(self, data: bytes) -> Artefact | None:
        return vmfb.read(data)

    def write(self, artefact: Artefact) -> bytes:
        return vmfb.write(artefact)


backend = IreeBackend()
