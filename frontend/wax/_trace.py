"""One trace: a function being built, the values that belong to it, and what it captures from outside.

Traces nest (a jitted function called while another is traced) and are per thread. A value of an enclosing
trace, or an array from outside, that is met in a trace becomes a hidden argument of it: captured once, handed
in by the caller. Which operations exist is `primitives.py`'s part; this module knows values and sizes only.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np

from wax import _native, _source, dtypes
from wax.array import Array, as_array
from wax.dims import Dim, DimExpr, Size, format_shape, product, same
from wax.errors import ArgumentTypeError, InconclusiveDimensionError, LeakedTracerError, Location, ShapeError
from wax.tracer import Tracer

__all__ = ["Index", "Trace", "current", "is_tracing", "resumed", "tracing"]

#: NumPy arrays of at most this many elements are constants of the program; larger ones become arguments.
INLINE_ELEMENTS = 16


class _State(threading.local):
    trace: Trace | None = None


_state = _State()


def is_tracing() -> bool:
    """Whether this thread is tracing a function now."""
    return _state.trace is not None


def current() -> Trace:
    """The innermost trace of this thread."""
    trace = _state.trace
    assert trace is not None, "no trace is active"
    return trace


@contextmanager
def tracing(name: str, location: Location | None = None) -> Iterator[Trace]:
    """Opens a trace; the one around it becomes its parent. Its tracers are dead when the block ends.

    `location` is where the function is defined; by default, the user's current line.
    """
    trace = Trace(name, _state.trace, location or _source.current())
    _state.trace = trace
    try:
        yield trace
    finally:
        trace.closed = True
        _state.trace = trace.parent


@contextmanager
def resumed(trace: Trace) -> Iterator[Trace]:
    """Goes on with a trace that was left and not finished, where it was opened."""
    assert trace.parent is _state.trace, "a trace goes on inside of the one around it"
    trace.closed = False
    _state.trace = trace
    try:
        yield trace
    finally:
        trace.closed = True
        _state.trace = trace.parent


class Trace:
    """A function under construction. Made by `tracing` only."""

    def __init__(self, name: str, parent: Trace | None, location: Location | None) -> None:
        self.name = name
        self.parent = parent
        self.closed = False
        self.builder = _native.FunctionBuilder(name, self._native_location(location))
        #: The arguments in order, hidden ones last, and what each hidden one stands for.
        self.arguments: list[Tracer] = []
        self.captured: list[Array | Tracer] = []
        self._captures: dict[int, Tracer] = {}
        self._dim_sources: dict[str, tuple[Tracer, int]] = {}
        self._dims: dict[str, Dim] = {}
        self._index_values: dict[Size, int] = {}
        self._index_sizes: dict[int, Size] = {}
        self._shapes: dict[int, tuple[Size, ...]] = {}
        self._handled: Counter[tuple[Size, ...]] = Counter()
        self._work_of_callees: Size = 0
        #: Functions traced for calls from this one that captured values of it.
        self.nested: dict[Any, Any] = {}

    # Values.

    def argument(
        self,
        shape: tuple[Size, ...],
        dtype: np.dtype[Any],
        weak: bool = False,
        location: _native.Location | None = None,
    ) -> Tracer:
        """Appends an argument; `location` is the user's current line by default."""
        types = tuple(size if isinstance(size, int) else None for size in shape)
        value = self.builder.argument(types, dtypes.element_of(dtype, weak), location or self.location())
        tracer = self.tracer(value, shape, dtype, weak)
        self.arguments.append(tracer)
        for axis, size in enumerate(shape):
            if isinstance(size, DimExpr):
                for dim in size.dims():
                    self._declare(dim)
                if isinstance(size, Dim):
                    self._dim_sources.setdefault(size.name, (tracer, axis))
        return tracer

    def index_argument(self, location: _native.Location | None = None) -> Index:
        """Appends an argument that is an index value; it stands in no list of arrays."""
        return Index(self, self.builder.argument((), "index", location or self.location()))

    def tracer(self, value: int, shape: tuple[Size, ...], dtype: np.dtype[Any], weak: bool = False) -> Tracer:
        """The tracer of a value of this trace's function."""
        # Only dynamic sizes are ever asked for; to tell them apart here would cost more than to keep all.
        self._shapes[value] = shape
        return Tracer(self, value, shape, dtype, weak)

    def lift(self, x: Any, *, strong: bool = False) -> Tracer:
        """Anything array-like as a tracer of this trace: its own, a captured one, or a constant.

        Python numbers become weak rank 0 constants; `strong` gives weak values their default dtype.
        Raises `LeakedTracerError`, `ArgumentTypeError`.
        """
        tracer = self._lift(x)
        if strong and tracer.weak:
            from wax import primitives

            return primitives.strengthen(tracer)
        return tracer

    def _lift(self, x: Any) -> Tracer:
        if type(x) is Tracer:
            return x if x.trace is self else self._capture_tracer(x)
        if isinstance(x, Array):
            return self._capture(x, x.shape, x.dtype, False)
        if isinstance(x, np.ndarray | np.generic):
            array = np.asarray(x)
            dtype = dtypes.canonical(array.dtype)
            if array.size <= INLINE_ELEMENTS:
                return self.constant(array.astype(dtype, copy=False))
            return self._lift(as_array(array))
        if isinstance(x, bool | int | float | complex):
            return self._scalar(x)
        if isinstance(x, DimExpr):
            from wax import primitives

            return primitives.dimension_value(x, dtypes.default_int)
        if hasattr(x, "__dlpack__") or hasattr(x, "__array__"):
            return self._lift(as_array(x))
        raise ArgumentTypeError(
            f"a value of type {type(x).__name__!r} stands where an array or a number is needed; "
            f"make an array of it first (wnp.asarray, wnp.stack for a list of arrays)"
        )

    def _scalar(self, x: bool | int | float | complex) -> Tracer:
        dtype, data = dtypes.weak_scalar(x)
        return self.constant(data, dtype=dtype, weak=True)

    def constant(self, data: np.ndarray[Any, Any], *, dtype: np.dtype[Any] | None = None, weak: bool = False) -> Tracer:
        """A constant of the program."""
        element = dtypes.element_of(dtype or data.dtype, weak)
        contiguous = np.ascontiguousarray(data)
        value, _, _ = self.builder.constant(contiguous.tobytes(), data.shape, element, self.location())
        return self.tracer(value, data.shape, dtype or data.dtype, weak)

    def _capture_tracer(self, x: Tracer) -> Tracer:
        outer = self.parent
        while outer is not None and outer is not x.trace:
            outer = outer.parent
        if outer is None or x.trace.closed:
            raise LeakedTracerError(
                f"a traced value of shape {format_shape(x.shape)}, made in {x.trace.name!r}, is used after "
                f"{x.trace.name!r} was traced, or in another thread; return it from {x.trace.name!r} instead"
            )
        return self._capture(x, x.shape, x.dtype, x.weak)

    def _capture(self, x: Array | Tracer, shape: tuple[Size, ...], dtype: np.dtype[Any], weak: bool) -> Tracer:
        found = self._captures.get(id(x))
        if found is None:
            found = self._captures[id(x)] = self.argument(shape, dtype, weak)
            self.captured.append(x)  # keeps `x` alive, so that its id stays its own
        return found

    # Sizes.

    def _declare(self, dim: Dim) -> None:
        known = self._dims.setdefault(dim.name, dim)
        if (known.declared_min, known.max) != (dim.declared_min, dim.max):
            raise ShapeError(
                f"two dims named {dim.name!r} have different bounds: min={known.declared_min}, max={known.max} and "
                f"min={dim.declared_min}, max={dim.max}; use one wax.Dim, or two names"
            )

    @property
    def dims(self) -> dict[str, Dim]:
        """The dims that occur in the arguments' shapes, by name."""
        return self._dims

    def size_operand(self, size: Size | Index) -> int | tuple[Literal["value"], int]:
        """A size as the builder takes it: static, or an index value."""
        if isinstance(size, Index):
            return ("value", size.value)
        return size if isinstance(size, int) else ("value", self.index_value(size))

    def index_value(self, size: Size) -> int:
        """The index value that computes a size."""
        found = self._index_values.get(size) if isinstance(size, int) else self._index_values.get(size, None)
        if found is None:
            if isinstance(size, int):
                found = self.builder.index_constant(size)
            else:
                found = size.evaluate(_DimValues(self), lambda n: Index(self, self.index_value(n))).value
            self._index_values[size] = found
            self._index_sizes[found] = size
        return found

    def _dim_value(self, name: str) -> int:
        source = self._dim_sources.get(name)
        if source is None:
            outer = self.parent
            while outer is not None and name not in outer._dim_sources:
                outer = outer.parent
            if outer is None:
                raise InconclusiveDimensionError(
                    f"the dim {name} is no dim of its own in any argument of {self.name!r}, so its value is not known "
                    f"at the call; let it stand alone in some argument's shape"
                )
            self.lift(outer._dim_sources[name][0])
            source = self._dim_sources[name]
        tracer, axis = source
        return self.builder.dim(tracer.value, axis)

    def size_of(self, expr: Any) -> Size:
        """A size in the builder's words (`_native.SizeExpr`) as a size of this trace."""
        if isinstance(expr, int):
            return expr
        if expr[0] == "dim":  # nearly all of them
            _, value, axis = expr
            return self._shapes[value][axis]
        match expr:
            case ("index", value):
                return self._index_sizes[value]
            case ("+", lhs, rhs):
                return self.size_of(lhs) + self.size_of(rhs)
            case ("*", lhs, rhs):
                return self.size_of(lhs) * self.size_of(rhs)
            case ("floordiv", lhs, rhs):
                return self.size_of(lhs) // self.size_of(rhs)
            case ("mod", lhs, rhs):
                return self.size_of(lhs) % self.size_of(rhs)
            case _:
                raise AssertionError(f"unknown size expression {expr!r}")

    def shape_of(self, shape: Sequence[Any]) -> tuple[Size, ...]:
        """The shape of a builder result."""
        return tuple([size if type(size) is int else self.size_of(size) for size in shape])

    # Work.

    def count(self, shape: tuple[Size, ...], times: int) -> None:
        """Notes that `times` tensors of a shape are read or written."""
        self._handled[shape] += times

    def count_callee(self, work: Size) -> None:
        """Notes a call of a function of so much work."""
        self._work_of_callees = self._work_of_callees + work

    def work(self) -> Size:
        """About how many elements a call reads and writes: by kernels, and those that it moves; views cost nothing."""
        total = self._work_of_callees
        for shape, times in self._handled.items():
            total = total + product(shape) * times
        return total

    # Locations.

    def location(self) -> _native.Location | None:
        """The user's line that is being executed, as the builder takes it."""
        return self._native_location(_source.current())

    @staticmethod
    def _native_location(location: Any) -> _native.Location | None:
        if location is None:
            return None
        found = _locations.get(location)
        if found is None:
            found = _locations[location] = _native.Location(*location)
        return found


_locations: dict[Any, _native.Location] = {}


class _DimValues(Mapping[str, "Index"]):
    """The index values of a trace's dims, by name; made when first asked for."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def __getitem__(self, name: str) -> Index:
        trace = self._trace
        dim = trace.dims.get(name)
        found = None if dim is None else trace._index_values.get(dim)
        if found is None:
            found = trace._dim_value(name)
            dim = trace.dims[name]
            trace._index_values[dim] = found
            trace._index_sizes[found] = dim
        return Index(trace, found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._trace.dims)

    def __len__(self) -> int:
        return len(self._trace.dims)


class Index:
    """An index value of a trace: a size that `DimExpr.evaluate` computes, or the number of a loop's turn."""

    __slots__ = ("trace", "value")

    def __init__(self, trace: Trace, value: int) -> None:
        self.trace, self.value = trace, value

    def _op(self, kind: Any, other: Index) -> Index:
        return Index(self.trace, self.trace.builder.index_op(kind, self.value, other.value))

    def __add__(self, other: Index) -> Index:
        return self._op("+", other)

    def __sub__(self, other: Index) -> Index:
        return self._op("-", other)

    def __mul__(self, other: Index) -> Index:
        return self._op("*", other)

    def __floordiv__(self, other: Index) -> Index:
        return self._op("floordiv", other)

    def __mod__(self, other: Index) -> Index:
        return self._op("mod", other)

    def plus(self, number: Size) -> Index:
        """The index value `number` further on."""
        return self if same(number, 0) else self + Index(self.trace, self.trace.index_value(number))

    def times(self, number: int) -> Index:
        """The index value times `number`."""
        return self if number == 1 else self * Index(self.trace, self.trace.index_value(number))
