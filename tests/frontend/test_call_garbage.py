"""Calls by many threads at once, and what a hundred thousand of them leave behind."""

import gc
import random
import sys
import threading
import weakref

import numpy as np
import pytest
from at_once import at_once

import wax
import wax.numpy as wnp

CALLS = 100_000


def body(p, x, s=1.0):
    return {"y": [x * p["scale"] + p["shift"], s * x], "none": None}


def arguments():
    x = wnp.asarray([1.0, 2.0])
    return {"scale": x, "shift": [x][0]}, x


def test_many_threads_call_one_function_with_arguments_of_every_kind_while_others_clear_it():
    jitted = wax.jit(body, static_argnames="s", backend="reference")
    one = wnp.asarray([1.0, 2.0])
    done = threading.Event()

    def expected(x, s):
        value = np.asarray(x)
        return [value * value + value, s * value]

    def work(seed):
        rng = random.Random(seed)
        for _ in range(150):
            size = rng.randrange(1, 4)
            x = rng.choice([one, wnp.asarray(np.full(size, 3.0, np.float32)), np.full((size, 2), 5.0, np.float32), 7.0])
            p = {"scale": x, "shift": x} if rng.random() < 0.5 else {"shift": x, "scale": x}
            s = rng.choice([1.0, 2.0])
            result = jitted(p, x, s=s)
            assert result["none"] is None
            for got, wanted in zip(result["y"], expected(x, s), strict=True):
                np.testing.assert_array_equal(np.asarray(got), wanted)

    def clear():
        while not done.wait(0.01):
            jitted.clear_cache()

    cleaner = threading.Thread(target=clear)
    cleaner.start()
    try:
        at_once(work)
    finally:
        done.set()
        cleaner.join()


def test_a_hundred_thousand_calls_leave_nothing_behind():
    jitted = wax.jit(body, backend="iree", static_argnames="s")
    p, x = arguments()
    array = np.asarray([3.0, 4.0], np.float32)
    static = 2.0
    held = [p, x, x.spec, array, array.dtype, static, jitted]

    def calls(count):
        for _ in range(count):
            jitted(p, x, static)
            jitted(p, array)
            jitted(p, 2.5)

    calls(100)
    gc.collect()
    counts = [sys.getrefcount(thing) for thing in held]
    blocks = sys.getallocatedblocks()
    calls(CALLS // 3)
    gc.collect()
    assert [sys.getrefcount(thing) for thing in held] == counts
    assert sys.getallocatedblocks() - blocks < 100
    assert len(jitted._cache) == 3


def test_calls_that_fail_leave_nothing_behind():
    jitted = wax.jit(lambda x, y: x + y, donate_argnums=0, backend="reference")
    x, y = wnp.ones((2,)), wnp.ones((2,))
    jitted(wnp.ones((2,)), y)
    x.delete()

    def calls(count):
        for _ in range(count):
            with pytest.raises(wax.errors.DeletedBufferError):
                jitted(x, y)

    calls(10)
    gc.collect()
    counts = [sys.getrefcount(thing) for thing in (x, y, x.spec, jitted)]
    calls(1000)
    gc.collect()
    assert [sys.getrefcount(thing) for thing in (x, y, x.spec, jitted)] == counts


@pytest.mark.parametrize("backend", ["reference", "iree"])
def test_no_argument_is_kept_alive(backend):
    jitted = wax.jit(lambda x, y: [x + 1, y["a"] * 2], backend=backend)
    for _ in range(3):
        x, a = wnp.ones((2,)), np.ones(2, np.float32)
        result = jitted(x, {"a": a})
        gone = [weakref.ref(x), weakref.ref(a), *map(weakref.ref, result)]
        del x, a, result
        gc.collect()
        assert [ref() for ref in gone] == [None] * 4


def test_specs_that_no_call_remembers_are_let_go():
    jitted = wax.jit(lambda x: x, backend="reference")
    x = wax.Array.from_numpy(np.zeros((17, 1, 19), np.float32))
    jitted(x)
    jitted(x)
    gone = weakref.ref(x.spec)
    del x
    gc.collect()
    assert gone() is not None
    jitted.clear_cache()
    gc.collect()
    assert gone() is None


def test_errors_of_calls_found_again_show_the_users_frames_only():
    jitted = wax.jit(lambda x: x + 1)
    x = wnp.ones((2,))
    jitted(x)
    x.delete()
    for _ in range(2):
        with pytest.raises(wax.errors.DeletedBufferError) as caught:
            jitted(x)
        assert [str(entry.path) for entry in caught.traceback] == [__file__]
