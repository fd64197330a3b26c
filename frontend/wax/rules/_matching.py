"""Where a pattern occurs in a program: by operations, kernels and data flow, never by names that the user gave.

Two comparisons of the same kind. The *loose* one passes over sizes, and finds what a pattern's arguments may be in the
program. The *strict* one is with the pattern traced for exactly these, and compares all, sizes too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations

from wax.dims import Size, same, substitute
from wax.rules._graph import Graph, is_index
from wax.rules._kernels import same_attributes, same_kernel
from wax_runtime.snapshot import Operation, as_groups

__all__ = ["Found", "match_loosely", "match_strictly"]

#: Operands of a broadcast are tried in every order up to so many.
MAX_REORDERED = 4


@dataclass(frozen=True, slots=True)
class Found:
    """An occurrence: for each value of the pattern, the value of the program; and the arguments that are read
    transposed, for each dim of the pattern's argument which dim of the program's value it is.
    """

    #: The pattern's arguments.
    arguments: frozenset[int]
    values: Mapping[int, int]
    transposed: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def operations(self, program: Graph) -> set[int]:
        """The program's operations that the pattern's stand for."""
        return {program.makers[v][0] for p, v in self.values.items() if p not in self.arguments}

    def bind(self, mine: int, theirs: int, order: tuple[int, ...] | None = None) -> Found:
        """With one more value, an argument that is read transposed if it has an order."""
        transposed = self.transposed if order is None else {**self.transposed, mine: order}
        return Found(self.arguments, {**self.values, mine: theirs}, transposed)


def match_loosely(pattern: Graph, program: Graph, root: int) -> Iterator[Found]:
    """The ways in which a value of the program may be what the pattern gives, whatever sizes there are."""
    start = Found(frozenset(pattern.function.arguments), {})
    return _Matcher(pattern, program, None)._value(pattern.function.results[0], root, start)


def match_strictly(
    pattern: Graph, program: Graph, root: int, arguments: Mapping[int, int], sizes: Mapping[str, Size]
) -> Found | None:
    """Whether a value of the program is what the pattern gives of these arguments; `sizes` are what the pattern's dims
    are in the program.
    """
    start = Found(frozenset(pattern.function.arguments), arguments)
    if any(pattern.function.types[p] != program.function.types[v] for p, v in arguments.items()):
        return None
    return next(_Matcher(pattern, program, sizes)._value(pattern.function.results[0], root, start), None)


class _Matcher:
    """Compares values of a pattern with values of a program; without `sizes`, loosely."""

    def __init__(self, pattern: Graph, program: Graph, sizes: Mapping[str, Size] | None) -> None:
        self._pattern, self._program, self._sizes = pattern, program, sizes

    def _value(self, mine: int, theirs: int, found: Found) -> Iterator[Found]:
        if mine in found.values:
            if found.values[mine] == theirs and mine not in found.transposed:
                yield found
            return
        if not self._same_type(mine, theirs):
            return
        if mine in found.arguments:
            yield found.bind(mine, theirs)
            return
        maker = self._program.makers.get(theirs)
        number, place = self._pattern.makers[mine]
        if maker is None or maker[1] != place:
            return
        bound = found.bind(mine, theirs)
        yield from self._operation(self._pattern.operations[number], self._program.operations[maker[0]], bound)

    def _same_type(self, mine: int, theirs: int) -> bool:
        a, b = self._pattern.function.types[mine], self._program.function.types[theirs]
        if a.element != b.element or len(a.shape) != len(b.shape):
            return False
        if self._sizes is None:
            # A static size of the pattern is one that the rule asks for.
            return all(x is None or y is None or x == y for x, y in zip(a.shape, b.shape, strict=True))
        return a == b and all(map(self._same_size, self._pattern.sizes[mine], self._program.sizes[theirs]))

    def _same_size(self, mine: Size | None, theirs: Size | None) -> bool:
        assert self._sizes is not None
        return mine is not None and theirs is not None and same(substitute(mine, self._sizes), theirs)

    def _operation(self, mine: Operation, theirs: Operation, found: Found) -> Iterator[Found]:
        if mine.name != theirs.name or len(mine.results) != len(theirs.results) or mine.regions or theirs.regions:
            return
        if mine.name == "wax.broadcast":
            yield from self._broadcast(mine, theirs, found)
            return
        if not self._same_attributes(mine, theirs) or not self._same_kernels(mine, theirs):
            return
        yield from self._operands(self._read(self._pattern, mine), self._read(self._program, theirs), found)

    def _read(self, graph: Graph, operation: Operation) -> list[int]:
        """The operands that are compared."""
        if self._sizes is not None:
            return list(operation.operands)
        return [value for value in operation.operands if not is_index(graph, value)]

    def _operands(self, mine: list[int], theirs: list[int], found: Found) -> Iterator[Found]:
        if len(mine) != len(theirs):
            return
        if not mine:
            yield found
            return
        first = self._index if is_index(self._pattern, mine[0]) else self._value
        for with_first in first(mine[0], theirs[0], found):
            yield from self._operands(mine[1:], theirs[1:], with_first)

    def _index(self, mine: int, theirs: int, found: Found) -> Iterator[Found]:
        """Sizes and offsets are the same by what they are worth; what is computed from data, by how."""
        (own,), (other,) = self._pattern.sizes[mine], self._program.sizes[theirs]
        if own is None and other is None:
            number, place = self._pattern.makers[mine]
            maker = self._program.makers.get(theirs)
            if maker is not None and maker[1] == place:
                yield from self._operation(self._pattern.operations[number], self._program.operations[maker[0]], found)
        elif self._same_size(own, other):
            yield found

    def _same_attributes(self, mine: Operation, theirs: Operation, *other: str) -> bool:
        left, right = dict(mine.attributes), dict(theirs.attributes)
        for name in {*left, *right}:
            # Sizes and offsets that are known or not: strictly, they are compared with the index operands.
            if name in other or (self._sizes is None and name.startswith("static_")):
                left.pop(name, None)
                right.pop(name, None)
        return same_attributes(left, right)

    @staticmethod
    def _same_kernels(mine: Operation, theirs: Operation) -> bool:
        return len(mine.kernels) == len(theirs.kernels) and all(
            same_kernel(a, b, range(len(a.arguments) if a else 0))
            for a, b in zip(mine.kernels, theirs.kernels, strict=True)
        )

    def _broadcast(self, mine: Operation, theirs: Operation, found: Found) -> Iterator[Found]:
        """The operands may stand in any order, and an argument of the pattern may be read transposed."""
        count = mine.segments[0]
        if count != theirs.segments[0] or not self._same_attributes(mine, theirs, "dims"):
            return
        (own,), (other,) = mine.kernels, theirs.kernels
        own_dims, other_dims = as_groups(mine.attributes["dims"]), as_groups(theirs.attributes["dims"])
        orders = permutations(range(count)) if count <= MAX_REORDERED else [tuple(range(count))]
        for order in orders:
            if not same_kernel(own, other, order):
                continue
            sizes = [list(op.operands[count:]) if self._sizes is not None else [] for op in (mine, theirs)]
            for with_inputs in self._inputs(
                [(mine.operands[i], own_dims[i]) for i in range(count)],
                [(theirs.operands[i], other_dims[i]) for i in order],
                found,
            ):
                yield from self._operands(sizes[0], sizes[1], with_inputs)

    def _inputs(
        self,
        mine: list[tuple[int, tuple[int, ...]]],
        theirs: list[tuple[int, tuple[int, ...]]],
        found: Found,
    ) -> Iterator[Found]:
        if not mine:
            yield found
            return
        (value, dims), (other, other_dims) = mine[0], theirs[0]
        if dims == other_dims:
            firsts = self._value(value, other, found)
        elif self._sizes is None and value in found.arguments and sorted(dims) == sorted(other_dims):
            firsts = self._transposed(value, other, tuple(map(other_dims.index, dims)), found)
        else:
            return
        for with_first in firsts:
            yield from self._inputs(mine[1:], theirs[1:], with_first)

    def _transposed(self, mine: int, theirs: int, order: tuple[int, ...], found: Found) -> Iterator[Found]:
        if mine in found.values:
            if found.values[mine] == theirs and found.transposed.get(mine) == order:
                yield found
            return
        a, b = self._pattern.function.types[mine], self._program.function.types[theirs]
        fits = zip(a.shape, [b.shape[i] for i in order], strict=True)
        if a.element == b.element and all(x is None or y is None or x == y for x, y in fits):
            yield found.bind(mine, theirs, order)
