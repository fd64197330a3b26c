"""What a call of a program does, where that is always the same: so that it can be done without IREE.

The compiler half writes a `Plan` down; `direct.py` says how it is followed.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Self

__all__ = ["Piece", "Place", "Plan", "Region", "Step"]

#: Memory of an argument, memory that is allocated for the call, or what lives as long as the program.
Region = Literal["argument", "made", "constant"]


class Place(NamedTuple):
    """Where something begins."""

    region: Region
    number: int
    offset: int


class Piece(NamedTuple):
    """A piece of memory, its length in bytes."""

    region: Region
    number: int
    offset: int
    length: int


class Step(NamedTuple):
    """A dispatch with its bindings, a copy from a piece to another, or a fill of one with a value of so many bytes."""

    kind: Literal["dispatch", "copy", "fill"]
    pieces: tuple[Piece, ...]
    value: int = 0
    width: int = 0


class Plan(NamedTuple):
    """The bytes of each block that is allocated, the steps in order, and where the results begin.

    `copied` are arguments that are written to, or returned: another call sees what they were, so a copy goes its way.
    """

    made: tuple[int, ...]
    steps: tuple[Step, ...]
    results: tuple[Place, ...]
    copied: tuple[int, ...]

    @property
    def is_bare(self) -> bool:
        """Whether it has no dispatches."""
        return all(step.kind != "dispatch" for step in self.steps)

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The plan of which `json` has made lists."""
        made, steps, results, copied = data
        return cls(
            tuple(made),
            tuple([Step(kind, tuple([Piece(*piece) for piece in pieces]), *rest) for kind, pieces, *rest in steps]),
            tuple([Place(*place) for place in results]),
            tuple(copied),
        )
