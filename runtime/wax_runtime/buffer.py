"""`Buffer`: an immutable array value. Shape, dtype, device, and a storage it shares.

It has no array API on it: `wax.Array` in the frontend is a subclass that adds one, which is why everything
that makes buffers takes the class to make. Nor does it know any backend: the slot `_handle` holds whatever a
backend wants to find again when it meets the same buffer.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from wax_runtime import dlpack, dtypes
from wax_runtime.devices import Device
from wax_runtime.errors import DeletedBufferError
from wax_runtime.spec import ArraySpec, spec
from wax_runtime.storage import Exportable, HostStorage, Storage, aligned_copy, is_aligned

__all__ = ["Buffer", "asbuffer", "from_dlpack"]


class Buffer:
    """An immutable array: `spec` (shape, dtype, device) and shared `storage`.

    Subclasses keep `__init__(spec, storage)` callable with these two. `_handle` is unset until a backend
    sets it to its own view of this buffer (for IREE a HalBufferView). A handle must be neither a Python
    scalar nor container nor anything with `__array__`, so that no other backend can take it for an argument.
    `_memory` is a native caller's own, likewise: host memory that has the value, in a form that it knows.
    """

    __slots__ = ("__weakref__", "_handle", "_memory", "_storage", "spec")

    spec: ArraySpec
    _storage: Storage | None
    _handle: Any
    _memory: Any

    def __init__(self, spec: ArraySpec, storage: Storage) -> None:
        self.spec = spec
        self._storage = storage

    @classmethod
    def from_numpy(cls, array: np.ndarray[Any, Any] | np.generic, *, copy: bool | None = True) -> Self:
        """A buffer on the CPU with an array's value.

        With `copy=None` the array's memory is shared when it is aligned and contiguous, and with
        `copy=False` it must be; nobody may write to shared memory afterwards. Raises `DTypeError` for a
        dtype wax does not have, `ValueError` when `copy=False` cannot be kept.

        >>> Buffer.from_numpy(np.arange(3, dtype=np.int32)).spec
        ArraySpec(int32[3], device=cpu:0)
        """
        array = np.asarray(array)
        found = spec(array.shape, array.dtype)
        if copy is True:
            return cls(found, HostStorage(aligned_copy(array)))
        shareable = array.flags.c_contiguous and array.dtype == found.dtype and is_aligned(array)
        if copy is False and not shareable:
            raise ValueError(
                "the array's memory is not contiguous and 64-byte aligned: it cannot be shared without a copy"
            )
        return cls(found, HostStorage(array if shareable else aligned_copy(array)))

    @classmethod
    def from_dlpack(cls, source: Any, *, copy: bool | None = None) -> Self:
        """A buffer on the memory of any array that speaks DLPack (NumPy, PyTorch, JAX …), on the CPU or a CUDA device.

        No copy is made unless the memory is not contiguous (on the CPU) or not aligned (on others) or `copy=True`. The
        producer must not write to shared memory afterwards. Raises `BufferError` for memory that no backend reaches.
        """
        if isinstance(source, Buffer) and not copy:
            return cls(source.spec, source.storage)
        kind, index = source.__dlpack_device__()
        device = int(kind), int(index)
        if device != dlpack.CPU_DEVICE and (buffer := _imported(source, device, cls, copy)) is not None:
            assert isinstance(buffer, cls)
            return buffer
        array = dlpack.from_dlpack(source)
        found = spec(array.shape, array.dtype)
        if copy is False and not array.flags.c_contiguous:
            raise ValueError("the array's memory is not contiguous: it cannot be shared without a copy")
        keep = array.flags.c_contiguous and not copy
        return cls(found, HostStorage(array if keep else aligned_copy(array)))

    @property
    def shape(self) -> tuple[int, ...]:
        return self.spec.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.spec.dtype

    @property
    def device(self) -> Device:
        return self.spec.device

    @property
    def ndim(self) -> int:
        return len(self.spec.shape)

    @property
    def size(self) -> int:
        return self.spec.size

    @property
    def nbytes(self) -> int:
        return self.spec.nbytes

    @property
    def storage(self) -> Storage:
        """The memory behind this buffer, to share it. Raises `DeletedBufferError` after `delete()` or donation.

        From then on no call that this buffer is donated to overwrites the memory.
        """
        return self._live().share()

    def _live(self) -> Storage:
        storage = self._storage
        if storage is None:
            raise DeletedBufferError(
                f"this {self.spec} array was donated to a call or deleted; use the call's result, or do not donate it"
            )
        return storage

    def delete(self) -> None:
        """Give up this buffer's share of its storage; any later use raises `DeletedBufferError`."""
        self._storage = None
        self._forget_handle()
        if hasattr(self, "_memory"):
            del self._memory

    def _forget_handle(self) -> None:
        if hasattr(self, "_handle"):
            del self._handle

    def is_deleted(self) -> bool:
        """Whether the buffer was donated or deleted."""
        return self._storage is None

    def block_until_ready(self) -> Self:
        """Wait until the value is there, and return this buffer.

        Calls on GPUs return before. Raises `BackendError` where the call that makes it failed on the device.
        """
        storage = self._storage
        if storage is None:
            storage = self._live()
        storage.block_until_ready()
        return self

    def numpy(self) -> np.ndarray[Any, Any]:
        """The value as a read-only NumPy array: a view of the memory where the host reaches it, else a copy."""
        array = self._live().host_array(self.spec.shape, self.spec.dtype)
        if array.flags.writeable:
            array = array.view()
            array.flags.writeable = False
        return array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array = self.numpy()
        if dtype is not None and np.dtype(dtype) != array.dtype:
            if copy is False:
                raise ValueError(f"a {self.spec} array cannot be seen as {np.dtype(dtype)} without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        storage = self._live()
        if not storage.host_reachable and dl_device != dlpack.CPU_DEVICE:
            device = self.__dlpack_device__()
            if dl_device not in (None, device):
                raise BufferError(f"an array on {self.device} is exported by DLPack there or to the CPU only")
            assert isinstance(storage, Exportable)
            capsule = storage.dlpack(self.spec, copy)
            # The memory may be another now.
            self._forget_handle()
            return capsule
        if not storage.host_reachable and copy is False:
            raise BufferError(f"memory of {self.device} comes to the CPU as a copy")
        return dlpack.to_dlpack(self.numpy(), stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        storage = self._live()
        if storage.host_reachable:
            return dlpack.CPU_DEVICE
        if isinstance(storage, Exportable):
            return storage.dlpack_device()
        raise BufferError(f"memory of {self.device} cannot be exported by DLPack; use np.asarray for a copy")

    def __repr__(self) -> str:
        value = "<deleted>" if self._storage is None else np.array2string(self.numpy(), separator=", ", threshold=100)
        return f"{type(self).__name__}({value}, {self.spec}, device={self.device})"

    def __reduce__(self) -> tuple[Any, ...]:
        # By value: neither memory nor a backend's handle outlives the process. A uint8 copy, because not
        # every dtype (bfloat16) is one that NumPy itself can describe in a pickle.
        data = np.ascontiguousarray(self.numpy()).reshape(-1).view(np.uint8).copy()
        return (_rebuild, (type(self), self.spec, data))


def _rebuild(cls: type[Buffer], spec: ArraySpec, data: np.ndarray[Any, Any]) -> Buffer:
    return cls(spec, HostStorage(aligned_copy(data)))


def _imported(source: Any, device: tuple[int, int], kind: type[Buffer], copy: bool | None) -> Buffer | None:
    """A buffer on memory that the host may not reach; `None` where no backend knows such."""
    # Here, because the registry's backends are built on this module.
    from wax_runtime.backend import Importer
    from wax_runtime.registry import backends

    importers = [backend for backend in backends() if isinstance(backend, Importer)]
    made = (one.from_dlpack(source, device, kind, copy) for one in importers)
    return next((buffer for buffer in made if buffer is not None), None)


def from_dlpack(source: Any, *, copy: bool | None = None) -> Buffer:
    """A `Buffer` on the memory of any array that speaks DLPack; see `Buffer.from_dlpack`."""
    return Buffer.from_dlpack(source, copy=copy)


def asbuffer(value: Any, dtype: Any = None) -> Buffer:
    """Any array-like as a `Buffer` on the CPU: buffers as they are, all else by way of NumPy.

    Python numbers take NumPy's dtypes unless `dtype` is given. Raises `DTypeError` for a dtype wax does not
    have.

    >>> asbuffer([1.0, 2.0], "float32").spec
    ArraySpec(float32[2], device=cpu:0)
    """
    if isinstance(value, Buffer) and (dtype is None or value.dtype == dtypes.dtype(dtype)):
        return value
    return Buffer.from_numpy(np.asarray(value, None if dtype is None else dtypes.dtype(dtype)))
