"""What counted work takes on a kind of device, roughly: enough to tell the cheaper of two programs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wax.cost._analysis import OperationCost

__all__ = ["MACHINES", "Machine", "machine_of"]


@dataclass(frozen=True, slots=True)
class Machine:
    """Rates of a kind of device: operations and bytes a second, and seconds to begin one operation.

    A transcendental function counts as so many operations.
    """

    name: str
    operations: float
    bytes: float
    launch: float
    transcendental: int = 16

    def seconds(self, operations: float, bytes: float, launches: int = 1) -> float:
        """What so much work takes: nothing of it is taken to overlap."""
        return operations / self.operations + bytes / self.bytes + launches * self.launch

    def seconds_of(self, rows: Iterable[OperationCost]) -> float:
        """What counted operations take, one after the other."""
        return sum(
            self.seconds(
                row.flops + row.integer_operations + self.transcendental * row.transcendentals,
                row.bytes_accessed,
                row.count,
            )
            for row in rows
        )


#: By platform. One core of a server's CPU, of which products of matrices reach half; a discrete GPU.
MACHINES = {
    "cpu": Machine("cpu", operations=5e10, bytes=1e10, launch=1e-6),
    "cuda": Machine("cuda", operations=1e13, bytes=1e12, launch=5e-6),
    "vulkan": Machine("vulkan", operations=2e12, bytes=2e11, launch=1e-5),
}


def machine_of(platform: str) -> Machine:
    """The rates for a platform; for one without its own, those of a GPU."""
    return MACHINES.get(platform, MACHINES["cuda"])
