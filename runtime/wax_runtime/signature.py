"""The calling convention of a compiled function, as data that can be written to JSON and read back.

A compiled function takes flat arrays and returns flat arrays. `in_tree` and `out_tree` are whatever the
frontend wants to find again (argument names, pytrees); the runtime carries them and does not read them.
Evaluating the symbolic dims of a shape is `symbols.py`'s part.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from wax_runtime import dtypes
from wax_runtime.errors import LoadError, WaxError

__all__ = ["VERSION", "ArgumentSpec", "Signature", "SymbolFact"]

VERSION = 1


@dataclass(frozen=True, slots=True)
class ArgumentSpec:
    """One argument or result: name, shape, dtype.

    A dim is an int, or a string: an integer expression over symbols, such as `"b"` or `"2*b+1"`. A result's
    dim may be `"?"`: known only after the call.
    """

    name: str
    shape: tuple[int | str, ...]
    dtype: np.dtype[Any]

    @property
    def is_static(self) -> bool:
        return all(isinstance(d, int) for d in self.shape)

    def __str__(self) -> str:
        head = f"{self.name}: " if self.name else ""
        return f"{head}{dtypes.info(self.dtype).name}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class SymbolFact:
    """What a symbol of dims may be: `min` and `max` inclusive, and a multiple of `multiple_of`."""

    name: str
    min: int = 0
    max: int | None = None
    multiple_of: int = 1


@dataclass(frozen=True, slots=True)
class Signature:
    """The calling convention of one compiled function.

    `entry` is the function's symbol name, `name` what its author called it; `donated` are indices of arguments
    whose memory the call may take.
    """

    entry: str
    arguments: tuple[ArgumentSpec, ...]
    results: tuple[ArgumentSpec, ...]
    symbols: tuple[SymbolFact, ...] = ()
    donated: tuple[int, ...] = ()
    in_tree: Any = None
    out_tree: Any = None
    name: str = ""

    @property
    def title(self) -> str:
        """What messages call the function."""
        return self.name or self.entry

    @property
    def is_static(self) -> bool:
        return all(spec.is_static for spec in (*self.arguments, *self.results))

    def to_json(self) -> str:
        """The signature as one line of JSON; equal signatures give equal text."""
        return json.dumps(
            {
                "version": VERSION,
                "entry": self.entry,
                "name": self.name,
                "arguments": [_to_row(s) for s in self.arguments],
                "results": [_to_row(s) for s in self.results],
                "symbols": [[s.name, s.min, s.max, s.multiple_of] for s in self.symbols],
                "donated": list(self.donated),
                "in_tree": self.in_tree,
                "out_tree": self.out_tree,
            },
            separators=(",", ":"),
        )

    @staticmethod
    def from_json(text: str) -> Signature:
        """The signature that `to_json` wrote. Raises `LoadError` for anything else."""
        try:
            data = json.loads(text)
            if data["version"] != VERSION:
                raise LoadError(f"the signature is of version {data['version']}, this wax reads version {VERSION}")
            return Signature(
                entry=str(data["entry"]),
                arguments=tuple(_from_row(r) for r in data["arguments"]),
                results=tuple(_from_row(r) for r in data["results"]),
                symbols=tuple(SymbolFact(*row) for row in data["symbols"]),
                donated=tuple(int(i) for i in data["donated"]),
                in_tree=data["in_tree"],
                out_tree=data["out_tree"],
                name=str(data.get("name", "")),
            )
        except WaxError:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise LoadError(f"not a signature written by wax: {error}") from error

    def __str__(self) -> str:
        arguments = ", ".join(map(str, self.arguments))
        results = ", ".join(map(str, self.results))
        return f"{self.title}({arguments}) -> ({results})"


def _to_row(spec: ArgumentSpec) -> list[Any]:
    return [spec.name, list(spec.shape), dtypes.info(spec.dtype).name]


def _from_row(row: list[Any]) -> ArgumentSpec:
    name, shape, dtype = row
    dims = tuple(d if isinstance(d, str) else int(d) for d in shape)
    return ArgumentSpec(str(name), dims, dtypes.from_name(dtype))
