"""Weights in files: the format's own library reads what is written, and the other way round; damage is noticed."""

import json
import random

import ml_dtypes
import numpy as np
import pytest

from wax_runtime import dtypes, safetensors
from wax_runtime.errors import LoadError
from wax_runtime.storage import is_aligned

judge = pytest.importorskip("safetensors.numpy")


def arrays():
    rng = np.random.default_rng(0)
    made = {}
    for row in dtypes.ALL:
        for shape in ((), (0, 3), (5,), (3, 7), (64, 2)):
            made[f"{row.name} {shape}"] = rng.integers(0, 2, shape).astype(row.numpy)
    return made


def test_arrays_of_every_dtype_come_back_and_are_read_only(tmp_path):
    given = arrays()
    sha256 = safetensors.write(tmp_path / "w.safetensors", given)
    found = safetensors.open_file(tmp_path / "w.safetensors", sha256)
    assert found.keys() == given.keys()
    for name, array in given.items():
        if array.dtype.kind == "c":
            array = np.stack([array.real, array.imag], -1)
        assert (found[name].shape, found[name].dtype) == (array.shape, array.dtype), name
        np.testing.assert_array_equal(found[name], array, err_msg=name)
        assert not found[name].flags.writeable


def test_the_formats_own_library_reads_the_file(tmp_path):
    given = {name: array for name, array in arrays().items() if array.dtype.kind != "c"}
    safetensors.write(tmp_path / "w.safetensors", given)
    found = judge.load_file(tmp_path / "w.safetensors")
    for name, array in given.items():
        np.testing.assert_array_equal(found[name], array, err_msg=name)


def test_files_of_the_formats_own_library_are_read(tmp_path):
    given = {"a": np.arange(6, dtype=np.int16).reshape(2, 3), "b": np.ones(3, ml_dtypes.bfloat16)}
    judge.save_file(given, tmp_path / "w.safetensors", metadata={"made": "elsewhere"})
    found = safetensors.open_file(tmp_path / "w.safetensors")
    for name, array in given.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


def test_what_fills_cache_lines_lies_on_their_boundaries(tmp_path):
    given = {"odd": np.ones(3, np.int8), "even": np.ones((16, 4), np.float32), "more": np.ones(32, np.float64)}
    safetensors.write(tmp_path / "w.safetensors", given)
    found = safetensors.open_file(tmp_path / "w.safetensors")
    assert is_aligned(found["even"]) and is_aligned(found["more"])


def test_no_damage_is_read_as_something_else(tmp_path):
    path = tmp_path / "w.safetensors"
    sha256 = safetensors.write(path, {"a": np.arange(40, dtype=np.float32), "b": np.ones((3, 2), np.int8)})
    data = path.read_bytes()
    rng = random.Random(0)
    for _ in range(100):
        place = rng.randrange(len(data))
        path.write_bytes(data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :])
        with pytest.raises(LoadError, match=r"w\.safetensors: "):
            safetensors.open_file(path, sha256)
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(LoadError, match=r"w\.safetensors: "):
            safetensors.open_file(path, sha256)


def entry(**changes):
    return {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8], **changes}}


@pytest.mark.parametrize(
    "header",
    [
        entry(dtype="F8_E4M3"),
        entry(shape=[3]),
        entry(shape=[-1, -2]),
        entry(shape=[2.0]),
        entry(data_offsets=[0, 800]),
        entry(data_offsets=[-8, 0]),
        entry(data_offsets=[8, 0]),
        entry(data_offsets=[0]),
        {"a": 1},
        [],
        "text",
    ],
)
def test_headers_that_lie_are_refused(tmp_path, header):
    text = json.dumps(header).encode()
    (tmp_path / "w.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + bytes(8))
    with pytest.raises(LoadError, match="not a safetensors file"):
        safetensors.open_file(tmp_path / "w.safetensors")


def test_a_header_longer_than_the_file_is_refused_and_not_read(tmp_path):
    (tmp_path / "w.safetensors").write_bytes((2**62).to_bytes(8, "little") + b"{}")
    with pytest.raises(LoadError, match="its header is said to have"):
        safetensors.open_file(tmp_path / "w.safetensors")
