"""The stages of a function: text, source lines, files, fallback, and what importing costs."""

import logging
import re
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import errors
from wax.errors import InvalidArgumentError
from wax_runtime import registry


@wax.jit
def affine(params, x):
    return {"y": wnp.tanh(x @ params["w"] + params["b"])}


PARAMS = {"w": np.full((3, 2), 0.5, np.float32), "b": np.zeros(2, np.float32)}
X = np.ones((4, 3), np.float32)


def test_each_stage_is_text():
    traced = affine.trace(PARAMS, X)
    lowered = traced.lower()
    compiled = lowered.compile()
    wax_text, linalg = traced.as_text(), lowered.as_text()
    assert "wax.broadcast arith.mulf" in wax_text
    assert "wax.reduce arith.addf" in wax_text
    assert "wax.map math.tanh" in wax_text
    assert "linalg.generic" in linalg
    assert "wax." not in re.sub(r"wax\.name = \"[^\"]*\"", "", linalg)
    assert lowered.as_text(dialect="wax") == wax_text
    assert compiled.as_text() == linalg
    assert "loc(" not in wax_text + linalg
    np.testing.assert_allclose(compiled(PARAMS, X)["y"], np.tanh(np.full((4, 2), 1.5)), rtol=1e-5)
    with pytest.raises(errors.InvalidArgumentError, match="'stablehlo'"):
        traced.as_text(dialect="stablehlo")


def test_equal_programs_are_equal_text():
    assert affine.trace(PARAMS, X).as_text() == affine.trace(PARAMS, X).as_text()
    assert affine.trace(PARAMS, X).lower().as_text() == affine.trace(PARAMS, X).lower().as_text()


def test_operations_carry_the_users_file_line_and_column():
    text = affine.trace(PARAMS, X).as_text(debug_info=True)
    line = affine.__wrapped__.__code__.co_firstlineno + 2
    with open(__file__) as file:
        source = file.read().splitlines()[line - 1]
    tanh = next(row for row in text.splitlines() if "math.tanh" in row)
    assert f'"{__file__}":{line}:{source.index("wnp.tanh") + 1}' in tanh
    matmul = next(row for row in text.splitlines() if "arith.mulf" in row)
    assert f'"{__file__}":{line}:{source.index("x @") + 1}' in matmul
    assert f'"{__file__}":{line}:' in affine.trace(PARAMS, X).lower().as_text(debug_info=True)


def test_stages_say_what_goes_in_and_comes_out():
    traced = wax.jit(lambda x: (x, x.sum())).trace(wax.ShapeDtypeStruct(("b", 3), "float16"))
    assert str(traced.out_info) == "(ShapeDtypeStruct((b, 3), float16), ShapeDtypeStruct((), float16))"
    assert [str(aval) for aval in traced.in_avals] == ["float16(b, 3)"]


def test_mlir_files_are_the_text(tmp_path):
    traced = affine.trace(PARAMS, X)
    traced.save(tmp_path / "wax.mlir")
    traced.lower().save(tmp_path / "linalg.mlir")
    assert (tmp_path / "wax.mlir").read_text() == traced.as_text()
    assert (tmp_path / "linalg.mlir").read_text() == traced.lower().as_text()
    with pytest.raises(errors.InvalidArgumentError, match=r"\.mlir"):
        traced.save(tmp_path / "wax.txt")


def test_a_compiled_file_runs_in_another_process_without_a_compiler(tmp_path):
    b = wax.Dim("b")
    compiled = wax.jit(affine, dynamic_shapes={"x": {0: b}}).trace(PARAMS, X).lower().compile()
    compiled.save(tmp_path / "affine.vmfb")
    program = """
import sys
import numpy as np
import wax
f = wax.load(sys.argv[1])
params = {"w": np.full((3, 2), 0.5, np.float32), "b": np.zeros(2, np.float32)}
for size in (2, 7):
    y = f(params, np.ones((size, 3), np.float32))["y"]
    assert y.shape == (size, 2)
    np.testing.assert_allclose(y, np.tanh(1.5), rtol=1e-5)
assert not any(name.startswith("iree.compiler") for name in sys.modules)
"""
    subprocess.run([sys.executable, "-c", program, tmp_path / "affine.vmfb"], check=True)
    with pytest.raises(errors.ArgumentStructureError):
        wax.load(tmp_path / "affine.vmfb")(PARAMS["w"], X)


def test_a_file_with_captured_arrays_is_refused(tmp_path):
    weights = wnp.ones((64,))
    compiled = wax.jit(lambda x: x * weights).trace(wnp.ones((64,))).lower().compile()
    with pytest.raises(errors.InvalidArgumentError, match="captured 1 array"):
        compiled.save(tmp_path / "f.vmfb")


def test_importing_wax_imports_no_compiler():
    program = "import sys, wax; assert not any(m.split('.')[:2] == ['iree', 'compiler'] for m in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_when_a_backend_cannot_the_next_one_does_and_the_user_is_told_once(caplog, monkeypatch, tmp_path):
    from wax.backends.iree import capi

    monkeypatch.setenv("WAX_REPRODUCER_DIR", str(tmp_path))
    monkeypatch.setenv("WAX_CACHE_DIR", "")

    def refuse(*_, **__):
        raise capi.CompilationFailed([capi.Diagnostic("error", "no such thing")], hopeless=True)

    monkeypatch.setattr("wax.backends.iree.capi.compile_text", refuse)
    monkeypatch.setattr("wax.backends.iree.compilation.compile_alone", lambda *_: None)
    f = wax.jit(lambda x: wnp.sin(x) * 1234.5)
    with caplog.at_level(logging.WARNING, "wax.compile"):
        np.testing.assert_allclose(f(wnp.ones((3,))), np.sin(1.0) * 1234.5, rtol=1e-6)
        f(wnp.ones((4,)))
    told = [r for r in caplog.records if "is compiled by backend 'reference'" in r.getMessage()]
    assert len(told) == 1
    named = wax.jit(lambda x: wnp.sin(x) * 1234.5, backend="iree")
    with pytest.raises(errors.CompileError, match=re.escape(str(tmp_path))) as caught:
        named(wnp.ones((3,)))
    assert (caught.value.reproducer / "program.mlir").read_text()
    assert "iree-compile" in (caught.value.reproducer / "command.sh").read_text()


def test_a_failed_lowering_leaves_a_reproducer(monkeypatch, tmp_path):
    from wax import _compile, _native

    class Refusing:
        def run(self, pipeline):
            raise _native.PassError("it does not lower", "module {}")

    monkeypatch.setenv("WAX_REPRODUCER_DIR", str(tmp_path))
    monkeypatch.setattr(_compile._native, "make_module", lambda *_: Refusing())
    with pytest.raises(errors.CompileError, match="it does not lower") as caught:
        affine.trace(PARAMS, X).lower().as_text()
    assert "wax-opt" in (caught.value.reproducer / "command.sh").read_text()
    assert (caught.value.reproducer / "program.mlir").read_text() == "module {}"


def test_devices_and_backends_that_are_not_there_are_errors():
    with pytest.raises(errors.DeviceError, match="cuda:7"):
        wax.jit(lambda x: x, device="cuda:7")(wnp.ones((2,)))
    with pytest.raises(errors.BackendError, match="nonesuch"):
        wax.jit(lambda x: x, backend="nonesuch")(wnp.ones((2,)))


def test_every_backend_here_computes_the_same():
    for backend in ("iree", "reference"):
        result = wax.jit(affine, backend=backend)(PARAMS, X)["y"]
        np.testing.assert_allclose(result, np.tanh(np.full((4, 2), 1.5)), rtol=1e-5)


def test_complex_numbers_are_split_where_that_is_asked_for(tmp_path):
    lowered = wax.jit(lambda x: x * x).lower(wax.ShapeDtypeStruct((3,), "complex64"))
    whole, split = lowered.as_text(), lowered.as_text(split_complex=True)
    assert "complex<f32>" in whole and "complex" not in split
    assert split.count('wax.part = "re"') == split.count('wax.part = "im"') == 2
    lowered.save(tmp_path / "f.mlir", split_complex=True)
    assert (tmp_path / "f.mlir").read_text() == split
    with pytest.raises(errors.InvalidArgumentError, match="linalg"):
        lowered.as_text("wax", split_complex=True)


def test_a_dialect_that_nobody_writes_is_told():
    lowered = affine.lower(PARAMS, X)
    with pytest.raises(InvalidArgumentError, match="nobody writes the dialect 'tosa' here; there are 'linalg', 'wax'"):
        lowered.as_text("tosa")
    with pytest.raises(InvalidArgumentError, match="complex numbers are split in linalg; wax has them whole"):
        lowered.as_text("wax", split_complex=True)


def test_a_backend_may_write_a_dialect_of_its_own(monkeypatch):
    class Half:
        dialects = ("names",)

        def compile(self, program, device, options):
            raise NotImplementedError

        def emit(self, program, dialect):
            return f"{dialect} of {', '.join(program.snapshot().functions)}: {program.signature}"

    class Backend:
        name, priority, platforms, compiler = "writing", -99, frozenset(), "a_half:half"

        def devices(self, platform, emulated=True):
            return ()

        def accepts(self, device):
            return "snapshot"

        put = load = None

    monkeypatch.setitem(sys.modules, "a_half", types.SimpleNamespace(half=Half()))
    monkeypatch.setitem(registry._registered, "writing", Backend())
    assert affine.lower(PARAMS, X).as_text("names").startswith("names of main: affine(")


def test_threads_lower_and_compile_beside_each_other(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path))
    scales = range(1, 7)

    def compiled(scale):
        return wax.jit(lambda x: wnp.cumulative_sum(wnp.tanh(x) * scale, axis=0), backend="iree").lower(X).compile()

    with ThreadPoolExecutor(4) as threads:
        programs = list(threads.map(compiled, scales))
    for scale, program in zip(scales, programs, strict=True):
        np.testing.assert_allclose(program(X), np.cumsum(np.tanh(X) * scale, axis=0), rtol=1e-6)


def test_elements_that_are_moved_are_work_and_views_are_none():
    x = wnp.ones((30, 40))

    def work(function):
        return wax.jit(function).lower(x).compile()._built.artefact.work

    assert work(lambda x: wnp.reshape(x, (40, 30))) == 0
    assert work(lambda x: wnp.permute_dims(x, (1, 0))) == work(wnp.flip) == 1200
    assert work(lambda x: wnp.concat([x, x])) == 2400
    assert work(lambda x: x + 1) == 2400
