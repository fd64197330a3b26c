"""Cases that are judged twice: each function outside jit, and compiled, many of them in one module.

A case is a function on arrays, its arguments, and what a judge in higher precision expects. The families here
are the modules that `test_compiled.py` compiles, and the groups that `test_eager.py` runs.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

BF16 = np.dtype(ml_dtypes.bfloat16)
F16, F32, F64 = np.dtype("f2"), np.dtype("f4"), np.dtype("f8")
C64, C128 = np.dtype("c8"), np.dtype("c16")
INTEGERS = [np.dtype(name) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")]
FLOATS = [F16, BF16, F32, F64]
EPSILON = {F16: 2.0**-10, BF16: 2.0**-7, F32: 2.0**-23, F64: 2.0**-52}


@dataclass(frozen=True)
class Case:
    """One call: `expected` is an array, or a tuple of them; `tolerance` counts roundings of the result's dtype."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    expected: Any
    tolerance: float = 0.0
    absolute: float = 0.0

    def __str__(self) -> str:
        return self.name


def check(case: Case, actual: Any, slack: float = 1.0) -> None:
    """Assert dtype, shape and values."""
    if isinstance(case.expected, tuple):
        assert isinstance(actual, tuple | list)
        assert len(actual) == len(case.expected)
        for one, wanted in zip(actual, case.expected, strict=True):
            _check(case, one, wanted, slack)
    else:
        _check(case, actual, case.expected, slack)


def _check(case: Case, actual: Any, expected: Any, slack: float) -> None:
    got, wanted = np.asarray(actual), np.asarray(expected)
    assert got.dtype == wanted.dtype, case.name
    assert got.shape == wanted.shape, case.name
    part = {C64: F32, C128: F64}.get(wanted.dtype, wanted.dtype)
    if not case.tolerance:
        if wanted.dtype in EPSILON:
            got, wanted = got.astype(F64), wanted.astype(F64)
            numbers = ~np.isnan(wanted)
            np.testing.assert_array_equal(np.signbit(got)[numbers], np.signbit(wanted)[numbers], err_msg=case.name)
        np.testing.assert_array_equal(got, wanted, err_msg=case.name)
        return
    assert part in EPSILON, f"{case.name}: {wanted.dtype} is exact"
    relative = case.tolerance * EPSILON[part] * slack
    if wanted.dtype not in (C64, C128):
        got, wanted = got.astype(F64), wanted.astype(F64)
    np.testing.assert_allclose(got, wanted, rtol=relative, atol=case.absolute * slack, err_msg=case.name)


def rng(*key: Any) -> np.random.Generator:
    """A generator of its own for each case."""
    return np.random.default_rng([zlib.crc32(str(k).encode()) for k in key])


def floats(dtype: np.dtype, shape: tuple[int, ...], *key: Any, low: float = -4.0, high: float = 4.0) -> np.ndarray:
    """Floats of a dtype, spread evenly."""
    return rng(dtype.name, shape, *key).uniform(low, high, shape).astype(dtype)


def integers(dtype: np.dtype, shape: tuple[int, ...], *key: Any) -> np.ndarray:
    """Integers over the whole range of a dtype, small ones more often."""
    limits = np.iinfo(dtype)
    source = rng(dtype.name, shape, *key)
    wide = source.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    small = source.integers(max(limits.min, -5), 6, shape).astype(dtype)
    return np.where(source.random(shape) < 0.5, small, wide)


def wide(x: np.ndarray) -> np.ndarray:
    """An array in the precision that judges."""
    if x.dtype in (F16, BF16, F32):
        return x.astype(F64)
    return x.astype({F64: np.longdouble, C64: C128, C128: np.clongdouble}.get(x.dtype, x.dtype))
