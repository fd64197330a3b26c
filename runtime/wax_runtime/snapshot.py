"""The immutable picture of a wax program that Python reads.

One native call turns a finished program into these frozen dataclasses; the reference backend,
outside backends, user rules and `explain` see nothing else. Nothing here holds a live MLIR object,
and nothing here knows what an operation means.

A tensor value is a number, unique in its function: the arguments come first, then, operation by
operation, its results, then the arguments and operations of each of its regions. Kernels are trees
of scalar expressions; a subexpression that is used twice is the same object in both places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

__all__ = [
    "Apply",
    "Argument",
    "Attribute",
    "Function",
    "Kernel",
    "Literal",
    "Location",
    "Module",
    "Operation",
    "Region",
    "Scalar",
    "TensorType",
    "as_groups",
    "as_ints",
    "as_sizes",
]


@dataclass(frozen=True, slots=True)
class Location:
    """Where in the user's program an operation was written."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class TensorType:
    """A ranked tensor; `None` is a dynamic dim. A value of `index` type has shape `()`."""

    shape: tuple[int | None, ...]
    element: str  #: as MLIR spells it: "i1", "i32", "bf16", "f32", "complex<f32>", "index" …

    def __str__(self) -> str:
        dims = "".join(f"{'?' if dim is None else dim}x" for dim in self.shape)
        return f"tensor<{dims}{self.element}>"


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """The kernel's `index`-th scalar argument."""

    index: int
    element: str


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A scalar constant; floats are exact, NaN payloads are not kept."""

    value: bool | int | float | complex
    element: str


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """A scalar operation of `arith`, `math` or `complex`: `op` is its full name.

    Enumerations are spelled by their keyword (`predicate` is "olt"); flags that say nothing
    (`fastmath` none) are left out. An operation with several results is one `Apply` for each result
    that is used, told apart by the attribute `result`.
    """

    op: str
    operands: tuple[Scalar, ...]
    element: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict)


Scalar: TypeAlias = Argument | Literal | Apply


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """A region over scalars: what it takes, by element type, and what it yields."""

    arguments: tuple[str, ...]
    results: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """A region of a glue operation (`scf`): block arguments, operations, yielded values."""

    arguments: tuple[int, ...]
    operations: tuple[Operation, ...]
    results: tuple[int, ...]


#: Integers, strings, lists of them, nested lists (`dims` of a broadcast) and constant data (the
#: `value` of wax.constant as a read-only NumPy array, that of arith.constant as a scalar). In
#: `static_sizes` and its like, `None` stands where the next operand of the matching segment is the
#: size. A unit attribute is `True`; a dictionary is a tuple of (name, attribute) pairs; a type, an
#: affine map, or anything else is its MLIR text.
Attribute: TypeAlias = "bool | int | float | complex | str | None | tuple[Attribute, ...] | np.ndarray"


@dataclass(frozen=True, slots=True, eq=False)
class Operation:
    """One operation: its full name, the numbers of the values it takes and makes.

    `attributes` has the names of the ODS definition. `segments` says how many operands each
    operand group has, in ODS order (`inputs`, `sizes` …); one entry when there is one group.
    `kernels` has one entry a kernel region, `None` for an absent optional one.
    """

    name: str
    operands: tuple[int, ...]
    results: tuple[int, ...]
    attributes: Mapping[str, Attribute]
    segments: tuple[int, ...]
    kernels: tuple[Kernel | None, ...]
    regions: tuple[Region, ...]
    location: Location | None


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function: `types[v]` is the type of value `v`; arguments are values 0 … n−1.

    `argument_attributes` and `result_attributes` have one entry an argument and a result.
    """

    name: str
    arguments: tuple[int, ...]
    operations: tuple[Operation, ...]
    results: tuple[int, ...]
    types: tuple[TensorType, ...]
    argument_attributes: tuple[Mapping[str, Attribute], ...]
    attributes: Mapping[str, Attribute]
    result_attributes: tuple[Mapping[str, Attribute], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """Functions by name; `entry` names the one that callers call."""

    functions: Mapping[str, Function]
    entry: str


def as_ints(attribute: Attribute) -> tuple[int, ...]:
    """An attribute that is a list of integers."""
    assert isinstance(attribute, tuple)
    return tuple(int(x) for x in attribute)  # pyright: ignore[reportArgumentType]


def as_sizes(attribute: Attribute) -> tuple[int | None, ...]:
    """An attribute that is a list of sizes or offsets, `None` for those that are operands."""
    assert isinstance(attribute, tuple)
    return tuple(None if x is None else int(x) for x in attribute)  # pyright: ignore[reportArgumentType]


def as_groups(attribute: Attribute) -> tuple[tuple[int, ...], ...]:
    """An attribute that is a list of lists of integers."""
    assert isinstance(attribute, tuple)
    return tuple(as_ints(group) for group in attribute)
