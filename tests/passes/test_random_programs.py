"""Random programs of the basis reach the upstream normal form, every pass verified, and run on IREE as they do on
the reference backend, bit for bit.

The reference backend reads the snapshot of the program as it was built, so no rewrite is shared with the judge.
"""

import re

import numpy as np
import pytest
from iree_run import load
from random_programs import random_program

from wax import _native
from wax_runtime.reference.plan import build
from wax_runtime.reference.rules import RULES

#: Functions in one compilation, since each compilation has its price.
TOGETHER = 25


@pytest.mark.parametrize("target", ["upstream", "iree"])
def test_every_program_is_lowered(monkeypatch, target):
    monkeypatch.setenv("WAX_VERIFY_PASSES", "1")
    for seed in range(300):
        module = _native.make_module(random_program(seed).function)
        module.run(f"wax-to-linalg{{target={target}}}")
        module.snapshot()


def lowered(seed: int) -> str:
    """The body of the lowered module, with names of its own."""
    module = _native.make_module(random_program(seed).function, f"main{seed}")
    module.run("wax-to-linalg{target=iree}")
    return re.sub(r"#map(\d*)", rf"#p{seed}map\1", module.text())


def same(got: np.ndarray, expected: np.ndarray) -> bool:
    """Equal bits, but for the payloads of NaNs."""
    if expected.dtype.kind == "f":
        nan = np.isnan(expected)
        return np.array_equal(np.isnan(got), nan) and (
            np.where(nan, 0, got).tobytes() == np.where(nan, 0, expected).tobytes()
        )
    return np.array_equal(got, expected)


def check(seeds: range) -> None:
    texts = [lowered(seed) for seed in seeds]
    aliases = [line for text in texts for line in text.splitlines() if line.startswith("#")]
    bodies = [re.search(r"module \{\n(.*)\}", text, re.DOTALL)[1] for text in texts]
    compiled = load("\n".join(aliases) + "\nmodule {\n" + "".join(bodies) + "}\n")
    wrong = []
    for seed in seeds:
        program = random_program(seed)
        snapshot = _native.make_module(program.function).snapshot()
        expected = [np.asarray(result) for result in build(snapshot, RULES)(program.arguments)]
        got = compiled[f"main{seed}"](*program.arguments)
        got = got if isinstance(got, tuple) else (got,)
        for index, (ours, theirs) in enumerate(zip(got, expected, strict=True)):
            on_host = np.asarray(ours.to_host()).astype(theirs.dtype, copy=False)
            if on_host.shape != theirs.shape or not same(on_host, theirs):
                wrong.append((seed, index))
    assert not wrong


def test_iree_agrees_with_the_reference():
    check(range(TOGETHER))


@pytest.mark.full
@pytest.mark.parametrize("first", range(TOGETHER, 16 * TOGETHER, TOGETHER))
def test_iree_agrees_with_the_reference_on_many(first):
    check(range(first, first + TOGETHER))
