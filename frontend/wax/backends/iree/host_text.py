"""Host programs as text of IREE's dialect `vm`: what they import, and the parts that all have.

As IREE 3.13 prints its own after its phase `vm`, but for names. Nothing here knows what a program does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = [
    "BUFFER",
    "COMMANDS",
    "DEVICE",
    "EXECUTABLE",
    "FENCE",
    "VIEW",
    "Body",
    "Device",
    "Executable",
    "Host",
    "Initializer",
    "module",
    "recording",
]

BUFFER, _BYTES = "!vm.ref<!hal.buffer>", "!vm.buffer"
VIEW = "!vm.ref<!hal.buffer_view>"
COMMANDS, DEVICE = "!vm.ref<!hal.command_buffer>", "!vm.ref<!hal.device>"
FENCE, EXECUTABLE = "!vm.ref<!hal.fence>", "!vm.ref<!hal.executable>"
_QUEUE = f"%device : {DEVICE}, %queue_affinity : i64, %wait_fence : {FENCE}, %signal_fence : {FENCE}"

# What IREE's runtime has of which the programs here use any.
_IMPORTS = f"""
@hal.allocator.allocate(%allocator : !vm.ref<!hal.allocator>, %queue_affinity : i64, %memory_types : i32, \
%buffer_usage : i32, %allocation_size : i64) -> {BUFFER}
@hal.allocator.import(%allocator : !vm.ref<!hal.allocator>, %try : i32, %queue_affinity : i64, %memory_types : i32, \
%buffer_usage : i32, %source : {_BYTES}, %offset : i64, %length : i64) -> {BUFFER}
@hal.buffer.assert(%buffer : {BUFFER}, %message : {_BYTES}, %allocator : !vm.ref<!hal.allocator>, \
%minimum_length : i64, %memory_types : i32, %buffer_usage : i32)
@hal.buffer.subspan(%source_buffer : {BUFFER}, %source_offset : i64, %length : i64) -> {BUFFER} \
attributes {{nosideeffects}}
@hal.buffer_view.create(%buffer : {BUFFER}, %source_offset : i64, %source_length : i64, %element_type : i32, \
%encoding_type : i32, %shape : i64 ...) -> {VIEW} attributes {{nosideeffects}}
@hal.buffer_view.assert(%buffer_view : {VIEW}, %message : {_BYTES}, %element_type : i32, \
%encoding_type : i32, %shape : i64 ...)
@hal.buffer_view.buffer(%buffer_view : {VIEW}) -> {BUFFER} attributes {{nosideeffects}}
@hal.command_buffer.create(%device : {DEVICE}, %modes : i32, %command_categories : i32, %queue_affinity : i64, \
%binding_capacity : i32) -> {COMMANDS} attributes {{minimum_version = 6 : i32}}
@hal.command_buffer.finalize(%command_buffer : {COMMANDS})
@hal.command_buffer.execution_barrier(%command_buffer : {COMMANDS}, %source_stage_mask : i32, \
%target_stage_mask : i32, %flags : i64)
@hal.command_buffer.fill_buffer(%command_buffer : {COMMANDS}, %target_buffer : {BUFFER}, %target_offset : i64, \
%length : i64, %target_buffer_slot : i32, %pattern : i64, %pattern_length : i32, %flags : i64)
@hal.command_buffer.copy_buffer(%command_buffer : {COMMANDS}, %source_buffer_slot : i32, \
%target_buffer_slot : i32, %source_buffer : {BUFFER}, %source_offset : i64, %target_buffer : {BUFFER}, \
%target_offset : i64, %length : i64, %flags : i64)
@hal.command_buffer.dispatch(%command_buffer : {COMMANDS}, %executable : {EXECUTABLE}, %function_id : i64, \
%workgroup_x : i32, %workgroup_y : i32, %workgroup_z : i32, %flags : i64, %constants : i32 ..., \
%bindings : tuple<i32, i32, {BUFFER}, i64, i64> ...) attributes {{minimum_version = 7 : i32}}
@hal.device.allocator(%device : {DEVICE}) -> !vm.ref<!hal.allocator> attributes {{nosideeffects}}
@hal.device.query.i64(%device : {DEVICE}, %category : {_BYTES}, %key : {_BYTES}) -> (i32, i64) \
attributes {{nosideeffects}}
@hal.device.queue.alloca({_QUEUE}, %pool : i64, %memory_types : i32, %buffer_usage : i32, %allocation_size : i64, \
%flags : i64) -> {BUFFER}
@hal.device.queue.dealloca({_QUEUE}, %buffer : {BUFFER}, %flags : i64)
@hal.device.queue.fill({_QUEUE}, %target_buffer : {BUFFER}, %target_offset : i64, %length : i64, %pattern : i64, \
%pattern_length : i32, %flags : i64)
@hal.device.queue.copy({_QUEUE}, %source_buffer : {BUFFER}, %source_offset : i64, %target_buffer : {BUFFER}, \
%target_offset : i64, %length : i64, %flags : i64)
@hal.device.queue.read({_QUEUE}, %source_file : !vm.ref<!hal.file>, %source_offset : i64, \
%target_buffer : {BUFFER}, %target_offset : i64, %length : i64, %flags : i64)
@hal.device.queue.execute({_QUEUE}, %command_buffer : {COMMANDS}, %flags : i64)
@hal.device.queue.execute.indirect({_QUEUE}, %command_buffer : {COMMANDS}, %flags : i64, \
%binding_table : tuple<{BUFFER}, i64, i64> ...)
@hal.devices.count() -> i32 attributes {{nosideeffects}}
@hal.devices.get(%index : i32) -> {DEVICE} attributes {{nosideeffects}}
@hal.ex.file.from_memory(%device : {DEVICE}, %queue_affinity : i64, %access : i32, %buffer : {_BYTES}, \
%offset : i64, %length : i64, %flags : i32) -> !vm.ref<!hal.file>
@hal.executable.create(%device : {DEVICE}, %queue_affinity : i64, %executable_format : {_BYTES}, \
%executable_data : {_BYTES}, %constants : {_BYTES}) -> {EXECUTABLE} attributes {{nosideeffects}}
@hal.executable.lookup.function(%executable : {EXECUTABLE}, %function_name : {_BYTES}) -> i64 \
attributes {{nosideeffects, minimum_version = 7 : i32}}
@hal.fence.create(%device : {DEVICE}, %flags : i64) -> {FENCE}
@hal.fence.join(%flags : i64, %fences : {FENCE} ...) -> {FENCE} attributes {{nosideeffects}}
@hal.fence.await(%timeout_millis : i32, %flags : i64, %fences : {FENCE} ...) -> i32 attributes {{vm.yield}}
"""
_IMPORT = re.compile(r"^@([\w.]+)\((.*?)\)(?: -> (\(.*?\)|[^ \n]+))?(?: attributes \{(.*)\})?$", re.M)
_PARAMETER = re.compile(r"%\w+ : ((?:tuple<.*?> |[^,]+?)(?:\.\.\.)?)(?:, (?=%)|$)")


class _Import(NamedTuple):
    """A function of the runtime's: the line that imports it, the types as a call has them, and what else it has."""

    line: str
    types: str
    result: str | None
    variadic: bool
    suffix: str


def _imports() -> dict[str, _Import]:
    found = {}
    for line in _IMPORT.finditer(_IMPORTS):
        name, parameters, result, attributes = line.groups()
        types = ", ".join(_PARAMETER.findall(parameters))
        pure = " {nosideeffects}" if "nosideeffects" in (attributes or "") else ""
        found[name] = _Import(f"    vm.import private {line[0]}\n", types, result, "..." in types, pure)
    return found


_KNOWN = _imports()


class Device(NamedTuple):
    """A device that a program is for: its global's name, what it is to be, and formats of executables that it takes."""

    name: str
    target: str
    format: str


class Executable(NamedTuple):
    """Machine code: the attribute with its bytes, and how many workgroups each of its functions has."""

    name: str
    format: str
    mime_type: str
    data: str
    counts: dict[str, tuple[int, int, int]]


class Initializer(NamedTuple):
    """A function that is called once with the device, by name, and whether it may wait."""

    name: str
    waits: bool


class Host:
    """The module's part that all its functions share: what they import, and their strings."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self._strings: dict[str, str] = {}
        self._data: list[str] = []

    def string(self, text: str) -> str:
        """The symbol of a string, which is written as MLIR writes it."""
        return self._strings.setdefault(text, f"@string_{len(self._strings)}")

    def data(self, attribute: str) -> str:
        """The symbol of bytes that are given to a device as they are."""
        self._data.append(attribute)
        return f"@data_{len(self._data) - 1}"

    def head(self) -> Iterable[str]:
        """What stands before the functions."""
        for number, attribute in enumerate(self._data):
            yield f"    vm.rodata private @data_{number} <alignment = 64> {attribute}\n"
        yield from (f'    vm.rodata private {at} <alignment = 1> "{text}"\n' for text, at in self._strings.items())
        yield from (known.line for name, known in _KNOWN.items() if name in self.used)


class Body:
    """A function's body, line by line. Numbers, and what globals hold, stand before the first."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._first: dict[str, str] = {}
        self._lines: list[str] = []
        self._made = self._blocks = 0

    def number(self, value: int, width: int) -> str:
        """The name of a number of 32 or 64 bits."""
        name = f"%c{value}_{width}"
        if name not in self._first:
            made = ".zero" if not value else f" {value}"
            self._first[name] = f"vm.const.i{width}{made}"
        return name

    def i32(self, value: int) -> str:
        """The name of a number of 32 bits."""
        return self.number(value, 32)

    def i64(self, value: int) -> str:
        """The name of a number of 64 bits."""
        return self.number(value, 64)

    def null(self, kind: str = FENCE) -> str:
        """The name of a reference to nothing."""
        name = f"%null_{re.sub(r'[^a-z]', '_', kind)}"
        self._first[name] = f"vm.const.ref.zero : {kind}"
        return name

    def define(self, name: str, made: str) -> None:
        """Gives a name that lines have already."""
        self._first[name] = made

    def loaded(self, name: str, kind: str = BUFFER) -> str:
        """The name of what a global holds."""
        self._first[f"%{name}"] = f"vm.global.load.ref @{name} : {kind}"
        return f"%{name}"

    def string(self, text: str) -> str:
        """The name of a string."""
        return self.rodata(self._host.string(text))

    def rodata(self, symbol: str) -> str:
        """The name of bytes."""
        name = self.new()
        self.line(f"{name} = vm.const.ref.rodata {symbol} : {_BYTES}")
        return name

    def new(self) -> str:
        """A name that nothing has."""
        self._made += 1
        return f"%v{self._made}"

    def line(self, text: str) -> None:
        """The next line."""
        self._lines.append(f"      {text}\n")

    def block(self, label: str) -> None:
        """The next block."""
        self._lines.append(f"    {label}:\n")

    def call(self, name: str, *arguments: str | Sequence[str]) -> str:
        """A call of the runtime's, and the name of its result. What it takes any number of is a list."""
        known = _KNOWN[name]
        self._host.used.add(name)
        given = ", ".join(one if isinstance(one, str) else f"[{', '.join(one)}]" for one in arguments)
        result = self.new()
        several = known.result is not None and known.result.startswith("(")
        made = "" if known.result is None else f"{result}{':2' if several else ''} = "
        variadic = ".variadic" if known.variadic else ""
        returned = "" if known.variadic and known.result is None else f" -> {known.result or '()'}"
        self.line(f"{made}vm.call{variadic} @{name}({given}){known.suffix} : ({known.types}){returned}")
        return result

    def wait(self, fence: str) -> None:
        """Waits for a fence, and fails where what it waits for has failed."""
        self._host.used.add("hal.fence.await")
        self._blocks += 1
        done, good, bad, status = (f"^{word}{self._blocks}" for word in ("done", "good", "bad", "status"))
        status = f"%{status[1:]}"
        self.line(
            f"vm.call.variadic.yieldable @hal.fence.await({self.i32(-1)}, {self.i64(0)}, {fence}) "
            f"<segment_sizes = dense<[-1, -1, 1]> : vector<3xi16>, segment_types = [i32, i64, {FENCE}]> : "
            f"(i32, i64, {FENCE}) -> {done} (i32)"
        )
        self.block(f"{done}({status}: i32)")
        self.line(f"vm.cond_br {status}, {bad}, {good}")
        self.block(bad)
        self.line(f'vm.fail {status}, "failed to wait on timepoint"')
        self.block(good)

    @property
    def waits(self) -> bool:
        """Whether it may wait."""
        return self._blocks > 0

    def text(self) -> str:
        """All of it."""
        return "".join((*(f"      {name} = {made}\n" for name, made in self._first.items()), *self._lines))


def module(
    host: Host,
    device: Device | None,
    executables: Sequence[Executable],
    memory: Sequence[str],
    initializers: Sequence[Initializer],
    recordings: Sequence[str],
    functions: Iterable[str],
) -> str:
    """A whole module. When the program is loaded, the `initializers` fill the globals that hold `memory`, and each of
    the `recordings` makes a command buffer.
    """
    lines = ["module attributes {vm.toplevel} {\n  vm.module public @module {\n"]
    last = "" if device is None else _initialization(host, device, executables, initializers, recordings)
    if device is not None:
        kinds = [(device.name, DEVICE)]
        kinds += [(f"executable_{number}", EXECUTABLE) for number in range(len(executables))]
        kinds += [(name, BUFFER) for name in memory] + [(f"commands_{name}", COMMANDS) for name in recordings]
        lines += (f"    vm.global.ref private mutable @{name} : {kind}\n" for name, kind in kinds)
        for one in executables:
            what = f'<alignment = 16, mime_type = "{one.mime_type}">'
            lines.append(f"    vm.rodata private @{_file(one)} {what} {one.data}\n")
    return "".join((*lines, *host.head(), *functions, last, "  }\n}\n"))


def recording(name: str, body: Body) -> str:
    """A function that makes a command buffer."""
    attributes = "{vm.unwind, inlining_policy = #util.inline.never}"
    return f"    vm.func private @{name}() -> {COMMANDS} attributes {attributes} {{\n{body.text()}    }}\n"


def _file(executable: Executable) -> str:
    """The name, without its ending, of a file of machine code in the archive that is made."""
    return f"{executable.name}_{re.sub(r'[^0-9A-Za-z]', '_', executable.format)}"


def _initialization(
    host: Host,
    device: Device,
    executables: Sequence[Executable],
    initializers: Sequence[Initializer],
    recordings: Sequence[str],
) -> str:
    """What is done once, when the program is loaded: a device is chosen, code and data are given to it, and command
    buffers are recorded.
    """
    body = Body(host)
    one, none, nothing = body.i32(1), body.i64(0), body.null(DEVICE)

    def has(device: str, category: str, key: str) -> str:
        asked = body.call("hal.device.query.i64", device, body.string(category), body.string(key))
        said, yes = body.new(), body.new()
        body.line(f"{said} = vm.cmp.nz.i64 {asked}#1 : i64")
        body.line(f"{yes} = vm.select.i32 {asked}#0, {said}, {body.i32(0)} : i32")
        return yes

    def fail(code: int, message: str) -> None:
        body.line(f'vm.fail {body.i32(code)}, "{message}"')

    count = body.call("hal.devices.count")
    body.line(f"%count = vm.ext.i32.i64.s {count} : i32 -> i64")
    body.line(f"vm.br ^next({none}, {nothing} : i64, {DEVICE})")
    body.block(f"^next(%at: i64, %chosen: {DEVICE})")
    body.line(f"%found = vm.cmp.nz.ref %chosen : {DEVICE}")
    body.line(f"%missing = vm.xor.i32 %found, {one} : i32")
    body.line("%more = vm.cmp.lt.i64.s %at, %count : i64")
    body.line("%on = vm.and.i32 %missing, %more : i32")
    body.line("vm.cond_br %on, ^try, ^tried")
    body.block("^try")
    body.line(f"vm.discard.refs %chosen : {DEVICE}")
    body.line("%number = vm.trunc.i64.i32 %at : i64 -> i32")
    tried = body.call("hal.devices.get", "%number")
    local = has(tried, "hal.device.id", "local*")
    body.line(f"vm.cond_br {local}, ^local, ^known({body.i32(0)} : i32)")
    body.block("^local")
    runs = has(tried, "hal.executable.format", device.format)
    body.line(f"vm.br ^known({runs} : i32)")
    body.block("^known(%fits: i32)")
    body.line(f"%taken = vm.select.ref %fits, {tried}, {nothing} : {DEVICE}")
    body.line(f"%following = vm.add.i64 %at, {body.i64(1)} : i64")
    body.line(f"vm.br ^next(%following, %taken : i64, {DEVICE})")
    body.block("^tried")
    body.line("vm.cond_br %missing, ^none, ^some")
    body.block("^none")
    target = device.target.replace("\\", "\\\\").replace('"', "\\22")
    fail(18, f"HAL device `{device.name}` not found or unavailable: {target}")
    body.block("^some")
    body.line(f"vm.global.store.ref %chosen, @{device.name} : {DEVICE}")
    if executables:
        runs = has("%chosen", "hal.executable.format", executables[0].format)
        body.line(f"vm.cond_br {runs}, ^runs, ^other")
        body.block("^other")
        fail(
            14,
            f"HAL device `{device.name}` does not support any variant of executable `{executables[0].name}`; "
            f"available formats: [{executables[0].format}]",
        )
        body.block("^runs")
    for number, executable in enumerate(executables):
        format_, code = body.string(executable.format), body.rodata(f"@{_file(executable)}")
        made = body.call("hal.executable.create", "%chosen", body.i64(-1), format_, code, body.null(_BYTES))
        body.line(f"vm.global.store.ref {made}, @executable_{number} : {EXECUTABLE}")
    for name, waits in initializers:
        if waits:
            body.line(f"vm.call.yieldable @{name}(%chosen) : ({DEVICE}) -> ^behind_{name} ()")
            body.block(f"^behind_{name}")
        else:
            body.line(f"vm.call @{name}(%chosen) : ({DEVICE}) -> ()")
    for name in recordings:
        made = body.new()
        body.line(f"{made} = vm.call @{name}() : () -> {COMMANDS}")
        body.line(f"vm.global.store.ref {made}, @commands_{name} : {COMMANDS}")
    body.line("vm.return")
    yields = ", vm.yield" if any(one.waits for one in initializers) else ""
    head = f"@__init() attributes {{vm.unwind{yields}}}"
    return f"    vm.export @__init\n    vm.func private {head} {{\n{body.text()}    }}\n"
