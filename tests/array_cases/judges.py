"""PyTorch as a judge: its functions on NumPy arrays, in double precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from array_cases.case import FLOATS


def torched(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a function of PyTorch's gives, floats as float64 and integers as int64."""
    result = function(*map(_tensor, arguments), **{name: _tensor(value) for name, value in options.items()})
    return tuple(one.numpy() for one in result) if isinstance(result, tuple) else result.numpy()


def _tensor(x: Any) -> Any:
    if not isinstance(x, np.ndarray):
        return x
    if x.dtype in FLOATS:
        return torch.from_numpy(x.astype(np.float64))
    return torch.from_numpy(x if x.dtype == np.bool_ else x.astype(np.int64))
