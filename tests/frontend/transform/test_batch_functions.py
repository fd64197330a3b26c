"""`vmap` of every array function against a stack of single calls."""

import zlib

import numpy as np
import pytest
from array_cases import FAMILIES
from array_cases.case import BF16, EPSILON

import wax
import wax.numpy as wnp

ROWS = 3


def _chosen():
    """Some cases of each function: of those that differ in shape or dtype only, the first and a few more."""
    kept = {}
    for family, cases in FAMILIES.items():
        for case in cases:
            kind = case.name.split("-")[0]
            held = kept.setdefault((family, kind), [])
            if len(held) < 2 or zlib.crc32(case.name.encode()) % 61 == 0:
                held.append(case)
    return [case for cases in kept.values() for case in cases]


def _rows(x):
    """The argument, and others that are made of the same elements."""
    flat = x.reshape(-1)
    return wnp.asarray(np.stack([np.roll(flat, i).reshape(x.shape) for i in range(ROWS)]))


def _array(x):
    return wnp.asarray(x) if isinstance(x, np.ndarray) else x


def _leaves(result):
    return [np.asarray(leaf) for leaf in wax.tree.flatten(result)[0]]


def assert_alike(batched, singles):
    """The same dtypes and shapes, and values that differ by roundings at most."""
    assert len(batched) == len(singles[0])
    for many, *ones in zip(batched, *singles, strict=True):
        wanted = np.stack(ones)
        assert many.dtype == wanted.dtype
        assert many.shape == wanted.shape
        part = np.dtype(wanted.real.dtype) if wanted.dtype.kind == "c" else wanted.dtype
        if part not in EPSILON:
            np.testing.assert_array_equal(many, wanted)
            continue
        if wanted.dtype == BF16 or wanted.dtype == np.float16:
            many, wanted = many.astype(np.float64), wanted.astype(np.float64)
        scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0)
        np.testing.assert_allclose(many, wanted, rtol=256 * EPSILON[part], atol=64 * EPSILON[part] * scale)


@pytest.mark.parametrize("case", _chosen(), ids=str)
def test_a_batch_of_a_function_is_the_stack_of_its_calls(case):
    is_array = [isinstance(x, np.ndarray) and x.size > 0 for x in case.arguments]
    if not any(is_array):
        pytest.skip("there is no array to make rows of")
    rows = [_rows(x) if batched else _array(x) for x, batched in zip(case.arguments, is_array, strict=True)]
    single = [
        _leaves(case.function(*(x[i] if batched else x for x, batched in zip(rows, is_array, strict=True))))
        for i in range(ROWS)
    ]
    axes = tuple(0 if batched else None for batched in is_array)
    assert_alike(_leaves(wax.vmap(case.function, in_axes=axes)(*rows)), single)


@pytest.mark.parametrize(
    "case", [case for case in _chosen() if sum(isinstance(x, np.ndarray) for x in case.arguments) > 1], ids=str
)
def test_an_argument_may_be_the_same_for_all_rows(case):
    arrays = [i for i, x in enumerate(case.arguments) if isinstance(x, np.ndarray) and x.size]
    for own in arrays[:2]:
        rows = [_rows(x) if i == own else _array(x) for i, x in enumerate(case.arguments)]
        single = [
            _leaves(case.function(*(x[i] if place == own else x for place, x in enumerate(rows)))) for i in range(ROWS)
        ]
        axes = tuple(0 if place == own else None for place in range(len(rows)))
        assert_alike(_leaves(wax.vmap(case.function, in_axes=axes)(*rows)), single)
