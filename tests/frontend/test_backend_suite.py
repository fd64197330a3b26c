"""The end-to-end programs, on IREE's CPU and on accelerators."""

import pytest

import wax.testing
from wax.testing import check, programs

PROGRAMS = list(programs())
OPEN = [program for program in PROGRAMS if program.dynamic_shapes]


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_a_program_runs_on_the_cpu(program):
    check(program, backend="iree")


@pytest.mark.parametrize("program", OPEN, ids=str)
def test_a_program_of_open_sizes_runs_on_the_cpu(program):
    check(program, backend="iree", dynamic=True)


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_a_program_runs_on_an_accelerator(program, accelerator):
    check(program, device=accelerator)


@pytest.mark.full
@pytest.mark.parametrize("program", OPEN, ids=str)
def test_a_program_of_open_sizes_runs_on_an_accelerator(program, accelerator):
    check(program, device=accelerator, dynamic=True)


def test_the_suite_names_what_fails_and_what_should():
    with pytest.raises(AssertionError, match="a-scalar: works, and is expected to fail: it is said to"):
        wax.testing.backend_suite("reference", expected_failures={"a-scalar": "it is said to", "no-such": "?"})
