"""Devices do what a program does in its order.

IREE 3.13 decides by that order what is updated in place, and then puts an update before the last reads of what was
there, where these wait for something else. `iree-compile` has a flag that keeps the order; IREE's library does not
know it, so there the module says it.
"""

from __future__ import annotations

import re

__all__ = ["IN_ORDER", "in_order", "readable"]

#: The flag.
IN_ORDER = ("--iree-stream-partitioning-favor=debug",)

_CONFIGURATION = '#stream.partitioning_config<"debug">'
_MODULE = re.compile(r"^module(?: attributes \{(?P<others>.*)\})? \{$", re.MULTILINE)


def in_order(text: str) -> str:
    """A module's text that says so itself."""

    def says(module: re.Match[str]) -> str:
        others = module["others"]
        return f"module attributes {{{f'{others}, ' if others else ''}stream.partitioning = {_CONFIGURATION}}} {{"

    return _MODULE.sub(says, text, count=1)


def readable(text: str) -> str:
    """What IREE printed of such a module, as IREE reads it."""
    return text.replace("#stream.partitioning_config<favor-debug>", _CONFIGURATION)
