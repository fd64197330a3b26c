"""Devices: a platform and an index, and the list of those that installed backends can drive now.

Which devices exist is not known here: each backend in the registry says which it can drive, by trying them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from wax_runtime.errors import DeviceError

__all__ = ["CPU", "Device", "default_device", "device", "devices"]

# With no device named, the first of these that is there is used.
_PREFERENCE = ("cuda", "vulkan", "cpu")


@dataclass(frozen=True, slots=True, order=True)
class Device:
    """A place where arrays live and functions run.

    >>> str(Device("cpu", 0))
    'cpu:0'
    """

    platform: str
    index: int = 0

    def __str__(self) -> str:
        return f"{self.platform}:{self.index}"


CPU = Device("cpu", 0)


@cache
def _parse(text: str) -> Device:
    platform, _, index = text.partition(":")
    if not platform.isidentifier() or not (index.isdecimal() or not _):
        raise DeviceError(f"{text!r} is not a device; write a platform and an index, such as 'cpu:0' or 'cuda:1'")
    return Device(platform, int(index or 0))


def device(like: Device | str) -> Device:
    """The device that `like` names, whether or not it can be driven here. Raises `DeviceError` for bad syntax.

    >>> device("cuda")
    Device(platform='cuda', index=0)
    """
    return like if isinstance(like, Device) else _parse(like)


def devices(platform: str | None = None) -> tuple[Device, ...]:
    """All devices that installed backends can drive now, the preferred first; of one platform when named."""
    # Here, because the registry's backends are built on this module.
    from wax_runtime.registry import backends

    found = {d for backend in backends() for d in backend.devices()}
    rank = {name: i for i, name in enumerate(_PREFERENCE)}
    # A platform of somebody's plug-in stands between the accelerators we know and the CPU.
    ordered = sorted(found, key=lambda d: (rank.get(d.platform, rank["cpu"] - 0.5), d.platform, d.index))
    return tuple(d for d in ordered if platform is None or d.platform == platform)


def default_device() -> Device:
    """The device used when none is named: CUDA, then Vulkan, then CPU."""
    found = devices()
    if not found:
        raise DeviceError("no installed backend can drive any device; `pip install iree-base-runtime` drives the CPU")
    return found[0]
