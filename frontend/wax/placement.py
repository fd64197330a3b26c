"""Where arrays are: `device_put`, and what decides where a computation on some arrays runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wax import tree
from wax._trace import is_tracing
from wax.array import Array, as_array
from wax_runtime import transfer
from wax_runtime.devices import CPU, Device
from wax_runtime.devices import device as find_device
from wax_runtime.errors import DeviceError

__all__ = ["check_device", "common_device", "device_put"]


def device_put(x: Any, device: Device | str) -> Any:
    """Arrays in the memory of a device; pytrees too, and what NumPy or DLPack reads.

    What is there already is itself, all else is copied. Raises `DeviceError` for a device that cannot be driven, and in
    a traced function, which runs on one.

    >>> wax.device_put({"w": np.ones(2, np.float32)}, "cpu")
    {'w': Array([1., 1.], dtype=float32)}
    """
    if is_tracing():
        raise DeviceError(
            f"device_put to {device} in a function that is traced: it runs on one device as a whole; say which with "
            f"wax.jit(f, device=…), or put its arguments there"
        )
    where = transfer.found_device(device)
    leaves, structure = tree.flatten(x)
    return tree.unflatten(structure, [transfer.put(as_array(leaf), where) for leaf in leaves])


def check_device(name: str, device: Any) -> None:
    """Raise `DeviceError` for a device that is named in a function that is traced; `None` is where that runs."""
    if device is not None and is_tracing() and find_device(device) != CPU:
        raise DeviceError(
            f"{name}: a function that is traced runs on one device, and {find_device(device)} was named; say which "
            f"with wax.jit(f, device=…), or move its results"
        )


def common_device(name: str, leaves: Iterable[Any]) -> Device | None:
    """The device of those arrays that are not in the host's memory, which can go anywhere; `None` without any.

    Raises `DeviceError` for arrays on several devices.
    """
    found: Device | None = None
    for leaf in leaves:
        if isinstance(leaf, Array) and leaf.device != CPU:
            if found is not None and leaf.device != found:
                raise DeviceError(
                    f"{name} was given arrays on {found} and on {leaf.device}; move them to one by wax.device_put"
                )
            found = leaf.device
    return found
