"""What compiles for NVIDIA's GPUs, with the first set of flags; that it is right is for machines that have one."""

import logging

import numpy as np
import pytest

import wax
import wax.nn
import wax.numpy as wnp
from wax.backends.iree import compilation
from wax.backends.iree.targets import target
from wax.testing import programs
from wax_runtime.errors import DeviceError
from wax_runtime.iree import cuda

TARGET = "cuda:sm_90"
X = np.random.default_rng(0).normal(size=(128, 512)).astype(np.float32)
WEIGHT = np.ones(512, np.float32)


def compiled(function, arguments, folder, caplog):
    """The file of a function that is compiled anew."""
    path = folder / "f.vmfb"
    with caplog.at_level(logging.INFO, "wax.compile"):
        wax.export(function, targets=[TARGET])(*arguments).save(path)
    assert "IREE failed with" not in caplog.text
    return path.read_bytes()


@pytest.fixture(autouse=True)
def _no_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path / "cache"))


@pytest.mark.parametrize("program", list(programs()), ids=str)
def test_a_program_of_the_suite(program, tmp_path, caplog):
    assert b"cuda-nvptx-fb" in compiled(program.function, program.arguments, tmp_path, caplog)


SUMS = {
    "of what a constant multiplies": lambda x: wnp.sum(x * 2, axis=-1),
    "of what is negated": lambda x: wnp.sum(-x, axis=-1),
    "of quotients that are negated": lambda x: wnp.sum(-(x / (x * x + 1)), axis=-1),
    "of all": lambda x: wnp.mean(-x * 0.5 - 1),
    "of f16": lambda x: wnp.sum(wnp.astype(x, wnp.float16) * 2, axis=-1),
    "of products with a row's number": lambda x: wnp.sum(x * wnp.exp(wnp.max(x, axis=-1, keepdims=True)), axis=-1),
    "with an exponential": lambda x: wax.nn.logsumexp(x * 0.5, axis=-1),
}
GRADIENTS = {
    "layer_norm": lambda x: wnp.mean(wax.nn.layer_norm(x, WEIGHT, WEIGHT) ** 2),
    "rms_norm": lambda x: wnp.sum(x * 2 / wnp.sqrt(wnp.mean(x * x, axis=-1, keepdims=True) * 0.5 + 1e-5)),
    "softmax": lambda x: -wnp.sum(wax.nn.log_softmax(x, axis=-1)[:, 0]),
}


@pytest.mark.parametrize("name", SUMS)
def test_sums(name, tmp_path, caplog):
    compiled(SUMS[name], (X,), tmp_path, caplog)


def test_sums_that_cannot_be_distributed(tmp_path, caplog):
    with caplog.at_level(logging.INFO, "wax.compile"):
        wax.export(lambda x: wnp.sum(wnp.astype(x, wnp.float64), axis=-1), targets=[TARGET])(X).save(
            tmp_path / "f.vmfb"
        )
    assert "compiled with O3 without distributed reductions" in caplog.text


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name, tmp_path, caplog):
    compiled(wax.grad(GRADIENTS[name]), (X,), tmp_path, caplog)


@pytest.mark.parametrize("function", [wnp.cumulative_sum, wnp.cumulative_prod, wnp.sort])
def test_loops_over_complex_numbers(function, tmp_path, caplog):
    compiled(function, (X[0].astype(np.complex64),), tmp_path, caplog)


PRODUCTS = {
    "of two matrices": lambda x: wnp.tanh(x.T @ x + 1),
    "of rows of two dims": lambda x: wnp.reshape(x, (2, 64, 512)) @ x.T,
    "of a stack": lambda x: (y := wnp.reshape(x, (4, 64, 256))) @ wnp.matrix_transpose(y),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_tiled(name, tmp_path, caplog, monkeypatch):
    given = []
    compile_text = compilation._compile_text
    monkeypatch.setattr(
        compilation,
        "_compile_text",
        lambda text, *rest, **more: (given.append(text), compile_text(text, *rest, **more))[1],
    )
    compiled(PRODUCTS[name], (X,), tmp_path, caplog)
    assert "promote_operands" in given[0]


def test_a_file_for_several_devices_has_no_tiles(tmp_path):
    wax.export(PRODUCTS["of two matrices"], targets=[TARGET, "cpu"])(X).save(tmp_path / "f.vmfb")
    found = wax.load(tmp_path / "f.vmfb", device="cpu")(X)
    np.testing.assert_allclose(np.asarray(found), np.tanh(X.T.astype("f8") @ X + 1), atol=1e-4)


def test_a_device_that_is_not_there():
    for ask in (target, cuda.enter_named):
        with pytest.raises(DeviceError, match="CUDA"):
            ask("cuda:99")
    cuda.enter_named("vulkan:0")
