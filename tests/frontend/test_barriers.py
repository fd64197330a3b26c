"""What threads of a workgroup share on Vulkan and Metal is there when it is read, or not shared."""

import logging
import textwrap

import numpy as np
import pytest

import wax
import wax.numpy as wnp
from wax.backends.iree.barriers import apart, lacks_barrier

COLUMNS = {
    "mean": lambda x: x - wnp.mean(x, axis=0),
    "standardized": lambda x: (x - wnp.mean(x, axis=0)) / (wnp.std(x, axis=0) + 0.5),
    "softmax": lambda x: wnp.exp(x - wnp.max(x, axis=0)) / wnp.sum(wnp.exp(x - wnp.max(x, axis=0)), axis=0),
    "rows": lambda x: x - wnp.mean(x, axis=1, keepdims=True),
}


@pytest.mark.parametrize("shape", [(33, 33), (65, 65), (7, 17), (40, 40)], ids=str)
@pytest.mark.parametrize("name", COLUMNS)
def test_columns_are_summed_before_they_are_read(name, shape, accelerator):
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    found = wax.jit(COLUMNS[name], device=accelerator)
    wanted = np.asarray(wax.jit(COLUMNS[name], backend="reference")(x.astype(np.float64)))
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(found(x)), wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("isolated", ["", "1"])
@pytest.mark.parametrize(("columns", "flags"), [(33, "O3 with reductions apart"), (64, "O3")])
def test_what_lacks_a_barrier_is_compiled_again(columns, flags, isolated, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("WAX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("WAX_ISOLATE_COMPILER", isolated)
    with caplog.at_level(logging.INFO, "wax.compile"):
        x = np.zeros((columns, columns), np.float32)
        wax.export(COLUMNS["mean"], targets="metal")(x).save(tmp_path / "f.vmfb")
    assert f"s with {flags}\n" in caplog.text + "\n"


def translated(body, threads=16):
    """What IREE makes of a dispatch, as far as it matters."""
    return textwrap.indent(
        textwrap.dedent(
            f"""
            spirv.module Logical GLSL450 {{
              spirv.GlobalVariable @shared : !spirv.ptr<!spirv.struct<(!spirv.array<16 x f32>)>, Workgroup>
              spirv.func @f() "None" {{
                %cst0_i32 = spirv.Constant 0 : i32
                %1 = spirv.CompositeExtract %0[0 : i32] : vector<3xi32>
                %s = spirv.mlir.addressof @shared : !spirv.ptr<!spirv.struct<(!spirv.array<16 x f32>)>, Workgroup>
            {textwrap.indent(textwrap.dedent(body).strip(), " " * 4)}
                spirv.Return
              }}
              spirv.ExecutionMode @f "LocalSize", {threads}, 1, 1
            }}
            """
        ),
        "  ",
    )


PLACE = (
    "{} = spirv.AccessChain %s[%cst0_i32, {}] : !spirv.ptr<!spirv.struct<(!spirv.array<16 x f32>)>, Workgroup>, "
    "i32, i32 -> !spirv.ptr<f32, Workgroup>"
)
OWN = PLACE.format("%8", "%1")
WRITE, READ = 'spirv.Store "Workgroup" %8, %7 : f32', '%20 = spirv.Load "Workgroup" {} : f32'
ALL = "spirv.mlir.loop {\n  " + PLACE.format("%19", "%11") + "\n  " + READ.format("%19") + "\n}"


@pytest.mark.parametrize(
    ("body", "threads", "expected"),
    [
        (f"{OWN}\n{WRITE}\n{ALL}", 16, True),
        (f"{OWN}\n{WRITE}\n{ALL}", 1, False),
        (f"{OWN}\n{WRITE}\nspirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease>\n{ALL}", 16, False),
        (f"{OWN}\n{WRITE}\n{READ.format('%8')}", 16, False),
        (f"{OWN}\n{READ.format('%8')}", 16, False),
        (ALL, 16, False),
        (f"{ALL}\n{ALL.replace('%20 = spirv.Load', 'spirv.Store')}", 16, True),
    ],
    ids=["all", "one thread", "barrier", "own", "read only", "never written", "loops of the same name"],
)
def test_what_threads_read_of_others(body, threads, expected):
    text = translated(body, threads)
    assert lacks_barrier(text) == expected
    assert lacks_barrier(translated(OWN) + text + translated(READ.format("%8"))) == expected


def test_a_program_without_dispatches_races_nowhere(accelerator):
    assert not lacks_barrier("module {\n}\n")
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(
        np.asarray(wax.jit(lambda x: (wnp.roll(x, 5), x), device=accelerator)(x)[0]), np.roll(x, 5)
    )


def test_reductions_apart():
    program = textwrap.dedent(
        """
        func.func @f(%arg0: tensor<4x3xf32>) -> tensor<4xi32> {
          %0 = linalg.generic {iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x3xf32>) {
            linalg.yield %in : f32
          } -> tensor<4x3xf32>
          %1:2 = linalg.generic {iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x3xf32>) {
            linalg.yield %in, %2 : f32, i32
          } -> (tensor<4xf32>, tensor<4xi32>)
          return %1#1 : tensor<4xi32>
        }
        """
    )
    assert apart(program) == program.replace("  %1:2 = linalg", "  %whole_1:2 = linalg").replace(
        "  return",
        "  %1:2 = util.optimization_barrier %whole_1#0, %whole_1#1 : tensor<4xf32>, tensor<4xi32>\n  return",
    )
