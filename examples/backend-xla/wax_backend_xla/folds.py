"""`wax.reduce`, `wax.scan` and `wax.sort`.

With a `combine` each element may be a part of its own, folded from the initial value; parts are then joined by
StableHLO's own reduction. Where the fold is `acc ∘ e(element)` the elements are parts already. Without a `combine`
the elements are folded one after another, in a loop, each turn for all kept elements at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod

from wax_backend_xla.contraction import contraction
from wax_backend_xla.scalars import arguments_of, write_kernel, write_trees
from wax_backend_xla.scope import Scope, Written, require
from wax_backend_xla.writer import Value, ints
from wax_runtime.snapshot import Apply, Argument, Kernel, Operation, Scalar, as_ints

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
        made = _prefixes(combine, _parts(fold, combine, rows, inits))
        made = [_exclusive(x, init) for x, init in zip(made, inits, strict=True)] if exclusive else made
    return [x.reverse(turned).transpose(back) for x in made]


def _exclusive(x: Value, init: Value) -> Value:
    rest = [0] * (len(x.shape) - 1)
    return x.pad(init, [1, *rest], [-1, *rest], [0, *rest])


# More elements than this are dealt to lanes; XLA would fuse many doublings into one, and compute all again in each.
_DOUBLED = 32


def _prefixes(combine: Kernel, parts: list[Value]) -> list[Value]:
    """Runs of neighbours are lanes, gone through side by side; then each lane is joined to all lanes before it."""
    (count, *rest), writer = parts[0].shape, parts[0].writer
    if count <= _DOUBLED:
        return _by_doubling(combine, parts)
    length = isqrt(count - 1) + 1
    lanes = -(-count // length)
    order, none = [1, 0, *range(2, 2 + len(rest))], [0] * len(rest)
    dealt = []
    for x in parts:
        # What is added stands behind all others, and is cut off again.
        whole = x.pad(writer.splat(0, (), x.element), [0, *none], [lanes * length - count, *none], [0, *none])
        dealt.append(whole.reshape((lanes, length, *rest)).transpose(order))
    width = len(parts)

    def body(turn: Value, state: list[Value]) -> Sequence[Value]:
        accs, made, place = state[:width], state[width:], turn + 1
        accs = write_kernel(writer, combine, [*accs, *(_row(x, place) for x in made)], (lanes, *rest))
        at = [place, 0, *none]
        return [*accs, *(x.with_box(acc.reshape((1, *acc.shape)), at) for x, acc in zip(made, accs, strict=True))]

    state = writer.repeat(length - 1, [*(_row(x, writer.splat(0, (), "i64")) for x in dealt), *dealt], body)
    totals, made = state[:width], state[width:]
    before = [x.slice([0, *none], [lanes - 1, *rest]) for x in _prefixes(combine, totals)]
    shape = (length, lanes - 1, *rest)
    earlier = [x.broadcast(shape, range(1, len(shape))) for x in before]
    later = [x.slice([0, 1, *none], [length, lanes, *rest]) for x in made]
    heads = [x.slice([0, 0, *none], [length, 1, *rest]) for x in made]
    joined = write_kernel(writer, combine, [*earlier, *later], shape)
    whole = [writer.concatenate([head, tail], 1) for head, tail in zip(heads, joined, strict=True)]
    flat = [x.transpose(order).reshape((lanes * length, *rest)) for x in whole]
    return [x.slice([0, *none], [count, *rest]) for x in flat]


def _by_doubling(combine: Kernel, made: list[Value]) -> list[Value]:
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
