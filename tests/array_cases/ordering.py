"""Prefixes, sorting, and searching in what is sorted, over dtypes, axes and shapes with dims of size 0, 1 and large."""

from __future__ import annotations

import numpy as np

import wax.numpy as wnp
from array_cases.case import BF16, C64, C128, F16, F32, F64, FLOATS, INTEGERS, Case, floats, integers, rng, wide

SHAPES = [(3, 5, 7), (2, 1, 4), (33,), (0, 3), (3, 0), (5, 40)]
I4, I8, U1 = np.dtype("i4"), np.dtype("i8"), np.dtype("u1")


def _elements(dtype, shape, key):
    """Elements of which many are equal; NaN, infinities and both zeros among the floats."""
    if dtype in INTEGERS:
        return integers(dtype, shape, key)
    source = rng(dtype.name, shape, key)
    if dtype in (C64, C128):
        parts = [_elements(F64, shape, (key, part)) for part in (0, 1)]
        made = np.empty(shape, dtype)
        made.real, made.imag = parts
        return made
    x = source.integers(-3, 4, shape).astype(F64)
    special = source.choice([np.nan, np.inf, -np.inf, -0.0], shape)
    return np.where(source.random(shape) < 0.3, special, x).astype(dtype)


def _descending(x, axis):
    """The stable order from the greatest element, NaN first."""
    last = x.shape[axis] - 1
    return np.flip(last - np.argsort(np.flip(x, axis), axis=axis, kind="stable"), axis)


def _sorting(dtype):
    cases = []
    for shape in SHAPES:
        x = _elements(dtype, shape, "sorting")
        v = x.astype(F32) if dtype == BF16 else x
        for axis in range(-len(shape), 0):
            tag = f"{shape}-{axis}-{dtype.name}"
            order, turned = np.argsort(v, axis=axis, kind="stable"), _descending(v, axis)
            for name, indices, descending in (("", order, False), ("-descending", turned, True)):
                cases += [
                    Case(
                        f"sort{name}-{tag}",
                        lambda x, axis=axis, d=descending: wnp.sort(x, axis=axis, descending=d),
                        (x,),
                        np.take_along_axis(x, indices, axis),
                    ),
                    Case(
                        f"argsort{name}-{tag}",
                        lambda x, axis=axis, d=descending: wnp.argsort(x, axis=axis, descending=d),
                        (x,),
                        indices.astype(I4),
                    ),
                ]
    return cases


def _accumulated(dtype):
    if dtype == np.bool_:
        return I4
    return {"i": I4, "u": np.dtype("u4")}[dtype.kind] if dtype.kind in "iu" and dtype.itemsize < 4 else dtype


def _sums(dtype):
    cases = []
    target = _accumulated(dtype)
    for shape in SHAPES:
        x = (rng("flags", shape).random(shape) < 0.5) if dtype == np.bool_ else (
            integers(dtype, shape, "prefixes") if dtype in INTEGERS else floats(dtype, shape, "prefixes")
        )  # fmt: skip
        near_one = x if dtype in INTEGERS or dtype == np.bool_ else (x / 8 + dtype.type(1)).astype(dtype)
        exact = target if dtype in INTEGERS or dtype == np.bool_ else None
        tolerance = 0 if exact else 16
        for axis in range(len(shape)):
            tag = f"{shape}-{axis}-{dtype.name}"
            for name, judge, operand in (("sum", np.cumsum, x), ("prod", np.cumprod, near_one)):
                expected = judge(wide(operand), axis=axis, dtype=exact).astype(target)
                start = np.full([1 if d == axis else s for d, s in enumerate(shape)], name == "prod", target)
                cases += [
                    Case(
                        f"cumulative_{name}-{tag}",
                        lambda x, name=name, axis=axis: getattr(wnp, f"cumulative_{name}")(x, axis=axis),
                        (operand,),
                        expected,
                        tolerance,
                        1e-3 if tolerance else 0,
                    ),
                    Case(
                        f"cumulative_{name}-initial-{tag}",
                        lambda x, name=name, axis=axis: getattr(wnp, f"cumulative_{name}")(
                            x, axis=axis, include_initial=True
                        ),
                        (operand,),
                        np.concatenate([start, expected], axis=axis),
                        tolerance,
                        1e-3 if tolerance else 0,
                    ),
                ]
            if dtype == np.bool_:
                continue
            signed = x if dtype in INTEGERS else _elements(dtype, shape, "extremes")
            for name, ufunc in (("cummax", np.maximum), ("cummin", np.minimum)):
                cases.append(
                    Case(
                        f"{name}-{tag}",
                        lambda x, name=name, axis=axis: getattr(wnp, name)(x, axis=axis),
                        (signed,),
                        _extremes(ufunc, signed, axis),
                    )
                )
    return cases


def _extremes(ufunc, x, axis):
    """The extremes of prefixes, of zeros by their sign."""
    if x.dtype in INTEGERS:
        return ufunc.accumulate(x, axis=axis)
    tiny = np.where(x == 0, np.copysign(1e-300, x.astype(F64)), x.astype(F64))
    made = ufunc.accumulate(tiny, axis=axis)
    return np.where(np.abs(made) == 1e-300, np.copysign(0.0, made), made).astype(x.dtype)


def _searching(dtype):
    cases = []
    for count in (0, 1, 2, 7, 8, 100):
        line = np.sort(_elements(dtype, (count,), "line"))
        values = np.concatenate([_elements(dtype, (20,), "values"), line[:1], line[-1:]])[:, None]
        shuffled = rng("shuffled", count).permutation(count)
        for side in ("left", "right"):
            expected = np.searchsorted(line, values, side).astype(I4)
            cases += [
                Case(
                    f"searchsorted-{count}-{side}-{dtype.name}",
                    lambda x, v, side=side: wnp.searchsorted(x, v, side=side),
                    (line, values),
                    expected,
                ),
                Case(
                    f"searchsorted-sorter-{count}-{side}-{dtype.name}",
                    lambda x, v, s, side=side: wnp.searchsorted(x, v, side=side, sorter=s),
                    (line[shuffled], values, np.argsort(shuffled).astype(I4)),
                    expected,
                ),
            ]
    return cases


def _edges():
    x, many = floats(F32, (3, 4)), floats(F32, (2, 3001), "many")
    flags = rng("flags").random(50) < 0.5
    z = (floats(F32, (40,)) + 1j * floats(F32, (40,), "imaginary")).astype(C64)
    return [
        Case("cumsum-flat", wnp.cumsum, (x,), np.cumsum(x.astype(F64)).astype(F32), 16, 1e-5),
        Case("cumsum-rank-0", wnp.cumsum, (np.float32(3),), np.asarray([3], F32)),
        Case("cumsum-dtype", lambda x: wnp.cumsum(x, axis=1, dtype=wnp.float64), (x,), np.cumsum(x.astype(F64), 1), 1),
        Case("cumprod-axis", lambda x: wnp.cumprod(x, axis=0), (x,), np.cumprod(x.astype(F64), 0).astype(F32), 16),
        Case("cumsum-long-half", wnp.cumsum, (np.full(3000, 1, F16),), np.arange(1, 3001).astype(F16)),
        Case("cumsum-complex", wnp.cumsum, (z,), np.cumsum(z.astype(C128)).astype(C64), 32, 1e-4),
        Case("cumprod-complex", wnp.cumprod, (z[:5],), np.cumprod(z[:5].astype(C128)).astype(C64), 32, 1e-3),
        Case("sort-long", wnp.sort, (many,), np.sort(many)),
        Case("argsort-long", lambda x: wnp.argsort(x, axis=0), (many,), np.argsort(many, 0, kind="stable").astype(I4)),
        Case("sort-flags", wnp.sort, (flags,), np.sort(flags)),
        Case("argsort-flags", lambda x: wnp.argsort(x, descending=True), (flags,), _descending(flags, 0).astype(I4)),
    ]


FAMILIES = {
    **{f"sorting-{dtype.name}": _sorting(dtype) for dtype in (*FLOATS, I4, I8, U1, C64, C128)},
    **{f"prefixes-{dtype.name}": _sums(dtype) for dtype in (*FLOATS, *INTEGERS, np.dtype(bool))},
    **{f"searchsorted-{dtype.name}": _searching(dtype) for dtype in (F32, F64, I4, U1, C64)},
    "ordering-edges": _edges(),
}
