"""Abstract arguments: what of an argument decides which program is compiled. Shapes, dtypes, weakness.

Turns the arguments of a call into flat leaves and their abstract values, with the dims that
`dynamic_shapes=` declares put in place of sizes. It neither traces nor runs anything.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wax import dtypes, tree
from wax.array import Array, as_array
from wax.dims import Dim, DimExpr, Size, format_shape, same
from wax.errors import ArgumentStructureError, ArgumentTypeError, DimensionFactError, ShapeError
from wax.tracer import Tracer

__all__ = [
    "NATIVE_LEAVES",
    "Abstract",
    "ShapeDtypeStruct",
    "abstract_leaf",
    "apply_dims",
    "call_key",
    "concrete_leaf",
    "dims_per_leaf",
    "static_key",
]


class ShapeDtypeStruct:
    """A shape and a dtype without elements: stands for an array where only these matter.

    Dims may be `wax.Dim`s, or strings, which name them. Raises `ShapeError` for a negative size.

    >>> jit(lambda x: x + 1).trace(ShapeDtypeStruct((Dim("b"), 4), "float32")).out_info
    ShapeDtypeStruct((b, 4), float32)
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: Sequence[Size | str], dtype: Any) -> None:
        self.shape: tuple[Size, ...] = tuple(Dim(size) if isinstance(size, str) else size for size in shape)
        self.dtype: np.dtype[Any] = dtypes.canonical(dtype)
        if any(isinstance(size, int) and size < 0 for size in self.shape):
            raise ShapeError(f"ShapeDtypeStruct: the shape {format_shape(self.shape)} has a negative size")

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return len(self.shape)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        return f"ShapeDtypeStruct({format_shape(self.shape)}, {self.dtype.name})"


@dataclass(frozen=True, slots=True)
class Abstract:
    """The abstract value of one leaf."""

    shape: tuple[Size, ...]
    dtype: np.dtype[Any]
    weak: bool = False

    def key(self) -> tuple[Any, ...]:
        """Equal for leaves that one program serves."""
        return (
            *(size if isinstance(size, int) else _dim_key(size) for size in self.shape),
            self.dtype,
            self.weak,
        )

    def __str__(self) -> str:
        return f"{self.dtype.name}{format_shape(self.shape)}"


def _dim_key(size: DimExpr) -> tuple[Any, ...]:
    return (str(size), *sorted((dim.name, dim.declared_min, dim.max or -1) for dim in size.dims()))


def abstract_leaf(leaf: Any, name: str) -> Abstract:
    """The abstract value of an argument's leaf. Raises `ArgumentTypeError`, which names it."""
    if isinstance(leaf, Array | ShapeDtypeStruct):
        return Abstract(leaf.shape, leaf.dtype)
    if type(leaf) is Tracer:
        return Abstract(leaf.shape, leaf.dtype, leaf.weak)
    if isinstance(leaf, np.ndarray | np.generic):  # np.float64 is a Python float by inheritance, and not weak
        return Abstract(leaf.shape, dtypes.canonical(leaf.dtype))
    if isinstance(leaf, bool | int | float | complex):
        dtype, weak = dtypes.of_argument(leaf)
        return Abstract((), dtype, weak)
    if hasattr(leaf, "__dlpack__") or hasattr(leaf, "__array__"):
        array = as_array(leaf)
        return Abstract(array.shape, array.dtype)
    raise ArgumentTypeError(
        f"argument {name} is of type {type(leaf).__name__!r}, which is neither an array, a number, nor a pytree of "
        f"them; name it in static_argnames, or register its class with wax.tree.register"
    )


#: The types of leaves that `_native.CallCache` can read; it tells them apart as `call_key` does.
NATIVE_LEAVES = frozenset({Array, np.ndarray, bool, int, float, complex})


def call_key(leaf: Any) -> Any:
    """What of a leaf a call is found by: at least as fine as its abstract value."""
    kind = type(leaf)
    if isinstance(leaf, Array):
        return leaf.spec
    if kind is np.ndarray:
        return (leaf.shape, leaf.dtype)
    if isinstance(leaf, np.generic):
        return (np.generic, leaf.dtype)
    if isinstance(leaf, bool | int | float | complex):
        return (kind, dtypes.of_argument(leaf))
    if hasattr(leaf, "__dlpack__") or hasattr(leaf, "__array__"):
        return abstract_leaf(leaf, "").key()
    return kind


def static_key(value: Any) -> Any:
    """What of a static argument a call is found by: equal for values that one program serves.

    1, 1.0 and True are equal, and so are zeros of both signs, but they are not the same program. NaNs of the same bits
    are.
    """
    kind = type(value)
    if kind is float or kind is complex:
        return (kind, struct.pack("dd", value.real, value.imag))
    if kind is tuple:
        return (kind, *map(static_key, value))
    return (kind, value)


def concrete_leaf(leaf: Any) -> Array:
    """An argument's leaf as an array for a compiled program; Python numbers in the dtype that carries them."""
    if isinstance(leaf, Array):
        return leaf
    if isinstance(leaf, bool | int | float | complex) and not isinstance(leaf, np.generic):
        return Array.from_numpy(np.asarray(leaf, dtypes.carrier(*dtypes.of_argument(leaf))))
    if isinstance(leaf, ShapeDtypeStruct):
        raise ArgumentTypeError(
            f"{leaf!r} has no elements to compute with; give it to .trace or wax.eval_shape, or pass an array"
        )
    return as_array(leaf)


# Dims declared by dynamic_shapes=.


def _is_leaf_spec(spec: Any) -> bool:
    if spec is None or isinstance(spec, DimExpr | str):
        return True
    if isinstance(spec, Mapping):
        return bool(spec) and all(isinstance(axis, int) for axis in spec)
    return isinstance(spec, tuple) and bool(spec) and all(isinstance(d, int | str | DimExpr | None) for d in spec)


def dims_per_leaf(spec: Any, argument: Any, name: str) -> list[Any]:
    """`dynamic_shapes` for one argument, a prefix of its pytree, as one spec a leaf."""
    if _is_leaf_spec(spec):
        return [spec] * len(tree.flatten(argument)[0])
    if isinstance(argument, Mapping) and isinstance(spec, Mapping):
        unknown = set(spec) - set(argument)
        if not unknown:
            return [
                s for key in sorted(argument) for s in dims_per_leaf(spec.get(key), argument[key], f"{name}[{key!r}]")
            ]
    elif isinstance(argument, list | tuple) and isinstance(spec, list | tuple) and len(argument) == len(spec):
        pairs = enumerate(zip(spec, argument, strict=True))
        return [s for i, (part, value) in pairs for s in dims_per_leaf(part, value, f"{name}[{i}]")]
    raise ArgumentStructureError(
        f"dynamic_shapes of {name} does not fit the argument's structure: {spec!r}; give None, {{axis: wax.Dim}} or a "
        f"tuple of sizes for an array, and containers shaped as the argument's for a pytree"
    )


def apply_dims(abstracts: list[Abstract], specs: list[Any], names: Sequence[str]) -> list[Abstract]:
    """The abstract values with declared dims in place of sizes; sizes 0 and 1 stay as they are.

    Raises `DimensionFactError` where the sizes break what was declared.
    """
    sizes: dict[str, tuple[int, str]] = {}
    result: list[Abstract] = []
    expressions: list[tuple[DimExpr, int, str]] = []
    for abstract, spec, name in zip(abstracts, specs, names, strict=True):
        shape = list(abstract.shape)
        for axis, size in _axes(spec, len(shape), name):
            actual = shape[axis]
            if isinstance(size, int):
                if not same(size, actual):
                    raise DimensionFactError(f"dim {axis} of {name} is {actual}, but it was declared {size}")
                continue
            if not isinstance(actual, int):
                continue
            if isinstance(size, Dim):
                _check_dim(size, actual, f"dim {axis} of {name}", sizes)
            else:
                expressions.append((size, actual, f"dim {axis} of {name}"))
            if actual > 1:
                shape[axis] = size
        result.append(Abstract(tuple(shape), abstract.dtype, abstract.weak))
    known = {name: size for name, (size, _) in sizes.items()}
    for size, actual, where in expressions:
        if {dim.name for dim in size.dims()} <= known.keys() and size.evaluate(known) != actual:
            facts = ", ".join(f"{dim.name} = {known[dim.name]} in {sizes[dim.name][1]}" for dim in size.dims())
            raise DimensionFactError(f"{where} is {actual}, but it was declared {size}, and {facts}")
    # A dim of size 0 or 1 is not symbolic anywhere in this call.
    small = {name: size for name, size in known.items() if size <= 1}
    if small:
        result = [_specialise(abstract, small) for abstract in result]
    return result


def _specialise(abstract: Abstract, small: Mapping[str, int]) -> Abstract:
    def settle(size: Size) -> Size:
        if isinstance(size, int) or not any(dim.name in small for dim in size.dims()):
            return size
        return size.evaluate({dim.name: small.get(dim.name, dim) for dim in size.dims()})

    return Abstract(tuple(settle(size) for size in abstract.shape), abstract.dtype, abstract.weak)


def _axes(spec: Any, ndim: int, name: str) -> list[tuple[int, Size]]:
    if spec is None:
        return []
    if isinstance(spec, DimExpr | str):
        raise ArgumentStructureError(
            f"dynamic_shapes of {name} is {spec!r}, which names no axis; write {{0: {spec!r}}}"
        )
    items = spec.items() if isinstance(spec, Mapping) else enumerate(spec)
    if not isinstance(spec, Mapping) and len(spec) != ndim:
        raise ArgumentStructureError(f"dynamic_shapes of {name} names {len(spec)} dims, but it has {ndim}")
    found = []
    for axis, size in items:
        if not -ndim <= axis < ndim:
            raise ArgumentStructureError(f"dynamic_shapes of {name} names axis {axis}, but it has {ndim} dims")
        if size is not None:
            found.append((axis % ndim, Dim(size) if isinstance(size, str) else size))
    return found


def _check_dim(dim: Dim, actual: int, where: str, sizes: dict[str, tuple[int, str]]) -> None:
    known, first = sizes.setdefault(dim.name, (actual, where))
    if known != actual:
        raise DimensionFactError(
            f"dim {dim.name!r} is {known} in {first} and {actual} in {where}; "
            f"arrays that share a wax.Dim must have equal sizes there, else give them different names"
        )
    if actual < dim.declared_min or (dim.max is not None and actual > dim.max):
        upper = "" if dim.max is None else f" <= {dim.max}"
        raise DimensionFactError(
            f"{where} is {actual}, but it was declared {dim.declared_min} <= {dim.name}{upper}; "
            f"declare it wider, or pass an array within it"
        )
