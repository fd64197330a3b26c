"""Blocks of columns or rows, at places that a loop's turn says.

Algorithms go through a matrix by blocks of at most `WIDTH` columns: few turns with large products, and in each a loop
over the block's columns, which touches the block only. The text of a program does not grow with the matrix, and the
number of blocks may be symbolic.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wax import dtypes, primitives
from wax.control_flow.loops import counted_loop
from wax.dims import Size, known_at_most, same
from wax.numpy._basis import basis, lift

__all__ = ["Blocks", "counted_loop", "in_kernels", "number", "piece_at", "put_at"]

#: Columns of a block, at most.
WIDTH = 32


@dataclass(frozen=True, slots=True)
class Blocks:
    """How many blocks there are, and how many columns or rows each has."""

    count: Size
    width: int

    @staticmethod
    def of(size: Size) -> Blocks:
        """Blocks of equal widths that cover `size` columns with the least left over.

        Of a symbolic size they have the greatest width, unless one block holds every size that it may be.
        """
        if not isinstance(size, int):
            most = size.bounds()[1]
            return Blocks((size + (WIDTH - 1)) // WIDTH, WIDTH) if most is None or most > WIDTH else Blocks(1, most)
        count = -(-size // WIDTH)
        return Blocks(count, -(-size // count) if count else 0)

    @property
    def size(self) -> Size:
        """The columns of all blocks."""
        return self.count * self.width

    @property
    def are_none(self) -> bool:
        """Whether there are no columns in any call."""
        return same(self.size, 0)

    @property
    def is_one(self) -> bool:
        """Whether there is one block at most in every call."""
        return known_at_most(self.count, 1)


def number(index: Any) -> Any:
    """The number of a turn, to compute with."""
    return primitives.index_value(index, dtypes.int32)


def in_kernels(size: Size) -> Any:
    """A size as kernels take it: embedded if it is known, otherwise an operand without dims."""
    return size if isinstance(size, int) else primitives.dimension_value(size, dtypes.int32)


def piece_at(x: Any, axis: int, start: Any, size: int) -> Any:
    """`size` elements along an axis from an index value on; of what stands outside of a loop too."""
    offsets: list[Any] = [0] * x.ndim
    sizes = list(x.shape)
    offsets[axis], sizes[axis] = start, size
    return basis.slice(lift(x), offsets, sizes, [1] * x.ndim)


def put_at(update: Any, x: Any, axis: int, start: Any) -> Any:
    """`x` with the elements along an axis, from an index value on, replaced."""
    offsets: list[Any] = [0] * x.ndim
    offsets[axis] = start
    return basis.insert(update, x, offsets, [1] * x.ndim)
