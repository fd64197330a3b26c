"""Rows of text in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wax_runtime.snapshot import Location

__all__ = ["short_place", "table"]


def short_place(location: Location | None) -> str:
    """The file, without its folder, and the line."""
    return "" if location is None else f"{location.file.rpartition('/')[2]}:{location.line}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: int) -> Iterator[str]:
    """Lines, of which the last so many columns are numbers and stand to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        cells = [
            cell.rjust(width) if place >= len(row) - numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
