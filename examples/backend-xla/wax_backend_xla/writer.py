"""StableHLO as text, in MLIR's generic form: values with types, and the operations that make them.

A `Value` has a static shape and an element type; Python's operators on values write operations. Integers are
signless where wax has them so, and `Value.unsigned` is the same bits as `ui32` and its like. This module knows
StableHLO, and nothing of wax.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

__all__ = ["NUMPY", "Shape", "Value", "Writer", "ints"]

Shape = tuple[int, ...]

#: The NumPy dtype of each element type.
NUMPY: dict[str, np.dtype[Any]] = {
    "i1": np.dtype(np.bool_),
    **{f"i{bits}": np.dtype(f"i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": np.dtype(f"u{bits // 8}") for bits in (8, 16, 32, 64)},
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "complex<f32>": np.dtype(np.complex64),
    "complex<f64>": np.dtype(np.complex128),
}


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """An SSA value: its name, its static shape and its element type."""

    name: str
    shape: Shape
    element: str
    writer: Writer

    @property
    def type(self) -> str:
        return _type(self.shape, self.element)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def bits(self) -> int:
        """The width of an element that is not complex."""
        return 1 if self.element == "i1" else 8 * NUMPY[self.element].itemsize

    @property
    def kind(self) -> str:
        """One of `bool`, `int`, `uint`, `float`, `complex`."""
        if self.element == "i1":
            return "bool"
        return {"i": "int", "u": "uint", "c": "complex"}.get(self.element[0], "float")

    def like(self, value: Any) -> Value:
        """A constant of this value's type, all elements the same."""
        return self.writer.splat(value, self.shape, self.element)

    def _other(self, other: Value | complex) -> Value:
        return other if isinstance(other, Value) else self.like(other)

    def apply(self, name: str, *others: Value | complex, element: str | None = None, attributes: str = "") -> Value:
        """An elementwise operation: of StableHLO, unless `name` says another dialect."""
        operands = (self, *map(self._other, others))
        return self.writer.op(name, operands, self.shape, element or self.element, attributes)

    def __add__(self, other: Value | complex) -> Value:
        return self.apply("add", other)

    def __sub__(self, other: Value | complex) -> Value:
        return self.apply("subtract", other)

    def __mul__(self, other: Value | complex) -> Value:
        return self.apply("multiply", other)

    def __truediv__(self, other: Value | complex) -> Value:
        return self.apply("divide", other)

    def __and__(self, other: Value | int) -> Value:
        return self.apply("and", other)

    def __or__(self, other: Value | int) -> Value:
        return self.apply("or", other)

    def __xor__(self, other: Value | int) -> Value:
        return self.apply("xor", other)

    def __lshift__(self, other: Value | int) -> Value:
        return self.apply("shift_left", other)

    def __rshift__(self, other: Value | int) -> Value:
        """Fills with the sign, or with zeros when unsigned."""
        return self.apply("shift_right_logical" if self.kind == "uint" else "shift_right_arithmetic", other)

    def __neg__(self) -> Value:
        return self.apply("negate")

    def __invert__(self) -> Value:
        return self.apply("not")

    def compare(self, direction: str, other: Value | complex) -> Value:
        """`EQ`, `NE`, `LT`, `LE`, `GT` or `GE`; of NaN all but `NE` are false."""
        attributes = f"comparison_direction = #stablehlo<comparison_direction {direction}>"
        return self.apply("compare", other, element="i1", attributes=attributes)

    def select(self, on_true: Value | complex, on_false: Value | complex) -> Value:
        """This condition's choice; one of the two must be a value."""
        pattern = on_true if isinstance(on_true, Value) else on_false
        assert isinstance(pattern, Value)
        operands = (self, pattern._other(on_true), pattern._other(on_false))
        return self.writer.op("select", operands, self.shape, pattern.element)

    def convert(self, element: str) -> Value:
        """To another element type, as StableHLO converts."""
        return self if element == self.element else self.apply("convert", element=element)

    def bitcast(self, element: str) -> Value:
        """The same bits, as another type of the width."""
        return self if element == self.element else self.apply("bitcast_convert", element=element)

    @property
    def unsigned(self) -> Value:
        """An integer's bits, read as unsigned."""
        return self.bitcast(f"u{self.element}") if self.kind == "int" else self

    @property
    def signless(self) -> Value:
        """An unsigned integer's bits, as wax has them."""
        return self.bitcast(self.element[1:]) if self.kind == "uint" else self

    def transpose(self, permutation: Sequence[int]) -> Value:
        """Result dim `k` is dim `permutation[k]`."""
        if list(permutation) == list(range(len(self.shape))):
            return self
        shape = tuple(self.shape[dim] for dim in permutation)
        return self.writer.op("transpose", [self], shape, self.element, f"permutation = {ints(permutation)}")

    def reshape(self, shape: Sequence[int]) -> Value:
        """The same elements in row-major order."""
        return self if tuple(shape) == self.shape else self.writer.op("reshape", [self], tuple(shape), self.element)

    def broadcast(self, shape: Sequence[int], dims: Sequence[int] = ()) -> Value:
        """This value's dims as those `dims` of a larger one, in any order, repeated along all others."""
        if tuple(shape) == self.shape and list(dims) == list(range(len(shape))):
            return self
        # HLO takes them in increasing order only.
        order = sorted(range(len(dims)), key=lambda axis: dims[axis])
        source = self.transpose(order)
        attributes = f"broadcast_dimensions = {ints(sorted(dims))}"
        return self.writer.op("broadcast_in_dim", [source], tuple(shape), self.element, attributes)

    def slice(self, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None) -> Value:
        """Elements from `starts` until before `limits`, by `strides`."""
        strides = strides or [1] * len(starts)
        shape = tuple(
            max(0, -((start - limit) // stride)) for start, limit, stride in zip(starts, limits, strides, strict=True)
        )
        if shape == self.shape:
            return self
        attributes = f"start_indices = {ints(starts)}, limit_indices = {ints(limits)}, strides = {ints(strides)}"
        return self.writer.op("slice", [self], shape, self.element, attributes)

    def pad(self, value: Value, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Value:
        """Rank-0 `value` around and between the elements; negative `low` and `high` crop."""
        shape = tuple(
            a + max(0, (n - 1) * (between + 1) + 1 if n else 0) + b
            for n, a, b, between in zip(self.shape, low, high, interior, strict=True)
        )
        attributes = (
            f"edge_padding_low = {ints(low)}, edge_padding_high = {ints(high)}, interior_padding = {ints(interior)}"
        )
        return self.writer.op("pad", [self, value], shape, self.element, attributes)

    def at(self, starts: Sequence[Value | int], sizes: Sequence[int]) -> Value:
        """The box of `sizes` that begins at `starts`, each clamped so that it lies inside."""
        operands = [self, *self.writer.scalars(starts)]
        if not self.shape:
            return self
        return self.writer.op("dynamic_slice", operands, tuple(sizes), self.element, f"slice_sizes = {ints(sizes)}")

    def with_box(self, box: Value, starts: Sequence[Value | int]) -> Value:
        """A copy with `box` at `starts`, each clamped so that it lies inside."""
        operands = [self, box, *self.writer.scalars(starts)]
        return self.writer.op("dynamic_update_slice", operands, self.shape, self.element)

    def reverse(self, dims: Sequence[int]) -> Value:
        """Turned around along `dims`."""
        if not dims:
            return self
        return self.writer.op("reverse", [self], self.shape, self.element, f"dimensions = {ints(dims)}")


#: What a region does with its arguments.
Body = Callable[[list[Value]], Sequence[Value]]


class Writer:
    """Writes one function: operations in order, and regions within."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def value(self, shape: Shape, element: str) -> Value:
        """A name of its own, for an argument."""
        self._count += 1
        return Value(f"%{self._count}", shape, element, self)

    def op(
        self,
        name: str,
        operands: Sequence[Value],
        shape: Shape,
        element: str,
        attributes: str = "",
        regions: Sequence[str] = (),
    ) -> Value:
        """An operation with one result."""
        (result,) = self.several(name, operands, [(shape, element)], attributes, regions)
        return result

    def several(
        self,
        name: str,
        operands: Sequence[Value],
        results: Sequence[tuple[Shape, str]],
        attributes: str = "",
        regions: Sequence[str] = (),
    ) -> list[Value]:
        """An operation: of StableHLO, unless `name` says another dialect."""
        values = [self.value(shape, element) for shape, element in results]
        full = name if "." in name else f"stablehlo.{name}"
        inner = f" ({', '.join(regions)})" if regions else ""
        left = f"{', '.join(value.name for value in values)} = " if values else ""
        self.lines.append(
            f'{left}"{full}"({", ".join(x.name for x in operands)}){inner} {{{attributes}}} : '
            f"({', '.join(x.type for x in operands)}) -> ({', '.join(x.type for x in values)})"
        )
        return values

    def region(self, arguments: Sequence[tuple[Shape, str]], body: Body) -> str:
        """A region's text. What it takes from around it needs no mention."""
        outside, self.lines = self.lines, []
        values = [self.value(shape, element) for shape, element in arguments]
        self.several("return", body(values), [])
        inner, self.lines = self.lines, outside
        head = f"^bb0({', '.join(f'{value.name}: {value.type}' for value in values)}):\n" if values else ""
        return "{\n" + head + "\n".join(inner) + "\n}"

    def splat(self, value: Any, shape: Shape, element: str) -> Value:
        """A constant whose elements are all the same."""
        return self.op(
            "constant", [], shape, element, f"value = dense<{_literal(value, element)}> : {_type(shape, element)}"
        )

    def constant(self, array: np.ndarray[Any, Any], element: str) -> Value:
        """A constant of these elements."""
        array = np.asarray(array, NUMPY[element])
        data = np.ascontiguousarray(array).tobytes()
        if array.size and data == data[: array.itemsize] * array.size:
            return self.splat(array.flat[0], array.shape, element)
        if element == "i1":
            # How MLIR packs bits is its own affair.
            return self.constant(array.astype(np.int8), "i8").compare("NE", 0)
        text = f'"0x{data.hex().upper()}"' if array.size else ""
        return self.op("constant", [], array.shape, element, f"value = dense<{text}> : {_type(array.shape, element)}")

    def iota(self, dim: int, shape: Shape, element: str) -> Value:
        """Counts along a dim."""
        return self.op("iota", [], shape, element, f"iota_dimension = {dim} : i64")

    def concatenate(self, values: Sequence[Value], dim: int) -> Value:
        """One after another along a dim."""
        if len(values) == 1:
            return values[0]
        shape = list(values[0].shape)
        shape[dim] = sum(value.shape[dim] for value in values)
        return self.op("concatenate", values, tuple(shape), values[0].element, f"dimension = {dim} : i64")

    def scalars(self, indices: Sequence[Value | int]) -> list[Value]:
        """Indices as `i64` values, as operations that take several want them."""
        return [x.convert("i64") if isinstance(x, Value) else self.splat(x, (), "i64") for x in indices]

    def while_(self, state: Sequence[Value], test: Callable[[list[Value]], Value], body: Body) -> list[Value]:
        """The state after the last turn."""
        types = [(x.shape, x.element) for x in state]
        regions = [self.region(types, lambda values: [test(values)]), self.region(types, body)]
        return self.several("while", state, types, "", regions)

    def repeat(
        self, count: int, state: Sequence[Value], body: Callable[[Value, list[Value]], Sequence[Value]]
    ) -> list[Value]:
        """The state after `body(turn, state)` has been done so many times."""
        start = self.splat(0, (), "i64")
        _, *left = self.while_(
            [start, *state],
            lambda values: values[0].compare("LT", count),
            lambda values: [values[0] + 1, *body(values[0], values[1:])],
        )
        return left


def ints(values: Sequence[int]) -> str:
    """A list of integers as an attribute.

    >>> ints([1, 2]), ints([])
    ('array<i64: 1, 2>', 'array<i64>')
    """
    return f"array<i64: {', '.join(map(str, values))}>" if len(values) else "array<i64>"


def _type(shape: Shape, element: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def _literal(value: Any, element: str) -> str:
    dtype = NUMPY[element]
    if element == "i1":
        return "true" if value else "false"
    if dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        low = 0 if dtype.kind == "u" else -(1 << (bits - 1))
        return str((int(value) - low) % (1 << bits) + low)
    scalar = dtype.type(value)
    if element.startswith("complex"):
        part = element[len("complex<") : -1]
        return f"({_literal(scalar.real, part)}, {_literal(scalar.imag, part)})"
    return f"0x{int.from_bytes(scalar.tobytes(), 'little'):0{2 * dtype.itemsize}X}"
