"""Pieces of a program's memory, what is done with them, and where memory is that lives at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from wax_runtime import dtypes

__all__ = ["ALIGNMENT", "SIZES", "Command", "Memory", "Piece", "Result", "Tensor", "behind_each_other", "packed"]

#: Sizes and offsets in a program's memory are multiples of this, in bytes, as kernels may be told.
ALIGNMENT = 64
#: Of elements, in bytes.
SIZES = {name: dtype.numpy.itemsize for name, dtype in dtypes.BY_MLIR.items()}


class Tensor(NamedTuple):
    """The type of a tensor: its shape, as it is written, with its element."""

    shape: tuple[int, ...]
    element: str

    @property
    def size(self) -> int:
        """In bytes."""
        return prod(self.shape) * SIZES[self.element]

    def __str__(self) -> str:
        return f"tensor<{''.join(f'{dim}x' for dim in self.shape)}{self.element}>"


class Memory:
    """What is written once and read later: one of a call's arguments, by number, or what a dispatch makes.

    `first` and `last` are numbers of the commands that write and read it. What is written `once`, when the program is
    loaded, all calls read.
    """

    def __init__(self, size: int, first: int, argument: int | None = None, *, once: bool = False) -> None:
        self.size = size
        self.first = self.last = first
        self.argument = argument
        self.once = once
        self.within: Piece | None = None
        self.returned = False
        self.offset = 0

    def place(self, piece: Piece) -> None:
        """Makes this a part of other memory, which lives as long."""
        self.within = piece
        piece.memory.used(self.first)
        piece.memory.used(self.last)

    def used(self, command: int) -> None:
        """Makes this live when a command is done."""
        self.first, self.last = min(self.first, command), max(self.last, command)
        if self.within is not None:
            self.within.memory.used(command)


class Piece(NamedTuple):
    """A part of memory."""

    memory: Memory
    offset: int
    size: int

    def resolved(self) -> Piece:
        """The same as a part of memory that is no part of other."""
        outer = self.memory.within
        return self if outer is None else Piece(outer.memory, outer.offset + self.offset, self.size).resolved()


class Command(NamedTuple):
    """What is done, and pieces that are read, and written: what a kernel of a name does, a copy, or a fill, of which
    there is the number and how many bytes it has.
    """

    reads: Sequence[Piece]
    writes: Sequence[Piece]
    kernel: str | None = None
    number: int | None = None
    width: int = 0


class Result(NamedTuple):
    """What is returned, and what is said of it."""

    piece: Piece
    type: Tensor
    about: str


def behind_each_other(memories: Sequence[Memory]) -> int:
    """Where memory is that lives on, and its size in all: as it is where there is one."""
    if len(memories) == 1:
        return memories[0].size
    end = 0
    for memory in memories:
        memory.offset, end = end, end + _rounded(memory.size)
    return end


def packed(memories: Sequence[Memory]) -> int:
    """Where memory is that lives for a while, and its size in all. Each is put where nothing is that lives at a time
    when it does, as they are made or the largest first (Pisarchyk and Lee, Efficient Memory Management for Deep Neural
    Net Inference, 2020), whichever takes less.
    """
    orders = (memories, sorted(memories, key=lambda memory: memory.size, reverse=True))
    end, offsets = min((_packed_in_order(order) for order in orders), key=lambda found: found[0])
    for memory, offset in offsets.items():
        memory.offset = offset
    return end


def _packed_in_order(memories: Sequence[Memory]) -> tuple[int, dict[Memory, int]]:
    first = np.array([memory.first for memory in memories])
    last = np.array([memory.last for memory in memories])
    begins, ends = np.zeros((2, len(memories)), np.int64)
    for number, memory in enumerate(memories):
        size, at = _rounded(memory.size), 0
        there = np.flatnonzero((first[:number] <= memory.last) & (last[:number] >= memory.first))
        for other in there[np.argsort(begins[there])]:
            if begins[other] >= at + size:
                break
            at = max(at, int(ends[other]))
        begins[number], ends[number] = at, at + size
    return int(ends.max(initial=0)), dict(zip(memories, begins.tolist(), strict=True))


def _rounded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT
