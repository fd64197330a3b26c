"""Which devices IREE can drive here: each is opened, and given an array that must come back the same."""

from __future__ import annotations

import logging
import os
import re
import sys
from functools import cache

import numpy as np

from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device
from wax_runtime.errors import BackendError, DeviceError
from wax_runtime.iree import accelerator, hal
from wax_runtime.iree.storage import HalStorage, view_of

__all__ = ["devices"]

_log = logging.getLogger("wax.backends")

# What the kernels of Linux call GPUs that are there; loading Vulkan's drivers, to ask them, takes a tenth of a second.
_HARDWARE = re.compile(r"dri/renderD|nvidia\d|dxg$|mali|kgsl")


def devices(platform: str, emulated: bool = True) -> tuple[Device, ...]:
    """The devices of a platform that work; why another does not is logged."""
    if platform == CPU.platform:
        return _cpu()
    if not emulated and sys.platform == "linux" and not _has_hardware():
        return ()
    return tuple(device for device in _accelerators(platform) if emulated or not device.emulated)


@cache
def _has_hardware() -> bool:
    names = os.listdir("/dev") if os.path.isdir("/dev") else []
    if os.path.isdir("/dev/dri"):
        names += [f"dri/{name}" for name in os.listdir("/dev/dri")]
    return any(map(_HARDWARE.match, names))


@cache
def _cpu() -> tuple[Device, ...]:
    return (CPU,) if _works(CPU) else ()


@cache
def _accelerators(platform: str) -> tuple[Device, ...]:
    try:
        names = hal.listed(platform)
    except DeviceError as error:
        _log.debug("no %s device: %s", platform, error)
        return ()
    found = []
    for index, name in enumerate(names):
        emulated = platform == "vulkan" and "\ntype: cpu\n" in hal.properties(f"{platform}:{index}")
        device = Device(platform, index, name, emulated)
        if _works(device):
            found.append(device)
    return tuple(found)


def _works(device: Device) -> bool:
    """Puts an array into a device's memory and takes it out again."""
    value = np.arange(16, dtype=np.int32)
    try:
        if device == CPU:
            back = HalStorage(view_of(Buffer.from_numpy(value))).host_array(value.shape, value.dtype)
        else:
            # Mesa's software driver waits busily, with a processor of its own, while a device is open.
            name = str(device)
            opened = hal.fleeting_device(name) if device.emulated else hal.hal_device(name)
            flat = accelerator.download(opened, accelerator.upload(opened, value.view(np.uint8)))
            back = flat.view(value.dtype).copy()
            del flat  # before its device
        works = np.array_equal(back, value)
    except (BackendError, DeviceError, RuntimeError, ValueError) as error:
        _log.warning("the iree backend cannot drive %s: %s", device, error)
        return False
    if not works:
        _log.warning("the iree backend cannot drive %s: its self-test gave wrong values", device)
    return works
