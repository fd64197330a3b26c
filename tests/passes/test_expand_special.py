"""What `wax-expand-special` leaves, compiled by IREE: one dispatch for a kernel, loops and all, also for GPUs.

Complex numbers stay a type up to IREE, at a program's boundary too: no target of its compiler needs them split.
"""

import re
import subprocess

import mlir_tools
import pytest
from iree.compiler import tools as iree_tools
from iree_run import FLAGS

COMPLEX = "complex<f64>"
KERNELS = {
    "igamma": ("f32", "%y = wax.igamma %a, %b : f32"),
    "igammac": ("f64", "%y = wax.igammac %a, %b : f64"),
    "lgamma": ("f64", "%c = wax.lgamma %a : f64  %y = arith.mulf %b, %c : f64"),
    "polygamma": ("f32", "%c = wax.polygamma 3, %a : f32  %y = arith.mulf %b, %c : f32"),
    "quotient": (COMPLEX, f"%y = complex.div %a, %b : {COMPLEX}"),
    "exponential": (
        "complex<f32>",
        "%c = complex.div %a, %b : complex<f32>  %y = complex.exp %c : complex<f32>",
    ),
    "power": (COMPLEX, f"%y = complex.pow %a, %b : {COMPLEX}"),
}


def lowered(name: str) -> str:
    """A program of one kernel, an outer product of two vectors."""
    element, body = KERNELS[name]
    body = body.replace("  ", "\n")
    row, table = f"tensor<?x{element}>", f"tensor<?x?x{element}>"
    text = f"""
    func.func @main(%x: {row}, %y: {row}) -> {table} {{
      %0 = wax.broadcast (%a = %x[0], %b = %y[1]) : ({row}, {row}) -> {table} {{
        {body}
        wax.yield %y : {element}
      }}
      return %0 : {table}
    }}"""
    command = [str(mlir_tools.wax_tool("wax-opt")), "--wax-to-linalg=target=iree"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_stays_one_dispatch(name):
    extra = [*FLAGS, "--compile-to=flow"]
    flow = iree_tools.compile_str(lowered(name), target_backends=[], extra_args=extra).decode()
    (function,) = re.findall(r"util\.func public @main.*?\{\n(.*?)\n  \}", flow, re.DOTALL)
    assert "scf." not in function, "a loop on the host"
    assert len(re.findall(r"flow\.dispatch @", function)) == 1


#: The default Vulkan target has no f64 at all, complex or not.
@pytest.mark.parametrize(
    ("backend", "name"),
    [("vulkan-spirv", "exponential"), ("cuda", "exponential"), ("cuda", "quotient"), ("cuda", "power")],
)
def test_complex_numbers_compile_for_gpus_as_they_are(backend, name):
    extra = ["--iree-input-demote-f64-to-f32=false"]
    extra += ["--iree-cuda-target=sm_80"] if backend == "cuda" else []
    assert "complex<" in lowered(name)
    assert iree_tools.compile_str(lowered(name), target_backends=[backend], extra_args=extra)
