"""Modules of IREE's VM as files: tables of a FlatBuffer, in an archive with the larger data.

As IREE 3.13 writes them: `runtime/src/iree/schemas/bytecode_module_def.fbs` of its sources has the tables, which are
written here field by field. The file is a ZIP archive too, of the module and of each of its files, uncompressed.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wax.backends.iree.bytecode import VERSION, Code, Encoded, Symbol
from wax.backends.iree.unknown import UnknownError

if TYPE_CHECKING:
    from flatbuffers import Builder

__all__ = ["WAITS", "UNWINDS", "Import", "Module", "Rodata", "VmFunction"]

#: Of functions, what they need of who calls them: that it can wait, and that it cleans up behind an error.
WAITS, UNWINDS = 4, 8

# Data that are no file by themselves are one from this size on, and stand with the tables where they are smaller.
_LARGE = 4096
_SEGMENT = 64

# Fields of tables, by their place in the schema.
_MODULE_NAME, _REQUIREMENTS, _TYPES, _DEPENDENCIES, _IMPORTS, _EXPORTS = 0, 2, 4, 5, 6, 7
_SIGNATURES, _RODATA, _STATE, _DESCRIPTORS, _BYTECODE_VERSION, _BYTECODE, _DEBUG = 8, 9, 11, 12, 13, 14, 15
_MODULE_FIELDS, _SOURCE_FUNCTIONS, _SOURCE_NAME = 16, 2, 0
_CONVENTION, _ATTRIBUTES, _KEY, _VALUE = 0, 1, 0, 1
_NAME, _MINIMUM_VERSION, _SIGNATURE, _ORDINAL = 0, 1, 1, 1
_EMBEDDED, _EXTERNAL_OFFSET, _EXTERNAL_LENGTH = 2, 3, 4
_GLOBALS = 1
_DESCRIPTOR = struct.Struct("<iiIhHHH")


class Import(NamedTuple):
    """A function of another module's, and the least version that this has to have."""

    name: str
    convention: str
    version: int = 0


class VmFunction(NamedTuple):
    """A function, what is said of it, what it needs, and whether it can be called from outside."""

    name: str
    convention: str
    code: Code
    needs: int = 0
    attributes: Mapping[str, str] = {}
    exported: bool = False


class Rodata(NamedTuple):
    """Bytes with a name, which a file has that is made of them. Some are one whatever their size."""

    name: str
    data: bytes
    alignment: int
    is_file: bool = False


class Module(NamedTuple):
    """All that is in a file."""

    imports: Sequence[Import]
    functions: Sequence[VmFunction]
    globals: Sequence[str]
    rodata: Sequence[Rodata]

    def written(self) -> bytes:
        """The file. Raises `UnknownError` where the VM has not room for all of it, or names are not told apart."""
        for named in (self.functions, self.rodata, self.globals):
            names = [one if isinstance(one, str) else one.name for one in named]
            if len(names) != len(set(names)):
                raise UnknownError("two things of one name")
        types = sorted(
            {kind for one in self.functions for kind in one.code.kinds()}, key=lambda one: (one[0] == "!", one)
        )
        numbers: dict[Symbol, int] = {("type", name): number for number, name in enumerate(types)}
        numbers |= {("import", one.name): number | 1 << 31 for number, one in enumerate(self.imports)}
        numbers |= {("function", one.name): number for number, one in enumerate(self.functions)}
        numbers |= {("global", name): number for number, name in enumerate(self.globals)}
        numbers |= {("rodata", one.name): number for number, one in enumerate(self.rodata)}
        encoded = [one.code.encoded(numbers) for one in self.functions]
        files = _Files([one for one in self.rodata if one.is_file or len(one.data) >= _LARGE])
        return files.archive(_Tables(self, types, encoded, files.places).finished())


class _Files:
    """Files behind the module, and where their data are: each behind a header, as many bytes from the first."""

    def __init__(self, files: Sequence[Rodata]) -> None:
        self._files = files
        self._headers: list[int] = []
        self.places: dict[str, int] = {}
        at = 0
        for one in files:
            begin = _aligned(at + _header_length(one.name), one.alignment)
            self._headers.append(begin - at)
            self.places[one.name] = begin
            at = begin + len(one.data)

    def archive(self, tables: bytes) -> bytes:
        """The whole archive. What a FlatBuffer says first is its length, with what fills it up."""
        length = _aligned(len(tables), _SEGMENT)
        tables = struct.pack("<I", length - 4) + tables[4:].ljust(length - 4, b"\0")
        parts: list[bytes] = []
        index: list[bytes] = []
        at = 0
        headers = [_aligned(_header_length("module.fb"), _SEGMENT), *self._headers]
        named = [("module.fb", tables), *((one.name, one.data) for one in self._files)]
        for (name, data), header in zip(named, headers, strict=True):
            check = zlib.crc32(data)
            parts += [_header(name, data, check, header), data]
            index.append(_entry(name, data, check, at))
            at += header + len(data)
        return b"".join((*parts, *index, _end(len(named), at, sum(map(len, index)))))


class _Tables:
    """The tables, written from the last to the first."""

    def __init__(
        self, module: Module, types: Sequence[str], encoded: Sequence[Encoded], places: Mapping[str, int]
    ) -> None:
        from flatbuffers import Builder

        self._builder = Builder(4096)
        self._places = places
        functions = module.functions
        fields = {
            _BYTECODE: self._bytes(b"".join(one.code.ljust(_aligned(len(one.code), 8), b"\0") for one in encoded), 8),
            _DESCRIPTORS: self._descriptors(functions, encoded),
            _RODATA: self._several([self._segment(one) for one in reversed(module.rodata)][::-1]),
            _SIGNATURES: self._several([self._signature(one.convention, one.attributes) for one in functions]),
            _EXPORTS: self._several([self._export(one, at) for at, one in enumerate(functions) if one.exported]),
            _IMPORTS: self._several([self._import(one) for one in module.imports]),
            _DEPENDENCIES: self._several(self._dependencies(module.imports)),
            _TYPES: self._several([self._table({_NAME: self._string(name)}) for name in types]),
            _STATE: self._state(len(module.globals)),
            _DEBUG: self._sources(functions),
            _MODULE_NAME: self._string("module"),
        }
        needs = 0
        for one in functions:
            needs |= one.needs
        module_table = self._table(fields, numbers={_REQUIREMENTS: needs, _BYTECODE_VERSION: VERSION})
        self._builder.FinishSizePrefixed(module_table, b"IREE")

    def finished(self) -> bytes:
        """Their bytes."""
        return bytes(self._builder.Output())

    def _string(self, text: str) -> int:
        return self._builder.CreateString(text)

    def _bytes(self, data: bytes, alignment: int) -> int:
        builder = self._builder
        builder.StartVector(1, len(data), alignment)
        builder.head -= len(data)
        builder.Bytes[builder.head : builder.head + len(data)] = data
        return builder.EndVector()

    def _several(self, tables: Sequence[int]) -> int:
        """A vector of tables, if there are any."""
        if not tables:
            return 0
        builder = self._builder
        builder.StartVector(4, len(tables), 4)
        for one in reversed(tables):
            builder.PrependUOffsetTRelative(one)
        return builder.EndVector()

    def _table(
        self, fields: Mapping[int, int], numbers: Mapping[int, int] = {}, put: Callable[[Builder], None] | None = None
    ) -> int:
        """A table with fields that are written already, but for those that are 0, and with numbers of 32 bits."""
        builder = self._builder
        builder.StartObject(_MODULE_FIELDS)
        for field, offset in fields.items():
            builder.PrependUOffsetTRelativeSlot(field, offset, 0)
        for field, number in numbers.items():
            builder.PrependUint32Slot(field, number, 0)
        if put is not None:
            put(builder)
        return builder.EndObject()

    def _descriptors(self, functions: Sequence[VmFunction], encoded: Sequence[Encoded]) -> int:
        data: list[bytes] = []
        at = 0
        for function, one in zip(functions, encoded, strict=True):
            counts = (one.blocks, one.numbers, one.references)
            data.append(_DESCRIPTOR.pack(at, len(one.code), function.needs, 0, *counts))
            at += _aligned(len(one.code), 8)
        builder = self._builder
        builder.StartVector(_DESCRIPTOR.size, len(data), 4)
        builder.head -= _DESCRIPTOR.size * len(data)
        builder.Bytes[builder.head : builder.head + _DESCRIPTOR.size * len(data)] = b"".join(data)
        return builder.EndVector()

    def _segment(self, one: Rodata) -> int:
        if one.name not in self._places:
            return self._table({_EMBEDDED: self._bytes(one.data, one.alignment)})

        def put(builder: Builder) -> None:
            builder.PrependUint64Slot(_EXTERNAL_OFFSET, self._places[one.name], 0)
            builder.PrependUint64Slot(_EXTERNAL_LENGTH, len(one.data), 0)

        return self._table({}, put=put)

    def _signature(self, convention: str, attributes: Mapping[str, str] = {}) -> int:
        said = [
            self._table({_KEY: self._string(key), _VALUE: self._string(value)})
            for key, value in sorted(attributes.items())
        ]
        return self._table({_CONVENTION: self._string(convention), _ATTRIBUTES: self._several(said)})

    def _export(self, function: VmFunction, number: int) -> int:
        return self._table({_NAME: self._string(function.name)}, {_ORDINAL: number})

    def _import(self, one: Import) -> int:
        return self._table({_NAME: self._string(one.name), _SIGNATURE: self._signature(one.convention)})

    def _dependencies(self, imports: Sequence[Import]) -> list[int]:
        """The modules that functions are of, all of them required."""
        versions: dict[str, int] = {}
        for one in imports:
            name = one.name.partition(".")[0]
            versions[name] = max(versions.get(name, 0), one.version)
        return [
            self._table({_NAME: self._string(name)}, {_MINIMUM_VERSION: version})
            for name, version in sorted(versions.items())
        ]

    def _state(self, count: int) -> int:
        return self._table({}, {_GLOBALS: count}) if count else 0

    def _sources(self, functions: Sequence[VmFunction]) -> int:
        """What functions are called where an error is told of."""
        names = [self._table({_SOURCE_NAME: self._string(one.name)}) for one in functions]
        return self._table({_SOURCE_FUNCTIONS: self._several(names)})


def _aligned(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


# Of the archive, all numbers are said with 64 bits, behind the names of files: where they should stand is -1.
_LOCAL, _LOCAL_NUMBERS, _FILLING = struct.Struct("<IHHHHHIIIHH"), struct.Struct("<HHQQ"), struct.Struct("<HH")
_CENTRAL, _CENTRAL_NUMBERS = struct.Struct("<IHHHHHHIIIHHHHHII"), struct.Struct("<HHQQQ")
_END_64, _LOCATOR, _END = struct.Struct("<IQHHIIQQQQ"), struct.Struct("<IIQI"), struct.Struct("<IHHHHIIH")
_VERSION, _MADE_BY, _FIRST_OF_1980, _ELSEWHERE = 45, 0x031E, 0x21, 0xFFFFFFFF


def _header_length(name: str) -> int:
    """The length of a file's header, at least."""
    return _LOCAL.size + len(name.encode()) + _FILLING.size + _LOCAL_NUMBERS.size


def _header(name: str, data: bytes, check: int, length: int) -> bytes:
    """What stands before a file, and fills up the place."""
    filling = length - _header_length(name)
    about = (check, _ELSEWHERE, _ELSEWHERE, len(name.encode()), filling + _FILLING.size + _LOCAL_NUMBERS.size)
    return b"".join(
        (
            _LOCAL.pack(0x04034B50, _VERSION, 0, 0, 0, _FIRST_OF_1980, *about),
            name.encode(),
            _FILLING.pack(0xFECA, filling) + bytes(filling),
            _LOCAL_NUMBERS.pack(1, _LOCAL_NUMBERS.size - _FILLING.size, len(data), len(data)),
        )
    )


def _entry(name: str, data: bytes, check: int, at: int) -> bytes:
    """What is said of a file at the end."""
    about = (check, _ELSEWHERE, _ELSEWHERE, len(name.encode()), _CENTRAL_NUMBERS.size, 0, 0, 0, 0, _ELSEWHERE)
    first = _CENTRAL.pack(0x02014B50, _MADE_BY, _VERSION, 0, 0, 0, _FIRST_OF_1980, *about)
    numbers = _CENTRAL_NUMBERS.pack(1, _CENTRAL_NUMBERS.size - _FILLING.size, len(data), len(data), at)
    return first + name.encode() + numbers


def _end(count: int, at: int, length: int) -> bytes:
    """What the archive ends with: where all files are told of."""
    return b"".join(
        (
            _END_64.pack(0x06064B50, _END_64.size - 12, _VERSION, _VERSION, 0, 0, count, count, length, at),
            _LOCATOR.pack(0x07064B50, 0, at + length, 1),
            _END.pack(0x06054B50, 0, 0, count, count, length, _ELSEWHERE, 0),
        )
    )
