"""Operations of a module in IREE's library, by MLIR's C API: to look at one, or take some away, and print no others."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any

__all__ = ["Handle", "Text", "declare", "erase", "name_of", "operations_in", "printed"]


class Handle(ctypes.Structure):
    """An operation, an attribute, or another pointer of MLIR's C API."""

    _fields_ = (("pointer", ctypes.c_void_p),)


class Text(ctypes.Structure):
    """A string of MLIR's C API."""

    _fields_ = (("data", ctypes.c_void_p), ("length", ctypes.c_size_t))

    @staticmethod
    def of(text: str) -> Text:
        """What the library reads as long as the string lives."""
        data = text.encode()
        made = Text(ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data))
        made.kept = data
        return made

    def __str__(self) -> str:
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


_Write = ctypes.CFUNCTYPE(None, Text, ctypes.c_void_p)


@cache
def declare(library: Any) -> None:
    """Says what functions of a library take and give."""
    for name, result, arguments in (
        ("mlirOperationGetDiscardableAttributeByName", Handle, [Handle, Text]),
        ("mlirOperationRemoveDiscardableAttributeByName", ctypes.c_bool, [Handle, Text]),
        ("mlirOperationSetDiscardableAttributeByName", None, [Handle, Text, Handle]),
        ("mlirOperationGetName", Handle, [Handle]),
        ("mlirIdentifierStr", Text, [Handle]),
        ("mlirOperationGetFirstRegion", Handle, [Handle]),
        ("mlirRegionGetFirstBlock", Handle, [Handle]),
        ("mlirBlockGetFirstOperation", Handle, [Handle]),
        ("mlirOperationGetNextInBlock", Handle, [Handle]),
        ("mlirOperationDestroy", None, [Handle]),
        ("mlirOpPrintingFlagsCreate", Handle, []),
        ("mlirOpPrintingFlagsUseLocalScope", None, [Handle]),
        ("mlirOpPrintingFlagsDestroy", None, [Handle]),
        ("mlirOperationPrintWithFlags", None, [Handle, Handle, _Write, ctypes.c_void_p]),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


def operations_in(library: Any, operation: Handle) -> Iterator[Handle]:
    """The operations in the first block of an operation's first region. Each may be erased before the next is taken."""
    region = library.mlirOperationGetFirstRegion(operation)
    block = library.mlirRegionGetFirstBlock(region) if region.pointer else region
    one = library.mlirBlockGetFirstOperation(block) if block.pointer else block
    while one.pointer:
        following = library.mlirOperationGetNextInBlock(one)
        yield one
        one = following


def name_of(library: Any, operation: Handle) -> str:
    """What an operation is, as `util.func`."""
    return str(library.mlirIdentifierStr(library.mlirOperationGetName(operation)))


def erase(library: Any, operation: Handle) -> None:
    """Takes an operation, whose results nothing uses, out of its block."""
    library.mlirOperationDestroy(operation)


def printed(library: Any, operation: Handle) -> str:
    """An operation as MLIR prints it alone."""
    parts: list[str] = []
    write = _Write(lambda text, _: parts.append(str(text)))
    flags = library.mlirOpPrintingFlagsCreate()
    try:
        library.mlirOpPrintingFlagsUseLocalScope(flags)
        library.mlirOperationPrintWithFlags(operation, flags, write, None)
    finally:
        library.mlirOpPrintingFlagsDestroy(flags)
    return "".join(parts)
