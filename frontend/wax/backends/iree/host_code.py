"""What all host programs are made of: what they import, memory that lives as long as they, and how they begin.

As IREE 3.13 has it in its own. Nothing here knows what a program does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wax.backends.iree.bytecode import I32, I64, Code, Value
from wax.backends.iree.linker import Executable
from wax.backends.iree.vm_module import UNWINDS, WAITS, Import, Module, Rodata, VmFunction

__all__ = [
    "BUFFER",
    "COMMANDS",
    "DEVICE",
    "EXECUTABLE",
    "FENCE",
    "VIEW",
    "Body",
    "Device",
    "Host",
    "Initializer",
    "Row",
    "convention",
    "module",
    "recording",
]

BUFFER, VIEW, _BYTES = "!hal.buffer", "!hal.buffer_view", "!vm.buffer"
COMMANDS, DEVICE, EXECUTABLE, FENCE = "!hal.command_buffer", "!hal.device", "!hal.executable", "!hal.fence"
_ALLOCATOR, _FILE = "!hal.allocator", "!hal.file"

#: Some values that stand together in a list of such.
Row = tuple[Value, ...]


class _Known(NamedTuple):
    """A function of the runtime's: what it takes, as IREE says it, what it returns, and the least version that has it.

    A letter is a number of 32 or 64 bits or a reference, `i`, `I` and `r`; between `C` and `D` it takes any number.
    """

    takes: str
    gives: Sequence[str] = ()
    version: int = 0


# What IREE's runtime has of which the programs here use any, in the order in which they import it.
_KNOWN = {
    "hal.allocator.allocate": _Known("rIiiI", (BUFFER,)),
    "hal.allocator.import": _Known("riIiirII", (BUFFER,)),
    "hal.buffer.assert": _Known("rrrIii"),
    "hal.buffer.subspan": _Known("rII", (BUFFER,)),
    "hal.buffer_view.create": _Known("rIIiiCID", (VIEW,)),
    "hal.buffer_view.assert": _Known("rriiCID"),
    "hal.buffer_view.buffer": _Known("r", (BUFFER,)),
    "hal.command_buffer.create": _Known("riiIi", (COMMANDS,), 6),
    "hal.command_buffer.finalize": _Known("r"),
    "hal.command_buffer.execution_barrier": _Known("riiI"),
    "hal.command_buffer.fill_buffer": _Known("rrIIiIiI"),
    "hal.command_buffer.copy_buffer": _Known("riirIrIII"),
    "hal.command_buffer.dispatch": _Known("rrIiiiICiDCiirIID", (), 7),
    "hal.device.allocator": _Known("r", (_ALLOCATOR,)),
    "hal.device.query.i64": _Known("rrr", (I32, I64)),
    "hal.device.queue.alloca": _Known("rIrrIiiII", (BUFFER,)),
    "hal.device.queue.dealloca": _Known("rIrrrI"),
    "hal.device.queue.fill": _Known("rIrrrIIIiI"),
    "hal.device.queue.copy": _Known("rIrrrIrIII"),
    "hal.device.queue.read": _Known("rIrrrIrIII"),
    "hal.device.queue.execute": _Known("rIrrrI"),
    "hal.device.queue.execute.indirect": _Known("rIrrrICrIID"),
    "hal.devices.count": _Known("", (I32,)),
    "hal.devices.get": _Known("i", (DEVICE,)),
    "hal.ex.file.from_memory": _Known("rIirIIi", (_FILE,)),
    "hal.executable.create": _Known("rIrrr", (EXECUTABLE,)),
    "hal.executable.lookup.function": _Known("rr", (I64,), 7),
    "hal.fence.create": _Known("rI", (FENCE,)),
    "hal.fence.join": _Known("ICrD", (FENCE,)),
    "hal.fence.await": _Known("iICrD", (I32,)),
}
_ENDINGS = {
    "application/x-flatbuffers": ".fb",
    "application/x-elf": ".so",
    "application/x-msdownload": ".dll",
    "application/x-dylib": ".dylib",
    "application/wasm": ".wasm",
    "application/json": ".json",
    "application/x-yaml": ".yaml",
    "text/plain": ".txt",
}


class Device(NamedTuple):
    """A device that a program is for: its global's name, what it is to be, and formats of executables that it takes."""

    name: str
    target: str
    format: str


class Initializer(NamedTuple):
    """A function that is called once with the device, by name, and whether it may wait."""

    name: str
    waits: bool


class Host:
    """The module's part that all its functions share: what they import, their strings, and what devices are given."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self._strings: dict[str, str] = {}
        self._data: list[bytes] = []

    def string(self, text: str) -> str:
        """The name of a string."""
        return self._strings.setdefault(text, f"string_{len(self._strings)}.bin")

    def data(self, data: bytes) -> str:
        """The name of bytes that are given to a device as they are."""
        self._data.append(data)
        return f"data_{len(self._data) - 1}.bin"

    def rodata(self) -> list[Rodata]:
        """The bytes and strings."""
        data = [Rodata(f"data_{number}.bin", one, 64) for number, one in enumerate(self._data)]
        return data + [Rodata(name, text.encode(), 1) for text, name in self._strings.items()]

    def imports(self) -> list[Import]:
        """What any function imports."""
        return [
            Import(name, convention(takes, gives), version)
            for name, (takes, gives, version) in _KNOWN.items()
            if name in self.used
        ]


class Body(Code):
    """A function's code, which may call the runtime."""

    def __init__(self, host: Host, arguments: Sequence[str] = ()) -> None:
        super().__init__(arguments)
        self._host = host
        self._waited = 0
        # Registers of strings, which only the next call takes.
        self._strings: list[Value] = []
        self._given = 0

    def i32(self, value: int) -> Value:
        """A number of 32 bits."""
        return self.number(value, I32)

    def i64(self, value: int) -> Value:
        """A number of 64 bits."""
        return self.number(value, I64)

    def no_fence(self) -> Value:
        """A fence for nothing."""
        return self.null(FENCE)

    def string(self, text: str) -> Value:
        """A string, for the next call."""
        if self._given == len(self._strings):
            self._strings.append(self.value(_BYTES))
        self._given += 1
        return self.rodata(self._host.string(text), self._strings[self._given - 1])

    def bytes(self, name: str) -> Value:
        """Bytes of a name."""
        return self.rodata(name, self.value(_BYTES))

    def call(self, name: str, *arguments: Value | Sequence[Value | Row]) -> Value:
        """What a call of the runtime's returns. What it takes any number of is a list."""
        return self.run(name, *arguments)[0]

    def run(self, name: str, *arguments: Value | Sequence[Value | Row]) -> Sequence[Value]:
        """A call of the runtime's, and all that it returns."""
        self._host.used.add(name)
        self._given = 0
        operands, sizes = _flat(arguments)
        return self.invoke(("import", name), operands, _KNOWN[name].gives, sizes)

    def wait(self, fence: Value) -> None:
        """Waits for a fence, and fails where what it waits for has failed."""
        name = "hal.fence.await"
        self._host.used.add(name)
        self._waited += 1
        bad, good = f"bad{self._waited}", f"good{self._waited}"
        operands, sizes = _flat((self.i32(-1), self.i64(0), [fence]))
        (status,) = self.invoke_and_wait(("import", name), operands, f"done{self._waited}", _KNOWN[name].gives, sizes)
        self.branch_if(status, bad, good)
        self.block(bad)
        self.fail(status, "failed to wait on timepoint")
        self.block(good)

    @property
    def waits(self) -> bool:
        """Whether it may wait."""
        return self._waited > 0


def _flat(arguments: Iterable[Value | Sequence[Value | Row]]) -> tuple[list[Value], list[int]]:
    """The operands of a call, and the sizes of its lists, if it has any."""
    operands: list[Value] = []
    sizes: list[int] = []
    for one in arguments:
        if isinstance(one, Value):
            operands.append(one)
            sizes.append(-1)
        else:
            for each in one:
                operands += (each,) if isinstance(each, Value) else each
            sizes.append(len(one))
    return operands, sizes if any(size >= 0 for size in sizes) else []


def convention(takes: str, gives: Sequence[str]) -> str:
    """What a function takes and returns, as IREE says it."""
    letters = "".join({I32: "i", I64: "I"}.get(kind, "r") for kind in gives)
    return f"0{takes or 'v'}_{letters or 'v'}"


def module(
    host: Host,
    device: Device | None,
    executables: Sequence[Executable],
    memory: Sequence[str],
    initializers: Sequence[Initializer],
    recordings: Sequence[str],
    functions: Sequence[VmFunction],
) -> bytes:
    """A whole module's file. When the program is loaded, the `initializers` fill the globals that hold `memory`, and
    each of the `recordings` makes a command buffer.
    """
    if device is None:
        return Module(host.imports(), functions, (), host.rodata()).written()
    last = _initialization(host, device, executables, initializers, recordings)
    names = [device.name, *(f"executable_{number}" for number in range(len(executables)))]
    names += [*memory, *(f"commands_{name}" for name in recordings)]
    files = [Rodata(_file(one), one.data, 16, is_file=True) for one in executables]
    return Module(host.imports(), [*functions, last], names, [*files, *host.rodata()]).written()


def recording(name: str, body: Body) -> VmFunction:
    """A function that makes a command buffer."""
    return VmFunction(name, convention("", (COMMANDS,)), body, UNWINDS)


def _file(executable: Executable) -> str:
    """The name of a file of machine code in the archive that is made."""
    format_ = re.sub(r"[^0-9A-Za-z]", "_", executable.format)
    return f"{executable.name}_{format_}{_ENDINGS.get(executable.mime_type, '.bin')}"


def _initialization(
    host: Host,
    device: Device,
    executables: Sequence[Executable],
    initializers: Sequence[Initializer],
    recordings: Sequence[str],
) -> VmFunction:
    """What is done once, when the program is loaded: a device is chosen, code and data are given to it, and command
    buffers are recorded.
    """
    body = Body(host)
    one, none, nothing = body.i32(1), body.i64(0), body.null(DEVICE)

    def has(device: Value, category: str, key: str) -> Value:
        asked = body.run("hal.device.query.i64", device, body.string(category), body.string(key))
        said = body.calculated("cmp.nz.i64", I32, asked[1])
        return body.calculated("select.i32", I32, asked[0], said, body.i32(0))

    count = body.calculated("ext.i32.i64.s", I64, body.call("hal.devices.count"))
    body.branch("next", none, nothing)
    at, chosen = body.block("next", I64, DEVICE)
    missing = body.calculated("xor.i32", I32, body.calculated("cmp.nz.ref", I32, chosen), one)
    more = body.calculated("cmp.lt.i64.s", I32, at, count)
    body.branch_if(body.calculated("and.i32", I32, missing, more), "try", "tried")
    body.block("try")
    tried = body.call("hal.devices.get", body.calculated("trunc.i64.i32", I32, at))
    local = has(tried, "hal.device.id", "local*")
    body.branch_if(local, "local", "known", (), (body.i32(0),))
    body.block("local")
    body.branch("known", has(tried, "hal.executable.format", device.format))
    (fits,) = body.block("known", I32)
    taken = body.calculated("select.ref", DEVICE, fits, tried, nothing)
    body.branch("next", body.calculated("add.i64", I64, at, body.i64(1)), taken)
    body.block("tried")
    body.branch_if(missing, "none", "some")
    body.block("none")
    body.fail(body.i32(18), f"HAL device `{device.name}` not found or unavailable: {device.target}")
    body.block("some")
    body.store(chosen, device.name)
    if executables:
        body.branch_if(has(chosen, "hal.executable.format", executables[0].format), "runs", "other")
        body.block("other")
        body.fail(
            body.i32(14),
            f"HAL device `{device.name}` does not support any variant of executable `{executables[0].name}`; "
            f"available formats: [{executables[0].format}]",
        )
        body.block("runs")
    for number, executable in enumerate(executables):
        format_, code = body.string(executable.format), body.bytes(_file(executable))
        made = body.call("hal.executable.create", chosen, body.i64(-1), format_, code, body.null(_BYTES))
        body.store(made, f"executable_{number}")
    for name, waits in initializers:
        if waits:
            body.invoke_and_wait(("function", name), [chosen], f"behind_{name}")
        else:
            body.invoke(("function", name), [chosen])
    for name in recordings:
        body.store(body.invoke(("function", name), [], (COMMANDS,))[0], f"commands_{name}")
    body.give(())
    needs = UNWINDS | (WAITS if any(one.waits for one in initializers) else 0)
    return VmFunction("__init", convention("", ()), body, needs, exported=True)
