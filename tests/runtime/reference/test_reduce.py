"""wax.reduce on the reference backend: each of its ways, against NumPy and plain Python."""

import functools
import itertools

import numpy as np
import pytest
from reference_run import draw, dynamic, function, run, spell
from scalar_judges import DTYPES

from wax_runtime.errors import CheckError

CASES = [
    ((5,), (0,)), ((1,), (0,)), ((0,), (0,)), ((3, 7), (1,)), ((3, 7), (0,)), ((3, 7), (0, 1)), ((3, 0), (1,)),
    ((0, 3), (1,)), ((2, 3, 4), (1,)), ((2, 3, 4), (0, 2)), ((2, 3, 4), ()), ((), ()), ((999, 3), (0,)),
    ((3, 999), (1,)),
]  # fmt: skip


def reduce_text(op, shape, dims, element, *, ordered=False, is_static=True):
    kept = tuple(size for dim, size in enumerate(shape) if dim not in dims)
    x, y = spell(shape if is_static else dynamic(shape), element), spell(kept if is_static else dynamic(kept), element)
    over = "[" + ", ".join(map(str, dims)) + "]"
    return f"""func.func @main(%x: {x}, %i: tensor<{element}>) -> {y} {{
      %y = wax.reduce {"ordered " if ordered else ""}{op}(%x) over {over} init(%i) : ({x}, tensor<{element}>) -> {y}
      return %y : {y}
    }}"""


EXACT = {
    ("arith.addi", "i32"): (np.add, 0), ("arith.addi", "i8"): (np.add, 5), ("arith.muli", "i16"): (np.multiply, 3),
    ("arith.andi", "i64"): (np.bitwise_and, -1), ("arith.ori", "i1"): (np.bitwise_or, False),
    ("arith.xori", "i32"): (np.bitwise_xor, 9), ("arith.addi", "i1"): (np.bitwise_xor, False),
    ("arith.maxsi", "i32"): (np.maximum, -(2**31)), ("arith.minsi", "i8"): (np.minimum, 127),
    ("arith.maxsi", "i1"): (np.bitwise_and, True),
}  # fmt: skip


@pytest.mark.parametrize(("shape", "dims"), CASES)
@pytest.mark.parametrize(("op", "element"), EXACT)
@pytest.mark.parametrize("ordered", [False, True])
def test_folds_of_integers_are_exact(shape, dims, op, element, ordered, rng):
    ufunc, start = EXACT[op, element]
    x, init = draw(rng, shape, element), np.array(start, DTYPES[element])
    made = run(reduce_text(op, shape, dims, element, ordered=ordered), x, init)
    expected = ufunc.reduce(x, axis=dims, dtype=x.dtype, initial=init)
    assert made.dtype == x.dtype
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize(("op", "natural"), [("arith.maxui", np.max), ("arith.minui", np.min)])
def test_unsigned_extremes_read_integers_as_unsigned(op, natural, rng):
    x = draw(rng, (4, 9), "i16")
    made = run(reduce_text(op, (4, 9), (1,), "i16"), x, x[0, 0])
    both = np.concatenate([x.view(np.uint16), np.full((4, 1), x[0, 0].view(np.uint16))], axis=1)
    np.testing.assert_array_equal(made.view(np.uint16), natural(both, axis=1))


@pytest.mark.parametrize(("shape", "dims"), CASES)
@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("is_static", [True, False])
def test_sums_are_near_the_exact_sum(shape, dims, element, is_static, rng):
    x = draw(rng, shape, element)
    op = "complex.add" if "complex" in element else "arith.addf"
    made = run(reduce_text(op, shape, dims, element, is_static=is_static), x, np.zeros((), x.dtype))
    wide = x.astype(np.complex128 if "complex" in element else np.float64)
    count = max(1, int(np.prod([shape[d] for d in dims])))
    eps = {"f16": 1e-3, "bf16": 8e-3, "f32": 1.2e-7, "complex<f32>": 1.2e-7}.get(element, 2.3e-16)
    bound = eps * (np.log2(count) + 2) * (np.abs(wide).sum(axis=dims) + 1)
    assert (np.abs(made.astype(wide.dtype) - wide.sum(axis=dims)) <= bound).all()
    assert made.dtype == x.dtype


@pytest.mark.parametrize(("shape", "dims"), CASES)
@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
def test_ordered_sums_are_taken_one_by_one_in_row_major_order(shape, dims, element, rng):
    x, init = draw(rng, shape, element), draw(rng, (), element)
    made = run(reduce_text("arith.addf", shape, dims, element, ordered=True), x, init)
    kept = [d for d in range(len(shape)) if d not in dims]
    expected = np.empty([shape[d] for d in kept], x.dtype)
    for at in np.ndindex(expected.shape):
        where = [slice(None)] * len(shape)
        for d, i in zip(kept, at, strict=True):
            where[d] = i
        expected[at] = functools.reduce(lambda acc, e: acc + e, x[tuple(where)].reshape(-1), init.reshape(1)[0])
    np.testing.assert_array_equal(made.astype(np.float64), expected.astype(np.float64))


@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("ordered", [False, True])
def test_extremes_keep_nan_and_order_zeros(element, ordered):
    nan, inf = np.nan, np.inf
    rows = [[0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0], [nan, 1.0], [1.0, nan], [-1.0, 0.0], [1.0, -0.0], [inf, -inf]]
    x = np.array(rows).astype(DTYPES[element])
    for op, start, expected in (
        ("arith.maximumf", -inf, [0.0, 0.0, -0.0, nan, nan, 0.0, 1.0, inf]),
        ("arith.minimumf", inf, [-0.0, -0.0, -0.0, nan, nan, -1.0, -0.0, -inf]),
    ):
        made = run(reduce_text(op, x.shape, (1,), element, ordered=ordered), x, np.array(start, x.dtype))
        made = made.astype(np.float64)
        np.testing.assert_array_equal(made, expected)
        signs = np.signbit(made) == np.signbit(expected)
        assert (signs | np.isnan(made)).all()
    started = run(reduce_text("arith.maximumf", (1,), (0,), element), np.array([-0.0], x.dtype), np.array(0.0, x.dtype))
    assert not np.signbit(started.astype(np.float64))


def test_a_number_wins_over_nan_where_the_operation_says_so():
    x = np.array([[np.nan, 1, 3], [np.nan, np.nan, np.nan]], np.float32)
    made = run(reduce_text("arith.maxnumf", (2, 3), (1,), "f32"), x, np.array(-np.inf, np.float32))
    np.testing.assert_array_equal(made, [3, -np.inf])


ARGMAX = """func.func @main(%x: {x}, %low: tensor<f32>, %none: tensor<i32>) -> ({y}, {i}) {{
  %c{dim} = arith.constant {dim} : index
  %n = wax.iota along {dim} {sizes} : {n}
  %m, %k = wax.reduce (%a = %x, %j = %n) over [{dim}] init(%best = %low, %at = %none)
      : ({x}, {n}, tensor<f32>, tensor<i32>) -> ({y}, {i}) {{
    %more = arith.cmpf ogt, %a, %best : f32
    %v = arith.select %more, %a, %best : f32
    %w = arith.select %more, %j, %at : i32
    wax.yield %v, %w : f32, i32
  }} {combine}
  return %m, %k : {y}, {i}
}}"""
# The earlier lane wins a tie: right only if lanes are combined in order.
COMBINE = """combine (%a, %i, %b, %j) {
    %more = arith.cmpf ogt, %b, %a : f32
    %v = arith.select %more, %b, %a : f32
    %w = arith.select %more, %j, %i : i32
    wax.yield %v, %w : f32, i32
  }"""


@pytest.mark.parametrize(
    ("shape", "dim"), [((5,), 0), ((1,), 0), ((3, 8), 1), ((8, 3), 0), ((2, 3, 4), 1), ((200003,), 0)]
)
@pytest.mark.parametrize("combined", [True, False])
def test_argmax_is_one_fold_of_two_accumulators(shape, dim, combined, rng):
    if not combined and shape[dim] > 1000:
        pytest.skip("a loop over 200003 elements shows nothing new")
    kept = tuple(size for d, size in enumerate(shape) if d != dim)
    text = ARGMAX.format(
        x=spell(shape, "f32"), y=spell(kept, "f32"), i=spell(kept, "i32"), n=spell(shape, "i32"), dim=dim, sizes="",
        combine=COMBINE if combined else "",
    )  # fmt: skip
    x = rng.integers(-9, 9, shape).astype(np.float32)  # many ties
    value, at = run(text, x, np.array(-np.inf, np.float32), np.array(-1, np.int32))
    np.testing.assert_array_equal(value, x.max(dim))
    np.testing.assert_array_equal(at, x.argmax(dim))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 31, 64, 65, 70000])
def test_combine_keeps_neighbours_in_order(count, rng):
    """Composition of affine maps is associative and not commutative."""
    text = f"""func.func @main(%a: tensor<{count}xi32>, %b: tensor<{count}xi32>, %one: tensor<i32>, %zero: tensor<i32>)
        -> (tensor<i32>, tensor<i32>) {{
      %p, %q = wax.reduce (%x = %a, %y = %b) over [0] init(%s = %one, %t = %zero)
          : (tensor<{count}xi32>, tensor<{count}xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {{
        %0 = arith.muli %x, %s : i32
        %1 = arith.muli %x, %t : i32
        %2 = arith.addi %1, %y : i32
        wax.yield %0, %2 : i32, i32
      }} combine (%s, %t, %u, %v) {{
        %0 = arith.muli %u, %s : i32
        %1 = arith.muli %u, %t : i32
        %2 = arith.addi %1, %v : i32
        wax.yield %0, %2 : i32, i32
      }}
      return %p, %q : tensor<i32>, tensor<i32>
    }}"""
    a, b = rng.integers(-9, 9, count) * 2 + 1, rng.integers(-9, 9, count)
    p, q = run(text, a.astype(np.int32), b.astype(np.int32), np.array(1, np.int32), np.array(0, np.int32))
    s, t = 1, 0
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        s, t = (x * s) % 2**32, (x * t + y) % 2**32
    assert (int(p) % 2**32, int(q) % 2**32) == (s, t)


def test_several_sums_of_expressions_are_each_one_reduction(rng):
    """Sum and sum of squares in float32 of float16 elements."""
    text = """func.func @main(%x: tensor<4x50xf16>, %z: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %s, %q, %n = wax.reduce (%a = %x) over [1] init(%u = %z, %v = %z, %w = %z)
          : (tensor<4x50xf16>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
        %e = arith.extf %a : f16 to f32
        %one = arith.constant 1.0 : f32
        %s0 = arith.addf %u, %e : f32
        %sq = arith.mulf %e, %e : f32
        %s1 = arith.addf %v, %sq : f32
        %s2 = arith.addf %w, %one : f32
        wax.yield %s0, %s1, %s2 : f32, f32, f32
      } combine (%a, %b, %c, %d, %e, %f) {
        %0 = arith.addf %a, %d : f32
        %1 = arith.addf %b, %e : f32
        %2 = arith.addf %c, %f : f32
        wax.yield %0, %1, %2 : f32, f32, f32
      }
      return %s, %q, %n : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }"""
    x = draw(rng, (4, 50), "f16")
    s, q, n = run(text, x, np.zeros((), np.float32))
    wide = x.astype(np.float64)
    np.testing.assert_allclose(s, wide.sum(1), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(q, (wide**2).sum(1), rtol=1e-5)
    np.testing.assert_array_equal(n, 50)


def test_reduce_c2_shapes_that_types_leave_open_must_agree():
    text = """func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x4xf32>, %z: tensor<f32>) -> tensor<?xf32> {
      %s = wax.reduce (%a = %x, %b = %y) over [1] init(%u = %z)
          : (tensor<?x?xf32>, tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32> {
        %p = arith.mulf %a, %b : f32
        %q = arith.addf %u, %p : f32
        wax.yield %q : f32
      }
      return %s : tensor<?xf32>
    }"""
    call, zero = function(text), np.zeros((), np.float32)
    x = np.ones((3, 4), np.float32)
    np.testing.assert_array_equal(call(x, x, zero), 4)
    with pytest.raises(CheckError, match=r"\[reduce_c2\] operand 1 dim 1 has size 4, but operand 0 dim 1"):
        call(x[:, :1], x, zero)
    with pytest.raises(CheckError, match=r"\[reduce_c2\] operand 1 dim 0 has size 3"):
        call(x[:1], x, zero)


# Patterns.


def contraction_text(left, right, shape, dims, element="f32", wide=None, mul="arith.mulf", add="arith.addf"):
    """A product and a sum over it; `left` and `right` are (dims, shape)."""
    wide = wide or element
    extend = {"f16": "arith.extf", "bf16": "arith.extf", "i8": "arith.extsi", "f32": "arith.extf"}.get(element)
    types = [spell(s, element) for _, s in (left, right)]
    product = spell(shape, wide)
    kept = spell(tuple(size for d, size in enumerate(shape) if d not in dims), wide)
    lists = [", ".join(map(str, d)) for d, _ in (left, right)]
    if wide == element:
        body = f"%p = {mul} %u, %v : {wide}"
    else:
        body = f"""%eu = {extend} %u : {element} to {wide}
          %ev = {extend} %v : {element} to {wide}
          %p = {mul} %eu, %ev : {wide}"""
    return f"""func.func @main(%a: {types[0]}, %b: {types[1]}, %z: tensor<{wide}>) -> {kept} {{
      %x = wax.broadcast (%u = %a[{lists[0]}], %v = %b[{lists[1]}]) : ({types[0]}, {types[1]}) -> {product} {{
        {body}
        wax.yield %p : {wide}
      }}
      %y = wax.reduce {add}(%x) over [{", ".join(map(str, dims))}] init(%z) : ({product}, tensor<{wide}>) -> {kept}
      return %y : {kept}
    }}"""


SIZES = {0: 2, 1: 3, 2: 5, 3: 4}
# Result dims of the factors, and the folded ones.
CONTRACTIONS = [
    ((0, 1), (1, 2), (1,)), ((0, 1), (2, 1), (1,)), ((1, 0), (1, 2), (1,)), ((0, 2), (2, 1), (2,)),
    ((0, 1, 2), (0, 2, 3), (2,)), ((3, 0, 1), (0, 2, 1), (1,)), ((0, 1, 2), (1, 2, 3), (1, 2)), ((0,), (0,), (0,)),
    ((0, 1), (1,), (1,)), ((1,), (0, 1), (1,)), ((0, 1), (0, 1), (0, 1)), ((2, 0), (1, 2), (2,)),
    ((1, 0), (0, 2), (0,)),
]  # fmt: skip


@pytest.mark.parametrize(("left", "right", "dims"), CONTRACTIONS)
@pytest.mark.parametrize("is_static", [True, False])
def test_a_product_that_is_summed_is_a_matmul(left, right, dims, is_static, rng, monkeypatch):
    rank = 1 + max(*left, *right)
    letters = "abcd"
    calls = []
    original = np.matmul
    monkeypatch.setattr(np, "matmul", lambda *args: calls.append(1) or original(*args))
    shapes = [tuple(SIZES[d] for d in side) for side in (left, right)]
    a, b = (draw(rng, shape, "f32") for shape in shapes)
    given = [shape if is_static else dynamic(shape) for shape in shapes]
    full = tuple(SIZES[d] for d in range(rank))
    text = contraction_text((left, given[0]), (right, given[1]), full if is_static else dynamic(full), dims)
    made = run(text, a, b, np.array(1.0, np.float32))
    spec = [",".join("".join(letters[d] for d in side) for side in (left, right))]
    kept = "".join(letters[d] for d in range(rank) if d not in dims)
    expected = np.einsum(f"{spec[0]}->{kept}", a.astype(np.float64), b.astype(np.float64)) + 1
    np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-5)
    assert calls == [1]


@pytest.mark.parametrize(
    ("element", "wide", "mul", "add"),
    [("i8", "i32", "arith.muli", "arith.addi"), ("i32", None, "arith.muli", "arith.addi"),
     ("f16", "f32", "arith.mulf", "arith.addf"), ("bf16", "f32", "arith.mulf", "arith.addf"),
     ("f32", "f64", "arith.mulf", "arith.addf"), ("f64", None, "arith.mulf", "arith.addf"),
     ("complex<f32>", None, "complex.mul", "complex.add"), ("f16", None, "arith.mulf", "arith.addf"),
     ("bf16", None, "arith.mulf", "arith.addf"), ("i1", None, "arith.andi", "arith.ori")],
)  # fmt: skip
@pytest.mark.parametrize(("m", "k", "n"), [(5, 7, 3), (1, 1, 1), (0, 3, 2), (4, 0, 2), (90, 120, 70)])
def test_matmuls_of_all_elements(element, wide, mul, add, m, k, n, rng):
    a, b = draw(rng, (m, k), element), draw(rng, (k, n), element)
    text = contraction_text(((0, 2), (m, k)), ((2, 1), (k, n)), (m, n, k), (2,), element, wide, mul, add)
    made = run(text, a, b, np.zeros((), DTYPES[wide or element]))
    assert made.shape == (m, n) and made.dtype == DTYPES[wide or element]
    if element[0] == "i":
        to = bool if element == "i1" else object
        expected = (a.astype(to) @ b.astype(to)).astype(to) if k else np.zeros((m, n))
        bits = 1 if element == "i1" else 32
        wrapped = [[int(v) % 2**bits for v in row] for row in expected]
        np.testing.assert_array_equal(made.astype(np.int64) % 2**bits, np.array(wrapped).reshape(m, n))
        return
    exact = np.complex128 if element[0] == "c" else np.float64
    tolerance = {"f16": 2e-2, "bf16": 0.1}.get(wide or element, 1e-4)
    np.testing.assert_allclose(
        made.astype(exact), a.astype(exact) @ b.astype(exact), rtol=tolerance, atol=tolerance * k
    )


def peak(call):
    import tracemalloc

    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize("ordered", [False, True])
def test_an_outer_computation_is_folded_in_blocks_of_bounded_memory(ordered, rng):
    """A tropical matmul: 200 · 300 · 250 elements, of which a block exists at a time."""
    m, k, n = 200, 300, 250
    ordering = "ordered " if ordered else ""
    text = f"""func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %z: tensor<f32>) -> tensor<?x?xf32> {{
      %x = wax.broadcast arith.addf(%a[0, 2], %b[2, 1]) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
      %y = wax.reduce {ordering}arith.minimumf(%x) over [2] init(%z)
          : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }}"""
    a, b = draw(rng, (m, k), "f32"), draw(rng, (k, n), "f32")
    call, init = function(text), np.array(np.inf, np.float32)
    expected = np.min(a[:, :, None] + b[None], axis=1)
    np.testing.assert_array_equal(call(a, b, init), expected)
    assert peak(lambda: call(a, b, init)) < m * k * n  # a quarter of the whole product


def test_a_sum_of_float16_products_is_blocked_and_rounds_at_each_step():
    m = n = 300
    text = contraction_text(((0, 2), (m, 500)), ((2, 1), (500, n)), (m, n, 500), (2,), "bf16").replace(
        "reduce arith", "reduce ordered arith"
    )
    ones = np.ones((m, 500), DTYPES["bf16"])
    made = function(text)
    init = np.zeros((), DTYPES["bf16"])
    assert (made(ones, ones.T, init).astype(np.float32) == 256).all()  # where bfloat16 sums of 1 stop
    assert peak(lambda: made(ones, ones.T, init)) < m * n * 500 // 4


def test_blocks_go_on_in_order_across_folded_dims(rng):
    """x ↦ 3x + e is no sum: any change of order shows."""
    text = """func.func @main(%a: tensor<520xi32>, %b: tensor<530xi32>, %z: tensor<i32>) -> tensor<i32> {
      %x = wax.broadcast arith.xori(%a[0], %b[1]) : (tensor<520xi32>, tensor<530xi32>) -> tensor<520x530xi32>
      %y = wax.reduce (%e = %x) over [0, 1] init(%acc = %z) : (tensor<520x530xi32>, tensor<i32>) -> tensor<i32> {
        %three = arith.constant 3 : i32
        %t = arith.muli %acc, %three : i32
        %s = arith.addi %t, %e : i32
        wax.yield %s : i32
      }
      return %y : tensor<i32>
    }"""
    a, b = rng.integers(0, 99, 520), rng.integers(0, 99, 530)
    made = int(run(text, a.astype(np.int32), b.astype(np.int32), np.array(1, np.int32))) % 2**32
    acc = 1
    for e in (a[:, None] ^ b[None]).ravel().tolist():
        acc = (3 * acc + e) % 2**32
    assert made == acc


def test_a_product_with_another_reader_is_computed_as_it_stands(rng):
    text = """func.func @main(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %z: tensor<f32>)
        -> (tensor<3x4x5xf32>, tensor<3x5xf32>) {
      %x = wax.broadcast arith.mulf(%a[0, 1], %b[1, 2]) : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x4x5xf32>
      %y = wax.reduce arith.addf(%x) over [1] init(%z) : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<3x5xf32>
      return %x, %y : tensor<3x4x5xf32>, tensor<3x5xf32>
    }"""
    a, b = draw(rng, (3, 4), "f32"), draw(rng, (4, 5), "f32")
    x, y = run(text, a, b, np.zeros((), np.float32))
    np.testing.assert_array_equal(x, a[:, :, None] * b[None])
    np.testing.assert_allclose(y, a @ b, rtol=1e-5, atol=1e-6)


def test_broadcast_c3_is_checked_within_a_matmul():
    text = contraction_text(((0, 2), (None, None)), ((2, 1), (None, None)), (None, None, None), (2,))
    with pytest.raises(CheckError, match="broadcast_c3"):
        run(text, np.zeros((2, 3), np.float32), np.zeros((4, 5), np.float32), np.zeros((), np.float32))
    with pytest.raises(CheckError, match="broadcast_c3"):
        run(text, np.zeros((2, 3), np.float32), np.zeros((1, 5), np.float32), np.zeros((), np.float32))


def test_all_reductions_of_pairs_of_dims(rng):
    for dims in itertools.combinations(range(4), 2):
        x = draw(rng, (2, 3, 4, 5), "f64")
        made = run(reduce_text("arith.mulf", x.shape, dims, "f64"), x, np.ones(()))
        np.testing.assert_allclose(made, x.prod(dims), rtol=1e-12)
