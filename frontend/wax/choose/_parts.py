"""The parts of a program that are searched: sums and products of one block that read one another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wax.choose._recognition import Arithmetic, Diagonal, Form, Total, View, form_of
from wax.rules._graph import Graph
from wax.rules._rewriting import Place

__all__ = ["Part", "parts_of"]

#: Leaves of a value's term after which those that read it take it as an array.
MAX_LEAVES = 16
#: The same for a value that several read, which stands in the terms of all of them, and of how many.
MAX_SHARED_LEAVES, MAX_SHARED_USES = 6, 4


@dataclass(slots=True)
class Part:
    """Values that are searched together."""

    #: What each is, in program order; `None` for what only outside rules know how to compute otherwise.
    forms: dict[int, Form | None] = field(default_factory=dict)
    #: Those that are terms where they are read: by nobody else, or `shared`, by several.
    inlined: set[int] = field(default_factory=set)
    shared: set[int] = field(default_factory=set)
    #: Those that something outside of the part reads.
    outputs: list[int] = field(default_factory=list)
    #: Whether it reads diagonal matrices, of which a sum leaves one term.
    reads_diagonals: bool = False
    #: What outside rules may put in the place of values.
    places: list[Place] = field(default_factory=list)

    @property
    def is_worthwhile(self) -> bool:
        """Whether there is something to find: a product of matrices, or the like, with something to exchange it with;
        one with a diagonal matrix; or an outside rule's place. Sums of what is there anyway, as in a normalisation,
        cost little however they are written.
        """
        if self.places:
            return True
        totals = [form for form in self.forms.values() if isinstance(form, Total)]
        others = sum(isinstance(form, Arithmetic) or _is_diagonal(form) for form in self.forms.values())
        expanded = any(self._is_expanded(total.operand) for total in totals)
        return expanded and (len(totals) + others > 2 or self.reads_diagonals)

    def _is_expanded(self, value: int) -> bool:
        """Whether a value is larger than all the arrays that it is made of."""
        form = self.forms.get(value)
        if not isinstance(form, Arithmetic):
            return False
        every = {dim for _, dims in form.operands for dim in dims}
        return all(set(dims) < every or self._is_expanded(one) for one, dims in form.operands)


def parts_of(program: Graph, places: Sequence[Place] = ()) -> tuple[list[Part], dict[int, Diagonal]]:
    """The parts of a program in program order, and its diagonal matrices, which parts read."""
    forms: dict[int, Form | None] = {}
    diagonals: dict[int, Diagonal] = {}
    blocks: dict[int, int] = {}
    for operation, block in zip(program.operations, program.blocks, strict=True):
        form = form_of(program, operation)
        if form is None or not all(_has_known_sizes(program, v) for v in (*operation.results, *_read(form))):
            continue
        (value,) = operation.results
        if isinstance(form, Diagonal):
            diagonals[value] = form
        else:
            forms[value], blocks[value] = form, block
    for place in places:
        number = program.makers[place.root][0]
        forms.setdefault(place.root, None)
        blocks[place.root] = program.blocks[number]
    parts = list(_connected(program, dict(sorted(forms.items())), blocks, places))
    for part in parts:
        part.reads_diagonals = any(one in diagonals for form in part.forms.values() for one in _read(form))
    return parts, diagonals


def _connected(
    program: Graph, forms: dict[int, Form | None], blocks: dict[int, int], places: Sequence[Place]
) -> Iterator[Part]:
    uses: dict[int, int] = {}
    for value, form in forms.items():
        for operand in _read(form):
            if operand in forms and _is_inner(program, blocks, operand, value):
                uses[operand] = uses.get(operand, 0) + 1
    size: dict[int, int] = {}
    inlined, shared = set[int](), set[int]()
    for value, form in forms.items():
        size[value] = sum(size[one] if one in inlined else 1 for one in _read(form))
        count = uses.get(value, 0)
        alone = count == 1 and _only_readers(program, value, forms)
        if form is None or not count or size[value] > (MAX_LEAVES if alone else MAX_SHARED_LEAVES):
            continue
        if alone or count <= MAX_SHARED_USES:
            inlined.add(value)
            if not alone:
                shared.add(value)
    parents = {value: value for value in forms}

    def top(value: int) -> int:
        while parents[value] != value:
            parents[value] = parents[parents[value]]
            value = parents[value]
        return value

    for value, form in forms.items():
        for operand in _read(form):
            if operand in inlined and _is_inner(program, blocks, operand, value):
                parents[top(operand)] = top(value)
    for place in places:
        for operand in place.operands:
            if operand in forms and blocks[operand] == blocks[place.root]:
                parents[top(operand)] = top(place.root)
    parts: dict[int, Part] = {}
    for value, form in forms.items():
        part = parts.setdefault(top(value), Part())
        part.forms[value] = form
        if value in inlined:
            part.inlined.add(value)
        if value in shared:
            part.shared.add(value)
    for place in places:
        parts[top(place.root)].places.append(place)
    for part in parts.values():
        members = {program.makers[value][0] for value in part.forms if part.forms[value] is not None}
        part.outputs = [value for value in part.forms if not program.readers.get(value, set()) <= members]
        yield part


def _is_diagonal(form: Form | None) -> bool:
    return isinstance(form, View) and len(set(form.dims)) < len(form.dims)


def _read(form: Form | None) -> list[int]:
    """The arrays that a form reads, one as often as it does."""
    match form:
        case None:
            return []
        case Arithmetic():
            return [value for value, _ in form.operands]
        case Diagonal():
            return [] if form.operand is None else [form.operand]
        case _:
            return [form.operand]


def _is_inner(program: Graph, blocks: dict[int, int], operand: int, reader: int) -> bool:
    types = program.function.types
    return blocks[operand] == blocks[reader] and types[operand].element == types[reader].element


def _only_readers(program: Graph, value: int, forms: dict[int, Form | None]) -> bool:
    """Whether only other forms read a value."""
    for reader in program.readers.get(value, set()):
        if reader < 0 or not any(forms.get(result) is not None for result in program.operations[reader].results):
            return False
    return True


def _has_known_sizes(program: Graph, value: int) -> bool:
    return all(size is not None for size in program.sizes[value])
