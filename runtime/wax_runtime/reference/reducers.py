"""Folds that NumPy does by itself: the table of scalar operations that are one ufunc reduction.

A `Reducer` folds an array over axes into an accumulator, a scalar or an array of the kept shape. Operations
whose result does not depend on the order (integers, bits, extremes) are reduced at once always; sums and
products of floats only when the program allows another order, and one by one otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from wax_runtime.reference.elements import Element

__all__ = ["REDUCERS", "Reducer", "leading"]

Reducer: TypeAlias = Callable[[Any, tuple[int, ...], Any], Any]

#: Makes a reducer for an element type; the flag says that the order is free. `None`: not by one ufunc.
ReducerRule: TypeAlias = Callable[[Element, bool], "Reducer | None"]

# Fewer kept elements than this, and one `accumulate` beats a loop over the folded ones.
_FEW = 64


def leading(x: Any, axes: tuple[int, ...]) -> Any:
    """`x` with the axes merged into one in front, in row-major order."""
    kept = tuple(axis for axis in range(x.ndim) if axis not in axes)
    moved = x.transpose(axes + kept)
    shape = moved.shape
    if len(axes) == 1:
        return moved
    # Not −1 for the merged axis: it would be undefined in an array without elements.
    count = 1
    for size in shape[: len(axes)]:
        count *= size
    return moved.reshape((count, *shape[len(axes) :]))


def _at_once(ufunc: np.ufunc, dtype: np.dtype[Any]) -> Reducer:
    reduce_ = ufunc.reduce

    def reduce(x: Any, axes: tuple[int, ...], acc: Any) -> Any:
        if acc.ndim == 0:
            return reduce_(x, axis=axes, dtype=dtype, initial=acc)
        return ufunc(acc, reduce_(x, axis=axes, dtype=dtype))

    return reduce


def _one_by_one(ufunc: np.ufunc) -> Reducer:
    def reduce(x: Any, axes: tuple[int, ...], acc: Any) -> Any:
        rows = leading(x, axes)
        if rows.shape[0] == 0:
            return np.broadcast_to(acc, rows.shape[1:])
        if rows[0].size >= _FEW:
            for row in rows:
                acc = ufunc(acc, row)
            return acc
        rows = rows.copy()
        rows[0] = ufunc(acc, rows[0])
        return ufunc.accumulate(rows, axis=0)[-1]

    return reduce


def _extreme(ufunc: np.ufunc, dtype: np.dtype[Any], *, greatest: bool) -> Reducer:
    """NaN wins. Of zeros NumPy takes any; the greatest of them is +0 and the least −0, if there is one."""
    at_once, zero = _at_once(ufunc, dtype), dtype.type(0)

    def is_winning_zero(x: Any) -> Any:
        return (x == zero) & (np.signbit(x) != greatest)

    def reduce(x: Any, axes: tuple[int, ...], acc: Any) -> Any:
        result = at_once(x, axes, acc)
        if result.all():
            return result
        won = np.logical_or.reduce(is_winning_zero(x), axis=axes) | is_winning_zero(acc)
        return np.where(result == zero, np.where(won == greatest, zero, -zero), result)

    return reduce


def _exact(ufunc: np.ufunc, on_bool: np.ufunc) -> ReducerRule:
    return lambda of, free: _at_once(on_bool if of.kind == "bool" else ufunc, of.dtype)


def _exact_unsigned(ufunc: np.ufunc, on_bool: np.ufunc) -> ReducerRule:
    def rule(of: Element, free: bool) -> Reducer:
        if of.kind == "bool":
            return _at_once(on_bool, of.dtype)
        natural, signed = of.unsigned, of.dtype
        reduce = _at_once(ufunc, natural)
        return lambda x, axes, acc: reduce(x.view(natural), axes, acc.view(natural)).view(signed)

    return rule


def _rounded(ufunc: np.ufunc) -> ReducerRule:
    def rule(of: Element, free: bool) -> Reducer | None:
        if not free:
            return _one_by_one(ufunc)
        # NumPy's sums are pairwise for its own types; of bfloat16 they are one by one, and lanes do better.
        return _at_once(ufunc, of.dtype) if of.name != "bf16" else None

    return rule


#: By name of the operation between element and accumulator, all of them associative.
REDUCERS: dict[str, ReducerRule] = {
    "arith.addi": _exact(np.add, np.bitwise_xor),
    "arith.muli": _exact(np.multiply, np.bitwise_and),
    "arith.andi": _exact(np.bitwise_and, np.bitwise_and),
    "arith.ori": _exact(np.bitwise_or, np.bitwise_or),
    "arith.xori": _exact(np.bitwise_xor, np.bitwise_xor),
    "arith.maxsi": _exact(np.maximum, np.bitwise_and),
    "arith.minsi": _exact(np.minimum, np.bitwise_or),
    "arith.maxui": _exact_unsigned(np.maximum, np.bitwise_or),
    "arith.minui": _exact_unsigned(np.minimum, np.bitwise_and),
    "arith.maximumf": lambda of, free: _extreme(np.maximum, of.dtype, greatest=True),
    "arith.minimumf": lambda of, free: _extreme(np.minimum, of.dtype, greatest=False),
    "arith.maxnumf": lambda of, free: _at_once(np.fmax, of.dtype),
    "arith.minnumf": lambda of, free: _at_once(np.fmin, of.dtype),
    "arith.addf": _rounded(np.add),
    "arith.mulf": _rounded(np.multiply),
    "complex.add": _rounded(np.add),
    "complex.mul": _rounded(np.multiply),
}
