"""Devices: a platform and an index, and the list of those that installed backends can drive now.

Which devices exist is not known here: each backend in the registry says which it can drive, by trying them.
`WAX_PLATFORMS=cuda,cpu` leaves the platforms that it lists, in that order.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cache

from wax_runtime.errors import DeviceError

__all__ = ["CPU", "Device", "default_device", "device", "devices", "preferred"]

# With no device named, the first of these that is there is used.
_PREFERENCE = ("cuda", "vulkan", "cpu")


@dataclass(frozen=True, slots=True, order=True)
class Device:
    """A place where arrays live and functions run.

    `description` is what its driver calls it. An `emulated` one is a driver's program on the CPU: it is used where it
    is named, and never chosen.

    >>> str(Device("cpu", 0))
    'cpu:0'
    """

    platform: str
    index: int = 0
    description: str = field(default="", compare=False, repr=False)
    emulated: bool = field(default=False, compare=False, repr=False)

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


def _asked_for() -> tuple[str, ...]:
    """What `WAX_PLATFORMS` lists. Raises `DeviceError` for what no platform is called."""
    text = os.environ.get("WAX_PLATFORMS", "")
    named = tuple(name.strip() for name in text.split(",") if name.strip())
    if not all(name.isidentifier() for name in named):
        raise DeviceError(f"WAX_PLATFORMS is {text!r}; write platforms with commas between them, such as 'cuda,cpu'")
    return named


def _platforms() -> tuple[str, ...]:
    """The platforms that backends are for, the preferred first."""
    # Here, because the registry's backends are built on this module.
    from wax_runtime.registry import backends

    named = _asked_for()
    rank = {name: i for i, name in enumerate(_PREFERENCE)}
    # A platform of somebody's plug-in stands between the accelerators we know and the CPU.
    known = sorted(
        {name for backend in backends() for name in backend.platforms},
        key=lambda name: (rank.get(name, rank["cpu"] - 0.5), name),
    )
    return tuple(name for name in named if name in known) if named else tuple(known)


def devices(platform: str | None = None) -> tuple[Device, ...]:
    """All devices that installed backends can drive now, the preferred first; of one platform when named.

    Emulated ones come last, unless `WAX_PLATFORMS` orders them.
    """
    found = [where for name in _platforms() if platform is None or platform == name for where in _devices(name, True)]
    return tuple(found if _asked_for() else sorted(found, key=lambda where: where.emulated))


def _devices(platform: str, emulated: bool) -> list[Device]:
    from wax_runtime.registry import backends

    drivers = [backend for backend in backends() if platform in backend.platforms]
    return sorted({where: where for backend in reversed(drivers) for where in backend.devices(platform, emulated)})


def preferred(among: Collection[str] | None = None) -> Iterator[Device]:
    """A device of each platform, the best first; of those `among` which to choose, where they are given.

    None is looked for before it is asked for, which may take long. Of emulated ones only those whose platform
    `WAX_PLATFORMS` lists.
    """
    emulated = bool(_asked_for())
    for platform in _platforms():
        if among is None or platform in among:
            yield from _devices(platform, emulated)[:1]


def default_device() -> Device:
    """The device used when none is named: CUDA, then Vulkan, then CPU."""
    found = next(preferred(), None)
    if found is None:
        named = os.environ.get("WAX_PLATFORMS", "")
        raise DeviceError(
            f"no device of the platforms in WAX_PLATFORMS={named!r} can be driven here; there are: "
            f"{', '.join(_platforms()) or 'none of them'}"
            if named
            else "no installed backend can drive any device; `pip install iree-base-runtime` drives the CPU"
        )
    return found
