import logging
from importlib.metadata import EntryPoint

import pytest

from wax_runtime import CPU, Device, default_device, device, devices, registry
from wax_runtime.backend import Backend, compiler_of
from wax_runtime.errors import BackendError, DeviceError


class Fake:
    name = "fake"
    priority = 1000
    platforms = frozenset({"fake"})
    compiler = "no.such.module:compiler"

    def devices(self, platform, emulated=True):
        return (Device("fake", 1), Device("fake", 0))

    def accepts(self, device):
        return "snapshot"

    def put(self, array, device, buffer_type=None):
        raise NotImplementedError

    def load(self, artefact, device, buffer_type=None):
        raise NotImplementedError


@pytest.fixture
def empty(monkeypatch):
    """A registry that has discovered nothing yet."""
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_failed", {})
    monkeypatch.setattr(registry, "_discovered", False)
    return monkeypatch


def plug_in(monkeypatch, name, value):
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint(name, value, group)])


def test_the_built_in_iree_backend_is_found():
    assert registry.get("iree") in registry.backends()
    assert isinstance(registry.get("iree"), Backend)


def test_a_registered_backend_comes_by_its_priority(empty):
    registry.register(Fake())
    assert registry.backends()[0].name == "fake"
    assert devices()[:2] == (Device("fake", 0), Device("fake", 1))


def test_a_plug_in_that_raises_is_logged_and_left_out(empty, caplog, tmp_path):
    (tmp_path / "broken_plug_in.py").write_text("raise RuntimeError('out of order')")
    empty.syspath_prepend(tmp_path)
    plug_in(empty, "broken", "broken_plug_in:backend")
    with caplog.at_level(logging.WARNING):
        names = [b.name for b in registry.backends()]
    assert "iree" in names
    assert "broken" not in names
    assert "backend 'broken' (broken_plug_in:backend) failed to load" in caplog.text
    with pytest.raises(BackendError, match="'broken' failed to load: RuntimeError: out of order"):
        registry.get("broken")


def test_a_plug_in_that_is_no_backend_is_left_out(empty):
    plug_in(empty, "wrong", "json:dumps")
    with pytest.raises(BackendError, match=r"'wrong' failed to load: .* is not a wax_runtime.backend.Backend"):
        registry.get("wrong")


def test_an_unknown_backend_is_an_error_that_lists_those_there_are():
    with pytest.raises(BackendError, match=r"backend 'tpu' is not installed; there are: .*iree"):
        registry.get("tpu")


def test_a_missing_compiler_half_is_an_error_that_says_what_still_works():
    with pytest.raises(BackendError, match=r"no\.such\.module:compiler.*load compiled files, not compile"):
        compiler_of(Fake())


def test_devices_are_written_as_platform_and_index():
    assert device("cuda:1") == Device("cuda", 1)
    assert device("cuda") == Device("cuda", 0)
    assert device(CPU) is CPU
    assert str(Device("vulkan", 2)) == "vulkan:2"
    for bad in ("", "cpu:", "cpu:x", "cpu:-1", ":0", "c p u", "cpu:0:1"):
        with pytest.raises(DeviceError, match="is not a device"):
            device(bad)


def test_the_cpu_can_be_driven_here():
    assert CPU in devices("cpu")
    assert default_device() in devices()
