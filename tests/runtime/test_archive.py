"""Weights in IREE's parameter archives: IREE reads what is written, and the other way round; damage is noticed."""

import json

import numpy as np
import pytest
from iree.runtime import ParameterIndex

from wax_runtime import dtypes
from wax_runtime.errors import LoadError
from wax_runtime.iree import archive
from wax_runtime.signature import ArgumentSpec
from wax_runtime.storage import is_aligned


def arrays():
    random = np.random.default_rng(0)
    made = {}
    for row in dtypes.ALL:
        for shape in ((), (0, 3), (5,), (3, 7), (64, 2)):
            made[f"{row.name} {shape}"] = random.integers(0, 2, shape).astype(row.numpy)
    return made


def specs(given):
    return [ArgumentSpec(name, array.shape, array.dtype) for name, array in given.items()]


def test_arrays_of_every_dtype_come_back_aligned_and_read_only(tmp_path):
    given = arrays()
    sha256 = archive.write(tmp_path / "w.irpa", given)
    found = archive.open_file(tmp_path / "w.irpa", specs(given), sha256)
    assert found.keys() == given.keys()
    for name, array in given.items():
        assert (found[name].shape, found[name].dtype) == (array.shape, array.dtype), name
        np.testing.assert_array_equal(found[name], array, err_msg=name)
        assert not found[name].size or (not found[name].flags.writeable and is_aligned(found[name]))


def test_what_is_mapped_stays_while_it_is_used_and_goes_then(tmp_path):
    archive.write(tmp_path / "w.irpa", {"a": np.arange(9.0)})
    found = archive.open_file(tmp_path / "w.irpa", [ArgumentSpec("a", (9,), np.dtype("f8"))])["a"]

    def mapped():
        with open("/proc/self/maps") as maps:
            return any(line.rstrip().endswith("w.irpa") for line in maps)

    assert mapped() and found[8] == 8
    del found
    assert not mapped()


def test_iree_reads_the_file(tmp_path):
    given = arrays()
    archive.write(tmp_path / "w.irpa", given)
    index = ParameterIndex()
    index.load(str(tmp_path / "w.irpa"))
    found = dict(index.items())
    assert set(found) == set(given)
    for name, array in given.items():
        assert found[name].length == array.nbytes
        assert not array.size or bytes(found[name].file_view) == array.tobytes()
        assert json.loads(found[name].metadata) == {"dtype": array.dtype.name, "shape": list(array.shape)}


def test_files_of_irees_are_read(tmp_path):
    index = ParameterIndex()
    index.add_buffer("a", np.arange(6, dtype="i2").view("u1"))
    index.add_buffer("noted", np.ones(2, "f4").view("u1"), metadata="PYTORCH, or whoever")
    index.add_splat("splat", np.float32(1.5), 24)
    index.create_archive_file(str(tmp_path / "w.irpa"))
    wanted = [ArgumentSpec("a", (2, 3), np.dtype("i2")), ArgumentSpec("noted", (2,), np.dtype("f4"))]
    found = archive.open_file(tmp_path / "w.irpa", [*wanted, ArgumentSpec("splat", (2, 3), np.dtype("f4"))])
    np.testing.assert_array_equal(found["a"], [[0, 1, 2], [3, 4, 5]])
    np.testing.assert_array_equal(found["noted"], [1, 1])
    np.testing.assert_array_equal(found["splat"], np.full((2, 3), 1.5))
    with pytest.raises(LoadError, match=r"a has 12 bytes; the program takes a: float32\[2, 3\]"):
        archive.open_file(tmp_path / "w.irpa", [ArgumentSpec("a", (2, 3), np.dtype("f4"))])


def test_what_is_no_archive_is_refused(tmp_path):
    given = {"a": np.arange(9.0)}
    sha256 = archive.write(tmp_path / "w.irpa", given)
    data = (tmp_path / "w.irpa").read_bytes()
    for bad in (b"", b"IRPA", b"x" * 500, data[:90], data[:200]):
        (tmp_path / "bad.irpa").write_bytes(bad)
        with pytest.raises(LoadError, match=r"bad\.irpa: not a parameter archive, or a truncated one"):
            archive.open_file(tmp_path / "bad.irpa", specs(given))
    (tmp_path / "bad.irpa").write_bytes(data[:-9] + b"x" + data[-8:])
    with pytest.raises(LoadError, match=r"bad\.irpa: its checksum is not that of the weights"):
        archive.open_file(tmp_path / "bad.irpa", specs(given), sha256)
    with pytest.raises(LoadError, match=r"none\.irpa: No such file"):
        archive.open_file(tmp_path / "none.irpa", specs(given))
