"""reverse, insert and scatter: IREE and the reference against loops in Python, and what IREE makes of them.

The programs of run/updates.mlir, and one scatter of every shape of places for every element type. Results are
exact: elements are small whole numbers.
"""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from iree.compiler import tools as iree_tools
from iree_run import FLAGS, fetch, hand_over, load
from reference_run import function
from scalar_judges import DTYPES
from tiers import is_quick

from wax import _native

RUN = (Path(__file__).parent / "run" / "updates.mlir").read_text().split("// Driver")[0]


def lower(text: str, target: str = "iree") -> str:
    """The text of `text` after the pipeline."""
    module = _native.parse_module(text)
    module.run(f"wax-to-linalg{{target={target}}}")
    return module.text()


@functools.cache
def programs() -> Any:
    return load(lower(RUN))


@functools.cache
def reference(name: str) -> Callable[..., Any]:
    return function(RUN.replace(f"@{name}(", "@main("))


def scattered(
    updates: list[np.ndarray],
    operands: list[np.ndarray],
    indices: list[np.ndarray],
    operand_dims: tuple[int, ...],
    index_dims: list[tuple[int, ...]],
    fold: Callable[..., tuple[Any, ...]],
) -> list[np.ndarray]:
    """One update after another."""
    made = [x.copy() for x in operands]
    for at in np.ndindex(updates[0].shape):
        following = iter(zip(indices, index_dims, strict=True))
        place = []
        for dim in operand_dims:
            if dim >= 0:
                place.append(at[dim])
            else:
                index, dims = next(following)
                place.append(int(index[tuple(at[d] for d in dims)]))
        if all(0 <= p < size for p, size in zip(place, made[0].shape, strict=True)):
            where = tuple(place)
            for acc, value in zip(made, fold(*[u[at] for u in updates], *[acc[where] for acc in made]), strict=True):
                acc[where] = value
    return made


RANDOM = np.random.default_rng(11)


def numbers(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return RANDOM.integers(-9, 10, shape).astype(dtype)


def near(shape: tuple[int, ...], size: int, dtype: Any = np.int32) -> np.ndarray:
    """Indices, some of which lie outside."""
    return RANDOM.integers(-2, size + 2, shape).astype(dtype)


def first(update: Any, acc: Any) -> tuple[Any]:
    return (update,)


def best_and_count(update: Any, best: Any, count: Any) -> tuple[Any, Any]:
    return (max(np.float32(update), best), count + (update > best))


def boxed(x: np.ndarray, u: np.ndarray, rows: slice, columns: slice) -> np.ndarray:
    made = x.copy()
    made[rows, columns] = u
    return made


EXTREMES = np.array([2**31 - 1, -(2**31), 1, -1, 3], np.int32)
#: Products of these with sizes wrap around to places that are there.
WIDE = np.array([2**63 - 1, -(2**63), 2**62, 2**32, 1, -(2**32), 2**61 + 1, 0], np.int64)


def flipped(u: np.ndarray, x: np.ndarray, i: np.ndarray) -> np.ndarray:
    return scattered([u], [x[0]], [i], (-1,), [(0,)], lambda a, b: (b ^ (a > 0),))[0][None]


def added(u: np.ndarray, x: np.ndarray, i: np.ndarray) -> np.ndarray:
    return scattered([u], [x], [i], (-1, 1), [(0,)], lambda a, b: (a + b,))[0]


CASES: list[tuple[str, list[np.ndarray], Callable[..., Any]]] = [
    *(("turn", [numbers(n, 2)], lambda x: x[::-1, ::-1]) for n in (0, 1, 5)),
    *(("turn_a_slice", [numbers(7, n)], lambda x: x[5:0:-2]) for n in (0, 1, 4)),
    *(
        (
            "insert_at",
            [numbers(2, n), numbers(6, n), np.array(at, np.int32)],
            functools.partial(lambda start, u, x, _: boxed(x, u, slice(start, start + 2), slice(None)), start),
        )
        for n in (0, 3)
        for at, start in [(0, 0), (3, 3), (5, 4), (2**31 - 1, 4), (-1, 0)]
    ),
    *(
        (
            "insert_steps",
            [numbers(n, 2), numbers(rows, 5)],
            functools.partial(lambda n, u, x: boxed(x, u, slice(1, 2 * n, 2), slice(0, 4, 3)), n),
        )
        for n, rows in [(3, 6), (3, 7), (1, 2), (0, 4)]
    ),
    *(
        (
            "add_rows",
            [numbers(n, 2), numbers(rows, 2), near((n,), rows)],
            added,
        )
        for n, rows in [(9, 4), (0, 4), (3, 0), (1, 1), (500, 3)]
    ),
    (
        "add_rows",
        [numbers(5, 2), numbers(4, 2), EXTREMES],
        added,
    ),
    *(
        (
            "set_along",
            [numbers(rows, n), numbers(rows, columns), near((rows, n), columns, np.int64)],
            lambda u, x, i: scattered([u], [x], [i], (0, -1), [(0, 1)], first)[0],
        )
        for rows, n, columns in [(3, 4, 5), (0, 4, 5), (3, 0, 5), (3, 4, 0), (1, 30, 2)]
    ),
    *(
        (
            "set_one",
            [numbers(), numbers(3, 2), np.array(i, np.int8), np.array(j, np.int32)],
            lambda u, x, i, j: scattered([u], [x], [i, j], (-1, -1), [(), ()], first)[0],
        )
        for i, j in [(2, 1), (3, 0), (-1, 0), (0, 2)]
    ),
    *(
        (
            "digits",
            [numbers(n, dtype=np.int32), numbers(3, dtype=np.int32), near((n,), 3)],
            lambda u, x, i: scattered([u], [x], [i], (-1,), [(0,)], lambda a, b: (np.int32(b * 10 + a),))[0],
        )
        for n in (0, 1, 12)
    ),
    (
        "set_along",
        [numbers(3, 8), numbers(3, 4), np.stack([WIDE, WIDE[::-1], WIDE])],
        lambda u, x, i: scattered([u], [x], [i], (0, -1), [(0, 1)], first)[0],
    ),
    *(
        ("flips", [numbers(len(i), dtype=np.int32), numbers(1, k) > 0, i], flipped)
        for i, k in [(near((20,), 7, np.int64), 7), (WIDE, 3), (WIDE, 1), (WIDE, 0), (WIDE[:0], 3)]
    ),
    *(
        ("only", [numbers(len(i)), np.array([5], np.int32), i], lambda u, x, i: x + np.int32(np.sum(i == 0)))
        for i in (near((9,), 1), EXTREMES, EXTREMES[:0])
    ),
    ("both", [numbers(9, 2), numbers(4, 2), near((9,), 4)], lambda u, x, i: [x, added(u, x, i)]),
    *(
        (
            "best_and_count",
            [numbers(n, m, dtype=np.float16), numbers(m, k), numbers(m, k, dtype=np.int64), near((n,), k, np.int8)],
            lambda u, x, c, i: scattered([u], [x, c], [i], (1, -1), [(0,)], best_and_count),
        )
        for n, m, k in [(20, 3, 4), (0, 3, 4), (5, 0, 4), (5, 3, 0), (1, 1, 1)]
    ),
]


@pytest.mark.parametrize(("name", "arguments", "judge"), CASES)
def test_iree_and_the_reference_agree_with_loops(name, arguments, judge):
    expected = judge(*arguments)
    expected = expected if isinstance(expected, list) else [expected]
    theirs = reference(name)(*arguments)
    theirs = theirs if isinstance(theirs, list) else [theirs]
    ours = programs()[name](*map(hand_over, arguments))
    ours = ours if isinstance(ours, tuple) else (ours,)
    for one, other, wanted in zip(ours, theirs, expected, strict=True):
        np.testing.assert_array_equal(fetch(one, wanted.dtype), wanted)
        np.testing.assert_array_equal(other, wanted)


# Every shape of places, for every element type.

#: Sizes of the updates; operand's dims; index dims; the operand's sizes where it is indexed.
PLACES = [
    ((6,), (-1,), [(0,)], (4,)),
    ((6, 3), (-1, 1), [(0,)], (4,)),
    ((3, 6), (-1, 0), [(1,)], (4,)),
    ((6, 3), (1, -1), [(0,)], (4,)),
    ((2, 6), (0, -1), [(0, 1)], (4,)),
    ((6,), (-1, -1), [(0,), (0,)], (4, 3)),
    ((6, 5), (-1, -1), [(0,), (1,)], (4, 3)),
    ((2, 6, 3, 5), (0, -1, 2, -1), [(0, 1), (3,)], (4, 3)),
    ((3,), (-1, 0), [()], (4,)),
    ((), (-1, -1), [(), ()], (4, 3)),
    ((6,), (-1,), [(0,)], (1,)),
    ((6, 1, 3), (-1, 1, 2), [(0,)], (4,)),
    ((1, 6), (0, -1, -1), [(1,), (0, 1)], (1, 4)),
]
ELEMENTS = ["i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"]
FOLDS = {"i1": "arith.ori", "complex<f32>": "complex.add", "complex<f64>": "complex.add"}


def operand_shape(sizes, operand_dims, indexed):
    following = iter(indexed)
    return tuple(next(following) if dim < 0 else sizes[dim] for dim in operand_dims)


def tensor(shape, element, is_static):
    return "tensor<" + "".join(f"{size if is_static else '?'}x" for size in shape) + element + ">"


#: One fold by name, one that sets, and one of two operands, which takes the general form.
FORMS = ("fold", "set", "pair")


def written(name, case, element, form, is_static):
    sizes, operand_dims, index_dims, indexed = case
    shape = operand_shape(sizes, operand_dims, indexed)
    types = [tensor(sizes, element, is_static), tensor(shape, element, is_static)]
    types += [tensor([sizes[d] for d in dims], "i32", is_static) for dims in index_dims]
    following = iter(enumerate(index_dims))
    places = []
    for dim in operand_dims:
        if dim >= 0:
            places.append(str(dim))
        else:
            number, dims = next(following)
            places.append(f"%i{number}{list(dims)}")
    op = FOLDS.get(element, "arith.addf" if element in ("f16", "bf16", "f32", "f64") else "arith.addi")
    arguments = ", ".join(
        f"%{n}: {t}" for n, t in zip(["u", "x", *(f"i{k}" for k in range(len(index_dims)))], types, strict=True)
    )
    place = f"[{', '.join(places)}]"
    if form == "pair":
        return f"""func.func @{name}({arguments}) -> ({types[1]}, {types[1]}) {{
          %0:2 = wax.scatter (%a = %u) into(%p = %x, %q = %x){place}
              : ({", ".join([*types[:2], *types[1:]])}) -> ({types[1]}, {types[1]}) {{
            %s = {op} %a, %p : {element}
            wax.yield %s, %a : {element}, {element}
          }}
          return %0#0, %0#1 : {types[1]}, {types[1]}
        }}"""
    head = "(%a = %u) into(%acc = %x)" if form == "set" else f"{op}(%u) into(%x)"
    body = f" {{ wax.yield %a : {element} }}" if form == "set" else ""
    return f"""func.func @{name}({arguments}) -> {types[1]} {{
      %0 = wax.scatter {head}{place} : ({", ".join(types)}) -> {types[1]}{body}
      return %0 : {types[1]}
    }}"""


def one_of_each(element):
    for number, case in enumerate(PLACES):
        for form in FORMS:
            for is_static in (False,) if form == "pair" else (False, True):
                name = f"case{number}{form}{'static' if is_static else 'dynamic'}"
                yield name, case, form, written(name, case, element, form, is_static)


@pytest.mark.parametrize(
    "element",
    [pytest.param(e, marks=[] if e in ("i1", "f32") else pytest.mark.full) for e in ELEMENTS],
)
def test_every_shape_of_places(element, request):
    dtype = DTYPES[element]
    cases = list(one_of_each(element))
    if is_quick(request.config):  # each for one of the types
        cases = cases[element == "f32" :: 2]
    module = load(lower("\n".join(text for *_, text in cases)))
    for name, case, form, text in cases:
        sizes, operand_dims, index_dims, indexed = case
        u = RANDOM.integers(0, 2, sizes).astype(dtype) if element == "i1" else numbers(*sizes, dtype=dtype)
        shape = operand_shape(sizes, operand_dims, indexed)
        x = RANDOM.integers(0, 2, shape).astype(dtype) if element == "i1" else numbers(*shape, dtype=dtype)
        indices = [near(tuple(sizes[d] for d in dims), n) for dims, n in zip(index_dims, indexed, strict=True)]
        folds = {
            "fold": (lambda a, b: (a | b,)) if element == "i1" else lambda a, b: (a + b,),
            "set": first,
            "pair": (lambda a, b, c: (a | b, a)) if element == "i1" else lambda a, b, c: (a + b, a),
        }
        starts = [x, x] if form == "pair" else [x]
        expected = scattered([u], starts, indices, operand_dims, index_dims, folds[form])
        ours = module[name](*map(hand_over, [u, x, *indices]))
        theirs = function(text.replace(f"@{name}(", "@main("))(u, x, *indices)
        if form != "pair":
            ours, theirs = (ours,), [theirs]
        for one, other, wanted in zip(ours, theirs, expected, strict=True):
            np.testing.assert_array_equal(fetch(one, dtype), wanted, err_msg=name)
            np.testing.assert_array_equal(other, wanted, err_msg=name)


# What IREE makes of them.


def dispatches(text: str) -> int:
    flow = iree_tools.compile_str(lower(text), target_backends=[], extra_args=[*FLAGS, "--compile-to=flow"]).decode()
    host = flow[flow.index("util.func public") :]
    assert "scf." not in host
    return host.count("flow.dispatch @")


@pytest.mark.parametrize(
    ("name", "most"),
    [
        *(("turn", 1), ("turn_a_slice", 2), ("insert_steps", 1)),  # a slice with steps is kept apart
        *(("digits", 2), ("add_rows", 2), ("set_along", 2), ("set_one", 2)),  # the rows' numbers, the scatter
        ("best_and_count", 1),
    ],
)
def test_no_loop_stays_on_the_host(name, most):
    (text,) = re.findall(rf"(func\.func @{name}\(.*?\n}}\n)", RUN, re.DOTALL)
    assert dispatches(text) <= most


LARGE = """
func.func @simple(%u: tensor<{n}xf32>, %x: tensor<{m}xf32>, %i: tensor<{n}xi32>) -> tensor<{m}xf32> {{
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0]]
    : (tensor<{n}xf32>, tensor<{m}xf32>, tensor<{n}xi32>) -> tensor<{m}xf32>
  return %0 : tensor<{m}xf32>
}}
func.func @made(%x: tensor<{m}xf32>, %i: tensor<{n}xi32>) -> tensor<{m}xf32> {{
  %one = wax.constant dense<1.0> : tensor<f32>
  %zero = arith.constant 0 : index
  %n = tensor.dim %i, %zero : tensor<{n}xi32>
  %u = wax.iota along 0 {sizes}: tensor<{n}xf32>
  %y = wax.map math.absf(%x) : (tensor<{m}xf32>) -> tensor<{m}xf32>
  %0 = wax.scatter arith.addf(%u) into(%y)[%i[0]]
    : (tensor<{n}xf32>, tensor<{m}xf32>, tensor<{n}xi32>) -> tensor<{m}xf32>
  %1 = wax.map arith.negf(%0) : (tensor<{m}xf32>) -> tensor<{m}xf32>
  return %1 : tensor<{m}xf32>
}}
func.func @general(%x: tensor<{m}xf32>, %i: tensor<{n}xi32>) -> tensor<{m}xf32> {{
  %zero = arith.constant 0 : index
  %n = tensor.dim %i, %zero : tensor<{n}xi32>
  %u = wax.iota along 0 {sizes}: tensor<{n}xi32>
  %y = wax.map math.absf(%x) : (tensor<{m}xf32>) -> tensor<{m}xf32>
  %0 = wax.scatter (%a = %u) into(%acc = %y)[%i[0]]
    : (tensor<{n}xi32>, tensor<{m}xf32>, tensor<{n}xi32>) -> tensor<{m}xf32> {{
    %f = arith.sitofp %a : i32 to f32
    %s = arith.addf %acc, %f : f32
    wax.yield %s : f32
  }}
  return %0 : tensor<{m}xf32>
}}
"""


@pytest.mark.parametrize("is_static", [True, False])
def test_large_tensors_and_those_made_just_before_fit(is_static):
    """A dispatch has 32 KiB of stack, and IREE would make there what a scatter reads."""
    n, m = 40_000, 90_000
    shown = {"n": n, "m": m, "sizes": ""} if is_static else {"n": "?", "m": "?", "sizes": "sizes [%n] "}
    module = load(lower(LARGE.format(**shown)))
    i, x = near((n,), m), numbers(m)
    inside = (i >= 0) & (i < m)
    for name, update in (("simple", numbers(n)), ("made", np.arange(n)), ("general", np.arange(n))):
        start = x if name == "simple" else np.abs(x)
        expected = start.astype(np.float64)
        np.add.at(expected, i[inside], update[inside])
        given = [update.astype(np.float32), x, i] if name == "simple" else [x, i]
        got = fetch(module[name](*map(hand_over, given)), np.float32)
        np.testing.assert_array_equal(got, (-expected if name == "made" else expected).astype(np.float32))


def test_upstream_is_lowered_without_iree():
    assert "iree" not in lower(RUN, "upstream")
