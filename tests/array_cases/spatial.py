"""Convolution and pooling over dtypes, layouts, strides, padding and groups."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch.nn.functional as F
from sliding import Convolution, Window

import wax.nn
from array_cases.case import BF16, F16, F32, F64, FLOATS, Case, floats, integers, wide
from array_cases.judges import torched


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


def _transposed(dtype: np.dtype) -> list[Case]:
    conv, f = wax.nn.conv_transpose, dtype.name
    x, w, b = floats(dtype, (2, 6, 5, 4), "x"), floats(dtype, (6, 3, 3, 2), "w"), floats(dtype, (3,), "b")
    line, taps = floats(dtype, (2, 3, 7), "line"), floats(dtype, (3, 5, 4), "taps")
    cube, box = floats(dtype, (1, 2, 3, 2, 3), "cube"), floats(dtype, (2, 3, 2, 1, 3), "box")
    tiny = 1e-3 if dtype in (F16, F32) else 1e-1 if dtype == BF16 else 1e-12

    theirs = {"strides": "stride", "dilations": "dilation"}

    def case(name: str, judge: Any, x: Any, w: Any, b: Any = None, **options: Any) -> Case:
        arguments = (x, w) if b is None else (x, w, b)
        expected = torched(judge, *arguments, **{theirs.get(one, one): value for one, value in options.items()})
        return Case(f"conv_transpose-{name}-{f}", _with(conv, **options), arguments, expected.astype(dtype), 4, tiny)

    two = F.conv_transpose2d
    pixels, kernel = np.moveaxis(x, 1, -1).copy(), w.transpose(2, 3, 1, 0).copy()
    doubled = torched(two, x, w, stride=2)
    return [
        case("plain", two, x, w),
        case("bias", two, x, w, b, strides=2, padding=1),
        case("more", two, x, w, b, strides=(3, 2), padding=(1, 0), output_padding=(2, 1)),
        case("dilated", two, x, w, dilations=(2, 3), padding=2, output_padding=1),
        case("groups", two, x, w, groups=3, strides=2),
        case("depthwise", two, x, w[:, :1].copy(), groups=6, padding=1),
        case("line", F.conv_transpose1d, line, taps, strides=3),
        case("cube", F.conv_transpose3d, cube, box, strides=(1, 2, 3)),
        Case(
            f"conv_transpose-last-{f}",
            lambda x, w: conv(x, w, groups=2, strides=2, channels_last=True),
            (pixels, kernel),
            np.moveaxis(torched(two, x, w, groups=2, stride=2), 1, -1).astype(dtype),
            4,
            tiny,
        ),
        # Of 3 by 2 elements with stride 2 one is cut of the first dim, at its end, and none of the second.
        Case(
            f"conv_transpose-same-{f}",
            lambda x, w: conv(x, w, strides=2, padding="SAME"),
            (x, w),
            doubled[:, :, :10, :8].astype(dtype),
            4,
            tiny,
        ),
        Case(
            f"conv_transpose-same-short-{f}",
            lambda x, w: conv(x, w, strides=3, padding="SAME"),
            (x, w),
            np.pad(torched(two, x, w, stride=3), ((0, 0), (0, 0), (0, 0), (0, 1))).astype(dtype),
            4,
            tiny,
        ),
        Case(f"conv_transpose-no-batch-{f}", conv, (x[:0], w), np.zeros((0, 3, 7, 5), dtype)),
    ]


def _with(function: Any, **options: Any) -> Any:
    return lambda *arguments: function(*arguments, **options)


def _adaptive(dtype: np.dtype) -> list[Case]:
    x, nn = floats(dtype, (2, 3, 12, 7), "adaptive"), wax.nn
    broken = x.copy()
    broken[0, 0, :, 0] = np.inf
    last = np.moveaxis(x, 1, -1).copy()
    tiny = {F16: 1e-3, BF16: 1e-2, F32: 1e-6}.get(dtype, 1e-14)
    cases = []
    for sizes in (1, (4, 7), (5, 3), (3, 1), (13, 9)):
        mean, most = torched(F.adaptive_avg_pool2d, x, sizes), torched(F.adaptive_max_pool2d, x, sizes)
        infinite = torched(F.adaptive_avg_pool2d, broken, sizes)
        name = f"{sizes}-{dtype.name}"
        cases += [
            Case(
                f"adaptive_avg_pool-{name}", _with_sizes(nn.adaptive_avg_pool, sizes), (x,), mean.astype(dtype), 4, tiny
            ),
            Case(f"adaptive_max_pool-{name}", _with_sizes(nn.adaptive_max_pool, sizes), (x,), most.astype(dtype)),
            Case(
                f"adaptive_avg_pool-infinite-{name}",
                _with_sizes(nn.adaptive_avg_pool, sizes),
                (broken,),
                infinite.astype(dtype),
                4,
                tiny,
            ),
        ]
    expected = np.moveaxis(torched(F.adaptive_avg_pool2d, x, (5, 3)), 1, -1).astype(dtype)
    over = _with_sizes(nn.adaptive_avg_pool, (5, 3), channels_last=True)
    return [*cases, Case(f"adaptive_avg_pool-last-{dtype.name}", over, (last,), expected, 4, tiny)]


def _with_sizes(function: Any, sizes: Any, **options: Any) -> Any:
    return lambda x: function(x, sizes, **options)


def _channels(dtype: np.dtype) -> list[Case]:
    nn, f = wax.nn, dtype.name
    x, rows = floats(dtype, (3, 6, 5, 4), "x"), floats(dtype, (4, 6), "rows")
    weight, bias, mean = (floats(dtype, (6,), name) for name in ("weight", "bias", "mean"))
    variance = floats(dtype, (6,), "variance", low=0.5, high=4.0)
    wide_mean, wide_variance = mean.astype(F32), variance.astype(F32)
    last = np.moveaxis(x, 1, -1).copy()
    tiny = {F16: 1e-2, BF16: 1e-1, F32: 1e-5, F64: 1e-13}[dtype]

    def case(name: str, function: Any, arguments: Any, expected: Any) -> Case:
        parts = (
            tuple(one.astype(kind) for one, kind in expected) if isinstance(expected, tuple) else expected.astype(dtype)
        )
        return Case(f"{name}-{f}", function, arguments, parts, 16, tiny)

    def trained(x: Any, kind: np.dtype, momentum: float = 0.1) -> Any:
        v = wide(x)
        axes = tuple(dim for dim in range(v.ndim) if dim != 1)
        result = torched(F.batch_norm, x, None, None, weight, bias, training=True)
        moved = [
            (1 - momentum) * wide(old) + momentum * new
            for old, new in ((mean, v.mean(axes)), (variance, v.var(axes, ddof=1)))
        ]
        return (result, dtype), (moved[0], kind), (moved[1], kind)

    parameters = (mean, variance, weight, bias)
    judged = torched(F.batch_norm, x, *parameters)
    grouped = torched(F.group_norm, x, 3, weight, bias)
    return [
        case("batch_norm", nn.batch_norm, (x, *parameters), judged),
        case(
            "batch_norm-bare",
            _with(nn.batch_norm, eps=0.1),
            (x, mean, variance),
            torched(F.batch_norm, x, mean, variance, eps=0.1),
        ),
        case("batch_norm-rows", nn.batch_norm, (rows, *parameters), torched(F.batch_norm, rows, *parameters)),
        case(
            "batch_norm-last", _with(nn.batch_norm, channels_last=True), (last, *parameters), np.moveaxis(judged, 1, -1)
        ),
        case("batch_norm-no-rows", nn.batch_norm, (x[:0], *parameters), judged[:0]),
        case("batch_norm_training", nn.batch_norm_training, (x, *parameters), trained(x, dtype)),
        case("batch_norm_training-rows", nn.batch_norm_training, (rows, *parameters), trained(rows, dtype)),
        case(
            "batch_norm_training-wide-statistics",
            _with(nn.batch_norm_training, momentum=0.3),
            (x, wide_mean, wide_variance, weight, bias),
            trained(x, F32, 0.3),
        ),
        case("group_norm", lambda x, w, b: nn.group_norm(x, 3, w, b), (x, weight, bias), grouped),
        case("group_norm-one", lambda x: nn.group_norm(x, 1), (x,), torched(F.group_norm, x, 1)),
        case("group_norm-rows", lambda x: nn.group_norm(x, 2), (rows,), torched(F.group_norm, rows, 2)),
        case(
            "group_norm-last",
            lambda x, w, b: nn.group_norm(x, 3, w, b, channels_last=True),
            (last, weight, bias),
            np.moveaxis(grouped, 1, -1),
        ),
        case(
            "instance_norm", nn.instance_norm, (x, weight, bias), torched(F.instance_norm, x, weight=weight, bias=bias)
        ),
        case(
            "instance_norm-last",
            _with(nn.instance_norm, channels_last=True),
            (last,),
            np.moveaxis(torched(F.instance_norm, x), 1, -1),
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
    **{f"conv_transpose-{dtype.name}": _transposed(dtype) for dtype in FLOATS},
    **{f"adaptive-{dtype.name}": _adaptive(dtype) for dtype in FLOATS},
    **{f"channels-{dtype.name}": _channels(dtype) for dtype in FLOATS},
    "spatial-whole": _whole(),
}
