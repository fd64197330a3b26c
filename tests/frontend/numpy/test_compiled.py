"""Every function compiled by IREE, a family in one module, against NumPy in higher precision."""

import pytest
from array_cases import FAMILIES, check

import wax
import wax.numpy as wnp

#: A module takes seconds to compile, so the quick tier leaves some dtypes to the full one.
FULL = {"int16", "int64", "uint16", "uint32", "float16", "float64", "complex128"}


def tiered(name):
    return pytest.param(name, marks=pytest.mark.full) if name.split("-")[-1] in FULL else name


@pytest.fixture(scope="module", params=map(tiered, FAMILIES))
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
            check(case, result)
        except AssertionError as error:
            failures.append(str(error))
    assert not failures, "\n".join(failures)
