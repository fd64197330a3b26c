"""Data type functions: conversion, promotion, what a dtype is and holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from wax import dtypes
from wax.array import Array
from wax.dtypes import DType, DTypeLike
from wax.eager import api
from wax.errors import InvalidArgumentError, PromotionError
from wax.numpy._basis import ArrayLike, cast, lift
from wax.operators import ArrayOperators
from wax.placement import check_device

__all__ = ["FloatInfo", "IntegerInfo", "astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]


@api
def astype(x: ArrayLike, dtype: DTypeLike, /, *, copy: bool = True, device: Any = None) -> Array:
    """The elements converted to a dtype.

    Integers wrap; floats round to nearest even; a float goes to the nearest integer towards zero, or the nearest
    that there is (NaN to 0); anything but zero is true. Raises `PromotionError` from complex to real dtypes.

    >>> wnp.astype(wnp.asarray([1.7, -1.7, 1e10]), wnp.int32)
    Array([         1,         -1, 2147483647], dtype=int32)
    """
    check_device("astype", device)
    return cast(lift(x), dtypes.canonical(dtype))


def _operand(x: Any) -> dtypes.Carried:
    if dtypes.is_python_number(x):
        return dtypes.weak_of(x)
    if isinstance(x, ArrayOperators | np.ndarray | np.generic):
        weak = bool(getattr(x, "weak", False))
        return dtypes.carrier(dtypes.canonical(x.dtype), weak), weak
    return dtypes.canonical(x), False


def result_type(*arrays_and_dtypes: ArrayLike | DTypeLike) -> DType:
    """The dtype that arrays, dtypes and Python numbers promote to. Raises `PromotionError`.

    >>> wnp.result_type(wnp.int8, wnp.uint8), wnp.result_type(wnp.bfloat16, 1.5)
    (dtype('int16'), dtype(bfloat16))
    """
    if not arrays_and_dtypes:
        raise InvalidArgumentError("result_type needs at least one array or dtype")
    return dtypes.default(dtypes.promote("result_type", map(_operand, arrays_and_dtypes)))


def can_cast(from_: ArrayLike | DTypeLike, to: DTypeLike, /) -> bool:
    """Whether promotion converts the dtype to `to`.

    >>> wnp.can_cast(wnp.int8, wnp.int16), wnp.can_cast(wnp.float32, wnp.int32)
    (True, False)
    """
    target = dtypes.canonical(to)
    try:
        return dtypes.promote("can_cast", [_operand(from_), (target, False)]) == (target, False)
    except PromotionError:
        return False


@dataclass(frozen=True, slots=True)
class FloatInfo:
    """Limits of a floating dtype; of the parts, for a complex one."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True, slots=True)
class IntegerInfo:
    """Limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: DTypeLike | ArrayLike, /) -> FloatInfo:
    """The limits of a floating dtype. Raises `PromotionError` for other dtypes.

    >>> wnp.finfo(wnp.float32).eps
    1.1920928955078125e-07
    """
    part = dtypes.real_part(_operand(type)[0])
    if dtypes.kind(part) != "float":
        raise PromotionError(f"finfo takes floating dtypes, not {part}; for integers use iinfo")
    limits = ml_dtypes.finfo(part)
    return FloatInfo(
        dtypes.bits(part),
        float(limits.eps),
        float(limits.max),
        float(limits.min),
        float(limits.smallest_normal),
        part,
    )


def iinfo(type: DTypeLike | ArrayLike, /) -> IntegerInfo:
    """The limits of an integer dtype. Raises `PromotionError` for other dtypes.

    >>> wnp.iinfo(wnp.uint8).max
    255
    """
    dtype = _operand(type)[0]
    if dtypes.kind(dtype) not in ("int", "uint"):
        raise PromotionError(f"iinfo takes integer dtypes, not {dtype}; for floats use finfo")
    limits = np.iinfo(dtype)
    return IntegerInfo(dtypes.bits(dtype), int(limits.max), int(limits.min), dtype)


_KIND_NAMES: dict[str, tuple[str, ...]] = {
    "bool": ("bool",),
    "signed integer": ("int",),
    "unsigned integer": ("uint",),
    "integral": ("int", "uint"),
    "real floating": ("float",),
    "complex floating": ("complex",),
    "numeric": ("int", "uint", "float", "complex"),
}


def isdtype(dtype: DTypeLike, kind: Any) -> bool:
    """Whether a dtype is, or is of a kind: a dtype, a kind's name in the standard, or a tuple of them.

    >>> wnp.isdtype(wnp.int8, "integral"), wnp.isdtype(wnp.int8, (wnp.uint8, "real floating"))
    (True, False)
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if isinstance(kind, str) and kind in _KIND_NAMES:
        return dtypes.kind(dtypes.canonical(dtype)) in _KIND_NAMES[kind]
    if isinstance(kind, str) and " " in kind:
        raise InvalidArgumentError(f"isdtype: {kind!r} is no kind of dtype; the kinds are {', '.join(_KIND_NAMES)}")
    return dtypes.canonical(dtype) == dtypes.canonical(kind)
