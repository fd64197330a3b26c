"""How a reshape's dims group: which dims of the operand merge and split into which of the result.

The basis reshapes group by group, and only within a group do sizes have to multiply up. Finding the smallest
groups keeps symbolic sizes apart from the dims that really change.
"""

from __future__ import annotations

from collections.abc import Sequence

from wax.dims import Size, format_shape, product, same
from wax.errors import InvalidArgumentError, ShapeError

__all__ = ["group", "resolve"]


def resolve(name: str, source: tuple[Size, ...], wanted: Sequence[Size]) -> tuple[Size, ...]:
    """The result shape with -1 resolved. Raises `ShapeError`, `InvalidArgumentError` for a second -1."""
    unknown = [axis for axis, size in enumerate(wanted) if isinstance(size, int) and size < 0]
    if any(isinstance(wanted[axis], int) and wanted[axis] != -1 for axis in unknown):
        raise ShapeError(f"{name} of shape {format_shape(source)} to {tuple(wanted)}: a size is negative")
    if not unknown:
        shape = tuple(wanted)
    elif len(unknown) > 1:
        raise InvalidArgumentError(f"{name} to {tuple(wanted)}: only one size can be left to be found (-1)")
    else:
        shape = (*wanted[: unknown[0]], _rest(name, source, wanted), *wanted[unknown[0] + 1 :])
    if not same(product(source), product(shape)):
        raise ShapeError(
            f"{name} of shape {format_shape(source)} to {format_shape(shape)}: "
            f"{product(source)} elements against {product(shape)}"
        )
    return shape


def _rest(name: str, source: tuple[Size, ...], wanted: Sequence[Size]) -> Size:
    total = product(source)
    known = product(tuple(size for size in wanted if not (isinstance(size, int) and size == -1)))
    if isinstance(known, int) and known == 0:
        raise ShapeError(
            f"{name} of shape {format_shape(source)} to {tuple(wanted)}: any size would do for -1; write it out"
        )
    # Sizes that stand on both sides cancel, whatever else is symbolic.
    quotient, remainder = divmod(total, known)
    if not same(remainder, 0):
        raise ShapeError(
            f"{name} of shape {format_shape(source)} to {tuple(wanted)}: {total} elements are not a multiple of {known}"
            + ("" if isinstance(total, int) and isinstance(known, int) else ", as far as is known of the dims")
        )
    return quotient


def group(source: tuple[Size, ...], result: tuple[Size, ...]) -> tuple[list[list[int]], list[list[int]]]:
    """The groups of operand dims and of result dims, the smallest ones there are, for shapes of equal size."""
    if any(isinstance(size, int) and size == 0 for size in source):
        return _one_group(source, result)
    source_groups: list[list[int]] = []
    result_groups: list[list[int]] = []
    i = j = 0
    while i < len(source) or j < len(result):
        left, right = _next_group(source, result, i, j)
        source_groups.append(list(range(i, i + left)))
        result_groups.append(list(range(j, j + right)))
        i, j = i + left, j + right
    return source_groups, result_groups


def _one_group(source: tuple[Size, ...], result: tuple[Size, ...]) -> tuple[list[list[int]], list[list[int]]]:
    if len(source) == len(result) and all(map(same, source, result)):
        return [[axis] for axis in range(len(source))], [[axis] for axis in range(len(source))]
    return [list(range(len(source)))], [list(range(len(result)))]


def _next_group(source: tuple[Size, ...], result: tuple[Size, ...], i: int, j: int) -> tuple[int, int]:
    """How many dims the next group has on either side."""
    if i < len(source) and j < len(result) and same(source[i], result[j]):
        return 1, 1
    if i < len(source) and same(source[i], 1):
        return 1, 0
    if j < len(result) and same(result[j], 1):
        return 0, 1
    lefts, rights = len(source) - i, len(result) - j
    for total in range(3, lefts + rights + 1):
        for left in range(max(1, total - rights), min(lefts, total - 1) + 1):
            if same(product(source[i : i + left]), product(result[j : j + total - left])):
                return left, total - left
    return lefts, rights
