"""What IREE compiles for: the target of a GPU, from what its driver says of it.

IREE's names of targets (`ampere`, `rdna2`) assume things of a device that may not hold, such as its subgroups' size,
and a program compiled on wrong assumptions gives wrong numbers and no error. So each target is written out.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from wax import _native
from wax.backends.iree.tools import tool
from wax_runtime.errors import BackendError
from wax_runtime.iree import cuda, hal

__all__ = [
    "OTHER_CPU",
    "UNLINKED",
    "Target",
    "are_for",
    "cuda_target",
    "flags_for",
    "for_cuda_alone",
    "target",
    "vulkan_target",
]

#: Linked, what is for one device keeps a file from loading on another.
UNLINKED = "--iree-hal-link-executables=false"

#: Flags that a user may give, of another CPU than the target's.
OTHER_CPU = ("--iree-llvmcpu-target-cpu", "--iree-llvmcpu-target-triple")

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
    # What all of them have from Volta on. Their matrix instructions are left out: with them IREE 3.13 gives wrong
    # numbers for products whose sizes are no multiples of theirs and whose result is transposed, and for some patches.
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


@dataclass(frozen=True, slots=True)
class Target:
    """What a program is compiled for, as flags: the value of `--iree-hal-target-device`, and others.

    `local` is whether it is a CPU, which programs are compiled for in another way than for GPUs; `cpu` is LLVM's name
    of one of x86-64.
    """

    name: str
    platform: str
    device: str
    flags: tuple[str, ...] = ()
    cpu: str = ""

    @property
    def local(self) -> bool:
        return self.platform == "cpu"

    @property
    def processor(self) -> str:
        """What the CPU has that programs are lowered for, as `wax-tile-products` spells it."""
        return _native.processor(self.cpu)


_LOCAL = ("--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-debug-symbols=false")

# Processors with AVX-512 have panels longer than IREE's limit, 32 kB, of squares or not. Its workers' stacks have 128.
_MORE_STACK = (f"--iree-llvmcpu-stack-allocation-limit={64 * 1024}",)


def _triple(triple: str, cpu: str, *more: str) -> Callable[[str], tuple[str, ...]]:
    return lambda named: (
        f"--iree-llvmcpu-target-triple={triple}",
        f"--iree-llvmcpu-target-cpu={named or cpu}",
        *more,
    )


# By architecture, the flags for one of its CPUs; without a name, one that runs on all.
_ARCHITECTURES: dict[str, Callable[[str], tuple[str, ...]]] = {
    "host": lambda named: ("--iree-llvmcpu-target-cpu=host",),
    "x86_64": _triple("x86_64-unknown-linux-gnu", "x86-64"),
    "aarch64": _triple("aarch64-unknown-linux-gnu", "generic"),
    "riscv64": _triple(
        "riscv64-unknown-linux-gnu", "generic-rv64",
        "--iree-llvmcpu-target-cpu-features=+m,+a,+f,+d,+c", "--iree-llvmcpu-target-abi=lp64d",
    ),
    "wasm32": lambda named: (
        "--iree-llvmcpu-target-triple=wasm32-unknown-unknown",
        "--iree-llvmcpu-target-cpu-features=+atomics,+bulk-memory,+simd128",
        # Found by itself in `iree-compile` only.
        f"--iree-llvmcpu-wasm-linker-path={tool('iree-lld')}",
    ),
}  # fmt: skip


def _cpu(which: str) -> Target:
    architecture, _, cpu = ("host" if which in ("", "0") else which).partition("/")
    flags = _ARCHITECTURES.get(architecture)
    if flags is None or (cpu and architecture in ("host", "wasm32")) or not re.fullmatch(r"[\w.+-]*", cpu):
        raise BackendError(
            f"the iree backend knows no CPU {which!r}; it compiles for {', '.join(sorted(_ARCHITECTURES))}, and for "
            f"one of an architecture's CPUs, such as 'cpu:x86_64/x86-64-v3'"
        )
    name = "cpu" + f":{which}" * (architecture != "host")
    known = "host" if architecture == "host" else cpu * (architecture == "x86_64")
    more = _MORE_STACK if _native.processor(known).startswith(("avx512", "amx")) else ()
    return Target(name, "cpu", "local", (*_LOCAL, *flags(cpu), *more), known)


def _cuda(which: str) -> Target:
    named = re.fullmatch(r"sm_(\d+)(\d)", which)
    if named:
        return Target(f"cuda:{which}", "cuda", cuda_target((int(named[1]), int(named[2]))))
    capability = cuda.capability(_index("cuda", which, "a compute capability, such as 'cuda:sm_80'"))
    return Target(f"cuda:sm_{capability[0]}{capability[1]}", "cuda", cuda_target(capability))


# What every device has that drives Vulkan 1.1. A program that needs more does not compile for it.
_PORTABLE = _target(
    "vulkan", "portable", "spirv:v1.3,cap:Shader",
    _Workgroups(("fp32", "int32"), ("b32",), (), (32,), (128, 128, 64), 128, 16384, (65535, 65535, 65535)),
)  # fmt: skip


def _vulkan(which: str) -> Target:
    if which == "portable":
        return Target("vulkan:portable", "vulkan", _PORTABLE)
    index = _index("vulkan", which, "'vulkan:portable'")
    return Target(f"vulkan:{index}", "vulkan", _vulkan_here(index))


@cache
def _vulkan_here(index: int) -> str:
    told = hal.properties(f"vulkan:{index}")
    mesa = re.search(r"\bllvmpipe\b.*\bMesa (\d+)", told, re.DOTALL)
    if mesa and int(mesa[1]) < 25:
        _log.warning(
            "vulkan:%d is Mesa %s's llvmpipe, whose loops end after 65535 turns: sums over more elements may be wrong",
            index,
            mesa[1],
        )
    return vulkan_target(told)


def _rocm(which: str) -> Target:
    if not re.fullmatch(r"gfx[0-9a-f]+", which):
        raise BackendError(f"'rocm:{which}' is no target: name a GPU's architecture, such as 'rocm:gfx942'")
    return Target(f"rocm:{which}", "rocm", "hip", (f"--iree-rocm-target={which}",))


def _metal(which: str) -> Target:
    if which:
        raise BackendError(f"'metal:{which}' is no target: there is one for all of Apple's GPUs, 'metal'")
    return Target("metal", "metal", "metal", ("--iree-metal-compile-to-metallib=false",))


def _index(platform: str, which: str, else_name: str) -> int:
    if which and not which.isdecimal():
        raise BackendError(
            f"'{platform}:{which}' is no target: name a device of this machine, such as '{platform}:0', or {else_name}"
        )
    return int(which or 0)


_PLATFORMS: dict[str, Callable[[str], Target]] = {
    "cpu": _cpu,
    "cuda": _cuda,
    "metal": _metal,
    "rocm": _rocm,
    "vulkan": _vulkan,
}


def target(name: str) -> Target:
    """What `cpu`, `cuda:1` or `rocm:gfx942` name: a device of this machine, or one that need not be there.

    Raises `BackendError` for another name, `DeviceError` for a device that is not there.
    """
    platform, _, which = name.partition(":")
    if platform not in _PLATFORMS:
        raise BackendError(
            f"the iree backend does not compile for {name!r}; it compiles for {', '.join(sorted(_PLATFORMS))}"
        )
    return _PLATFORMS[platform](which)


def are_for(flags: Sequence[str], *platforms: str) -> bool:
    """Whether flags are for one of some platforms, among others or not."""
    devices = [flag for flag in flags if flag.startswith("--iree-hal-target-device=")]
    return any(platform in device for device in devices for platform in platforms)


def for_cuda_alone(flags: Sequence[str]) -> bool:
    """Whether flags are for NVIDIA's GPUs and for nothing else."""
    return any(flag.startswith('--iree-hal-target-device=#hal.device.target<"cuda"') for flag in flags)


def flags_for(targets: Sequence[Target]) -> tuple[str, ...]:
    """The flags that name these targets: one program in the file for each. Raises `BackendError`."""
    if len(targets) == 1:
        return (f"--iree-hal-target-device={targets[0].device}", *targets[0].flags)
    for platform in {one.platform for one in targets}:
        names = [one.name for one in targets if one.platform == platform]
        if len(names) > 1:
            raise BackendError(f"one file has one program for each platform, and {' and '.join(names)} are of one")
    devices = [one.device if one.device.startswith("#") else f'#hal.device.alias<"{one.device}">' for one in targets]
    select = ", ".join(f"{device} : !hal.device" for device in devices)
    return (
        f"--iree-hal-target-device=#hal.device.select<[{select}]> : !hal.device",
        *(flag for one in targets for flag in one.flags),
        UNLINKED,
    )
