"""The protocol between wax and a backend: what each of them is, has and does.

A backend has two halves. The compiler half turns a `Program` into an `Artefact`; the loader half turns the
artefact into an `Executable` on a device. They are apart so that a machine which only runs saved programs
needs no compiler. A backend is found by the entry point group `wax.backends` (see `registry.py`), whose
entry is an object with this protocol. Nothing here is particular to one backend.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np

from wax_runtime.buffer import Buffer
from wax_runtime.devices import Device
from wax_runtime.errors import BackendError, Location
from wax_runtime.signature import Signature
from wax_runtime.spec import ArraySpec
from wax_runtime.weights import Weights

__all__ = [
    "Artefact",
    "Backend",
    "CompileOptions",
    "Compiler",
    "CrossCompiler",
    "Dispatch",
    "DispatchTimer",
    "Emitter",
    "Executable",
    "Form",
    "Importer",
    "Preparation",
    "Preparer",
    "Program",
    "Reader",
    "Recognizer",
    "Rewriter",
    "compiler_of",
]

#: A form of a program: upstream linalg, linalg as IREE takes it best for CPUs, all or those with certain
#: instructions, or for GPUs, or wax's own snapshot.
Form: TypeAlias = Literal[
    "linalg",
    "linalg-iree",
    "linalg-iree-avx2",
    "linalg-iree-avxvnni",
    "linalg-iree-avx512",
    "linalg-iree-avx512vnni",
    "linalg-iree-avx512bf16",
    "linalg-iree-amx",
    "linalg-iree-gpu",
    "linalg-iree-whole",
    "snapshot",
]


@dataclass(frozen=True, slots=True)
class Program:
    """What a compiler half is given. It takes the form its backend `accepts`, and no other is computed.

    `key` is equal only for programs that are equal in that form, locations aside, whatever wax made them, and takes
    no lowering. A compiler half that keeps what it makes keeps it under this key and all that it adds itself
    (flags, versions, what it knows of the device), and asks for no form of a program that it has.
    `linalg` gives the program as linalg text without locations; `located` gives the same with the user's
    locations, and is asked for only when compilation fails. `snapshot` gives wax's own immutable form. `work` is
    an estimate of the elements that one call reads and writes: a number, a dim expression such as `"4096*b"`, or
    `None` when nothing is known. `alone`, asked for after `linalg`, gives a lowering that leaves no loops to a
    compiler of others, though calls may be slower by a microsecond or two; `None` where there is none. One that is
    not `trusted` is text that somebody wrote: whatever parses it does so in another process, which may crash.
    """

    name: str
    signature: Signature
    key: Callable[[], str]
    linalg: Callable[[], str]
    snapshot: Callable[[], object]
    located: Callable[[], str] | None = None
    work: int | str | None = None
    trusted: bool = True
    alone: Callable[[], str | None] | None = None


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """What a user may choose: extra backend flags, an optimization level 0 to 3, and whether to use the disk cache.

    `prepare`: whether what is made of captured arrays alone, as panels of weights, is made once and kept beside them,
    where the backend can. `None`: where a function is called, and not in files, which other tools call too.
    """

    flags: tuple[str, ...] = ()
    level: int = 3
    cache: bool = True
    prepare: bool | None = None


@dataclass(frozen=True, slots=True)
class Preparation:
    """The part of a program that is the same in all calls, as some of its last arguments are.

    `signature` is its own: it takes those arguments. In their place the program's entry takes those of them that
    `kept` numbers, and then the results. `overwrites` and `aliases` are as an artefact's; `digest` is the same for
    parts that do the same.
    """

    signature: Signature
    kept: tuple[int, ...]
    digest: str
    overwrites: tuple[int, ...] = ()
    aliases: tuple[tuple[int, int], ...] = ()

    def rest(self, signature: Signature) -> Signature:
        """What is left of a program's signature, for calls after it."""
        own = self.signature
        others = signature.arguments[: len(signature.arguments) - len(own.arguments)]
        kept = [own.arguments[number] for number in self.kept]
        return replace(signature, arguments=(*others, *kept, *own.results))

    def to_json(self) -> list[Any]:
        """Lists for `json`."""
        return [self.signature.to_json(), self.kept, self.digest, self.overwrites, self.aliases]

    @classmethod
    def from_json(cls, data: Any) -> Preparation:
        """What `json` has made lists of."""
        signature, kept, digest, overwrites, aliases = data
        return cls(
            Signature.from_json(signature),
            tuple(kept),
            digest,
            tuple(overwrites),
            tuple([(result, argument) for result, argument in aliases]),
        )


@dataclass(frozen=True, slots=True)
class Artefact:
    """A compiled program: the bytes of a `.vmfb`, a snapshot, or whatever `format` says.

    `target` names what it was compiled for, as `WAX_PLATFORMS` does: platforms, with commas between them. `flags` are
    those that the compiler really used, after its retries, for the record; so are `versions` of packages, and
    `cached`, whether a cache on disk had it (`None`: there is none). `weights` say where the last arguments are that
    the program does not carry. A backend whose
    programs write to the memory of arguments, or return it, must say so: `overwrites` are indices of arguments
    whose memory a call may overwrite, `aliases` pairs (result, argument) that may share memory. The loader half
    keeps arrays immutable all the same, by copies where they are needed. With a `preparation` both are of what the
    entry takes then. `plan` is what the loader half may know besides, to make calls cheaper.
    """

    backend: str
    format: str
    payload: Any
    signature: Signature
    target: str
    flags: tuple[str, ...] = ()
    work: int | str | None = None
    overwrites: tuple[int, ...] = ()
    aliases: tuple[tuple[int, int], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    weights: Weights | None = None
    preparation: Preparation | None = None
    cached: bool | None = field(default=None, compare=False)
    plan: Any = field(default=None, compare=False)

    @property
    def platforms(self) -> tuple[str, ...]:
        """The platforms that it was compiled for, the preferred first."""
        return tuple(self.target.split(","))


@runtime_checkable
class Executable(Protocol):
    """A loaded program. Calling it checks the arguments; `bind` checks once, for callers that call often."""

    @property
    def signature(self) -> Signature: ...

    def __call__(self, args: Sequence[Buffer]) -> list[Buffer]:
        """Run on flat arguments. Raises `ArgumentError`, `DeletedBufferError`."""
        ...

    def putter(self, spec: ArraySpec) -> Callable[[np.ndarray[Any, Any] | np.generic], Buffer]:
        """What copies host arrays of exactly this spec to where, in the form that a call takes at once."""
        ...

    def bind(self, specs: tuple[ArraySpec, ...]) -> Callable[[Sequence[Buffer]], list[Buffer]]:
        """A callable for arguments of exactly these specs, which it trusts and does not check again.

        Raises `ArgumentError` when the function does not take them.
        """
        ...


@runtime_checkable
class Preparer(Protocol):
    """What an executable has besides when a part of the program depends on its last arguments alone."""

    @property
    def prepares(self) -> str:
        """The same text for executables that prepare the same of the same arguments."""
        ...

    def prepare(self, last: Sequence[Buffer]) -> tuple[Buffer, ...]:
        """Does that part. Raises `ArgumentError`, `BackendError`."""
        ...

    def resume(self, last: Sequence[Buffer], made: Sequence[Buffer]) -> tuple[Executable, tuple[Buffer, ...]]:
        """What takes the other arguments, and the buffers that it takes after them."""
        ...


class Compiler(Protocol):
    """The compiler half of a backend. May be called from several threads at once."""

    def compile(self, program: Program, device: Device, options: CompileOptions) -> Artefact:
        """Compile for a device. Raises `CompileError`."""
        ...


@runtime_checkable
class CrossCompiler(Compiler, Protocol):
    """What a compiler half has besides when it compiles for devices that need not be there, for files.

    A target is a platform, or with a colon what is particular of it: `cpu:x86-64-v3`, `cuda:sm_90`. Which there are is
    the backend's own matter.
    """

    def form_for(self, targets: Sequence[str], options: CompileOptions) -> Form:
        """Which form of a `Program` it reads for targets, which may be the devices of this machine: asked in place of
        `Backend.accepts`. Raises `BackendError` for one that it does not know, `DeviceError` for one that is not there.
        """
        ...

    def compile_for(self, program: Program, targets: Sequence[str], options: CompileOptions) -> Artefact:
        """One artefact for all of several targets. Raises `CompileError`, `BackendError`, `DeviceError`."""
        ...


@dataclass(frozen=True, slots=True)
class Dispatch:
    """A part of a compiled program that the device does as one, and how long it takes.

    `locations` are the user's lines that it does. A call does it `count` times; `None` for one in a loop. Once takes
    `seconds`; `None` for one that could not be measured.
    """

    name: str
    locations: tuple[Location, ...]
    count: int | None
    seconds: float | None


@runtime_checkable
class DispatchTimer(Compiler, Protocol):
    """What a compiler half has besides when it can measure the parts of a program one by one."""

    def dispatches(self, program: Program, device: Device, options: CompileOptions) -> tuple[Dispatch, ...]:
        """The parts of a program as it is compiled, in order. Raises `CompileError`, `BackendError`."""
        ...


@runtime_checkable
class Emitter(Compiler, Protocol):
    """What a compiler half has besides when it can write programs as text, in dialects that wax does not know.

    `wax.export(…).save("f.mlir", dialect=…)` finds it by the dialect's name.
    """

    @property
    def dialects(self) -> tuple[str, ...]: ...

    def emit(self, program: Program, dialect: str) -> str:
        """A program's text in one of the dialects, for MLIR to parse.

        The program gives its snapshot, or upstream linalg. The entry is `@main`, which takes and returns what the
        signature says, in that order. Raises `BackendError` for what the dialect does not have.
        """
        ...


@runtime_checkable
class Backend(Protocol):
    """The loader half of a backend, and its declaration of what it is.

    `priority`: of several backends for a device, the highest is tried first. `platforms`: those whose devices it
    may drive, where there are any.
    `compiler`: where its compiler half is, `"module:attribute"`, imported only when something is compiled;
    the attribute is a `Compiler`.
    """

    @property
    def name(self) -> str: ...

    @property
    def priority(self) -> int: ...

    @property
    def platforms(self) -> frozenset[str]: ...

    @property
    def compiler(self) -> str: ...

    def devices(self, platform: str, emulated: bool = True) -> tuple[Device, ...]:
        """Those of a platform that it can drive now, found by trying and testing, not by listing. Never raises.

        Without `emulated` ones, which need then not be looked for.
        """
        ...

    def accepts(self, device: Device) -> Form:
        """Which form of a `Program` it reads for a device."""
        ...

    def put(self, array: np.ndarray[Any, Any], device: Device, buffer_type: type[Buffer] = Buffer) -> Buffer:
        """A host array in a device's memory. Raises `DTypeError`, `BackendError` where there is no room."""
        ...

    def load(self, artefact: Artefact, device: Device, buffer_type: type[Buffer] = Buffer) -> Executable:
        """Make an artefact callable on a device; results are of `buffer_type`. Raises `LoadError`."""
        ...


@runtime_checkable
class Reader(Protocol):
    """What a backend has besides when its artefacts can be files: it knows its own format."""

    def read(self, data: bytes) -> Artefact | None:
        """The artefact in a file's bytes; `None` for another format. Raises `LoadError` for a damaged one."""
        ...

    def write(self, artefact: Artefact) -> bytes:
        """A file's bytes, from which `read` makes an equal artefact."""
        ...


@runtime_checkable
class Importer(Protocol):
    """What a backend has besides when it can use memory that other libraries have on its devices."""

    def from_dlpack(
        self, source: Any, device: tuple[int, int], buffer_type: type[Buffer], copy: bool | None
    ) -> Buffer | None:
        """A buffer on the memory of an object that speaks DLPack; `None` for a device (its type and number) of others.

        A copy of it with `copy=True`, and where nothing else can be; none with `copy=False`. Raises `BufferError` for
        memory that cannot be used, `DTypeError`, `BackendError`, `ValueError` where `copy=False` cannot be kept.
        """
        ...


@runtime_checkable
class Rewriter(Protocol):
    """What a backend has besides when programs are to be rewritten before they are compiled for it.

    `rules`: where its rules are, `"module:attribute"`, imported only when something is compiled; the attribute is a
    sequence of `wax.rules.Rule`.
    """

    @property
    def rules(self) -> str: ...


@runtime_checkable
class Recognizer(Protocol):
    """What a backend has besides when it knows operations that stand for several of the basis.

    `wants`: their names, as `"contract"`. In its snapshots they stand wherever a program has what they are made of; all
    others stay as they are.
    """

    @property
    def wants(self) -> frozenset[str]: ...


def compiler_of(backend: Backend) -> Compiler:
    """A backend's compiler half. Raises `BackendError` where only the runtime is installed."""
    module, _, attribute = backend.compiler.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        raise BackendError(
            f"the compiler half of backend {backend.name!r} ({backend.compiler}) is not installed: {error}; "
            f"this machine can load compiled files, not compile"
        ) from error
