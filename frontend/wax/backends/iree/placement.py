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

from wax.backends.iree.constant_data import constant
from wax.backends.iree.pieces import (
    ALIGNMENT,
    SIZES,
    Command,
    Memory,
    Piece,
    Result,
    Tensor,
    behind_each_other,
    packed,
)
from wax.backends.iree.stream_text import FunctionText
from wax.backends.iree.unknown import UnknownError

__all__ = ["placed"]

#: Bytes that take longer to be copied than IREE's own call takes.
_LARGE = 65536
#: Bytes of what constants make that are kept with a program.
_MOST_KEPT = 1 << 24

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
_KEPT = re.compile(
    rf'(%\w+) = (?:util\.optimization_barrier {_V} : {_T}|"util\.optimization_barrier"\({_V}\) : \({_T}\) -> {_T})$'
)
_SLICE = re.compile(
    rf"(%\w+) = tensor\.extract_slice {_V}\[([\d, ]*)\] \[([\d, ]*)\] \[(?:1(?:, 1)*)?\] : {_T} to {_T}$"
)
_JOINED = re.compile(rf"(%\w+) = tensor\.concat dim\((\d+)\) (.*) : \((.*)\) -> {_T}$")
#: A number everywhere, as it is written.
_SAME = re.compile(rf"(%\w+) = arith\.constant (dense<[^][\"]*> : {_T})$")
#: What has no memory yet; nothing is said of it to whom it is given.
_NOTHING = re.compile(r"%[\w-]+ = (?:arith\.constant |tensor\.empty\(\) )")
_RETURN = re.compile(r"return(?: (.*) : .*)?$")


def placed(text: str, kernels: Collection[str]) -> str | None:
    """A program as it is after IREE's phase `stream`, but for its executables, which are `kernels`; `None` where
    not all is understood.
    """
    try:
        functions = [_Function(head, lines, kernels).text() for head, lines in _functions(text)]
    except (UnknownError, LookupError, ValueError):
        return None
    if not functions:
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
        self._commands: list[Command] = []
        self._once: list[Command] = []
        self._arguments: list[tuple[Tensor, str]] = []
        self._pieces: dict[str, Piece] = {}
        self._same: dict[str, tuple[Tensor, str]] = {}
        for number, (kind, about) in enumerate(_declared(_PARAMETER, parameters)):
            self._pieces[f"%arg{number}"] = Piece(Memory(kind.size, -1, number), 0, kind.size)
            self._arguments.append((kind, about))
        self._results: list[Result] = []
        results = results or ""
        declared = _declared(_RESULT, results[1:-1] if results.startswith("(") else results)
        for line in lines[:-1]:
            self._read(line)
        found = _RETURN.match(lines[-1])
        if found is None:
            raise UnknownError(lines[-1])
        for one, (kind, about) in zip(found[1].split(", ") if found[1] else (), declared, strict=True):
            self._give(self._piece(one), kind, about)
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
            self._pieces[found[1]] = self._pieces[found[2] or found[5]]
        elif found := _SLICE.match(line):
            name, other, begins, sizes, *types = found.groups()
            self._pieces[name] = _sliced(self._pieces[other], _tensor(*types[:2]), _numbers(begins), _numbers(sizes))
        elif found := _JOINED.match(line):
            name, dim, given, taken, *made = found.groups()
            self._pieces[name] = self._joined(given.split(", "), _types(taken), int(dim), _tensor(*made))
        elif found := _SAME.match(line):
            name, text, *made = found.groups()
            self._same[name] = _tensor(*made), text
        elif not _NOTHING.match(line):
            raise UnknownError(line)

    def _dispatch(self, name: str, several: str | None, given: str, kernel: str, taken: str, made: str) -> None:
        if kernel not in self._kernels:
            raise UnknownError(kernel)
        operands = given.split(", ") if given else []
        reads = [self._aligned(self._pieces[one]) for one in operands]
        if [one.size for one in reads] != [one.size for one in _types(taken)]:
            raise UnknownError(given)
        number, once = len(self._commands), all(one.memory.once for one in reads)
        writes = [Piece(Memory(kind.size, number, once=once), 0, kind.size) for kind in _types(made)]
        if once:
            self._once.append(Command(reads, writes, kernel))
        else:
            self._add(Command(reads, writes, kernel))
        if len(writes) != int(several or 1):
            raise UnknownError(made)
        for index, piece in enumerate(writes):
            self._pieces[f"{name}#{index}" if several else name] = piece

    def _joined(self, operands: Sequence[str], kinds: Sequence[Tensor], dim: int, whole: Tensor) -> Piece:
        """Tensors one behind the other."""
        pieces = [self._piece(one) for one in operands]
        if [one.size for one in pieces] != [one.size for one in kinds] or prod(whole.shape[:dim]) != 1:
            raise UnknownError("tensors that are joined in another way")
        once = all(piece.memory.once for piece in pieces)
        memory = Memory(whole.size, len(self._commands), once=once)
        offset = 0
        for piece in pieces:
            part = Piece(memory, offset, piece.size)
            if self._is_own(piece) and offset % ALIGNMENT == 0:
                piece.memory.place(part)
            elif once:
                self._once.append(Command([piece], [part]))
            else:
                self._add(Command([piece], [part]))
            offset += piece.size
        if offset != whole.size:
            raise UnknownError("tensors that are no others joined")
        return Piece(memory, 0, whole.size)

    @staticmethod
    def _is_own(piece: Piece) -> bool:
        """Whether a piece is all that its memory has, which may be wherever it is needed."""
        memory = piece.memory
        is_made = memory.argument is None and not memory.once
        return is_made and memory.within is None and piece.size == memory.size

    def _aligned(self, piece: Piece) -> Piece:
        """A piece as a kernel may read it."""
        if piece.resolved().offset % ALIGNMENT == 0:
            return piece
        if not piece.memory.once:
            return self._copied(piece)
        copy = Piece(Memory(piece.size, len(self._commands), once=True), 0, piece.size)
        self._once.append(Command([piece], [copy]))
        return copy

    def _piece(self, name: str) -> Piece:
        """What is in memory, a number everywhere too."""
        return self._filled(*self._same[name]) if name in self._same else self._pieces[name]

    def _filled(self, kind: Tensor, text: str) -> Piece:
        """Memory with a number everywhere: of at most four bytes, as IREE's runtime takes them, or these repeated."""
        number = constant(text)[: SIZES[kind.element]]
        if len(number) > 4 and number != number[:4] * (len(number) // 4):
            raise UnknownError(text)
        number = number[:4]
        made = Piece(Memory(kind.size, len(self._commands)), 0, kind.size)
        self._add(Command([], [made], number=int.from_bytes(number, "little"), width=len(number)))
        return made

    def _copied(self, piece: Piece) -> Piece:
        copy = Piece(Memory(piece.size, len(self._commands)), 0, piece.size)
        self._add(Command([piece], [copy]))
        return copy

    def _add(self, command: Command) -> None:
        for piece in (*command.reads, *command.writes):
            piece.memory.used(len(self._commands))
        self._commands.append(command)

    def _give(self, piece: Piece, kind: Tensor, about: str) -> None:
        """Memory is returned where all of it is a result, and that one alone. Of a large argument IREE makes no
        copy.
        """
        if piece.size != kind.size or (piece.memory.argument is not None and piece.size > _LARGE):
            raise UnknownError("an argument that is returned")
        if not self._is_own(piece) or piece.memory.returned:
            piece = self._copied(piece)
        piece.memory.returned = True
        self._results.append(Result(piece, kind, about))

    def text(self) -> str:
        """The function as IREE prints it, behind what is done when the program is loaded."""
        made = dict.fromkeys(piece.resolved().memory for command in self._commands for piece in command.writes)
        # In the order in which they are returned: what is asked for first is first.
        given = behind_each_other([one.piece.memory for one in self._results])
        within = packed([memory for memory in made if not memory.returned])
        kept = behind_each_other(list(dict.fromkeys(one.memory for command in self._once for one in command.writes)))
        if kept > _MOST_KEPT:
            raise UnknownError("constants that are too large to be kept")
        before = FunctionText(0, 0, kept).initializer(self._name, self._once) if self._once else ""
        text = FunctionText(given, within, kept)
        return before + text.function(self._name, self._arguments, self._commands, self._results)


def _declared(pattern: re.Pattern[str], text: str) -> list[tuple[Tensor, str]]:
    """Types of tensors, one behind the other, and what is said of each."""
    declared: list[tuple[Tensor, str]] = []
    at = 0
    while at < len(text):
        found = pattern.match(text, at)
        if found is None:
            raise UnknownError(text)
        declared.append((_tensor(found[1], found[2]), found[3] or ""))
        at = found.end()
    return declared


def _sliced(piece: Piece, whole: Tensor, begins: Sequence[int], sizes: Sequence[int]) -> Piece:
    """A slice that is one piece of memory."""
    width = SIZES[whole.element]
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
    return Piece(piece.memory, piece.offset + offset, prod(sizes) * width)


def _tensor(dims: str, element: str) -> Tensor:
    shape = tuple(int(dim) for dim in dims.split("x")[:-1])
    if element not in SIZES or 0 in shape:
        raise UnknownError(element)
    return Tensor(shape, element)


def _types(text: str) -> list[Tensor]:
    """Types of tensors, one behind the other."""
    text = text[1:-1] if text.startswith("(") else text
    found = [_tensor(*one) for one in _TENSOR.findall(text)]
    if ", ".join(map(str, found)) != text:
        raise UnknownError(text)
    return found


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(", ")] if text else []
