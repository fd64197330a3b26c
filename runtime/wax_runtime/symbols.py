"""Symbolic dims at call time: binding symbols from the shapes of the arguments, and checking their facts.

A dim expression is written with integers, names, `+ - * // %`, unary minus and parentheses. Proving facts
about expressions is the compiler's part; here they are only evaluated.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import add, floordiv, mod, mul, neg, sub
from typing import Any

from wax_runtime.dtypes import info
from wax_runtime.errors import ArgumentError
from wax_runtime.signature import ArgumentSpec, Signature
from wax_runtime.spec import ArraySpec

__all__ = ["bind", "evaluate", "names"]

_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.FloorDiv: floordiv,
    ast.Mod: mod,
}


@cache
def _parse(text: str) -> ast.expr:
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"{text!r} is not a dim expression") from error
    for node in ast.walk(tree):
        allowed = (ast.BinOp, ast.UnaryOp, ast.USub, ast.Name, ast.Load, ast.Constant, *_BINARY)
        if not isinstance(node, allowed) or (isinstance(node, ast.Constant) and type(node.value) is not int):
            raise ValueError(f"{text!r} is not a dim expression: only integers, names and + - * // % may stand in it")
    return tree


def evaluate(dim: int | str, symbols: Mapping[str, int]) -> int:
    """The value of a dim. Raises `KeyError` for a symbol without value, `ValueError` for bad syntax.

    >>> evaluate("2*b+1", {"b": 3})
    7
    """
    return dim if isinstance(dim, int) else _evaluate(_parse(dim), symbols)


def _evaluate(node: ast.expr, symbols: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return symbols[name]
        case ast.UnaryOp(operand=operand):
            return neg(_evaluate(operand, symbols))
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_evaluate(left, symbols), _evaluate(right, symbols))
        case _:
            raise AssertionError(f"_parse let {ast.dump(node)} through")


@cache
def names(dim: str) -> frozenset[str]:
    """The symbols that occur in a dim expression."""
    return frozenset(node.id for node in ast.walk(_parse(dim)) if isinstance(node, ast.Name))


def bind(signature: Signature, specs: Sequence[ArraySpec]) -> dict[str, int]:
    """Check arguments against a signature, and find the value of each symbol.

    Raises `ArgumentError`, which names the argument, for a wrong count, dtype, rank, dim, or a broken fact.
    """
    if len(specs) != len(signature.arguments):
        raise ArgumentError(
            f"{signature.title} takes {len(signature.arguments)} arrays, {len(specs)} were given; it is {signature}"
        )
    values: dict[str, int] = {}
    composite: list[tuple[int, int, str]] = []
    for index, (want, got) in enumerate(zip(signature.arguments, specs, strict=True)):
        if want.dtype != got.dtype:
            raise _mismatch(signature, index, got, f"convert it with .astype({info(want.dtype).name!r})")
        if len(want.shape) != len(got.shape):
            raise _mismatch(signature, index, got, f"it must have {len(want.shape)} dims")
        for axis, (dim, size) in enumerate(zip(want.shape, got.shape, strict=True)):
            if isinstance(dim, int):
                if dim != size:
                    raise _mismatch(signature, index, got, f"its dim {axis} must be {dim}")
            elif not dim.isidentifier():
                composite.append((index, axis, dim))
            elif values.setdefault(dim, size) != size:
                raise _mismatch(signature, index, got, f"its dim {axis} must be {dim} = {values[dim]}")
    for index, axis, dim in _solvable_first(composite, values):
        _bind_composite(signature, specs, (index, axis), dim, values)
    _check_facts(signature, values)
    return values


def _solvable_first(composite: list[tuple[int, int, str]], values: Mapping[str, int]) -> list[tuple[int, int, str]]:
    return sorted(composite, key=lambda item: len(names(item[2]) - values.keys()))


def _bind_composite(
    signature: Signature, specs: Sequence[ArraySpec], place: tuple[int, int], dim: str, values: dict[str, int]
) -> None:
    index, axis = place
    size = specs[index].shape[axis]
    unknown = [name for name in names(dim) if name not in values]
    if len(unknown) > 1:
        raise ArgumentError(
            f"{signature.title}: the sizes of {', '.join(sorted(unknown))} do not follow from the arguments' shapes; "
            f"let each be a dim of its own in some argument"
        )
    if unknown:
        # One unknown, in practice linear: two points give the line, and the check below is exact.
        at_zero, at_one = (evaluate(dim, {**values, unknown[0]: x}) for x in (0, 1))
        slope = at_one - at_zero
        if slope:
            values[unknown[0]] = (size - at_zero) // slope
    if evaluate(dim, {**dict.fromkeys(unknown, 0), **values}) != size:
        found = ", ".join(f"{name} = {values[name]}" for name in sorted(names(dim)) if name in values)
        raise _mismatch(signature, index, specs[index], f"its dim {axis} must be {dim}, where {found}")


def _check_facts(signature: Signature, values: Mapping[str, int]) -> None:
    for fact in signature.symbols:
        value = values.get(fact.name)
        if value is None:
            continue
        if value < fact.min or (fact.max is not None and value > fact.max) or value % fact.multiple_of:
            upper = "" if fact.max is None else f" <= {fact.max}"
            multiple = "" if fact.multiple_of == 1 else f", a multiple of {fact.multiple_of}"
            raise ArgumentError(
                f"{signature.title}: dim {fact.name} is {value}, but it was declared {fact.min} <= {fact.name}{upper}"
                f"{multiple}; declare it wider, or pass an array within it"
            )


def _mismatch(signature: Signature, index: int, got: ArraySpec, way_out: str) -> ArgumentError:
    want: ArgumentSpec = signature.arguments[index]
    name = f" ({want.name})" if want.name else ""
    expected: Any = ArgumentSpec("", want.shape, want.dtype)
    return ArgumentError(f"{signature.title}: argument {index}{name} must be {expected}, {got} was given; {way_out}")
