"""A rewrite rule as data: two Python functions of arrays, what they take, and when the one may stand for the other."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import EllipsisType
from typing import Any

import numpy as np

from wax import _source, dtypes
from wax._annotations import hints_of
from wax.abstract import Abstract
from wax.dims import Dim, Size, format_shape, same_shape
from wax.errors import InvalidArgumentError, RuleError, WaxError
from wax.numpy.data_types import isdtype
from wax.rules._sides import Side
from wax.typing import ArrayAnnotation
from wax_runtime.dtypes import ALL

__all__ = ["Parameter", "Rule", "rule"]

#: What a traced Python function raises for shapes or dtypes that it does not take.
REFUSALS = (WaxError, TypeError, ValueError, IndexError)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a pattern takes for one of its parameters.

    A `dtype` of `None` is the rule's own. Of `shape`, names and numbers are sizes, `"_"` is any size, and `...` any
    number of dims; a shape of `None` is `(...,)`.
    """

    name: str
    dtype: np.dtype[Any] | None = None
    shape: tuple[int | str | EllipsisType, ...] | None = None

    @property
    def is_open(self) -> bool:
        """Whether it takes arrays of several ranks."""
        return self.shape is None or ... in self.shape

    @property
    def least_dims(self) -> int:
        """The rank of the arrays it takes, or the least one."""
        return 0 if self.shape is None else len(self.shape) - self.is_open

    def sizes(self, ndim: int) -> tuple[int | str, ...]:
        """The sizes of an array of this rank; those that `...` stands for are `*0`, `*1` …, from the last one on."""
        open_dims = ndim - self.least_dims
        spread = [f"*{open_dims - 1 - k}" for k in range(open_dims)]
        shape: tuple[int | str | EllipsisType, ...] = (...,) if self.shape is None else self.shape
        return tuple(one for size in shape for one in (spread if isinstance(size, EllipsisType) else (size,)))


class Rule:
    """A rewrite rule. Made by `wax.rules.rule`."""

    def __init__(
        self,
        name: str,
        pattern: Callable[..., Any],
        replacement: Callable[..., Any],
        parameters: tuple[Parameter, ...],
        order: tuple[int, ...],
        admitted: tuple[np.dtype[Any], ...],
        when: Callable[..., bool] | None,
        tolerance: float,
        finite: bool,
    ) -> None:
        self.name = name
        self.pattern = pattern
        self.replacement = replacement
        #: What the pattern takes, in its order; `order` says which of them the replacement takes.
        self.parameters = parameters
        self.order = order
        #: The dtypes that it is for, of parameters that have none of their own.
        self.dtypes = admitted
        self.when = when
        self.tolerance = tolerance
        self.finite = finite
        self.location = _source.current()
        self._lock = threading.RLock()
        self._sketches: dict[Any, Side | None] = {}
        self._checked = False

    def sketches(self, elements: frozenset[str], most_dims: int) -> Iterator[Side]:
        """The pattern for arrays of such element types and ranks, of any sizes. Raises `RuleError`."""
        fits = [d for d in self.dtypes if dtypes.mlir_type(d) in elements]
        own = [p.dtype for p in self.parameters if p.dtype is not None]
        if any(dtypes.mlir_type(d) not in elements for d in own):
            return
        dims = [
            range(p.least_dims, max(most_dims if p.is_open else p.least_dims, p.least_dims) + 1)
            for p in self.parameters
        ]
        for dtype in fits if len(own) < len(self.parameters) else fits[:1]:
            for ranks in product(*dims):
                with self._lock:
                    key = (dtype, ranks)
                    if key not in self._sketches:
                        self._sketches[key] = self._sketch(dtype, ranks)
                    found = self._sketches[key]
                if found is not None:
                    yield found

    def _sketch(self, dtype: np.dtype[Any], ranks: Sequence[int]) -> Side | None:
        dims: dict[str, Size] = {}
        arguments = []
        for parameter, rank in zip(self.parameters, ranks, strict=True):
            shape: list[Size] = []
            for axis, size in enumerate(parameter.sizes(rank)):
                name = f"{parameter.name}_{axis}" if size == "_" else size
                if isinstance(name, str):
                    shape.append(dims.setdefault(name, Dim(name.replace("*", "open"))))
                else:
                    shape.append(name)
            arguments.append(Abstract(tuple(shape), parameter.dtype or dtype))
        try:
            side = self.trace_pattern(arguments)
        except RuleError:
            raise
        except REFUSALS:
            return None
        # Only here: with sizes that are known, such as 0, a pattern may come to a constant.
        operations, read = side.graph.reached(side.graph.function.results[0])
        if not operations:
            raise self.error("its pattern computes nothing, or nothing once it is simplified")
        for operation in operations:
            if side.graph.operations[operation].regions:
                raise self.error(
                    f"its pattern holds {side.graph.operations[operation].name}; branches and loops are not matched"
                )
        if unused := [p.name for i, p in enumerate(self.parameters) if i not in read]:
            raise self.error(f"its pattern does not use {', '.join(unused)}, or not once it is simplified")
        return side

    def trace_pattern(
        self, arguments: Sequence[Abstract], transposed: Mapping[int, tuple[int, ...]] | None = None
    ) -> Side:
        """The pattern for certain arguments, some of them given transposed. Raises `RuleError`, and what it raises."""
        return self._trace(self.pattern, range(len(arguments)), arguments, transposed)

    def trace_replacement(
        self, arguments: Sequence[Abstract], transposed: Mapping[int, tuple[int, ...]] | None, pattern: Side
    ) -> Side:
        """The replacement for arguments that `pattern` was traced for. Raises `RuleError`, and what it raises."""
        side = self._trace(self.replacement, self.order, arguments, transposed)
        (mine,), (wanted,) = side.results, pattern.results
        if mine.dtype != wanted.dtype or not same_shape(mine.shape, wanted.shape):
            raise self.error(f"for {_listed(self, arguments)} its pattern gives {wanted}, and its replacement {mine}")
        return side

    def _trace(
        self,
        function: Callable[..., Any],
        order: Sequence[int],
        arguments: Sequence[Abstract],
        transposed: Mapping[int, tuple[int, ...]] | None,
    ) -> Side:
        side = Side(function, [p.name for p in self.parameters], arguments, order, dict(transposed or {}))
        what = "pattern" if function is self.pattern else "replacement"
        if len(side.results) != 1:
            raise self.error(f"its {what} returns {len(side.results)} arrays; a rule is about one")
        if side.traced.captured:
            shapes = ", ".join(f"{c.dtype.name}{format_shape(c.shape)}" for c in side.traced.captured)
            raise self.error(f"its {what} captures arrays ({shapes}); make them parameters")
        return side

    def check(self, *shapes: tuple[int, ...]) -> None:
        """Compares pattern and replacement on random arrays of each dtype, with sizes 0, 1 and odd ones, NaN,
        infinities and zeros of both signs; and of `shapes`, one for each argument, if they are given. Raises
        `RuleError` with the counterexample. Does it once.
        """
        from wax.rules._checking import check

        with self._lock:
            if not self._checked:
                check(self, shapes)
                self._checked = True

    def error(self, message: str) -> RuleError:
        """A `RuleError` about this rule."""
        return RuleError(f"rule {self.name!r}: {message}", location=self.location)

    def __repr__(self) -> str:
        return f"rule({self.name})"


def _listed(rule: Rule, arguments: Sequence[Abstract]) -> str:
    return ", ".join(f"{p.name}: {a}" for p, a in zip(rule.parameters, arguments, strict=True))


def rule(
    pattern: Callable[..., Any],
    replacement: Callable[..., Any],
    *,
    name: str | None = None,
    arguments: Mapping[str, ArrayAnnotation] | None = None,
    dtype: Any = "real floating",
    when: Callable[..., bool] | None = None,
    tolerance: float = 4.0,
    finite: bool = False,
) -> Rule:
    """A rule by which what `pattern` computes may be computed as `replacement` does.

    Both are functions of arrays as any other, and give one array. They are traced for the shapes and dtypes of each
    place where the pattern may occur, and compared with it by operations, kernels and data flow. The replacement's
    parameters are some of the pattern's, by name.

    `arguments` says what parameters take, as annotations (`wax.typing`) do, on the pattern itself or here: sizes of one
    name are equal, `...` is any number of dims. Without them a parameter takes arrays of any rank that go together by
    broadcasting from the last dim on. Those without a dtype have one in common, which is of `dtype`: a dtype, one of
    the kinds of `wnp.isdtype`, or a tuple of them.

    `when` is given the shapes and dtypes (`ShapeDtypeStruct`) of the pattern's arguments, and says whether to rewrite;
    where it raises, as a comparison of an open size may, nothing is rewritten.
    A rule is checked before it is first used, or by `check()`. `tolerance` is how far floats may differ then: so many
    roundings of the result, or of the arguments. With `finite` the rule is for numbers of ordinary size: where an
    argument is infinite or NaN, or something overflows or underflows on the way, results may differ, and zeros of both
    signs are the same.

    Raises `RuleError` for a rule that cannot be, `InvalidArgumentError`.

    >>> square = wax.rules.rule(lambda x: wnp.exp(x) * wnp.exp(x), lambda x: wnp.exp(2 * x), name="square of exp",
    ...                         dtype=wnp.float64)
    >>> square.check()
    >>> f = wax.jit(lambda x: wnp.exp(x) * wnp.exp(x) + 1, rules=[square])
    """
    taken, given = _parameters(pattern), _parameters(replacement)
    chosen = name or getattr(pattern, "__name__", "<lambda>")
    own = {one: hint for one, hint in hints_of(pattern).items() if isinstance(hint, ArrayAnnotation)}
    annotations = {**own, **(arguments or {})}
    if unknown := [one for one in arguments or {} if one not in taken]:
        raise InvalidArgumentError(f"rule {chosen!r}: {', '.join(unknown)} is no parameter of the pattern")
    parameters = tuple(_parameter(chosen, one, annotations.get(one)) for one in taken)
    admitted = tuple(row.numpy for row in ALL if isdtype(row.numpy, dtype))
    made = Rule(
        chosen, pattern, replacement, parameters, tuple(taken.index(p) for p in given if p in taken), admitted, when,
        float(tolerance), finite,
    )  # fmt: skip
    if unbound := [one for one in given if one not in taken]:
        raise made.error(f"its replacement takes {', '.join(unbound)}, which the pattern does not")
    if not taken:
        raise made.error("its pattern takes no arguments")
    if not admitted:
        raise made.error(f"there is no dtype {dtype!r}")
    elements = frozenset(row.mlir for row in ALL)
    if next(made.sketches(elements, 3), None) is None:
        raise made.error(
            "its pattern could not be traced for arrays of any rank up to 3; say by annotations which sizes are equal, "
            "such as f32['m', 'k'] and f32['k', 'n']"
        )
    return made


def _parameters(function: Callable[..., Any]) -> list[str]:
    if not callable(function):
        raise InvalidArgumentError(f"a rule's pattern and replacement are functions, not {type(function).__name__}")
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind not in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) or p.default is not p.empty for p in parameters):
        raise InvalidArgumentError("a rule's pattern and replacement take arrays by position, and have no defaults")
    return [p.name for p in parameters]


def _parameter(rule: str, name: str, annotation: Any) -> Parameter:
    if annotation is None:
        return Parameter(name)
    if not isinstance(annotation, ArrayAnnotation):
        raise InvalidArgumentError(f"rule {rule!r}: {name} is annotated {annotation!r}, which is no array's annotation")
    shape: list[int | str | EllipsisType] = []
    for size in (...,) if annotation.shape is None else annotation.shape:
        if isinstance(size, int | EllipsisType) or (isinstance(size, str) and size.isidentifier()):
            shape.append(size)
        else:
            raise InvalidArgumentError(
                f"rule {rule!r}: {name} has the size {size!r}; sizes in rules are numbers, names and ..."
            )
    return Parameter(name, annotation.dtype, tuple(shape))
