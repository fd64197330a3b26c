"""What is chosen, counted and gathered by value: unique elements, bins, segments, quantiles, and the greatest."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import wax.numpy as wnp
from array_cases.case import BF16, C64, F16, F32, F64, Case, floats, integers, rng

I4, U1 = np.dtype("i4"), np.dtype("u1")


def _few(dtype: np.dtype, shape: tuple[int, ...], key: str) -> np.ndarray:
    """Elements of which many are equal."""
    x = rng(dtype.name, shape, key).integers(0, 5, shape)
    return (x % 2 == 1) if dtype.kind == "b" else x.astype(dtype)


def _nonzero() -> list[Case]:
    cases = []
    for shape in ((7,), (3, 5), (2, 3, 4), (0, 3), (1,), (300,)):
        x = _few(I4, shape, "nonzero") * (_few(I4, shape, "kept") > 2)
        count = int(np.count_nonzero(x))
        for size in (count, count + 3, count // 2, 0):
            expected = []
            for found in np.nonzero(x):
                padded = np.full(size, -1, I4)
                padded[: min(size, count)] = found[:size]
                expected.append(padded)
            cases.append(
                Case(
                    f"nonzero-{shape}-{size}",
                    lambda x, s=size: wnp.nonzero(x, size=s, fill_value=-1),
                    (x,),
                    tuple(expected),
                )
            )
        where = x > 1
        elements = np.full(4, 9, I4)
        elements[: min(4, int(where.sum()))] = x[where][:4]
        cases += [
            Case(
                f"extract-{shape}",
                lambda c, x: wnp.extract(c, x, size=4, fill_value=9),
                (where, x),
                elements,
            ),
            Case(f"argwhere-{shape}", lambda x, s=count: wnp.argwhere(x, size=s), (x,), np.argwhere(x).astype(I4)),
        ]
    return cases


def _unique() -> list[Case]:
    cases = []
    for dtype in (np.dtype("?"), U1, I4, np.dtype("i8"), F16, BF16, F32, F64, C64):
        for shape in ((9,), (3, 5), (1,), (0, 2), (200,)):
            x = _few(dtype, shape, "unique")
            plain = x.astype(F32) if dtype == BF16 else x
            values, indices, inverse, counts = np.unique(
                plain, return_index=True, return_inverse=True, return_counts=True
            )
            more = 2 if x.size else 0
            fill = values[:1].repeat(more)
            size = len(values) + more
            everything = (
                np.concatenate([values, fill]).astype(dtype),
                np.concatenate([indices, indices[:1].repeat(more)]).astype(I4),
                inverse.reshape(shape).astype(I4),
                np.concatenate([counts, np.zeros(more)]).astype(I4),
            )
            cases.append(
                Case(
                    f"unique_all-{dtype.name}-{shape}",
                    lambda x, s=size: tuple(wnp.unique_all(x, size=s)),
                    (x,),
                    everything,
                )
            )
    x = np.array([np.nan, 1, -0.0, np.nan, 0.0, 1], F32)
    cases += [
        Case(
            "unique-nan",
            lambda x: tuple(wnp.unique_counts(x, size=5, fill_value=7)),
            (x,),
            (np.array([-0.0, 1, np.nan, np.nan, 7], F32), np.array([2, 2, 1, 1, 0], I4)),
        ),
        Case("isin", lambda a, b: (wnp.isin(a, b), wnp.isin(a, b, invert=True)), (x, x[:3]), _isin(x, x[:3])),
        Case("isin-none", lambda a: wnp.isin(a, a[:0]), (x,), np.zeros(6, bool)),
    ]
    return cases


def _isin(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.isin(a, b), ~np.isin(a, b)


def _counted() -> list[Case]:
    ids = np.array([3, 0, -1, 3, 9, 1, 3], I4)
    kept = np.array([3, 0, 3, 1, 3], I4)
    inside = (ids >= 0) & (ids < 5)
    cases = [
        Case("bincount", lambda i: wnp.bincount(i, length=5), (ids,), np.bincount(kept, minlength=5).astype(I4)),
        Case(
            "bincount-uint8",
            lambda i: wnp.bincount(i, length=5),
            (kept.astype(U1),),
            np.bincount(kept, minlength=5).astype(I4),
        ),
        Case("bincount-none", lambda i: wnp.bincount(i, length=3), (ids[:0],), np.zeros(3, I4)),
    ]
    for dtype in (I4, U1, F16, BF16, F32, F64, C64):
        rows = _few(dtype, (7, 3), "segments") + dtype.type(1)
        for name, ufunc, start in (
            ("sum", np.add, 0),
            ("prod", np.multiply, 1),
            ("max", np.maximum, None),
            ("min", np.minimum, None),
        ):
            if dtype == C64 and start is None:
                continue
            wide = rows.astype(F64) if dtype in (BF16, F16) else rows
            if start is None:
                limits = (
                    (-np.inf, np.inf) if dtype in (F16, BF16, F32, F64) else (np.iinfo(dtype).min, np.iinfo(dtype).max)
                )
                start = limits[name == "min"]
            expected = np.full((5, 3), start, wide.dtype)
            ufunc.at(expected, ids[inside], wide[inside])
            cases.append(
                Case(
                    f"segment_{name}-{dtype.name}",
                    lambda x, i, n=name: getattr(wnp, f"segment_{n}")(x, i, num_segments=5),
                    (rows, ids),
                    expected.astype(dtype),
                )
            )
    return [*cases, *_histograms()]


def _histograms() -> list[Case]:
    x = floats(F64, (60,), "histogram")
    weights = floats(F64, (60,), "weights", low=0, high=2)
    edges = np.array([-3.0, -1, 0.5, 2])
    cases = []
    for name, bins in (("ten", 10), ("one", 1), ("edges", edges)):
        for span in (None, (-1.0, 2.5)):
            counts, made = np.histogram(x, bins, span)
            given = () if isinstance(bins, int) else (bins,)
            cases.append(
                Case(
                    f"histogram-{name}-{span}",
                    lambda x, *e, b=bins, s=span: wnp.histogram(x, e[0] if e else b, s)[0],
                    (x, *given),
                    counts.astype(I4),
                )
            )
            cases.append(
                Case(
                    f"histogram-density-{name}-{span}",
                    lambda x, w, *e, b=bins, s=span: wnp.histogram(x, e[0] if e else b, s, weights=w, density=True),
                    (x, weights, *given),
                    (np.histogram(x, bins, span, weights=weights, density=True)[0], made),
                    64,
                )
            )
    cases.append(
        Case(
            "digitize",
            lambda x, e: (wnp.digitize(x, e), wnp.digitize(x, e, right=True)),
            (x, edges),
            (np.digitize(x, edges).astype(I4), np.digitize(x, edges, right=True).astype(I4)),
        )
    )
    return cases


def _quantiles() -> list[Case]:
    cases = []
    methods: list[Any] = ["linear", "lower", "higher", "midpoint", "nearest"]
    parts = np.array([0.0, 0.1, 0.5, 0.77, 1.0])
    for dtype in (I4, F16, BF16, F32, F64):
        x = (
            integers(np.dtype("i2"), (4, 7, 3), "quantile").astype(dtype)
            if dtype == I4
            else floats(dtype, (4, 7, 3), "quantile")
        )
        target = F32 if dtype == I4 else dtype
        wide = x.astype(F64)
        spoilt = x.copy()
        if dtype != I4:
            spoilt[rng("nan").random(x.shape) < 0.3] = np.nan
            spoilt[1, :, 1] = np.nan
        for axis in (None, 1, (0, 2)):
            for method in methods:
                cases.append(
                    Case(
                        f"quantile-{dtype.name}-{axis}-{method}",
                        lambda x, a=axis, m=method: wnp.stack(
                            [wnp.quantile(x, q, axis=a, method=m) for q in parts.tolist()]
                        ),
                        (x,),
                        np.quantile(wide, parts, axis=axis, method=method).astype(target),
                        8,
                        1e-5,
                    )
                )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = np.nanmedian(spoilt.astype(F64), axis=axis, keepdims=True)
                all_parts = np.nanquantile(spoilt.astype(F64), parts[1:4], axis=axis)
            cases += [
                Case(
                    f"median-{dtype.name}-{axis}",
                    lambda x, a=axis: wnp.median(x, axis=a),
                    (spoilt,),
                    np.median(spoilt.astype(F64), axis=axis).astype(target),
                    4,
                ),
                Case(
                    f"nanmedian-{dtype.name}-{axis}",
                    lambda x, a=axis: wnp.nanmedian(x, axis=a, keepdims=True),
                    (spoilt,),
                    expected.astype(target),
                    4,
                ),
                Case(
                    f"nanquantile-{dtype.name}-{axis}",
                    lambda x, q, a=axis: wnp.nanquantile(x, q, axis=a),
                    (spoilt, parts[1:4].astype(target)),
                    all_parts.astype(target),
                    8,
                    2e-2 if target in (F16, BF16) else 1e-4,
                ),
            ]
        order = np.argsort(-x.astype(F64), axis=1, kind="stable")[:, :3]
        cases.append(
            Case(
                f"top_k-{dtype.name}",
                lambda x: tuple(wnp.top_k(x, 3, axis=1)),
                (x,),
                (np.take_along_axis(x, order, 1), order.astype(I4)),
            )
        )
    same = np.array([np.inf, np.inf, -np.inf, 2], F32)
    cases += [
        Case("quantile-infinite", lambda x: wnp.quantile(x, 0.9), (same,), np.float32(np.inf)),
        Case("percentile", lambda x: wnp.percentile(x, 25), (np.arange(9, dtype=F32),), np.float32(2)),
    ]
    return cases


FAMILIES = {"nonzero": _nonzero(), "unique": _unique(), "counted": _counted(), "quantiles": _quantiles()}
