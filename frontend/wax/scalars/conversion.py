"""Conversion of scalars: casts, constants, and bringing operands to a common dtype.

Every cast that wax does, in user code or by promotion, is `cast` here. What a cast means for values out of
range is the dialect's table of total scalar semantics.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import numpy as np

from wax import dtypes
from wax.dtypes import Carried, DType
from wax.scalars.scalar import KernelTrace, Operand, Scalar, refuse, trace_of

__all__ = ["bitcast", "cast", "with_weakness", "in_wide", "inexact", "lift", "promoted", "settle"]

_Function = TypeVar("_Function", bound=Callable[..., Scalar])


def lift(kernel: KernelTrace, value: Operand) -> Scalar:
    """The operand as a scalar: a Python number becomes a weak constant, a NumPy scalar a strong one."""
    if isinstance(value, Scalar):
        return value
    if isinstance(value, np.generic):
        return kernel.constant(value.item(), dtypes.canonical(value.dtype))
    dtype, weak = dtypes.weak_of(value)
    return kernel.constant(value, dtype, weak)


def carried(value: Operand) -> Carried:
    """How an operand takes part in promotion."""
    if isinstance(value, Scalar):
        return value.carried
    if isinstance(value, np.generic):
        return dtypes.canonical(value.dtype), False
    return dtypes.weak_of(value)


def as_carried(kernel: KernelTrace, value: Operand, target: Carried) -> Scalar:
    """The operand as the dtype that promotion found; a Python number must fit it."""
    dtype, weak = target
    if isinstance(value, Scalar):
        converted = cast(value, dtype)
        return converted if converted.weak == weak else Scalar(kernel, converted.number, dtype, weak)
    if isinstance(value, np.generic):
        return cast(lift(kernel, value), dtype)
    return kernel.constant(value, dtype, weak)


def promoted(name: str, *operands: Operand) -> list[Scalar]:
    """The operands brought to their common dtype."""
    kernel = trace_of(name, *operands)
    target = dtypes.promote(name, map(carried, operands))
    return [as_carried(kernel, operand, target) for operand in operands]


def inexact(name: str, *operands: Operand) -> list[Scalar]:
    """The operands brought to their common floating or complex dtype; integers go to float32."""
    kernel = trace_of(name, *operands)
    target = dtypes.inexact(dtypes.promote(name, map(carried, operands)))
    return [as_carried(kernel, operand, target) for operand in operands]


def settle(value: Scalar) -> Scalar:
    """The scalar as a strong one: a weak one takes the default dtype of its kind."""
    return cast(value, dtypes.default(value.carried)) if value.weak else value


def with_weakness(value: Scalar, weak: bool) -> Scalar:
    """The same scalar under another weakness."""
    return value if value.weak == weak else Scalar(value.kernel, value.number, value.dtype, weak)


def in_wide(function: _Function) -> _Function:
    """Makes a function of floats compute in float32 where its operands are half, and round once, at the end.

    The operands must have one dtype already; `promoted` or `inexact` sees to that.
    """

    @wraps(function)
    def wide(*operands: Scalar) -> Scalar:
        dtype = operands[0].dtype
        if not dtypes.is_half(dtype):
            return function(*operands)
        return cast(function(*(cast(operand, dtypes.float32) for operand in operands)), dtype)

    return wide  # type: ignore[return-value]  # the same signature


def cast(value: Scalar, to: DType) -> Scalar:
    """The scalar converted to a dtype, strong.

    Integers wrap, floats round to nearest even; a float goes to the nearest integer towards zero, or the nearest
    that there is (NaN to 0); anything but zero is `True`. Raises `PromotionError` from complex to real.
    """
    if value.dtype == to:
        return with_weakness(value, False)
    kernel = value.kernel
    source, target = value.kind, dtypes.kind(to)
    if source == "complex":
        return _from_complex(value, to)
    if target == "complex":
        part = dtypes.real_part(to)
        zero = kernel.constant(0.0, part)
        return kernel.op("complex.create", (cast(value, part), zero), to)
    if target == "bool":
        return _is_nonzero(value)
    if source == "float" and target == "float":
        return _between_floats(value, to)
    return (
        kernel.op(_conversion(source, target, dtypes.bits(value.dtype), dtypes.bits(to)), (value,), to)
        if (dtypes.mlir_type(value.dtype) != dtypes.mlir_type(to))
        else Scalar(kernel, value.number, to, False)
    )


_TO_FLOAT = {"bool": "arith.uitofp", "uint": "arith.uitofp", "int": "arith.sitofp"}
_FROM_FLOAT = {"int": "arith.fptosi", "uint": "arith.fptoui"}
_EXTEND = {"bool": "arith.extui", "uint": "arith.extui", "int": "arith.extsi"}


def _conversion(source: dtypes.Kind, target: dtypes.Kind, source_bits: int, target_bits: int) -> str:
    if target == "float":
        return _TO_FLOAT[source]
    if source == "float":
        return _FROM_FLOAT[target]
    return "arith.trunci" if target_bits < source_bits else _EXTEND[source]


def _is_nonzero(value: Scalar) -> Scalar:
    zero = value.kernel.constant(0, value.dtype)
    if value.kind == "float":
        return value.kernel.op("arith.cmpf", (value, zero), dtypes.bool_, predicate="une")
    return value.kernel.op("arith.cmpi", (value, zero), dtypes.bool_, predicate="ne")


def _between_floats(value: Scalar, to: DType) -> Scalar:
    source_bits, target_bits = dtypes.bits(value.dtype), dtypes.bits(to)
    if source_bits == target_bits:  # float16 and bfloat16: neither holds the other
        value, source_bits = cast(value, dtypes.float32), 32
    return value.kernel.op("arith.extf" if target_bits > source_bits else "arith.truncf", (value,), to)


def _from_complex(value: Scalar, to: DType) -> Scalar:
    kernel, part = value.kernel, dtypes.real_part(value.dtype)
    match dtypes.kind(to):
        case "complex":
            target = dtypes.real_part(to)
            real = cast(kernel.op("complex.re", (value,), part), target)
            imaginary = cast(kernel.op("complex.im", (value,), part), target)
            return kernel.op("complex.create", (real, imaginary), to)
        case "bool":
            zero = kernel.constant(0, value.dtype)
            return kernel.op("complex.neq", (value, zero), dtypes.bool_)
        case _:
            refuse(kernel.name, value.dtype, f"a cast to {to} would drop the imaginary part: take wnp.real(x) first")


def bitcast(value: Scalar, to: DType) -> Scalar:
    """The scalar's bits as a strong one of another dtype of the same width, an integer or a float."""
    if dtypes.mlir_type(value.dtype) == dtypes.mlir_type(to):
        return Scalar(value.kernel, value.number, to, False)
    return value.kernel.op("arith.bitcast", (value,), to)
