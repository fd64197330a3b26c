"""The command line: what each command gives, and what a build system sees of faults."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import wax
import wax_runtime
from wax.cli import main

PROGRAM = """
import helper
import wax
import wax.numpy as wnp

table = wnp.ones((3, 4)) * helper.FACTOR

def predict(x, scale=1.0):
    return {"y": x @ table * scale, "mean": x.mean()}

def of_tree(params, *, x):
    return x @ params["w"] + params["b"][0]

def wrong_shape(x):
    return x @ wnp.ones((7, 2))

def raises(x):
    return 1 / 0

@wax.jit
def echo(x):
    return x

number = 3
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    (tmp_path / "model.py").write_text(PROGRAM)
    (tmp_path / "helper.py").write_text("FACTOR = 2\n")
    (tmp_path / "broken.py").write_text("x = 1\nx +\n")
    monkeypatch.chdir(tmp_path)
    for name in ("model", "helper", "broken"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield tmp_path
    for name in ("model", "helper", "broken"):
        sys.modules.pop(name, None)


@pytest.fixture
def saved(place):
    assert main(["compile", "model:predict", "--spec", "f32[batch,3]", "-o", "model.vmfb"]) == 0
    return place / "model.vmfb"


def test_devices_are_listed(capsys):
    assert main(["devices"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [str(d) for d in wax.devices()]
    assert main(["devices", "--json"]) == 0
    assert [one["name"] for one in json.loads(capsys.readouterr().out)] == [str(d) for d in wax.devices()]


def test_a_function_is_compiled_and_run(saved, capsys):
    np.save("x.npy", np.arange(6, dtype=np.float32).reshape(2, 3))
    assert main(["run", "model.vmfb", "--input", "x.npy", "--output", "mean.npy", "--output", "y.npy"]) == 0
    np.testing.assert_array_equal(np.load("y.npy"), [[6.0] * 4, [24.0] * 4])
    assert np.load("mean.npy") == 2.5
    assert capsys.readouterr().out == ""
    assert main(["run", "model.vmfb", "--input", "f32[5, 3]=1", "--repeat", "3"]) == 0
    told = capsys.readouterr()
    assert "result 0: float32[] =\n1." in told.out and "result 1: float32[5, 4] =\n[[6., 6., 6., 6.]," in told.out
    assert "3 calls on cpu:0: " in told.err


def test_the_depfile_names_the_sources(place):
    command = ["compile", "model.py:predict", "--spec", "f32[batch,3]", "-o", "m.vmfb", "--depfile", "m.d"]
    assert main(command) == 0
    assert (place / "m.d").read_text() == "m.vmfb: helper.py model.py\n"


def test_texts_are_compiled_too(place, capsys):
    assert main(["compile", "model:predict", "--spec", "f32[batch,3]", "-o", "m.mlir", "--dialect", "wax"]) == 0
    (place / "deep").mkdir()
    assert main(["compile", "m.mlir", "-o", "deep/m.vmfb", "--depfile", "m.d"]) == 0
    assert (place / "m.d").read_text() == "deep/m.vmfb: m.mlir\n"
    np.save("x.npy", np.ones((2, 3), np.float32))
    outputs = []
    for name in ("m.mlir", "deep/m.vmfb"):
        assert main(["run", name, "--input", "x.npy"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1] and "6., 6., 6., 6." in outputs[0]


def test_specs_are_pytrees_keywords_and_expressions(place, capsys):
    tree = '{"w": f32[2*d+1, 4], "b": [bfloat16[4], i32]}'
    assert main(["emit", "model:of_tree", "--spec", tree, "--spec", "x=f32[n, 2*d+1]", "--dim", "d=2:9"]) == 0
    assert "(s0 * 2 + 1, 4)" in capsys.readouterr().out
    tree = '{"w": f32[d, 4], "b": [f32[4], i32]}'
    assert main(["emit", "model:of_tree", "--spec", tree, "--spec", "x=f32[n, d]", "--dim", "d=2:9"]) == 0
    text = capsys.readouterr().out
    assert '{max = 9 : i64, min = 2 : i64, name = "d"}' in text
    assert "tensor<?x4xf32>" in text and "tensor<i32>" in text and 'wax.name = "x"' in text


def test_text_goes_through_passes(place, capsys):
    assert main(["emit", "model:predict", "--spec", "f32[4,3]", "-o", "m.mlir"]) == 0
    assert main(["opt", "m.mlir"]) == 0
    assert "linalg.generic" in capsys.readouterr().out
    assert main(["opt", "m.mlir", "--passes", "canonicalize", "--passes", "cse", "-o", "n.mlir"]) == 0
    assert "wax.reduce" in (place / "n.mlir").read_text()
    assert main(["opt", "m.mlir", "--passes", "no-such-pass"]) == 1
    assert "no-such-pass" in capsys.readouterr().err


def test_a_file_tells_what_it_is(saved, capsys):
    assert main(["inspect", "model.vmfb"]) == 0
    text = capsys.readouterr().out
    for wanted in ("targets   cpu", "x: float32[batch, 3]", "batch: from 2", "1 arrays in model.safetensors", "wax 0."):
        assert wanted in text
    assert main(["inspect", "model.vmfb", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["targets"] == ["cpu"] and found["signature"]["arguments"] == [["x", ["batch", 3], "float32"]]
    assert found["weights"]["file"] == "model.safetensors"


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        (["compile", "model:wrong_shape", "--spec", "f32[b,3]", "-o", "f.vmfb"], 1, "model.py:15:12: error: matmul of"),
        (["emit", "model:raises", "--spec", "f32"], 1, "model.py:18: error: tracing model:raises: ZeroDivisionError"),
        (["emit", "broken:f"], 1, "broken.py:2:"),
        (["emit", "nothing:f"], 2, "error: there is no module 'nothing' on the path"),
        (["emit", "nothing.py:f"], 2, "error: nothing.py: no such file"),
        (["emit", "model:f"], 2, "error: model has no 'f'"),
        (["emit", "model:number"], 2, "error: model:number is a int, not a function"),
        (["emit", "model"], 2, "error: 'model' names no function; write module:function"),
        (["emit", "model:echo", "--spec", "f33[2]"], 2, "error: --spec f33[2]: 'f33' is no dtype"),
        (["emit", "model:echo", "--spec", "f32[2"], 2, "error: --spec f32[2: '[' was never closed"),
        (["emit", "model:echo", "--spec", "f32[open('x')]"], 2, "is no size"),
        (["emit", "model:echo", "--spec", "__import__('os')"], 2, "is neither an array nor a number"),
        (["emit", "model:echo", "--dim", "n>2"], 2, "error: --dim n>2: write a name and its least"),
        (["emit", "model:echo"], 1, "error: echo(x): missing a required argument: 'x'"),
        (["compile", "model:echo", "--spec", "f32", "-o", "no/f.vmfb"], 2, "there is no folder no"),
        (
            ["compile", "model:echo", "--spec", "f32", "-o", "f.vmfb", "--target", "tpu"],
            4,
            "does not compile for 'tpu'",
        ),
        (["compile", "no.mlir", "-o", "f.vmfb"], 3, "error: no.mlir: No such file"),
        (["run", "no.vmfb"], 3, "error: no.vmfb: No such file"),
        (["run", "model.py"], 3, "error: model.py: not a compiled program"),
        (["inspect", "model.py"], 3, "error: model.py: not a compiled program"),
        (["opt", "no.mlir"], 3, "error: no.mlir: No such file"),
        (["opt", "model.py"], 1, "error: model.py:2:1"),
    ],
)
def test_faults_have_codes_and_messages_and_no_traceback(place, capsys, command, code, message):
    assert main(command) == code
    told = capsys.readouterr()
    assert message in told.err and "Traceback" not in told.err
    assert told.out == ""
    assert not list(place.glob("f.*"))


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--input", "no.npy"], 3, "error: no.npy: No such file"),
        (["--input", "model.py"], 2, "name a .npy file"),
        (["--input", "f32[b,3]=1"], 2, "is no array of known size"),
        (["--input", "f64[2,3]=1"], 1, "float64[2, 3] was given"),
        ([], 1, "takes 1 arrays, 0 were given"),
        (["--input", "f32[2,3]=1", "--output", "a.npy"], 2, "gives 2 arrays, and 1 files were named"),
        (["--input", "f32[2,3]=1", "--device", "cuda:9"], 4, "was compiled for cpu, and not for cuda:9"),
    ],
)
def test_faults_of_runs(saved, capsys, more, code, message):
    assert main(["run", "model.vmfb", *more]) == code
    told = capsys.readouterr()
    assert message in told.err and "Traceback" not in told.err


def test_pickles_are_not_read(saved, capsys):
    np.save("x.npy", np.array([{}], object), allow_pickle=True)
    assert main(["run", "model.vmfb", "--input", "x.npy"]) == 2
    assert "not an array that NumPy saved" in capsys.readouterr().err


def test_it_is_a_program(place):
    path = os.pathsep.join(os.path.dirname(os.path.dirname(one.__file__)) for one in (wax, wax_runtime))

    def wax_program(*command):
        return subprocess.run(
            [sys.executable, "-m", "wax", *command],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
        )

    done = wax_program("compile", "model.py:echo", "--spec", "f32[2]", "-o", "f.vmfb")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = wax_program("run", "f.vmfb", "--input", "f32[2]=7")
    assert (done.returncode, done.stdout) == (0, "result 0: float32[2] =\n[7., 7.]\n")
    done = wax_program("compile", "model.py:wrong_shape", "--spec", "f32[2,3]", "-o", "g.vmfb")
    assert done.returncode == 1 and done.stdout == "" and len(done.stderr.splitlines()) == 1
    assert wax_program("nonsense").returncode == 2
    assert wax_program("--help").returncode == 0
