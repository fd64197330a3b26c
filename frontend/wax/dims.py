"""Symbolic sizes: `Dim`, and integer expressions over dims.

A `Dim` is a size that is known only when the compiled function is called. Shapes of traced values hold ints
and `DimExpr`s; arithmetic on them stays exact, comparisons are answered where the dims' facts answer them
and refused (`InconclusiveDimensionError`) where they do not. Sizes 0 and 1 are never symbolic: a call with
such a size is compiled for it apart, so that `min` is 2 unless stated otherwise.

A `DimExpr` is a polynomial with integer coefficients over atoms, which are dims and the quotients and
remainders that do not divide out. Two equal expressions have equal polynomials.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, TypeAlias, Union

from wax.errors import InconclusiveDimensionError

__all__ = [
    "Dim",
    "DimExpr",
    "Size",
    "format_shape",
    "known_at_most",
    "lesser",
    "product",
    "same",
    "same_shape",
    "substitute",
]

#: A size in the shape of a traced value.
Size: TypeAlias = Union[int, "DimExpr"]

_Monomial: TypeAlias = tuple[tuple["_Atom", int], ...]  # atoms with their powers, in order


class _Atom(str):
    """A dim, or a quotient or remainder of two expressions that does not divide out.

    It is its own text, so that what is made of atoms is compared and found as fast as strings are.
    """

    __slots__ = ("dim", "lhs", "op", "rhs")

    dim: Dim | None
    lhs: DimExpr | None
    op: str
    rhs: DimExpr | None

    def __new__(cls, op: str, dim: Dim | None, lhs: DimExpr | None, rhs: DimExpr | None) -> _Atom:
        atom = super().__new__(cls, dim.name if dim is not None else f"({_grouped(lhs)} {op} {_grouped(rhs)})")
        atom.op, atom.dim, atom.lhs, atom.rhs = op, dim, lhs, rhs
        return atom

    def bounds(self) -> tuple[int | None, int | None]:
        """The least and greatest value, `None` where there is none."""
        if self.dim is not None:
            return self.dim.min, self.dim.max
        assert self.lhs is not None and self.rhs is not None
        low, high = self.lhs.bounds()
        divisor_low, divisor_high = self.rhs.bounds()
        if divisor_low is None or divisor_low < 1:
            return None, None
        if self.op == "%":
            return 0, None if divisor_high is None else divisor_high - 1
        quotient_low = None if low is None else (low // divisor_high if low >= 0 and divisor_high else min(low, 0))
        return quotient_low, None if high is None else max(high // divisor_low, high if high < 0 else 0)


def _remembered(operation: Callable[[DimExpr, Size], Any]) -> Callable[[DimExpr, Size], Any]:
    """An operation that keeps its results on its first operand, by the identity of the second.

    A function's sizes are a few expressions of a few dims, met in every operation.
    """
    name = operation.__name__

    @wraps(operation)
    def remembering(self: DimExpr, other: Size) -> Any:
        if not isinstance(other, int | DimExpr):
            return operation(self, other)
        key = (name, id(other)) if isinstance(other, DimExpr) else (name, other, int)
        found = self._results.get(key)
        if found is None:
            if len(self._results) >= _MAX_RESULTS:
                self._results.clear()
            # With the second operand, so that its identity stays its own.
            found = self._results[key] = (operation(self, other), other)
        return found[0]

    return remembering


_MAX_RESULTS = 256


class DimExpr:
    """An integer expression over dims: what a traced value's shape holds for a dynamic dim.

    >>> b = Dim("b")
    >>> str(2 * b + 1), (b * 12) // 12 == b, (b + 1) > b
    ('2*b + 1', True, True)
    """

    __slots__ = ("_known_bounds", "_results", "_terms", "_text")

    def __init__(self, terms: Mapping[_Monomial, int]) -> None:
        self._terms = dict(sorted(terms.items(), key=_order)) if len(terms) > 1 else dict(terms)
        self._results: dict[Any, tuple[Any, Size]] = {}
        self._text: str | None = None
        self._known_bounds: tuple[int | None, int | None] | None = None

    def bounds(self) -> tuple[int | None, int | None]:
        """The least and greatest value that follow from the dims' facts; `None` where there is none."""
        if self._known_bounds is None:
            self._known_bounds = self._find_bounds()
        return self._known_bounds

    def _find_bounds(self) -> tuple[int | None, int | None]:
        low, high = self._bounds_by_term()
        if high is None or high > 0:
            above = _without_quotients(self, upwards=True)
            high = _least(high, None if above is None else _as_expr(above)._bounds_by_term()[1])
        if low is None or low < 0:
            below = _without_quotients(self, upwards=False)
            low = _greatest(low, None if below is None else _as_expr(below)._bounds_by_term()[0])
        return low, high

    def _bounds_by_term(self) -> tuple[int | None, int | None]:
        low: int | None = 0
        high: int | None = 0
        for monomial, coefficient in self._terms.items():
            term_low, term_high = _monomial_bounds(monomial)
            if coefficient < 0:
                term_low, term_high = term_high, term_low
            low = None if low is None or term_low is None else low + coefficient * term_low
            high = None if high is None or term_high is None else high + coefficient * term_high
        return low, high

    def dims(self) -> frozenset[Dim]:
        """The dims that occur in it."""
        found: set[Dim] = set()
        for atom in self._atoms():
            if atom.dim is not None:
                found.add(atom.dim)
            else:
                found |= _as_expr(atom.lhs).dims() | _as_expr(atom.rhs).dims()
        return frozenset(found)

    def evaluate(self, sizes: Mapping[str, Any], lift: Callable[[int], Any] = lambda value: value) -> Any:
        """The value under `sizes` (by name); `lift` makes a constant of the kind that the sizes are."""
        total: Any = None
        for monomial, coefficient in self._terms.items():
            term: Any = None if coefficient == 1 and monomial else lift(coefficient)
            for atom, power in monomial:
                value = _evaluate_atom(atom, sizes, lift)
                for _ in range(power):
                    term = value if term is None else term * value
            total = term if total is None else total + term
        return lift(0) if total is None else total

    def _atoms(self) -> Iterator[_Atom]:
        for monomial in self._terms:
            for atom, _ in monomial:
                yield atom

    # Arithmetic.

    @_remembered
    def __add__(self, other: Size) -> Size:
        return _combine(self, other, 1)

    __radd__ = __add__

    def __neg__(self) -> Size:
        return self * -1

    @_remembered
    def __sub__(self, other: Size) -> Size:
        return _combine(self, other, -1)

    @_remembered
    def __rsub__(self, other: Size) -> Size:
        return _combine(other, self, -1)

    @_remembered
    def __mul__(self, other: Size) -> Size:
        if not isinstance(other, int | DimExpr):
            return NotImplemented
        if isinstance(other, int):
            return self if other == 1 else _simplest({monomial: c * other for monomial, c in self._terms.items()})
        terms: dict[_Monomial, int] = {}
        for left, a in self._terms.items():
            for right, b in other._terms.items():
                key = _multiply(left, right)
                terms[key] = terms.get(key, 0) + a * b
        return _simplest(terms)

    __rmul__ = __mul__

    def __floordiv__(self, other: Size) -> Size:
        return divmod(self, other)[0]

    def __rfloordiv__(self, other: Size) -> Size:
        return divmod(_as_expr(other), self)[0]

    def __mod__(self, other: Size) -> Size:
        return divmod(self, other)[1]

    def __rmod__(self, other: Size) -> Size:
        return divmod(_as_expr(other), self)[1]

    @_remembered
    def __divmod__(self, other: Size) -> tuple[Size, Size]:
        return _divide(self, other)

    def __rdivmod__(self, other: Size) -> tuple[Size, Size]:
        return _divide(_as_expr(other), self)

    # Comparisons, answered from facts or refused.

    def __eq__(self, other: object) -> bool:
        return _decide(self, other, "==") if isinstance(other, int | DimExpr) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not _decide(self, other, "==") if isinstance(other, int | DimExpr) else NotImplemented

    def __lt__(self, other: Size) -> bool:
        return _decide(self, other, "<")

    def __le__(self, other: Size) -> bool:
        return _decide(self, other, "<=")

    def __gt__(self, other: Size) -> bool:
        return _decide(self, other, ">")

    def __ge__(self, other: Size) -> bool:
        return _decide(self, other, ">=")

    def __hash__(self) -> int:
        return hash(str(self))

    def __bool__(self) -> bool:
        return not _decide(self, 0, "==")

    def __index__(self) -> int:
        raise InconclusiveDimensionError(
            f"the size {self} is symbolic and has no value while tracing; compute with it as it is, "
            f"turn it into an array by wnp.asarray({self}), or call without dynamic_shapes to compile for each size"
        )

    __int__ = __index__

    def __str__(self) -> str:
        if self._text is None:
            parts: list[tuple[str, str]] = []
            for monomial, coefficient in self._terms.items():
                factors = ["*".join([atom] * power) for atom, power in monomial]
                if abs(coefficient) != 1 or not factors:
                    factors.insert(0, str(abs(coefficient)))
                parts.append(("-" if coefficient < 0 else "+", "*".join(factors)))
            (first_sign, first), *rest = parts or [("+", "0")]
            self._text = ("-" if first_sign == "-" else "") + first + "".join(f" {sign} {part}" for sign, part in rest)
        return self._text

    __repr__ = __str__


class Dim(DimExpr):
    """A size that is known only at the call: a name, and the bounds it keeps.

    `Dim("batch", max=64)` may be 2 … 64 in compiled code; a call with size 0 or 1 is compiled apart for that
    size if `min` allows it (`min` defaults to 0). Two dims of one name in a function are one dim.

    Raises `ValueError` for a name that is no identifier, or bounds that leave nothing.

    >>> f = jit(lambda x: x.sum(), dynamic_shapes=({0: Dim("batch")},))
    """

    __slots__ = ("declared_min", "max", "min", "name")

    def __init__(self, name: str, *, min: int = 0, max: int | None = None) -> None:
        if not name.isidentifier():
            raise ValueError(f"a dim's name must be an identifier, {name!r} is not")
        if min < 0 or (max is not None and max < min):
            raise ValueError(f"dim {name}: no size lies between min={min} and max={max}")
        self.name = name
        self.declared_min = min
        self.min = min if min > 2 else 2
        self.max = max
        super().__init__({((_Atom("dim", self, None, None), 1),): 1})


def _grouped(expr: DimExpr | None) -> str:
    text = str(expr)
    return f"({text})" if " " in text and not text.startswith("(") else text


def _without_quotients(expr: DimExpr, upwards: bool) -> Size | None:
    """An expression without floor quotients that is never below (or never above) `expr`; `None` if none was there.

    By `d * (e // d) <= e` and `d * (e // d) >= e - (d - 1)`, for constant `d`: what slices with a step need.
    """
    total: Size = 0
    found = False
    for monomial, coefficient in expr._terms.items():
        atom, power = monomial[0] if len(monomial) == 1 else (None, 0)
        divisor = None if atom is None or atom.op != "//" else _simplest(_as_expr(atom.rhs)._terms)
        if atom is None or power != 1 or not isinstance(divisor, int) or divisor < 1 or coefficient % divisor:
            total = total + _simplest({monomial: coefficient})
            continue
        found = True
        nearest = _as_expr(atom.lhs) - (0 if (coefficient > 0) == upwards else divisor - 1)
        total = total + nearest * (coefficient // divisor)
    return total if found else None


def _least(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else min(a, b)


def _greatest(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else max(a, b)


def _order(item: tuple[_Monomial, int]) -> tuple[int, tuple[tuple[str, int], ...]]:
    monomial = item[0]
    return -sum(power for _, power in monomial), tuple((atom, -power) for atom, power in monomial)


def _as_expr(size: Size | None) -> DimExpr:
    if isinstance(size, DimExpr):
        return size
    value = operator.index(size)  # type: ignore[arg-type]  # None never gets here; anything else raises
    return DimExpr({(): value} if value else {})


def _simplest(terms: Mapping[_Monomial, int]) -> Size:
    kept = {monomial: c for monomial, c in terms.items() if c}
    if not kept:
        return 0
    if len(kept) == 1:
        (monomial, coefficient), *_ = kept.items()
        if not monomial:
            return coefficient
        if coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1 and monomial[0][0].dim is not None:
            return monomial[0][0].dim
    return DimExpr(kept)


def _combine(left: Size, right: Size, sign: int) -> Size:
    if not isinstance(left, int | DimExpr) or not isinstance(right, int | DimExpr):
        return NotImplemented
    terms = dict(_as_expr(left)._terms)
    for monomial, coefficient in _as_expr(right)._terms.items():
        terms[monomial] = terms.get(monomial, 0) + sign * coefficient
    return _simplest(terms)


def _multiply(left: _Monomial, right: _Monomial) -> _Monomial:
    powers = dict(left)
    for atom, power in right:
        powers[atom] = powers.get(atom, 0) + power
    return tuple(sorted((a, p) for a, p in powers.items() if p))


def _quotient(left: _Monomial, right: _Monomial) -> _Monomial | None:
    powers = dict(left)
    for atom, power in right:
        if powers.get(atom, 0) < power:
            return None
        powers[atom] -= power
    return tuple(sorted((a, p) for a, p in powers.items() if p))


def _divide(left: DimExpr, right: Size) -> tuple[Size, Size]:
    """Floor quotient and remainder; terms that divide are taken out, the rest becomes an atom."""
    divisor = _as_expr(right)
    if not divisor._terms:
        raise ZeroDivisionError(f"{left} divided by 0")
    if len(divisor._terms) != 1:
        if same(left, divisor):
            return 1, 0
        return _opaque(left, divisor)
    (monomial, coefficient), *_ = divisor._terms.items()
    whole: dict[_Monomial, int] = {}
    rest: dict[_Monomial, int] = {}
    for term, c in left._terms.items():
        divided = _quotient(term, monomial)
        if divided is None:
            rest[term] = c
            continue
        if c // coefficient:
            whole[divided] = whole.get(divided, 0) + c // coefficient
        if c % coefficient:
            rest[term] = c % coefficient
    remainder = _simplest(rest)
    if same(remainder, 0) or _within(remainder, divisor):
        return _simplest(whole), remainder
    quotient, remainder = _opaque(_as_expr(remainder), divisor)
    return _simplest(whole) + quotient, remainder


def _within(remainder: Size, divisor: DimExpr) -> bool:
    low, _ = _as_expr(remainder).bounds()
    _, gap = _as_expr(remainder - divisor).bounds()
    return low is not None and low >= 0 and gap is not None and gap < 0


def _opaque(left: DimExpr, right: DimExpr) -> tuple[Size, Size]:
    quotient = DimExpr({((_Atom("//", None, left, right), 1),): 1})
    remainder = DimExpr({((_Atom("%", None, left, right), 1),): 1})
    return quotient, remainder


def _monomial_bounds(monomial: _Monomial) -> tuple[int | None, int | None]:
    low: int | None = 1
    high: int | None = 1
    for atom, power in monomial:
        atom_low, atom_high = atom.bounds()
        if atom_low is None or atom_low < 0:
            return None, None
        low = None if low is None else low * atom_low**power
        high = None if high is None or atom_high is None else high * atom_high**power
    return low, high


def _evaluate_atom(atom: _Atom, sizes: Mapping[str, Any], lift: Callable[[int], Any]) -> Any:
    if atom.dim is not None:
        return sizes[atom.dim.name]
    lhs, rhs = _as_expr(atom.lhs).evaluate(sizes, lift), _as_expr(atom.rhs).evaluate(sizes, lift)
    return lhs // rhs if atom.op == "//" else lhs % rhs


def _known(left: Size, right: Size, op: str) -> bool | None:
    """The answer, if the facts give one."""
    difference = left - right
    if isinstance(difference, int):
        low: int | None = difference
        high: int | None = difference
    else:
        low, high = difference.bounds()
    match op:
        case "==":
            if low == 0 and high == 0:
                return True
            return False if (low is not None and low > 0) or (high is not None and high < 0) else None
        case "<":
            return _by_sign(high is not None and high < 0, low is not None and low >= 0)
        case "<=":
            return _by_sign(high is not None and high <= 0, low is not None and low > 0)
        case ">":
            return _by_sign(low is not None and low > 0, high is not None and high <= 0)
        case _:
            return _by_sign(low is not None and low >= 0, high is not None and high < 0)


def _by_sign(surely: bool, never: bool) -> bool | None:
    return True if surely else False if never else None


def _decide(left: Any, right: Any, op: str) -> bool:
    answer = _known(left, right, op)
    if answer is None:
        raise InconclusiveDimensionError(
            f"whether {left} {op} {right} depends on the call; declare it by a bound (wax.Dim(name, min=…, max=…)), "
            f"use one Dim for sizes that are equal, or call without dynamic_shapes to compile for each size"
        )
    return answer


def same(left: Size, right: Size) -> bool:
    """Whether two sizes are equal in every call; never raises."""
    if left is right:
        return True
    if isinstance(left, int):
        return left == right if isinstance(right, int) else right.bounds() == (left, left)
    if isinstance(right, int):
        return left.bounds() == (right, right)
    if left._terms == right._terms:
        return True
    # Different polynomials are equal only where bounds make them so.
    return None not in (left.bounds()[1], right.bounds()[1]) and _known(left, right, "==") is True


def same_shape(left: tuple[Size, ...], right: tuple[Size, ...]) -> bool:
    """Whether two shapes are equal in every call; never raises."""
    return len(left) == len(right) and all(map(same, left, right))


def known_at_most(left: Size, right: Size) -> bool:
    """Whether `left <= right` in every call; never raises."""
    return _known(left, right, "<=") is True


def lesser(left: Size, right: Size) -> Size | None:
    """The lesser of two sizes, if the facts say which that is; never raises."""
    return left if known_at_most(left, right) else right if known_at_most(right, left) else None


def product(shape: tuple[Size, ...]) -> Size:
    """The number of elements of a shape."""
    factor = 1
    total: Size | None = None
    for size in shape:
        if isinstance(size, int):
            factor *= size
        else:
            total = size if total is None else total * size
    return factor if total is None or not factor else total if factor == 1 else total * factor


def substitute(size: Size, sizes: Mapping[str, Size]) -> Size:
    """`size` with each dim replaced by what `sizes` has for its name."""
    return size if isinstance(size, int) else size.evaluate(sizes)


def format_shape(shape: tuple[Size, ...]) -> str:
    """A shape as error messages print it: `(batch, 384)`."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"
