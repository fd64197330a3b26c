"""`x.at[…]`: NumPy does the same in place, but drops nothing and keeps the last of several values by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

import wax.numpy as wnp
from array_cases.case import BF16, C64, F16, F32, F64, Case, floats, integers, rng

HOW = {"set": None, "add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}


def judge(x: np.ndarray, key: Any, value: Any, how: str) -> np.ndarray:
    """Element by element, in the order of the values; what lies outside is dropped."""
    listed = key if isinstance(key, tuple) else (key,)
    axes = []
    for entry, size in zip(listed, x.shape, strict=False):
        if isinstance(entry, np.ndarray):
            places = np.where(entry < 0, entry.astype(np.int64) + size, entry.astype(np.int64))
            axes.append(np.where((places >= 0) & (places < size), places, -1))
        else:
            axes.append(entry)
    # Where each element of x[key] comes from, as a flat number; those outside read a border of −1.
    numbers = np.full([size + 1 for size in x.shape], -1)
    numbers[tuple(slice(size) for size in x.shape)] = np.arange(x.size).reshape(x.shape)
    inner = tuple(
        entry if isinstance(entry, np.ndarray) else np.arange(x.shape[axis])[entry] for axis, entry in enumerate(axes)
    )
    inner += tuple(np.arange(size) for size in x.shape[len(inner) :])
    shape_of = np.empty(x.shape)[tuple(np.where(e >= 0, e, 0) if isinstance(e, np.ndarray) else e for e in axes)].shape
    where = _outer(numbers, axes, inner).reshape(shape_of)
    values = np.broadcast_to(np.asarray(value, x.dtype), shape_of)
    made = x.copy().reshape(-1)
    for place, one in zip(where.reshape(-1), values.reshape(-1), strict=True):
        if place >= 0:
            made[place] = one if how == "set" else HOW[how](made[place], one)
    return made.reshape(x.shape)


def _outer(numbers: np.ndarray, axes: list[Any], inner: tuple[Any, ...]) -> np.ndarray:
    """`numbers` with a border, read at a key whose slices are cut off before the border."""
    key = tuple(axes) + (slice(None),) * (numbers.ndim - len(axes))
    cut = numbers
    for axis, entry in enumerate(key):
        if not isinstance(entry, np.ndarray):
            kept = np.atleast_1d(inner[axis])
            cut = np.take(cut, kept, axis=axis)
    return cut[
        tuple(entry if isinstance(entry, np.ndarray) else 0 if isinstance(entry, int) else slice(None) for entry in key)
    ]


STATIC: list[Any] = [
    0,
    -1,
    (1, -2),
    (slice(None), 2),
    (slice(1, 4), slice(None), slice(None, None, 2)),
    (slice(None, None, -1), slice(3, 0, -2)),
    (..., slice(1, 3)),
    (slice(2, 2), slice(None)),
    (2, slice(None), slice(4, None, -3)),
]


def _boxes() -> list[Case]:
    x = integers(np.dtype("i4"), (5, 4, 6), "at")
    cases = []
    for key in STATIC:
        for how in HOW:
            value = integers(np.dtype("i4"), x[key].shape, how)
            expected = x.copy()
            expected[key] = value if how == "set" else HOW[how](x[key], value)
            cases.append(
                Case(f"at-{key}-{how}", lambda x, v, k=key, h=how: getattr(x.at[k], h)(v), (x, value), expected)
            )
    f = floats(F32, (4, 5))
    stepped = f.copy()
    stepped[1:, ::2] = 1.5
    cases += [
        Case("at-number", lambda x: x.at[1:, ::2].set(1.5), (f,), stepped),
        Case("at-everything", lambda x: x.at[...].add(1), (f,), f + np.float32(1)),
        Case("at-rank-0", lambda x: x.at[()].set(3), (np.float32(1),), np.float32(3)),
        Case(
            "at-mask", lambda x: x.at[np.eye(4, 5, dtype=bool)].set(0), (f,), np.where(np.eye(4, 5) > 0, F32.type(0), f)
        ),
        Case("at-get", lambda x: x.at[1, ::2].get(), (f,), f[1, ::2]),
    ]
    return cases


def _indices() -> list[Case]:
    source = rng("at-indices")
    rows = np.array([[4, 0, -1], [2, 2, -5]], "i4")
    outside = np.array([0, 5, -6, 3, 3, 2**31 - 1, -(2**31)], "i4")
    cases = []
    for dtype in (np.dtype("i1"), np.dtype("u2"), np.dtype("i4"), np.dtype("i8"), F16, BF16, F32, F64, C64):
        x = source.integers(0, 9, (5, 4, 6)).astype(dtype)
        value = source.integers(0, 5, (7, 4, 6)).astype(dtype)
        for how in ("set", "add") if dtype == C64 else HOW:
            expected = judge(x, outside, value, how)
            name = f"at-rows-{how}-{dtype.name}"
            cases.append(Case(name, lambda x, i, v, h=how: getattr(x.at[i], h)(v), (x, outside, value), expected))
    x = integers(np.dtype("i4"), (5, 4, 6), "indexed")
    both = source.integers(-8, 8, (2, 3)).astype("i4")
    keys: dict[str, tuple[Any, ...]] = {
        "rank-2": (rows,),
        "scalar": (np.array(3, "i4"),),
        "scalar-outside": (np.array(7, "i4"),),
        "middle": (slice(None), both),
        "last": (slice(None), slice(None), both),
        "uint8": (np.array([1, 200, 4, 1], "u1"),),
        "int64": (np.array([1, -1, 2**40, -(2**40)], "i8"),),
        "none": (rows[:0],),
        "pair": (rows, both),
        "stretched": (rows, both[:, :1]),
        "apart": (rows, slice(None), both),
        "all": (rows, both, both[::-1].copy()),
        "box": (slice(1, None), both[0], slice(None, None, 2)),
        "turned": (slice(None, None, -1), both[0]),
        "integer": (2, both[0]),
    }
    for name, key in keys.items():
        arrays = [entry for entry in key if isinstance(entry, np.ndarray)]
        shape = _shape(x, key)
        value = integers(np.dtype("i4"), shape, name)
        for how in ("set", "add"):
            cases.append(
                Case(
                    f"at-{name}-{how}",
                    lambda x, v, *given, k=key, h=how: getattr(x.at[_filled(k, given)], h)(v),
                    (x, value, *arrays),
                    judge(x, key, value, how),
                )
            )
    values = integers(np.dtype("i4"), (7, 4, 6), "twice")
    twice = judge(x, outside, values, "set")
    twice[1:3] *= 2
    flags = source.random((5, 3)) < 0.5
    cases += [
        Case("at-bool", lambda x, i: x.at[i].set(True), (flags, outside), judge(flags, outside, True, "set")),
        Case(
            "at-count",
            lambda i: wnp.zeros(5, dtype=wnp.int32).at[i].add(1),
            (outside,),
            judge(np.zeros(5, "i4"), outside, 1, "add"),
        ),
        Case("at-twice", lambda x, i, v: x.at[i].set(v).at[1:3].multiply(2), (x, outside, values), twice),
    ]
    return cases


def _shape(x: np.ndarray, key: tuple[Any, ...]) -> tuple[int, ...]:
    return np.empty(x.shape)[tuple(np.zeros_like(e) if isinstance(e, np.ndarray) else e for e in key)].shape


def _filled(key: tuple[Any, ...], given: tuple[Any, ...]) -> tuple[Any, ...]:
    following = iter(given)
    return tuple(next(following) if isinstance(entry, np.ndarray) else entry for entry in key)


FAMILIES = {"boxes": _boxes(), "scatters": _indices()}
