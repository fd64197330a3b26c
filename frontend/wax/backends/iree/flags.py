"""The flags that wax passes to IREE's compiler, and why. The order in which sets are tried is `ladder.py`'s part."""

from __future__ import annotations

from collections.abc import Sequence

from wax.backends.iree.targets import Target, flags_for

__all__ = [
    "ASYNCHRONOUS",
    "CONVERSIONS",
    "DATA_TILING",
    "EARLY_DATA_TILING",
    "NO_DISTRIBUTED_REDUCTIONS",
    "NO_HOISTING",
    "NO_MICROKERNELS",
    "NO_MULTI_USE_FUSION",
    "base_flags",
]

# Needed for large f32 matmuls (4x slower without), off by default even at O3.
DATA_TILING = ("--iree-opt-data-tiling=true", "--iree-llvmcpu-enable-ukernels=all")

# The same, set before dispatches are formed: as fast on matmuls of two dims, not on batched ones, and it
# compiles where the other packs a fused softmax or normalisation of dynamic size and fails.
EARLY_DATA_TILING = ("--iree-global-opt-data-tiling=true", "--iree-llvmcpu-enable-ukernels=all")

# Only tiled products call these, and their bitcode is read for each program.
NO_MICROKERNELS = ("--iree-llvmcpu-enable-ukernels=none",)

# With this fusion, transformer blocks fail at O2 and O3: "exceeded stack allocation limit".
NO_MULTI_USE_FUSION = ("--iree-dispatch-creation-fuse-multi-use=false",)

# What depends on constants only is hoisted out of functions, and in some programs in an order that IREE then
# refuses: "jit global source initialization order invalid".
NO_HOISTING = ("--iree-opt-const-expr-hoisting=false",)

# Some reductions IREE "failed to distribute" over a GPU's lanes, as the f64 sums of what was f32.
NO_DISTRIBUTED_REDUCTIONS = ("--iree-codegen-llvmgpu-use-reduction-vector-distribution=false",)

# Functions take fences, and return when their work is in the device's queue. Not for CPUs: calls there cost less than
# a fence, and read memory that may be NumPy's to write to after the call.
ASYNCHRONOUS = ("--iree-execution-model=async-external",)

# With these IREE changes the types of a whole program.
CONVERSIONS = ("--iree-input-demote-", "--iree-input-promote-")

_ALWAYS = (
    # f64 would silently become f32.
    "--iree-input-demote-f64-to-f32=false",
    # `cf.assert` would silently be dropped; it is how generated run-time checks raise.
    "--iree-opt-strip-assertions=false",
    # To find out whether a program is PyTorch's, StableHLO's or TOSA's, IREE loads all these dialects, and each of its
    # canonicalizations then collects the patterns of all: an eighth of a small program's compile time.
    "--iree-input-type=none",
)


def base_flags(targets: Sequence[Target]) -> tuple[str, ...]:
    """The flags of every compilation for targets. Raises `BackendError`."""
    return (*flags_for(targets), *_ALWAYS)
