import copy
import gc
import pickle

import jax
import ml_dtypes
import numpy as np
import pytest
import torch

from wax_runtime import CPU, Buffer, HostStorage, asbuffer, dtypes, from_dlpack
from wax_runtime.errors import DeletedBufferError, DTypeError
from wax_runtime.storage import aligned_copy, aligned_empty, is_aligned

SHAPES = [(), (0,), (1,), (7,), (3, 0, 2), (5, 4), (1, 1, 1)]


def sample(shape, dtype, seed=0):
    values = np.random.default_rng(seed).integers(0, 2 if np.dtype(dtype).kind == "b" else 100, shape)
    return np.asarray(values).astype(dtype)


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("row", dtypes.ALL, ids=lambda row: row.name)
def test_a_buffer_has_the_value_shape_and_dtype_of_its_array(row, shape):
    array = sample(shape, row.numpy)
    buffer = Buffer.from_numpy(array)
    assert (buffer.shape, buffer.dtype, buffer.device) == (shape, row.numpy, CPU)
    assert buffer.nbytes == array.nbytes
    assert buffer.size == array.size
    np.testing.assert_array_equal(np.asarray(buffer), array)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(buffer)).numpy(), array)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("row", dtypes.ALL, ids=lambda row: row.name)
def test_allocations_are_64_byte_aligned(row, shape):
    made = aligned_empty(shape, row.numpy)
    assert (made.shape, made.dtype) == (shape, row.numpy)
    assert made.flags.c_contiguous
    assert made.size == 0 or is_aligned(made)


def test_a_buffer_does_not_change_when_its_source_does():
    source = np.arange(4)
    buffer = asbuffer(source)
    source[0] = 99
    assert buffer.numpy()[0] == 0


def test_the_numpy_view_shares_memory_and_is_read_only():
    buffer = asbuffer(np.arange(4))
    view = np.asarray(buffer)
    assert address(view) == address(buffer.numpy())
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1


def test_a_copy_asked_for_is_writeable_and_its_own():
    buffer = asbuffer(np.arange(4))
    copied = np.array(buffer, copy=True)
    copied[0] = 99
    assert buffer.numpy()[0] == 0
    assert np.asarray(buffer, np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(buffer, np.float64, copy=False)


def test_aligned_memory_is_shared_when_the_caller_allows_it():
    aligned = aligned_copy(np.arange(16))
    assert address(Buffer.from_numpy(aligned, copy=None).numpy()) == address(aligned)
    assert address(Buffer.from_numpy(aligned).numpy()) != address(aligned)
    with pytest.raises(ValueError, match="cannot be shared without a copy"):
        Buffer.from_numpy(aligned[1:], copy=False)
    with pytest.raises(ValueError, match="cannot be shared without a copy"):
        Buffer.from_numpy(aligned.reshape(4, 4).T, copy=False)


def test_strided_reversed_and_foreign_byte_order_arrays_are_copied_right():
    array = np.arange(24, dtype=">i4").reshape(4, 6)[::-1, ::2]
    buffer = asbuffer(array)
    assert buffer.dtype == np.dtype(np.int32)
    assert buffer.dtype.isnative
    np.testing.assert_array_equal(buffer.numpy(), array)


@pytest.mark.parametrize("row", dtypes.ALL, ids=lambda row: row.name)
@pytest.mark.parametrize("shape", SHAPES)
def test_torch_shares_memory_both_ways(row, shape):
    buffer = Buffer.from_numpy(sample(shape, row.numpy))
    tensor = torch.from_dlpack(buffer)
    assert tuple(tensor.shape) == shape
    back = from_dlpack(tensor)
    assert back.spec is buffer.spec
    np.testing.assert_array_equal(back.numpy(), buffer.numpy())
    if buffer.size:
        assert tensor.data_ptr() == address(buffer.numpy()) == address(back.numpy())


@pytest.mark.parametrize("row", dtypes.ALL, ids=lambda row: row.name)
def test_jax_shares_memory_both_ways(row):
    with jax.enable_x64(True):
        buffer = Buffer.from_numpy(sample((5, 4), row.numpy))
        array = jax.numpy.from_dlpack(buffer)
        assert array.unsafe_buffer_pointer() == address(buffer.numpy())
        back = from_dlpack(array)
    assert back.spec is buffer.spec
    assert address(back.numpy()) == address(buffer.numpy())


@pytest.mark.parametrize("row", [r for r in dtypes.ALL if r.name != "bfloat16"], ids=lambda row: row.name)
def test_numpy_shares_memory_both_ways(row):
    buffer = Buffer.from_numpy(sample((5, 4), row.numpy))
    array = np.from_dlpack(buffer)
    assert not array.flags.writeable
    assert address(array) == address(buffer.numpy()) == address(from_dlpack(array).numpy())


def test_an_old_consumer_of_dlpack_gets_a_capsule_too():
    buffer = asbuffer(np.arange(4, dtype=ml_dtypes.bfloat16))

    class Old:
        def __dlpack__(self, stream=None):
            return buffer.__dlpack__(stream=stream)

        def __dlpack_device__(self):
            return buffer.__dlpack_device__()

    again = from_dlpack(Old())
    assert again.dtype == ml_dtypes.bfloat16
    assert address(again.numpy()) == address(buffer.numpy())


def test_memory_outlives_its_buffer_and_its_owner():
    tensor = torch.arange(1000, dtype=torch.float32)
    buffer = from_dlpack(tensor)
    del tensor
    view = np.asarray(buffer)
    exported = torch.from_dlpack(buffer)
    del buffer
    gc.collect()
    np.testing.assert_array_equal(view, np.arange(1000))
    np.testing.assert_array_equal(exported.numpy(), np.arange(1000))


def test_a_strided_tensor_is_copied_unless_that_is_refused():
    tensor = torch.arange(6).reshape(2, 3).T
    np.testing.assert_array_equal(from_dlpack(tensor).numpy(), tensor.numpy())
    with pytest.raises(ValueError, match="not contiguous"):
        from_dlpack(tensor, copy=False)


def test_memory_of_another_device_is_refused():
    class Elsewhere:
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(BufferError, match="not host memory"):
        from_dlpack(Elsewhere())
    with pytest.raises(BufferError):
        asbuffer(np.ones(2)).__dlpack__(dl_device=(2, 0))


@pytest.mark.parametrize("bad", [np.array(["a"]), np.array([object()]), np.zeros(2, "M8[s]"), np.zeros(2, "i4,f4")])
def test_arrays_of_other_dtypes_are_refused(bad):
    with pytest.raises(DTypeError):
        asbuffer(bad)


def test_a_deleted_buffer_says_so_at_every_use():
    buffer = asbuffer(np.arange(3))
    other = asbuffer(buffer)
    shared = Buffer(buffer.spec, buffer.storage)
    buffer.delete()
    assert buffer.is_deleted()
    assert other is buffer
    for use in (
        lambda: np.asarray(buffer),
        lambda: buffer.__dlpack__(),
        lambda: buffer.__dlpack_device__(),
        lambda: buffer.storage,
        buffer.block_until_ready,
    ):
        with pytest.raises(DeletedBufferError, match=r"int64\[3\] array was donated"):
            use()
    assert "<deleted>" in repr(buffer)
    assert buffer.shape == (3,)
    np.testing.assert_array_equal(shared.numpy(), [0, 1, 2])


def test_a_subclass_is_what_its_constructors_make():
    class Array(Buffer):
        __slots__ = ()

    made = Array.from_numpy(np.ones(3))
    assert type(made) is Array
    assert type(Array.from_dlpack(torch.ones(2))) is Array
    assert type(pickle.loads(pickle.dumps(Buffer.from_numpy(np.ones(3))))) is Buffer
    assert type(copy.copy(made)) is Array


def test_a_storage_may_be_seen_with_another_shape_and_dtype():
    storage = HostStorage(aligned_copy(np.arange(6, dtype=np.int32)))
    np.testing.assert_array_equal(storage.host_array((2, 3), np.dtype(np.uint32)), [[0, 1, 2], [3, 4, 5]])
    assert storage.nbytes == 24
