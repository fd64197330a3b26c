"""Random valid programs of the basis, with branches and loops, and with arguments to run them on.

Elements are small numbers and corner cases of every type; what kernels do with them can be compared bit for bit.
A seed means another program whenever the generator changes; `kept_programs` has what is to stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from kept_programs import Program
from random_kernels import INTS, convert
from random_steps import Steps, Value

from wax import _native

#: Loops in loops.
MOST_DEPTH = 2


class Generator(Steps):
    """Draws one function, or the body of a loop in one."""

    def program(self, seed: int) -> Program:
        for _ in range(self.random.randint(1, 3)):
            self.argument()
        for _ in range(self.random.randint(13, 30) if self.chance(0.1) else self.random.randint(2, 12)):
            self.random.choice(self.choices())()
        results = self.values[-self.random.randint(1, 4) :]
        function = self.builder.finish([value.number for value in results])
        shapes = [value.shape for value in results]
        return Program(seed, lambda name: _native.make_module(function, name), self.types, shapes)

    def choices(self) -> list[Callable[[], None]]:
        if self.depth == MOST_DEPTH:
            return super().choices()
        return [*super().choices(), self.branch, self.loop, self.loop_while]

    # Bodies are functions of their own.

    def some(self, least: int, most: int) -> list[Value]:
        return [self.value() for _ in range(self.random.randint(least, most))]

    def body(
        self, operands: Sequence[Value], results: Sequence[Value] | None, *, counts: str = ""
    ) -> tuple[_native.Function, list[Value]]:
        """A function of values like these with results like those, or any; `counts` says how its first one does."""
        outer = self.builder, self.values, self.types, self.places
        self.begin("body")
        self.depth += 1
        if counts == "index":
            self.places.append(self.builder.argument((), "index"))
            self.add(self.builder.index_to_tensor(self.places[-1], self.random.choice(INTS[1:])), ())
        for value in operands:
            self.parameter(value.shape, value.element)
        first = self.values[0]
        if not self.values:
            self.constant()
        for _ in range(self.random.randint(0, 3)):
            self.random.choice(self.choices())()
        given = self.some(1, 2) if results is None else [self.like(value) for value in results]
        if counts == "counter":
            builder = _native.KernelBuilder(["i32"])
            next_one = builder.finish([builder.op("arith.addi", [0, builder.constant(1, "i32")], "i32")])
            self.add(self.builder.map(first.number, next_one), ())
            given[0] = self.values[-1]
        function = self.builder.finish([value.number for value in given])
        self.builder, self.values, self.types, self.places = outer
        self.depth -= 1
        return function, given

    def like(self, value: Value) -> Value:
        """A value of the same type; there is one among a body's arguments."""
        fitting = [y for y in self.values if (y.shape, y.element) == (value.shape, value.element)]
        return fitting[-1] if self.chance(0.7) else self.random.choice(fitting)

    def flag(self) -> Value:
        """A condition."""
        fitting = [y for y in self.values if (y.shape, y.element) == ((), "i1")]
        if not fitting or self.chance(0.3):
            return self.argument((), "i1")
        return self.random.choice(fitting)

    def branch(self) -> None:
        flag, captured = self.flag(), self.some(1, 3)
        then, results = self.body(captured, None)
        other = [Value(-1, value.shape, value.element) for value in results]
        others = [*captured, *(value for value in map(self.made_like, other))]
        otherwise, _ = self.body(others, other)
        numbers = [[value.number for value in values] for values in (captured, others)]
        made = self.builder.if_(flag.number, then, numbers[0], otherwise, numbers[1])
        for result, value in zip(made, other, strict=True):
            self.add(result, value.shape)

    def made_like(self, value: Value) -> Value:
        if any((y.shape, y.element) == (value.shape, value.element) for y in self.values):
            return self.like(value)
        return self.argument(value.shape, value.element)

    def loop(self) -> None:
        carried, captured = self.some(1, 2), self.some(0, 2)
        body, _ = self.body([*carried, *captured], carried, counts="index")
        numbers = [[value.number for value in values] for values in (carried, captured)]
        count = self.size(self.random.randint(0, 3))
        made = self.builder.for_(count, numbers[0], body, range(len(carried)), numbers[1])
        for result, value in zip(made, carried, strict=True):
            self.add(result, value.shape)

    def loop_while(self) -> None:
        """Until a counter says so, or, before that, a value that is computed."""
        self.add(self.builder.constant(np.int32(0).tobytes(), (), "i32"), ())
        counter, captured = self.values[-1], self.some(0, 2)
        carried = [counter, *self.some(1, 2)]
        body, _ = self.body([*carried, *captured], carried, counts="counter")
        numbers = [[value.number for value in values] for values in (carried, captured)]
        condition = self.condition(carried)
        made = self.builder.while_(numbers[0], condition, [], body, numbers[1], None)
        for result, value in zip(made, carried, strict=True):
            self.add(result, value.shape)

    def condition(self, carried: Sequence[Value]) -> _native.Function:
        function = _native.FunctionBuilder("condition")
        numbers = [function.argument([None] * len(value.shape), value.element) for value in carried]
        scalars = [i for i, value in enumerate(carried) if i and value.shape == ()]
        read = self.random.sample(scalars, self.random.randint(0, min(1, len(scalars))))
        elements = [carried[i].element for i in read]
        kernel = _native.KernelBuilder(["i32", *elements])
        limit = kernel.constant(self.random.randint(0, 3), "i32")
        holds = kernel.op("arith.cmpi", [0, limit], "i1", {"predicate": "slt"})
        for i, element in enumerate(elements):
            holds = kernel.op("arith.andi", [holds, convert(kernel, 1 + i, element, "i1")], "i1")
        inputs = [numbers[i] for i in (0, *read)]
        result, _ = function.broadcast(inputs, [[]] * len(inputs), [], kernel.finish([holds]))
        return function.finish([result[0]])


def random_program(seed: int) -> Program:
    return Generator(seed).program(seed)


def program_for(check: str, seed: int) -> Program:
    """What a check tries: to be differentiated, programs with more floats, and with functions as they are."""
    return Generator(seed, smooth=check == "derivatives").program(seed)
