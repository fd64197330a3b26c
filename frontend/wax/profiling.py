"""`profile`: where the time of a program goes, by its functions and by the user's lines.

Functions are measured as a whole: tracing, lowering, compiling, loading, and each call, from Python until its results
are there. Operations are measured where the reference backend runs them, which does one after the other:
`jit(…, backend="reference")`, and array functions outside of `jit` on the host. What a compiler made one program of has
no operations that could be measured from outside; `Compiled.dispatch_times` takes it apart and measures the parts.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike, getpid
from pathlib import Path
from time import perf_counter
from typing import Any

from wax import _spans
from wax._spans import Span
from wax._table import short_place, table
from wax_runtime.backend import Dispatch
from wax_runtime.reference import timing
from wax_runtime.snapshot import Location, Operation

__all__ = ["DispatchTimes", "FunctionTime", "OperationTime", "Profile", "profile"]


@contextmanager
def profile() -> Iterator[Profile]:
    """Measures what is compiled and called until the block ends, in all threads.

    Meanwhile a call waits for its results. What the block gives says nothing while it runs; afterwards it prints as a
    table, and is saved as a trace for a viewer. docs/inspect.md says what the numbers mean.

    >>> with wax.profile() as p:
    ...     f(x)
    >>> print(p)
    >>> p.save_chrome_trace("trace.json")
    """
    made = Profile()
    try:
        with _spans.listeners.listening(made._span), timing.listeners.listening(made._operation):
            yield made
    finally:
        made.end = perf_counter()


@dataclass(frozen=True, slots=True)
class FunctionTime:
    """What one function took, in seconds: each stage of its compilations, and its calls.

    Stages that are parts of one another count in each: lowering in compiling, compiling in the call that needed it.
    """

    name: str
    trace: float
    lower: float
    compile: float
    load: float
    calls: int
    #: All calls together, and the fastest: those that compile are among them.
    call: float
    fastest_call: float


@dataclass(frozen=True, slots=True)
class OperationTime:
    """What the operations of one name at one of the user's lines took, in seconds.

    `name` has a `+` between operations that were done as one. `seconds` are without those of operations within, as in a
    loop's body, which have rows of their own; `total` are with them.
    """

    name: str
    location: Location | None
    count: int
    seconds: float
    total: float


@dataclass(frozen=True, slots=True)
class _Step:
    """An operation that was done once."""

    operations: tuple[Operation, ...]
    begin: float
    end: float
    thread: int

    @property
    def name(self) -> str:
        return " + ".join(one.name for one in self.operations)

    @property
    def location(self) -> Location | None:
        return self.operations[-1].location


class Profile:
    """What was measured. Made by `profile`.

    `spans` are stretches of time in which something was done for a function, in the order in which they ended. Every
    `begin` and `end` is in seconds of `time.perf_counter`.
    """

    def __init__(self) -> None:
        self.begin = self.end = perf_counter()
        self.spans: list[Span] = []
        self._steps: list[_Step] = []

    def _span(self, span: Span) -> None:
        self.spans.append(span)

    def _operation(self, operations: tuple[Operation, ...], begin: float, end: float) -> None:
        self._steps.append(_Step(operations, begin, end, threading.get_ident()))

    @property
    def functions(self) -> tuple[FunctionTime, ...]:
        """By function, in the order in which they were met."""
        found: dict[str, list[Span]] = {}
        for span in self.spans:
            found.setdefault(span.function, []).append(span)
        return tuple(_function(name, spans) for name, spans in found.items())

    @property
    def operations(self) -> tuple[OperationTime, ...]:
        """By name and the user's line, the dearest first."""
        own = _without_inner(self._steps)
        rows: dict[tuple[str, str, int], OperationTime] = {}
        for step, seconds in zip(self._steps, own, strict=True):
            place = step.location
            key = (step.name, place.file, place.line) if place else (step.name, "", 0)
            row = rows.get(key) or OperationTime(step.name, place, 0, 0.0, 0.0)
            total = row.total + step.end - step.begin
            rows[key] = OperationTime(row.name, row.location, row.count + 1, row.seconds + seconds, total)
        return tuple(sorted(rows.values(), key=lambda one: one.seconds, reverse=True))

    def save_chrome_trace(self, path: str | PathLike[str]) -> None:
        """Writes everything as a trace, which https://ui.perfetto.dev and chrome://tracing show."""
        events: list[dict[str, Any]] = []
        for span in self.spans:
            about = {"where": span.where} if span.where else {}
            name = f"{span.kind} {span.function}"
            events.append(self._event(name, span.kind, span.begin, span.end, span.thread, about))
        for step in self._steps:
            about = {"line": str(step.location)} if step.location else {}
            events.append(self._event(step.name, "operation", step.begin, step.end, step.thread, about))
        events.sort(key=lambda event: (event["ts"], -event["dur"]))
        Path(path).write_text(json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}))

    def _event(
        self, name: str, kind: str, begin: float, end: float, thread: int, about: dict[str, str]
    ) -> dict[str, Any]:
        return {
            "name": name,
            "cat": kind,
            "ph": "X",
            "ts": (begin - self.begin) * 1e6,
            "dur": (end - begin) * 1e6,
            "pid": getpid(),
            "tid": thread,
            "args": about,
        }

    def __str__(self) -> str:
        lines: list[str] = []
        if functions := self.functions:
            head = ("function", "trace", "lower", "compile", "load", "calls", "all calls", "fastest")
            rows = [
                (
                    one.name,
                    *map(_seconds, (one.trace, one.lower, one.compile, one.load)),
                    str(one.calls),
                    *map(_seconds, (one.call, one.fastest_call)),
                )
                for one in functions
            ]
            lines += table(head, rows, numbers=7)
        if operations := self.operations:
            all_of_them = sum(one.seconds for one in operations) or 1.0
            rows = [
                (
                    short_place(one.location),
                    one.name.replace("wax.", ""),
                    str(one.count),
                    _seconds(one.seconds),
                    f"{100 * one.seconds / all_of_them:.1f}%",
                )
                for one in operations
            ]
            lines += ["", *table(("line", "operation", "times", "time", "share"), rows, numbers=3)]
        return "\n".join(lines) or "nothing was compiled or called"


@dataclass(frozen=True, slots=True)
class DispatchTimes:
    """The parts of a compiled program that the device does as one, in order. Made by `Compiled.dispatch_times`.

    Each was measured alone, again and again, so that its data may be nearer than in a call. `str` gives a table.
    """

    function: str
    dispatches: tuple[Dispatch, ...]

    @property
    def seconds(self) -> float:
        """All of those that were measured and are not in loops, together."""
        return sum((one.seconds or 0.0) * (one.count or 0) for one in self.dispatches)

    def __str__(self) -> str:
        whole = self.seconds or 1.0
        rows = []
        for one in self.dispatches:
            known = one.seconds is not None and one.count is not None
            share = f"{100 * (one.seconds or 0) * (one.count or 0) / whole:.1f}%" if known else "?"
            once = "?" if one.seconds is None else _seconds(one.seconds)
            rows.append((_lines(one), one.name, "?" if one.count is None else str(one.count), once, share))
        rows.append(("", self.function, "", _seconds(self.seconds), ""))
        return "\n".join(table(("lines", "dispatch", "times", "once", "share"), rows, numbers=3))


def _lines(dispatch: Dispatch) -> str:
    """The user's lines that it does, by file."""
    files: dict[str, list[int]] = {}
    for place in dispatch.locations:
        files.setdefault(place.file.rpartition("/")[2], []).append(place.line)
    return "; ".join(f"{file}:{','.join(map(str, sorted(lines)))}" for file, lines in files.items())


def _function(name: str, spans: Sequence[Span]) -> FunctionTime:
    def all_of(kind: _spans.Kind) -> float:
        return sum(span.seconds for span in spans if span.kind == kind)

    calls = [span.seconds for span in spans if span.kind == "call"]
    return FunctionTime(
        name,
        all_of("trace"),
        all_of("lower"),
        all_of("compile"),
        all_of("load"),
        len(calls),
        sum(calls),
        min(calls, default=0.0),
    )


def _without_inner(steps: Sequence[_Step]) -> list[float]:
    """What each step took, less what those within it took. Steps come in the order in which they ended."""
    own = [step.end - step.begin for step in steps]
    # By thread, the steps that have ended and stand in no other yet.
    open_steps: dict[int, list[int]] = {}
    for number, step in enumerate(steps):
        ended = open_steps.setdefault(step.thread, [])
        while ended and steps[ended[-1]].begin >= step.begin:
            inner = steps[ended.pop()]
            own[number] -= inner.end - inner.begin
        ended.append(number)
    return own


def _seconds(seconds: float) -> str:
    """Seconds in a unit that a reader takes in at once."""
    if not seconds:
        return "-"
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.2f} {unit}"
    return f"{seconds * 1e6:.1f} µs"
