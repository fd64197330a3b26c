"""Arrays with bounds of their errors: the judge of programs of several operations.

An `Estimate` is what a program gives in wider arithmetic, by NumPy, and for each element how far a result in the
program's own dtypes may be from it, by a running error analysis. An error of 0 promises the very bits. The functions
here have the names of the array API's, so that a program written for a namespace runs on estimates too.

`Inexact` is raised where a result would depend on what is not known exactly: a comparison, an order, an index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np

BF16 = np.dtype(ml_dtypes.bfloat16)
EPSILON = {np.dtype("f2"): 2.0**-10, BF16: 2.0**-7, np.dtype("f4"): 2.0**-23, np.dtype("f8"): 2.0**-52}
EPSILON |= {np.dtype("c8"): 2.0**-23, np.dtype("c16"): 2.0**-52}
_WIDE = {np.dtype("f8"): np.dtype(np.longdouble), np.dtype("c8"): np.dtype("c16")}
_WIDE |= {np.dtype("c16"): np.dtype(np.clongdouble)} | {np.dtype(t): np.dtype("f8") for t in ("f2", "f4")}
_WIDE[BF16] = np.dtype("f8")
#: Sums of these many quarters are exact in every float that sums are made in.
_EXACT_SUM = 2.0**20
#: Roundings of an elementary function, at most.
_ELEMENTARY = 4.0


class Inexact(Exception):
    """The program's result would hang on a rounding, or leave the range where errors are estimated."""


def is_inexact(dtype: np.dtype) -> bool:
    """Whether a dtype's results are rounded."""
    return dtype in EPSILON


class Estimate:
    """Elements in wide arithmetic, a bound of the distance of what is computed, and the dtype it is computed in."""

    def __init__(self, value: Any, error: Any, dtype: np.dtype) -> None:
        self.value, self.error, self.dtype = np.asarray(value), np.asarray(error, np.float64), np.dtype(dtype)
        assert self.value.shape == self.error.shape
        if is_inexact(self.dtype) and self.value.size:
            size = np.abs(self.value)
            limit = 1e3 if self.dtype == np.dtype("f2") else 1e6
            if not (size.max() < limit and (self.error <= 2.0**-6 * (1 + size)).all()):
                raise Inexact

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dims."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return self.value.ndim

    def __getitem__(self, key: Any) -> Estimate:
        key = tuple(k.exact() if isinstance(k, Estimate) else k for k in (key if isinstance(key, tuple) else (key,)))
        return Estimate(self.value[key], self.error[key], self.dtype)

    @property
    def at(self) -> _At:
        """As of an array."""
        return _At(self)

    def exact(self) -> np.ndarray:
        """The elements in the dtype of the program. Raises `Inexact` where they may differ."""
        if self.error.any():
            raise Inexact
        return self.value.astype(self.dtype)

    def check(self, got: Any, name: str) -> None:
        """Assert that an array has the dtype, the shape and, within the bounds, the elements."""
        found = np.asarray(got)
        assert found.dtype == self.dtype, (name, found.dtype, self.dtype)
        assert found.shape == self.shape, (name, found.shape, self.shape)
        if not is_inexact(self.dtype):
            np.testing.assert_array_equal(found, self.value, err_msg=name)
            return
        away = np.abs(found.astype(self.value.dtype) - self.value)
        if not (away <= self.error).all():
            at = np.unravel_index(np.argmax(away - self.error), self.shape)
            raise AssertionError(
                f"{name}: element {at} is {found[at]}, not {self.value[at]} within {self.error[at]}, of {self.dtype}"
            )


class _At:
    def __init__(self, x: Estimate, key: Any = None) -> None:
        self.x, self.key = x, key

    def __getitem__(self, key: Any) -> _At:
        return _At(self.x, key)

    def set(self, y: Estimate) -> Estimate:
        """As of an array."""
        value, error = self.x.value.copy(), self.x.error.copy()
        value[self.key], error[self.key] = y.value, y.error
        return Estimate(value, error, self.x.dtype)

    def add(self, y: Estimate) -> Estimate:
        """As of an array."""
        return self.set(add(self.x[self.key], y))


def estimate(x: np.ndarray) -> Estimate:
    """An argument: exact."""
    return Estimate(x.astype(_WIDE.get(x.dtype, x.dtype)), np.zeros(x.shape), x.dtype)


def _rounded(value: np.ndarray, propagated: Any, dtype: np.dtype, roundings: float = 1.0) -> Estimate:
    """A result that is rounded, `roundings` times, unless the dtype has it and one rounding is all there is."""
    if not is_inexact(dtype):
        return Estimate(value.astype(dtype), np.zeros(value.shape), dtype)
    value = value.astype(_WIDE[dtype])
    own = roundings * EPSILON[dtype] * np.abs(value) + 1e-30
    if roundings <= 1:
        own = np.where(value.astype(dtype).astype(value.dtype) == value, 0, own)
    propagated = np.broadcast_to(propagated, value.shape)
    return Estimate(value, propagated * (1 + EPSILON[dtype]) + own, dtype)


def _of_two(compute: Any, spread: Callable[..., Any], roundings: float = 1.0) -> Callable[..., Estimate]:
    def function(a: Estimate, b: Estimate) -> Estimate:
        assert a.dtype == b.dtype
        several = roundings if roundings > 1 else 4.0 if a.dtype.kind == "c" and compute is np.multiply else 1.0
        if several > 1 and not (a.error.any() or b.error.any()):  # products of few digits are exact, in parts as well
            value = compute(a.value, b.value)
            if is_inexact(a.dtype) and _is_short(a.value) and _is_short(b.value) and compute is np.multiply:
                return _rounded(value, 0, a.dtype)
        return _rounded(compute(a.value, b.value), spread(a.value, b.value, a.error, b.error), a.dtype, several)

    return function


def _is_short(x: np.ndarray) -> bool:
    return _are_whole(x * 4) and bool((np.abs(x) < 32).all())


add = _of_two(np.add, lambda a, b, e, f: e + f)
subtract = _of_two(np.subtract, lambda a, b, e, f: e + f)
multiply = _of_two(np.multiply, lambda a, b, e, f: np.abs(a) * f + np.abs(b) * e + e * f)
maximum = _of_two(np.maximum, lambda a, b, e, f: np.maximum(e, f))
minimum = _of_two(np.minimum, lambda a, b, e, f: np.maximum(e, f))
hypot = _of_two(np.hypot, lambda a, b, e, f: e + f, _ELEMENTARY)


def divide(a: Estimate, b: Estimate) -> Estimate:
    """As of the array API; the divisor has to be away from 0."""
    least = np.abs(b.value) - b.error
    if least.size and least.min() < 0.25:
        raise Inexact
    value = a.value / b.value
    spread = (a.error + np.abs(value) * b.error) / np.where(least > 0, least, 1)
    return _rounded(value, spread, a.dtype, 8.0 if a.dtype.kind == "c" else 1.0)


def _smooth(compute: Any, slope: Callable[[Any, Any], Any]) -> Callable[[Estimate], Estimate]:
    """An elementary function; `slope` bounds its derivative near an element, given the error."""

    def function(x: Estimate) -> Estimate:
        spread = slope(x.value.astype(_WIDE[x.dtype]), x.error) * x.error
        result = _rounded(compute(x.value), spread, x.dtype, _ELEMENTARY)
        # What is small may be rounded as its argument is.
        extra = _ELEMENTARY * EPSILON[x.dtype] * np.minimum(1.0, np.abs(x.value)).astype(np.float64)
        return Estimate(result.value, result.error + extra, x.dtype)

    return function


tanh = _smooth(np.tanh, lambda x, e: 1.0)
sin = _smooth(np.sin, lambda x, e: 1.0)
cos = _smooth(np.cos, lambda x, e: 1.0)
atan = _smooth(np.arctan, lambda x, e: 1.0)
asinh = _smooth(np.arcsinh, lambda x, e: 1.0)
exp = _smooth(lambda x: np.exp(np.minimum(x, 50)), lambda x, e: np.exp(np.minimum(x + e, 50)))


def sqrt(x: Estimate) -> Estimate:
    """As of the array API; the argument has to be away from 0."""
    least = x.value - x.error
    if least.size and least.min() < 0.25:
        raise Inexact
    return _rounded(np.sqrt(x.value), x.error / (2 * np.sqrt(np.maximum(least, 0.25))), x.dtype)


def _exactly(compute: Callable[..., Any], result: Any = None) -> Callable[..., Estimate]:
    """A function that needs to know its arguments exactly, in their dtype; `result` is its dtype if it has one."""

    def function(*operands: Estimate, **named: Any) -> Estimate:
        arrays = [x.exact() for x in operands]
        found = np.asarray(compute(*arrays, **named))
        return estimate(found.astype(result or operands[0].dtype))

    return function


floor, ceil, trunc, round_ = (_exactly(f) for f in (np.floor, np.ceil, np.trunc, np.round))
sign = _exactly(lambda x: np.sign(x))
bitwise_and, bitwise_or, bitwise_xor = (_exactly(f) for f in (np.bitwise_and, np.bitwise_or, np.bitwise_xor))
bitwise_invert = _exactly(np.invert)
logical_not = _exactly(np.logical_not, np.bool_)
equal, not_equal = _exactly(np.equal, np.bool_), _exactly(np.not_equal, np.bool_)
less, less_equal = _exactly(np.less, np.bool_), _exactly(np.less_equal, np.bool_)
floor_divide, remainder = _exactly(np.floor_divide), _exactly(np.remainder)
argmax = _exactly(lambda x, axis=None, keepdims=False: np.argmax(x, axis=axis, keepdims=keepdims), np.int32)
argmin = _exactly(lambda x, axis=None, keepdims=False: np.argmin(x, axis=axis, keepdims=keepdims), np.int32)
count_nonzero = _exactly(lambda x, axis=None: np.count_nonzero(x, axis=axis), np.int32)
any_ = _exactly(lambda x, axis=None: np.any(x, axis=axis), np.bool_)
all_ = _exactly(lambda x, axis=None: np.all(x, axis=axis), np.bool_)
argsort = _exactly(lambda x, axis=-1: np.argsort(x, axis=axis, kind="stable"), np.int32)
searchsorted = _exactly(lambda x, y: np.searchsorted(x, y), np.int32)


def negative(x: Estimate) -> Estimate:
    """As of the array API."""
    return Estimate(-x.value, x.error, x.dtype)


def abs_(x: Estimate) -> Estimate:
    """As of the array API."""
    if x.dtype.kind == "c":
        part = np.dtype("f4") if x.dtype == np.dtype("c8") else np.dtype("f8")
        return _rounded(np.abs(x.value), x.error, part, _ELEMENTARY)
    return Estimate(np.abs(x.value), x.error, x.dtype)


def square(x: Estimate) -> Estimate:
    """As of the array API."""
    return multiply(x, x)


def astype(x: Estimate, dtype: Any) -> Estimate:
    """As of the array API; to whole numbers and booleans of what is known exactly and in range only."""
    dtype = np.dtype(dtype)
    if is_inexact(dtype):
        return _rounded(x.value, x.error, dtype)
    value = x.exact()
    if is_inexact(x.dtype) and dtype.kind in "iu" and value.size:
        limits, found = np.iinfo(dtype), value.astype(np.float64)
        if found.min() < limits.min or found.max() > min(limits.max, 2.0**31):
            raise Inexact
    return estimate(value.astype(dtype))


def where(condition: Estimate, a: Estimate, b: Estimate) -> Estimate:
    """As of the array API."""
    chosen = condition.exact()
    return Estimate(np.where(chosen, a.value, b.value), np.where(chosen, a.error, b.error), a.dtype)


# Sums and products of many.


def _summed_in(dtype: np.dtype) -> np.dtype:
    if dtype.kind == "b" or dtype in (np.dtype("i1"), np.dtype("i2")):
        return np.dtype("i4")
    return np.dtype("u4") if dtype in (np.dtype("u1"), np.dtype("u2")) else dtype


def _are_whole(x: np.ndarray) -> bool:
    return bool((x == np.round(x)).all())


def _total(value: Any, propagated: Any, sizes: Any, count: int, dtype: np.dtype, *, quarters: bool) -> Estimate:
    """A sum of `count` parts, whose magnitudes sum to `sizes`: exact if they are few quarters, whatever the order."""
    value, sizes = np.asarray(value), np.asarray(sizes, np.float64)
    accumulated = np.dtype("f4") if dtype in (np.dtype("f2"), BF16) else dtype
    if quarters and (not sizes.size or sizes.max() < _EXACT_SUM):
        return _rounded(value, propagated, dtype)
    own = (count + 2) * EPSILON[accumulated] * (sizes + propagated)
    return _rounded(value, propagated + own, dtype, 1.001)


def sum_(x: Estimate, axis: int | None = None, keepdims: bool = False) -> Estimate:
    """As of the array API."""
    dtype = _summed_in(x.dtype)
    if not is_inexact(dtype):
        value = np.sum(x.value, axis=axis, dtype=dtype, keepdims=keepdims)
        return Estimate(value, np.zeros(value.shape), dtype)
    over: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    count = x.value.size if axis is None else x.shape[axis]
    sums = [np.sum(part, **over) for part in (x.value, x.error, np.abs(x.value))]
    return _total(*sums, count, dtype, quarters=_are_whole(x.value * 4))


def mean(x: Estimate, axis: int | None = None) -> Estimate:
    """As of the array API, of some elements."""
    count = x.value.size if axis is None else x.shape[axis]
    if not count:
        raise Inexact
    total = sum_(x, axis)
    return _rounded(total.value / count, total.error / count, x.dtype, 3.0)


def cumulative_sum(x: Estimate, axis: int = 0) -> Estimate:
    """As of the array API."""
    dtype = _summed_in(x.dtype)
    if not is_inexact(dtype):
        value = np.cumsum(x.value, axis=axis, dtype=dtype)
        return Estimate(value, np.zeros(value.shape), dtype)
    sums = [np.cumsum(part, axis=axis) for part in (x.value, x.error, np.abs(x.value))]
    return _total(*sums, x.shape[axis], dtype, quarters=_are_whole(x.value * 4))


def matmul(a: Estimate, b: Estimate) -> Estimate:
    """As of the array API."""
    if not is_inexact(a.dtype):
        value = np.matmul(a.value, b.value)
        return Estimate(value.astype(a.dtype), np.zeros(value.shape), a.dtype)
    sizes, most = (
        np.matmul(*(np.abs(x.value).astype(np.float64) + x.error * with_error for x in (a, b))) for with_error in (0, 1)
    )
    halves = _are_whole(a.value * 2) and _are_whole(b.value * 2)
    return _total(np.matmul(a.value, b.value), most - sizes, sizes, 4 * a.shape[-1], a.dtype, quarters=halves)


def max_(x: Estimate, axis: int | None = None, keepdims: bool = False) -> Estimate:
    """As of the array API."""
    over: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    return Estimate(np.max(x.value, **over), np.max(x.error, **over), x.dtype)


def min_(x: Estimate, axis: int | None = None, keepdims: bool = False) -> Estimate:
    """As of the array API."""
    return negative(max_(negative(x), axis, keepdims)) if is_inexact(x.dtype) else _least(x, axis, keepdims)


_least = _exactly(lambda x, axis, keepdims: np.min(x, axis=axis, keepdims=keepdims))


def _least(x: Estimate, axis: int | None, keepdims: bool) -> Estimate:
    return estimate(np.asarray(np.min(x.value, axis=axis, keepdims=keepdims)))


def sort(x: Estimate, axis: int = -1) -> Estimate:
    """As of the array API: a sorted list moves no further than its elements."""
    worst = np.max(x.error, axis=axis, keepdims=True, initial=0)
    return Estimate(np.sort(x.value, axis=axis), np.broadcast_to(worst, x.shape), x.dtype)


# What only moves elements.


def _moved(function: Callable[..., Any]) -> Callable[..., Estimate]:
    def move(x: Estimate, *args: Any, **named: Any) -> Estimate:
        args = tuple(y.exact() if isinstance(y, Estimate) else y for y in args)
        return Estimate(function(x.value, *args, **named), function(x.error, *args, **named), x.dtype)

    return move


def _joined(function: Callable[..., Any]) -> Callable[..., Estimate]:
    def join(parts: Sequence[Estimate], **named: Any) -> Estimate:
        value, error = (function([getattr(x, name) for x in parts], **named) for name in ("value", "error"))
        return Estimate(value, error, parts[0].dtype)

    return join


_MOVES = (
    "permute_dims reshape flip roll expand_dims squeeze tile repeat take take_along_axis triu tril pad broadcast_to"
)

#: The namespace of estimates.
NAMESPACE = SimpleNamespace(
    **{name: _moved(getattr(np, name)) for name in _MOVES.split()},
    concat=_joined(np.concat),
    stack=_joined(np.stack),
    real=_moved(np.real),
    sum=sum_,
    max=max_,
    min=min_,
    any=any_,
    all=all_,
    abs=abs_,
    round=round_,
)
_COMPUTED = (
    "add subtract multiply divide maximum minimum hypot tanh sin cos atan asinh exp sqrt floor ceil trunc sign "
    "bitwise_and bitwise_or bitwise_xor bitwise_invert logical_not equal not_equal less less_equal floor_divide "
    "remainder argmax argmin count_nonzero argsort searchsorted negative square astype where mean cumulative_sum "
    "matmul sort"
)
for _name in _COMPUTED.split():
    setattr(NAMESPACE, _name, globals()[_name])


def _scan(f: Callable[[Any, Any], Any], carry: Any, xs: Estimate) -> Any:
    found = []
    for i in range(xs.shape[0]):
        carry, y = f(carry, xs[i])
        found.append(y)
    return carry, NAMESPACE.stack(found, axis=0)


def _while_loop(test: Callable[[Any], Any], body: Callable[[Any], Any], value: Any) -> Any:
    while bool(test(value).exact()):
        value = body(value)
    return value


def _fori_loop(lower: int, upper: int, body: Callable[[Any, Any], Any], value: Any) -> Any:
    for i in range(lower, upper):
        value = body(i, value)
    return value


#: Control flow on estimates.
CONTROL = SimpleNamespace(
    cond=lambda p, yes, no, *operands: (yes if bool(p.exact()) else no)(*operands),
    scan=_scan,
    while_loop=_while_loop,
    fori_loop=_fori_loop,
)
