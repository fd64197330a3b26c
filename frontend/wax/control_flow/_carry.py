"""What a loop carries: the same pytree, shapes and dtypes after each turn as before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wax import dtypes, tree
from wax.abstract import Abstract
from wax.control_flow._region import Region, check_structure, common, describe, lift_leaves, settled
from wax.dims import same_shape
from wax.errors import ControlFlowError, PromotionError
from wax.numpy._basis import carried
from wax.tracer import Tracer

__all__ = ["Carry", "lift_carry", "traced_turn"]


@dataclass(slots=True, eq=False)
class Carry:
    """The values that a loop begins with, as tracers of the current trace."""

    what: str
    leaves: list[Tracer]
    structure: tree.Structure

    def abstracts(self) -> list[Abstract]:
        """Their abstract values, which are those of each turn."""
        return [Abstract(x.shape, x.dtype, x.weak) for x in self.leaves]

    def targets(self) -> list[dtypes.Carried]:
        """The dtypes that they are carried as."""
        return [carried(x) for x in self.leaves]

    def rebuild(self, leaves: Sequence[Any]) -> Any:
        """The pytree of other values."""
        return tree.unflatten(self.structure, leaves)


def lift_carry(what: str, init: Any, role: str) -> Carry:
    """Raises `ArgumentTypeError` for a leaf that is no array."""
    leaves, structure = tree.flatten(init)
    return Carry(what, lift_leaves(what, role, leaves, structure, role), structure)


def traced_turn(
    carry: Carry, role: str, trace_it: Callable[[Sequence[Abstract]], tuple[Region, list[Tracer], tree.Structure]]
) -> tuple[Region, list[Tracer]]:
    """The body, traced for what the loop carries, and what it gives of that.

    Python numbers that the loop begins with take the dtype that a turn gives them, as they would where they met an
    array; the body is traced once more for it. Raises `ControlFlowError` where a turn changes what is carried.
    """
    while True:
        region, results, structure = trace_it(carry.abstracts())
        check_structure(carry.what, f"{role} at first", carry.structure, "after a turn", structure)
        if not _promote(carry, results):
            break
    paths = tree.leaf_codes(carry.structure, role)
    for path, x, y in zip(paths, carry.leaves, results, strict=True):
        if not same_shape(x.shape, y.shape):
            raise ControlFlowError(
                f"{carry.what}: {path} is {describe(x)} at first and {describe(y)} after a turn; "
                f"what a loop carries cannot change its shape"
            )
        if common(carry.what, path, "what the loop begins with", x, "what a turn gives", y) != carried(x):
            raise ControlFlowError(
                f"{carry.what}: {path} is {describe(x)} at first and {describe(y)} after a turn; "
                f"what a loop carries cannot change its dtype: convert one with .astype"
            )
    return region, results


def _promote(carry: Carry, results: Sequence[Tracer]) -> bool:
    """Converts weak values that a turn makes others of; whether there was one."""
    changed = False
    for index, (x, y) in enumerate(zip(carry.leaves, results, strict=True)):
        if not x.weak or carried(x) == carried(y):
            continue
        try:
            target = dtypes.promote(carry.what, [carried(x), carried(y)])
        except PromotionError:
            continue
        if target != carried(x):
            carry.leaves[index] = settled(x, target)
            changed = True
    return changed
