"""What is written on the command line, read: functions, specs of their arguments, arrays."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import operator
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from wax import dtypes, typing
from wax.abstract import ShapeDtypeStruct
from wax.dims import Dim
from wax.errors import DTypeError, Location, WaxError

__all__ = ["UsageError", "UserError", "array", "dims", "function", "specs"]


class UsageError(Exception):
    """The command line is wrong."""


class UserError(Exception):
    """The user's own module or function raised; `location` is where."""

    def __init__(self, message: str, location: Location | None) -> None:
        super().__init__(message)
        self.location = location


def user_error(doing: str, error: BaseException) -> UserError:
    """What the user's code raised, at its innermost line."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "importlib" not in f.filename and f"{Path(__file__).parent.parent}/" not in f.filename]
    where = Location(own[-1].filename, own[-1].lineno or 0) if own else None
    if isinstance(error, SyntaxError) and error.filename:
        where = Location(error.filename, error.lineno or 0, error.offset or 0)
    return UserError(f"{doing}: {type(error).__name__}: {error}", where)


def function(path: str) -> Callable[..., Any]:
    """The function that `package.module:name` or `folder/file.py:name` names. Raises `UsageError`, `UserError`."""
    place, colon, name = path.rpartition(":")
    if not colon or not place or not name:
        raise UsageError(f"{path!r} names no function; write module:function, or file.py:function")
    found: Any = _module(place)
    for part in name.split("."):
        if not hasattr(found, part):
            raise UsageError(f"{place} has no {name!r}")
        found = getattr(found, part)
    if not callable(found):
        raise UsageError(f"{path} is a {type(found).__name__}, not a function")
    return found


def _module(place: str) -> ModuleType:
    try:
        if not place.endswith(".py"):
            if "" not in sys.path:
                sys.path.insert(0, "")
            return importlib.import_module(place)
        file = Path(place)
        if not file.is_file():
            raise UsageError(f"{place}: no such file")
        sys.path.insert(0, str(file.resolve().parent))
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None and spec.loader is not None
        module = sys.modules[file.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    except (WaxError, UsageError):
        raise
    except ModuleNotFoundError as error:
        if error.name and place.startswith(error.name):
            raise UsageError(f"there is no module {place!r} on the path") from None
        raise user_error(f"importing {place}", error) from None
    except Exception as error:  # noqa: BLE001  # whatever a module of the user's raises
        raise user_error(f"importing {place}", error) from None


_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_LIMITS = re.compile(r"([A-Za-z_]\w*)=(\d*):(\d*)")


def dims(texts: list[str]) -> dict[str, Dim]:
    """Dims with bounds, of texts such as `length=2:512`; either bound may be left out. Raises `UsageError`."""
    found = {}
    for text in texts:
        match = _LIMITS.fullmatch(text)
        if match is None:
            raise UsageError(f"--dim {text}: write a name and its least and greatest size, such as length=2:512")
        limits = {key: int(value) for key, value in (("min", match[2]), ("max", match[3])) if value}
        found[match[1]] = Dim(match[1], **limits)
    return found


def specs(texts: list[str], known: Mapping[str, Dim]) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of texts such as `f32[batch, 384]`, `mask=i32[batch]`, `{"w": f32[3, 2]}`, `0.5`.

    Raises `UsageError`.
    """
    positional, named = [], {}
    for text in texts:
        match = re.match(r"\s*([A-Za-z_]\w*)\s*=", text)
        try:
            tree = ast.parse(text[match.end() :].strip() if match else text.strip(), mode="eval").body
            value = _value(tree, known)
        except (SyntaxError, ValueError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else error
            raise UsageError(f"--spec {text}: {reason}; write a dtype and a shape, such as f32[batch, 384]") from None
        if match:
            named[match[1]] = value
        else:
            positional.append(value)
    return positional, named


def _value(node: ast.expr, known: Mapping[str, Dim]) -> Any:
    match node:
        case ast.Name(id=name):
            return ShapeDtypeStruct((), _dtype(name))
        case ast.Subscript(value=ast.Name(id=name), slice=sizes):
            entries = sizes.elts if isinstance(sizes, ast.Tuple) else [sizes]
            return ShapeDtypeStruct(tuple(_size(entry, known) for entry in entries), _dtype(name))
        case ast.Constant(value=bool() | int() | float() | str() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.List(elts=items):
            return [_value(item, known) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item, known) for item in items)
        case ast.Dict(keys=keys, values=values) if all(isinstance(key, ast.Constant) for key in keys):
            return {ast.literal_eval(key): _value(value, known) for key, value in zip(keys, values, strict=True) if key}
    raise ValueError(f"{ast.unparse(node)!r} is neither an array nor a number")


def _dtype(name: str) -> np.dtype[Any]:
    short = getattr(typing, name, None) if name in typing.__all__ else None
    if short is not None and short.dtype is not None:
        return short.dtype
    try:
        return dtypes.canonical(name)
    except DTypeError:
        raise ValueError(f"{name!r} is no dtype") from None


def _size(node: ast.expr, known: Mapping[str, Dim]) -> Any:
    match node:
        case ast.Constant(value=int() as size) if not isinstance(size, bool):
            return size
        case ast.Name(id=name):
            return known.get(name, Dim(name))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_size(left, known), _size(right, known))
    raise ValueError(f"{ast.unparse(node)!r} is no size")


def array(text: str, dtype: np.dtype[Any] | None) -> np.ndarray[Any, Any]:
    """An input: a `.npy` file, `f32[2, 3]=1.5` for an array full of a number, or a number of the dtype that is wanted.

    Raises `UsageError`, `OSError`.
    """
    if text.endswith(".npy"):
        try:
            found = np.load(text, allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise UsageError(f"--input {text}: not an array that NumPy saved: {error}") from None
        # NumPy has no name for bfloat16, and saves it as bytes.
        return found.view(dtype) if dtype is not None and found.dtype == np.dtype(f"V{dtype.itemsize}") else found
    kind, equals, number = text.rpartition("=")
    try:
        value = ast.literal_eval(number.strip())
        if not isinstance(value, bool | int | float):
            raise ValueError(f"{number!r} is no number")
        if not equals:
            return np.asarray(value, dtype)
        spec = _value(ast.parse(kind.strip(), mode="eval").body, {})
        if not isinstance(spec, ShapeDtypeStruct) or not all(isinstance(size, int) for size in spec.shape):
            raise ValueError(f"{kind!r} is no array of known size")
        return np.full(spec.shape, value, spec.dtype)
    except (SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise UsageError(f"--input {text}: {reason}; name a .npy file, or write f32[2, 3]=1.5") from None
