"""Results whose size depends on the data: the elements where something holds, moved to the front.

How many there are is not known while tracing, so a size is given, and what is beyond is filled. Outside `jit` the
size is the greatest possible, and the result is cut when the number is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wax import dtypes
from wax._trace import is_tracing
from wax.array import Array
from wax.dims import Size, same
from wax.errors import DataDependentShapeError, InvalidArgumentError
from wax.numpy._basis import basis, check_shape, constant, filled, placed, scalars
from wax.numpy._pieces import counter, picked
from wax.numpy._reduction import summed, sums_along
from wax.numpy.updating import updated

__all__ = ["check_size", "chosen", "cut", "filled_beyond", "first_true", "refuse_without_size"]


def refuse_without_size(name: str) -> None:
    """Raise `DataDependentShapeError` where a trace is active."""
    if is_tracing():
        raise DataDependentShapeError(
            f"{name}: how many elements it gives depends on the data, which is not known while tracing; give the "
            f"number with size=, and with fill_value= what stands in the places beyond"
        )


def check_size(name: str, size: Any) -> Size:
    """The argument `size`: static or symbolic. Raises `ShapeError`, `InvalidArgumentError`."""
    sizes = check_shape(name, size)
    if len(sizes) != 1:
        raise InvalidArgumentError(f"{name}: size= is one number, not {size!r}")
    return sizes[0]


def first_true(mask: Any, size: Size, fill: Any = 0) -> tuple[Any, Any]:
    """The indices of the first `size` true elements of a vector, `fill` beyond; and how many are true."""
    count = summed(mask, (0,), dtypes.default_int)
    beyond = basis.dimension_value(size, dtypes.default_int)
    before = sums_along(mask, 0, dtypes.default_int, exclusive=True)
    places = placed(_place, [(mask, (0,)), (before, (0,)), (beyond, ())])
    # Each place is met once at most, so that adding to zero sets, in any order.
    found = updated(filled(constant(0, dtypes.default_int), (), (size,)), places, counter(mask.shape[0]), "add")
    return filled_beyond(found, count, fill), count


def _place(flag: Any, before: Any, size: Any) -> Any:
    return scalars.select(flag, before, size)


def filled_beyond(x: Any, count: Any, fill: Any) -> Any:
    """The first `count` elements of a vector, the number `fill` beyond."""
    dtypes.check_fits("fill_value", fill, x.dtype)
    rest = constant(fill, x.dtype)
    return placed(_up_to, [(x, (0,)), (count, ()), (counter(x.shape[0]), (0,)), (rest, ())])


def _up_to(x: Any, count: Any, place: Any, fill: Any) -> Any:
    return scalars.select(place < count, x, fill)


def chosen(x: Any, indices: Any) -> Any:
    """The elements of a vector at indices that lie in it; zeros where it has none."""
    if same(x.shape[0], 0):
        return filled(constant(0, x.dtype), (), indices.shape)
    return picked(x, indices, 0)


def cut(results: Sequence[Array], count: Array) -> list[Array]:
    """The first `count` elements of vectors that hold as many as there can be."""
    length = int(count)
    return [Array.from_numpy(x.numpy()[:length]) for x in results]
