"""What must hold of derivatives of any program, of whatever operations: the judge is the program itself.

Forward mode gives the slope that the program has along a direction, wherever it has one. Reverse mode is the
transpose of forward mode, also of a program that reverse mode made. Everything is run by the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import scalar_judges
from kept_programs import Program

from wax import _native
from wax_runtime.reference.plan import build
from wax_runtime.reference.rules import RULES

Arrays = list[np.ndarray]

#: What has no derivative in a mode, as the dialect says of each operation.
_NONE = r"has no derivative by (?:operand|where it starts)|is differentiable where"
REFUSALS = {
    "forward": re.compile(_NONE),
    "reverse": re.compile(rf"{_NONE}|is differentiable in reverse mode where|'scf\.while' is not differentiable"),
}
#: By the narrowest floats of a program; half floats are not judged, but must not fail.
TOLERANCES = {"f64": 1e-6, "f32": 2e-3}
#: Beyond these numbers rounding is all that is seen.
GREATEST = 1e5


class Compiled:
    """A program that can be run, and what it takes and gives."""

    def __init__(self, module: _native.Module) -> None:
        snapshot = module.snapshot()
        entry = snapshot.functions[snapshot.entry]
        self.arguments = [entry.types[value] for value in entry.arguments]
        self.results = [entry.types[value] for value in entry.results]
        self.call: Callable[[Sequence[np.ndarray]], Arrays] = build(snapshot, RULES)

    def run(self, arguments: Arrays) -> Arrays:
        return [np.asarray(result) for result in self.call(arguments)]


def judge(program: Program) -> tuple[str, bool]:
    """What is wrong with derivatives of a program, and whether there were numbers to judge by."""
    try:
        return _judge_twice(program)
    except _native.PassError as error:
        return error.args[0], False


def _judge_twice(program: Program) -> tuple[str, bool]:
    source = np.random.default_rng(program.seed)
    module = program.module("main")
    arguments = [drawn(source, shape, element) for shape, element in program.types]
    found, slopes = _judge(module, arguments, source)
    if found:
        return found, True
    reverse = _differentiate(module, "reverse")
    if reverse is None:
        return "", slopes
    cotangents = [drawn(source, y.shape, y.dtype) for y in floats(Compiled(module).run(arguments))]
    found, _ = _judge(reverse, [*arguments, *cotangents], source)
    return (f"of the gradient: {found}" if found else ""), slopes


def drawn(source: np.random.Generator, shape: Sequence[int], element: str | np.dtype) -> np.ndarray:
    """Floats, no two alike and none near zero, whose quotients leave nothing but rounding, and small integers."""
    dtype = scalar_judges.DTYPES[element] if isinstance(element, str) else element
    if dtype.kind in "bi":
        return source.integers(-3, 5, shape).astype(dtype)

    def values() -> np.ndarray:
        uniform = source.uniform(-1.75, 1.75, shape)
        return uniform + np.copysign(0.25, uniform)

    return np.asarray(values() + 1j * values() if dtype.kind == "c" else values()).astype(dtype)


def floats(arrays: Arrays) -> Arrays:
    return [x for x in arrays if x.dtype.kind not in "bi"]


def _differentiate(module: _native.Module, mode: str) -> _native.Module | None:
    made = module.clone()
    try:
        made.run(f"wax-differentiate{{mode={mode}}}")
    except _native.PassError as error:
        if REFUSALS[mode].search(error.args[0]):
            return None
        raise
    return made


def _judge(module: _native.Module, arguments: Arrays, source: np.random.Generator) -> tuple[str, bool]:
    forward = _differentiate(module, "forward")
    reverse = _differentiate(module, "reverse")
    text = module.text()
    tolerance = TOLERANCES["f32" if "f32" in text else "f64"]
    original = Compiled(module)
    results = original.run(arguments)
    tangents = [drawn(source, x.shape, x.dtype) for x in floats(arguments)]
    cotangents = [drawn(source, y.shape, y.dtype) for y in floats(results)]
    pushed = pulled = None
    if forward is not None:
        pushed = Compiled(forward).run([*arguments, *tangents])[len(results) :]
    if reverse is not None:
        pulled = Compiled(reverse).run([*arguments, *cotangents])[len(results) :]
    if "f16" in text or not _within(results):
        return "", False
    if pushed is not None and _within(pushed):
        if found := _slope(original, arguments, tangents, pushed, tolerance):
            return found, True
        if pulled is not None and _within(pulled):
            products = [_products(*pair) for pair in ((cotangents, pushed), (pulled, tangents))]
            scale = 1.0 + sum(float(np.abs(one).sum()) for one in products)
            difference = abs(float(products[0].sum() - products[1].sum()))
            if difference > tolerance * scale:
                return f"reverse is not the transpose of forward by {difference / scale:.1e}", True
        return "", True
    return "", False


def _within(arrays: Arrays) -> bool:
    return all(bool(np.all(np.abs(x) < GREATEST)) for x in floats(arrays))


def _products(lhs: Arrays, rhs: Arrays) -> np.ndarray:
    """Of each pair of elements; of complex ones the real part, without a conjugate, as derivatives are linear."""
    parts = [np.real(x.astype(np.complex128) * y).reshape(-1) for x, y in zip(lhs, rhs, strict=True)]
    return np.concatenate(parts) if parts else np.zeros(0)


def _slope(original: Compiled, arguments: Arrays, tangents: Arrays, pushed: Arrays, tolerance: float) -> str:
    """Compares with quotients of differences, where those to both sides and of two steps agree."""
    root = tolerance**0.5

    def moved(step: float) -> Arrays:
        rest = iter(tangents)
        return floats(
            original.run([x if x.dtype.kind in "bi" else (x + step * next(rest)).astype(x.dtype) for x in arguments])
        )

    steps = (root * 0.1, root * 0.05)
    middle, points = moved(0.0), [(moved(step), moved(-step)) for step in steps]
    for number, slope in enumerate(pushed):
        quotients = []
        for step, (above, below) in zip(steps, points, strict=True):
            x, y, z = (np.asarray(one[number], np.complex128) for one in (above, middle, below))
            quotients += [(x - y) / step, (y - z) / step]
        with np.errstate(all="ignore"):
            mean = sum(quotients) / len(quotients)
            scale = 1 + np.abs(mean)
            smooth = sum(np.abs(one - mean) for one in quotients) < 4 * root * scale
            wrong = smooth & (np.abs(mean - slope) > root * scale)
        if np.any(wrong):
            at = tuple(map(int, np.argwhere(wrong)[0]))
            return f"the slope of result {number} at {at} is {mean[at]:.5}, not {np.asarray(slope)[at]:.5}"
    return ""
