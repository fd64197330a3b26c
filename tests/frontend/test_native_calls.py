"""Calls of IREE's programs whose steps are taken natively, after the first few: they are what the first calls are."""

import gc
import weakref

import numpy as np
import pytest
from at_once import at_once

import wax
import wax.numpy as wnp
from wax import _native, errors
from wax_runtime.backend import Executable
from wax_runtime.buffer import Buffer
from wax_runtime.iree.invocation import Invocation, Steps
from wax_runtime.iree.storage import HalStorage, ViewStorage

WARM = 8


def warm(function, *args):
    for _ in range(WARM):
        function(*args)
    return function


def bound(function):
    (entry,) = function._entries.values()
    return entry.run


def test_the_steps_are_known_after_a_few_calls_and_python_is_no_longer_asked(monkeypatch):
    x = wnp.asarray([1.0, 2.0])
    f = wax.jit(lambda a: a + 1, backend="iree")
    f(x)
    assert bound(f).steps is None
    warm(f, x)
    assert bound(f).steps is not None
    monkeypatch.setattr(Invocation, "__call__", None)
    np.testing.assert_array_equal(f(x), [2, 3])
    assert type(f(x)) is wax.Array
    assert f(x).spec is x.spec


@pytest.mark.parametrize("count", [0, 1, 3])
def test_results_of_many_calls_are_arrays_of_their_own(count):
    @wax.jit(backend="iree")
    def f(x):
        return [x + number for number in range(count)]

    kept = [f(wnp.asarray(np.full(5, n, np.float32))) for n in range(3 * WARM)]
    for n, results in enumerate(kept):
        assert len(results) == count
        for number, result in enumerate(results):
            np.testing.assert_array_equal(result, np.full(5, n + number))


def test_arguments_of_every_kind_are_taken():
    x = np.asarray([1.0, 2.0], np.float32)
    f = warm(wax.jit(lambda a, b: a * b, backend="iree"), wnp.asarray(x), wnp.asarray(x))
    for number in range(WARM):
        fresh = wax.Array.from_numpy(x + number)
        assert not hasattr(fresh, "_handle")
        np.testing.assert_array_equal(f(fresh, wnp.asarray(x)), (x + number) * x)
        fresh._handle = "another backend's"
        np.testing.assert_array_equal(f(fresh, f(fresh, fresh)), (x + number) ** 3)
        np.testing.assert_array_equal(f(x + number, wnp.asarray(x)), (x + number) * x)
    g = warm(wax.jit(lambda a, b: a * b, backend="iree"), wnp.asarray(x), 2.0)
    for number in range(WARM):
        np.testing.assert_array_equal(g(wnp.asarray(x), float(number)), x * number)


def test_containers_come_back_as_the_function_made_them():
    @wax.jit(backend="iree")
    def f(p, x):
        return {"y": (x * p["scale"], None), "z": [x]}

    x = wnp.asarray([3.0])
    result = warm(f, {"scale": x}, x)({"scale": x}, x)
    assert float(result["y"][0][0]) == 9
    assert result["y"][1] is None
    assert float(result["z"][0][0]) == 3


class _Outputs:
    """A VmVariantList in Python."""

    def __init__(self, capacity):
        self.items = [None] * capacity

    def get_as_ref(self, index):
        return self.items[index]


class _Run:
    """A program that gives its one argument's handle, by steps in Python; `error` is what it raises instead."""

    def __init__(self, spec, fails=True):
        self.error: BaseException | None = None
        self.fails, self.calls = fails, 0
        self.steps = Steps(
            pack=lambda context, handles, keywords: handles,
            pack_context=None,
            invoke=self.invoke,
            function=None,
            fail=self.fail,
            list_type=_Outputs,
            cast=lambda ref: ref,
            specs=(spec,),
            storage_type=HalStorage,
            storage_slots=(ViewStorage.view, ViewStorage.exclusive),
            buffer_type=wax.Array,
            buffer_slots=(Buffer.spec, Buffer._storage, Buffer._handle),
            spare=True,
        )

    def invoke(self, function, inputs, outputs):
        if self.error is not None:
            raise self.error
        outputs.items[:] = inputs

    def fail(self, error):
        if self.fails:
            raise errors.CheckError("told") from error

    def __call__(self, arrays):
        self.calls += 1
        return list(arrays)


@pytest.fixture
def cached():
    x = wnp.asarray([1.0])
    x._handle = object()

    def make(**options):
        run = _Run(x.spec, **options)
        cache = _native.CallCache(wax.Array, np.ndarray, frozenset(), frozenset(), 8)
        assert cache.add((x,), {}, ((x,), {}), (x,), ((0,), {}), (lambda a: a,), run, lambda made: made, {})
        return run, lambda: cache.call((x,), {})

    return x, make


def test_what_a_program_gives_is_wrapped(cached):
    x, make = cached
    run, call = make()
    call()  # which finds the steps
    for _ in range(3):
        (result,) = call()
        assert result is not x
        assert result._handle is x._handle
        assert result.spec is x.spec
        assert result._storage.view is x._handle
        assert result._storage.exclusive is True
    assert run.calls == 1


def test_errors_of_a_program_are_told_by_its_backend_and_others_as_they_are(cached):
    _, make = cached
    run, call = make()
    call()
    for kind in (RuntimeError, ValueError):
        run.error = kind("in IREE's words")
        with pytest.raises(errors.CheckError, match="told") as caught:
            call()
        assert caught.value.__cause__ is run.error
    run.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        call()
    run.error = None
    assert len(call()) == 1
    run, call = make(fails=False)
    call()
    run.error = RuntimeError()
    with pytest.raises(TypeError, match="has to raise"):
        call()


def test_what_is_no_slot_is_refused(cached):
    _, make = cached
    run, call = make()
    run.steps = run.steps._replace(buffer_slots=(1, 2, 3))
    with pytest.raises(TypeError, match="slot"):
        call()


def test_deleted_arrays_are_refused():
    x = wnp.asarray([1.0])
    f = warm(wax.jit(lambda a: a + 1, backend="iree"), x)
    x.delete()
    with pytest.raises(errors.DeletedBufferError):
        f(x)


def test_donated_arguments_are_gone_and_the_rest_stay():
    @wax.jit(donate_argnums=0, backend="iree")
    def step(state, x):
        return state + x

    x = wnp.ones((8,))
    state = wnp.zeros((8,))
    kept = []
    for number in range(2 * WARM):
        before, state = state, step(state, x)
        kept.append((number + 1, state + 0))
        assert before.is_deleted()
    for number, value in kept:
        np.testing.assert_array_equal(value, np.full(8, number))


def test_what_results_hold_is_freed_with_them():
    x = wnp.ones((1 << 20,))
    f = warm(wax.jit(lambda a: a + 1, backend="iree"), x)
    steps = getattr(bound(f), "steps", None)
    assert not getattr(steps, "spare", None)  # calls without IREE have none
    result = f(x)
    gone = weakref.ref(result)
    del result
    gc.collect()
    assert gone() is None


def test_threads_call_one_program_at_once():
    f = warm(wax.jit(lambda a: a * 2, backend="iree"), wnp.zeros((3,)))

    def work(seed):
        x = wnp.asarray(np.full(3, seed, np.float32))
        for result in [f(x) for _ in range(300)]:
            np.testing.assert_array_equal(result, np.full(3, 2 * seed))

    at_once(work)


def test_a_function_and_its_program_are_garbage_together():
    def made():
        f = warm(wax.jit(lambda a: a + 1, backend="iree"), wnp.ones((2,)))
        assert bound(f).steps is not None
        return weakref.ref(f), weakref.ref(executable_of(f))

    def executable_of(f) -> Executable:
        (compiled,) = f._compiled.values()
        return compiled._built.executable

    function, executable = made()
    gc.collect()
    assert function() is None
    assert executable() is None
