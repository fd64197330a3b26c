"""How lit runs the .mlir files of the suites. In Python suites pytest runs the rest."""

import os
import sys
from pathlib import Path

import lit.formats
import lit.llvm

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import mlir_tools

config.name = "wax"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs", "found"]
config.test_source_root = str(HERE)
config.test_exec_root = str(mlir_tools.BUILD / "lit")

llvm_bin = mlir_tools.llvm_prefix() / "bin"
config.environment["PATH"] = os.pathsep.join([str(mlir_tools.BUILD / "bin"), str(llvm_bin), os.environ["PATH"]])
config.environment["FILECHECK_OPTS"] = "--dump-input=fail --enable-var-scope"

config.substitutions += [
    ("%mlir_opt", str(llvm_bin / "mlir-opt")),
    ("%mlir_runner", str(llvm_bin / "mlir-runner")),
    ("%shlibs", ",".join(str(one) for one in mlir_tools.runner_libraries())),
    # Lowered text to LLVM, and its function @main run.
    ("%to_llvm", f"{llvm_bin / 'mlir-opt'} --pass-pipeline='{mlir_tools.TO_LLVM}'"),
    (
        "%run_main",
        f"{llvm_bin / 'mlir-runner'} -e main --entry-point-result=void --shared-libs="
        + ",".join(str(one) for one in mlir_tools.runner_libraries()),
    ),
]
