"""Two tiers of tests: `make test` takes the quick one, `make test-full` everything."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def is_quick(config: pytest.Config) -> bool:
    """Whether it is the quick tier, by the marker expression that `make` gives."""
    return "not full" in str(config.getoption("markexpr"))


def tiered(values: Iterable[Any], is_quick: Callable[[Any], bool]) -> list[Any]:
    """Parameters for `pytest.mark.parametrize`, of which the quick tier takes some. A tuple is several parameters."""
    made = []
    for value in values:
        parameters = value if isinstance(value, tuple) else (value,)
        made.append(pytest.param(*parameters, marks=[] if is_quick(value) else pytest.mark.full))
    return made


def every_other(first: Iterable[Any], second: Sequence[Any]) -> list[Any]:
    """Parameters for all pairs, of which the quick tier takes every other one: each value with half of the others."""
    made = []
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            parameters = other if isinstance(other, tuple) else (other,)
            made.append(pytest.param(one, *parameters, marks=[] if (i + j) % 2 == 0 else pytest.mark.full))
    return made


def spread(values: Sequence[T], most: int) -> Sequence[T]:
    """As many values as `most`, spread evenly over all."""
    if len(values) <= most:
        return values
    return [values[i * len(values) // most] for i in range(most)]
