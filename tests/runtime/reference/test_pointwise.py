"""wax.map and wax.broadcast on the reference backend, against NumPy."""

import ml_dtypes
import numpy as np
import pytest
from reference_run import draw, function, run, spell

from wax_runtime.errors import CheckError

NUMPY = {
    "arith.xori": np.bitwise_xor,
    "arith.muli": np.multiply,
    "arith.subi": np.subtract,
    "arith.addf": np.add,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "complex.mul": np.multiply,
}
SHAPES = [(), (0,), (1,), (7,), (3, 0), (1, 5), (2, 3, 4), (1000, 33)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("is_static", [True, False])
def test_map_applies_a_kernel_to_every_element(shape, is_static, rng):
    type = spell(shape if is_static else (None,) * len(shape), "f32")
    x = draw(rng, shape, "f32")
    made = run(
        f"""func.func @main(%x: {type}) -> {type} {{
          %y = wax.map (%a = %x) : ({type}) -> {type} {{
            %one = arith.constant 1.0 : f32
            %e = math.exp %a : f32
            %s = arith.addf %e, %one : f32
            %t = arith.mulf %s, %e : f32
            wax.yield %t : f32
          }}
          return %y : {type}
        }}""",
        x,
    )
    e = np.exp(x.astype(np.float64))
    assert made.shape == shape and made.dtype == np.float32
    np.testing.assert_allclose(made, (e + 1) * e, rtol=1e-6)


def test_a_kernel_that_reads_nothing_fills_the_shape():
    text = """func.func @main(%x: tensor<2x?xf32>) -> tensor<2x?xi8> {
      %y = wax.map (%a = %x) : (tensor<2x?xf32>) -> tensor<2x?xi8> {
        %c = arith.constant -3 : i8
        wax.yield %c : i8
      }
      return %y : tensor<2x?xi8>
    }"""
    np.testing.assert_array_equal(run(text, np.zeros((2, 3), np.float32)), np.full((2, 3), -3, np.int8))


@pytest.mark.parametrize(
    ("element", "op"), [("i1", "arith.xori"), ("i8", "arith.muli"), ("i64", "arith.subi"), ("f16", "arith.addf"),
                    ("bf16", "arith.mulf"), ("f64", "arith.divf"), ("complex<f32>", "complex.mul")]
)  # fmt: skip
@pytest.mark.parametrize("sizes", [(4, 3), (1, 3), (4, 1), (0, 3), (5, 0)])
@pytest.mark.parametrize("is_static", [True, False])
def test_broadcast_joins_operands_on_axes(element, op, sizes, is_static, rng):
    m, n = sizes
    a, b = draw(rng, (m, n), element), draw(rng, (n,), element)
    shapes = ((m, n), (n,)) if is_static else ((None, None), (None,))
    first, second = (spell(shape, element) for shape in shapes)
    made = run(
        f"""func.func @main(%a: {first}, %b: {second}) -> {first} {{
          %y = wax.broadcast {op}(%a[0, 1], %b[1]) : ({first}, {second}) -> {first}
          return %y : {first}
        }}""",
        a,
        b,
    )
    judge = NUMPY[op]
    with np.errstate(all="ignore"):
        expected = judge(a, b)
    assert made.dtype == a.dtype and made.shape == (m, n)
    np.testing.assert_array_equal(made.view(np.uint8), expected.view(np.uint8))


@pytest.mark.parametrize(("dims", "shape"), [
    ("%a[1, 0], %b[2]", (3, 2, 4)), ("%a[2, 0], %b[1]", (3, 4, 2)), ("%a[0, 2], %b[1]", (2, 4, 3)),
    ("%a[1, 2], %b[0]", (4, 2, 3)), ("%a[2, 1], %b[0]", (4, 3, 2)), ("%a[0, 1], %b[2]", (2, 3, 4)),
])  # fmt: skip
@pytest.mark.parametrize("is_static", [True, False])
def test_broadcast_places_dims_where_it_is_told(dims, shape, is_static, rng):
    a, b = draw(rng, (2, 3), "f32"), draw(rng, (4,), "f32")
    types = ("tensor<2x3xf32>", "tensor<4xf32>", spell(shape, "f32"))
    if not is_static:
        types = ("tensor<?x?xf32>", "tensor<?xf32>", "tensor<?x?x?xf32>")
    made = run(
        f"""func.func @main(%a: {types[0]}, %b: {types[1]}) -> {types[2]} {{
          %y = wax.broadcast arith.mulf({dims}) : ({types[0]}, {types[1]}) -> {types[2]}
          return %y : {types[2]}
        }}""",
        a,
        b,
    )
    lists = [[int(d) for d in part.split("]")[0].split(",")] for part in dims.split("[")[1:]]
    letters = ["".join("xyz"[d] for d in each) for each in lists]
    np.testing.assert_array_equal(made, np.einsum(f"{letters[0]},{letters[1]}->xyz", a, b))


def test_free_dims_take_their_sizes_from_sizes(rng):
    text = """func.func @main(%v: tensor<?xf32>, %n: index) -> tensor<?x?x3xf32> {
      %y = wax.broadcast (%a = %v[1]) sizes [%n, 3] : (tensor<?xf32>) -> tensor<?x?x3xf32> {
        wax.yield %a : f32
      }
      return %y : tensor<?x?x3xf32>
    }"""
    v = draw(rng, (5,), "f32")
    call = _with_index(text)
    np.testing.assert_array_equal(call(v, 2), np.broadcast_to(v[None, :, None], (2, 5, 3)))
    assert call(v, 0).shape == (0, 5, 3)
    with pytest.raises(CheckError, match=r"broadcast_c4"):
        call(v, -1)


def _with_index(text):
    """A module whose last argument is an index, as a function of arrays and an int."""
    from wax import _native
    from wax_runtime.reference.plan import build
    from wax_runtime.reference.rules import RULES

    run = build(_native.parse_module(text, "model.mlir").snapshot(), RULES)
    return lambda *arguments: run(arguments)[0]


def test_an_operand_that_the_kernel_ignores_still_gives_sizes(rng):
    text = """func.func @main(%a: tensor<?x4xf32>, %b: tensor<4xf32>) -> tensor<?x4xf32> {
      %y = wax.broadcast (%x = %a[0, 1], %z = %b[1]) : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32> {
        wax.yield %z : f32
      }
      return %y : tensor<?x4xf32>
    }"""
    b = draw(rng, (4,), "f32")
    np.testing.assert_array_equal(run(text, np.zeros((3, 4), np.float32), b), np.broadcast_to(b, (3, 4)))


def test_broadcast_c3_sizes_that_types_leave_open_must_agree():
    text = """func.func @main(%a: tensor<?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %y = wax.broadcast arith.addf(%a[1], %b[0, 1]) : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
      return %y : tensor<?x?xf32>
    }"""
    call = function(text)
    message = r"model.mlir:2:\d+: 'wax.broadcast' op \[broadcast_c3\] operand 1 dim 1 has size 3, but operand 0 dim 0"
    with pytest.raises(CheckError, match=message):
        call(np.zeros(8, np.float32), np.zeros((2, 3), np.float32))
    # NumPy would stretch these.
    with pytest.raises(CheckError, match="has size 1"):
        call(np.zeros(8, np.float32), np.zeros((2, 1), np.float32))
    with pytest.raises(CheckError, match="has size 1"):
        call(np.zeros(1, np.float32), np.zeros((2, 8), np.float32))


def test_shared_subexpressions_are_computed_once(monkeypatch):
    from wax_runtime.reference import kernels
    from wax_runtime.snapshot import Apply, Argument

    calls = []
    monkeypatch.setitem(kernels.SCALARS, "math.exp", lambda apply: lambda x: calls.append(1) or np.exp(x))
    shared = Apply("math.exp", (Argument(0, "f32"),), "f32")
    tree = Apply("arith.addf", (shared, Apply("arith.mulf", (shared, shared), "f32")), "f32")
    made = kernels.function_of(tree, 1)(np.zeros(3, np.float32))
    np.testing.assert_array_equal(made, 2)
    assert len(calls) == 1


def test_a_kernel_of_one_operation_is_numpys_own_function():
    from wax_runtime.reference.kernels import function_of
    from wax_runtime.snapshot import Apply, Argument

    tree = Apply("arith.addf", (Argument(0, "f32"), Argument(1, "f32")), "f32")
    assert function_of(tree, 2) is np.add


def test_a_kernel_of_a_thousand_operations_is_no_trouble():
    from wax_runtime.reference.kernels import function_of
    from wax_runtime.snapshot import Apply, Argument, Literal

    tree = Argument(0, "f32")
    for _ in range(5000):
        tree = Apply("arith.addf", (tree, Literal(1.0, "f32")), "f32")
    np.testing.assert_array_equal(function_of(tree, 1)(np.zeros(2, np.float32)), 5000)


@pytest.mark.parametrize(
    ("shapes", "order"),
    [
        (((50000,), (50000,)), "C"),
        (((300, 200), (300, 200)), "C"),
        (((300, 200), (300, 200)), "F"),
        (((3, 40000), (40000,)), "C"),
        (((40000, 3), (3,)), "C"),
        (((1, 2, 60000), (60000,)), "C"),
        (((200, 300), ()), "F"),
        (((200, 1, 300), (7, 300)), "C"),
    ],
)
def test_large_operands_of_a_long_kernel_are_worked_on_in_blocks(shapes, order, rng):
    from wax_runtime.reference import blocked
    from wax_runtime.reference.kernels import function_of
    from wax_runtime.snapshot import Apply, Argument

    a, b = Argument(0, "f32"), Argument(1, "f32")
    product = Apply("arith.mulf", (a, b), "f32")
    function = function_of(Apply("arith.subf", (product, a), "f32"), 2)
    x, y = (np.asarray(draw(rng, shape, "f32"), order=order) for shape in shapes)
    made = function(x, y)
    np.testing.assert_array_equal(made, x * y - x)
    assert x.size > blocked.BLOCK_ELEMENTS
    seen = []
    blocked.blocked(lambda x, y: seen.append(np.broadcast(x, y).size) or x * y, x.dtype)(x, y)
    assert max(seen) <= blocked.BLOCK_ELEMENTS
    assert sum(seen) == np.broadcast(x, y).size


def test_no_numpy_warning_escapes():
    text = """func.func @main(%x: tensor<3xf32>, %n: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
      %y = wax.map math.log(%x) : (tensor<3xf32>) -> tensor<3xf32>
      %z = wax.broadcast arith.divsi(%n[0], %n[0]) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
      return %y, %z : tensor<3xf32>, tensor<3xi32>
    }"""
    y, z = run(text, np.array([0, -1, 1], np.float32), np.array([0, 1, -(2**31)], np.int32))
    np.testing.assert_array_equal(y, [-np.inf, np.nan, 0])
    np.testing.assert_array_equal(z, [0, 1, 1])


def test_bfloat16_rounds_after_each_operation():
    text = """func.func @main(%x: tensor<1xbf16>) -> tensor<1xbf16> {
      %y = wax.map (%a = %x) : (tensor<1xbf16>) -> tensor<1xbf16> {
        %one = arith.constant 1.0 : bf16
        %s = arith.addf %a, %one : bf16
        %t = arith.subf %s, %one : bf16
        wax.yield %t : bf16
      }
      return %y : tensor<1xbf16>
    }"""
    assert float(run(text, np.array([2.0**-10], ml_dtypes.bfloat16))[0]) == 0.0
