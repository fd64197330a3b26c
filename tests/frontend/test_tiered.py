"""`jit(tiered=True)`: who answers a call, when that changes, and which functions are refused.

A backend stands for the compiler, which compiles when it is let; nothing here waits for a time.
"""

import subprocess
import sys
import threading

import numpy as np
import pytest
from cpu_backends import Preferred, put_first
from tiers import tiered

import wax
import wax.numpy as wnp
from wax import nn
from wax.errors import CompileError, DeletedBufferError, DiscreteResultError, InvalidArgumentError

X = np.random.default_rng(0).standard_normal((3, 3)).astype(np.float32)


class Gated(Preferred):
    """It compiles when it is let."""

    name = "gated"

    def __init__(self):
        super().__init__()
        self.gate, self.begun = threading.Event(), threading.Event()
        self.error = None
        self.compiled = self.runs = 0

    def compile(self, program, device, options):
        self.compiled += 1
        self.begun.set()
        assert self.gate.wait(60)
        if self.error is not None:
            raise self.error
        return super().compile(program, device, options)

    def load(self, artefact, device, buffer_type):
        loaded = super().load(artefact, device, buffer_type)
        bind = loaded.bind

        def counting(specs):
            run = bind(specs)

            def counted(args):
                self.runs += 1
                return run(args)

            return counted

        loaded.bind = counting
        return loaded


@pytest.fixture
def gated(monkeypatch):
    backend = Gated()
    put_first(monkeypatch, backend)
    yield backend
    backend.gate.set()
    settle()


def settle():
    """Waits until nothing is compiled any more."""
    for thread in threading.enumerate():
        if thread.name.startswith("compile "):
            thread.join(60)
            assert not thread.is_alive()


def test_calls_are_answered_before_the_program_is_compiled_and_by_it_afterwards(gated):
    f = wax.jit(lambda x: x @ x + 1, tiered=True)
    for _ in range(3):
        np.testing.assert_allclose(f(X), X @ X + 1, rtol=1e-5)
    assert gated.begun.wait(60)
    assert (gated.compiled, gated.runs) == (1, 0)
    gated.gate.set()
    settle()
    for runs in range(1, 4):
        np.testing.assert_allclose(f(X), X @ X + 1, rtol=1e-5)
        assert (gated.compiled, gated.runs) == (1, runs)


def test_each_signature_has_its_own_tiers(gated):
    f = wax.jit(lambda x, *, power: x**power, tiered=True, static_argnames="power")
    f(X, power=2)
    gated.gate.set()
    settle()
    f(X, power=2)
    assert gated.runs == 1
    gated.gate.clear()
    np.testing.assert_allclose(f(X[:2], power=2), X[:2] ** 2, rtol=1e-6)
    np.testing.assert_allclose(f(X, power=3), X**3, rtol=1e-6)
    assert gated.runs == 1
    np.testing.assert_allclose(f(X, power=2), X**2, rtol=1e-6)
    assert gated.runs == 2


def test_open_dims_trees_and_captured_arrays_are_answered_too(gated):
    weight = wnp.asarray(X)
    f = wax.jit(lambda p: {"y": p["x"] @ weight}, tiered=True, dynamic_shapes={"p": {"x": {0: wax.Dim("b")}}})
    for rows in (2, 3):
        np.testing.assert_allclose(f({"x": X[:rows]})["y"], X[:rows] @ X, rtol=1e-5, atol=1e-6)
    assert gated.compiled <= 1 and gated.runs == 0


def test_donated_arguments_are_gone_in_both_tiers(gated):
    f = wax.jit(lambda x: x + 1, tiered=True, donate_argnums=0)
    for tier in range(2):
        x = wnp.asarray(X.copy())
        f(x)
        with pytest.raises(DeletedBufferError):
            x.numpy()
        if tier == 0:
            gated.gate.set()
            settle()


def test_what_compiling_raises_later_calls_raise_until_the_cache_is_cleared(gated):
    f = wax.jit(lambda x: x + 1, tiered=True, backend="gated")
    gated.error = CompileError("it does not compile")
    np.testing.assert_allclose(f(X), X + 1)
    gated.gate.set()
    settle()
    for _ in range(2):
        with pytest.raises(CompileError, match="it does not compile"):
            f(X)
    assert gated.compiled == 1
    gated.error = None
    gated.gate.clear()
    f.clear_cache()
    f(X)
    gated.gate.set()
    settle()
    f(X)
    assert (gated.compiled, gated.runs) == (2, 1)


def test_threads_that_call_at_once_compile_once(gated):
    f = wax.jit(lambda x: wnp.tanh(x) @ x, tiered=True)
    ready, results = threading.Barrier(8), []

    def work():
        ready.wait()
        results.extend(np.asarray(f(X)) for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert gated.begun.wait(60)
    gated.gate.set()
    for thread in threads:
        thread.join()
    settle()
    f(X)
    assert gated.compiled == 1 and gated.runs >= 1
    for result in results:
        np.testing.assert_allclose(result, np.tanh(X) @ X, rtol=1e-5, atol=1e-6)


def test_a_function_of_the_reference_backend_or_without_tiers_is_not_compiled_in_the_background(gated):
    gated.gate.set()
    wax.jit(lambda x: x + 1, tiered=True, backend="reference")(X)
    assert gated.compiled == 0
    wax.jit(lambda x: x + 1)(X)
    assert (gated.compiled, gated.runs) == (1, 1)


def test_stages_and_other_functions_that_call_it_know_nothing_of_tiers(gated):
    gated.gate.set()
    f = wax.jit(lambda x: x + 1, tiered=True)
    f.lower(X).compile()(X)
    wax.jit(lambda x: f(x) * 2)(X)
    assert (gated.compiled, gated.runs) == (2, 2)


def test_compiled_code_takes_over_and_agrees():
    f = wax.jit(lambda x, w: nn.softmax(nn.gelu(x @ w)), tiered=True)
    first = np.asarray(f(X, X))
    settle()
    np.testing.assert_allclose(f(X, X), first, rtol=1e-5)
    assert len(f._cache) == 1


REFUSED = {
    "argmax": (lambda x: wnp.argmax(x @ x), "its result 0, tensor<i32>, depends by wax.reduce"),
    "comparison": (lambda x: (x * 2.5, x @ x > 0), "its result 1, tensor<3x3xi1>, depends by wax.map"),
    "cast": (lambda x: wnp.exp(x).astype("int8"), "its result 0, tensor<3x3xi8>"),
    "argsort": (lambda x: wnp.argsort(wnp.sum(x, axis=0)), "its result 0"),
    "count": (lambda x: wnp.sum((x / 3 > 0.5).astype("int32")), "its result 0, tensor<i32>"),
    "lookup": (lambda x: x[wnp.argmax(x @ x, axis=0)], "where wax.gather reads or writes depends by wax.reduce"),
    "update": (lambda x: x.at[wnp.argmax(x @ x, axis=0)].add(1.0), "where wax.scatter reads or writes"),
    "slice": (lambda x: wax.cond(wnp.sum(x) > 0, lambda x: x, lambda x: -x, x), "which branch is taken"),
    "turns": (lambda x: wax.fori_loop(0, wnp.sum(x).astype("int32"), lambda i, s: s, x), "how often a loop is done"),
    "while": (lambda x: wax.while_loop(lambda s: wnp.sum(s) < 9, lambda s: s + 1, x), "how often a loop is done"),
    "carried": (
        lambda x: wax.fori_loop(0, 3, lambda i, s: (s[0] * 0.3, s[1] + (s[0][0, 0] > 0)), (x, 0))[1],
        "its result 0, tensor<i32>",
    ),
    "called": (lambda x: wax.jit(lambda y: wnp.argmax(y))(x @ x), "its result 0"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_function_whose_decisions_depend_on_rounding_is_refused_by_its_line(gated, name):
    function, message = REFUSED[name]
    f = wax.jit(function, tiered=True)
    with pytest.raises(DiscreteResultError, match="cannot be tiered") as caught:
        f(X)
    assert message in str(caught.value)
    assert caught.value.location.file == __file__
    assert caught.value.location.line >= function.__code__.co_firstlineno
    assert gated.compiled == 0
    wax.jit(function, tiered="always")(X)
    assert gated.begun.wait(60)


ALLOWED = {
    "relu": lambda x: nn.relu(x @ x),
    "where": lambda x: wnp.where(x @ x > 0, x, 0.5),
    "sort": lambda x: wnp.sort(x @ x, axis=0),
    "rounded": lambda x: wnp.round(x @ x),
    "of arguments": lambda x: (wnp.argmax(x), x > 0, wnp.abs(x).astype("int32"), wnp.argsort(-x)),
    "integers": lambda x: (wnp.arange(9) % 4 > 1, x @ x),
    "shapes": lambda x: (x @ x, wnp.asarray(x.shape[0])),
    "branch": lambda x: wax.cond(wnp.max(x) > 0, wnp.exp, lambda x: x, x),
    "loop": lambda x: wax.fori_loop(0, 4, lambda i, s: wnp.sin(s) + x[i % 3], x),
    "scan": lambda x: wax.scan(lambda c, row: (c + row, c), x[0], x),
    "gradient": wax.grad(lambda x: wnp.sum(nn.relu(x @ x))),
}


@pytest.mark.parametrize("name", ALLOWED)
def test_functions_that_decide_by_exact_values_or_give_floats_are_taken(gated, name):
    f = wax.jit(ALLOWED[name], tiered=True)
    f(X)
    assert gated.begun.wait(60) and gated.runs == 0


@pytest.mark.parametrize("value", ["never", None, 2])
def test_other_values_are_refused(value):
    with pytest.raises(InvalidArgumentError, match=r"tiered of 'lambda' is .*; it is False, True or 'always'"):
        wax.jit(lambda x: x, tiered=value)


PROGRAM = """
import threading, time, sys
import numpy as np
import wax, wax.numpy as wnp

def f(x):
    for i in range(12):
        x = wnp.tanh(x @ x) * 0.5 + i
    return x

x = np.ones((16, 16), np.float32)
g = wax.jit(f, tiered=True, options=wax.CompileOptions(cache=False))
g(x)
time.sleep(float(sys.argv[1]))
print("done")
"""


@pytest.mark.parametrize("delay", tiered(["0", "0.2", "0.6"], "0.2".__ne__))
def test_a_process_ends_while_it_compiles(delay):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, delay], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


ENDING = """
import atexit, threading
from types import SimpleNamespace
from wax import _tiers

turns = _tiers._turns._value
begun = threading.Semaphore(0)

def compile():
    begun.release()
    threading.main_thread().join()
    return "compiled"

first = SimpleNamespace(_function=SimpleNamespace(name="f"))
tiers = [_tiers.Tier(first, compile) for _ in range(turns + 3)]
for _ in range(turns):
    begun.acquire()
atexit.register(lambda: print([tier.done() for tier in tiers].count("compiled") - turns))
"""


def test_a_process_that_ends_begins_no_compilation_and_ends_those_it_began():
    done = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0\n", "")


FORKING = """
import os, sys, threading
import numpy as np
import wax
from wax import _tiers

f = wax.jit(lambda x: x * 3, tiered=True)
x = np.ones(3, np.float32)
taken = [_tiers._turns.acquire(blocking=False) for _ in range(64)]  # no compilation has its turn
f(x)
child = os.fork()
if not child:
    f(x)
    for thread in threading.enumerate():
        if thread.name.startswith("compile "):
            thread.join(60)
    try:
        f(x)
    except RuntimeError as error:
        os._exit(0 if "forked after wax had begun to compile" in str(error) else 1)
    os._exit(2)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for _ in filter(None, taken):
    _tiers._turns.release()
"""


def test_a_forked_child_begins_anew_and_learns_that_it_cannot_compile():
    done = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr
