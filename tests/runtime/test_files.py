import json
import random
import subprocess
from pathlib import Path

import iree._runtime_libs
import numpy as np
import pytest
from linalg_text import compiled, doubling, program, spec

from wax_runtime import CPU, Signature, files
from wax_runtime.errors import ArgumentError, DeviceError, LoadError
from wax_runtime.iree import vmfb

F32 = np.dtype(np.float32)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("files") / "double.vmfb"
    files.save(compiled(doubling(("n",), symbols=[("n", 1, 64)])), path)
    return path


def test_a_saved_program_is_loaded_with_its_signature(saved):
    function = files.load(saved)
    assert str(function.signature) == "main(x: float32[n]) -> (float32[n])"
    assert function.signature.symbols[0].max == 64
    assert function.device == CPU
    np.testing.assert_array_equal(function(np.arange(3, dtype=F32)), [0, 2, 4])


def test_everything_an_artefact_says_survives_the_file():
    artefact = compiled(doubling(("n",), work="4*n", donated=[0]))
    again = vmfb.read(vmfb.write(artefact))
    assert again == artefact


def test_a_loaded_function_takes_numbers_in_the_arguments_dtype():
    text = """module @m { func.func @main(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      return %a, %a : tensor<f32>, tensor<f32> } }"""
    artefact = compiled(program(text, [spec((), "float32")], [spec((), "float32")] * 2))
    one, two = files.LoadedFunction(artefact, CPU, files.Buffer)(2)
    assert one.dtype == F32
    assert float(np.asarray(two)) == 2.0


def test_arguments_are_checked_and_never_converted(saved):
    function = files.load(saved)
    with pytest.raises(ArgumentError, match=r"float64\[3\] was given; convert it"):
        function(np.ones(3))
    with pytest.raises(ArgumentError, match="takes 1 arrays, 2 were given"):
        function(np.ones(3, F32), 1)
    with pytest.raises(ArgumentError, match="takes 1 arrays, 0 were given"):
        function()
    with pytest.raises(ArgumentError, match="dim n is 65"):
        function(np.ones(65, F32))


def test_the_file_is_one_that_irees_own_tools_run(saved):
    tool = Path(iree._runtime_libs.__path__[0]) / "iree-run-module"
    command = [tool, "--device=local-sync", f"--module={saved}", "--function=main", "--input=3xf32=1,2,3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "3xf32=2 4 6" in done.stdout


def test_every_damage_is_noticed(saved, tmp_path):
    data = saved.read_bytes()
    rng = random.Random(0)
    path = tmp_path / "damaged.vmfb"
    for _ in range(60):
        position = rng.randrange(len(data))
        path.write_bytes(data[:position] + bytes([data[position] ^ (1 << rng.randrange(8))]) + data[position + 1 :])
        with pytest.raises(LoadError, match=r"damaged\.vmfb: "):
            files.load(path)
    for length in (0, 1, 40, 100, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(LoadError, match=r"damaged\.vmfb: "):
            files.load(path)


def test_other_files_are_refused_with_their_name(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("hello")
    with pytest.raises(LoadError, match=r"notes\.txt: not a compiled program"):
        files.load(path)
    with pytest.raises(LoadError, match="No such file"):
        files.load(tmp_path / "absent.vmfb")
    with pytest.raises(LoadError, match="Is a directory"):
        files.load(tmp_path)


def test_a_vmfb_without_waxs_trailer_is_refused_with_the_way_out(saved, tmp_path):
    artefact = files.read(saved)
    path = tmp_path / "bare.vmfb"
    path.write_bytes(artefact.payload)
    with pytest.raises(LoadError, match="truncated, or that wax did not write"):
        files.load(path)


def test_a_device_that_was_named_never_falls_back(saved):
    with pytest.raises(DeviceError, match="was compiled for cpu, and not for cuda:0"):
        files.load(saved, "cuda")


def test_the_signature_in_the_file_is_plain_json(saved):
    data = saved.read_bytes()
    text = data[data.rindex(b'{"signature"') : -48].decode()
    assert Signature.from_json(json.loads(text)["signature"]) == files.read(saved).signature
