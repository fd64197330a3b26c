"""Scans that NumPy does by itself: the table of scalar operations that are one ufunc's `accumulate`.

An `Accumulator` gives all prefixes of a fold along the first axis, from an accumulator on. `accumulate` goes one
by one, so the order of a sum is the program's, and the result is the same whether a program lets it be reordered
or not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from wax_runtime.reference.elements import Element

__all__ = ["ACCUMULATORS", "Accumulator"]

Accumulator: TypeAlias = Callable[[Any, Any], Any]
AccumulatorRule: TypeAlias = Callable[[Element], Accumulator]


def _accumulate(ufunc: np.ufunc) -> Accumulator:
    def accumulate(x: Any, acc: Any) -> Any:
        if x.shape[0] == 0:
            return x
        started = x.copy(order="K")
        started[0] = ufunc(acc, x[0])
        return ufunc.accumulate(started, axis=0, dtype=x.dtype, out=started)

    return accumulate


def _exact(ufunc: np.ufunc, on_bool: np.ufunc) -> AccumulatorRule:
    return lambda of: _accumulate(on_bool if of.kind == "bool" else ufunc)


def _exact_unsigned(ufunc: np.ufunc, on_bool: np.ufunc) -> AccumulatorRule:
    def rule(of: Element) -> Accumulator:
        if of.kind == "bool":
            return _accumulate(on_bool)
        natural, signed, accumulate = of.unsigned, of.dtype, _accumulate(ufunc)
        return lambda x, acc: accumulate(x.view(natural), acc.view(natural)).view(signed)

    return rule


def _rounded(ufunc: np.ufunc) -> AccumulatorRule:
    return lambda of: _accumulate(ufunc)


def _extreme(ufunc: np.ufunc, *, greatest: bool) -> AccumulatorRule:
    """NaN wins, and −0 is less than +0: the order of integers that floats' bits can be read as."""

    def rule(of: Element) -> Accumulator:
        integer = np.dtype(f"i{of.dtype.itemsize}")
        facts, accumulate = np.iinfo(integer), _accumulate(ufunc)
        nan, shift, magnitude = facts.max if greatest else facts.min, integer.type(facts.bits - 1), facts.max

        def swapped(bits: Any) -> Any:
            return bits ^ ((bits >> shift) & magnitude)

        def keys(x: Any) -> Any:
            x = np.asarray(x)
            return np.where(x != x, integer.type(nan), swapped(x.view(integer)))

        return lambda x, acc: swapped(accumulate(keys(x), keys(acc))).view(of.dtype)

    return rule


#: By name of the operation between element and accumulator.
ACCUMULATORS: dict[str, AccumulatorRule] = {
    "arith.addi": _exact(np.add, np.bitwise_xor),
    "arith.muli": _exact(np.multiply, np.bitwise_and),
    "arith.andi": _exact(np.bitwise_and, np.bitwise_and),
    "arith.ori": _exact(np.bitwise_or, np.bitwise_or),
    "arith.xori": _exact(np.bitwise_xor, np.bitwise_xor),
    "arith.maxsi": _exact(np.maximum, np.bitwise_and),
    "arith.minsi": _exact(np.minimum, np.bitwise_or),
    "arith.maxui": _exact_unsigned(np.maximum, np.bitwise_or),
    "arith.minui": _exact_unsigned(np.minimum, np.bitwise_and),
    "arith.maximumf": _extreme(np.maximum, greatest=True),
    "arith.minimumf": _extreme(np.minimum, greatest=False),
    "arith.maxnumf": _rounded(np.fmax),
    "arith.minnumf": _rounded(np.fmin),
    "arith.addf": _rounded(np.add),
    "arith.mulf": _rounded(np.multiply),
    "complex.add": _rounded(np.add),
    "complex.mul": _rounded(np.multiply),
}
