"""The extension module as a file: it must live beside other LLVMs in one process."""

import platform
import re
import subprocess
from pathlib import Path

import mlir_tools
import pytest

#: What every Debian has: the C and C++ run time.
RUNTIME = {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6", "ld-linux-x86-64.so.2"}


#: What binds the dialect, and what has code generation for CPUs, which is loaded when something is compiled. A quarter
#: of the first is MLIR's dialect of LLVM, of which programs for CPUs have two operations; most of the second is LLVM.
SIZES = {"_native": 22 * 2**20, "_machine": 47 * 2**20}


@pytest.fixture(scope="module", params=SIZES)
def extension(request: pytest.FixtureRequest) -> Path:
    if request.param == "_machine" and platform.machine() != "x86_64":
        pytest.skip("machine code is made for x86-64 only")
    (path,) = (mlir_tools.ROOT / "frontend" / "wax").glob(f"{request.param}.*.so")
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
    assert defined == {f"PyInit_{extension.name.partition('.')[0]}"}


def test_it_stays_small(extension: Path) -> None:
    assert extension.stat().st_size < SIZES[extension.name.partition(".")[0]]
