"""A part of a program as terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from wax.choose._parts import Part
from wax.choose._recognition import Arithmetic, Diagonal, Form, Total, View, is_negation, is_widened, operator_of
from wax.choose._terms import Constant, Leaf, Name, Pair, Source, Sum, Term, renamed
from wax.dims import Size, same
from wax.rules._graph import Graph
from wax_runtime.snapshot import Apply, Argument, Literal, Scalar

__all__ = ["Encoding", "encode"]


class Encoding:
    """The terms of a part's values, and what is equal besides by the laws.

    `terms` has one for each value that may be needed as an array, and `names` its dims' indices; `equal` are pairs.
    """

    def __init__(self, program: Graph, part: Part, diagonals: Mapping[int, Diagonal]) -> None:
        self.terms: dict[int, Term] = {}
        self.names: dict[int, tuple[Name, ...]] = {}
        self.equal: list[tuple[Term, Term]] = []
        #: The size that an index goes to.
        self.sizes: dict[Name, Size] = {}
        #: Indices of sums, and the dims of arrays that each goes along.
        self._summed: dict[Name, set[tuple[int, int]]] = {}
        self._places: dict[int, list[int]] = {}
        for number, place in enumerate(part.places):
            self._places.setdefault(place.root, []).append(number)
        self._program, self._part, self._diagonals = program, part, diagonals

    def add(self, value: int) -> None:
        """Makes the term of a value that may be needed as an array, once."""
        if value in self.terms:
            return
        self.names[value] = names = self._fresh(self._program.sizes[value])
        form = self._part.forms.get(value)
        term = Leaf(Source(value), names) if form is None else self._expanded(form, value, names, frozenset(names))
        self.terms[value] = self._with_alternatives(value, names, term)

    def _with_alternatives(self, value: int, names: tuple[Name, ...], term: Term) -> Term:
        """A value's term, which the arrays of outside rules are too."""
        for number in self._places.get(value, ()):
            self.equal.append((term, Leaf(Source(number, alternative=True), names)))
        return term

    def _fresh(self, sizes: Sequence[Size | None]) -> tuple[Name, ...]:
        made = []
        for size in sizes:
            assert size is not None
            made.append(len(self.sizes))
            self.sizes[made[-1]] = size
        return tuple(made)

    def _summed_name(self, operand: int, dim: int, taken: frozenset[Name]) -> Name:
        """An index for a sum: where it may be, that of another sum, along a dim of the same array if there is one, so
        that terms of both have the same indices.
        """
        along = set(self._along(operand, dim))
        size = self._program.sizes[operand][dim]
        assert size is not None
        free = [name for name in self._summed if name not in taken and same(self.sizes[name], size)]
        name = max(free, key=lambda one: len(self._summed[one] & along), default=None)
        if name is None:
            (name,) = self._fresh([size])
        self._summed.setdefault(name, set()).update(along)
        return name

    def _along(self, value: int, dim: int) -> Iterator[tuple[int, int]]:
        """The dims of leaves that a dim of a value goes along."""
        form = self._part.forms.get(value)
        if value not in self._part.inlined or form is None:
            yield value, dim
            return
        match form:
            case Arithmetic():
                inner = [(one, axis) for one, dims in form.operands for axis, at in enumerate(dims) if at == dim]
            case View():
                inner = [(form.operand, axis) for axis, at in enumerate(form.dims) if at == dim]
            case Total():
                kept = [axis for axis in range(len(self._program.sizes[form.operand])) if axis not in form.dims]
                inner = [(form.operand, kept[dim])]
            case _:
                inner = []
        for one, axis in inner:
            yield from self._along(one, axis)

    def _read(self, value: int, names: tuple[Name, ...], element: str, taken: frozenset[Name]) -> Term:
        leaf = Leaf(Source(value), names)
        part = self._part
        form = part.forms.get(value)
        if value not in part.forms or self._program.function.types[value].element != element:
            return leaf
        if value in part.shared or value not in part.inlined:
            self.add(value)
        if form is None:
            return self._with_alternatives(value, names, leaf)
        if value not in part.inlined:
            return leaf
        expanded = self._with_alternatives(value, names, self._expanded(form, value, names, taken))
        if value in part.shared:
            self.equal.append((leaf, expanded))
            return leaf
        return expanded

    def _expanded(self, form: Form, value: int, names: tuple[Name, ...], taken: frozenset[Name]) -> Term:
        """What a value is at indices; its sums are over others than those that are `taken` around it."""
        element = self._program.function.types[value].element
        match form:
            case Arithmetic():
                return self._scalar(form.kernel, form, names, taken)
            case View():
                return self._read(form.operand, tuple([names[dim] for dim in form.dims]), element, taken)
            case Total():
                return self._total(form, names, element, taken)
        raise AssertionError("a diagonal matrix is a leaf")

    def _scalar(self, scalar: Scalar, form: Arithmetic, names: tuple[Name, ...], taken: frozenset[Name]) -> Term:
        match scalar:
            case Argument():
                value, dims = form.operands[scalar.index]
                return self._read(value, tuple([names[dim] for dim in dims]), scalar.element, taken)
            case Literal():
                return Constant(repr(scalar.value))
            case Apply() if is_widened(scalar):
                (argument,) = scalar.operands
                assert isinstance(argument, Argument)
                value, dims = form.operands[argument.index]
                return Leaf(Source(value, widened=True), tuple([names[dim] for dim in dims]))
            case Apply() if is_negation(scalar):
                return Pair("Mul", Constant("-1.0"), self._scalar(scalar.operands[0], form, names, taken))
            case Apply():
                operator = operator_of(scalar)
                assert operator is not None
                left = self._scalar(scalar.operands[0], form, names, taken)
                if operator in ("Mul", "Div"):
                    # Both sums of a product can be drawn out of it, to stand around both factors.
                    taken |= left.all_names
                return Pair(operator, left, self._scalar(scalar.operands[1], form, names, taken))

    def _total(self, form: Total, names: tuple[Name, ...], element: str, taken: frozenset[Name]) -> Term:
        summed: dict[int, Name] = {}
        for dim in form.dims:
            summed[dim] = self._summed_name(form.operand, dim, taken)
            taken |= {summed[dim]}
        kept = iter(names)
        inner = tuple([summed[d] if d in summed else next(kept) for d in range(len(self._program.sizes[form.operand]))])
        term = self._read(form.operand, inner, element, taken)
        for name in summed.values():
            size = self.sizes[name]
            if name not in term.free and isinstance(size, int):
                term = Pair("Mul", _number(size, element), term)
                continue
            without = self._without_diagonal(name, term, element)
            term = Sum(name, term)
            if without is not None:
                self.equal.append((term, without))
        return term

    def _without_diagonal(self, name: Name, body: Term, element: str) -> Term | None:
        """What the sum of a body over an index is, if a factor is a diagonal matrix: one of its terms is left."""
        factors = _factors(body)
        for number, factor in enumerate(factors):
            if not isinstance(factor, Leaf) or factor.source.widened or factor.source.value not in self._diagonals:
                continue
            matrix = self._diagonals[factor.source.value]
            pair = [factor.names[dim] for dim in matrix.dims]
            if name not in pair or pair[0] == pair[1]:
                continue
            rest = factors[:number] + factors[number + 1 :]
            if matrix.operand is not None:
                dims = tuple([factor.names[dim] for dim in matrix.operand_dims])
                rest.append(self._read(matrix.operand, dims, element, body.all_names))
            term = rest.pop() if rest else _number(1, element)
            for one in rest:
                term = Pair("Mul", one, term)
            return renamed(term, {name: pair[0] if pair[1] == name else pair[1]})
        return None


def _number(value: int, element: str) -> Constant:
    return Constant(repr(value if element.startswith("i") else float(value)))


def _factors(term: Term) -> list[Term]:
    if isinstance(term, Pair) and term.operator == "Mul":
        return _factors(term.left) + _factors(term.right)
    return [term]


def encode(program: Graph, part: Part, diagonals: Mapping[int, Diagonal]) -> Encoding:
    """The terms of what is needed of a part, of what is equal to it, and of what these may need."""
    encoding = Encoding(program, part, diagonals)
    for value in part.outputs:
        encoding.add(value)
    for place in part.places:
        encoding.add(place.root)
        for operand in place.operands:
            if operand in part.forms:
                encoding.add(operand)
    return encoding
