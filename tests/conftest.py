"""What holds for every pytest suite: one cache under build/, one thread a judge, tiers and devices."""

import functools
import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from tiers import is_quick

if TYPE_CHECKING:
    from wax_runtime.devices import Device

BUILD = Path(os.environ.get("WAX_BUILD_DIR", Path(__file__).resolve().parent.parent / "build"))

# Read when the libraries are first imported, which is after this. The suite runs as several processes
# on few cores, so each judge gets one thread.
os.environ.setdefault("WAX_CACHE_DIR", str(BUILD / "test-cache"))
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("WAX_VERIFY_PASSES", "1")
os.environ.setdefault("JAX_ENABLE_X64", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# The quick tier sees the same examples each time; the full tier looks for new ones.
slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "quick", max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=slow
)
settings.register_profile("full", max_examples=200, deadline=None, suppress_health_check=slow)


def pytest_configure(config: pytest.Config) -> None:
    """Takes Hypothesis' profile from the tier."""
    settings.load_profile("quick" if is_quick(config) else "full")


def _forget() -> None:
    """Leaves what there is out of Python's garbage collections, which took seconds each as modules piled up."""
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    _forget()


@pytest.fixture(scope="module", autouse=True)
def _each_module() -> Iterator[None]:
    yield
    _forget()


@functools.cache
def opens(driver: str) -> str:
    """Why IREE's driver opens no device here; empty where it does."""
    import iree.runtime

    try:
        iree.runtime.get_driver(driver).create_default_device()
    except (RuntimeError, ValueError) as error:
        return str(error).splitlines()[0]
    return ""


#: Devices whose memory the host does not reach: a fixture of these runs its tests on each.
ACCELERATORS = [
    pytest.param("vulkan", marks=pytest.mark.vulkan, id="vulkan"),
    pytest.param("cuda", marks=pytest.mark.gpu, id="cuda"),
]


@pytest.fixture(params=ACCELERATORS)
def accelerator(request: pytest.FixtureRequest) -> "Device":
    """The first device of a platform."""
    from wax_runtime.devices import devices

    return devices(request.param)[0]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips what needs a device that this machine lacks."""
    for marker, driver in (("gpu", "cuda"), ("vulkan", "vulkan")):
        if item.get_closest_marker(marker) and (reason := opens(driver)):
            pytest.skip(f"no {driver} device: {reason}")
