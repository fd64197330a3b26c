"""IREE's runtime in this process: one VM instance, one HAL device per driver, and the table of element types.

Both live until the process ends and are never destroyed. A result of `local-task` belongs to its device's
memory pool, and IREE crashes when such a buffer is freed after its device, which is the order in which
Python's shutdown may do it.
"""

from __future__ import annotations

import ctypes
import os
import threading
from functools import cache
from typing import Any

from wax_runtime.dtypes import from_name
from wax_runtime.errors import DeviceError
from wax_runtime.iree.native import binding

__all__ = ["ELEMENT_TYPES", "element_type", "hal_device", "hal_module", "instance"]

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
def _hal_device(driver: str) -> Any:
    threads = os.environ.get("WAX_NUM_THREADS", "")
    if driver == "local-task" and threads:
        if not threads.isdecimal() or int(threads) < 1:
            raise DeviceError(f"WAX_NUM_THREADS is {threads!r}; it must be the number of worker threads, 1 or more")
        # IREE reads it when the driver is created, which happens here and only here.
        binding.parse_flags(f"--task_topology_group_count={threads}")
    try:
        return _immortal(_immortal(binding.get_cached_hal_driver(driver)).create_default_device())
    except (RuntimeError, ValueError) as error:
        raise DeviceError(f"IREE's driver {driver!r} has no device here: {error}") from error


def hal_device(driver: str) -> Any:
    """The HalDevice of a driver such as `local-sync`. Raises `DeviceError`."""
    with _lock:
        return _hal_device(driver)


@cache
def _hal_module(driver: str) -> Any:
    return _immortal(binding.create_hal_module(instance(), hal_device(driver)))


def hal_module(driver: str) -> Any:
    """The VM module through which programs reach a driver's device. Raises `DeviceError`."""
    with _lock:
        return _hal_module(driver)


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
