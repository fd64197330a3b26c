"""One part of a program: what it is to become, as functions in the place of its values."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wax import _native, primitives
from wax.abstract import Abstract
from wax.choose._building import Builder
from wax.choose._egraph import Classes, fill
from wax.choose._encoding import Encoding, encode
from wax.choose._extraction import Extraction, Prices, extract
from wax.choose._parts import Part
from wax.choose._recognition import Diagonal
from wax.choose._terms import Leaf, Name, Source
from wax.cost import analyze
from wax.cost._analysis import rows_of
from wax.cost._machines import Machine
from wax.cost._sizes import Sizes
from wax.dims import Size
from wax.rules._graph import Graph
from wax.rules._rewriting import Rewrite, dim_for
from wax.rules._rule import REFUSALS
from wax.rules._sides import Side
from wax_runtime.dtypes import BY_MLIR
from wax_runtime.snapshot import Location, Operation

__all__ = ["Choice", "PartSearch", "Replacement", "search"]

_log = logging.getLogger("wax.choose")
#: What a part has to cost less than it did, to be replaced.
LEAST_GAIN = 0.02


@dataclass(frozen=True, slots=True)
class Choice:
    """A part that was replaced: where its last operation is written, and what it was and is estimated to take."""

    location: Location | None
    before: float
    after: float

    def __str__(self) -> str:
        return f"{self.location or 'somewhere'}: {self.before * 1e6:.4g} µs became {self.after * 1e6:.4g} µs"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A function in the place of a value."""

    root: int
    function: _native.Function
    operands: tuple[int, ...]
    choice: Choice
    rewrites: tuple[Rewrite, ...]


@dataclass(slots=True)
class PartSearch:
    """What a search of one part gave."""

    replacements: list[Replacement] = field(default_factory=list)
    fired: Mapping[str, int] = field(default_factory=dict)
    bound: str | None = None


def search(program: Graph, part: Part, diagonals: Mapping[int, Diagonal], machine: Machine, sizes: Sizes) -> PartSearch:
    """The cheapest equal of a part."""
    encoding = encode(program, part, diagonals)
    values = list(encoding.terms)
    classes = fill(list(encoding.terms.values()), encoding.equal)
    found = PartSearch(fired=classes.fired, bound=classes.bound)
    costs = _Costs(program, part, encoding, machine, sizes)
    roots = dict(zip(values, classes.roots, strict=True))
    chosen = extract(classes, [roots[value] for value in part.outputs], costs.prices(roots))
    was = costs.as_it_is()
    if chosen is None or chosen.seconds > was * (1 - LEAST_GAIN):
        return found
    last = program.operations[program.makers[part.outputs[-1]][0]]
    choice = Choice(last.location, was, chosen.seconds)
    assembly = _Assembly(program, part, encoding, classes, chosen, roots)
    for value in part.outputs:
        try:
            made = assembly.replacement(value, choice)
        except REFUSALS as error:  # what open sizes leave open
            _log.debug("%s is left as it is: %s", choice.location, error)
            return PartSearch(fired=classes.fired, bound=classes.bound)
        if made is None:
            return PartSearch(fired=classes.fired, bound=classes.bound)
        found.replacements.append(made)
    return found


class _Costs:
    """What a part costs, and its sources."""

    def __init__(self, program: Graph, part: Part, encoding: Encoding, machine: Machine, sizes: Sizes) -> None:
        self._program, self._part, self._encoding = program, part, encoding
        self._machine, self._sizes = machine, sizes
        self._members = {program.makers[value][0] for value in part.forms}
        self._known: dict[Source, float] = {}

    def as_it_is(self) -> float:
        """What the part takes, and what only it reads."""
        read = {one for number in self._members for one in self._program.operations[number].operands}
        inner = [self._program.operations[number] for number in sorted(self._members)]
        return self._seconds(inner) + sum(self._price(Source(one)) for one in read if one not in self._part.forms)

    def prices(self, roots: Mapping[int, str]) -> Prices:
        """With the classes of the values that may be needed as arrays."""
        part, encoding = self._part, self._encoding
        makers: dict[Source, tuple[str, ...]] = {
            Source(value): (root,) for value, root in roots.items() if part.forms.get(value) is not None
        }
        for number, place in enumerate(part.places):
            inner = tuple([roots[one] for one in place.operands if part.forms.get(one) is not None])
            makers[Source(number, alternative=True)] = inner
        lengths = {name: self._sizes.size(size) for name, size in encoding.sizes.items()}
        item = BY_MLIR[self._program.function.types[next(iter(part.forms))].element].itemsize
        return Prices(self._machine, lengths, item, self._price, makers)

    def _price(self, source: Source) -> float:
        if source not in self._known:
            self._known[source] = self._of_place(source.value) if source.alternative else self._of_value(source.value)
        return self._known[source]

    def _of_place(self, number: int) -> float:
        place = self._part.places[number]
        lengths = {name: self._sizes.size(size) for name, size in place.sizes.items()}
        return self._machine.seconds_of(analyze(place.replacement.traced, lengths).operations)

    def _of_value(self, value: int) -> float:
        """What is saved where nobody in the part reads a value: nothing, if it is there anyway."""
        program = self._program
        if value not in program.makers or self._part.forms.get(value) is not None:
            return 0.0
        operation = program.operations[program.makers[value][0]]
        others = value not in self._part.forms and not program.readers.get(value, set()) <= self._members
        return 0.0 if others or operation.regions else self._seconds([operation])

    def _seconds(self, operations: Sequence[Operation]) -> float:
        return self._machine.seconds_of(rows_of(self._program.function, self._sizes, operations))


class _Assembly:
    """Functions for a part's outputs, of what was chosen."""

    def __init__(
        self,
        program: Graph,
        part: Part,
        encoding: Encoding,
        classes: Classes,
        chosen: Extraction,
        roots: Mapping[int, str],
    ) -> None:
        self._program, self._part, self._encoding = program, part, encoding
        self._classes, self._steps, self._roots = classes, chosen.steps, roots

    def replacement(self, value: int, choice: Choice) -> Replacement | None:
        """What takes the place of an output; `None` where that cannot be said."""
        program, root = self._program, self._roots[value]
        read, places = self._reached(root)
        number = program.makers[value][0]
        if any(program.makers.get(one, (-1, 0))[0] >= number for one in read):
            return None  # of what is equal, something is computed later
        dims: dict[str, Size] = {}
        arguments = []
        for one in read:
            shape = [dim_for(size, dims) for size in program.sizes[one]]
            if any(size is None for size in shape):
                return None
            dtype = BY_MLIR[program.function.types[one].element].numpy
            arguments.append(Abstract(tuple([size for size in shape if size is not None]), dtype))
        sizes: dict[Name, Size] = {}
        for name, size in self._encoding.sizes.items():
            dim = dim_for(size, dims)
            if dim is None:
                return None
            sizes[name] = dim
        dtype = BY_MLIR[program.function.types[value].element].numpy

        def compute(*arrays: Any) -> Any:
            given = dict(zip(read, arrays, strict=True))

            def array_of(source: Source) -> Any:
                if source.alternative:
                    place = self._part.places[source.value]
                    inner = [array_of(Source(one)) for one in place.operands]
                    return primitives.call(place.replacement.traced, inner)[0]
                if source.value in given:
                    return given[source.value]
                return builder.array(self._roots[source.value], self._encoding.names[source.value])

            builder = Builder(self._classes, self._steps, sizes, dtype, array_of)
            return builder.array(root, self._encoding.names[value])

        side = Side(compute, [f"x{i}" for i in range(len(read))], arguments, range(len(read)))
        (made,) = side.results
        shape = tuple([size if isinstance(size, int) else None for size in made.shape])
        if shape != program.function.types[value].shape:
            return None
        rewrites = tuple([Rewrite(self._part.places[i].rule.name, self._part.places[i].location) for i in places])
        return Replacement(value, side.module.entry(), tuple(read), choice, rewrites)

    def _reached(self, root: str) -> tuple[list[int], list[int]]:
        """The program's values that the chosen steps of a class read, and the outside rules' places."""
        read: dict[int, None] = {}
        places: dict[int, None] = {}
        seen = set[str]()
        waiting = [root]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            step = self._steps[name]
            waiting += step.children
            if isinstance(step.leaf, Leaf):
                source = step.leaf.source
                if source.alternative:
                    places[source.value] = None
                    operands = self._part.places[source.value].operands
                    read.update((one, None) for one in operands if self._part.forms.get(one) is None)
                elif self._part.forms.get(source.value) is None or source.widened:
                    read[source.value] = None
        return list(read), list(places)
