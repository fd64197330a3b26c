"""Functions made of functions: derivatives in both directions, and rules of one's own.

The names and their meaning are JAX's. Each works inside and outside of `jit`, on pytrees, on closures over traced
values, and on what another has made.
"""

from wax.transform.batching import vmap
from wax.transform.checkpointing import checkpoint, checkpoint_name, remat
from wax.transform.collectives import all_gather, axis_index, axis_size, pmax, pmean, pmin, ppermute, psum
from wax.transform.custom import custom_jvp, custom_vjp, stop_gradient
from wax.transform.forward import jvp, linearize
from wax.transform.jacobian import hessian, jacfwd, jacrev
from wax.transform.reverse import grad, value_and_grad, vjp

__all__ = [
    "all_gather",
    "axis_index",
    "axis_size",
    "checkpoint",
    "checkpoint_name",
    "custom_jvp",
    "custom_vjp",
    "grad",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "pmax",
    "pmean",
    "pmin",
    "ppermute",
    "psum",
    "remat",
    "stop_gradient",
    "value_and_grad",
    "vjp",
    "vmap",
]
