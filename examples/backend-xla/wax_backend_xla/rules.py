"""What the backend can do, declared: a rule for each operation of the basis."""

from __future__ import annotations

from wax_backend_xla import control, folds, indexing, spectral, structural, windows
from wax_backend_xla.scalars import SCALARS
from wax_backend_xla.scope import Rule

__all__ = ["RULES"]

RULES: dict[str, Rule] = {
    # Pointwise.
    "wax.map": structural.map_,
    "wax.broadcast": structural.broadcast,
    # Reductions and order.
    "wax.reduce": folds.reduce_,
    "wax.scan": folds.scan,
    "wax.sort": folds.sort,
    # Structural.
    "wax.constant": structural.constant,
    "wax.iota": structural.iota,
    "wax.permute": structural.permute,
    "wax.reshape": structural.reshape,
    "wax.slice": structural.slice_,
    "wax.pad": structural.pad,
    "wax.concat": structural.concat,
    "wax.gather": indexing.gather,
    "wax.reverse": structural.reverse,
    "wax.window": windows.window,
    "wax.fold": windows.fold,
    # Spectral.
    "wax.convolve": spectral.convolve,
    "wax.fft": spectral.fft,
    # Updates.
    "wax.insert": structural.insert,
    "wax.scatter": indexing.scatter,
    # Glue.
    "func.call": control.call,
    "wax.checkpoint": control.checkpoint,
    "wax.name": control.cast,
    "scf.if": control.if_,
    "scf.for": control.for_,
    "scf.while": control.while_,
    "tensor.dim": control.dim,
    "tensor.extract": control.extract,
    "tensor.from_elements": control.from_elements,
    "tensor.cast": control.cast,
    "arith.constant": control.constant,
    **{name: control.scalar_operation for name in SCALARS if name.startswith("arith.")},
}
