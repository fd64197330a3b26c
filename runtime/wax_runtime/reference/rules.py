"""What the reference backend can do, declared: one table of rules, one list of patterns.

A backend of one's own may begin as `Rules({**RULES.operations, "my.op": my_rule}, RULES.patterns)`.
"""

from __future__ import annotations

from wax_runtime.reference import (
    control,
    convolve,
    gather,
    glue,
    pointwise,
    reduce,
    scan,
    scatter,
    sort,
    spectral,
    structural,
    windows,
)
from wax_runtime.reference.contraction import contraction
from wax_runtime.reference.kernels import SCALARS
from wax_runtime.reference.outer import outer
from wax_runtime.reference.plan import Rule, Rules

__all__ = ["RULES"]

_OPERATIONS: dict[str, Rule] = {
    # Pointwise.
    "wax.map": pointwise.map_,
    "wax.broadcast": pointwise.broadcast,
    # Reductions.
    "wax.reduce": reduce.reduce_,
    "wax.scan": scan.scan,
    # Ordering.
    "wax.sort": sort.sort,
    # Structural.
    "wax.constant": structural.constant,
    "wax.iota": structural.iota,
    "wax.permute": structural.permute,
    "wax.reshape": structural.reshape,
    "wax.slice": structural.slice_,
    "wax.pad": structural.pad,
    "wax.concat": structural.concat,
    "wax.gather": gather.gather,
    "wax.reverse": structural.reverse,
    "wax.window": windows.window,
    "wax.fold": windows.fold,
    # Spectral.
    "wax.convolve": convolve.convolve,
    "wax.fft": spectral.fft,
    # Updates.
    "wax.insert": scatter.insert,
    "wax.scatter": scatter.scatter,
    # Glue.
    "func.call": control.call,
    "wax.checkpoint": control.checkpoint,
    "wax.name": glue.cast,
    "scf.if": control.if_,
    "scf.for": control.for_,
    "scf.while": control.while_,
    "cf.assert": control.assert_,
    "tensor.dim": glue.dim,
    "tensor.extract": glue.extract,
    "tensor.from_elements": glue.from_elements,
    "tensor.cast": glue.cast,
    "arith.constant": glue.constant,
    **{name: glue.scalar_operation for name in SCALARS if name.startswith("arith.")},
}

RULES = Rules(_OPERATIONS, patterns=(contraction, outer))
