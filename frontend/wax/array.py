"""`Array`: a buffer with the array API on it. What users hold outside traced functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from wax import dtypes
from wax.operators import ArrayOperators
from wax_runtime import transfer
from wax_runtime.buffer import Buffer
from wax_runtime.devices import Device
from wax_runtime.errors import WaxError

__all__ = ["Array", "as_array"]


class Array(Buffer, ArrayOperators):
    """An immutable array on a device.

    Operators and methods follow the Python array API standard; results are new arrays. Elements reach NumPy
    by `np.asarray(x)`, other libraries by DLPack, both without a copy where the memory is reachable.

    >>> x = asarray([1.0, 2.0, 3.0])
    >>> float((x * 2).sum())
    12.0
    """

    __slots__ = ()

    weak = False

    def __bool__(self) -> bool:
        return bool(self._element("bool"))

    def __int__(self) -> int:
        return int(self._element("int"))

    def __float__(self) -> float:
        return float(self._element("float"))

    def __complex__(self) -> complex:
        return complex(self._element("complex"))

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            raise TypeError(f"only integer arrays can be used as an index, this is {self.spec}")
        return int(self._element("int"))

    def _element(self, what: str) -> Any:
        if self.size != 1 or self.ndim:
            raise TypeError(f"only rank 0 arrays convert to {what}, this is {self.spec}; index it, or use .tolist()")
        return self.numpy()[()]

    def to_device(self, device: Device | str, /, *, stream: Any = None) -> Array:
        """The array in the memory of a device: itself where it is there, else a copy.

        Raises `DeviceError` for a device that cannot be driven, `InvalidArgumentError` for a stream.
        """
        from wax.errors import InvalidArgumentError

        if stream is not None:
            raise InvalidArgumentError(f"to_device: streams are no part of wax, and this one is {stream!r}")
        return transfer.put(self, device)

    def item(self) -> Any:
        """The only element, as a Python number. Raises `TypeError` unless there is exactly one."""
        if self.size != 1:
            raise TypeError(f".item() needs an array of one element, this is {self.spec}")
        return self.numpy().item()

    def tolist(self) -> Any:
        """The elements as nested lists of Python numbers."""
        return self.numpy().tolist()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a rank 0 array has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        if not self.shape:
            raise TypeError("a rank 0 array cannot be iterated over")
        return (self[i] for i in range(self.shape[0]))

    __hash__ = None  # == compares elements

    def __repr__(self) -> str:
        if self.is_deleted():
            return f"Array(<deleted>, {self.spec})"
        body = np.array2string(self.numpy(), separator=", ", threshold=100, prefix="Array(")
        return f"Array({body}, dtype={self.dtype.name})"


def as_array(x: Any) -> Array:
    """Any host array (NumPy, DLPack, `__array__`) or number as an `Array`; shared by DLPack, else copied.

    Python numbers get the default dtypes. Raises `DTypeError` for a dtype wax has no arrays of.
    """
    if isinstance(x, Array):
        return x
    if isinstance(x, np.ndarray | np.generic):  # np.float64 is a Python float by inheritance, and keeps its dtype
        return Array.from_numpy(x)
    if isinstance(x, bool | int | float | complex):
        return Array.from_numpy(np.asarray(x, dtypes.of_python(x)))
    if hasattr(x, "__dlpack__"):
        try:
            return Array.from_dlpack(x)
        except (BufferError, WaxError):
            # What cannot be shared can often still be copied: a strided view, a gradient-free tensor.
            return Array.from_numpy(np.asarray(x))
    return Array.from_numpy(np.asarray(x))
