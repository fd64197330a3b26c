"""`examples/vendor-opt`: a program of its own, built on an installed wax by `find_package(Wax)` and nothing else."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import mlir_tools
import pytest
from examples_folder import EXAMPLES

CMAKE = Path(sys.prefix) / "bin" / "cmake"

PROGRAM = """
func.func @layer(%x: tensor<?x16xf32>, %w: tensor<16x8xf32>, %zero: tensor<f32>) -> (tensor<8x?xf32>, tensor<?xf32>) {
  %0 = wax.broadcast arith.mulf(%x[0, 2], %w[2, 1]) : (tensor<?x16xf32>, tensor<16x8xf32>) -> tensor<?x8x16xf32>
  %1 = wax.reduce arith.addf(%0) over [2] init(%zero) : (tensor<?x8x16xf32>, tensor<f32>) -> tensor<?x8xf32>
  %2 = wax.map math.tanh(%1) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %3 = wax.permute %2 [1, 0] : (tensor<?x8xf32>) -> tensor<8x?xf32>
  %4 = wax.reduce ordered arith.addf(%2) over [1] init(%zero) : (tensor<?x8xf32>, tensor<f32>) -> tensor<?xf32>
  return %3, %4 : tensor<8x?xf32>, tensor<?xf32>
}
"""


def call(*command: object) -> subprocess.CompletedProcess[str]:
    # Not where wax lies: what is found is found by its prefix.
    environment = {name: value for name, value in os.environ.items() if name not in ("MLIR_DIR", "CMAKE_PREFIX_PATH")}
    # Folders of tests have ever new names, and ccache is to know what lies in them all the same.
    environment |= {"CCACHE_BASEDIR": tempfile.gettempdir(), "CCACHE_NOHASHDIR": "1"}
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=environment)


def install(folder: Path) -> Path:
    done = call(CMAKE, "--install", mlir_tools.BUILD, "--prefix", folder, "--component", "development")
    assert done.returncode == 0, done.stderr
    return folder


def configure(source: Path, build: Path, *definitions: str) -> subprocess.CompletedProcess[str]:
    named = [f"CMAKE_MAKE_PROGRAM={CMAKE.with_name('ninja')}", "CMAKE_BUILD_TYPE=", *definitions]
    if cache := shutil.which("ccache"):
        named.append(f"CMAKE_CXX_COMPILER_LAUNCHER={cache}")
    return call(CMAKE, "-S", source, "-B", build, "-G", "Ninja", *(f"-D{one}" for one in named))


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def vendor_opt(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Moved after it was installed, and built where nothing but the example is near.
    moved = prefix.parent / "moved"
    shutil.copytree(prefix, moved)
    folder = tmp_path_factory.mktemp("vendor")
    shutil.copytree(EXAMPLES / "vendor-opt", folder / "source")
    done = configure(folder / "source", folder / "build", f"CMAKE_PREFIX_PATH={moved}")
    assert done.returncode == 0, done.stderr
    done = call(CMAKE, "--build", folder / "build")
    assert done.returncode == 0, done.stdout[-4000:]
    return folder / "build" / "vendor-opt"


def test_its_own_pass_reads_kernels(vendor_opt: Path, tmp_path: Path) -> None:
    (tmp_path / "layer.mlir").write_text(PROGRAM)
    done = call(vendor_opt, "--vendor-assign-units", tmp_path / "layer.mlir")
    assert done.returncode == 0, done.stderr
    units = re.findall(r'wax\.(\w+) .*vendor\.unit = "(\w+)"', done.stdout)
    assert units == [
        ("broadcast", "matrix"),
        ("reduce", "matrix"),
        ("map", "vector"),
        ("permute", "dma"),
        ("reduce", "vector"),
    ]


def test_it_runs_the_passes_of_wax(vendor_opt: Path, tmp_path: Path) -> None:
    (tmp_path / "layer.mlir").write_text(PROGRAM)
    done = call(vendor_opt, "--vendor-assign-units", "--wax-to-linalg", tmp_path / "layer.mlir")
    assert done.returncode == 0, done.stderr
    expected = call(mlir_tools.wax_tool("wax-opt"), "--wax-to-linalg", tmp_path / "layer.mlir")
    assert "linalg.generic" in done.stdout and done.stdout == expected.stdout


def test_it_verifies_as_wax_does(vendor_opt: Path, tmp_path: Path) -> None:
    (tmp_path / "layer.mlir").write_text(PROGRAM.replace("over [2]", "over [3]"))
    done = call(vendor_opt, tmp_path / "layer.mlir")
    assert done.returncode != 0 and "reduce_c3" in done.stderr


def test_another_release_is_refused(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(other LANGUAGES C CXX)\nfind_package(Wax 0.2 REQUIRED CONFIG)\n"
    )
    done = configure(tmp_path, tmp_path / "build", f"CMAKE_PREFIX_PATH={prefix}")
    assert done.returncode != 0
    assert "version: 0.1.0" in done.stderr


def test_without_its_mlir_the_reason_is_told(prefix: Path, tmp_path: Path) -> None:
    done = configure(
        EXAMPLES / "vendor-opt", tmp_path, f"CMAKE_PREFIX_PATH={prefix}", "CMAKE_DISABLE_FIND_PACKAGE_MLIR=ON"
    )
    assert done.returncode != 0
    assert "MLIR could not be found" in " ".join(done.stderr.split())


def test_nothing_installed_names_where_it_was_built(prefix: Path) -> None:
    for path in prefix.rglob("*"):
        if path.suffix in (".cmake", ".h", ".inc", ".td"):
            assert str(mlir_tools.ROOT) not in path.read_text(), path
