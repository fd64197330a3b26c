"""Dispatches on GPUs whose loops are for one thread of a workgroup.

IREE chooses how to translate a dispatch by an operation on whole tensors in it, and translates loops over elements
alone by nothing. So the lowering begins them with a fill that it marks, and here the fill says what IREE is to do with
the whole dispatch: nothing but to lower it, in workgroups of one thread.
"""

from __future__ import annotations

import re

__all__ = ["translated"]

_SPIRV, _LLVM = "#iree_gpu.spirv_pipeline<BaseLowering>", "#iree_gpu.pipeline<BaseLowering>"
_PIPELINES = {"vulkan": _SPIRV, "metal": _SPIRV, "cuda": _LLVM, "rocm": _LLVM}
_FILL = re.compile(r"(linalg\.fill ){one_thread}( ins\([^\n]*? outs\([^\n]*? : tensor<((?:[0-9?]+x)*))")
# A fill by a complex number is a map.
_MAP = re.compile(r"(linalg\.generic {[^\n]*? outs\([^\n]*? : tensor<((?:[0-9?]+x)*)[^\n]*?\) attrs = +){one_thread}")


def translated(text: str, platform: str) -> str:
    """A program whose marked fills say how their dispatches are to be translated for a platform."""
    if "one_thread" not in text:
        return text
    pipeline = _PIPELINES[platform]

    def info(shape: str) -> str:
        tiles = ", ".join(["0"] * shape.count("x"))
        return (
            f"{{compilation_info = #iree_codegen.compilation_info<"
            f"lowering_config = #iree_codegen.lowering_config<tile_sizes = [[{tiles}]]>, "
            f"translation_info = #iree_codegen.translation_info<pipeline = {pipeline} workgroup_size = [1, 1, 1]>>}}"
        )

    text = _FILL.sub(lambda found: found[1] + info(found[3]) + found[2], text)
    return _MAP.sub(lambda found: found[1] + info(found[2]), text)
