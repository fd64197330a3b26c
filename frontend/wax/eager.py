"""Array functions outside `jit`: each runs at once, on the reference backend, without compiling.

On arrays in the memory of another device a function is compiled for that (`_device_kernels.py`).

A public array function decorated with `api` runs its body where a trace is active. Elsewhere its body is
traced once per abstract signature into a small function, which the reference backend turns into closures;
later calls with the same shapes, dtypes and static arguments go straight to those.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from wax import _source, dtypes, tree
from wax._compile import build, program_of
from wax._device_kernels import Call, bound, kernel_on
from wax._trace import is_tracing
from wax._tracing import TracedFunction, trace_function
from wax.abstract import Abstract, concrete_leaf
from wax.array import Array, as_array
from wax.errors import LeakedTracerError, UnhashableStaticArgumentError, WaxError
from wax.placement import common_device
from wax.tracer import Tracer
from wax_runtime import transfer

__all__ = ["api", "prepared", "run"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

#: Entries kept; a program that meets ever new shapes starts afresh instead of growing for ever.
CACHE_ENTRIES = 8192

_cache: dict[Any, Call] = {}
_lock = threading.Lock()


def api(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Makes a function written on tracers a public array function, usable inside and outside `jit`.

    Array arguments (arrays, NumPy arrays, lists of them) are traced; all others, Python numbers too, are
    static and part of the cache's key.

    Those with a parameter `device` make their result in the host's memory and move it there.
    """
    code = function.__code__
    if "device" in code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]:
        return _made_on_devices(function)

    @functools.wraps(function)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if is_tracing():
            return function(*args, **kwargs)
        return run(function, args, kwargs)

    return wrapper


def _made_on_devices(function: Callable[_P, _R]) -> Callable[_P, _R]:
    @functools.wraps(function)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if is_tracing():
            return function(*args, **kwargs)
        device: Any = kwargs.pop("device", None)
        made: Any = run(function, args, kwargs)
        return made if device is None else transfer.put(made, device)

    return wrapper


def run(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    *,
    dynamic_scalars: bool = False,
    keep: bool = True,
) -> Any:
    """Runs an array function eagerly.

    With `dynamic_scalars`, Python numbers are arguments, not part of the key. Without `keep`, the function is
    traced anew: for functions of a user's, which need not do the same at every call.
    """
    try:
        arrays: list[Array] = []
        abstracts: list[Abstract] = []
        collect = _Collector(arrays, abstracts, dynamic_scalars)
        key = (function, collect(args), *((name, collect(value)) for name, value in kwargs.items()))
        try:
            call = _cache.get(key) if keep else None
        except TypeError as error:
            raise UnhashableStaticArgumentError(
                f"{function.__name__} was given an argument that is neither an array nor hashable: {error}"
            ) from error
        if call is None:
            call = _prepare(function, args, kwargs, collect, arrays, abstracts, key if keep else None)
            if keep:
                with _lock:
                    if len(_cache) >= CACHE_ENTRIES:
                        _cache.clear()
                    _cache[key] = call
        return call(arrays)
    except WaxError as error:
        _source.strip_traceback(error)
        raise


def prepared(function: Callable[..., Any], arrays: list[Array]) -> Call:
    """What runs a function of arrays only, on arrays of these specs; for callers that keep it themselves."""
    abstracts = [Abstract(x.shape, x.dtype) for x in arrays]
    key = (function, *(x.spec for x in arrays))
    return _prepare(function, tuple(arrays), {}, _Collector([], [], False), arrays, abstracts, key)


@functools.lru_cache(maxsize=4096)
def _kept_number(kind: type, value: Any) -> Array:
    return concrete_leaf(value)


def _number(value: Any) -> Array:
    """A Python number as an array. Those that come again are kept: nothing eager is ever donated."""
    # Zeros of both signs are equal, but not the same value; so are complex numbers with them.
    return _kept_number(type(value), value) if value and type(value) is not complex else concrete_leaf(value)


class _Collector:
    """Takes the arrays out of arguments, leaving what identifies the program."""

    __slots__ = ("abstracts", "arrays", "dynamic_scalars")

    def __init__(self, arrays: list[Array], abstracts: list[Abstract], dynamic_scalars: bool) -> None:
        self.arrays, self.abstracts, self.dynamic_scalars = arrays, abstracts, dynamic_scalars

    def __call__(self, x: Any) -> Any:
        if isinstance(x, Array):
            self.arrays.append(x)
            self.abstracts.append(Abstract(x.shape, x.dtype))
            return x.spec
        kind = type(x)
        if kind is tuple or kind is list:
            return (kind, *[self(item) for item in x])
        if kind is bool or kind is int or kind is float or kind is complex:
            if not self.dynamic_scalars:
                return (kind, repr(x))
            dtype, weak = dtypes.of_argument(x)
            self.arrays.append(_number(x))
            self.abstracts.append(Abstract((), dtype, weak))
            return (dtype, weak)
        if kind is slice:
            return (slice, self(x.start), self(x.stop), self(x.step))
        if isinstance(x, np.ndarray | np.generic):
            return self(as_array(x))
        if kind is Tracer:
            raise LeakedTracerError(
                f"a traced value of {x.trace.name!r} is used outside of it; return it from {x.trace.name!r} instead"
            )
        if isinstance(x, type) or x is None or x is ... or isinstance(x, str | np.dtype):
            return x
        if hasattr(x, "__dlpack__") or hasattr(x, "__array__"):
            return self(as_array(x))
        return (kind, x)


def _rebuild(x: Any, arrays: Any, dynamic_scalars: bool) -> Any:
    """The arguments again, with `next(arrays)` in place of each array; mirrors `_Collector`."""
    kind = type(x)
    if kind is tuple or kind is list:
        return kind(_rebuild(item, arrays, dynamic_scalars) for item in x)
    if kind is bool or kind is int or kind is float or kind is complex:
        return next(arrays) if dynamic_scalars else x
    if kind is slice:
        return slice(*(_rebuild(part, arrays, dynamic_scalars) for part in (x.start, x.stop, x.step)))
    if isinstance(x, type | str | np.dtype) or x is None or x is ...:
        return x
    if isinstance(x, Array) or hasattr(x, "__dlpack__") or hasattr(x, "__array__"):
        return next(arrays)
    return x


def _prepare(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    collect: _Collector,
    arrays: list[Array],
    abstracts: list[Abstract],
    key: Any,
) -> Call:
    def body(tracers: Any) -> Any:
        given = iter(tracers)
        positional = _rebuild(args, given, collect.dynamic_scalars)
        named = {name: _rebuild(value, given, collect.dynamic_scalars) for name, value in kwargs.items()}
        return function(*positional, **named)

    names = [f"x{i}" for i in range(len(arrays))]
    _, in_tree = tree.flatten((tuple(range(len(arrays))), {}))

    def trace(abstracts: Sequence[Abstract]) -> TracedFunction:
        return trace_function(body, function.__name__, abstracts, names, in_tree)

    device = common_device(function.__name__, arrays)
    if device is not None:
        return kernel_on(device, key, trace, arrays, abstracts)
    traced = trace(abstracts)
    built = build(traced.name, lambda _: program_of(traced), backend="reference")
    return bound(traced, built.executable, arrays)
