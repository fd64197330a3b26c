"""`static_assert`: what must hold of a call for a function to be traced."""

from __future__ import annotations

import numpy as np

from wax.errors import InvalidArgumentError, StaticAssertionError

__all__ = ["static_assert"]


def static_assert(condition: bool | np.bool_, message: str = "") -> None:
    """Stops the tracing of a function where a condition on shapes, dtypes or static arguments does not hold.

    It costs nothing in compiled code. Of symbolic sizes only what their dims' facts answer can be asked. Raises
    `StaticAssertionError` with the user's line, `InvalidArgumentError` for what is no bool, and what a traced value
    raises where Python needs its truth.

    >>> @jit
    ... def halves(x):
    ...     static_assert(x.shape[0] % 2 == 0, "an even number of rows")
    ...     return x.reshape((2, -1))
    >>> halves(ones(6)).shape
    (2, 3)
    """
    if not isinstance(condition, bool | np.bool_):
        if hasattr(condition, "trace"):
            bool(condition)
        raise InvalidArgumentError(
            f"static_assert takes a bool, and this is {type(condition).__name__}; it is decided when a function is "
            f"traced, from shapes, dtypes and static arguments"
        )
    if not condition:
        raise StaticAssertionError(f"the assertion does not hold{f': {message}' if message else ''}")
