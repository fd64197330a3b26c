"""Activation functions over dtypes, at their corners, and beyond what exponentials hold."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import torch.nn.functional as F

import wax.nn
from array_cases.case import BF16, F16, F32, F64, FLOATS, Case, floats, wide
from array_cases.judges import torched

nn = wax.nn

#: The function, a judge, and how many roundings its result may be off.
_BY_TORCH: dict[str, tuple[Any, Any]] = {
    "relu6": (nn.relu6, F.relu6),
    "leaky_relu": (nn.leaky_relu, F.leaky_relu),
    "leaky_relu-slope": (lambda x: nn.leaky_relu(x, negative_slope=0.25), lambda x: F.leaky_relu(x, 0.25)),
    "hard_tanh": (nn.hard_tanh, F.hardtanh),
    "hard_sigmoid": (nn.hard_sigmoid, F.hardsigmoid),
    "hard_silu": (nn.hard_silu, F.hardswish),
    "elu": (nn.elu, F.elu),
    "elu-alpha": (lambda x: nn.elu(x, alpha=0.3), lambda x: F.elu(x, 0.3)),
    "celu": (lambda x: nn.celu(x, alpha=0.7), lambda x: F.celu(x, 0.7)),
    "selu": (nn.selu, F.selu),
    "mish": (nn.mish, F.mish),
    "log_sigmoid": (nn.log_sigmoid, F.logsigmoid),
    "soft_sign": (nn.soft_sign, F.softsign),
    "silu": (nn.silu, F.silu),
    "gelu": (nn.gelu, F.gelu),
    "gelu-tanh": (lambda x: nn.gelu(x, approximate=True), lambda x: F.gelu(x, approximate="tanh")),
    "softplus": (nn.softplus, lambda x: F.softplus(x, threshold=1e9)),
    "glu": (nn.glu, F.glu),
    "glu-axis": (lambda x: nn.glu(x, axis=1), lambda x: F.glu(x, 1)),
}

_BY_FORMULA: dict[str, tuple[Any, Any]] = {
    "identity": (nn.identity, lambda v: v),
    "squareplus": (lambda x: nn.squareplus(x, b=3.0), lambda v: (v + np.sqrt(v * v + 3)) / 2),
    "sparse_plus": (nn.sparse_plus, lambda v: np.where(v <= -1, 0, np.where(v >= 1, v, (v + 1) ** 2 / 4))),
    "sparse_sigmoid": (nn.sparse_sigmoid, lambda v: np.clip((v + 1) / 2, 0, 1)),
}


def _activations(dtype: np.dtype) -> list[Case]:
    x = floats(dtype, (3, 4, 6), "activations", low=-9.0, high=9.0)
    x[0, 0] = [-0.0, 0.0, 1.0, -1.0, 3.0, -3.0]
    x[0, 1] = np.array([6.0, 60.0, -60.0, 7.0, -6.0, 0.5]).astype(dtype)
    slope = floats(dtype, (4, 1), "slope")
    absolute = {F16: 1e-3, BF16: 1e-2, F32: 1e-6, F64: 1e-14}[dtype]
    cases = [
        Case(f"{name}-{dtype.name}", function, (x,), torched(judge, x).astype(dtype), 16, absolute)
        for name, (function, judge) in _BY_TORCH.items()
    ]
    cases += [
        Case(f"{name}-{dtype.name}", function, (x,), judge(wide(x)).astype(dtype), 16, absolute)
        for name, (function, judge) in _BY_FORMULA.items()
    ]
    v = wide(x)
    steep = np.where(v >= 0, v, v * wide(slope)).astype(dtype)
    # Where gelu is small, as exactly as its exponential can be told.
    below = np.linspace(-6, -1, 72).astype(dtype)
    b = wide(below)
    small = b / (1 + np.exp(-b * (math.sqrt(8 / math.pi) * (1 + 0.044715 * b * b))))
    by_tanh = partial(nn.gelu, approximate=True)
    return [
        *cases,
        Case(f"prelu-{dtype.name}", nn.prelu, (x, slope), steep, 2),
        Case(f"gelu-tanh-below-{dtype.name}", by_tanh, (below,), small.astype(dtype), 100),
    ]


def _limits() -> list[Case]:
    """What infinities and NaN become; NaN is never lost."""
    x = np.array([-np.inf, np.inf, np.nan], F32)
    expected = {
        nn.relu6: (0, 6),
        nn.hard_tanh: (-1, 1),
        nn.hard_sigmoid: (0, 1),
        nn.soft_sign: (-1, 1),
        nn.sparse_plus: (0, np.inf),
        nn.sparse_sigmoid: (0, 1),
        nn.elu: (-1, np.inf),
        nn.celu: (-1, np.inf),
        nn.log_sigmoid: (-np.inf, 0),
    }
    cases = [
        Case(f"{function.__name__}-limits", function, (x,), np.array([low, high, np.nan], F32), 1)
        for function, (low, high) in expected.items()
    ]
    whole = np.array([-7, -1, 0, 1, 7], "i4")
    return [
        *cases,
        Case("relu6-int32", nn.relu6, (whole,), np.clip(whole, 0, 6)),
        Case("elu-int32", nn.elu, (whole,), torched(F.elu, whole.astype(F64)).astype(F32), 4, 1e-6),
    ]


FAMILIES: dict[str, list[Case]] = {
    **{f"activations-{dtype.name}": _activations(dtype) for dtype in FLOATS},
    "activations-limits": _limits(),
}
