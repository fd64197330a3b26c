"""`wax.numpy` with every call compiled by IREE: what the array API's test suite is run against a second time.

`ARRAY_API_TESTS_MODULE=compiled_namespace`. A call of a test's is traced and compiled as a function of the arrays among
its arguments; so is what the operators of an array do. What the suite's helpers call, to make arguments and to look at
results, runs as always. Results whose size depends on the data are compiled with the size that they turn out to have.

Where a call can be traced with dims in place of its arrays' sizes it is, so that arrays of others find it compiled.
Decompositions and transforms, slow to compile so, and what depends on the sizes, are compiled for each shape.
"""

from __future__ import annotations

import builtins
import functools
import sys
from collections.abc import Callable
from types import FrameType, ModuleType
from typing import Any

import numpy as np

import wax
import wax.numpy as wnp
from wax import operators
from wax._device_kernels import opened
from wax._trace import is_tracing

#: What makes arrays of what is none, or gives no arrays.
_NOT_COMPILED = {
    "__array_namespace_info__",
    "asarray",
    "broadcast_shapes",
    "can_cast",
    "finfo",
    "from_dlpack",
    "getitem",
    "iinfo",
    "isdtype",
    "result_type",
}

#: The functions whose results' size depends on the data, and how to say it.
_SIZED: dict[str, Callable[[Any], dict[str, Any]]] = {
    "nonzero": lambda result: {"size": result[0].shape[0]},
    "unique_all": lambda result: {"size": result.values.shape[0]},
    "unique_counts": lambda result: {"size": result.values.shape[0]},
    "unique_inverse": lambda result: {"size": result.values.shape[0]},
    "unique_values": lambda result: {"size": result.shape[0]},
}


#: The modules of decompositions and transforms.
_OF_KNOWN_SIZES = ("wax.numpy.linalg", "wax.numpy.fft")


def _is_test(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__", "").startswith("array_api_tests.test_")


class _Place:
    """Where in the arguments an array stands."""

    def __init__(self, number: int) -> None:
        self.number = number


def _without_arrays(x: Any, arrays: list[Any]) -> Any:
    if isinstance(x, wax.Array | np.ndarray | np.generic):
        arrays.append(x)
        return _Place(len(arrays) - 1)
    if isinstance(x, tuple | list):
        return type(x)(_without_arrays(item, arrays) for item in x)
    return x


def _with_arrays(x: Any, arrays: tuple[Any, ...]) -> Any:
    if isinstance(x, _Place):
        return arrays[x.number]
    if isinstance(x, tuple | list):
        return type(x)(_with_arrays(item, arrays) for item in x)
    return x


def _run_compiled(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    arrays: list[Any] = []
    positional = _without_arrays(args, arrays)
    # A traced function runs on one device, which is the one that an array is asked for on.
    device = kwargs.get("device")
    named = {name: _without_arrays(value, arrays) for name, value in kwargs.items() if name != "device"}

    def call(*given: Any) -> Any:
        return function(*_with_arrays(positional, given), **{k: _with_arrays(v, given) for k, v in named.items()})

    jitted = wax.jit(call, backend="iree", device=device)
    if function.__module__.startswith(_OF_KNOWN_SIZES):
        return jitted(*arrays)
    try:
        lowered = jitted.lower(*_opened(arrays))
    except Exception:  # noqa: BLE001 (what is wrong with the call itself is wrong with these sizes too)
        return jitted(*arrays)
    return lowered.compile(device=device, backend="iree")(*arrays)


def _opened(arrays: list[Any]) -> list[wax.ShapeDtypeStruct]:
    """The arrays' shapes, a dim for each size above 1, with their dtypes."""
    dims = opened(x.shape for x in arrays)
    return [wax.ShapeDtypeStruct([dims.get(size, size) for size in x.shape], x.dtype) for x in arrays]


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    name = function.__name__

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if is_tracing() or not _is_test(sys._getframe(1)):
            return function(*args, **kwargs)
        if name in _SIZED:
            kwargs |= _SIZED[name](function(*args, **kwargs))
        elif name == "repeat" and not isinstance(args[1], int):
            kwargs["total_repeat_length"] = function(*args, **kwargs).shape[kwargs.get("axis") or 0]
            if not kwargs["total_repeat_length"]:  # there may be no element to go on with
                return function(*args, **{k: v for k, v in kwargs.items() if k != "total_repeat_length"})
        return _run_compiled(function, args, kwargs)

    return wrapper


def _namespace(module: ModuleType) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name in module.__all__:
        member = getattr(module, name)
        if isinstance(member, ModuleType):
            members[name] = ModuleType(name)
            vars(members[name]).update(_namespace(member))
        elif callable(member) and not isinstance(member, type) and name not in _NOT_COMPILED:
            members[name] = _compiled(member)
        else:
            members[name] = member
    return members


globals().update(_namespace(wnp))
__array_api_version__ = wnp.__array_api_version__
__name__ = "compiled_namespace"


def _compiled_operator(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def operate(*operands: Any) -> Any:
        if is_tracing() or not _is_test(sys._getframe(1)) or not builtins.all(map(operators._is_operand, operands)):
            return function(*operands)
        return _run_compiled(function, operands, {})

    return operate


_BINARY = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift lt le gt ge eq ne"
for _operator in _BINARY.split():
    for _name in (f"__{_operator}__", f"__r{_operator}__"):
        if _name in vars(operators.ArrayOperators):
            setattr(operators.ArrayOperators, _name, _compiled_operator(vars(operators.ArrayOperators)[_name]))
for _name in ("__neg__", "__pos__", "__abs__", "__invert__"):
    setattr(operators.ArrayOperators, _name, _compiled_operator(vars(operators.ArrayOperators)[_name]))
