"""Functions whose memory is placed, as IREE prints them after its phase `stream`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wax.backends.iree.pieces import Command, Piece, Result, Tensor

__all__ = ["FunctionText"]

_ON = "on(#hal.device.affinity<@__device_0>)"
_VIEW = "!hal.buffer_view"


class FunctionText:
    """A function as it is written: the sizes of the memory that it allocates, for what it returns and what it does not,
    and of what is kept for all calls, and the numbers that it names.
    """

    def __init__(self, given: int, within: int, kept: int) -> None:
        self._given, self._within, self._kept = given, within, kept
        self._numbers: dict[int, str] = {}
        self._elements: dict[str, str] = {}

    def function(
        self,
        name: str,
        arguments: Sequence[tuple[Tensor, str]],
        commands: Sequence[Command],
        results: Sequence[Result],
    ) -> str:
        """All of it."""
        pieces = [piece for command in commands for piece in command.reads]
        read = {piece.memory.argument for piece in pieces if piece.memory.argument is not None}
        lines = [line for number in sorted(read) for line in self._taken(number, arguments[number][0])]
        if self._kept:
            lines.append(f"%kept = util.global.load immutable @{_kept(name)} : !stream.resource<constant>")
        lines.append(self._allocated("given", "external", self._given))
        if self._within:
            lines.append(self._allocated("within", "transient", self._within))
            lines.append("%begin = stream.timepoint.join max(%given_point, %within_point) => !stream.timepoint")
        captured = [f"%taken{n} as %a{n}: {self._resource('external', arguments[n][0].size)}" for n in sorted(read)]
        if self._kept:
            captured.append(f"%kept as %k: {self._resource('constant', self._kept)}")
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
        first = self._named()
        first += [f"{made} = hal.element_type<{element}> : i32" for element, made in self._elements.items()]
        first.append("%dense_row_major = hal.encoding_type<dense_row_major> : i32")
        whole = "".join(f"    {line}\n" for line in (*first, *lines))
        return f"  {_head(name, arguments, results)} {{\n{whole}  }}\n"

    def initializer(self, name: str, commands: Sequence[Command]) -> str:
        """What is done once, for what function `name` keeps."""
        resource = self._resource("constant", self._kept)
        captured = f"await(%kept_point) => with(%kept as %k: {resource})"
        lines = [self._allocated("kept", "constant", self._kept)]
        lines.append(f"%end = stream.cmd.execute once {_ON} {captured} {{")
        for command in commands:
            lines += self._done(command)
        lines.append("} => !stream.timepoint")
        lines.append(f"%done = stream.timepoint.await sync %end => %kept : {resource}")
        lines.append(f"util.global.store %done, @{_kept(name)} : !stream.resource<constant>")
        whole = "".join(f"    {line}\n" for line in (*self._named(), *lines, "util.return"))
        memory = f"  util.global private @{_kept(name)} : !stream.resource<constant>\n"
        return f"{memory}  util.initializer {{\n{whole}  }}\n"

    def _named(self) -> list[str]:
        return [f"{made} = arith.constant {number} : index" for number, made in self._numbers.items()]

    def _number(self, number: int) -> str:
        return self._numbers.setdefault(number, f"%c{number}")

    def _resource(self, lifetime: str, size: int) -> str:
        return f"!stream.resource<{lifetime}>{{{self._number(size)}}}"

    def _taken(self, number: int, kind: Tensor) -> Iterator[str]:
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

    def _where(self, piece: Piece) -> tuple[str, str, str]:
        """The name of the memory that a piece is in, its offset there, and its type."""
        piece = piece.resolved()
        memory, offset = piece.memory, self._number(piece.memory.offset + piece.offset)
        if memory.argument is not None:
            return f"%a{memory.argument}", offset, self._resource("external", memory.size)
        if memory.once:
            return "%k", offset, self._resource("constant", self._kept)
        if memory.returned:
            return "%g", offset, self._resource("external", self._given)
        return "%w", offset, self._resource("transient", self._within)

    def _done(self, command: Command) -> Iterator[str]:
        if command.number is not None:
            (piece,) = command.writes
            name, offset, kind = self._where(piece)
            number = self._number(command.number)
            where = f"{name}[{offset} for {self._number(piece.size)}]"
            yield f"  stream.cmd.fill {number}, {where} : i{8 * command.width} -> {kind}"
            return
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

    def _exported(self, number: int, result: Result) -> Iterator[str]:
        size, name = result.type.size, "%done"
        if size != self._given:
            name, offset = f"%part{number}", self._number(result.piece.memory.offset)
            of, into = self._resource("external", self._given), self._resource("external", size)
            yield f"{name} = stream.resource.subview %done[{offset}] : {of} -> {into}"
        where = f"{result.type} in {self._resource('external', size)} -> {_VIEW}"
        yield f"%result{number} = stream.tensor.export {_ON} {name} : {where}"


def _kept(name: str) -> str:
    """The global that holds what a function keeps."""
    return f"__kept_{name}"


def _head(name: str, arguments: Sequence[tuple[Tensor, str]], results: Sequence[Result]) -> str:
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
