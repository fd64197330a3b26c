"""DLPack in and out of host memory, for every wax dtype.

NumPy does the work. What it lacks is added here: it refuses bfloat16, which travels as uint16 with the type
code changed in the capsule, and it refuses to export read-only arrays to consumers that cannot be told so.
Device memory is its storage's own matter.
"""

from __future__ import annotations

import ctypes
from typing import Any

import ml_dtypes
import numpy as np

from wax_runtime.errors import DTypeError

__all__ = ["CPU_DEVICE", "CUDA_TYPE", "from_dlpack", "tensor_of", "to_dlpack"]

CPU_DEVICE = (1, 0)  # kDLCPU
CUDA_TYPE = 2  # kDLCUDA

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_CODE_UINT, _CODE_BFLOAT = 1, 4


class _DLTensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    )


_capsule_name = ctypes.pythonapi.PyCapsule_GetName
_capsule_name.restype, _capsule_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def tensor_of(capsule: Any) -> _DLTensor:
    """What a capsule that nobody has taken yet says of its memory; it lives as long as the capsule does."""
    name = _capsule_name(capsule)
    address = _capsule_pointer(capsule, name)
    if name == b"dltensor_versioned":
        return _DLManagedTensorVersioned.from_address(address).tensor
    return _DLTensor.from_address(address)


def to_dlpack(
    array: np.ndarray[Any, Any],
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A DLPack capsule on an array's memory; arguments as in the array API's `__dlpack__`.

    The memory is immutable. Consumers that ask for DLPack 1.0 are told so; older ones cannot be, and must
    not write, as with JAX's arrays. Raises `BufferError` for another device than the CPU.
    """
    if max_version is None or max_version[0] < 1:
        array = _writeable(array)
    exported = array.view(np.uint16) if array.dtype == _BFLOAT16 else array
    capsule = exported.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
    if array.dtype == _BFLOAT16:
        tensor_of(capsule).code = _CODE_BFLOAT
    return capsule


def _writeable(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if array.flags.writeable:
        return array
    interface = dict(array.__array_interface__)
    interface["data"] = (interface["data"][0], False)
    if interface["strides"] is None and array.size == 0:
        return np.empty(array.shape, array.dtype)
    if array.dtype == _BFLOAT16:
        interface["typestr"], interface["descr"] = "<u2", [("", "<u2")]
    return np.asarray(_Interface(interface, array)).view(array.dtype)


class _Interface:
    """An `__array_interface__`, and what keeps its memory alive."""

    def __init__(self, interface: dict[str, Any], owner: Any) -> None:
        self.__array_interface__ = interface
        self.owner = owner


class _Capsule:
    """A capsule already asked for, in the form `np.from_dlpack` wants it."""

    def __init__(self, capsule: Any, device: tuple[int, int]) -> None:
        self._capsule = capsule
        self._device = device

    def __dlpack__(self, **_: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


def from_dlpack(source: Any) -> np.ndarray[Any, Any]:
    """A NumPy array on the memory of any host object that speaks DLPack, without a copy.

    Raises `BufferError` for memory that the host cannot reach, `DTypeError` for a type NumPy has no name for.
    """
    device = source.__dlpack_device__()
    if tuple(device) != CPU_DEVICE:
        raise BufferError(f"DLPack device {tuple(device)} is not host memory")
    try:
        capsule = source.__dlpack__(max_version=(1, 0))
    except TypeError:  # a producer older than DLPack 1.0
        capsule = source.__dlpack__()
    tensor = tensor_of(capsule)
    is_bfloat16 = tensor.code == _CODE_BFLOAT and tensor.bits == 16 and tensor.lanes == 1
    if is_bfloat16:
        tensor.code = _CODE_UINT
    try:
        array = np.from_dlpack(_Capsule(capsule, CPU_DEVICE))
    except BufferError as error:
        raise DTypeError(f"DLPack type (code={tensor.code}, bits={tensor.bits}) has no wax dtype") from error
    return array.view(_BFLOAT16) if is_bfloat16 else array
