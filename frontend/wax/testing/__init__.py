"""For authors of backends: `backend_suite` tries one with all that every backend and device is tried with.

    wax.testing.backend_suite("mine")

It needs no test runner. In a suite of tests, `programs()` are cases, and `check` tries one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import wax
from wax import dtypes, tree
from wax.testing.programs import TestProgram, programs
from wax_runtime.devices import Device

__all__ = ["TestProgram", "backend_suite", "check", "compare", "programs"]


def check(
    program: TestProgram, *, backend: str | None = None, device: Device | str | None = None, dynamic: bool = False
) -> None:
    """Runs a program and compares what it gives with the reference backend. Raises `AssertionError`.

    With `dynamic` it is compiled for sizes that are known only when it is called; it must have some.
    """
    shapes = program.dynamic_shapes if dynamic else None
    jitted = wax.jit(program.function, backend=backend, device=device, dynamic_shapes=shapes)
    judge = wax.jit(program.function, backend="reference")
    found, structure = tree.flatten(jitted(*program.arguments))
    wanted, expected = tree.flatten(judge(*program.arguments))
    assert structure == expected, f"{program}: a result of structure {structure}, not {expected}"
    for place, (got, want) in enumerate(zip(found, wanted, strict=True)):
        compare(f"{program}, result {place}", np.asarray(got), np.asarray(want), program.tolerance)


def compare(name: str, got: np.ndarray[Any, Any], want: np.ndarray[Any, Any], tolerance: float) -> None:
    """Compares a result with what is wanted: floats up to so many epsilons, all else exactly.

    Raises `AssertionError`.
    """
    assert (got.shape, got.dtype) == (want.shape, want.dtype), f"{name}: {got.dtype}{got.shape}"
    if dtypes.kind(want.dtype) not in ("float", "complex"):
        np.testing.assert_array_equal(got, want, err_msg=name)
        return
    kind = dtypes.kind(want.dtype)
    off = tolerance * float(_epsilon(dtypes.real_part(want.dtype) if kind == "complex" else want.dtype))
    wide = np.complex128 if kind == "complex" else np.float64
    np.testing.assert_allclose(got.astype(wide), want.astype(wide), rtol=off, atol=off, err_msg=name)


def _epsilon(dtype: np.dtype[Any]) -> Any:
    import ml_dtypes

    return ml_dtypes.finfo(dtype).eps


def backend_suite(
    name: str, device: Device | str | None = None, expected_failures: Mapping[str, str] | None = None
) -> list[str]:
    """Tries a backend with all programs, with static sizes and with dynamic ones, and returns their names.

    `expected_failures` are programs that are known to fail, with the cause. Raises `AssertionError` with all that
    fail and are not expected to, and those that are and do not.

    >>> len(wax.testing.backend_suite("reference")) > 50
    True
    """
    expected = dict(expected_failures or {})
    tried, wrong = [], []
    for program in programs():
        for dynamic in (False, True) if program.dynamic_shapes else (False,):
            case = f"{program}, dynamic" if dynamic else program.name
            tried.append(case)
            try:
                check(program, backend=name, device=device, dynamic=dynamic)
            except Exception as error:  # noqa: BLE001  # whatever a backend raises
                if program.name not in expected:
                    wrong.append(f"{case}: {type(error).__name__}: {error}")
            else:
                if program.name in expected and not dynamic:
                    wrong.append(f"{case}: works, and is expected to fail: {expected[program.name]}")
    unknown = expected.keys() - {program.name for program in programs()}
    wrong += [f"{one}: no program of this name" for one in sorted(unknown)]
    assert not wrong, f"backend {name!r} fails {len(wrong)} of {len(tried)}:\n" + "\n".join(wrong)
    return tried
