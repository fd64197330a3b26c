"""The extension module as a file: it must live beside other LLVMs in one process."""

import re
import subprocess
from pathlib import Path

import mlir_tools
import pytest

#: What every Debian has: the C and C++ run time.
RUNTIME = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2"}


@pytest.fixture(scope="module")
def extension() -> Path:
    (path,) = (mlir_tools.ROOT / "frontend" / "wax").glob("_native.*.so")
    return path


def readelf(*arguments: str) -> str:
    command = [str(mlir_tools.llvm_tool("llvm-readelf")), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_it_needs_no_llvm_at_run_time(extension: Path) -> None:
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", readelf("--dynamic", str(extension))))
    assert needed <= RUNTIME


def test_it_shows_nothing_but_its_entry(extension: Path) -> None:
    rows = [line.split() for line in readelf("--dyn-syms", "--wide", str(extension)).splitlines()]
    defined = {row[7] for row in rows if len(row) > 7 and row[6] not in ("UND", "Ndx")}
    assert defined == {"PyInit__native"}


def test_it_stays_small(extension: Path) -> None:
    # A quarter of it is MLIR's dialect of LLVM, of which programs for CPUs have two operations.
    assert extension.stat().st_size < 22 * 2**20
