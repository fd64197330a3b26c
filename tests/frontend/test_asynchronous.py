"""Calls on devices that work by themselves return before their results are there, and nobody can tell but by time."""

import subprocess
import sys
import threading

import numpy as np
import pytest

import wax
from wax.errors import WaxError
from wax_runtime.iree.hal import hal_device
from wax_runtime.iree.timeline import Timeline

PORTABLE = {"vulkan": "vulkan:portable", "cuda": "cuda:sm_80"}
X = (np.random.default_rng(0).normal(size=(64, 64)) / 8).astype(np.float32)


@pytest.fixture
def device(accelerator):
    return accelerator


def test_results_come_in_order_of_calls_whose_arguments_are_gone(device):
    f = wax.jit(lambda x, s: x @ x @ x * s, device=device)
    cubed = np.linalg.matrix_power(X.astype(np.float64), 3)
    results = []
    for i in range(40):  # more than may be under way
        scaled = wax.device_put(X, device) * np.float32(i / 40)
        results.append(f(scaled, np.float32(2)))
        del scaled
    for i, result in enumerate(results):
        np.testing.assert_allclose(np.asarray(result.block_until_ready()), 2 * cubed * (i / 40) ** 3, atol=1e-5)


def test_arrays_that_are_updated_are_those_that_there_were(device):
    kept = wax.jit(lambda x: x.at[0].add(1.0), device=device)
    donated = wax.jit(lambda x: x.at[0].add(1.0), device=device, donate_argnums=0)
    states = [wax.device_put(np.zeros((4, 4), np.float32), device)]
    for _ in range(20):
        states.append(kept(states[-1]))
    state = kept(states[-1])
    for _ in range(20):
        state = donated(state)
    assert [float(x[0, 1]) for x in states] == list(range(21))
    np.testing.assert_array_equal(np.asarray(state)[:2, 0], [41, 0])


def test_several_threads_call_at_once(device):
    f = wax.jit(lambda x: x + 1, device=device)
    results = {}

    def work(number):
        x = wax.device_put(np.full(8, number, np.float32), device)
        for _ in range(10):
            x = f(x)
        results[number] = np.asarray(x).tolist()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: [number + 10] * 8 for number in range(4)}


def test_a_call_that_fails_holds_nobody_up(device):
    compiled = (
        wax.jit(lambda x, y: x + y, device=device)
        .lower(*(wax.ShapeDtypeStruct(("n",), np.float32) for _ in range(2)))
        .compile(device=device)
    )
    three, five = (wax.device_put(np.ones(size, np.float32), device) for size in (3, 5))
    run = compiled._built.executable.bind((three.spec, three.spec))
    with pytest.raises(WaxError, match="y"):
        run([three, five])
    np.testing.assert_array_equal(np.asarray(run([three, three])[0]), 2)


def test_work_that_fails_on_the_device_is_told_to_who_reads_it(device):
    timeline = Timeline(hal_device(str(device)))
    _, reached = timeline.next(None)
    reached.fail("lost")
    with pytest.raises(RuntimeError):
        reached.wait()
    wait, _ = timeline.next(None)  # a new beginning
    assert wait.wait()


def test_programs_for_the_cpu_too_wait_for_their_arguments(device, tmp_path):
    double = wax.jit(lambda x: x * 2)
    wax.export(double, targets=[PORTABLE[device.platform], "cpu"])(X).save(tmp_path / "double.vmfb")
    loaded = wax.load(tmp_path / "double.vmfb", device=device)
    f = wax.jit(lambda x: x @ x, device=device)
    x = wax.device_put(X, device)
    for _ in range(3):
        x = f(loaded(x) / np.float32(2))
    np.testing.assert_allclose(np.asarray(x), np.linalg.matrix_power(X.astype(np.float64), 8), atol=1e-4)


def test_a_process_may_end_before_its_calls(device):
    code = (
        "import numpy as np, wax\n"
        f"f = wax.jit(lambda x: x @ x @ x, device='{device}'); x = f(np.ones((128, 128), 'f'))\n"
        "for _ in range(10): x = f(x)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
