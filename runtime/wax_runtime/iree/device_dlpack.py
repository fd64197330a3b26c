"""DLPack in and out of memory that the host does not reach: CUDA's, where other libraries use the same addresses.

IREE makes and reads the capsules. It knows nothing of other libraries' streams: before memory goes out its value is
waited for, and before memory that came in is used, all that the device does, so that no side's work comes too early.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wax_runtime import dlpack
from wax_runtime.dtypes import from_dlpack_type, info
from wax_runtime.iree.hal import element_type
from wax_runtime.iree.native import binding
from wax_runtime.storage import ALIGNMENT

__all__ = ["Imported", "exported", "imported"]


def exported(view: Any, dtype: np.dtype[Any], hal: Any, device: tuple[int, int]) -> Any:
    """A capsule on the memory of a HalBufferView, which it keeps. Raises `BufferError` where the driver gives none."""
    try:
        capsule = hal.create_dlpack_capsule(view, *device)
    except (RuntimeError, ValueError) as error:
        raise BufferError(f"this memory cannot be exported by DLPack: {error}") from error
    # IREE's integers have no sign.
    dlpack.tensor_of(capsule).code = info(dtype).dlpack_code
    return capsule


class Imported(NamedTuple):
    """Memory of another library, which IREE's code wants aligned. There is no `view` of no elements."""

    view: Any
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    is_aligned: bool


def imported(capsule: Any, hal: Any) -> Imported:
    """A HalBufferView on a capsule's memory, which it keeps.

    Raises `BufferError` where the elements are not side by side, `DTypeError` for a type that wax does not have.
    """
    tensor = dlpack.tensor_of(capsule)
    dtype = from_dlpack_type(tensor.code, tensor.bits, tensor.lanes)
    shape = tuple(tensor.shape[dim] for dim in range(tensor.ndim))
    if tensor.byte_offset or not _is_contiguous(tensor, shape):
        raise BufferError(f"a {dtype}{list(shape)} of another library is not contiguous; give a contiguous copy of it")
    if 0 in shape:
        return Imported(None, shape, dtype, True)
    is_aligned = tensor.data % ALIGNMENT == 0
    try:
        memory = hal.from_dlpack_capsule(capsule).get_buffer()
    except (RuntimeError, ValueError, IndexError) as error:
        what = f"the memory of a {dtype}{list(shape)} of another library"
        raise BufferError(f"IREE cannot use {what}: {error}") from error
    return Imported(binding.HalBufferView(memory, shape, element_type(dtype)), shape, dtype, is_aligned)


def _is_contiguous(tensor: Any, shape: tuple[int, ...]) -> bool:
    if not tensor.strides or 0 in shape:
        return True
    step = 1
    for dim in reversed(range(len(shape))):
        if shape[dim] != 1 and tensor.strides[dim] != step:
            return False
        step *= shape[dim]
    return True
