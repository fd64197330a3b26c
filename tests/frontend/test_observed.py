"""What a compilation tells: a line in the log (`WAX_LOG_COMPILES`), and its stages in files (`WAX_DUMP_IR`)."""

import logging
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
from cpu_backends import Preferred

import wax
import wax.numpy as wnp
from wax._compile import form_of
from wax.errors import CompileError, SettingError
from wax_runtime import registry
from wax_runtime.devices import CPU

X = np.ones((4, 3), np.float32)
#: What IREE takes for this machine's processor.
FORM = form_of(registry.get("iree"), CPU, wax.CompileOptions())


@pytest.fixture
def lines(caplog):
    """The lines of compilations so far."""
    caplog.set_level(logging.INFO, "wax.compile")
    return lambda: [r.getMessage() for r in caplog.records if r.getMessage().startswith("compiled ")]


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path / "cache"))


def test_a_compilation_is_one_line_with_function_arguments_cause_backend_and_times(lines, own_cache):
    @wax.jit
    def affine(x, y):
        return x @ y + 1

    affine(X, X.T)
    affine(X, X.T)
    (line,) = lines()
    first = affine.__wrapped__.__code__.co_firstlineno
    assert line.startswith(
        f"compiled affine(x: float32[4, 3], y: float32[3, 4]) -> (float32[4, 4]) ({__file__}:{first}): first call; "
        f"by iree for cpu:0, not in the disk cache; trace "
    )
    times = {stage: float(taken) for stage, taken in re.findall(r"(\w+) (\d+\.\d{3}) s", line)}
    assert list(times) == ["trace", "lower", "compile", "load"]
    assert min(times.values()) >= 0 and times["compile"] > 0


def test_the_cause_says_what_differs_from_the_last_compilation(lines):
    f = wax.jit(lambda x, *, power: x**power, static_argnames="power", backend="reference")
    f(X, power=2)
    f(X[:2], power=2)
    f(X[:2], power=3)
    f.trace(X, power=2).lower().compile(backend="reference")
    causes = [line.split("): ", 1)[1].split("; by ")[0] for line in lines()]
    assert causes[0] == "first call"
    assert causes[1] == "x was float32(4, 3), now float32(2, 3)"
    assert causes[2].startswith("the static arguments was") and "'power': 3" in causes[2]
    assert causes[3] == "asked for"


def test_a_program_from_the_disk_cache_is_told_apart(lines, own_cache):
    for _ in range(2):
        wax.jit(lambda x: x * 5)(X)
    wax.jit(lambda x: x * 5, options=wax.CompileOptions(cache=False))(X)
    wax.jit(lambda x: x * 5, backend="reference")(X)
    told = [re.search(r"cpu:0(.*?); trace", line)[1] for line in lines()]
    assert told == [", not in the disk cache", ", from the disk cache", "", ""]
    assert "lower 0.000 s" in lines()[1]  # the key takes no lowering


def test_exports_are_compilations_too(lines, tmp_path):
    wax.export(lambda x: x * 7)(X).save(tmp_path / "f.vmfb")
    (line,) = lines()
    assert ": exported; by iree for cpu" in line


def test_a_failed_compilation_has_no_line(lines, monkeypatch, tmp_path):
    monkeypatch.setenv("WAX_REPRODUCER_DIR", str(tmp_path))
    with pytest.raises(CompileError):
        wax.jit(lambda x: x * 11, backend="iree", options=wax.CompileOptions(flags=("--no-such-flag",)))(X)
    assert lines() == []


@pytest.mark.parametrize(("setting", "shown"), [("1", True), ("0", False), ("", False), (None, False)])
def test_the_line_is_on_standard_error_only_where_it_is_asked_for(setting, shown):
    program = "import wax, numpy as np; wax.jit(lambda x: x + 1, backend='reference')(np.ones(3))"
    environment = {} if setting is None else {"WAX_LOG_COMPILES": setting}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=_environment(environment)
    )
    assert ("compiled lambda(x: float64[3])" in done.stderr) == shown
    assert done.stderr.count("\n") == shown


def _environment(more):
    import os

    kept = {name: value for name, value in os.environ.items() if name not in ("WAX_LOG_COMPILES", "WAX_DUMP_IR")}
    return {**kept, **more}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_each_program_has_a_folder_of_its_stages(tmp_path, monkeypatch, lines):
    stages = tmp_path / "new" / "stages"
    monkeypatch.setenv("WAX_DUMP_IR", str(stages))

    @wax.jit
    def doubled(x):
        return wnp.tanh(x) * 2

    doubled(X)
    doubled(X[:2])
    doubled.trace(X).lower().compile(backend="reference")
    assert names(stages) == ["0001-doubled", "0002-doubled", "0003-doubled"]
    one, two, three = (stages / name for name in names(stages))
    assert names(one) == ["0-wax.mlir", f"1-{FORM}.mlir", "2-iree.vmfb", "about.txt"]
    assert names(three) == ["0-wax.mlir", "1-reference.snapshot", "about.txt"]
    assert (one / "0-wax.mlir").read_text() == doubled.trace(X).as_text()
    assert "tensor<2x3xf32>" in (two / "0-wax.mlir").read_text()
    assert "func.func @main(" in (one / f"1-{FORM}.mlir").read_text()
    assert "wax." not in re.sub(r"wax\.name", "", (one / f"1-{FORM}.mlir").read_text())
    about = (one / "about.txt").read_text().splitlines()
    assert about[0] == lines()[0]
    assert "--iree-hal-target-device=local" in about
    # What was made is whole.
    np.testing.assert_allclose(wax.load(one / "2-iree.vmfb")(X), np.tanh(X) * 2, rtol=1e-6)
    np.testing.assert_allclose(wax.load(three / "1-reference.snapshot")(X), np.tanh(X) * 2, rtol=1e-6)


def test_names_that_are_no_file_names_are_made_so(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_DUMP_IR", str(tmp_path))
    f = lambda x: x + 1  # noqa: E731
    f.__name__ = "../a b/" + "c" * 100
    wax.jit(f, backend="reference")(X)
    (folder,) = names(tmp_path)
    assert re.fullmatch(r"0001-_a_b_c{35}", folder)


def test_the_stages_of_an_export_are_written(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_DUMP_IR", str(tmp_path / "stages"))
    wax.export(lambda x: x - 1)(X).save(tmp_path / "f.vmfb")
    (folder,) = (tmp_path / "stages").iterdir()
    assert names(folder) == ["0-wax.mlir", f"1-{FORM}.mlir", "2-iree.vmfb", "about.txt"]
    assert (folder / "2-iree.vmfb").read_bytes()


def test_stages_are_written_before_a_compiler_fails(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_DUMP_IR", str(tmp_path / "stages"))
    monkeypatch.setenv("WAX_REPRODUCER_DIR", str(tmp_path / "reproducers"))
    with pytest.raises(CompileError):
        wax.jit(lambda x: x * 3, backend="iree", options=wax.CompileOptions(flags=("--no-such-flag",)))(X)
    (folder,) = (tmp_path / "stages").iterdir()
    assert names(folder) == ["0-wax.mlir", f"1-{FORM}.mlir"]


class _Writer(Preferred):
    """It has rules and a dialect of its own."""

    name = "writer"
    priority = -1
    compiler = f"{__name__}:WRITER"
    rules = f"{__name__}:RULES"
    dialects = ("words",)

    def emit(self, program, dialect):
        return f"{program.name} in {dialect}"


WRITER = _Writer()
RULES = (wax.rules.rule(lambda x: x * 2, lambda x: x + x),)


def test_what_a_backend_rewrites_and_writes_is_a_stage(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, __name__, sys.modules[test_stages_are_written_before_a_compiler_fails.__module__])
    monkeypatch.setenv("WAX_DUMP_IR", str(tmp_path))
    found = registry.backends()
    monkeypatch.setattr(registry, "backends", lambda: (*found, WRITER))
    get = registry.get
    monkeypatch.setattr(registry, "get", lambda name: WRITER if name == "writer" else get(name))
    np.testing.assert_array_equal(wax.jit(lambda x: x * 2, backend="writer")(X), X * 2)
    (folder,) = tmp_path.iterdir()
    # Its programs cannot be saved.
    assert names(folder) == ["0-wax.mlir", "1-wax-writer.mlir", "2-words.mlir", "about.txt"]
    assert "arith.addf" not in (folder / "0-wax.mlir").read_text()
    assert "arith.addf" in (folder / "1-wax-writer.mlir").read_text()
    assert (folder / "2-words.mlir").read_text() == "lambda in words"


def test_threads_write_to_folders_of_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_DUMP_IR", str(tmp_path))

    def work(number):
        wax.jit(lambda x: x + number, backend="reference")(X)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(tmp_path)) == 6
    assert all("0-wax.mlir" in names(folder) for folder in tmp_path.iterdir())


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_setting_that_is_no_folder_is_refused_by_its_name(tmp_path, monkeypatch, place):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WAX_DUMP_IR", str(tmp_path / place))
    f = wax.jit(lambda x: x * 13, backend="reference")
    with pytest.raises(SettingError, match=r"WAX_DUMP_IR is .*file.*where nothing can be written"):
        f(X)
    monkeypatch.delenv("WAX_DUMP_IR")
    np.testing.assert_array_equal(f(X), X * 13)
