"""Control flow that depends on values: branches and loops, in and outside of `jit`.

A Python `if` or `for` runs while a function is traced, so it cannot look at what is computed, and a loop is written
out turn by turn. These functions, with the names and arguments of `jax.lax`, stay branches and loops of the program:
`scf.if`, `scf.for` and `scf.while` around operations of the basis. Outside of `jit` the reference backend runs them.

`branches.py` has `cond` and `switch`, `loops.py` the loops that carry values, `scans.py` those that also walk along
arrays, `associative.py` what needs no loop at all. `_region.py` traces what a branch or a body does.
"""

from wax.control_flow.associative import associative_scan
from wax.control_flow.branches import cond, switch
from wax.control_flow.loops import fori_loop, while_loop
from wax.control_flow.scans import map, scan

__all__ = ["associative_scan", "cond", "fori_loop", "map", "scan", "switch", "while_loop"]
