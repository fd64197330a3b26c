"""Scaled dot-product attention, from products and a softmax."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wax import dtypes
from wax.array import Array
from wax.dims import Size, format_shape, same, same_shape
from wax.eager import api
from wax.errors import PromotionError, ShapeError
from wax.nn._operands import placed_some
from wax.nn.dropping import dropout
from wax.numpy._basis import ArrayLike, basis, cast, is_one, lift, lift_all, placed, scalars, shapes_text, squeezed
from wax.numpy._contraction import Label
from wax.numpy._reduction import maximized, summed
from wax.numpy.manipulation import reshape
from wax.transform.custom import stop_gradient

__all__ = ["attention"]


@api
def attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    /,
    *,
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    query_offset: ArrayLike = 0,
    scale: float | None = None,
    softcap: float | None = None,
    dropout_key: ArrayLike | None = None,
    dropout_rate: float = 0.0,
) -> Array:
    """`softmax(query @ key.mT * scale + mask) @ value`, over heads and batches.

    `query` has shape (…, heads, queries, width), `key` (…, groups, keys, width), `value` (…, groups, keys, out);
    `groups` divides `heads`, and each group of keys serves that many neighbouring heads. Without heads, the
    shapes are (queries, width) and so on. `scale` is 1/√width unless given; `softcap` makes a scaled score s
    `softcap * tanh(s / softcap)`. `mask` broadcasts to (…, heads, queries, keys): a boolean one keeps where it is
    true, any other is added. A query that may see no key gives zeros.

    `is_causal` keeps, for query i, the keys up to `query_offset + i`. The offset, an integer or one for each batch, is
    the first query's place among the keys: so a few queries attend to the keys of a cache (see `update_cache`).

    With `dropout_key`, each weight is 0 with the chance `dropout_rate`, and the others grow by `1 / (1 - rate)`.
    Half floats: products are summed, and the softmax is taken, in float32. Values are mixed before they are divided by
    the sum of weights, so they must be below the largest float32, or float64, by a factor of as many as there are keys.

    (A. Vaswani and others, "Attention Is All You Need", 2017; J. Ainslie and others, "GQA", 2023, for groups.)
    Raises `ShapeError`, `PromotionError`, `InvalidArgumentError`.

    >>> wax.nn.attention(wnp.ones((2, 8, 5, 16)), wnp.ones((2, 4, 7, 16)), wnp.ones((2, 4, 7, 3))).shape
    (2, 8, 5, 3)
    """
    q, k, v = lift_all("attention", query, key, value)
    if dtypes.kind(q.dtype) != "float":
        raise PromotionError(f"attention takes floating dtypes, not {q.dtype}")
    _check_shapes(q, k, v)
    factor = 1.0 / math.sqrt(_static_width(q)) if scale is None else scale
    heads = q.shape[-3] if q.ndim > 2 else 1
    groups = k.shape[-3] if k.ndim > 2 else 1
    # The heads of a group become a dim of their own, which keys and values do not have.
    grouped = q.ndim > 2 and not same(heads, groups)
    if grouped:
        q = reshape(q, (*q.shape[:-3], groups, heads // groups, *q.shape[-2:]))
    batch: list[Label] = list(range(k.ndim - 2))
    member: list[Label] = ["member"] if grouped else []
    scores = _summed_products(q, [*batch, *member, "query", "width"], k, [*batch, "key", "width"], "width")
    # scores: batch, member, query, key, in float32 for half floats
    masked = _masked(
        scores,
        mask,
        _limits(q.shape[-2], k.shape[:-3], query_offset) if is_causal else None,
        grouped,
        heads,
        (factor, softcap),
    )
    weights, totals = _weights(masked)
    if dropout_key is not None:
        # What is dropped still counts in the sum that weights are divided by.
        weights = dropout(dropout_key, weights, dropout_rate)
    mixed = _summed_products(weights, [*batch, *member, "query", "key"], v, [*batch, "key", "out"], "key")
    last = mixed.ndim - 1
    result = placed(_quotient, [(mixed, range(mixed.ndim)), (totals, range(last))], dtype=v.dtype)
    return reshape(result, (*result.shape[:-4], heads, *result.shape[-2:])) if grouped else result


def _static_width(q: Any) -> int:
    width = q.shape[-1]
    if not isinstance(width, int):
        raise ShapeError(f"attention of a query {shapes_text([q])}: its width is symbolic; give scale=")
    return max(width, 1)


def _check_shapes(q: Any, k: Any, v: Any) -> None:
    problem = None
    if q.ndim < 2 or k.ndim != q.ndim or v.ndim != q.ndim:
        problem = "all three need the same rank, at least 2"
    elif not all(same(a, b) and same(b, c) for a, b, c in zip(q.shape[:-3], k.shape[:-3], v.shape[:-3], strict=True)):
        problem = "the batch dims are not equal"
    elif not same(q.shape[-1], k.shape[-1]):
        problem = f"the widths of query and key are {q.shape[-1]} and {k.shape[-1]}"
    elif not same(k.shape[-2], v.shape[-2]):
        problem = f"there are {k.shape[-2]} keys and {v.shape[-2]} values"
    elif q.ndim > 2 and not (same(k.shape[-3], v.shape[-3]) and same(q.shape[-3] % k.shape[-3], 0)):
        problem = f"{q.shape[-3]} heads are no multiple of {k.shape[-3]} groups of keys and {v.shape[-3]} of values"
    if problem:
        raise ShapeError(f"attention of {shapes_text([q, k, v])}: {problem}")


def _product(a: Any, b: Any, *, dtype: dtypes.DType) -> Any:
    return scalars.multiply(scalars.cast(a, dtype), scalars.cast(b, dtype))


def _summed_products(a: Any, a_labels: list[Label], b: Any, b_labels: list[Label], inner: Label) -> Any:
    """A contraction over `inner` that stays in float32 for half floats."""
    labels = [label for label in a_labels if label != inner]
    labels += [label for label in b_labels if label not in a_labels]
    order = [*labels, inner]
    operands = [(x, [order.index(label) for label in names]) for x, names in ((a, a_labels), (b, b_labels))]
    dtype = dtypes.widened(b.dtype)
    return summed(placed(_product, operands, dtype=dtype), [len(labels)])


# The mask, and the softmax without its division, which comes after the values are mixed.


def _limits(queries: Size, batches: Sequence[Size], offset: ArrayLike) -> Any:
    """The place of each query among the keys: a vector, or one for each batch."""
    start = lift(offset)
    if dtypes.kind(start.dtype) not in ("int", "uint"):
        raise PromotionError(f"attention: query_offset must be an integer, it is of {start.dtype}")
    if start.ndim and not same_shape(start.shape, tuple(batches)):
        raise ShapeError(
            f"attention: query_offset has shape {format_shape(start.shape)}; it is one integer, or an array of the "
            f"batches' shape {format_shape(tuple(batches))}"
        )
    rows = basis.iota(0, (queries,), dtypes.int32)
    return placed(_added, [(rows, [start.ndim]), (cast(start, dtypes.int32), range(start.ndim))])


def _added(x: Any, y: Any) -> Any:
    return scalars.add(x, y)


def _with_mask(score: Any, mask: Any, limit: Any, key: Any, *, factor: float, softcap: float | None) -> Any:
    low = score.kernel.constant(float("-inf"), score.dtype)
    score = score * factor
    if softcap is not None:
        score = scalars.tanh(score / softcap) * softcap
    if mask is not None:
        score = scalars.select(mask, score, low) if mask.kind == "bool" else score + scalars.cast(mask, score.dtype)
    return score if limit is None else scalars.select(key <= limit, score, low)


def _masked(
    scores: Any, mask: Any, limits: Any, grouped: bool, heads: Size, scaling: tuple[float, float | None]
) -> Any:
    last = scores.ndim - 1
    operands: list[tuple[Any, Sequence[int]] | None] = [(scores, range(scores.ndim)), None, None, None]
    if mask is not None:
        operands[1] = _aligned_mask(scores, lift(mask), grouped, heads)
    if limits is not None:
        operands[2] = limits, [*range(limits.ndim - 1), last - 1]
        operands[3] = basis.iota(0, (scores.shape[last],), dtypes.int32), [last]
    factor, softcap = scaling
    return placed_some(_with_mask, operands, factor=float(factor), softcap=softcap)


def _aligned_mask(scores: Any, mask: Any, grouped: bool, heads: Size) -> tuple[Any, list[int]]:
    """The mask without the dims that are stretched, and the dims of the scores that its own are."""
    target = (*scores.shape[:-4], heads, *scores.shape[-2:]) if grouped else scores.shape
    offset = len(target) - mask.ndim
    fits = offset >= 0 and all(
        is_one(size) or same(size, target[offset + axis]) for axis, size in enumerate(mask.shape)
    )
    if not fits:
        raise ShapeError(
            f"attention: the mask {shapes_text([mask])} does not broadcast to {format_shape(target)}, "
            "the batch dims, heads, queries and keys"
        )
    head_axis = len(target) - 3 - offset
    if grouped and head_axis >= 0 and not is_one(mask.shape[head_axis]):
        groups, members = scores.shape[-4], scores.shape[-3]
        mask = reshape(mask, (*mask.shape[:head_axis], groups, members, *mask.shape[head_axis + 1 :]))
    elif grouped and head_axis >= 0:
        mask = reshape(mask, (*mask.shape[:head_axis], 1, 1, *mask.shape[head_axis + 1 :]))
    offset = scores.ndim - mask.ndim
    stretched = [
        axis for axis, size in enumerate(mask.shape) if is_one(size) and not is_one(scores.shape[offset + axis])
    ]
    return squeezed(mask, stretched), [offset + axis for axis in range(mask.ndim) if axis not in stretched]


def _weight(score: Any, largest: Any) -> Any:
    # Where all scores are -inf the shift must not be: each weight is then exp(-inf), zero.
    shift = scalars.select(scalars.isfinite(largest), largest, 0)
    return scalars.exp(score - shift)


def _weights(scores: Any) -> tuple[Any, Any]:
    """exp of the scores, shifted by the largest over the keys, and its sums."""
    last = scores.ndim - 1
    weights = placed(_weight, [(scores, range(scores.ndim)), (stop_gradient(maximized(scores, [last])), range(last))])
    return weights, summed(weights, [last])


def _quotient(mixed: Any, total: Any, *, dtype: dtypes.DType) -> Any:
    # No key at all: the sum is zero, and so is what was mixed.
    safe = scalars.select(total == 0, 1, total)
    return scalars.cast(mixed / safe, dtype)
