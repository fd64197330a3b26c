"""The reference backend: a NumPy interpreter of the wax basis, and the worked example of a backend.

It turns the snapshot of a program into closures once, and runs those on host arrays from then on. It
compiles nothing, so it is what runs an operation outside `jit`, and the last fallback within.

Read it in this order:

1.  `plan.py`: what a rule is, and how a function's operations become one list of closures;
2.  `rules.py`: the one table of what this backend can do, by name of operation;
3.  `pointwise.py`, `reduce.py` (with `reducers.py`), `structural.py`, `gather.py`, `glue.py`, `control.py`:
    the rules, a family each; `sizes.py` has the run-time checks they share;
4.  `kernels.py`: scalar kernels as functions of whole arrays, made of the tables in `scalars_arith.py`,
    `scalars_math.py`, `scalars_complex.py` and `scalars_special.py`, and run over large arrays in blocks by
    `blocked.py`;
5.  `contraction.py` and `outer.py`: patterns of several operations, claimed and done as one;
6.  `backend.py`, `compiler.py`, `memory.py`, `serialize.py`: the two halves of the backend, the memory of its
    results, and its file format.

Nothing here states a shape rule twice: result types come with the snapshot; only what types leave open is
checked when a program runs.
"""
