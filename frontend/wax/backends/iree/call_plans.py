"""What a call of a program always does, where that is known: dispatches, copies and fills, in memory of known places.

Read off a program as IREE prints it after its phase `stream`. A program that looks at a value, or at a size, to know
what to do next has no such plan; nor has one that is not understood.
"""

from __future__ import annotations

import re

from wax.backends.iree.overwrites import functions_in
from wax.backends.iree.stream_lines import (
    ALLOCATION,
    BARRIER,
    BINDING,
    CAPTURE,
    COPY,
    EXECUTION,
    FILL,
    GIVEN,
    LOADED,
    NAME,
    NUMBER,
    TAKEN,
    TRUTHS,
    VIEWED,
    WAITED,
)
from wax_runtime.iree.plans import Piece, Place, Plan, Step

__all__ = ["plan_of"]

_FLOAT = re.compile(r"(%[\w$.-]+) = arith\.constant [^:]+ : (?:f16|bf16|f32|f64)$")
# Of IREE's dispatches, too, which count their workgroups by numbers.
_DISPATCH = re.compile(r"stream\.cmd\.dispatch @[\w$.-]+::@[\w$.-]+([^{]*)\{$")
_LOCATION = re.compile(r" loc\(.*\)$")

#: What has no part in a plan: checks of arguments, which the caller makes, and when what is done.
_BESIDES = re.compile(
    r"hal\.buffer_view\.assert<|%[\w$.-]+ = (?:hal\.(?:element|encoding)_type<|stream\.timepoint\.(?:join|immediate)\b|"
    r"stream\.resource\.dealloca )|stream\.cmd\.(?:concurrent|serial) \{$|\}(?: => !stream\.timepoint)?$"
)


def plan_of(stream: str, entry: str) -> Plan | None:
    """The plan of a program's entry; `None` where there is none."""
    function = functions_in(stream).get(entry)
    if function is None or function.takes_fences:
        return None
    try:
        return _Reader(function.parameters).read(function.lines)
    except (KeyError, ValueError):  # something that is not known, or not known beforehand
        return None


class _Reader:
    """One function, line by line."""

    def __init__(self, parameters: list[str]) -> None:
        self._arguments = {name: index for index, name in enumerate(parameters)}
        self._numbers: dict[str, int] = {}
        self._known: set[str] = set()
        self._places: dict[str, Place] = {}
        self._constants: dict[str, int] = {}
        self._made: list[int] = []
        self._steps: list[Step] = []
        self._exported: dict[str, Place] = {}
        self._copied: set[int] = set()

    def read(self, lines: list[str]) -> Plan:
        """Raises `KeyError`, `ValueError` where there is no plan."""
        bindings: list[Piece] | None = None
        for raw in lines:
            line = _LOCATION.sub("", raw)
            if bindings is not None:
                if line == "}":
                    self._steps.append(Step("dispatch", tuple(bindings)))
                    bindings = None
                else:
                    access, *piece, _ = _matched(BINDING, line)
                    bindings.append(self._piece(*piece) if access == "ro" else self._target(*piece))
            elif found := _DISPATCH.match(line):
                unknown = set(NAME.findall(found[1])) - self._known
                if unknown:
                    raise KeyError(*unknown)
                bindings = []
            elif line.startswith("util.return"):
                returned = [self._exported[name] for name in NAME.findall(line.partition(" : ")[0])]
                if any(place.region == "constant" for place in returned):
                    raise ValueError("a result that other calls have too")
                self._copied |= {place.number for place in returned if place.region == "argument"}
                return Plan(tuple(self._made), tuple(self._steps), tuple(returned), tuple(sorted(self._copied)))
            elif not _BESIDES.match(line):
                self._read(line)
        raise ValueError("a function without an end")

    def _read(self, line: str) -> None:
        if (found := NUMBER.match(line)) and found[1]:
            name, text = found.groups()
            self._numbers[name] = TRUTHS[text] if text in TRUTHS else int(text)
            self._known.add(name)
        elif found := _FLOAT.match(line):
            self._known.add(found[1])
        elif found := TAKEN.match(line):
            name, consumed, argument, _size = found.groups()
            if consumed:
                raise ValueError("an argument that is written over")
            self._places[name] = Place("argument", self._arguments[argument], 0)
        elif found := ALLOCATION.match(line):
            name, _point, _before, _lifetime, size = found.groups()
            self._places[name] = Place("made", len(self._made), 0)
            self._made.append(self._numbers[size])
        elif found := LOADED.match(line):
            number = self._constants.setdefault(found[2], len(self._constants))
            self._places[found[1]] = Place("constant", number, 0)
        elif found := EXECUTION.match(line):
            for outer, inner, _size in CAPTURE.findall(line):
                self._places[inner] = self._places[outer]
        elif found := COPY.match(line):
            source, at, target, to, length, _, _ = found.groups()
            self._steps.append(Step("copy", (self._piece(source, at, length), self._target(target, to, length))))
        elif found := FILL.match(line):
            pattern, target, to, length, width, _ = found.groups()
            piece = self._target(target, to, length)
            value = self._numbers[pattern] % (1 << int(width))
            self._steps.append(Step("fill", (piece,), value, int(width) // 8))
        elif found := WAITED.match(line):
            names = NAME.findall(found[3])
            for index, name in enumerate(names):
                here = found[1] if len(names) == 1 else f"{found[1]}#{index}"
                self._places[here] = self._places[name]
        elif found := BARRIER.match(line):
            self._places[found[1]] = self._places[found[2]]
        elif found := VIEWED.match(line):
            whole = self._places[found[2]]
            self._places[found[1]] = whole._replace(offset=whole.offset + self._numbers[found[3]])
        else:
            name, resource, *_ = _matched(GIVEN, line)
            self._exported[name] = self._places[resource]

    def _piece(self, name: str, offset: str, length: str) -> Piece:
        place = self._places[name]
        return Piece(place.region, place.number, place.offset + self._numbers[offset], self._numbers[length])

    def _target(self, name: str, offset: str, length: str) -> Piece:
        piece = self._piece(name, offset, length)
        if piece.region == "constant":
            raise ValueError("a constant that is written to")
        if piece.region == "argument":
            self._copied.add(piece.number)
        return piece


def _matched(pattern: re.Pattern[str], line: str) -> tuple[str, ...]:
    found = pattern.match(line)
    if found is None:
        raise ValueError(line)
    return found.groups()
