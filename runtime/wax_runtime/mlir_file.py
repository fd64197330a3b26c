"""A `.mlir` file of wax: a first line that says what the program is, as a comment to MLIR, then its text.

    // wax: 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b {"dialect": "linalg", "signature": …}

Any MLIR tool reads such a file. The line holds a checksum of all that follows it, and what a text does not tell for
sure. The text is never parsed here.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path

from wax_runtime.errors import LoadError
from wax_runtime.replacing import replacing
from wax_runtime.signature import Signature
from wax_runtime.weights import Weights

__all__ = ["MlirFile", "read", "write"]

_MARK = "// wax: "


@dataclass(frozen=True, slots=True)
class MlirFile:
    """A program as text in a dialect, such as "wax" or "linalg"; the rest is as in `Artefact`."""

    dialect: str
    text: str
    signature: Signature
    work: int | str | None = None
    versions: tuple[tuple[str, str], ...] = ()
    weights: Weights | None = None


def write(file: MlirFile, path: str | PathLike[str]) -> None:
    """Writes a program to a file."""
    head = {
        "dialect": file.dialect,
        "signature": json.loads(file.signature.to_json()),
        "work": file.work,
        "versions": dict(file.versions),
        "weights": None if file.weights is None else asdict(file.weights),
    }
    body = f"{json.dumps(head)}\n{file.text}".encode()
    with replacing(path) as temporary:
        # In bytes, so that no system's line ends get into it.
        temporary.write_bytes(f"{_MARK}{hashlib.sha256(body).hexdigest()} ".encode() + body)


def read(path: str | PathLike[str]) -> MlirFile:
    """The program in a file. Raises `LoadError` for a damaged file, or one that `write` did not write."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise LoadError(f"{path}: {error.strerror or error}") from error
    mark, digest, body = data[: len(_MARK)], data[len(_MARK) : len(_MARK) + 64], data[len(_MARK) + 65 :]
    if mark != _MARK.encode():
        raise LoadError(
            f"{path}: its first line does not say what it takes and gives, so it was not saved by wax.export; "
            f"run it with the tools of its own toolchain"
        )
    if hashlib.sha256(body).hexdigest().encode() != digest:
        raise LoadError(f"{path}: damaged, or edited: its checksum does not match")
    try:
        line, _, text = body.partition(b"\n")
        head = json.loads(line)
        weights = head["weights"]
        return MlirFile(
            str(head["dialect"]),
            text.decode(),
            Signature.from_json(json.dumps(head["signature"])),
            head["work"],
            tuple((str(name), str(version)) for name, version in head["versions"].items()),
            None if weights is None else Weights(**weights),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LoadError(f"{path}: written by another version of wax: {error!r}") from error
