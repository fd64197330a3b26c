"""Copies on Vulkan that are recorded anew for each call.

IREE 3.13 records what a program does once, and has its driver for Vulkan do that again with other memory at the next
call. Copies and fills then go to the memory of the first call: what `roll` and `concat` gave was zeros, or what had
been there, at every second call. So parts of a program that copy are recorded for each call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wax.backends.iree.targets import are_for

__all__ = ["with_copies_once"]

_PART = re.compile(
    r"^(?P<space> *)(?P<made>(?:%[\w$.-]+ = )?stream\.cmd\.execute) (?!once )"
    r"(?P<rest>.*?^(?P=space)\} => !stream\.timepoint)",
    re.MULTILINE | re.DOTALL,
)
_COPIES = re.compile(r"^ *stream\.cmd\.(copy|fill) ", re.MULTILINE)


def with_copies_once(stream: str, flags: Sequence[str]) -> str:
    """A program as it is after IREE's phase `stream`, with such parts, where flags are for Vulkan among others."""
    if not are_for(flags, "vulkan"):
        return stream

    def recorded(found: re.Match[str]) -> str:
        once = "once " if _COPIES.search(found["rest"]) else ""
        return f"{found['space']}{found['made']} {once}{found['rest']}"

    return _PART.sub(recorded, stream)
