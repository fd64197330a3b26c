"""What configuring says where MLIR 22 is not."""

import subprocess
import sys
from pathlib import Path

import mlir_tools

CMAKE = Path(sys.prefix) / "bin" / "cmake"


def configure(folder: Path, *definitions: str) -> subprocess.CompletedProcess[str]:
    command = [str(CMAKE), "-S", str(mlir_tools.ROOT), "-B", str(folder), "-G", "Ninja"]
    command += [f"-D{one}" for one in (f"CMAKE_MAKE_PROGRAM={CMAKE.with_name('ninja')}", *definitions)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_without_mlir_the_packages_are_named(tmp_path: Path) -> None:
    done = configure(tmp_path, "CMAKE_DISABLE_FIND_PACKAGE_MLIR=ON")
    assert done.returncode != 0
    assert "apt-get install llvm-22-dev libmlir-22-dev mlir-22-tools libzstd-dev zlib1g-dev" in done.stderr
    assert "MLIR_DIR=" in done.stderr


def test_a_named_mlir_that_is_not_there_is_not_replaced_by_another(tmp_path: Path) -> None:
    done = configure(tmp_path, f"MLIR_DIR={tmp_path}")
    assert done.returncode != 0
    assert f"MLIR_DIR names {tmp_path}, which holds no MLIRConfig.cmake" in " ".join(done.stderr.split())
