"""The native layer in its process: threads, fork, exit."""

import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from native_programs import AT, binary, doubling, unary, zero

from wax import _native


def build(seed: int) -> str:
    builder = _native.FunctionBuilder(f"f{seed}", AT)
    x = builder.argument([None, seed + 1], "f32")
    start = zero(builder)
    for step in range(50):
        location = _native.Location("model.py", step + 1, seed)
        x, *_ = builder.map(x, unary(), location)
        y, *_ = builder.iota(0, [seed + 2], "f32", location)
        with pytest.raises(_native.DialectError, match=rf"{seed + 1}\b.*{seed + 2}|{seed + 2}\b.*{seed + 1}"):
            builder.broadcast([x, y], [[0, 1], [1]], [], binary(), location)
    builder.reduce([x], [start], [0], binary(), binary(), AT)
    module = _native.make_module(builder.finish([x]))
    module.run("canonicalize,cse")
    module.snapshot()
    return module.text()


def test_threads_build_and_run_passes_at_once_and_get_their_own_errors():
    alone = [build(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(build, list(range(8)) * 4)) == alone * 4


def test_a_failing_pass_in_one_thread_does_not_reach_another(capfd):
    bad = "func.func @main(%x: tensor<{}xf32>) {{ %0 = math.exp %x : tensor<{}xf32> return }}"

    def run(size: int) -> str:
        module = _native.parse_module(bad.format(size, size), f"file{size}")
        with pytest.raises(_native.PassError) as caught:
            module.run("wax-verify-normal-form{form=basis}")
        return caught.value.args[0]

    with ThreadPoolExecutor(8) as pool:
        messages = list(pool.map(run, range(1, 33)))
    assert all(message.startswith(f"file{size}:1:") for size, message in enumerate(messages, 1))
    assert all(message.count("\n") == messages[0].count("\n") for message in messages)
    assert capfd.readouterr() == ("", "")


def run_python(program: str) -> subprocess.CompletedProcess[str]:
    prelude = f"import sys\nsys.path[:0] = {[path for path in sys.path if path]!r}\n"
    return subprocess.run(
        [sys.executable, "-c", prelude + textwrap.dedent(program)], capture_output=True, text=True, timeout=120
    )


def test_a_forked_child_gets_an_error_and_can_let_go_of_everything():
    ran = run_python("""
        import gc, os
        from native_programs import doubling, binary
        from wax import _native
        function, kernel = doubling(), binary()
        module = _native.make_module(function)
        builder = _native.FunctionBuilder("f")
        x = builder.argument([2], "f32")
        pid = os.fork()
        if pid == 0:
            calls = [lambda: _native.FunctionBuilder("f"), lambda: _native.KernelBuilder([]), module.text,
                     module.snapshot, module.clone, module.verify, lambda: module.run("cse"), function.text,
                     function.snapshot, kernel.snapshot, lambda: str(kernel), lambda: builder.map(x, kernel),
                     lambda: _native.make_module(function), lambda: _native.parse_module("module {}"),
                     lambda: _native.Location("f", 1, 1), lambda: builder.finish([x])]
            for call in calls:
                try:
                    call()
                except RuntimeError as error:
                    assert "forked" in str(error) and "spawn" in str(error)
                else:
                    raise SystemExit(1)
            del function, kernel, module, builder, calls, call
            gc.collect()
            raise SystemExit(0)
        assert os.waitpid(pid, 0)[1] == 0
        assert "wax.broadcast" in module.text()
    """)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_process_forked_before_the_first_use_works():
    ran = run_python("""
        import os
        from wax import _native
        pid = os.fork()
        module = _native.parse_module("module {}")
        module.run("cse")
        if pid:
            assert os.waitpid(pid, 0)[1] == 0
    """)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_interpreter_exits_while_passes_run_in_a_daemon_thread():
    ran = run_python("""
        import threading, time
        from native_programs import unary
        from wax import _native
        builder = _native.FunctionBuilder("f")
        x = builder.argument([None], "f32")
        for _ in range(5000):
            x, *_ = builder.map(x, unary("math.tanh"))
        module = _native.make_module(builder.finish([x]))
        def forever():
            while True:
                module.clone().run("cse,canonicalize")
        for _ in range(3):
            threading.Thread(target=forever, daemon=True).start()
        time.sleep(0.2)
    """)
    assert ran.returncode == 0, ran.stderr


def test_objects_may_die_in_any_thread_and_order():
    made = [(doubling(str(i)), _native.make_module(doubling()), binary()) for i in range(50)]
    thread = threading.Thread(target=made.clear)
    thread.start()
    thread.join()
    _native.FunctionBuilder("unfinished").argument([2], "f32")
    _native.KernelBuilder(["f32"]).op("math.exp", [0], "f32")


def test_no_shared_llvm_is_loaded():
    """In a process of its own: other tests load MLIR's libraries to run what is made here."""
    program = """
from wax import _native
with open("/proc/self/maps") as maps:
    text = maps.read()
assert "_native" in text
assert "libMLIR" not in text and "libLLVM" not in text
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
