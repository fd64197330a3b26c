"""The functions of a host program: read line by line as they are after IREE's phase `stream`, and written on the way.

Memory that a call is given, or allocates, is in the table of the commands that are recorded when the program is loaded,
as IREE has it: a call checks its arguments, allocates, and says which memory the table's numbers are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wax.backends.iree.bytecode import I32, Value
from wax.backends.iree.constant_data import data_of, unescaped
from wax.backends.iree.host_code import (
    BUFFER,
    COMMANDS,
    DEVICE,
    FENCE,
    VIEW,
    Device,
    Host,
    Row,
    convention,
    recording,
)
from wax.backends.iree.recorded_commands import Command, RecordingBody
from wax.backends.iree.stream_lines import (
    ALLOCATION,
    ARGUMENT,
    BARRIER,
    BINDING,
    CAPTURE,
    CHECK,
    COPY,
    DISPATCH,
    ELEMENT,
    ENCODING,
    EXECUTION,
    FILL,
    FREED,
    GIVEN,
    JOINED,
    LOADED,
    NAME,
    NOW,
    NUMBER,
    OPERATION,
    RETURNED,
    STORED,
    TAKEN,
    TRUTHS,
    UPLOAD,
    VIEWED,
    WAITED,
)
from wax.backends.iree.unknown import UnknownError
from wax.backends.iree.vm_module import UNWINDS, WAITS, VmFunction

__all__ = ["Called", "Function", "Initializing"]

_ELEMENTS = {
    **{f"i{width}": 0x10000000 | width for width in (8, 16, 32, 64)},
    **{f"f{width}": 0x21000000 | width for width in (16, 32, 64)},
    "i1": 0x13000008,
    "bf16": 0x22000010,
    "complex<f32>": 0x23000040,
    "complex<f64>": 0x23000080,
}
_ROW_MAJOR = 1

# Bits of IREE's. Memory that the device sees, and that is its own besides; what both may be used for, and constants.
_VISIBLE, _LOCAL, _USAGE, _CONSTANT_USAGE = 16, 48, 3075, 527363
# Of a command buffer, that it is for one call; of memory that is freed, that it need not be a queue's.
_ONCE = _ORIGIN = 1


class _Memory(NamedTuple):
    """A buffer, and of a part of it, where that begins, and how long it is."""

    buffer: Value
    offset: int = 0
    length: int | None = None


class Function:
    """A function, read line by line and written on the way."""

    def __init__(self, host: Host, device: Device, name: str, arguments: Sequence[str] = ()) -> None:
        self.name = name
        self.on_device = False
        self._host, self._device = host, device
        self._body = RecordingBody(host, device, arguments)
        self._recordings: dict[str, RecordingBody] = {}
        self._uses: Counter[str] = Counter()
        self._numbers: dict[str, int] = {}
        self._types: dict[str, int] = {}
        self._memory: dict[str, _Memory] = {}
        self._constants: dict[str, str] = {}  # and the globals that hold them
        self._fences: dict[str, Value] = {}
        self._views: dict[str, Value] = {}
        self._allocator: Value | None = None

    def _read(self, lines: Sequence[str]) -> None:
        self._uses.update(name for line in lines for name in NAME.findall(line))
        rest = iter(lines)
        for line in rest:
            found = OPERATION.match(line)
            if found is None or found[1] not in _READERS:
                raise UnknownError(line)
            pattern, read = _READERS[found[1]]
            getattr(self, read)(_matched(pattern, line), rest)

    @property
    def recordings(self) -> Sequence[str]:
        """The functions that record its commands when the program is loaded."""
        return list(self._recordings)

    @property
    def bodies(self) -> Sequence[RecordingBody]:
        """All that may call kernels."""
        return [self._body, *self._recordings.values()]

    @property
    def waits(self) -> bool:
        """Whether it may wait."""
        return self._body.waits

    def recorded(self) -> Iterator[VmFunction]:
        """The functions that record its commands."""
        return (recording(name, body) for name, body in self._recordings.items())

    def written(self) -> VmFunction:
        """The function as it is in a module."""
        raise NotImplementedError

    def _on(self) -> tuple[Value, Value]:
        """The device, and which of its queues."""
        self.on_device = True
        return self._body.device(), self._body.i64(-1)

    def _fence(self, point: str) -> Value:
        """What tells that something is done, if anything waits for it."""
        if self._uses[point] < 2:
            fence = self._body.no_fence()
        else:
            fence = self._body.call("hal.fence.create", self._on()[0], self._body.i64(0))
        self._fences[point] = fence
        return fence

    def _behind(self, point: str | None) -> Value:
        return self._body.no_fence() if point is None else self._fences[point]

    def _whole(self, name: str) -> Value:
        """A buffer that something is done to."""
        memory = self._memory[name]
        if memory.length is None:
            return memory.buffer
        offset, length = self._body.i64(memory.offset), self._body.i64(memory.length)
        return self._body.call("hal.buffer.subspan", memory.buffer, offset, length)

    def _number(self, found: _Found, _: Iterator[str]) -> None:
        name, text = found
        if name and text:  # else a number that is none of a program's list
            self._numbers[name] = TRUTHS[text] if text.isalpha() else int(text)

    def _element(self, found: _Found, _: Iterator[str]) -> None:
        self._types[found[0]] = _ELEMENTS[found[1]]

    def _encoding(self, found: _Found, _: Iterator[str]) -> None:
        self._types[found[0]] = _ROW_MAJOR

    def _check(self, found: _Found, _: Iterator[str]) -> None:
        argument, message, shape, element, encoding = found
        body = self._body
        dims = [body.i64(self._numbers[name]) for name in NAME.findall(shape)]
        kind = (body.i32(self._types[element]), body.i32(self._types[encoding]))
        body.run("hal.buffer_view.assert", self._views[argument], body.string(unescaped(message)), *kind, dims)

    def _take(self, found: _Found, _: Iterator[str]) -> None:
        name, _consumed, argument, size = found
        body = self._body
        buffer = body.call("hal.buffer_view.buffer", self._views[argument])
        if self._allocator is None:
            self._allocator = body.call("hal.device.allocator", self._on()[0])
        length, uses = body.i64(self._numbers[size]), (body.i32(_VISIBLE), body.i32(_USAGE))
        body.run("hal.buffer.assert", buffer, body.string("tensor"), self._allocator, length, *uses)
        self._memory[name] = _Memory(buffer)

    def _allocate(self, found: _Found, _: Iterator[str]) -> None:
        name, point, before, lifetime, size = found
        body = self._body
        behind, none = self._behind(before), body.i64(0)
        usage = _CONSTANT_USAGE if lifetime == "constant" else _USAGE
        made = (body.i32(_LOCAL), body.i32(usage), body.i64(self._numbers[size]))
        fence = self._fence(point)
        buffer = body.call("hal.device.queue.alloca", *self._on(), behind, fence, none, *made, none)
        self._memory[name] = _Memory(buffer)

    def _free(self, found: _Found, _: Iterator[str]) -> None:
        point, origin, before, name, _size = found
        memory = self._memory[name]
        if memory.length is not None or name in self._constants:
            raise UnknownError(name)
        behind, fence = self._behind(before), self._fence(point)
        flags = self._body.i64(_ORIGIN if origin else 0)
        self._body.run("hal.device.queue.dealloca", *self._on(), behind, fence, memory.buffer, flags)

    def _load(self, found: _Found, _: Iterator[str]) -> None:
        self._memory[found[0]] = _Memory(self._body.loaded(found[1], BUFFER))
        self._constants[found[0]] = found[1]
        self.on_device = True

    def _now(self, found: _Found, _: Iterator[str]) -> None:
        self._fences[found[0]] = self._body.no_fence()

    def _join(self, found: _Found, _: Iterator[str]) -> None:
        fences = [self._fences[name] for name in NAME.findall(found[1])]
        self._fences[found[0]] = self._body.call("hal.fence.join", self._body.i64(0), fences)

    def _execute(self, found: _Found, rest: Iterator[str]) -> None:
        point, once, before, captured = found
        captures: list[tuple[str, str, str]] = CAPTURE.findall(captured)
        commands = self._commands(rest)
        body, device, none = self._body, self._on(), self._body.i64(0)
        behind = self._behind(before)
        if len(commands) == 2 and commands[0].kind in ("copy", "fill"):
            self._transfer(commands[0], {inner: outer for outer, inner, _ in captures}, behind, point)
            return
        if once:
            if before is None:
                raise UnknownError("commands that wait for nothing")
            memory = {inner: (body.i32(0), self._whole(outer)) for outer, inner, _ in captures}
            made = body.record(commands, memory, 0, _ONCE)
            body.run("hal.device.queue.execute", *device, behind, self._fence(point), made, none)
            return
        name = f"record_{self.name}_{len(self._recordings)}"
        recorded = self._recordings[name] = RecordingBody(self._host, self._device)
        bound: dict[str, tuple[Value, Value]] = {}
        table: list[Row] = []
        for outer, inner, size in captures:
            if outer in self._constants:
                bound[inner] = recorded.i32(0), recorded.loaded(self._constants[outer], BUFFER)
            else:
                bound[inner] = recorded.i32(len(table)), recorded.null(BUFFER)
                table.append((self._whole(outer), none, body.i64(self._numbers[size])))
        if not table:
            raise UnknownError("commands that are recorded for each call")
        recorded.give([recorded.record(commands, bound, len(table), 0)])
        kept = body.loaded(f"commands_{name}", COMMANDS)
        body.run("hal.device.queue.execute.indirect", *device, behind, self._fence(point), kept, none, table)

    def _transfer(self, command: Command, captured: Mapping[str, str], behind: Value, point: str) -> None:
        """A copy or a fill alone, for which IREE's queues have functions."""
        body = self._body
        memory = [self._whole(captured[name]) for name, _, _ in command.pieces]
        offsets = [body.i64(offset) for _, offset, _ in command.pieces]
        length = body.i64(command.pieces[0][2])
        device, fence = self._on(), self._fence(point)
        given = [one for pair in zip(memory, offsets, strict=True) for one in pair]
        more = [length]
        if command.kind == "fill":
            more += [body.i64(command.numbers[0]), body.i32(command.numbers[1])]
        body.run(f"hal.device.queue.{command.kind}", *device, behind, fence, *given, *more, body.i64(0))

    def _commands(self, rest: Iterator[str]) -> list[Command]:
        """The commands of a part, up to its end, each but such that run side by side before a barrier."""
        commands: list[Command] = []
        side_by_side = [False]
        for line in rest:
            if line == "} => !stream.timepoint":
                return commands
            if line in ("stream.cmd.concurrent {", "stream.cmd.serial {"):
                side_by_side.append("concurrent" in line)
                continue
            if line == "}":
                side_by_side.pop()
            else:
                commands.append(self._command(line, rest))
            if not side_by_side[-1] and commands[-1].kind != "barrier":
                commands.append(Command("barrier"))
        raise UnknownError("a part without an end")

    def _command(self, line: str, rest: Iterator[str]) -> Command:
        numbers = self._numbers
        if found := COPY.match(line):
            source, at, target, to, length = found.groups()[:5]
            size = numbers[length]
            return Command("copy", ((source, numbers[at], size), (target, numbers[to], size)))
        if found := FILL.match(line):
            value, target, to, length, width = found.groups()[:5]
            pattern = numbers[value] if width == "64" else numbers[value] % (1 << int(width))
            return Command("fill", ((target, numbers[to], numbers[length]),), (pattern, int(width) // 8))
        function, operands, _ = _matched(DISPATCH, line)
        pieces: list[tuple[str, int, int]] = []
        for binding in rest:
            if binding == "}":
                given = tuple(numbers[name] for name in NAME.findall(operands or ""))
                return Command("dispatch", tuple(pieces), given, function)
            _access, name, offset, length, _ = _matched(BINDING, binding)
            pieces.append((name, numbers[offset], numbers[length]))
        raise UnknownError("a dispatch without an end")

    def _wait(self, found: _Found, _: Iterator[str]) -> None:
        name, point, resources, _types = found
        self._body.wait(self._fences[point])
        names = NAME.findall(resources)
        for index, one in enumerate(names):
            self._same(name if len(names) == 1 else f"{name}#{index}", one)

    def _same(self, name: str, other: str) -> None:
        # Of another name, IREE takes what a global holds for memory like any other: it is in a call's table.
        self._memory[name] = self._memory[other]

    def _stay(self, found: _Found, _: Iterator[str]) -> None:
        name, other, kind = found
        if kind.startswith("!stream.resource<"):
            self._same(name, other)
        elif self._uses[name] > 1:
            raise UnknownError(name)

    def _view(self, found: _Found, _: Iterator[str]) -> None:
        name, other, offset, _size, length = found
        whole = self._memory[other]
        self._memory[name] = _Memory(whole.buffer, whole.offset + self._numbers[offset], self._numbers[length])

    def _give(self, found: _Found, _: Iterator[str]) -> None:
        name, resource, shape, element, size = found
        body = self._body
        memory = self._memory[resource]
        dims = [body.i64(int(dim)) for dim in shape.split("x")[:-1]]
        where = (memory.buffer, body.i64(memory.offset), body.i64(self._numbers[size]))
        kind = (body.i32(_ELEMENTS[element]), body.i32(_ROW_MAJOR))
        self._views[name] = body.call("hal.buffer_view.create", *where, *kind, dims)

    def _store(self, found: _Found, _: Iterator[str]) -> None:
        raise UnknownError(found[1])

    def _return(self, found: _Found, _: Iterator[str]) -> None:
        self._body.give([self._views[name] for name in NAME.findall(found[0] or "")])


class Called(Function):
    """A function that is called from outside."""

    def __init__(self, host: Host, device: Device, header: re.Match[str], text: str) -> None:
        name, parameters, results, reflection = header.groups()
        arguments: list[str] = ARGUMENT.findall(parameters)
        super().__init__(host, device, name, [VIEW] * len(arguments))
        self._results = (results or "").count("!hal.buffer_view")
        self._reflection = _strings(reflection)
        self._views = dict(zip(arguments, self._body.arguments, strict=True))
        self._read([line.strip() for line in text.splitlines()])

    def written(self) -> VmFunction:
        body = self._body
        takes = convention("r" * len(body.arguments), [VIEW] * self._results)
        needs = (UNWINDS if self.on_device else 0) | (WAITS if self.waits else 0)
        return VmFunction(self.name, takes, body, needs, self._reflection, exported=True)


class Initializing(Function):
    """What is done when the program is loaded, to fill memory that lives as long as the program."""

    def __init__(self, host: Host, device: Device, name: str, text: str) -> None:
        super().__init__(host, device, name, [DEVICE])
        self.stored: list[str] = []
        lines: list[str] = []
        for line in map(str.strip, text.splitlines()):
            if line.startswith("%") and " = arith.constant " in line:
                self._number(_matched(NUMBER, line), iter(()))
            else:
                lines.append(f"{line}\n")
        body = "".join(lines)
        if found := UPLOAD.match(body):
            self._upload(found)
            body = body[found.end() :]
        self._read(body.splitlines())

    def _upload(self, found: re.Match[str]) -> None:
        """The device's memory is the program's own bytes where it can use these, and is filled with them where not."""
        if self._numbers[found["zero"]] or self._numbers[found["none"]]:
            raise UnknownError("data that begins elsewhere")
        body, (device, queue) = self._body, self._on()
        none, length = body.i64(0), body.i64(self._numbers[found["size"]])
        about = (queue, body.i32(_LOCAL), body.i32(_CONSTANT_USAGE))
        data = body.bytes(self._host.data(data_of(found["data"])))
        allocator = body.call("hal.device.allocator", device)
        mapped = body.call("hal.allocator.import", allocator, body.i32(1), *about, data, none, length)
        body.branch_if(body.calculated("cmp.nz.ref", I32, mapped), "there", "copy", (body.no_fence(), mapped))
        body.block("copy")
        fresh = body.call("hal.allocator.allocate", allocator, *about, length)
        file = body.call("hal.ex.file.from_memory", device, queue, body.i32(1), data, none, length, body.i32(0))
        fence = body.call("hal.fence.create", device, none)
        read = (device, queue, body.no_fence(), fence, file, none, fresh, none, length, none)
        body.run("hal.device.queue.read", *read)
        body.branch("there", fence, fresh)
        self._fences[found["point"]], memory = body.block("there", FENCE, BUFFER)
        self._memory[found["memory"]] = _Memory(memory)

    def _store(self, found: _Found, _: Iterator[str]) -> None:
        name, target = found
        self._body.store(self._whole(name), target)
        self.stored.append(target)

    def written(self) -> VmFunction:
        needs = UNWINDS | (WAITS if self.waits else 0)
        return VmFunction(self.name, convention("r", ()), self._body, needs)


_STRING = r'"((?:[^"\\]|\\.)*)"'
_ATTRIBUTE = rf"(?:([\w$.]+)|{_STRING}) = {_STRING}(?:, (?=.)|$)"


def _strings(reflection: str) -> dict[str, str]:
    """What is said of a function, by name. It is all strings."""
    text = reflection.removeprefix("iree.reflection = {").removesuffix("}")
    pattern = re.compile(_ATTRIBUTE)
    said: dict[str, str] = {}
    at = 0
    while at < len(text):
        found = pattern.match(text, at)
        if found is None:
            raise UnknownError(text)
        said[unescaped(found[1] or found[2])] = unescaped(found[3])
        at = found.end()
    return said


def _matched(pattern: re.Pattern[str], line: str) -> _Found:
    found = pattern.match(line)
    if found is None:
        raise UnknownError(line)
    return found.groups()


#: What is found in a line. A group that is not there is `None`.
_Found = tuple[Any, ...]

_READERS: dict[str, tuple[re.Pattern[str], str]] = {
    "arith.constant": (NUMBER, "_number"),
    "hal.element_type": (ELEMENT, "_element"),
    "hal.encoding_type": (ENCODING, "_encoding"),
    "hal.buffer_view.assert": (CHECK, "_check"),
    "stream.tensor.import": (TAKEN, "_take"),
    "stream.resource.alloca": (ALLOCATION, "_allocate"),
    "stream.resource.dealloca": (FREED, "_free"),
    "util.global.load": (LOADED, "_load"),
    "stream.timepoint.immediate": (NOW, "_now"),
    "stream.timepoint.join": (JOINED, "_join"),
    "stream.cmd.execute": (EXECUTION, "_execute"),
    "stream.timepoint.await": (WAITED, "_wait"),
    "stream.resource.subview": (VIEWED, "_view"),
    "stream.tensor.export": (GIVEN, "_give"),
    "util.optimization_barrier": (BARRIER, "_stay"),
    "util.global.store": (STORED, "_store"),
    "util.return": (RETURNED, "_return"),
}
