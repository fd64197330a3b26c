"""Equal terms, all at once: a graph of classes of terms, which egglog fills by the laws, within bounds."""

from __future__ import annotations

import importlib.util
import json
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from typing import Any

from wax.choose._laws import LAWS
from wax.choose._terms import Constant, Leaf, Name, Pair, Sum, Term
from wax.errors import InvalidArgumentError

__all__ = ["Classes", "Node", "fill"]

#: Nodes after which a graph is not filled further, turns, and seconds: the last, which a busy machine could reach where
#: another does not, are a way out only.
MAX_NODES, MAX_TURNS, MAX_SECONDS = 2000, 12, 1.0

_OPERATORS = ("Add", "Sub", "Mul", "Div")
_SUM_FREE = (
    '(rule ((= e (Sum i a)) (= x (free a))) ((set (free e) (set-remove x i))) :ruleset indices :name "free Sum")'
)
_LANGUAGE = "\n".join(
    [
        "(sort Names (Set i64))",
        "(sort Term)",
        "(constructor Leaf (i64) Term)",
        *(f"(constructor {operator} (Term Term) Term)" for operator in _OPERATORS),
        "(constructor Sum (i64 Term) Term)",
        "(constructor Root (i64) Term)",
        "(function free (Term) Names :merge (set-intersect old new))",
        "(ruleset indices)",
        "(ruleset laws)",
        *(
            f"(rule ((= whole ({operator} a b)) (= x (free a)) (= y (free b))) ((set (free whole) (set-union x y)))"
            f' :ruleset indices :name "free {operator}")'
            for operator in _OPERATORS
        ),
        _SUM_FREE,
        *(law.as_rule() for law in LAWS),
    ]
)
_INDICES = "(run-schedule (saturate (run indices)))"
_TURN = "(run-schedule (run laws) (saturate (run indices)))"


@dataclass(frozen=True, slots=True)
class Node:
    """A term whose parts are classes: `operator` is that of a pair, "Sum", whose index is `number`, or "Leaf", whose
    number is that in the list of leaves.
    """

    operator: str
    number: int
    children: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """A filled graph: by class, the terms that are equal, and their free indices."""

    nodes: Mapping[str, Sequence[Node]]
    free: Mapping[str, frozenset[Name]]
    #: The classes of the terms that were given.
    roots: tuple[str, ...]
    #: By law, how often it applied.
    fired: Mapping[str, int]
    #: Why it was not filled further, where there was more to find.
    bound: str | None
    leaves: tuple[Leaf | Constant, ...] = ()


@cache
def _bindings() -> Any:
    """egglog without its package, which imports what notebooks need, and takes a second."""
    package = importlib.util.find_spec("egglog")
    spec = package and PathFinder.find_spec("egglog.bindings", package.submodule_search_locations)
    if spec is None or spec.loader is None:
        raise InvalidArgumentError(
            "optimize='egraph' needs egglog, which is not installed; pip install 'wax[egraph]', or leave it out"
        )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # It tells each law that it is given.
    logging.getLogger("egglog").setLevel(logging.WARNING)
    return module


def fill(terms: Sequence[Term], equal: Iterable[tuple[Term, Term]]) -> Classes:
    """The classes of all that terms equal by the laws and by pairs that are equal besides.

    Raises `InvalidArgumentError` where egglog is not installed.
    """
    writer = _Writer()
    unions = [f"(union (Root {number}) {writer.write(term)})" for number, term in enumerate(terms)]
    unions += [f"(union {left} {right})" for left, right in [(writer.write(a), writer.write(b)) for a, b in equal]]
    return replace(_filled("\n".join([*writer.lines, *unions])), leaves=tuple(writer.numbers))


@lru_cache(maxsize=64)  # a program's layers are alike
def _filled(program: str) -> Classes:
    graph = _bindings().EGraph()

    def run(text: str) -> Any:
        return graph.run_program(*graph.parse_program(text))

    run("\n".join([_LANGUAGE, program, _INDICES]))
    fired: dict[str, int] = {}
    bound = _apply_laws(run, fired)
    text = graph.serialize(
        [], max_functions=None, max_calls_per_function=None, include_temporary_functions=False
    ).to_json()
    return _read(json.loads(text)["nodes"], fired, bound)


def _apply_laws(run: Any, fired: dict[str, int]) -> str | None:
    """Applies the laws turn by turn, counts how often each applied, and says which bound ended it."""
    begin = time.monotonic()
    names = {law.name for law in LAWS}
    for _ in range(MAX_TURNS):
        before = _size(run)
        report = run(_TURN)[0].report
        for name, count in report.num_matches_per_rule.items():
            if name in names and count:
                fired[name] = fired.get(name, 0) + count
        after = _size(run)
        if after == before:
            return None
        if after > MAX_NODES:
            return f"{MAX_NODES} nodes"
        if time.monotonic() - begin > MAX_SECONDS:
            return f"{MAX_SECONDS:g} s"
    return f"{MAX_TURNS} turns"


def _size(run: Any) -> int:
    return sum(count for name, count in run("(print-size)")[0].sizes if name != "free")


class _Writer:
    """Terms in egglog's notation, each written once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.numbers: dict[Leaf | Constant, int] = {}
        self._written: dict[Term, str] = {}

    def write(self, term: Term) -> str:
        """A term's name in what was written."""
        if term not in self._written:
            match term:
                case Pair():
                    text = f"({term.operator} {self.write(term.left)} {self.write(term.right)})"
                case Sum():
                    text = f"(Sum {term.name} {self.write(term.body)})"
                case _:
                    text = f"(Leaf {self.numbers.setdefault(term, len(self.numbers))})"
            name = f"$t{len(self._written)}"
            self.lines.append(f"(let {name} {text})")
            if isinstance(term, Leaf | Constant):
                free = f"(set-of {' '.join(map(str, sorted(term.free)))})" if term.free else "(set-empty)"
                self.lines.append(f"(set (free {name}) {free})")
            self._written[term] = name
        return self._written[term]


def _read(terms: Mapping[str, Any], fired: Mapping[str, int], bound: str | None) -> Classes:
    nodes: dict[str, list[Node]] = {}
    free: dict[str, frozenset[Name]] = {}
    roots: dict[int, str] = {}
    sets = {one["eclass"]: one["children"] for one in terms.values() if one["op"] in ("set-of", "set-empty")}
    for term in terms.values():
        operator, of = term["op"], term["eclass"]
        inner = [terms[child] for child in term["children"]]
        if operator in _OPERATORS:
            nodes.setdefault(of, []).append(Node(operator, 0, tuple([child["eclass"] for child in inner])))
        elif operator == "Sum":
            nodes.setdefault(of, []).append(Node(operator, int(inner[0]["op"]), (inner[1]["eclass"],)))
        elif operator == "Leaf":
            nodes.setdefault(of, []).append(Node(operator, int(inner[0]["op"]), ()))
        elif operator == "Root":
            roots[int(inner[0]["op"])] = of
        elif operator == "free":
            free[inner[0]["eclass"]] = frozenset(int(terms[name]["op"]) for name in sets[of])
    return Classes(nodes, free, tuple([roots[number] for number in range(len(roots))]), fired, bound)
