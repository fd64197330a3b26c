"""What a branch or the body of a loop does: traced like a function of its own, then put into a region.

What a region uses of the trace around it becomes hidden arguments. A region is traced in two steps, since the dtypes
of its results may have to be those of another branch, or of what a loop carries: `trace_region` runs the user's
function, `Region.finish` converts what came out and makes the native function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from wax import _native, dtypes, tree
from wax._trace import Trace, current, is_tracing, resumed, tracing
from wax.abstract import Abstract
from wax.dims import format_shape, same_shape
from wax.eager import run
from wax.errors import ArgumentTypeError, ControlFlowError, PromotionError
from wax.numpy._basis import carried, cast, kernel_of
from wax.scalars.conversion import cast as cast_scalar
from wax.scalars.conversion import with_weakness
from wax.tracer import Tracer

__all__ = [
    "Region",
    "check_structure",
    "common",
    "converted",
    "describe",
    "everywhere",
    "lift_leaves",
    "settled",
    "trace_region",
]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def everywhere(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Makes a function written on tracers run at once where nothing is traced.

    It is traced anew at each call: what the user's functions do may depend on more than their arguments.
    """

    @functools.wraps(function)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if is_tracing():
            return function(*args, **kwargs)
        return run(function, args, kwargs, keep=False)

    return wrapper


@dataclass(slots=True, eq=False)
class Region:
    """A traced branch or body, which `finish` completes."""

    trace: Trace
    #: The values that the caller hands in, in order; captured ones may stand between them.
    arguments: list[Tracer]
    leaves: list[Tracer]
    structure: tree.Structure

    def finish(self, results: Sequence[Tracer]) -> _native.Function:
        """The native function that returns `results`, values of this region."""
        return self.trace.builder.finish([x.value for x in results])

    def captured(self) -> list[int]:
        """The values of the trace around that the region captured; call it there, after `finish`."""
        outer = current()
        return [outer.lift(x).value for x in self.trace.captured]

    def places(self) -> list[int]:
        """Where the values that the caller hands in stand among the arguments."""
        given = {id(x): place for place, x in enumerate(self.trace.arguments)}
        return [given[id(x)] for x in self.arguments]


def trace_region(
    what: str, name: str, function: Callable[..., Any], arguments: Sequence[Abstract] = (), *, indexed: bool = False
) -> Region:
    """Runs `function` on one tracer an argument, after the turn's number if it is `indexed`; it returns a pytree."""
    with tracing(name) as trace:
        here = trace.location()
        index = [trace.index_argument(here)] if indexed else []
        tracers = [trace.argument(a.shape, a.dtype, a.weak, here) for a in arguments]
        result = function(*index, *tracers)
        leaves, structure = tree.flatten(result)
        return Region(trace, tracers, lift_leaves(what, name, leaves, structure), structure)


def lift_leaves(what: str, name: str, leaves: Sequence[Any], structure: tree.Structure, root: str = "result") -> Any:
    """Leaves as tracers of the current trace. Raises `ArgumentTypeError`, which says which one is no array."""
    trace = current()
    lifted = []
    for index, leaf in enumerate(leaves):
        try:
            lifted.append(trace.lift(leaf))
        except ArgumentTypeError as error:
            path = list(tree.leaf_codes(structure, root))[index]
            raise ArgumentTypeError(
                f"{what}: {path} of {name!r} is of type {type(leaf).__name__!r}; "
                f"control flow handles arrays, numbers and pytrees of them"
            ) from error
    return lifted


# How values agree.


def describe(x: Tracer) -> str:
    """A value as messages name it: `float32(3,)`."""
    return f"{'weak ' if x.weak else ''}{x.dtype.name}{format_shape(x.shape)}"


def check_structure(what: str, first: str, a: tree.Structure, second: str, b: tree.Structure) -> None:
    """Raises `ControlFlowError` for pytrees that are not alike."""
    if a != b:
        raise ControlFlowError(
            f"{what}: {first} is {tree.spell(a)}, but {second} is {tree.spell(b)}; both must be the same pytree"
        )


def common(what: str, path: str, first: str, x: Tracer, second: str, y: Tracer) -> dtypes.Carried:
    """The dtype that two values of one shape take, of which only a weak one may be converted.

    Raises `ControlFlowError`.
    """
    if not same_shape(x.shape, y.shape):
        raise ControlFlowError(
            f"{what}: {path} is {describe(x)} in {first} and {describe(y)} in {second}; the shapes must be the same"
        )
    a, b = carried(x), carried(y)
    if a == b:
        return a
    if x.weak or y.weak:
        try:
            joined = dtypes.promote(what, [a, b])
        except PromotionError:
            joined = None
        if joined is not None and (x.weak or joined == a) and (y.weak or joined == b):
            return joined
    raise ControlFlowError(
        f"{what}: {path} is {describe(x)} in {first} and {describe(y)} in {second}; "
        f"the dtypes must be the same: convert one with .astype"
    )


def settled(x: Tracer, target: dtypes.Carried) -> Tracer:
    """A value of the current trace, converted to what it is carried as."""
    dtype, weak = target
    if carried(x) == target:
        return x
    if not weak:
        return cast(x, dtype)
    from wax import primitives

    return primitives.map(kernel_of(_as_weak, x, dtype=dtype), x)


def _as_weak(x: Any, *, dtype: dtypes.DType) -> Any:
    return with_weakness(cast_scalar(x, dtype), True)


def converted(region: Region, leaves: Sequence[Tracer], targets: Sequence[dtypes.Carried]) -> list[Tracer]:
    """Values of a region, converted there."""
    if all(carried(x) == target for x, target in zip(leaves, targets, strict=True)):
        return list(leaves)
    with resumed(region.trace):
        return [settled(x, target) for x, target in zip(leaves, targets, strict=True)]
