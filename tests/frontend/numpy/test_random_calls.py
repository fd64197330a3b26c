"""Random programs of several calls, with loops and branches: eager, interpreted whole, and compiled, against NumPy.

NumPy in wider arithmetic says what a result is and how far a computed one may be from it (`error_bounds`): nothing,
unless something was rounded. So wherever results agree with it, compiled programs and the reference agree too.
"""

import numpy as np
import pytest
from error_bounds import Estimate, estimate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_calls import OPEN, Generator, random_program

import wax
import wax.numpy as wnp
from wax.errors import InconclusiveDimensionError, ShapeError


def arguments_of(programs):
    return [tuple(map(wnp.asarray, program.arguments)) for program in programs]


def run_together(programs, backend):
    """What programs give that are one module."""

    def together(*arguments):
        return [program.run(wax, wnp, *mine) for program, mine in zip(programs, arguments, strict=True)]

    return wax.jit(together, backend=backend)(*arguments_of(programs))


def faults(programs, results):
    found = []
    for program, mine in zip(programs, results, strict=True):
        try:
            program.check(mine)
        except AssertionError as error:
            found.append(str(error))
    return "\n".join(found)


# A program hangs on hundreds of choices: what is minimal is long.
@settings(suppress_health_check=[HealthCheck.large_base_example, HealthCheck.data_too_large])
@given(st.randoms(use_true_random=False))
def test_a_program_outside_of_jit_gives_what_numpy_does(source):
    program = Generator(source).program()
    program.check(program.run(wax, wnp, *map(wnp.asarray, program.arguments)))


def test_many_programs_outside_of_jit_give_what_numpy_does():
    programs = [random_program(seed) for seed in range(1000, 1100)]
    assert not faults(
        programs, [p.run(wax, wnp, *mine) for p, mine in zip(programs, arguments_of(programs), strict=True)]
    )


def test_programs_that_the_reference_runs_whole_give_what_numpy_does():
    programs = [random_program(seed) for seed in range(100)]
    assert not faults(programs, run_together(programs, "reference"))


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.full) for n in range(20, 400, 20))])
def test_compiled_programs_give_what_numpy_does(first):
    programs = [random_program(seed) for seed in range(first, first + 20)]
    assert not faults(programs, run_together(programs, "iree"))


def opened(program):
    """A jitted program whose arguments leave their dims of `OPEN` elements open; none where it needs to know them."""
    names = [f"x{i}" for i in range(len(program.arguments))]
    space = {"wax": wax, "wnp": wnp, "program": program}
    exec(f"def f({', '.join(names)}): return program.run(wax, wnp, {', '.join(names)})", space)
    n = wax.Dim("n", min=2)
    dims = {
        name: {axis: n for axis, size in enumerate(x.shape) if size == OPEN}
        for name, x in zip(names, program.arguments, strict=True)
    }
    return space["f"], {name: axes for name, axes in dims.items() if axes}


@pytest.mark.parametrize(("backend", "first", "count"), [
    ("reference", 0, 120),
    ("iree", 0, 12),
    *(pytest.param("iree", n, 40, marks=pytest.mark.full) for n in range(100, 300, 40)),
])  # fmt: skip
def test_one_program_serves_every_size(backend, first, count):
    served = refused = 0
    for seed in range(first, first + count):
        program = random_program(seed)
        function, dims = opened(program)
        if not dims:
            continue
        jitted = wax.jit(function, dynamic_shapes=dims, backend=backend)
        for size in (OPEN, 5):
            sized = program.at(size)
            if sized is None:
                continue
            try:
                results = jitted(*map(wnp.asarray, sized.arguments))
            except (ShapeError, InconclusiveDimensionError):
                refused += 1  # the sizes met by chance
                continue
            sized.check(results)
            served += 1
    assert served >= 2 * refused + 1, (served, refused)


# The judge itself.


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64", "complex64"])
def test_a_judge_sees_the_last_bits(dtype):
    x = estimate(np.asarray([1, 2, 3], dtype))
    for wrong in (np.asarray([1, 2], dtype), np.asarray([1, 2, 3], "uint8"), np.asarray([1, 2, 4], dtype)):
        with pytest.raises(AssertionError):
            x.check(wrong, "")
    if x.dtype.kind == "f":
        with pytest.raises(AssertionError):
            x.check(np.nextafter(np.asarray([1, 2, 3], dtype), 0), "")
        third = Estimate([1 / 3], [2 * np.finfo(dtype).eps], np.dtype(dtype))
        third.check(np.asarray([1 / 3], dtype), "")
        with pytest.raises(AssertionError):
            third.check(np.asarray([1 / 3], dtype) * (1 + 20 * np.finfo(dtype).eps), "")
