"""What decoders are made of: attention with offsets, caps and drops, caches, rotary positions, unit lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch.nn.functional as F

import wax.nn
import wax.random
from array_cases.case import BF16, F16, F32, F64, FLOATS, Case, floats, rng, wide
from array_cases.judges import torched

nn = wax.nn
KEY = np.array([3, 14], "u4")
RATE = 0.375


def _kept(shape: tuple[int, ...]) -> np.ndarray:
    """What dropout keeps under `KEY`."""
    return np.asarray(wax.random.uniform(KEY, shape)) >= RATE


def attended(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, keep: Any = True, cap: float | None = None, drop: Any = None
) -> np.ndarray:
    """The judge: every head has its own copy of the keys."""
    q, k, v = map(wide, (q, k, v))
    k, v = (np.repeat(x, q.shape[-3] // x.shape[-3], axis=-3) for x in (k, v))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    scores = scores if cap is None else cap * np.tanh(scores / cap)
    scores = np.where(keep, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return (weights if drop is None else np.where(drop, weights / (1 - RATE), 0)) @ v


def _attention(dtype: np.dtype) -> list[Case]:
    q, k, v = (
        floats(dtype, shape, name) for shape, name in (((3, 6, 4, 8), "q"), ((3, 2, 9, 8), "k"), ((3, 2, 9, 5), "v"))
    )
    single = k[:, :1].copy(), v[:, :1].copy()
    keys, queries = np.arange(9), np.arange(4)[:, None]
    each = np.array([0, 5, 2], "i4")
    mask = rng("decoder").random((3, 6, 4, 9)) < 0.7
    mask[..., 0] = True
    absolute = {F16: 4e-3, BF16: 3e-2, F32: 1e-5, F64: 1e-13}[dtype]

    def case(name: str, function: Any, arguments: Any, expected: np.ndarray) -> Case:
        return Case(f"attention-{name}-{dtype.name}", function, arguments, expected.astype(dtype), 16, absolute)

    def causal(q: Any, k: Any, v: Any, offset: Any = 0, **options: Any) -> Any:
        return nn.attention(q, k, v, is_causal=True, query_offset=offset, **options)

    def dropped(q: Any, k: Any, v: Any, key: Any) -> Any:
        return nn.attention(q, k, v, dropout_key=key, dropout_rate=RATE)

    # Weights of grouped heads are drawn as (batch, group, member, query, key).
    drawn = _kept((3, 2, 3, 4, 9)).reshape(3, 6, 4, 9)
    return [
        case("offset", causal, (q, k, v, np.array(5, "i4")), attended(q, k, v, keys <= queries + 5)),
        case("offset-static", lambda q, k, v: causal(q, k, v, 3), (q, k, v), attended(q, k, v, keys <= queries + 3)),
        case("offsets", causal, (q, k, v, each), attended(q, k, v, keys <= queries + each[:, None, None, None])),
        case(
            "offset-mask",
            lambda q, k, v, m: causal(q, k, v, 2, mask=m),
            (q, k, v, mask),
            attended(q, k, v, mask & (keys <= queries + 2)),
        ),
        case("offset-below", lambda q, k, v: causal(q, k, v, -9), (q, k, v), np.zeros((3, 6, 4, 5))),
        case("softcap", lambda q, k, v: nn.attention(q, k, v, softcap=1.5), (q, k, v), attended(q, k, v, cap=1.5)),
        case("one-group", nn.attention, (q, *single), attended(q, *single)),
        case(
            "one-query", lambda q, k, v: causal(q, k, v, 6), (q[:, :, :1], k, v), attended(q[:, :, :1], k, v, keys <= 6)
        ),
        case("dropout", dropped, (q, k, v, KEY), attended(q, k, v, drop=drawn)),
        case(
            "dropout-none",
            lambda q, k, v, key: nn.attention(q, k, v, dropout_key=key, dropout_rate=0.0),
            (q, k, v, KEY),
            attended(q, k, v),
        ),
    ]


def rotated(x: np.ndarray, positions: np.ndarray, interleaved: bool, base: float = 10000.0) -> np.ndarray:
    """The judge: pairs as complex numbers, turned by a multiplication."""
    v, half = wide(x), x.shape[-1] // 2
    first, second = (v[..., ::2], v[..., 1::2]) if interleaved else (v[..., :half], v[..., half:])
    angles = positions[..., None] * base ** (-np.arange(half) / half)
    turned = (first + 1j * second) * np.exp(1j * angles)
    parts = [turned.real, turned.imag]
    return np.stack(parts, -1).reshape(x.shape) if interleaved else np.concatenate(parts, -1)


def _positions(dtype: np.dtype) -> list[Case]:
    x, places = floats(dtype, (2, 3, 5, 10), "rotary"), np.arange(5, dtype="i4")
    batches = np.array([[0, 1, 2, 3, 4], [7, 8, 9, 10, 11]], "i4")[:, None]
    absolute = {F16: 2e-3, BF16: 2e-2, F32: 4e-6, F64: 1e-13}[dtype]

    def case(name: str, function: Any, positions: np.ndarray, expected: np.ndarray) -> Case:
        return Case(f"rotary-{name}-{dtype.name}", function, (x, positions), expected.astype(dtype), 4, absolute)

    part = np.concatenate([rotated(x[..., :4], places, False), wide(x[..., 4:])], -1)
    rotary = nn.rotary_embedding
    return [
        case("halves", rotary, places, rotated(x, places, False)),
        case("pairs", lambda x, p: rotary(x, p, interleaved=True), places, rotated(x, places, True)),
        case("base", lambda x, p: rotary(x, p, base=500.0), places, rotated(x, places, False, 500.0)),
        case("batches", rotary, batches, rotated(x, batches, False)),
        case(
            "one-place",
            lambda x, p: rotary(x, p, interleaved=True),
            batches[:, :, 3:4],
            rotated(x, batches[:, :, 3:4], True),
        ),
        case("scalar", rotary, np.array(3, "i8"), rotated(x, np.array(3), False)),
        case("part", lambda x, p: rotary(x, p, width=4), places, part),
        case("unsigned", rotary, places.astype("u1"), rotated(x, places, False)),
    ]


def _caches(dtype: np.dtype) -> list[Case]:
    cache, new = floats(dtype, (2, 3, 8, 4), "cache"), floats(dtype, (2, 3, 2, 4), "new")

    def case(name: str, function: Any, position: Any, at: int) -> Case:
        expected = cache.copy()
        expected[:, :, at : at + 2] = new
        return Case(f"update_cache-{name}-{dtype.name}", function, (cache, new, np.array(position)), expected)

    rows = np.concatenate([cache[:, :, 0], new[:, :, 0], cache[:, :, 1]], 1)[:, :3]
    return [
        case("middle", nn.update_cache, np.int32(3), 3),
        case("end", nn.update_cache, np.int64(6), 6),
        case("beyond", nn.update_cache, np.uint32(4_000_000_000), 6),
        case("before", nn.update_cache, np.int8(-5), 0),
        case("static", lambda c, n, p: nn.update_cache(c, n, 5), 0, 5),
        Case(
            f"update_cache-axis-{dtype.name}",
            lambda c, n, p: nn.update_cache(c, n, p, axis=0),
            (rows[0], rows[1, :1], np.array(2, "i4")),
            np.concatenate([rows[0, :2], rows[1, :1]]),
        ),
    ]


def _lengths(dtype: np.dtype) -> list[Case]:
    x, ones = floats(dtype, (3, 4, 5), "lengths"), np.ones((6, 7), dtype)
    x[1, 2] = 0
    v = wide(x)
    absolute = {F16: 1e-3, BF16: 1e-2, F32: 1e-6, F64: 1e-14}[dtype]

    def case(name: str, function: Any, expected: np.ndarray) -> Case:
        return Case(f"{name}-{dtype.name}", function, (x,), expected.astype(dtype), 8, absolute)

    spread = (v - v.mean((0, 1), keepdims=True)) / np.sqrt(v.var((0, 1), keepdims=True) + 1e-5)
    kept = _kept((6, 7))
    rows = np.broadcast_to(_kept((6,))[:, None], (6, 7))
    scaled = (wide(ones) / (1 - RATE)).astype(dtype)
    return [
        case("normalize", nn.normalize, torched(F.normalize, x, dim=-1)),
        case("normalize-1", lambda x: nn.normalize(x, p=1, axis=1), torched(F.normalize, x, p=1.0, dim=1)),
        case("normalize-3", lambda x: nn.normalize(x, p=3.0), torched(F.normalize, x, p=3.0, dim=-1)),
        case("normalize-inf", lambda x: nn.normalize(x, p=np.inf), torched(F.normalize, x, p=np.inf, dim=-1)),
        case("normalize-axes", lambda x: nn.normalize(x, axis=(0, 2)), v / np.sqrt((v * v).sum((0, 2), keepdims=True))),
        case("standardize", lambda x: nn.standardize(x, axis=(0, 1)), spread),
        Case(
            f"dropout-{dtype.name}",
            lambda k, x: nn.dropout(k, x, RATE),
            (KEY, ones),
            np.where(kept, scaled, 0).astype(dtype),
        ),
        Case(
            f"dropout-shared-{dtype.name}",
            lambda k, x: nn.dropout(k, x, RATE, shared_axes=1),
            (KEY, ones),
            np.where(rows, scaled, 0).astype(dtype),
        ),
        Case(f"dropout-all-{dtype.name}", lambda k, x: nn.dropout(k, x / 0, 1), (KEY, ones), np.zeros((6, 7), dtype)),
        Case(f"dropout-nothing-{dtype.name}", lambda k, x: nn.dropout(k, x, 0.0), (KEY, ones), ones),
    ]


FAMILIES: dict[str, list[Case]] = {
    **{f"decoders-{dtype.name}": [*_attention(dtype), *_positions(dtype), *_caches(dtype)] for dtype in FLOATS},
    **{f"lengths-{dtype.name}": _lengths(dtype) for dtype in FLOATS},
}
