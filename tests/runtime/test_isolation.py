"""`wax_runtime` imports neither `wax` nor a compiler, not even to load and run a program."""

import os
import subprocess
import sys

import numpy as np
import pytest
from linalg_text import compiled, doubling

from wax_runtime import files

# The first calls of a program use IREE's native module alone.
CALLS = """
import os, sys, numpy as np
from wax_runtime import files
from wax_runtime.iree.native import binding
f = files.load(sys.argv[1])
for number in range(3):
    assert np.array_equal(f(np.arange(4, dtype=np.float32)), [0, 2, 4, 6])
assert ("iree.runtime" in sys.modules) == bool(os.environ.get("IREE_PY_RUNTIME_FLAGS"))
for number in range(9):
    assert np.array_equal(f(np.arange(4, dtype=np.float32)), [0, 2, 4, 6])
import iree.runtime
assert iree.runtime._binding is binding
"""

FORBIDDEN = ("wax", "iree.compiler", "jax", "torch", "opt_einsum")


def run(code, *args):
    check = f"""
import sys
found = [m for m in sys.modules for f in {FORBIDDEN!r} if m == f or m.startswith(f + ".")]
assert not found, found
"""
    subprocess.run([sys.executable, "-c", code + check, *args], check=True, timeout=120)


def test_importing_the_runtime_imports_no_frontend_and_no_compiler():
    run("import wax_runtime, wax_runtime.files, wax_runtime.cache, wax_runtime.registry")


def test_importing_the_runtime_imports_no_backend():
    run("import wax_runtime, sys; assert 'iree' not in sys.modules and 'iree.runtime' not in sys.modules")


def test_listing_devices_imports_no_frontend_and_no_compiler():
    run("import wax_runtime; assert wax_runtime.devices()")


def test_loading_and_running_a_saved_program_imports_no_frontend_and_no_compiler(tmp_path):
    path = tmp_path / "double.vmfb"
    files.save(compiled(doubling()), path)
    run(
        "import sys, numpy as np\n"
        "from wax_runtime import files\n"
        "f = files.load(sys.argv[1])\n"
        "assert np.array_equal(f(np.arange(4, dtype=np.float32)), [0, 2, 4, 6])\n",
        str(path),
    )
    assert np.array_equal(files.load(path)(np.ones(4, np.float32)), [2, 2, 2, 2])


@pytest.mark.parametrize("flags", ["", "--task_topology_group_count=1"])
def test_calls_import_no_more_of_iree_than_they_need_unless_its_flags_are_set(tmp_path, flags):
    path = tmp_path / "double.vmfb"
    files.save(compiled(doubling()), path)
    environment = {**os.environ, "IREE_PY_RUNTIME_FLAGS": flags}
    subprocess.run([sys.executable, "-c", CALLS, str(path)], check=True, timeout=120, env=environment)
