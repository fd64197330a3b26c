"""What a program copies at its second call, on devices that do what was recorded at the first."""

import textwrap

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax.backends.iree.recorded_copies import with_copies_once
from wax.backends.iree.targets import flags_for, target

MOVES = {
    "roll": (lambda x: wnp.roll(x, 3, axis=0), lambda x: np.roll(x, 3, axis=0)),
    "concat": (lambda x: wnp.concat([x[2:], x, x[:1]]), lambda x: np.concatenate([x[2:], x, x[:1]])),
    "itself": (lambda x: (wnp.roll(x, 3), x), lambda x: (np.roll(x, 3), x)),
    "pad": (lambda x: wnp.pad(x, 2), lambda x: np.pad(x, 2)),
    "update": (lambda x: x.at[1:3].set(x[:2] * 2), lambda x: np.concatenate([x[:1], x[:2] * 2, x[3:]])),
    "scan": (
        lambda x: wax.scan(lambda c, row: (c * 0.5 + row, c[1]), wnp.roll(x, 3), x)[1],
        lambda x: _rows(np.roll(x, 3), x),
    ),
    "stack of sums": (
        lambda x: wnp.stack([wnp.sum(x, axis=0), wnp.max(x, axis=0)]),
        lambda x: np.stack([x.sum(0), x.max(0)]),
    ),
}


def _rows(c, x):
    made = []
    for row in x:
        made.append(c[1])
        c = c * 0.5 + row
    return np.stack(made)


@pytest.mark.parametrize("shape", [(5, 4), (33, 33)], ids=str)
@pytest.mark.parametrize("name", MOVES)
def test_each_call_has_its_own_memory(name, shape, accelerator):
    function, judge = MOVES[name]
    compiled = wax.jit(function, device=accelerator)
    for turn in range(5):
        x = np.random.default_rng(turn).normal(size=shape).astype(np.float32)
        for one, wanted in zip(wax.tree.leaves(compiled(x)), wax.tree.leaves(judge(x)), strict=True):
            np.testing.assert_allclose(np.asarray(one), wanted, rtol=1e-5, atol=1e-5)


def test_results_that_are_kept_stay_what_they_were(accelerator):
    compiled = wax.jit(lambda x: wnp.roll(x, 1), device=accelerator)
    results = [compiled(np.full(8, turn, np.float32)) for turn in range(6)]
    for turn, result in enumerate(results):
        np.testing.assert_array_equal(np.asarray(result), turn)


def test_parts_that_copy_are_recorded_anew():
    stream = textwrap.dedent(
        """
        %1 = stream.cmd.execute on(#a) await(%0) => with(%x as %y: !stream.resource<external>{%c8}) {
          stream.cmd.dispatch @f::@g {
            ro %y[%c0 for %c8] : !stream.resource<external>{%c8}
          }
        } => !stream.timepoint
        %2 = stream.cmd.execute on(#a) await(%1) => with(%x as %y: !stream.resource<external>{%c8}) {
          stream.cmd.concurrent {
            stream.cmd.copy %y[%c0], %y[%c4], %c4 : !stream.resource<external>{%c8} -> !stream.resource<external>{%c8}
          }
        } => !stream.timepoint
        %3 = stream.cmd.execute once on(#a) await(%2) => with(%x as %y: !stream.resource<external>{%c8}) {
          stream.cmd.fill %c0_i8, %y[%c0 for %c8] : i8 -> !stream.resource<external>{%c8}
        } => !stream.timepoint
        """
    )
    flags = flags_for([target("cpu")])
    assert with_copies_once(stream, flags) == stream
    vulkan = [flag.replace('"cuda"', '"vulkan"') for flag in flags_for([target("cuda:sm_80")])]
    assert with_copies_once(stream, vulkan) == stream.replace(
        "%2 = stream.cmd.execute on", "%2 = stream.cmd.execute once on"
    )
