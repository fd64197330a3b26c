"""What a call of a program always does, where that is known: dispatches, copies and fills, in memory of known places.

Read off a program as IREE prints it after its phase `stream`. A program that looks at a value, or at a size, to know
what to do next has no such plan; nor has one that is not understood.
"""

from __future__ import annotations

import re

from wax.backends.iree.overwrites import CAPTURE, NAME, functions_in
from wax_runtime.iree.plans import Piece, Place, Plan, Step

__all__ = ["plan_of"]

_CONSTANT = re.compile(r"(%[\w$.-]+) = arith\.constant (-?\d+|true|false)(?: : (?:index|i(\d+)))?$")
_FLOAT = re.compile(r"(%[\w$.-]+) = arith\.constant [^:]+ : (?:f16|bf16|f32|f64)$")
_IMPORT = re.compile(r"(%[\w$.-]+) = stream\.tensor\.import(?: on\([^ ]*\))? (%[\w$.-]+) : ")
_ALLOCATION = re.compile(
    r"(%[\w$.-]+), %[\w$.-]+ = stream\.resource\.alloca uninitialized(?: on\([^ ]*\))?(?: :| await\([^)]*\) =>) "
    r"!stream\.resource<\w+>\{(%[\w$.-]+)\} => !stream\.timepoint$"
)
_LOAD = re.compile(r"(%[\w$.-]+) = util\.global\.load immutable (@[\w$.-]+) : !stream\.resource<constant>$")
_EXECUTION = re.compile(r"%[\w$.-]+ = stream\.cmd\.execute ")
_DISPATCH = re.compile(r"stream\.cmd\.dispatch @[\w$.-]+::@[\w$.-]+([^{]*)\{$")
_BINDING = re.compile(r"(ro|rw|wo) (%[\w$.-]+)\[(%[\w$.-]+) for (%[\w$.-]+)\] : ")
_COPY = re.compile(r"stream\.cmd\.copy (%[\w$.-]+)\[(%[\w$.-]+)\], (%[\w$.-]+)\[(%[\w$.-]+)\], (%[\w$.-]+) : ")
_FILL = re.compile(r"stream\.cmd\.fill (%[\w$.-]+), (%[\w$.-]+)\[(%[\w$.-]+) for (%[\w$.-]+)\] : i(\d+) ->")
_AWAIT = re.compile(r"(%[\w$.-]+)(?::\d+)? = stream\.timepoint\.await %[\w$.-]+ => ([^:]+) : ")
_SUBVIEW = re.compile(r"(%[\w$.-]+) = stream\.resource\.subview (%[\w$.#-]+)\[(%[\w$.-]+)\] : ")
_EXPORT = re.compile(r"(%[\w$.-]+) = stream\.tensor\.export(?: on\([^ ]*\))? (%[\w$.#-]+) : ")
_BARRIER = re.compile(r"(%[\w$.-]+) = util\.optimization_barrier (%[\w$.#-]+) : !stream\.resource<\w+>$")
_LOCATION = re.compile(r" loc\(.*\)$")
_RESOURCE = re.compile(r"%[\w$.#-]+")

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
                    access, *piece = _matched(_BINDING, line)
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
        if found := _CONSTANT.match(line):
            name, text, width = found.groups()
            number = {"true": 1, "false": 0}[text] if text.isalpha() else int(text)
            self._numbers[name] = number % (1 << int(width)) if width else number
            self._known.add(name)
        elif found := _FLOAT.match(line):
            self._known.add(found[1])
        elif found := _IMPORT.match(line):
            self._places[found[1]] = Place("argument", self._arguments[found[2]], 0)
        elif found := _ALLOCATION.match(line):
            self._places[found[1]] = Place("made", len(self._made), 0)
            self._made.append(self._numbers[found[2]])
        elif found := _LOAD.match(line):
            number = self._constants.setdefault(found[2], len(self._constants))
            self._places[found[1]] = Place("constant", number, 0)
        elif _EXECUTION.match(line):
            for outer, inner in CAPTURE.findall(line):
                self._places[inner] = self._places[outer]
        elif found := _COPY.match(line):
            source, at, target, to, length = found.groups()
            self._steps.append(Step("copy", (self._piece(source, at, length), self._target(target, to, length))))
        elif found := _FILL.match(line):
            pattern, target, to, length, width = found.groups()
            piece = self._target(target, to, length)
            self._steps.append(Step("fill", (piece,), self._numbers[pattern], int(width) // 8))
        elif found := _AWAIT.match(line):
            names = _RESOURCE.findall(found[2])
            for index, name in enumerate(names):
                here = found[1] if len(names) == 1 else f"{found[1]}#{index}"
                self._places[here] = self._places[name]
        elif found := _BARRIER.match(line):
            self._places[found[1]] = self._places[found[2]]
        elif found := _SUBVIEW.match(line):
            whole = self._places[found[2]]
            self._places[found[1]] = whole._replace(offset=whole.offset + self._numbers[found[3]])
        else:
            name, resource = _matched(_EXPORT, line)
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
