"""What must hold of every program of the basis: the properties that the fuzzer and the quick tests share.

Each takes programs, seeds of `random_programs` or files that keep one, and returns what it found wrong, a line a
fault. The judge of results is the
reference backend, which reads the snapshot of the program as it was built and shares no code with any rewrite.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import derivative_checks
import iree_run
import kept_programs
import numpy as np
import scalar_judges
import upstream_run
from kept_programs import Program
from random_programs import program_for

from wax import _native
from wax_runtime.reference.plan import build
from wax_runtime.reference.rules import RULES
from wax_runtime.snapshot import Module

__all__ = ["CHECKS", "derivatives", "difference", "iree", "mutations", "rewrites", "split", "upstream"]


def _run(module: Module, arguments: list[np.ndarray]) -> list[np.ndarray]:
    return [np.asarray(result) for result in build(module, RULES)(arguments)]


def difference(got: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> str:
    """How results differ by a bit, but for the payloads of NaNs; empty where they do not."""
    for index, (ours, theirs) in enumerate(zip(got, expected, strict=True)):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return f"result {index} is {ours.dtype}{ours.shape}, not {theirs.dtype}{theirs.shape}"
        if theirs.dtype.kind not in "biu":
            # Numbers of NaN's, all alike: the parts' signs and payloads are not stated.
            ours, theirs = (np.ascontiguousarray(x).reshape(-1) for x in (ours, theirs))
            if theirs.dtype.kind == "c":
                ours, theirs = (x.view(x.real.dtype) for x in (ours, theirs))
            nan = np.isnan(theirs)
            if not np.array_equal(np.isnan(ours), nan):
                return f"result {index} has NaN elsewhere"
            ours, theirs = ours[~nan], theirs[~nan]
        if ours.tobytes() != theirs.tobytes():
            return f"result {index} has other values"
    return ""


#: The seed of a program, or the file that keeps it.
Source = int | Path


def _load(sources: Iterable[Source], check: str = "") -> dict[str, Program]:
    """Programs by names that functions can bear."""
    return {
        f"kept_{source.stem}" if isinstance(source, Path) else f"main{source}": (
            kept_programs.read(source) if isinstance(source, Path) else program_for(check, source)
        )
        for source in sources
    }


def _faults(programs: dict[str, Program], check: Callable[[str, Program], str]) -> list[str]:
    found = [(name, check(name, program)) for name, program in programs.items()]
    return [f"{name.removeprefix('main')}: {fault}" for name, fault in found if fault]


def rewrites(sources: Iterable[Source]) -> list[str]:
    """The text comes back as it was, shapes are the predicted ones, and rewriting in the dialect keeps every bit."""

    def check(_: str, program: Program) -> str:
        module, arguments = program.module("main"), program.arguments()
        text = module.text()
        if _native.parse_module(text).text() != text:
            return "the text does not come back"
        before = _run(module.snapshot(), arguments)
        if program.shapes not in (None, [result.shape for result in before]):
            return "the reference gives other shapes than the builder"
        module.run("wax-simplify,cse,wax-simplify,wax-raise,wax-decompose")
        return difference(_run(module.snapshot(), arguments), before)

    return _faults(_load(sources), check)


def _lowered(programs: dict[str, Program], options: str) -> tuple[str, dict[str, Module]]:
    """The lowered text of programs, joined, and their snapshots."""
    texts, snapshots = {}, {}
    for name, program in programs.items():
        module = program.module(name)
        snapshots[name] = module.snapshot()
        module.run(f"wax-to-linalg{{{options}}}")
        # What is joined has one symbol of a name.
        texts[name] = re.sub(r"\bloops_(\d+)", rf"{name}_loops_\1", module.text())
    return upstream_run.join(texts), snapshots


def upstream(sources: Iterable[Source]) -> list[str]:
    """The upstream form, compiled by MLIR's own tools, agrees with the reference in every bit."""
    return _native_faults(sources, "target=upstream", split=False)


def split(sources: Iterable[Source]) -> list[str]:
    """So does the form without complex numbers."""
    return _native_faults(sources, "target=upstream split-complex=true", split=True)


def _native_faults(sources: Iterable[Source], options: str, *, split: bool) -> list[str]:
    programs = _load(sources)
    text, snapshots = _lowered(programs, options)
    signatures = {name: snapshot.functions[name] for name, snapshot in snapshots.items()}
    calls = upstream_run.load(text, signatures, split=split)

    def check(name: str, program: Program) -> str:
        arguments = program.arguments()
        return difference(calls[name](arguments), _run(snapshots[name], arguments))

    return _faults(programs, check)


def iree(sources: Iterable[Source]) -> list[str]:
    """The form for IREE, compiled for the CPU, agrees with the reference in every bit.

    One program alone is compiled as the backend would: with its last flags if not with its first.
    """
    programs = _load(sources, "iree")
    text, snapshots = _lowered(programs, "target=iree")
    compiled = iree_run.load(text, last=len(programs) == 1)

    def check(name: str, program: Program) -> str:
        arguments = program.arguments()
        expected = _run(snapshots[name], arguments)
        got = compiled[name](*arguments)
        got = got if isinstance(got, tuple) else (got,)
        return difference([iree_run.fetch(x, y.dtype) for x, y in zip(got, expected, strict=True)], expected)

    return _faults(programs, check)


def derivatives(sources: Iterable[Source]) -> list[str]:
    """Slopes are those of the program, reverse mode is the transpose of forward mode, and so for gradients."""
    return _faults(_load(sources, "derivatives"), lambda _, program: derivative_checks.judge(program)[0])


_TOKEN = re.compile(r"%[A-Za-z0-9_]+|\d+|[A-Za-z_.]+|\s+|.", re.DOTALL)
_NUMBERS = ("0", "1", "2", "7", "64", "9223372036854775807", "9223372036854775808", "?")
_TYPES = ("index", *scalar_judges.DTYPES)


def _kind(token: str) -> tuple[str, bool]:
    return token[0], token.isdigit()


def _mutate(tokens: list[str], kinds: dict[tuple[str, bool], list[str]], source: random.Random) -> str:
    """Tokens of which a few are taken away, doubled, exchanged, or everywhere made others of their kind."""
    tokens = list(tokens)
    for _ in range(source.choice([1, 1, 1, 2, 3])):
        at = source.randrange(len(tokens))
        while (token := tokens[at]).isspace():
            at = source.randrange(len(tokens))
        new = source.choice(_NUMBERS if token.isdigit() and source.random() < 0.5 else kinds.get(_kind(token), [token]))
        match source.randrange(8):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, token)
            case 2:
                tokens[at] = new + chr(source.randrange(1, 256)) * source.randrange(2)
            case 3 | 4:
                tokens[at] = new
            case 5:
                old = source.choice(_TYPES)
                tokens = _TOKEN.findall("".join(tokens).replace(old, source.choice(_TYPES)))
            case _:
                tokens = [new if other == token else other for other in tokens]
    return "".join(tokens)


def mutations(sources: Iterable[Source]) -> list[str]:
    """Text that is nearly a program is refused when it is parsed, or lowered to both targets, and crashes nothing."""

    def check(_: str, program: Program) -> str:
        tokens, source = _TOKEN.findall(program.module("main").text()), random.Random(program.seed)
        kinds: dict[tuple[str, bool], list[str]] = {}
        for token in sorted(set(tokens)):
            kinds.setdefault(_kind(token), []).append(token)
        faults = []
        for number in range(8):
            try:
                module = _native.parse_module(_mutate(tokens, kinds, source))
                module.snapshot()
            except _native.DialectError:
                continue
            for target in ("upstream", "iree"):
                try:
                    module.clone().run(f"wax-to-linalg{{target={target}}}")
                except _native.PassError as error:
                    # Sizes that contradict a constraint, or are together beyond any memory, show in the passes.
                    if re.search(r"\[\w+_(?:c\d+|type)\]|of at most 2\^47 elements", error.args[0]):
                        break
                    faults.append(f"mutation {number} is not lowered to {target}: {error.args[0]}")
        return "\n".join(faults)

    return _faults(_load(sources), check)


CHECKS: dict[str, Callable[[Iterable[Source]], list[str]]] = {
    "rewrites": rewrites,
    "upstream": upstream,
    "split": split,
    "mutations": mutations,
    "derivatives": derivatives,
    "iree": iree,
}
