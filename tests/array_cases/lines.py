"""Differences, interpolation, sliding sums, and statistics that pass over NaN."""

from __future__ import annotations

import warnings

import numpy as np

import wax.numpy as wnp
from array_cases.case import BF16, C64, F16, F32, F64, Case, floats, integers, rng

I4 = np.dtype("i4")


def _lines() -> list[Case]:
    cases = []
    for dtype in (np.dtype("i1"), np.dtype("u2"), I4, F32, F64, np.dtype("?")):
        x = (
            integers(dtype, (4, 6), "diff")
            if dtype.kind in "iu"
            else (floats(dtype, (4, 6), "diff") if dtype.kind == "f" else rng("diff").random((4, 6)) < 0.5)
        )
        for axis in (0, 1):
            for n in (0, 1, 2, 5, 7):
                cases.append(
                    Case(
                        f"diff-{dtype.name}-{axis}-{n}",
                        lambda x, a=axis, n=n: wnp.diff(x, axis=a, n=n),
                        (x,),
                        np.diff(x, n=n, axis=axis),
                    )
                )
    x = floats(F32, (3, 5), "diff")
    cases += [
        Case(
            "diff-joined",
            lambda x, a, b: wnp.diff(x, prepend=a, append=b, axis=0),
            (x, x[:2], x[1:]),
            np.diff(x, prepend=x[:2], append=x[1:], axis=0),
        ),
        Case("diff-joined-number", lambda x: wnp.diff(x, prepend=0.0), (x,), np.diff(x, prepend=np.float32(0))),
        Case(
            "trapezoid",
            lambda x: wnp.trapezoid(x, dx=0.5, axis=0),
            (x,),
            np.trapezoid(x.astype(F64), dx=0.5, axis=0).astype(F32),
            8,
            1e-6,
        ),
        Case(
            "trapezoid-places",
            lambda x, p: wnp.trapezoid(x, p),
            (x, np.arange(5, dtype=F32) ** 2),
            np.trapezoid(x.astype(F64), np.arange(5) ** 2).astype(F32),
            8,
            1e-5,
        ),
    ]
    places, values = np.sort(floats(F64, (9,), "places")), floats(F64, (9,), "values")
    at = floats(F64, (4, 11), "at", low=-6, high=6)
    turned = places[::-1].copy()
    cases += [
        Case("interp", lambda *a: wnp.interp(*a), (at, places, values), np.interp(at, places, values), 64, 1e-13),
        Case(
            "interp-ends",
            lambda *a: wnp.interp(*a, left=-7.0, right=7.0),
            (at, places, values),
            np.interp(at, places, values, -7, 7),
            64,
            1e-13,
        ),
        Case(
            "interp-period",
            lambda *a: wnp.interp(*a, period=2.5),
            (at, turned, values),
            np.interp(at, turned, values, period=2.5),
            64,
            1e-12,
        ),
        Case(
            "interp-one", lambda *a: wnp.interp(*a), (at, places[:1], values[:1]), np.interp(at, places[:1], values[:1])
        ),
        Case("interp-points", lambda *a: wnp.interp(*a), (places, places, values), values),
    ]
    for dtype in (I4, F16, BF16, F32, C64):
        for m, n in ((5, 3), (3, 5), (4, 4), (1, 6), (7, 2)):
            a, b = (_whole(dtype, (size,), size, m, n) for size in (m, n))
            wide = C64 if dtype == C64 else F64
            for mode in ("full", "same", "valid"):
                for name, judge in (("convolve", np.convolve), ("correlate", np.correlate)):
                    expected = judge(a.astype(wide), b.astype(wide), mode).astype(dtype)
                    cases.append(
                        Case(
                            f"{name}-{dtype.name}-{m}-{n}-{mode}",
                            lambda a, b, name=name, mode=mode: getattr(wnp, name)(a, b, mode),
                            (a, b),
                            expected + dtype.type(0),
                        )
                    )
    return cases


def _whole(dtype: np.dtype, shape: tuple[int, ...], *key: object) -> np.ndarray:
    """Whole numbers, whose sums are exact."""
    x = rng(dtype.name, *key).integers(1, 6, shape)
    return (x + 1j * x[::-1]).astype(dtype) if dtype == C64 else x.astype(dtype)


def _passing_over_nan() -> list[Case]:
    cases = []
    for dtype in (I4, F16, BF16, F32, F64, C64):
        x = (
            integers(np.dtype("i1"), (4, 6, 3), "nan").astype(dtype)
            if dtype in (I4, C64)
            else floats(dtype, (4, 6, 3), "nan", low=0.5, high=2)
        )
        if dtype != I4:
            x[rng("nan", dtype.name).random(x.shape) < 0.3] = np.nan
            x[1, :, 1] = np.nan
        wide = x.astype({I4: F64, C64: np.dtype("c16")}.get(dtype, F64))
        target = F32 if dtype == I4 else dtype
        for axis in (None, 1, (0, 2)):
            names = ["nansum", "nanmean", "nanvar", "nanstd"] + (["nanprod"] if dtype not in (I4, C64) else [])
            if dtype != C64:
                names += ["nanmax", "nanmin"]
            for name in names:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    expected = np.asarray(getattr(np, name)(wide, axis=axis))
                kept = dtype if name in ("nansum", "nanmax", "nanmin") else target
                if name in ("nanvar", "nanstd") and dtype == C64:
                    kept = F32
                exact = name in ("nanmax", "nanmin") or kept == I4
                cases.append(
                    Case(
                        f"{name}-{dtype.name}-{axis}",
                        lambda x, n=name, a=axis: getattr(wnp, n)(x, axis=a),
                        (x,),
                        expected.astype(kept),
                        0 if exact else 64,
                        0 if exact else 1e-4,
                    )
                )
        if dtype in (F16, F32):
            best = np.where(np.isnan(wide).all(1), -1, np.argmax(np.where(np.isnan(wide), -np.inf, wide), 1))
            least = np.where(np.isnan(wide).all(1), -1, np.argmin(np.where(np.isnan(wide), np.inf, wide), 1))
            cases += [
                Case(f"nanargmax-{dtype.name}", lambda x: wnp.nanargmax(x, axis=1), (x,), best.astype(I4)),
                Case(f"nanargmin-{dtype.name}", lambda x: wnp.nanargmin(x, axis=1), (x,), least.astype(I4)),
            ]
    x = np.array([np.nan, -np.inf, np.nan], F32)
    cases += [
        Case("nanargmax-infinite", lambda x: wnp.nanargmax(x), (x,), np.int32(1)),
        Case("nancumsum", lambda x: wnp.nancumsum(x), (np.array([1, np.nan, 2], F32),), np.array([1, 1, 3], F32)),
        Case("nancumprod", lambda x: wnp.nancumprod(x), (np.array([3, np.nan, 2], F32),), np.array([3, 3, 6], F32)),
        Case(
            "nan_to_num",
            lambda x: wnp.nan_to_num(x, posinf=9.0),
            (np.array([np.nan, np.inf, -np.inf, 2], F32),),
            np.array([0, 9, np.finfo(F32).min, 2], F32),
        ),
        Case(
            "nan_to_num-complex",
            lambda x: wnp.nan_to_num(x),
            (np.array([complex(np.nan, 1), complex(2, np.inf)], C64),),
            np.array([1j, complex(2, np.finfo(F32).max)], C64),
        ),
    ]
    return cases


FAMILIES = {"lines": _lines(), "passing-over-nan": _passing_over_nan()}
