"""The backend on its own: all that every backend is tried with, and what is particular to this one."""

import threading

import numpy as np
import pytest
from wax_backend_xla import client

import wax
import wax.numpy as wnp
import wax.special
import wax.testing
from wax_runtime import registry
from wax_runtime.backend import Artefact
from wax_runtime.devices import CPU
from wax_runtime.errors import BackendError, DeletedBufferError, DeviceError, LoadError
from wax_runtime.signature import Signature

#: Programs that XLA cannot run, with the cause. There are none.
EXPECTED_FAILURES: dict[str, str] = {}

CASES = [(program, False) for program in wax.testing.programs()]
CASES += [(program, True) for program, _ in CASES if program.dynamic_shapes]


@pytest.mark.parametrize(
    ("program", "dynamic"), CASES, ids=lambda x: x.name if isinstance(x, wax.testing.TestProgram) else ""
)
def test_it_agrees_with_the_reference(program, dynamic):
    assert program.name not in EXPECTED_FAILURES
    wax.testing.check(program, backend="xla", dynamic=dynamic)


def on_xla(function, **options):
    return wax.jit(function, backend="xla", **options)


X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_it_is_taken_only_where_it_is_named_or_iree_is_not():
    priorities = {known.name: known.priority for known in registry.backends()}
    assert priorities["reference"] < priorities["xla"] < priorities["iree"]


def test_a_program_is_compiled_once_for_each_set_of_sizes(monkeypatch):
    compiled = []

    def counting(text, title, compile_text=client.compile_text):
        compiled.append(title)
        return compile_text(text, title)

    monkeypatch.setattr(client, "compile_text", counting)
    f = on_xla(lambda x: x * 2, dynamic_shapes=({0: wax.Dim("b")},))
    for rows in (2, 3, 2, 3, 0):
        x = np.ones((rows, 3), np.float32)
        np.testing.assert_array_equal(f(x), x * 2)
    assert len(compiled) == 3


def test_what_has_no_rule_is_refused_by_name():
    with pytest.raises(BackendError, match=r"the xla backend has no rule for wax\.igamma"):
        on_xla(wax.special.gammainc)(X + 1, X)


def test_no_array_is_copied_on_its_way_in_or_out():
    x = wnp.asarray(np.arange(4096, dtype=np.float32))
    y = on_xla(lambda x: x + 1)(x)
    for array in (x, y):
        held = array._handle.array
        assert held.unsafe_buffer_pointer() == np.asarray(array).ctypes.data
    assert not np.asarray(y).flags.writeable


def test_a_donated_argument_is_gone():
    x = wnp.asarray(X)
    y = on_xla(lambda x: x + 1, donate_argnums=0)(x)
    np.testing.assert_array_equal(y, X + 1)
    with pytest.raises(DeletedBufferError):
        np.asarray(x)


def test_arguments_that_are_returned_stay_as_they_are():
    x = wnp.asarray(X)
    same, other = on_xla(lambda x: (x, x * 0))(x)
    np.testing.assert_array_equal(same, X)
    np.testing.assert_array_equal(x, X)
    assert not np.asarray(other).any()


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64", "float16", "bfloat16", "complex128"])
def test_every_dtype_crosses_the_border(dtype):
    x = wnp.astype(wnp.asarray([0, 1, 1, 0]), dtype)
    got = on_xla(lambda x: (x[::-1], x[:0], x[1]))(x)
    assert [part.dtype for part in got] == [x.dtype] * 3
    np.testing.assert_array_equal(np.asarray(got[0]), np.asarray(x)[::-1])
    assert (got[1].shape, got[2].shape) == ((0,), ())


def test_long_prefixes_are_those_of_the_reference():
    x = np.random.default_rng(0).integers(-9, 9, (3, 1000))
    for options in ({}, {"include_initial": True}):
        got = on_xla(lambda x, options=options: wnp.cumulative_sum(x, axis=1, **options))(x)
        np.testing.assert_array_equal(got, np.asarray(wnp.cumulative_sum(wnp.asarray(x), axis=1, **options)))


def test_several_threads_may_call_a_function():
    f = on_xla(lambda x: wnp.sum(x * x))
    results = []
    threads = [threading.Thread(target=lambda: results.append(float(f(X)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [55.0] * 4


def test_it_loads_only_its_own_programs_on_its_own_device():
    backend = registry.get("xla")
    assert backend.devices("cuda") == ()
    signature = Signature("main", (), ())
    with pytest.raises(LoadError, match="loads snapshots, not 'vmfb'"):
        backend.load(Artefact("iree", "vmfb", b"", signature, "cpu"), CPU)
    with pytest.raises(DeviceError, match="backend 'xla' cannot drive cuda:0"):
        on_xla(lambda x: x, device="cuda")(X)
