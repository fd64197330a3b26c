"""The named axes around what is traced now: batches of which it is one row, and which collectives may name.

`transform/batching.py` names them. What is traced depends on them, so that they are part of a trace's key.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from wax.dims import Size

__all__ = ["axis_names", "named_axis"]


class _State(threading.local):
    axes: tuple[tuple[str, Size], ...] = ()


_state = _State()


@contextmanager
def named_axis(name: str | None, size: Size) -> Iterator[None]:
    """What is traced within is one row of a batch of that name and size."""
    outer = _state.axes
    if name is not None:
        _state.axes = (*outer, (name, size))
    try:
        yield
    finally:
        _state.axes = outer


def axis_names() -> tuple[tuple[str, Size], ...]:
    """The axes and their sizes, outermost first."""
    return _state.axes
