"""What each operation does, by its operands' and results' sizes: how often its kernel is applied, and which bytes it
reads and writes.

An operation without a rule reads its operands and writes its results, once each, and computes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log2, prod

from wax.cost._kernels import NOTHING, Arithmetic, arithmetic_of
from wax_runtime.dtypes import BY_MLIR
from wax_runtime.snapshot import Operation, TensorType, as_ints

__all__ = ["FREE", "Cost", "Value", "cost_of"]


@dataclass(frozen=True, slots=True)
class Value:
    """A tensor whose sizes are known."""

    shape: tuple[int, ...]
    type: TensorType

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.size * _ELEMENT_BYTES[self.type.element]


_ELEMENT_BYTES = {"index": 8, **{name: row.itemsize for name, row in BY_MLIR.items()}}


@dataclass(frozen=True, slots=True)
class Cost:
    """What an operation does: arithmetic, and bytes that it reads and writes."""

    arithmetic: Arithmetic = NOTHING
    bytes_read: int = 0
    bytes_written: int = 0


#: Operations that do nothing to data: other names for it, literals, and arithmetic on sizes.
FREE = frozenset({"wax.reshape", "wax.constant", "wax.name", "wax.barrier", "tensor.cast", "cf.assert"})

_Rule = Callable[[Operation, Sequence[Value], Sequence[Value]], Cost]


def cost_of(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    """What an operation does with operands and results of such sizes, those of its regions left out."""
    rule = _RULES.get(operation.name)
    if rule is not None:
        return rule(operation, operands, results)
    return Cost(bytes_read=_bytes(operands), bytes_written=_bytes(results))


def _bytes(values: Sequence[Value]) -> int:
    return sum(value.bytes for value in values)


def _applied(operation: Operation, times: int, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    (kernel, *_) = operation.kernels
    arithmetic = NOTHING if kernel is None else arithmetic_of(kernel) * times
    return Cost(arithmetic, _bytes(operands), _bytes(results))


def _pointwise(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    tensors = operands[: operation.segments[0]]  # not the sizes
    return _applied(operation, results[0].size, tensors, results)


def _folded(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    """A fold takes in each element once."""
    return _applied(operation, operands[0].size, operands, results)


def _sort(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    """Merges `n` elements by `n · ⌈log2 n⌉` comparisons."""
    dim = operation.attributes["dim"]
    assert isinstance(dim, int)
    length = operands[0].shape[dim]
    depth = ceil(log2(length)) if length > 1 else 0
    return _applied(operation, operands[0].size * depth, operands, results)


def _part(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    """A slice reads what it keeps."""
    return Cost(bytes_read=_bytes(results), bytes_written=_bytes(results))


def _gather(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    indices = operands[operation.segments[0] :]
    return Cost(bytes_read=_bytes(results) + _bytes(indices), bytes_written=_bytes(results))


def _insert(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    """In place: the rest of the tensor stays as it is."""
    return Cost(bytes_read=operands[0].bytes, bytes_written=operands[0].bytes)


def _scatter(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    """In place, too: the elements that are updated are read and written."""
    updates, targets, _ = operation.segments
    new, indices = operands[:updates], operands[updates + targets :]
    touched = sum(new[0].size * _ELEMENT_BYTES[result.type.element] for result in results)
    done = _applied(operation, new[0].size, [*new, *indices], ())
    return Cost(done.arithmetic, done.bytes_read + touched, touched)


def _convolve(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    """A product and a sum for each element of the result and of its kernel, of the zeros around and between too."""
    (result,) = results
    ins, _, *spatial = (operands[1].shape[dim] for dim in as_ints(operation.attributes["rhs_dims"]))
    times = result.size * ins * prod(spatial)
    return Cost(_multiply_add(result.type.element) * times, _bytes(operands), result.bytes)


def _multiply_add(element: str) -> Arithmetic:
    if element.startswith("complex"):
        return Arithmetic(flops=8)
    return Arithmetic(integer_operations=2) if element.startswith("i") else Arithmetic(flops=2)


def _fft(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    """`5 n log2 n` for a transform of `n` elements, half of that where one side is real."""
    (operand,), (result,) = operands, results
    complexes = [value.type.element.startswith("complex") for value in (operand, result)]
    whole = operand if not complexes[0] else result  # the side that has all elements
    length = prod(whole.shape[dim] for dim in as_ints(operation.attributes["dims"]))
    flops = 5 * whole.size * log2(length) if length > 1 else 0
    flops = round(flops if all(complexes) else flops / 2)
    return Cost(Arithmetic(flops=flops), operand.bytes, result.bytes)


def _nothing(operation: Operation, operands: Sequence[Value], results: Sequence[Value]) -> Cost:
    return Cost()


_RULES: dict[str, _Rule] = {
    "wax.map": _pointwise,
    "wax.broadcast": _pointwise,
    "wax.reduce": _folded,
    "wax.scan": _folded,
    "wax.sort": _sort,
    "wax.slice": _part,
    "wax.gather": _gather,
    "wax.insert": _insert,
    "wax.scatter": _scatter,
    "wax.fold": _folded,
    "wax.convolve": _convolve,
    "wax.fft": _fft,
    **dict.fromkeys(FREE, _nothing),
}
