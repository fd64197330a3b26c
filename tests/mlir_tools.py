"""Where the tools that tests run lie: wax-opt in the build, mlir-opt and the like in MLIR 22.

The MLIR is the one the build was configured with, or MLIR_DIR, or the one of llvm-config-22. Not for
what wax itself needs at run time: that is nothing outside its packages.
"""

import functools
import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("WAX_BUILD_DIR", ROOT / "build"))


@functools.cache
def llvm_prefix() -> Path:
    """The folder that MLIR 22 is installed in.

    Raises:
        FileNotFoundError: No build is configured, and neither MLIR_DIR nor llvm-config-22 is there.
    """
    cache = BUILD / "CMakeCache.txt"
    if cache.exists() and (found := re.search(r"^MLIR_DIR:\w+=(/.*)$", cache.read_text(), re.MULTILINE)):
        return Path(found[1]).parents[2]
    if named := os.environ.get("MLIR_DIR"):
        return Path(named).parents[2]
    if config := shutil.which("llvm-config-22"):
        return Path(subprocess.run([config, "--prefix"], capture_output=True, text=True, check=True).stdout.strip())
    raise FileNotFoundError("MLIR 22 is not found: run `make build`")


def llvm_tool(name: str) -> Path:
    """The path of one of MLIR's or LLVM's programs.

    Raises:
        FileNotFoundError: The installation lacks it.
    """
    path = llvm_prefix() / "bin" / name
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing")
    return path


def wax_tool(name: str) -> Path:
    """The path of one of wax's programs.

    Raises:
        FileNotFoundError: It is not built.
    """
    path = BUILD / "bin" / name
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: run `make build`")
    return path


def runner_libraries() -> list[Path]:
    """The shared libraries that mlir-runner needs for printing tensors."""
    folder = llvm_prefix() / "lib"
    return [folder / "libmlir_runner_utils.so", folder / "libmlir_c_runner_utils.so"]


#: From wax's upstream normal form to LLVM, for mlir-runner. Not through arith-expand, whose minimumf forgets
#: the sign of zero; nothing wax emits needs it.
TO_LLVM = (
    "builtin.module("
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"
    " allow-return-allocs-from-loops},"
    "func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,convert-scf-to-cf,"
    "convert-complex-to-standard,convert-math-to-llvm,convert-math-to-libm,"
    "convert-complex-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
    "convert-arith-to-llvm,convert-index-to-llvm,reconcile-unrealized-casts)"
)
