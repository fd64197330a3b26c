"""`Tracer`: what a function's arrays are while it is traced. A shape, a dtype, no elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from wax.dims import Size, format_shape
from wax.errors import (
    DeviceError,
    LeakedTracerError,
    ShapeError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
)
from wax.operators import ArrayOperators

if TYPE_CHECKING:
    from wax._trace import Trace

__all__ = ["Tracer"]


class Tracer(ArrayOperators):
    """An array of a traced function: it has everything an array has but its elements.

    `shape` holds ints and, for dims declared dynamic, `DimExpr`s. A `weak` tracer was a Python number: it
    takes the dtype of the arrays it meets.
    """

    __slots__ = ("dtype", "shape", "trace", "value", "weak")

    def __init__(self, trace: Trace, value: int, shape: tuple[Size, ...], dtype: np.dtype[Any], weak: bool) -> None:
        self.trace = trace
        self.value = value
        # Plain attributes: a property's call would be felt in every operation.
        self.shape: tuple[Size, ...] = shape  # pyright: ignore[reportIncompatibleMethodOverride]
        self.dtype: np.dtype[Any] = dtype  # pyright: ignore[reportIncompatibleMethodOverride]
        self.weak = weak

    @property
    def device(self) -> None:
        """`None`: where the function runs, which it does not know. What takes `device=` takes this."""
        return None

    def to_device(self, device: Any, /, *, stream: Any = None) -> Tracer:
        """The value itself for `None`, a traced value's device. Raises `DeviceError` for another."""
        if device is not None or stream is not None:
            raise DeviceError(
                f"to_device: a function that is traced runs on one device, and {device} was named; say which with "
                f"wax.jit(f, device=…), or move its results"
            )
        return self

    def __bool__(self) -> bool:
        raise self._refusal(
            TracerBoolConversionError,
            "Python needs True or False here (if, while, and, or, not, assert)",
            "branch with wax.cond, loop with wax.while_loop, choose by value with wnp.where(condition, a, b), "
            "combine with & | ~, or make the argument static",
        )

    def __index__(self) -> int:
        raise self._no_number()

    def __int__(self) -> int:
        raise self._no_number()

    def __float__(self) -> float:
        raise self._no_number()

    def __complex__(self) -> complex:
        raise self._no_number()

    def item(self) -> NoReturn:
        """Raises `TracerIntegerConversionError`: a traced value has no element yet."""
        raise self._no_number()

    def tolist(self) -> NoReturn:
        """Raises `TracerIntegerConversionError`: a traced value has no elements yet."""
        raise self._no_number()

    def _no_number(self) -> Exception:
        return self._refusal(
            TracerIntegerConversionError,
            "Python needs its number here (range, int, float, a list index, a shape)",
            "make the argument static, take sizes from shapes, or loop with wax.fori_loop",
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        raise self._no_array()

    def __dlpack__(self, **_: Any) -> NoReturn:
        raise self._no_array()

    def __dlpack_device__(self) -> NoReturn:
        raise self._no_array()

    def _no_array(self) -> Exception:
        return self._refusal(
            TracerArrayConversionError,
            "NumPy or another library needs its elements here",
            "use the function of that name from wax.numpy, or take the call out of the traced function",
        )

    def _refusal(self, error: type[Exception], need: str, way_out: str) -> Exception:
        if self.trace.closed:
            return LeakedTracerError(
                f"a traced value of {self.trace.name!r} is used after {self.trace.name!r} was traced; "
                f"return it from {self.trace.name!r} instead"
            )
        return error(f"{self!r} has no value while {self.trace.name!r} is traced, and {need}; {way_out}")

    def __len__(self) -> int:
        if not self.shape:
            raise ShapeError("a rank 0 array has no length")
        return self.shape[0]  # type: ignore[return-value]  # a DimExpr raises in len(), and says why

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise ShapeError("a rank 0 array cannot be iterated over")
        size = self.shape[0]
        if not isinstance(size, int):
            raise TracerIntegerConversionError(
                f"iterating over {self!r} unrolls its first dim, which is symbolic; compute on the whole array"
            )
        return (self[i] for i in range(size))

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Tracer({self.dtype.name}{format_shape(self.shape)})"
