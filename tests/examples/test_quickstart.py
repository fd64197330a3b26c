"""`examples/quickstart.py` runs as a user would run it, and every step says what it should."""

import subprocess
import sys

import pytest
from examples_folder import EXAMPLES


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    stages = tmp_path_factory.mktemp("stages")
    command = [sys.executable, str(EXAMPLES / "quickstart.py"), "--stages", str(stages)]
    return subprocess.run(command, capture_output=True, text=True, check=False), stages


def test_it_ends_well(run):
    done, _ = run
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_compiled_numpy_and_eager_print_the_same_numbers(run):
    numbers = [line.split("[[")[1].split("]]")[0] for line in run[0].stdout.splitlines() if "[[" in line][:3]
    rows = [[float(x) for x in one.replace(",", " ").split()] for one in numbers]
    assert len(rows) == 3
    assert rows[0] == pytest.approx(rows[1], abs=1e-6)
    assert rows[0] == pytest.approx(rows[2], abs=1e-6)


def test_one_program_serves_every_batch(run):
    assert "traced and compiled once, for x of shape (batch, 3)\n" in run[0].stdout


def test_the_error_names_the_line_and_the_shapes(run):
    out = run[0].stdout
    line = next(number for number, text in enumerate(source(), start=1) if "wnp.tanh(x @ w + b)" in text)
    assert f"quickstart.py:{line}:" in out
    assert "(5, 4)" in out
    assert "(2, 3)" in out


def test_the_saved_program_runs_without_wax_and_without_a_compiler(run):
    assert "wax imported: False - a compiler: False" in run[0].stdout


def test_every_stage_is_left_as_text(run):
    _, stages = run
    assert "wax.broadcast" in (stages / "predict.wax.mlir").read_text()
    linalg = (stages / "predict.linalg.mlir").read_text()
    assert "linalg.generic" in linalg
    assert "wax.broadcast" not in linalg
    assert (stages / "predict.vmfb").stat().st_size > 0


def source():
    return (EXAMPLES / "quickstart.py").read_text().splitlines()
