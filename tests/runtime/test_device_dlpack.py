"""DLPack of memory that the host does not reach: what makes and reads the capsules on the CPU, all of it on a GPU."""

import gc

import numpy as np
import pytest

from wax_runtime import Buffer, from_dlpack
from wax_runtime.dlpack import CPU_DEVICE, tensor_of
from wax_runtime.dtypes import ALL
from wax_runtime.errors import DTypeError
from wax_runtime.iree.device_dlpack import exported, imported
from wax_runtime.iree.hal import hal_device
from wax_runtime.iree.storage import copy_of, view_of
from wax_runtime.transfer import put

torch = pytest.importorskip("torch")

HAL = hal_device("local-sync")
SHAPES = [(), (1,), (2, 3), (17, 1, 5)]


def filled(shape, dtype):
    """A buffer of IREE's own memory, and the NumPy array with its value."""
    array = np.random.default_rng(0).integers(0, 2, shape).astype(dtype)
    return copy_of(Buffer.from_numpy(array)), array


@pytest.mark.parametrize("dtype", [row.numpy for row in ALL], ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_capsule_goes_out_and_comes_in_again_on_the_same_memory(shape, dtype):
    buffer, array = filled(shape, dtype)
    view = view_of(buffer)
    capsule = exported(view, buffer.dtype, HAL, CPU_DEVICE)
    address = tensor_of(capsule).data
    found = imported(capsule, HAL)
    assert (found.shape, found.dtype, found.is_aligned) == (shape, dtype, True)
    again = exported(found.view, found.dtype, HAL, CPU_DEVICE)
    assert tensor_of(again).data == address == buffer.numpy().ctypes.data
    del buffer, view, capsule, again
    gc.collect()
    seen = found.view.map().asarray((array.nbytes,), np.dtype("u1"))
    np.testing.assert_array_equal(seen, array.reshape(-1).view("u1"))


@pytest.mark.parametrize("dtype", [row.numpy for row in ALL if row.name not in {"uint16", "uint32", "uint64"}], ids=str)
def test_pytorch_reads_what_goes_out_and_gives_it_back(dtype):
    buffer, array = filled((3, 5), dtype)
    tensor = torch.utils.dlpack.from_dlpack(exported(view_of(buffer), buffer.dtype, HAL, CPU_DEVICE))
    assert str(tensor.dtype).removeprefix("torch.") == dtype.name and tensor.data_ptr() == buffer.numpy().ctypes.data
    found = imported(tensor.__dlpack__(), HAL)
    del tensor, buffer
    gc.collect()
    assert (found.shape, found.dtype) == ((3, 5), dtype)
    seen = found.view.map().asarray((array.nbytes,), np.dtype("u1"))
    np.testing.assert_array_equal(seen, array.reshape(-1).view("u1"))


def test_memory_that_the_driver_does_not_take_is_refused():
    # On the CPU it must be aligned; what is elsewhere is copied.
    with pytest.raises(BufferError, match=r"IREE cannot use the memory of a float32\[30\] .* aligned"):
        imported(torch.zeros(32)[2:].__dlpack__(), HAL)


def test_nothing_needs_no_memory():
    found = imported(torch.zeros(0, 3).__dlpack__(), HAL)
    assert found.view is None and found.shape == (0, 3)


def test_what_cannot_be_shared_is_refused_with_the_way_out():
    with pytest.raises(BufferError, match=r"float32\[3, 2\].*not contiguous; give a contiguous copy"):
        imported(torch.zeros(2, 3).T.__dlpack__(), HAL)
    with pytest.raises(DTypeError, match="no wax dtype"):
        imported(torch.zeros(2, dtype=torch.float8_e4m3fn).__dlpack__(), HAL)


class Elsewhere:
    """An array on a device that no backend has."""

    def __dlpack_device__(self):
        return (2, 99)

    def __dlpack__(self, **_):
        raise AssertionError("nobody may ask for it")


def test_memory_of_a_device_that_is_not_there_is_refused():
    with pytest.raises(BufferError, match=r"\(2, 99\)"):
        from_dlpack(Elsewhere())


@pytest.mark.vulkan
def test_no_other_library_has_memory_of_vulkan():
    buffer = put(Buffer.from_numpy(np.arange(3)), "vulkan")
    for ask in (buffer.__dlpack__, buffer.__dlpack_device__):
        with pytest.raises(BufferError, match="vulkan:0 cannot be exported"):
            ask()
    with pytest.raises(BufferError, match="comes to the CPU as a copy"):
        buffer.__dlpack__(dl_device=CPU_DEVICE, copy=False)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch has no CUDA here")
class TestOnAGPU:
    """PyTorch and IREE on the same memory of one device."""

    @pytest.mark.parametrize("shape", [(0, 3), *SHAPES])
    def test_both_ways_without_a_copy(self, shape):
        array = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        buffer = put(Buffer.from_numpy(array), "cuda")
        tensor = torch.from_dlpack(buffer)
        assert tensor.device.type == "cuda"
        np.testing.assert_array_equal(tensor.cpu().numpy(), array)
        back = from_dlpack(tensor)
        assert back.device == buffer.device
        if array.size:
            assert torch.from_dlpack(back).data_ptr() == tensor.data_ptr()
        del buffer, tensor
        gc.collect()
        np.testing.assert_array_equal(back.numpy(), array)

    def test_what_pytorch_has_yet_to_compute_is_waited_for(self):
        tensor = torch.full((4096, 4096), 0.5, device="cuda")
        for _ in range(20):
            tensor = tensor @ tensor / 2048
        np.testing.assert_allclose(from_dlpack(tensor).numpy(), tensor.cpu().numpy())

    def test_what_is_not_aligned_is_copied(self):
        tensor = torch.arange(33, device="cuda")[1:]
        np.testing.assert_array_equal(from_dlpack(tensor).numpy(), np.arange(1, 33))
        with pytest.raises(ValueError, match="aligned"):
            from_dlpack(tensor, copy=False)

    def test_a_copy_may_be_asked_for(self):
        tensor = torch.arange(8, device="cuda")
        copied = from_dlpack(tensor, copy=True)
        tensor += 1
        np.testing.assert_array_equal(copied.numpy(), np.arange(8))

    def test_what_a_call_gave_moves_to_where_both_see_it_once(self):
        import wax

        result = wax.jit(lambda x: x * 2, device="cuda")(np.arange(6, dtype=np.float32))
        tensor = torch.from_dlpack(result)
        np.testing.assert_array_equal(tensor.cpu().numpy(), [0, 2, 4, 6, 8, 10])
        assert torch.from_dlpack(result).data_ptr() == tensor.data_ptr()
        np.testing.assert_array_equal(np.asarray(result + 1), [1, 3, 5, 7, 9, 11])

    def test_what_goes_out_may_be_a_copy(self):
        buffer = put(Buffer.from_numpy(np.arange(8)), "cuda")
        tensor = torch.utils.dlpack.from_dlpack(buffer.__dlpack__(copy=True))
        tensor += 1
        np.testing.assert_array_equal(buffer.numpy(), np.arange(8))
