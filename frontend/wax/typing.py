"""Annotations of arrays by dtype and shape: `f32["b", "d"]` on a parameter or a result, checked when it is traced.

    from wax.typing import f32, i32

    @wax.jit
    def embed(table: f32["n", "d"], ids: i32["b", "t"]) -> f32["b", "t", "d"]:
        return table[ids]

A size is a number; a name, which stands for one size in all annotations of the function; an expression of names such
as `"2*d"`; `"_"`, for any; or a `wax.Dim` (or what is computed of some), which makes the size symbolic as
`dynamic_shapes=` does. `...` stands for any number of dims, once in an annotation. `f32[()]` is of rank 0, and `f32`
of any shape; `Shaped["b"]` is of any dtype. Annotations stand within `tuple`, `list`, `dict` and `Optional`, and on the
fields of dataclasses and named tuples.

They cost nothing in calls of what is compiled already: the sizes and dtypes of a call decide which program it is.
Linters take such names for types; ruff is told otherwise by `F821` among its ignored rules.
"""

from __future__ import annotations

from types import EllipsisType
from typing import Any, TypeAlias, Union

import numpy as np

from wax import dtypes
from wax.dims import DimExpr
from wax.errors import InvalidArgumentError

__all__ = [
    "ArrayAnnotation",
    "Shaped",
    "b1",
    "bf16",
    "c64",
    "c128",
    "f16",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
]

#: A size as it is annotated; `...` for any number of them.
Entry: TypeAlias = "int | str | DimExpr | EllipsisType"


class ArrayAnnotation:
    """What `f32` and `f32["b", "d"]` are: a dtype and the sizes of a shape, either of them left open by `None`."""

    __slots__ = ("dtype", "name", "shape")

    def __init__(self, name: str, dtype: np.dtype[Any] | None, shape: tuple[Entry, ...] | None = None) -> None:
        self.name, self.dtype, self.shape = name, dtype, shape

    def __getitem__(self, shape: Any) -> ArrayAnnotation:
        """The annotation with a shape. Raises `InvalidArgumentError` for what is no size."""
        entries = shape if isinstance(shape, tuple) else (shape,)
        for entry in entries:
            if isinstance(entry, bool) or not isinstance(entry, int | str | DimExpr | EllipsisType):
                raise InvalidArgumentError(
                    f"{self.name}[…] takes sizes: numbers, names, wax.Dims and ..., and {entry!r} is none"
                )
        if sum(entry is ... for entry in entries) > 1:
            raise InvalidArgumentError(f"{self.name}[…] takes one ... at most; it stands for any number of dims")
        return ArrayAnnotation(self.name, self.dtype, entries)

    def __repr__(self) -> str:
        if self.shape is None:
            return self.name
        sizes = ", ".join("..." if e is ... else repr(e) if isinstance(e, str) else str(e) for e in self.shape)
        return f"{self.name}[{sizes or '()'}]"

    def __or__(self, other: Any) -> Any:
        return Union[self, other]  # noqa: UP007 (this is what | is to mean)

    def __ror__(self, other: Any) -> Any:
        return Union[other, self]  # noqa: UP007

    def __call__(self) -> Any:
        """Annotations have to be callable, for `typing`; there is nothing to call."""
        raise TypeError(f"{self!r} annotates arrays, it makes none; see wax.numpy.zeros")


Shaped = ArrayAnnotation("Shaped", None)
b1 = ArrayAnnotation("b1", dtypes.bool_)
i8 = ArrayAnnotation("i8", dtypes.int8)
i16 = ArrayAnnotation("i16", dtypes.int16)
i32 = ArrayAnnotation("i32", dtypes.int32)
i64 = ArrayAnnotation("i64", dtypes.int64)
u8 = ArrayAnnotation("u8", dtypes.uint8)
u16 = ArrayAnnotation("u16", dtypes.uint16)
u32 = ArrayAnnotation("u32", dtypes.uint32)
u64 = ArrayAnnotation("u64", dtypes.uint64)
f16 = ArrayAnnotation("f16", dtypes.float16)
bf16 = ArrayAnnotation("bf16", dtypes.bfloat16)
f32 = ArrayAnnotation("f32", dtypes.float32)
f64 = ArrayAnnotation("f64", dtypes.float64)
c64 = ArrayAnnotation("c64", dtypes.complex64)
c128 = ArrayAnnotation("c128", dtypes.complex128)
