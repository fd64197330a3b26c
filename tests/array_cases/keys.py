"""`x[key]` for every kind of key, judged by NumPy; the dims of arrays stand where NumPy puts them."""

from __future__ import annotations

from typing import Any

import numpy as np

from array_cases.case import BF16, C64, F32, F64, Case, integers, rng

I4 = np.dtype("i4")


def _places(size: int, shape: tuple[int, ...], *key: Any) -> np.ndarray:
    return rng("places", size, shape, *key).integers(-size, size, shape)


def _case(name: str, x: np.ndarray, key: Any) -> Case:
    """The arrays of integers in the key are arguments of the function."""
    entries = key if isinstance(key, tuple) else (key,)
    arrays = [entry for entry in entries if isinstance(entry, np.ndarray) and entry.dtype != bool]

    def function(x: Any, *given: Any) -> Any:
        following = iter(given)
        written = [next(following) if any(one is entry for one in arrays) else entry for entry in entries]
        return x[tuple(written) if isinstance(key, tuple) else written[0]]

    return Case(f"key-{name}", function, (x, *arrays), x[key])


def _joint() -> list[Case]:
    x = integers(I4, (5, 4, 6, 3), "keys")
    a, b, c = (_places(size, (2, 7), axis).astype("i4") for axis, size in enumerate((5, 4, 6)))
    whole, back = slice(None), slice(None, None, -2)
    keys: dict[str, Any] = {
        "pair": (a, b),
        "triple": (a, b, c),
        "stretched": (a[:, :1], b[0], c),
        "later": (whole, b, c),
        "last": (..., b, a % 3),
        "apart": (a, whole, c),
        "apart-turned": (a, back, c),
        "apart-by-none": (a, None, b),
        "apart-by-nothing": (a, b, ..., c, a % 3),
        "before-dots": (whole, b, ..., c % 3),
        "integer-beside": (whole, 2, c),
        "integer-apart": (1, whole, c),
        "integer-alone": (whole, -1, ..., 2),
        "none-before": (None, whole, b, None),
        "slices-around": (slice(1, 4), b, back),
        "vector": a[0],
        "rank-0": (a[0, 0], whole, c[0, 0]),
        "rank-0-beside": (a[0, 0], b),
        "none-taken": (a[:0], b[:0]),
        "wide": (a.astype("i8"), b.astype("i8")),
        "narrow": (a.astype("i1"), (b % 4).astype("u1")),
        "dtypes": (a.astype("i8"), b),
        "boolean": (True, whole, b),
        "never": (whole, False),
        "booleans-apart": (True, whole, True),
    }
    cases = [_case(name, x, key) for name, key in keys.items()]
    for dtype in (np.dtype("?"), np.dtype("i1"), np.dtype("u8"), BF16, F32, F64, C64):
        y = (x[..., 0] % 2).astype(dtype)
        cases.append(_case(f"pair-{dtype.name}", y, (a, b)))
    cases += [
        _case("empty-axis", x[:, :0], (a[:0], b[:0])),
        _case("of-empty", x[:0], (whole, b, c)),
    ]
    return cases


def _masks() -> list[Case]:
    """Masks are known where the function is traced."""
    x = integers(I4, (5, 4, 6), "masked")
    source = rng("masks")
    over, rows, columns = (source.random(shape) < 0.4 for shape in ((5, 4, 6), (5,), (4,)))
    both = source.random((5, 4)) < 0.4
    places = _places(5, (int(columns.sum()),)).astype("i4")
    whole = slice(None)
    keys: dict[str, Any] = {
        "all": over,
        "rows": rows,
        "leading": both,
        "columns": (whole, columns),
        "after-slice": (slice(1, None, 2), columns, slice(None, None, -1)),
        "beside-array": (places, columns),
        "apart": (rows, whole, np.int32(3)),
        "none-true": np.zeros(5, bool),
        "list": [True, False, True, True, False],
        "rank-0": np.array(True),
        "rank-0-false": (whole, np.array(False)),
    }
    cases = [_case(f"mask-{name}", x, key) for name, key in keys.items()]
    for name in ("all", "rows", "leading", "columns", "beside-array"):
        key = keys[name]
        value = integers(I4, x[key].shape, name)
        expected = x.copy()
        expected[key] = value
        arrays = [places] if name == "beside-array" else []
        cases.append(
            Case(
                f"at-mask-{name}",
                lambda x, v, *given, k=key: x.at[(*given, k[1]) if given else k].set(v),
                (x, value, *arrays),
                expected,
            )
        )
    return cases


def _masked() -> list[Case]:
    """A traced mask of leading dims takes one value."""
    x = integers(I4, (5, 4, 6), "masked")
    source = rng("traced masks")
    cases = []
    for shape in ((5, 4, 6), (5, 4), (5,)):
        mask = source.random(shape) < 0.4
        for how, judge in (("set", lambda x: 7), ("add", lambda x: x + 7), ("max", lambda x: np.maximum(x, 7))):
            expected = np.where(mask.reshape(shape + (1,) * (3 - len(shape))), judge(x), x).astype(I4)
            cases.append(
                Case(f"at-traced-{shape}-{how}", lambda x, m, h=how: getattr(x.at[m], h)(7), (x, mask), expected)
            )
    return cases


def _updates() -> list[Case]:
    x = integers(I4, (5, 4, 6), "updates")
    a, b, c = (rng("distinct", size).permutation(size)[:4].astype("i4") for size in (5, 4, 6))
    whole = slice(None)
    keys: dict[str, Any] = {
        "none": (None, slice(1, 3), None),
        "apart": (a, whole, c),
        "integer-apart": (1, whole, c),
        "integer-beside": (whole, 2, c),
        "none-between": (a, None, b),
        "apart-turned": (a, slice(None, None, -2), c),
        "boolean": (True, a),
    }
    cases = []
    for name, key in keys.items():
        value = integers(I4, x[key].shape, name)
        for how, ufunc in (("set", None), ("add", np.add), ("min", np.minimum)):
            expected = x.copy()
            expected[key] = value if ufunc is None else ufunc(x[key], value)
            cases.append(
                Case(f"at-{name}-{how}", lambda x, v, k=key, h=how: getattr(x.at[k], h)(v), (x, value), expected)
            )
        cases.append(Case(f"at-{name}-get", lambda x, k=key: x.at[k].get(), (x,), x[key]))
    return cases


FAMILIES = {"keys": _joint(), "masks": _masks() + _masked(), "keyed-updates": _updates()}
