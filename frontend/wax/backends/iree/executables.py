"""Executables that IREE's first phases do not go through.

The passes make executables of dispatches (`flow.executable`). IREE goes through these too with all that it does to a
program until memory is placed, and nothing comes of it that its code generation would not do. So they are taken out,
and put back after the phase `stream`, which is printed and read again; sources of the same names and layouts, which do
nothing, stand there in between. docs/decisions/0054 has what was measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wax.backends.iree.machine_code import MachineCode

__all__ = [
    "Taken",
    "aliases_in",
    "executables_in",
    "kernels_in",
    "put_back",
    "taken_out",
    "written_out",
]

_EXECUTABLE = re.compile(
    r'^  "flow\.executable"\(\) <\{sym_name = "([\w$.-]+)".*?^  \}\) : \(\) -> \(\)\n', re.M | re.S
)
_COUNT = re.compile(r'^    "flow\.executable\.export".*?\n(.*?)^      "flow\.return"(.*?) : .*?\n', re.M | re.S)
_FUNCTION = re.compile(r"^      func\.func @[\w$.-]+\(([^\n]*)\) \{\n(.*?)^      \}\n", re.M | re.S)
_ARGUMENTS = re.compile(r" *\^bb0\((%\w+): index\):\n")
_TENSOR = re.compile(r"(%arg\d+): (!iree_tensor_ext\.dispatch\.tensor<(\w+):tensor<[^<>]*>>)")
_WORD = re.compile(r"(%arg\d+): i32")
_TIED = re.compile(r'^( *%\w+ = )"flow\.dispatch\.tie_shape"\((%arg\d+), (.*?)\) : ', re.M)
_ALIAS = re.compile(r"^(#\w+) = (.*)$", re.M)
_ALIASED = re.compile(r"#\w+\b(?![.<])")
_STUB = re.compile(
    r"^(  hal\.executable\.source private @([\w$.-]+) \{\n.*?^    \}\n)    builtin\.module \{\n.*?^    \}\n  \}\n",
    re.M | re.S,
)
_CALLED = re.compile(r"@([\w$.-]+)::@\1(?![\w$.-])")
_ANY = re.compile(r"^  (?:hal\.executable(?:\.source)?|stream\.executable) \w+ @([\w$.-]+)", re.M)
_BINDINGS = {
    "readonly": '#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">',
    "writeonly": "#hal.pipeline.binding<storage_buffer, Indirect>",
}
_FLAGS = {"readonly": '"ReadOnly|Indirect"', "writeonly": "Indirect"}


class Taken(NamedTuple):
    """An executable that was taken out: how it is given what it works on, so many words and tensors, the function that
    the passes made, and the module of it that IREE takes.
    """

    layout: str
    words: int
    tensors: int
    function: str
    module: str


def executables_in(text: str) -> dict[str, str]:
    """The executables of a program, as they are written, by name."""
    return {found[1]: found[0] for found in _EXECUTABLE.finditer(text)}


def kernels_in(stream: str, taken: Mapping[str, Taken], code: MachineCode) -> dict[str, tuple[int, int]]:
    """How many words and tensors each kernel of a program is given, by name, as it is after IREE's phase `stream`:
    none where not all have machine code of ours, and always as many workgroups.
    """
    names: list[str] = _ANY.findall(stream)
    if not all(name in taken and code.workgroups.get(name) for name in names):
        return {}
    return {name: (taken[name].words, taken[name].tensors) for name in names}


def aliases_in(text: str) -> dict[str, str]:
    """What the aliases of a module stand for, by name, without aliases."""
    aliases: dict[str, str] = {}
    for name, meaning in _ALIAS.findall(text):
        aliases[name] = written_out(meaning, aliases)
    return aliases


def written_out(part: str, aliases: Mapping[str, str]) -> str:
    """A part of a module as any other understands it."""
    return _ALIASED.sub(lambda alias: aliases.get(alias[0], alias[0]), part)


def taken_out(text: str) -> tuple[str, dict[str, Taken]]:
    """A program with sources that do nothing for its executables, and these by name."""
    taken: dict[str, Taken] = {}
    aliases = aliases_in(text)

    def source(found: re.Match[str]) -> str:
        name, whole = found[1], found[0]
        count, function = _COUNT.search(whole), _FUNCTION.search(whole)
        if count is None or function is None:  # not as the passes write them
            return whole
        layout, words, tensors = _interface(function[1])
        body = written_out(function[2], aliases)
        # A tensor of open sizes is there from where they are known.
        tied: set[str] = set()

        def tie(line: re.Match[str]) -> str:
            tied.add(line[2])
            return f"{line[1]}{tensors[line[2]]}{{{line[3]}}} // "

        body = _TIED.sub(tie, body)
        others = (f"        {name} = {made}\n" for name, made in tensors.items() if name not in tied)
        lines = "".join(["        %begin = arith.constant 0 : index\n", *words, *others])
        arguments = _ARGUMENTS.match(count[1])
        workload = f", {arguments[1]}: index" if arguments else ""
        counted = count[1][arguments.end() :] if arguments else count[1]
        module = _module(f"      func.func @{name}() {{\n{lines}{body}      }}\n")
        taken[name] = Taken(layout, len(words), len(tensors), written_out(function[0], aliases), module)
        # What is told apart by nothing IREE takes for one.
        nothing = f'      func.func @{name}() attributes {{wax.executable = "{name}"}} {{\n        return\n      }}\n'
        return (
            f"  hal.executable.source private @{name} {{\n"
            f"    hal.executable.export public @{name} ordinal(0) layout({layout}) "
            f"count(%device: !hal.device{workload}) -> (index, index, index) {{\n"
            f"{counted}      hal.return {count[2].strip('()')} : index, index, index\n    }}\n"
            f"{_module(nothing)}  }}\n"
        )

    return _EXECUTABLE.sub(source, text), taken


def put_back(
    stream: str, taken: Mapping[str, Taken], code: MachineCode | None = None, paths: Sequence[str] = ()
) -> str:
    """A program as it is after IREE's phase `stream`, with what was taken out of it: machine code, where there is, in
    files.
    """
    ours = {name: one.layout for name, one in taken.items() if code is not None and name in code.workgroups}
    name = "machine_code"
    while f"@{name}" in stream:
        name += "_"
    whole = [code.executable(name, ours, paths)] if code is not None else []

    def put(found: re.Match[str]) -> str:
        if found[2] in ours:
            return whole.pop() if whole else ""
        return f"{found[1]}{taken[found[2]].module}  }}\n" if found[2] in taken else found[0]

    stream = _STUB.sub(put, stream)
    return _CALLED.sub(lambda found: f"@{name}::@cpu::@{found[1]}" if found[1] in ours else found[0], stream)


def _module(function: str) -> str:
    return f"    builtin.module {{\n{function}    }}\n"


def _interface(parameters: str) -> tuple[str, list[str], dict[str, str]]:
    """The layout of what a function is given, lines that name its words, and what each of its tensors is, by name."""
    tensors: list[tuple[str, str, str]] = _TENSOR.findall(parameters)
    words: list[str] = _WORD.findall(parameters)
    bindings = ", ".join(_BINDINGS[access] for _, _, access in tensors)
    constants = f"constants = {len(words)}, " if words else ""
    layout = f"#hal.pipeline.layout<{constants}bindings = [{bindings}], flags = Indirect>"
    return (
        layout,
        [
            f"        {name} = hal.interface.constant.load layout({layout}) ordinal({number}) : i32\n"
            for number, name in enumerate(words)
        ],
        {
            name: f"hal.interface.binding.subspan layout({layout}) binding({number}) offset(%begin) "
            f"flags({_FLAGS[access]}) : {kind}"
            for number, (name, kind, access) in enumerate(tensors)
        },
    )
