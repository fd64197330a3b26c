"""Two tiers of tests: `make test` takes the quick one, `make test-full` everything."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
Parameters = type(pytest.param())


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


def every_other(*sets: Iterable[Any]) -> list[Any]:
    """Parameters for all combinations, of which the quick tier takes every other one: each value with half of the rest.

    What `tiered` leaves to the full tier of one set stays there in all combinations.
    """
    made = []
    for chosen in itertools.product(*map(_numbered, sets)):
        numbers = [number for _, number in chosen if number is not None]
        is_quick = len(numbers) == len(chosen) and sum(numbers) % 2 == 0
        parameters = [one for parameters, _ in chosen for one in parameters]
        made.append(pytest.param(*parameters, marks=[] if is_quick else pytest.mark.full))
    return made


def _numbered(values: Iterable[Any]) -> Iterator[tuple[tuple[Any, ...], int | None]]:
    """The parameters of each value, and how many the quick tier takes before it; None where it does not take it."""
    numbers = itertools.count()
    for value in values:
        if isinstance(value, Parameters):
            yield value.values, None if value.marks else next(numbers)
        else:
            yield value if isinstance(value, tuple) else (value,), next(numbers)


def spread(values: Sequence[T], most: int) -> Sequence[T]:
    """As many values as `most`, spread evenly over all."""
    if len(values) <= most:
        return values
    return [values[i * len(values) // most] for i in range(most)]
