"""Loops that update what they carry in place.

IREE 3.13 gives a module a default device, and then takes what a loop carries for memory of no device that it knows: at
each turn, and for each carried value, it inserts a transfer to the default one, which is a copy of the whole. Without
the default there is none, and the later analysis of copies finds that a loop may write where it reads. So programs with
loops lose the default while their memory is placed (after the `flow` phase, up to the end of `stream`) and get it back,
since the phase after needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["DEFAULT_DEVICE", "loops_in", "open_loops_in", "put_back", "taken_out"]

#: The module's attribute.
DEFAULT_DEVICE = "stream.affinity.default"

_LOOP = re.compile(r"\bscf\.(for|while)\b.*\btensor<")
_DISPATCHES = ('"flow.dispatch.region"(', '"flow.executable"(')
_WITH = re.compile(
    rf"^module attributes {{({re.escape(DEFAULT_DEVICE)} = #hal\.device\.affinity<[^>]*>)}} {{", re.MULTILINE
)
_WITHOUT = re.compile(r"^module {", re.MULTILINE)


def _loops(text: str) -> Iterator[str]:
    """The lines of loops that carry tensors and are not in a dispatch."""
    dispatch = ""
    for line in text.splitlines():
        if dispatch:
            if line.startswith(dispatch):
                dispatch = ""
        elif any(one in line for one in _DISPATCHES):
            dispatch = line[: len(line) - len(line.lstrip())] + "}"
        elif _LOOP.search(line):
            yield line


def loops_in(text: str) -> bool:
    """Whether a program has loops that carry tensors and are not in a dispatch."""
    return next(_loops(text), None) is not None


def open_loops_in(text: str) -> bool:
    """Whether what such loops carry has open sizes, which IREE 3.13 crashes on in some programs."""
    return any("?" in line for line in _loops(text))


def taken_out(text: str) -> tuple[str, str | None]:
    """A module's text without its default device, and the attribute; `None` where it has none."""
    match = _WITH.search(text)
    if match is None:
        return text, None
    return f"{text[: match.start()]}module {{{text[match.end() :]}", match[1]


def put_back(text: str, attribute: str | None) -> str:
    """A module's text with its default device again."""
    if attribute is None:
        return text
    return _WITHOUT.sub(lambda _: f"module attributes {{{attribute}}} {{", text, count=1)
