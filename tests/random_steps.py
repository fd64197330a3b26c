"""Steps of random programs: each adds an operation of the basis, of what there is already.

Sizes are known here and hidden from the program at random: a dim may be dynamic, a size an index value.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from kept_programs import draw
from random_kernels import COMPLEXES, ELEMENTS, INTS, REALS, Kernels, convert, whole
from scalar_judges import DTYPES

from wax import _native
from wax._native import DialectError

#: Along which a transform only adds and subtracts.
EXACT_LENGTHS = (0, 1, 2, 4)
MOST_ELEMENTS = 5000
MOST_DIMS = 4
MOST_ARGUMENTS = 8


@dataclass(frozen=True)
class Value:
    number: int
    shape: tuple[int, ...]
    element: str


class Steps:
    """What a function has so far, and how it goes on."""

    def __init__(self, seed: int, *, smooth: bool = False) -> None:
        self.random = random.Random(seed)
        #: How many functions this one is inside of.
        self.depth = 0
        elements = self.random.sample(ELEMENTS, self.random.randint(2, 5))
        if smooth:
            elements = [self.random.choice(["f64", "f64", "f64", *elements]) for _ in elements]
        self.kernels = Kernels(self.random, elements, smooth=smooth)
        self.begin("f")

    def begin(self, name: str) -> None:
        """Starts a function, without any arguments yet."""
        self.builder = _native.FunctionBuilder(name)
        self.values: list[Value] = []
        self.types: list[tuple[tuple[int, ...], str]] = []
        #: Index values that are no sizes.
        self.places: list[int] = []

    def choices(self) -> list[Callable[[], None]]:
        """The steps, each as often as it is to be taken."""
        steps = [self.map, self.broadcast, self.broadcast, self.reduce, self.permute, self.reshape]
        steps += [self.scan, self.sort, self.slice, self.pad, self.concat, self.gather, self.iota, self.constant]
        steps += [self.fft, self.window, self.fold, self.convolve, self.product]
        return [*steps, self.reverse, self.insert, self.scatter]

    # What the steps choose from.

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def element(self) -> str:
        return self.kernels.element()

    def sizes(self, most: int, choices: tuple[int, ...] = (0, 1, 1, 2, 3, 4)) -> tuple[int, ...]:
        return tuple(self.random.choice(choices) for _ in range(self.random.randint(0, most)))

    def value(self) -> Value:
        return self.random.choice(self.values[-4:] if self.chance(0.6) else self.values)

    def size(self, size: int):
        """A size as a number, or as an index value."""
        return size if self.chance(0.5) else ("value", self.builder.index_constant(size))

    def offset(self, offset: int):
        """A place to read from or write to: this one, or an index value of whatever it is, in range or not."""
        if self.chance(0.6):
            return offset
        if self.places and self.chance(0.6):
            return ("value", self.random.choice(self.places))
        scalars = [x for x in self.values if x.element in INTS[1:] and x.shape == ()]
        if scalars and self.chance(0.5):
            self.places.append(self.builder.tensor_to_index(self.random.choice(scalars).number))
            return ("value", self.places[-1])
        return ("value", self.builder.index_constant(self.random.choice([offset, offset + 9, -3])))

    def add(self, result: _native.Result, shape: tuple[int, ...]) -> None:
        self.values.append(Value(result[0], shape, result[2]))

    def data(self, shape: tuple[int, ...], element: str) -> bytes:
        return draw(shape, element, self.random.randrange(2**32)).tobytes()

    def scalar(self, element: str, number: float = 1) -> int:
        return self.builder.constant(np.array(number, DTYPES[element]).tobytes(), [], element)[0]

    def kernel(self, arguments: list[str], *results: str) -> _native.Kernel:
        return self.kernels.kernel(arguments, *results)

    def folding(
        self, elements: list[str], accumulators: list[str]
    ) -> tuple[list[int], _native.Kernel, _native.Kernel | None]:
        """What accumulators start with, a fold, and a combine or none: anything in its order, or sums in any."""
        starts, fold, combine = self.kernels.fold(elements, accumulators)
        pairs = zip(accumulators, starts, strict=True)
        return [self.scalar(element, start) for element, start in pairs], fold, combine

    def spots(self, x: Value) -> tuple[list[int], list[int], list[list[int]], tuple[int, ...]] | None:
        """What of gather or scatter says where: indices into dims of a value, the dims of these and of itself in
        what is read or written, and its sizes. Dims of an index may be dims read straight, or another index's."""
        read = set(self.random.sample(range(len(x.shape)), self.random.randint(1, min(2, len(x.shape)))))
        if not all(x.shape[dim] for dim in read):
            return None
        shape = [size for dim, size in enumerate(x.shape) if dim not in read]
        straight, indices, dims = iter(range(len(shape))), [], []
        for _ in read:
            fitting = [y for y in self.values if y.element in INTS[1:]]
            make = not fitting or self.chance(0.5)
            index = (
                self.argument(self.sizes(2), self.random.choice([*INTS[1:], "i32", "i32"]))
                if make
                else self.random.choice(fitting)
            )
            of_index: list[int] = []
            for size in index.shape:
                same = [dim for dim, other in enumerate(shape) if other == size and dim not in of_index]
                if same and self.chance(0.5):
                    of_index.append(self.random.choice(same))
                else:
                    of_index.append(len(shape))
                    shape.append(size)
            indices.append(index.number)
            dims.append(of_index)
        if len(shape) > MOST_DIMS or math.prod(shape) > MOST_ELEMENTS:
            return None
        order = self.random.sample(range(len(shape)), len(shape))
        of_operand = [-1 if dim in read else order.index(next(straight)) for dim in range(len(x.shape))]
        of_indices = [[order.index(dim) for dim in of_index] for of_index in dims]
        return indices, of_operand, of_indices, tuple(shape[dim] for dim in order)

    # One step each.

    def argument(self, shape: tuple[int, ...] | None = None, element: str = "") -> Value:
        """A new argument, of a random type unless it is given; where there are enough, a constant."""
        shape, element = self.sizes(3) if shape is None else shape, element or self.element()
        if self.depth or len(self.types) == MOST_ARGUMENTS:
            result = self.builder.constant(self.data(shape, element), shape, element)
            self.add(result, shape)
        else:
            self.parameter(shape, element)
            self.types.append((shape, element))
        return self.values[-1]

    def parameter(self, shape: tuple[int, ...], element: str) -> None:
        number = self.builder.argument([None if self.chance(0.4) else size for size in shape], element)
        self.values.append(Value(number, shape, element))

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
        operands, accumulators = self.folded(x)
        starts, fold, combine = self.folding([y.element for y in operands], accumulators)
        results, _ = self.builder.reduce([y.number for y in operands], starts, dims, fold, combine)
        for result in results:
            self.add(result, tuple(size for dim, size in enumerate(x.shape) if dim not in dims))

    def folded(self, x: Value) -> tuple[list[Value], list[str]]:
        """A value, perhaps with others of its shape, and elements of accumulators."""
        if self.chance(0.5):
            return [x], [x.element]
        return self.alike(x, 3), [self.element() for _ in range(self.random.randint(1, 2))]

    def alike(self, x: Value, most: int) -> list[Value]:
        """A value and others of its shape."""
        others = [y for y in self.values if y.shape == x.shape]
        return [x, *self.random.choices(others, k=self.random.randint(0, most - 1))]

    def scan(self) -> None:
        x = self.value()
        if not x.shape:
            return
        operands, accumulators = self.folded(x)
        starts, fold, combine = self.folding([y.element for y in operands], accumulators)
        dim, exclusive, reverse = self.random.randrange(len(x.shape)), self.chance(0.5), self.chance(0.5)
        numbers = [y.number for y in operands]
        results, _ = self.builder.scan(numbers, starts, dim, exclusive, reverse, fold, combine)
        for result in results:
            self.add(result, x.shape)

    def sort(self) -> None:
        x = self.value()
        if not x.shape:
            return
        operands = self.alike(x, 3)
        comparator = self.kernels.comparator([y.element for y in operands])
        dim = self.random.randrange(len(x.shape))
        results, _ = self.builder.sort([y.number for y in operands], dim, comparator)
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
            offsets.append(self.offset(offset))
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
        if x.shape and (spots := self.spots(x)):
            indices, operand_dims, index_dims, shape = spots
            result, _ = self.builder.gather(x.number, indices, operand_dims, index_dims)
            self.add(result, shape)

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
        part = self.random.choice(["f32", "f64"])
        value = self.builder.map(value, whole_numbers(x.element, part, self.random, is_complex=kind != "half"))[0]
        for _ in range(2 if kind == "complex" and self.chance(0.3) else 1):
            value = self.builder.fft(value, dims, length, self.chance(0.5))[0][0]
        result = self.builder.map(value, self.real_part(part, is_complex=kind != "real"))
        self.add(result, tuple(shape))

    def real_part(self, part: str, *, is_complex: bool) -> _native.Kernel:
        """A part of a number; no zero is negative, whose sign a transform does not state."""
        builder = _native.KernelBuilder([f"complex<{part}>" if is_complex else part])
        number = 0
        if is_complex:
            number = builder.op(self.random.choice(["complex.re", "complex.im"]), [0], part)
        return builder.finish([builder.op("arith.addf", [number, builder.constant(0.0, part)], part)])

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
            offsets.append(self.offset(offset))
            strides.append(stride)
        into, again = x.number, self.chance(0.3)
        for _ in range(self.chain()):
            result, _ = self.builder.insert(box.number, into, offsets, strides)
            into = into if again else result[0]
            self.add(result, x.shape)

    def scatter(self) -> None:
        x = self.value()
        if not x.shape or not (spots := self.spots(x)):
            return
        indices, operand_dims, index_dims, shape = spots
        fitting = [y for y in self.values if y.shape == shape]
        make = not fitting or self.chance(0.3)
        updates = self.alike(self.argument(shape) if make else self.random.choice(fitting), 2)
        operands = self.alike(x, 2)
        _, fold, combine = self.folding([y.element for y in updates], [y.element for y in operands])
        numbers = [[y.number for y in values] for values in (updates, operands)]
        for _ in range(self.chain()):
            results, _ = self.builder.scatter(*numbers, indices, operand_dims, index_dims, fold, combine)
            numbers[1] = [result[0] for result in results]
            for result in results:
                self.add(result, x.shape)

    def chain(self) -> int:
        """How many times an update is made, each of what the last one gave."""
        return self.random.choice((1, 1, 1, 2, 3))

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
        (start,), kernel, combine = self.folding([x.element], [x.element if self.chance(0.5) else self.element()])
        sizes = [self.size(shape[dim]) for dim in dims]
        result, _ = self.builder.fold(x.number, start, dims, sizes, strides, dilations, kernel, combine)
        self.add(result, tuple(shape))

    def convolve(self) -> None:
        """Of integers, and of small whole numbers: sums of floats may be made in any order."""
        fitting = [
            y
            for y in self.values
            if y.element in (*INTS[1:], "f32", "f64", *COMPLEXES) and 2 <= len(y.shape) <= MOST_DIMS
        ]
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
        element, number = x.element, x.number
        if element in INTS:
            element = self.random.choice([element, "i64"] if element == "i64" else [element, "i32"])
        elif not self.kernels.smooth:
            number, w = (self.builder.map(one, whole_kernel(element))[0] for one in (number, w))
        result, _ = self.builder.convolve(
            *(number, w, lhs, rhs, order, strides, low, high, between, dilations, features, batches, element)
        )
        self.add(result, shape)

    def product(self) -> None:
        """Of matrices, or stacks of them, in any order of dims: of integers, and of small whole numbers. A map may make
        a factor, of what it has and of a vector along some of its dims.
        """
        fitting = [y for y in self.values if y.element in (*INTS[1:], "f32", "f64") and y.shape]
        if not fitting:
            return
        x = self.random.choice(fitting)
        rank, element = len(x.shape), x.element
        inner = sorted(self.random.sample(range(rank), self.random.randint(1, min(2, rank))))
        stacks = [dim for dim in range(rank) if dim not in inner and self.chance(0.5)]
        shape = [*x.shape, *self.sizes(1, (1, 2, 3, 0))]
        if len(shape) > MOST_DIMS or math.prod(shape) > MOST_ELEMENTS:
            return
        of_y = [*inner, *stacks, *range(rank, len(shape))]
        self.random.shuffle(of_y)
        first, second = self.whole(x), self.whole(self.argument(tuple(shape[dim] for dim in of_y), element))
        if self.chance(0.5):
            along = sorted(self.random.sample(range(rank), self.random.randint(0, rank)))
            vector = self.whole(self.argument(tuple(x.shape[dim] for dim in along), element))
            first = self.builder.broadcast([first, vector], [[*range(rank)], along], [], self.twice("add", element))[0][
                0
            ]
        order = self.random.sample(range(len(shape)), len(shape))
        dims = [[order.index(dim) for dim in of] for of in (range(rank), of_y)]
        products, _ = self.builder.broadcast([first, second], dims, [], self.twice("mul", element))
        add = self.twice("add", element)
        summed = sorted(order.index(dim) for dim in inner)
        (result,), _ = self.builder.reduce([products[0]], [self.scalar(element, 0)], summed, add, add)
        self.add(result, tuple(shape[dim] for dim in order if dim not in inner))

    def whole(self, x: Value) -> int:
        """Small whole numbers of floats, which have the same sum in any order."""
        return (
            x.number
            if x.element in INTS or self.kernels.smooth
            else self.builder.map(x.number, whole_kernel(x.element))[0]
        )

    @staticmethod
    def twice(operation: str, element: str) -> _native.Kernel:
        """A kernel of one operation of two scalars."""
        builder = _native.KernelBuilder([element, element])
        name = f"arith.{operation}{'i' if element in INTS else 'f'}"
        return builder.finish([builder.op(name, [0, 1], element)])

    def iota(self) -> None:
        shape = (3, *self.sizes(1))
        element = self.random.choice([x for x in (*self.kernels.elements, "i32") if x in (*INTS, *REALS)])
        along = self.random.randrange(len(shape))
        self.add(self.builder.iota(along, [self.size(size) for size in shape], element), shape)

    def constant(self) -> None:
        shape, element = self.sizes(2), self.element()
        data = self.data(shape, element) if self.chance(0.6) else np.full(shape, 1, DTYPES[element]).tobytes()
        self.add(self.builder.constant(data, shape, element), shape)


def whole_numbers(element: str, part: str, source: random.Random, *, is_complex: bool) -> _native.Kernel:
    """Numbers of 8 bits as floats; imaginary parts are made up from the real ones."""
    builder = _native.KernelBuilder([element])
    real = convert(builder, convert(builder, 0, element, "i8"), "i8", part)
    if not is_complex:
        return builder.finish([real])
    imaginary = builder.op("arith.subf", [builder.constant(source.choice([0.0, 1.0, 7.0]), part), real], part)
    return builder.finish([builder.op("complex.create", [real, imaginary], f"complex<{part}>")])


def whole_kernel(element: str) -> _native.Kernel:
    builder = _native.KernelBuilder([element])
    return builder.finish([whole(builder, 0, element)])
