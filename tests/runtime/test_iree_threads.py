"""Threads and calls of the iree backend: which run a call, how it waits for workers, and calls from several at once."""

import os
import subprocess
import sys
import threading
import time
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from linalg_text import compiled, doubling, loaded

from wax_runtime import asbuffer, files
from wax_runtime.errors import SettingError
from wax_runtime.iree.placement import devices_for, topology
from wax_runtime.iree.trial import Trial
from wax_runtime.iree.waiting import patient

F32 = np.dtype(np.float32)

SPREAD = ("local-team", "local-task")


@pytest.fixture(params=["local-sync", *SPREAD])
def way(request, monkeypatch):
    """Has calls run so, whatever they are, where there are processors for it."""
    monkeypatch.setenv("WAX_TASK_WORK", "1000000000" if request.param == "local-sync" else "0")
    monkeypatch.setenv("WAX_NUM_THREADS", "3")
    if request.param == "local-task":
        monkeypatch.setattr("wax_runtime.iree.loader.switched_on", lambda payload: None)
    return request.param


def in_threads(call):
    """Calls it in four threads at once, with a number; each says whether all went well."""
    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(call, range(4)))


def test_threads_may_take_results_from_one_pool(way):
    executable = loaded(doubling(("m", "n")))

    def call(seed):
        rng, kept, right = np.random.default_rng(seed), [], []
        for _ in range(40):
            value = rng.standard_normal((rng.integers(100, 104), 512)).astype(F32)
            kept = [*kept[-2:], (value, executable([asbuffer(value)])[0])]
            right += [np.array_equal(y.numpy(), x + x) for x, y in kept]
        return all(right)

    in_threads(call)


def test_threads_may_call_one_executable_at_once(way):
    executable = loaded(doubling(("m", "n")))

    def call(seed):
        rng, right = np.random.default_rng(seed), []
        for _ in range(60):
            value = rng.standard_normal((rng.integers(0, 40), rng.integers(1, 60))).astype(F32)
            right.append(np.array_equal(executable([asbuffer(value)])[0].numpy(), value + value))
        return all(right)

    in_threads(call)


@pytest.fixture
def any_policy():
    """Gives this thread its scheduling policy back."""
    policy = os.sched_getscheduler(0)
    yield
    os.sched_setscheduler(0, policy, os.sched_param(0))


@pytest.mark.parametrize("policy", [os.SCHED_OTHER, os.SCHED_BATCH])
def test_who_waits_for_workers_preempts_none_and_keeps_its_own_policy(policy, any_policy):
    during = []

    def invoke(*args):
        during.append((args, os.sched_getscheduler(0)))
        if args[0] == "fails":
            raise ValueError("in IREE")

    os.sched_setscheduler(0, policy, os.sched_param(0))
    patient(invoke)("works", 1, 2)
    assert os.sched_getscheduler(0) == policy
    with pytest.raises(ValueError, match="in IREE"):
        patient(invoke)("fails", 1, 2)
    assert os.sched_getscheduler(0) == policy
    inside = os.SCHED_BATCH if policy == os.SCHED_OTHER else policy
    assert during == [(("works", 1, 2), inside), (("fails", 1, 2), inside)]


def test_where_a_thread_may_not_choose_its_policy_calls_wait_as_it_is(monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    calls = []
    patient(lambda *args: calls.append(args))("f", "in", "out")
    assert calls == [("f", "in", "out")]


def test_calls_wait_patiently_for_workers_only(way):
    executable = loaded(doubling(("m", "n")))
    x = asbuffer(np.ones((2000, 1000), F32))
    stop = threading.Event()

    def call_again_and_again():
        while not stop.is_set():
            executable([x])

    thread = threading.Thread(target=call_again_and_again)
    thread.start()
    policies, end = set(), time.monotonic() + (20 if way == "local-task" else 0.3)
    while time.monotonic() < end and os.SCHED_BATCH not in policies:
        policies.add(os.sched_getscheduler(thread.native_id))
    stop.set()
    thread.join()
    assert (os.SCHED_BATCH in policies) == (way == "local-task")


def of_floats(count):
    return asbuffer(np.empty(count, F32)).spec


@pytest.fixture
def two_threads(monkeypatch):
    monkeypatch.delenv("WAX_TASK_WORK", raising=False)
    monkeypatch.setenv("WAX_NUM_THREADS", "2")


def test_large_work_runs_on_workers_small_on_the_calling_thread(two_threads, monkeypatch):
    small, large = of_floats(4), of_floats(400_000_000)
    assert devices_for(None, {}, [small], [small]) == ("local-sync",)
    assert devices_for(None, {}, [large], [large]) == ("local-task",)
    assert devices_for("1000*b", {"b": 8}, [large], [large]) == ("local-sync",)
    assert devices_for("1000*b", {"b": 8_000}, [small], [small]) == ("local-sync", "local-task")
    assert devices_for("1000*b", {"b": 800_000}, [small], [small]) == ("local-task",)
    monkeypatch.setenv("WAX_TASK_WORK", "5000000")
    assert devices_for("1000*b", {"b": 4_999}, [small], [small]) == ("local-sync",)
    assert devices_for("1000*b", {"b": 5_000}, [small], [small]) == ("local-task",)
    assert devices_for("1000*b", {"b": 5_000}, [small], [small], "local-team") == ("local-team",)
    monkeypatch.delenv("WAX_TASK_WORK")
    assert devices_for("10*b", {"b": 999}, [small], [small], "local-team") == ("local-sync",)
    assert devices_for("10*b", {"b": 1000}, [small], [small], "local-team") == ("local-sync", "local-team")
    assert devices_for("10*b", {"b": 40_000_000}, [small], [small], "local-team") == ("local-team",)
    monkeypatch.setenv("WAX_NUM_THREADS", "1")
    assert devices_for(None, {}, [large], [large]) == ("local-sync",)
    monkeypatch.delenv("WAX_NUM_THREADS")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {1})
    assert devices_for(None, {}, [large], [large]) == ("local-sync",)


@pytest.mark.parametrize(
    ("threads", "usable", "flag"),
    [
        ("", range(8), ""),
        ("", (2, 3, 5), "--task_topology_cpu_ids=2,3,5"),
        ("3", (5, 3, 2), "--task_topology_cpu_ids=2,3,5"),
        ("8", range(8), "--task_topology_cpu_ids=0,1,2,3,4,5,6,7"),
        ("2", range(8), "--task_topology_group_count=2"),
        ("12", range(8), "--task_topology_group_count=12"),
    ],
)
def test_workers_are_bound_to_cpus_that_the_process_may_use(threads, usable, flag, monkeypatch):
    monkeypatch.setenv("WAX_NUM_THREADS", threads)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(usable))
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert topology() == flag
    monkeypatch.delattr(os, "sched_getaffinity")  # as on macOS
    assert topology() == (f"--task_topology_group_count={threads}" if threads else "")


@pytest.mark.parametrize("bad", ["0", "-1", "two", "1.5"])
def test_a_wrong_number_of_threads_is_named(bad, monkeypatch):
    monkeypatch.setenv("WAX_NUM_THREADS", bad)
    with pytest.raises(SettingError, match=f"WAX_NUM_THREADS is '{bad}'; it must be the number of worker threads"):
        loaded(doubling())([asbuffer(np.ones(4, F32))])


class Way:
    """A way to make a call, which takes so much time of a clock."""

    steps = "natively"

    def __init__(self, name, clock, *seconds):
        self.name, self.clock, self.seconds, self.calls = name, clock, list(seconds), 0

    def __call__(self, args):
        self.calls += 1
        self.clock.now += self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]
        return [self.name, *args]


def trial_of(monkeypatch, alone, spread, short):
    clock = types.SimpleNamespace(now=0.0)
    monkeypatch.setattr(time, "perf_counter", lambda: clock.now)
    ways = {"a": Way("a", clock, *alone), "s": Way("s", clock, *spread)}
    return Trial(ways["a"], lambda: ways["s"], short)


def calls(trial, count):
    """Which ways so many calls took."""
    made = [trial([1, 2]) for _ in range(count)]
    assert all(rest == [1, 2] for _, *rest in made)
    return "".join(name for name, *_ in made)


@pytest.mark.parametrize(
    ("alone", "spread", "tried", "chosen"),
    [
        ((5e-3, 9e-5, 4e-5), (1e-6,), "aaa", "a"),  # as fast as others begin
        ((0.5,), (0.3,), "as", "s"),  # too long to be made again and again
        ((8e-3, 8e-3), (7e-3, 8e-3), "aass", "s"),
        ((8e-3, 8e-3), (8e-3, 7.9e-3), "aass", "a"),
    ],
)
def test_short_calls_stay_alone_and_long_ones_are_tried_once(alone, spread, tried, chosen, monkeypatch):
    trial = trial_of(monkeypatch, alone, spread, 60e-6)
    for name in tried:
        assert trial.steps is None
        assert calls(trial, 1) == name
    is_settled = tried in ("aaa", "as")
    after = chosen * (4000 if is_settled else 29)
    assert calls(trial, len(after)) == after
    assert trial.steps == "natively"
    assert calls(trial, 1) == chosen
    assert trial.steps == ("natively" if is_settled else None)


def test_native_callers_are_lent_the_turns_until_it_is_tried_again(monkeypatch):
    trial = trial_of(monkeypatch, (1e-3,), (1e-4,), 60e-6)
    for turns in (30, 300, 3000):
        while trial.steps is None:
            trial([1, 2])
        assert calls(trial, 5) == "sssss"
        assert trial.lend() == turns - 5
        assert trial.steps is None
        assert calls(trial, 1) == "a"
        assert trial.lend() == 0
    while trial.steps is None:
        trial([1, 2])
    assert trial.lend() is None
    assert trial.steps == "natively"


@pytest.mark.parametrize(
    ("alone", "spread", "tried", "chosen"),
    [
        ((9e-4, 8e-4, 8e-4), (9e-4, 6e-4, 9e-4), "aaasss", "s"),
        ((9e-4, 8e-4, 8e-4), (9e-4, 7.9e-4, 9e-4), "aaasss", "a"),  # not clearly faster
        ((2e-4,), (1e-4,), "aaasss" + "as" * 7, "s"),  # the shorter, the more often
    ],
)
def test_calls_of_unclear_length_are_tried_both_ways(alone, spread, tried, chosen, monkeypatch):
    trial = trial_of(monkeypatch, alone, spread, 60e-6)
    assert calls(trial, len(tried)) == tried
    assert trial.steps == "natively"
    assert calls(trial, 30) == chosen * 30
    assert trial.steps is None


def test_what_was_chosen_while_processors_were_busy_is_tried_again(monkeypatch):
    trial = trial_of(monkeypatch, (1e-3,), (*[1e-3] * 3, *[5e-4] * 4), 60e-6)
    assert calls(trial, 6 + 30) == "aaasss" + "a" * 30
    assert calls(trial, 7 + 300) == "aaassss" + "s" * 300
    assert calls(trial, 7 + 3000) == "aaassss" + "s" * 3000
    assert trial.steps is None
    assert calls(trial, 7 + 10000) == "aaassss" + "s" * 10000
    assert trial.steps == "natively"


def test_a_call_of_unclear_length_gives_the_same_both_ways(two_threads):
    executable = loaded(doubling(("m", "n")))
    x = np.random.default_rng(0).standard_normal((500, 1000)).astype(F32)
    for _ in range(12):
        np.testing.assert_array_equal(executable([asbuffer(x)])[0].numpy(), x + x)


PLACES = pytest.mark.parametrize(
    ("work", "spread", "driver"), [("0", "local-task", "local-sync"), *[("1000000000", one, one) for one in SPREAD]]
)


@PLACES
def test_results_of_middle_size_come_from_a_pool(work, spread, driver, two_threads):
    least, most = of_floats(1 << 15), of_floats(1 << 24)
    for results in ([least], [most], [of_floats(1 << 14)] * 2, [least, of_floats(0)]):
        assert devices_for(work, {}, [], results, spread) == (f"{driver}:pool",)
    for results in ([of_floats((1 << 15) - 1)], [of_floats((1 << 24) + 1)], [most, of_floats(1)], [least, None], []):
        assert devices_for(work, {}, [], results, spread) == (driver,)


@PLACES
def test_calls_of_large_arguments_have_a_pool_for_what_they_need_between(work, spread, driver, two_threads):
    large, less = [of_floats(1 << 17), of_floats(1 << 17)], [of_floats((1 << 18) - 1)]
    assert devices_for(work, {}, large, [of_floats(1)], spread) == (f"{driver}:pool",)
    for arguments, results in ((less, [of_floats(1)]), (large, [of_floats((1 << 24) + 1)]), (large, [None])):
        assert devices_for(work, {}, arguments, results, spread) == (driver,)


@pytest.mark.parametrize("spread", SPREAD)
def test_a_forked_child_calls_what_its_parent_loaded(tmp_path, spread):
    path = tmp_path / "double.vmfb"
    files.save(compiled(doubling(("n",))), path)
    code = """
import os, sys
import numpy as np
os.environ.update(WAX_TASK_WORK="0", WAX_NUM_THREADS="3")
from wax_runtime import asbuffer, files
from wax_runtime.iree import loader
if sys.argv[2] == "local-task":
    loader.switched_on = lambda payload: None
function = files.load(sys.argv[1])
function(np.ones(100_000, np.float32))
child = os.fork()
if child == 0:
    good = all(np.array_equal(function(np.ones(n, np.float32)), np.full(n, 2)) for n in (100_000, 5))
    os._exit(7 if good else 3)
_, status = os.waitpid(child, 0)
sys.exit(0 if os.waitstatus_to_exitcode(status) == 7 else 1)
"""
    subprocess.run([sys.executable, "-c", code, str(path), spread], check=True, timeout=60)


@pytest.mark.parametrize(
    ("threads", "spread", "started"),
    [("1", "local-team", {}), ("3", "local-team", {"wax-team": 2}), ("3", "local-task", {"iree-worker": 3})],
)
def test_the_number_of_threads_is_what_the_environment_says(tmp_path, threads, spread, started):
    path = tmp_path / "double.vmfb"
    files.save(compiled(doubling(("n",))), path)
    code = """
import sys, time
from pathlib import Path
import numpy as np
from wax_runtime import files
from wax_runtime.iree import loader
wanted = eval(sys.argv[3])
if sys.argv[2] == "local-task":
    loader.switched_on = lambda payload: None
files.load(sys.argv[1])(np.ones(5, np.float32))
def started():
    names = [p.read_text().strip() for p in Path("/proc/self/task").glob("*/comm")]
    counts = {kind: sum(name.startswith(kind) for name in names) for kind in ("wax-team", "iree-worker")}
    return {kind: count for kind, count in counts.items() if count}
for _ in range(100):  # a thread gets its name some time after it starts
    if started() == wanted:
        break
    time.sleep(0.02)
print(started())
"""
    environment = {**os.environ, "WAX_NUM_THREADS": threads, "WAX_TASK_WORK": "0"}
    command = [sys.executable, "-c", code, str(path), spread, repr(started)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == repr(started)
    environment["WAX_NUM_THREADS"] = "many"
    refused = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert "SettingError: WAX_NUM_THREADS is 'many'; it must be the number of worker threads" in refused.stderr
