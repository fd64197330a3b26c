"""The retry ladder: sets of flags, the fastest code first, each tried when the one before fails to compile.

IREE's best settings fail on some programs (too large vectors, too much stack), so a failure of one rung is
no failure of the compilation. `compilation.py` climbs down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wax.backends.iree.barriers import for_spirv
from wax.backends.iree.flags import (
    ASYNCHRONOUS,
    DATA_TILING,
    EARLY_DATA_TILING,
    NO_DISTRIBUTED_REDUCTIONS,
    NO_HOISTING,
    NO_MICROKERNELS,
    NO_MULTI_USE_FUSION,
    base_flags,
)
from wax.backends.iree.targets import Target
from wax_runtime.backend import CompileOptions

__all__ = ["Rung", "rungs"]


class Rung(NamedTuple):
    """One set of flags, with the name it has in the log.

    `takes_dispatches`: whether programs may have dispatches of their own (`flow.dispatch.region`).
    `takes_loops`: whether programs may have loops, whose memory IREE places without a default device (`in_place.py`).
    `tiles`: whether factors of products are copied into tiles (`tiling.py`).
    `apart`: whether reductions have dispatches of their own (`barriers.py`).
    """

    name: str
    flags: tuple[str, ...]
    takes_dispatches: bool = True
    takes_loops: bool = True
    tiles: bool = False
    apart: bool = False


def rungs(targets: Sequence[Target], options: CompileOptions) -> tuple[Rung, ...]:
    """The sets of flags to try for targets and options, in order. Raises `BackendError`."""
    base, level = base_flags(targets), options.level
    if not any(one.local for one in targets):
        base = (*base, *ASYNCHRONOUS)
    first = (*base, f"--iree-opt-level=O{level}", *NO_MULTI_USE_FUSION)
    if not all(one.local for one in targets):
        spirv = for_spirv(base)
        apart = Rung(f"O{level} with reductions apart", (*first, *options.flags), apart=True)
        # Tiling of data is for CPUs.
        return (
            Rung(f"O{level}", (*first, *options.flags)),
            *([apart] if spirv else []),
            Rung(
                f"O{level} without distributed reductions",
                (*first, *NO_DISTRIBUTED_REDUCTIONS, *options.flags),
            ),
            Rung(
                "O1",
                (*base, "--iree-opt-level=O1", *NO_HOISTING, *NO_DISTRIBUTED_REDUCTIONS, *options.flags),
                apart=spirv,
            ),
        )
    if level < 2:
        return (Rung(f"O{level}", (*base, f"--iree-opt-level=O{level}", *options.flags)),)
    return (
        # Its layouts are chosen where memory is placed, for the device that has it.
        Rung(
            f"O{level} with data tiling",
            (*first, *DATA_TILING, *options.flags),
            takes_loops=False,
            tiles=True,
        ),
        # IREE 3.13 crashes when it looks into dispatches before it has formed its own.
        Rung(
            f"O{level} with early data tiling",
            (*first, *EARLY_DATA_TILING, *options.flags),
            takes_dispatches=False,
            tiles=True,
        ),
        Rung(f"O{level} without data tiling", (*first, *NO_MICROKERNELS, *options.flags)),
        Rung("O1", (*base, "--iree-opt-level=O1", *NO_HOISTING, *options.flags)),
    )
