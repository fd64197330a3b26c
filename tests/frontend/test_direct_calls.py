"""Calls of small programs by their kernels alone (docs/decisions/0050): they are what calls on IREE are, to the bit."""

import ctypes
import dataclasses
import gc
import os
import pickle
import warnings
import weakref

import ml_dtypes
import numpy as np
import pytest
from at_once import at_once
from tiers import every_other

import wax
import wax.numpy as wnp
from wax import _native, errors
from wax_runtime.buffer import Buffer
from wax_runtime.iree import direct, team
from wax_runtime.iree.direct import DirectSteps
from wax_runtime.iree.invocation import Invocation, Steps
from wax_runtime.iree.plans import Place
from wax_runtime.storage import BufferStorage

pytestmark = pytest.mark.skipif(team.plugin_flag() == "", reason="programs have no plans on such machines")

WARM = 8
RNG = np.random.default_rng(50)


def floats(*shape):
    return RNG.standard_normal(shape).astype("f4")


def steps_of(function):
    (entry,) = function._entries.values()
    return getattr(getattr(entry.run, "call", entry.run), "steps", None)


def bits(tree):
    return [np.asarray(x).tobytes() for x in wax.tree.leaves(tree)]


def warm(function, *args, **options):
    """A jitted function that calls its program's kernels, and what its first call, on IREE, gave."""
    jitted = wax.jit(function, backend="iree", **options)
    first = bits(jitted(*args))
    for _ in range(WARM):
        jitted(*args)
    assert isinstance(steps_of(jitted), DirectSteps)
    return jitted, first


TABLE = floats(40)
CAPTURED = wnp.asarray(floats(3, 4))

PROGRAMS = {
    "one kernel": (lambda x: x * 2 + 1, [floats(3, 4)]),
    "several, and memory between": (lambda x: wnp.tanh(x @ x.T) @ x, [floats(3, 4)]),
    "results side by side": (lambda x: (x + 1, wnp.sum(x), [wnp.max(x, axis=0)]), [floats(3, 4)]),
    "copies": (lambda x: wnp.roll(x, 3), [floats(3, 4)]),
    "copies and a kernel": (lambda x: wnp.concat([x, x + 1]), [floats(3, 4)]),
    "fills": (lambda x: (wnp.zeros((5, 5)), wnp.full((3,), 7, dtype=wnp.int16), x + 1), [floats(2)]),
    "an update": (lambda x: x.at[1].set(7.0), [floats(3, 4)]),
    "an argument that is returned": (lambda x, y: (x.reshape(-1), y + 1), [floats(3, 4), floats(2)]),
    "an argument that is returned twice": (lambda x: (x.reshape(-1), x), [floats(3, 4)]),
    "a table of constants": (lambda x: wnp.take(wnp.asarray(TABLE), x), [np.array([3, 39, 0], "i4")]),
    "captured arrays": (lambda x: x + CAPTURED, [floats(3, 4)]),
    "twice the same argument": (lambda x, y: x - 2 * y, [floats(5)] * 2),
    "integers": (lambda x, y: x // y, [np.array([7, -7, 2**31 - 1], "i4"), np.array([2, 2, -1], "i4")]),
    "booleans": (lambda x: ~x, [np.array([True, False])]),
    "bfloat16": (lambda x: x * x, [floats(9).astype(ml_dtypes.bfloat16)]),
    "complex": (lambda x: wnp.exp(x), [floats(4) + 1j * floats(4)]),
    "a scan": (lambda x: wax.scan(lambda c, row: (c * 0.5 + row, c), x[0], x), [floats(9, 4)]),
    "a sort": (lambda x: wnp.sort(x), [floats(33)]),
    "a transform": (lambda x: wnp.fft.rfft(x), [floats(64)]),
    "denormal numbers": (lambda x: x * 0.5, [np.array([1e-38, -3e-39, 2e-45, 0.0, -0.0], "f4")]),
    "special numbers": (lambda x: wnp.exp(x), [np.array([np.nan, np.inf, -np.inf, 89.0, -0.0], "f4")]),
    "scalars": (lambda x, y: x + y, [np.float32(2.5), np.float32(1.25)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_are_those_of_the_first_calls_to_the_bit(name, monkeypatch):
    function, given = PROGRAMS[name]
    args = [wnp.asarray(x) for x in given]
    jitted, first = warm(function, *args)
    monkeypatch.setattr(Invocation, "__call__", None)
    kept = [jitted(*args) for _ in range(3)]
    for result in kept:
        assert bits(result) == first
    assert [x.tobytes() for x in map(np.asarray, args)] == [np.asarray(x).tobytes() for x in given]
    # Other values in other memory, while the first results live.
    others = [wnp.asarray(np.flip(x)) for x in given]
    found = bits(jitted(*others))
    monkeypatch.undo()
    assert found == bits(wax.jit(function, backend="iree")(*others))
    for result in kept:
        assert bits(result) == first


def test_special_numbers_and_rounding_are_as_on_iree():
    """The kernels compute as IREE has threads compute, which is not as Python's do; these go on as before."""
    x = wnp.asarray(np.array([1e-38, 5e-45, -1e-39], "f4"))
    jitted, first = warm(lambda a: a * 0.25, x)
    library = ctypes.CDLL(None)
    before = library.fegetround()
    assert bits(jitted(x)) == first
    assert library.fegetround() == before
    assert np.float32(1e-38) * np.float32(0.25) != 0


def test_arguments_of_every_kind_are_taken():
    x = floats(6)
    jitted, _ = warm(lambda a, b: a - b, wnp.asarray(x), wnp.asarray(x))
    strided, swapped, unaligned = np.repeat(x, 2)[::2], x.astype(">f4"), np.empty(25, "i1")[1:].view("f4")
    unaligned[:] = x
    y = wnp.asarray(2 * x)
    for given in (x, strided, x[::-1], swapped, unaligned, np.asfortranarray(x)):
        for _ in range(WARM):
            np.testing.assert_array_equal(jitted(given, y), np.asarray(given, "f4") - 2 * x)
            np.testing.assert_array_equal(jitted(y, given), 2 * x - np.asarray(given, "f4"))
    shared = wax.Array.from_dlpack(unaligned)
    np.testing.assert_array_equal(jitted(shared, jitted(shared, y)), x - (x - 2 * x))
    shared._handle = shared._memory = "another's"
    np.testing.assert_array_equal(jitted(shared, y), -x)


@pytest.mark.parametrize("number", [2.5, float("nan"), float("inf"), -0.0, 3.5e38, 1e-300, 1e300])
def test_python_numbers_are_taken_as_numpy_takes_them(number):
    x = np.array([1, -2], "f4")
    jitted, _ = warm(lambda a, b: wnp.broadcast_to(b, a.shape) + 0, wnp.asarray(x), 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        wanted = np.full(2, np.float32(number)) + np.float32(0)
        np.testing.assert_array_equal(np.asarray(jitted(wnp.asarray(x), number)), wanted)


@pytest.mark.parametrize("numbers", [(1, 7, -(2**31)), (2**40, -(2**63), 2**31), (True, False), (1j, 2 - 3j)])
def test_python_numbers_of_other_kinds(numbers):
    jitted, _ = warm(lambda a: wnp.broadcast_to(a, (2,)), numbers[0])
    for number in numbers:
        found = jitted(number)
        assert found.dtype == jitted(numbers[0]).dtype
        assert np.asarray(found).tolist() == [number] * 2


def test_deleted_arrays_are_refused():
    x, y = wnp.asarray(floats(3)), wnp.asarray(floats(3))
    jitted, _ = warm(lambda a, b: a + b, x, y)
    result = jitted(x, y)
    for gone in (x, result):
        jitted(gone, y)
        gone.delete()
        assert not hasattr(gone, "_memory")
        with pytest.raises(errors.DeletedBufferError):
            jitted(gone, y)


def test_results_are_arrays_like_any():
    x = wnp.asarray(floats(4))
    jitted, _ = warm(lambda a: a + 1, x)
    result = jitted(x)
    assert type(result) is wax.Array
    assert result.spec is x.spec
    assert isinstance(result._storage, BufferStorage)
    wanted = np.asarray(x) + np.float32(1)
    view = result.numpy()
    assert not view.flags.writeable
    assert result.storage.nbytes == 16
    assert result.block_until_ready() is result
    np.testing.assert_array_equal(np.from_dlpack(result), wanted)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(result)), wanted)
    np.testing.assert_array_equal(wax.Array(result.spec, result.storage), wanted)
    # On IREE: in a first call, in one that overwrites it, and in one that it is donated to.
    np.testing.assert_array_equal(wax.jit(lambda a: a * 3, backend="iree")(result), wanted * 3)
    np.testing.assert_array_equal(wax.jit(lambda a: a.at[0].set(9), backend="iree")(result)[1:], wanted[1:])
    donated = jitted(x)
    np.testing.assert_array_equal(wax.jit(lambda a: a * 3, backend="iree", donate_argnums=0)(donated), wanted * 3)
    assert donated.is_deleted()
    np.testing.assert_array_equal(wax.jit(lambda a: a * 3, backend="reference")(result), wanted * 3)
    del result
    gc.collect()
    np.testing.assert_array_equal(view, wanted)


def test_what_results_hold_is_freed_with_the_last_of_a_call():
    x = wnp.asarray(floats(4))
    jitted, _ = warm(lambda a: (a + 1, wnp.sum(a)), x)
    one, other = jitted(x)
    wanted = np.asarray(other).tobytes()
    gone = weakref.ref(one)
    del one
    assert gone() is None
    for _ in range(100):
        jitted(x)
    assert np.asarray(other).tobytes() == wanted


def test_a_function_and_its_program_are_garbage_together():
    def made():
        jitted, _ = warm(lambda a: a + CAPTURED, wnp.asarray(floats(3, 4)))
        program, _ = steps_of(jitted).owners
        return weakref.ref(jitted), weakref.ref(program)

    function, program = made()
    gc.collect()
    assert function() is None
    assert program() is None


@pytest.mark.parametrize("is_short", [True, False])
def test_threads_call_one_program_at_once(is_short, monkeypatch):
    monkeypatch.setattr(direct, "_SHORT", 1.0 if is_short else 0.0)
    jitted, _ = warm(lambda a: wnp.cumulative_sum(a * 2), wnp.zeros((300,)))
    assert steps_of(jitted).short == is_short

    def work(seed):
        x = wnp.asarray(np.full(300, seed, np.float32))
        for result in [jitted(x) for _ in range(300)]:
            np.testing.assert_array_equal(result, 2 * seed * np.arange(1, 301))

    at_once(work)


def test_several_threads_share_a_call(monkeypatch):
    monkeypatch.setenv("WAX_NUM_THREADS", "3")
    monkeypatch.setenv("WAX_TASK_WORK", "0")
    x = wnp.asarray(floats(100, 130))
    jitted, first = warm(lambda a: (wnp.exp(a) / wnp.sum(wnp.exp(a), axis=1, keepdims=True), wnp.sum(a, axis=0)), x)
    for _ in range(200):
        assert bits(jitted(x)) == first


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("threads", ["1", "3"])
def test_forked_children_call(threads, monkeypatch):
    monkeypatch.setenv("WAX_NUM_THREADS", threads)
    monkeypatch.setenv("WAX_TASK_WORK", "0")
    x = wnp.asarray(floats(64, 64))
    jitted, first = warm(lambda a: wnp.exp(a), x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os._exit(0 if all(bits(jitted(x)) == first for _ in range(20)) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_calls_that_are_not_for_this_stay_on_iree(monkeypatch):
    monkeypatch.setenv("WAX_NUM_THREADS", "1")
    for function, given in (
        (lambda x: x + 1, np.zeros((0, 3), "f4")),
        (lambda x: x + 1, np.zeros((2100, 2000), "f4")),
        (lambda x: (x, x[:2] + 1), np.zeros((300, 300), "f4")),
        (lambda x: x.at[1].set(3), np.zeros((300, 300), "f4")),
        (lambda x: wnp.sum(x.at[1].set(3)), np.zeros((2100, 2000), "f4")),
        (lambda x: wnp.linalg.solve(x + 9 * wnp.eye(5), x), floats(5, 5)),
    ):
        jitted = wax.jit(function, backend="iree")
        first = bits(jitted(wnp.asarray(given)))
        for _ in range(WARM):
            assert bits(jitted(wnp.asarray(given))) == first
        assert not isinstance(steps_of(jitted), DirectSteps)


def test_memory_of_large_results_is_used_again_once_nobody_has_it(monkeypatch):
    monkeypatch.setenv("WAX_NUM_THREADS", "1")
    x = wnp.asarray(floats(100_000))
    jitted, _ = warm(lambda a, b: (a + b, a * b), x, x)
    plain = np.asarray(x)
    places = set()
    held = []
    for number in range(40):
        y = np.full(100_000, number, "f4")
        total, product = jitted(x, wnp.asarray(y))
        places.add(np.asarray(product).ctypes.data)
        if number % 10 == 0:
            held.append((number, total, np.asarray(product)[:5]))
        np.testing.assert_array_equal(np.asarray(total), plain + y)
    assert len(places) < 20
    for number, total, part in held:
        np.testing.assert_array_equal(np.asarray(total), plain + np.float32(number))
        np.testing.assert_array_equal(part, plain[:5] * number)


def test_a_program_for_every_size_stays_on_iree():
    jitted = wax.jit(lambda x: x + 1, backend="iree", dynamic_shapes={"x": {0: wax.Dim("n")}})
    for size in (3, 5):
        for _ in range(WARM):
            np.testing.assert_array_equal(jitted(wnp.ones((size,))), np.full(size, 2))
    for entry in jitted._entries.values():
        assert isinstance(entry.run.steps, Steps)


@pytest.mark.parametrize("wrong", ["length", "offset", "number", "count", "result"])
def test_a_call_that_is_not_what_its_plan_says_stays_on_iree(wrong, monkeypatch):
    original = direct.Watch.steps

    def steps(self, plan, *rest):
        step = plan.steps[0]
        first, *others = step.pieces
        if wrong == "count":
            plan = plan._replace(steps=(*plan.steps, step))
        elif wrong == "result":
            plan = plan._replace(results=(Place("made", 0, 64),))
        else:
            changed = first._replace(**{wrong: getattr(first, wrong) + (1 if wrong == "number" else 4)})
            plan = plan._replace(steps=(step._replace(pieces=(changed, *others)), *plan.steps[1:]))
        return original(self, plan, *rest)

    monkeypatch.setattr(direct.Watch, "steps", steps)
    jitted = wax.jit(lambda x, y: x + y[:4], backend="iree")
    x, y = floats(4), floats(5)
    for _ in range(WARM):
        np.testing.assert_array_equal(jitted(wnp.asarray(x), wnp.asarray(y)), x + y[:4])
    assert isinstance(steps_of(jitted), Steps)


# Steps by hand.


KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))


@pytest.fixture
def by_hand():
    """Calls one "kernel" of a test's own by steps of which some are given otherwise."""
    x = wnp.asarray(np.array([1.0, 2.0], "f4"))
    kept = []

    def fail(error):
        raise errors.CheckError("told") from error

    def make(kernel, **other):
        kept.append(KERNEL(kernel))
        steps = DirectSteps(
            run=ctypes.cast(kept[-1], ctypes.c_void_p).value or 0,
            program=0,
            memory_slot=Buffer._memory,
            memory_of=direct.memory_of,
            made=(8,),
            results=((0, 0, x.spec),),
            fail=fail,
            storage_type=BufferStorage,
            storage_slot=BufferStorage.memory,
            buffer_type=wax.Array,
            buffer_slots=(Buffer.spec, Buffer._storage, Buffer._memory),
            dtypes=(x.dtype,),
            short=True,
            owners=(),
        )._replace(**other)

        class Run:
            def __call__(self, arrays):
                return list(arrays)

        run = Run()
        run.steps = steps  # pyright: ignore[reportAttributeAccessIssue]
        cache = _native.CallCache(wax.Array, np.ndarray, frozenset(), frozenset(), 8)
        assert cache.add((x,), {}, ((x,), {}), (x,), ((0,), {}), (lambda a: a,), run, lambda made: made, {})
        cache.call((x,), {})  # which finds the steps
        return lambda: cache.call((x,), {})

    return make


def test_memory_is_aligned_and_the_results_are_what_was_written(by_hand):
    seen = []

    def kernel(_, regions):
        seen.append((regions[0], regions[1]))
        ctypes.memmove(regions[1], np.array([5, 6], "f4").tobytes(), 8)
        return 0

    (result,) = by_hand(kernel)()
    np.testing.assert_array_equal(result, [5, 6])
    ((argument, made),) = seen
    assert argument % 64 == made % 64 == 0
    assert np.asarray(result).ctypes.data == made


def test_a_kernel_that_fails_is_told(by_hand):
    with pytest.raises(errors.CheckError, match="told") as caught:
        by_hand(lambda *_: 3)()
    assert "kernel" in str(caught.value.__cause__)


def test_steps_that_cannot_be_are_refused(by_hand):
    for other in (
        {"results": ((1, 0, wnp.ones((2,)).spec),)},
        {"results": ((0, 4, wnp.ones((2,)).spec),)},
        {"made": (4,)},
    ):
        with pytest.raises(ValueError, match="blocks that are made"):
            by_hand(lambda *_: 0, **other)
    with pytest.raises(TypeError, match="slot"):
        by_hand(lambda *_: 0, memory_slot=1)
    with pytest.raises(TypeError, match="in one piece"):
        by_hand(lambda *_: 0, memory_of=lambda array: np.zeros((4, 4))[:, 1])()


@pytest.mark.parametrize(("name", "stage"), every_other(PROGRAMS, ["compiled", "loaded"]))
def test_compiled_and_loaded_functions_are_called_so_too(name, stage, tmp_path, monkeypatch):
    function, given = PROGRAMS[name]
    args = [wnp.asarray(x) for x in given]
    if stage == "compiled":
        called = wax.jit(function, backend="iree").lower(*args).compile()
    else:
        wax.export(function)(*args).save(tmp_path / "program.vmfb")
        called = wax.load(tmp_path / "program.vmfb")
    first = called(*args)
    for _ in range(WARM):
        called(*args)
    monkeypatch.setattr(Invocation, "__call__", None)
    found = called(*args)
    assert bits(found) == bits(first)
    assert wax.tree.flatten(found)[1] == wax.tree.flatten(first)[1]
    others = [wnp.asarray(np.flip(x)) for x in given]
    found = bits(called(*others))
    monkeypatch.undo()
    assert found == bits(wax.jit(function, backend="iree")(*others))


@pytest.mark.parametrize("stage", ["compiled", "loaded"])
def test_compiled_and_loaded_functions_check_calls_that_are_not_like_those_before(stage, tmp_path):
    def function(x, scale=None):
        return {"y": x["a"] * (1.0 if scale is None else scale)}

    x = {"a": wnp.asarray(floats(3))}
    if stage == "compiled":
        called = wax.jit(function, backend="iree").lower(x, scale=np.float32(2)).compile()
    else:
        wax.export(function)(x, scale=np.float32(2)).save(tmp_path / "program.vmfb")
        called = wax.load(tmp_path / "program.vmfb")
    for _ in range(WARM):
        np.testing.assert_array_equal(called(x, scale=np.float32(2))["y"], 2 * np.asarray(x["a"]))
    given = {"a": np.asarray(x["a"])}
    np.testing.assert_array_equal(called(given, scale=np.float32(3))["y"], 3 * given["a"])
    with pytest.raises(errors.ArgumentStructureError):
        called(x)
    with pytest.raises(errors.ArgumentStructureError):
        called({"b": x["a"]}, scale=np.float32(2))
    with pytest.raises(errors.WaxError, match="float32"):
        called({"a": wnp.asarray(floats(4))}, scale=np.float32(2))
    with pytest.raises(errors.WaxError, match="float32"):
        called({"a": wnp.asarray(floats(3).astype("f8"))}, scale=np.float32(2))
    gone = wnp.asarray(floats(3))
    gone.delete()
    for _ in range(2):
        with pytest.raises(errors.DeletedBufferError):
            called({"a": gone}, scale=np.float32(2))
    np.testing.assert_array_equal(called(x, scale=np.float32(4))["y"], 4 * np.asarray(x["a"]))


def test_a_donated_argument_of_a_compiled_function_is_gone():
    called = wax.jit(lambda x: x + 1, backend="iree", donate_argnums=0).lower(wnp.zeros(3)).compile()
    for i in range(WARM):
        x = wnp.full(3, float(i))
        np.testing.assert_array_equal(called(x), np.full(3, i + 1.0))
        with pytest.raises(errors.DeletedBufferError):
            np.asarray(x)


def test_a_file_without_a_plan_is_called_on_iree(tmp_path):
    wax.export(lambda x: x * 3)(wnp.zeros(3)).save(tmp_path / "program.vmfb")
    from wax_runtime.iree import vmfb

    artefact = vmfb.read((tmp_path / "program.vmfb").read_bytes())
    assert artefact is not None and artefact.plan is not None
    (tmp_path / "old.vmfb").write_bytes(vmfb.write(dataclasses.replace(artefact, plan=None)))
    called = wax.load(tmp_path / "old.vmfb")
    for _ in range(WARM):
        np.testing.assert_array_equal(called(wnp.ones(3)), np.full(3, 3.0))
