"""Lowered text compiled and loaded by IREE's own Python, for tests of the lowering.

The runtime's backend is not used, so that its faults are not taken for the lowering's; but what it does to a compiled
program whose host branches is done here too.
"""

import functools
from typing import Any

import ml_dtypes
import numpy as np
from iree import runtime as iree_runtime
from iree.compiler import tools as iree_tools

from wax.backends.iree.flags import NO_MICROKERNELS, NO_MULTI_USE_FUSION
from wax.backends.iree.in_place import open_loops_in
from wax.backends.iree.program_order import IN_ORDER
from wax.backends.iree.references import branches_in, told_apart
from wax.backends.iree.tiling import tiling_of

_BASE = [
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-input-demote-f64-to-f32=false",
    "--iree-opt-strip-assertions=false",
    "--iree-input-type=none",
    *IN_ORDER,
]
#: The backend's own ladder: its first rung, without tiling where nothing is to be tiled, and its last.
_FIRST = [*_BASE, "--iree-opt-level=O3", *NO_MULTI_USE_FUSION]
UNTILED_FLAGS = [*_FIRST, *NO_MICROKERNELS]
FLAGS = [*_FIRST, "--iree-opt-data-tiling=true"]
LAST_FLAGS = [*_BASE, "--iree-opt-level=O1", "--iree-opt-const-expr-hoisting=false", "--iree-opt-const-eval=false"]


@functools.cache
def config() -> Any:
    return iree_runtime.Config("local-sync")


def _compile(lowered: str, flags: list[str]) -> Any:
    if not branches_in(lowered):
        return iree_tools.compile_str(lowered, target_backends=[], extra_args=flags)
    vm = iree_tools.compile_str(lowered, target_backends=[], extra_args=[*flags, "--compile-to=vm"]).decode()
    return iree_tools.compile_str(told_apart(vm), target_backends=[], extra_args=[*flags, "--compile-from=vm"])


def load(lowered: str, *, last: bool = False) -> Any:
    """The functions of a module; with `last`, what the first set of flags does not compile, the last one may.

    It may not where the compiler crashes, which in a user's process it must not: only loops of open sizes are compiled
    in another.
    """
    tiling = tiling_of(lowered)
    lowered = tiling.text
    try:
        binary = _compile(lowered, FLAGS if tiling.wanted else UNTILED_FLAGS)
    except iree_tools.CompilerToolError as error:
        crashed = "\nError code: -" in str(error)
        if not last or (crashed and not open_loops_in(lowered)):
            raise
        binary = _compile(lowered, LAST_FLAGS)
    module = iree_runtime.VmModule.copy_buffer(config().vm_instance, binary)
    return iree_runtime.SystemContext(vm_modules=[module], config=config()).modules[module.name]


def hand_over(array: np.ndarray) -> Any:
    """An argument for IREE, whose Python knows no bfloat16 of NumPy's."""
    if array.dtype != ml_dtypes.bfloat16:
        return array
    return config().device.allocator.allocate_buffer_copy(
        memory_type=iree_runtime.MemoryType.DEVICE_LOCAL,
        allowed_usage=iree_runtime.BufferUsage.DEFAULT,
        device=config().device,
        buffer=array.view(np.uint16),
        element_type=iree_runtime.HalElementType.BFLOAT_16,
    )


def fetch(value: Any, dtype: Any) -> np.ndarray:
    """A copy of a result on the host, since the memory of a mapped bfloat16 may end with the result."""
    array = np.array(value.to_host())
    if dtype == ml_dtypes.bfloat16:
        return array.view(dtype)
    return array.astype(np.bool_) if dtype == np.bool_ else array
