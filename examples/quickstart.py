"""wax in a few steps: a function, its stages as text, pytrees, dynamic sizes, a kernel, errors, a saved program.

    python examples/quickstart.py                    prints every step
    python examples/quickstart.py --stages DIR       also leaves the stages' text and the saved program there

Each step is a function; read them from the top.
"""

import argparse
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import NamedTuple

import numpy as np

import wax
import wax.nn
import wax.numpy as wnp


def step(title: str) -> None:
    """Prints a heading."""
    print(f"\n── {title} " + "─" * max(0, 90 - len(title)))


def excerpt(text: str, lines: int = 12) -> None:
    """Prints the beginning of a text, indented."""
    all_lines = text.rstrip().splitlines()
    print(textwrap.indent("\n".join(all_lines[:lines]), "    "))
    if len(all_lines) > lines:
        print(f"    … {len(all_lines) - lines} more lines")


# A first function. It is ordinary Python, in the functions of the Python array API standard.


@wax.jit
def predict(w, b, x):
    return wnp.tanh(x @ w + b)


def first_function(stages: Path) -> None:
    step("A first function")
    w, b, x = wnp.ones((3, 2)), wnp.asarray([0.5, -0.5]), wnp.asarray([[0.1, 0.2, 0.3]])
    print("compiled:  ", predict(w, b, x))
    print("in NumPy:  ", np.tanh(np.asarray(x) @ np.asarray(w) + np.asarray(b)))
    print("at once:   ", wnp.tanh(x @ w + b), "(outside jit, nothing is compiled)")

    step("Its stages: the wax dialect")
    traced = predict.trace(w, b, x)
    excerpt(traced.as_text())
    traced.save(stages / "predict.wax.mlir")

    step("Its stages: linalg, for IREE or any MLIR toolchain")
    lowered = traced.lower()
    excerpt(lowered.as_text())
    lowered.save(stages / "predict.linalg.mlir")
    lowered.compile().save(stages / "predict.vmfb")


# Arguments and results are pytrees: named tuples, dataclasses, dicts, lists of arrays.


class Layer(NamedTuple):
    weight: wax.Array
    bias: wax.Array


@wax.jit
def network(layers, x):
    for layer in layers:
        x = wax.nn.gelu(x @ layer.weight + layer.bias)
    return {"output": x, "size": wnp.sqrt(wnp.sum(x * x))}


def pytrees() -> None:
    step("Pytrees")
    rng = np.random.default_rng(0)

    def layer(inputs: int, outputs: int) -> Layer:
        weight = rng.standard_normal((inputs, outputs), np.float32)
        return Layer(wnp.asarray(weight), wnp.zeros((outputs,)))

    result = network([layer(4, 8), layer(8, 2)], rng.standard_normal((3, 4), np.float32))
    print({name: value.shape for name, value in result.items()})


# Sizes that are known only at the call. Each is named once; arrays that share a name share the size.

BATCH = wax.Dim("batch", max=1024)
traces = []


@wax.jit(dynamic_shapes={"x": {0: BATCH}, "y": {0: BATCH}})
def distance(x, y):
    traces.append(x.shape)
    return wnp.sqrt(wnp.sum((x - y) ** 2, axis=1))


def dynamic_sizes() -> None:
    step("Dynamic sizes")
    for batch in (2, 10, 1000):
        x = np.ones((batch, 3), np.float32)
        print(f"batch {batch:4}:", distance(x, 0 * x).shape)
    print("traced and compiled once, for x of shape", *(f"({', '.join(map(str, shape))})" for shape in traces))


# One's own kernel: a Python function on scalars, traced into the region of a wax.map.


@wax.jit
def hard_swish(x):
    return wax.kernel.map(lambda a: a * wnp.clip(a + 3, 0, 6) / 6, x)


def own_kernel() -> None:
    step("A kernel of one's own")
    x = wnp.linspace(-4.0, 4.0, 5)
    print(hard_swish(x))
    excerpt(hard_swish.trace(x).as_text())


# Errors name the line of the function, the shapes, and the way out.


def errors() -> None:
    step("An error")
    try:
        predict(wnp.ones((2, 3)), wnp.zeros((2,)), wnp.ones((5, 4)))
    except wax.errors.ShapeError as error:
        print(f"{type(error).__name__}: {error}")


# Ahead of time: a saved program runs in another process, which has neither wax nor a compiler.

OTHER_PROCESS = """
import sys
import numpy as np
from wax_runtime import files
predict = files.load(sys.argv[1])
result = predict(np.ones((3, 2), np.float32), np.zeros(2, np.float32), np.ones((1, 3), np.float32))
print(np.asarray(result), "- wax imported:", "wax" in sys.modules, "- a compiler:", "iree.compiler" in sys.modules)
"""


def saved_program(stages: Path) -> None:
    step("Saved, and loaded in another process")
    path = stages / "predict.vmfb"
    print(f"{path.name}: {path.stat().st_size:,} bytes", flush=True)
    subprocess.run([sys.executable, "-c", OTHER_PROCESS, str(path)], check=True)


def main() -> None:
    """Runs every step."""
    parser = argparse.ArgumentParser(description="wax in a few steps.")
    parser.add_argument("--stages", type=Path, metavar="DIR", help="leave texts and the saved program there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        stages: Path = options.stages or Path(temporary)
        stages.mkdir(parents=True, exist_ok=True)
        first_function(stages)
        pytrees()
        dynamic_sizes()
        own_kernel()
        errors()
        saved_program(stages)
    if options.stages:
        step(f"Left in {options.stages}")
        for path in sorted(options.stages.iterdir()):
            print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
