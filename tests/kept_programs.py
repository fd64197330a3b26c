"""Programs of the basis with arguments to run them on, and files that keep them.

A file says in comments what was wrong with its program, then what its arguments are, of which the elements are drawn:
`// arguments: tensor<0x2xi1>, tensor<4xi8>; seed 538`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import reference_run
import scalar_judges

from wax import _native

FLOATS = [0.0, -0.0, 1.0, 2.0, -3.0, float("nan")]


@dataclass(frozen=True)
class Program:
    """A program, with what its mutations are drawn from."""

    seed: int
    #: Its module, where it bears this name.
    module: Callable[[str], _native.Module]
    #: Types of its arguments, and what they are.
    types: list[tuple[tuple[int, ...], str]]
    #: The shapes that its results must have, where they are known.
    shapes: list[tuple[int, ...]] | None

    def arguments(self) -> list[np.ndarray]:
        return [draw(*kind, self.seed, position) for position, kind in enumerate(self.types)]


def draw(shape: tuple[int, ...], element: str, *seeds: int) -> np.ndarray:
    """Elements of which all are small, or all near a tensor's dims, or of integers some large; floats may have NaN."""
    source, dtype = np.random.default_rng(seeds), scalar_judges.DTYPES[element]
    if dtype.kind == "c":
        return np.asarray(_draw(source, shape, dtype) + 1j * _draw(source, shape, dtype), dtype)
    return _draw(source, shape, dtype)


def _draw(source: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    low, high = [(-5, 6), (-5, 6), (-2, 4), (-128, 128)][source.integers(4 if dtype.kind == "i" else 3)]
    data = source.integers(low, high, shape).astype(dtype)
    if dtype.kind not in "bi" and source.random() < 0.3:
        data = np.where(source.random(shape) < 0.2, np.asarray(source.choice(FLOATS)).astype(dtype), data)
    return np.asarray(data, dtype)


_ARGUMENTS = re.compile(r"^// arguments:(.*); seed (\d+)$", re.MULTILINE)


def write(program: Program, path: Path, fault: str) -> None:
    """Keeps a program, with what was wrong."""
    types = ", ".join(reference_run.spell(*kind) for kind in program.types)
    lines = [*(f"// {line}" for line in fault.splitlines()), f"// arguments: {types}; seed {program.seed}"]
    path.write_text("\n".join([*lines, program.module("main").text()]))


def read(path: Path) -> Program:
    """A program that was kept."""
    text = path.read_text()
    stated = _ARGUMENTS.search(text)
    if stated is None:
        raise ValueError(f"{path}: no line states the arguments")
    types = []
    for kind in re.findall(r"tensor<(\S*)>(?:,|$)", stated[1]):
        *sizes, element = re.split(r"(?<=\d)x", kind)
        types.append((tuple(map(int, sizes)), element))
    return Program(int(stated[2]), lambda name: _native.parse_module(text.replace("@main(", f"@{name}(")), types, None)
