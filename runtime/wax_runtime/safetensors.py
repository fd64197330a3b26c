"""Named arrays in one file, in the safetensors format: a header in JSON, then the elements, and no code.

What is read is mapped into memory, not copied: pages come from the file when they are first touched, and several
processes share them. Files that are written here have their arrays on 64-byte boundaries wherever the format's lack
of gaps lets them, so that compiled code takes them as they lie.

Complex numbers, which not all readers of the format know, are pairs of floats along a last dim of two.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from wax_runtime import dtypes
from wax_runtime.errors import LoadError
from wax_runtime.replacing import replacing
from wax_runtime.storage import ALIGNMENT

__all__ = ["PARTS", "open_file", "write"]

_DTYPES = {
    "BOOL": "bool",
    "I8": "int8",
    "I16": "int16",
    "I32": "int32",
    "I64": "int64",
    "U8": "uint8",
    "U16": "uint16",
    "U32": "uint32",
    "U64": "uint64",
    "F16": "float16",
    "BF16": "bfloat16",
    "F32": "float32",
    "F64": "float64",
}
_CODES = {name: code for code, name in _DTYPES.items()}
#: What complex numbers are pairs of.
PARTS = {"complex64": "float32", "complex128": "float64"}
_LENGTH = struct.Struct("<Q")
# What the format's own readers allow.
_LONGEST_HEADER = 100_000_000


def write(path: str | PathLike[str], arrays: Mapping[str, np.ndarray[Any, Any]]) -> str:
    """Write arrays by name, and return the SHA-256 of the file in hexadecimal."""
    plain = {name: _parts(array) for name, array in arrays.items()}
    # Those that fill whole cache lines first: each then begins on one.
    order = sorted(plain, key=lambda name: (plain[name].nbytes % ALIGNMENT != 0, -plain[name].itemsize))
    header, offset = {}, 0
    for name in order:
        array = plain[name]
        code = _CODES[dtypes.info(array.dtype).name]
        header[name] = {"dtype": code, "shape": array.shape, "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(_LENGTH.size + len(text)) % ALIGNMENT)
    digest = hashlib.sha256()
    with replacing(path) as temporary, temporary.open("wb") as file:
        elements = (plain[name].reshape(-1).view(np.uint8).data for name in order)
        for piece in (_LENGTH.pack(len(text)), text, *elements):
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


def open_file(path: str | PathLike[str], sha256: str | None = None) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of a file by name, read-only, on the file's own pages; nobody may change it meanwhile.

    Complex ones come as their parts. Raises `LoadError` for what is no such file, is damaged, or is not that with the
    checksum.
    """
    try:
        with Path(path).open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        raise LoadError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        # The whole is checked before it is believed, and before a checksum of gigabytes is computed.
        arrays = _arrays(data)
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise LoadError(f"{path}: not a safetensors file, or a truncated one: {error}") from error
    if sha256 is not None and hashlib.sha256(data).hexdigest() != sha256:
        raise LoadError(f"{path}: its checksum is not that of the weights the program was saved with")
    return arrays


def _parts(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array = np.ascontiguousarray(array).reshape(array.shape)
    part = PARTS.get(dtypes.info(array.dtype).name)
    return array if part is None else array.reshape(-1).view(part).reshape(*array.shape, 2)


def _arrays(data: mmap.mmap) -> dict[str, np.ndarray[Any, Any]]:
    (length,) = _LENGTH.unpack_from(data)
    begin = _LENGTH.size + length
    if length > _LONGEST_HEADER or begin > len(data):
        raise ValueError(f"its header is said to have {length} bytes")
    header = json.loads(data[_LENGTH.size : begin])
    header.pop("__metadata__", None)
    rest = len(data) - begin
    found = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        if entry["dtype"] not in _DTYPES:
            raise ValueError(f"{name!r} is of dtype {entry['dtype']}, which wax does not have")
        dtype = dtypes.from_name(_DTYPES[entry["dtype"]])
        shape = tuple(entry["shape"])
        if not all(type(n) is int and n >= 0 for n in (*shape, first, last)) or not first <= last <= rest:
            raise ValueError(f"{name!r} lies at {first}:{last} of {rest} bytes")
        raw = np.frombuffer(data, np.uint8, last - first, begin + first)
        found[name] = raw.view(dtype).reshape(shape)
    return found
