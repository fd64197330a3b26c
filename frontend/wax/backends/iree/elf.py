"""Object files for x86-64 as a program that needs nothing of a system, linked in this process.

IREE's linker is its whole compiler, which takes longer to start than all machine code of a small program takes to be
made, and LLD as a library brings every target of LLVM's. What is to be linked here is little: functions, constants and
tables of LLVM's and one file of GCC's, whose addresses are relative to where they are, or to where the program is.
Anything else is refused.

See the System V ABI, chapters 4 and 5, and its supplement for AMD64, chapter 4.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["linked"]

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_DYNAMIC = struct.Struct("<qQ")
_MAGIC = b"\x7fELF\x02\x01\x01" + bytes(9)
_RELOCATABLE, _SHARED, _X86_64 = 1, 3, 62

_PROGBITS, _SYMTAB, _STRTAB, _RELA, _HASH, _DYNAMIC_TABLE, _NOTE, _NOBITS, _DYNSYM = 1, 2, 3, 4, 5, 6, 7, 8, 11
_UNWIND = 0x70000001
_WRITE, _ALLOC, _EXECUTE, _MERGED = 1, 2, 4, 0x30
_UNDEFINED, _ABSOLUTE, _COMMON = 0, 0xFFF1, 0xFFF2
_LOCAL = 0
_FILE, _INDIRECT = 4, 10
_LOAD, _DYNAMIC_SEGMENT, _RELRO, _STACK = 1, 2, 0x6474E552, 0x6474E551
_READABLE, _WRITABLE, _EXECUTABLE = 4, 2, 1
_POINTER, _PC32, _PLT32, _RELATIVE = 1, 2, 4, 8
_DT_HASH, _DT_STRTAB, _DT_SYMTAB, _DT_RELA, _DT_RELASZ, _DT_RELAENT, _DT_STRSZ, _DT_SYMENT = 4, 5, 6, 7, 8, 9, 10, 11
_DT_RELACOUNT = 0x6FFFFFF9
_PAGE = 4096

#: What a program is in memory, in order. Tables have addresses in them, and are only read once these are known.
_PARTS = ("constants", "code", "tables", "data", "zeros")


@dataclass(eq=False)
class _Section:
    """Bytes that are in a program's memory, and where."""

    part: str
    data: bytes | bytearray
    size: int
    alignment: int
    address: int = 0


class _Symbol(NamedTuple):
    """A place in a section; without one it is elsewhere."""

    name: str
    binding: int
    kind: int
    section: _Section | None
    value: int
    size: int


@dataclass
class _Object:
    """What a file has."""

    sections: list[_Section] = field(default_factory=list)
    symbols: list[_Symbol] = field(default_factory=list)
    #: In which section, at which offset, of which kind, to which symbol, and how far from that.
    relocations: list[tuple[_Section, int, int, _Symbol, int]] = field(default_factory=list)


def linked(objects: Sequence[bytes], exported: str) -> bytes:
    """A program of object files, which gives out the function `exported`.

    Raises `ValueError` for what is not known here, and for functions that are missing or there twice.
    """
    try:
        return _linked([_read(one) for one in objects], exported)
    except (struct.error, LookupError) as error:
        raise ValueError("no object file") from error


def _read(data: bytes) -> _Object:
    magic, kind, machine, *_, at, _, _, _, _, width, count, _ = _HEADER.unpack_from(data)
    if magic[:7] != _MAGIC[:7] or kind != _RELOCATABLE or machine != _X86_64 or width != _SECTION.size:
        raise ValueError("no object file for x86-64")
    headers = [_SECTION.unpack_from(data, at + index * width) for index in range(count)]
    made = _Object()
    sections: dict[int, _Section] = {}
    for index, (_, kind, flags, _, offset, size, _, _, alignment, _) in enumerate(headers):
        # How to unwind a stack, nobody asks.
        if not flags & _ALLOC or kind == _UNWIND or _name(data, headers, index) == b".eh_frame":
            continue
        known = kind in (_PROGBITS, _NOBITS, _NOTE) and not flags & ~(_WRITE | _ALLOC | _EXECUTE | _MERGED)
        if not known or alignment > _PAGE:
            raise ValueError(f"a section of another kind: {_name(data, headers, index).decode()}")
        part = _part(flags, kind, _name(data, headers, index))
        bits = b"" if kind == _NOBITS else bytearray(data[offset : offset + size])
        sections[index] = _Section(part, bits, size, max(1, alignment))
        made.sections.append(sections[index])
    for _, kind, _, _, offset, size, link, _, _, _ in headers:
        if kind == _SYMTAB:
            made.symbols += _symbols(data[offset : offset + size], headers[link], data, sections)
    for _, kind, _, _, offset, size, _, target, _, _ in headers:
        if kind == _RELA and target in sections:
            for where, info, addend in _RELOCATION.iter_unpack(data[offset : offset + size]):
                symbol = made.symbols[info >> 32]
                made.relocations.append((sections[target], where, info & 0xFFFFFFFF, symbol, addend))
        elif kind == 9:  # without addends, which x86-64 has not
            raise ValueError("relocations of another kind")
    return made


def _part(flags: int, kind: int, name: bytes) -> str:
    if flags & _EXECUTE:
        return "code"
    if not flags & _WRITE:
        return "constants"
    if kind == _NOBITS:
        return "zeros"
    return "tables" if name.startswith(b".data.rel.ro") else "data"


def _name(data: bytes, headers: Sequence[tuple[int, ...]], index: int) -> bytes:
    names = headers[_HEADER.unpack_from(data)[-1]]
    return _text(data, names[4] + headers[index][0])


def _text(data: bytes, at: int) -> bytes:
    return data[at : data.index(b"\0", at)]


def _symbols(table: bytes, names: tuple[int, ...], data: bytes, sections: dict[int, _Section]) -> Iterator[_Symbol]:
    for name, info, _, index, value, size in _SYMBOL.iter_unpack(table):
        # Other than the name of a source file, and such as are chosen when a program is loaded.
        if (index in (_ABSOLUTE, _COMMON) and info & 15 != _FILE) or info & 15 == _INDIRECT:
            raise ValueError("a symbol of another kind")
        yield _Symbol(_text(data, names[4] + name).decode(), info >> 4, info & 15, sections.get(index), value, size)


def _linked(objects: Sequence[_Object], exported: str) -> bytes:
    known: dict[str, _Symbol] = {}
    for one in objects:
        for symbol in one.symbols:
            if symbol.binding != _LOCAL and symbol.section is not None:
                if symbol.name in known:
                    raise ValueError(f"{symbol.name} is there twice")
                known[symbol.name] = symbol
    if exported not in known:
        raise ValueError(f"{exported} is missing")
    every = [section for one in objects for section in one.sections]
    parts = {part: [section for section in every if section.part == part] for part in _PARTS}
    tables = _Tables(sorted(known.values(), key=lambda symbol: symbol.name != exported), objects)
    parts["constants"] = [*tables.constants, *parts["constants"]]
    parts["tables"].append(tables.dynamic)
    segments = _placed(parts)
    for one in objects:
        for relocation in one.relocations:
            tables.relocate(*relocation, known)
    tables.fill(segments)
    return _written(parts, segments, tables)


class _Tables:
    """What a loader reads: names of functions, where addresses are, and where these two tables are."""

    def __init__(self, symbols: Sequence[_Symbol], objects: Sequence[_Object]) -> None:
        self._exported = symbols
        self._names = b"\0" + b"".join(symbol.name.encode() + b"\0" for symbol in symbols)
        self._relative: list[tuple[int, int]] = []
        count = len(symbols) + 1
        pointers = sum(kind == _POINTER for one in objects for _, _, kind, _, _ in one.relocations)
        self.symbols, self.strings, self.hash, self.relocations = self.constants = [
            _Section("constants", b"", size, 8)
            for size in (
                count * _SYMBOL.size,
                len(self._names),
                4 * (3 + count),
                pointers * _RELOCATION.size,
            )
        ]
        self.dynamic = _Section("tables", b"", 10 * _DYNAMIC.size, 8)

    def relocate(
        self, section: _Section, where: int, kind: int, symbol: _Symbol, addend: int, known: dict[str, _Symbol]
    ) -> None:
        """Writes an address where it belongs, or notes that a loader is to."""
        found = known.get(symbol.name) if symbol.section is None else symbol
        if found is None or found.section is None:
            raise ValueError(f"{symbol.name} is missing")
        assert isinstance(section.data, bytearray)
        address, here = found.section.address + found.value + addend, section.address + where
        if kind in (_PC32, _PLT32):
            struct.pack_into("<i", section.data, where, address - here)
        elif kind == _POINTER:
            struct.pack_into("<Q", section.data, where, address)
            self._relative.append((here, address))
        else:
            raise ValueError(f"a relocation of kind {kind}")

    def fill(self, segments: dict[str, tuple[int, int, int]]) -> None:
        """Writes the tables, when all is where it is."""
        symbols, name = [bytes(_SYMBOL.size)], 1
        order = [part for part in _PARTS if part in segments]
        for symbol in self._exported:
            assert symbol.section is not None
            index = order.index(symbol.section.part) + 1
            value = symbol.section.address + symbol.value
            symbols.append(_SYMBOL.pack(name, symbol.binding << 4 | symbol.kind, 0, index, value, symbol.size))
            name += len(symbol.name.encode()) + 1
        count = len(symbols)
        self.symbols.data = b"".join(symbols)
        self.strings.data = self._names
        # One chain of all.
        self.hash.data = struct.pack(f"<{3 + count}I", 1, count, count - 1, 0, *range(count - 1))
        self.relocations.data = b"".join(
            _RELOCATION.pack(where, _RELATIVE, address) for where, address in self._relative
        )
        self.dynamic.data = b"".join(
            _DYNAMIC.pack(tag, value)
            for tag, value in (
                (_DT_HASH, self.hash.address),
                (_DT_STRTAB, self.strings.address),
                (_DT_SYMTAB, self.symbols.address),
                (_DT_RELA, self.relocations.address),
                (_DT_RELASZ, len(self.relocations.data)),
                (_DT_RELAENT, _RELOCATION.size),
                (_DT_RELACOUNT, len(self._relative)),
                (_DT_STRSZ, len(self._names)),
                (_DT_SYMENT, _SYMBOL.size),
                (0, 0),
            )
        )


def _placed(parts: dict[str, list[_Section]]) -> dict[str, tuple[int, int, int]]:
    """Where each part is in the file and in memory, and how long: parts are on pages of their own in memory."""
    at = file = _HEADER.size + _SEGMENT.size * (len(_PARTS) + 3)
    segments: dict[str, tuple[int, int, int]] = {}
    for part in _PARTS:
        if not parts[part]:
            continue
        if segments:
            at = _rounded(at, _PAGE) + file % _PAGE
        begin, from_file = at, file
        for section in parts[part]:
            at = _rounded(at, section.alignment)
            section.address = at
            at += section.size
        segments[part] = from_file, begin, at - begin
        file += 0 if part == "zeros" else at - begin
    return segments


def _written(parts: dict[str, list[_Section]], segments: dict[str, tuple[int, int, int]], tables: _Tables) -> bytes:
    """The file: headers, parts, and a table of these for who looks into it."""
    made = bytearray(_HEADER.size)
    headers: list[bytes] = []
    access = {"constants": _READABLE, "code": _READABLE | _EXECUTABLE}
    for part, (file, begin, size) in segments.items():
        # The first has the headers too.
        file, begin, size = (0, 0, begin + size) if part == "constants" else (file, begin, size)
        there = 0 if part == "zeros" else size
        flags = access.get(part, _READABLE | _WRITABLE)
        headers.append(_SEGMENT.pack(_LOAD, flags, file, begin, begin, there, size, _PAGE))
    file, begin, _ = segments["tables"]
    where, size = tables.dynamic.address, tables.dynamic.size
    headers.append(
        _SEGMENT.pack(_DYNAMIC_SEGMENT, _READABLE | _WRITABLE, file + where - begin, where, where, size, size, 8)
    )
    kept = segments["tables"][2]
    headers.append(_SEGMENT.pack(_RELRO, _READABLE, file, begin, begin, kept, kept, 1))
    headers.append(_SEGMENT.pack(_STACK, _READABLE | _WRITABLE, 0, 0, 0, 0, 0, 0))
    made += b"".join(headers)
    made += bytes(_SEGMENT.size * (len(_PARTS) + 3) - (len(made) - _HEADER.size))
    names, sections = b"\0", [bytes(_SECTION.size)]
    shown = {"constants": (".rodata", _ALLOC), "code": (".text", _ALLOC | _EXECUTE)}
    for part, (file, begin, size) in segments.items():
        if part != "zeros":
            assert len(made) == file
            for section in parts[part]:
                made += bytes(section.address - begin - (len(made) - file)) + section.data
        name, flags = shown.get(part, (f".{part}", _ALLOC | _WRITE))
        kind = _NOBITS if part == "zeros" else _PROGBITS
        alignment = max(section.alignment for section in parts[part])
        sections.append(_SECTION.pack(len(names), kind, flags, begin, file, size, 0, 0, alignment, 0))
        names += name.encode() + b"\0"
    for name, kind, section, link, one, width in (
        (".dynsym", _DYNSYM, tables.symbols, len(sections) + 1, 1, _SYMBOL.size),
        (".dynstr", _STRTAB, tables.strings, 0, 0, 0),
        (".hash", _HASH, tables.hash, len(sections), 0, 4),
        (".rela.dyn", _RELA, tables.relocations, len(sections), 0, _RELOCATION.size),
        (".dynamic", _DYNAMIC_TABLE, tables.dynamic, len(sections) + 1, 0, _DYNAMIC.size),
    ):
        file, begin, _ = segments[section.part]
        at, flags = section.address, _ALLOC | (_WRITE if section is tables.dynamic else 0)
        sections.append(
            _SECTION.pack(len(names), kind, flags, at, file + at - begin, section.size, link, one, 8, width)
        )
        names += name.encode() + b"\0"
    own = len(names)
    names += b".shstrtab\0"
    sections.append(_SECTION.pack(own, _STRTAB, 0, 0, len(made), len(names), 0, 0, 1, 0))
    made += names
    made += bytes(-len(made) % 8)
    at = len(made)
    made += b"".join(sections)
    made[: _HEADER.size] = _HEADER.pack(
        _MAGIC, _SHARED, _X86_64, 1, 0, _HEADER.size, at, 0, _HEADER.size, _SEGMENT.size, len(headers),
        _SECTION.size, len(sections), len(sections) - 1,
    )  # fmt: skip
    return bytes(made)


def _rounded(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment
