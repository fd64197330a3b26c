"""Random programs of scores that products make, and of what is done with them between two products: with known
sizes and open batches, they give what the reference gives in f64."""

import random

import numpy as np
import pytest
from tiers import tiered

import wax
import wax.nn
import wax.numpy as wnp
from wax import tree

SEEDS = list(range(60))


def _steps(source):
    """What is done with scores, by names of the vectors that it reads."""
    steps = {
        "scale": lambda s, t: s * 0.5,
        "bias": lambda s, t: s + t["bias"],
        "mask": lambda s, t: wnp.where(t["mask"] > 0, s, -9),
        "rows": lambda s, t: s + t["rows"][..., None],
        "columns": lambda s, t: s * t["columns"],
        "cap": lambda s, t: wnp.tanh(s),
        "center": lambda s, t: s - wnp.mean(s, axis=-1, keepdims=True),
    }
    return [steps[name] for name in source.choices(sorted(steps), k=source.randint(0, 4))]


def _weights(source):
    """Of scores: weights, and what else a program gives."""

    def exponentials(s):
        weights = wnp.exp(s - wnp.max(s, axis=-1, keepdims=True))
        return weights, [wnp.sum(weights, axis=-1)]

    def prefixes(s):
        return s / (1 + wnp.cumulative_sum(wnp.abs(s), axis=-1)) + wnp.mean(s, axis=-1, keepdims=True), []

    return source.choice(
        [
            lambda s: (wax.nn.softmax(s, axis=-1), []),
            lambda s: (wax.nn.softmax(s, axis=-2), []),
            lambda s: (s / (1 + wnp.sum(wnp.abs(s), axis=-1, keepdims=True)), [wnp.max(s, axis=-1)]),
            exponentials,
            prefixes,
        ]
    )


def _program(seed):
    """A function, its arguments, and which of them have the batch, if there is one."""
    source, elements = random.Random(seed), np.random.default_rng(seed)
    batch = [source.randint(2, 4) for _ in range(source.randint(0, 2))]
    # Every third has enough scores to be computed in blocks.
    most = 13 if seed % 3 else 700
    queries, keys = source.randint(1, most), source.randint(1, most)
    inner, columns = source.randint(1, 17), source.randint(1, 17)
    shapes = {
        "q": (*batch, queries, inner),
        "k": (*batch, keys, inner),
        "v": (*batch, keys, columns),
        "bias": (*batch, queries, keys),
        "rows": (*batch, queries),
        "mask": (queries, keys),
        "columns": (keys,),
    }
    steps, weigh = _steps(source), _weights(source)

    def run(given):
        scores = given["q"] @ given["k"].mT
        for step in steps:
            scores = step(scores, given)
        weights, others = weigh(scores)
        return [weights @ given["v"], *others]

    given = {name: elements.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    return run, given, [name for name in shapes if batch and name not in ("mask", "columns")]


@pytest.mark.parametrize("seed", tiered(SEEDS, lambda seed: seed < 4))
def test_random_attention(seed):
    run, given, batched = _program(seed)
    precise = {name: array.astype(np.float64) for name, array in given.items()}
    expected = [np.asarray(x) for x in tree.flatten(wax.jit(run, backend="reference")(precise))[0]]
    opened = {name: {0: wax.Dim("b")} if name in batched else None for name in given}
    for shapes in (None, (opened,)) if batched else (None,):
        found = wax.jit(run, dynamic_shapes=shapes, backend="iree")(given)
        for one, other in zip(tree.flatten(found)[0], expected, strict=True):
            scale = max(1.0, float(np.abs(other).max()))
            np.testing.assert_allclose(np.asarray(one) / scale, other / scale, rtol=0, atol=1e-4)
