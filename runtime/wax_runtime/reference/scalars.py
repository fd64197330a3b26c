"""How the tables of scalar operations are written: what a rule is, and the few ways to combine rules.

A `ScalarRule` looks at one operation of a kernel, at plan time, and answers with the function that does it
on whole arrays. Most answer with a NumPy ufunc itself, so that a kernel of one operation is that ufunc.
The tables are `scalars_arith.py`, `scalars_math.py`, `scalars_complex.py` and `scalars_special.py`, one a dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from wax_runtime.errors import BackendError
from wax_runtime.reference.elements import Element, element
from wax_runtime.snapshot import Apply, Attribute

__all__ = [
    "ScalarFunction",
    "ScalarRule",
    "by_attribute",
    "by_kind",
    "by_result",
    "every",
    "operand_element",
    "unsigned",
    "widened",
]

#: Arrays in, array out, elementwise, with NumPy's broadcasting.
ScalarFunction = Callable[..., Any]
ScalarRule = Callable[[Apply], ScalarFunction]


def operand_element(apply: Apply, index: int = 0) -> Element:
    """The element type of an operation's operand."""
    return element(apply.operands[index].element)


def every(function: ScalarFunction) -> ScalarRule:
    """One function serves every element type."""
    return lambda apply: function


def by_kind(**rules: ScalarRule) -> ScalarRule:
    """A rule for each kind of first operand: `bool` (that is `i1`), `int`, `float`, `complex`."""

    def rule(apply: Apply) -> ScalarFunction:
        kind = operand_element(apply).kind
        if kind not in rules:
            raise BackendError(f"{apply.op} is not an operation on {apply.operands[0].element}")
        return rules[kind](apply)

    return rule


def by_attribute(name: str, cases: Mapping[Attribute, ScalarRule]) -> ScalarRule:
    """A rule for each value of an attribute."""

    def rule(apply: Apply) -> ScalarFunction:
        value = apply.attributes.get(name)
        if value not in cases:
            raise BackendError(f"{apply.op} with {name} = {value!r} is not known to the reference backend")
        return cases[value](apply)

    return rule


def by_result(*rules: ScalarRule) -> ScalarRule:
    """A rule for each result of an operation that has several; the attribute `result` says which is meant."""

    def rule(apply: Apply) -> ScalarFunction:
        return rules[int(apply.attributes.get("result", 0))](apply)  # pyright: ignore[reportArgumentType]

    return rule


def unsigned(function: ScalarFunction, *, compares: bool = False) -> ScalarRule:
    """Integers read as unsigned; the result is viewed as signed again, unless `function` `compares`."""

    def rule(apply: Apply) -> ScalarFunction:
        of = operand_element(apply)
        natural, signed = of.unsigned, of.dtype
        if compares:
            return lambda a, b: function(a.view(natural), b.view(natural))
        if len(apply.operands) == 1:
            return lambda a: function(a.view(natural)).view(signed)
        return lambda a, b: function(a.view(natural), b.view(natural)).view(signed)

    return rule


def widened(function: ScalarFunction, *, narrow: ScalarFunction | None = None) -> ScalarRule:
    """A function of float64 arrays serves every float type, its result rounded to the type at the end.

    `narrow` may be a cheaper one, good enough for the types below float64.
    """
    cheaper = narrow or function

    def rule(apply: Apply) -> ScalarFunction:
        dtype = element(apply.element).dtype
        if dtype.itemsize == 8:
            return function
        return lambda *operands: cheaper(*(x.astype(np.float64) for x in operands)).astype(dtype)

    return rule
