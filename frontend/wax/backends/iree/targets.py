"""What IREE compiles for: the target of a GPU, from what its driver says of it.

IREE's names of targets (`ampere`, `rdna2`) assume things of a device that may not hold, such as its subgroups' size,
and a program compiled on wrong assumptions gives wrong numbers and no error. So each target is written out.
"""

from __future__ import annotations

import ctypes
import logging
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from wax_runtime.devices import Device
from wax_runtime.errors import BackendError, DeviceError
from wax_runtime.iree import hal

__all__ = ["cuda_target", "flags_for", "vulkan_target"]

_log = logging.getLogger("wax.compile")


@dataclass(frozen=True, slots=True)
class _Workgroups:
    """What a GPU's workgroups can do, in IREE's words."""

    compute: tuple[str, ...]
    storage: tuple[str, ...]
    subgroup: tuple[str, ...]
    subgroup_sizes: tuple[int, ...]
    sizes: tuple[int, int, int]
    threads: int
    memory: int
    counts: tuple[int, int, int]

    def __str__(self) -> str:
        return (
            f"<compute = {_either(self.compute)}, storage = {_either(self.storage)}, "
            f"subgroup = {_either(self.subgroup)}, subgroup_size_choices = {list(self.subgroup_sizes)}, "
            f"max_workgroup_sizes = {list(self.sizes)}, max_thread_count_per_workgroup = {self.threads}, "
            f"max_workgroup_memory_bytes = {self.memory}, max_workgroup_counts = {list(self.counts)}>"
        )


def _either(names: Iterable[str]) -> str:
    return "|".join(names) or "none"


def _target(driver: str, architecture: str, features: str, workgroups: _Workgroups) -> str:
    executable = {"vulkan": '"vulkan-spirv", "vulkan-spirv-fb"', "cuda": '"cuda", "cuda-nvptx-fb"'}[driver]
    info = f'#iree_gpu.target<arch = "{architecture}", features = "{features}", wgp = {workgroups}>'
    return (
        f'#hal.device.target<"{driver}", [#hal.executable.target<{executable}, {{iree_codegen.target_info = {info}}}>]>'
    )


_ALL_COMPUTE = ("fp64", "fp32", "fp16", "int64", "int32", "int16", "int8")
_ALL_STORAGE = ("b64", "b32", "b16", "b8")


def cuda_target(capability: tuple[int, int]) -> str:
    """The target of NVIDIA's GPUs of a compute capability, such as (9, 0)."""
    # What all of them have from Volta on.
    workgroups = _Workgroups(
        _ALL_COMPUTE, _ALL_STORAGE, ("shuffle", "arithmetic"), (32,), (1024, 1024, 1024), 1024, 49152,
        (2147483647, 65535, 65535),
    )  # fmt: skip
    # The version of PTX that knows the architecture; later drivers translate earlier ones.
    ptx = "ptx78" if capability >= (9, 0) else "ptx75" if capability > (8, 6) else "ptx70"
    return _target("cuda", f"sm_{capability[0]}{capability[1]}", f"+{ptx}", workgroups)


def vulkan_target(told: str) -> str:
    """The target of a Vulkan device, from the properties that IREE's driver tells of it."""

    def has(feature: str) -> bool:
        return re.search(rf"\b{feature}=yes\b", told) is not None

    def number(name: str, default: int) -> int:
        found = re.search(rf"\b{name}=(\d+)", told)
        return int(found[1]) if found else default

    # IREE's driver asks devices for all of these that they have. Of 64 bits it does not tell: they are tried.
    compute = [
        "fp64",
        "fp32",
        *["fp16"] * has("shaderFloat16"),
        "int64",
        "int32",
        "int16",
        *["int8"] * has("shaderInt8"),
    ]
    storage = ["b64", "b32", *["b16"] * has("storageBuffer16BitAccess"), *["b8"] * has("storageBuffer8BitAccess")]
    version = re.search(r"^api: (\d+)\.(\d+)", told, re.MULTILINE)
    spirv = "v1.6" if version and (int(version[1]), int(version[2])) >= (1, 3) else "v1.5"
    name = re.search(r"^driver: (.*)$", told, re.MULTILINE)
    architecture = re.sub(r"\W", "", name[1]) if name else "vulkan"
    low = number("minSubgroupSize", number("size", 32))
    high = max(low, number("maxSubgroupSize", low))
    operations = re.search(r"operations=0x([0-9a-fA-F]+)", told)
    bits = int(operations[1], 16) if operations else 0
    emulated = "\ntype: cpu\n" in told
    # VkSubgroupFeatureFlagBits. Programs on the CPU call these slow, or wrong.
    subgroup = [] if emulated else ["shuffle"] * bool(bits & 0x10) + ["arithmetic"] * bool(bits & 0x4)
    sizes = [size for size in (1, 2, 4, 8, 16, 32, 64, 128) if low <= size <= high]
    workgroups = _Workgroups(
        tuple(compute), tuple(storage), tuple(subgroup), tuple(sizes), (1024, 1024, 64), 1024, 32768,
        (65535, 65535, 65535),
    )  # fmt: skip
    return _target("vulkan", architecture, f"spirv:{spirv},cap:Shader", workgroups)


@cache
def _capability(index: int) -> tuple[int, int]:
    """The compute capability of a CUDA device, which IREE does not tell. Raises `DeviceError`."""
    try:
        driver = ctypes.CDLL("nvcuda.dll" if hasattr(ctypes, "WinDLL") else "libcuda.so.1")
    except OSError as error:
        raise DeviceError(f"cuda:{index} cannot be asked what it is: {error}") from error
    device, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR of cuda.h.
    failed = (
        driver.cuInit(0)
        or driver.cuDeviceGet(ctypes.byref(device), index)
        or driver.cuDeviceGetAttribute(ctypes.byref(major), 75, device)
        or driver.cuDeviceGetAttribute(ctypes.byref(minor), 76, device)
    )
    if failed:
        raise DeviceError(f"cuda:{index} cannot be asked what it is: CUDA's driver says {failed}")
    return major.value, minor.value


_CPU = (
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-debug-symbols=false",
)


def _cpu(index: int) -> tuple[str, ...]:
    return (*_CPU, "--iree-llvmcpu-target-cpu=host")


def _cuda(index: int) -> tuple[str, ...]:
    return (f"--iree-hal-target-device={cuda_target(_capability(index))}",)


@cache
def _vulkan(index: int) -> tuple[str, ...]:
    told = hal.properties(f"vulkan:{index}")
    mesa = re.search(r"\bllvmpipe\b.*\bMesa (\d+)", told, re.DOTALL)
    if mesa and int(mesa[1]) < 25:
        _log.warning(
            "vulkan:%d is Mesa %s's llvmpipe, whose loops end after 65535 turns: sums over more elements may be wrong",
            index,
            mesa[1],
        )
    return (f"--iree-hal-target-device={vulkan_target(told)}",)


_PLATFORMS: dict[str, Callable[[int], tuple[str, ...]]] = {"cpu": _cpu, "cuda": _cuda, "vulkan": _vulkan}


def flags_for(device: Device) -> tuple[str, ...]:
    """The flags that name a device of this machine as the target. Raises `DeviceError`, `BackendError`."""
    if device.platform not in _PLATFORMS:
        raise BackendError(
            f"the iree backend does not compile for {device}; it compiles for {', '.join(sorted(_PLATFORMS))}"
        )
    return _PLATFORMS[device.platform](device.index)
