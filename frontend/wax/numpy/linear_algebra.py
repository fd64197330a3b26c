"""Products of vectors, matrices and tensors.

Operands promote; booleans are refused. Half floats are multiplied and added in float32 and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wax.array import Array
from wax.dims import same
from wax.eager import api
from wax.errors import InvalidArgumentError, ShapeError
from wax.numpy._basis import (
    ArrayLike,
    check_axes,
    check_axis,
    expanded,
    integer,
    is_one,
    lift_all,
    shapes_text,
    squeezed,
)
from wax.numpy._contraction import Label, contract, refuse_bool
from wax.numpy.arithmetic import conj, multiply
from wax.numpy.manipulation import moveaxis, reshape

__all__ = ["dot", "inner", "kron", "matmul", "outer", "tensordot", "vdot", "vecdot"]


def _factors(name: str, x1: ArrayLike, x2: ArrayLike) -> list[Any]:
    values = lift_all(name, x1, x2)
    refuse_bool(name, values[0].dtype)
    return values


@api
def matmul(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The product of matrices, or of stacks of them, whose other dims broadcast; vectors are rows or columns.

    Raises `ShapeError`, `PromotionError`.

    >>> wnp.matmul(wnp.asarray([[1.0, 2.0], [3.0, 4.0]]), wnp.asarray([1.0, 1.0]))
    Array([3., 7.], dtype=float32)
    """
    a, b = _factors("matmul", x1, x2)
    if not a.ndim or not b.ndim:
        raise ShapeError(f"matmul of {shapes_text([a, b])}: a rank 0 array is no matrix; multiply with *")
    a_rows = ["row"] if a.ndim > 1 else []
    b_columns = ["column"] if b.ndim > 1 else []
    if not same(a.shape[-1], b.shape[-2] if b_columns else b.shape[0]):
        inner = b.shape[-2] if b_columns else b.shape[0]
        raise ShapeError(
            f"matmul of {shapes_text([a, b])}: {a.shape[-1]} columns against {inner} rows; "
            "transpose one of them with .mT, or reshape"
        )
    a, a_batch, b, b_batch, batch = _batches(a, b)
    a_labels = [*a_batch, *a_rows, "inner"]
    b_labels = [*b_batch, "inner", *b_columns]
    return contract(a, a_labels, b, b_labels, [*batch, *a_rows, *b_columns])


def _batches(a: Any, b: Any) -> tuple[Any, list[Label], Any, list[Label], list[Label]]:
    """The operands and the labels of their stacking dims; a dim of size 1 that the other stretches is dropped."""
    a_count, b_count = max(a.ndim - 2, 0), max(b.ndim - 2, 0)
    count = max(a_count, b_count)
    a_labels: list[Label] = []
    b_labels: list[Label] = []
    a_dropped: list[int] = []
    b_dropped: list[int] = []
    for label in range(count):
        a_axis, b_axis = label - (count - a_count), label - (count - b_count)
        if a_axis < 0:
            b_labels.append(label)
        elif b_axis < 0:
            a_labels.append(label)
        else:
            a_size, b_size = a.shape[a_axis], b.shape[b_axis]
            if same(a_size, b_size):
                a_labels.append(label)
                b_labels.append(label)
            elif is_one(a_size):
                a_dropped.append(a_axis)
                b_labels.append(label)
            elif is_one(b_size):
                b_dropped.append(b_axis)
                a_labels.append(label)
            else:
                raise ShapeError(
                    f"matmul of {shapes_text([a, b])}: the stacks do not broadcast, {a_size} against {b_size} "
                    f"along axis {label - count - 2}"
                )
    return squeezed(a, a_dropped), a_labels, squeezed(b, b_dropped), b_labels, list(range(count))


@api
def tensordot(x1: ArrayLike, x2: ArrayLike, /, *, axes: int | Sequence[Sequence[int]] = 2) -> Array:
    """The product summed over pairs of axes: the last and first so many, or those named for each operand.

    Raises `ShapeError`, `AxisError`, `PromotionError`.

    >>> wnp.tensordot(wnp.ones((2, 3, 4)), wnp.ones((4, 3, 5)), axes=((1, 2), (1, 0))).shape
    (2, 5)
    """
    a, b = _factors("tensordot", x1, x2)
    if isinstance(axes, tuple | list):
        if len(axes) != 2:
            raise InvalidArgumentError(f"tensordot: axes are a number or a pair of sequences, not {axes!r}")
        a_axes = check_axes("tensordot", axes[0], a.ndim)
        b_axes = check_axes("tensordot", axes[1], b.ndim)
    else:
        count = integer("tensordot", "axes", axes)
        if not 0 <= count <= min(a.ndim, b.ndim):
            raise ShapeError(f"tensordot of {shapes_text([a, b])}: {count} axes of each")
        a_axes, b_axes = tuple(range(a.ndim - count, a.ndim)), tuple(range(count))
    if len(a_axes) != len(b_axes) or not all(same(a.shape[i], b.shape[j]) for i, j in zip(a_axes, b_axes, strict=True)):
        raise ShapeError(f"tensordot of {shapes_text([a, b])}: the sizes of axes {a_axes} and {b_axes} are not equal")
    a_labels: list[Label] = [f"a{axis}" for axis in range(a.ndim)]
    b_labels: list[Label] = [f"b{axis}" for axis in range(b.ndim)]
    for i, j in zip(a_axes, b_axes, strict=True):
        b_labels[j] = a_labels[i]
    shared = {a_labels[i] for i in a_axes}
    return contract(a, a_labels, b, b_labels, [label for label in (*a_labels, *b_labels) if label not in shared])


@api
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Array:
    """The dot product of vectors along an axis counted from the back, the first one conjugated; other dims broadcast.

    Raises `ShapeError`, `AxisError`, `PromotionError`.

    >>> wnp.vecdot(wnp.asarray([[1, 2], [3, 4]]), wnp.asarray([1, 1]))
    Array([3, 7], dtype=int32)
    """
    a, b = _factors("vecdot", x1, x2)
    if not a.ndim or not b.ndim:
        raise ShapeError(f"vecdot of {shapes_text([a, b])}: both need a dim")
    if integer("vecdot", "axis", axis) >= 0 and a.ndim != b.ndim:
        raise InvalidArgumentError("vecdot: of arrays of different ranks the axis is counted from the back (negative)")
    a: Any = moveaxis(conj(a), check_axis("vecdot", axis, a.ndim), -1)
    b: Any = moveaxis(b, check_axis("vecdot", axis, b.ndim), -1)
    if not same(a.shape[-1], b.shape[-1]):
        raise ShapeError(f"vecdot of {shapes_text([a, b])}: {a.shape[-1]} against {b.shape[-1]} elements")
    # As rows of one element, so that the stacks are all dims but the last.
    a, a_batch, b, b_batch, batch = _batches(expanded(a, [a.ndim - 1]), expanded(b, [b.ndim - 1]))
    a, b = squeezed(a, [a.ndim - 2]), squeezed(b, [b.ndim - 2])
    return contract(a, [*a_batch, "inner"], b, [*b_batch, "inner"], batch)


@api
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Every product of an element of one vector with one of the other. Raises `ShapeError`, `PromotionError`.

    >>> wnp.outer(wnp.asarray([1, 2]), wnp.asarray([3, 4]))
    Array([[3, 4],
           [6, 8]], dtype=int32)
    """
    a, b = _factors("outer", x1, x2)
    if a.ndim != 1 or b.ndim != 1:
        raise ShapeError(f"outer of {shapes_text([a, b])}: both must be vectors; flatten them with .reshape(-1)")
    return contract(a, ["a"], b, ["b"], ["a", "b"])


# NumPy's products.


@api
def dot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """NumPy's `dot`: summed over the last axis of the first and the last but one (or only) of the second.

    No axes broadcast: stacks give all pairs of their matrices. A rank 0 operand multiplies. Raises `ShapeError`,
    `PromotionError`.

    >>> wnp.dot(wnp.asarray([1, 2]), wnp.asarray([3, 4]))
    Array(11, dtype=int32)
    """
    a, b = _factors("dot", x1, x2)
    if not a.ndim or not b.ndim:
        return multiply(a, b)
    return tensordot(a, b, axes=((-1,), (-2 if b.ndim > 1 else -1,)))


@api
def inner(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """NumPy's `inner`: summed over the last axes, for all pairs of vectors. A rank 0 operand multiplies.

    Raises `ShapeError`, `PromotionError`.

    >>> wnp.inner(wnp.asarray([[1, 2], [3, 4]]), wnp.asarray([1, 1]))
    Array([3, 7], dtype=int32)
    """
    a, b = _factors("inner", x1, x2)
    return tensordot(a, b, axes=((-1,), (-1,))) if a.ndim and b.ndim else multiply(a, b)


@api
def vdot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The dot product of all elements of two arrays, the first ones conjugated. Raises `ShapeError`, `PromotionError`.

    >>> wnp.vdot(wnp.asarray([1j, 2]), wnp.asarray([1j, 1]))
    Array(3.+0.j, dtype=complex64)
    """
    a, b = _factors("vdot", x1, x2)
    return vecdot(reshape(a, (-1,)), reshape(b, (-1,)))


@api
def kron(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The Kronecker product: every element of the first array times all of the second, in its place.

    Raises `PromotionError`.

    >>> wnp.kron(wnp.asarray([1, 10]), wnp.asarray([1, 2]))
    Array([ 1,  2, 10, 20], dtype=int32)
    """
    a, b = _factors("kron", x1, x2)
    ndim = max(a.ndim, b.ndim)
    a, b = expanded(a, range(ndim - a.ndim)), expanded(b, range(ndim - b.ndim))
    blocks: list[Label] = [f"a{axis}" for axis in range(ndim)]
    inside: list[Label] = [f"b{axis}" for axis in range(ndim)]
    product: Any = contract(
        a, blocks, b, inside, [label for pair in zip(blocks, inside, strict=True) for label in pair]
    )
    return reshape(product, tuple(m * n for m, n in zip(a.shape, b.shape, strict=True)))
