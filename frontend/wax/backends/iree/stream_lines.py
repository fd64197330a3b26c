"""Lines of programs as IREE prints them after its phase `stream`: of those whose calls all do the same.

What is no such line matches nothing here, and what matches has no part that is not looked at.
"""

from __future__ import annotations

import re

__all__ = [
    "ALLOCATION",
    "ARGUMENT",
    "BARRIER",
    "BINDING",
    "CAPTURE",
    "CHECK",
    "COPY",
    "DEVICE_GLOBAL",
    "DISPATCH",
    "ELEMENT",
    "ENCODING",
    "EXECUTABLES",
    "EXECUTION",
    "FILL",
    "FREED",
    "GIVEN",
    "HEADER",
    "JOINED",
    "LOADED",
    "MEMORY_GLOBAL",
    "MODULE",
    "NAME",
    "NOW",
    "NUMBER",
    "OPERATION",
    "RETURNED",
    "STORED",
    "TAKEN",
    "TRUTHS",
    "UPLOAD",
    "VIEWED",
    "WAITED",
]

_DICTIONARY = r'\{(?:[^"{}]|"[^"]*")*\}'
DEVICE_GLOBAL = re.compile(
    r'util\.global private @(\w+) = (#hal\.device\.target<"local", \[#hal\.executable\.target<"llvm-cpu", "([\w-]+)", '
    rf"{_DICTIONARY}>\]>) : !hal\.device$"
)
MEMORY_GLOBAL = re.compile(r"util\.global private @([\w$.-]+) : !stream\.resource<constant>$")
HEADER = re.compile(
    rf"util\.func public @([\w$.-]+)\(((?:%arg\d+: !hal\.buffer_view(?: {_DICTIONARY})?(?:, )?)*)\)"
    rf"(?: -> (!hal\.buffer_view|\((?:!hal\.buffer_view(?: {_DICTIONARY})?(?:, )?)*\)))? "
    rf"attributes \{{iree\.abi\.stub, (iree\.reflection = {_DICTIONARY})\}} \{{$"
)
MODULE = re.compile(r"module(?: attributes \{.*\})? \{\n")
EXECUTABLES = ("stream.executable private ", "hal.executable.source private ")
ARGUMENT = re.compile(r"(%arg\d+): !hal")

_ON = r"(?: on\([^ ]*\))?"
_V = r"(%[\w$.#-]+)"
_SIZE = rf"!stream\.resource<\w+>\{{{_V}\}}"
NAME = re.compile(r"%[\w$.-]+(?:#\d+)?")
OPERATION = re.compile(r"(?:%[^=]* = )?([a-z_]+\.[a-z_.]+)")
TRUTHS = {"true": 1, "false": 0}
NUMBER = re.compile(r"(?:(%[\w$.-]+) = arith\.constant (-?\d+|true|false)(?: : (?:index|i\d+))?$)?")
ELEMENT = re.compile(r"(%[\w$.-]+) = hal\.element_type<(.*)> : i32$")
ENCODING = re.compile(r"(%[\w$.-]+) = hal\.encoding_type<dense_row_major> : i32$")
CHECK = re.compile(
    rf'hal\.buffer_view\.assert<{_V} : !hal\.buffer_view> message\("([^"]*)"\) shape\(\[(.*)\]\) type\({_V}\) '
    rf"encoding\({_V}\)$"
)
TAKEN = re.compile(
    rf"{_V} = stream\.tensor\.import{_ON}( consume)? {_V} : !hal\.buffer_view -> tensor<[^?]*> in "
    rf"!stream\.resource<external>\{{{_V}\}}$"
)
ALLOCATION = re.compile(
    rf"{_V}, {_V} = stream\.resource\.alloca uninitialized{_ON}(?: :| await\({_V}\) =>) "
    rf"!stream\.resource<(external|transient|constant)>\{{{_V}\}} => !stream\.timepoint$"
)
FREED = re.compile(
    rf"{_V} = stream\.resource\.dealloca( origin)?{_ON}(?: await\({_V}\) =>)? {_V} : {_SIZE} => !stream\.timepoint$"
)
LOADED = re.compile(rf"{_V} = util\.global\.load immutable @([\w$.-]+) : !stream\.resource<constant>$")
NOW = re.compile(rf"{_V} = stream\.timepoint\.immediate => !stream\.timepoint$")
JOINED = re.compile(rf"{_V} = stream\.timepoint\.join max\((.*)\) => !stream\.timepoint$")
EXECUTION = re.compile(rf"{_V} = stream\.cmd\.execute( once)?{_ON}(?: await\({_V}\) =>)? with\((.*)\) \{{$")
CAPTURE = re.compile(rf"{_V} as {_V}: {_SIZE}")
DISPATCH = re.compile(r"stream\.cmd\.dispatch @[\w$.-]+::@([\w$.-]+)(?:\((.*) : (i32(?:, i32)*)\))? \{$")
BINDING = re.compile(rf"(ro|rw|wo) {_V}\[{_V} for {_V}\] : {_SIZE},?$")
COPY = re.compile(rf"stream\.cmd\.copy {_V}\[{_V}\], {_V}\[{_V}\], {_V} : {_SIZE} -> {_SIZE}$")
FILL = re.compile(rf"stream\.cmd\.fill {_V}, {_V}\[{_V} for {_V}\] : i(8|16|32|64) -> {_SIZE}$")
WAITED = re.compile(rf"(%[\w$.-]+)(?::\d+)? = stream\.timepoint\.await(?: sync)? {_V} => (.*) : ([^:]*)$")
VIEWED = re.compile(rf"{_V} = stream\.resource\.subview {_V}\[{_V}\] : {_SIZE} -> {_SIZE}$")
GIVEN = re.compile(
    rf"{_V} = stream\.tensor\.export{_ON} {_V} : tensor<((?:\d+x)*)([^<>?]*|complex<\w+>)> in "
    r"!stream\.resource<external>\{(%[\w$.-]+)\} -> !hal\.buffer_view$"
)
BARRIER = re.compile(rf"{_V} = util\.optimization_barrier {_V} : ([^ ]+)$")
STORED = re.compile(rf"util\.global\.store {_V}, @([\w$.-]+) : !stream\.resource<constant>$")
RETURNED = re.compile(r"util\.return(?: (.*) : !hal\.buffer_view(?:, !hal\.buffer_view)*)?$")

# How constants are given to the device when the program is loaded, with what `arith.constant` says left out.
UPLOAD = re.compile(
    r"(?P<now>%\d+) = stream\.timepoint\.immediate => !stream\.timepoint\n"
    r"(?P<bytes>%\w+) = util\.buffer\.constant <alignment = 64> : !util\.buffer = (?P<data>#util\.composite<.*?\n\]>)\n"
    rf"(?P<can>%\w+), (?P<mapped>%\w+) = stream\.resource\.try_map{_ON} (?P=bytes)\[(?P<zero>%\w+)\] : "
    r"!util\.buffer -> i1, !stream\.resource<constant>\{(?P<size>%\w+)\}\n"
    r"cf\.cond_br (?P=can), \^bb2\((?P=now), (?P=mapped) : !stream\.timepoint, !stream\.resource<constant>\), \^bb1\n"
    r"\^bb1:.*?\n"
    rf"(?P<made>%\d+) = stream\.resource\.alloc uninitialized{_ON} : !stream\.resource<constant>\{{(?P=size)\}}\n"
    rf"(?P<file>%\w+) = stream\.file\.constant{_ON} (?P=bytes)\[(?P=zero) for (?P=size)\] : "
    r"!util\.buffer\{(?P=size)\} -> !stream\.file\n"
    rf"(?P<read>%\d+) = stream\.file\.read{_ON} await\((?P=now)\) => (?P=file)\[(?P<none>%\w+)\], "
    r"(?P=made)\[(?P=zero)\], (?P=size) : !stream\.file -> !stream\.resource<constant>\{(?P=size)\} => "
    r"!stream\.timepoint\n"
    r"cf\.br \^bb2\((?P=read), (?P=made) : !stream\.timepoint, !stream\.resource<constant>\)\n"
    r"\^bb2\((?P<point>%\d+): !stream\.timepoint, (?P<memory>%\d+): !stream\.resource<constant>\):[^\n]*\n",
    re.S,
)
