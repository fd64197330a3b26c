"""Programs saved as StableHLO: read by MLIR, and run by XLA, as any other of its programs."""

import re

import numpy as np
import pytest
from wax_backend_xla.client import compile_text, host_array

import wax
import wax.numpy as wnp
import wax.special
import wax.testing
from wax.cli import main
from wax_runtime import mlir_file, safetensors
from wax_runtime.buffer import asbuffer
from wax_runtime.errors import BackendError, LoadError

X = np.random.default_rng(3).standard_normal((2, 3)).astype(np.float32)


def run(text, *arrays):
    """What XLA gives for a module as text, which is all that it is told."""
    return [host_array(held) for held in compile_text(text, "a saved program")([asbuffer(x) for x in arrays])]


def leaves(tree):
    return [np.asarray(leaf) for leaf in wax.tree.leaves(tree)]


@pytest.mark.parametrize("program", list(wax.testing.programs()), ids=str)
def test_each_program_gives_what_the_reference_gives(program):
    exported = wax.export(program.function)(*program.arguments)
    text = exported.as_text("stablehlo")
    assert set(re.findall(r"= \"?(\w+)\.", text)) <= {"stablehlo"}
    given = [asbuffer(x).numpy() for x in [*leaves(program.arguments), *exported.weights.values()]]
    wanted = leaves(wax.jit(program.function, backend="reference")(*program.arguments))
    for place, (got, want) in enumerate(zip(run(text, *given), wanted, strict=True)):
        wax.testing.compare(f"{program}, result {place}", got, want, program.tolerance)


def test_a_file_has_its_manifest_and_its_weights_beside_it(tmp_path):
    table = wnp.asarray(np.random.default_rng(0).standard_normal((3, 40)).astype(np.float32))

    def f(x, *, n):
        return {"y": wnp.tanh(x @ table), "n": n // 2}

    n = np.uint8([9, 255])
    wax.export(f)(X, n=n).save(tmp_path / "f.mlir", dialect="stablehlo")
    found = mlir_file.read(tmp_path / "f.mlir")
    assert found.dialect == "stablehlo" and found.weights.file == "f.safetensors"
    assert [argument.name for argument in found.signature.arguments] == ["x", "n", "table"]
    weights = safetensors.open_file(tmp_path / "f.safetensors")
    assert "tensor<2xui8>" in found.text and found.text.count("stablehlo.dot_general") == 1
    # With its first line, which is a comment.
    got = run((tmp_path / "f.mlir").read_text(), X, n, weights["table"])
    np.testing.assert_array_equal(got[0], [4, 127])
    np.testing.assert_allclose(got[1], np.tanh(X @ np.asarray(table)), rtol=2e-5, atol=1e-6)
    with pytest.raises(LoadError, match=r"f\.mlir is in stablehlo, which is for other toolchains"):
        wax.load(tmp_path / "f.mlir")


def test_every_stage_has_the_text():
    traced = wax.jit(lambda x: wnp.exp(x)).trace(X)
    text = traced.lower().as_text("stablehlo")
    assert "stablehlo.exponential" in text and traced.lower().compile(backend="xla").as_text("stablehlo") == text


def test_the_command_line_writes_it(tmp_path, monkeypatch, capsys):
    (tmp_path / "shown.py").write_text("import wax.numpy as wnp\n\ndef f(x):\n    return wnp.sin(x)\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["emit", "shown:f", "--spec", "f32[2,3]", "--dialect", "stablehlo"]) == 0
    (got,) = run(capsys.readouterr().out, X)
    np.testing.assert_allclose(got, np.sin(X), rtol=1e-6)
    assert main(["compile", "shown:f", "--spec", "f32[2,3]", "--dialect", "stablehlo", "-o", "f.mlir"]) == 0
    assert mlir_file.read("f.mlir").dialect == "stablehlo"
    assert main(["emit", "shown:f", "--spec", "f32[n,3]", "--dialect", "stablehlo"]) != 0
    assert "has open sizes, and StableHLO is written for static ones" in capsys.readouterr().err


def test_what_stablehlo_lacks_is_refused_at_the_users_line():
    exported = wax.export(lambda x: wax.special.i0e(x))(X)
    with pytest.raises(BackendError, match=r"no rule for wax\.i0e") as caught:
        exported.as_text("stablehlo")
    assert caught.value.location[0] == __file__


def test_it_has_no_locations():
    with pytest.raises(wax.errors.InvalidArgumentError, match="'stablehlo' has no source locations"):
        wax.jit(lambda x: x + 1).lower(X).as_text("stablehlo", debug_info=True)
