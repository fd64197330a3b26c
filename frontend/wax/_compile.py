"""From a traced function to an executable: which backends are tried, and in what order.

With no device named, the best device that a backend drives; with no backend named, those that drive the
device, by priority. When one cannot compile or load a function, the next is tried and the user is told once.
A device or backend the user named is never left silently.
"""

from __future__ import annotations

import importlib
import logging
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

from wax import _native
from wax._key import program_key
from wax._spans import Span
from wax._tracing import TracedFunction
from wax.array import Array
from wax.errors import BackendError, CompileError, DeviceError, InvalidArgumentError, LoadError, RuleError
from wax.recognition import raised, wanted_by
from wax.reproducer import write_reproducer
from wax_runtime import registry
from wax_runtime.backend import (
    Artefact,
    Backend,
    CompileOptions,
    CrossCompiler,
    Emitter,
    Executable,
    Form,
    Program,
    Rewriter,
    compiler_of,
)
from wax_runtime.cache import key_of
from wax_runtime.devices import Device, devices, preferred
from wax_runtime.devices import device as find_device

if TYPE_CHECKING:
    from wax.rules import Rule

__all__ = [
    "TARGETS",
    "Built",
    "build",
    "build_file",
    "first_choice",
    "for_backend",
    "form_of",
    "inlined",
    "lower",
    "lower_alone",
    "optimized",
    "options_for",
    "pipeline",
    "preferred_platform",
    "program_of",
    "rewritten",
    "text_of",
]

_log = logging.getLogger("wax.compile")
#: `wax-to-linalg`'s target for each form of a program that a backend may accept, and options after it; a snapshot is
#: not lowered.
TARGETS: dict[Form, str | None] = {
    "linalg": "upstream",
    "linalg-iree": "iree",
    "linalg-iree-avx2": "iree processor=avx2",
    "linalg-iree-avxvnni": "iree processor=avxvnni",
    "linalg-iree-avx512": "iree processor=avx512",
    "linalg-iree-avx512vnni": "iree processor=avx512vnni",
    "linalg-iree-avx512bf16": "iree processor=avx512bf16",
    "linalg-iree-amx": "iree processor=amx",
    "linalg-iree-gpu": "iree gpu=true",
    "linalg-iree-whole": "iree outline=false",
    "snapshot": None,
}

_told: set[tuple[str, str]] = set()
_told_lock = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """A compiled and loaded function."""

    backend: str
    device: Device
    artefact: Artefact
    executable: Executable


def lower(function: TracedFunction, target: str, split_complex: bool = False, prepares: bool = False) -> _native.Module:
    """The function and its callees in linalg, for `target`; with two real tensors for each complex one where asked, and
    with what is made of captured arrays alone in a function of its own.
    """
    module = _native.make_module(function.function)
    passes = _passes(function, target, split_complex, prepares)
    try:
        with Span("lower", function.name):
            module.run(passes)
    except _native.PassError as error:
        message, program = error.args
        command = ["wax-opt", f"--pass-pipeline={passes}", "program.mlir"]
        folder = write_reproducer(function.name, program, command, (message,))
        raise CompileError(
            f"{function.name!r} ({function.signature}) could not be lowered to linalg: {message}\n"
            f"The program and the command that shows this again are in {folder} (run command.sh there)",
            reproducer=folder,
            diagnostics=(message,),
        ) from None
    return module


def lower_alone(
    function: TracedFunction, target: str, split_complex: bool = False, prepares: bool = False
) -> _native.Module | None:
    """The function as a program that is wax's all through, if it can be: what IREE's own loops do as well or better
    counts for less than that IREE is not needed.
    """
    module = _native.make_module(function.function)
    try:
        with Span("lower", function.name):
            module.run(_passes(function, target, split_complex, prepares, alone=True))
    except _native.PassError as error:
        _log.info("%s: not lowered for wax alone: %s", function.name, error.args[0])
        return None
    return module if module.is_alone() else None


def _passes(function: TracedFunction, target: str, split_complex: bool, prepares: bool, *, alone: bool = False) -> str:
    captured = len(function.captured) if prepares else 0
    return f"builtin.module({pipeline(target, split_complex, bool(function.optimize), captured, alone=alone)})"


def inlined(function: TracedFunction) -> _native.Module:
    """The function without calls and checkpoints, and without what is done twice or for nobody."""
    module = _native.make_module(function.function)
    module.run("inline{default-pipeline=},wax-inline-checkpoints,inline{default-pipeline=},cse")
    return module


def build(
    name: str,
    program: Callable[[Backend], Callable[[Form], Program]],
    *,
    device: str | Device | None = None,
    backend: str | None = None,
    options: CompileOptions | None = None,
) -> Built:
    """Compiles and loads a function, of which `program` gives each form for a backend. Raises `CompileError`,
    `DeviceError`, `BackendError`.
    """
    failure: Exception | None = None
    options = options or CompileOptions()
    tried = ""
    for candidate, where in _candidates(device, backend):
        if failure is not None:
            _tell_once(name, tried, candidate.name, failure)
        tried = candidate.name
        try:
            place = f"{candidate.name} on {where}"
            with Span("compile", name, place):
                form = form_of(candidate, where, options)
                artefact = compiler_of(candidate).compile(program(candidate)(form), where, options)
            with Span("load", name, place):
                executable = candidate.load(artefact, where, Array)
        except (CompileError, LoadError, BackendError) as error:
            failure = failure or error
            if backend is not None:
                break
            continue
        return Built(candidate.name, where, artefact, executable)
    assert failure is not None, "there is always a candidate"
    raise failure from None


def build_file(
    name: str,
    program: Callable[[Backend], Callable[[Form], Program]],
    targets: Sequence[str],
    backend: str | None = None,
    options: CompileOptions | None = None,
) -> Artefact:
    """Compiles a function for targets, which need not be there, to be saved: by the first backend that knows them all
    or the one that is named. Raises `CompileError`, `DeviceError`, `BackendError`.
    """
    options = options or CompileOptions()
    failure: BackendError | None = None
    for candidate in registry.backends() if backend is None else (registry.get(backend),):
        try:
            half = compiler_of(candidate)
            with Span("compile", name, f"{candidate.name} for {', '.join(targets)}"):
                if isinstance(half, CrossCompiler):
                    return half.compile_for(program(candidate)(half.form_for(targets, options)), targets, options)
                if backend is not None and len(targets) == 1:
                    where = find_device(targets[0])
                    return half.compile(program(candidate)(candidate.accepts(where)), where, options)
            raise BackendError(f"backend {candidate.name!r} compiles for one device of this machine only")
        except BackendError as error:
            failure = failure or error
    assert failure is not None, "there is always a backend"
    raise failure from None


def form_of(backend: Backend, device: Device, options: CompileOptions) -> Form:
    """The form of a program that a backend compiles for a device. Raises `BackendError`, `DeviceError`."""
    half = compiler_of(backend)
    return half.form_for((str(device),), options) if isinstance(half, CrossCompiler) else backend.accepts(device)


def first_choice(device: str | Device | None, backend: str | None) -> tuple[Backend, Device]:
    """Who is asked first to compile a function, and for which device. Raises `DeviceError`, `BackendError`."""
    return next(_candidates(device, backend))


def _candidates(named: str | Device | None, backend: str | None) -> Iterator[tuple[Backend, Device]]:
    """What may compile a function and run it, in order. Of each platform one device: its second is no way out."""
    backends = registry.backends() if backend is None else (registry.get(backend),)
    there = False
    for where in preferred() if named is None else (find_device(named),):
        for candidate in backends:
            if where.platform in candidate.platforms and where in candidate.devices(where.platform):
                there = True
                yield candidate, where
    if not there:
        who = "no backend can" if backend is None else f"backend {backend!r} cannot"
        what = "any device" if named is None else str(find_device(named))
        known = ", ".join(map(str, devices())) or "none"
        raise DeviceError(f"{who} drive {what} now; there are {known}")


def program_of(
    function: TracedFunction,
    linalg: Callable[[str], _native.Module] | None = None,
    backend: Backend | None = None,
    prepares: bool = False,
) -> Callable[[Form], Program]:
    """A function in each form that a backend may ask for; `linalg` lowers it to one of `TARGETS`. Snapshots have the
    recognised operations that the backend wants. What `linalg` gives has what is made of captured arrays alone in a
    function of its own, if it `prepares` any.
    """
    wanted = frozenset() if backend is None else wanted_by(backend)

    def of(form: Form) -> Program:
        target = TARGETS[form]
        kept: list[_native.Module] = []

        def made() -> _native.Module:
            return (linalg or partial(lower, function, prepares=prepares))(target or "upstream")

        def keep() -> _native.Module:
            module = made()
            kept[:] = [module]
            return module

        def lowered() -> _native.Module:
            # A program is lowered for its key if nothing is known of it, and then compiled.
            with suppress(IndexError):
                return kept.pop()
            return made()

        may_be_alone = False

        def text() -> str:
            nonlocal may_be_alone
            module = lowered()
            # Of processors that machine code is made for.
            is_ours = function.optimize and target is not None and " processor=" in target
            may_be_alone = bool(is_ours) and not module.is_alone() and module.may_be_alone()
            return module.text()

        def alone() -> str | None:
            module = lower_alone(function, target or "", prepares=prepares) if may_be_alone else None
            return None if module is None else module.text()

        return Program(
            name=function.name,
            signature=function.signature,
            key=lambda: _key(function, target, keep, wanted, prepares),
            linalg=text,
            alone=alone,
            snapshot=lambda: raised(function, wanted).snapshot(),
            located=lambda: lowered().text(debug_info=True),
            work=function.work if isinstance(function.work, int) else str(function.work),
        )

    return of


def _key(
    function: TracedFunction,
    target: str | None,
    lowered: Callable[[], _native.Module],
    wanted: Collection[str],
    prepares: bool,
) -> str:
    captured = len(function.captured) if prepares else 0
    passes = target and pipeline(target, optimize=bool(function.optimize), captured=captured)
    key = program_key(function, passes, lowered)
    return key_of(key, *sorted(wanted)) if wanted and target is None else key


def text_of(
    function: TracedFunction,
    dialect: str,
    linalg: Callable[[], _native.Module] | None = None,
    *,
    debug_info: bool = False,
) -> str:
    """A function's text in a dialect: "wax", "linalg" (the module is `linalg()`), or one that a backend writes.

    Raises `InvalidArgumentError` for a dialect that nobody writes, and what the backend raises.
    """
    if dialect == "wax":
        return _native.make_module(function.function).text(debug_info=debug_info)
    if dialect == "linalg":
        return (linalg or partial(lower, function, "upstream"))().text(debug_info=debug_info)
    written = ["linalg", "wax"]
    for candidate in registry.backends():
        try:
            half = compiler_of(candidate)
        except BackendError:  # only its runtime is here
            continue
        if isinstance(half, Emitter) and dialect in half.dialects:
            if debug_info:
                raise InvalidArgumentError(f"text in {dialect!r} has no source locations")
            return half.emit(program_of(for_backend(function, candidate), backend=candidate)("snapshot"), dialect)
        written += half.dialects if isinstance(half, Emitter) else ()
    raise InvalidArgumentError(
        f"nobody writes the dialect {dialect!r} here; there are {', '.join(map(repr, written))}, and those of backends "
        f"that are installed besides (docs/files.md)"
    )


def optimized(function: TracedFunction, device: str | Device | None = None) -> TracedFunction:
    """The function as its rules, or a search for the cheapest program on a device, make it. Raises `RuleError`, and
    `InvalidArgumentError` where a search needs what is not installed.
    """
    if function.optimize != "egraph":
        return rewritten(function, function.rules)
    from wax.choose import choose

    return choose(function, function.rules, preferred_platform(device or function.device))


def preferred_platform(named: str | Device | None) -> str:
    """The platform of a device, or of the one that is taken where none is named."""
    return next(iter(preferred())).platform if named is None else str(named).partition(":")[0]


def rewritten(function: TracedFunction, rules: Sequence[Rule]) -> TracedFunction:
    """The function, rewritten by rules, unless it is to stay plain. Raises `RuleError`."""
    if not rules or not function.optimize:
        return function
    from wax.rules import rewrite

    return rewrite(function, rules)


def for_backend(function: TracedFunction, backend: Backend) -> TracedFunction:
    """The function, rewritten by a backend's own rules. Raises `BackendError` for one that is wrong."""
    if not isinstance(backend, Rewriter):
        return function
    try:
        return rewritten(function, _rules_at(backend.rules))
    except (ImportError, AttributeError, RuleError) as error:
        raise BackendError(
            f"the rules of backend {backend.name!r} ({backend.rules}) cannot be used: {error}"
        ) from error


@cache
def _rules_at(path: str) -> tuple[Rule, ...]:
    module, _, attribute = path.partition(":")
    return tuple(getattr(importlib.import_module(module), attribute))


def pipeline(
    target: str, split_complex: bool = False, optimize: bool = True, captured: int = 0, *, alone: bool = False
) -> str:
    """The passes that lower a module for one of `TARGETS`; its last arguments, so many, are the same in all calls."""
    more = " split-complex=true" * split_complex + " optimize=false" * (not optimize) + " alone=true" * alone
    if captured and target.startswith("iree"):
        more += f" captured={captured}"
    return f"wax-to-linalg{{target={target}{more}}}"


def options_for(function: TracedFunction, options: CompileOptions | None) -> CompileOptions:
    """What a function is compiled with, where the user says nothing else."""
    return options or (CompileOptions() if function.optimize else CompileOptions(level=0))


def _tell_once(function: str, failed: str, taken: str, error: Exception) -> None:
    with _told_lock:
        if (function, failed) in _told:
            return
        _told.add((function, failed))
    _log.warning("%r is compiled by backend %r, because %r could not: %s", function, taken, failed, error)
