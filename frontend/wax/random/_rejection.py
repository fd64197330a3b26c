"""Rejection: proposals are drawn for all elements of a shape, turn after turn, until each has accepted one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wax import dtypes
from wax.control_flow import while_loop
from wax.dims import Size
from wax.numpy._basis import constant, filled, scalars
from wax.numpy._elementwise import elementwise
from wax.numpy.searching import any as any_of
from wax.random.keys import fold_in

__all__ = ["until_accepted"]

#: More turns than any of the methods here takes in the age of the universe; not for ever, whatever the parameters.
TURNS = 1000


def until_accepted(
    key: Any,
    shape: tuple[Size, ...],
    starts: Sequence[Any],
    turn: Callable[[Any, Sequence[Any]], tuple[Sequence[Any], Any]],
) -> Sequence[Any]:
    """Values of a shape, as they are when their elements are accepted.

    `turn(key, values)` gives the next values and which elements to leave as these are; it has a key of its own each
    time. An element is kept from the turn on in which it is accepted.
    """
    begin = (constant(0, dtypes.int32), filled(constant(False, dtypes.bool_), (), shape), tuple(starts))

    def goes_on(state: Any) -> Any:
        number, done, _ = state
        return (number < TURNS) & any_of(~done)

    def go_on(state: Any) -> Any:
        number, done, values = state
        proposed, accepted = turn(fold_in(key, number), values)
        kept = tuple(_unless(done, value, new) for value, new in zip(values, proposed, strict=True))
        return number + 1, done | accepted, kept

    return while_loop(goes_on, go_on, begin)[2]


@elementwise()
def _unless(done: Any, value: Any, new: Any, /) -> Any:
    return scalars.select(done, value, new)
