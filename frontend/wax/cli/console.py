"""What the command line says: results to standard output, all else to standard error, in colours where a person reads.

Colours and progress need the package rich; without it, and in pipes and files, text is plain.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

from wax.errors import Location

__all__ = ["error", "note", "table", "working"]


def _rich(stream: TextIO) -> Any:
    """A console of rich's for a terminal; `None` for anything else."""
    if not stream.isatty():
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(file=stream, highlight=False, soft_wrap=True)


def error(message: str, location: Location | None = None) -> None:
    """A fault, in the form that build systems and editors know: `file:line:column: error: message`."""
    place = f"{location}: " if location else ""
    console = _rich(sys.stderr)
    if console is None:
        print(f"{place}error: {message}", file=sys.stderr)
        return
    from rich.text import Text

    console.print(Text.assemble((place, "bold"), ("error: ", "bold red"), message))


def note(message: str) -> None:
    """What is worth knowing, and is no result."""
    print(message, file=sys.stderr)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Rows in columns, to standard output; without the head where a program reads it."""
    console = _rich(sys.stdout)
    if console is not None:
        from rich.table import Table
        from rich.text import Text

        made = Table(*head, box=None, header_style="bold")
        for row in rows:
            made.add_row(*map(Text, row))
        console.print(made)
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)] if rows else []
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows that something takes its time, to a person."""
    console = _rich(sys.stderr)
    if console is None:
        yield
        return
    with console.status(what):
        yield
