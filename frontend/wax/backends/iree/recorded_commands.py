"""Commands that host programs record, and bodies of functions that do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from wax.backends.iree.bytecode import I32, Value
from wax.backends.iree.host_code import DEVICE, EXECUTABLE, Body, Device, Host, Row

__all__ = ["Command", "RecordingBody"]

# Bits of IREE's. Commands that move bytes, and such that run code; what a barrier waits for, and what waits for it.
_MOVES, _RUNS = 1, 2
_BEFORE, _BEHIND = 28, 13


class Command(NamedTuple):
    """What is recorded: the pieces of memory, by name, offset and length, and a kernel with its numbers, if it runs."""

    kind: Literal["dispatch", "copy", "fill", "barrier"]
    pieces: tuple[tuple[str, int, int], ...] = ()
    numbers: tuple[int, ...] = ()
    function: str = ""


class RecordingBody(Body):
    """A body that may record commands, and the kernels that these run."""

    def __init__(self, host: Host, device: Device, arguments: Sequence[str] = ()) -> None:
        super().__init__(host, arguments)
        self._device = device
        self._workgroups: dict[str, Row] = {}

    def device(self) -> Value:
        """The device, which is given or in a global."""
        given = [one for one in self.arguments if one.kind == DEVICE]
        return given[0] if given else self.loaded(self._device.name, DEVICE)

    def record(
        self, commands: Sequence[Command], bound: Mapping[str, tuple[Value, Value]], capacity: int, modes: int
    ) -> Value:
        """A command buffer. What is bound is its number in a call's table, and a buffer."""
        none = self.i64(0)
        moves = _MOVES | (_RUNS if any(one.kind == "dispatch" for one in commands) else 0)
        about = (self.i32(modes), self.i32(moves), self.i64(-1), self.i32(capacity))
        made = self.call("hal.command_buffer.create", self.device(), *about)
        for command in commands:
            if command.kind == "barrier":
                stages = (self.i32(_BEFORE), self.i32(_BEHIND))
                self.run("hal.command_buffer.execution_barrier", made, *stages, none)
            elif command.kind == "copy":
                (source, at, length), (target, to, _) = command.pieces
                slots = (bound[source][0], bound[target][0])
                buffers = (bound[source][1], self.i64(at), bound[target][1], self.i64(to))
                self.run("hal.command_buffer.copy_buffer", made, *slots, *buffers, self.i64(length), none)
            elif command.kind == "fill":
                ((target, to, length),) = command.pieces
                slot, buffer = bound[target]
                value, width = command.numbers
                filled = (buffer, self.i64(to), self.i64(length), slot, self.i64(value), self.i32(width))
                self.run("hal.command_buffer.fill_buffer", made, *filled, none)
            else:
                executable = self.loaded("executable_0", EXECUTABLE)
                kernel = self.call("hal.executable.lookup.function", executable, self.string(command.function))
                if command.function not in self._workgroups:
                    self._workgroups[command.function] = (self.value(I32), self.value(I32), self.value(I32))
                groups = self._workgroups[command.function]
                numbers = [self.i32(number) for number in command.numbers]
                bindings = [
                    (self.i32(0), *bound[name], self.i64(offset), self.i64(length))
                    for name, offset, length in command.pieces
                ]
                self.run("hal.command_buffer.dispatch", made, executable, kernel, *groups, none, numbers, bindings)
        self.run("hal.command_buffer.finalize", made)
        return made

    @property
    def called(self) -> Iterable[str]:
        """The kernels that it calls."""
        return self._workgroups

    def count(self, counts: Mapping[str, tuple[int, int, int]]) -> None:
        """Says how many workgroups each kernel has."""
        for name, values in self._workgroups.items():
            for value, count in zip(values, counts[name], strict=True):
                self.define(value, count)
