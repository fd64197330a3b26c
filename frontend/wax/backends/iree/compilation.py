"""One compilation, which the disk cache could not answer: up the ladder, and what must be known of the result.

Imported when something is compiled, and not before.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn, TypeVar

from wax.backends.iree.alone import compile_alone
from wax.backends.iree.barriers import apart
from wax.backends.iree.call_plans import plan_of
from wax.backends.iree.diagnostics import user_location
from wax.backends.iree.in_place import loops_in, open_loops_in
from wax.backends.iree.ladder import Rung
from wax.backends.iree.linking import lean_flags, linked_flags, missed_something
from wax.backends.iree.one_thread import translated
from wax.backends.iree.outcomes import CompilationFailed, Compiled
from wax.backends.iree.overwrites import Memory, memory_of
from wax.backends.iree.preparations import preparation_in
from wax.backends.iree.program_order import IN_ORDER
from wax.backends.iree.targets import UNLINKED
from wax.backends.iree.thread_tiles import for_flags
from wax.backends.iree.tiling import Tiling, tiling_of
from wax.backends.iree.wide_vectors import WIDE_VECTORS, wants_wide_vectors
from wax.reproducer import write_reproducer
from wax_runtime.backend import Preparation, Program
from wax_runtime.devices import CPU
from wax_runtime.errors import CompileError
from wax_runtime.iree.plans import Plan

__all__ = ["Compilation", "compile_program", "given_text"]

_log = logging.getLogger("wax.compile")

_T = TypeVar("_T")


class Compilation(NamedTuple):
    """The rung that compiles a program, what a call does to memory, what each call does, what is done once before, and
    the `.vmfb`.
    """

    rung: Rung
    memory: Memory
    plan: Plan | None
    preparation: Preparation | None
    payload: bytes


def compile_program(
    program: Program, platform: str, ladder: tuple[Rung, ...], *, may_be_alone: bool = True
) -> Compilation:
    """A program compiled without IREE's compiler, if it may and can be, or by the first rung of a ladder that does.

    Raises `CompileError`.
    """
    tiling = given_text(program.linalg(), platform)
    start = time.perf_counter()
    if may_be_alone and platform == CPU.platform and program.trusted and not _is_isolated():
        text, alone = tiling.text, compile_alone(tiling.text, ladder[0].flags)
        # IREE gets the program as it is: it would compute ahead what executables make of constants.
        if alone is None and program.alone is not None and (other := program.alone()) is not None:
            text = given_text(other, platform).text
            alone = compile_alone(text, ladder[0].flags)
        if alone is not None:
            made = _made(program, platform, text, ladder[0], alone, Memory())
            _log.info("%s: compiled in %.3f s without IREE's compiler", program.name, time.perf_counter() - start)
            return made
    rung, compiled = _compile_by_iree(program, platform, tiling, ladder)
    _log.info("%s: compiled in %.3f s with %s", program.name, time.perf_counter() - start, rung.name)
    memory = memory_of(compiled.stream, program.signature.entry, tiling.text)
    return _made(program, platform, tiling.text, rung, compiled, memory)


def _made(program: Program, platform: str, text: str, rung: Rung, compiled: Compiled, memory: Memory) -> Compilation:
    """What must be known of a program that is compiled. Raises `CompileError`."""
    preparation = preparation_in(text, program.signature, compiled.stream)
    if memory.corrupted:
        taken = preparation.rest(program.signature) if preparation else program.signature
        names = ", ".join(str(taken.arguments[i]) for i in memory.corrupted)
        raise CompileError(
            f"{program.name} updates {names} in place and returns it as it was too, which IREE gets wrong; "
            f"return the argument itself from outside of the compiled function"
        )
    plan = plan_of(compiled.stream, program.signature.entry) if platform == CPU.platform else None
    return Compilation(rung, memory, plan, preparation, compiled.payload)


def _compile_by_iree(
    program: Program, platform: str, tiling: Tiling, ladder: tuple[Rung, ...]
) -> tuple[Rung, Compiled]:
    text = tiling.text
    if '"flow.dispatch' in text:
        ladder = tuple(rung for rung in ladder if rung.takes_dispatches)
    if loops_in(text):
        ladder = tuple(rung for rung in ladder if rung.takes_loops) or ladder
    if not tiling.wanted:
        ladder = tuple(rung for rung in ladder if not rung.tiles)
    if platform == CPU.platform and wants_wide_vectors(text):
        first = ladder[0]
        wide = first._replace(name=f"{first.name} and wide vectors", flags=(*WIDE_VECTORS, *first.flags))
        ladder = (wide, *ladder)
    # What IREE refuses with some flags it may crash on with others: that is another process's concern.
    safe = program.trusted and not open_loops_in(text)
    # It crashes on some tensors in tiles that are masked by place and transposed, as `(tril(x @ y) + x).T`.
    masks = "linalg.index" in text
    trusted = {rung: safe and rung is ladder[0] and not (rung.tiles and masks) for rung in ladder}
    try:
        return _climb(
            program.name,
            ladder,
            lambda rung: _compile_text(
                for_flags(apart(text) if rung.apart else text, rung.flags), rung.flags, trusted=trusted[rung]
            ),
        )
    except CompilationFailed as failure:
        _fail(program, platform, text, ladder, failure)


def given_text(text: str, platform: str) -> Tiling:
    """A program as IREE is given it for a platform."""
    text = translated(text, platform)
    return tiling_of(text) if platform == CPU.platform else Tiling(text, wanted=True)


def _climb(name: str, ladder: Sequence[Rung], attempt: Callable[[Rung], _T]) -> tuple[Rung, _T]:
    """The first rung on which `attempt` succeeds, and what it gave.

    Raises the last rung's `CompilationFailed`, or the first that says that no other flags can help.
    """
    for index, rung in enumerate(ladder):
        try:
            result = attempt(rung)
        except CompilationFailed as failure:
            if failure.hopeless or index == len(ladder) - 1:
                raise
            _log.info("%s: IREE failed with %s: %s; trying %s", name, rung.name, failure.reason, ladder[index + 1].name)
        else:
            if index:
                _log.info("%s: compiled with %s", name, rung.name)
            return rung, result
    raise AssertionError("a ladder has at least one rung")


def _compile_text(text: str, flags: tuple[str, ...], *, trusted: bool = True, verify: bool = False) -> Compiled:
    from wax.backends.iree import capi

    # The library does not know all flags of the program.
    if not trusted or _is_isolated() or UNLINKED in flags or not capi.usable():
        from wax.backends.iree import isolated

        return isolated.compile_text(text, linked_flags(flags), verify=verify)
    lean = lean_flags(flags)
    if lean:
        try:
            return capi.compile_text(text, lean, verify=verify)
        except CompilationFailed as failure:
            if not missed_something(failure):
                raise
            _log.info("linked with IREE's C library, as it does not link without")
    return capi.compile_text(text, linked_flags(flags), verify=verify)


def _is_isolated() -> bool:
    """Whether all is to be compiled in another process."""
    return os.environ.get("WAX_ISOLATE_COMPILER", "0") not in ("", "0")


def _fail(program: Program, platform: str, text: str, ladder: tuple[Rung, ...], failure: CompilationFailed) -> NoReturn:
    """Compile once more with the user's locations, for the message; then write the reproducer and raise."""
    flags = ladder[0].flags if failure.hopeless else ladder[-1].flags
    text = for_flags(text, flags)
    if program.located is not None:
        text = for_flags(given_text(program.located(), platform).text, flags)
        try:
            _compile_text(text, flags, trusted=False, verify=True)
        except CompilationFailed as located:
            failure = located
    command = ["iree-compile", *IN_ORDER, *flags, "program.mlir", "-o", "program.vmfb"]
    folder = write_reproducer(program.name, text, command, (f"{d.severity}: {d.message}" for d in failure.diagnostics))
    reason = failure.reason
    raise CompileError(
        f"IREE could not compile {program.name!r} ({program.signature}): {reason}\n"
        f"The program and the command that shows this again are in {folder} (run command.sh there)",
        location=user_location(failure.diagnostics),
        reproducer=folder,
        diagnostics=tuple(d.message for d in failure.diagnostics),
    ) from None
