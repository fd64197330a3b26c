"""Random programs of the basis through every stage; `tests/fuzz.py` tries many more."""

import os
import subprocess
import sys

import derivative_checks
import kept_programs
import mlir_tools
import program_checks
import pytest
import random_programs

#: Programs that once were handled wrongly, and what was wrong.
FOUND = sorted((mlir_tools.ROOT / "tests" / "passes" / "found").glob("*.mlir"))


@pytest.fixture(autouse=True)
def verify_after_every_pass(monkeypatch):
    monkeypatch.setenv("WAX_VERIFY_PASSES", "1")


@pytest.mark.parametrize("check", ["rewrites", "upstream", "split", "mutations"])
def test_programs_keep_their_meaning(check):
    assert program_checks.CHECKS[check](range(100)) == []


def test_derivatives_are_those_of_the_program():
    """Of most programs there are numbers to judge by."""
    programs = [random_programs.program_for("derivatives", seed) for seed in range(60)]
    judged = [derivative_checks.judge(program) for program in programs]
    assert [fault for fault, _ in judged if fault] == []
    assert sum(is_judged for _, is_judged in judged) >= 20


def test_iree_agrees_with_the_reference():
    assert program_checks.iree(range(25)) == []


@pytest.mark.parametrize("check", program_checks.CHECKS)
def test_what_was_found_stays_mended(check):
    assert FOUND
    assert program_checks.CHECKS[check](FOUND) == []


def test_a_program_that_is_kept_is_the_same(tmp_path):
    for seed in range(50):
        program = random_programs.random_program(seed)
        kept_programs.write(program, tmp_path / "kept.mlir", "two lines\nof a fault")
        kept = kept_programs.read(tmp_path / "kept.mlir")
        assert kept.module("f").text() == program.module("f").text()
        assert (kept.seed, kept.types) == (seed, program.types)


@pytest.mark.full
@pytest.mark.parametrize("check", ["rewrites", "upstream", "split", "mutations", "derivatives"])
def test_many_programs_keep_their_meaning(check):
    for first in range(100, 5350, 250):
        assert program_checks.CHECKS[check](range(first, first + 250)) == []


@pytest.mark.full
@pytest.mark.parametrize("first", range(25, 425, 25))
def test_iree_agrees_with_the_reference_on_many(first):
    assert program_checks.iree(range(first, first + 25)) == []


def test_the_fuzzer_reports_what_it_finds(tmp_path):
    """A check that crashes, hangs or complains is told apart from one that passes, down to the seed."""
    checks = """
import os, time
def crash(seeds):
    if 5 in seeds: os.abort()
    return []
CHECKS = {"rewrites": crash, "upstream": lambda seeds: [f"{seed}: wrong" for seed in seeds if seed == 3]}
"""
    (tmp_path / "program_checks.py").write_text(checks)
    (tmp_path / "fuzz.py").write_text((mlir_tools.ROOT / "tests" / "fuzz.py").read_text())
    (tmp_path / "random_programs.py").write_text('def program_for(check, seed): return f"program {seed}"')
    writes = 'def write(program, path, fault): path.write_text(f"{fault}: {program}")'
    (tmp_path / "kept_programs.py").write_text(writes)
    command = [sys.executable, "fuzz.py", "--count", "8", "--jobs", "1", "--checks", "rewrites", "upstream"]
    command += ["--keep", "found"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "rewrites 5…5: the process ends with -6",
        "upstream 3: wrong",
        "2 faults in 8 programs (rewrites, upstream)",
    ]
    assert {path.name: path.read_text() for path in (tmp_path / "found").iterdir()} == {
        "rewrites_5.mlir": "the process ends with -6: program 5",
        "upstream_3.mlir": "wrong: program 3",
    }
