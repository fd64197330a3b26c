"""Which programs IREE is to compute by vectors longer than the CPU's.

IREE computes one vector after another, and each waits for a chain of dependent operations, which in functions such as
`tanh` is longer than a CPU looks ahead. Of a vector of several registers LLVM makes as many chains beside each other.
The width holds for a whole program, and products of matrices and sums would run out of registers, strided reads be put
together element by element: so it is for programs of maps alone.
"""

from __future__ import annotations

import re

__all__ = ["WIDE_VECTORS", "wants_wide_vectors"]

#: Two registers with AVX2, one with AVX-512, four with NEON.
WIDE_VECTORS = ("--iree-llvmcpu-target-vector-width-in-bytes=64",)

#: Scalar operations from which on a program's chains are long: cheaper maps wait for memory.
_LONG = 16

_OPERATION = re.compile(r'^ *(?:%[^=]* = )?"?([a-z_]\w*(?:\.\w+)*)[" ({]', re.MULTILINE)
#: A dispatch of ours, whose vectors have their width written down.
_DISPATCH = re.compile(
    r'^( *)(?:%[^=]* = )?"flow\.(?:dispatch\.region|executable)"\(.*?^\1\}\) ', re.MULTILINE | re.DOTALL
)
#: What a function does to give a dispatch a number, in words.
_WORDS = re.compile(
    r"^    %\S+ = arith\.(?:index_castui %\S+ : index to i64|shrui %\S+, %\S+ : i64|trunci %\S+ : i64 to i32)\n",
    re.MULTILINE,
)
#: What ours of maps have; others sum up, sort or gather by more.
_BY_VECTORS = {
    "builtin.module",
    "flow.dispatch.region",
    "flow.dispatch.tie_shape",
    "flow.executable",
    "flow.executable.export",
    "flow.executable_end",
    "flow.return",
    "func.func",
    "iree_tensor_ext.dispatch.tensor.load",
    "iree_tensor_ext.dispatch.tensor.store",
    "iree_tensor_ext.dispatch.workgroup_count_from_slice",
    "iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier",
    "iree_tensor_ext.dispatch.workload.ordinal",
    "return",
    "scf.for",
    "scf.forall",
    "scf.forall.in_parallel",
    "scf.if",
    "scf.yield",
    "tensor.empty",
    "tensor.extract_slice",
    "tensor.parallel_insert_slice",
    "vector.constant_mask",
    "vector.create_mask",
    "vector.reduction",
    "vector.transfer_read",
    "vector.transfer_write",
}
_AROUND = {
    "module",
    "flow.dispatch",
    "func.func",
    "return",
    "linalg.generic",
    "linalg.yield",
    "tensor.empty",
    "tensor.dim",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "cf.assert",
}


def _is_map_by_vectors(dispatch: str) -> bool:
    done = {found[1] for found in _OPERATION.finditer(dispatch)} - _BY_VECTORS
    return all(one.startswith(("arith.", "math.")) for one in done)


def wants_wide_vectors(text: str) -> bool:
    """Whether a program in linalg is long maps, and nothing that is read or summed in another way."""
    if '"reduction"' in text:
        return False
    # Maps of ours are no hindrance, and no reason.
    rest = _WORDS.sub("", _DISPATCH.sub(lambda found: "" if _is_map_by_vectors(found[0]) else found[0], text))
    done = [found[1] for found in _OPERATION.finditer(rest) if found[1] not in _AROUND and found[1] != "arith.constant"]
    return len(done) >= _LONG and all(one.startswith(("arith.", "math.")) for one in done)
