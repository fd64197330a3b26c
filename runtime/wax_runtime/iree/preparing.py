"""Programs of which a part is the same in all calls, as their last arguments are: done once, by whoever holds these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from wax_runtime import symbols
from wax_runtime.backend import Artefact, Preparation
from wax_runtime.buffer import Buffer
from wax_runtime.devices import Device
from wax_runtime.iree.invocation import Run
from wax_runtime.iree.loader import IreeExecutable
from wax_runtime.spec import ArraySpec

__all__ = ["PreparingExecutable"]


class PreparingExecutable:
    """A program with a `Preparation`. Called with all its arguments it does that part each time. Raises `LoadError`."""

    def __init__(self, artefact: Artefact, preparation: Preparation, device: Device, buffer_type: type[Buffer]) -> None:
        self.signature = artefact.signature
        self._artefact, self._preparation = artefact, preparation
        self._device, self._buffer_type = device, buffer_type
        self._others = len(self.signature.arguments) - len(preparation.signature.arguments)
        self._main = self._part(replace(artefact, signature=preparation.rest(artefact.signature), preparation=None))

    def _part(self, artefact: Artefact) -> IreeExecutable:
        return IreeExecutable(artefact, self._device, self._buffer_type)

    @cached_property
    def _first(self) -> IreeExecutable:
        own = self._preparation
        return self._part(
            replace(
                self._artefact,
                signature=own.signature,
                overwrites=own.overwrites,
                aliases=own.aliases,
                preparation=None,
                plan=None,
                work=None,
            )
        )

    @property
    def prepares(self) -> str:
        """As `Preparer.prepares`."""
        return f"{self._device} {self._preparation.digest}"

    def prepare(self, last: Sequence[Buffer]) -> tuple[Buffer, ...]:
        """As `Preparer.prepare`."""
        return tuple(self._first(last))

    def resume(self, last: Sequence[Buffer], made: Sequence[Buffer]) -> tuple[IreeExecutable, tuple[Buffer, ...]]:
        """As `Preparer.resume`."""
        return self._main, (*[last[number] for number in self._preparation.kept], *made)

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        return self.bind(tuple([arg.spec for arg in args]))(args)

    def putter(self, spec: ArraySpec) -> Callable[[np.ndarray[Any, Any] | np.generic], Buffer]:
        """As `IreeExecutable.putter`."""
        return self._main.putter(spec)

    def bind(self, specs: tuple[ArraySpec, ...]) -> Run:
        """A callable for arguments of exactly these specs. Raises `ArgumentError` when they do not fit."""
        symbols.bind(self.signature, specs)
        others = self._others

        def run(args: Sequence[Buffer]) -> list[Buffer]:
            last = args[others:]
            main, made = self.resume(last, self.prepare(last))
            return main([*args[:others], *made])

        return run
