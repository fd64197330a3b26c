"""What was chosen, as functions of the dialect that take the place of values of the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wax import dtypes
from wax.choose._egraph import Classes
from wax.choose._extraction import Step
from wax.choose._terms import Constant, Leaf, Name, Source
from wax.dims import Size
from wax.numpy._basis import constant, filled, placed, scalars
from wax.numpy._contraction import transposed, without_repeats
from wax.numpy._reduction import summed

__all__ = ["Builder"]

#: An array, or a number, and the indices that its dims are.
_Operand = tuple[Any, tuple[Name, ...]]

_SCALARS: Mapping[str, Callable[..., Any]] = {
    "Add": scalars.add,
    "Sub": scalars.subtract,
    "Mul": scalars.multiply,
    "Div": scalars.divide,
}


def _joined(*operands: Any, dtype: dtypes.DType, operator: str) -> Any:
    return _SCALARS[operator](*[one if isinstance(one, int | float) else scalars.cast(one, dtype) for one in operands])


class Builder:
    """Traces chosen steps, in a trace that is there: each class once.

    `array_of` gives the array of a source.
    """

    def __init__(
        self,
        classes: Classes,
        steps: Mapping[str, Step],
        sizes: Mapping[Name, Size],
        dtype: dtypes.DType,
        array_of: Callable[[Source], Any],
    ) -> None:
        self._classes, self._steps, self._sizes, self._dtype = classes, steps, sizes, dtype
        self._array_of = array_of
        self._made: dict[str, _Operand] = {}

    def array(self, name: str, names: Sequence[Name]) -> Any:
        """A class as an array, with these indices as its dims."""
        value, own = self._with(self._operand(name, names), frozenset(names))
        return transposed(_whole(value, self._dtype), own, names)

    def _operand(self, name: str, order: Sequence[Name] = ()) -> _Operand:
        """A class, and the indices that its dims are, in `order` where it is made so."""
        if name not in self._made:
            step = self._steps[name]
            value, own = self._leaf(step.leaf) if step.leaf is not None else self._operation(step, order)
            self._made[name] = self._with((value, own), self._classes.free[name])
        return self._made[name]

    def _leaf(self, leaf: Leaf | Constant) -> _Operand:
        if isinstance(leaf, Constant):
            return leaf.value, ()
        value, names = without_repeats(self._array_of(leaf.source), leaf.names)
        return value, tuple(names)

    def _operation(self, step: Step, order: Sequence[Name]) -> _Operand:
        if step.operator is None:
            (child,) = step.children
            value, names = self._operand(child)
            axes = [axis for axis, name in enumerate(names) if name in step.summed]
            made = summed(_whole(value, self._dtype), axes, self._dtype)
            return made, tuple([name for name in names if name not in step.summed])
        operands = [self._operand(child, () if step.summed else order) for child in step.children]
        if step.operator == "Mul":
            # As a product of matrices is written: what is summed is the last dim of the first.
            operands.sort(key=lambda one: one[1][-1:] == () or one[1][-1] not in step.summed)
        have = dict.fromkeys(name for _, names in operands for name in names)
        kept = [name for name in dict.fromkeys((*order, *have)) if name in have and name not in step.summed]
        dims = [*kept, *sorted(step.summed)]
        if not have:
            operands[0] = (_whole(operands[0][0], self._dtype), ())
        places = [(value, [dims.index(name) for name in names]) for value, names in operands]
        joined = placed(_joined, places, dtype=self._dtype, operator=step.operator)
        made = summed(joined, range(len(kept), len(dims)), self._dtype) if step.summed else joined
        return made, tuple(kept)

    def _with(self, operand: _Operand, names: frozenset[Name]) -> _Operand:
        """With a dim for each of these indices, repeated along those that it does not depend on."""
        value, own = operand
        missing = sorted(names - set(own))
        if not missing:
            return operand
        sizes = [self._sizes[name] for name in missing]
        return filled(_whole(value, self._dtype), range(len(own)), sizes), (*own, *missing)


def _whole(value: Any, dtype: dtypes.DType) -> Any:
    """A number as an array of rank 0; an array itself."""
    return constant(value, dtype) if isinstance(value, int | float) else value
