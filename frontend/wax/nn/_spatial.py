"""Arguments of functions that slide windows along spatial dims: one number for all of them, or one each; padding."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeAlias

from wax.dims import Size
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy import _basis
from wax.numpy._basis import PerDim, integer

__all__ = ["Padding", "PerDim", "pads", "per_dim"]

#: "VALID" (nothing), "SAME" (as many results as strides fit), or amounts: one number, one a dim, or (low, high) a dim.
Padding: TypeAlias = "str | int | Sequence[int | Sequence[int]]"


#: One number for each spatial dim.
per_dim = partial(_basis.per_dim, noun="spatial dims")


def pads(
    name: str, padding: Any, sizes: Sequence[Size], spans: Sequence[Size], strides: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """What goes before and after each spatial dim. Raises `InvalidArgumentError`, `ShapeError`."""
    dims = len(sizes)
    if isinstance(padding, str):
        match padding.upper():
            case "VALID":
                return ((0, 0),) * dims
            case "SAME":
                return tuple(_same(name, *each) for each in zip(sizes, spans, strides, strict=True))
        raise InvalidArgumentError(f'{name}: padding is "{padding}"; the words are "VALID" and "SAME"')
    listed = padding if isinstance(padding, tuple | list) else (padding,) * dims
    pairs = [tuple(entry) if isinstance(entry, tuple | list) else (entry, entry) for entry in listed]
    if len(pairs) != dims or any(len(pair) != 2 for pair in pairs):
        raise InvalidArgumentError(
            f'{name}: padding is {padding!r}; it must be "VALID", "SAME", one integer, or one integer or one pair '
            f"(low, high) for each of {dims} spatial dims"
        )
    return tuple((integer(name, "padding", low), integer(name, "padding", high)) for low, high in pairs)


def _same(name: str, size: Size, span: Size, stride: int) -> tuple[int, int]:
    """Padding by which a dim has a result every `stride` elements; the odd one goes after."""
    if stride == 1 and isinstance(span, int):
        total = max(span - 1, 0)
    elif isinstance(size, int) and isinstance(span, int):
        total = max((-(-size // stride) - 1) * stride + span - size, 0)
    else:
        raise ShapeError(
            f'{name}: padding="SAME" with stride {stride} depends on the sizes {size} and {span}, and padding is '
            f"static; give it as pairs (low, high), or make the sizes static"
        )
    return total // 2, total - total // 2
