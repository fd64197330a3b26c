"""Every function compiled by IREE, a family in one module, against NumPy in higher precision."""

import pytest
from array_cases import FAMILIES, check

import wax
import wax.numpy as wnp

#: How much further off IREE's functions may be than the reference's, where more than a rounding is allowed at all
#:.
SLACK = 8.0


@pytest.fixture(scope="module", params=FAMILIES)
def family(request):
    """A family's cases and what one compiled module of all of them gives."""
    cases = FAMILIES[request.param]
    results = run(cases)
    return cases, results


def run(cases):
    def program(*arguments):
        return [case.function(*mine) for case, mine in zip(cases, arguments, strict=True)]

    arguments = [tuple(map(wnp.asarray, case.arguments)) for case in cases]
    return wax.jit(program, backend="iree")(*arguments)


def test_a_compiled_family_agrees_with_the_judge(family):
    cases, results = family
    failures = []
    for case, result in zip(cases, results, strict=True):
        try:
            check(case, result, SLACK if case.tolerance >= 4 else 1.0)
        except AssertionError as error:
            failures.append(str(error))
    assert not failures, "\n".join(failures)
