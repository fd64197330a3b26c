"""Random programs of the basis, batched: each row is, bit for bit, what the program gives for it alone."""

import random

import numpy as np
import pytest
from random_programs import random_program
from reference_run import function

from wax import _native

PROGRAMS = 240
PER_TEST = 20


def batched(module: _native.Module, arguments: list[int], size: int) -> str:
    """The program over rows, all results with rows."""
    text = module.text()
    count = text[text.rindex("return ") :].count("tensor<")
    options = f"arguments={','.join(map(str, arguments))} results={','.join(map(str, range(count)))}"
    made = _native.parse_module(text)
    made.run(f"builtin.module(wax-batch{{{options} size={size}}},wax-verify-normal-form)")
    return made.text()


def listed(results):
    return results if isinstance(results, list) else [results]


@pytest.mark.parametrize("first", range(0, PROGRAMS, PER_TEST))
def test_rows_are_what_the_program_gives_for_each(first):
    for seed in range(first, first + PER_TEST):
        source = random.Random(seed)
        program = random_program(seed)
        arguments = program.arguments()
        own = sorted(source.sample(range(len(arguments)), source.randint(1, len(arguments))))
        size = source.choice([0, 1, 2, 3])
        rows = [np.stack([np.roll(x, i).reshape(x.shape) for i in range(3)])[:size] for x in arguments]
        given = [rows[i] if i in own else x for i, x in enumerate(arguments)]
        module = program.module("main")
        alone, together = function(module.text()), function(batched(module, own, size))
        made = listed(together(*given))
        wanted = [listed(alone(*(x[row] if i in own else x for i, x in enumerate(given)))) for row in range(size)]
        for place, shape in enumerate(program.shapes):
            assert made[place].shape == (size, *shape), seed
            for row in range(size):
                np.testing.assert_array_equal(made[place][row], wanted[row][place], err_msg=f"seed {seed}")
