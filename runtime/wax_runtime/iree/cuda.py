"""CUDA's driver, for what IREE leaves to who uses it: which device's context a thread is in.

IREE 3.13 makes a device's context the current one of the thread that opens it, and of no other: calls from other
threads fail, or reach the device that was opened last. The context is the device's primary one, as in PyTorch and JAX.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from wax_runtime.errors import BackendError, DeviceError

__all__ = ["capability", "enter", "enter_named", "synchronize"]


@cache
def _driver() -> ctypes.CDLL:
    try:
        driver = ctypes.CDLL("nvcuda.dll" if hasattr(ctypes, "WinDLL") else "libcuda.so.1")
    except OSError as error:
        raise DeviceError(f"CUDA's driver is not here: {error}") from error
    if failed := driver.cuInit(0):
        raise DeviceError(f"CUDA's driver does not start: cuInit gives error {failed}")
    return driver


def _call(index: int, name: str, *arguments: Any) -> None:
    if failed := getattr(_driver(), name)(*arguments):
        raise DeviceError(f"cuda:{index}: CUDA's {name} gives error {failed}")


@cache
def _device(index: int) -> ctypes.c_int:
    device = ctypes.c_int()
    _call(index, "cuDeviceGet", ctypes.byref(device), index)
    return device


@cache
def _set_current(index: int) -> Callable[[], int]:
    """What enters a device's primary context, which lives as long as the process, as IREE's device does."""
    context = ctypes.c_void_p()
    _call(index, "cuDevicePrimaryCtxRetain", ctypes.byref(context), _device(index))
    return partial(_driver().cuCtxSetCurrent, context)


def enter(index: int) -> None:
    """Has this thread work on a device. Raises `DeviceError`."""
    if failed := _set_current(index)():
        raise DeviceError(f"cuda:{index}: CUDA's cuCtxSetCurrent gives error {failed}")


def enter_named(name: str) -> None:
    """Has this thread work on a device such as `cuda:0`; one that is not CUDA's needs nothing. Raises `DeviceError`."""
    if name.startswith("cuda:"):
        enter(int(name[5:]))


def synchronize(index: int) -> None:
    """Waits for all that a device has been given, by whichever library. Raises `BackendError`, `DeviceError`."""
    enter(index)
    if failed := _driver().cuCtxSynchronize():
        raise BackendError(f"cuda:{index} could not be waited for: CUDA's cuCtxSynchronize gives error {failed}")


def capability(index: int) -> tuple[int, int]:
    """A device's compute capability, which IREE does not tell. Raises `DeviceError`."""
    # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR of cuda.h.
    major, minor = ctypes.c_int(), ctypes.c_int()
    for found, attribute in ((major, 75), (minor, 76)):
        _call(index, "cuDeviceGetAttribute", ctypes.byref(found), attribute, _device(index))
    return major.value, minor.value
