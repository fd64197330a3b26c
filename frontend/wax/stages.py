"""The stages of a function, each readable and savable: `Traced`, `Lowered`, `Compiled`.

    wax.jit(f).trace(x).lower().compile()

The names are JAX's. A stage is immutable; making the next one does not change it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wax import _native, _source, _spans, tree
from wax._bound import Binder, KnownCalls
from wax._compile import Built, build, for_backend, form_of, lower, optimized, options_for, program_of, text_of
from wax._observed import observed
from wax._tracing import TracedFunction
from wax.abstract import Abstract, ShapeDtypeStruct, abstract_leaf, concrete_leaf
from wax.array import Array
from wax.dims import format_shape
from wax.errors import ArgumentStructureError, BackendError, InvalidArgumentError, WaxError
from wax_runtime import files, registry, transfer
from wax_runtime.backend import Backend, CompileOptions, DispatchTimer, Form, Program, compiler_of
from wax_runtime.devices import Device

if TYPE_CHECKING:
    from wax.choose import Explanation
    from wax.cost import CostAnalysis
    from wax.profiling import DispatchTimes
    from wax.rules import Rewrite

__all__ = ["Compiled", "Lowered", "Traced"]


class Traced:
    """A function in the wax dialect: what tracing it gave.

    >>> print(jit(lambda x: x * 2).trace(ShapeDtypeStruct((3,), "float32")).as_text())
    module { ...
    """

    def __init__(self, function: TracedFunction, argument_names: Sequence[str]) -> None:
        self._function = function
        self._names = tuple(argument_names)

    @property
    def in_tree(self) -> tree.Structure:
        """The structure of (args, kwargs) without static ones."""
        return self._function.in_tree

    @property
    def out_tree(self) -> tree.Structure:
        """The structure of what the function returns."""
        return self._function.out_tree

    @property
    def in_avals(self) -> tuple[Abstract, ...]:
        """The abstract values of the arguments' leaves."""
        return self._function.arguments

    @property
    def out_info(self) -> Any:
        """What the function returns, as a pytree of `ShapeDtypeStruct`."""
        return tree.unflatten(
            self._function.out_tree,
            [ShapeDtypeStruct(shape, dtype) for shape, dtype in self._function.results],
        )

    def as_text(self, dialect: str = "wax", *, debug_info: bool = False) -> str:
        """The program as MLIR text. `dialect` is "wax"; `debug_info` adds source locations."""
        _check_dialect(dialect, ("wax",))
        return _native.make_module(self._function.function).text(debug_info=debug_info)

    def save(self, path: str | Path) -> None:
        """Writes the wax dialect's text to a `.mlir` file."""
        _write_mlir(path, self.as_text())

    def lower(self) -> Lowered:
        """The next stage: linalg on tensors, rewritten by the function's rules, or by a search
        (`jit(optimize="egraph")`).

        Raises `RuleError` for a wrong rule, `InvalidArgumentError` where a search needs what is not installed.
        """
        return Lowered(optimized(self._function), self._names, self._function)

    def __repr__(self) -> str:
        return f"Traced({self._function.name!r}: {self._function.signature})"


class Lowered:
    """A function in upstream dialects: linalg, tensor, arith, math, complex, scf."""

    def __init__(
        self, function: TracedFunction, argument_names: Sequence[str], traced: TracedFunction | None = None
    ) -> None:
        self._function = function
        #: What it was before any rewriting.
        self._traced = traced or function
        self._names = tuple(argument_names)
        self._lock = threading.Lock()
        self._modules: dict[tuple[str, bool, bool], _native.Module] = {}
        self._of_backends: dict[str, Lowered] = {}

    @property
    def rewrites(self) -> tuple[Rewrite, ...]:
        """The rules that were applied (`wax.rules`), and to which lines."""
        return self._function.rewrites

    def _for(self, backend: Backend) -> Lowered:
        """As a backend takes it: rewritten by the backend's rules, where it has any."""
        with self._lock:
            if backend.name not in self._of_backends:
                function = for_backend(self._function, backend)
                self._of_backends[backend.name] = (
                    self if function is self._function else Lowered(function, self._names, self._traced)
                )
            return self._of_backends[backend.name]

    def _linalg(self, target: str = "upstream", split_complex: bool = False, prepares: bool = False) -> _native.Module:
        key = (target, split_complex, prepares)
        with self._lock:
            if key not in self._modules:
                self._modules[key] = lower(self._function, *key)
            return self._modules[key]

    def _program(self, backend: Backend, options: CompileOptions) -> Callable[[Form], Program]:
        """Its forms, as a backend's compiler is given them."""
        prepares = options.prepare is not False
        return program_of(self._function, partial(self._linalg, prepares=prepares), backend, prepares)

    def as_text(self, dialect: str = "linalg", *, debug_info: bool = False, split_complex: bool = False) -> str:
        """The program as MLIR text. `dialect` is "linalg", "wax", or one that an installed backend writes, such as
        "stablehlo"; `debug_info` adds source locations to the first two.

        With `split_complex` the linalg has two real tensors for each complex one, arguments and results too, for
        toolchains without complex numbers. Raises `CompileError` where that cannot be done, `InvalidArgumentError` for
        a dialect that nobody writes, `BackendError` for a program that the dialect cannot say.
        """
        if split_complex and dialect != "linalg":
            raise InvalidArgumentError(f"complex numbers are split in linalg; {dialect} has them whole")
        module = partial(self._linalg, split_complex=split_complex)
        return text_of(self._function, dialect, module, debug_info=debug_info)

    def save(self, path: str | Path, *, split_complex: bool = False) -> None:
        """Writes the linalg text to a `.mlir` file, for any MLIR toolchain. See docs/calling-convention.md."""
        _write_mlir(path, self.as_text(split_complex=split_complex))

    def cost_analysis(self, sizes: Mapping[str, int] | None = None) -> CostAnalysis:
        """What a call does, counted: operations on floats and integers, bytes, memory, for each line of the user's.

        `sizes` are those of open dims, by name. Raises `InvalidArgumentError` for a dim without a size, for one that it
        cannot have, and for programs of which sizes depend on elements.

        >>> jit(lambda x, w: x @ w).lower(ones((8, 64)), ones((64, 4))).cost_analysis().flops
        4096
        """
        from wax.cost import analyze

        return analyze(self._function, sizes)

    def explain(self, sizes: Mapping[str, int] | None = None) -> Explanation:
        """What was done to the program before it is lowered: rules and laws that applied, its cost before and after.
        And what operations its own are together, which backends may want.

        `sizes` are those of open dims, by name; 64 where they are not given, or the nearest that a dim can have. Raises
        `InvalidArgumentError` as `cost_analysis` does.

        >>> f = jit(lambda a, b, v: (a @ b) @ v, optimize="egraph")
        >>> print(f.lower(ones((64, 64)), ones((64, 64)), ones((64,))).explain())
        """
        from wax.choose import explain

        return explain(self._traced, self._function, sizes)

    def compile(
        self,
        *,
        device: str | Device | None = None,
        backend: str | None = None,
        options: CompileOptions | None = None,
    ) -> Compiled:
        """The next stage: an executable on a device.

        Raises `CompileError` with a reproducer when the compiler fails, `DeviceError`, `BackendError`, `SettingError`.
        """
        return self._compile(device, backend, options, "asked for")

    def _compile(
        self, device: str | Device | None, backend: str | None, options: CompileOptions | None, cause: str
    ) -> Compiled:
        options = options_for(self._function, options)
        with observed(self._function, cause) as watch:

            def program(backend: Backend) -> Callable[[Form], Program]:
                lowered = self._for(backend)
                return watch.program(backend, lowered._function, lowered._program(backend, options))

            built = build(self._function.name, program, device=device, backend=backend, options=options)
            watch.done(built.artefact, str(built.device))
        own = self._for(registry.get(built.backend))
        return Compiled(self._function, self._names, built, own, options)

    def __repr__(self) -> str:
        return f"Lowered({self._function.name!r}: {self._function.signature})"


class Compiled:
    """An executable: call it with arguments of the structure, shapes and dtypes it was compiled for."""

    def __init__(
        self,
        function: TracedFunction,
        argument_names: Sequence[str],
        built: Built,
        lowered: Lowered,
        options: CompileOptions,
    ) -> None:
        self._function = function
        self._names = tuple(argument_names)
        self._built = built
        self._lowered = lowered
        self._options = options
        origins = tuple(c for c in function.captured if isinstance(c, Array))
        captured = tuple(transfer.put(c, built.device) for c in origins)
        self._captured = tuple(c.spec for c in captured)
        #: For who calls it often, as `jit` does; calls of its own are remembered too.
        self.binder = Binder(built.executable, captured, tree.rebuilder(function.out_tree), origins)
        self._known = KnownCalls(self.binder)

    @property
    def backend(self) -> str:
        """The name of the backend that compiled it."""
        return self._built.backend

    @property
    def device(self) -> Device:
        """The device it runs on."""
        return self._built.device

    def as_text(self, dialect: str = "linalg", *, debug_info: bool = False) -> str:
        """The program it was compiled from, rewritten by the backend's rules too; see `Lowered.as_text`."""
        return self._lowered.as_text(dialect, debug_info=debug_info)

    def dispatch_times(self) -> DispatchTimes:
        """How long each part of the program takes that the device does as one, measured alone, with the user's lines.

        The program is compiled once more, and each part by itself, which takes seconds. Raises `InvalidArgumentError`
        for a program of open dims, `BackendError` for a backend or device whose parts cannot be measured.

        >>> print(jit(f).lower(x).compile().dispatch_times())
        """
        from wax.profiling import DispatchTimes

        if not self._function.signature.is_static:
            raise InvalidArgumentError(
                f"dispatch_times of {self._function.name!r}: its dims are open, and what its parts take depends on "
                f"them; compile it for arguments of the sizes that matter"
            )
        backend = registry.get(self.backend)
        half = compiler_of(backend)
        if not isinstance(half, DispatchTimer):
            raise BackendError(f"backend {self.backend!r} cannot measure the parts of a program")
        program = self._lowered._program(backend, self._options)(form_of(backend, self.device, self._options))
        return DispatchTimes(self._function.name, half.dispatches(program, self.device, self._options))

    def cost_analysis(self, sizes: Mapping[str, int] | None = None) -> CostAnalysis:
        """As `Lowered.cost_analysis`, of the program as the backend's rules rewrote it."""
        return self._lowered.cost_analysis(sizes)

    def save(self, path: str | Path) -> None:
        """Writes the compiled program to a file (`.vmfb` for IREE), which `wax.load` and `wax_runtime` read.

        Raises `InvalidArgumentError` when the function captured arrays: a file carries no weights, so they
        must be arguments, or saved beside it by `wax.export`.
        """
        if self._captured:
            shapes = ", ".join(map(str, self._captured))
            raise InvalidArgumentError(
                f"{self._function.name!r} captured {len(self._captured)} array(s) ({shapes}), which a compiled file "
                f"does not carry; pass them as arguments, or use wax.export, which saves them beside it"
            )
        files.save(self._built.artefact, path)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs it. Raises `ArgumentStructureError`, `ArgumentError`."""
        if _spans.listeners.all:
            with _spans.Span("call", self._function.name, f"{self.backend} on {self.device}"):
                return _spans.waited(self._call(args, kwargs))
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            result = self._known.call(args, kwargs)
        except WaxError as error:
            _source.place(error, self._function.location)
            raise
        return self._call_anew(args, kwargs) if result is NotImplemented else result

    def _call_anew(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        leaves, structure = tree.flatten((args, kwargs))
        if structure != self._function.in_tree:
            raise ArgumentStructureError(
                f"{self._function.name!r} was compiled for arguments of structure {self._function.in_tree}, "
                f"and called with {structure}"
            )
        buffers = [concrete_leaf(leaf) for leaf in leaves]
        self._check(leaves, buffers)
        try:
            results = self.binder.call(buffers)
            self._known.add(args, kwargs, leaves, structure)
        except WaxError as error:
            _source.place(error, self._function.location)
            raise
        return tree.unflatten(self._function.out_tree, results)

    def _check(self, leaves: Sequence[Any], buffers: Sequence[Array]) -> None:
        for leaf, buffer, abstract, name in zip(leaves, buffers, self._function.arguments, self._names, strict=True):
            given = abstract_leaf(leaf, name)
            if given.weak and not abstract.weak:
                raise ArgumentStructureError(
                    f"argument {name} of {self._function.name!r} was compiled as {abstract}, and is the number "
                    f"{leaf!r}; pass wnp.asarray({leaf!r}, dtype=wnp.{abstract.dtype.name})"
                )
            if (buffer.dtype != abstract.dtype and not abstract.weak) or buffer.ndim != len(abstract.shape):
                raise ArgumentStructureError(
                    f"argument {name} of {self._function.name!r} was compiled as {abstract}, and is "
                    f"{buffer.dtype.name}{format_shape(buffer.shape)}"
                )

    def __repr__(self) -> str:
        return f"Compiled({self._function.name!r}: {self._function.signature}, {self.backend} on {self.device})"


def _check_dialect(dialect: str, allowed: tuple[str, ...]) -> None:
    if dialect not in allowed:
        names = " or ".join(repr(name) for name in allowed)
        raise InvalidArgumentError(f"this stage has no text in dialect {dialect!r}; it has {names}")


def _write_mlir(path: str | Path, text: str) -> None:
    path = Path(path)
    if path.suffix != ".mlir":
        raise InvalidArgumentError(f"this stage is saved as MLIR text: {path.name!r} must end in .mlir")
    path.write_text(text)
