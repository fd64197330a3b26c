"""Layers that look up or multiply by parameters."""

from __future__ import annotations

from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import product, same
from wax.dtypes import DTypeLike
from wax.eager import api
from wax.errors import InvalidArgumentError, PromotionError, ShapeError
from wax.numpy._basis import ArrayLike, basis, check_axis, integer, lift, lift_all, placed, scalars, shapes_text
from wax.numpy._contraction import Label, contract, refuse_bool
from wax.numpy.arithmetic import add
from wax.numpy.indexing import take
from wax.numpy.manipulation import reshape

__all__ = ["embedding", "linear", "one_hot"]


@api
def linear(x: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None, /, *, transposed: bool = False) -> Array:
    """`x` of shape (…, in) to (…, out): `x @ weight.T + bias`.

    `weight` has shape (out, in), as PyTorch stores it; with `transposed=True` it has shape (in, out), as in
    `x @ weight`. `bias` has shape (out,). Raises `ShapeError`, `PromotionError`.

    >>> wax.nn.linear(wnp.ones((4, 3)), wnp.ones((2, 3)), wnp.ones(2)).shape
    (4, 2)
    """
    value, matrix = lift_all("linear", x, weight)
    refuse_bool("linear", value.dtype)
    names: list[Label] = ["in", "out"] if transposed else ["out", "in"]
    if not value.ndim or matrix.ndim != 2 or not same(value.shape[-1], matrix.shape[names.index("in")]):
        form = "(in, out)" if transposed else "(out, in)"
        raise ShapeError(
            f"linear of {shapes_text([value, matrix])}: the weight must have shape {form} with in = the last dim of x; "
            f"pass transposed={not transposed} for the other layout"
        )
    rows = value.shape[:-1]
    # IREE's data tiling takes a matmul with one dynamic dim of rows, not with two, and is twice as fast.
    merged = sum(not isinstance(size, int) for size in rows) > 1
    if merged:
        value = reshape(value, (product(rows), value.shape[-1]))
    labels: list[Label] = list(range(value.ndim - 1))
    result = contract(value, [*labels, "in"], matrix, names, [*labels, "out"])
    if bias is not None:
        offset = lift(bias)
        if offset.ndim != 1 or not same(offset.shape[0], result.shape[-1]):
            raise ShapeError(f"linear: the bias is {shapes_text([offset])}, the result {shapes_text([result])}")
        result = add(result, offset)
    return reshape(result, (*rows, result.shape[-1])) if merged else result


@api
def embedding(table: ArrayLike, ids: ArrayLike, /) -> Array:
    """The rows of a table (rows, width) at integer ids of any shape; ids out of range are clamped.

    Raises `ShapeError`, `PromotionError`.

    >>> wax.nn.embedding(wnp.asarray([[1.0, 2.0], [3.0, 4.0]]), wnp.asarray([1, 0, 1])).shape
    (3, 2)
    """
    rows = lift(table)
    if rows.ndim != 2:
        raise ShapeError(f"embedding: the table is {shapes_text([rows])} and must have shape (rows, width)")
    return take(rows, ids, axis=0)


def _is_class(label: Any, number: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.cast(label == number, dtype)


@api
def one_hot(labels: ArrayLike, num_classes: int, /, *, axis: int = -1, dtype: DTypeLike = None) -> Array:
    """A new axis with one at the label and zeros elsewhere; all zeros for a label that is no class.

    Raises `PromotionError` for labels that are not integers, `AxisError`.

    >>> wax.nn.one_hot(wnp.asarray([0, 2]), 3)
    Array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    value = lift(labels)
    if dtypes.kind(value.dtype) not in ("int", "uint"):
        raise PromotionError(f"one_hot: labels must be integers, they are {value.dtype}")
    count = integer("one_hot", "num_classes", num_classes)
    if count < 0:
        raise InvalidArgumentError(f"one_hot: num_classes must not be negative, it is {count}")
    place = check_axis("one_hot", axis, value.ndim + 1)
    counted = value.dtype if dtypes.bits(value.dtype) >= 32 else dtypes.int32
    numbers = basis.iota(0, (count,), counted)
    dims = [dim for dim in range(value.ndim + 1) if dim != place]
    target = dtypes.float32 if dtype is None else dtypes.canonical(dtype)
    return placed(_is_class, [(value, dims), (numbers, [place])], dtype=target)
