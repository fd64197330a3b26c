"""Rules on trial: pattern and replacement run by the reference backend on random arrays, and compared.

Sizes are 0, 1 and odd ones first of all; among floats are NaN, infinities, zeros of both signs, the least and the
greatest numbers; among integers the extremes. What differs is told by the smallest arrays that were tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from math import prod
from typing import Any

import ml_dtypes
import numpy as np

from wax import dtypes
from wax._compile import build, program_of
from wax.abstract import Abstract, ShapeDtypeStruct
from wax.array import as_array
from wax.errors import RuleError
from wax.rules._rule import REFUSALS, Rule
from wax.rules._sides import Side

__all__ = ["check"]

#: Cases of a rule, at least; and of each of its dtypes.
CASES, CASES_OF_DTYPE = 120, 48
#: Shapes that are tried for a dtype before too few of them fit.
MOST_SHAPES = 400
#: Elements of all arguments of a case, at most.
MOST_ELEMENTS = 1 << 18
SIZES = (0, 1, 2, 3, 5, 7, 17)
#: What a rule may ask for by `when`.
LARGE_SIZES = (*SIZES, 32, 33, 64, 128, 129, 256, 1024, 4096)
#: How often arguments are changed by a rounding, to see what it does to the result. Of 4 times, a sum of many numbers
#: hardly moves in all of them once in some hundred results, and a right rule is refused; of 16 it never does.
NUDGES = 16

_Run = Callable[[Sequence[np.ndarray[Any, Any]]], np.ndarray[Any, Any]]


def check(rule: Rule, shapes: Sequence[tuple[int, ...]] = ()) -> None:
    """Compares a rule's pattern and replacement. Raises `RuleError` with a counterexample."""
    random = np.random.default_rng(len(rule.name))
    own = all(parameter.dtype is not None for parameter in rule.parameters)
    tried, refusal = 0, "there is none"
    admitted = rule.dtypes[:1] if own else rule.dtypes
    for dtype in admitted:
        wanted = max(CASES_OF_DTYPE, -(-CASES // len(admitted)))
        cases = 0
        for arguments in islice(_arguments(rule, dtype, shapes, random), MOST_SHAPES):
            try:
                if rule.when and not rule.when(*[ShapeDtypeStruct(a.shape, a.dtype) for a in arguments]):
                    refusal = "`when` does not hold"
                    continue
                pattern = rule.trace_pattern(arguments)
            except RuleError:
                raise
            except REFUSALS as error:
                refusal = str(error)
                continue
            cases += _compare_on(rule, arguments, pattern, random)
            if cases >= wanted:
                break
        # A dtype that the pattern does not take at all is none of the rule's.
        if cases and cases < wanted:
            raise rule.error(f"only {cases} cases of {dtype.name} could be tried; of other shapes: {refusal}")
        tried += cases
    if tried < CASES:
        raise rule.error(f"only {tried} cases could be tried; of other shapes: {refusal}")


def _arguments(
    rule: Rule, dtype: np.dtype[Any], given: Sequence[tuple[int, ...]], random: np.random.Generator
) -> Iterator[tuple[Abstract, ...]]:
    """First with all sizes 1, 0 and 3, of few dims, then of random shapes, and sometimes of those that are given."""
    is_open = any(parameter.is_open for parameter in rule.parameters)
    plain = [(size, dims) for dims in (range(1, 4) if is_open else (0,)) for size in (1, 0, 3)]
    plain = [(1, 0), *plain] if is_open else plain
    near = bool(given) and sum(map(prod, given)) <= MOST_ELEMENTS
    for number in count():
        if near and number % 4 == 3:
            yield tuple([Abstract(s, p.dtype or dtype) for p, s in zip(rule.parameters, given, strict=True)])
            continue
        size, dims = plain[number] if number < len(plain) else (None, int(random.integers(4)))
        alike = size is not None or random.random() < 0.5
        sizes: dict[str, int] = {}
        arguments = []
        for parameter in rule.parameters:
            more = dims if alike else int(random.integers(4))
            shape = []
            for entry in parameter.sizes(parameter.least_dims + (more if parameter.is_open else 0)):
                pool = SIZES if number < MOST_SHAPES // 4 else LARGE_SIZES
                drawn = int(random.choice(pool)) if size is None else size
                shape.append(
                    entry if isinstance(entry, int) else drawn if entry == "_" else sizes.setdefault(entry, drawn)
                )
            arguments.append(Abstract(tuple(shape), parameter.dtype or dtype))
        if sum(prod(map(int, a.shape)) for a in arguments) <= MOST_ELEMENTS:
            yield tuple(arguments)


def _compare_on(rule: Rule, arguments: Sequence[Abstract], pattern: Side, random: np.random.Generator) -> int:
    """Compares on arrays of such shapes, and gives how many cases that were."""
    names = ", ".join(f"{p.name}: {a}" for p, a in zip(rule.parameters, arguments, strict=True))
    try:
        replacement = rule.trace_replacement(arguments, None, pattern)
    except RuleError:
        raise
    except REFUSALS as error:
        raise rule.error(f"its replacement cannot be traced for {names}: {error}") from error
    expected_of, got_of = _runner(pattern), _runner(replacement)
    draws = [_plain] * 4 if rule.finite else [_plain, _wide, _special, _special]
    for draw in draws:
        arrays = [_array(a, draw, random) for a in arguments]
        expected, got = expected_of(arrays), got_of(arrays)
        wrong = _differences(rule, expected, got, lambda arrays=arrays: _movement(expected_of, arrays, random))
        if wrong.any():
            raise rule.error(_counterexample(rule, arrays, expected, got, wrong))
    return len(draws)


def _runner(side: Side) -> _Run:
    built = build(side.traced.name, lambda _: program_of(side.traced), device="cpu", backend="reference")
    return lambda arrays: built.executable([as_array(x) for x in arrays])[0].numpy()


# Arrays.


def _array(
    of: Abstract, draw: Callable[[np.random.Generator, np.dtype[Any], int], Any], random: np.random.Generator
) -> np.ndarray[Any, Any]:
    shape = tuple(int(size) for size in of.shape)
    count = prod(shape)
    if of.dtype.kind == "c":
        part = dtypes.real_part(of.dtype)
        drawn = np.empty(count, of.dtype)
        drawn.real, drawn.imag = draw(random, part, count), draw(random, part, count)
    elif of.dtype.kind == "b":
        drawn = random.integers(0, 2, count).astype(of.dtype)
    else:
        drawn = np.asarray(draw(random, of.dtype, count)).astype(of.dtype)
    return drawn.reshape(shape)


def _plain(random: np.random.Generator, dtype: np.dtype[Any], count: int) -> Any:
    if dtype.kind in "iu":
        return random.integers(0 if dtype.kind == "u" else -9, 10, count)
    # Every other one a small whole number, so that there are ties and zeros.
    return np.where(random.random(count) < 0.5, random.standard_normal(count), random.integers(-3, 4, count))


def _wide(random: np.random.Generator, dtype: np.dtype[Any], count: int) -> Any:
    """Of all magnitudes that can be squared."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
    most = ml_dtypes.finfo(dtype).maxexp // 2 - 2
    return random.standard_normal(count) * np.exp2(random.uniform(-most, most, count))


def _special(random: np.random.Generator, dtype: np.dtype[Any], count: int) -> Any:
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.resize(random.permutation(np.array([info.min, info.max, 0, 1, info.max // 2], dtype)), count)
    info = ml_dtypes.finfo(dtype)
    greatest, least = float(info.max), float(info.smallest_subnormal)
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, greatest, -greatest, float(info.smallest_normal), least, -least, 1.0]
    chosen = np.resize(random.permutation(special), count)
    return np.where(random.random(count) < 0.25, _plain(random, dtype, count), chosen)


# Comparisons.


def _differences(
    rule: Rule, expected: np.ndarray[Any, Any], got: np.ndarray[Any, Any], movement: Callable[[], Any]
) -> np.ndarray[Any, Any]:
    """Which elements are not the same. `movement` is how far each moves when arguments are rounded otherwise."""
    dtype = expected.dtype
    if dtype.kind in "biu":
        return expected != got
    info = ml_dtypes.finfo(dtypes.real_part(dtype) if dtype.kind == "c" else dtype)
    want, have = _parts(expected), _parts(got)
    finite = np.isfinite(want)
    with np.errstate(all="ignore"):
        apart = np.abs(have - want)
        room = rule.tolerance * (float(info.eps) * np.abs(want) + float(info.smallest_subnormal))
        far = finite & ~(apart <= room)
        if far.any():
            far = finite & ~(apart <= room + rule.tolerance * movement())
    if rule.finite:
        wrong = far
    else:
        signs = (want == 0) & (have == 0) & (np.signbit(want) != np.signbit(have)) & (dtype.kind != "c")
        wrong = far | signs | (~finite & ~((want == have) | (np.isnan(want) & np.isnan(have))))
    return np.asarray(wrong.any(axis=-1))


def _parts(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements as doubles: with one more dim, of the real and the imaginary part, or of one."""
    if x.dtype.kind == "c":
        return np.stack([x.real, x.imag], axis=-1).astype(np.float64)
    return x.astype(np.float64)[..., None]


def _movement(run: _Run, arrays: Sequence[np.ndarray[Any, Any]], random: np.random.Generator) -> Any:
    """How far a result moves when each float among the arguments is changed by a rounding."""
    there = _parts(run(arrays))
    most = np.zeros_like(there)
    for _ in range(NUDGES):
        nudged = []
        for x in arrays:
            if x.dtype.kind in "biu":
                nudged.append(x)
                continue
            eps = float(ml_dtypes.finfo(dtypes.real_part(x.dtype) if x.dtype.kind == "c" else x.dtype).eps)
            wide = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
            nudged.append((wide * (1 + eps * random.choice([-1, 1], x.shape))).astype(x.dtype))
        moved = np.abs(_parts(run(nudged)) - there)
        most = np.maximum(most, np.where(np.isfinite(moved), moved, 0))
    return most


def _counterexample(
    rule: Rule,
    arrays: Sequence[np.ndarray[Any, Any]],
    expected: np.ndarray[Any, Any],
    got: np.ndarray[Any, Any],
    wrong: np.ndarray[Any, Any],
) -> str:
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    lines = [f"{p.name} = {_shown(x)}" for p, x in zip(rule.parameters, arrays, strict=True)]
    lines += [f"pattern gives {_shown(expected)}", f"replacement gives {_shown(got)}"]
    where = f" at {list(place)}: {expected[place]!s} and {got[place]!s}" if place else ""
    return "its replacement does not compute what its pattern does" + where + "".join(f"\n  {one}" for one in lines)


def _shown(x: np.ndarray[Any, Any]) -> str:
    text = np.array2string(x, threshold=24, separator=", ", floatmode="unique", prefix=" " * 8)
    return f"{x.dtype.name}{x.shape}: {text}"
