"""What compiles for NVIDIA's GPUs, with the first set of flags; that it is right is for machines that have one."""

import logging
import re

import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax.backends.iree.targets import target
from wax.testing import programs
from wax_runtime.errors import DeviceError
from wax_runtime.iree import cuda

TARGET = "cuda:sm_90"
X = np.random.default_rng(0).normal(size=(128, 512)).astype(np.float32)
WEIGHT = np.ones(512, np.float32)
#: The sets of flags in their order.
FIRST, SECOND = "O3", "O3 without distributed reductions"


@pytest.fixture
def compiled(tmp_path, monkeypatch, caplog):
    """What compiles a function anew, and says with which flags, and what is in the file."""
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path / "cache"))

    def compile_one(function, *arguments):
        with caplog.at_level(logging.INFO, "wax.compile"):
            wax.export(function, targets=[TARGET])(*arguments).save(tmp_path / "f.vmfb")
        (flags,) = re.findall(r": compiled in [0-9.]+ s with (.*)", caplog.text)
        return flags, (tmp_path / "f.vmfb").read_bytes()

    return compile_one


@pytest.mark.parametrize("program", list(programs()), ids=str)
def test_a_program_of_the_suite(program, compiled):
    flags, file = compiled(program.function, *program.arguments)
    assert flags == FIRST and b"cuda-nvptx-fb" in file


REDUCTIONS = {
    "of what a constant multiplies": lambda x: wnp.sum(x * 2, axis=-1),
    "of what is negated": lambda x: wnp.sum(-x, axis=-1),
    "of quotients that are negated": lambda x: wnp.sum(-(x / (x * x + 1)), axis=-1),
    "of all": lambda x: wnp.mean(-x * 0.5 - 1),
    "of f16": lambda x: wnp.sum(wnp.astype(x, wnp.float16) * 2, axis=-1),
    "of products with a row's number": lambda x: wnp.sum(x * wnp.exp(wnp.max(x, axis=-1, keepdims=True)), axis=-1),
    "with an exponential": lambda x: wax.nn.logsumexp(x * 0.5, axis=-1),
    "gradient of layer_norm": wax.grad(lambda x: wnp.mean(wax.nn.layer_norm(x, WEIGHT, WEIGHT) ** 2)),
    "gradient of rms_norm": wax.grad(
        lambda x: wnp.sum(x * 2 / wnp.sqrt(wnp.mean(x * x, axis=-1, keepdims=True) * 0.5 + 1e-5))
    ),
    "gradient of log_softmax": wax.grad(lambda x: -wnp.sum(wax.nn.log_softmax(x, axis=-1)[:, 0])),
}
NOT_DISTRIBUTED = {
    "f64 sums of what was f32": lambda x: wnp.sum(wnp.astype(x, wnp.float64), axis=-1),
    "sums in order": lambda x: wax.kernel.reduce(lambda a, s: s + a, x, 0.0, axis=1),
    "differences": lambda x: wax.kernel.reduce(lambda a, s: s - a, x, 0.0, axis=1, combine=lambda a, b: a + b),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name, compiled):
    flags, _ = compiled(REDUCTIONS[name], X)
    assert flags == FIRST


@pytest.mark.parametrize("name", NOT_DISTRIBUTED)
def test_reductions_that_cannot_be_distributed(name, compiled):
    flags, _ = compiled(NOT_DISTRIBUTED[name], X)
    assert flags == SECOND


@pytest.mark.parametrize("function", [wnp.cumulative_sum, wnp.cumulative_prod, wnp.sort])
def test_loops_over_complex_numbers(function, compiled):
    flags, _ = compiled(function, X[0].astype(np.complex64))
    assert flags == FIRST


PRODUCTS = {
    "of two matrices": lambda x: wnp.tanh(x.T @ x + 1),
    "of rows of two dims": lambda x: wnp.reshape(x, (2, 64, 512)) @ x.T,
    "of a stack": lambda x: (y := wnp.reshape(x, (4, 64, 256))) @ wnp.matrix_transpose(y),
}
#: What a workgroup does when it has copied parts of factors into its memory.
BARRIER = b"bar.sync"


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_tiled(name, compiled):
    flags, file = compiled(PRODUCTS[name], X)
    assert flags == FIRST and BARRIER in file


def test_products_that_tiles_do_not_divide_are_not(compiled):
    flags, file = compiled(PRODUCTS["of two matrices"], X[:, :65])
    assert flags == FIRST and BARRIER not in file


def threads(file):
    """Those of a workgroup of each dispatch."""
    return {int(number) for number in re.findall(rb"\.maxntid (\d+)", file)}


NORMALIZED = {
    "softmax": wax.nn.softmax,
    "layer norm": lambda x: wax.nn.layer_norm(x, np.ones(x.shape[-1], np.float32)),
    "sums": lambda x: wnp.sum(x * x, axis=-1),
}


@pytest.mark.parametrize("isolated", ["", "1"])
@pytest.mark.parametrize("name", NORMALIZED)
def test_long_rows_have_several_warps(name, isolated, compiled, monkeypatch):
    monkeypatch.setenv("WAX_ISOLATE_COMPILER", isolated)
    flags, file = compiled(NORMALIZED[name], np.zeros((600, 4096), np.float32))
    assert flags == FIRST and threads(file) == {256}


@pytest.mark.parametrize(
    ("length", "expected"), [(512, 32), (1000, 32), (1024, 64), (3 * 512, 64), (2048, 128), (4100, 32), (1 << 14, 256)]
)
def test_warps_share_rows_that_they_divide(length, expected, compiled):
    flags, file = compiled(wax.nn.softmax, np.zeros((4096, length), np.float32))
    assert flags == FIRST and threads(file) == {expected}


def test_reductions_with_few_results_are_in_parts(compiled):
    flags, file = compiled(wnp.sum, np.zeros((1024, 1024), np.float32))
    assert flags == FIRST and file.count(b".visible .entry") == 2


def test_a_file_for_several_devices_has_no_tiles(tmp_path):
    path = tmp_path / "f.vmfb"
    wax.export(PRODUCTS["of two matrices"], targets=[TARGET, "cpu"])(X).save(path)
    assert BARRIER not in path.read_bytes()
    found = wax.load(path, device="cpu")(X)
    np.testing.assert_allclose(np.asarray(found), np.tanh(X.T.astype("f8") @ X + 1), atol=1e-4)


def test_a_device_that_is_not_there():
    for ask in (target, cuda.enter_named):
        with pytest.raises(DeviceError, match="CUDA"):
            ask("cuda:99")
    cuda.enter_named("vulkan:0")
