"""Scans and sorts on IREE and on the reference backend, against plain Python; each is one dispatch on IREE."""

from __future__ import annotations

import functools
import re
import subprocess
from typing import Any

import mlir_tools
import numpy as np
import pytest
import reference_run
from iree.compiler import tools as iree_tools
from iree_run import FLAGS, fetch, hand_over, load
from scalar_judges import DTYPES
from tiers import tiered

SHAPES = [(2, 3, 4), (1, 50, 1), (3, 0, 2), (0, 5, 2), (2, 5, 0), (4, 1, 3), (70, 19, 1), (1, 33, 5), (1, 1000, 1)]
ADD = {"i1": "arith.ori"} | dict.fromkeys(("f16", "bf16", "f32", "f64"), "arith.addf")
ADD |= dict.fromkeys(("complex<f32>", "complex<f64>"), "complex.add")


def less(element: str) -> str:
    """The comparator's operations: complex numbers by their real parts, the rest by their type's order."""
    if element.startswith("complex"):
        part = element[8:-1]
        return f"""%ra = complex.re %a : {element}
          %rb = complex.re %b : {element}
          %l = arith.cmpf olt, %ra, %rb : {part}"""
    if element.startswith("i"):
        return f"%l = arith.cmpi {'ult' if element == 'i1' else 'slt'}, %a, %b : {element}"
    return f"%l = arith.cmpf olt, %a, %b : {element}"


def scan(element: str, dim: int, shape: tuple[int | None, ...], words: str, name: str) -> str:
    x = reference_run.spell(shape, element)
    return f"""func.func @{name}(%x: {x}, %i: tensor<{element}>) -> {x} {{
      %0 = wax.scan {ADD.get(element, "arith.addi")}(%x) along {dim} {words} init(%i) : ({x}, tensor<{element}>) -> {x}
      return %0 : {x}
    }}"""


def sort(element: str, dim: int, shape: tuple[int | None, ...], name: str) -> str:
    x, n = reference_run.spell(shape, element), reference_run.spell(shape, "i32")
    return f"""func.func @{name}(%x: {x}, %n: {n}) -> ({x}, {n}) {{
      %0:2 = wax.sort (%a, %b = %x, %c, %d = %n) along {dim} : ({x}, {n}) -> ({x}, {n}) {{
          {less(element)}
          wax.yield %l : i1
      }}
      return %0#0, %0#1 : {x}, {n}
    }}"""


def lower(text: str) -> str:
    command = [str(mlir_tools.wax_tool("wax-opt")), "--wax-to-linalg=target=iree"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


WORDS = ["", "exclusive", "reverse", "exclusive reverse"]


@functools.cache
def functions(element: str) -> dict[str, str]:
    """The functions tried on one element type, of dynamic sizes."""
    open_shape = (None,) * 3
    made = {f"scan{dim}_{i}": scan(element, dim, open_shape, w, f"scan{dim}_{i}") for dim in range(3) for i, w in
            enumerate(WORDS)}  # fmt: skip
    return made | {f"sort{dim}": sort(element, dim, open_shape, f"sort{dim}") for dim in range(3)}


@functools.cache
def compiled(element: str) -> Any:
    return load(lower("\n".join(functions(element).values())))


def on_iree(module: Any, name: str, *arrays: np.ndarray) -> list[np.ndarray]:
    results = module[name](*[hand_over(x) for x in arrays])
    results = list(results) if isinstance(results, tuple | list) else [results]
    return [fetch(y, x.dtype) for y, x in zip(results, arrays, strict=False)]


def judged_scan(x: np.ndarray, init: np.ndarray, dim: int, words: str) -> np.ndarray:
    rows = np.moveaxis(x, dim, 0)
    rows = rows[::-1] if "reverse" in words else rows
    made, acc = np.empty(rows.shape, x.dtype), np.broadcast_to(init, rows.shape[1:])
    for i, row in enumerate(rows):
        after = np.asarray(acc | row if x.dtype == np.bool_ else acc + row, x.dtype)
        made[i] = acc if "exclusive" in words else after
        acc = after
    return np.moveaxis(made[::-1] if "reverse" in words else made, 0, dim)


def small(rng: np.random.Generator, shape: tuple[int, ...], element: str) -> np.ndarray:
    """Elements of which many are equal."""
    dtype = DTYPES[element]
    if element.startswith("complex"):
        return (rng.integers(-4, 5, shape) + 1j * rng.integers(-4, 5, shape)).astype(dtype)
    return rng.integers(0 if element == "i1" else -6, 2 if element == "i1" else 7, shape).astype(dtype)


EVERY = pytest.mark.parametrize("element", tiered(DTYPES, ("i1", "i64", "bf16").__contains__))


@EVERY
def test_scans_of_every_type_along_every_dim(element: str) -> None:
    rng = np.random.default_rng(5)
    for shape in SHAPES:
        x, init = reference_run.draw(rng, shape, element), reference_run.draw(rng, (), element)
        for dim in range(3):
            for i, words in enumerate(WORDS):
                expected, name = judged_scan(x, init, dim, words), f"scan{dim}_{i}"
                (got,) = on_iree(compiled(element), name, x, init)
                np.testing.assert_array_equal(got, expected, err_msg=f"{element} {shape} {dim} {words}")
                text = functions(element)[name]
                np.testing.assert_array_equal(reference_run.run(text, x, init), expected)


@EVERY
def test_sorts_of_every_type_along_every_dim_are_stable(element: str) -> None:
    rng = np.random.default_rng(6)
    for shape in SHAPES:
        x = small(rng, shape, element)
        number = np.arange(x.size, dtype=np.int32).reshape(shape)
        key = x.real if element.startswith("complex") else x.astype(np.float64)
        for dim in range(3):
            order = np.argsort(key, axis=dim, kind="stable")
            expected = [np.take_along_axis(y, order, dim) for y in (x, number)]
            name = f"sort{dim}"
            for made in (on_iree(compiled(element), name, x, number),
                         reference_run.run(functions(element)[name], x, number)):  # fmt: skip
                for got, wanted in zip(made, expected, strict=True):
                    np.testing.assert_array_equal(got, wanted, err_msg=f"{element} {shape} {dim}")


STATIC = [((7,), 0), ((1000,), 0), ((40, 17), 0), ((40, 17), 1), ((3, 2, 33, 1), 2), ((2, 5, 3), 0), ((70, 3), 1)]


def test_static_sizes_come_out_the_same() -> None:
    rng = np.random.default_rng(7)
    texts = [
        text
        for number, (shape, dim) in enumerate(STATIC)
        for text in (scan("f32", dim, shape, "", f"scan_{number}"), sort("f32", dim, shape, f"sort_{number}"))
    ]
    module = load(lower("\n".join(texts)))
    for number, (shape, dim) in enumerate(STATIC):
        x = rng.standard_normal(shape).astype(np.float32)
        (got,) = on_iree(module, f"scan_{number}", x, np.float32(0).reshape(()))
        np.testing.assert_array_equal(got, judged_scan(x, np.zeros((), x.dtype), dim, ""))
        got, _ = on_iree(module, f"sort_{number}", x, np.zeros(shape, np.int32))
        np.testing.assert_array_equal(got, np.sort(x, axis=dim))


# No strict weak order: always, never, and one that holds by the parity of a sum.
SENSELESS = ["%l = arith.constant true", "%l = arith.constant false",
             "%s = arith.addi %a, %b : i32\n %l = arith.trunci %s : i32 to i1"]  # fmt: skip


@pytest.mark.parametrize("comparator", SENSELESS)
def test_a_comparator_that_is_no_order_permutes(comparator: str) -> None:
    text = f"""func.func @f(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {{
      %0 = wax.sort (%a, %b = %x) along 1 : (tensor<?x?xi32>) -> tensor<?x?xi32> {{
        {comparator}
        wax.yield %l : i1
      }}
      return %0 : tensor<?x?xi32>
    }}"""
    module = load(lower(text))
    for shape in [(3, 100), (1, 1), (2, 17), (1, 1025)]:
        x = np.arange(shape[0] * shape[1], dtype=np.int32).reshape(shape)
        (first,) = on_iree(module, "f", x)
        for got in (first, reference_run.run(text, x)):
            np.testing.assert_array_equal(np.sort(got, 1), x)
        (again,) = on_iree(module, "f", x)
        np.testing.assert_array_equal(again, first)


def test_two_accumulators_and_operands_of_types_of_their_own() -> None:
    text = """func.func @f(%x: tensor<?x?xbf16>, %n: tensor<?x?xi32>, %low: tensor<f32>, %none: tensor<i32>)
        -> (tensor<?x?xf32>, tensor<?x?xi32>) {
      %0:2 = wax.scan (%a = %x, %i = %n) along 1 init(%best = %low, %at = %none)
          : (tensor<?x?xbf16>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
        %w = arith.extf %a : bf16 to f32
        %more = arith.cmpf ogt, %w, %best : f32
        %v = arith.select %more, %w, %best : f32
        %k = arith.select %more, %i, %at : i32
        wax.yield %v, %k : f32, i32
      } COMBINE
      return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
    }"""
    combine = """combine (%best, %at, %w, %i) {
        %more = arith.cmpf ogt, %w, %best : f32
        %v = arith.select %more, %w, %best : f32
        %k = arith.select %more, %i, %at : i32
        wax.yield %v, %k : f32, i32
      }"""
    rng = np.random.default_rng(8)
    x = reference_run.draw(rng, (3, 77), "bf16")
    n = np.broadcast_to(np.arange(77, dtype=np.int32), x.shape).copy()
    wide = x.astype(np.float32)
    best = np.maximum.accumulate(wide, 1)
    at = np.array([[np.argmax(row[: i + 1]) for i in range(77)] for row in wide], np.int32)
    arguments = (x, n, np.float32(-np.inf).reshape(()), np.int32(-1).reshape(()))
    for part in ("", combine):
        whole = text.replace("COMBINE", part)
        value, index = load(lower(whole))["f"](*map(hand_over, arguments))
        for got in ((value.to_host(), index.to_host()), reference_run.run(whole, *arguments)):
            np.testing.assert_array_equal(got[0], best)
            np.testing.assert_array_equal(got[1], at)


def dispatches(text: str) -> int:
    """How many dispatches a call of a program makes, which has no loop on the host."""
    flow = iree_tools.compile_str(lower(text), target_backends=[], extra_args=[*FLAGS, "--compile-to=flow"]).decode()
    body = flow[flow.index("util.func public @") :]
    assert "scf.for" not in body
    assert "cf.br" not in body
    return len(re.findall(r"= flow\.dispatch @", body))


OPEN = (None, None)


@pytest.mark.parametrize("shape", [OPEN, (64, 100), (100, 1)])
@pytest.mark.parametrize("dim", [0, 1])
def test_a_scan_is_one_dispatch(shape: tuple[int | None, ...], dim: int) -> None:
    assert dispatches(scan("f32", dim, shape, "exclusive", "f")) <= 1


@pytest.mark.parametrize("shape", [OPEN, (64, 100), (100, 7)])
def test_a_sort_along_the_last_dim_is_one_dispatch(shape: tuple[int | None, ...]) -> None:
    assert dispatches(sort("f32", 1, shape, "f")) == 1


KEYS_ONLY_COMPARED = """func.func @f(%x: tensor<?x?xf32>, %n: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %n) along 1 : (tensor<?x?xf32>, tensor<?x?xi32>)
      -> (tensor<?x?xf32>, tensor<?x?xi32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0#1 : tensor<?x?xi32>
}"""
ACCUMULATOR_ONLY_FOLDED = """func.func @f(
    %x: tensor<?x?xf32>, %n: tensor<?x?xi32>, %low: tensor<f32>, %none: tensor<i32>) -> tensor<?x?xi32> {
  %0:2 = wax.scan (%a = %x, %i = %n) along 0 init(%best = %low, %at = %none)
      : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
    %more = arith.cmpf ogt, %a, %best : f32
    %v = arith.select %more, %a, %best : f32
    %k = arith.select %more, %i, %at : i32
    wax.yield %v, %k : f32, i32
  }
  return %0#1 : tensor<?x?xi32>
}"""


def test_a_result_that_nothing_reads_is_no_burden_to_the_stack() -> None:
    """IREE leaves it out of the dispatch, which still works in it."""
    rng = np.random.default_rng(9)
    x = rng.integers(0, 500, (2, 20_000)).astype(np.float32)
    n = np.broadcast_to(np.arange(20_000, dtype=np.int32), x.shape).copy()
    assert dispatches(KEYS_ONLY_COMPARED) == 1
    (got,) = on_iree(load(lower(KEYS_ONLY_COMPARED)), "f", x, n)
    np.testing.assert_array_equal(got, np.argsort(x, axis=1, kind="stable"))

    assert dispatches(ACCUMULATOR_ONLY_FOLDED) == 1
    starts = np.float32(-np.inf).reshape(()), np.int32(-1).reshape(())
    x, n = x.T.copy(), n.T.copy()
    got = fetch(load(lower(ACCUMULATOR_ONLY_FOLDED))["f"](x, n, *starts), n.dtype)
    best = np.maximum.accumulate(x, 0)
    is_new = np.concatenate([np.ones_like(x[:1], bool), x[1:] > best[:-1]])
    np.testing.assert_array_equal(got, np.maximum.accumulate(np.where(is_new, n, 0), 0))


def test_a_sort_along_another_dim_transposes_each_operand_there_and_back() -> None:
    assert dispatches(sort("f32", 0, OPEN, "f")) <= 5
