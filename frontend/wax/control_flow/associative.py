"""`associative_scan`: all prefixes of an associative function, in a number of steps that grows with the logarithm.

Neighbours are combined, the pairs are scanned, and what lies between them follows: each step computes on halves of
whole arrays, and no loop is left in the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wax import _source, primitives, tree
from wax.control_flow._region import (
    check_structure,
    common,
    describe,
    everywhere,
    lift_leaves,
    settled,
)
from wax.dims import same
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import check_axis, expanded
from wax.tracer import Tracer

__all__ = ["associative_scan"]


@everywhere
def associative_scan(fn: Callable[[Any, Any], Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """All prefixes of `fn` along an axis: `[a, fn(a, b), fn(fn(a, b), c), …]`, for an associative `fn`.

    `fn` takes and returns pytrees shaped as `elems`, and is called on arrays of many elements, along the axis, at once.
    With `reverse` the prefixes begin at the end.

    Raises `ShapeError` for lengths that differ, `ControlFlowError` where `fn` gives other shapes or dtypes.

    >>> wax.associative_scan(lambda a, b: a * b, wnp.asarray([1, 2, 3, 4]))
    Array([ 1,  2,  6, 24], dtype=int32)
    """
    if not callable(fn):
        raise InvalidArgumentError(f"associative_scan: fn must be a function, not a {type(fn).__name__}")
    found, structure = tree.flatten(elems)
    lifted = lift_leaves("associative_scan", _source.name_of(fn), found, structure, "elems")
    leaves = [primitives.strengthen(x) for x in lifted]
    if not leaves:
        return elems
    axes = [check_axis("associative_scan", axis, len(x.shape)) for x in leaves]
    paths = list(tree.leaf_codes(structure, "elems"))
    length = leaves[0].shape[axes[0]]
    for path, x, along in zip(paths, leaves, axes, strict=True):
        if not same(x.shape[along], length):
            raise ShapeError(
                f"associative_scan: {paths[0]} is {describe(leaves[0])} and {path} is {describe(x)}; "
                f"all of elems must have the same size along axis {axis}"
            )
    if not isinstance(length, int):
        raise ShapeError(
            f"associative_scan: the size along axis {axis} is {length}; it must be known, since the number of steps "
            f"follows from it; use wax.scan for a symbolic one"
        )

    def combine(a: Sequence[Tracer], b: Sequence[Tracer]) -> list[Tracer]:
        result = fn(tree.unflatten(structure, a), tree.unflatten(structure, b))
        values, made = tree.flatten(result)
        check_structure("associative_scan", "elems", structure, f"the result of {_source.name_of(fn)!r}", made)
        given = lift_leaves("associative_scan", _source.name_of(fn), values, made)
        return [
            settled(y, common("associative_scan", path, "elems", x, "the result", y))
            for path, x, y in zip(paths, a, given, strict=True)
        ]

    def turned(values: Sequence[Tracer]) -> list[Tracer]:
        return [primitives.reverse(x, (along,)) for x, along in zip(values, axes, strict=True)]

    scanned = _prefixes(combine, turned(leaves) if reverse else leaves, axes)
    return tree.unflatten(structure, turned(scanned) if reverse else scanned)


_Values = Sequence[Tracer]


def _prefixes(combine: Callable[[_Values, _Values], list[Tracer]], values: _Values, axes: Sequence[int]) -> _Values:
    length = values[0].shape[axes[0]]
    assert isinstance(length, int)
    if length < 2:
        return values

    def each(take: Callable[..., Tracer], *operands: Any) -> list[Tracer]:
        return [take(*parts) for parts in zip(*operands, axes, strict=True)]

    half, rest = length // 2, (length - 1) // 2
    pairs = combine(
        each(lambda x, axis: _every_second(x, axis, 0, half), values),
        each(lambda x, axis: _every_second(x, axis, 1, half), values),
    )
    #: The prefixes that end at 1, 3, 5 …; those at 2, 4, 6 … have one element more than the ones before.
    odd = _prefixes(combine, pairs, axes)
    even = each(lambda x, axis: _every_second(x, axis, 0, 1), values)
    if rest:
        more = combine(
            each(lambda x, axis: _part(x, axis, 0, rest, 1), odd),
            each(lambda x, axis: _every_second(x, axis, 2, rest), values),
        )
        even = each(lambda x, y, axis: primitives.concat([x, y], axis), even, more)
    return each(_interleave, even, odd)


def _part(x: Tracer, axis: int, start: int, size: int, stride: int) -> Tracer:
    offsets, strides, sizes = [0] * len(x.shape), [1] * len(x.shape), list(x.shape)
    offsets[axis], strides[axis], sizes[axis] = start, stride, size
    return primitives.slice(x, offsets, sizes, strides)


def _every_second(x: Tracer, axis: int, start: int, size: int) -> Tracer:
    return _part(x, axis, start, size, 2)


def _interleave(even: Tracer, odd: Tracer, axis: int) -> Tracer:
    """`even[0], odd[0], even[1], odd[1] …`; there may be one more even one."""
    short, long = odd.shape[axis], even.shape[axis]
    assert isinstance(short, int)
    assert isinstance(long, int)
    both = primitives.concat(
        [expanded(_part(even, axis, 0, short, 1), (axis + 1,)), expanded(odd, (axis + 1,))], axis + 1
    )
    ndim = len(odd.shape)
    groups = [[axis, axis + 1] if d == axis else [d if d < axis else d + 1] for d in range(ndim)]
    shape = [2 * short if d == axis else size for d, size in enumerate(odd.shape)]
    joined = primitives.reshape(both, groups, [[d] for d in range(ndim)], shape)
    return joined if long == short else primitives.concat([joined, _part(even, axis, short, 1, 1)], axis)
