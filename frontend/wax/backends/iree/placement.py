"""Where the memory of a program is whose functions do nothing but call executables that the passes made.

IREE finds this out in its phases up to `stream`, which take most of its time for such a program. Here it is read off
the program as it is given to IREE, and written down as IREE prints it after that phase: what a call does is one list,
all that lives within one is in one piece of memory, and so is all that is returned. What is not understood is left to
IREE.
docs/decisions/0057 has what was measured.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from math import prod
from typing import NamedTuple

from wax.backends.iree.unknown import UnknownError
from wax_runtime import dtypes

__all__ = ["placed"]

#: Sizes and offsets in a program's memory are multiples of this, in bytes, as kernels may be told.
_ALIGNMENT = 64

_SIZES = {name: dtype.numpy.itemsize for name, dtype in dtypes.BY_MLIR.items()}
_T = r"tensor<((?:\d+x)*)((?:complex<)?\w+>?)>"
_V = r"(%\w+(?:#\d+)?)"
_SIGN = r'\{wax\.sign = "unsigned"\}'
_ABOUT = r'\{(?:wax\.name = "(?:[^"\\]|\\.)*"(?:, wax\.sign = "unsigned")?|wax\.sign = "unsigned")\}'
_FUNCTION = re.compile(
    r"  func\.func @([\w$.-]+)\((.*?)\)(?: -> (\(.*?\)|[^\"({]*?))?"
    r"(?: attributes \{wax\.kept = array<i64(?:: [\d, ]+)?>\})? \{$"
)
_PARAMETER = re.compile(rf"%arg\d+: {_T}(?: ({_ABOUT}))?(?:, (?=%)|$)")
_RESULT = re.compile(rf"{_T}(?: ({_SIGN}))?(?:, (?=t)|$)")
_TENSOR = re.compile(_T)
_DISPATCH = re.compile(
    r'(%\w+)(?::(\d+))? = "flow\.dispatch"\((.*?)\) <\{entry_points = \[@([\w$.-]+)::@\4\], '
    r"operandSegmentSizes = array<i32: 0, \d+, 0, 0>\}> : \((.*)\) -> \(?(.*?)\)?$"
)
_SHAPED = re.compile(
    rf"(%\w+) = (?:tensor\.(?:expand|collapse)_shape {_V} \[.* : {_T} into {_T}"
    rf'|"flow\.tensor\.(?:bitcast|reshape)"\({_V}\) <\{{operandSegmentSizes = array<i32: 1, 0, 0>\}}> : '
    rf"\({_T}\) -> {_T})$"
)
_KEPT = re.compile(rf"(%\w+) = util\.optimization_barrier {_V} : {_T}$")
_SLICE = re.compile(
    rf"(%\w+) = tensor\.extract_slice {_V}\[([\d, ]*)\] \[([\d, ]*)\] \[(?:1(?:, 1)*)?\] : {_T} to {_T}$"
)
#: What has no memory yet; nothing is said of it to whom it is given.
_NOTHING = re.compile(r"%\w+ = (?:arith\.constant |tensor\.empty\(\) )")
_RETURN = re.compile(r"return(?: (.*) : .*)?$")

_ON = "on(#hal.device.affinity<@__device_0>)"
_VIEW = "!hal.buffer_view"


class _Tensor(NamedTuple):
    """The type of a tensor: its shape, as it is written, with its element."""

    shape: tuple[int, ...]
    element: str

    @property
    def size(self) -> int:
        """In bytes."""
        return prod(self.shape) * _SIZES[self.element]

    def __str__(self) -> str:
        return f"tensor<{''.join(f'{dim}x' for dim in self.shape)}{self.element}>"


class _Memory:
    """What is written once and read later: one of a call's arguments, by number, or what a dispatch makes.

    `first` and `last` are numbers of the commands that write and read it.
    """

    def __init__(self, size: int, first: int, argument: int | None = None) -> None:
        self.size = size
        self.first = self.last = first
        self.argument = argument
        self.returned = False
        self.offset = 0


class _Piece(NamedTuple):
    """A part of memory."""

    memory: _Memory
    offset: int
    size: int


class _Command(NamedTuple):
    """What is done: a kernel by name, or a copy, and pieces that are read, and written."""

    kernel: str | None
    reads: Sequence[_Piece]
    writes: Sequence[_Piece]


class _Result(NamedTuple):
    """What is returned, and what is said of it."""

    piece: _Piece
    type: _Tensor
    about: str


def placed(text: str, kernels: Collection[str]) -> str | None:
    """A program as it is after IREE's phase `stream`, but for its executables, which are `kernels`; `None` where
    not all is understood.
    """
    try:
        functions = [_Function(head, lines, kernels).text() for head, lines in _functions(text)]
    except (UnknownError, LookupError, ValueError):
        return None
    device = (
        '#hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {}>]> : !hal.device'
    )
    return f"module {{\n  util.global private @__device_0 = {device}\n{''.join(functions)}}}\n"


def _functions(text: str) -> Iterator[tuple[re.Match[str], Sequence[str]]]:
    """The functions of a module that has nothing else but executables."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("#") or line in ("module {", "}", ""):
            continue
        if line.startswith(('  "flow.executable"(', "  hal.executable.source private @")):
            end = "  }) : () -> ()" if line.startswith('  "') else "  }"
            for inner in lines:
                if inner == end:
                    break
        elif head := _FUNCTION.match(line):
            body: list[str] = []
            for inner in lines:
                if inner == "  }":
                    break
                body.append(inner.strip())
            yield head, body
        else:
            raise UnknownError(line)


class _Function:
    """A function, read line by line."""

    def __init__(self, head: re.Match[str], lines: Sequence[str], kernels: Collection[str]) -> None:
        name, parameters, results = head.groups()
        self._name: str = name
        self._kernels = kernels
        self._commands: list[_Command] = []
        self._arguments: list[tuple[_Tensor, str]] = []
        self._pieces: dict[str, _Piece] = {}
        for number, (kind, about) in enumerate(_declared(_PARAMETER, parameters)):
            self._pieces[f"%arg{number}"] = _Piece(_Memory(kind.size, -1, number), 0, kind.size)
            self._arguments.append((kind, about))
        self._results: list[_Result] = []
        results = results or ""
        declared = _declared(_RESULT, results[1:-1] if results.startswith("(") else results)
        for line in lines[:-1]:
            self._read(line)
        found = _RETURN.match(lines[-1])
        if found is None:
            raise UnknownError(lines[-1])
        for one, (kind, about) in zip(found[1].split(", ") if found[1] else (), declared, strict=True):
            self._give(self._pieces[one], kind, about)
        if not self._results or not self._commands:
            raise UnknownError("a function that does nothing")

    def _read(self, line: str) -> None:
        if found := _DISPATCH.match(line):
            self._dispatch(*found.groups())
        elif found := _SHAPED.match(line):
            name, shaped, *types = found.groups()
            other, kinds = (shaped, types[:4]) if shaped else (types[4], types[5:])
            before, after = _tensor(*kinds[:2]), _tensor(*kinds[2:])
            if before.size != after.size:
                raise UnknownError(line)
            self._pieces[name] = self._pieces[other]
        elif found := _KEPT.match(line):
            self._pieces[found[1]] = self._pieces[found[2]]
        elif found := _SLICE.match(line):
            name, other, begins, sizes, *types = found.groups()
            self._pieces[name] = _sliced(self._pieces[other], _tensor(*types[:2]), _numbers(begins), _numbers(sizes))
        elif not _NOTHING.match(line):
            raise UnknownError(line)

    def _dispatch(self, name: str, several: str | None, given: str, kernel: str, taken: str, made: str) -> None:
        if kernel not in self._kernels:
            raise UnknownError(kernel)
        operands = given.split(", ") if given else []
        reads = [self._aligned(self._pieces[one]) for one in operands]
        if [one.size for one in reads] != [one.size for one in _types(taken)]:
            raise UnknownError(given)
        number = len(self._commands)
        writes = [_Piece(_Memory(kind.size, number), 0, kind.size) for kind in _types(made)]
        self._add(kernel, reads, writes)
        if len(writes) != int(several or 1):
            raise UnknownError(made)
        for index, piece in enumerate(writes):
            self._pieces[f"{name}#{index}" if several else name] = piece

    def _aligned(self, piece: _Piece) -> _Piece:
        """A piece as a kernel may read it."""
        return piece if piece.offset % _ALIGNMENT == 0 else self._copied(piece)

    def _copied(self, piece: _Piece) -> _Piece:
        copy = _Piece(_Memory(piece.size, len(self._commands)), 0, piece.size)
        self._add(None, [piece], [copy])
        return copy

    def _add(self, kernel: str | None, reads: Sequence[_Piece], writes: Sequence[_Piece]) -> None:
        for piece in reads:
            piece.memory.last = len(self._commands)
        self._commands.append(_Command(kernel, reads, writes))

    def _give(self, piece: _Piece, kind: _Tensor, about: str) -> None:
        """Memory is returned where all of it is a result, and that one alone."""
        if piece.size != kind.size or piece.memory.argument is not None:
            raise UnknownError("an argument that is returned")
        if piece.size != piece.memory.size or piece.memory.returned:
            piece = self._copied(piece)
        piece.memory.returned = True
        self._results.append(_Result(piece, kind, about))

    def text(self) -> str:
        """The function as IREE prints it."""
        made = [piece.memory for command in self._commands for piece in command.writes]
        # In the order in which they are returned: what is asked for first is first.
        given = _behind_each_other([one.piece.memory for one in self._results])
        within = _packed([memory for memory in made if not memory.returned])
        return _Text(given, within).function(self._name, self._arguments, self._commands, self._results)


class _Text:
    """A function as it is written: the sizes of the memory that it allocates, for what it returns and what it does not,
    and the numbers that it names.
    """

    def __init__(self, given: int, within: int) -> None:
        self._given, self._within = given, within
        self._numbers: dict[int, str] = {}
        self._elements: dict[str, str] = {}

    def function(
        self,
        name: str,
        arguments: Sequence[tuple[_Tensor, str]],
        commands: Sequence[_Command],
        results: Sequence[_Result],
    ) -> str:
        """All of it."""
        pieces = [piece for command in commands for piece in command.reads]
        read = {piece.memory.argument for piece in pieces if piece.memory.argument is not None}
        lines = [line for number in sorted(read) for line in self._taken(number, arguments[number][0])]
        lines.append(self._allocated("given", "external", self._given))
        if self._within:
            lines.append(self._allocated("within", "transient", self._within))
            lines.append("%begin = stream.timepoint.join max(%given_point, %within_point) => !stream.timepoint")
        captured = [f"%taken{n} as %a{n}: {self._resource('external', arguments[n][0].size)}" for n in sorted(read)]
        captured.append(f"%given as %g: {self._resource('external', self._given)}")
        if self._within:
            captured.append(f"%within as %w: {self._resource('transient', self._within)}")
        begin = "%begin" if self._within else "%given_point"
        lines.append(f"%end = stream.cmd.execute {_ON} await({begin}) => with({', '.join(captured)}) {{")
        for command in commands:
            lines += self._done(command)
        lines.append("} => !stream.timepoint")
        end = "%end"
        if self._within:
            end = "%freed"
            freed = f"await(%end) => %within : {self._resource('transient', self._within)} => !stream.timepoint"
            lines.append(f"%freed = stream.resource.dealloca {_ON} {freed}")
        lines.append(f"%done = stream.timepoint.await {end} => %given : {self._resource('external', self._given)}")
        for number, result in enumerate(results):
            lines += self._exported(number, result)
        names = ", ".join(f"%result{number}" for number in range(len(results)))
        lines.append(f"util.return {names} : {', '.join([_VIEW] * len(results))}")
        first = [f"{made} = arith.constant {number} : index" for number, made in self._numbers.items()]
        first += [f"{made} = hal.element_type<{element}> : i32" for element, made in self._elements.items()]
        first.append("%dense_row_major = hal.encoding_type<dense_row_major> : i32")
        whole = "".join(f"    {line}\n" for line in (*first, *lines))
        return f"  {_head(name, arguments, results)} {{\n{whole}  }}\n"

    def _number(self, number: int) -> str:
        return self._numbers.setdefault(number, f"%c{number}")

    def _resource(self, lifetime: str, size: int) -> str:
        return f"!stream.resource<{lifetime}>{{{self._number(size)}}}"

    def _taken(self, number: int, kind: _Tensor) -> Iterator[str]:
        shape = ", ".join(self._number(dim) for dim in kind.shape)
        element = self._elements.setdefault(kind.element, f"%element_type_{len(self._elements)}")
        yield (
            f'hal.buffer_view.assert<%arg{number} : {_VIEW}> message("input{number}") shape([{shape}]) '
            f"type({element}) encoding(%dense_row_major)"
        )
        where = f"%arg{number} : {_VIEW} -> {kind} in {self._resource('external', kind.size)}"
        yield f"%taken{number} = stream.tensor.import {_ON} {where}"

    def _allocated(self, name: str, lifetime: str, size: int) -> str:
        made = f"{self._resource(lifetime, size)} => !stream.timepoint"
        return f"%{name}, %{name}_point = stream.resource.alloca uninitialized {_ON} : {made}"

    def _where(self, piece: _Piece) -> tuple[str, str, str]:
        """The name of the memory that a piece is in, its offset there, and its type."""
        memory, offset = piece.memory, self._number(piece.memory.offset + piece.offset)
        if memory.argument is not None:
            return f"%a{memory.argument}", offset, self._resource("external", memory.size)
        if memory.returned:
            return "%g", offset, self._resource("external", self._given)
        return "%w", offset, self._resource("transient", self._within)

    def _done(self, command: _Command) -> Iterator[str]:
        if command.kernel is None:
            (source, at, of), (target, to, into) = map(self._where, (*command.reads, *command.writes))
            length = self._number(command.reads[0].size)
            yield f"  stream.cmd.copy {source}[{at}], {target}[{to}], {length} : {of} -> {into}"
            return
        yield f"  stream.cmd.dispatch @{command.kernel}::@{command.kernel} {{"
        bindings = [("ro", piece) for piece in command.reads] + [("wo", piece) for piece in command.writes]
        for index, (access, piece) in enumerate(bindings, 1):
            name, offset, kind = self._where(piece)
            comma = "," if index < len(bindings) else ""
            yield f"    {access} {name}[{offset} for {self._number(piece.size)}] : {kind}{comma}"
        yield "  }"

    def _exported(self, number: int, result: _Result) -> Iterator[str]:
        size, name = result.type.size, "%done"
        if size != self._given:
            name, offset = f"%part{number}", self._number(result.piece.memory.offset)
            of, into = self._resource("external", self._given), self._resource("external", size)
            yield f"{name} = stream.resource.subview %done[{offset}] : {of} -> {into}"
        where = f"{result.type} in {self._resource('external', size)} -> {_VIEW}"
        yield f"%result{number} = stream.tensor.export {_ON} {name} : {where}"


def _head(name: str, arguments: Sequence[tuple[_Tensor, str]], results: Sequence[_Result]) -> str:
    """A function's head, with what IREE keeps of its types."""
    parameters = ", ".join(f"%arg{n}: {_VIEW}{_after(about)}" for n, (_, about) in enumerate(arguments))
    inputs = ", ".join(f"%input{n}: {kind}{_after(about)}" for n, (kind, about) in enumerate(arguments))
    outputs = ", ".join(f"%output{n}: {one.type}{_after(one.about)}" for n, one in enumerate(results))
    declared = f"sync func @{name}({inputs}) -> ({outputs})".replace("\\", "\\\\").replace('"', "\\22")
    views = ", ".join(f"{_VIEW}{_after(one.about)}" for one in results)
    views = views if views == _VIEW else f"({views})"
    reflection = f'iree.reflection = {{iree.abi.declaration = "{declared}"}}'
    return f"util.func public @{name}({parameters}) -> {views} attributes {{iree.abi.stub, {reflection}}}"


def _after(about: str) -> str:
    return f" {about}" if about else ""


def _declared(pattern: re.Pattern[str], text: str) -> list[tuple[_Tensor, str]]:
    """Types of tensors, one behind the other, and what is said of each."""
    declared: list[tuple[_Tensor, str]] = []
    at = 0
    while at < len(text):
        found = pattern.match(text, at)
        if found is None:
            raise UnknownError(text)
        declared.append((_tensor(found[1], found[2]), found[3] or ""))
        at = found.end()
    return declared


def _sliced(piece: _Piece, whole: _Tensor, begins: Sequence[int], sizes: Sequence[int]) -> _Piece:
    """A slice that is one piece of memory."""
    width = _SIZES[whole.element]
    if piece.size != whole.size or not len(begins) == len(sizes) == len(whole.shape):
        raise UnknownError("a slice of another")
    varied = False
    offset, stride = 0, width
    # From the last dim: in front of one that is not whole there is one index only.
    for dim, begin, size in zip(reversed(whole.shape), reversed(begins), reversed(sizes), strict=True):
        if varied and size != 1:
            raise UnknownError("a slice of many pieces")
        varied = varied or size != dim
        offset += begin * stride
        stride *= dim
    return _Piece(piece.memory, piece.offset + offset, prod(sizes) * width)


def _behind_each_other(memories: Sequence[_Memory]) -> int:
    """Where memory is that lives on, and its size in all: as it is where there is one."""
    if len(memories) == 1:
        return memories[0].size
    end = 0
    for memory in memories:
        memory.offset, end = end, end + _rounded(memory.size)
    return end


def _packed(memories: Sequence[_Memory]) -> int:
    """Where memory is that lives for a while, and its size in all. Each is put where nothing is that lives at a time
    when it does, as they are made or the largest first (Pisarchyk and Lee, Efficient Memory Management for Deep Neural
    Net Inference, 2020), whichever takes less.
    """
    orders = (memories, sorted(memories, key=lambda memory: memory.size, reverse=True))
    end, offsets = min((_packed_in_order(order) for order in orders), key=lambda found: found[0])
    for memory, offset in offsets.items():
        memory.offset = offset
    return end


def _packed_in_order(memories: Sequence[_Memory]) -> tuple[int, dict[_Memory, int]]:
    offsets: dict[_Memory, int] = {}
    end = 0
    for memory in memories:
        size, at = _rounded(memory.size), 0
        there = (one for one in offsets if one.first <= memory.last and memory.first <= one.last)
        for other in sorted(there, key=offsets.__getitem__):
            if offsets[other] >= at + size:
                break
            at = max(at, offsets[other] + _rounded(other.size))
        offsets[memory] = at
        end = max(end, at + size)
    return end, offsets


def _rounded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _tensor(dims: str, element: str) -> _Tensor:
    shape = tuple(int(dim) for dim in dims.split("x")[:-1])
    if element not in _SIZES or 0 in shape:
        raise UnknownError(element)
    return _Tensor(shape, element)


def _types(text: str) -> list[_Tensor]:
    """Types of tensors, one behind the other."""
    text = text[1:-1] if text.startswith("(") else text
    found = [_tensor(*one) for one in _TENSOR.findall(text)]
    if ", ".join(map(str, found)) != text:
        raise UnknownError(text)
    return found


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(", ")] if text else []
