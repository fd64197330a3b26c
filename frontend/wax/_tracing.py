"""Tracing a Python function of pytrees into one finished function of the dialect.

Used by `jit` for whole programs and nested calls, and by the eager path for single functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from wax import _native, dtypes, tree
from wax._spans import Span
from wax._trace import Trace, tracing
from wax.abstract import Abstract
from wax.array import Array
from wax.dims import Dim, Size
from wax.errors import ArgumentTypeError, Location
from wax.tracer import Tracer
from wax_runtime.signature import ArgumentSpec, Signature, SymbolFact

if TYPE_CHECKING:
    from wax.choose import Search
    from wax.rules import Rewrite, Rule
    from wax_runtime.devices import Device

__all__ = ["TracedFunction", "trace_function", "traced_like"]


@dataclass(frozen=True, slots=True, eq=False)
class TracedFunction:
    """A finished function and how Python calls it: structures, captured values, calling convention."""

    name: str
    function: _native.Function
    arguments: tuple[Abstract, ...]
    captured: tuple[Array | Tracer, ...]
    results: tuple[tuple[tuple[Size, ...], np.dtype[Any]], ...]
    in_tree: tree.Structure
    out_tree: tree.Structure
    dims: tuple[Dim, ...]
    signature: Signature
    work: Size
    #: Where it is defined, if that is known.
    location: Location | None = None
    #: The rules that it is to be rewritten by, and what they have done.
    rules: tuple[Rule, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()
    #: Whether it is to be made faster at all, and whether by a search.
    optimize: bool | Literal["egraph"] = True
    #: What that search found.
    search: Search | None = None
    #: The device that the user named.
    device: str | Device | None = None
    #: How long it took to trace.
    seconds: float = 0.0


def trace_function(
    call: Callable[[Sequence[Tracer]], Any],
    name: str,
    arguments: Sequence[Abstract],
    argument_names: Sequence[str],
    in_tree: tree.Structure,
    donated: Sequence[int] = (),
    location: Location | None = None,
    name_captured: Callable[[Sequence[Array | Tracer]], Sequence[str]] | None = None,
) -> TracedFunction:
    """Traces `call`, which takes one tracer a leaf and returns a pytree of arrays.

    `name_captured` gives names to what was captured.

    Raises whatever the function raises, and `ArgumentTypeError` for results that are no arrays.
    """
    with Span("trace", name) as span, tracing(name, location) as trace:
        here = trace.location()
        tracers = [trace.argument(a.shape, a.dtype, a.weak, here) for a in arguments]
        out_leaves, out_tree = tree.flatten(call(tracers))
        results = [_result(trace, leaf, index, out_tree) for index, leaf in enumerate(out_leaves)]
        captured = tuple(trace.captured)
        hidden = name_captured(captured) if name_captured else [f"captured{i}" for i in range(len(captured))]
        names = [*argument_names, *hidden]
        dims = tuple(trace.dims[name] for name in sorted(trace.dims))
        _annotate(trace, names, results, dims, donated)
        function = trace.builder.finish([r.value for r in results])
    signature = Signature(
        entry="main",
        arguments=tuple(
            ArgumentSpec(n, _spec_shape(t.shape), dtypes.carrier(t.dtype, t.weak))
            for n, t in zip(names, trace.arguments, strict=True)
        ),
        results=tuple(ArgumentSpec("", _spec_shape(r.shape), r.dtype) for r in results),
        symbols=tuple(SymbolFact(dim.name, dim.min, dim.max) for dim in dims),
        donated=tuple(donated),
        in_tree=_numbered(in_tree),
        out_tree=_numbered(out_tree),
        name=name,
    )
    return TracedFunction(
        name,
        function,
        tuple(arguments),
        captured,
        tuple((r.shape, r.dtype) for r in results),
        in_tree,
        out_tree,
        dims,
        signature,
        trace.work(),
        location,
        seconds=span.seconds,
    )


def traced_like(
    body: Callable[[Sequence[Any]], Any], name: str, like: Sequence[Any], location: Location | None = None
) -> TracedFunction:
    """A function of flat values with the shapes and dtypes of such ones, traced inside of the current trace."""
    _, structure = tree.flatten((tuple(range(len(like))), {}))
    abstracts = [Abstract(x.shape, x.dtype, getattr(x, "weak", False)) for x in like]
    return trace_function(body, name, abstracts, [f"x{i}" for i in range(len(like))], structure, (), location)


def _result(trace: Trace, leaf: Any, index: int, out_tree: tree.Structure) -> Tracer:
    try:
        return trace.lift(leaf, strong=True)
    except ArgumentTypeError as error:
        path = out_tree.accessors()[index].codify("result")
        raise ArgumentTypeError(
            f"{trace.name!r} returns a value of type {type(leaf).__name__!r} at {path}; "
            f"a traced function returns arrays, numbers and pytrees of them"
        ) from error


def _spec_shape(shape: tuple[Size, ...]) -> tuple[int | str, ...]:
    return tuple(size if isinstance(size, int) else str(size) for size in shape)


def _numbered(structure: tree.Structure) -> Any:
    return tree.to_json(tree.numbered(structure))


def _annotate(
    trace: Trace, names: Sequence[str], results: Sequence[Tracer], dims: Sequence[Dim], donated: Sequence[int]
) -> None:
    """The attributes of the calling convention, which the passes and `.mlir` files know."""
    builder = trace.builder
    for tracer, name in zip(trace.arguments, names, strict=True):
        for attribute, text in _value_attributes(tracer, dims).items():
            builder.set_argument_attribute(tracer.value, attribute, text)
        builder.set_argument_attribute(tracer.value, "wax.name", _quoted(name))
    for index in donated:
        builder.set_argument_attribute(trace.arguments[index].value, "wax.donated", "unit")
    for index, tracer in enumerate(results):
        for attribute, text in _value_attributes(tracer, dims).items():
            builder.set_result_attribute(index, attribute, text)
    if dims:
        facts = ", ".join(
            f"{{name = {_quoted(d.name)}, min = {d.min} : i64, max = {2**63 - 1 if d.max is None else d.max} : i64}}"
            for d in dims
        )
        builder.set_attribute("wax.symbols", f"[{facts}]")


def _value_attributes(tracer: Tracer, dims: Sequence[Dim]) -> dict[str, str]:
    found: dict[str, str] = {}
    if any(not isinstance(size, int) for size in tracer.shape):
        symbols = {dim.name: _Text(f"s{number}") for number, dim in enumerate(dims)}
        sizes = [
            str(size) if isinstance(size, int) else str(size.evaluate(symbols, lambda n: _Text(str(n))))
            for size in tracer.shape
        ]
        found["wax.dims"] = f"affine_map<()[{', '.join(map(str, symbols.values()))}] -> ({', '.join(sizes)})>"
    if tracer.dtype.kind == "u":
        found["wax.sign"] = '"unsigned"'
    return found


class _Text(str):
    """An affine expression as text, for `DimExpr.evaluate` to compute with."""

    __slots__ = ()

    def __add__(self, other: str) -> _Text:
        return _Text(f"({self} + {other})")

    def __mul__(self, other: str) -> _Text:  # type: ignore[override]  # a string times a number; here a product
        # Affine multiplication has its constant on the right.
        return _Text(f"({other} * {self})" if self.lstrip("-").isdigit() else f"({self} * {other})")

    def __floordiv__(self, other: str) -> _Text:
        return _Text(f"({self} floordiv {other})")

    def __mod__(self, other: str) -> _Text:
        return _Text(f"({self} mod {other})")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
