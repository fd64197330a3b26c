"""`wax.reduce`, `wax.scan` and `wax.sort`.

With a `combine` each element may be a part of its own, folded from the initial value; parts are then joined by
StableHLO's own reduction. Where the fold is `acc ∘ e(element)` the elements are parts already. Without a `combine`
the elements are folded one after another, in a loop, each turn for all kept elements at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from wax_backend_xla.contraction import contraction
from wax_backend_xla.scalars import arguments_of, write_kernel, write_trees
from wax_backend_xla.scope import Scope, Written, as_ints, require
from wax_backend_xla.writer import Value, ints
from wax_runtime.snapshot import Apply, Argument, Kernel, Operation, Scalar

__all__ = ["reduce_", "scan", "sort"]


def _operands(operation: Operation, scope: Scope, label: str) -> tuple[list[Value], list[Value]]:
    """The inputs, which have one shape, and the initial values."""
    values = scope.operands(operation)
    count = operation.segments[0] if len(operation.segments) > 1 else len(values)
    shapes = [x.shape for x in values[:count]]
    require(len(set(shapes)) == 1, operation, label, f"operands have sizes {[list(shape) for shape in shapes]}")
    return values[:count], values[count:]


def _element_of_fold(fold: Kernel, count: int, index: int) -> Scalar | None:
    """For an accumulator's fold `acc ∘ e(elements)`, or `e ∘ acc`: `e`."""
    tree = fold.results[index]
    if not isinstance(tree, Apply) or len(tree.operands) != 2:
        return None
    others = [x for x in tree.operands if not (isinstance(x, Argument) and x.index == count + index)]
    if len(others) != 1 or any(used >= count for used in arguments_of(others[0])):
        return None
    return others[0]


def _has_combine_of(fold: Kernel, combine: Kernel, index: int) -> bool:
    """Whether parts are joined by the operation that folds."""
    tree, join = fold.results[index], combine.results[index]
    if not isinstance(tree, Apply) or not isinstance(join, Apply) or tree.op != join.op:
        return False
    read = sorted(x.index for x in join.operands if isinstance(x, Argument))
    return read == [index, index + len(combine.results)] and dict(tree.attributes) == dict(join.attributes)


def _parts(fold: Kernel, combine: Kernel, inputs: list[Value], inits: list[Value]) -> list[Value]:
    """What each element is as a part of its own."""
    shape, count, writer = inputs[0].shape, len(inputs), inputs[0].writer
    each = [_element_of_fold(fold, count, index) for index in range(len(inits))]
    trees = [tree for index, tree in enumerate(each) if tree is not None and _has_combine_of(fold, combine, index)]
    if len(trees) == len(inits):
        return write_trees(writer, trees, inputs, shape)
    return write_kernel(writer, fold, [*inputs, *(init.broadcast(shape) for init in inits)], shape)


def reduce_(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A product of matrices where it is one, else a reduction of parts, else a loop."""
    product = contraction(operation, scope)
    if product is not None:
        return [product]
    inputs, inits = _operands(operation, scope, "reduce_c2")
    dims = as_ints(operation.attributes["dims"])
    fold, combine = operation.kernels
    assert fold is not None
    if combine is None:
        return _in_order(fold, inputs, inits, dims)
    parts = _parts(fold, combine, inputs, inits)
    return _reduced(combine, parts, inits, dims) if dims else _joined(combine, inits, parts, inputs[0].shape)


def _joined(combine: Kernel, inits: list[Value], parts: list[Value], shape: tuple[int, ...]) -> list[Value]:
    return write_kernel(parts[0].writer, combine, [*(x.broadcast(shape) for x in inits), *parts], shape)


def _reduced(combine: Kernel, parts: list[Value], inits: list[Value], dims: Sequence[int]) -> list[Value]:
    writer = parts[0].writer
    kept = tuple(size for dim, size in enumerate(parts[0].shape) if dim not in dims)
    scalars = [((), x.element) for x in (*inits, *inits)]
    region = writer.region(scalars, lambda values: write_kernel(writer, combine, values, ()))
    results = [(kept, x.element) for x in inits]
    return writer.several("reduce", [*parts, *inits], results, f"dimensions = {ints(dims)}", [region])


def _in_order(fold: Kernel, inputs: list[Value], inits: list[Value], dims: Sequence[int]) -> list[Value]:
    writer, shape = inputs[0].writer, inputs[0].shape
    kept = [dim for dim in range(len(shape)) if dim not in dims]
    sizes = tuple(shape[dim] for dim in kept)
    turns = prod(shape[dim] for dim in dims)
    rows = [x.transpose([*dims, *kept]).reshape((turns, *sizes)) for x in inputs]
    accs = [x.broadcast(sizes) for x in inits]

    def body(turn: Value, state: list[Value]) -> Sequence[Value]:
        return write_kernel(writer, fold, [*(_row(x, turn) for x in rows), *state], sizes)

    return writer.repeat(turns, accs, body) if turns else accs


def _row(x: Value, turn: Value) -> Value:
    rest = x.shape[1:]
    return x.at([turn, *[0] * len(rest)], (1, *rest)).reshape(rest)


# Prefixes.


def scan(operation: Operation, scope: Scope) -> Sequence[Written]:
    """All prefixes, of the operands turned round for a reverse scan; an exclusive one begins with the initial value."""
    axis = operation.attributes["dim"]
    assert isinstance(axis, int)
    inputs, inits = _operands(operation, scope, "scan_c2")
    fold, combine = operation.kernels
    assert fold is not None
    reverse, exclusive = bool(operation.attributes.get("reverse")), bool(operation.attributes.get("exclusive"))
    shape = inputs[0].shape
    if 0 in shape:
        return [x.broadcast(shape) for x in inits]
    order = [axis, *(dim for dim in range(len(shape)) if dim != axis)]
    back = [order.index(dim) for dim in range(len(shape))]
    turned = [0] if reverse else []
    rows = [x.transpose(order).reverse(turned) for x in inputs]
    if combine is None:
        made = _one_by_one(fold, rows, inits, exclusive)
    else:
        made = _by_doubling(combine, _parts(fold, combine, rows, inits), inits)
        made = [_exclusive(x, init) for x, init in zip(made, inits, strict=True)] if exclusive else made
    return [x.reverse(turned).transpose(back) for x in made]


def _exclusive(x: Value, init: Value) -> Value:
    rest = [0] * (len(x.shape) - 1)
    return x.pad(init, [1, *rest], [-1, *rest], [0, *rest])


def _by_doubling(combine: Kernel, made: list[Value], inits: list[Value]) -> list[Value]:
    """What lies 1, 2, 4 … before is joined to each element (Hillis and Steele, CACM 29, 1986)."""
    writer, (count, *rest) = made[0].writer, made[0].shape
    distance = 1
    while distance < count:
        shape = (count - distance, *rest)
        none = [0] * len(rest)
        heads = [x.slice([0, *none], [distance, *rest]) for x in made]
        earlier = [x.slice([0, *none], shape) for x in made]
        later = [x.slice([distance, *none], [count, *rest]) for x in made]
        joined = write_kernel(writer, combine, [*earlier, *later], shape)
        made = [writer.concatenate([head, tail], 0) for head, tail in zip(heads, joined, strict=True)]
        distance *= 2
    return made


def _one_by_one(fold: Kernel, rows: list[Value], inits: list[Value], exclusive: bool) -> list[Value]:
    writer, (count, *rest) = rows[0].writer, rows[0].shape
    sizes, width = tuple(rest), len(inits)
    accs = [x.broadcast(sizes) for x in inits]
    empty = [writer.splat(0, rows[0].shape, x.element) for x in inits]

    def body(turn: Value, state: list[Value]) -> Sequence[Value]:
        accs, made = state[:width], state[width:]
        following = write_kernel(writer, fold, [*(_row(x, turn) for x in rows), *accs], sizes)
        seen = accs if exclusive else following
        place = [turn, *[0] * len(sizes)]
        return [*following, *(x.with_box(y.reshape((1, *sizes)), place) for x, y in zip(made, seen, strict=True))]

    return writer.repeat(count, [*accs, *empty], body)[width:]


# Order.


def sort(operation: Operation, scope: Scope) -> Sequence[Written]:
    """A stable sort by the comparator."""
    dim = operation.attributes["dim"]
    assert isinstance(dim, int)
    (comparator,) = operation.kernels
    assert comparator is not None
    inputs, _ = _operands(operation, scope, "sort_c2")
    writer = scope.writer
    pairs = [((), x.element) for x in inputs for _ in range(2)]
    region = writer.region(pairs, lambda values: write_kernel(writer, comparator, values, ()))
    results = [(x.shape, x.element) for x in inputs]
    return writer.several("sort", inputs, results, f"dimension = {dim} : i64, is_stable = true", [region])
