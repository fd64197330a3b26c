"""What is in a `.vmfb`: the tables of its FlatBuffer, and its functions' bytecode, operation by operation."""

import struct
from typing import NamedTuple

#: Operations by number, and their fields: an import or function, a global, a type, data, a number of 32 or 64 bits,
#: a register that is read or written, a list of such, sizes of lists, a block, what it is given, and a string.
OPERATIONS = {
    8: ("global.load.ref", "gtw"),
    9: ("global.store.ref", "gtr"),
    12: ("const.i32.zero", "w"),
    13: ("const.i32", "4w"),
    14: ("const.i64.zero", "w"),
    15: ("const.i64", "8w"),
    16: ("const.ref.zero", "w"),
    17: ("const.ref.rodata", "dw"),
    28: ("select.i32", "rrrw"),
    30: ("select.ref", "rtrrw"),
    42: ("add.i64", "rrw"),
    51: ("and.i32", "rrw"),
    53: ("xor.i32", "rrw"),
    66: ("trunc.i64.i32", "rw"),
    71: ("ext.i32.i64.s", "rw"),
    80: ("cmp.lt.i64.s", "rrw"),
    82: ("cmp.nz.i64", "rw"),
    85: ("cmp.nz.ref", "rw"),
    86: ("br", "bG"),
    87: ("cond_br", "rbGbG"),
    88: ("call", "fRW"),
    89: ("call.variadic", "fSRW"),
    90: ("return", "R"),
    91: ("fail", "rs"),
    121: ("block", ""),
    133: ("discard.refs", "R"),
    135: ("call.yieldable", "fRbW"),
    136: ("call.variadic.yieldable", "fSRbW"),
}


class Operation(NamedTuple):
    """An operation, where it stands, and its fields by letter."""

    at: int
    name: str
    fields: tuple


class Function(NamedTuple):
    """A function: its calling convention, attributes, what it needs, and how many blocks and registers it has."""

    convention: str
    attributes: dict
    needs: int
    blocks: int
    numbers: int
    references: int
    code: bytes

    @property
    def operations(self):
        """The operations, which are all of such kinds as are known here."""
        return disassembled(self.code)


class Table:
    """A table of a FlatBuffer."""

    def __init__(self, data, at):
        self._data, self._at = data, at
        vtable = at - struct.unpack_from("<i", data, at)[0]
        size = struct.unpack_from("<H", data, vtable)[0]
        self._fields = struct.unpack_from(f"<{(size - 4) // 2}H", data, vtable + 4)

    def has(self, field):
        return field < len(self._fields) and self._fields[field] != 0

    def number(self, field, kind="I"):
        return struct.unpack_from(f"<{kind}", self._data, self._at + self._fields[field])[0] if self.has(field) else 0

    def _there(self, field):
        at = self._at + self._fields[field]
        return at + struct.unpack_from("<I", self._data, at)[0]

    def table(self, field):
        return Table(self._data, self._there(field)) if self.has(field) else None

    def bytes(self, field, width=1):
        at = self._there(field)
        return self._data[at + 4 : at + 4 + width * struct.unpack_from("<I", self._data, at)[0]]

    def string(self, field):
        return self.bytes(field).decode()

    def tables(self, field):
        if not self.has(field):
            return []
        at = self._there(field)
        places = [at + 4 + 4 * index for index in range(struct.unpack_from("<I", self._data, at)[0])]
        return [Table(self._data, one + struct.unpack_from("<I", self._data, one)[0]) for one in places]


class VmFile:
    """A `.vmfb`."""

    def __init__(self, payload):
        begin = 30 + sum(struct.unpack_from("<HH", payload, 26)) if payload.startswith(b"PK\3\4") else 0
        size = struct.unpack_from("<I", payload, begin)[0]
        data = payload[begin + 4 : begin + 4 + size]
        assert data[4:8] == b"IREE"
        root = Table(data, struct.unpack_from("<I", data)[0])
        behind = (begin + 4 + size + 63) // 64 * 64
        self.name, self.needs, self.version = root.string(0), root.number(2), root.number(13)
        self.types = [one.string(0) for one in root.tables(4)]
        self.dependencies = [(one.string(0), one.number(1)) for one in root.tables(5)]
        self.imports = [(one.string(0), one.table(1).string(0)) for one in root.tables(6)]
        self.exports = {one.string(0): one.number(1) for one in root.tables(7)}
        self.rodata = [
            one.bytes(2) if one.has(2) else payload[behind + one.number(3, "Q") :][: one.number(4, "Q")]
            for one in root.tables(9)
        ]
        self.globals = root.table(11).number(1) if root.has(11) else 0
        descriptors, code = root.bytes(12, 20), root.bytes(14)
        self.functions = []
        for said, (at, length, needs, _, *counts) in zip(
            root.tables(8), struct.iter_unpack("<iiIhHHH", descriptors), strict=True
        ):
            attributes = {one.string(0): one.string(1) for one in said.tables(1)}
            self.functions.append(Function(said.string(0), attributes, needs, *counts, code[at : at + length]))

    def calls(self, function):
        """What a function calls, in order: imports by name, and others by number."""
        called = [one.fields[0] for one in function.operations if one.name.startswith("call")]
        return [self.imports[one & 0xFFFF][0] if one >> 31 else one for one in called]

    def strings(self, function):
        """The data that a function reads, in order."""
        return [self.rodata[one.fields[0]] for one in function.operations if one.name == "const.ref.rodata"]


def disassembled(code):
    """The operations of a function."""
    at = 0
    found = []

    def take(kind):
        nonlocal at
        at += struct.calcsize(kind)
        return struct.unpack_from(f"<{kind}", code, at - struct.calcsize(kind))[0]

    def several(width):
        nonlocal at
        at += at % 2
        return tuple(take("H") for _ in range(width * take("H")))

    while at < len(code):
        begin = at
        name, fields = OPERATIONS[take("B")]
        values = []
        for one in fields:
            if one in "RWSG":
                values.append(several(2 if one == "G" else 1))
            elif one == "s":
                size = take("H")
                values.append(code[at : at + size].decode())
                at += size
            else:
                values.append(take({"4": "i", "8": "q", "r": "H", "w": "H"}.get(one, "I")))
        found.append(Operation(begin, name, tuple(values)))
    return found
