"""A program as rules see it: the immutable snapshot of its entry, with who makes and who reads each value."""

from __future__ import annotations

from collections.abc import Sequence

from wax.dims import Size
from wax_runtime.snapshot import Function, Operation, Region

__all__ = ["Graph", "is_index"]

#: Stands for the end of the function or of a region, which reads what it returns.
END = -1


def is_index(graph: Graph, value: int) -> bool:
    """Whether a value is a size or an offset, not a tensor."""
    return graph.function.types[value].element == "index"


class Graph:
    """A function's operations in program order, those in regions too, and how values connect them."""

    def __init__(self, function: Function, sizes: Sequence[tuple[Size | None, ...]]) -> None:
        self.function = function
        #: The sizes of each value's dims in the words of the arguments'.
        self.sizes = sizes
        self.operations: list[Operation] = []
        #: By operation, the number of the block that it stands in.
        self.blocks: list[int] = []
        #: By value, the operation that makes it, and as which of its results; arguments have none.
        self.makers: dict[int, tuple[int, int]] = {}
        #: By value, the operations that read it.
        self.readers: dict[int, set[int]] = {}
        self._blocks = 0
        self._add(function.operations, function.results)

    def _add(self, operations: Sequence[Operation], results: Sequence[int]) -> None:
        block = self._blocks
        self._blocks += 1
        for operation in operations:
            number = len(self.operations)
            self.operations.append(operation)
            self.blocks.append(block)
            for value in operation.operands:
                self.readers.setdefault(value, set()).add(number)
            for place, value in enumerate(operation.results):
                self.makers[value] = (number, place)
            for region in operation.regions:
                self._add_region(region)
        for value in results:
            self.readers.setdefault(value, set()).add(END)

    def _add_region(self, region: Region) -> None:
        self._add(region.operations, region.results)

    def is_free(self, operation: int) -> bool:
        """Whether an operation costs nothing to repeat: constants, and arithmetic on sizes."""
        found = self.operations[operation]
        return not found.operands or all(is_index(self, value) for value in found.results)

    def reached(self, value: int) -> tuple[set[int], set[int]]:
        """The operations that a value is made by, from the arguments on, and the arguments among what they read."""
        operations: set[int] = set()
        arguments: set[int] = set()
        waiting = [value]
        while waiting:
            one = waiting.pop()
            if one not in self.makers:
                arguments.add(one)
            elif self.makers[one][0] not in operations:
                operations.add(self.makers[one][0])
                waiting.extend(self.operations[self.makers[one][0]].operands)
        return operations, arguments
