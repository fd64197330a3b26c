"""A gradient step of an embedding table that is donated writes to that table, and copies none of it."""

import jax
import numpy as np
import pytest

import wax
import wax.numpy as wnp

ROWS, WIDTH = 10_007, 16


def loss(rows, wanted):
    return ((rows.sum(axis=0) - wanted) ** 2).mean()


def whole(grad, table, ids, wanted):
    return table - 0.01 * grad(lambda table: loss(table[ids], wanted))(table)


def of_rows(grad, table, ids, wanted):
    return table.at[ids].add(-0.01 * grad(lambda rows: loss(rows, wanted))(table[ids]))


@pytest.mark.parametrize(("step", "rooms"), [(whole, 1), (of_rows, 0)])
def test_a_step_of_a_donated_table_stays_in_its_memory(step, rooms, monkeypatch):
    from wax.backends.iree import compilation

    texts = []
    original = compilation.memory_of
    monkeypatch.setattr(compilation, "memory_of", lambda text, *rest: texts.append(text) or original(text, *rest))
    monkeypatch.setenv("WAX_CACHE_DIR", "")
    random = np.random.default_rng(0)
    ids = random.integers(0, 50, 64).astype(np.int32)
    table, wanted = (random.normal(size=size).astype(np.float32) for size in ((ROWS, WIDTH), WIDTH))

    run = wax.jit(lambda *args: step(wax.grad, *args), donate_argnums=0, backend="iree")
    mine, its = wnp.asarray(table), jax.numpy.asarray(table)
    places = []
    for _ in range(4):
        mine, its = run(mine, ids, wanted), step(jax.grad, its, ids, wanted)
        places.append(mine._handle.map().asarray((1,), np.dtype(np.uint8)).__array_interface__["data"][0])
    assert len(set(places[1:])) == 1  # the first is made outside
    np.testing.assert_allclose(np.asarray(mine), its, rtol=1e-5, atol=1e-5)

    (text,) = texts
    size = f"%c{ROWS * WIDTH * 4}"
    used = [line for line in text.splitlines() if size in line]
    assert not any("stream.cmd.copy" in line for line in used)
    # The gradient of the whole table is one such tensor.
    assert sum("stream.resource.alloca" in line for line in used) == rooms
