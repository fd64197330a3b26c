"""Storage: memory that arrays share. It knows memory, not operations, shapes or dtypes.

`Storage` is the protocol; `HostStorage` is ordinary host memory held by a NumPy array. A backend whose
memory is its own brings its own class (see `iree/storage.py`). Allocations made here are 64-byte aligned,
because that is what compiled code wants in order to use them without a copy.
"""

from __future__ import annotations

from ctypes import addressof, c_char
from math import prod
from typing import Any, Protocol, runtime_checkable

import numpy as np

from wax_runtime.devices import CPU, Device
from wax_runtime.spec import ArraySpec

__all__ = [
    "ALIGNMENT",
    "BufferStorage",
    "Exportable",
    "HostStorage",
    "Storage",
    "aligned_copy",
    "aligned_empty",
    "is_aligned",
]

ALIGNMENT = 64
_NO_BYTES = c_char * 0


@runtime_checkable
class Storage(Protocol):
    """Memory on a device that one or more `Buffer`s share.

    Memory is treated as immutable once a `Buffer` shares it. `host_reachable` says whether `host_array` is
    a view on this very memory (true for every CPU storage); where it is false, `host_array` makes a copy.
    """

    @property
    def device(self) -> Device: ...

    @property
    def nbytes(self) -> int: ...

    @property
    def host_reachable(self) -> bool: ...

    def host_array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """This memory as a NumPy array of that shape and dtype, which keeps the memory alive."""
        ...

    def share(self) -> Storage:
        """This storage, which notes that others see its memory now, so that no call may overwrite it in place."""
        ...

    def block_until_ready(self) -> None:
        """Return once the memory holds its value."""
        ...


@runtime_checkable
class Exportable(Storage, Protocol):
    """What a storage has besides when the host does not reach it, and other libraries may."""

    def dlpack_device(self) -> tuple[int, int]:
        """DLPack's type and number of the device. Raises `BufferError` where others cannot use this memory."""
        ...

    def dlpack(self, found: ArraySpec, copy: bool | None) -> Any:
        """A DLPack capsule on the memory, or a copy of it, seen as an array and with its value there.

        Raises `BufferError`, with `copy=False` where another library can see a copy only.
        """
        ...


class HostStorage:
    """Host memory held by a C-contiguous NumPy array, which may itself be a view of anybody's memory."""

    __slots__ = ("_array",)

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        assert array.flags.c_contiguous, "a HostStorage holds one contiguous piece of memory"
        self._array = array

    @property
    def device(self) -> Device:
        return CPU

    @property
    def nbytes(self) -> int:
        return self._array.nbytes

    @property
    def host_reachable(self) -> bool:
        return True

    def host_array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        array = self._array
        if array.dtype == dtype and array.shape == shape:
            return array
        return array.reshape(-1).view(dtype).reshape(shape)

    def share(self) -> HostStorage:
        return self

    def block_until_ready(self) -> None:
        """Nothing to wait for: host memory is written before it is shared."""


class BufferStorage:
    """Host memory, aligned, of an object with Python's buffer protocol, which nobody writes to any more."""

    __slots__ = ("memory",)

    memory: Any

    def __init__(self, memory: Any) -> None:
        self.memory = memory

    @property
    def device(self) -> Device:
        return CPU

    @property
    def nbytes(self) -> int:
        return memoryview(self.memory).nbytes

    @property
    def host_reachable(self) -> bool:
        return True

    def host_array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        return np.frombuffer(self.memory, dtype).reshape(shape)

    def share(self) -> BufferStorage:
        return self

    def block_until_ready(self) -> None:
        """Nothing to wait for: host memory is written before it is shared."""


def is_aligned(array: np.ndarray[Any, Any], alignment: int = ALIGNMENT) -> bool:
    """Whether the array's first byte lies on a multiple of `alignment`."""
    return array.ctypes.data % alignment == 0


def aligned_empty(shape: tuple[int, ...], dtype: Any) -> np.ndarray[Any, Any]:
    """An uninitialised C-contiguous array whose memory begins on a 64-byte boundary.

    >>> is_aligned(aligned_empty((3, 5), np.float32))
    True
    """
    dtype = np.dtype(dtype)
    raw: Any = np.empty(prod(shape) * dtype.itemsize + ALIGNMENT, np.uint8)
    # An array's own `ctypes.data` takes ten times as long.
    return np.ndarray(shape, dtype, raw, -addressof(_NO_BYTES.from_buffer(raw)) % ALIGNMENT)


def aligned_copy(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy of an array, C-contiguous and 64-byte aligned, in native byte order."""
    copy = aligned_empty(array.shape, array.dtype.newbyteorder("="))
    copy[...] = array
    return copy
