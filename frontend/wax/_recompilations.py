"""Telling a user whose function is compiled again and again, and what differs between the calls."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from wax.abstract import Abstract
from wax_runtime.devices import Device

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

    @staticmethod
    def describe(
        names: Sequence[str], abstracts: Sequence[Abstract], static: Any, device: str | Device | None
    ) -> dict[str, str]:
        """What may differ between two calls, of arguments called by `names`."""
        return {
            **{
                name: f"{abstract}{' of a Python number' * abstract.weak}"
                for name, abstract in zip(names, abstracts, strict=True)
            },
            "the static arguments": repr(static),
            "the device": "the preferred one" if device is None else str(device),
        }

    def cause(self, call: dict[str, str]) -> str:
        """Why a call is compiled: what differs from the one that was compiled last."""
        if not self._count:
            return "first call"
        changed = [
            f"{name} was {self._last.get(name, 'nothing')}, now {now}"
            for name, now in call.items()
            if self._last.get(name) != now
        ]
        return "; ".join(changed) or "its structure changed"

    def note(self, call: dict[str, str]) -> None:
        """Notes that a call was compiled."""
        cause = self.cause(call)
        self._count, self._last = self._count + 1, call
        if self._count == TOLD_AT:
            _log.warning(
                "%r is compiled for the 3rd time, as calls differ: %s. One program serves all sizes of a dim that is "
                "declared, dynamic_shapes={name: {axis: wax.Dim('n')}}; further compilations are not reported",
                self._name,
                cause,
            )
