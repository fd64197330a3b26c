"""`vmap`: a function of one example made one of a batch, with no loop over it.

The function is traced for one row; the dialect makes the batched function of it (`_native.batch`), in which the batch
is the first dim of what depends on it. Which axis it is outside, `in_axes` and `out_axes` say.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from wax import _native, _source, primitives, tree
from wax._axis_names import named_axis
from wax._trace import current
from wax._tracing import TracedFunction, traced_like
from wax.abstract import Abstract
from wax.dims import DimExpr, Size
from wax.errors import BatchingError, InvalidArgumentError, Location, WaxError
from wax.tracer import Tracer
from wax.transform._axes import batch_size, flatten_axes, leaf_paths, positive
from wax.transform._primal import located, run

__all__ = ["vmap"]


def vmap(
    function: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: str | None = None,
    axis_size: Size | None = None,
) -> Callable[..., Any]:
    """A function that does for each row of a batch what `function` does for one, all at once.

    `in_axes` says along which axis of each positional argument the rows lie, `None` that it is the same for all; it may
    be a pytree, a prefix of the arguments. Named arguments are batched along axis 0. `out_axes` says likewise where the
    rows of the results go; a result that is the same for all may stay one by `None`. Collectives call the batch
    `axis_name`. `axis_size` is needed where no argument is batched. Raises `BatchingError`.

    >>> wax.vmap(wnp.vdot, in_axes=(0, None))(wnp.ones((2, 3)), wnp.arange(3.0))
    Array([3., 3.], dtype=float32)
    """
    name = _source.name_of(function)
    if axis_name is not None and not isinstance(axis_name, str):
        raise InvalidArgumentError(f"vmap of {name}: axis_name is {axis_name!r}; it must be a string")
    known = axis_size if axis_size is None or isinstance(axis_size, DimExpr) else operator.index(axis_size)
    if isinstance(known, int) and known < 0:
        raise InvalidArgumentError(f"vmap of {name}: axis_size is {axis_size!r}; it must be a size")

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            if isinstance(in_axes, list | tuple) and len(in_axes) != len(args):
                raise BatchingError(
                    f"vmap of {name}: in_axes={in_axes!r} has {len(in_axes)} entries, and there are {len(args)} "
                    f"positional arguments"
                )
            leaves, in_tree = tree.flatten((args, kwargs))
            positional, named = in_tree.children()
            wanted = flatten_axes(f"vmap of {name}: in_axes={in_axes!r}", in_axes, positional, "args")
            wanted += [0] * named.num_leaves
            seen: list[tree.Structure] = []

            def body(tracers: Sequence[Tracer]) -> list[Any]:
                paths = leaf_paths(in_tree)
                axes = [
                    None if axis is None else positive(name, path, axis, x)
                    for axis, path, x in zip(wanted, paths, tracers, strict=True)
                ]
                size = batch_size(name, paths, axes, tracers, known)
                batch = _Batch(name, size, axis_name)

                def call(inner: Sequence[Any]) -> Any:
                    given, by_name = tree.unflatten(in_tree, inner)
                    return function(*given, **by_name)

                out_tree, results = batch.run(call, tracers, axes, _source.definition(function))
                seen.append(out_tree)
                places = flatten_axes(f"vmap of {name}: out_axes={out_axes!r}", out_axes, out_tree, "result")
                ends = list(tree.leaf_codes(out_tree, "result"))
                return [batch.place(*one) for one in zip(results, places, ends, strict=True)]

            made = run(body, leaves)
            return tree.unflatten(seen[0], made)
        except WaxError as error:
            _source.strip_traceback(error)
            raise

    return wrapper


@dataclasses.dataclass(frozen=True, slots=True)
class _Batch:
    """One call of a batched function."""

    name: str
    size: Size
    axis: str | None

    def run(
        self,
        call: Callable[[Sequence[Any]], Any],
        tracers: Sequence[Tracer],
        axes: Sequence[int | None],
        location: Location | None,
    ) -> tuple[tree.Structure, list[tuple[Tracer, bool]]]:
        """The structure of what a function of leaves returns, and for each leaf of it whether it is batched."""
        from wax.numpy import moveaxis

        trace = current()
        rows: list[Any] = [x if axis is None else moveaxis(x, axis, 0) for x, axis in zip(tracers, axes, strict=True)]
        abstracts = [
            Abstract(x.shape if axis is None else x.shape[1:], x.dtype, x.weak)
            for x, axis in zip(rows, axes, strict=True)
        ]
        with named_axis(self.axis, self.size):
            traced = traced_like(call, self.name, abstracts, location)
        hidden = [trace.lift(captured) for captured in traced.captured]
        batched, places = self._batched(traced, [i for i, axis in enumerate(axes) if axis is not None])
        made = primitives.call(batched, [*rows, *hidden])
        return traced.out_tree, [(x, i in places) for i, x in enumerate(made)]

    def _batched(self, traced: TracedFunction, places: Sequence[int]) -> tuple[TracedFunction, Sequence[int]]:
        known = self.size if isinstance(self.size, int) else None
        if known is None and not places:
            raise BatchingError(
                f"vmap of {self.name}: the size of the batch is {self.size}, and no argument has it; batch one of them"
            )
        with located(BatchingError):
            function, results = _native.batch(traced.function, places, known, self.axis or "")
        return (
            dataclasses.replace(
                traced,
                function=function,
                results=tuple(
                    ((self.size, *shape) if i in results else shape, dtype)
                    for i, (shape, dtype) in enumerate(traced.results)
                ),
                work=traced.work * self.size,
            ),
            results,
        )

    def place(self, result: tuple[Tracer, bool], axis: int | None, path: str) -> Any:
        """A result with its rows along an axis."""
        from wax.numpy import broadcast_to, moveaxis

        x, is_batched = result
        if axis is None:
            if is_batched:
                raise BatchingError(
                    f"vmap of {self.name}: {path} is not the same for all rows, so that out_axes cannot be None for "
                    f"it; give the axis along which the rows go"
                )
            return x
        rows = x if is_batched else broadcast_to(x, (self.size, *x.shape))
        rank = len(rows.shape)
        if not -rank <= axis < rank:
            raise BatchingError(f"vmap of {self.name}: {path} has rank {rank} with the batch, and no axis {axis}")
        return moveaxis(rows, 0, axis)
