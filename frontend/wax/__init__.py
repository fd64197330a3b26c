"""wax: Python functions of arrays, traced into a small dialect of MLIR, compiled for every device.

    import wax
    import wax.numpy as wnp

    @wax.jit
    def predict(w, b, x):
        return wnp.tanh(x @ w + b)

`wax.numpy`, `wax.special`, `wax.random`, `wax.nn` and `wax.optim` are what programs are written with, `jit` compiles
them; `cond`, `scan`, `while_loop` and their like branch and loop by what is computed; `wax.kernel` takes one's own
scalar functions.
No compiler is imported until something is compiled.
"""

from wax import checkpoint_policies, errors, kernel, nn, numpy, optim, random, rules, special, tree, typing
from wax import dtypes as dtypes  # first: the other modules are written with it
from wax.abstract import ShapeDtypeStruct
from wax.array import Array
from wax.assertions import static_assert
from wax.control_flow import associative_scan, cond, fori_loop, map, scan, switch, while_loop
from wax.dims import Dim
from wax.export import Exported, export
from wax.fallback import try_with_fallback
from wax.jit import Jitted, eval_shape, jit
from wax.placement import device_put
from wax.profiling import Profile, profile
from wax.saved import load
from wax.stages import Compiled, Lowered, Traced
from wax.transform import (
    all_gather,
    axis_index,
    axis_size,
    checkpoint,
    checkpoint_name,
    custom_jvp,
    custom_vjp,
    grad,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    pmax,
    pmean,
    pmin,
    ppermute,
    psum,
    remat,
    stop_gradient,
    value_and_grad,
    vjp,
    vmap,
)
from wax_runtime import registry
from wax_runtime.backend import CompileOptions
from wax_runtime.devices import Device, devices

__version__ = "0.1.0"

# Here and not at the first call, which should find everything at hand. A plug-in that fails to load is logged.
registry.backends()

__all__ = [
    "Array",
    "CompileOptions",
    "Compiled",
    "Device",
    "Dim",
    "Exported",
    "Jitted",
    "Lowered",
    "Profile",
    "ShapeDtypeStruct",
    "Traced",
    "all_gather",
    "associative_scan",
    "axis_index",
    "axis_size",
    "checkpoint",
    "checkpoint_name",
    "checkpoint_policies",
    "cond",
    "custom_jvp",
    "custom_vjp",
    "device_put",
    "devices",
    "errors",
    "eval_shape",
    "export",
    "fori_loop",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jit",
    "jvp",
    "kernel",
    "linearize",
    "load",
    "map",
    "nn",
    "numpy",
    "optim",
    "pmax",
    "pmean",
    "pmin",
    "ppermute",
    "profile",
    "psum",
    "random",
    "remat",
    "rules",
    "scan",
    "special",
    "static_assert",
    "stop_gradient",
    "switch",
    "tree",
    "try_with_fallback",
    "typing",
    "value_and_grad",
    "vjp",
    "vmap",
    "while_loop",
]
