"""Arrays that compiled functions, backends and libraries share: pointers, the allocator's own count, lifetimes."""

import gc
import os
import subprocess
import sys

import iree.runtime
import jax
import numpy as np
import pytest
import torch

import wax
import wax.numpy as wnp
from wax_runtime.iree.hal import hal_device
from wax_runtime.storage import aligned_copy

N = 1 << 14
BYTES = 4 * N
double = wax.jit(lambda x: x * 2, backend="iree")
negate = wax.jit(lambda x: -x, backend="reference")


def values():
    return np.arange(N, dtype=np.float32)


def from_numpy():
    made = aligned_copy(values())
    return made, made.ctypes.data


def from_torch():
    made = torch.from_numpy(aligned_copy(values()))
    return made, made.data_ptr()


def from_jax():
    made = jax.numpy.asarray(values())
    return made, made.unsafe_buffer_pointer()


def from_wax():
    made = wnp.asarray(values())
    return made, address(made)


MAKERS = pytest.mark.parametrize("make", [from_numpy, from_torch, from_jax, from_wax])


def address(x):
    return np.asarray(x).ctypes.data


def allocated():
    """What IREE has allocated on the CPU so far, in bytes."""
    counts = [hal_device(name).allocator.statistics for name in ("local-sync", "local-task")]
    return sum(one["device_bytes_allocated"] + one["host_bytes_allocated"] for one in counts)


@MAKERS
def test_a_call_on_anybodys_memory_allocates_its_result_and_nothing_else(make):
    given, pointer = make()
    x = wnp.from_dlpack(given)
    assert address(x) == pointer
    np.testing.assert_array_equal(np.asarray(double(x)), 2 * values())
    before = allocated()
    y = double(x)
    assert allocated() - before == BYTES
    np.testing.assert_array_equal(np.asarray(y), 2 * values())
    assert address(x) == pointer


def test_results_go_to_every_library_without_a_copy():
    y = double(wnp.asarray(values()))
    before = allocated()
    tensor, array = torch.from_dlpack(y), jax.numpy.from_dlpack(y)
    assert tensor.data_ptr() == array.unsafe_buffer_pointer() == np.from_dlpack(y).ctypes.data == address(y)
    assert address(wnp.from_dlpack(tensor)) == address(y)
    np.testing.assert_array_equal(tensor.numpy(), 2 * values())
    assert allocated() == before


def test_two_backends_feed_each_other_without_moving_anything():
    x = wnp.asarray(values())
    # Its first call is IREE's, whose memory is counted: later ones may go without, into memory that is kept for them.
    first = wax.jit(lambda x: x * 2, backend="iree").lower(x).compile()
    y = double(x)
    pointer = address(y)
    before = allocated()
    z = negate(y)
    assert allocated() == before  # the reference has NumPy's memory
    w = first(z)
    assert allocated() - before == BYTES  # the result alone
    assert address(y) == pointer
    np.testing.assert_array_equal(np.asarray(w), -4 * values())
    same = wax.jit(lambda x: x, backend="reference")(y)
    assert address(same) == pointer


@MAKERS
@pytest.mark.parametrize("first", ["owner", "array"])
def test_memory_lives_as_long_as_anybody_needs_it(make, first):
    given, _ = make()
    x = wnp.from_dlpack(given)
    y = double(x)
    if first == "owner":
        del given
        gc.collect()
        np.testing.assert_array_equal(np.asarray(double(x)), 2 * values())
        np.testing.assert_array_equal(np.asarray(x), values())
    else:
        del x
        gc.collect()
        np.testing.assert_array_equal(np.asarray(given), values())
    np.testing.assert_array_equal(np.asarray(y), 2 * values())


@pytest.mark.parametrize(
    "take", [torch.from_dlpack, jax.numpy.from_dlpack, np.from_dlpack], ids=["torch", "jax", "numpy"]
)
@pytest.mark.parametrize("first", ["result", "view"])
@pytest.mark.parametrize("times", [1, 8], ids=["own", "pooled"])
def test_results_live_as_long_as_anybody_needs_them(take, first, times):
    x = np.tile(values(), times)
    y = double(wnp.asarray(x))
    view = take(y)
    if first == "result":
        del y
        gc.collect()
        double(wnp.asarray(x + 1))  # would take the memory, were it free
        np.testing.assert_array_equal(np.asarray(view), 2 * x)
    else:
        del view
        gc.collect()
        double(wnp.asarray(x + 1))
        np.testing.assert_array_equal(np.asarray(y), 2 * x)


def from_the_pool(size):
    """A buffer of `size` bytes, as results and what is needed between are."""
    return hal_device("local-sync:pool").allocator.allocate_buffer(
        memory_type=int(iree.runtime.MemoryType.DEVICE_LOCAL | iree.runtime.MemoryType.HOST_VISIBLE),
        allowed_usage=int(iree.runtime.BufferUsage.DEFAULT),
        allocation_size=size,
    )


def take_memory_again(other_sizes):
    for n in range(1, other_sizes + 1):
        from_the_pool(64 * n)
    x = wnp.asarray(np.tile(values(), 8))
    kept = double(x)
    first = address(double(x))
    before = allocated()
    for _ in range(3):
        y = double(x)
        assert address(y) == first
        del y
    assert allocated() == before
    np.testing.assert_array_equal(np.asarray(kept), 2 * np.asarray(x))


@pytest.mark.parametrize("other_sizes", [0, 2000])
def test_results_of_middle_size_take_the_memory_that_was_freed_last(other_sizes):
    """In a process of its own: where 256 MiB are in use, as of other tests, nothing is kept.

    Workers, which the first calls try, have a pool of their own.
    """
    folders = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    code = f"import test_storage; test_storage.take_memory_again({other_sizes})"
    environment = {**os.environ, "PYTHONPATH": folders, "WAX_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert not done.returncode, done.stderr


def test_a_pool_keeps_no_more_than_its_limit():
    allocator = hal_device("local-sync:pool").allocator
    allocator.trim()

    def held():
        counts = allocator.statistics
        return counts["device_bytes_allocated"] - counts["device_bytes_freed"]

    before = held()
    # Sizes that are not asked for again.
    for n in range(1 << 20, 40 << 20, 1 << 20):
        from_the_pool(n)
        assert held() - before <= (256 << 20) + n
    assert held() > before
    allocator.trim()
    assert held() == before


def test_memory_that_others_see_is_not_overwritten_by_a_donation():
    step = wax.jit(lambda x: x + 1, donate_argnums=0, backend="iree")
    x = double(wnp.asarray(values()))
    view = torch.from_dlpack(x)
    step(x)
    np.testing.assert_array_equal(view.numpy(), 2 * values())
    given = aligned_copy(values())
    step(wnp.from_dlpack(given))
    np.testing.assert_array_equal(given, values())
