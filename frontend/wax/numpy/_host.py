"""Numbers, nested lists and foreign arrays as host arrays of a dtype of wax. Nothing here is traced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from wax import dtypes
from wax.array import as_array
from wax.errors import PromotionError, ShapeError

__all__ = ["from_host", "leaves"]


def leaves(nested: Any) -> Iterator[Any]:
    """What nested lists hold."""
    for item in nested:
        if isinstance(item, list | tuple):
            yield from leaves(item)
        else:
            yield item


def from_host(obj: Any, dtype: dtypes.DType | None) -> Any:
    """A number, nested list or foreign array as a NumPy array of a dtype of wax, or something that DLPack reads."""
    if isinstance(obj, np.ndarray | np.generic):
        dtypes.canonical(obj.dtype)
        return obj if dtype is None else _to_dtype(np.asarray(obj), dtype)
    if isinstance(obj, bool | int | float | complex | list | tuple):
        try:
            array = np.asarray(obj)
            if array.dtype.kind == "f" and array.size and all(type(leaf) is int for leaf in leaves([obj])):
                array = np.asarray(obj, np.uint64)  # NumPy rounds where some are beyond int64 and some are not
        except (ValueError, OverflowError) as error:
            raise ShapeError(f"asarray: the nested list is ragged or holds what is no number: {error}") from error
        if array.dtype == object:
            raise PromotionError("asarray: the list holds an integer beyond 64 bits, or something that is no number")
        dtypes.canonical(array.dtype)
        weak = not any(isinstance(leaf, np.ndarray | np.generic) for leaf in leaves([obj]))
        if dtype is None and not weak:
            return array
        return _to_dtype(array, dtype or _default_of(array))
    if dtype is None or hasattr(obj, "__dlpack__"):
        shared = obj if hasattr(obj, "__dlpack__") else np.asarray(obj)
        return shared if dtype is None else _to_dtype(np.asarray(as_array(shared)), dtype)
    return _to_dtype(np.asarray(obj), dtype)


def _default_of(array: np.ndarray[Any, Any]) -> dtypes.DType:
    """The default dtype of the numbers that NumPy made an array of."""
    return dtypes.of_python(array.dtype.type(0).item())


def _to_dtype(array: np.ndarray[Any, Any], dtype: dtypes.DType) -> np.ndarray[Any, Any]:
    if array.dtype.kind in "iu" and dtype.kind in "iu" and array.size:
        for extreme in (array.min(), array.max()):
            dtypes.check_fits("asarray", int(extreme), dtype)
    if array.dtype.kind == "c" and dtypes.kind(dtype) not in ("complex", "bool"):
        raise PromotionError(f"asarray: complex numbers as {dtype} would lose their imaginary parts")
    with np.errstate(over="ignore", invalid="ignore"):
        return array.astype(dtype)
