"""Memory that IREE allocated on the CPU, and how any buffer becomes a HalBufferView.

Host memory is imported through DLPack, because IREE then holds its owner for as long as IREE itself uses it;
`import_host_allocation` would hold it only as long as a Python object lives, and a program may return its
argument's memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Self, TypeVar

import numpy as np

from wax_runtime.buffer import Buffer
from wax_runtime.devices import CPU, Device
from wax_runtime.dlpack import to_dlpack
from wax_runtime.iree.hal import element_type, hal_device
from wax_runtime.iree.native import binding
from wax_runtime.spec import ArraySpec
from wax_runtime.storage import BufferStorage, aligned_copy, aligned_empty, is_aligned

__all__ = ["HalStorage", "ViewStorage", "copy_of", "putter", "view_of"]

HalBufferView = binding.HalBufferView


class ViewStorage:
    """Memory behind a HalBufferView.

    `exclusive` says that nobody but one `Buffer` can see this memory, so that a call to which the buffer is
    donated may overwrite it.
    """

    __slots__ = ("exclusive", "view")

    view: Any
    exclusive: bool

    def __init__(self, view: Any) -> None:
        self.view = view
        self.exclusive = True

    @property
    def nbytes(self) -> int:
        return self.view.byte_length

    def share(self) -> Self:
        self.exclusive = False
        return self


class HalStorage(ViewStorage):
    """Such memory that the host reaches."""

    __slots__ = ()

    def block_until_ready(self) -> None:
        """Nothing to wait for: on the host, calls return when their results are there."""

    @property
    def device(self) -> Device:
        return CPU

    @property
    def host_reachable(self) -> bool:
        return True

    def host_array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        self.exclusive = False
        if 0 in shape:
            return np.empty(shape, dtype)
        flat = self.view.map().asarray((self.view.byte_length,), np.dtype(np.uint8))
        return flat.view(dtype).reshape(shape)


_B = TypeVar("_B", bound=Buffer)


def view_of(buffer: Buffer) -> Any:
    """The HalBufferView of a buffer, made without a copy where its memory is 64-byte aligned, and kept on it.

    Raises `DeletedBufferError`.
    """
    handle = getattr(buffer, "_handle", None)
    if type(handle) is HalBufferView:
        return handle
    found, storage = buffer.spec, buffer._live()
    if isinstance(storage, HalStorage):
        # Another buffer may have another shape or signedness on this memory.
        view = HalBufferView(storage.view.get_buffer(), found.shape, element_type(found.dtype))
    elif isinstance(storage, BufferStorage):
        view = _view(np.frombuffer(storage.memory, np.uint8).__dlpack__(), found)
    else:
        array = storage.host_array(found.shape, found.dtype)
        view = _import(array if is_aligned(array) else aligned_copy(array), found)
    buffer._handle = view
    return view


_HOST_MEMORY = int(binding.MemoryType.DEVICE_LOCAL | binding.MemoryType.HOST_VISIBLE)
_ANY_USAGE = int(binding.BufferUsage.DEFAULT | binding.BufferUsage.MAPPING)


def putter(of: ArraySpec, buffer_type: type[_B]) -> Callable[[np.ndarray[Any, Any] | np.generic], _B]:
    """What makes buffers, in memory of IREE's own, of arrays (and NumPy's scalars) of exactly this spec.

    A copy: the array stays its owner's to write to, while results may share the argument's memory.
    """
    device = _device()
    copy, element = device.allocator.allocate_buffer_copy, element_type(of.dtype)

    def put(array: np.ndarray[Any, Any] | np.generic) -> _B:
        try:
            view = copy(_HOST_MEMORY, _ANY_USAGE, device, array, element)
        except ValueError:  # not contiguous
            return buffer_type.from_numpy(array)
        buffer = buffer_type(of, HalStorage(view))
        buffer._handle = view
        return buffer

    return put


def copy_of(buffer: Buffer) -> Buffer:
    """A buffer on fresh memory of IREE's own with the same value, which a program may overwrite."""
    found = buffer.spec
    device = _device()
    # Not by DLPack: IREE's in-place updates refuse memory that was imported so (no DISCARD access).
    memory = device.allocator.allocate_buffer_copy(
        memory_type=_HOST_MEMORY,
        allowed_usage=_ANY_USAGE,
        device=device,
        buffer=buffer._live().host_array(found.shape, found.dtype).reshape(-1).view(np.uint8),
    )
    view = HalBufferView(memory, found.shape, element_type(found.dtype))
    copy = Buffer(found, HalStorage(view))
    copy._handle = view
    return copy


def _import(array: np.ndarray[Any, Any], found: ArraySpec) -> Any:
    # An array without elements may have strides that IREE does not take, and no memory of its own.
    return _view(to_dlpack(array if array.size else aligned_empty((1,), array.dtype)), found)


def _view(capsule: Any, found: ArraySpec) -> Any:
    memory = _device().from_dlpack_capsule(capsule).get_buffer()
    return HalBufferView(memory, found.shape, element_type(found.dtype))


@cache
def _device() -> Any:
    return hal_device("local-sync")
