"""Telling a user whose function is compiled again and again, and what differs between the calls."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from wax.abstract import Abstract

__all__ = ["Recompilations"]

_log = logging.getLogger("wax.compile")

#: The compilation at which it is said, once for each function.
TOLD_AT = 3


class Recompilations:
    """The compilations of one function."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0
        self._last: dict[str, str] = {}

    def note(self, names: Sequence[str], abstracts: Sequence[Abstract], static: Any) -> None:
        """Notes one more, for arguments called by `names`."""
        now = {
            name: f"{abstract}{' of a Python number' * abstract.weak}"
            for name, abstract in zip(names, abstracts, strict=True)
        }
        now["the static arguments"] = repr(static)
        changed = {
            name: (self._last.get(name, "nothing"), new) for name, new in now.items() if self._last.get(name) != new
        }
        self._count, self._last = self._count + 1, now
        if self._count == TOLD_AT:
            what = (
                "; ".join(f"{name} was {old}, now {new}" for name, (old, new) in changed.items())
                or "its structure changed"
            )
            _log.warning(
                "%r is compiled for the 3rd time, as calls differ: %s. One program serves all sizes of a dim that is "
                "declared, dynamic_shapes={name: {axis: wax.Dim('n')}}; further compilations are not reported",
                self._name,
                what,
            )
