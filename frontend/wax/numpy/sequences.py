"""Functions along a line of values: differences, interpolation, and sums of products with a sliding kernel."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from wax import dtypes
from wax.array import Array
from wax.dims import known_at_most, same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    basis,
    cast,
    check_axis,
    constant,
    filled,
    integer,
    lift,
    lift_all,
    placed,
    scalars,
    shapes_text,
)
from wax.numpy._contraction import refuse_bool
from wax.numpy._pieces import picked, piece
from wax.numpy._reduction import summed
from wax.numpy.arithmetic import conj, remainder
from wax.numpy.manipulation import concat, flip
from wax.numpy.sorting import argsort, searchsorted

__all__ = ["convolve", "correlate", "diff", "interp", "trapezoid"]

Mode: TypeAlias = Literal["full", "same", "valid"]


def _less(later: Any, earlier: Any) -> Any:
    return scalars.not_equal(later, earlier) if later.kind == "bool" else scalars.subtract(later, earlier)


@api
def diff(
    x: ArrayLike, /, *, axis: int = -1, n: int = 1, prepend: ArrayLike | None = None, append: ArrayLike | None = None
) -> Array:
    """Each element less the one before it along an axis, `n` times over; of booleans, whether they differ.

    What is to stand before and behind first is joined to it. Raises `AxisError`, `ShapeError`, `PromotionError`,
    `InvalidArgumentError` for a negative `n`.

    >>> wnp.diff(wnp.asarray([1, 4, 9, 16]), n=2)
    Array([2, 2], dtype=int32)
    """
    value: Any = lift(x)
    number = check_axis("diff", axis, value.ndim)
    times = integer("diff", "n", n)
    if times < 0:
        raise InvalidArgumentError(f"diff: n must not be negative, it is {times}")
    if times == 0:
        return value
    parts = [part for part in (prepend, value, append) if part is not None]
    if len(parts) > 1:
        shape = [1 if axis == number else size for axis, size in enumerate(value.shape)]
        value = concat([_spread_alike(part, shape) for part in map(lift, parts)], axis=number)
    size = value.shape[number]
    every = range(value.ndim)
    for _ in range(times):
        if known_at_most(size, 1):
            return piece(value, number, 0, 0)
        size = size - 1
        later, earlier = piece(value, number, 1, size), piece(value, number, 0, size)
        value = placed(_less, [(later, every), (earlier, every)])
    return value


def _spread_alike(part: Any, shape: list[Any]) -> Any:
    return part if part.ndim else filled(part, (), shape)


def _trapezoids(later: Any, earlier: Any, width: Any) -> Any:
    return (later + earlier) * width


@api
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, /, *, dx: float = 1.0, axis: int = -1) -> Array:
    """The integral along an axis by the trapezoidal rule, of values at the places `x`, or `dx` apart.

    Raises `AxisError`, `ShapeError` unless `x` is a vector of a place for each value.

    >>> wnp.trapezoid(wnp.asarray([1.0, 2.0, 3.0]))
    Array(4., dtype=float32)
    """
    places: Any = constant(dx, dtypes.float64) if x is None else lift(x)
    value: Any = lift(y)
    dtype = dtypes.inexact(
        dtypes.promote("trapezoid", [(value.dtype, False), *([] if x is None else [(places.dtype, False)])])
    )[0]
    value, places = cast(value, dtypes.widened(dtype)), cast(places, dtypes.widened(dtype))
    number = check_axis("trapezoid", axis, value.ndim)
    if x is not None and (places.ndim != 1 or not same(places.shape[0], value.shape[number])):
        raise ShapeError(
            f"trapezoid of {shapes_text([value, places])}: a vector of places along axis {number} is needed"
        )
    if known_at_most(value.shape[number], 1):
        return cast(summed(piece(value, number, 0, 0), (number,)), dtype)
    size = value.shape[number] - 1
    every = range(value.ndim)
    later, earlier = piece(value, number, 1, size), piece(value, number, 0, size)
    width = (places, ()) if x is None else (diff(places), (number,))
    areas = placed(_trapezoids, [(later, every), (earlier, every), width])
    return cast(summed(areas, (number,)) * 0.5, dtype)


# Interpolation.


def _inner(place: Any, last: Any) -> Any:
    return scalars.maximum(scalars.minimum(place, last), 1)


def _one_less(place: Any) -> Any:
    return place - 1


def _on_line(x: Any, x0: Any, x1: Any, y0: Any, y1: Any) -> Any:
    width = x1 - x0
    part = (x - x0) / scalars.select(width == 0, width + 1, width)
    return scalars.select((width == 0) | (x == x0), y0, scalars.select(x == x1, y1, y0 + part * (y1 - y0)))


def _outside(x: Any, y: Any, first: Any, last: Any, left: Any, right: Any) -> Any:
    return scalars.select(x < first, left, scalars.select(x > last, right, y))


@api
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    /,
    left: ArrayLike | None = None,
    right: ArrayLike | None = None,
    period: float | None = None,
) -> Array:
    """The line through points `(xp, fp)`, whose `xp` increase, at `x`.

    Before the first point it is `left`, behind the last `right`; their own values if these are not given. With a
    `period` there is no outside, and `xp` may be in any order. Raises `ShapeError`, `InvalidArgumentError`.

    >>> wnp.interp(wnp.asarray([0.5, 2.0, 9.0]), wnp.asarray([0.0, 1.0, 3.0]), wnp.asarray([0.0, 10.0, 30.0]))
    Array([ 5., 20., 30.], dtype=float32)
    """
    ends = [one for one in (left, right) if one is not None]
    at, places, values, *_ = lift_all("interp", x, xp, fp, *ends)
    dtype = dtypes.inexact((at.dtype, False))[0]
    at, places, values = (cast(one, dtypes.widened(dtype)) for one in (at, places, values))
    if places.ndim != 1 or values.ndim != 1 or not same(places.shape[0], values.shape[0]) or same(places.shape[0], 0):
        raise ShapeError(f"interp of {shapes_text([at, places, values])}: xp and fp are vectors of one size, not empty")
    if period is not None:
        at, places, values = _wrapped(at, places, values, period)
    count = places.shape[0]
    every = range(at.ndim)
    start, end = picked(places, _index(0), 0), picked(places, _index(count - 1), 0)
    low, high = (picked(values, _index(place), 0) for place in (0, count - 1))
    if same(count, 1):
        result: Any = filled(low, (), at.shape)
    else:
        right_place: Any = searchsorted(places, at, side="right")
        right_place = placed(_inner, [(right_place, every), (_index(count - 1), ())])
        left_place = placed(_one_less, [(right_place, every)])
        points = [picked(one, place, 0) for one in (places, values) for place in (left_place, right_place)]
        result = placed(_on_line, [(at, every), *((point, every) for point in points)])
    if period is None:
        around = [
            end_value if given is None else cast(lift(given), at.dtype)
            for given, end_value in ((left, low), (right, high))
        ]
        result = placed(_outside, [(at, every), (result, every), *((one, ()) for one in (start, end, *around))])
    return cast(result, dtype)


def _index(size: Any) -> Any:
    return basis.dimension_value(size, dtypes.default_int)


def _wrapped(at: Any, places: Any, values: Any, period: float) -> tuple[Any, Any, Any]:
    """The points in order within a period, with the last one also before it and the first one behind it."""
    length = abs(float(period))
    if not 0 < length < math.inf:
        raise InvalidArgumentError(f"interp: the period must be a number other than zero, not {period}")
    at, places = remainder(at, length), remainder(places, length)
    order = argsort(places)
    places, values = picked(places, order, 0), picked(values, order, 0)
    first, last = [piece(places, 0, start, 1) for start in (0, places.shape[0] - 1)]
    first_value, last_value = [piece(values, 0, start, 1) for start in (0, places.shape[0] - 1)]
    return at, concat([last - length, places, first + length]), concat([last_value, values, first_value])


# Sliding.


@api
def convolve(x1: ArrayLike, x2: ArrayLike, /, mode: Mode = "full") -> Array:
    """The convolution of two vectors: all of it, the middle part of the longer one's size, or where both overlap fully.

    Raises `ShapeError` for no vectors, `PromotionError`, `InvalidArgumentError` for another mode.

    >>> wnp.convolve(wnp.asarray([1, 2, 3]), wnp.asarray([1, 1]))
    Array([1, 3, 5, 3], dtype=int32)
    """
    return _slid("convolve", x1, x2, mode, lambda kernel: kernel, lambda size: (size - 1) // 2)


@api
def correlate(x1: ArrayLike, x2: ArrayLike, /, mode: Mode = "valid") -> Array:
    """The cross-correlation of two vectors: the convolution with the second one reversed and conjugated.

    Raises `ShapeError` for no vectors, `PromotionError`, `InvalidArgumentError` for another mode.

    >>> wnp.correlate(wnp.asarray([1, 2, 3]), wnp.asarray([0, 1]))
    Array([2, 3], dtype=int32)
    """
    return _slid("correlate", x1, x2, mode, lambda kernel: conj(flip(kernel)), lambda size: size // 2)


def _slid(
    name: str, x1: Any, x2: Any, mode: str, turned: Callable[[Any], Any], cut_of_second: Callable[[Any], Any]
) -> Any:
    """A convolution with `turned(x2)`, which is longer where `cut_of_second` says at what place "same" starts."""
    if mode not in ("full", "same", "valid"):
        raise InvalidArgumentError(f"{name}: mode is 'full', 'same' or 'valid', not {mode!r}")
    a, b = lift_all(name, x1, x2)
    refuse_bool(name, a.dtype)
    if a.ndim != 1 or b.ndim != 1 or same(a.shape[0], 0) or same(b.shape[0], 0):
        raise ShapeError(f"{name} of {shapes_text([a, b])}: both must be vectors that have elements")
    long, short = a, turned(b)
    swapped = not known_at_most(b.shape[0], a.shape[0])
    if swapped:
        if not known_at_most(a.shape[0], b.shape[0]):
            raise ShapeError(f"{name} of {shapes_text([a, b])}: which is longer depends on the call; declare the dims")
        long, short = short, long
    size = short.shape[0]
    if not isinstance(size, int):
        raise ShapeError(f"{name} of {shapes_text([a, b])}: the shorter one's size must be static")
    before = (size - 1) // 2 if not swapped else cut_of_second(size)
    # In front there are as many zeros as elements of the full convolution are wanted before the first full overlap.
    low, high = {"full": (size - 1, size - 1), "valid": (0, 0)}.get(mode, (size - 1 - before, before))
    rows = basis.reshape(long, [[], [], [0]], [[0], [1], [2]], [1, 1, long.shape[0]])
    kernel = basis.reshape(basis.reverse(short, [0]), [[], [], [0]], [[0], [1], [2]], [1, 1, size])
    dims = (0, 1, 2)
    sums = basis.convolve(rows, kernel, (dims, dims, dims), [1], [(low, high)], [1], [1], dtypes.widened(a.dtype))
    made = basis.reshape(sums, [[0], [1], [2]], [[], [], [0]], [sums.shape[2]])
    return cast(made, a.dtype)
