"""Random programs of the basis reach the upstream normal form, every pass verified."""

import pytest
from random_programs import random_program

from wax import _native


@pytest.mark.parametrize("target", ["upstream", "iree"])
@pytest.mark.xfail(strict=False, reason="an empty box at the end of a dim is not lowered (seeds 1, 73, 93)")
def test_every_program_is_lowered(monkeypatch, target):
    monkeypatch.setenv("WAX_VERIFY_PASSES", "1")
    for seed in range(300):
        module = _native.make_module(random_program(seed).function)
        module.run(f"wax-to-linalg{{target={target}}}")
        module.snapshot()
