"""Named arrays in IREE's parameter archive (`.irpa`), which its own tools list, convert and read.

An archive has names and bytes. What dtype and shape they are is noted beside each as its metadata, in JSON; of archives
that others made, the program that takes the arrays says it. What is read is mapped into memory, not copied.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from wax_runtime import dtypes
from wax_runtime.errors import LoadError
from wax_runtime.iree.native import binding
from wax_runtime.replacing import replacing
from wax_runtime.signature import ArgumentSpec

__all__ = ["open_file", "write"]


def write(path: str | PathLike[str], arrays: Mapping[str, np.ndarray[Any, Any]]) -> str:
    """Write arrays by name, and return the SHA-256 of the file in hexadecimal."""
    index = binding.ParameterIndex()
    for name, array in arrays.items():
        metadata = json.dumps({"dtype": dtypes.info(array.dtype).name, "shape": array.shape})
        elements = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        index.add_buffer(name, elements, metadata=metadata)
    with replacing(path) as temporary:
        index.create_archive_file(str(temporary))
        return _sha256(temporary)


def open_file(
    path: str | PathLike[str], wanted: Sequence[ArgumentSpec], sha256: str | None = None
) -> dict[str, np.ndarray[Any, Any]]:
    """Those of the arrays wanted that a file has, by name, read-only, on the file's own pages; nobody may change it
    meanwhile.

    Raises `LoadError` for what is no archive, is damaged, is not that with the checksum, or has other arrays.
    """
    index = binding.ParameterIndex()
    try:
        # Before the archive is mapped: IREE tells of a file that is not there in many words.
        if sha256 is not None and _sha256(Path(path)) != sha256:
            raise LoadError(f"{path}: its checksum is not that of the weights the program was saved with")
        Path(path).stat()
        index.load(str(path), format="irpa")
    except OSError as error:
        raise LoadError(f"{path}: {error.strerror or error}") from error
    except (ValueError, IndexError, RuntimeError) as error:
        raise LoadError(f"{path}: not a parameter archive, or a truncated one: {error}") from error
    entries = dict(index.items())
    return {of.name: _array(path, entries[of.name], of) for of in wanted if of.name in entries}


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _array(path: str | PathLike[str], entry: Any, want: ArgumentSpec) -> np.ndarray[Any, Any]:
    dtype, shape = want.dtype, tuple(map(int, want.shape))
    try:
        noted = json.loads(entry.metadata or "null")
        if isinstance(noted, dict) and "dtype" in noted:
            dtype, shape = dtypes.from_name(noted["dtype"]), tuple(map(int, noted["shape"]))
    except (ValueError, KeyError, TypeError):
        pass  # somebody else's notes
    size = prod(shape) * dtype.itemsize
    if entry.length != size:
        raise LoadError(f"{path}: {entry.key} has {entry.length} bytes; the program takes {want}")
    if entry.is_splat:
        pattern = entry.splat_pattern
        raw = np.frombuffer(pattern * (size // len(pattern)), np.uint8)
    else:
        raw = np.frombuffer(entry.file_view, np.uint8) if size else np.empty(0, np.uint8)
    return raw.view(dtype).reshape(shape)
