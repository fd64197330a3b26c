"""Random valid programs of the basis, with arguments to run them on, and programs kept in files.

Sizes are known here and hidden from the program at random: a dim may be dynamic, a size an index value. Elements
are small numbers and corner cases, of integers, booleans, and of floats for which every operation used is exact
or rounded once, so that results can be compared bit for bit.

A seed means another program whenever the generator changes. What is to stay is kept as text, with a line that states
its arguments: `// arguments: tensor<0x2xi1>, tensor<4xi8>; seed 538`.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import reference_run
import scalar_judges

from wax import _native
from wax._native import DialectError

DTYPES = {"i1": np.bool_, "i8": np.int8, "i32": np.int32, "f32": np.float32}
WIDTHS = {"i1": 1, "i8": 8, "i32": 32}
BINARY = {
    "i1": ["arith.andi", "arith.ori", "arith.xori"],
    "f32": [f"arith.{op}f" for op in ("add", "sub", "mul", "div", "rem", "maximum", "minimum", "maxnum")],
}
BINARY["i8"] = BINARY["i32"] = [
    f"arith.{op}"
    for op in (
        *("addi", "subi", "muli", "xori", "maxsi", "minui", "shli", "shrsi", "shrui"),
        *("divsi", "divui", "remsi", "remui", "ceildivsi", "floordivsi"),
    )
]
FOLDS = {"i1": ["arith.andi", "arith.ori"], "f32": ["arith.maximumf", "arith.minimumf"]}
FOLDS["i8"] = FOLDS["i32"] = ["arith.addi", "arith.muli", "arith.maxsi", "arith.xori"]
INTEGERS = [0, 1, -1, 2, 7, 31, 32, -128]
FLOATS = [0.0, -0.0, 1.0, 2.0, -3.0, float("nan")]
#: Along which a transform only adds and subtracts.
EXACT_LENGTHS = (0, 1, 2, 4)
MOST_ELEMENTS = 5000
MOST_DIMS = 4


@dataclass(frozen=True)
class Value:
    number: int
    shape: tuple[int, ...]
    element: str


@dataclass(frozen=True)
class Program:
    """A program, with what its mutations are drawn from."""

    seed: int
    #: Its module, where it bears this name.
    module: Callable[[str], _native.Module]
    #: Types of its arguments, and what they are.
    types: list[tuple[tuple[int, ...], str]]
    #: The shapes that its results must have, where they are known.
    shapes: list[tuple[int, ...]] | None

    def arguments(self) -> list[np.ndarray]:
        return [draw(*kind, self.seed, position) for position, kind in enumerate(self.types)]


def draw(shape: tuple[int, ...], element: str, *seeds: int) -> np.ndarray:
    """Elements of which all are small, or all near a tensor's dims, or of integers some large; floats may have NaN."""
    source, dtype = np.random.default_rng(seeds), scalar_judges.DTYPES[element]
    low, high = [(-5, 6), (-5, 6), (-2, 4), (-128, 128)][source.integers(4 if dtype.kind == "i" else 3)]
    data = source.integers(low, high, shape).astype(dtype)
    if dtype.kind == "f" and source.random() < 0.3:
        data = np.where(source.random(shape) < 0.2, source.choice(FLOATS), data)
    return np.asarray(data, dtype)


class Generator:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.builder = _native.FunctionBuilder("f")
        self.values: list[Value] = []
        self.types: list[tuple[tuple[int, ...], str]] = []

    def program(self) -> Program:
        for _ in range(self.random.randint(1, 3)):
            self.argument()
        steps = [self.map, self.broadcast, self.broadcast, self.reduce, self.permute, self.reshape]
        steps += [self.scan, self.sort, self.slice, self.pad, self.concat, self.gather, self.iota, self.constant]
        steps += [self.fft, self.window, self.fold, self.convolve, self.reverse, self.insert, self.scatter]
        for _ in range(self.random.randint(2, 12)):
            self.random.choice(steps)()
        results = self.values[-self.random.randint(1, 4) :]
        function = self.builder.finish([value.number for value in results])
        shapes = [value.shape for value in results]
        return Program(self.seed, lambda name: _native.make_module(function, name), self.types, shapes)

    # What the steps choose from.

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def element(self) -> str:
        return self.random.choice(list(DTYPES))

    def sizes(self, most: int, choices: tuple[int, ...] = (0, 1, 1, 2, 3, 4)) -> tuple[int, ...]:
        return tuple(self.random.choice(choices) for _ in range(self.random.randint(0, most)))

    def value(self) -> Value:
        return self.random.choice(self.values[-4:] if self.chance(0.6) else self.values)

    def size(self, size: int):
        """A size as a number, or as an index value."""
        return size if self.chance(0.5) else ("value", self.builder.index_constant(size))

    def add(self, result: _native.Result, shape: tuple[int, ...]) -> None:
        self.values.append(Value(result[0], shape, result[2]))

    def data(self, shape: tuple[int, ...], element: str) -> bytes:
        return draw(shape, element, self.random.randrange(2**32)).tobytes()

    def scalar(self, element: str) -> int:
        return self.builder.constant(np.array(1, DTYPES[element]).tobytes(), [], element)[0]

    def kernel(self, arguments: list[str], *results: str) -> _native.Kernel:
        builder = _native.KernelBuilder(arguments)
        scalars = list(enumerate(arguments))
        for _ in range(self.random.randint(0, 3)):
            if not scalars or self.chance(0.25):
                element = self.element()
                number = self.random.choice(FLOATS if element == "f32" else INTEGERS)
                number = bool(number) if element == "i1" else number
                scalars.append((builder.constant(number, element), element))
                continue
            lhs, element = self.random.choice(scalars)
            rhs = self.random.choice([scalar for scalar, other in scalars if other == element])
            if element == "i1" or self.chance(0.8):
                op = self.random.choice(BINARY[element])
                scalars.append((builder.op(op, [lhs, rhs], element), element))
            else:
                kind, words = ("f", ("olt", "oeq", "une")) if element == "f32" else ("i", ("slt", "ult", "eq", "sge"))
                predicate = {"predicate": self.random.choice(words)}
                scalars.append((builder.op(f"arith.cmp{kind}", [lhs, rhs], "i1", predicate), "i1"))
        yielded = []
        for result in results:
            fitting = [scalar for scalar, element in scalars if element == result]
            if not fitting:
                fitting = [convert(builder, *scalars[-1], result) if scalars else builder.constant(1, result)]
            yielded.append(fitting[-1])
        return builder.finish(yielded)

    # One step each.

    def argument(self, shape: tuple[int, ...] | None = None, element: str = "") -> Value:
        """A new argument, of a random type unless it is given."""
        shape, element = self.sizes(3) if shape is None else shape, element or self.element()
        number = self.builder.argument([None if self.chance(0.4) else size for size in shape], element)
        self.values.append(Value(number, shape, element))
        self.types.append((shape, element))
        return self.values[-1]

    def map(self) -> None:
        x = self.value()
        self.add(self.builder.map(x.number, self.kernel([x.element], self.element())), x.shape)

    def broadcast(self) -> None:
        shape: list[int] = []
        inputs, dims = [], []
        for _ in range(self.random.randint(1, 3)):
            x, of_x = self.value(), []
            for size in x.shape:
                same = [dim for dim, other in enumerate(shape) if other == size and dim not in of_x]
                if same and self.chance(0.8):
                    of_x.append(self.random.choice(same))
                else:
                    of_x.append(len(shape))
                    shape.append(size)
            inputs.append(x)
            dims.append(of_x)
        shape += self.sizes(1)
        if len(shape) > MOST_DIMS or math.prod(shape) > MOST_ELEMENTS:
            return
        order = self.random.sample(range(len(shape)), len(shape))
        dims = [[order.index(dim) for dim in of_x] for of_x in dims]
        shape = [shape[dim] for dim in order]
        free = sorted(set(range(len(shape))) - {dim for of_x in dims for dim in of_x})
        kernel = self.kernel([x.element for x in inputs], self.element())
        sizes = [self.size(shape[dim]) for dim in free]
        result, _ = self.builder.broadcast([x.number for x in inputs], dims, sizes, kernel)
        self.add(result, tuple(shape))

    def reduce(self) -> None:
        x = self.value()
        dims = sorted(self.random.sample(range(len(x.shape)), self.random.randint(0, len(x.shape))))
        fold = _native.KernelBuilder([x.element] * 2)
        fold = fold.finish([fold.op(self.random.choice(FOLDS[x.element]), [0, 1], x.element)])
        if self.chance(0.3):
            fold = self.kernel([x.element] * 2, x.element)
        (result,), _ = self.builder.reduce([x.number], [self.scalar(x.element)], dims, fold, None)
        self.add(result, tuple(size for dim, size in enumerate(x.shape) if dim not in dims))

    def alike(self, x: Value, most: int) -> list[Value]:
        """A value and others of its shape."""
        others = [y for y in self.values if y.shape == x.shape]
        return [x, *self.random.choices(others, k=self.random.randint(0, most - 1))]

    def scan(self) -> None:
        x = self.value()
        if not x.shape:
            return
        operands, accumulators, combine = [x], [x.element], None
        if self.chance(0.5):
            op = self.random.choice(FOLDS[x.element])
            fold = _native.KernelBuilder([x.element] * 2)
            fold = fold.finish([fold.op(op, [0, 1], x.element)])
            # Their identity is what accumulators start with.
            if op in ("arith.muli", "arith.andi"):
                combine = self.random.choice([fold, None])
        else:
            operands = self.alike(x, 3)
            accumulators = [self.element() for _ in range(self.random.randint(1, 2))]
            fold = self.kernel([y.element for y in operands] + accumulators, *accumulators)
        dim, exclusive, reverse = self.random.randrange(len(x.shape)), self.chance(0.5), self.chance(0.5)
        starts = [self.scalar(element) for element in accumulators]
        numbers = [y.number for y in operands]
        results, _ = self.builder.scan(numbers, starts, dim, exclusive, reverse, fold, combine)
        for result in results:
            self.add(result, x.shape)

    def sort(self) -> None:
        x = self.value()
        if not x.shape:
            return
        operands = self.alike(x, 3)
        comparator = _native.KernelBuilder([y.element for y in operands for _ in range(2)])
        pair = self.random.choice([[0, 1], [1, 0]])
        if x.element == "f32":  # where NaN is the greatest, since without a place there is no order
            less = comparator.op("arith.cmpf", pair, "i1", {"predicate": "ult"})
            number = comparator.op("arith.cmpf", [pair[0]] * 2, "i1", {"predicate": "ord"})
            less = comparator.op("arith.andi", [less, number], "i1")
        else:
            less = comparator.op("arith.cmpi", pair, "i1", {"predicate": self.random.choice(["ult", "slt"])})
        dim = self.random.randrange(len(x.shape))
        results, _ = self.builder.sort([y.number for y in operands], dim, comparator.finish([less]))
        for result in results:
            self.add(result, x.shape)

    def permute(self) -> None:
        x = self.value()
        order = self.random.sample(range(len(x.shape)), len(x.shape))
        self.add(self.builder.permute(x.number, order), tuple(x.shape[dim] for dim in order))

    def reshape(self) -> None:
        x = self.value()
        groups = [[dim] for dim in range(len(x.shape))]
        if len(groups) > 1 and self.chance(0.6):
            groups[0] += groups.pop(1)
        if self.chance(0.3):
            groups.insert(self.random.randint(0, len(groups)), [])
        into, shape = [], []
        for group in groups:
            size = math.prod(x.shape[dim] for dim in group)
            part = self.random.choice([part for part in range(1, size + 1) if size % part == 0] or [1])
            split = [part, size // part] if self.chance(0.4) else [size]
            if size == 1 and self.chance(0.2):
                split = []
            into.append(list(range(len(shape), len(shape) + len(split))))
            shape += split
        # Where a size is 0, what follows from the operand depends on how its group is multiplied out.
        mixed = shape if 0 in x.shape else [self.size(size) for size in shape]
        for stated in (mixed, shape):
            try:
                result, _ = self.builder.reshape(x.number, groups, into, stated)
            except DialectError:  # a size that follows from the operand may not be stated
                continue
            self.add(result, tuple(shape))
            return

    def slice(self) -> None:
        x = self.value()
        offsets, sizes, strides = [], [], []
        for size in x.shape:
            stride = self.random.randint(1, 2)
            count = self.random.randint(0, (size + stride - 1) // stride)
            offset = self.random.randint(0, size - ((count - 1) * stride + 1 if count else 0))
            dynamic = ("value", self.builder.index_constant(self.random.choice([offset, offset + 9, -3])))
            offsets.append(offset if self.chance(0.6) else dynamic)
            sizes.append(count)
            strides.append(stride)
        result, _ = self.builder.slice(x.number, offsets, [self.size(size) for size in sizes], strides)
        self.add(result, tuple(sizes))

    def pad(self) -> None:
        x = self.value()
        lows, highs, interiors, shape = [], [], [], []
        for size in x.shape:
            low, high = self.random.randint(-1, 2), self.random.randint(-1, 2)
            # A dynamic dim that is padded within must have an element.
            interior = self.random.choice([0, 0, 1]) if size else 0
            padded = size + max(size - 1, 0) * interior
            if padded + low + high < 0:
                low = high = 0
            lows.append(low)
            highs.append(high)
            interiors.append(interior)
            shape.append(padded + low + high)
        result, _ = self.builder.pad(x.number, self.scalar(x.element), lows, highs, interiors)
        self.add(result, tuple(shape))

    def concat(self) -> None:
        x = self.value()
        if not x.shape:
            return
        along = self.random.randrange(len(x.shape))

        def others(value: Value) -> tuple[str, int, tuple[int, ...]]:
            return value.element, len(value.shape), value.shape[:along] + value.shape[along + 1 :]

        inputs = self.random.choices([y for y in self.values if others(y) == others(x)], k=self.random.randint(1, 3))
        result, _ = self.builder.concat([y.number for y in inputs], along)
        total = sum(y.shape[along] for y in inputs)
        self.add(result, (*x.shape[:along], total, *x.shape[along + 1 :]))

    def gather(self) -> None:
        x = self.value()
        indices = [y for y in self.values if y.element in ("i8", "i32")]
        if not x.shape or not indices:
            return
        index, at = self.random.choice(indices), self.random.randrange(len(x.shape))
        shape = [*index.shape, *x.shape[:at], *x.shape[at + 1 :]]
        if len(shape) > MOST_DIMS or math.prod(shape) > MOST_ELEMENTS or not x.shape[at]:
            return
        rest = iter(range(len(index.shape), len(shape)))
        dims = [-1 if dim == at else next(rest) for dim in range(len(x.shape))]
        result, _ = self.builder.gather(x.number, [index.number], dims, [list(range(len(index.shape)))])
        self.add(result, tuple(shape))

    def fft(self) -> None:
        """Of small whole numbers, along dims whose roots of unity are whole, so that every sum is exact."""
        x = self.value()
        dims = [dim for dim, size in enumerate(x.shape) if size in EXACT_LENGTHS]
        if not dims:
            return
        dims = self.random.sample(dims, self.random.randint(1, len(dims)))
        kind = self.random.choice(["complex", "half", "real"])
        shape, length = list(x.shape), None
        if kind == "half":
            shape[dims[-1]] = shape[dims[-1]] // 2 + 1
        elif kind == "real":
            lengths = [n for n in EXACT_LENGTHS if n // 2 + 1 == shape[dims[-1]]]
            kind = "real" if lengths else "complex"
        if kind == "real":
            shape[dims[-1]] = length = self.random.choice(lengths)
        # Sizes along transformed dims must be static.
        value = self.builder.slice(x.number, [0] * len(shape), list(x.shape), [1] * len(shape))[0][0]
        value = self.builder.map(value, whole_numbers(x.element, self.random, kind != "half"))[0]
        for _ in range(2 if kind == "complex" and self.chance(0.3) else 1):
            value = self.builder.fft(value, dims, length, self.chance(0.5))[0][0]
        result = self.builder.map(value, self.real_part("f32" if kind == "real" else "complex<f32>"))
        self.add(result, tuple(shape))

    def real_part(self, element: str) -> _native.Kernel:
        """A part of a number; no zero is negative, whose sign a transform does not state."""
        builder = _native.KernelBuilder([element])
        part = 0
        if element != "f32":
            part = builder.op(self.random.choice(["complex.re", "complex.im"]), [0], "f32")
        return builder.finish([builder.op("arith.addf", [part, builder.constant(0.0, "f32")], "f32")])

    def reverse(self) -> None:
        x = self.value()
        dims = sorted(self.random.sample(range(len(x.shape)), self.random.randint(0, len(x.shape))))
        self.add(self.builder.reverse(x.number, dims), x.shape)

    def insert(self) -> None:
        x = self.value()
        fitting = [
            y
            for y in self.values
            if y.element == x.element
            and len(y.shape) == len(x.shape)
            and all(small <= large for small, large in zip(y.shape, x.shape, strict=True))
        ]
        box = self.random.choice(fitting)
        offsets, strides = [], []
        for small, large in zip(box.shape, x.shape, strict=True):
            stride = self.random.randint(1, 2) if small * 2 <= large + 1 else 1
            offset = self.random.randint(0, large - ((small - 1) * stride + 1 if small else 0))
            dynamic = ("value", self.builder.index_constant(self.random.choice([offset, offset + 9, -3])))
            offsets.append(offset if self.chance(0.6) else dynamic)
            strides.append(stride)
        result, _ = self.builder.insert(box.number, x.number, offsets, strides)
        self.add(result, x.shape)

    def scatter(self) -> None:
        """An update of each element type, into dim `at` of an operand at one index, along others straight."""
        x, update = self.value(), self.value()
        if not x.shape:
            return
        at = self.random.randrange(len(x.shape))
        rest = x.shape[:at] + x.shape[at + 1 :]
        rank = len(update.shape) - len(rest)
        if rank < 0 or update.shape[rank:] != rest:
            update, rank = self.argument((self.random.choice([0, 1, 3, 5]), *rest), update.element), 1
        number = self.argument(update.shape[:rank], "i32").number
        following = iter(range(rank, rank + len(rest)))
        dims = [-1 if dim == at else next(following) for dim in range(len(x.shape))]
        fold = self.kernel([update.element, x.element], x.element)
        (result,), _ = self.builder.scatter(
            [update.number], [x.number], [number], dims, [list(range(rank))], fold, None
        )
        self.add(result, x.shape)

    def steps(self, count: int) -> tuple[list[int], list[int]]:
        """Strides and dilations of as many dims; some are absurd."""
        choices = (1, 1, 1, 2, 3, 2**31 - 1)
        return self.random.choices(choices, k=count), self.random.choices(choices, k=count)

    def window(self) -> None:
        x = self.value()
        dims = sorted(self.random.sample(range(len(x.shape)), self.random.randint(0, min(2, len(x.shape)))))
        sizes = [self.random.choice((1, 2, 2, 3, 0)) for _ in dims]
        strides, dilations = self.steps(len(dims))
        shape = list(x.shape)
        for dim, size, stride, dilation in zip(dims, sizes, strides, dilations, strict=True):
            span = (size - 1) * dilation + 1
            # A dynamic dim must be large enough, and windows of nothing can be very many.
            if shape[dim] < span - stride or (shape[dim] - span) // stride >= MOST_ELEMENTS:
                return
            shape[dim] = (shape[dim] - span) // stride + 1
        if len(shape) + len(dims) > MOST_DIMS or math.prod((*shape, *sizes)) > MOST_ELEMENTS:
            return
        result, _ = self.builder.window(x.number, dims, sizes, strides, dilations)
        self.add(result, (*shape, *sizes))

    def fold(self) -> None:
        x = self.value()
        rank = len(x.shape) - self.random.randint(0, len(x.shape) // 2)
        dims = sorted(self.random.sample(range(rank), len(x.shape) - rank))
        strides, dilations = self.steps(len(dims))
        shape = list(x.shape[:rank])
        for i, (dim, stride, dilation) in enumerate(zip(dims, strides, dilations, strict=True)):
            span = (x.shape[rank + i] - 1) * dilation + 1
            shape[dim] = (x.shape[dim] - 1) * stride + span + self.random.randrange(min(stride, 3))
            if shape[dim] < max(0, span - stride):
                return
        if math.prod(shape) > MOST_ELEMENTS or max(shape, default=0) > MOST_ELEMENTS:
            return
        fold = _native.KernelBuilder([x.element] * 2)
        fold = fold.finish([fold.op(self.random.choice(FOLDS[x.element]), [0, 1], x.element)])
        if self.chance(0.3):
            fold = self.kernel([x.element] * 2, x.element)
        sizes = [self.size(shape[dim]) for dim in dims]
        result, _ = self.builder.fold(x.number, self.scalar(x.element), dims, sizes, strides, dilations, fold, None)
        self.add(result, tuple(shape))

    def convolve(self) -> None:
        """Of integers: sums of floats may be made in any order."""
        fitting = [y for y in self.values if y.element in ("i8", "i32") and 2 <= len(y.shape) <= MOST_DIMS]
        if not fitting:
            return
        x = self.random.choice(fitting)
        rank, spatial = len(x.shape), len(x.shape) - 2
        lhs, rhs, order = (self.random.sample(range(rank), rank) for _ in range(3))
        features, batches = self.random.choice([(1, 1), (1, 1), (2, 1), (1, 2)])
        batch, feature = x.shape[lhs[0]], x.shape[lhs[1]]
        if feature % features or batch % batches:
            return
        of, outs = [self.random.choice((1, 2, 3, 0)) for _ in range(spatial)], self.random.choice((2, 4, 0))
        strides, dilations = self.steps(spatial)
        low, high, between = [], [], []
        made = {order[0]: batch // batches, order[1]: outs}
        for i in range(spatial):
            size = x.shape[lhs[2 + i]]
            between.append(self.random.choice((1, 1, 2)) if size else 1)
            low.append(self.random.randint(-1, 2))
            high.append(self.random.randint(-1, 2))
            padded = (size - 1) * between[i] + 1 if size else 0
            if padded + low[i] + high[i] < 0:
                low[i] = high[i] = 0
            room = padded + low[i] + high[i] - ((of[i] - 1) * dilations[i] + 1)
            if room < -strides[i] or room // strides[i] >= MOST_ELEMENTS:
                return
            made[order[2 + i]] = room // strides[i] + 1
        shape = tuple(made[dim] for dim in range(rank))
        if math.prod(shape) > MOST_ELEMENTS:
            return
        sizes = dict(zip(rhs, (feature // features, outs, *of), strict=True))
        of_kernel = tuple(sizes[dim] for dim in range(rank))
        if self.chance(0.5):
            w = self.builder.constant(self.data(of_kernel, x.element), of_kernel, x.element)[0]
        else:
            w = self.argument(of_kernel, x.element).number
        element = self.random.choice([x.element, "i32"])
        result, _ = self.builder.convolve(
            *(x.number, w, lhs, rhs, order, strides, low, high, between, dilations, features, batches, element)
        )
        self.add(result, shape)

    def iota(self) -> None:
        shape = (3, *self.sizes(1))
        element = self.random.choice(["i8", "i32", "f32"])
        along = self.random.randrange(len(shape))
        self.add(self.builder.iota(along, [self.size(size) for size in shape], element), shape)

    def constant(self) -> None:
        shape, element = self.sizes(2), self.element()
        data = self.data(shape, element) if self.chance(0.6) else np.full(shape, 1, DTYPES[element]).tobytes()
        self.add(self.builder.constant(data, shape, element), shape)


def whole_numbers(element: str, source: random.Random, is_complex: bool) -> _native.Kernel:
    """Numbers of 8 bits as floats; imaginary parts are made up from the real ones."""
    builder = _native.KernelBuilder([element])
    narrow = 0 if element == "i8" else convert(builder, 0, element, "i8")
    real = convert(builder, narrow, "i8", "f32")
    if not is_complex:
        return builder.finish([real])
    imaginary = builder.op("arith.subf", [builder.constant(source.choice([0.0, 1.0, 7.0]), "f32"), real], "f32")
    return builder.finish([builder.op("complex.create", [real, imaginary], "complex<f32>")])


def convert(builder: _native.KernelBuilder, scalar: int, element: str, result: str) -> int:
    if element == "f32":
        return builder.op("arith.fptosi", [scalar], result)
    if result == "f32":
        return builder.op("arith.sitofp", [scalar], result)
    return builder.op("arith.extsi" if WIDTHS[result] > WIDTHS[element] else "arith.trunci", [scalar], result)


def random_program(seed: int) -> Program:
    return Generator(seed).program()


_ARGUMENTS = re.compile(r"^// arguments:(.*); seed (\d+)$", re.MULTILINE)


def write(program: Program, path: Path, fault: str) -> None:
    """Keeps a program, with what was wrong."""
    types = ", ".join(reference_run.spell(*kind) for kind in program.types)
    lines = [*(f"// {line}" for line in fault.splitlines()), f"// arguments: {types}; seed {program.seed}"]
    path.write_text("\n".join([*lines, program.module("main").text()]))


def kept_program(path: Path) -> Program:
    """A program that was kept."""
    text = path.read_text()
    stated = _ARGUMENTS.search(text)
    if stated is None:
        raise ValueError(f"{path}: no line states the arguments")
    types = []
    for kind in re.findall(r"tensor<(\S*)>(?:,|$)", stated[1]):
        *sizes, element = re.split(r"(?<=\d)x", kind)
        types.append((tuple(map(int, sizes)), element))
    return Program(int(stated[2]), lambda name: _native.parse_module(text.replace("@main(", f"@{name}(")), types, None)
