"""`wax.try_with_fallback`: where a function ends up when backends fail to compile, to load, or to run it."""

import logging

import numpy as np
import pytest
from cpu_backends import Preferred, put_first

import wax
import wax.numpy as wnp
from wax import errors
from wax_runtime.devices import CPU, Device

X = np.arange(4, dtype=np.float32)


class Failing(Preferred):
    """It fails at one stage."""

    name = "failing"

    def __init__(self, stage):
        super().__init__()
        self.stage, self.calls = stage, 0

    def compile(self, program, device, options):
        self.calls += 1
        if self.stage == "compile":
            raise errors.CompileError("it does not compile")
        return super().compile(program, device, options)

    def load(self, artefact, device, buffer_type):
        if self.stage == "load":
            raise errors.LoadError("it does not load")
        loaded = super().load(artefact, device, buffer_type)
        if self.stage == "run":
            fail = errors.BackendError("out of memory")

            def bind(specs):
                def run(args):
                    raise fail

                return run

            loaded.bind = bind
        return loaded


@pytest.fixture
def failing(request, monkeypatch):
    made = Failing(request.param)
    put_first(monkeypatch, made)
    return made


reasons = {"compile": "it does not compile", "load": "it does not load", "run": "out of memory"}


@pytest.mark.parametrize("failing", ["compile", "load", "run"], indirect=True)
def test_another_one_is_tried_and_the_reason_told_once(failing, caplog):
    f = wax.try_with_fallback(lambda x: x * 2, ["cpu"])
    with caplog.at_level(logging.WARNING, "wax.compile"):
        for shape in ((4,), (4,), (2, 2)):
            np.testing.assert_array_equal(f(X.reshape(shape)), 2 * X.reshape(shape))
    told = [r.getMessage() for r in caplog.records]
    assert len(told) == 1
    assert told[0].startswith("'lambda' runs by backend 'iree' on cpu:0, because failing on cpu:0 could not: ")
    assert told[0].endswith(reasons[failing.stage])
    assert failing.calls == 1


@pytest.mark.parametrize("failing", ["run"], indirect=True)
def test_jit_alone_does_not_run_elsewhere(failing):
    with pytest.raises(errors.BackendError, match="out of memory"):
        wax.jit(lambda x: x * 2)(X)


@pytest.mark.parametrize("failing", ["run"], indirect=True)
def test_what_the_user_named_is_not_left(failing):
    with pytest.raises(errors.BackendError, match="out of memory"):
        wax.try_with_fallback(wax.jit(lambda x: x * 2, backend="failing"))(X)
    with pytest.raises(errors.DeviceError, match="no backend drives any of the devices"):
        wax.try_with_fallback(wax.jit(lambda x: x * 2, device="cuda:9"))(X)
    np.testing.assert_array_equal(wax.try_with_fallback(wax.jit(lambda x: x * 2, device="cpu"))(X), 2 * X)


def test_devices_that_are_not_there_are_passed_over():
    f = wax.try_with_fallback(lambda x: x + 1, ["cuda:9", Device("cpu")])
    assert f(X).device == CPU
    with pytest.raises(errors.DeviceError, match="any of the devices cuda:9 now"):
        wax.try_with_fallback(lambda x: x + 1, ["cuda:9"])(X)
    for wrong in ([], "cpu"):
        with pytest.raises(errors.InvalidArgumentError, match="is no list of devices"):
            wax.try_with_fallback(lambda x: x, wrong)


@pytest.mark.parametrize("failing", ["compile"], indirect=True)
def test_faults_of_the_call_are_raised_as_ever(failing):
    f = wax.try_with_fallback(lambda x: x @ wnp.ones((7, 2)))
    with pytest.raises(errors.ShapeError):
        f(np.ones((3, 3), np.float32))
    with pytest.raises(errors.ArgumentStructureError):
        wax.try_with_fallback(lambda x: x)(X, X)
    assert failing.calls == 0


def test_options_of_the_jitted_function_stay_and_it_nests():
    jitted = wax.jit(lambda x, n: x * n, static_argnums=1)
    f = wax.try_with_fallback(jitted)
    np.testing.assert_array_equal(f(X, 3), 3 * X)
    np.testing.assert_array_equal(wax.jit(lambda x: f(x, 2) + 1)(X), 2 * X + 1)
