"""Dtypes as users write them, and how they promote.

A wax dtype is an `np.dtype` (bfloat16 comes from ml_dtypes): `wax.numpy.float32 is np.dtype("float32")`. This
module turns whatever a user may pass into one, knows the defaults of Python numbers, and is the one place
that knows promotion. It emits nothing: casts are scalar operations (`wax.scalars`), and arrays are promoted
nowhere but inside kernels.

**Promotion.** Two strong dtypes of one kind go to the wider one, float16 with bfloat16 to float32, a signed
with an unsigned integer to the next wider signed one (uint64 with a signed one has none and raises); bool
goes to any number, an integer with a float or complex dtype to that dtype. Python numbers are *weak*: they
take the dtype of the strong operands, unless their kind is higher (a float with an int array gives
float32). Weak operands among themselves stay weak and are carried wide (int64, float64, complex128), so
that no digit is lost before they meet a strong one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Literal, TypeAlias

import ml_dtypes
import numpy as np

from wax import _source
from wax.errors import DTypeError, PromotionError
from wax_runtime import dtypes as _table

__all__ = [
    "Carried",
    "DType",
    "DTypeLike",
    "Kind",
    "bfloat16",
    "bits",
    "bool_",
    "canonical",
    "carrier",
    "check_fits",
    "complex128",
    "complex64",
    "complex_of",
    "default",
    "default_int",
    "element_of",
    "float16",
    "float32",
    "float64",
    "inexact",
    "int16",
    "int32",
    "int64",
    "int8",
    "is_half",
    "is_python_number",
    "kind",
    "mlir_type",
    "of_argument",
    "of_python",
    "promote",
    "real_part",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "weak_of",
    "weak_scalar",
    "widened",
]

DType: TypeAlias = np.dtype[Any]
#: What stands for a dtype: a dtype, its name, a NumPy scalar type, or a Python number type (its default).
DTypeLike: TypeAlias = Any
Kind: TypeAlias = Literal["bool", "int", "uint", "float", "complex"]
#: What a value is carried as, and whether it is weak.
Carried: TypeAlias = tuple[DType, bool]

bool_: DType = np.dtype(np.bool_)
int8: DType = np.dtype(np.int8)
int16: DType = np.dtype(np.int16)
int32: DType = np.dtype(np.int32)
int64: DType = np.dtype(np.int64)
uint8: DType = np.dtype(np.uint8)
uint16: DType = np.dtype(np.uint16)
uint32: DType = np.dtype(np.uint32)
uint64: DType = np.dtype(np.uint64)
bfloat16: DType = np.dtype(ml_dtypes.bfloat16)
float16: DType = np.dtype(np.float16)
float32: DType = np.dtype(np.float32)
float64: DType = np.dtype(np.float64)
complex64: DType = np.dtype(np.complex64)
complex128: DType = np.dtype(np.complex128)

_KINDS: dict[DType, Kind] = {row.numpy: row.kind for row in _table.ALL}  # type: ignore[misc]  # the table's words
_BITS = {row.numpy: 1 if row.kind == "bool" else row.bits for row in _table.ALL}
_MLIR = {row.numpy: row.mlir for row in _table.ALL}
_DEFAULTS: dict[type, DType] = {bool: bool_, int: int32, float: float32, complex: complex64}
_CARRIERS: dict[type, DType] = {bool: bool_, int: int64, float: float64, complex: complex128}
_SIGNED = {8: int8, 16: int16, 32: int32, 64: int64}
_RANK: dict[Kind, int] = {"bool": 0, "int": 1, "uint": 1, "float": 2, "complex": 3}
#: The dtype a weak value reports, and takes where a strong one is needed.
_WEAK_DEFAULTS = {_CARRIERS[python]: _DEFAULTS[python] for python in _DEFAULTS}
_DEFAULT_CARRIERS = {_DEFAULTS[python]: _CARRIERS[python] for python in _DEFAULTS}

#: The default integer dtype: of sizes, counts and indices.
default_int: DType = int32


def canonical(like: DTypeLike) -> DType:
    """The dtype that `like` names; Python's `bool, int, float, complex` name their defaults.

    Raises `DTypeError` for anything that is no dtype of wax.

    >>> canonical("bfloat16"), canonical(float), canonical(np.int8)
    (dtype(bfloat16), dtype('float32'), dtype('int8'))
    """
    if isinstance(like, type) and like in _DEFAULTS:
        return _DEFAULTS[like]
    try:
        return _table.dtype(like)
    except DTypeError as error:
        raise DTypeError(error.message, location=_source.current()) from None


def kind(dtype: DType) -> Kind:
    """`"bool"`, `"int"`, `"uint"`, `"float"` or `"complex"`."""
    return _KINDS[dtype]


def bits(dtype: DType) -> int:
    """The width of an element; 1 for bool."""
    return _BITS[dtype]


def mlir_type(dtype: DType) -> str:
    """The MLIR element type: signless, `"i8"` for both int8 and uint8."""
    return _MLIR[dtype]


def is_half(dtype: DType) -> bool:
    """Whether it is float16 or bfloat16, in which nothing longer than one operation is computed."""
    return dtype in (float16, bfloat16)


def widened(dtype: DType) -> DType:
    """What is computed with: float32 for the half dtypes, the dtype itself otherwise."""
    return float32 if is_half(dtype) else dtype


def real_part(dtype: DType) -> DType:
    """The dtype of the real part of a complex dtype; any other dtype itself."""
    return {complex64: float32, complex128: float64}.get(dtype, dtype)


def complex_of(dtype: DType) -> DType:
    """The complex dtype whose parts are of a float32 or float64 dtype; a complex dtype itself."""
    return {float32: complex64, float64: complex128}.get(dtype, dtype)


def is_python_number(value: object) -> bool:
    """Whether `value` is a weak Python number; NumPy's scalars are arrays of rank 0, and strong."""
    return type(value) in _DEFAULTS


def weak_of(value: bool | int | float | complex) -> Carried:
    """How a Python number takes part in promotion. A bool is not weak: it promotes to every number anyway."""
    return _CARRIERS[type(value)], type(value) is not bool


# What a user sees of a weak value is the default dtype of its kind; it is carried wide. The frontend's values
# hold the seen dtype and `weak`; promotion and kernels hold the carried one.


def default(carried: Carried) -> DType:
    """The dtype that is seen: for a weak value, the default of its kind."""
    dtype, weak = carried
    return _WEAK_DEFAULTS[dtype] if weak else dtype


def carrier(dtype: DType, weak: bool) -> DType:
    """The dtype that a value, whose dtype is seen as `dtype`, is carried as."""
    return _DEFAULT_CARRIERS[dtype] if weak else dtype


def element_of(dtype: DType, weak: bool) -> str:
    """The MLIR element type of a value whose dtype is seen as `dtype`."""
    return _MLIR[carrier(dtype, weak)]


def of_python(value: bool | int | float | complex) -> DType:
    """The default dtype of a Python number."""
    return _DEFAULTS[_python_type(value)]


def of_argument(value: bool | int | float | complex) -> Carried:
    """The dtype that a Python number is seen as when it is traced, and whether it is weak.

    An integer beyond int32 is a strong int64: its default would not hold it. Raises `PromotionError` beyond int64.
    """
    python = _python_type(value)
    if python is int and not -(2**31) <= value < 2**31:  # type: ignore[operator]  # an integer
        check_fits("an argument", value, int64)
        return int64, False
    return _DEFAULTS[python], python is not bool


def weak_scalar(value: bool | int | float | complex) -> tuple[DType, np.ndarray[Any, Any]]:
    """The dtype that a Python number is seen as, and its value as it is carried.

    Raises `PromotionError` for an integer beyond 64 bits.
    """
    dtype, weak = of_argument(value)
    carried = carrier(dtype, weak)
    return dtype, np.asarray(value, carried)


def _python_type(value: object) -> type:
    return next(python for python in _DEFAULTS if isinstance(value, python))


def inexact(carried: Carried) -> Carried:
    """The floating dtype that an operation such as `sqrt` computes in: integers go to the default, float32."""
    dtype, weak = carried
    if _RANK[_KINDS[dtype]] >= 2:
        return carried
    return (float64, True) if weak else (float32, False)


def promote(name: str, operands: Iterable[Carried]) -> Carried:
    """The common dtype of operands, and whether it is weak, for the function `name`.

    Raises `PromotionError` where there is none.

    >>> promote("add", [(int8, False), (float64, True)])
    (dtype('float32'), False)
    """
    strong: DType | None = None
    weak: DType | None = None
    for dtype, is_weak in operands:
        if is_weak:
            weak = dtype if weak is None else _promote_strong(name, weak, dtype)
        else:
            strong = dtype if strong is None else _promote_strong(name, strong, dtype)
    if strong is None:
        assert weak is not None, "promotion of nothing"
        return weak, True
    if weak is None or _RANK[_KINDS[weak]] <= _RANK[_KINDS[strong]]:
        return strong, False
    match _KINDS[weak]:
        case "complex":
            return (complex128 if strong == float64 else complex64), False
        case "float":
            return float32, False
        case _:
            return int32, False


@cache
def _join(a: DType, b: DType) -> DType | None:
    if a == b:
        return a
    if _RANK[_KINDS[a]] > _RANK[_KINDS[b]]:
        a, b = b, a
    low, high = _KINDS[a], _KINDS[b]
    if _RANK[low] < _RANK[high]:
        return complex128 if a == float64 and high == "complex" else b
    if low == high:
        return float32 if _BITS[a] == _BITS[b] else max(a, b, key=bits)
    signed, unsigned = (a, b) if low == "int" else (b, a)
    return signed if _BITS[signed] > _BITS[unsigned] else _SIGNED.get(2 * _BITS[unsigned])


def _promote_strong(name: str, a: DType, b: DType) -> DType:
    joined = _join(a, b)
    if joined is None:
        raise PromotionError(
            f"{name}: no integer dtype holds all of {a} and {b}; convert one of them, "
            f"for example with .astype(wnp.int64) where the values are small enough"
        )
    return joined


def check_fits(name: str, value: bool | int | float | complex, dtype: DType) -> None:
    """Raise `PromotionError` if a Python number has no place in the dtype that it takes."""
    target = _KINDS[dtype]
    if isinstance(value, int) and target in ("int", "uint"):
        limits = np.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            raise PromotionError(
                f"{name}: the Python number {value} does not fit {dtype} ({limits.min} … {limits.max}); "
                f"convert the array to a wider dtype with .astype, or the number with wnp.asarray"
            )
    elif isinstance(value, int) and abs(value) > 2**1023:
        raise PromotionError(f"{name}: the Python number of {value.bit_length()} bits does not fit {dtype}")
