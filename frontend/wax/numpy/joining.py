"""Arrays put together and turned as NumPy has it by names: dims filled up, rows beside and below each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wax.array import Array
from wax.dims import Size, format_shape
from wax.eager import api
from wax.errors import AxisError, InvalidArgumentError, ShapeError
from wax.numpy._basis import ArrayLike, Shape, check_axes, check_axis, check_shape, expanded, integer, lift
from wax.numpy._elementwise import broadcast_shape
from wax.numpy._pieces import piece
from wax.numpy.manipulation import concat, flip, reshape, swapaxes

__all__ = [
    "append",
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_shapes",
    "column_stack",
    "dstack",
    "fliplr",
    "flipud",
    "hstack",
    "ravel",
    "rot90",
    "vstack",
]


class _Shaped:
    """Something of a shape, for messages too."""

    def __init__(self, shape: tuple[Size, ...]) -> None:
        self.shape, self.ndim = shape, len(shape)
        self.dtype: Any = _Nameless


class _Nameless:
    name = ""


def broadcast_shapes(*shapes: Shape) -> tuple[Size, ...]:
    """The shape that shapes broadcast to. Raises `ShapeError`.

    >>> wnp.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    sizes = [check_shape("broadcast_shapes", shape) for shape in shapes]
    return broadcast_shape("broadcast_shapes", [_Shaped(shape) for shape in sizes]) if sizes else ()


@api
def ravel(x: ArrayLike, /) -> Array:
    """The elements in one dim, row by row.

    >>> wnp.ravel(wnp.asarray([[1, 2], [3, 4]]))
    Array([1, 2, 3, 4], dtype=int32)
    """
    return reshape(x, (-1,))


def _at_least(x: Any, before: dict[int, Sequence[int]]) -> Any:
    value = lift(x)
    return expanded(value, before.get(value.ndim, ()))


@api
def atleast_1d(x: ArrayLike, /) -> Array:
    """The array, of rank 0 as a vector of one element.

    >>> wnp.atleast_1d(wnp.asarray(3)).shape
    (1,)
    """
    return _at_least(x, {0: [0]})


@api
def atleast_2d(x: ArrayLike, /) -> Array:
    """The array, with dims of size 1 in front up to two.

    >>> wnp.atleast_2d(wnp.zeros(3)).shape
    (1, 3)
    """
    return _at_least(x, {0: [0, 1], 1: [0]})


@api
def atleast_3d(x: ArrayLike, /) -> Array:
    """The array, with dims of size 1 up to three: a vector in the middle, a matrix first.

    >>> wnp.atleast_3d(wnp.zeros(3)).shape, wnp.atleast_3d(wnp.zeros((3, 4))).shape
    ((1, 3, 1), (3, 4, 1))
    """
    return _at_least(x, {0: [0, 1, 2], 1: [0, 2], 2: [2]})


@api
def hstack(arrays: Sequence[ArrayLike], /) -> Array:
    """Arrays beside each other: along the second axis, vectors along their only one.

    Raises `ShapeError`, `PromotionError`.

    >>> wnp.hstack([wnp.asarray([1, 2]), wnp.asarray([3])])
    Array([1, 2, 3], dtype=int32)
    """
    values: Any = [atleast_1d(x) for x in arrays]
    return concat(values, axis=1 if len(values) and values[0].ndim > 1 else 0)


@api
def vstack(arrays: Sequence[ArrayLike], /) -> Array:
    """Arrays below each other: along the first axis, vectors as rows. Raises `ShapeError`, `PromotionError`.

    >>> wnp.vstack([wnp.asarray([1, 2]), wnp.asarray([3, 4])])
    Array([[1, 2],
           [3, 4]], dtype=int32)
    """
    return concat([atleast_2d(x) for x in arrays], axis=0)


@api
def dstack(arrays: Sequence[ArrayLike], /) -> Array:
    """Arrays behind each other: along the third axis. Raises `ShapeError`, `PromotionError`.

    >>> wnp.dstack([wnp.asarray([1, 2]), wnp.asarray([3, 4])]).shape
    (1, 2, 2)
    """
    return concat([atleast_3d(x) for x in arrays], axis=2)


@api
def column_stack(arrays: Sequence[ArrayLike], /) -> Array:
    """Vectors as columns of a matrix, and matrices beside them. Raises `ShapeError`, `PromotionError`.

    >>> wnp.column_stack([wnp.asarray([1, 2]), wnp.asarray([3, 4])])
    Array([[1, 3],
           [2, 4]], dtype=int32)
    """
    values: Any = [lift(x) for x in arrays]
    return concat([x if x.ndim > 1 else reshape(x, (-1, 1)) for x in values], axis=1)


@api
def append(x: ArrayLike, values: ArrayLike, /, *, axis: int | None = None) -> Array:
    """Values behind an array's along an axis; both flattened for none.

    Raises `ShapeError`, `PromotionError`, `AxisError`.

    >>> wnp.append(wnp.asarray([1, 2]), wnp.asarray([[3], [4]]))
    Array([1, 2, 3, 4], dtype=int32)
    """
    return concat([x, values], axis=axis)


@api
def array_split(x: ArrayLike, sections: int, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Pieces along an axis, so many, of which the first ones have an element more where that is needed.

    Raises `AxisError`, `InvalidArgumentError`, `ShapeError` for a symbolic size.

    >>> [part.shape for part in wnp.array_split(wnp.zeros(5), 2)]
    [(3,), (2,)]
    """
    value: Any = lift(x)
    number = check_axis("array_split", axis, value.ndim)
    count = integer("array_split", "the number of sections", sections)
    total = value.shape[number]
    if count < 1:
        raise InvalidArgumentError(f"array_split into {count} sections")
    if not isinstance(total, int):
        raise ShapeError(f"array_split of shape {format_shape(value.shape)}: axis {number} is symbolic; use split")
    size, longer = divmod(total, count)
    starts = [part * size + min(part, longer) for part in range(count + 1)]
    return tuple(piece(value, number, starts[part], starts[part + 1] - starts[part]) for part in range(count))


@api
def fliplr(x: ArrayLike, /) -> Array:
    """The elements of each row in reverse order. Raises `AxisError` below rank 2.

    >>> wnp.fliplr(wnp.asarray([[1, 2], [3, 4]]))
    Array([[2, 1],
           [4, 3]], dtype=int32)
    """
    return flip(x, axis=1)


@api
def flipud(x: ArrayLike, /) -> Array:
    """The rows in reverse order. Raises `AxisError` for rank 0.

    >>> wnp.flipud(wnp.asarray([[1, 2], [3, 4]]))
    Array([[3, 4],
           [1, 2]], dtype=int32)
    """
    return flip(x, axis=0)


@api
def rot90(x: ArrayLike, /, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Turned by `k` right angles in the plane of two axes, from the first towards the second. Raises `AxisError`.

    >>> wnp.rot90(wnp.asarray([[1, 2], [3, 4]]))
    Array([[2, 4],
           [1, 3]], dtype=int32)
    """
    value: Any = lift(x)
    plane = check_axes("rot90", tuple(axes), value.ndim)
    if len(plane) != 2:
        raise AxisError(f"rot90 turns in the plane of two axes, not {axes}")
    first, second = plane
    match integer("rot90", "k", k) % 4:
        case 0:
            return value
        case 1:
            return swapaxes(flip(value, axis=second), first, second)
        case 2:
            return flip(value, axis=plane)
        case _:
            return flip(swapaxes(value, first, second), axis=second)
