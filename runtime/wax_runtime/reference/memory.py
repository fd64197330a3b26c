"""The memory that results are handed out in: contiguous, aligned when large, and no more than their own.

A result may share memory with an argument, of which it is a view: values are immutable. The argument is
marked as shared then, so that no later call that it is donated to overwrites it in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wax_runtime.buffer import Buffer
from wax_runtime.storage import aligned_copy, is_aligned

__all__ = ["LARGE", "mark_shared", "owned"]

#: From this many bytes on memory is aligned, so that no compiled program makes and keeps a copy of its own.
LARGE = 1 << 16


def owned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array, or a copy where its memory is not fit to be handed out."""
    if not array.flags.c_contiguous or (array.nbytes >= LARGE and not is_aligned(array)):
        return aligned_copy(array)
    base = array.base
    # A small part of something large would keep all of it alive.
    if isinstance(base, np.ndarray) and base.nbytes > 4 * array.nbytes + LARGE:
        return aligned_copy(array)
    return array


def mark_shared(array: np.ndarray[Any, Any], arrays: Sequence[Any], args: Sequence[Buffer]) -> None:
    """Marks the arguments whose memory a result shares."""
    for given, arg in zip(arrays, args, strict=True):
        if np.may_share_memory(array, given):
            arg.storage.share()
