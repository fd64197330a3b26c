"""Which operations are sums and products, and what of: by their kernels and dims, whatever wrote them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from wax.choose._terms import Operator
from wax.dims import same
from wax.rules._graph import Graph
from wax_runtime.snapshot import Apply, Argument, Kernel, Literal, Operation, Scalar, as_groups, as_ints

__all__ = ["Arithmetic", "Diagonal", "Form", "Total", "View", "form_of"]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Operands joined by a kernel of arithmetic, each with the result dims that its dims are."""

    kernel: Scalar
    operands: tuple[tuple[int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Total:
    """An operand summed over dims."""

    operand: int
    dims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """An operand read with other dims: of each of its own, which result dim it is; one that stands twice is a
    diagonal.
    """

    operand: int
    dims: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Diagonal:
    """A square matrix that is zero but where two result dims are equal, and there the operand, or 1."""

    dims: tuple[int, int]
    operand: int | None
    operand_dims: tuple[int, ...]


Form: TypeAlias = Arithmetic | Total | View | Diagonal

_FLOATS = frozenset({"f32", "f64"})
_INTEGERS = frozenset({"i8", "i16", "i32", "i64"})
_ARITHMETIC: dict[str, Operator] = {
    "arith.addf": "Add", "arith.addi": "Add", "arith.subf": "Sub", "arith.subi": "Sub",
    "arith.mulf": "Mul", "arith.muli": "Mul", "arith.divf": "Div",
}  # fmt: skip


def form_of(program: Graph, operation: Operation) -> Form | None:
    """What an operation is of sums and products; `None` for all others."""
    if len(operation.results) != 1:
        return None
    if program.function.types[operation.results[0]].element not in _FLOATS | _INTEGERS:
        return None
    match operation.name:
        case "wax.map":
            dims = tuple(range(len(program.function.types[operation.operands[0]].shape)))
            return _arithmetic(operation, ((operation.operands[0], dims),))
        case "wax.broadcast":
            inputs = operation.operands[: operation.segments[0]]
            operands = tuple(zip(inputs, as_groups(operation.attributes["dims"]), strict=True))
            return _arithmetic(operation, operands) or _diagonal(program, operation, operands)
        case "wax.reduce":
            return _total(program, operation)
        case "wax.permute":
            order = as_ints(operation.attributes["permutation"])
            return View(operation.operands[0], tuple([order.index(dim) for dim in range(len(order))]))
        case "wax.gather":
            return _diagonal_read(program, operation)
    return None


def operator_of(apply: Apply) -> Operator | None:
    """The arithmetic that a scalar operation is; `None` for other ones, and those with flags."""
    return None if apply.attributes else _ARITHMETIC.get(apply.op)


def is_widened(scalar: Scalar) -> bool:
    """Whether it is an argument as a wider float, exactly."""
    return isinstance(scalar, Apply) and scalar.op == "arith.extf" and isinstance(scalar.operands[0], Argument)


def is_negation(scalar: Scalar) -> bool:
    """Whether it is another scalar with the other sign."""
    return isinstance(scalar, Apply) and scalar.op == "arith.negf"


def _arithmetic(operation: Operation, operands: tuple[tuple[int, tuple[int, ...]], ...]) -> Arithmetic | None:
    (kernel,) = operation.kernels
    assert kernel is not None
    (result,) = kernel.results
    return Arithmetic(result, operands) if operands and _is_arithmetic(result, result.element) else None


def _is_arithmetic(scalar: Scalar, element: str) -> bool:
    if scalar.element != element:
        return False
    if not isinstance(scalar, Apply) or is_widened(scalar):
        return True
    if operator_of(scalar) is None and not is_negation(scalar):
        return False
    return all(_is_arithmetic(one, element) for one in scalar.operands)


def _total(program: Graph, operation: Operation) -> Total | None:
    inputs, starts = operation.segments
    if (inputs, starts) != (1, 1) or not all(_adds(kernel) for kernel in operation.kernels):
        return None
    value, start = operation.operands
    if not _is_zero(program, start):
        return None
    return Total(value, as_ints(operation.attributes["dims"]))


def _adds(kernel: Kernel | None) -> bool:
    """Whether a kernel adds its two arguments; a fold without `combine` is in order, which is no sum's."""
    if kernel is None or len(kernel.arguments) != 2:
        return False
    (result,) = kernel.results
    return (
        isinstance(result, Apply)
        and operator_of(result) == "Add"
        and all(isinstance(one, Argument) for one in result.operands)
        and {one.index for one in result.operands if isinstance(one, Argument)} == {0, 1}
    )


def _is_zero(program: Graph, value: int) -> bool:
    maker = program.makers.get(value)
    if maker is None or program.operations[maker[0]].name != "wax.constant":
        return False
    data = program.operations[maker[0]].attributes["value"]
    return getattr(data, "shape", None) == () and data == 0


def _diagonal_read(program: Graph, operation: Operation) -> View | None:
    """A gather that reads the same index along several dims, from 0 on to their end."""
    operand, *indices = operation.operands
    dims = as_ints(operation.attributes["operand_dims"])
    places = iter(zip(indices, as_groups(operation.attributes["index_dims"]), strict=True))
    read: list[int] = []
    for axis, dim in enumerate(dims):
        if dim >= 0:
            read.append(dim)
            continue
        index, where = next(places)
        if len(where) != 1 or not _counts(program, index, operand, axis):
            return None
        read.append(where[0])
    return View(operand, tuple(read))


def _counts(program: Graph, index: int, operand: int, axis: int) -> bool:
    """Whether an index is 0, 1 … over a dim of an operand."""
    mine, theirs = program.sizes[index][0], program.sizes[operand][axis]
    return _is_iota(program, index) and mine is not None and theirs is not None and same(mine, theirs)


def _is_iota(program: Graph, value: int) -> bool:
    maker = program.makers.get(value)
    return (
        maker is not None
        and program.operations[maker[0]].name == "wax.iota"
        and len(program.function.types[value].shape) == 1
    )


def _diagonal(program: Graph, operation: Operation, operands: Sequence[tuple[int, tuple[int, ...]]]) -> Diagonal | None:
    """`i == j ? x : 0` of two dims' indices, or `i == j` as a float."""
    (kernel,) = operation.kernels
    assert kernel is not None
    (result,) = kernel.results
    match result:
        case Apply(op="arith.select", operands=(test, chosen, Literal(value=other))) if other == 0:
            pass
        case Apply(op="arith.uitofp" | "arith.extui", operands=(test,)):
            chosen = None
        case _:
            return None
    match test:
        case Apply(op="arith.cmpi", operands=(Argument(index=i), Argument(index=j)), attributes=attributes):
            if attributes.get("predicate") != "eq":
                return None
        case _:
            return None
    (first, first_dims), (second, second_dims) = operands[i], operands[j]
    if not _is_iota(program, first) or not _is_iota(program, second):
        return None
    rows, columns = program.sizes[first][0], program.sizes[second][0]
    if rows is None or columns is None or not same(rows, columns) or first_dims == second_dims:
        return None
    if isinstance(chosen, Argument) and chosen.index not in (i, j):
        return Diagonal((first_dims[0], second_dims[0]), *operands[chosen.index])
    is_one = chosen is None or (isinstance(chosen, Literal) and chosen.value == 1)
    return Diagonal((first_dims[0], second_dims[0]), None, ()) if is_one else None
