"""Branches and loops: eager, compiled, and as plain Python and JAX do them."""

from __future__ import annotations

import pytest
from control_programs import PROGRAMS, Program, assert_alike

import wax
import wax.numpy as wnp


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_the_reference_backend_runs_a_program_as_plain_python_does(program: Program) -> None:
    assert_alike(program.traced(*map(wnp.asarray, program.arguments)), program.plain(), program.tolerance, program.name)


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_a_compiled_program_does_as_plain_python_does(program: Program) -> None:
    compiled = wax.jit(program.traced, backend="iree")
    assert_alike(compiled(*program.arguments), program.plain(), program.tolerance, program.name)
