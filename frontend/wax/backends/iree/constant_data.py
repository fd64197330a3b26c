"""Constants as MLIR prints them, and strings: what they are in memory."""

from __future__ import annotations

import math
import re

import numpy as np

from wax.backends.iree.unknown import UnknownError

__all__ = ["constant", "data_of", "unescaped"]

_COMPOSITE = r"#util\.composite<(\d+)xi8, \[\n(.*)\]>"
_CONSTANT = r"dense<(.*)> : (?:tensor|vector)<((?:\d+x)*)(?:complex<(\w+)>|(\w+))>,?"
_TYPES = {
    "i1": np.dtype(bool),
    **{f"i{width}": np.dtype(f"<i{width // 8}") for width in (8, 16, 32, 64)},
    **{f"f{width}": np.dtype(f"<f{width // 8}") for width in (16, 32, 64)},
}
_BRAIN = "bf16"


def data_of(composite: str) -> bytes:
    """The bytes of constants that stand one behind the other, each on a line."""
    found = re.fullmatch(_COMPOSITE, composite, re.S)
    if found is None:
        raise UnknownError(composite[:80])
    data = b"".join(constant(line.strip()) for line in found[2].splitlines())
    if len(data) != int(found[1]):
        raise UnknownError(f"{len(data)} bytes of {found[1]}")
    return data


def unescaped(text: str) -> str:
    """A string that MLIR prints."""
    if "\\" not in text:
        return text
    data = re.sub(rb"\\(?:([0-9A-Fa-f]{2})|(.))", _character, text.encode())
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UnknownError(text) from error


def _character(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return bytes.fromhex(found[1].decode())
    if found[2] not in b'\\"':
        raise UnknownError(found[0].decode())
    return found[2]


def constant(text: str) -> bytes:
    """The bytes of one constant, `dense<…> : tensor<…>`."""
    found = re.fullmatch(_CONSTANT, text)
    if found is None:
        raise UnknownError(text[:80])
    values, shape, parts, element = found.groups()
    count = math.prod(map(int, shape.split("x")[:-1]))
    size = _size(element or parts) * (2 if parts else 1)
    if values.startswith('"0x'):
        data = _bytes(values[3:-1], element or parts)
    else:
        data = b"".join(_number(one, element or parts) for one in re.findall(r"[^][(), ]+", values))
    if len(data) == size:  # all are the same
        data *= count
    if len(data) != size * count:
        raise UnknownError(text[:80])
    return data


def _size(element: str) -> int:
    if element not in _TYPES and element != _BRAIN:
        raise UnknownError(element)
    return 2 if element == _BRAIN else _TYPES[element].itemsize


def _bytes(digits: str, element: str) -> bytes:
    """Bytes as they are in memory, but for truths, which would be bits."""
    if element == "i1":
        raise UnknownError(element)
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        raise UnknownError(digits[:80]) from error


def _number(word: str, element: str) -> bytes:
    """A decimal number, or the bits of one with a point that cannot be written so."""
    size = _size(element)
    try:
        if element == "i1":
            return bytes([("false", "true").index(word)])
        if element.startswith("i"):
            return int(word).to_bytes(size, "little", signed=True)
        if word.startswith("0x"):
            return int(word, 16).to_bytes(size, "little")
        if element == _BRAIN:  # the upper half of a number of 32 bits, rounded to even
            bits = int.from_bytes(np.float32(float(word)).tobytes(), "little")
            return (bits + 0x7FFF + (bits >> 16 & 1) >> 16).to_bytes(size, "little")
        return np.asarray(float(word), _TYPES[element]).tobytes()
    except (ValueError, OverflowError) as error:
        raise UnknownError(word) from error
