"""Exported functions: what is in the files, what they compute elsewhere, and what is refused."""

import dataclasses
import functools
import os
import random
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import errors
from wax_runtime import files, mlir_file, safetensors

RNG = np.random.default_rng(0)
SPEC = wax.ShapeDtypeStruct(("batch", 3), "float32")
X = RNG.standard_normal((5, 3), np.float32)


class Affine(NamedTuple):
    weight: object
    bias: object


LAYERS = [Affine(wnp.asarray(RNG.standard_normal((3, 3), np.float32)), wnp.ones((3,))) for _ in range(2)]
SCALE = wnp.asarray(np.float32([[2.0, 3.0, 4.0]]))
TABLE = RNG.standard_normal(17).astype(np.float32)


def model(x):
    for layer in LAYERS:
        x = wnp.tanh(x @ layer.weight + layer.bias)
    return {"y": x * SCALE, "table": TABLE + x[0, 0]}


def judge(x):
    for layer in LAYERS:
        x = np.tanh(x @ np.asarray(layer.weight) + np.asarray(layer.bias))
    return {"y": x * np.asarray(SCALE), "table": TABLE + x[0, 0]}


def check(found, x=X):
    for name, want in judge(x).items():
        np.testing.assert_allclose(np.asarray(found[name]), want, rtol=2e-5, atol=2e-6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("exported")
    exported = wax.export(model)(SPEC)
    exported.save(made / "model.vmfb")
    exported.save(made / "linalg.mlir")
    exported.save(made / "wax.mlir", dialect="wax")
    wax.export(model, backend="reference")(SPEC).save(made / "model.wax")
    return made


def test_weights_are_named_as_the_function_knows_them():
    names = ["LAYERS[0].weight", "LAYERS[0].bias", "LAYERS[1].weight", "LAYERS[1].bias", "SCALE", "TABLE"]
    exported = wax.export(model)(SPEC)
    assert list(exported.weights) == names
    assert str(exported.signature).startswith("model(x: float32[batch, 3]) -> ")
    assert 'wax.name = "LAYERS[0].weight"' in exported.as_text("wax")

    inner = wnp.ones((64,))
    bound = functools.partial(lambda scale, x: x * scale["s"] + inner, {"s": wnp.ones((64,))})
    assert list(wax.export(bound)(inner).weights) == ["scale['s']", "inner"]

    class Model:
        def __init__(self):
            self.w = inner

        def __call__(self, x):
            return x + self.w

        def method(self, x):
            return x - self.w

    assert list(wax.export(Model().method)(inner).weights) == ["self.w"]
    assert list(wax.export(lambda x: x + wnp.ones((64,)) * 2)(inner).weights) == []
    assert list(wax.export(lambda x: x + np.arange(64.0))(inner).weights) == ["captured0"]


@pytest.mark.parametrize("name", ["model.vmfb", "model.wax", "linalg.mlir", "wax.mlir"])
def test_every_kind_of_file_computes_the_same(folder, name):
    loaded = wax.load(folder / name)
    assert str(loaded.signature) == str(wax.export(model)(SPEC).signature)
    check(loaded(X))
    check(loaded(X[:2]), X[:2])
    with pytest.raises(errors.ArgumentStructureError):
        loaded(X, X)
    with pytest.raises(errors.ArgumentError, match=r"float64\[5, 3\]"):
        loaded(X.astype(np.float64))


def test_a_program_in_the_dialect_runs_on_the_reference_backend(folder):
    check(wax.load(folder / "wax.mlir", backend="reference")(X))
    with pytest.raises(errors.BackendError, match="takes programs in the wax dialect"):
        wax.load(folder / "linalg.mlir", backend="reference")


def test_the_runtime_alone_loads_what_was_compiled(folder):
    program = """
import sys, numpy as np, wax_runtime
f = wax_runtime.load(sys.argv[1])
y = f(np.load(sys.argv[2]))
assert len(f.weights) == 6 and len(f.signature.arguments) == 1
np.save(sys.argv[3], np.asarray(y[1]))
found = [m for m in sys.modules if m == "wax" or m.startswith(("wax.", "iree.compiler", "safetensors", "pickle."))]
assert not found, found
"""
    np.save(folder / "x.npy", X)
    command = [sys.executable, "-c", program, folder / "model.vmfb", folder / "x.npy", folder / "y.npy"]
    subprocess.run(command, check=True, timeout=120)
    np.testing.assert_allclose(np.load(folder / "y.npy"), judge(X)["y"], rtol=2e-5, atol=2e-6)


def test_weights_are_not_in_the_program_and_not_copied_from_their_file(folder, tmp_path):
    table = wnp.asarray(RNG.standard_normal(1 << 20).astype(np.float32))
    wax.export(lambda x: x * table)(table).save(tmp_path / "big.vmfb")
    assert (tmp_path / "big.vmfb").stat().st_size < 100_000
    loaded = files.load(tmp_path / "big.vmfb")
    mapped = safetensors.open_file(tmp_path / "big.safetensors")["table"]
    assert not loaded.weights[0].numpy().flags.owndata
    np.testing.assert_array_equal(loaded.weights[0].numpy(), mapped)
    with open("/proc/self/maps") as maps:
        ranges = [line.split("-", 1) for line in maps if line.rstrip().endswith("big.safetensors")]
    address = loaded.weights[0].numpy().ctypes.data
    assert any(int(begin, 16) <= address < int(rest.split()[0], 16) for begin, rest in ranges)


def test_weights_may_lie_in_an_archive_of_irees(tmp_path):
    wax.export(model)(SPEC).save(tmp_path / "model.vmfb", weights_file=tmp_path / "model.irpa")
    check(wax.load(tmp_path / "model.vmfb")(X))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.irpa", "model.vmfb"]
    loaded = files.load(tmp_path / "model.vmfb")
    assert not any(weight.numpy().flags.owndata for weight in loaded.weights)
    (tmp_path / "model.irpa").write_bytes((tmp_path / "model.irpa").read_bytes()[:-8] + b"damaged!")
    with pytest.raises(errors.LoadError, match=r"model\.irpa: its checksum is not that"):
        wax.load(tmp_path / "model.vmfb")


def test_weights_may_be_others(folder, tmp_path):
    given = {name: np.asarray(w) for name, w in wax.export(model)(SPEC).weights.items()}
    other = {**given, "SCALE": given["SCALE"] * 2}
    safetensors.write(tmp_path / "other.safetensors", other)
    loaded = wax.load(folder / "model.vmfb", weights_file=tmp_path / "other.safetensors")
    np.testing.assert_allclose(np.asarray(loaded(X)["y"]), judge(X)["y"] * 2, rtol=2e-5, atol=2e-6)
    safetensors.write(tmp_path / "other.safetensors", {**other, "SCALE": np.ones(3, np.float32)})
    with pytest.raises(errors.LoadError, match=r"SCALE is float32\[3\]; the program takes SCALE: float32\[1, 3\]"):
        wax.load(folder / "model.vmfb", weights_file=tmp_path / "other.safetensors")
    del other["SCALE"]
    safetensors.write(tmp_path / "other.safetensors", other)
    with pytest.raises(errors.LoadError, match="has no array 'SCALE'"):
        wax.load(folder / "model.vmfb", weights_file=tmp_path / "other.safetensors")


@pytest.mark.parametrize("dtype", ["bool", "int64", "uint8", "float16", "bfloat16", "complex64", "complex128"])
def test_weights_of_other_dtypes(tmp_path, dtype):
    table = wnp.astype(wnp.arange(40), dtype)
    wax.export(lambda i: table[i : i + 1] if isinstance(i, int) else wnp.take(table, i))(
        wax.ShapeDtypeStruct((4,), "int32")
    ).save(tmp_path / "f.vmfb")
    found = wax.load(tmp_path / "f.vmfb")(np.int32([3, 1, 39, 0]))
    assert found.dtype == table.dtype
    np.testing.assert_array_equal(np.asarray(found), np.asarray(table)[[3, 1, 39, 0]])


def test_damaged_weights_are_noticed_and_lost_ones_named(folder, tmp_path):
    for name in ("model.vmfb", "model.safetensors"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-5] ^= 1
    (tmp_path / "model.safetensors").write_bytes(data)
    with pytest.raises(errors.LoadError, match=r"model\.safetensors: its checksum is not that"):
        wax.load(tmp_path / "model.vmfb")
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(errors.LoadError, match=r"model\.safetensors: No such file"):
        wax.load(tmp_path / "model.vmfb")


@pytest.mark.parametrize("name", ["linalg.mlir", "wax.mlir", "model.wax"])
def test_every_damage_of_a_text_is_noticed(folder, tmp_path, name):
    data = (folder / name).read_bytes()
    rng = random.Random(0)
    path = tmp_path / name
    read = mlir_file.read if name.endswith(".mlir") else files.read
    for _ in range(150):
        place = rng.randrange(len(data))
        path.write_bytes(data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :])
        if place != data.find(b" {"):  # the space after the checksum, which says nothing
            with pytest.raises(errors.LoadError):
                read(path)
    for length in (0, 1, 9, 300, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(errors.LoadError):
            read(path)


def test_foreign_texts_are_refused_with_their_name(tmp_path):
    (tmp_path / "f.mlir").write_text("module {}")
    with pytest.raises(errors.LoadError, match=r"f\.mlir: its first line does not say"):
        wax.load(tmp_path / "f.mlir")


def test_a_text_that_does_not_parse_is_an_error_of_the_file(folder, tmp_path):
    file = mlir_file.read(folder / "wax.mlir")
    mlir_file.write(dataclasses.replace(file, text="func.func @main( {", weights=None), tmp_path / "f.mlir")
    with pytest.raises(errors.LoadError, match=r"f\.mlir: program\.mlir:1:17"):
        wax.load(tmp_path / "f.mlir")


def test_a_parser_that_crashes_takes_nobody_with_it(folder, monkeypatch):
    import signal

    monkeypatch.setattr(
        "wax._apart.subprocess.run", lambda *a, **k: subprocess.CompletedProcess(a, -signal.SIGSEGV, b"", b"")
    )
    monkeypatch.setenv("WAX_CACHE_DIR", "")
    with pytest.raises(errors.LoadError, match=r"wax\.mlir: the program made the parser crash \(SIGSEGV\)"):
        wax.load(folder / "wax.mlir")


@pytest.mark.parametrize("target", ["cpu:x86_64/x86-64-v3", "cpu:aarch64", "cpu:riscv64", "cpu:wasm32"])
def test_cpus_that_are_not_here_are_compiled_for(tmp_path, target):
    wax.export(model, targets=target)(SPEC).save(tmp_path / "f.vmfb")
    artefact = files.read(tmp_path / "f.vmfb")
    assert artefact.platforms == ("cpu",)
    kind = {"cpu:x86": b"x86_64", "cpu:aar": b"arm_64", "cpu:ris": b"riscv_64", "cpu:was": b"wasm_32"}[target[:7]]
    assert kind in artefact.payload
    if "x86" not in target and os.uname().machine == "x86_64":
        with pytest.raises(errors.LoadError, match="cannot be loaded"):
            wax.load(tmp_path / "f.vmfb")


@pytest.mark.parametrize(
    ("target", "holds"),
    [
        ("cuda:sm_80", b".target sm_80"),
        ("cuda:sm_90", b".target sm_90"),
        ("rocm:gfx942", b"rocm-hsaco-fb"),
        ("metal", b"metal-msl-fb"),
        ("vulkan:portable", b"vulkan-spirv-fb"),
    ],
)
def test_gpus_that_are_not_here_are_compiled_for(tmp_path, target, holds):
    wax.export(model, targets=target)(SPEC).save(tmp_path / "f.vmfb")
    artefact = files.read(tmp_path / "f.vmfb")
    assert artefact.platforms == (target.partition(":")[0],)
    assert holds in artefact.payload
    if target in ("metal", "rocm:gfx942"):
        with pytest.raises(errors.DeviceError, match="which no installed backend drives here"):
            wax.load(tmp_path / "f.vmfb")
    with pytest.raises(errors.DeviceError, match="and not for cpu:0"):
        wax.load(tmp_path / "f.vmfb", device="cpu")


@pytest.mark.vulkan
def test_one_file_for_several_devices(tmp_path):
    targets = ["cuda:sm_80", "vulkan:portable", "rocm:gfx942", "metal", "cpu"]
    wax.export(model, targets=targets)(SPEC).save(tmp_path / "fat.vmfb")
    assert files.read(tmp_path / "fat.vmfb").platforms == ("cuda", "vulkan", "rocm", "metal", "cpu")
    for device in wax.devices():
        loaded = wax.load(tmp_path / "fat.vmfb", device=device)
        assert loaded.device == device
        check(loaded(X))
    assert not wax.load(tmp_path / "fat.vmfb").device.emulated


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ("tpu", "does not compile for 'tpu'; it compiles for cpu, cuda, metal, rocm, vulkan"),
        ("rocm", "name a GPU's architecture, such as 'rocm:gfx942'"),
        ("cuda:ampere", "a compute capability, such as 'cuda:sm_80'"),
        ("vulkan:rdna2", "or 'vulkan:portable'"),
        ("cpu:z80", "knows no CPU 'z80'"),
        ("cpu:x86_64/a b", "knows no CPU"),
        ("metal:m1", "there is one for all of Apple's GPUs"),
        (["cpu", "cpu:aarch64"], "one file has one program for each platform, and cpu and cpu:aarch64 are of one"),
    ],
)
def test_targets_that_are_none_are_named(tmp_path, targets, message):
    with pytest.raises(errors.BackendError, match=message):
        wax.export(lambda x: x, targets=targets)(SPEC).save(tmp_path / "f.vmfb")


def test_a_failed_save_leaves_no_file(tmp_path):
    with pytest.raises(errors.BackendError):
        wax.export(model, targets="cpu:z80")(SPEC).save(tmp_path / "f.vmfb")
    with pytest.raises(errors.InvalidArgumentError, match="'stablehlo'"):
        wax.export(model)(SPEC).save(tmp_path / "f.mlir", dialect="stablehlo")
    with pytest.raises(errors.InvalidArgumentError, match=r"is no \.vmfb"):
        wax.export(model, backend="reference")(SPEC).save(tmp_path / "f.vmfb")
    with pytest.raises(errors.InvalidArgumentError, match="no target was named"):
        wax.export(model, targets=[])
    assert not list(tmp_path.iterdir())
