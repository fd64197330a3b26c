"""The snapshot says what the text says."""

import dataclasses

import numpy as np
import pytest
from native_programs import AT, binary, doubling, unary, zero

from wax import _native
from wax_runtime import snapshot


def function_of(text: str) -> snapshot.Function:
    module = _native.parse_module(text).snapshot()
    return module.functions[module.entry]


def test_values_are_numbered_arguments_first_then_in_order():
    function = function_of("""
      func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
        %zero = wax.constant dense<0.0> : tensor<f32>
        %0 = wax.broadcast arith.mulf(%x[0, 1], %y[1]) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
        %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
        return %1, %0 : tensor<2xf32>, tensor<2x3xf32>
      }""")
    constant, product, total = function.operations
    assert function.arguments == (0, 1) and function.results == (4, 3)
    assert (constant.operands, constant.results) == ((), (2,))
    assert (product.operands, product.results, product.segments) == ((0, 1), (3,), (2, 0))
    assert (total.operands, total.results, total.segments) == ((3, 2), (4,), (1, 1))
    assert [str(one) for one in function.types] == [
        "tensor<2x3xf32>", "tensor<3xf32>", "tensor<f32>", "tensor<2x3xf32>", "tensor<2xf32>"
    ]  # fmt: skip
    assert product.attributes == {"dims": ((0, 1), (1,)), "static_sizes": ()}
    assert total.attributes == {"dims": (1,)}
    assert [kernel.results[0].op for kernel in total.kernels] == ["arith.addf", "arith.addf"]


def test_an_absent_combine_is_none():
    function = function_of("""
      func.func @main(%x: tensor<3xf32>, %zero: tensor<f32>) -> tensor<f32> {
        %1 = wax.reduce ordered arith.addf(%x) over [0] init(%zero) : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
        return %1 : tensor<f32>
      }""")
    fold, combine = function.operations[0].kernels
    assert fold.arguments == ("f32", "f32") and combine is None


def test_a_scan_and_a_sort_say_which_dim_and_which_way():
    function = function_of("""
      func.func @main(%x: tensor<2x3xf32>, %zero: tensor<f32>) -> tensor<2x3xf32> {
        %0 = wax.scan ordered arith.subf(%x) along 1 exclusive reverse init(%zero) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
        %1 = wax.scan arith.addf(%0) along 0 init(%zero) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
        %2 = wax.sort (%a, %b = %1) along 1 : (tensor<2x3xf32>) -> tensor<2x3xf32> {
          %l = arith.cmpf ogt, %a, %b : f32
          wax.yield %l : i1
        }
        return %2 : tensor<2x3xf32>
      }""")  # noqa: E501
    exclusive, inclusive, sort = function.operations
    assert exclusive.attributes == {"dim": 1, "exclusive": True, "reverse": True}
    assert exclusive.segments == (1, 1) and exclusive.kernels[1] is None
    assert inclusive.attributes == {"dim": 0}
    assert [kernel.results[0].op for kernel in inclusive.kernels] == ["arith.addf", "arith.addf"]
    assert sort.attributes == {"dim": 1}
    (comparator,) = sort.kernels
    assert comparator.arguments == ("f32", "f32") and comparator.results[0].attributes["predicate"] == "ogt"


def test_dynamic_entries_are_none_and_segments_say_where_their_operands_are():
    function = function_of("""
      func.func @main(%x: tensor<?x8xf32>, %n: index, %o: index) -> tensor<?x2xf32> {
        %0 = wax.slice %x offsets [0, %o] sizes [%n, 2] strides [1, 1] : (tensor<?x8xf32>) -> tensor<?x2xf32>
        return %0 : tensor<?x2xf32>
      }""")
    (operation,) = function.operations
    assert operation.operands == (0, 2, 1) and operation.segments == (1, 1, 1)
    assert operation.attributes == {"static_offsets": (0, None), "static_sizes": (None, 2), "strides": (1, 1)}
    assert str(function.types[1]) == "tensor<index>" and function.types[0].shape == (None, 8)


def test_the_places_of_a_scatter_are_those_of_a_gather():
    function = function_of("""
      func.func @main(%u: tensor<2x3xf32>, %x: tensor<4x3xf32>, %i: tensor<2xi32>) -> tensor<4x3xf32> {
        %0 = wax.scatter (%a = %u) into(%acc = %x)[%i[0], 1]
            : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<2xi32>) -> tensor<4x3xf32> {
          wax.yield %a : f32
        }
        return %0 : tensor<4x3xf32>
      }""")
    (operation,) = function.operations
    assert operation.attributes == {"operand_dims": (-1, 1), "index_dims": ((0,),)}
    fold, combine = operation.kernels
    assert fold.arguments == ("f32", "f32") and fold.results[0].index == 0 and combine is None


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("%0 = wax.pad %s with %s low [] high [] interior [] : (tensor<f32>, tensor<f32>) -> tensor<f32>", (1, 1)),
        ("%0 = wax.concat (%x, %x) along 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>", (2,)),
        ("%0 = wax.gather %x[%i[0]] : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>", (1, 1)),
        ("%0 = wax.reverse %x dims [0] : (tensor<4xf32>) -> tensor<4xf32>", (1,)),
        (
            "%0 = wax.insert %p into %x offsets [%n] strides [1] : (tensor<2xf32>, tensor<4xf32>) -> tensor<4xf32>",
            (1, 1, 1),
        ),
        (
            (
                "%0 = wax.scatter arith.addf(%p) into(%p)[%i[0]] "
                ": (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>"
            ),
            (1, 1, 1),
        ),
        ("%0 = wax.iota along 0 sizes [%n] : tensor<?xi32>", (1,)),
        ("%0 = wax.iota along 0 : tensor<3xi32>", (0,)),
        ("%0 = wax.reshape %x [[0]] into [[0, 1]] : (tensor<4xf32>) -> tensor<2x2xf32>", (1, 0)),
        ("%0 = wax.permute %x [0] : (tensor<4xf32>) -> tensor<4xf32>", (1,)),
    ],
)  # fmt: skip
def test_segments_are_the_operand_groups_of_ods(text, segments):
    function = function_of(f"""
      func.func @main(%x: tensor<4xf32>, %s: tensor<f32>, %i: tensor<2xi32>, %n: index, %p: tensor<2xf32>) {{
        {text}
        return
      }}""")
    assert function.operations[0].segments == segments


def test_a_shared_subexpression_is_one_object():
    builder = _native.KernelBuilder(["f32"])
    exp = builder.op("math.exp", [0], "f32")
    kernel = builder.finish([builder.op("arith.mulf", [exp, exp], "f32"), exp]).snapshot()
    product, shared = kernel.results
    assert product.operands[0] is product.operands[1] is shared
    assert shared.operands[0].index == 0 and shared.attributes == {}


def test_enumerations_are_keywords_and_silent_flags_are_left_out():
    builder = _native.KernelBuilder(["f32", "i32"])
    ops = [
        builder.op("arith.cmpf", [0, 0], "i1", {"predicate": "ueq"}),
        builder.op("arith.cmpi", [1, 1], "i1", {"predicate": "sle"}),
        builder.op("arith.addf", [0, 0], "f32", {"fastmath": "nnan"}),
        builder.op("arith.addi", [1, 1], "i32", {"overflowFlags": "nsw"}),
        builder.op("arith.truncf", [0], "bf16", {"roundingmode": "to_nearest_even"}),
        builder.op("arith.addi", [1, 1], "i32"),
    ]
    kernel = builder.finish(ops).snapshot()
    assert [dict(one.attributes) for one in kernel.results] == [
        {"predicate": "ueq"},
        {"predicate": "sle"},
        {"fastmath": "nnan"},
        {"overflowFlags": "nsw"},
        {"roundingmode": "to_nearest_even"},
        {},
    ]


def test_each_result_of_an_operation_with_several_is_told_apart():
    function = function_of("""
      func.func @main(%x: tensor<3xi32>) -> tensor<3xi32> {
        %0 = wax.map (%a = %x) : (tensor<3xi32>) -> tensor<3xi32> {
          %low, %high = arith.mulsi_extended %a, %a : i32
          %sum = arith.addi %low, %high : i32
          wax.yield %sum : i32
        }
        return %0 : tensor<3xi32>
      }""")
    low, high = function.operations[0].kernels[0].results[0].operands
    assert (low.attributes, high.attributes) == ({"result": 0}, {"result": 1})
    assert low.operands == high.operands


def test_glue_regions_are_read_in_order():
    function = function_of("""
      func.func @main(%n: index, %x: tensor<2xf32>) -> tensor<2xf32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<2xf32>) {
          %1 = wax.map math.exp(%a) : (tensor<2xf32>) -> tensor<2xf32>
          scf.yield %1 : tensor<2xf32>
        }
        return %0 : tensor<2xf32>
      }""")
    *constants, loop = function.operations
    assert [one.attributes["value"] for one in constants] == [0, 1]
    assert loop.operands == (2, 0, 3, 1) and loop.results == (4,)
    (region,) = loop.regions
    assert region.arguments == (5, 6) and region.results == (7,)
    assert region.operations[0].operands == (6,)


def test_locations_are_the_users():
    (operation,) = doubling().snapshot().operations
    assert operation.location == snapshot.Location("model.py", 3, 5)
    (parsed,) = _native.parse_module(doubling().text(debug_info=True)).snapshot().functions["double"].operations
    assert parsed.location == operation.location


def test_a_location_that_is_unknown_is_none():
    builder = _native.FunctionBuilder("f")
    result, *_ = builder.iota(0, [3], "i32")
    assert builder.finish([result]).snapshot().operations[0].location is None


def test_nothing_in_it_can_be_changed():
    function = doubling().snapshot()
    with pytest.raises(dataclasses.FrozenInstanceError):
        function.name = "other"
    with pytest.raises(TypeError):
        function.operations[0].attributes["dims"] = ()
    assert all(isinstance(one, snapshot.Operation) for one in function.operations)


def test_its_classes_behave_as_python_made_them():
    function = doubling().snapshot()
    assert function.types[0] == snapshot.TensorType((None,), "f32")
    assert repr(function.types[0]) == repr(snapshot.TensorType((None,), "f32"))
    assert dataclasses.replace(function, name="g").operations is function.operations


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("3 : i64", 3),
        ("true", True),
        ("unit", True),
        ("2.5 : f32", 2.5),
        ('"a\\0Ab"', "a\nb"),
        ("[1, [2, \"x\"]]", (1, (2, "x"))),
        ("{a = 1 : i8, b = unit}", (("a", 1), ("b", True))),
        ("array<i32: 1, 2>", (1, 2)),
        ("array<i1: true, false>", (True, False)),
        ("f32", "f32"),
        ("affine_map<(d0) -> (d0)>", "affine_map<(d0) -> (d0)>"),
        ("@f", "f"),
        ("#arith.fastmath<fast>", "#arith.fastmath<fast>"),
    ],
)  # fmt: skip
def test_attributes_become_python_values(attribute, value):
    builder = _native.FunctionBuilder("f")
    builder.set_attribute("test", attribute)
    found = builder.finish([]).snapshot().attributes["test"]
    assert found == value and type(found) is type(value)


def test_resources_are_read_as_arrays():
    function = function_of("""
      func.func @main() -> tensor<3xf32> {
        %0 = wax.constant dense_resource<blob> : tensor<3xf32>
        return %0 : tensor<3xf32>
      }
      {-# dialect_resources: { builtin: { blob: "0x040000000000803F0000004000004040" } } #-}""")
    np.testing.assert_array_equal(function.operations[0].attributes["value"], np.array([1, 2, 3], np.float32))


def test_what_it_cannot_hold_is_an_error():
    with pytest.raises(_native.DialectError, match="no body"):
        _native.parse_module("func.func private @f()").snapshot()
    with pytest.raises(_native.DialectError, match="several blocks"):
        function_of("func.func @main() {\n cf.br ^next\n^next:\n return\n}")
    with pytest.raises(_native.DialectError, match="no public function"):
        _native.parse_module("func.func private @f() { return }").snapshot()
    with pytest.raises(_native.DialectError, match="beside the module's functions"):
        _native.parse_module("module { module {} }").snapshot()


def test_a_snapshot_of_an_operation_agrees_with_its_text():
    builder = _native.FunctionBuilder("f", AT)
    x = builder.argument([None, 3], "f32")
    ((total, _, _),), _ = builder.reduce([x], [zero(builder)], [1], binary(), binary(), AT)
    result, *_ = builder.map(total, unary(), AT)
    function = builder.finish([result])
    built = function.snapshot()
    parsed = _native.parse_module(function.text()).snapshot().functions["f"]
    assert built.types == parsed.types and built.results == parsed.results
    for one, other in zip(built.operations, parsed.operations, strict=True):
        assert (one.name, one.operands, one.results, one.segments) == (
            other.name, other.operands, other.results, other.segments
        )  # fmt: skip
        assert {name: str(value) for name, value in one.attributes.items()} == {
            name: str(value) for name, value in other.attributes.items()
        }
