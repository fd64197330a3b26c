"""The threads that share a call's dispatches: what they compute, where they run, and programs without them."""

import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ml_dtypes
import numpy as np
import optree
import pytest
from linalg_text import compiled, doubling, elementwise, loaded, program, spec

import wax
import wax.numpy as wnp
from wax_runtime import asbuffer, files
from wax_runtime.iree import team

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in ("x86_64", "aarch64"),
    reason="wax has no threads of its own for such machines",
)

F32 = np.dtype(np.float32)
ALONE, SHARED = "1000000000000", "0"


@pytest.fixture(autouse=True)
def three_threads(monkeypatch):
    monkeypatch.setenv("WAX_NUM_THREADS", "3")


def bits(x):
    return np.ascontiguousarray(x).view(np.uint8)


def normalized(x):
    centred = x - wnp.mean(x, axis=-1, keepdims=True)
    return centred / wnp.sqrt(wnp.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


def attended(q, k, v):
    weights = wax.nn.softmax(wnp.einsum("hqd,hkd->hqk", q, k) / 8, axis=-1)
    return wnp.einsum("hqk,hkd->hqd", weights, v)


def running(x):
    return wax.scan(lambda total, row: (total * 0.5 + row, total), x[0], x)


RNG = np.random.default_rng(7)


def floats(*shape):
    return RNG.standard_normal(shape).astype(F32)


PROGRAMS = {
    "one element": (lambda x: x * 2, [floats(1)]),
    "none": (lambda x: x * 2, [floats(0, 5)]),
    "a map": (lambda x, y: wnp.exp(x) + y, [floats(700, 301), floats(301)]),
    "a sum": (wnp.sum, [floats(1000, 777)]),
    "sums of columns": (lambda x: wnp.sum(x, axis=0), [floats(1000, 777)]),
    "softmax": (lambda x: wax.nn.softmax(x, axis=-1), [floats(300, 1000)]),
    "normalization": (normalized, [floats(257, 768)]),
    "a product": (lambda x, y: x @ y, [floats(193, 256), floats(256, 310)]),
    "products": (lambda x, y: x @ y, [floats(7, 64, 96), floats(7, 96, 50)]),
    "a product of bf16": (
        lambda x, y: x @ y,
        [floats(128, 256).astype(ml_dtypes.bfloat16), floats(256, 192).astype(ml_dtypes.bfloat16)],
    ),
    "a transposition": (lambda x: x.T + 1, [floats(513, 700)]),
    "attention": (attended, [floats(4, 600, 64) for _ in range(3)]),
    "a convolution": (
        lambda x, w: wax.nn.conv(x, w, padding="SAME"),
        [floats(2, 16, 28, 28), floats(32, 16, 3, 3)],
    ),
    "windows of few rows": (
        lambda x, w: wax.nn.conv(x, w, groups=48, padding=((3, 0),), channels_last=True),
        [floats(1, 1903, 48), floats(4, 1, 48)],
    ),
    "windows of many rows": (
        lambda x, w: wax.nn.conv(x, w, groups=40, padding=1, channels_last=True),
        [floats(2, 41, 30, 40), floats(3, 3, 1, 40)],
    ),
    "a transform": (wnp.fft.fft, [(floats(64, 1000) + 1j * floats(64, 1000)).astype(np.complex64)]),
    "a sort": (lambda x: wnp.sort(x, axis=-1), [floats(400, 100)]),
    "prefix sums": (lambda x: wnp.cumulative_sum(x, axis=1), [floats(300, 400)]),
    "rows by number": (lambda x, i: x[i], [floats(1000, 128), RNG.integers(0, 1000, 5000)]),
    "a loop": (running, [floats(50, 40, 100)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_shared_calls_give_what_calls_on_one_thread_do_to_the_bit(name, monkeypatch):
    function, arguments = PROGRAMS[name]
    monkeypatch.setenv("WAX_TASK_WORK", ALONE)
    alone = optree.tree_leaves(wax.jit(function)(*arguments))
    monkeypatch.setenv("WAX_TASK_WORK", SHARED)
    shared = wax.jit(function)
    for _ in range(20):
        for found, want in zip(optree.tree_leaves(shared(*arguments)), alone, strict=True):
            np.testing.assert_array_equal(bits(np.asarray(found)), bits(np.asarray(want)))


def test_many_threads_call_many_programs_at_once(monkeypatch):
    monkeypatch.setenv("WAX_TASK_WORK", SHARED)
    names = ["a map", "softmax", "a product", "sums of columns", "a sort", "a loop"]
    functions = {name: wax.jit(PROGRAMS[name][0]) for name in names}

    def results(name):
        return [bits(np.asarray(one)) for one in optree.tree_leaves(functions[name](*PROGRAMS[name][1]))]

    wanted = {name: results(name) for name in names}

    def call(seed):
        for name in np.random.default_rng(seed).choice(names, 60):
            for found, want in zip(results(name), wanted[name], strict=True):
                np.testing.assert_array_equal(found, want)
        return True

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(call, range(6)))


def test_members_take_denormal_numbers_as_the_calling_thread_does(monkeypatch):
    function = elementwise("%y = arith.mulf %x0, %x1 : f32", (400_000,), "float32", operands=2)
    kind = spec((400_000,), "float32")
    given = [asbuffer(np.full(400_000, 1e-20, F32)), asbuffer(RNG.uniform(1e-21, 1e-18, 400_000).astype(F32))]
    monkeypatch.setenv("WAX_TASK_WORK", ALONE)
    alone = loaded(program(function, [kind, kind], [kind]))(given)[0].numpy()
    monkeypatch.setenv("WAX_TASK_WORK", SHARED)
    shared = loaded(program(function, [kind, kind], [kind]))
    for _ in range(20):
        np.testing.assert_array_equal(bits(shared(given)[0].numpy()), bits(alone))


def test_a_program_elsewhere_knows_nothing_of_it(tmp_path):
    """The file of a program, on IREE's own devices: in its tools, and in this process beside wax."""
    path, x = tmp_path / "double.vmfb", np.arange(300_000, dtype=F32)
    files.save(compiled(doubling(("n",))), path)
    assert team.switched_on(path.read_bytes()) is not None
    np.testing.assert_array_equal(files.load(path)(x), x + x)
    for device in ("local-sync", "local-task"):
        command = [Path(sys.executable).with_name("iree-run-module"), f"--module={path}", f"--device={device}"]
        command += ["--function=main", "--input=5xf32=3", "--task_topology_group_count=2"]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert "5xf32=6 6 6 6 6" in ran.stdout
        from iree import runtime

        config = runtime.Config(device)
        module = runtime.load_vm_module(runtime.VmModule.copy_buffer(config.vm_instance, path.read_bytes()), config)
        np.testing.assert_array_equal(module.main(x).to_host(), x + x)


def test_without_the_library_calls_have_workers_of_irees(monkeypatch):
    monkeypatch.setattr(team, "_library", lambda: None)
    monkeypatch.setenv("WAX_TASK_WORK", SHARED)
    started = []
    monkeypatch.setattr("wax_runtime.iree.loader.patient", lambda invoke: started.append(invoke) or invoke)
    x = np.arange(300_000, dtype=F32)
    np.testing.assert_array_equal(loaded(doubling(("n",)))([asbuffer(x)])[0].numpy(), x + x)
    assert started


def test_what_is_compiled_in_another_process_can_be_shared_too(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_ISOLATE_COMPILER", "1")
    assert team.switched_on(compiled(doubling(("n",)), cache=False).payload) is not None


def test_a_program_for_another_processor_is_linked_by_iree_alone():
    from wax.backends.iree import linking

    flags = ("--iree-hal-target-device=local", "--iree-llvmcpu-target-cpu=generic")
    assert linking.linked_flags(flags) == flags


def in_process(code):
    """What a process prints that runs code of ours, with a function `f` that has some work to share."""
    begin = """
import os, sys, time
from pathlib import Path
import numpy as np
import optree
import wax, wax.numpy as wnp
f = wax.jit(lambda x: wnp.sum(wnp.exp(x), axis=1))
x = np.random.default_rng(0).standard_normal((1000, 1000)).astype(np.float32)
def member(what):
    tasks = [p.parent for p in Path("/proc/self/task").glob("*/comm") if p.read_text().strip() == "wax-team"]
    return [(task / what).read_text() for task in tasks]
"""
    environment = {**os.environ, "WAX_TASK_WORK": SHARED, "WAX_NUM_THREADS": "3"}
    command = [sys.executable, "-c", begin + code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120).stdout


def test_members_fall_asleep_between_calls():
    code = """
def within_a_while(holds):
    end = time.monotonic() + 20
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.01)
    return held
def rest():
    before = member("schedstat")
    time.sleep(0.5)
    return before == member("schedstat")
for _ in range(5):
    f(x)
print(within_a_while(rest), [one.rsplit(")", 1)[1].split()[0] for one in member("stat")])
before = member("schedstat")
f(x)
print(within_a_while(lambda: before != member("schedstat")))
print(within_a_while(rest))
"""
    assert in_process(code).splitlines() == ["True ['S', 'S']", "True", "True"]


def test_a_process_with_one_processor_has_its_threads_there():
    code = """
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
print(np.allclose(f(x), np.exp(x).sum(1), rtol=1e-5), len(member("stat")))
"""
    assert in_process(code) == "True 2\n"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_members_keep_off_the_processor_of_the_calling_thread():
    code = """
def processor(stat):
    return int(stat.rsplit(")", 1)[1].split()[36])
usable = sorted(os.sched_getaffinity(0))[:2]
for here, there in (usable, usable[::-1]) * 3:
    os.sched_setaffinity(0, {here})  # as if it had been woken there
    os.sched_setaffinity(0, set(usable))
    end = time.monotonic() + 20
    while time.monotonic() < end:
        f(x)
        if {processor(one) for one in member("stat")} == set(usable) - {processor(Path("/proc/self/stat").read_text())}:
            break
    else:
        print("together")
print(len(member("stat")))
"""
    assert in_process(code) == "2\n"
