"""What a function calls the arrays that it captured: `weights`, `layers[0].bias`. They are found in its variables."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from wax import tree
from wax._source import in_wax
from wax.array import Array

__all__ = ["captured_names"]


#: Their variables are known by their own names.
_FUNCTIONS = (functools.partial, types.FunctionType, types.MethodType)


def captured_names(function: Any, captured: Sequence[Any]) -> list[str]:
    """A name for each captured array, all different; `captured0` and so on for those that no variable leads to."""
    known: dict[int, str] = {}
    others: list[tuple[str, np.ndarray[Any, Any]]] = []
    for name, leaf in _variables(function, set()):
        if isinstance(leaf, Array):
            known.setdefault(id(leaf), name)
        else:
            others.append((name, leaf))
    found: list[str] = []
    for number, array in enumerate(captured):
        name = known.get(id(array)) or _equal(others, array) or f"captured{number}"
        found.append(name if name not in found else f"{name}#{number}")
    return found


def _equal(others: list[tuple[str, np.ndarray[Any, Any]]], array: Any) -> str | None:
    """The name of an array of NumPy's, of which tracing took a copy; it goes from the list."""
    for place, (_, other) in enumerate(others):
        alike = isinstance(array, Array) and (other.shape, other.dtype) == (array.shape, array.dtype)
        if alike and other.tobytes() == array.numpy().tobytes():
            return others.pop(place)[0]
    return None


def _variables(value: Any, seen: set[int], name: str = "") -> Iterator[tuple[str, Any]]:
    """The arrays that a value leads to, with the expressions that lead there; functions lead to their variables."""
    leaves, structure = tree.flatten(value)
    for code, leaf in zip(tree.leaf_codes(structure, name), leaves, strict=True):
        if isinstance(leaf, Array | np.ndarray):
            yield code, leaf
        elif id(leaf) not in seen and not isinstance(leaf, type | types.ModuleType):
            seen.add(id(leaf))
            for inner, member in _members(leaf):
                within = f"{code}." if code and not isinstance(leaf, _FUNCTIONS) and inner else ""
                yield from _variables(member, seen, within + inner)


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, functools.partial):
        try:
            bound = inspect.signature(value.func).bind_partial(*value.args, **value.keywords).arguments
        except (TypeError, ValueError):
            bound = dict(value.keywords)
        yield from bound.items()
        yield "", value.func
    elif isinstance(value, types.MethodType):
        yield "self", value.__self__
        yield "", value.__func__
    elif isinstance(value, types.FunctionType):
        if not in_wax(value.__code__):
            variables = inspect.getclosurevars(value)
            yield from variables.nonlocals.items()
            yield from variables.globals.items()
    elif hasattr(value, "__wrapped__"):
        yield "", value.__wrapped__
    elif hasattr(value, "__dict__"):
        yield from vars(value).items()
