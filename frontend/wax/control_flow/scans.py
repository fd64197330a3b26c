"""`scan` and `map`: loops along the first axis of arrays, which stack what each turn gives.

A turn reads its slice at the turn's number, and writes its part into arrays that the loop carries; both are in place.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wax import _source, primitives, tree
from wax._trace import Index, Trace, current
from wax.abstract import Abstract
from wax.control_flow._carry import Carry, lift_carry, traced_turn
from wax.control_flow._region import (
    Region,
    converted,
    describe,
    everywhere,
    lift_leaves,
    settled,
    trace_region,
)
from wax.control_flow.loops import turns_in_one
from wax.dims import DimExpr, Size, known_at_most, same
from wax.errors import ControlFlowError, InvalidArgumentError, ShapeError
from wax.numpy._basis import constant, expanded, filled, squeezed
from wax.tracer import Tracer

__all__ = ["map", "scan"]


@everywhere
def scan(
    f: Callable[[Any, Any], Any],
    init: Any,
    xs: Any = None,
    length: Any = None,
    reverse: bool = False,
    unroll: int | bool = 1,
    *,
    checkpoint: int | bool = False,
) -> tuple[Any, Any]:
    """`carry, y = f(carry, x)` for each `x` along the first axis of `xs`; then the last carry, and all ys.

    `xs` is a pytree of arrays of one length, or `None` with `length=`; the ys are stacked in the same way, in the order
    of the xs also where `reverse` begins with the last. `unroll` turns are written out in each turn of the loop.

    A derivative remembers what goes into each turn, and computes the turn again. With `checkpoint` it remembers one in
    so many, √n of n for `True`, and computes those between again too, one stretch at a time.

    Raises `ShapeError` for lengths that differ, `ControlFlowError` where `f` changes what is carried.

    >>> wax.scan(lambda total, x: (total + x, total), wnp.asarray(0), wnp.asarray([1, 2, 3]))
    (Array(6, dtype=int32), Array([0, 1, 3], dtype=int32))
    """
    carry = lift_carry("scan", init, "init")
    leaves, structure = tree.flatten(xs)
    arrays = lift_leaves("scan", "xs", leaves, structure, "xs")
    size = _length(arrays, list(tree.leaf_codes(structure, "xs")), length)
    block = _block_size(checkpoint, size)
    if block > 1:
        scanned = functools.partial(scan, f, reverse=reverse, unroll=unroll)
        return _in_blocks(scanned, _source.name_of(f), init, tree.unflatten(structure, arrays), size, block, reverse)
    together = turns_in_one("scan", unroll, size)
    walk = _Walk(f, _source.name_of(f), carry, arrays, structure, size, bool(reverse))
    return walk.loop(together)


def _block_size(checkpoint: int | bool, size: Size) -> int:
    """How many turns there are from one that is remembered to the next. Raises `InvalidArgumentError`."""
    if checkpoint is False:
        return 1
    if not isinstance(size, int):
        raise InvalidArgumentError(f"scan: checkpoint={checkpoint} needs a number of turns that is known, not {size}")
    block = math.isqrt(max(size - 1, 0)) + 1 if checkpoint is True else operator.index(checkpoint)
    if block < 1:
        raise InvalidArgumentError(f"scan: checkpoint is {checkpoint}; it must be at least 1")
    return min(block, size)


def _in_blocks(
    scanned: Callable[..., Any], name: str, init: Any, xs: Any, size: Any, block: int, reverse: bool
) -> tuple[Any, Any]:
    """A scan over scans of `block` turns, and one of those that are left at the end."""
    from wax.numpy import concat, reshape

    count = size // block
    whole = count * block
    first = size - whole if reverse else 0
    arrays, structure = tree.flatten(xs)
    blocks = [reshape(x[first : first + whole], (count, block, *x.shape[1:])) for x in arrays]

    def turn(carry: Any, xs: Any) -> tuple[Any, Any]:
        return scanned(carry, xs, block)

    turn.__name__ = name
    carry, made = scan(turn, init, tree.unflatten(structure, blocks), count, reverse)
    leaves, out = tree.flatten(made)
    ys = [reshape(y, (whole, *y.shape[2:])) for y in leaves]
    if whole != size:
        left = [x[:first] if reverse else x[whole:] for x in arrays]
        carry, rest = scanned(carry, tree.unflatten(structure, left), size - whole)
        ends = tree.flatten(rest)[0]
        ys = [concat([end, y] if reverse else [y, end]) for y, end in zip(ys, ends, strict=True)]
    return carry, tree.unflatten(out, ys)


def map(f: Callable[[Any], Any], xs: Any, *, batch_size: int | None = None) -> Any:
    """`f` on each `x` along the first axis of `xs`, one after another, and the results stacked.

    With `batch_size` so many at once, by `wax.vmap`, and the rest that is left at once too; the number of all has to be
    known then.

    >>> wax.map(lambda x: x * x, wnp.asarray([1, 2, 3]))
    Array([1, 4, 9], dtype=int32)
    """
    if batch_size is not None:
        return _mapped(f, xs, batch_size)

    def turn(carry: Any, x: Any) -> tuple[Any, Any]:
        return carry, f(x)

    turn.__name__ = _source.name_of(f)
    return scan(turn, (), xs)[1]


@everywhere
def _mapped(f: Callable[[Any], Any], xs: Any, batch_size: int) -> Any:
    from wax.numpy import concat, reshape
    from wax.transform.batching import vmap

    leaves, structure = tree.flatten(xs)
    arrays = lift_leaves("map", "xs", leaves, structure, "xs")
    size = _length(arrays, list(tree.leaf_codes(structure, "xs")), None)
    if not isinstance(size, int):
        raise InvalidArgumentError(f"map: batch_size={batch_size} needs a length that is known, not {size}")
    if operator.index(batch_size) < 1:
        raise InvalidArgumentError(f"map: batch_size is {batch_size}; it must be at least 1")
    rows = vmap(f)
    full = size // batch_size
    if (full <= 1 and size % batch_size == 0) or not full:
        return rows(xs)
    done = full * batch_size
    blocks = [reshape(x[:done], (full, batch_size, *x.shape[1:])) for x in arrays]
    made, out = tree.flatten(map(rows, tree.unflatten(structure, blocks)))
    made = [reshape(x, (done, *x.shape[2:])) for x in made]
    if done != size:
        rest = tree.flatten(rows(tree.unflatten(structure, [x[done:] for x in arrays])))[0]
        made = [concat([x, y]) for x, y in zip(made, rest, strict=True)]
    return tree.unflatten(out, made)


def _length(arrays: Sequence[Tracer], paths: Sequence[str], length: Any) -> Size:
    """The number of turns."""
    wanted = None
    if length is not None:
        wanted = length if isinstance(length, DimExpr) else operator.index(length)
        if isinstance(wanted, int) and wanted < 0:
            raise InvalidArgumentError(f"scan: length is {wanted}; it must not be negative")
    for path, x in zip(paths, arrays, strict=True):
        if not x.shape:
            raise ShapeError(f"scan: {path} is {describe(x)}, which has no first axis to go along")
        if wanted is not None and not same(x.shape[0], wanted):
            raise ShapeError(f"scan: {path} is {describe(x)}, but length={wanted}")
        if not same(x.shape[0], arrays[0].shape[0]):
            raise ShapeError(
                f"scan: {paths[0]} is {describe(arrays[0])} and {path} is {describe(x)}; "
                f"all of xs must have the same first axis"
            )
    if wanted is not None:
        return wanted
    if not arrays:
        raise InvalidArgumentError("scan: xs holds no array, so give the number of turns: length=")
    return arrays[0].shape[0]


@dataclass(slots=True, eq=False)
class _Walk:
    """One scan."""

    f: Callable[[Any, Any], Any]
    name: str
    carry: Carry
    arrays: Sequence[Tracer]
    structure: tree.Structure
    size: Size
    reverse: bool
    #: What a turn gives besides what is carried; known once the body was traced.
    ys: Sequence[Tracer] = ()
    ys_structure: tree.Structure | None = None

    def loop(self, together: int) -> tuple[Any, Any]:
        stacks: list[Tracer] = []

        def turn(abstracts: Sequence[Abstract]) -> tuple[Region, list[Tracer], tree.Structure]:
            nonlocal stacks
            structure = self.carry.structure

            def body(index: Index, *leaves: Tracer) -> list[Tracer]:
                nonlocal stacks, structure
                values: Sequence[Tracer] = leaves
                written: list[Tracer] = []
                for offset in range(together):
                    at = self._place(index.times(together).plus(offset))
                    values, structure, ys = self._call(values, at)
                    if not offset:
                        stacks = written = [self._argument(current(), y) for y in ys]
                    if not same(self.size, 0):
                        written = [_write(y, x, at) for y, x in zip(ys, written, strict=True)]
                    if structure != self.carry.structure:
                        break
                return [*values, *written]

            region = trace_region("scan", self.name, body, abstracts, indexed=True)
            region.arguments.extend(stacks)
            return region, region.leaves[: len(region.leaves) - len(stacks)], structure

        region, results = traced_turn(self.carry, "init", turn)
        written = region.leaves[len(results) :]
        body = region.finish([*converted(region, results, self.carry.targets()), *written])
        starts = [filled(constant(0, y.dtype), (), (self.size, *y.shape)) for y in self.ys]
        made: Sequence[Tracer] = [*self.carry.leaves, *starts]
        turns = self.size // together if isinstance(self.size, int) else self.size
        if turns != 0:
            made = primitives.for_(turns, made, body, region.places(), region.captured())
            current().count_callee(region.trace.work())
        count = len(self.carry.leaves)
        carried, stacked = made[:count], made[count:]
        if isinstance(self.size, int):
            for rest in range(turns * together, self.size):
                at = self.size - 1 - rest if self.reverse else rest
                values, _, ys = self._call(carried, at)
                carried = [settled(x, target) for x, target in zip(values, self.carry.targets(), strict=True)]
                stacked = [_write(y, x, at) for y, x in zip(ys, stacked, strict=True)]
        assert self.ys_structure is not None
        return self.carry.rebuild(carried), tree.unflatten(self.ys_structure, stacked)

    def _place(self, turn: Index) -> Index:
        """Which elements a turn has."""
        if not self.reverse:
            return turn
        trace = turn.trace
        last = Index(trace, trace.index_value(self.size)) - Index(trace, trace.index_value(1))
        return last - turn

    def _call(self, leaves: Sequence[Tracer], at: Index | int) -> tuple[list[Tracer], tree.Structure, list[Tracer]]:
        """The user's function on what is carried and the elements at a place."""
        trace = current()
        xs = tree.unflatten(self.structure, [_read(trace.lift(x), at, self.size) for x in self.arrays])
        result = self.f(self.carry.rebuild(leaves), xs)
        if not isinstance(result, tuple) or len(result) != 2:
            got = f"a tuple of {len(result)}" if isinstance(result, tuple) else f"a {type(result).__name__}"
            raise ControlFlowError(
                f"scan: {self.name!r} must return a pair, what is carried and what is stacked, but it returns {got}"
            )
        found, structure = tree.flatten(result[0])
        values = lift_leaves("scan", self.name, found, structure, "result[0]")
        found, self.ys_structure = tree.flatten(result[1])
        lifted = lift_leaves("scan", self.name, found, self.ys_structure, "result[1]")
        self.ys = [primitives.strengthen(y) for y in lifted]
        return values, structure, list(self.ys)

    def _argument(self, trace: Trace, y: Tracer) -> Tracer:
        """The array that all of a result's parts are written to."""
        return trace.argument((self.size, *y.shape), y.dtype)


def _read(x: Tracer, at: Index | int, size: Size) -> Any:
    if not same(size, 0) and not known_at_most(1, size):
        raise ShapeError(
            f"scan: {size} turns over {describe(x)} may be none, which the sizes of a turn cannot be told of; "
            f"declare the dims with a min= that makes it at least 1"
        )
    rest = x.shape[1:]
    if same(size, 0):  # a turn that is traced for its shapes only
        return filled(constant(0, x.dtype), (), rest)
    box = primitives.slice(x, (at, *[0] * len(rest)), (1, *rest), [1] * len(x.shape))
    return squeezed(box, (0,))


def _write(y: Tracer, x: Tracer, at: Index | int) -> Tracer:
    return primitives.insert(expanded(y, (0,)), x, (at, *[0] * len(y.shape)), [1] * len(x.shape))
