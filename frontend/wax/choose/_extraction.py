"""The cheapest way to compute classes of equal terms, each class once however many read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from wax.choose._egraph import Classes
from wax.choose._terms import Constant, Leaf, Name, Operator, Source
from wax.cost._machines import Machine

__all__ = ["Extraction", "Prices", "Step", "extract"]


@dataclass(frozen=True, slots=True)
class Step:
    """One way to compute a class: a leaf, or one or two classes joined and summed over indices, as one operation."""

    price: float
    #: What it is made of.
    children: tuple[str, ...]
    leaf: Leaf | Constant | None = None
    operator: Operator | None = None
    summed: frozenset[Name] = frozenset()


@dataclass(frozen=True, slots=True)
class Prices:
    """What is known of costs: how long each index goes, the bytes of an element, what a source costs that is not there
    anyway, and of which classes a source is made.
    """

    machine: Machine
    lengths: Mapping[Name, int]
    item: int
    of_source: Callable[[Source], float]
    makers: Mapping[Source, tuple[str, ...]]

    def size(self, names: frozenset[Name]) -> int:
        """How many elements there are."""
        return prod([self.lengths[name] for name in names])


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was chosen: by class, and by source as text, the step; and what all of it costs."""

    steps: Mapping[str, Step]
    seconds: float


def extract(classes: Classes, wanted: Sequence[str], prices: Prices) -> Extraction | None:
    """The cheapest steps that were found for all wanted classes together; `None` where there are none.

    Greedy: each class keeps the best set of steps met so far, a step that occurs twice in it counting once.
    """
    steps = {name: list(_steps(classes, name, prices)) for name in classes.nodes}
    for leaf in classes.leaves:
        if isinstance(leaf, Leaf):
            steps[str(leaf.source)] = [Step(prices.of_source(leaf.source), prices.makers.get(leaf.source, ()))]
    readers: dict[str, set[str]] = {}
    for name, own in steps.items():
        for step in own:
            for child in step.children:
                readers.setdefault(child, set()).add(name)
    best: dict[str, tuple[float, dict[str, Step]]] = {}
    waiting = dict.fromkeys(steps)
    while waiting:
        name = next(iter(waiting))
        del waiting[name]
        found = _best_of(name, steps[name], best)
        if found is not None:
            best[name] = found
            waiting.update(dict.fromkeys(readers.get(name, ())))
    if any(name not in best for name in wanted):
        return None
    chosen: dict[str, Step] = {}
    for name in wanted:
        # What an earlier one computes is there, and computed as it is there.
        chosen = {**best[name][1], **chosen}
    return Extraction(chosen, sum(step.price for step in chosen.values()))


def _best_of(
    name: str, steps: Sequence[Step], best: Mapping[str, tuple[float, dict[str, Step]]]
) -> tuple[float, dict[str, Step]] | None:
    """A cheaper set of steps than the one that is known, if there is one."""
    least = best[name][0] * (1 - 1e-9) if name in best else float("inf")
    found = None
    for step in steps:
        if step.price >= least or any(child not in best for child in step.children):
            continue
        parts: dict[str, Step] = {}
        for child in step.children:
            parts = {**parts, **best[child][1]}
        if name in parts:
            continue
        total = step.price + sum(one.price for one in parts.values())
        if total < least:
            least, found = total, (total, {**parts, name: step})
    return found


def _steps(classes: Classes, name: str, prices: Prices) -> Iterator[Step]:
    made = prices.size(classes.free[name]) * prices.item
    for node in classes.nodes[name]:
        if node.operator == "Leaf":
            leaf = classes.leaves[node.number]
            # A source is there once, whatever indices it is read at.
            yield Step(0.0, (str(leaf.source),) if isinstance(leaf, Leaf) else (), leaf=leaf)
    seen = set[tuple[str, ...]]()
    for inner, summed in _inner(classes, name).items():
        names = classes.free[inner]
        count = prices.size(names)
        if summed:
            price = prices.machine.seconds(count, count * prices.item + made)
            yield Step(price, (inner,), summed=summed)
        for node in classes.nodes[inner]:
            if node.operator in ("Leaf", "Sum"):
                continue
            left, right = node.children
            key = (inner, node.operator, *sorted((left, right)))
            if node.operator in ("Add", "Mul") and key in seen:
                continue
            seen.add(key)
            read = sum(prices.size(classes.free[one]) for one in {left, right}) * prices.item
            price = prices.machine.seconds(count * (2 if summed else 1), read + made)
            yield Step(price, (left, right), None, node.operator, summed)  # pyright: ignore[reportArgumentType]


def _inner(classes: Classes, name: str) -> dict[str, frozenset[Name]]:
    """The classes of which a class is the sum, over which indices; itself, over none."""
    found: dict[str, frozenset[Name]] = {name: frozenset()}
    waiting = [name]
    while waiting:
        outer = waiting.pop()
        for node in classes.nodes[outer]:
            if node.operator == "Sum":
                (inner,) = node.children
                if inner not in found and node.number in classes.free[inner]:
                    found[inner] = found[outer] | {node.number}
                    waiting.append(inner)
    return found
