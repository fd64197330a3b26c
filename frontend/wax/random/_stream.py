"""Where random bits come from: the words that a key has at the places of a shape, and floats made of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from wax import dtypes
from wax.dims import Size, known_at_most, product
from wax.errors import PromotionError, ShapeError
from wax.numpy._basis import basis, cast, check_shape, kernel_of, lift, placed, refuse_dtype, scalars
from wax.numpy._elementwise import broadcast_shape, elementwise
from wax.numpy.manipulation import broadcast_to, reshape
from wax.random._threefry import threefry2x32

__all__ = [
    "centred",
    "checked_key",
    "drawn",
    "elements",
    "floating",
    "formula",
    "opened",
    "parameters",
    "stretched",
    "unit",
    "words",
]

Formula = Callable[..., Any]


def checked_key(name: str, key: Any) -> Any:
    """The key as a tracer. Raises `PromotionError`, `ShapeError`."""
    value = lift(key)
    if value.dtype != dtypes.uint32:
        raise PromotionError(
            f"{name}: a key is two uint32, made by wax.random.key(seed), and this is an array of {value.dtype}"
        )
    if value.shape != (2,):
        raise ShapeError(
            f"{name}: a key has shape (2,), and this has {value.shape}; take one of several keys by its index"
        )
    return value


def floating(name: str, dtype: Any) -> dtypes.DType:
    """The dtype, if it is a real floating one."""
    found = dtypes.canonical(dtype)
    if dtypes.kind(found) != "float":
        refuse_dtype(f"wax.random.{name}", found, "floating dtypes")
    return found


def words(key: Any, low: Any, high: Any = None, *, made: Formula, dtype: dtypes.DType) -> Any:
    """`made` of the two words that stand at places: arrays of `uint32`, the places' lower halves and higher ones."""
    dims = tuple(range(low.ndim))
    first, second = (reshape(basis.slice(key, (which,), (1,), (1,)), ()) for which in range(2))
    operands = [(first, ()), (second, ()), (low, dims)]
    if high is not None:
        operands.append((high, dims))
    return placed(_encrypted, operands, made=made, dtype=dtype)


def _encrypted(first: Any, second: Any, low: Any, high: Any = 0, *, made: Formula, dtype: dtypes.DType) -> Any:
    return made(*threefry2x32((first, second), (high, low)), dtype)


def elements(key: Any, shape: tuple[Size, ...], made: Formula, dtype: dtypes.DType) -> Any:
    """`made` of the two words of each element of a shape; the place of an element is its number."""
    total = product(shape)
    if known_at_most(total, 1 << 32):
        low, high = basis.iota(0, (total,), dtypes.uint32), None
    else:
        place = basis.iota(0, (total,), dtypes.uint64)
        low, high = cast(place, dtypes.uint32), basis.map(kernel_of(_higher, place), place)
        high = reshape(high, shape)
    return words(key, reshape(low, shape), high, made=made, dtype=dtype)


def _higher(place: Any) -> Any:
    return scalars.cast(place >> 32, dtypes.uint32)


def drawn(x: Any, y: Any, dtype: dtypes.DType) -> Any:
    """Random bits of a dtype's width, of two words."""
    if dtypes.bits(dtype) == 64:
        return (scalars.cast(x, dtypes.uint64) << 32) | scalars.cast(y, dtypes.uint64)
    return scalars.cast(x ^ y, dtype)


def unit(x: Any, y: Any, dtype: dtypes.DType) -> Any:
    """A float in [0, 1) of two words: a multiple of the distance from 1 to the next float."""
    fraction, width = int(ml_dtypes.finfo(dtype).nmant), dtypes.bits(dtype)
    unsigned = np.dtype(f"uint{width}")
    # A fraction of less than 8 bits is drawn as a byte.
    source = unsigned if fraction >= 8 else dtypes.uint8
    kept = scalars.cast(drawn(x, y, source) >> (dtypes.bits(source) - fraction), unsigned)
    # Between 1 and 2 floats are evenly apart, and their last bits number them.
    one = int(np.ones((), dtype).view(unsigned))
    return scalars.bitcast(kept | one, dtype) - 1


def formula(function: Formula) -> Formula:
    """A function of scalars as one of arrays and numbers: of the first one's dtype, in float32 for the half ones."""

    @elementwise()
    @functools.wraps(function)
    def wrapper(fraction: Any, *given: Any) -> Any:
        return scalars.in_wide(function)(fraction, *(scalars.promoted("wax.random", x, fraction)[0] for x in given))

    return wrapper


@elementwise()
def opened(fraction: Any, /) -> Any:
    """Fractions in [0, 1) as ones in (0, 1): the first stands for all numbers up to the next one's."""
    return scalars.maximum(fraction, float(ml_dtypes.finfo(fraction.dtype).eps) / 2)


@elementwise()
def centred(fraction: Any, /) -> Any:
    """Fractions in [0, 1) brought to (-1, 1)."""
    dtype = fraction.dtype
    ends = float(ml_dtypes.finfo(dtype).epsneg) - 1.0, 1.0
    return stretched(fraction, *(fraction.kernel.constant(end, dtype) for end in ends))


def stretched(fraction: Any, low: Any, high: Any) -> Any:
    """A scalar in [0, 1) brought between two others of its dtype, rounded once and so alike on every backend."""
    spread = scalars.in_wide(lambda x, a, b: scalars.fma(x, b - a, a))
    return scalars.maximum(low, spread(fraction, low, high))


def parameters(name: str, shape: Any, dtype: dtypes.DType, *given: Any) -> tuple[tuple[Size, ...], list[Any]]:
    """A result's shape, and its parameters: Python numbers as they are, arrays of that dtype and shape.

    Without a shape it is the one to which the arrays broadcast. Raises `ShapeError`, `PromotionError`.
    """
    values = [x if dtypes.is_python_number(x) else lift(x) for x in given]
    arrays = [x for x in values if not dtypes.is_python_number(x)]
    for x in values:
        found = dtypes.canonical(type(x)) if dtypes.is_python_number(x) else x.dtype
        if dtypes.kind(found) == "complex" or dtypes.kind(found) == "float" != dtypes.kind(dtype):
            refuse_dtype(f"wax.random.{name}", found, f"parameters that convert to {dtype}")
    if shape is None:
        wanted = broadcast_shape(f"wax.random.{name}", arrays) if arrays else ()
    else:
        wanted = check_shape(f"wax.random.{name}", shape)
    return wanted, [x if dtypes.is_python_number(x) else broadcast_to(cast(x, dtype), wanted) for x in values]
