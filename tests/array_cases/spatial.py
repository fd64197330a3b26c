"""Convolution and pooling over dtypes, layouts, strides, padding and groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from sliding import Convolution, Window

import wax.nn
from array_cases.case import BF16, F16, F32, FLOATS, Case, floats, integers, wide


def _convolved(x: np.ndarray, w: np.ndarray, lhs: str, rhs: str, **steps: Any) -> np.ndarray:
    return Convolution(lhs, x.shape, rhs, w.shape, lhs, **steps, element="f64").expected(wide(x), wide(w))


def _convolutions(dtype: np.dtype) -> list[Case]:
    conv, f = wax.nn.conv, dtype.name
    x, w, b = floats(dtype, (2, 4, 9, 8), "x"), floats(dtype, (6, 4, 3, 2), "w"), floats(dtype, (6,), "b")
    last, kernel = floats(dtype, (2, 9, 8, 4), "last"), floats(dtype, (3, 3, 2, 6), "kernel")
    line, taps = floats(dtype, (2, 3, 21), "line"), floats(dtype, (5, 3, 4), "taps")
    cube, box = floats(dtype, (1, 2, 4, 5, 3), "cube"), floats(dtype, (3, 2, 2, 2, 3), "box")
    each = floats(dtype, (4, 1, 3, 3), "each")
    tiny = 1e-3 if dtype in (F16, F32) else 1e-1 if dtype == BF16 else 1e-12

    def case(name: str, function: Any, arguments: tuple[Any, ...], expected: np.ndarray) -> Case:
        return Case(f"conv-{name}-{f}", function, arguments, expected.astype(dtype), 4, tiny)

    nchw, two = ("bf01", "oi01"), ((2, 2), (1, 1), (1, 1))
    return [
        case("plain", conv, (x, w), _convolved(x, w, *nchw)),
        case(
            "bias",
            lambda x, w, b: conv(x, w, b, strides=2, padding=1),
            (x, w, b),
            _convolved(x, w, *nchw, strides=two[0], low=two[1], high=two[2]) + wide(b)[:, None, None],
        ),
        case(
            "same",
            lambda x, w: conv(x, w, padding="SAME", dilations=(1, 2)),
            (x, w),
            _convolved(x, w, *nchw, low=(1, 1), high=(1, 1), rhs_dilations=(1, 2)),
        ),
        case(
            "same-strided",
            lambda x, w: conv(x, w, padding="SAME", strides=(2, 3)),
            (x, w),
            # 9 → 5 takes 2 elements more, 8 → 3 none.
            _convolved(x, w, *nchw, strides=(2, 3), low=(1, 0), high=(1, 0)),
        ),
        case(
            "channels-last",
            lambda x, w: conv(x, w, padding=((0, 2), (-1, 1)), groups=2, channels_last=True),
            (last, kernel),
            _convolved(last, kernel, "b01f", "01io", low=(0, -1), high=(2, 1), features=2),
        ),
        case(
            "depthwise",
            lambda x, w: conv(x, w, groups=4, padding=1),
            (x, each),
            _convolved(x, each, *nchw, low=(1, 1), high=(1, 1), features=4),
        ),
        case(
            "line",
            lambda x, w: conv(x, w, strides=3, padding=(2,)),
            (line, taps),
            _convolved(line, taps, "bf0", "oi0", strides=(3,), low=(2,), high=(2,)),
        ),
        case(
            "line-last",
            lambda x, w: conv(x, w, padding="SAME", channels_last=True),
            (np.moveaxis(line, 1, -1).copy(), taps.transpose(2, 1, 0).copy()),
            np.moveaxis(_convolved(line, taps, "bf0", "oi0", low=(1,), high=(2,)), 1, -1),
        ),
        case(
            "patches",
            lambda x, w: conv(x, w, strides=(3, 2)),
            (x, w),
            _convolved(x, w, *nchw, strides=(3, 2)),
        ),
        case("cube", conv, (cube, box), _convolved(cube, box, "bf012", "oi012")),
        case(
            "transposed",
            lambda x, w: conv(x, w, input_dilations=2, padding=2),
            (x, w),
            _convolved(x, w, *nchw, low=(2, 2), high=(2, 2), lhs_dilations=(2, 2)),
        ),
        case("no-batch", conv, (x[:0], w), _convolved(x[:0], w, *nchw)),
    ]


def _pools(dtype: np.dtype) -> list[Case]:
    x, nn, f = floats(dtype, (2, 3, 9, 8), "pooled"), wax.nn, dtype.name
    last = np.moveaxis(x, 1, -1).copy()
    v = wide(x)

    def windows(v: np.ndarray, sizes: tuple[int, ...], strides: tuple[int, ...], dilations: Any = (1, 1)) -> np.ndarray:
        return Window(v.shape, (2, 3), sizes, strides, dilations).expected(v)

    def around(value: float) -> np.ndarray:
        return np.pad(v, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=value)

    ones = np.pad(np.ones_like(v), ((0, 0), (0, 0), (1, 1), (1, 1)))
    over = (-2, -1)
    sums = windows(around(0), (3, 2), (3, 2)).sum(over)
    tiny = {F16: 1e-3, BF16: 1e-2, F32: 1e-6}.get(dtype, 1e-14)
    return [
        Case(f"max_pool-{f}", lambda x: nn.max_pool(x, 2), (x,), windows(v, (2, 2), (2, 2)).max(over).astype(dtype)),
        Case(
            f"max_pool-padded-{f}",
            lambda x: nn.max_pool(x, (3, 2), strides=1, padding=1, dilations=(1, 2)),
            (x,),
            windows(around(-np.inf), (3, 2), (1, 1), (1, 2)).max(over).astype(dtype),
        ),
        Case(
            f"max_pool-last-{f}",
            lambda x: nn.max_pool(x, 2, channels_last=True),
            (last,),
            np.moveaxis(windows(v, (2, 2), (2, 2)).max(over), 1, -1).astype(dtype),
        ),
        Case(
            f"avg_pool-{f}",
            lambda x: nn.avg_pool(x, 2),
            (x,),
            windows(v, (2, 2), (2, 2)).mean(over).astype(dtype),
            4,
            tiny,
        ),
        Case(
            f"avg_pool-counted-{f}",
            lambda x: nn.avg_pool(x, (3, 2), padding=1),
            (x,),
            (sums / 6).astype(dtype),
            4,
            tiny,
        ),
        Case(
            f"avg_pool-uncounted-{f}",
            lambda x: nn.avg_pool(x, (3, 2), padding=1, count_include_pad=False),
            (x,),
            (sums / windows(ones, (3, 2), (3, 2)).sum(over)).astype(dtype),
            4,
            tiny,
        ),
    ]


def _whole() -> list[Case]:
    """Integers, which wrap, and a greatest element among NaNs."""
    x, w = integers(np.dtype("i4"), (1, 2, 5, 5), "x"), integers(np.dtype("i4"), (3, 2, 2, 2), "w")
    nan = floats(F32, (1, 1, 4, 4), "nan")
    nan[0, 0, 1, 2] = np.nan
    counts = Convolution("bf01", x.shape, "oi01", w.shape, "bf01", element="i32").expected(x, w)
    return [
        Case("conv-int32", wax.nn.conv, (x, w), counts),
        Case(
            "max_pool-int32",
            lambda x: wax.nn.max_pool(x, 2, strides=1),
            (x,),
            Window(x.shape, (2, 3), (2, 2), (1, 1), (1, 1)).expected(x).max((-2, -1)),
        ),
        Case(
            "max_pool-nan",
            lambda x: wax.nn.max_pool(x, 2),
            (nan,),
            Window(nan.shape, (2, 3), (2, 2), (2, 2), (1, 1)).expected(nan).max((-2, -1)),
        ),
    ]


FAMILIES: dict[str, list[Case]] = {
    **{f"conv-{dtype.name}": _convolutions(dtype) for dtype in FLOATS},
    **{f"pool-{dtype.name}": _pools(dtype) for dtype in FLOATS},
    "spatial-whole": _whole(),
}
