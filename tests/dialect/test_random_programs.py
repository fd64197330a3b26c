"""Random programs: what holds of every program of the dialect.

The judge of results is the reference backend, which reads the snapshot and shares no code with the rewrites.
"""

import numpy as np
import pytest
from random_programs import random_program

from wax import _native
from wax_runtime.reference.plan import build
from wax_runtime.reference.rules import RULES
from wax_runtime.snapshot import Module

QUICK = range(100)
FULL = range(100, 2000)


def run(module: Module, arguments: list[np.ndarray]) -> list[np.ndarray]:
    return [np.asarray(result) for result in build(module, RULES)(arguments)]


def bits(array: np.ndarray) -> tuple[object, ...]:
    """All that tells two arrays apart, but for the payloads of NaNs."""
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return array.dtype, array.shape, array.tobytes()


def check(seeds: range) -> None:
    for seed in seeds:
        program = random_program(seed)
        module = _native.make_module(program.function)
        text = module.text()
        assert _native.parse_module(text).text() == text, seed
        before = run(module.snapshot(), program.arguments)
        assert [result.shape for result in before] == program.shapes, seed
        module.run("canonicalize,cse,canonicalize")
        after = run(module.snapshot(), program.arguments)
        assert [bits(result) for result in after] == [bits(result) for result in before], seed


@pytest.fixture(autouse=True)
def verify_after_every_pass(monkeypatch):
    monkeypatch.setenv("WAX_VERIFY_PASSES", "1")


def test_texts_come_back_and_rewrites_keep_every_bit():
    check(QUICK)


@pytest.mark.full
def test_texts_come_back_and_rewrites_keep_every_bit_of_many_programs():
    check(FULL)
