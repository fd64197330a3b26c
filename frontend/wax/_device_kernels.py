"""Array functions outside `jit` on another device: compiled once, for arrays of all sizes.

A size above 1 is a dim of the program, and equal sizes are the same dim; none and one stay what they are, for what is
stretched or empty is another program. Arrays of other sizes, of which the same are equal, take the program that there
is, also that of an earlier process, which the backend's cache on disk has.

What cannot be traced so, as a result of a stated shape may depend on the very sizes, is compiled for each shape. So
are programs with loops, of which the host runs every turn, and compiling takes long.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from wax import _native, tree
from wax._compile import build, program_of
from wax._observed import observed
from wax._tracing import TracedFunction
from wax.abstract import Abstract
from wax.array import Array
from wax.dims import Dim, Size
from wax.errors import ArgumentTypeError, CompileError
from wax_runtime.backend import Executable
from wax_runtime.devices import Device
from wax_runtime.spec import ArraySpec

__all__ = ["Call", "bound", "kernel_on", "opened"]

#: Calls a function with arrays.
Call: TypeAlias = Callable[[list[Array]], Any]

#: Traces a function with abstract arguments.
_Tracer: TypeAlias = Callable[[Sequence[Abstract]], TracedFunction]

#: Entries kept; each is a program in the memory of a device.
_ENTRIES = 1024


def bound(traced: TracedFunction, executable: Executable, arrays: Sequence[Array]) -> Call:
    """What calls a compiled function with arrays of these specs. Raises `ArgumentTypeError`."""
    captured: list[Array] = []
    for value in traced.captured:
        if not isinstance(value, Array):
            raise ArgumentTypeError(f"{traced.name} captured a traced value outside of any trace")
        captured.append(value)
    call: Any = executable.bind((*(x.spec for x in arrays), *(c.spec for c in captured)))
    rebuild = tree.rebuilder(traced.out_tree)
    return lambda given: rebuild(call([*given, *captured] if captured else given))


class _Kernel(NamedTuple):
    """A function compiled for a device."""

    traced: TracedFunction
    executable: Executable

    def bind(self, arrays: Sequence[Array]) -> Call:
        """What calls it with arrays of these specs."""
        return bound(self.traced, self.executable, arrays)


#: By what of a call decides its program; `None` for what is compiled for each shape.
_kernels: dict[Any, _Kernel | None] = {}
_lock = threading.Lock()


def kernel_on(device: Device, key: Any, trace: _Tracer, arrays: Sequence[Array], abstracts: Sequence[Abstract]) -> Call:
    """What calls a function with arrays of these specs, on a device.

    `key` has their specs in it, and all else that decides what is traced; `None` is that of a function which need not
    do the same at every call.
    """
    dims = opened([one.shape for one in abstracts])
    if key is None or not dims:
        return _compiled(trace(abstracts), device).bind(arrays)
    general = (device, _general(key, dims))
    if general not in _kernels:
        kernel = _open_kernel(trace, abstracts, dims, device)
        with _lock:
            if len(_kernels) >= _ENTRIES:
                _kernels.clear()
            _kernels[general] = kernel
    kernel = _kernels.get(general)
    return (kernel or _compiled(trace(abstracts), device)).bind(arrays)


def opened(shapes: Iterable[Sequence[Size]]) -> dict[Size, Dim]:
    """The dims that stand for the sizes above 1 of arrays of some shapes."""
    sizes = dict.fromkeys(size for shape in shapes for size in shape if isinstance(size, int) and size > 1)
    return {size: Dim(f"d{index}", min=2) for index, size in enumerate(sizes)}


def _general(part: Any, dims: Mapping[Size, Dim]) -> Any:
    """A key, or a part of one, with the names of dims in place of sizes."""
    if isinstance(part, ArraySpec):
        return (part.dtype, part.device, *(dims[size].name if size in dims else size for size in part.shape))
    return tuple(_general(item, dims) for item in part) if type(part) is tuple else part


def _open_kernel(
    trace: _Tracer, abstracts: Sequence[Abstract], dims: Mapping[Size, Dim], device: Device
) -> _Kernel | None:
    shapes = [replace(one, shape=tuple([dims.get(size, size) for size in one.shape])) for one in abstracts]
    try:
        traced = trace(shapes)
    except Exception:  # noqa: BLE001 (whatever is wrong is said with the sizes of the call, where it is wrong then too)
        return None
    if "scf." in _native.make_module(traced.function).text():
        return None
    try:
        return _compiled(traced, device)
    except CompileError:
        return None


def _compiled(traced: TracedFunction, device: Device) -> _Kernel:
    with observed(traced, "called outside of jit") as watch:
        built = build(
            traced.name,
            lambda backend: watch.program(backend, traced, program_of(traced, backend=backend)),
            device=device,
        )
        watch.done(built.artefact, str(device))
    return _Kernel(traced, built.executable)
