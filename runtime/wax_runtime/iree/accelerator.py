"""Memory of devices that the host does not reach: GPUs, by CUDA and Vulkan. What crosses is copied, both ways.

Vulkan's drivers import host memory by whole pages only, and what programs allocate there cannot be mapped; a
staging buffer works on all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeVar

import numpy as np

from wax_runtime.buffer import Buffer
from wax_runtime.devices import Device
from wax_runtime.dlpack import CUDA_TYPE
from wax_runtime.errors import ArgumentError, BackendError
from wax_runtime.iree import cuda
from wax_runtime.iree.device_dlpack import exported, imported
from wax_runtime.iree.hal import element_type, hal_device
from wax_runtime.iree.native import binding
from wax_runtime.iree.storage import ViewStorage
from wax_runtime.iree.timeline import timeline_of
from wax_runtime.spec import ArraySpec, spec

__all__ = ["DeviceStorage", "copy_of", "from_dlpack", "put", "putter"]

_Type, _Usage = binding.MemoryType, binding.BufferUsage
_ON_DEVICE = int(_Type.DEVICE_LOCAL)
_OWN = _ON_DEVICE, int(_Usage.DEFAULT)
_STAGING = int(_Type.HOST_LOCAL | _Type.DEVICE_VISIBLE), int(_Usage.TRANSFER | _Usage.MAPPING)

#: That stream of CUDA's which DLPack's producers make wait for their own.
_LEGACY_STREAM = 1

_B = TypeVar("_B", bound=Buffer)


class DeviceStorage(ViewStorage):
    """Memory behind a HalBufferView, which the host does not reach; `ready` is the fence of the call that fills it."""

    __slots__ = ("_device", "_ready")

    def __init__(self, view: Any, device: Device, ready: Any = None) -> None:
        super().__init__(view)
        self._device = device
        self._ready = ready

    @property
    def device(self) -> Device:
        return self._device

    @property
    def host_reachable(self) -> bool:
        return False

    def block_until_ready(self) -> None:
        """Waits for the call that it is a result of. Raises `BackendError` where that failed on the device."""
        ready = self._ready
        if ready is None:
            return
        cuda.enter_named(str(self._device))
        try:
            ready.wait()
        except RuntimeError as error:
            raise BackendError(f"a function failed on {self._device}, and this is a result of it: {error}") from error
        self._ready = None

    def dlpack_device(self) -> tuple[int, int]:
        """Its device in DLPack's numbers. Raises `BufferError` where no other library has memory of that kind."""
        if self._device.platform != "cuda":
            raise BufferError(f"memory of {self._device} cannot be exported by DLPack; use np.asarray for a copy")
        return CUDA_TYPE, self._device.index

    def dlpack(self, found: ArraySpec, copy: bool | None) -> Any:
        """A DLPack capsule on the memory, or a copy, which is ready. Raises `BufferError`, `BackendError`.

        What a call gave is memory of a pool, which IREE does not export: the array moves out of it, once.
        """
        device, hal = self.dlpack_device(), hal_device(str(self._device))
        self.block_until_ready()

        def export(memory: Any) -> Any:
            return exported(
                binding.HalBufferView(memory, found.shape, element_type(found.dtype)), found.dtype, hal, device
            )

        if not copy:
            try:
                return export(self.share().view.get_buffer())
            except BufferError:
                if copy is False:
                    raise
        try:
            memory = copied(hal, self.view.get_buffer())
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"{self._device} has no memory for a copy of an array: {error}") from error
        if not copy:
            self.view = binding.HalBufferView(memory, found.shape, element_type(found.dtype))
        return export(memory)

    def host_array(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """A copy of the memory, when it is ready. Raises `BackendError` where the device does not give it out."""
        self.block_until_ready()
        wanted = prod(shape) * dtype.itemsize
        if not wanted:
            return np.empty(shape, dtype)
        try:
            flat = download(hal_device(str(self._device)), self.view.get_buffer())
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"an array could not be copied from {self._device}: {error}") from error
        return flat[:wanted].view(dtype).reshape(shape)


def upload(hal: Any, data: np.ndarray[Any, Any]) -> Any:
    """A HalBuffer of fresh memory of a HalDevice, with these bytes. Raises what IREE raises."""
    return hal.allocator.allocate_buffer_copy(*_OWN, hal, data)


def download(hal: Any, source: Any) -> np.ndarray[Any, Any]:
    """The bytes of a HalBuffer of a HalDevice. Raises what IREE raises."""
    return copied(hal, source, _STAGING).map().asarray((source.byte_length(),), np.dtype(np.uint8))


def copied(hal: Any, source: Any, kind: tuple[int, int] = _OWN) -> Any:
    """A HalBuffer of fresh memory of a HalDevice, with the bytes of another that is ready. Raises what IREE raises."""
    memory = hal.allocator.allocate_buffer(*kind, source.byte_length())
    semaphore = hal.create_semaphore(0)
    done = binding.HalFence.create_at(semaphore, 1)
    hal.queue_copy(source, memory, binding.HalFence.create_at(semaphore, 0), done)
    done.wait()
    return memory


def put(array: np.ndarray[Any, Any] | np.generic, shape: tuple[int, ...], dtype: Any, device: Device) -> Any:
    """A HalBufferView on fresh memory of a device, with an array's elements. Raises `BackendError`."""
    data: np.ndarray[Any, Any] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if not data.size:
        data = np.zeros(1, np.uint8)
    try:
        memory = upload(hal_device(str(device)), data)
    except (RuntimeError, ValueError) as error:
        raise BackendError(f"{device} has no memory for {data.nbytes} bytes: {error}") from error
    return binding.HalBufferView(memory, shape, element_type(dtype))


def putter(of: ArraySpec, device: Device, buffer_type: type[_B]) -> Callable[[np.ndarray[Any, Any] | np.generic], _B]:
    """What makes buffers on a device of host arrays of exactly this spec."""
    there = spec(of.shape, of.dtype, device)

    def put_one(array: np.ndarray[Any, Any] | np.generic) -> _B:
        view = put(array, of.shape, of.dtype, device)
        buffer = buffer_type(there, DeviceStorage(view, device))
        buffer._handle = view
        return buffer

    return put_one


def from_dlpack(source: Any, device: Device, buffer_type: type[_B], copy: bool | None) -> _B:
    """A buffer on the memory that another library has on a CUDA device.

    A copy of it with `copy=True`, and where it is not aligned. Raises `BufferError` where the elements are not side by
    side, `DTypeError`, `BackendError`, and `ValueError` where `copy=False` cannot be kept.
    """
    found = imported(source.__dlpack__(stream=_LEGACY_STREAM), hal_device(str(device)))
    if copy is False and not found.is_aligned:
        raise ValueError("the array's memory is not 64-byte aligned: it cannot be shared without a copy")
    there = spec(found.shape, found.dtype, device)
    if found.view is None:
        return putter(there, device, buffer_type)(np.empty(found.shape, found.dtype))
    cuda.synchronize(device.index)
    buffer = buffer_type(there, DeviceStorage(found.view, device).share())
    buffer._handle = found.view
    if copy or not found.is_aligned:
        buffer = buffer_type(there, copy_of(buffer, device)._live())
    return buffer


def view_on(buffer: Buffer, device: Device) -> Any:
    """The HalBufferView of a buffer for a call on a device: of its own memory there, or of a copy from the host.

    Raises `ArgumentError` for an array of yet another device.
    """
    found, storage = buffer.spec, buffer._live()
    if found.device == device and isinstance(storage, DeviceStorage):
        handle = getattr(buffer, "_handle", None)
        if type(handle) is not binding.HalBufferView:
            # Another buffer may have another shape or signedness on this memory.
            handle = binding.HalBufferView(storage.view.get_buffer(), found.shape, element_type(found.dtype))
            buffer._handle = handle
        return handle
    if not storage.host_reachable:
        raise ArgumentError(f"an array on {found.device} meets a function on {device}; move it by wax.device_put")
    return put(storage.host_array(found.shape, found.dtype), found.shape, found.dtype, device)


def copy_of(buffer: Buffer, device: Device) -> Buffer:
    """A buffer on fresh memory of a device with the same value, which a program may overwrite."""
    found = buffer.spec
    if found.device == device:
        hal, source = hal_device(str(device)), view_on(buffer, device).get_buffer()
        memory = hal.allocator.allocate_buffer(*_OWN, source.byte_length())
        wait, done = timeline_of(str(device)).next((source, memory))
        hal.queue_copy(source, memory, wait, done)
        view = binding.HalBufferView(memory, found.shape, element_type(found.dtype))
    else:
        view, done = view_on(buffer, device), None
    copy = Buffer(spec(found.shape, found.dtype, device), DeviceStorage(view, device, done))
    copy._handle = view
    return copy
