"""Contraction of two arrays with labelled dims: one broadcast that multiplies, one reduce that adds.

Every product of the namespace (`matmul`, `tensordot`, `einsum` …) is written with `contract`. Half floats are
multiplied and added in float32 and rounded once; integers stay in their dtype.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

from wax import dtypes
from wax.numpy._basis import basis, cast, placed, refuse_dtype, scalars
from wax.numpy._pieces import counter
from wax.numpy._reduction import summed

__all__ = ["Label", "contract", "refuse_bool", "transposed", "without_repeats"]

#: The name of a dim: a letter, or a number for one without a letter.
Label: TypeAlias = "str | int"
_Label = TypeVar("_Label", bound="str | int")


def _product(a: Any, b: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.multiply(scalars.cast(a, dtype), scalars.cast(b, dtype))


def refuse_bool(name: str, dtype: dtypes.DType) -> None:
    """Raise `PromotionError` for booleans, which have no product."""
    if dtypes.kind(dtype) == "bool":
        refuse_dtype(name, dtype, "convert with .astype(wnp.int32), or use wnp.any(a & b)")


def contract(a: Any, a_labels: Sequence[Label], b: Any, b_labels: Sequence[Label], labels: Sequence[Label]) -> Any:
    """The product of `a` and `b`, of one dtype, summed over the labels that `labels` does not have.

    A label stands at most once in each list; dims of one label have equal sizes. Every label of the result
    stands in an operand.
    """
    summed_labels = [label for label in dict.fromkeys((*a_labels, *b_labels)) if label not in labels]
    order: list[Label] = [*labels, *summed_labels]
    dtype = dtypes.widened(a.dtype)
    product = placed(
        _product,
        [(a, [order.index(label) for label in a_labels]), (b, [order.index(label) for label in b_labels])],
        dtype=dtype,
    )
    if summed_labels:
        product = summed(product, range(len(labels), len(order)))
    return cast(product, a.dtype)


def transposed(a: Any, a_labels: Sequence[Label], labels: Sequence[Label]) -> Any:
    """The dims of `a` in the order of `labels`, which are the same ones."""
    order = [list(a_labels).index(label) for label in labels]
    return a if order == list(range(len(order))) else basis.permute(a, order)


def without_repeats(x: Any, labels: Sequence[_Label]) -> tuple[Any, list[_Label]]:
    """Each label once: where one stands again, that dim is read at the index along the first."""
    kept = list(dict.fromkeys(labels))
    if len(kept) == len(labels):
        return x, kept
    operand_dims: list[int] = []
    indices: list[Any] = []
    index_dims: list[list[int]] = []
    for axis, label in enumerate(labels):
        if label in labels[:axis]:
            operand_dims.append(-1)
            indices.append(counter(x.shape[axis]))
            index_dims.append([kept.index(label)])
        else:
            operand_dims.append(kept.index(label))
    return basis.gather(x, indices, operand_dims, index_dims), kept
