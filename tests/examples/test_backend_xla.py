"""`examples/backend-xla`: what its own tests say, and that it is an outside package which needs nothing unpublished."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import random_programs
import scalar_judges
from examples_folder import EXAMPLES

pytest.importorskip("jaxlib")
FOLDER = EXAMPLES / "backend-xla"
sys.path.insert(0, str(FOLDER))

from wax_backend_xla import client, program
from wax_backend_xla.scalars import SCALARS
from wax_backend_xla.writer import NUMPY

from wax import _native
from wax_runtime.buffer import asbuffer
from wax_runtime.errors import BackendError, CheckError
from wax_runtime.reference.kernels import SCALARS as REFERENCE
from wax_runtime.reference.plan import build
from wax_runtime.reference.rules import RULES
from wax_runtime.signature import ArgumentSpec, Signature

# Kernels of what StableHLO has nothing for.
LACKING = {*(f"wax.{name}" for name in ("erfc_inv", "i0e", "igamma", "igammac")), "complex.bitcast"}
SOURCES = sorted((FOLDER / "wax_backend_xla").glob("*.py"))


def environment(*folders):
    """That of another process, which finds what this one does, and these folders first."""
    paths = [*map(str, folders), *(str(Path(path).resolve()) for path in sys.path if path)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def test_its_own_tests_pass():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(FOLDER), str(FOLDER)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER, env=environment())
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_it_imports_only_what_is_published(path):
    """Nothing of `wax` itself, and of `wax_runtime` what its modules list, those of other backends left aside."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
            assert not any(name.split(".")[0] in ("wax", "wax_runtime") for name in modules), modules
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            package, *rest = node.module.split(".")
            assert package != "wax", node.module
            if package == "wax_runtime":
                assert not {"iree", "reference"} & set(rest), node.module
                assert not any(part.startswith("_") for part in rest), node.module
                published = importlib.import_module(node.module).__all__
                submodules = {"dtypes"} if not rest else set()
                assert {alias.name for alias in node.names} <= {*published, *submodules}, node.module


def test_nothing_of_wax_knows_it():
    for folder in ("frontend", "runtime", "passes", "dialect"):
        for path in (EXAMPLES.parent / folder).rglob("*.py"):
            assert "backend_xla" not in path.read_text(), path


def test_only_what_stablehlo_lacks_has_no_rule():
    assert set(REFERENCE) - set(SCALARS) == LACKING
    assert set(RULES.operations) - set(program.RULES) == {"cf.assert"}


def run(module, arguments):
    """The results of a module's entry on arrays."""
    function = module.functions[module.entry]
    element = [function.types[value].element for value in function.results]
    signature = Signature(
        "main",
        tuple(ArgumentSpec("", x.shape, x.dtype) for x in arguments),
        tuple(ArgumentSpec("", (), NUMPY[name]) for name in element),
    )
    program.check(module)
    text = program.write(module, signature, [x.shape for x in arguments])
    held = client.compile_text(text, "a test")([asbuffer(x) for x in arguments])
    return [client.host_array(x) for x in held]


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except CheckError as error:
        return error


def assert_same(found, wanted, name, *, spreads=False):
    assert isinstance(found, CheckError) == isinstance(wanted, CheckError), (name, found, wanted)
    if not isinstance(wanted, CheckError):
        for got, want in zip(found, wanted, strict=True):
            assert (got.dtype, got.shape) == (want.dtype, want.shape), name
            if got.dtype.kind == "V":  # NumPy finds no NaN in bfloat16.
                got, want = got.astype("f4"), want.astype("f4")
            if spreads:
                want = np.where(np.isnan(got), got, want)
            # XLA takes x + 0 for x, so that of zeros it may give the other one; they are equal here.
            np.testing.assert_array_equal(got, want, err_msg=name)


def check_programs(seeds):
    for seed in seeds:
        made = random_programs.random_program(seed)
        native, arguments = made.module("main"), made.arguments()
        if any(name in native.text() for name in LACKING):
            continue
        module = native.snapshot()
        # XLA's convolutions of complex numbers make NaN of what stands next to NaN.
        spreads = any("wax.convolve" in line and "complex" in line for line in native.text().splitlines())
        found, wanted = outcome(run, module, arguments), outcome(build(module, RULES), arguments)
        assert_same(found, wanted, f"program {seed}", spreads=spreads)


def test_random_programs_agree_with_the_reference():
    check_programs(range(40))


@pytest.mark.full
def test_many_random_programs_agree_with_the_reference():
    check_programs(range(40, 1000))


SIZES = """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = OPERATION : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}
"""


SUM = "wax.broadcast arith.addf(%x[0, 1], %y[0, 1])"


@pytest.mark.parametrize(("operation", "label"), [("wax.concat (%x, %y) along 0", "concat_c3"), (SUM, "broadcast_c3")])
def test_sizes_that_do_not_fit_are_refused(operation, label):
    text = SIZES.replace("OPERATION", operation)
    module = _native.parse_module(text, "model.mlir").snapshot()
    with pytest.raises(CheckError, match=label):
        run(module, [np.ones((2, 3), "f4"), np.ones((2, 4), "f4")])
    assert run(module, [np.ones((2, 3), "f4")] * 2)[0].shape[1] == 3


def kernel_module(cases):
    """A module that applies each operation to arrays of its own."""
    lines, arguments, results = [], [], []
    for number, (op, elements, to, suffix) in enumerate(cases):
        names = [f"%a{number}_{i}" for i in range(len(elements))]
        arguments += [f"{name}: tensor<?x{element}>" for name, element in zip(names, elements, strict=True)]
        scalars = ", ".join(f"%s{i} = {name}[0]" for i, name in enumerate(names))
        types = ", ".join(f"tensor<?x{element}>" for element in elements)
        inner = ", ".join(f"%s{i}" for i in range(len(elements)))
        lines.append(
            f"%r{number} = wax.broadcast ({scalars}) : ({types}) -> tensor<?x{to}> {{\n"
            f"  %y = {op} {inner} : {suffix}\n  wax.yield %y : {to}\n}}"
        )
        results.append((f"%r{number}", f"tensor<?x{to}>"))
    types = ", ".join(kind for _, kind in results)
    return (
        f"func.func @main({', '.join(arguments)}) -> ({types}) {{\n" + "\n".join(lines) + "\n"
        f"return {', '.join(name for name, _ in results)} : {types}\n}}"
    )


INTEGER = ["addi", "subi", "muli", "divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui"]
INTEGER += ["andi", "ori", "xori", "shli", "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui"]
FLOAT = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf"]


def scalar_cases():
    for element in scalar_judges.INTS:
        for op in INTEGER:
            yield f"arith.{op}", (element, element), element, element
    for element in ("i1", "i8", "i16"):
        yield "math.ipowi", (element, element), element, element
    for element in scalar_judges.FLOATS:
        for op in FLOAT:
            yield f"arith.{op}", (element, element), element, element
        for to in scalar_judges.INTS:
            yield "arith.fptosi", (element,), to, f"{element} to {to}"
            yield "arith.fptoui", (element,), to, f"{element} to {to}"
            yield "arith.sitofp", (to,), element, f"{to} to {element}"
            yield "arith.uitofp", (to,), element, f"{to} to {element}"


def test_scalars_are_total_as_the_reference_is():
    cases = list(scalar_cases())
    rng = np.random.default_rng(0)
    arguments = []
    for _, elements, _, _ in cases:
        values = [_without_subnormals(scalar_judges.values(element, rng)) for element in elements]
        arguments += [x.ravel() for x in np.meshgrid(*values)]
    module = _native.parse_module(kernel_module(cases), "model.mlir").snapshot()
    wanted = build(module, RULES)(arguments)
    for case, got, want in zip(cases, run(module, arguments), wanted, strict=True):
        # XLA sets the processor to take subnormal numbers for 0.
        keep, is_exact = _is_normal(want), want.dtype.kind in "iub"
        assert got.dtype == want.dtype, case
        if not is_exact:
            got, want = got.astype(np.float64), want.astype(np.float64)
        np.testing.assert_array_equal(got[keep], want[keep], err_msg=str(case))
        if not is_exact:
            numbers = keep & (want == want)
            np.testing.assert_array_equal(np.signbit(got)[numbers], np.signbit(want)[numbers], err_msg=str(case))


def _is_normal(x):
    if x.dtype.kind in "iub":
        return np.ones(x.shape, bool)
    least = {2: 2.0**-14 if x.dtype == np.float16 else 2.0**-126, 4: 2.0**-126, 8: 2.0**-1022}[x.dtype.itemsize]
    wide = np.abs(x.astype(np.float64))
    return (wide == 0) | (wide > least) | np.isnan(wide)


def _without_subnormals(x):
    return x[_is_normal(x)]


def test_a_size_that_data_decides_is_refused():
    text = """
      func.func @main(%n: tensor<i64>) -> tensor<?xf32> {
        %s = tensor.extract %n[] : tensor<i64>
        %i = arith.index_cast %s : i64 to index
        %z = wax.iota along 0 sizes [%i] : tensor<?xf32>
        return %z : tensor<?xf32>
      }
    """
    with pytest.raises(BackendError, match=r"'wax.iota' has a size that is computed from data"):
        run(_native.parse_module(text, "model.mlir").snapshot(), [np.array(3)])


def test_its_wheel_brings_the_entry_point(tmp_path):
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    copy = tmp_path / "source"
    copy.mkdir()
    for path in (*SOURCES, FOLDER / "pyproject.toml", FOLDER / "README.md"):
        target = copy / path.relative_to(FOLDER)
        target.parent.mkdir(exist_ok=True)
        target.write_text(path.read_text())
    installed = tmp_path / "installed"
    subprocess.run([*pip, "--target", str(installed), str(copy)], check=True, capture_output=True)
    use = (
        "import numpy as np, wax\n"
        "from wax_runtime import registry\n"
        "import wax_backend_xla\n"
        f"assert wax_backend_xla.__file__.startswith({str(installed)!r})\n"
        "assert registry.get('xla').name == 'xla'\n"
        "print(np.asarray(wax.jit(lambda x: x + 1, backend='xla')(np.arange(3))).tolist())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", use], env=environment(installed), capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "[1, 2, 3]", done.stderr[-2000:]
