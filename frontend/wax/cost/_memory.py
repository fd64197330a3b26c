"""The most memory that a program's values take at once, when its operations are done one after the other.

Each value has memory of its own, from the operation that makes it to the last one that reads it. What is another name
for a value holds that value. Arguments and what is returned are not counted, nor what is never set up.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from wax.cost._operations import FREE
from wax.cost._sizes import Sizes
from wax_runtime.snapshot import Function, Operation

__all__ = ["peak"]

#: What makes tensors; all else is arithmetic on sizes.
_MAKERS = ("wax.", "scf.")


def peak(function: Function, sizes: Sizes, absorbed: Collection[int]) -> int:
    """In bytes. The operations in `absorbed`, by identity, are done as part of those that read them."""
    return _Memory(sizes, absorbed).block(function.operations, function.results)


class _Memory:
    def __init__(self, sizes: Sizes, absorbed: Collection[int]) -> None:
        self._sizes, self._absorbed = sizes, absorbed
        self._roots: dict[int, int] = {}

    def block(self, operations: Sequence[Operation], results: Sequence[int]) -> int:
        """The most that a block takes, but for its results, which belong to who does the block."""
        for operation in operations:
            if operation.name in FREE:
                for result, operand in zip(operation.results, operation.operands, strict=False):
                    self._roots[result] = self._root(operand)
        last: dict[int, int] = {}
        for place, operation in enumerate(operations):
            last.update((self._root(v), place) for v in _read(operation))
        end = len(operations)
        last.update((self._root(v), end) for v in results)
        returned = {self._root(v) for v in results}
        # What an absorbed operation reads is held until it is read with it.
        readers = {v: place for place, operation in enumerate(operations) for v in operation.operands}
        for operation in operations:
            if id(operation) in self._absorbed:
                for value in operation.operands:
                    root = self._root(value)
                    last[root] = max(last[root], readers.get(operation.results[0], 0))
        held, most = 0, 0
        dying: dict[int, int] = {}
        for place, operation in enumerate(operations):
            inner = max((self.block(one.operations, one.results) for one in operation.regions), default=0)
            if (
                operation.name.startswith(_MAKERS)
                and operation.name not in FREE
                and id(operation) not in self._absorbed
            ):
                for value in operation.results:
                    if value not in returned:
                        size = self._sizes.value(value).bytes
                        held += size
                        dead = last.get(value, place)
                        dying[dead] = dying.get(dead, 0) + size
            most = max(most, held + inner)
            held -= dying.pop(place, 0)
        return most

    def _root(self, value: int) -> int:
        return self._roots.get(value, value)


def _read(operation: Operation) -> list[int]:
    """What an operation and its regions read."""
    found = list(operation.operands)
    for region in operation.regions:
        for inner in region.operations:
            found += _read(inner)
        found += region.results
    return found
