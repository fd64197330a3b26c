"""Tiles of products of matrices for the threads of NVIDIA's GPUs.

The lowering marks products with their tiles, and here the marks become what IREE is to do: both factors' parts are
copied into the workgroup's memory, the next while these are multiplied, and each thread has a square of the result in
registers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

from wax.backends.iree.flags import NO_DISTRIBUTED_REDUCTIONS
from wax.backends.iree.targets import for_cuda_alone

__all__ = ["for_flags"]

_MARK = re.compile(r"thread_tiles = \[array<i64: ([^>]*)>, array<i64: ([^>]*)>, array<i64: ([^>]*)>\]")
_ATTRIBUTES = re.compile(rf" attrs = +{{{_MARK.pattern}}}")


def for_flags(text: str, flags: Sequence[str]) -> str:
    """A program whose marked products are tiled so, where flags are for CUDA alone and not the careful ones."""
    if "thread_tiles" not in text:
        return text
    if not for_cuda_alone(flags) or NO_DISTRIBUTED_REDUCTIONS[0] in flags:
        return _ATTRIBUTES.sub("", text)

    def info(found: re.Match[str]) -> str:
        workgroup, thread, summed = found.groups()
        pairs = zip(_numbers(workgroup), _numbers(thread), strict=True)
        threads = prod(whole // part for whole, part in pairs if part)
        return (
            f"compilation_info = #iree_codegen.compilation_info<"
            f"lowering_config = #iree_gpu.lowering_config<{{promote_operands = [0, 1], reduction = [{summed}], "
            f"thread = [{thread}], workgroup = [{workgroup}]}}>, translation_info = #iree_codegen.translation_info<"
            f"pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [{threads}, 1, 1] subgroup_size = 32, "
            f"{{gpu_pipeline_options = #iree_gpu.pipeline_options<prefetch_num_stages = 2, "
            f"no_reduce_shared_memory_bank_conflicts = false>}}>>"
        )

    return _MARK.sub(info, text)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]
