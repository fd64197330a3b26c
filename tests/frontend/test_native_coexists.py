"""wax's MLIR lives beside those of IREE, JAX and PyTorch in one process, whichever comes first."""

import itertools
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tiers import tiered

BUILD = Path(__file__).resolve().parents[2] / "build"

USES = {
    "wax": """
from wax import _native
module = _native.parse_module("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { "
    "%0 = wax.map math.exp(%x) : (tensor<3xf32>) -> tensor<3xf32> return %0 : tensor<3xf32> }")
module.run("canonicalize,cse")
assert "wax.map" in module.text()
try:
    _native.parse_module("func.func @")
    raise SystemExit("accepted")
except _native.DialectError:
    pass
""",
    "iree": """
from iree.compiler import ir
with ir.Context() as context:
    assert "func.func" in str(ir.Module.parse("func.func @main() { return }"))
    try:
        ir.Module.parse("func.func @")
        raise SystemExit("accepted")
    except ir.MLIRError:
        pass
from iree.compiler import compile_str
assert compile_str("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }",
                   target_backends=["vmvx"])
""",
    "jax": """
import jax
assert float(jax.jit(lambda x: jax.numpy.sin(x) + 1)(0.0)) == 1.0
assert "stablehlo" in jax.jit(lambda x: x + 1).lower(1.0).as_text()
""",
    "torch": """
import torch
assert float(torch.jit.script(torch.nn.ReLU())(torch.tensor(-1.0))) == 0.0
""",
}
ORDERS = [
    ("wax", "iree", "jax", "torch"),
    ("torch", "jax", "iree", "wax"),
    ("iree", "wax", "torch", "jax"),
    ("jax", "wax", "iree", "torch"),
]


# The first two have each before and after each other.
@pytest.mark.parametrize(
    "order", tiered([(order,) for order in ORDERS], lambda case: case[0] in ORDERS[:2]), ids="-".join
)
def test_they_all_work_in_one_process(order):
    program = f"import sys\nsys.path[:0] = {[path for path in sys.path if path]!r}\n"
    # Each is used when it comes, and again when all are there.
    program += "".join(USES[name] for name in itertools.chain(order, order))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr


def test_no_object_of_ours_replaces_an_array_of_names_of_mlirs():
    """MLIR's packages come from another compiler, which fills such arrays when it compiles; GCC fills them when
    they are first used. The linker keeps one array and either's code, so attributes would lose their names."""
    objects = [str(path) for path in BUILD.rglob("*.o")]
    nm = shutil.which("nm")
    if not objects or not nm:
        pytest.skip("no objects of a build, or no nm")
    symbols = subprocess.run([nm, "-C", *objects], capture_output=True, text=True, check=True).stdout
    arrays = re.findall(r"guard variable for (mlir::\S+::getAttributeNames\(\)::attrNames)", symbols)
    assert [array for array in arrays if not array.startswith("mlir::wax::")] == []
