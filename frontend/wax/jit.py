"""`jit`: traces a Python function, compiles it once per abstract signature, and calls what was compiled.

Three ways through a call. One that was made before is found natively, by what its arguments are made of
(`_native.CallCache`). Any other is flattened and looked up here: this says what a call means, and what must
differ between two calls. A new signature is traced and compiled. Called while another function is traced, a
jitted function becomes one `func.call`.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, ParamSpec, TypeVar, overload

import numpy as np

from wax import _native, _source, _spans, primitives, tree
from wax._annotations import Annotations
from wax._argnums import completed, parameter_name
from wax._axis_names import axis_names
from wax._bound import MAX_ENTRIES, BoundCall
from wax._captured import captured_names
from wax._recompilations import Recompilations
from wax._tiers import Tier, compile_in_tiers
from wax._trace import Trace, _state, current
from wax._tracing import TracedFunction, trace_function
from wax.abstract import (
    Abstract,
    abstract_leaf,
    apply_dims,
    call_key,
    dims_per_leaf,
    static_key,
)
from wax.array import Array
from wax.dims import Dim
from wax.errors import (
    ArgumentStructureError,
    InvalidArgumentError,
    UnhashableStaticArgumentError,
    WaxError,
)
from wax.placement import common_device
from wax.stages import Compiled, Traced
from wax.tracer import Tracer
from wax_runtime.backend import CompileOptions
from wax_runtime.devices import Device

if TYPE_CHECKING:
    from wax.rules import Rule

__all__ = ["Jitted", "eval_shape", "jit"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


@overload
def jit(
    function: Callable[_P, _R],
    *,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Sequence[str] = (),
    donate_argnums: int | Sequence[int] = (),
    donate_argnames: str | Sequence[str] = (),
    dynamic_shapes: Any = None,
    device: str | Device | None = None,
    backend: str | None = None,
    options: CompileOptions | None = None,
    rules: Sequence[Rule] = (),
    tiered: bool | Literal["always"] = False,
    optimize: bool | Literal["egraph"] = True,
) -> Jitted[_P, _R]: ...


@overload
def jit(
    function: None = None,
    *,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Sequence[str] = (),
    donate_argnums: int | Sequence[int] = (),
    donate_argnames: str | Sequence[str] = (),
    dynamic_shapes: Any = None,
    device: str | Device | None = None,
    backend: str | None = None,
    options: CompileOptions | None = None,
    rules: Sequence[Rule] = (),
    tiered: bool | Literal["always"] = False,
    optimize: bool | Literal["egraph"] = True,
) -> Callable[[Callable[_P, _R]], Jitted[_P, _R]]: ...


def jit(
    function: Any = None,
    *,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Sequence[str] = (),
    donate_argnums: int | Sequence[int] = (),
    donate_argnames: str | Sequence[str] = (),
    dynamic_shapes: Any = None,
    device: str | Device | None = None,
    backend: str | None = None,
    options: CompileOptions | None = None,
    rules: Sequence[Rule] = (),
    tiered: bool | Literal["always"] = False,
    optimize: bool | Literal["egraph"] = True,
) -> Any:
    """Compiles a function of arrays (and pytrees of them) when it is called; also a decorator.

    Static arguments select a program and must be hashable; arguments left to their defaults are static.
    Donated arguments' memory may be reused for results; they cannot be used after the call.
    `dynamic_shapes` declares dims whose sizes one program serves: a dict by parameter name, or a sequence by
    position, of `{axis: wax.Dim(name)}` (or a tuple of sizes) per array, shaped as the argument's pytree.
    Arrays the function closes over are captured when it is traced; what is made of them alone, as panels of weights, is
    made once and kept beside them, unless `options` say otherwise (`CompileOptions.prepare`).
    `rules` (`wax.rules`) rewrite the program, of which calls of other jitted functions are part; those functions' own
    rules are for calls from outside.

    `optimize=False` gives the plain program, to compare with: no rules, no simplification, and the backend's lowest
    level of optimization, unless `options` name another (docs/inspect.md). `optimize="egraph"` searches among programs
    that are equal by the laws of sums and products for the cheapest one, which rounds floats otherwise
    (docs/choose.md); it needs `pip install 'wax[egraph]'`.

    With `tiered`, calls on the CPU are answered by the reference backend while a program is compiled in the background;
    what that raises, a later call raises. A function is refused of which it could change an integer or a branch, unless
    `tiered="always"`.

    Raises `InvalidArgumentError` for argument numbers or names the function does not have; when it is called,
    `DiscreteResultError`, and what tracing and compiling it raise.

    >>> @jit
    ... def f(x, y):
    ...     return x @ y
    >>> f(ones((2, 3)), ones((3, 4))).shape
    (2, 4)
    """
    if function is None:
        return functools.partial(
            jit,
            static_argnums=static_argnums,
            static_argnames=static_argnames,
            donate_argnums=donate_argnums,
            donate_argnames=donate_argnames,
            dynamic_shapes=dynamic_shapes,
            device=device,
            backend=backend,
            options=options,
            rules=rules,
            tiered=tiered,
            optimize=optimize,
        )
    return Jitted(
        function,
        static_argnums=(static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums),
        static_argnames=(static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames),
        donate_argnums=(donate_argnums,) if isinstance(donate_argnums, int) else tuple(donate_argnums),
        donate_argnames=(donate_argnames,) if isinstance(donate_argnames, str) else tuple(donate_argnames),
        dynamic_shapes=dynamic_shapes,
        device=device,
        backend=backend,
        options=options,
        rules=tuple(rules),
        tiered=tiered,
        optimize=optimize,
    )


def eval_shape(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a function returns for such arguments, as `ShapeDtypeStruct`s, without computing anything.

    >>> eval_shape(lambda x: x.T, ShapeDtypeStruct((2, 3), "float32"))
    ShapeDtypeStruct((3, 2), float32)
    """
    jitted = function if isinstance(function, Jitted) else jit(function)
    return jitted.trace(*args, **kwargs).out_info


class _Request:
    """One call's arguments, flattened: what is static, the leaves, and their abstract values."""

    __slots__ = (
        "abstracts",
        "key",
        "leaves",
        "names",
        "positions",
        "static_args",
        "static_kwargs",
        "structure",
    )

    positions: list[int]
    static_args: dict[int, Any]
    static_kwargs: dict[str, Any]
    leaves: list[Any]
    structure: tree.Structure
    names: list[str]
    abstracts: list[Abstract]
    key: Any


class _Call(NamedTuple):
    """One call's arguments without static ones, as a tree and as its leaves, and the call's key."""

    traced: tuple[Any, ...]
    leaves: list[Any]
    structure: tree.Structure
    key: tuple[Any, ...]


class Jitted(Generic[_P, _R]):
    """A function that compiles itself. Made by `jit`."""

    def __init__(
        self,
        function: Callable[_P, _R],
        *,
        static_argnums: tuple[int, ...],
        static_argnames: tuple[str, ...],
        donate_argnums: tuple[int, ...],
        donate_argnames: tuple[str, ...],
        dynamic_shapes: Any,
        device: str | Device | None,
        backend: str | None,
        options: CompileOptions | None,
        rules: tuple[Rule, ...],
        tiered: bool | Literal["always"],
        optimize: bool | Literal["egraph"],
    ) -> None:
        if not callable(function):
            raise InvalidArgumentError(f"jit takes a function, not a {type(function).__name__}")
        functools.update_wrapper(self, function)
        self._function = function
        self._name = _source.name_of(function)
        self._signature = inspect.signature(function)
        self._static_nums, self._static_names = completed(
            self._name, self._signature, "static", static_argnums, static_argnames
        )
        self._donate_nums, self._donate_names = completed(
            self._name, self._signature, "donate", donate_argnums, donate_argnames
        )
        if self._static_names & self._donate_names or self._static_nums & self._donate_nums:
            raise InvalidArgumentError(f"{self._name}: an argument is both static and donated")
        self._dynamic_shapes = dynamic_shapes
        self._recompilations = Recompilations(self._name)
        self._device = device
        self._backend = backend
        self._options = options
        self._rules = rules
        if tiered not in (False, True, "always"):
            raise InvalidArgumentError(f"tiered of {self._name!r} is {tiered!r}; it is False, True or 'always'")
        self._tiered: bool | Literal["always"] = tiered
        if not (isinstance(optimize, bool) or optimize == "egraph"):
            raise InvalidArgumentError(f"optimize of {self._name!r} is {optimize!r}; it is True, False or 'egraph'")
        self._optimize: bool | Literal["egraph"] = optimize
        # Calls by their keys, natively and here; then by abstract signature: programs, and traces for nested calls.
        self._cache = _native.CallCache(Array, np.ndarray, self._static_nums, self._static_names, MAX_ENTRIES)
        self._cached_call = self._cache.call
        self._entries: dict[Any, BoundCall] = {}
        self._compiled: dict[Any, Compiled | Tier] = {}
        self._traced: dict[Any, TracedFunction] = {}
        self._locks: dict[Any, threading.Lock] = {}
        self._lock = threading.Lock()

    # Calls.

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Calls the function, compiled for such arguments."""
        if _state.trace is not None:
            return self._call_in_trace(current(), args, kwargs)
        try:
            if _spans.listeners.all:
                return self._call_measured(args, kwargs)
            result = self._cached_call(args, kwargs)
            return self._call(args, kwargs) if result is NotImplemented else result
        except WaxError as error:
            _source.place(error, _source.definition(self._function))
            _source.strip_traceback(error)
            raise

    def _call_measured(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with _spans.Span("call", self._name):
            result = self._cached_call(args, kwargs)
            return _spans.waited(self._call(args, kwargs) if result is NotImplemented else result)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        call = self._read(args, kwargs)
        entry = self._entries.get(call.key)
        if entry is None:
            device = self._device or common_device(self._name, call.leaves)
            compiled = self._compile(self._request(args, kwargs), device)
            if isinstance(compiled, Tier):
                made = compiled.done()
                if made is None:
                    return compiled.first.binder.bind(call.leaves, call.structure)(call.leaves)
                compiled = made
            entry = compiled.binder.bind(call.leaves, call.structure)
            if len(self._entries) >= MAX_ENTRIES:
                self._entries.clear()
            self._entries[call.key] = entry
        entry.remember(self._cache, args, kwargs, call.traced, call.leaves)
        return entry(call.leaves)

    def _read(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
        """What a call is: it says which calls are alike."""
        static, *traced = self._split(args, kwargs)
        leaves, structure = tree.flatten(tuple(traced))
        return _Call(tuple(traced), leaves, structure, (structure, static, *map(call_key, leaves)))

    def _split(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        """A key for the static arguments, and the others."""
        if not self._static_nums and not self._static_names:
            return (), args, kwargs
        static = [(i, x) for i, x in enumerate(args) if i in self._static_nums]
        static += sorted((name, x) for name, x in kwargs.items() if name in self._static_names)
        for name, value in static:
            try:
                hash(value)
            except TypeError:
                shown = name if isinstance(name, str) else parameter_name(self._signature, name)
                raise UnhashableStaticArgumentError(
                    f"static argument {shown} of {self._name!r} is a {type(value).__name__}, which cannot be hashed; "
                    f"pass a tuple for a list, a frozen dataclass for a dict, or let it be traced"
                ) from None
        key = tuple([(name, static_key(value)) for name, value in static])
        dynamic_args = tuple([x for i, x in enumerate(args) if i not in self._static_nums])
        return key, dynamic_args, {name: x for name, x in kwargs.items() if name not in self._static_names}

    def _call_in_trace(self, trace: Trace, args: Any, kwargs: Any) -> Any:
        request = self._request(args, kwargs)
        bare = {size.name for a in request.abstracts for size in a.shape if isinstance(size, Dim)}
        used = {
            dim.name for a in request.abstracts for size in a.shape if not isinstance(size, int) for dim in size.dims()
        }
        operands = [trace.lift(leaf) for leaf in request.leaves]
        if not used <= bare:
            # A size of the callee could not be found from its own arguments: it becomes part of the caller.
            return self._invoke(request, operands)
        traced = self._traced.get(request.key)
        if traced is None:
            traced = trace.nested.get((self, request.key))
        if traced is None:
            traced = self._trace(request)
            if any(isinstance(c, Tracer) for c in traced.captured):
                trace.nested[(self, request.key)] = traced
            else:
                self._traced[request.key] = traced
        hidden = [trace.lift(c) for c in traced.captured]
        results = primitives.call(traced, [*operands, *hidden])
        return tree.unflatten(traced.out_tree, results)

    # Stages.

    def trace(self, *args: Any, **kwargs: Any) -> Traced:
        """The first stage, for arguments such as these (arrays, or `ShapeDtypeStruct`s)."""
        try:
            request = self._request(args, kwargs)
            return Traced(self._trace(request), request.names)
        except WaxError as error:
            _source.strip_traceback(error)
            raise

    def trace_named(self, *args: Any, **kwargs: Any) -> TracedFunction:
        """As `trace`, for `wax.export`: arrays that the function captured have the names that it knows them by."""
        try:
            return self._trace(self._request(args, kwargs), functools.partial(captured_names, self._function))
        except WaxError as error:
            _source.strip_traceback(error)
            raise

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """`trace(*args, **kwargs).lower()`."""
        return self.trace(*args, **kwargs).lower()

    def on(self, device: str | Device | None, backend: str | None) -> Jitted[_P, _R]:
        """The same function for another device and backend."""
        return Jitted(
            self._function,
            static_argnums=tuple(self._static_nums),
            static_argnames=tuple(self._static_names),
            donate_argnums=tuple(self._donate_nums),
            donate_argnames=tuple(self._donate_names),
            dynamic_shapes=self._dynamic_shapes,
            device=device,
            backend=backend,
            options=self._options,
            rules=self._rules,
            tiered=self._tiered,
            optimize=self._optimize,
        )

    def clear_cache(self) -> None:
        """Forgets every program; the disk cache stays."""
        with self._lock:
            for cache in (self._cache, self._entries, self._compiled, self._traced, self._locks):
                cache.clear()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"jit({self._name})"

    # From arguments to programs.

    @functools.cached_property
    def _annotations(self) -> Annotations | None:
        # Not before a call: what annotations name may be defined after the function.
        return Annotations.of(self._function, self._name, self._signature)

    def _request(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Request:
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise ArgumentStructureError(f"{self._name}{self._signature}: {error}") from None
        request = _Request()
        request.static_args = {i: x for i, x in enumerate(args) if i in self._static_nums}
        request.static_kwargs = {name: x for name, x in kwargs.items() if name in self._static_names}
        request.positions = [i for i in range(len(args)) if i not in self._static_nums]
        static, dynamic_args, dynamic_kwargs = self._split(args, kwargs)
        request.leaves, request.structure = tree.flatten((dynamic_args, dynamic_kwargs))
        request.names = self._leaf_names(request)
        abstracts = [abstract_leaf(x, name) for x, name in zip(request.leaves, request.names, strict=True)]
        specs: list[Any] = [None] * len(abstracts)
        if self._dynamic_shapes is not None:
            specs = self._dynamic_specs(bound, dynamic_args, dynamic_kwargs, request)
        if self._annotations is not None:
            annotated = self._annotations.dims(args, kwargs)
            specs = [
                annotated.get(name) if spec is None else spec for name, spec in zip(request.names, specs, strict=True)
            ]
        if any(spec is not None for spec in specs):
            abstracts = apply_dims(abstracts, specs, request.names)
        request.abstracts = abstracts
        request.key = (request.structure, static, axis_names(), *[a.key() for a in abstracts])
        return request

    def _trace(
        self, request: _Request, name_captured: Callable[[Sequence[Any]], Sequence[str]] | None = None
    ) -> TracedFunction:
        donated = []
        if self._donate_nums or self._donate_names:
            flags = [donated for _, donated, root in self._roots(request) for _ in range(root.num_leaves)]
            donated = [index for index, flag in enumerate(flags) if flag]
        traced = trace_function(
            lambda tracers: self._invoke(request, tracers),
            self._name,
            request.abstracts,
            request.names,
            request.structure,
            donated,
            _source.definition(self._function),
            name_captured,
        )
        return replace(traced, rules=self._rules, optimize=self._optimize, device=self._device)

    def _roots(self, request: _Request) -> Iterator[tuple[str, bool, tree.Structure]]:
        """The name of each argument, whether it is donated, and its structure, in the order of the leaves."""
        by_position, by_name = request.structure.children()
        for position, child in zip(request.positions, by_position.children(), strict=True):
            yield parameter_name(self._signature, position), position in self._donate_nums, child
        for name, child in zip(by_name.entries(), by_name.children(), strict=True):
            yield name, name in self._donate_names, child

    def _invoke(self, request: _Request, leaves: Sequence[Any]) -> Any:
        dynamic_args, dynamic_kwargs = tree.unflatten(request.structure, leaves)
        by_position = {**request.static_args, **dict(zip(request.positions, dynamic_args, strict=True))}
        args = [by_position[i] for i in range(len(by_position))]
        kwargs = {**dynamic_kwargs, **request.static_kwargs}
        function: Callable[..., Any] = self._function
        if self._annotations is None:
            return function(*args, **kwargs)
        sizes = self._annotations.check_arguments(tuple(args), kwargs)
        result = function(*args, **kwargs)
        self._annotations.check_result(result, sizes)
        return result

    def _compile(self, request: _Request, device: str | Device | None) -> Compiled | Tier:
        key = (device, request.key)
        compiled = self._compiled.get(key)
        if compiled is not None:
            return compiled
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            compiled = self._compiled.get(key)
            if compiled is None:
                compiled = self._compiled[key] = self._made(request, device)
        return compiled

    def _made(self, request: _Request, device: str | Device | None) -> Compiled | Tier:
        call = self._recompilations.describe(
            request.names, request.abstracts, (request.static_args, request.static_kwargs), device
        )
        lowered = Traced(self._trace(request), request.names).lower()
        cause = self._recompilations.cause(call)

        def compile() -> Compiled:
            compiled = lowered._compile(device, self._backend, self._options, cause)
            self._recompilations.note(call)
            return compiled

        if not self._tiered:
            return compile()
        always = self._tiered == "always"
        return compile_in_tiers(lowered, compile, device, self._backend, self._options, cause, always)

    # Names.

    def _leaf_names(self, request: _Request) -> list[str]:
        return [code for name, _, root in self._roots(request) for code in tree.leaf_codes(root, name)]

    def _dynamic_specs(
        self, bound: inspect.BoundArguments, args: tuple[Any, ...], kwargs: dict[str, Any], request: _Request
    ) -> list[Any]:
        declared = self._dynamic_shapes
        if isinstance(declared, dict):
            unknown = set(declared) - set(self._signature.parameters) - set(kwargs)
            if unknown:
                raise ArgumentStructureError(
                    f"dynamic_shapes of {self._name!r} names {', '.join(sorted(map(str, unknown)))}, no parameter; "
                    f"it takes {self._signature}"
                )
            positional = [declared.get(parameter_name(self._signature, position)) for position in request.positions]
        elif isinstance(declared, Sequence) and not isinstance(declared, str):
            if len(declared) > len(bound.args) + len(bound.kwargs):
                raise ArgumentStructureError(
                    f"dynamic_shapes of {self._name!r} has {len(declared)} items for "
                    f"{len(bound.args) + len(bound.kwargs)} arguments"
                )
            positional = [declared[p] if p < len(declared) else None for p in request.positions]
            # An argument passed by keyword has the position of its parameter.
            declared = dict(zip(self._signature.parameters, declared, strict=False))
        else:
            raise ArgumentStructureError(
                f"dynamic_shapes of {self._name!r} is {declared!r}; give a sequence with an item for each argument, "
                f"or a dict by parameter name"
            )
        specs: list[Any] = []
        for position, spec, value in zip(request.positions, positional, args, strict=True):
            specs.extend(dims_per_leaf(spec, value, parameter_name(self._signature, position)))
        for name in sorted(kwargs):
            specs.extend(dims_per_leaf(declared.get(name), kwargs[name], name))
        return specs
