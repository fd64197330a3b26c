"""Reductions over dtypes, axes and shapes with dims of size 0, 1, odd and large."""

from __future__ import annotations

import numpy as np

import wax.nn
import wax.numpy as wnp
from array_cases.case import BF16, C64, F16, F32, F64, FLOATS, INTEGERS, Case, floats, integers, rng, wide

AXES = [None, 0, -1, (0, 2), (1,), ()]
SHAPES = [(3, 5, 7), (2, 1, 4), (1, 1, 1), (17, 3, 65)]


def _kept(result, axes, ndim):
    """The judge's keepdims, for functions that have none."""
    return np.expand_dims(result, tuple(range(ndim)) if axes is None else axes)


def _floats(dtype):
    cases = []
    for shape in SHAPES:
        x = floats(dtype, shape, "reductions")
        v = wide(x)
        for axis in AXES:
            for name, judge in [
                ("sum", np.sum),
                ("mean", np.mean),
                ("prod", np.prod),
                ("max", np.max),
                ("min", np.min),
            ]:
                if name == "prod":
                    operand, judged = x / 4 + dtype.type(1), wide(x / 4 + dtype.type(1))
                else:
                    operand, judged = x, v
                if name == "prod" and dtype in (F16, BF16) and np.abs(judge(judged, axis=axis)).max() > 6e4:
                    continue
                with np.errstate(over="ignore", under="ignore"):
                    expected = judge(judged, axis=axis).astype(dtype)
                if name == "prod" and (np.abs(wide(expected)) < 1e-30).any():
                    continue
                rounding = 0 if name in ("max", "min") else 64
                cases.append(
                    Case(
                        f"{name}-{shape}-{axis}-{dtype.name}",
                        lambda x, name=name, axis=axis: getattr(wnp, name)(x, axis=axis),
                        (operand,),
                        expected,
                        rounding,
                        0 if dtype == F64 or not rounding else 1e-4 if dtype in (F32,) else 1e-2,
                    )
                )
            if axis != ():
                cases += _spread(dtype, x, axis)
    return cases


def _spread(dtype, x, axis):
    v = wide(x)
    tag = f"{x.shape}-{axis}-{dtype.name}"
    count = np.prod([x.shape[a] for a in (range(3) if axis is None else np.atleast_1d(axis))])
    cases = [
        Case(
            f"var-{tag}",
            lambda x: wnp.var(x, axis=axis, keepdims=True),
            (x,),
            np.var(v, axis=axis, keepdims=True).astype(dtype),
            32,
            1e-5,
        ),
        Case(f"std-{tag}", lambda x: wnp.std(x, axis=axis), (x,), np.std(v, axis=axis).astype(dtype), 32, 1e-3),
    ]
    if count > 1:
        expected = np.var(v, axis=axis, ddof=1).astype(dtype)
        cases.append(Case(f"var-1-{tag}", lambda x: wnp.var(x, axis=axis, correction=1), (x,), expected, 32, 1e-5))
    largest = v.max(axis=axis, keepdims=True)
    total = np.log(np.sum(np.exp(v - largest), axis=axis, keepdims=True)) + largest
    squeezed = np.squeeze(total, tuple(range(3)) if axis is None else axis)
    cases += [
        Case(f"logsumexp-{tag}", lambda x: wax.nn.logsumexp(x, axis=axis), (x,), squeezed.astype(dtype), 16, 1e-5),
        Case(f"softmax-{tag}", lambda x: wax.nn.softmax(x, axis=axis), (x,), np.exp(v - total).astype(dtype), 32, 1e-7),
        Case(
            f"log_softmax-{tag}", lambda x: wax.nn.log_softmax(x, axis=axis), (x,), (v - total).astype(dtype), 16, 1e-5
        ),
    ]
    return cases


def _integers(dtype):
    cases = []
    for shape in SHAPES[:2]:
        x = integers(dtype, shape, "reductions")
        wide_dtype = np.dtype("u4" if dtype.kind == "u" else "i4") if dtype.itemsize < 4 else dtype
        for axis in AXES[:4]:
            tag = f"{shape}-{axis}-{dtype.name}"
            with np.errstate(over="ignore"):
                cases += [
                    Case(
                        f"sum-{tag}",
                        lambda x, axis=axis: wnp.sum(x, axis=axis),
                        (x,),
                        np.sum(x, axis=axis, dtype=wide_dtype),
                    ),
                    Case(
                        f"prod-{tag}",
                        lambda x, axis=axis: wnp.prod(x, axis=axis),
                        (x,),
                        np.prod(x, axis=axis, dtype=wide_dtype),
                    ),
                ]
            cases += [
                Case(f"max-{tag}", lambda x, axis=axis: wnp.max(x, axis=axis), (x,), np.max(x, axis=axis)),
                Case(
                    f"min-{tag}",
                    lambda x, axis=axis: wnp.min(x, axis=axis, keepdims=True),
                    (x,),
                    np.min(x, axis=axis, keepdims=True),
                ),
                Case(
                    f"mean-{tag}",
                    lambda x, axis=axis: wnp.mean(x, axis=axis),
                    (x,),
                    np.mean(x.astype(F64), axis=axis).astype(F32),
                    64,
                    abs(float(np.abs(x.astype(F64)).max())) * 1e-6,
                ),
                Case(
                    f"count-{tag}",
                    lambda x, axis=axis: wnp.count_nonzero(x, axis=axis),
                    (x,),
                    np.asarray(np.count_nonzero(x, axis=axis)).astype("i4"),
                ),
            ]
    return cases


def _searching(dtype):
    """Extremes with ties, and NaN among them."""
    cases = []
    for shape in [(4, 6, 5), (1, 3, 1)]:
        x = rng("ties", shape).integers(0, 4, shape).astype(dtype)
        operands = [("ties", x)]
        if dtype in FLOATS:
            with_nan = np.where(rng("nan", shape).random(shape) < 0.1, np.nan, x.astype(F64)).astype(dtype)
            operands += [
                ("nan", with_nan),
                ("inf", np.full(shape, -np.inf, dtype)),
                ("plus", np.full(shape, np.inf, dtype)),
            ]
        for kind, value in operands:
            judged = value.astype(F64) if dtype in FLOATS else value
            for axis in (None, 0, 1, -1):
                tag = f"{kind}-{shape}-{axis}-{dtype.name}"
                cases += [
                    Case(
                        f"argmax-{tag}",
                        lambda x, axis=axis: wnp.argmax(x, axis=axis),
                        (value,),
                        np.asarray(np.argmax(judged, axis=axis)).astype("i4"),
                    ),
                    Case(
                        f"argmin-{tag}",
                        lambda x, axis=axis: wnp.argmin(x, axis=axis),
                        (value,),
                        np.asarray(np.argmin(judged, axis=axis)).astype("i4"),
                    ),
                ]
                if kind == "nan":
                    cases.append(
                        Case(
                            f"max-{tag}",
                            lambda x, axis=axis: wnp.max(x, axis=axis),
                            (value,),
                            np.max(judged, axis=axis).astype(dtype),
                        )
                    )
    return cases


def _edges():
    empty = np.zeros((0, 3), F32)
    flags = rng("flags").random((3, 4)) < 0.5
    x = floats(F32, (3, 4))
    z = (x + 1j * x[::-1]).astype(C64)
    long = floats(F32, (3, 4099), "long")
    return [
        Case("sum-empty", lambda x: wnp.sum(x, axis=0), (empty,), np.zeros(3, F32)),
        Case("sum-empty-all", wnp.sum, (empty,), np.zeros((), F32)),
        Case("prod-empty", lambda x: wnp.prod(x, axis=0), (empty,), np.ones(3, F32)),
        Case("sum-empty-result", lambda x: wnp.sum(x, axis=1), (empty,), np.zeros(0, F32)),
        Case("max-empty-result", lambda x: wnp.max(x, axis=1), (empty,), np.zeros(0, F32)),
        Case("mean-empty", lambda x: wnp.mean(x, axis=0), (empty,), np.full(3, np.nan, F32)),
        Case("any-empty", lambda x: wnp.any(x, axis=0), (empty,), np.zeros(3, bool)),
        Case("all-empty", lambda x: wnp.all(x, axis=0), (empty,), np.ones(3, bool)),
        Case("any", lambda x: wnp.any(x, axis=1), (flags,), flags.any(axis=1)),
        Case("all", lambda x: wnp.all(x, axis=0, keepdims=True), (flags,), flags.all(axis=0, keepdims=True)),
        Case("any-floats", wnp.any, (x,), np.any(x)),
        Case("sum-flags", wnp.sum, (flags,), np.asarray(flags.sum()).astype("i4")),
        Case("mean-flags", wnp.mean, (flags,), np.asarray(flags.mean()).astype(F32), 4),
        Case("max-flags", wnp.max, (flags,), flags.max()),
        Case("argmax-flags", lambda x: wnp.argmax(x, axis=1), (flags,), np.argmax(flags, axis=1).astype("i4")),
        Case("sum-dtype", lambda x: wnp.sum(x, axis=1, dtype=wnp.float64), (x,), x.astype(F64).sum(axis=1), 4, 1e-12),
        Case("sum-complex", lambda x: wnp.sum(x, axis=1), (z,), z.astype("c16").sum(axis=1).astype(C64), 16, 1e-5),
        Case("prod-complex", lambda x: wnp.prod(x, axis=1), (z,), z.astype("c16").prod(axis=1).astype(C64), 64, 1e-3),
        Case("mean-complex", wnp.mean, (z,), z.astype("c16").mean().astype(C64), 16, 1e-6),
        Case("var-complex", lambda x: wnp.var(x, axis=0), (z,), z.astype("c16").var(axis=0).astype(F32), 16, 1e-6),
        Case("sum-rank-0", wnp.sum, (np.float32(3),), np.float32(3)),
        Case("max-rank-0", wnp.max, (np.float32(3),), np.float32(3)),
        Case("sum-long", lambda x: wnp.sum(x, axis=1), (long,), long.astype(F64).sum(axis=1).astype(F32), 64, 1e-3),
        Case("sum-long-half", wnp.sum, (np.full(5000, 1, F16),), np.float16(5000)),
        Case("mean-long-half", wnp.mean, (np.full(70000, 3, F16),), np.float16(3)),
        Case("argmax-long", lambda x: wnp.argmax(x, axis=1), (long,), long.argmax(axis=1).astype("i4")),
    ]


FAMILIES = {
    **{f"reductions-{dtype.name}": _floats(dtype) for dtype in FLOATS},
    **{f"integer-reductions-{dtype.name}": _integers(dtype) for dtype in INTEGERS},
    **{f"searching-{dtype.name}": _searching(dtype) for dtype in (F32, BF16, np.dtype("i4"), np.dtype("u1"))},
    "reduction-edges": _edges(),
}
