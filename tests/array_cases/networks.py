"""Normalization, layers and attention over dtypes, with grouped heads, masks and empty dims."""

from __future__ import annotations

import numpy as np

import wax.nn
import wax.numpy as wnp
from array_cases.case import BF16, F16, F32, F64, FLOATS, Case, floats, integers, rng, wide


def _norms(dtype):
    x = floats(dtype, (2, 5, 7), "norms")
    weight, bias = floats(dtype, (7,), "weight"), floats(dtype, (7,), "bias")
    two = floats(dtype, (5, 7), "two")
    v, w, b = wide(x), wide(weight), wide(bias)

    def layer(v, axis, eps=1e-5):
        return (v - v.mean(axis=axis, keepdims=True)) / np.sqrt(v.var(axis=axis, keepdims=True) + eps)

    def rms(v, axis):
        return v / np.sqrt((v**2).mean(axis=axis, keepdims=True) + 1e-6)

    nn, f = wax.nn, dtype.name
    return [
        Case(f"layer_norm-{f}", nn.layer_norm, (x,), layer(v, -1).astype(dtype), 16, 1e-5),
        Case(
            f"layer_norm-parameters-{f}",
            nn.layer_norm,
            (x, weight, bias),
            (layer(v, -1) * w + b).astype(dtype),
            16,
            1e-5,
        ),
        Case(
            f"layer_norm-weight-{f}",
            lambda x, w: nn.layer_norm(x, w, eps=1e-12),
            (x, weight),
            (layer(v, -1, 1e-12) * w).astype(dtype),
            16,
            1e-5,
        ),
        Case(
            f"layer_norm-axes-{f}",
            lambda x, w: nn.layer_norm(x, w, axis=(1, 2)),
            (x, two),
            (layer(v, (1, 2)) * wide(two)).astype(dtype),
            16,
            1e-5,
        ),
        Case(f"layer_norm-first-{f}", lambda x: nn.layer_norm(x, axis=0), (x,), layer(v, 0).astype(dtype), 16, 1e-5),
        Case(f"rms_norm-{f}", nn.rms_norm, (x,), rms(v, -1).astype(dtype), 16, 1e-5),
        Case(f"rms_norm-weight-{f}", nn.rms_norm, (x, weight), (rms(v, -1) * w).astype(dtype), 16, 1e-5),
        Case(
            f"softmax-large-{f}",
            lambda x: nn.softmax(x * 100),
            (x,),
            _softmax(wide((x * dtype.type(100)).astype(dtype))).astype(dtype),
            32,
            1e-6,
        ),
    ]


def _softmax(v):
    e = np.exp(v - v.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _layers(dtype):
    x, w, b = floats(dtype, (2, 3, 4), "x"), floats(dtype, (5, 4), "w"), floats(dtype, (5,), "b")
    v, m = wide(x), wide(w)
    table = floats(dtype, (11, 4), "table")
    ids = rng("ids").integers(0, 11, (2, 6)).astype("i4")
    labels = np.array([[0, 2], [3, 7], [-1, 1]], "i4")
    nn, f = wax.nn, dtype.name
    tiny = 1e-4 if dtype in (F16, F32) else 1e-2 if dtype == BF16 else 1e-12
    return [
        Case(f"linear-{f}", nn.linear, (x, w), (v @ m.T).astype(dtype), 4, tiny),
        Case(
            f"linear-bias-{f}",
            nn.linear,
            (x, w, b),
            ((v @ m.T).astype(dtype).astype(v.dtype) + wide(b)).astype(dtype),
            4,
            4 * tiny if dtype != F16 else 1e-2,
        ),
        Case(
            f"linear-transposed-{f}",
            lambda x, w: nn.linear(x, w, transposed=True),
            (x, w.T.copy()),
            (v @ m.T).astype(dtype),
            4,
            tiny,
        ),
        Case(f"linear-vector-{f}", nn.linear, (x[0, 0], w), (v[0, 0] @ m.T).astype(dtype), 4, tiny),
        Case(f"embedding-{f}", nn.embedding, (table, ids), table[ids]),
        Case(
            f"one_hot-{f}",
            lambda i: nn.one_hot(i, 4, dtype=dtype),
            (labels,),
            (labels[..., None] == np.arange(4)).astype(dtype),
        ),
        Case(
            f"one_hot-axis-{f}",
            lambda i: nn.one_hot(i, 4, axis=0, dtype=dtype),
            (labels,),
            (labels[None] == np.arange(4)[:, None, None]).astype(dtype),
        ),
        Case(f"one_hot-none-{f}", lambda i: nn.one_hot(i, 0, dtype=dtype), (labels,), np.zeros((3, 2, 0), dtype)),
    ]


def _attend(q, k, v, keep=None, add=None, scale=None):
    """The judge: grouped heads repeated, rows that see nothing are zero."""
    if q.ndim > 2:
        k, v = (np.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    scores = q @ np.swapaxes(k, -1, -2) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    if add is not None:
        scores = scores + add
    if keep is not None:
        scores = np.where(keep, scores, -np.inf)
    with np.errstate(all="ignore"):
        largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
        e = np.exp(scores - np.where(np.isfinite(largest), largest, 0))
        total = e.sum(axis=-1, keepdims=True)
        return (e / np.where(total == 0, 1, total)) @ v


def _attention(dtype):
    nn, f = wax.nn, dtype.name

    def qkv(q_shape, k_shape, v_shape):
        return tuple(floats(dtype, s, key) for s, key in ((q_shape, "q"), (k_shape, "k"), (v_shape, "v")))

    plain = qkv((2, 4, 5, 8), (2, 4, 7, 8), (2, 4, 7, 3))
    grouped = qkv((2, 6, 5, 8), (2, 2, 7, 8), (2, 2, 7, 3))
    flat = qkv((5, 8), (7, 8), (7, 3))
    source = rng("masks")
    keep = source.random((2, 1, 5, 7)) < 0.6
    keep[0, 0, 2] = False
    padding = (source.random((2, 1, 1, 7)) < 0.6) | (np.arange(7) == 0)
    heads = source.random((6, 5, 7)) < 0.7
    added = floats(dtype, (5, 7), "added")
    causal = np.arange(7) <= np.arange(5)[:, None]

    def case(name, function, operands, *judged, **masks):
        expected = _attend(*map(wide, judged or operands[:3]), **masks).astype(dtype)
        return Case(f"attention-{name}-{f}", function, operands, expected, 16, 1e-5 if dtype in (F32, F64) else 1e-3)

    return [
        case("plain", nn.attention, plain),
        case("flat", nn.attention, flat),
        case("grouped", nn.attention, grouped),
        case("causal", lambda q, k, v: nn.attention(q, k, v, is_causal=True), plain, keep=causal),
        case("scale", lambda q, k, v: nn.attention(q, k, v, scale=0.25), plain, scale=0.25),
        case("mask", lambda q, k, v, m: nn.attention(q, k, v, mask=m), (*plain, keep), *plain, keep=keep),
        case("padding", lambda q, k, v, m: nn.attention(q, k, v, mask=m), (*grouped, padding), *grouped, keep=padding),
        case("heads", lambda q, k, v, m: nn.attention(q, k, v, mask=m), (*grouped, heads), *grouped, keep=heads),
        case("added", lambda q, k, v, m: nn.attention(q, k, v, mask=m), (*plain, added), *plain, add=wide(added)),
        case(
            "both",
            lambda q, k, v, m: nn.attention(q, k, v, mask=m, is_causal=True),
            (*grouped, heads),
            *grouped,
            keep=heads & causal,
        ),
        case("no-keys", nn.attention, qkv((2, 5, 8), (2, 0, 8), (2, 0, 3))),
        case("no-queries", nn.attention, qkv((2, 0, 8), (2, 4, 8), (2, 4, 3))),
    ]


FAMILIES = {
    **{f"norms-{dtype.name}": _norms(dtype) for dtype in FLOATS},
    **{f"layers-{dtype.name}": _layers(dtype) for dtype in FLOATS},
    **{f"attention-{dtype.name}": _attention(dtype) for dtype in FLOATS},
    "one_hot-labels": [
        Case(
            f"one_hot-{dtype.name}",
            lambda i: wax.nn.one_hot(i, 3),
            (i := np.abs(integers(dtype, (4,)) % 4),),
            (i[:, None] == np.arange(3)).astype(F32),
        )
        for dtype in map(np.dtype, ("i1", "u1", "i8"))
    ],
    "reduction-methods": [
        Case(
            "mean-method",
            lambda x: x.mean(axis=0) + wnp.sum(x),
            (floats(F32, (3, 4)),),
            (floats(F32, (3, 4)).astype(F64).mean(axis=0) + floats(F32, (3, 4)).astype(F64).sum()).astype(F32),
            16,
            1e-5,
        ),
    ],
}
