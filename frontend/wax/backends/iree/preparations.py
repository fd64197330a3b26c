"""What the passes made of captured arguments: `@main$prepare`, which is called once, and what `@main` takes of it.

Read off the text that IREE is given, as MLIR prints it, and off what IREE prints after its phase `stream`.
"""

from __future__ import annotations

import re

from wax.backends.iree.overwrites import memory_of
from wax_runtime import dtypes
from wax_runtime.backend import Preparation
from wax_runtime.signature import ArgumentSpec, Signature

__all__ = ["preparation_in"]

_HEADER = re.compile(r"^  func\.func @([\w.]+\$prepare)\((.*?)\) -> (.*) \{$", re.MULTILINE)
_KEPT = re.compile(r"wax\.kept = array<i64(?:: ([\d, ]+))?>")
_TENSOR = re.compile(r"tensor<((?:\d+x)*)(\w+(?:<\w+>)?)>")


def preparation_in(text: str, signature: Signature, stream: str) -> Preparation | None:
    """What a program of this signature prepares of its last arguments; `None` for nothing."""
    header = _HEADER.search(text)
    if header is None:
        return None
    entry, arguments, results = header.groups()
    kept = _KEPT.search(text)
    assert kept is not None, "the entry says which arguments it still takes"
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
    return Preparation(own, numbers, memory.overwrites, memory.aliases)
