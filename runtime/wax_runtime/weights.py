"""The weights of a saved program: arrays that it takes as its last arguments, from a file beside it.

Two formats are read and written, told apart by the file's name: safetensors, here and with NumPy alone, since a process
that loads programs shall need no other package; and IREE's archive, by IREE's runtime.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from wax_runtime import dtypes, safetensors
from wax_runtime.buffer import Buffer
from wax_runtime.errors import LoadError
from wax_runtime.signature import ArgumentSpec, Signature

__all__ = ["Weights", "read", "without_weights", "write"]

_B = TypeVar("_B", bound=Buffer)
#: What the name of IREE's parameter archives ends in; all others are safetensors.
ARCHIVE = ".irpa"


@dataclass(frozen=True, slots=True)
class Weights:
    """Which file: its name, beside the program's, and the SHA-256 of it. It has the last `count` arguments by name."""

    file: str
    sha256: str
    count: int


def without_weights(signature: Signature, weights: Weights | None) -> Signature:
    """The signature as a caller sees it, to whom the weights are no arguments."""
    count = 0 if weights is None else weights.count
    return replace(signature, arguments=signature.arguments[: len(signature.arguments) - count])


def write(path: str | PathLike[str], wanted: Sequence[ArgumentSpec], arrays: Sequence[np.ndarray[Any, Any]]) -> Weights:
    """Writes the last arguments of a program to a file, under their names: to an archive of IREE's if it ends so."""
    named = {of.name: array for of, array in zip(wanted, arrays, strict=True)}
    if Path(path).suffix == ARCHIVE:
        from wax_runtime.iree import archive  # IREE is needed for this only

        sha256 = archive.write(path, named)
    else:
        sha256 = safetensors.write(path, named)
    return Weights(Path(path).name, sha256, len(wanted))


def read(
    program: str | PathLike[str],
    signature: Signature,
    weights: Weights | None,
    buffer_type: type[_B],
    instead: str | PathLike[str] | None = None,
) -> list[_B]:
    """The weights of the program in a file, on the host, without a copy where memory allows it.

    `instead` is another file with such arrays, which needs not be the one that the program was saved with. Raises
    `LoadError`.
    """
    if weights is None:
        if instead is not None:
            raise LoadError(f"{program} takes no weights, and {instead} was named for them")
        return []
    path = Path(program).parent / weights.file if instead is None else Path(instead)
    wanted = signature.arguments[len(signature.arguments) - weights.count :]
    sha256 = weights.sha256 if instead is None else None
    if path.suffix == ARCHIVE:
        from wax_runtime.iree import archive

        found = archive.open_file(path, wanted, sha256)
    else:
        found = safetensors.open_file(path, sha256)
    return [buffer_type.from_numpy(_array(path, found, want), copy=None) for want in wanted]


def _array(path: Path, found: Mapping[str, np.ndarray[Any, Any]], want: ArgumentSpec) -> np.ndarray[Any, Any]:
    array = found.get(want.name)
    if array is None:
        raise LoadError(f"{path}: has no array {want.name!r}, which the program takes")
    part = safetensors.PARTS.get(dtypes.info(want.dtype).name)
    if array.dtype == part and array.shape[-1:] == (2,):
        array = array.reshape(-1).view(want.dtype).reshape(array.shape[:-1])
    if (array.shape, array.dtype) != (want.shape, want.dtype):
        sizes = ", ".join(map(str, array.shape))
        raise LoadError(f"{path}: {want.name} is {dtypes.info(array.dtype).name}[{sizes}]; the program takes {want}")
    return array
