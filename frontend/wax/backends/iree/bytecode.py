"""Functions as bytecode of IREE's VM, of version 17.0: operations, blocks, and registers.

A function is written block by block, and each value has a register of its own, but for some that are soon used up. What
becomes of references is found at the end: the last use of one gives it away, and what is used no more is let go, for
nobody else does it when a function returns. `runtime/src/iree/vm/bytecode` of IREE's sources has the format, and what
is verified of it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from wax.backends.iree.unknown import UnknownError

__all__ = ["I32", "I64", "VERSION", "Code", "Encoded", "Symbol", "Value"]

VERSION = 17 << 16
I32, I64 = "i32", "i64"

# Of operations, the number and the fields: a symbol, a register that is read or written, all that are, as a list,
# data and aligned data, a block, and what it is given.
_OPERATIONS = {
    "global.load.ref": (8, "ssw"),
    "global.store.ref": (9, "ssr"),
    "const.i32.zero": (12, "w"),
    "const.i32": (13, "dw"),
    "const.i64.zero": (14, "w"),
    "const.i64": (15, "dw"),
    "const.ref.zero": (16, "w"),
    "const.ref.rodata": (17, "sw"),
    "select.i32": (28, "rrrw"),
    "select.ref": (30, "rsrrw"),
    "add.i64": (42, "rrw"),
    "and.i32": (51, "rrw"),
    "xor.i32": (53, "rrw"),
    "trunc.i64.i32": (66, "rw"),
    "ext.i32.i64.s": (71, "rw"),
    "cmp.lt.i64.s": (80, "rrw"),
    "cmp.nz.i64": (82, "rw"),
    "cmp.nz.ref": (85, "rw"),
    "br": (86, "bg"),
    "cond_br": (87, "rbgbg"),
    "call": (88, "sRW"),
    "call.variadic": (89, "sDRW"),
    "return": (90, "R"),
    "fail": (91, "rd"),
    "discard.refs": (133, "R"),
    "call.yieldable": (135, "sRbW"),
    "call.variadic.yieldable": (136, "sDRbW"),
}
_BLOCK = 121
#: Of the operations that read references, the one that cannot be given them.
_KEEPS = "cmp.nz.ref"

# Of a register, that it is one of references, and of its use, that it gives the reference away.
_REFERENCE, _MOVED = 0x8000, 0x4000
# As many as there may be: the next power of two has to be less than 0x3fff, and than 0x7fff.
_MOST_REFERENCES, _MOST_NUMBERS = 0x2000, 0x4000
_LONGEST, _LARGEST_BLOCK, _MOST_BLOCKS = 0xFFFF, 0xFFFFFF, 0x7FFF

#: What has a number in a module, and its name.
Symbol = tuple[Literal["function", "import", "global", "rodata", "type"], str]


class Value(NamedTuple):
    """A register as code has it, and what is in it: `i32`, `i64`, or the type of what a reference is to."""

    register: int
    kind: str


class _Edge(NamedTuple):
    """A block that may be next, and what it is given."""

    label: str
    given: Sequence[Value] = ()


class _Operation(NamedTuple):
    name: str
    reads: Sequence[Value] = ()
    writes: Sequence[Value] = ()
    symbols: Sequence[Symbol] = ()
    data: bytes = b""
    edges: Sequence[_Edge] = ()


class _Block(NamedTuple):
    label: str
    arguments: Sequence[Value]
    operations: list[_Operation]


class Encoded(NamedTuple):
    """A function's bytes, and how many blocks and registers of both kinds it has."""

    code: bytes
    blocks: int
    numbers: int
    references: int


class Code:
    """A function that is being written. Numbers, and what globals hold, stand before all else."""

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        self._numbers = self._references = 0
        self._spare: int | None = None
        self.arguments = self._values(arguments)
        self._first: dict[object, _Operation] = {}
        self._blocks = [_Block("", self.arguments, [])]

    def value(self, kind: str) -> Value:
        """A register that nothing has."""
        if kind == I32 and self._spare is not None:
            register, self._spare = self._spare, None
        elif kind == I32:
            register = self._numbers
            self._numbers += 1
        elif kind == I64:  # a pair, and the first of it is even
            if self._numbers % 2:
                self._spare = self._numbers
                self._numbers += 1
            register = self._numbers
            self._numbers += 2
        else:
            register = _REFERENCE | self._references
            self._references += 1
        if self._references > _MOST_REFERENCES or self._numbers > _MOST_NUMBERS:
            raise UnknownError("more values than registers")
        return Value(register, kind)

    def _values(self, kinds: Iterable[str]) -> list[Value]:
        return [self.value(kind) for kind in kinds]

    def number(self, value: int, kind: str) -> Value:
        """A number of 32 or 64 bits."""
        key = ("number", value, kind)
        if key not in self._first:
            self._first[key] = self._constant(self.value(kind), value)
        return self._first[key].writes[0]

    def define(self, value: Value, number: int) -> None:
        """Says what number a value is that is used already."""
        self._first["defined", value] = self._constant(value, number)

    def _constant(self, value: Value, number: int) -> _Operation:
        name, data = f"const.{value.kind}.zero", b""
        if number:
            bits = int(value.kind[1:])
            if not -(1 << bits - 1) <= number < 1 << bits - 1:
                raise UnknownError(f"{number} : {value.kind}")
            name, data = f"const.{value.kind}", number.to_bytes(bits // 8, "little", signed=True)
        return _Operation(name, (), (value,), (), data)

    def null(self, kind: str) -> Value:
        """A reference to nothing."""
        key = ("null", kind)
        if key not in self._first:
            self._first[key] = _Operation("const.ref.zero", (), (self.value(kind),))
        return self._first[key].writes[0]

    def loaded(self, name: str, kind: str) -> Value:
        """What a global holds at the beginning."""
        key: Symbol = ("global", name)
        if key not in self._first:
            self._first[key] = _Operation("global.load.ref", (), (self.value(kind),), (key, ("type", kind)))
        return self._first[key].writes[0]

    def store(self, value: Value, name: str) -> None:
        """Has a global hold something."""
        self._add(_Operation("global.store.ref", (value,), (), (("global", name), ("type", value.kind))))

    def rodata(self, name: str, made: Value) -> Value:
        """Bytes of the module's, in a register."""
        return self._add(_Operation("const.ref.rodata", (), (made,), (("rodata", name),)))[0]

    def calculated(self, name: str, kind: str, *operands: Value) -> Value:
        """What comes of an operation on registers."""
        symbols: Sequence[Symbol] = (("type", kind),) if name == "select.ref" else ()
        return self._add(_Operation(name, operands, (self.value(kind),), symbols))[0]

    def invoke(
        self, callee: Symbol, operands: Sequence[Value], results: Sequence[str] = (), sizes: Sequence[int] = ()
    ) -> Sequence[Value]:
        """A call. The `sizes` are there for what takes lists: how long each is, and -1 for what is no list."""
        name = "call.variadic" if sizes else "call"
        return self._add(_Operation(name, operands, self._values(results), (callee,), _shorts(sizes)))

    def invoke_and_wait(
        self,
        callee: Symbol,
        operands: Sequence[Value],
        label: str,
        results: Sequence[str] = (),
        sizes: Sequence[int] = (),
    ) -> Sequence[Value]:
        """A call that may wait, and the block behind it."""
        name = "call.variadic.yieldable" if sizes else "call.yieldable"
        made = self._values(results)
        self._add(_Operation(name, operands, made, (callee,), _shorts(sizes), (_Edge(label),)))
        self._blocks.append(_Block(label, (), []))
        return made

    def branch(self, label: str, *given: Value) -> None:
        """Goes on with a block."""
        self._add(_Operation("br", edges=(_Edge(label, given),)))

    def branch_if(
        self, condition: Value, label: str, other: str, given: Sequence[Value] = (), others: Sequence[Value] = ()
    ) -> None:
        """Goes on with one of two blocks."""
        self._add(_Operation("cond_br", (condition,), edges=(_Edge(label, given), _Edge(other, others))))

    def block(self, label: str, *kinds: str) -> Sequence[Value]:
        """The next block, and what it is given."""
        self._blocks.append(_Block(label, self._values(kinds), []))
        return self._blocks[-1].arguments

    def fail(self, status: Value, message: str) -> None:
        """Ends with an error."""
        text = message.encode()
        if len(text) > _LONGEST:
            raise UnknownError("a long message")
        self._add(_Operation("fail", (status,), data=struct.pack("<H", len(text)) + text))

    def give(self, values: Sequence[Value]) -> None:
        """Ends, and returns values."""
        self._add(_Operation("return", values))

    def _add(self, operation: _Operation) -> Sequence[Value]:
        if max(len(operation.reads), len(operation.writes)) > _LONGEST:
            raise UnknownError("a call with many operands")
        self._blocks[-1].operations.append(operation)
        return operation.writes

    def _whole(self) -> list[_Block]:
        first, *others = self._blocks
        return [first._replace(operations=[*self._first.values(), *first.operations]), *others]

    def kinds(self) -> set[str]:
        """What is in the registers that are used, or that operations give results in."""
        found: set[str] = set()
        for operation in (one for block in self._whole() for one in block.operations):
            values = [*operation.reads, *(one for edge in operation.edges for one in edge.given)]
            found.update(one.kind for one in (values if operation.edges else (*values, *operation.writes)))
        return found

    def encoded(self, numbers: Mapping[Symbol, int]) -> Encoded:
        """The function as bytes, in a module where symbols have numbers."""
        blocks = self._whole()
        if len(blocks) > _MOST_BLOCKS:
            raise UnknownError("many blocks")
        return Encoded(_Writer(blocks, numbers).code, len(blocks), self._numbers, self._references)


def _shorts(numbers: Sequence[int]) -> bytes:
    """A list as operations have it."""
    try:
        return struct.pack(f"<H{len(numbers)}H", len(numbers), *(one & _LONGEST if one < 0 else one for one in numbers))
    except struct.error as error:
        raise UnknownError("a long list") from error


def _references(values: Iterable[Value]) -> set[int]:
    return {one.register for one in values if one.register & _REFERENCE}


class _Writer:
    """Blocks as bytes, with what becomes of references."""

    def __init__(self, blocks: Sequence[_Block], numbers: Mapping[Symbol, int]) -> None:
        self._blocks = {block.label: block for block in blocks}
        self._numbers = numbers
        self._alive = self._found_alive()
        self._code = bytearray()
        self._targets: list[tuple[int, str]] = []
        begins: dict[str, int] = {}
        dead = self._found_dead()
        for block in blocks:
            begin = begins[block.label] = len(self._code)
            self._block(block, dead[block.label])
            if len(self._code) - begin > _LARGEST_BLOCK:
                raise UnknownError("a long block")
        for at, label in self._targets:
            struct.pack_into("<I", self._code, at, begins[label])
        self.code = bytes(self._code)

    def _found_alive(self) -> dict[str, set[int]]:
        """The references that are used in each block or behind it, and are there before."""
        alive = {label: set[int]() for label in self._blocks}
        changed = len(self._blocks) > 1
        while changed:
            changed = False
            for label, block in reversed(self._blocks.items()):
                there = self._behind(block, alive)
                for one in reversed(block.operations):
                    there -= _references(one.writes)
                    there |= _references(one.reads)
                there -= _references(block.arguments)
                changed |= there != alive[label]
                alive[label] = there
        return alive

    def _behind(self, block: _Block, alive: Mapping[str, set[int]]) -> set[int]:
        """The references that are used behind a block, or given to the next."""
        edges = block.operations[-1].edges
        return {one for edge in edges for one in (*alive[edge.label], *_references(edge.given))}

    def _found_dead(self) -> dict[str, set[int]]:
        """The references that may be there when a block begins, and that nothing uses from there on."""
        dead = {label: set[int]() for label in self._blocks}
        for block in self._blocks.values():
            there = self._behind(block, self._alive)
            for edge in block.operations[-1].edges:
                dead[edge.label] |= there - _references(edge.given) - self._alive[edge.label]
        for label, block in self._blocks.items():
            if block.operations[-1].name == "fail":  # all are let go then
                dead[label].clear()
        return dead

    def _block(self, block: _Block, dead: set[int]) -> None:
        self._code.append(_BLOCK)
        there = self._behind(block, self._alive)
        uses: list[tuple[set[int], set[int]]] = []
        for one in reversed(block.operations):
            made, read = _references(one.writes), _references(one.reads)
            unused = made - there
            there -= made
            last = read - there
            there |= read
            uses.append((set(), last | unused) if one.name == _KEEPS else (last, unused))
        self._discard(dead | (_references(block.arguments) - there))
        for one, (last, unused) in zip(block.operations, reversed(uses), strict=True):
            self._operation(one, last)
            self._discard(unused)

    def _discard(self, registers: set[int]) -> None:
        if registers:
            self._operation(_Operation("discard.refs", [Value(one, "") for one in sorted(registers)]), set())

    def _operation(self, operation: _Operation, last: set[int]) -> None:
        number, fields = _OPERATIONS[operation.name]
        code = self._code
        code.append(number)
        registers = _moved(operation.reads, last)
        reads, symbols, edges = iter(registers), iter(operation.symbols), iter(operation.edges)
        edge = _Edge("")
        for field in fields:
            if field.isupper() or field == "g":
                code += bytes(len(code) % 2)
            if field == "s":
                code += self._numbers[next(symbols)].to_bytes(4, "little")
            elif field == "r":
                code += next(reads).to_bytes(2, "little")
            elif field == "w":
                code += operation.writes[0].register.to_bytes(2, "little")
            elif field == "R":
                code += _shorts(registers)
            elif field == "W":
                code += _shorts([one.register for one in operation.writes])
            elif field in "dD":
                code += operation.data
            elif field == "b":
                edge = next(edges)
                self._targets.append((len(code), edge.label))
                code += bytes(4)
            else:
                code += self._given(edge)

    def _given(self, edge: _Edge) -> bytes:
        """Registers of the block that goes on, and those of the next that they are copied to, one by one."""
        given = _moved(edge.given, _references(edge.given) - self._alive[edge.label])
        pairs: list[tuple[int, int]] = []
        for (_, kind), register, (other, _) in zip(edge.given, given, self._blocks[edge.label].arguments, strict=True):
            pairs += [(register, other), *([(register + 1, other + 1)] if kind == I64 else [])]
        if {one.register for one in edge.given} & {other for _, other in pairs}:
            raise UnknownError("values that change places")
        return struct.pack(f"<H{2 * len(pairs)}H", len(pairs), *(one for pair in pairs for one in pair))


def _moved(values: Sequence[Value], last: set[int]) -> list[int]:
    """Registers, of which the last use of some gives away what is in them."""
    left = set(last)
    registers: list[int] = []
    for one, _ in reversed(values):
        registers.append(one | _MOVED if one in left else one)
        left.discard(one)
    return registers[::-1]
