"""`wax.profile`: what is measured, at which lines, and that parts are within the whole."""

import json
import threading

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import _spans
from wax_runtime.devices import Device
from wax_runtime.errors import BackendError
from wax_runtime.reference import timing

X = np.ones((4, 3), np.float32)


def product(x, y):
    z = x @ y
    return wnp.tanh(z) + 1.0


LINE = product.__code__.co_firstlineno


def test_calls_and_stages_of_a_compiled_function_are_measured():
    f = wax.jit(product)
    with wax.profile() as p:
        for _ in range(3):
            f(X, X.T)
    f(X, X.T)  # after it, nothing is
    (one,) = p.functions
    assert (one.name, one.calls) == ("product", 3)
    assert min(one.trace, one.compile, one.load, one.fastest_call) > 0
    assert one.trace + one.compile + one.load <= one.call <= p.end - p.begin
    assert one.fastest_call <= one.call / 3
    assert p.operations == ()  # it is one program
    assert [span.kind for span in p.spans if span.kind != "lower"] == [
        "trace",
        "compile",
        "load",
        "call",
        "call",
        "call",
    ]
    assert "iree on cpu:0" in [span.where for span in p.spans]


def test_operations_of_the_reference_backend_have_the_users_lines():
    f = wax.jit(product, backend="reference")
    with wax.profile() as p:
        for _ in range(2):
            f(X, X.T)
    found = {(one.name, one.location.line): one.count for one in p.operations}
    assert found == {("wax.broadcast + wax.reduce", LINE + 1): 2, ("wax.map", LINE + 2): 4}
    assert all(one.location.file == __file__ for one in p.operations)
    assert [one.seconds for one in p.operations] == sorted((one.seconds for one in p.operations), reverse=True)
    assert sum(one.seconds for one in p.operations) <= p.functions[0].call


def test_a_program_that_is_profiled_computes_the_same():
    f = wax.jit(product, backend="reference")
    before = np.asarray(f(X, X.T))
    with wax.profile():
        np.testing.assert_array_equal(f(X, X.T), before)
    np.testing.assert_array_equal(f(X, X.T), before)


def test_what_a_loop_does_is_measured_by_itself():
    f = wax.jit(lambda x: wax.fori_loop(0, 10, lambda i, s: wnp.sin(s), x), backend="reference")
    with wax.profile() as p:
        f(X)
    loop = next(one for one in p.operations if one.name == "scf.for")
    sines = next(one for one in p.operations if one.name == "wax.map")
    assert (loop.count, sines.count) == (1, 10)
    assert sines.seconds == sines.total
    assert loop.seconds + sines.seconds <= loop.total * (1 + 1e-9)
    # Functions that are called, too.
    inner = wax.jit(lambda x: wnp.cos(x))
    with wax.profile() as p:
        wax.jit(lambda x: inner(x) + inner(x), backend="reference")(X)
    call = next(one for one in p.operations if one.name == "func.call")
    cosine = next(one for one in p.operations if one.location.line == inner.__wrapped__.__code__.co_firstlineno)
    assert (call.count, cosine.count) == (2, 2)
    assert call.total >= cosine.total


def test_array_functions_outside_of_jit_are_measured_too():
    x = wnp.asarray(X)
    wnp.exp(x)
    with wax.profile() as p:
        wnp.exp(x)
    (one,) = p.operations
    assert one.name == "wax.map" and one.location.file == __file__
    assert p.functions == ()  # it was compiled before, and is no function of the user's


def test_compiled_stages_are_measured():
    compiled = wax.jit(product).lower(X, X.T).compile()
    with wax.profile() as p:
        compiled(X, X.T)
    (span,) = p.spans
    assert (span.kind, span.function, span.where) == ("call", "product", "iree on cpu:0")


def test_the_chrome_trace_has_every_stretch_and_they_nest(tmp_path):
    f = wax.jit(lambda x: wax.fori_loop(0, 3, lambda i, s: wnp.sin(s), x), backend="reference")
    with wax.profile() as p:
        f(X)
    p.save_chrome_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert {event["ph"] for event in events} == {"X"}
    assert [event["name"] for event in events if event["cat"] != "operation"] == [
        "call lambda",
        "trace lambda",
        "compile lambda",
        "load lambda",
    ]
    operations = [event for event in events if event["cat"] == "operation"]
    assert [event["name"] for event in operations].count("wax.map") == 3
    assert all(event["args"]["line"].startswith(__file__) for event in operations if event["name"] == "wax.map")

    def within(inner, outer):
        return outer["ts"] <= inner["ts"] + 1e-3 and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"] + 1e-3

    call, *rest = events
    assert all(within(event, call) for event in rest)
    loop = next(event for event in operations if event["name"] == "scf.for")
    assert all(within(event, loop) for event in operations)


def test_threads_are_measured_apart(tmp_path):
    f = wax.jit(product, backend="reference")
    f(X, X.T)
    ready = threading.Barrier(4)

    def work():
        ready.wait()
        for _ in range(5):
            f(X, X.T)

    with wax.profile() as p:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert p.functions[0].calls == 20
    assert all(0 <= one.seconds <= one.total for one in p.operations)
    assert {one.count for one in p.operations} == {20, 40}
    p.save_chrome_trace(tmp_path / "trace.json")
    assert len({event["tid"] for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"]}) == 4


def test_profiles_nest():
    f = wax.jit(product, backend="reference")
    with wax.profile() as outer:
        f(X, X.T)
        with wax.profile() as inner:
            f(X, X.T)
    assert (outer.functions[0].calls, inner.functions[0].calls) == (2, 1)
    assert sum(one.count for one in outer.operations) == 2 * sum(one.count for one in inner.operations)


def test_an_error_ends_the_profile_and_leaves_nothing_behind():
    f = wax.jit(product, backend="reference")
    profiles = []

    def work():
        with wax.profile() as p:
            profiles.append(p)
            f(X, X.T)
            f(X, X)

    with pytest.raises(wax.errors.ShapeError):
        work()
    (p,) = profiles
    assert p.functions[0].calls == 2
    assert p.end > p.begin
    assert not _spans.listeners.all
    assert not timing.listeners.all


def test_the_tables_name_functions_and_lines():
    with wax.profile() as p:
        pass
    assert str(p) == "nothing was compiled or called"
    with wax.profile() as p:
        wax.jit(product, backend="reference")(X, X.T)
    text = str(p)
    assert text.split("\n")[0].split() == [
        "function",
        "trace",
        "lower",
        "compile",
        "load",
        "calls",
        "all",
        "calls",
        "fastest",
    ]
    assert "product" in text and f"test_profiling.py:{LINE + 1}" in text and "broadcast + reduce" in text
    assert "%" in text


@wax.jit
def two_layers(x, w):
    hidden = wnp.tanh(x @ w)
    return wnp.sum(hidden, axis=0)


def test_dispatches_of_a_compiled_program_are_measured_with_their_lines():
    x, w = np.ones((64, 96), np.float32), np.ones((96, 128), np.float32)
    found = two_layers.lower(x, w).compile().dispatch_times()
    assert found.dispatches
    assert all(one.count == 1 for one in found.dispatches)
    assert all(one.seconds is not None and one.seconds > 0 for one in found.dispatches)
    assert found.seconds == pytest.approx(sum(one.seconds for one in found.dispatches))
    first = two_layers.__wrapped__.__code__.co_firstlineno
    lines = {place.line for one in found.dispatches for place in one.locations}
    assert lines == {first + 2, first + 3}
    assert {place.file for one in found.dispatches for place in one.locations} == {__file__}
    text = str(found)
    assert text.split("\n")[0].split() == ["lines", "dispatch", "times", "once", "share"]
    assert f"test_profiling.py:{first + 2}" in text and "two_layers" in text


def test_a_dispatch_in_a_loop_has_no_count():
    f = wax.jit(lambda x: wax.fori_loop(0, 9, lambda i, s: wnp.tanh(s @ x), x))
    found = f.lower(np.ones((96, 96), np.float32)).compile().dispatch_times()
    assert any(one.count is None for one in found.dispatches)
    assert "?" in str(found)


def test_a_program_that_has_no_dispatch_has_no_times():
    found = wax.jit(lambda x: x).lower(X).compile().dispatch_times()
    assert found.dispatches == () and found.seconds == 0
    assert "lambda" in str(found)


def test_what_cannot_be_taken_apart_is_refused():
    lowered = wax.jit(product).lower(X, X.T)
    with pytest.raises(BackendError, match="'reference' cannot measure the parts of a program"):
        lowered.compile(backend="reference").dispatch_times()
    open_dims = wax.jit(lambda x: x + 1, dynamic_shapes={"x": {0: wax.Dim("b")}}).lower(X).compile()
    with pytest.raises(wax.errors.InvalidArgumentError, match="its dims are open"):
        open_dims.dispatch_times()
    from wax.backends.iree.dispatches import dispatches_of

    with pytest.raises(BackendError, match="cpu:0, and not on cuda:0"):
        dispatches_of(None, (), Device("cuda", 0))
