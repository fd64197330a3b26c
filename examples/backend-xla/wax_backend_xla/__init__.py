"""A backend for wax in a package of its own: the basis in StableHLO, run by XLA on the CPU.

`backend.py` is the loader half, `compiler.py` the compiler half, and `client.py` all that is known of jaxlib.
Everything else writes StableHLO: `writer.py` its text, `program.py` functions and control flow, `rules.py` the
table of operations, whose rules stand in a file for each family.
"""
