"""Sums of products, as terms whose dims have names.

A term is a function of the indices that are free in it: `Sum(j, Pair("Mul", Leaf(a, (i, j)), Leaf(b, (j, k))))` is a
product of matrices, whichever way its operands lie in memory and whoever wrote it. That is the basis with names for
dims in the place of numbers: a `broadcast` joins operands by names, a `reduce` sums over one, a `permute` is no
operation at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal as OneOf
from typing import TypeAlias

__all__ = ["Constant", "Leaf", "Name", "Operator", "Pair", "Source", "Sum", "Term", "renamed"]

#: An index: unique in a search.
Name: TypeAlias = int
Operator: TypeAlias = OneOf["Add", "Sub", "Mul", "Div"]


@dataclass(frozen=True, slots=True)
class Source:
    """An array that terms read: a value of the program, or what an outside rule makes (`alternative`).

    `widened`: its elements are read as the wider ones that the term computes with.
    """

    value: int
    widened: bool = False
    alternative: bool = False


@dataclass(frozen=True)
class Leaf:
    """An element of an array, at an index for each of its dims; one that stands twice reads a diagonal."""

    source: Source
    names: tuple[Name, ...]

    @cached_property
    def free(self) -> frozenset[Name]:
        return frozenset(self.names)

    @property
    def all_names(self) -> frozenset[Name]:
        return self.free


@dataclass(frozen=True)
class Constant:
    """A number, as Python spells it: so that zeros of both signs are two, and NaN is itself."""

    spelled: str

    @property
    def value(self) -> int | float:
        return float(self.spelled) if set(self.spelled) & set(".en") else int(self.spelled)

    @property
    def free(self) -> frozenset[Name]:
        return frozenset()

    @property
    def all_names(self) -> frozenset[Name]:
        return frozenset()


@dataclass(frozen=True)
class Pair:
    """Two terms joined by arithmetic."""

    operator: Operator
    left: Term
    right: Term

    @cached_property
    def free(self) -> frozenset[Name]:
        return self.left.free | self.right.free

    @cached_property
    def all_names(self) -> frozenset[Name]:
        return self.left.all_names | self.right.all_names


@dataclass(frozen=True)
class Sum:
    """A term summed over an index, which is free in nothing around it."""

    name: Name
    body: Term

    @cached_property
    def free(self) -> frozenset[Name]:
        return self.body.free - {self.name}

    @cached_property
    def all_names(self) -> frozenset[Name]:
        return self.body.all_names | {self.name}


Term: TypeAlias = Leaf | Constant | Pair | Sum


def renamed(term: Term, names: Mapping[Name, Name]) -> Term:
    """A term with other free indices."""
    match term:
        case Leaf():
            return Leaf(term.source, tuple([names.get(name, name) for name in term.names]))
        case Pair():
            return Pair(term.operator, renamed(term.left, names), renamed(term.right, names))
        case Sum():
            return Sum(term.name, renamed(term.body, names))
    return term
