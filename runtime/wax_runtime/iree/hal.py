"""IREE's runtime in this process: one VM instance, the HAL devices, and the table of element types.

A HAL device is known by its driver, and by a number after a colon where the driver has several: `local-sync`,
`vulkan:0`. The CPU's drivers have a second one each, which keeps freed memory for the next call: `local-sync:pool`.
All but fleeting ones live until the process ends and are never destroyed. A result of `local-task` belongs to its
device's memory pool, and IREE crashes when such a buffer is freed after its device, which is the order in which
Python's shutdown may do it.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from functools import cache
from typing import Any

from wax_runtime.dtypes import from_name
from wax_runtime.errors import DeviceError
from wax_runtime.iree import cuda
from wax_runtime.iree.native import binding
from wax_runtime.iree.placement import topology
from wax_runtime.iree.team import plugin_flag

__all__ = [
    "ELEMENT_TYPES",
    "element_type",
    "fleeting_device",
    "hal_device",
    "hal_module",
    "instance",
    "listed",
    "properties",
]

#: A pool keeps what is freed while it has no more than this in all, what is in use included. It has places for more
#: blocks than that is enough for in practice: were all taken, by sizes of long ago, it would keep nothing any more.
_POOL = f"caching:*=*;{256 << 20};4096"

_lock = threading.RLock()

# Objects meant to outlive Python are no leaks, but nanobind would report them on stderr at exit.
binding.disable_leak_checker()


def _immortal(thing: Any) -> Any:
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
    return thing


@cache
def _instance() -> Any:
    return _immortal(binding.VmInstance())


def instance() -> Any:
    """The process's VmInstance."""
    with _lock:
        return _instance()


@cache
def _driver(name: str) -> Any:
    try:
        if name == "local-sync" and (flag := plugin_flag()):
            # Not one that somebody else may have created, before IREE was told of the plug-in.
            binding.parse_flags(flag)
            create: Any = binding.create_hal_driver  # pyright: ignore[reportAttributeAccessIssue]  # not in the stub
            return _immortal(create(name))
        return _immortal(binding.get_cached_hal_driver(name))
    except (RuntimeError, ValueError) as error:
        raise DeviceError(f"IREE's driver {name!r} does not start here: {error}") from error


def listed(driver: str) -> tuple[str, ...]:
    """What a driver calls each of its devices, which may work or not. Raises `DeviceError`."""
    with _lock:
        return tuple(str(found["name"]) for found in _driver(driver).query_available_devices())


def properties(name: str) -> str:
    """What a driver tells of a device such as `vulkan:0`, in its own words. Raises `DeviceError`."""
    driver, _, index = name.partition(":")
    with _lock:
        found = _driver(driver).query_available_devices()
        return _driver(driver).dump_device_info(found[int(index)]["device_id"])


def _opened(driver: str, index: int) -> Any:
    return _driver(driver).create_device(_driver(driver).query_available_devices()[index]["device_id"])


def fleeting_device(name: str) -> Any:
    """A HalDevice such as `vulkan:0` that ends with the last that holds it, memory of it included."""
    driver, _, index = name.partition(":")
    with _lock:
        return _opened(driver, int(index))


@cache
def _ask_for_squares() -> None:
    """Has Linux let this process use AMX's registers, where the CPU has them: else programs that do are killed."""
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        # arch_prctl(ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA), of Linux's Documentation/arch/x86/xstate.rst.
        ctypes.CDLL(None).syscall(ctypes.c_long(158), ctypes.c_long(0x1023), ctypes.c_long(18))


@cache
def _hal_device(name: str) -> Any:
    driver, _, index = name.partition(":")
    if driver.startswith("local-"):
        _ask_for_squares()
    if driver == "local-task" and (flag := topology()):
        # IREE reads it when the driver is created, which happens here and only here.
        binding.parse_flags(flag)
    try:
        if not index:
            return _immortal(_driver(driver).create_default_device())
        if index == "pool":
            return _immortal(_driver(driver).create_default_device(allocators=[_POOL]))
        return _immortal(_opened(driver, int(index)))
    except (RuntimeError, ValueError, IndexError) as error:
        raise DeviceError(f"IREE opens no device {name!r} here: {error}") from error


def hal_device(name: str) -> Any:
    """The HalDevice of a name such as `local-sync`, `local-sync:pool` or `vulkan:0`, for this thread to work on.

    Raises `DeviceError`.
    """
    with _lock:
        device = _hal_device(name)
    cuda.enter_named(name)
    return device


@cache
def _hal_module(name: str) -> Any:
    return _immortal(binding.create_hal_module(instance(), hal_device(name)))


def hal_module(name: str) -> Any:
    """The VM module through which programs reach a device. Raises `DeviceError`."""
    with _lock:
        return _hal_module(name)


_TYPE: Any = binding.HalElementType

# Signless for integers, as in the programs that wax compiles; i1 takes one byte, 0 or 1.
_ELEMENT_TYPES: dict[str, int] = {
    "bool": int(_TYPE.BOOL_8),
    "int8": int(_TYPE.INT_8),
    "int16": int(_TYPE.INT_16),
    "int32": int(_TYPE.INT_32),
    "int64": int(_TYPE.INT_64),
    "uint8": int(_TYPE.INT_8),
    "uint16": int(_TYPE.INT_16),
    "uint32": int(_TYPE.INT_32),
    "uint64": int(_TYPE.INT_64),
    "float16": int(_TYPE.FLOAT_16),
    "bfloat16": int(_TYPE.BFLOAT_16),
    "float32": int(_TYPE.FLOAT_32),
    "float64": int(_TYPE.FLOAT_64),
    "complex64": int(_TYPE.COMPLEX_64),
    "complex128": int(_TYPE.COMPLEX_128),
}
# A dtype's `name` is computed each time it is asked for.
ELEMENT_TYPES = {from_name(name): number for name, number in _ELEMENT_TYPES.items()}


def element_type(dtype: Any) -> int:
    """IREE's number for a wax dtype."""
    return ELEMENT_TYPES[dtype]
