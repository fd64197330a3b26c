"""What a function's annotations say of its arguments and results (`wax.typing`), and whether it is so."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import operator
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wax import dtypes
from wax.dims import DimExpr, Size, format_shape, same
from wax.errors import ArgumentStructureError, ArgumentTypeError, InvalidArgumentError, ShapeError
from wax.typing import ArrayAnnotation

__all__ = ["Annotations", "hints_of"]

_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class Annotations:
    """The annotations of arrays among those of a function."""

    def __init__(self, name: str, hints: Mapping[str, Any], signature: inspect.Signature) -> None:
        self._name, self._hints, self._signature = name, hints, signature

    @classmethod
    def of(cls, function: Callable[..., Any], name: str, signature: inspect.Signature) -> Annotations | None:
        """A function's; `None` where it has none of arrays."""
        found = {one: hint for one, hint in hints_of(function).items() if _says_something(hint)}
        return cls(name, found, signature) if found else None

    def dims(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """`dynamic_shapes` for the arguments, by the name of the leaf: the `Dim`s among the sizes."""
        found: dict[str, Any] = {}
        for leaf, value, annotation in self._arguments(args, kwargs):
            ndim = len(getattr(value, "shape", ()))
            sizes = None if annotation.shape is None else _spread(annotation.shape, ndim)
            if sizes and any(isinstance(size, DimExpr) for size in sizes):
                found[leaf] = {axis: size for axis, size in enumerate(sizes) if isinstance(size, DimExpr)}
        return found

    def check_arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, tuple[Size, str]]:
        """The sizes that names stand for, and where from. Raises `ShapeError`, `ArgumentTypeError`."""
        sizes: dict[str, tuple[Size, str]] = {}
        self._check(list(self._arguments(args, kwargs)), sizes)
        return sizes

    def check_result(self, result: Any, sizes: dict[str, tuple[Size, str]]) -> None:
        """Whether a result is what it is annotated with. Raises `ShapeError`, `ArgumentTypeError`."""
        if "return" in self._hints:
            self._check(list(self._leaves(self._hints["return"], result, "the result")), dict(sizes), returned=True)

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[str, Any, ArrayAnnotation]]:
        for name, value in self._signature.bind(*args, **kwargs).arguments.items():
            hint = self._hints.get(name)
            if hint is None:
                continue
            match self._signature.parameters[name].kind:
                case inspect.Parameter.VAR_POSITIONAL:
                    for index, one in enumerate(value):
                        yield from self._leaves(hint, one, f"{name}[{index}]")
                case inspect.Parameter.VAR_KEYWORD:
                    for key, one in value.items():
                        yield from self._leaves(hint, one, key)
                case _:
                    yield from self._leaves(hint, value, name)

    def _leaves(self, hint: Any, value: Any, where: str) -> Iterator[tuple[str, Any, ArrayAnnotation]]:
        """The arrays of a value, what they are called, and how they are annotated."""
        if isinstance(hint, ArrayAnnotation):
            if not (hasattr(value, "shape") or dtypes.is_python_number(value)):
                raise ArgumentStructureError(
                    f"{where} of {self._name!r} is a {type(value).__name__}, where {hint!r} says one array"
                )
            yield where, value, hint
            return
        for part, one, suffix in _parts(hint, value):
            yield from self._leaves(part, one, where + suffix)

    def _check(
        self,
        leaves: Sequence[tuple[str, Any, ArrayAnnotation]],
        sizes: dict[str, tuple[Size, str]],
        returned: bool = False,
    ) -> None:
        expressions: list[tuple[str, Size, str, Any, ArrayAnnotation]] = []
        for where, value, annotation in leaves:
            self._check_dtype(where, value, annotation, returned)
            shape = tuple(getattr(value, "shape", ()))
            if annotation.shape is None:
                continue
            entries = _spread(annotation.shape, len(shape))
            if entries is None:
                raise self._mismatch(where, value, annotation, "its rank is another")
            for axis, (entry, size) in enumerate(zip(entries, shape, strict=True)):
                if isinstance(entry, DimExpr) or entry == "_":
                    continue
                if isinstance(entry, str) and not entry.isidentifier():
                    expressions.append((entry, size, f"dim {axis} of {where}", value, annotation))
                elif isinstance(entry, str):
                    known, first = sizes.setdefault(entry, (size, f"dim {axis} of {where}"))
                    if not same(known, size):
                        raise self._mismatch(where, value, annotation, f"{entry} is {known} in {first}")
                elif not same(entry, size):
                    raise self._mismatch(where, value, annotation, f"dim {axis} is {size}")
        for text, size, dim, value, annotation in expressions:
            wanted = self._evaluate(text, {name: known for name, (known, _) in sizes.items()})
            if not same(wanted, size):
                where = dim.partition(" of ")[2]
                raise self._mismatch(where, value, annotation, f"{text} is {wanted}")

    def _check_dtype(self, where: str, value: Any, annotation: ArrayAnnotation, returned: bool) -> None:
        if annotation.dtype is None:
            return
        if dtypes.is_python_number(value):
            carried = dtypes.weak_of(value)
        else:
            weak = bool(getattr(value, "weak", False))
            carried = dtypes.carrier(dtypes.canonical(value.dtype), weak), weak
        found = dtypes.default(carried)
        # A Python number fits where it takes the dtype beside such an array. One that is returned stands alone.
        meets = carried[1] and not returned
        taken = dtypes.promote(where, [carried, (annotation.dtype, False)])[0] if meets else found
        if taken != annotation.dtype:
            raise ArgumentTypeError(
                f"{where} of {self._name!r} is of {found}, and annotated {annotation!r}; convert it with .astype, "
                f"or annotate it with its dtype"
            )

    def _mismatch(self, where: str, value: Any, annotation: ArrayAnnotation, why: str) -> ShapeError:
        shape = format_shape(tuple(getattr(value, "shape", ())))
        return ShapeError(f"{where} of {self._name!r} has shape {shape}, and is annotated {annotation!r}: {why}")

    def _evaluate(self, text: str, sizes: Mapping[str, Size]) -> Size:
        def value(node: ast.AST) -> Any:
            match node:
                case ast.Expression(body=body):
                    return value(body)
                case ast.Constant(value=int() as number):
                    return number
                case ast.Name(id=name) if name in sizes:
                    return sizes[name]
                case ast.Name(id=name):
                    raise InvalidArgumentError(
                        f"the size {text!r} in an annotation of {self._name!r} needs {name}, which is the whole of no "
                        f"other size there; there are {', '.join(sorted(sizes)) or 'none'}"
                    )
                case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                    return _OPERATORS[type(op)](value(left), value(right))
            raise SyntaxError

        try:
            return value(ast.parse(text.strip(), mode="eval"))
        except (SyntaxError, ZeroDivisionError):
            raise InvalidArgumentError(
                f"the size {text!r} in an annotation of {self._name!r} is no expression of names and whole numbers "
                f"with + - * // %"
            ) from None


def hints_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Annotations by parameter; those that are text and mean nothing here are left out."""
    target = inspect.unwrap(function)
    if not isinstance(target, types.FunctionType | types.MethodType):
        target = vars(type(target)).get("__call__", target)
    given = dict(getattr(target, "__annotations__", {}))
    scope = dict(getattr(target, "__globals__", {}))
    closure = getattr(target, "__closure__", None) or ()
    for name, cell in zip(getattr(getattr(target, "__code__", None), "co_freevars", ()), closure, strict=False):
        try:
            scope.setdefault(name, cell.cell_contents)
        except ValueError:  # not assigned yet
            continue
    return {name: hint for name, text in given.items() if (hint := _evaluated(text, scope)) is not None}


def _evaluated(hint: Any, scope: dict[str, Any]) -> Any:
    if not isinstance(hint, str):
        return hint
    try:
        return eval(hint, scope)  # as typing.get_type_hints does
    except Exception:  # noqa: BLE001 (whatever it raises, it is none of ours)
        return None


def _says_something(hint: Any) -> bool:
    """Whether arrays are annotated somewhere in a hint."""
    if isinstance(hint, ArrayAnnotation):
        return True
    if any(_says_something(one) for one in typing.get_args(hint)):
        return True
    return isinstance(hint, type) and any(_says_something(one) for one in _fields(hint).values())


def _fields(cls: type) -> dict[str, Any]:
    """The annotated fields of a dataclass or a named tuple."""
    if not (dataclasses.is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))):
        return {}
    scope = vars(inspect.getmodule(cls) or types)
    given = {name: hint for one in reversed(cls.__mro__) for name, hint in vars(one).get("__annotations__", {}).items()}
    return {name: hint for name, text in given.items() if (hint := _evaluated(text, dict(scope))) is not None}


def _parts(hint: Any, value: Any) -> Iterator[tuple[Any, Any, str]]:
    """What is inside a container, how it is annotated, and how Python gets it out."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        chosen = [one for one in inner if one is not type(None)]
        if value is not None and len(chosen) == 1:
            yield chosen[0], value, ""
    elif origin in (list, Sequence) and isinstance(value, list | tuple):
        for index, one in enumerate(value):
            yield inner[0], one, f"[{index}]"
    elif origin is tuple and isinstance(value, tuple):
        each = [inner[0]] * len(value) if len(inner) == 2 and inner[1] is ... else list(inner)
        for index, (part, one) in enumerate(zip(each, value, strict=False)):
            yield part, one, f"[{index}]"
    elif origin in (dict, Mapping) and isinstance(value, Mapping):
        for key, one in value.items():
            yield inner[1], one, f"[{key!r}]"
    elif isinstance(hint, type) and isinstance(value, hint):
        for name, part in _fields(hint).items():
            yield part, getattr(value, name), f".{name}"


def _spread(entries: tuple[Any, ...], ndim: int) -> tuple[Any, ...] | None:
    """The entries with as many `"_"` for `...` as there are dims; `None` for another rank."""
    at = next((index for index, entry in enumerate(entries) if entry is ...), None)
    if at is None:
        return entries if len(entries) == ndim else None
    missing = ndim - (len(entries) - 1)
    return None if missing < 0 else (*entries[:at], *["_"] * missing, *entries[at + 1 :])
