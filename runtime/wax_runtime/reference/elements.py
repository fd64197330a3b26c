"""Element types as NumPy sees them: the signed array dtype, its unsigned twin, and the width.

Integers are signless in the dialect. Arrays carry them under the signed dtype of their width, and an
operation that reads them as unsigned takes a view. Signedness at the borders of a program is `backend.py`'s
part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from wax_runtime import dtypes
from wax_runtime.errors import BackendError

__all__ = ["Array", "Element", "element", "scalar"]

#: What flows between closures: a host array, or a NumPy scalar where NumPy makes one of rank 0.
Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Element:
    """One element type; `kind` is one of `bool, int, float, complex`."""

    name: str
    dtype: np.dtype[Any]
    kind: str
    bits: int

    @property
    def unsigned(self) -> np.dtype[Any]:
        """The unsigned dtype of this integer's width."""
        return np.dtype(f"u{self.dtype.itemsize}")


def _table() -> dict[str, Element]:
    table = {
        row.mlir: Element(row.mlir, row.numpy, row.kind, 1 if row.kind == "bool" else 8 * row.itemsize)
        for row in dtypes.BY_MLIR.values()
    }
    # Index values are Python ints between operations, and 64 bits wide where a kernel computes with them.
    table["index"] = Element("index", np.dtype(np.int64), "int", 64)
    return table


_ELEMENTS = _table()


def element(name: str) -> Element:
    """The element type that MLIR spells `name`. Raises `BackendError` for one outside the basis."""
    try:
        return _ELEMENTS[name]
    except KeyError:
        raise BackendError(f"the reference backend has no arrays of {name}") from None


def scalar(value: bool | int | float | complex, of: Element) -> np.generic:
    """A constant of an element type; integers wrap into its width.

    >>> scalar(255, element("i8"))
    np.int8(-1)
    """
    if of.kind == "int":
        assert isinstance(value, int)
        half = 1 << (of.bits - 1)
        value = (value + half) % (2 * half) - half
    return of.dtype.type(value)
