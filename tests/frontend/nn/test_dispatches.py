"""How many dispatches IREE makes of a function: what is one pass over memory stays one."""

import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax.backends.iree import compilation
from wax.backends.iree.overwrites import functions_in

X, C = wnp.ones((4, 16, 14, 14)), wnp.ones(16)
KEY = wax.random.key(1)

BUDGETS = {
    "batch_norm": (1, lambda x: wax.nn.batch_norm(x, C, C, C, C)),
    "conv-batch_norm-relu": (
        # Channels last: the matrix of each position's ins is not made.
        2,
        lambda x: wax.nn.relu(
            wax.nn.batch_norm(
                wax.nn.conv(x, wnp.ones((3, 3, 14, 16)), channels_last=True), C, C, C, C, channels_last=True
            )
        ),
    ),
    "batch_norm_training": (2, lambda x: wax.nn.batch_norm_training(x, C, C, C, C)),
    "dropout": (1, lambda x: wax.nn.dropout(KEY, x, 0.3)),
    # The two parts, and what joins them by vectors: a fifth of the time of one that does all element by element.
    "rotary_embedding": (3, lambda x: wax.nn.rotary_embedding(x, wnp.arange(14))),
    "rotary_embedding-pairs": (3, lambda x: wax.nn.rotary_embedding(x, wnp.arange(14), interleaved=True)),
    "glu-mish": (1, lambda x: wax.nn.mish(wax.nn.glu(x, axis=1))),
    "adaptive_avg_pool": (1, lambda x: wax.nn.adaptive_avg_pool(x, (7, 2))),
    "huber_loss": (2, lambda x: wax.nn.huber_loss(x, 2 * x)),
    "cross_entropy": (
        7,
        lambda x: wax.nn.cross_entropy(x, wnp.zeros(x.shape[:-1], dtype=wnp.int32), label_smoothing=0.1),
    ),
}


@pytest.mark.parametrize("name", BUDGETS)
def test_a_function_keeps_its_budget_of_dispatches(name, monkeypatch):
    budget, function = BUDGETS[name]
    texts = []
    original = compilation._made

    def spied(*given):
        texts.append(given[4].stream)
        return original(*given)

    monkeypatch.setattr(compilation, "_made", spied)
    monkeypatch.setenv("WAX_CACHE_DIR", "")
    wax.jit(function, backend="iree")(X)
    lines = functions_in(texts[-1])["main"].lines
    assert sum(line.startswith("stream.cmd.dispatch @") for line in lines) <= budget
