"""Creation, manipulation and indexing: elements move, so results are exact."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import wax.numpy as wnp
from array_cases.case import BF16, C64, F16, F32, F64, Case, floats, integers, rng


def _creation():
    x = floats(F32, (3, 4))
    i = integers(np.dtype("i4"), (3, 4))
    grids = np.meshgrid(np.arange(3), np.arange(4.0, dtype=F32), np.arange(2))
    cases = [
        Case("zeros", lambda x: wnp.zeros((2, 3)), (x,), np.zeros((2, 3), F32)),
        Case("zeros-empty", lambda x: wnp.zeros((2, 0)), (x,), np.zeros((2, 0), F32)),
        Case("zeros-rank-0", lambda x: wnp.zeros((), dtype=wnp.int8), (x,), np.zeros((), "i1")),
        Case("ones", lambda x: wnp.ones(3, dtype=wnp.complex64), (x,), np.ones(3, C64)),
        Case("full-bool", lambda x: wnp.full((2, 2), True), (x,), np.full((2, 2), True)),
        Case("full-array", lambda x: wnp.full((2, 2), x[0, 0]), (x,), np.full((2, 2), x[0, 0])),
        Case("full-bfloat16", lambda x: wnp.full(2, 1.5, dtype=wnp.bfloat16), (x,), np.full(2, 1.5, BF16)),
        Case("zeros_like", wnp.zeros_like, (i,), np.zeros_like(i)),
        Case("ones_like", lambda x: wnp.ones_like(x, dtype=wnp.float64), (i,), np.ones((3, 4))),
        Case("full_like", lambda x: wnp.full_like(x, 7), (x,), np.full_like(x, 7)),
        Case("empty", lambda x: wnp.empty((1, 2)), (x,), np.zeros((1, 2), F32)),
        Case("linspace", lambda x: wnp.linspace(-1, 2, 7), (x,), np.linspace(-1, 2, 7).astype(F32), 4, 1e-7),
        Case(
            "linspace-open",
            lambda x: wnp.linspace(0, 1, 5, endpoint=False),
            (x,),
            np.linspace(0, 1, 5, endpoint=False).astype(F32),
            4,
        ),
        Case("linspace-one", lambda x: wnp.linspace(3, 9, 1), (x,), np.array([3], F32)),
        Case("linspace-none", lambda x: wnp.linspace(3, 9, 0), (x,), np.zeros(0, F32)),
        Case("eye", lambda x: wnp.eye(3, 4, k=1, dtype=wnp.int16), (x,), np.eye(3, 4, k=1, dtype="i2")),
        Case("eye-below", lambda x: wnp.eye(3, k=-2), (x,), np.eye(3, k=-2, dtype=F32)),
        Case("tril", lambda x: wnp.tril(x, k=-1), (x,), np.tril(x, -1)),
        Case("triu", lambda x: wnp.triu(x, k=1), (i,), np.triu(i, 1)),
        Case("triu-stack", wnp.triu, (np.stack([x, x + 1]),), np.triu(np.stack([x, x + 1]))),
        Case(
            "meshgrid",
            lambda x: wnp.meshgrid(wnp.arange(3), wnp.arange(4.0), wnp.arange(2)),
            (x,),
            tuple(g.astype(F32 if g.dtype.kind == "f" else "i4") for g in grids),
        ),
        Case(
            "meshgrid-ij",
            lambda x: wnp.meshgrid(x[0], x[:, 0], indexing="ij"),
            (x,),
            tuple(map(np.ascontiguousarray, np.meshgrid(x[0], x[:, 0], indexing="ij"))),
        ),
        Case(
            "asarray-nested",
            lambda x: wnp.asarray([[x[0, 0], 1.0], [2, x[1, 1]]]),
            (x,),
            np.array([[x[0, 0], 1], [2, x[1, 1]]], F32),
        ),
        Case("asarray-dtype", lambda x: wnp.asarray(x, dtype=wnp.float64), (x,), x.astype(F64)),
    ]
    for bounds in [(5,), (0,), (-3,), (2, 9), (9, 2, -2), (2, 9, 3), (0, 1, 7)]:
        cases.append(
            Case(f"arange-{bounds}", lambda x, b=bounds: wnp.arange(*b), (x,), np.arange(*bounds).astype("i4"))
        )
    for bounds in [(5.0,), (0.0, 1.0, 0.25), (3.0, -1.0, -0.5), (1.0, 1.0)]:
        cases.append(Case(f"arange-{bounds}", lambda x, b=bounds: wnp.arange(*b), (x,), np.arange(*bounds).astype(F32)))
    for dtype in (np.dtype("u1"), np.dtype("i8"), F16, F64):
        cases.append(
            Case(
                f"arange-{dtype.name}",
                lambda x, d=dtype: wnp.arange(1, 9, 2, dtype=d),
                (x,),
                np.arange(1, 9, 2, dtype=dtype),
            )
        )
    return cases


RESHAPES = [
    ((2, 3, 4), (6, 4)),
    ((2, 3, 4), (2, 12)),
    ((2, 3, 4), (24,)),
    ((24,), (2, 3, 4)),
    ((2, 3, 4), (4, 3, 2)),
    ((6, 4), (2, 3, 2, 2)),
    ((1, 6, 1), (6,)),
    ((6,), (1, 6, 1)),
    ((1, 6), (6, 1)),
    ((2, 0, 3), (0,)),
    ((0,), (3, 0)),
    ((0, 4), (0, 2, 2)),
    ((), (1, 1)),
    ((1, 1), ()),
    ((2, 3), (3, 2)),
    ((4, 1, 6), (2, 2, 3, 1, 2)),
    ((2, 3, 4), (2, -1)),
    ((2, 3, 4), (-1, 4, 3)),
    ((5, 6, 7), (7, 6, 5)),
    ((), (-1,)),
]


def _manipulation():
    x = floats(F32, (2, 3, 4))
    i = integers(np.dtype("i2"), (2, 3, 4))
    square = integers(np.dtype("i4"), (3, 3))
    cases = []
    for source, target in RESHAPES:
        operand = integers(np.dtype("i4"), source)
        cases.append(
            Case(
                f"reshape-{source}-{target}", lambda x, t=target: wnp.reshape(x, t), (operand,), operand.reshape(target)
            )
        )
    for axes in [(0, 1, 2), (2, 0, 1), (1, 2, 0), (-1, 0, 1)]:
        cases.append(Case(f"permute-{axes}", lambda x, a=axes: wnp.permute_dims(x, a), (i,), np.transpose(i, axes)))
    cases += [
        Case("matrix_transpose", wnp.matrix_transpose, (i,), np.swapaxes(i, -1, -2)),
        Case("T", lambda x: x.T, (square,), square.T),
        Case("mT", lambda x: x.mT, (i,), np.swapaxes(i, -1, -2)),
        Case("swapaxes", lambda x: wnp.swapaxes(x, 0, -1), (i,), np.swapaxes(i, 0, -1)),
        Case("moveaxis", lambda x: wnp.moveaxis(x, 0, -1), (i,), np.moveaxis(i, 0, -1)),
        Case("moveaxis-two", lambda x: wnp.moveaxis(x, (0, 1), (2, 0)), (i,), np.moveaxis(i, (0, 1), (2, 0))),
        Case("expand_dims", lambda x: wnp.expand_dims(x, axis=1), (i,), np.expand_dims(i, 1)),
        Case("expand_dims-last", lambda x: wnp.expand_dims(x, axis=-1), (i,), np.expand_dims(i, -1)),
        Case("expand_dims-two", lambda x: wnp.expand_dims(x, axis=(0, -1)), (i,), np.expand_dims(i, (0, -1))),
        Case("squeeze", lambda x: wnp.squeeze(x, axis=1), (i[:, :1],), i[:, 0]),
        Case("squeeze-all", wnp.squeeze, (i[:1, :, :1],), i[0, :, 0]),
        Case("broadcast_to", lambda x: wnp.broadcast_to(x, (5, 2, 3, 4)), (i,), np.broadcast_to(i, (5, 2, 3, 4))),
        Case(
            "broadcast_to-ones",
            lambda x: wnp.broadcast_to(x, (2, 3, 4)),
            (i[:, :1],),
            np.broadcast_to(i[:, :1], (2, 3, 4)),
        ),
        Case("broadcast_to-empty", lambda x: wnp.broadcast_to(x, (2, 0, 4)), (i[:, :1],), np.zeros((2, 0, 4), "i2")),
        Case("broadcast_arrays", wnp.broadcast_arrays, (i[:, :1], i[0]), tuple(np.broadcast_arrays(i[:, :1], i[0]))),
        Case("concat", lambda x, y: wnp.concat([x, y], axis=1), (i, i[:, :2]), np.concatenate([i, i[:, :2]], axis=1)),
        Case(
            "concat-last",
            lambda x, y: wnp.concat([x, y, x], axis=-1),
            (x, i),
            np.concatenate([x, i.astype(F32), x], axis=-1),
        ),
        Case("concat-empty", lambda x, y: wnp.concat([x, y]), (i, i[:0]), i),
        Case(
            "concat-flat", lambda x, y: wnp.concat([x, y], axis=None), (i, i[0]), np.concatenate([i, i[0]], axis=None)
        ),
        Case("stack", lambda x, y: wnp.stack([x, y], axis=1), (i, i + 1), np.stack([i, i + 1], axis=1)),
        Case("stack-last", lambda x, y: wnp.stack([x, y], axis=-1), (i, x), np.stack([i, x], axis=-1).astype(F32)),
        Case("stack-rank-0", lambda x: wnp.stack([x[0, 0, 0], x[1, 1, 1]]), (i,), np.stack([i[0, 0, 0], i[1, 1, 1]])),
        Case("split", lambda x: wnp.split(x, 2, axis=2), (i,), tuple(np.split(i, 2, axis=2))),
        Case("split-at", lambda x: wnp.split(x, [1, 1, 3], axis=-1), (i,), tuple(np.split(i, [1, 1, 3], axis=-1))),
        Case("unstack", lambda x: wnp.unstack(x, axis=1), (i,), (i[:, 0], i[:, 1], i[:, 2])),
        Case("flip", wnp.flip, (i,), np.flip(i)),
        Case("flip-axis", lambda x: wnp.flip(x, axis=1), (i,), np.flip(i, 1)),
        Case("flip-empty", lambda x: wnp.flip(x, axis=0), (i[:0],), i[:0]),
        Case("pad", lambda x: wnp.pad(x, 2), (i,), np.pad(i, 2)),
        Case(
            "pad-axes",
            lambda x: wnp.pad(x, [(0, 1), (2, 0), (0, 0)], constant_values=-1),
            (i,),
            np.pad(i, [(0, 1), (2, 0), (0, 0)], constant_values=-1),
        ),
        Case("pad-empty", lambda x: wnp.pad(x, (1, 2)), (i[:0],), np.pad(i[:0], (1, 2))),
        Case(
            "pad-value",
            lambda x, y: wnp.pad(x, 1, constant_values=y[0]),
            (x, x[0, 0]),
            np.pad(x, 1, constant_values=x[0, 0, 0]),
        ),
        Case(
            "pad-twice",
            lambda x: wnp.pad(wnp.pad(-x, 1, constant_values=1), [(2, 0), (0, 1), (1, 1)], constant_values=2),
            (i,),
            np.pad(np.pad(-i, 1, constant_values=1), [(2, 0), (0, 1), (1, 1)], constant_values=2),
        ),
        Case("pad-one", lambda x: wnp.pad((x * 2)[:1][None], 1), (i[0, 0],), np.pad((i[0, 0] * 2)[:1][None], 1)),
        Case("roll", lambda x: wnp.roll(x, 5), (i,), np.roll(i, 5)),
        Case("roll-axis", lambda x: wnp.roll(x, -1, axis=2), (i,), np.roll(i, -1, axis=2)),
        Case("roll-axes", lambda x: wnp.roll(x, (1, 2), axis=(0, 1)), (i,), np.roll(i, (1, 2), axis=(0, 1))),
        Case("roll-empty", lambda x: wnp.roll(x, 2, axis=0), (i[:0],), i[:0]),
        Case("repeat", lambda x: wnp.repeat(x, 3, axis=1), (i,), np.repeat(i, 3, axis=1)),
        Case("repeat-flat", lambda x: wnp.repeat(x, 2), (i,), np.repeat(i, 2)),
        Case("repeat-none", lambda x: wnp.repeat(x, 0, axis=0), (i,), np.repeat(i, 0, axis=0)),
        Case("windows", lambda x: wnp.sliding_window_view(x, (2, 1, 2)), (i,), sliding_window_view(i, (2, 1, 2))),
        Case(
            "windows-axes",
            lambda x: wnp.sliding_window_view(x, (2, 1), (1, 0), strides=(1, 2), dilations=(2, 1)),
            (i,),
            sliding_window_view(i, (3, 1), (1, 0))[::2, :, :, ::2],
        ),
        Case(
            "windows-none", lambda x: wnp.sliding_window_view(x, 99, 0), (i,), np.zeros((0, *i.shape[1:], 99), i.dtype)
        ),
        Case("tile", lambda x: wnp.tile(x, (2, 1, 3)), (i,), np.tile(i, (2, 1, 3))),
        Case("tile-longer", lambda x: wnp.tile(x, (2, 1, 1, 2)), (i,), np.tile(i, (2, 1, 1, 2))),
        Case("tile-shorter", lambda x: wnp.tile(x, 2), (i,), np.tile(i, 2)),
        Case("flatten", lambda x: x.flatten(), (i,), i.flatten()),
        Case("transpose", lambda x: x.transpose(), (i,), i.transpose()),
        Case("transpose-axes", lambda x: x.transpose(1, 0, 2), (i,), i.transpose(1, 0, 2)),
    ]
    return cases


KEYS = [
    1,
    -1,
    (0, 2),
    (0, -2, 3),
    slice(None),
    slice(1, None),
    slice(-2, None),
    slice(None, -1),
    slice(5, 2),
    slice(0, 100),
    slice(None, None, 2),
    slice(1, None, 3),
    slice(None, None, -1),
    slice(None, None, -2),
    slice(3, 0, -1),
    slice(0, 3, -1),
    ...,
    (..., 0),
    (0, ...),
    (..., slice(1, 3)),
    None,
    (None, 1),
    (slice(None), None, 2),
    (..., None),
    (1, ..., None, slice(None, None, 2)),
    (slice(1, 4), 2, slice(None, None, -1)),
    (),
    (slice(2, 2), slice(None)),
    (-1, -1, -1),
    (slice(None), slice(-3, -1), slice(1, -1)),
]


def _indexing():
    x = integers(np.dtype("i4"), (5, 4, 6))
    cases = [Case(f"getitem-{key}", lambda x, k=key: x[k], (x,), x[key]) for key in KEYS]
    rows = np.array([[4, 0, -1], [2, 2, -5]], "i4")
    source = rng("take")
    along = source.integers(-4, 4, (5, 3, 6)).astype("i4")
    table = floats(BF16, (11, 3))
    cases += [
        Case("take", lambda x, i: wnp.take(x, i, axis=0), (x, rows), np.take(x, rows, axis=0)),
        Case("take-middle", lambda x, i: wnp.take(x, i, axis=1), (x, rows % 4), np.take(x, rows % 4, axis=1)),
        Case("take-last", lambda x, i: wnp.take(x, i, axis=-1), (x, rows[0]), np.take(x, rows[0], axis=-1)),
        Case("take-rank-0", lambda x, i: wnp.take(x, i, axis=1), (x, np.int32(-2)), np.take(x, -2, axis=1)),
        Case("take-flat", wnp.take, (x, rows), np.take(x, rows)),
        Case("take-none", lambda x, i: wnp.take(x, i, axis=0), (x, rows[:0]), x[rows[:0]]),
        Case("take-clamped", lambda x, i: wnp.take(x, i, axis=0), (x, np.array([9, -9], "i4")), x[[4, 0]]),
        Case("take-uint8", lambda x, i: wnp.take(x, i, axis=0), (x, np.array([4, 1], "u1")), x[[4, 1]]),
        Case(
            "take-int8-long",
            lambda x, i: wnp.take(x, i, axis=0),
            (np.arange(300, dtype="i4"), np.array([-1, 5], "i1")),
            np.array([299, 5], "i4"),
        ),
        Case("take-int64", lambda x, i: wnp.take(x, i, axis=0), (x, np.array([-1, 1], "i8")), x[[-1, 1]]),
        Case(
            "take_along_axis",
            lambda x, i: wnp.take_along_axis(x, i, axis=1),
            (x, along),
            np.take_along_axis(x, along, axis=1),
        ),
        Case(
            "take_along_axis-stretched",
            lambda x, i: wnp.take_along_axis(x, i, axis=1),
            (x, along[:1]),
            np.take_along_axis(x, np.broadcast_to(along[:1], (5, 3, 6)), axis=1),
        ),
        Case(
            "take_along_axis-operand",
            lambda x, i: wnp.take_along_axis(x, i, axis=1),
            (x[:, :, :1], along),
            np.take_along_axis(np.broadcast_to(x[:, :, :1], x.shape), along, axis=1),
        ),
        Case("getitem-array", lambda x, i: x[i], (x, rows), x[rows]),
        Case("getitem-array-middle", lambda x, i: x[1:, i, ::2], (x, rows % 4), x[1:, rows % 4, ::2]),
        Case("getitem-array-new-axis", lambda x, i: x[None, i], (x, rows[0]), x[None, rows[0]]),
        Case("getitem-traced-index", lambda x, i: x[i], (x, np.int32(3)), x[3]),
        Case("getitem-list", lambda x: x[[0, 2]], (x,), x[[0, 2]]),
        Case("getitem-bfloat16", lambda x, i: x[i], (table, rows), table[rows]),
        Case("getitem-bool", lambda x: x[1:, ::-1], (x > 0,), (x > 0)[1:, ::-1]),
        Case("getitem-complex", lambda x: x[1:, ::-2], ((x + 1j).astype(C64),), (x + 1j).astype(C64)[1:, ::-2]),
    ]
    return cases


FAMILIES = {"creation": _creation(), "manipulation": _manipulation(), "indexing": _indexing()}
