"""wax.scan on the reference backend: each of its ways, against plain Python, one element after another."""

import numpy as np
import pytest
from reference_run import draw, dynamic, function, run, spell
from scalar_judges import DTYPES

from wax_runtime.errors import CheckError

SHAPES = [((5,), 0), ((1,), 0), ((0,), 0), ((3, 7), 1), ((3, 7), 0), ((3, 0), 0), ((0, 3), 0), ((2, 3, 4), 1)]
WORDS = ["", "exclusive", "reverse", "exclusive reverse"]


def scan_text(op, shape, dim, words, element, *, is_static=True):
    x = spell(shape if is_static else dynamic(shape), element)
    return f"""func.func @main(%x: {x}, %i: tensor<{element}>) -> {x} {{
      %y = wax.scan {op}(%x) along {dim} {words} init(%i) : ({x}, tensor<{element}>) -> {x}
      return %y : {x}
    }}"""


def one_by_one(fold, x, init, dim, words):
    rows = np.moveaxis(x, dim, 0)
    order = range(len(rows))[::-1] if "reverse" in words else range(len(rows))
    made, acc = np.empty(rows.shape, init.dtype), np.broadcast_to(init, rows.shape[1:])
    for i in order:
        after = np.asarray(fold(rows[i], acc)).astype(init.dtype)
        made[i] = acc if "exclusive" in words else after
        acc = after
    return np.moveaxis(made, 0, dim)


FOLDS = {
    ("arith.addi", "i32"): np.add, ("arith.addi", "i8"): np.add, ("arith.muli", "i16"): np.multiply,
    ("arith.andi", "i64"): np.bitwise_and, ("arith.ori", "i1"): np.bitwise_or, ("arith.addi", "i1"): np.bitwise_xor,
    ("arith.maxsi", "i32"): np.maximum, ("arith.minsi", "i8"): np.minimum, ("arith.maxsi", "i1"): np.bitwise_and,
    ("arith.addf", "f16"): np.add, ("arith.addf", "bf16"): np.add, ("arith.addf", "f32"): np.add,
    ("arith.mulf", "f64"): np.multiply, ("complex.add", "complex<f32>"): np.add,
    ("complex.mul", "complex<f64>"): np.multiply,
}  # fmt: skip


@pytest.mark.parametrize(("shape", "dim"), SHAPES)
@pytest.mark.parametrize(("op", "element"), FOLDS)
@pytest.mark.parametrize("words", WORDS)
def test_prefixes_are_folded_one_by_one(shape, dim, op, element, words, rng):
    x, init = draw(rng, shape, element), draw(rng, (), element)
    for is_static in (True, False):
        for ordered in ("", "ordered "):
            made = run(scan_text(ordered + op, shape, dim, words, element, is_static=is_static), x, init)
            assert made.dtype == x.dtype
            expected = one_by_one(FOLDS[op, element], x, init, dim, words)
            if op == "complex.mul":  # NumPy may fuse the multiplications and additions of a product
                np.testing.assert_allclose(made, expected, rtol=1e-13, atol=1e-13)
            else:
                np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize(("op", "natural"), [("arith.maxui", np.maximum), ("arith.minui", np.minimum)])
def test_unsigned_extremes_read_integers_as_unsigned(op, natural, rng):
    x = draw(rng, (4, 9), "i16")
    made = run(scan_text(op, (4, 9), 1, "", "i16"), x, x[0, 0])
    started = np.concatenate([np.full((4, 1), x[0, 0]), x], axis=1).view(np.uint16)
    np.testing.assert_array_equal(made.view(np.uint16), natural.accumulate(started, axis=1)[:, 1:])


@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
def test_extremes_keep_nan_and_order_zeros(element):
    x = np.array([-0.0, 0.0, -0.0, 1.0, np.nan, 2.0]).astype(DTYPES[element])
    low = np.array(-np.inf, x.dtype)
    made = run(scan_text("arith.maximumf", x.shape, 0, "", element), x, low).astype(np.float64)
    np.testing.assert_array_equal(made, [-0.0, 0.0, 0.0, 1.0, np.nan, np.nan])
    assert list(np.signbit(made[:3])) == [True, False, False]


RECORDS = """func.func @main(%x: {x}, %n: {n}, %low: tensor<f32>, %none: tensor<i32>) -> ({x}, {n}) {{
  %v, %k = wax.scan (%a = %x, %j = %n) along {dim} {words} init(%best = %low, %at = %none)
      : ({x}, {n}, tensor<f32>, tensor<i32>) -> ({x}, {n}) {{
    %more = arith.cmpf ogt, %a, %best : f32
    %v = arith.select %more, %a, %best : f32
    %w = arith.select %more, %j, %at : i32
    wax.yield %v, %w : f32, i32
  }} {combine}
  return %v, %k : {x}, {n}
}}"""
# The earlier element wins a tie: right only if prefixes are combined in order.
COMBINE = """combine (%a, %i, %b, %j) {
    %more = arith.cmpf ogt, %b, %a : f32
    %v = arith.select %more, %b, %a : f32
    %w = arith.select %more, %j, %i : i32
    wax.yield %v, %w : f32, i32
  }"""


@pytest.mark.parametrize(("shape", "dim"), [*SHAPES, ((1000,), 0), ((1025, 2), 0)])
@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("combine", ["", COMBINE])
def test_several_accumulators_are_one_scan(shape, dim, words, combine, rng):
    x = rng.integers(0, 50, shape).astype(np.float32)
    n = np.broadcast_to(np.arange(shape[dim], dtype=np.int32).reshape([-1] + [1] * (x.ndim - 1 - dim)), shape).copy()
    text = RECORDS.format(x=spell(shape, "f32"), n=spell(shape, "i32"), dim=dim, words=words, combine=combine)
    value, index = run(text, x, n, np.float32(-np.inf).reshape(()), np.int32(-1).reshape(()))
    # Both in one number: the greater value, then the earlier element.
    sign = 1 if "reverse" in words else -1
    keys = one_by_one(np.maximum, x * 10000.0 + sign * n, np.array(-np.inf), dim, words)
    at = np.mod(sign * np.where(np.isinf(keys), 0, keys), 10000)
    np.testing.assert_array_equal(index, np.where(np.isinf(keys), -1, at))
    np.testing.assert_array_equal(value, np.where(np.isinf(keys), -np.inf, np.round(keys / 10000)))


@pytest.mark.parametrize("words", WORDS)
def test_a_fold_that_nobody_knows_goes_one_by_one(words, rng):
    text = f"""func.func @main(%x: tensor<?x?xi32>, %i: tensor<f32>) -> tensor<?x?xf32> {{
      %y = wax.scan (%a = %x) along 1 {words} init(%acc = %i) : (tensor<?x?xi32>, tensor<f32>) -> tensor<?x?xf32> {{
        %half = arith.constant 0.5 : f32
        %w = arith.sitofp %a : i32 to f32
        %h = arith.mulf %half, %acc : f32
        %s = arith.addf %w, %h : f32
        wax.yield %s : f32
      }}
      return %y : tensor<?x?xf32>
    }}"""
    x = rng.integers(-9, 9, (3, 20)).astype(np.int32)
    made = run(text, x, np.float32(4).reshape(()))
    expected = one_by_one(lambda a, acc: a.astype("f4") + np.float32(0.5) * acc, x, np.array(4, "f4"), 1, words)
    assert made.dtype == np.float32
    np.testing.assert_array_equal(made, expected)


def test_operands_of_other_sizes_are_refused():
    text = """func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %i: tensor<f32>) -> tensor<?xf32> {
      %0 = wax.scan (%a = %x, %b = %y) along 0 init(%acc = %i) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32> {
        %s = arith.mulf %a, %b : f32
        %t = arith.addf %s, %acc : f32
        wax.yield %t : f32
      }
      return %0 : tensor<?xf32>
    }"""  # noqa: E501
    main = function(text)
    one = np.ones(3, np.float32)
    np.testing.assert_array_equal(main(one, one, np.float32(0).reshape(())), [1, 2, 3])
    with pytest.raises(CheckError, match="scan_c2"):
        main(one, np.ones(4, np.float32), np.float32(0).reshape(()))
