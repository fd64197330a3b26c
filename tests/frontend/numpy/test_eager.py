"""Every function outside `jit`, on the reference backend, against NumPy in higher precision."""

import pytest
from array_cases import FAMILIES, check

import wax.numpy as wnp


@pytest.mark.parametrize("case", [case for family in FAMILIES.values() for case in family], ids=str)
def test_a_function_outside_jit_agrees_with_the_judge(case):
    check(case, case.function(*map(wnp.asarray, case.arguments)))
