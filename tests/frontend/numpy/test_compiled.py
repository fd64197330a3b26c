"""Every function compiled by IREE, a family in one module, against NumPy in higher precision."""

import pytest
from array_cases import FAMILIES, check
from tiers import is_quick, spread, tiered

import wax
import wax.numpy as wnp

#: A module takes seconds to compile, so the quick tier leaves some dtypes to the full one, of others takes every other
#: family, and takes so many of a family's cases; outside of `jit` it takes them all.
FULL = {"int16", "int64", "uint16", "uint32", "float16", "float64", "complex128"}
HALF = ["bfloat16", "bool", "int8", "int32", "uint8", "uint64"]
MOST = 4
FUNCTIONS = list(dict.fromkeys(name.rpartition("-")[0] for name in FAMILIES))


def is_taken(name):
    functions, _, dtype = name.rpartition("-")
    if dtype in HALF:
        return (FUNCTIONS.index(functions) + HALF.index(dtype)) % 2 == 0
    return dtype not in FULL


@pytest.fixture(scope="module", params=tiered(FAMILIES, is_taken))
def family(request):
    """A family's cases and what one compiled module of all of them gives."""
    cases = FAMILIES[request.param]
    if is_quick(request.config):
        cases = spread(cases, MOST)
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
