"""Scalars: what a kernel's Python function computes with while it is traced into a region.

A `KernelTrace` owns one native `KernelBuilder` and the scalars made in it; equal operations on equal scalars
are one scalar. `Scalar` carries a dtype and operators, and nothing of tensors. Which operation of `arith`,
`math` or `complex` stands for what is said in the sibling modules, not here.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any, NoReturn, TypeAlias

import numpy as np

from wax import _native, _source, dtypes
from wax.dtypes import Carried, DType
from wax.errors import KernelError, PromotionError

__all__ = ["Apart", "KernelTrace", "Number", "Operand", "Scalar", "apart", "current_kernel", "refuse", "trace_of"]

Number: TypeAlias = bool | int | float | complex
#: What a function on scalars takes: a scalar, or a number that becomes a constant where it meets one.
Operand: TypeAlias = "Scalar | Number | np.generic[Any]"
#: A key under which numbers are equal only if they are the same constant: 1, 1.0, True, 0.0 and -0.0 all differ.
Apart: TypeAlias = tuple[type, Any]

_active = threading.local()


def current_kernel() -> KernelTrace | None:
    """The kernel that this thread traces now, if any."""
    return getattr(_active, "kernel", None)


class KernelTrace:
    """One kernel being traced; a context manager around the call of the Python function.

    `located` says whether operations carry the place in the user's source: kernels of wax's own functions are
    shared between places and carry none.
    """

    __slots__ = ("_builder", "_constants", "_located", "_operations", "_outer", "name")

    def __init__(self, name: str, argument_types: Sequence[DType], located: bool = False) -> None:
        self.name = name
        self._builder = _native.KernelBuilder([dtypes.mlir_type(dtype) for dtype in argument_types])
        self._constants: dict[tuple[Apart, DType], int] = {}
        self._operations: dict[tuple[Any, ...], int] = {}
        self._located = located
        self._outer: KernelTrace | None = None

    def __enter__(self) -> KernelTrace:
        self._outer = current_kernel()
        _active.kernel = self
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _active.kernel = self._outer

    def argument(self, number: int, carried: Carried) -> Scalar:
        """The kernel's argument of this number."""
        return Scalar(self, number, *carried)

    def constant(self, value: Number, dtype: DType, weak: bool = False) -> Scalar:
        """A constant. Raises `PromotionError` if an integer does not fit the dtype."""
        dtypes.check_fits(self.name, value, dtype)
        key = apart(value), dtype
        number = self._constants.get(key)
        if number is None:
            number = self._builder.constant(_exactly(value, dtype), dtypes.mlir_type(dtype))
            self._constants[key] = number
        return Scalar(self, number, dtype, weak)

    def op(
        self, name: str, operands: Sequence[Scalar], dtype: DType, weak: bool = False, **attributes: int | str
    ) -> Scalar:
        """One operation by its MLIR name, on scalars of the dtypes it wants. Nothing is converted here."""
        for operand in operands:
            operand.check_owner(self)
        numbers = tuple(operand.number for operand in operands)
        element = dtypes.mlir_type(dtype)
        key = (name, numbers, element, *attributes.items())
        number = self._operations.get(key)
        if number is None:
            number = self._builder.op(name, numbers, element, attributes or None, self._location())
            self._operations[key] = number
        return Scalar(self, number, dtype, weak)

    def finish(self, results: Sequence[Scalar]) -> _native.Kernel:
        """The finished region."""
        for result in results:
            result.check_owner(self)
        return self._builder.finish([result.number for result in results])

    def _location(self) -> _native.Location | None:
        place = _source.current() if self._located else None
        return None if place is None else _native.Location(place.file, place.line, place.column)


def apart(value: Number) -> Apart:
    """A key of a number by its bits, not by `==`."""
    if isinstance(value, float):
        return float, struct.pack("<d", value)
    if isinstance(value, complex):
        return complex, struct.pack("<dd", value.real, value.imag)
    return type(value), value


def _exactly(value: Number, dtype: DType) -> Number:
    """The number as the kind of Python number that the element type is written with."""
    match dtypes.kind(dtype):
        case "bool":
            return bool(value)
        case "int" | "uint":
            return int(value)  # type: ignore[arg-type]  # promotion never takes a complex number here
        case "float":
            return float(value)  # type: ignore[arg-type]  # promotion never takes a complex number here
        case "complex":
            return complex(value)


class Scalar:
    """One element inside a kernel: it has a dtype, operators, and no value.

    `weak` scalars came from Python numbers; they take the dtype of what they meet.
    """

    __slots__ = ("dtype", "kernel", "number", "weak")

    def __init__(self, kernel: KernelTrace, number: int, dtype: DType, weak: bool) -> None:
        self.kernel = kernel
        self.number = number
        self.dtype = dtype
        self.weak = weak

    @property
    def carried(self) -> Carried:
        """The dtype it is carried as, and whether it is weak."""
        return self.dtype, self.weak

    @property
    def kind(self) -> dtypes.Kind:
        return dtypes.kind(self.dtype)

    def check_owner(self, kernel: KernelTrace) -> None:
        if self.kernel is not kernel:
            raise KernelError(
                f"{kernel.name}: a scalar of another kernel ({self.kernel.name}) is used here; "
                "kernels capture nothing: make it an operand"
            )

    def __repr__(self) -> str:
        return f"Scalar({dtypes.default(self.carried)}{', weak' if self.weak else ''})"

    # What would need a value.

    def __bool__(self) -> NoReturn:
        raise KernelError(
            f"{self.kernel.name}: a kernel is traced once for all elements and cannot branch on one "
            "(if, while, and, or, not, min(), max()); choose with wnp.where(condition, x, y), combine with &, |, ~, "
            "or use wnp.minimum, wnp.maximum"
        )

    def _no_value(self, *_: object) -> NoReturn:
        raise KernelError(
            f"{self.kernel.name}: an element inside a kernel has no value while the kernel is traced, and is no array; "
            "compute with operators and the elementwise functions of wax.numpy (for math.exp or np.exp: wnp.exp)"
        )

    __int__ = __float__ = __complex__ = __index__ = __array__ = __iter__ = __len__ = __getitem__ = _no_value

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        # NumPy's scalars are constants like Python's: `np.float32(2) * x` comes here as np.multiply.
        if method == "__call__" and ufunc.__name__ in _OPERATOR_UFUNCS and not options:
            return _call(ufunc.__name__, *operands)
        return self._no_value()

    def astype(self, dtype: dtypes.DTypeLike) -> Scalar:
        """The scalar converted; conversions are total: out of range goes to the nearest, NaN to 0."""
        from wax.scalars.conversion import cast

        return cast(self, dtypes.canonical(dtype))

    # Operators; each is the function of the same name.

    def __add__(self, other: Operand) -> Scalar:
        return _call("add", self, other)

    def __radd__(self, other: Operand) -> Scalar:
        return _call("add", other, self)

    def __sub__(self, other: Operand) -> Scalar:
        return _call("subtract", self, other)

    def __rsub__(self, other: Operand) -> Scalar:
        return _call("subtract", other, self)

    def __mul__(self, other: Operand) -> Scalar:
        return _call("multiply", self, other)

    def __rmul__(self, other: Operand) -> Scalar:
        return _call("multiply", other, self)

    def __truediv__(self, other: Operand) -> Scalar:
        return _call("divide", self, other)

    def __rtruediv__(self, other: Operand) -> Scalar:
        return _call("divide", other, self)

    def __floordiv__(self, other: Operand) -> Scalar:
        return _call("floor_divide", self, other)

    def __rfloordiv__(self, other: Operand) -> Scalar:
        return _call("floor_divide", other, self)

    def __mod__(self, other: Operand) -> Scalar:
        return _call("remainder", self, other)

    def __rmod__(self, other: Operand) -> Scalar:
        return _call("remainder", other, self)

    def __pow__(self, other: Operand) -> Scalar:
        return _call("power", self, other)

    def __rpow__(self, other: Operand) -> Scalar:
        return _call("power", other, self)

    def __and__(self, other: Operand) -> Scalar:
        return _call("bitwise_and", self, other)

    def __rand__(self, other: Operand) -> Scalar:
        return _call("bitwise_and", other, self)

    def __or__(self, other: Operand) -> Scalar:
        return _call("bitwise_or", self, other)

    def __ror__(self, other: Operand) -> Scalar:
        return _call("bitwise_or", other, self)

    def __xor__(self, other: Operand) -> Scalar:
        return _call("bitwise_xor", self, other)

    def __rxor__(self, other: Operand) -> Scalar:
        return _call("bitwise_xor", other, self)

    def __lshift__(self, other: Operand) -> Scalar:
        return _call("bitwise_left_shift", self, other)

    def __rlshift__(self, other: Operand) -> Scalar:
        return _call("bitwise_left_shift", other, self)

    def __rshift__(self, other: Operand) -> Scalar:
        return _call("bitwise_right_shift", self, other)

    def __rrshift__(self, other: Operand) -> Scalar:
        return _call("bitwise_right_shift", other, self)

    def __neg__(self) -> Scalar:
        return _call("negative", self)

    def __pos__(self) -> Scalar:
        return _call("positive", self)

    def __abs__(self) -> Scalar:
        return _call("absolute", self)

    def __invert__(self) -> Scalar:
        return _call("bitwise_invert", self)

    def __lt__(self, other: Operand) -> Scalar:
        return _call("less", self, other)

    def __le__(self, other: Operand) -> Scalar:
        return _call("less_equal", self, other)

    def __gt__(self, other: Operand) -> Scalar:
        return _call("greater", self, other)

    def __ge__(self, other: Operand) -> Scalar:
        return _call("greater_equal", self, other)

    def __eq__(self, other: object) -> Scalar:  # type: ignore[override]  # as arrays do: a comparison of elements
        return _call("equal", self, other)

    def __ne__(self, other: object) -> Scalar:  # type: ignore[override]  # as arrays do: a comparison of elements
        return _call("not_equal", self, other)

    __hash__ = None  # type: ignore[assignment]  # == does not say whether two scalars are the same


_OPERATOR_UFUNCS = {
    "add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "bitwise_and", "bitwise_or",
    "bitwise_xor", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
}  # fmt: skip


def _call(name: str, *operands: Any) -> Scalar:
    """The function behind an operator; those functions are built on this module, so they are found at the call."""
    from wax import scalars

    function: Any = getattr(scalars, name)
    return function(*operands)


def trace_of(name: str, *operands: object) -> KernelTrace:
    """The kernel that the operands belong to, or else the one being traced.

    Raises `KernelError` if an operand is neither a scalar nor a number: a captured array, most likely.
    """
    kernel: KernelTrace | None = None
    for operand in operands:
        if isinstance(operand, Scalar):
            kernel = operand.kernel if kernel is None else kernel
            operand.check_owner(kernel)
        elif not dtypes.is_python_number(operand) and not isinstance(operand, np.generic):
            shape = getattr(operand, "shape", None)
            what = f"an array of shape {shape}" if shape is not None else f"a value of type {type(operand).__name__}"
            raise KernelError(
                f"{name}: {what} is captured in a kernel, which sees scalars only; pass it to "
                "wax.kernel.broadcast as one more operand"
            )
    kernel = kernel or current_kernel()
    assert kernel is not None, f"{name} on numbers outside any kernel"
    return kernel


def refuse(name: str, dtype: DType, way_out: str) -> NoReturn:
    """Raise `PromotionError`: the function does not take the dtype."""
    raise PromotionError(f"{name} does not take {dtype}; {way_out}")
