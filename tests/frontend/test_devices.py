"""Devices: where arrays are, where functions run, and what happens where the two are not the same."""

import os
import subprocess
import sys

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax import _device_kernels
from wax.errors import ArgumentError, DeviceError, InvalidArgumentError, ShapeError
from wax_runtime.devices import CPU, Device, default_device, devices, preferred

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_platforms_may_be_named_and_ordered(monkeypatch):
    monkeypatch.setenv("WAX_PLATFORMS", "cpu")
    assert devices() == (CPU,)
    assert default_device() == CPU
    monkeypatch.setenv("WAX_PLATFORMS", "tpu")
    assert devices() == ()
    with pytest.raises(DeviceError, match="no device of the platforms in WAX_PLATFORMS='tpu'"):
        default_device()
    monkeypatch.setenv("WAX_PLATFORMS", "cpu, ,c p u")
    with pytest.raises(DeviceError, match="write platforms with commas"):
        devices()


def test_emulated_devices_are_listed_and_not_chosen(monkeypatch):
    def found(platform, emulated):
        known = {"vulkan": [Device("vulkan", 0, "a program", emulated=True)], "cpu": [CPU]}.get(platform, [])
        return [device for device in known if emulated or not device.emulated]

    monkeypatch.setattr(sys.modules["wax_runtime.devices"], "_devices", found)
    assert devices() == (CPU, Device("vulkan", 0))
    assert list(preferred()) == [CPU]
    monkeypatch.setenv("WAX_PLATFORMS", "vulkan,cpu")
    assert devices() == (Device("vulkan", 0), CPU)
    assert list(preferred()) == [Device("vulkan", 0), CPU]


@pytest.mark.vulkan
def test_no_device_that_a_program_makes_up_stays_open_when_it_is_listed():
    code = """
import wax
from wax_runtime.iree import hal
hal.hal_device("local-sync")
before = hal._hal_device.cache_info().currsize
found = wax.devices()
assert wax.Device("vulkan", 0) in found, found
real = [device for device in found if not device.emulated and device.platform != "cpu"]
assert hal._hal_device.cache_info().currsize == before + len(real), found
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_arrays_stay_where_they_are_put():
    x = wax.device_put({"a": X, "b": [1.0, np.int8(3)]}, "cpu")
    assert x["a"].device == CPU
    assert (x["b"][0].dtype, x["b"][1].dtype) == ("float32", "int8")
    assert wax.device_put(x["a"], CPU) is x["a"]


def test_a_function_that_is_traced_runs_on_one_device():
    with pytest.raises(DeviceError, match="device_put to cpu in a function that is traced"):
        wax.jit(lambda x: wax.device_put(x, "cpu"))(X)
    with pytest.raises(DeviceError, match="zeros: a function that is traced runs on one device, and cuda:0 was named"):
        wax.jit(lambda x: x + wnp.zeros(3, device="cuda"))(X)


class TestAccelerators:
    @pytest.fixture
    def device(self, accelerator):
        return accelerator

    def test_what_is_put_there_comes_back(self, device):
        for dtype in ("bool", "int8", "uint16", "float16", "bfloat16", "float64", "complex64"):
            x = wnp.astype(wnp.asarray(X), dtype)
            there = wax.device_put(x, device)
            assert (there.device, there.shape, there.dtype) == (device, x.shape, x.dtype)
            np.testing.assert_array_equal(np.asarray(there), np.asarray(x))
            assert there.to_device("cpu").device == CPU
        assert np.asarray(wax.device_put(np.zeros((0, 3)), device)).shape == (0, 3)
        assert float(wax.device_put(np.float32(2.5), device)) == 2.5

    def test_functions_run_where_their_arrays_are(self, device):
        x = wax.device_put(X, device)
        f = wax.jit(lambda x, y: x * 2 + y)
        assert f(x, X).device == device
        assert f(X, X).device == default_device()
        np.testing.assert_array_equal(np.asarray(f(x, X)), 3 * X)
        np.testing.assert_array_equal(np.asarray(f(X, x)), 3 * X)

    def test_operators_run_where_their_arrays_are(self, device):
        x = wax.device_put(X, device)
        y = (x + X)[:, 1:].sum(axis=1)
        assert y.device == device
        np.testing.assert_array_equal(np.asarray(y), (2 * X)[:, 1:].sum(axis=1))
        assert wnp.zeros(3, device=device).device == device
        assert wnp.zeros_like(x).device == device

    def test_operators_are_compiled_once_for_arrays_of_all_sizes(self, device, monkeypatch):
        compiled = []
        build = _device_kernels.build
        monkeypatch.setattr(
            _device_kernels,
            "build",
            lambda name, *rest, **options: (compiled.append(name), build(name, *rest, **options))[1],
        )
        monkeypatch.setattr(_device_kernels, "_kernels", {})

        def times(count, function, *shapes):
            """`function` is right on arrays of these shapes, for which so many programs are compiled."""
            compiled.clear()
            arrays = [np.random.default_rng(0).normal(size=shape).astype(np.float32) for shape in shapes]
            result = function(*(wax.device_put(x, device) for x in arrays))
            assert result.device == device
            np.testing.assert_allclose(np.asarray(result), function(*arrays), rtol=1e-5, atol=1e-6)
            assert len(compiled) == count

        times(1, lambda x, y: x + y, (3, 4), (4,))
        times(0, lambda x, y: x + y, (70, 1001), (1001,))
        times(1, lambda x, y: x + y, (5, 1), (1, 6))
        times(0, lambda x, y: x + y, (8, 1), (1, 33))
        times(1, lambda x, y: x + y, (5, 1), (1, 5))
        times(1, lambda x, y: x + y, (0, 4), (4,))
        times(1, lambda x, y: x @ y, (2, 3), (3, 4))
        times(0, lambda x, y: x @ y, (17, 65), (65, 9))
        times(1, lambda x: x.reshape((6, 2)), (3, 4))
        times(1, lambda x: x.reshape((6, 2)), (4, 3))
        with pytest.raises(ShapeError, match=r"3, 4"):
            wax.device_put(np.zeros((3, 4)), device) + wax.device_put(np.zeros((3, 5)), device)

    def test_a_function_of_a_named_device_takes_what_is_on_the_host(self, device):
        weights = wnp.asarray(X)
        f = wax.jit(lambda x: (x @ weights.T).sum(), device=device)
        assert f(X).device == device
        assert float(f(X)) == float((X @ X.T).sum())
        assert float(f(wax.device_put(X, device))) == float((X @ X.T).sum())

    def test_arrays_of_another_device_are_refused(self, device):
        x = wax.device_put(X, device)
        with pytest.raises(ArgumentError, match=rf"argument 0 \(x\) is on {device}, .* move it by wax.device_put"):
            wax.jit(lambda x: x, device="cpu")(x)
        # What wax says of memory that nobody shares, and NumPy of CUDA's.
        refused = {"vulkan": "cannot be exported by DLPack", "cuda": "Unsupported device"}[device.platform]
        with pytest.raises(BufferError, match=refused):
            np.from_dlpack(x)
        with pytest.raises(InvalidArgumentError, match="streams"):
            x.to_device("cpu", stream=3)

    def test_donated_arrays_are_gone(self, device):
        x = wax.device_put(X, device)
        y = wax.jit(lambda x: x + 1, donate_argnums=0)(x)
        assert x.is_deleted()
        np.testing.assert_array_equal(np.asarray(y), X + 1)

    def test_a_saved_program_runs_there_again(self, device, tmp_path):
        path = tmp_path / "f.vmfb"
        wax.jit(lambda x: wnp.tanh(x).sum(), device=device).trace(X).lower().compile(device=device).save(path)
        assert float(wax.load(path)(X)) == pytest.approx(float(np.tanh(X).sum()), rel=1e-6)

    def test_the_environment_chooses_it(self, device):
        platform = device.platform
        code = f"import wax, numpy as np; assert wax.jit(lambda x: x * 2)(np.ones(3)).device.platform == {platform!r}"
        environment = {**os.environ, "WAX_PLATFORMS": platform}
        subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=300)
