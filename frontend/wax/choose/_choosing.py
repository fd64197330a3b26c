"""The cheapest of a program's equals: parts of it searched one by one, and the program that comes of it compared with
the one that was there."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wax._canonical import CANONICAL, canonical
from wax._tracing import TracedFunction
from wax.choose._parts import parts_of
from wax.choose._replacing import Choice, Replacement, search
from wax.cost import analyze
from wax.cost._analysis import sizes_in
from wax.cost._machines import Machine, machine_of
from wax.cost._sizes import Sizes
from wax.dims import Dim
from wax.errors import InvalidArgumentError
from wax.rules._graph import Graph
from wax.rules._rewriting import Rewrite, check_rules, places_of, rewrite
from wax.rules._rule import Rule
from wax.rules._sides import sizes_of

__all__ = ["Search", "choose", "typical_sizes"]

_log = logging.getLogger("wax.choose")

#: Programs that are made of one another, at most; and seconds for all of them.
MAX_TURNS, MAX_SECONDS = 4, 5.0
#: What the size of an open dim counts as, within its bounds.
TYPICAL_SIZE = 64


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found: for which platform, what it chose, by which laws, and where bounds ended it."""

    platform: str
    choices: tuple[Choice, ...] = ()
    #: The laws that applied, and how often.
    fired: tuple[tuple[str, int], ...] = ()
    bounds: tuple[str, ...] = ()
    seconds: float = 0.0


def typical_sizes(dims: Sequence[Dim]) -> dict[str, int]:
    """A size for each open dim, to count with."""
    sizes = {}
    for dim in dims:
        size = max(TYPICAL_SIZE, dim.min)
        sizes[dim.name] = size if dim.max is None else min(size, dim.max)
    return sizes


def choose(function: TracedFunction, rules: Sequence[Rule], platform: str) -> TracedFunction:
    """The cheapest program found that computes what the function does; itself, where none is cheaper.

    Outside rules are tried beside the laws. Raises `RuleError` for a rule that is wrong, `InvalidArgumentError` where
    egglog is not installed.
    """
    check_rules(rules)
    machine, sizes = machine_of(platform), typical_sizes(function.dims)
    module = canonical(function.function)
    begin = time.monotonic()
    tally = _Tally(begin + MAX_SECONDS)
    applied: list[Rewrite] = []
    try:
        least = _seconds(replace(function, function=module.entry()), sizes, machine)
    except InvalidArgumentError as error:
        _log.info("%r is not searched, rules are applied one by one: %s", function.name, error)
        return replace(rewrite(function, rules) if rules else function, search=Search(platform, bounds=(str(error),)))
    for _ in range(MAX_TURNS):
        snapshot = module.snapshot()
        entry = snapshot.functions[snapshot.entry]
        program = Graph(entry, sizes_of(module, function))
        known = sizes_in(function, module, entry, sizes)
        found = list(_replacements(program, rules, machine, known, tally))
        if not found:
            break
        attempt = module.clone()
        attempt.replace([(one.root, one.function, one.operands) for one in found])
        attempt.run(CANONICAL)
        seconds = _seconds(replace(function, function=attempt.entry()), sizes, machine)
        if seconds >= least:
            break
        module, least = attempt, seconds
        tally.choices += dict.fromkeys(one.choice for one in found)
        applied += [one for replaced in found for one in replaced.rewrites]
    result = Search(
        platform, tuple(tally.choices), tuple(sorted(tally.fired.items(), key=lambda one: -one[1])),
        tuple(dict.fromkeys(tally.bounds)), time.monotonic() - begin,
    )  # fmt: skip
    if result.bounds:
        _log.info("%r: the search for a cheaper program ended early: %s", function.name, ", ".join(result.bounds))
    if not result.choices:
        return replace(function, search=result)
    for choice in result.choices:
        _log.info("%r: %s", function.name, choice)
    return replace(function, function=module.entry(), rewrites=(*function.rewrites, *applied), search=result)


class _Tally:
    """What is added up over turns and parts."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.choices: list[Choice] = []
        self.fired: dict[str, int] = {}
        self.bounds: list[str] = []


def _replacements(
    program: Graph, rules: Sequence[Rule], machine: Machine, sizes: Sizes, tally: _Tally
) -> Iterator[Replacement]:
    places = places_of(program, rules, overlapping=True) if rules else []
    parts, diagonals = parts_of(program, places)
    for part in parts:
        if not part.is_worthwhile:
            continue
        if time.monotonic() > tally.deadline:
            tally.bounds.append(f"{MAX_SECONDS:g} s for all parts")
            return
        result = search(program, part, diagonals, machine, sizes)
        for law, count in result.fired.items():
            tally.fired[law] = tally.fired.get(law, 0) + count
        if result.bound:
            tally.bounds.append(result.bound)
        yield from result.replacements


def _seconds(function: TracedFunction, sizes: Mapping[str, int], machine: Machine) -> float:
    return machine.seconds_of(analyze(function, sizes).operations)
