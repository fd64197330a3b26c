"""What the passes made of captured arguments: `@main$prepare`, which is called once, and what `@main` takes of it.

Read off the text that IREE is given, as MLIR prints it, and off what IREE prints after its phase `stream`.
"""

from __future__ import annotations

import hashlib
import re

from wax.backends.iree.executables import aliases_in, executables_in, written_out
from wax.backends.iree.overwrites import memory_of
from wax_runtime import dtypes
from wax_runtime.backend import Preparation
from wax_runtime.signature import ArgumentSpec, Signature

__all__ = ["preparation_in"]

_FUNCTION = re.compile(r"^  func\.func @(main\$prepare)\((.*?)\) -> (.*?) \{$.*?^  \}$", re.MULTILINE | re.DOTALL)
_KEPT = re.compile(r"wax\.kept = array<i64(?:: ([\d, ]+))?>")
_TENSOR = re.compile(r"tensor<((?:\d+x)*)(\w+(?:<\w+>)?)>")
_CALLED = re.compile(r"@([\w$.-]+)::@[\w$.-]+")


def preparation_in(text: str, signature: Signature, stream: str) -> Preparation | None:
    """What a program of this signature prepares of its last arguments; `None` for nothing."""
    function, kept = _FUNCTION.search(text), _KEPT.search(text)
    if function is None or kept is None:
        return None
    entry, arguments, results = function.groups()
    own = Signature(
        entry=entry,
        arguments=signature.arguments[len(signature.arguments) - arguments.count("%arg") :],
        results=tuple(
            ArgumentSpec(f"prepared{number}", tuple(map(int, dims.split("x")[:-1])), dtypes.BY_MLIR[element].numpy)
            for number, (dims, element) in enumerate(_TENSOR.findall(results))
        ),
        name=signature.name,
    )
    memory = memory_of(stream, entry, text)
    assert not memory.corrupted, "what is prepared is no argument"
    numbers = tuple(map(int, kept[1].split(","))) if kept[1] else ()
    return Preparation(own, numbers, _digest(text, function[0]), memory.overwrites, memory.aliases)


def _digest(text: str, function: str) -> str:
    """A function known by what it does, whatever else is in its program and has other numbers for maps and executables
    there.
    """
    executables = executables_in(text)
    whole = _CALLED.sub(lambda called: executables[called[1]].replace(called[1], "called"), function)
    return hashlib.sha256(written_out(whole, aliases_in(text)).encode()).hexdigest()
