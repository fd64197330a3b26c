"""Programs with branches and loops, and random ones, in the upstream form: MLIR's own tools compile and run them."""

import control_programs
import numpy as np
import upstream_run
from random_calls import random_program

import wax
import wax.numpy as wnp
from wax import _native, tree


def upstream(programs):
    """What functions give, by name: `programs` has each with its arguments, all compiled as one module."""
    texts, signatures, dtypes = {}, {}, {}
    for name, (function, arguments) in programs.items():
        traced = wax.jit(function).trace(*arguments)._function
        dtypes[name] = [dtype for _, dtype in traced.results]
        module = _native.make_module(traced.function, name)
        signatures[name] = module.snapshot().functions[name]
        module.run("wax-to-linalg{target=upstream}")
        texts[name] = module.text()
    calls = upstream_run.load(upstream_run.join(texts), signatures)
    results = {name: calls[name](list(map(np.asarray, arguments))) for name, (_, arguments) in programs.items()}
    return {name: [x.view(d) for x, d in zip(mine, dtypes[name], strict=True)] for name, mine in results.items()}


def test_branches_and_loops_do_as_plain_python_does():
    programs = {f"program{i}": program for i, program in enumerate(control_programs.PROGRAMS)}
    results = upstream({name: (program.traced, program.arguments) for name, program in programs.items()})
    for name, program in programs.items():
        expected, structure = tree.flatten(program.plain())
        assert len(results[name]) == len(expected), program.name
        control_programs.assert_alike(
            tree.unflatten(structure, results[name]), program.plain(), program.tolerance, program.name
        )


def test_random_programs_of_calls_give_what_numpy_does():
    programs = {f"program{seed}": random_program(seed) for seed in range(2000, 2060)}

    def function(program):
        return lambda *arguments: program.run(wax, wnp, *arguments)

    results = upstream({name: (function(p), p.arguments) for name, p in programs.items()})
    for name, program in programs.items():
        program.check(results[name])
