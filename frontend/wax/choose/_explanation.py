"""What was done to a program, and what that saved: data, and a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from wax._canonical import canonical
from wax._compile import preferred_platform
from wax._table import table
from wax._tracing import TracedFunction
from wax.choose._choosing import Search, typical_sizes
from wax.cost import CostAnalysis, analyze
from wax.cost._machines import machine_of
from wax.recognition import Recognized, recognized
from wax.rules import Rewrite

__all__ = ["Explanation", "explain"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was done to a program. Made by `Lowered.explain`.

    `before` and `after` are its cost, counted; `seconds_before` and `seconds_after` what that takes on `platform`,
    roughly. `rewrites` are the outside rules that were applied; `search` is what a search found, `None` where there was
    none. `recognized` are the operations that backends may want which those of the program are together. `str` gives a
    text.
    """

    function: str
    platform: str
    before: CostAnalysis
    after: CostAnalysis
    seconds_before: float
    seconds_after: float
    rewrites: tuple[Rewrite, ...]
    search: Search | None
    recognized: tuple[Recognized, ...]

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        costs = (("before", self.before, self.seconds_before), ("after", self.after, self.seconds_after))
        rows = [
            (
                when,
                *(f"{n:,}" for n in (one.flops, one.transcendentals, one.bytes_accessed, _launches(one))),
                f"{seconds * 1e6:,.1f} µs",
            )
            for when, one, seconds in costs
        ]
        yield from table(
            (self.function, "flops", "transcendentals", "bytes", "operations", self.platform), rows, numbers=5
        )
        for rewrite in self.rewrites:
            yield f"rule {rewrite.rule} at {rewrite.location}"
        if self.search is not None:
            yield from map(str, self.search.choices)
            yield from (f"law: {law} ({count})" for law, count in self.search.fired)
            yield from (f"the search ended early: {bound}" for bound in self.search.bounds)
        yield from (f"recognized: {one}" for one in self.recognized)


def _launches(cost: CostAnalysis) -> int:
    return sum(one.count for one in cost.operations)


def explain(traced: TracedFunction, made: TracedFunction, sizes: Mapping[str, int] | None) -> Explanation:
    """What was made of a traced function. Raises `InvalidArgumentError` for sizes that the open dims cannot have."""
    chosen = {**typical_sizes(traced.dims), **(sizes or {})}
    before, after = [analyze(replace(one, function=canonical(one.function).entry()), chosen) for one in (traced, made)]
    platform = made.search.platform if made.search else preferred_platform(made.device)
    machine = machine_of(platform)
    return Explanation(
        traced.name, platform, before, after, machine.seconds_of(before.operations),
        machine.seconds_of(after.operations), made.rewrites, made.search, recognized(made),
    )  # fmt: skip
