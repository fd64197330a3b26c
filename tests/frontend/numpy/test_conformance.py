"""What the standard asks of the namespace beside its functions' values; and what of its suite is skipped is argued."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch

import wax
import wax.numpy as wnp
from wax import errors

ROOT = Path(__file__).resolve().parents[3]
X = wnp.asarray([[1.0, 2.0], [3.0, 4.0]])


def test_every_reason_for_a_skipped_conformance_test_stands_in_the_documentation():
    page = (ROOT / "docs" / "array-api.md").read_text()
    argued = set(re.findall(r"^\*\*(.*?\.)\*\*", page, re.MULTILINE))
    first, *lines = (ROOT / "tests" / "conformance" / "skips.txt").read_text().splitlines()
    assert "docs/array-api.md" in first
    titles = {line.removeprefix("# ") for line in lines if line.startswith("#")}
    assert titles == argued
    assert all(line.startswith(("#", "array_api_tests/")) for line in lines if line)


def test_the_namespace_says_what_it_can_do():
    info = wnp.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert info.default_device() in info.devices()
    assert info.default_dtypes()["integral"] == wnp.int32
    assert set(info.dtypes(kind="numeric")) == set(info.dtypes()) - {"bool"}
    assert list(info.dtypes(kind=("bool", "real floating"))) == ["bool", "float32", "float64"]
    with pytest.raises(errors.InvalidArgumentError, match="no kind of dtype"):
        info.dtypes(kind="float")
    assert X.__array_namespace__(api_version="2024.12") is wnp


def test_arrays_are_put_on_devices_that_are_there_and_nowhere_else():
    assert X.to_device(X.device) is X
    assert wnp.zeros_like(X, device="cpu").device == X.device
    for put in (
        lambda: X.to_device("cuda:9"),
        lambda: wnp.ones(2, device="vulkan:9"),
        lambda: wnp.asarray([1], device="tpu"),
        lambda: wnp.arange(3, device="tpu"),
        lambda: wnp.astype(X, wnp.int32, device="tpu"),
        lambda: wnp.from_dlpack(X, device="tpu"),
        lambda: wax.device_put(X, "tpu"),
    ):
        with pytest.raises(errors.DeviceError, match=r"no backend can drive \w+:\d now; there are .*cpu:0"):
            put()
    with pytest.raises(errors.InvalidArgumentError, match="streams are no part"):
        X.to_device("cpu", stream=1)


def test_a_traced_value_goes_where_its_function_runs():
    @wax.jit
    def program(x):
        return x.to_device(x.device) + wnp.ones(2, device=x.device)

    np.testing.assert_array_equal(program(X), np.asarray(X) + 1)
    with pytest.raises(errors.DeviceError, match="cuda"):
        wax.jit(lambda x: x.to_device("cuda"))(X)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float16", "bfloat16", "float32", "complex64"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)])
def test_pytorch_and_wax_share_memory_by_dlpack_both_ways(dtype, shape):
    ours = wnp.astype(wnp.reshape(wnp.arange(int(np.prod(shape))), shape), dtype)
    theirs = torch.from_dlpack(ours)
    assert theirs.dtype == getattr(torch, dtype)
    assert tuple(theirs.shape) == shape
    back = wnp.from_dlpack(theirs)
    assert back.dtype == ours.dtype
    assert bool(wnp.array_equal(back, ours))
    if ours.size:
        assert theirs.data_ptr() == np.asarray(ours).ctypes.data
        copied = wnp.from_dlpack(theirs, copy=True)
        assert torch.from_dlpack(copied).data_ptr() != theirs.data_ptr()


def test_numpy_reads_arrays_by_dlpack_and_asks_for_copies():
    shared, copied = np.from_dlpack(X), np.from_dlpack(X, copy=True)
    assert np.shares_memory(shared, np.asarray(X))
    assert not np.shares_memory(copied, np.asarray(X))
    assert X.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError):
        X.__dlpack__(dl_device=(2, 0))


def test_rank_0_arrays_are_numbers_to_python():
    assert int(wnp.asarray(3)) == 3
    assert complex(wnp.asarray(1.5)) == 1.5
    assert bool(wnp.asarray(0)) is False
    assert [10, 20, 30][wnp.asarray(1)] == 20
    with pytest.raises(TypeError, match="rank 0"):
        float(X)
    with pytest.raises(TypeError, match="index"):
        [10][wnp.asarray(0.0)]


@pytest.mark.parametrize("shape", [(), (1,), (6,), (2, 3), (0, 3)])
def test_results_of_unknown_size_are_found_outside_jit(shape):
    x = np.resize(np.asarray([0, 2, 2, 0, 5, 2], np.int32), shape)
    array = wnp.asarray(x)
    if shape:
        for found, expected in zip(wnp.nonzero(array), np.nonzero(x), strict=True):
            np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(array[array > 1], x[x > 1])
        np.testing.assert_array_equal(wnp.extract(array > 1, array), x[x > 1])
        np.testing.assert_array_equal(wnp.flatnonzero(array), np.flatnonzero(x))
        np.testing.assert_array_equal(wnp.argwhere(array), np.argwhere(x))
    for found, expected in zip(wnp.unique_all(array), np.unique_all(x), strict=True):
        np.testing.assert_array_equal(found, expected)
        assert found.shape == expected.shape
    np.testing.assert_array_equal(wnp.bincount(wnp.ravel(array)), np.bincount(x.ravel()))
    np.testing.assert_array_equal(wnp.segment_sum(array, wnp.ones_like(array)), [0, x.sum()] if x.size else np.zeros(0))


def test_symbolic_sizes_are_counted_searched_and_indexed():
    batch = wax.Dim("batch", min=3, max=50)

    @wax.jit(dynamic_shapes=({0: batch},))
    def program(x):
        return (
            wnp.nonzero(x > 2, size=4, fill_value=-1)[0],
            wnp.unique_all(x, size=x.shape[0]),
            x.at[x > 2].set(0),
            wnp.diff(x),
            wnp.median(x),
            wnp.diag(x),
            wnp.top_k(x, 2).indices,
            x[wnp.asarray([0, -1, 1])],
        )

    for size in (3, 7):
        x = np.asarray([3, 1, 3, 0, 5, 1, 3][:size], np.int32)
        found, unique, updated, less, middle, matrix, best, some = program(wnp.asarray(x))
        places = np.flatnonzero(x > 2)
        np.testing.assert_array_equal(found, [*places, -1, -1, -1, -1][:4])
        values, indices, inverse, counts = np.unique_all(x)
        np.testing.assert_array_equal(unique.values[: len(values)], values)
        np.testing.assert_array_equal(unique.indices[: len(values)], indices)
        np.testing.assert_array_equal(unique.inverse_indices, inverse)
        np.testing.assert_array_equal(unique.counts, [*counts, *([0] * (size - len(values)))])
        np.testing.assert_array_equal(updated, np.where(x > 2, 0, x))
        np.testing.assert_array_equal(less, np.diff(x))
        assert float(middle) == np.median(x)
        np.testing.assert_array_equal(matrix, np.diag(x))
        np.testing.assert_array_equal(best, np.argsort(-x, kind="stable")[:2])
        np.testing.assert_array_equal(some, x[[0, -1, 1]])
