"""Arrays from one device's memory to another's."""

from __future__ import annotations

from typing import TypeVar

from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device, devices
from wax_runtime.devices import device as find_device
from wax_runtime.errors import DeviceError
from wax_runtime.registry import backends

__all__ = ["found_device", "put"]

_B = TypeVar("_B", bound=Buffer)


def found_device(like: Device | str) -> Device:
    """The device that is named. Raises `DeviceError` where no backend drives it now, and lists those there are."""
    wanted = find_device(like)
    if wanted == CPU:
        return CPU
    for backend in backends():
        if wanted.platform in backend.platforms:
            for known in backend.devices(wanted.platform):
                if known == wanted:
                    return known
    there = ", ".join(map(str, devices())) or "none"
    raise DeviceError(f"no backend can drive {wanted} now; there are {there}")


def put(buffer: _B, device: Device | str) -> _B:
    """The array in a device's memory: itself where it is there, else a copy, by way of the host.

    Raises `DeviceError` for a device that cannot be driven, `BackendError` where its memory is full.
    """
    where = found_device(device)
    if buffer.device == where:
        return buffer
    kind = type(buffer)
    if where == CPU:
        return kind.from_numpy(buffer.numpy(), copy=None)
    backend = next(known for known in backends() if where in known.devices(where.platform))
    made = backend.put(buffer.numpy(), where, kind)
    assert isinstance(made, kind)
    return made
