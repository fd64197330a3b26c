"""Which arguments' memory a compiled program writes to, and which results share memory with arguments.

IREE updates an argument in place when its value is not needed afterwards (`linalg` ops whose `outs` is an
argument, `tensor.insert_slice` into one), and returns a reshaped argument without a copy. Arrays of wax are
immutable, so the loader half must know both. They are read off the program as IREE prints it after the
`stream` phase, where each write to memory is spelled out. Whatever is not understood counts as a write.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

__all__ = ["Function", "Memory", "functions_in", "memory_of"]

_HEADER = re.compile(r"util\.func (?:public |private )?@([\w$.-]+|\"[^\"]*\")\((.*)")
_PARAMETER = re.compile(r"(%[\w$.-]+): (?!!hal\.fence)")
_VIEW = re.compile(
    r"^    (%[\w$.-]+) = \"?(?:tensor\.(?:cast|expand_shape|collapse_shape|reshape|bitcast)|"
    r"flow\.tensor\.reshape|util\.optimization_barrier)\"?[ (]+(%[\w$.-]+)",
    re.MULTILINE,
)
NAME = re.compile(r"%[\w$.-]+")
_RESULTS = re.compile(r"^\s*((?:%[\w$.:-]+(?:,\s*)?)+)\s*=\s*(.*)")
CAPTURE = re.compile(r"(%[\w$.-]+) as (%[\w$.-]+)")
_ITERATION = re.compile(r"(%[\w$.-]+) = (%[\w$.-]+)")
_CALL = re.compile(r"util\.call @([\w$.-]+|\"[^\"]*\")\(([^)]*)\)")

# Ops that read a resource, or hand it on under a new name, and write to none of their operands.
_READERS = (
    "stream.tensor.import",
    "stream.tensor.export",
    "stream.timepoint.",
    "stream.resource.subview",
    "stream.resource.dealloca",
    "stream.resource.retain",
    "stream.resource.release",
    "stream.cmd.flush",
    "stream.cmd.invalidate",
    "stream.cmd.discard",
    "hal.buffer_view.assert",
    "hal.buffer.assert",
    "util.return",
    "util.optimization_barrier",
    "scf.",
    "cf.",
)

# Ops whose results are no memory, and that write to none.
_SCALARS = (
    "stream.cmd.execute",
    "stream.resource.load",
    "stream.resource.size",
    "stream.tensor.sizeof",
    "hal.buffer_view.dim",
    "hal.buffer_view.rank",
    "hal.buffer_view.element_type",
    "hal.buffer_view.encoding_type",
    "arith.cmp",
    "arith.index_cast",
)

_JOINED = "(joined)"  # no SSA name looks like this


@dataclass(frozen=True, slots=True)
class Memory:
    """`overwrites`: arguments written to. `aliases`: (result, argument) pairs that may share memory.

    `corrupted`: arguments written to that are also returned as they were, which IREE gets wrong.
    """

    overwrites: tuple[int, ...] = ()
    aliases: tuple[tuple[int, int], ...] = ()
    corrupted: tuple[int, ...] = ()


@dataclass
class Function:
    """A function's lines, in which every name is unique, and the parameters that its body writes to."""

    parameters: list[str]
    takes_fences: bool
    lines: list[str] = field(default_factory=list)
    writes: set[int] = field(default_factory=set)


def memory_of(stream: str, entry: str, program: str = "") -> Memory:
    """Analyse a program printed after the `stream` phase.

    One that takes fences returns an argument that it has updated by the name of the argument. Which of them it returns
    as they were is read off the `program` that was compiled.
    """
    functions = functions_in(stream)
    main = functions.get(entry)
    if main is None:
        raise AssertionError(f"IREE printed no function {entry!r}")
    while True:  # to a fixed point over calls
        before = [len(f.writes) for f in functions.values()]
        for function in functions.values():
            _analyse(function, functions)
        if before == [len(f.writes) for f in functions.values()]:
            break
    roots = _analyse(main, functions)
    returned = [NAME.findall(line.partition(" : ")[0]) for line in main.lines if line.startswith("util.return")]
    aliases = {(r, a) for names in returned for r, name in enumerate(names) for a in roots.get(name, ())}
    bare = {main.parameters.index(n) for names in returned for n in names if n in main.parameters}
    if main.takes_fences:
        bare &= _returned_arguments(program, entry, main.parameters)
    return Memory(tuple(sorted(main.writes)), tuple(sorted(aliases)), tuple(sorted(bare & main.writes)))


def _returned_arguments(program: str, entry: str, parameters: list[str]) -> set[int]:
    """Which arguments of a function, as it was given to IREE, are returned as they are, or seen in another shape."""
    _, _, text = program.partition(f"func.func @{entry}(")
    body, _, _ = text.partition("\n  }\n")
    _, found, returned = body.rpartition("\n    return ")
    if not found:
        return set(range(len(parameters)))  # not as MLIR prints it
    viewed = dict(_VIEW.findall(body))
    names = set()
    for name in NAME.findall(returned.partition(" : ")[0]):
        while name in viewed:
            name = viewed[name]
        names.add(name)
    return {index for index in range(len(parameters)) if f"%arg{index}" in names}


def functions_in(stream: str) -> dict[str, Function]:
    """The functions of a program printed after the `stream` phase, by name."""
    functions: dict[str, Function] = {}
    current: Function | None = None
    renamed: dict[str, str] = {}
    for number, raw in enumerate(stream.splitlines()):
        line = raw.strip()
        header = _HEADER.match(line)
        if header:
            inside, _, _ = header[2].partition(") ->")
            current, renamed = Function(_PARAMETER.findall(inside), ": !hal.fence" in inside), {}
            functions[header[1].strip('"')] = current
        elif current is not None and line:
            # Sibling regions reuse the names of their arguments: make each unique.
            inner = [b for _, b in CAPTURE.findall(line)] + [a for a, _ in _ITERATION.findall(line)]
            renamed.update({name: f"{name}.{number}" for name in inner})
            current.lines.append(NAME.sub(lambda m, table=renamed: table.get(m[0], m[0]), line))
    return functions


def _analyse(function: Function, functions: dict[str, Function]) -> dict[str, set[int]]:
    """Which parameters each name in a function may share memory with; notes the writes on the way."""
    roots: dict[str, set[int]] = defaultdict(set)
    for index, name in enumerate(function.parameters):
        roots[name].add(index)
    while True:
        before = sum(map(len, roots.values()))
        for line in function.lines:
            _follow(line, roots)
        if before == sum(map(len, roots.values())):
            break
    for line in function.lines:
        for name in _written(line, functions):
            function.writes |= roots.get(name, set())
    return roots


def _follow(line: str, roots: dict[str, set[int]]) -> None:
    """Let names that a line makes share the memory of names it reads."""

    def shared(text: str) -> set[int]:
        return set().union(*(roots.get(name, set()) for name in NAME.findall(text)))

    for inner, outer in (*((b, a) for a, b in CAPTURE.findall(line)), *_ITERATION.findall(line)):
        roots[inner] |= shared(outer)
    if line.startswith(("scf.yield", "scf.condition", "cf.")):
        # Where its values arrive is not worth finding out: they may be any loop's, branch's or block's.
        roots[_JOINED] |= shared(line)
    if line.startswith("^"):
        for name in NAME.findall(line):
            roots[name] |= roots[_JOINED]
    match = _RESULTS.match(line)
    if match and not match[2].startswith(_SCALARS):
        values = shared(match[2]) | (roots[_JOINED] if match[2].startswith("scf.") else set())
        for name in NAME.findall(match[1]):
            roots[name] |= values


def _written(line: str, functions: dict[str, Function]) -> list[str]:
    """The names whose memory a line may write to."""
    match = _RESULTS.match(line)
    operation = match[2] if match else line
    if line.startswith(("ro ", "}", "^")) or operation.startswith((*_READERS, *_SCALARS)):
        return []
    if operation.startswith("stream.cmd.copy"):
        return NAME.findall(operation.partition("], ")[2])[:1]
    call = _CALL.search(operation)
    if call:
        callee = functions.get(call[1].strip('"'))
        names = NAME.findall(call[2])
        return names if callee is None else [names[i] for i in callee.writes if i < len(names)]
    return NAME.findall(operation)
