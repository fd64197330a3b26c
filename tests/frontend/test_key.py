"""What programs are cached under: everything that decides what they become, and not where their source stands."""

import dataclasses
import re
import subprocess
import sys

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import _compile, _key, _native, stages
from wax._key import program_key
from wax_runtime import CPU, CompileOptions, registry
from wax_runtime.backend import Artefact

SOURCE = """
def scaled(x, y):
    return wnp.tanh(x @ y) * 2.0
"""
X = wax.ShapeDtypeStruct((3, wax.Dim("k")), "float32")
Y = wax.ShapeDtypeStruct((wax.Dim("k"), 5), "float32")


def function(source=SOURCE, file="model.py", line=1):
    """The function `scaled` as it stands in some file at some line."""
    names = {"wnp": wnp}
    exec(compile("\n" * (line - 1) + source, file, "exec"), names)
    return names["scaled"]


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """An empty disk cache."""
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def no_compiler(monkeypatch):
    """Call it, and neither the lowering nor the compiler may run from then on."""

    def refuse(*_, **__):
        raise AssertionError("the program was made again")

    def begin():
        monkeypatch.setattr(stages, "lower", refuse)
        monkeypatch.setattr("wax.backends.iree.capi.compile_text", refuse)

    return begin


def key(traced, target="iree", form="linalg-iree"):
    assert _compile.TARGETS[form] == target
    return _compile.program_of(traced._function)(form).key()


def test_a_program_in_the_disk_cache_is_neither_lowered_nor_compiled(fresh, no_compiler):
    given = np.ones((3, 4), np.float32), np.ones((4, 5), np.float32)
    expected = np.asarray(wax.jit(function())(*given))
    no_compiler()
    np.testing.assert_array_equal(wax.jit(function())(*given), expected)


def test_a_program_from_the_cache_still_has_its_text(fresh, monkeypatch):
    first = wax.jit(function()).trace(X, Y).lower()
    text = first.compile().as_text()
    lowered = []
    monkeypatch.setattr(stages, "lower", lambda *a: lowered.append(a) or _compile.lower(*a))
    again = wax.jit(function()).trace(X, Y).lower().compile()
    assert not lowered
    assert again.as_text() == text
    assert '"model.py":3:' in again.as_text(debug_info=True)
    assert len(lowered) == 1


def test_moving_the_source_makes_no_other_program(fresh, no_compiler):
    given = np.ones((3, 4), np.float32), np.ones((4, 5), np.float32)
    wax.jit(function())(*given)
    no_compiler()
    wax.jit(function(line=70, file="elsewhere.py"))(*given)


def test_the_key_is_of_the_program_and_of_what_lowers_it(fresh, monkeypatch):
    traced = wax.jit(function()).trace(X, Y)
    others = [
        wax.jit(function(SOURCE.replace("2.0", "2.5"))).trace(X, Y),
        wax.jit(function(SOURCE.replace("tanh", "sin"))).trace(X, Y),
        wax.jit(function()).trace(wax.ShapeDtypeStruct((4, 6), "float32"), wax.ShapeDtypeStruct((6, 5), "float32")),
        wax.jit(function()).trace(X, wax.ShapeDtypeStruct((wax.Dim("k"), 5), "float64")),
        wax.jit(function()).trace(
            *(wax.ShapeDtypeStruct(s, "float32") for s in [(3, wax.Dim("k", max=9)), (wax.Dim("k", max=9), 5)])
        ),
        wax.jit(function(), donate_argnums=0).trace(X, Y),
    ]
    keys = [key(one) for one in (traced, *others)]
    assert key(wax.jit(function(line=9)).trace(X, Y)) == keys[0]
    keys.append(key(traced, "upstream", "linalg"))
    keys.append(key(traced, None, "snapshot"))
    monkeypatch.setattr(_key, "native_build", lambda: "another build")
    keys.append(key(traced))
    monkeypatch.setattr(wax, "__version__", "0.0.0")
    keys.append(key(traced))
    assert len(set(keys)) == len(keys)


def test_the_build_id_is_the_linkers_digest_or_that_of_the_file(monkeypatch):
    _key.native_build.cache_clear()
    assert re.fullmatch("[0-9a-f]{16,}", _key.native_build())
    assert _key.native_build() == (_native.build_id or _key.native_build())
    monkeypatch.setattr(_native, "build_id", "")
    _key.native_build.cache_clear()
    assert re.fullmatch("[0-9a-f]{64}", _key.native_build())
    _key.native_build.cache_clear()


def unproved(line):
    """A function whose operands' sizes are compared at run time, with a message that names the line."""
    builder = _native.FunctionBuilder("main")
    location = _native.Location("model.py", line, 1)
    operands = [builder.argument([None], "f32") for _ in range(2)]
    kernel = _native.KernelBuilder(["f32", "f32"])
    add = kernel.finish([kernel.op("arith.addf", [0, 1], "f32")])
    (value, _, _), constraints = builder.broadcast(operands, [[0], [0]], [], add, location)
    assert constraints
    made = builder.finish([value])
    return dataclasses.replace(wax.jit(lambda x: x).trace(wnp.ones(2))._function, function=made)


def test_lines_that_messages_at_run_time_name_are_part_of_the_key(fresh):
    def keyed(line, runs):
        made = unproved(line)
        return program_key(
            made, "wax-to-linalg{target=iree}", lambda: runs.append(line) or _compile.lower(made, "iree")
        )

    assert "model.py:7:1: 'wax.broadcast'" in _compile.lower(unproved(7), "iree").text()
    runs = []
    first = keyed(7, runs)
    assert keyed(8, runs) != first
    assert keyed(7, runs) == first
    assert runs == [7], "that it has such messages is known from the first time on"


def test_without_a_disk_cache_there_are_keys_all_the_same(monkeypatch):
    monkeypatch.setenv("WAX_CACHE_DIR", "")
    assert key(wax.jit(function()).trace(X, Y)) == key(wax.jit(function(line=5)).trace(X, Y))


@pytest.mark.parametrize("accepts", ["linalg", "linalg-iree", "linalg-iree-gpu", "snapshot"])
def test_a_backend_of_ones_own_keeps_programs_by_their_key(fresh, monkeypatch, no_compiler, accepts):
    kept: dict[str, object] = {}
    real = registry.get("reference")

    class Keeping:
        name, priority, compiler = "keeping", 5, "wax_keeping:compiler"
        platforms, devices, load, put = real.platforms, real.devices, real.load, real.put

        def accepts(self, device):
            return accepts

        def compile(self, program, device, options):
            found = program.key()
            if found not in kept:
                assert accepts == "snapshot" or "linalg.generic" in program.linalg()
                kept[found] = program.snapshot()
            return Artefact("keeping", "snapshot", kept[found], program.signature, "cpu")

    backend = Keeping()
    monkeypatch.setattr(_compile, "compiler_of", lambda _: backend)
    monkeypatch.setattr(registry, "_registered", {**registry._registered, "keeping": backend})
    f = wax.jit(function(), backend="keeping")
    given = np.ones((3, 4), np.float32), np.ones((4, 5), np.float32)
    expected = np.asarray(f(*given))
    no_compiler()
    np.testing.assert_array_equal(wax.jit(function(line=9), backend="keeping")(*given), expected)
    assert len(kept) == 1


def test_an_entry_of_the_cache_that_is_damaged_is_made_again(fresh, caplog):
    given = np.ones((3, 4), np.float32), np.ones((4, 5), np.float32)
    expected = np.asarray(wax.jit(function())(*given))
    entries = [path for path in fresh.glob("??/*") if path.is_file()]
    assert len(entries) == 2
    for path in entries:
        path.write_bytes(path.read_bytes()[:-1])
    np.testing.assert_array_equal(wax.jit(function())(*given), expected)
    assert caplog.text.count("corrupt") == 2
    assert sorted(path.stat().st_size for path in entries)[0] > 40


def test_processes_that_make_one_program_at_once_leave_one_entry(fresh):
    code = """
import numpy as np, wax, wax.numpy as wnp
print(wax.jit(lambda x: wnp.tanh(x) * 3.25)(np.full(3, 0.5, np.float32)).tolist())
"""
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    printed = [process.communicate(timeout=300)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert printed[0] == printed[1] != ""
    assert len([path for path in fresh.rglob("*") if path.is_file()]) == 2  # the program, and that it tells no lines


def test_a_cache_that_cannot_be_written_costs_only_time(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path / "file"))
    given = np.ones((3, 4), np.float32), np.ones((4, 5), np.float32)
    np.testing.assert_allclose(wax.jit(function())(*given), np.tanh(4.0) * 2, rtol=1e-6)


def test_the_option_keeps_the_disk_cache_out(fresh):
    wax.jit(function(), options=CompileOptions(cache=False), device=CPU)(wnp.ones((3, 4)), wnp.ones((4, 5)))
    assert not fresh.exists()
