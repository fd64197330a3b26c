"""The one table of dtypes: name, NumPy dtype, MLIR element type, DLPack code, size.

A wax dtype *is* a NumPy dtype object (bfloat16 comes from ml_dtypes). This module is not the place for type
promotion, which belongs to the frontend.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from wax_runtime.errors import DTypeError

__all__ = ["ALL", "DTypeInfo", "dtype", "from_dlpack_type", "from_name", "info", "mlir_type"]

# Codes of DLDataTypeCode in dlpack.h.
_INT, _UINT, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6


@dataclass(frozen=True, slots=True)
class DTypeInfo:
    """One row of the table.

    `mlir` is signless for integers: int8 and uint8 are both `i8`. `kind` is one of
    `bool, int, uint, float, complex`. `bits` is what DLPack states, one byte for bool.
    """

    name: str
    numpy: np.dtype[Any]
    mlir: str
    kind: str
    dlpack_code: int

    @property
    def itemsize(self) -> int:
        return self.numpy.itemsize

    @property
    def bits(self) -> int:
        return 8 * self.numpy.itemsize


def _row(name: str, scalar: Any, mlir: str, kind: str, code: int) -> DTypeInfo:
    return DTypeInfo(name, np.dtype(scalar), mlir, kind, code)


ALL: tuple[DTypeInfo, ...] = (
    _row("bool", np.bool_, "i1", "bool", _BOOL),
    _row("int8", np.int8, "i8", "int", _INT),
    _row("int16", np.int16, "i16", "int", _INT),
    _row("int32", np.int32, "i32", "int", _INT),
    _row("int64", np.int64, "i64", "int", _INT),
    _row("uint8", np.uint8, "i8", "uint", _UINT),
    _row("uint16", np.uint16, "i16", "uint", _UINT),
    _row("uint32", np.uint32, "i32", "uint", _UINT),
    _row("uint64", np.uint64, "i64", "uint", _UINT),
    _row("float16", np.float16, "f16", "float", _FLOAT),
    _row("bfloat16", ml_dtypes.bfloat16, "bf16", "float", _BFLOAT),
    _row("float32", np.float32, "f32", "float", _FLOAT),
    _row("float64", np.float64, "f64", "float", _FLOAT),
    _row("complex64", np.complex64, "complex<f32>", "complex", _COMPLEX),
    _row("complex128", np.complex128, "complex<f64>", "complex", _COMPLEX),
)

#: By MLIR's name, for who does not ask for signs: those of integers are signed.
BY_MLIR = {row.mlir: row for row in ALL if row.kind != "uint"}
_BY_NAME = {row.name: row for row in ALL}
_BY_NUMPY = {row.numpy: row for row in ALL}
_BY_DLPACK = {(row.dlpack_code, row.bits): row for row in ALL}


def dtype(like: Any) -> np.dtype[Any]:
    """The wax dtype that `like` names: a name, a NumPy dtype or scalar type, in native byte order.

    Raises `DTypeError` for a dtype outside the table.

    >>> dtype("bfloat16"), dtype(np.float32), dtype(">i4")
    (dtype(bfloat16), dtype('float32'), dtype('int32'))
    """
    return info(like).numpy


def info(like: Any) -> DTypeInfo:
    """The table's row for a dtype, or for anything that `dtype` accepts. Raises `DTypeError`."""
    try:
        return _BY_NUMPY[like]
    except (KeyError, TypeError):
        return _lookup(like)


@cache
def _from_str(name: str) -> DTypeInfo | None:
    if name in _BY_NAME:
        return _BY_NAME[name]
    try:
        return _BY_NUMPY.get(np.dtype(name).newbyteorder("="))
    except TypeError:
        return None


def _lookup(like: Any) -> DTypeInfo:
    row = None
    if isinstance(like, str):
        row = _from_str(like)
    elif like is not None:  # np.dtype(None) is float64, which nobody means
        try:
            row = _BY_NUMPY.get(np.dtype(like).newbyteorder("="))
        except TypeError:
            row = None
    if row is None:
        raise DTypeError(f"{like!r} is not a dtype of wax; the dtypes are {', '.join(_BY_NAME)}")
    return row


def from_name(name: str) -> np.dtype[Any]:
    """The dtype of exactly this name, as written in files. Raises `DTypeError`."""
    if name not in _BY_NAME:
        raise DTypeError(f"{name!r} is not the name of a wax dtype; they are {', '.join(_BY_NAME)}")
    return _BY_NAME[name].numpy


def from_dlpack_type(code: int, bits: int, lanes: int = 1) -> np.dtype[Any]:
    """The dtype of a DLDataType. Raises `DTypeError` for a type outside the table."""
    row = _BY_DLPACK.get((code, bits)) if lanes == 1 else None
    if row is None:
        raise DTypeError(f"DLPack type (code={code}, bits={bits}, lanes={lanes}) has no wax dtype")
    return row.numpy


def mlir_type(like: Any) -> str:
    """The MLIR element type of a dtype, signless: `mlir_type("uint8") == "i8"`. Raises `DTypeError`."""
    return info(like).mlir
