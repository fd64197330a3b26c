"""Rows of several warps, where IREE has given them one.

IREE 3.13 gives each row of a reduction, and what is computed of it, a workgroup of one warp, if there are many. An
NVIDIA GPU has place for few workgroups at a time, however small, so that too little of what it could read is under way:
rows of softmax took half again as long. Between the phase in which IREE chooses and the one that does it, the choice is
edited here: up to eight warps share a row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["with_wide_workgroups"]

#: Warps of a workgroup at most, and threads of a warp; and how often, at least, all of them go on along their row.
_WARPS, _LANES, _TURNS = 8, 32, 4

_FUNCTION = re.compile(r"^ +func\.func @.*?(?=^ +func\.func @|\Z)", re.MULTILINE | re.DOTALL)
_ONE_WARP = re.compile(
    rf"#iree_gpu\.pipeline<VectorDistribute> workgroup_size = \[{_LANES}, 1, 1\] subgroup_size = {_LANES}\b"
)
_CONFIG = re.compile(r"lowering_config = #iree_gpu\.lowering_config<\{([^{}]*)\}>")
_OPERATION = re.compile(
    r"linalg\.generic \{indexing_maps = \[(?P<maps>[^\]]*)\], iterator_types = \[(?P<kinds>[^\]]*)\]\}"
    r"(?: ins\([^\n:]*: (?P<ins>[^\n]*?)\))? outs\([^\n:]*: (?P<outs>[^\n]*?)\) attrs = +"
    r"\{[^\n]*?lowering_config = #iree_gpu\.lowering_config<\{(?P<config>[^{}]*)\}>"
)
_MAP = re.compile(r"affine_map<\([^)]*\) -> \(([^)]*)\)>")
_SHAPE = re.compile(r"tensor<((?:[0-9?]+x)*)\w+>")


def with_wide_workgroups(configured: str) -> str:
    """A program as it is after IREE's phase `executable-configurations`, with as many warps for a row as it is for."""
    return _FUNCTION.sub(lambda found: _widened(found[0]), configured)


def _widened(function: str) -> str:
    operations = [_Operation.of(one) for one in _OPERATION.finditer(function)]
    # What is said of an operation must have been understood.
    if not _ONE_WARP.search(function) or len(operations) != len(_CONFIG.findall(function)):
        return function
    warps = _WARPS
    while warps > 1:
        configs = [one.by(warps) for one in operations]
        if configs and None not in configs:
            for one, config in zip(operations, configs, strict=True):
                function = function.replace(f"<{{{one.config}}}>", f"<{{{config}}}>")
            one_warp = f"workgroup_size = [{_LANES}, 1, 1]"
            return function.replace(one_warp, f"workgroup_size = [{_LANES * warps}, 1, 1]", 1)
        warps //= 2
    return function


@dataclass(frozen=True, slots=True)
class _Operation:
    """What IREE has chosen for an operation, and the sizes of its loops, of which some are not known."""

    config: str
    sizes: tuple[int | None, ...]

    @staticmethod
    def of(found: re.Match[str]) -> _Operation:
        known: dict[str, int] = {}
        shapes = _SHAPE.findall(f"{found['ins']} {found['outs']}")
        for results, shape in zip(_MAP.findall(found["maps"]), shapes, strict=False):
            for name, size in zip(results.split(", "), shape.split("x"), strict=False):
                if size.isdecimal():
                    known[name] = int(size)
        loops = found["kinds"].count('"') // 2
        return _Operation(found["config"], tuple(known.get(f"d{loop}") for loop in range(loops)))

    def by(self, warps: int) -> str | None:
        """The choice for so many warps of a row, of which IREE goes over a part at a time; or `None`."""
        name = "partial_reduction" if "partial_reduction" in self.config else "serial"
        part, counts = self._numbers(name), self._numbers("subgroup_basis", "[")
        if part is None or counts is None or len(part) != len(self.sizes):
            return None
        dims = [*range(len(counts))]
        along = [dim for dim, size in enumerate(part) if size]
        if len(along) != 1 or set(counts) != {1} or f"subgroup_basis = [{counts}, {dims}]" not in self.config:
            return None
        (dim,) = along
        size = self.sizes[dim]
        if size is None or size % (part[dim] * warps) or size < _TURNS * part[dim] * warps:
            return None
        wide = [number * warps for number in part]
        counts[dim] = warps
        config = self.config.replace(f"{name} = {part}", f"{name} = {wide}")
        return re.sub(r"(subgroup_basis = \[)\[[0-9, ]*\]", rf"\g<1>{counts}", config)

    def _numbers(self, name: str, opening: str = "") -> list[int] | None:
        found = re.search(rf"\b{name} = {re.escape(opening)}\[([0-9, ]*)\]", self.config)
        return [int(number) for number in found[1].split(",")] if found else None
