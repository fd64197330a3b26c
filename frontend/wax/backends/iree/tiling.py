"""Which products of matrices that wax leaves to IREE it is to tile in memory, by their sizes.

Data tiling copies both factors into tiles before it multiplies. That makes the product of large matrices several times
as fast; but where one factor has few rows, the copy of the other takes longer than the product. IREE tiles all
products or none, unless some are marked: then it tiles those. docs/decisions/0023 has what was measured.

IREE 3.13 gives wrong results where it tiles a stack of products of which a factor is made by a map that reads a vector
along some of the factor's dims, as softmax does: stacks are never tiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import prod

__all__ = ["Tiling", "tiling_of"]

#: Rows of the smaller factor up to which a product is faster without tiles; more of them where both factors have the
#: dim that is summed over as their last one, so that they are read along rows.
FEW_ROWS, FEW_ROWS_OF_ROWS = 8, 64

_MAP = re.compile(r"^(#\w+) = affine_map<\([^)]*\) -> \(([^)]*)\)>$", re.MULTILINE)
_REDUCTION = re.compile(
    r"linalg\.generic {indexing_maps = \[([^]]*)\], iterator_types = \[([^]]*\"reduction\"[^]]*)\]} "
    r"ins\([^:)]*: ([^)]*)\) outs\([^:)]*: ([^)]*)\)( {\n(?:.*\n)*?\s*linalg\.yield )"
)
_SHAPE = re.compile(r"tensor<((?:(?:\d+|\?)x)*)\w+>")
_OPERATION = re.compile(r"= (\w+\.\w+)")
_EXTENSIONS = {"arith.extf", "arith.extsi", "arith.extui"}
_MARK = " attrs = {iree.opt.data_tiling}"


@dataclass(frozen=True, slots=True)
class Tiling:
    """A program in which products are marked where only some are to be tiled, and whether any is to be."""

    text: str
    wanted: bool


class _Worth(Enum):
    """Whether a product is to be tiled: where sizes are not known, as IREE decides, unless others never are."""

    NEVER, NO, UNKNOWN, YES = range(4)


def tiling_of(text: str) -> Tiling:
    """What to tile of a program's products: all, as IREE does, unless some are known to lose by it, or to go wrong."""
    maps = {name: results.split(", ") for name, results in _MAP.findall(text)}
    worth = [(found, _worth_of(found, maps)) for found in _products(text)]
    kinds = {kind for _, kind in worth}
    if not kinds:
        return Tiling(text, False)
    if _Worth.NEVER not in kinds and (_Worth.NO not in kinds or _Worth.UNKNOWN in kinds):
        return Tiling(text, True)
    pieces, end = [], 0
    for found, kind in worth:
        if kind is _Worth.YES:
            pieces += [text[end : found.start(5)], _MARK]
            end = found.start(5)
    return Tiling("".join([*pieces, text[end:]]), bool(pieces))


def _products(text: str) -> Iterator[re.Match[str]]:
    """The reductions that add products of two factors, as IREE recognises them."""
    for found in _REDUCTION.finditer(text):
        done = [one for one in _OPERATION.findall(found[5]) if one not in _EXTENSIONS]
        if done in (["arith.mulf", "arith.addf"], ["arith.muli", "arith.addi"]) and found[1].count(",") == 2:
            yield found


def _worth_of(found: re.Match[str], maps: Mapping[str, list[str]]) -> _Worth:
    operands = [maps.get(name) for name in found[1].split(", ")]
    shapes = [one[1].split("x")[:-1] for one in _SHAPE.finditer(f"{found[3]}, {found[4]}")]
    sizes: dict[str, int | None] = {}
    for dims, shape in zip(operands, shapes, strict=False):
        if dims is None or len(dims) != len(shape):
            return _Worth.UNKNOWN
        sizes |= {dim: None if size == "?" else int(size) for dim, size in zip(dims, shape, strict=True)}
    if len(shapes) != 3 or not all(re.fullmatch(r"d\d+", dim) for dim in sizes):
        return _Worth.UNKNOWN
    left, right, result = ([dim for dim in dims or () if sizes[dim] != 1] for dims in operands)
    rows = [dim for dim in left if dim in result and dim not in right]
    columns = [dim for dim in right if dim in result and dim not in left]
    inner = [dim for dim in left if dim in right and dim not in result]
    if any(dim in left and dim in right for dim in result):
        return _Worth.NEVER
    known = {dim: size for dim, size in sizes.items() if size is not None}
    if len(known) < len(sizes) or max(map(len, (rows, columns, inner))) > 1:
        return _Worth.UNKNOWN
    by_rows = bool(inner) and left[-1] == right[-1] == inner[0]
    few = min(prod(known[dim] for dim in rows), prod(known[dim] for dim in columns))
    return _Worth.YES if few > (FEW_ROWS_OF_ROWS if by_rows else FEW_ROWS) else _Worth.NO
