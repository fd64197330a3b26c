"""`ArraySpec`: the shape, dtype and device of an array, interned.

Two arrays of equal shape, dtype and device share one `ArraySpec` object, so that its identity can be the key
of a call cache: comparing and hashing it costs no more than comparing a pointer.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np

from wax_runtime import dtypes
from wax_runtime.devices import CPU, Device

__all__ = ["ArraySpec", "spec"]


class ArraySpec:
    """Shape, dtype and device of an array; made by `spec(...)` only, compared by identity.

    >>> spec((2, 3), "float32") is spec([2, 3], np.float32)
    True
    """

    __slots__ = ("__weakref__", "device", "dtype", "nbytes", "shape", "size")

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    device: Device
    size: int
    nbytes: int

    def __init__(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: Device) -> None:
        self.shape = shape
        self.dtype = dtype
        self.device = device
        self.size = prod(shape)
        self.nbytes = self.size * dtype.itemsize

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"ArraySpec({self}, device={self.device})"

    def __str__(self) -> str:
        return f"{dtypes.info(self.dtype).name}[{', '.join(map(str, self.shape))}]"

    def __reduce__(self) -> tuple[Any, ...]:
        return (spec, (self.shape, dtypes.info(self.dtype).name, self.device))


# Weak: a program that sees ever new shapes must not grow for ever.
_interned: weakref.WeakValueDictionary[tuple[Any, ...], ArraySpec] = weakref.WeakValueDictionary()
_lock = threading.Lock()


def spec(shape: Iterable[int], dtype: Any, device: Device = CPU) -> ArraySpec:
    """The interned `ArraySpec` of a shape, dtype and device. Raises `DTypeError` for a dtype wax does not have."""
    dims = tuple(shape)
    row = dtypes.info(dtype)
    key = (dims, row.name, device)
    found = _interned.get(key)
    if found is None:
        with _lock:
            found = _interned.get(key)
            if found is None:
                # `int` because NumPy integers compare equal to ints and would be kept in the interned shape.
                found = _interned[key] = ArraySpec(tuple(int(d) for d in dims), row.numpy, device)
    return found
